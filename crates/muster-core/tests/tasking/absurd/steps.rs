//! Anything that may be given to a node.

use std::sync::Arc;

use muster_core::tasking::cost::{Grid, Quote, Surface};
use muster_core::tasking::group::{Coupling, Group, Member, Phases};
use muster_core::tasking::turnaround::Turnaround;
use muster_core::tasking::{About, Ballot, Deed, Grant, Holder, Message, Timer};
use muster_core::{
    Brief, Delivery, Duration, Kind, Order, Percept, Percepts, Phase, Point, RobotId, Task, TaskId, Time,
};
use proptest::prelude::*;

use super::ME;
use crate::world::{MISSION, SIGHT, TARGET, USER, V1, V2, V4, V5, brief_of, template};

#[derive(Clone, Debug)]
pub enum Step {
    Wait(Duration),
    Hear(RobotId, Message),
    /// A message that fits what the node is doing with one of its orders.
    Fitting(u8, u8),
    /// The next timer, at its time.
    Due,
    /// One of the timers that are set, though others are due before it: the node was kept from attending to them.
    Late(u8),
    /// A timer that may not be set at all.
    Fire(Timer),
    Sense(Percept),
    /// The body does what it was last sent to do.
    Fly,
    Told(Order),
    Restart(bool),
}

fn robot() -> impl Strategy<Value = RobotId> {
    prop_oneof![8 => prop::sample::select(vec![USER, V1, V2, V4, V5]), 1 => Just(ME), 1 => any::<u32>().prop_map(RobotId)]
}

fn task_id() -> impl Strategy<Value = TaskId> {
    prop_oneof![6 => prop::sample::select(vec![10, 11, 20, 21, 22, 30]).prop_map(TaskId), 1 => any::<u32>().prop_map(TaskId)]
}

fn time() -> impl Strategy<Value = Time> {
    prop_oneof![
        6 => (0..200_000_000_u64).prop_map(Time::from_micros),
        1 => any::<u64>().prop_map(Time::from_micros),
        1 => prop::sample::select(vec![Time::ZERO, Time::NEVER, Time::from_micros(1 << 63)]),
    ]
}

fn duration() -> impl Strategy<Value = Duration> {
    prop_oneof![
        6 => (0..20_000_000_u64).prop_map(Duration::from_micros),
        1 => any::<u64>().prop_map(Duration::from_micros),
        1 => Just(Duration::ZERO),
    ]
}

fn number() -> impl Strategy<Value = u32> {
    prop_oneof![6 => 0..6_u32, 1 => any::<u32>(), 1 => Just(u32::MAX), 1 => Just(u32::MAX / 2)]
}

fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![8 => -60.0..100.0_f64, 1 => any::<f64>(), 1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, 1e300])]
}

fn point() -> impl Strategy<Value = Point> {
    prop_oneof![4 => Just(TARGET), 1 => (coordinate(), coordinate()).prop_map(|(x, y)| Point::new(x, y))]
}

fn brief() -> BoxedStrategy<Brief> {
    let expires = prop_oneof![6 => Just(None), 1 => time().prop_map(Some)];
    let silence = prop_oneof![6 => Just(None), 1 => duration().prop_map(Some)];
    let delivery = prop_oneof![1 => Just(Delivery::AtLeastOnce), 1 => Just(Delivery::AtMostOnce)];
    (task_id(), point(), any::<u8>(), (expires, silence, delivery), any::<(bool, u8)>())
        .prop_map(|(id, place, priority, (expires, silence, delivery), (odd, phases))| {
            let needs = if priority == 77 { Percepts::only(9) } else { SIGHT };
            let (kind, usual) = if id.0 == 20 { (MISSION, 3) } else { (Kind(0), 1) };
            let phases = if odd && phases < 40 { phases } else { usual };
            let task = Task { id, place, needs };
            Brief { task, kind, phases, priority: priority % 4, expires, delivery, silence }
        })
        .boxed()
}

/// An order as it comes over the air: mostly one of three that are sound, sometimes anything.
fn group() -> BoxedStrategy<Arc<Group>> {
    let sound = (prop::sample::select(vec![10, 20, 30]), 0..3_u32, any::<bool>()).prop_map(|(id, version, apart)| {
        let version = version.saturating_sub(1);
        let usual = Brief { priority: (id / 10) as u8, ..brief_of(TaskId(id)) };
        let brief = match id {
            20 => Brief { kind: MISSION, phases: 3, ..usual },
            30 => Brief { delivery: Delivery::AtMostOnce, ..usual },
            _ => usual,
        };
        let group = Group::new(USER, brief, version);
        if apart { group.decomposed(Some(&template())).or(group.decomposed(None)).unwrap_or(group) } else { group }
    });
    let member = (any::<u16>(), point(), any::<u16>(), time()).prop_map(|(kind, place, loads, since)| Member {
        kind: Kind(kind),
        place,
        needs: SIGHT,
        loads,
        since,
    });
    let coupling = (0..4_u8, 0..4_u8, any::<(Option<i64>, Option<i64>)>(), 0..200_000_u32, 0..200_000_u32)
        .prop_map(|(a, b, (dt_min, dt_max), dh_min, dh_max)| Coupling { a, b, dt_min, dt_max, dh_min, dh_max });
    let members = prop::collection::vec(member, 0..4);
    let couplings = prop::collection::vec(coupling, 0..4);
    let anything =
        (robot(), brief(), number(), members, couplings).prop_map(|(user, brief, version, members, couplings)| {
            Arc::new(Group { user, brief, version, members, couplings, strict: version % 2 == 1 })
        });
    prop_oneof![6 => sound, 1 => anything].boxed()
}

fn about() -> BoxedStrategy<About> {
    let told = group().prop_map(|group| crate::world::about(&group));
    let named = (task_id(), number()).prop_map(|(first, version)| About { first, version, group: None });
    let mixed =
        (task_id(), number(), group()).prop_map(|(first, version, group)| About { first, version, group: Some(group) });
    prop_oneof![10 => told, 2 => named, 1 => mixed].boxed()
}

fn ballot() -> impl Strategy<Value = Ballot> {
    (number(), robot()).prop_map(|(epoch, lead)| Ballot::new(epoch, lead))
}

fn holder() -> impl Strategy<Value = Holder> {
    (robot(), time(), any::<u32>()).prop_map(|(robot, at, heading)| Holder { robot, at, heading })
}

fn phases() -> impl Strategy<Value = Phases> {
    prop_oneof![6 => (0..8_u32).prop_map(Phases), 1 => any::<u32>().prop_map(Phases)]
}

fn index() -> impl Strategy<Value = u8> {
    prop_oneof![6 => 0..3_u8, 1 => any::<u8>()]
}

fn quote() -> impl Strategy<Value = Quote> {
    let grid = Grid::mackenzie_2003();
    let length = prop_oneof![6 => Just(grid.len()), 1 => 0..400_usize];
    let some = (length, any::<u16>(), any::<u16>()).prop_map(|(length, from, by)| {
        Quote::Sampled((0..length).map(|n| from.wrapping_add(by.wrapping_mul(n as u16))).collect())
    });
    let dear = any::<u32>().prop_map(move |cost| Quote::sampled(&Surface::new(vec![cost / 2; grid.len()])));
    let nonsense = proptest::collection::vec(any::<u8>(), 0..200).prop_map(|bytes| Quote::Adaptive(bytes.into()));
    prop_oneof![4 => some, 1 => dear, 1 => nonsense, 1 => Just(Quote::Cannot)]
}

fn turnaround() -> impl Strategy<Value = Turnaround> {
    let more = prop_oneof![prop::collection::vec(any::<i32>(), 8), prop::collection::vec(any::<i32>(), 0..20)];
    let numbers = (any::<u32>(), any::<u8>(), any::<u16>(), any::<u16>(), any::<u16>(), more);
    numbers.prop_map(|(speed_mmps, most, loads, saves, turn, more)| Turnaround {
        speed_mmps,
        most,
        loads,
        saves,
        turn,
        more,
    })
}

fn message() -> BoxedStrategy<Message> {
    let deed = (task_id(), index(), number(), robot(), time()).prop_map(|(first, index, version, by, at)| Deed {
        first,
        index,
        version,
        by,
        at,
    });
    let auction = prop_oneof![
        about().prop_map(|about| Message::Task { about }),
        about().prop_map(|about| Message::ClaimLead { about }),
        (about(), robot(), number()).prop_map(|(about, lead, epoch)| Message::AckLead { about, lead, epoch }),
        (about(), ballot(), phases(), time(), time()).prop_map(|(about, ballot, phases, t0, closes)| {
            Message::Solicitation { about, ballot, phases, t0, closes }
        }),
        (about(), ballot(), prop::collection::vec(quote(), 0..4)).prop_map(|(about, ballot, costs)| Message::Bid {
            about,
            ballot,
            costs
        }),
        (about(), ballot(), prop::collection::vec(quote(), 0..4), turnaround())
            .prop_map(|(about, ballot, costs, turnaround)| Message::BidForSeveral { about, ballot, costs, turnaround }),
        (about(), ballot(), index(), prop::collection::vec(quote(), 0..4), prop::option::of(turnaround())).prop_map(
            |(about, ballot, index, costs, turnaround)| { Message::Refuse { about, ballot, index, costs, turnaround } }
        ),
        (about(), ballot()).prop_map(|(about, ballot)| Message::BidAck { about, ballot }),
        (about(), ballot(), prop::collection::vec((index(), holder()), 0..4), time())
            .prop_map(|(about, ballot, plan, t0)| Message::Assignment { about, ballot, plan, t0 }),
        (about(), ballot(), index()).prop_map(|(about, ballot, index)| Message::Accept { about, ballot, index }),
        (about(), ballot(), index()).prop_map(|(about, ballot, index)| Message::AcceptAck { about, ballot, index }),
    ];
    let watch = prop_oneof![
        (about(), ballot(), index(), holder(), duration(), (number(), prop::option::of(number()))).prop_map(
            |(about, ballot, index, holder, patience, (number, asks))| Message::Status {
                about,
                ballot,
                index,
                holder,
                patience,
                number,
                asks
            }
        ),
        (about(), phases(), any::<bool>()).prop_map(|(about, phases, double)| Message::Challenge {
            about,
            phases,
            double
        }),
        (about(), phases(), number()).prop_map(|(about, phases, epoch)| Message::Claim { about, phases, epoch }),
        (about(), phases(), number(), robot(), number()).prop_map(|(about, phases, epoch, winner, round)| {
            Message::PerceivedWinner { about, phases, epoch, winner, round }
        }),
        (about(), ballot(), phases(), number()).prop_map(|(about, ballot, phases, number)| Message::LeadStatus {
            about,
            ballot,
            phases,
            number
        }),
        (about(), index(), ballot(), prop::option::of(holder()), duration())
            .prop_map(|(about, index, ballot, holder, age)| Message::StatusRelay { about, index, ballot, holder, age }),
        (about(), index(), robot(), number(), ballot()).prop_map(|(about, index, robot, life, ballot)| {
            Message::ReleaseRelay { about, index, grant: Grant { robot, life, ballot } }
        }),
    ];
    let end = prop_oneof![
        (about(), index()).prop_map(|(about, index)| Message::Completion { about, index }),
        prop::collection::vec(deed, 0..4).prop_map(|deeds| Message::Done { deeds }),
        about().prop_map(|about| Message::Cancel { about }),
        (about(), ballot(), number(), index()).prop_map(|(about, ballot, life, index)| Message::Grant {
            about,
            ballot,
            life,
            index
        }),
        (about(), ballot(), number(), index()).prop_map(|(about, ballot, life, index)| Message::Release {
            about,
            ballot,
            life,
            index
        }),
    ];
    prop_oneof![9 => auction, 6 => watch, 1 => end].boxed()
}

fn percept() -> impl Strategy<Value = Percept> {
    let task = (task_id(), point()).prop_map(|(id, place)| Task { id, place, needs: SIGHT });
    prop_oneof![
        1 => task.prop_map(Percept::TaskSeen),
        1 => task_id().prop_map(Percept::TaskGone),
        2 => Just(Percept::Arrived),
        2 => Just(Percept::Blocked),
        1 => Just(Percept::Phase(Phase::Engaged)),
        2 => task_id().prop_map(Percept::Done),
        2 => any::<bool>().prop_map(Percept::Link),
    ]
}

fn timer() -> impl Strategy<Value = Timer> {
    let of = prop::sample::select(vec![
        Timer::User as fn(TaskId) -> Timer,
        Timer::Candidate,
        Timer::Lead,
        Timer::LeadStatus,
        Timer::Bidder,
        Timer::Peer,
        Timer::Answer,
        Timer::Status,
        Timer::Announce,
        Timer::Overdue,
        Timer::Again,
        Timer::Expiry,
        Timer::Forget,
    ]);
    prop_oneof![8 => (of, task_id()).prop_map(|(of, task)| of(task)), 1 => Just(Timer::Repeat), 1 => Just(Timer::Silence)]
}

pub fn step() -> BoxedStrategy<Step> {
    let order = prop_oneof![
        4 => brief().prop_map(Order::Inject),
        1 => brief().prop_map(Order::Modify),
        1 => task_id().prop_map(Order::Cancel),
    ];
    prop_oneof![
        3 => (0..3_000_000_u64).prop_map(|micros| Step::Wait(Duration::from_micros(micros))),
        8 => (robot(), message()).prop_map(|(from, message)| Step::Hear(from, message)),
        16 => any::<(u8, u8)>().prop_map(|(which, how)| Step::Fitting(which, how)),
        14 => Just(Step::Due),
        6 => any::<u8>().prop_map(Step::Late),
        1 => timer().prop_map(Step::Fire),
        1 => percept().prop_map(Step::Sense),
        2 => Just(Step::Fly),
        2 => order.prop_map(Step::Told),
        1 => any::<bool>().prop_map(Step::Restart),
    ]
    .boxed()
}
