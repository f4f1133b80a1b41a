//! Nobody is booked twice: what a vehicle has accepted, or a LEAD has given itself, counts from that moment.

use muster_core::motion::Motion;
use muster_core::tasking::Holder;

use super::*;

/// An order for the task of this number, at X's place.
fn order(task: u32) -> Arc<Group> {
    group_of(brief_of(TaskId(task)), 0)
}

/// V5 is assigned the task of this number at 27 s, by V1 or V2.
fn assigns(task: u32, lead: RobotId) -> Given {
    hears(lead, assignment(about(&order(task)), ballot(1, lead), &[(0, holder(V5, 27.0))], 7.0))
}

/// Whom it tells what, of these messages.
fn tells(outputs: &[Out]) -> Vec<(Recipient, &'static str, TaskId)> {
    sent(outputs).filter_map(|(to, it)| Some((to, it.name(), it.about()?.first))).collect()
}

/// A second assignment for the same time is refused at once, with what the task would cost now: not silently, and not when
/// it should long have been done.
#[test]
fn what_does_not_go_with_what_was_accepted_is_refused_at_once() {
    let mut node = fenced(V5);
    assert_eq!(tells(&node.give_at(3.0, assigns(10, V1))), [(Recipient::Only(V1), "Accept", TaskId(10))]);
    let outputs = node.give_at(3.1, assigns(20, V2));
    assert_eq!(tells(&outputs), [(Recipient::Only(V2), "Refuse", TaskId(20))]);
    let Some((_, Message::Refuse { costs, .. })) = sent(&outputs).next() else { panic!("{outputs:?}") };
    let grid = Config::fenced(6).grid;
    let surface = costs[0].surface(&grid).expect("it could do it later");
    // On any heading: over the target at 27 s, out of the corridor 8 s later, and around to the way in.
    assert!((0..8).all(|heading| surface.get(&grid, 4, heading).is_none()), "not at 27 s");
    assert!((0..8).any(|heading| surface.get(&grid, 10, heading).is_some()), "but at 57 s");
}

/// Of two orders the one with the lower number keeps the vehicle, whichever came first.
#[test]
fn the_higher_order_takes_the_vehicle_that_a_lower_one_has_not_committed_yet() {
    let mut node = fenced(V5);
    node.give_at(3.0, assigns(20, V2));
    let told = [(Recipient::Only(V1), "Accept", TaskId(10)), (Recipient::Only(V2), "Refuse", TaskId(20))];
    assert_eq!(tells(&node.give_at(3.1, assigns(10, V1))), told);
    // The LEAD of the lower one has not heard it, and commits: it is told again, and nothing is held.
    let late = Message::AcceptAck { about: about(&order(20)), ballot: ballot(1, V2), index: 0 };
    let told = [(Recipient::Only(V2), "Refuse", TaskId(20))];
    assert_eq!(tells(&node.give_at(3.3, Given::HearsTo(V2, Recipient::Only(V5), late))), told);
    assert!(!node.holds(TaskId(20)));
}

/// What a vehicle is committed to it keeps: a lower number is no reason to give it back.
#[test]
fn what_is_committed_is_kept() {
    let mut node = fenced(V5);
    node.give_at(3.0, assigns(20, V2));
    let committed = Message::AcceptAck { about: about(&order(20)), ballot: ballot(1, V2), index: 0 };
    node.give_at(3.2, Given::HearsTo(V2, Recipient::Only(V5), committed));
    assert!(node.holds(TaskId(20)));
    assert_eq!(tells(&node.give_at(3.3, assigns(10, V1))), [(Recipient::Only(V1), "Refuse", TaskId(10))]);
    assert!(node.holds(TaskId(20)));
}

/// The same is bid with: a solicitation that comes between Accept and its acknowledgement is answered as if all were
/// agreed on.
#[test]
fn a_bid_counts_what_was_accepted() {
    for variant in Variant::ALL {
        let mut node = Node::vehicle(V5, 20.0, config(variant, 6));
        node.give_at(3.0, hears(V1, solicitation(about(&order(10)), ballot(1, V1), 3.0, 7.0)));
        node.give_at(3.0, assigns(10, V1));
        let outputs = node.give_at(3.1, hears(V2, solicitation(about(&order(20)), ballot(1, V2), 6.0, 7.0)));
        let grid = Config::of(variant, 6).grid;
        let surface = sent(&outputs).find_map(|(_, it)| match it {
            Message::Bid { costs, .. } => costs[0].surface(&grid),
            _ => None,
        });
        let surface = surface.expect("a bid");
        assert!((0..8).all(|heading| surface.get(&grid, 4, heading).is_none()), "{variant:?}: not at 27 s");
    }
}

/// A LEAD that hears a refusal plans anew at once, and the vehicle that refused may win at another time.
#[test]
fn a_refusal_is_planned_around_at_once() {
    let mut team = far(Fenced, 4);
    team.inject();
    team.order(USER, Order::Inject(brief_of(TaskId(20))));
    team.run_until(8.0);
    let refused = team.sent("Refuse").count();
    assert!(refused > 0, "both are auctioned at once, and the same vehicle is nearest");
    let asked = team.sent("Solicitation").filter(|it| it.at > at(3.5)).count();
    assert_eq!(asked, 0, "no second auction is needed");
    assert_eq!((team.holders(X).len(), team.holders(TaskId(20)).len()), (1, 1));
    team.run_until(200.0);
    assert_eq!((team.done(X).len(), team.done(TaskId(20)).len()), (1, 1));
}

/// A vehicle that holds two tasks which it cannot both fly.
fn booked_twice(team: &Team) -> Option<String> {
    team.alive().find_map(|node| {
        let pair = node.machine.held().windows(2).find(|pair| {
            let (first, next) = (&pair[0].corridor, &pair[1].corridor);
            let way = first.left_m(first.target) + next.distance_m(first.exit());
            pair[1].at.since(pair[0].at) + secs(2.0) < secs(way)
        })?;
        Some(format!("{} at {}: {pair:?}", node.id(), team.now))
    })
}

/// Orders of one instant, groups among them, from two users: at no moment does a vehicle hold two tasks that it cannot
/// both fly, and everything is done, whatever is lost.
#[test]
fn at_no_moment_is_anybody_booked_twice() {
    let mut refused = 0;
    for (seed, loss) in (0..SEEDS).flat_map(|seed| [(seed, 0.0), (seed, 0.2)]) {
        let config = config(Fenced, 8);
        let place = |n: u32| Point::new(TARGET.x + 40.0 * f64::from(n % 3), TARGET.y - 25.0 * f64::from(n));
        let vehicle = |n: u32| Node::new(RobotId(n), place(n), config.clone(), Vehicle::hotspot());
        let consoles = [USER, RobotId(9)].map(|id| Node::console(id, config.clone()));
        let mut team = Team::new(consoles.into_iter().chain((1..=6).map(vehicle))).seeded(seed);
        team.loss = loss;
        team.order(USER, Order::Inject(mission()));
        team.order(RobotId(9), Order::Inject(Brief { kind: MISSION, phases: 3, ..brief_of(TaskId(20)) }));
        team.order(USER, Order::Inject(brief_of(TaskId(30))));
        team.run_while(400.0, |team| booked_twice(team).is_none());
        assert_eq!(booked_twice(&team), None, "seed {seed}, loss {loss}");
        refused += team.sent("Refuse").count();
        for task in [10, 11, 12, 20, 21, 22, 30].map(TaskId) {
            assert_eq!(team.done(task).len(), 1, "seed {seed}, loss {loss}, {task}: {:?}", team.world.executions);
        }
    }
    assert!(refused > 5, "auctions did collide: {refused}");
}

/// Every winner is told the whole plan, and hears what the others are told: it answers once, and again only when it is told
/// once more because its answer was lost.
#[test]
fn a_plan_that_is_overheard_is_answered_once() {
    let mut node = fenced(V5);
    let told = |to| {
        Given::HearsTo(
            V1,
            Recipient::Named(to),
            assignment(about(&order(10)), ballot(1, V1), &[(0, holder(V5, 27.0))], 7.0),
        )
    };
    let accepts = [(Recipient::Only(V1), "Accept", TaskId(10))];
    assert_eq!(tells(&node.give_at(3.0, told(V2))), accepts, "its own copy may be lost");
    assert_eq!(tells(&node.give_at(3.01, told(V5))), []);
    assert_eq!(tells(&node.give_at(3.02, told(V3))), []);
    assert_eq!(tells(&node.give_at(3.6, told(V5))), accepts);
    // The same of what it refuses.
    let other = |to| {
        Given::HearsTo(
            V2,
            Recipient::Named(to),
            assignment(about(&order(20)), ballot(1, V2), &[(0, holder(V5, 27.0))], 7.0),
        )
    };
    assert_eq!(tells(&node.give_at(3.7, other(V5))), [(Recipient::Only(V2), "Refuse", TaskId(20))]);
    assert_eq!(tells(&node.give_at(3.71, other(V3))), []);
}

/// A vehicle that is on its way to one task is given another that comes first: it flies on until that one's t0, and is then where
/// it has bid from. One that has not moved yet stays until then: only its body knows when it would have set out.
#[test]
fn a_vehicle_flies_on_until_times_begin_to_count() {
    let mut node = fenced(V5);
    let give = |node: &mut Node, at_s: f64, task: u32, over_s: f64, t0_s: f64| {
        let plan = [(0, holder(V5, over_s))];
        node.give_at(at_s, hears(V1, assignment(about(&order(task)), ballot(1, V1), &plan, t0_s)));
        let commits = Message::AcceptAck { about: about(&order(task)), ballot: ballot(1, V1), index: 0 };
        node.give_at(at_s + 0.1, Given::HearsTo(V1, Recipient::Only(V5), commits))
    };
    let approaches = |outputs: &[Out]| {
        let to = |output: &Out| match output {
            Out::Act(Action::Approach { task, .. }) => Some(*task),
            _ => None,
        };
        outputs.iter().filter_map(to).collect::<Vec<_>>()
    };
    let mut waits = fenced(V5);
    assert_eq!(approaches(&give(&mut waits, 1.0, 20, 90.0, 2.0)), [TaskId(20)]);
    assert_eq!(approaches(&give(&mut waits, 3.0, 10, 45.0, 9.0)), [TaskId(10)], "it waits for that instead");
    assert_eq!(approaches(&give(&mut node, 1.0, 20, 90.0, 2.0)), [TaskId(20)]);
    let from = node.body.place(Time::ZERO);
    let (leave, arrive) = (Time::from_secs_f64(2.0), Time::from_secs_f64(90.0));
    node.body.motion = Motion::Straight { from, to: Point::new(from.x + 1.0, from.y), leave, arrive };
    assert_eq!(approaches(&give(&mut node, 3.0, 10, 45.0, 9.0)), [], "not yet");
    assert!(node.holds(TaskId(10)) && node.holds(TaskId(20)));
    node.before(9.0);
    let outputs = node.give_at(9.0, Given::Due(Timer::SetOut));
    assert_eq!(approaches(&outputs), [TaskId(10)]);
}

/// A vehicle is in time for a strict group that has begun only because it flies on, until then, to something less urgent. What is
/// more urgent than that alone is refused if it does not go with the group, and taken if it goes with both.
#[test]
fn what_is_within_reach_on_the_way_to_something_less_urgent_counts() {
    let template = Template { couplings: Vec::new(), strict: true, ..template() };
    let brief = Brief { kind: MISSION, phases: 3, ..brief_of(TaskId(10)) };
    let strict = Arc::new(Group::new(USER, brief, 0).decomposed(Some(&template)).unwrap());
    let between = group_of(Brief { priority: 2, ..brief_of(TaskId(30)) }, 0);
    let give = |node: &mut Node, at_s: f64, group: &Arc<Group>, plan: &[(u8, Holder)], t0_s: f64| {
        let outputs = node.give_at(at_s, hears(V1, assignment(about(group), ballot(1, V1), plan, t0_s)));
        let index = plan.last().unwrap().0;
        let commits = Message::AcceptAck { about: about(group), ballot: ballot(1, V1), index };
        node.give_at(at_s + 0.1, Given::HearsTo(V1, Recipient::Only(V5), commits));
        outputs
    };
    let given = |between_at: Holder| {
        let mut node = Node::vehicle(V5, 42.0, config(Fenced, 6));
        give(&mut node, 1.0, &order(20), &[(0, holder(V5, 95.0))], 2.0);
        let (from, leave) = (node.body.place(Time::ZERO), Time::from_secs_f64(2.0));
        let (to, arrive) = (Point::new(from.x - 34.0, from.y), Time::from_secs_f64(36.0));
        node.body.motion = Motion::Straight { from, to, leave, arrive };
        // From where it is at 20 s it takes 24 s, from where it is now 41 s.
        give(&mut node, 3.0, &strict, &[(0, holder(V3, 4.0)), (1, holder(V4, 30.0)), (2, holder(V5, 45.0))], 20.0);
        assert!(node.holds(TaskId(12)) && node.holds(TaskId(20)), "it flies on, and is in time");
        let outputs = give(&mut node, 3.5, &between, &[(0, between_at)], 20.0);
        assert!(node.holds(TaskId(12)));
        (tells(&outputs), node.holds(TaskId(20)))
    };
    let told = |it| vec![(Recipient::Only(V1), it, TaskId(30))];
    // From where it is now it would be in time for this, which is 18 s after the other; from one to the next it takes 32 s.
    assert_eq!(given(holder(V5, 63.0)), (told("Refuse"), true));
    // In time for it, and too late for what it flies on to, which it would stop for.
    assert_eq!(given(holder(V5, 80.0)), (told("Refuse"), true));
    // Back by the corridor that it has come out of takes 16 s, and it is still in time for the last.
    assert_eq!(given(Holder { heading: 0, ..holder(V5, 62.0) }), (told("Accept"), true));
}
