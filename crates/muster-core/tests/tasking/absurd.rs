//! Whatever a node of the Collaborative Tasking Protocol is given, in whatever order: it does not panic, it says only so
//! much, it never waits without a timer, and a restart loses nothing.
//!
//! Messages carry anything: numbers that cannot be, times before and after all clocks, groups of other users. Between
//! them come messages that fit what the node is doing, or no run would get past its first wait.

mod fitting;
mod steps;

use std::collections::BTreeSet;

use muster_core::event::Drop;
use muster_core::tasking::BidderStage;
use muster_core::tasking::LeadStage;
use muster_core::tasking::OrderState;
use muster_core::tasking::PeerStage;
use muster_core::tasking::UserStage;
use muster_core::tasking::{Config, Step as Noted, Timer, Variant, Vehicle};
use muster_core::{Base, Delivery, Duration, Event, Percept, Point, RobotId, TaskId, Time};
use proptest::prelude::*;

use self::fitting::fitting;
use self::steps::{Step, step};
use crate::harness::absurd::{Met, explore};
use crate::world::*;

/// The node under test.
const ME: RobotId = V3;
/// So many outputs come of one input at most: a few for each task of each order.
const MOST_OUTPUTS: usize = 400;
/// So often in a row a node may wake itself without the clock going on.
const MOST_WAKES: u32 = 60;

/// Runs the steps and checks after each. Returns what was met.
fn run(config: Config, vehicle: Vehicle, seed: u64, steps: Vec<Step>) -> Result<Met, TestCaseError> {
    let (fenced, console) = (config.fixes.aware, vehicle.console);
    let mut node = Node::new(ME, Point::new(TARGET.x + 20.0, TARGET.y), config, vehicle);
    node.dice = Dice::seeded(seed, ME);
    let mut met = Met::new();
    let mut wakes = (Time::ZERO, 0);
    for step in steps {
        let shown = format!("{step:?}");
        let given = match step {
            Step::Wait(duration) => {
                node.now += duration;
                continue;
            }
            Step::Hear(from, message) => hears(from, message),
            Step::Fitting(which, how) => {
                let orders: Vec<&OrderState> = node.machine.orders().collect();
                let Some(entry) = orders.get(usize::from(which) % orders.len().max(1)) else { continue };
                let (from, message) = fitting(entry, node.now, how);
                hears(from, message)
            }
            Step::Due => match node.next_timer() {
                // Nobody lives to see the end of time.
                Some((due, timer)) if due < Time::from_micros(1 << 40) => {
                    node.now = node.now.max(due);
                    wakes = if wakes.0 == node.now { (node.now, wakes.1 + 1) } else { (node.now, 1) };
                    Given::Fires(timer)
                }
                _ => continue,
            },
            Step::Late(which) => {
                let near = |(_, due): &(Timer, Time)| *due < node.now + Duration::from_secs(60);
                let timers: Vec<(Timer, Time)> = node.timers.pending().filter(near).collect();
                let Some((timer, due)) = timers.get(usize::from(which) % timers.len().max(1)) else { continue };
                node.now = node.now.max(*due);
                Given::Fires(*timer)
            }
            Step::Fire(timer) => Given::Fires(timer),
            Step::Sense(percept) => Given::Senses(percept),
            Step::Fly => match node.machine.held().first() {
                Some(held) if held.at < Time::from_micros(1 << 40) => {
                    let (at, task) = (held.at, held.task);
                    // Not past a timer: those come first.
                    let due = node.next_timer().map_or(at, |(due, _)| due);
                    node.now = node.now.max(at.min(due));
                    Given::Senses(Percept::Done(task))
                }
                _ => continue,
            },
            Step::Told(order) => Given::Told(order),
            Step::Restart(true) => Given::Restarts,
            Step::Restart(false) => Given::Starts(None),
        };
        if !matches!(given, Given::Fires(_)) {
            wakes = (Time::ZERO, 0);
        }
        let noted = node.notes.len();
        let outputs = node.give(given);
        prop_assert!(wakes.1 <= MOST_WAKES, "woke itself {} times at {} by {shown}", wakes.1, node.now);
        prop_assert!(outputs.len() <= MOST_OUTPUTS, "{} outputs of {shown}", outputs.len());

        // What it holds is in order, and each once.
        let held = node.machine.held();
        prop_assert!(held.windows(2).all(|pair| pair[0].at <= pair[1].at), "out of order after {shown}: {held:?}");
        let distinct: BTreeSet<TaskId> = held.iter().map(|held| held.task).collect();
        prop_assert_eq!(distinct.len(), held.len(), "twice the same after {}", shown);
        prop_assert!(!console || held.is_empty(), "a console flies after {shown}");
        for held in held {
            prop_assert!(node.machine.is_aware_of(held.task), "holds {} which is over, after {shown}", held.task);
        }

        for entry in node.machine.orders() {
            // A deadline for each order that is not settled.
            let first = entry.group().first();
            let of_it = |(timer, _): &(Timer, Time)| match timer {
                Timer::User(of) | Timer::Candidate(of) | Timer::Lead(of) | Timer::Bidder(of) | Timer::Peer(of) => {
                    *of == first
                }
                Timer::Overdue(task) => entry.group().index_of(*task).is_some(),
                _ => false,
            };
            let waits = node.timers.pending().any(|timer| of_it(&timer));
            // Somebody may have done it, and it must not be done twice: nothing is left to wait for but Done.
            let sealed = entry.group().brief.delivery == Delivery::AtMostOnce
                && entry.slots().iter().any(|slot| slot.granted.is_some());
            if fenced && !entry.is_settled() && !sealed {
                prop_assert!(waits, "waits for nothing after {shown}: {entry:?}");
            }
            if let Some(lead) = entry.lead() {
                prop_assert!(!lead.phases.is_empty() && !entry.is_settled(), "leads nothing after {shown}: {entry:?}");
                prop_assert_eq!(lead.ballot.by(), ME);
            }
            met.insert(match (entry.user(), entry.lead(), entry.bidder()) {
                (Some(user), ..) if matches!(user.stage, UserStage::Solicitation(_)) => "user, acknowledged",
                (Some(_), ..) => "user",
                (_, Some(lead), _) => match lead.stage {
                    LeadStage::Bidding => "lead",
                    LeadStage::Notifying { .. } => "lead, notifying",
                    LeadStage::Retrying => "lead, retrying",
                },
                (.., Some(bidder)) => match bidder.stage {
                    BidderStage::BidAck { .. } => "bidder",
                    BidderStage::Assignment => "bidder, acknowledged",
                    BidderStage::AcceptAck { .. } => "bidder, accepting",
                },
                _ => match entry.peer() {
                    PeerStage::Monitoring => "peer",
                    PeerStage::Replying(..) => "peer, challenging",
                    PeerStage::Claiming(_) => "peer, claiming",
                    PeerStage::Winning(..) => "peer, winning",
                },
            });
        }
        if !node.machine.held().is_empty() {
            met.insert("assigned");
        }

        // Nothing is lost over a restart.
        let mut again = node.clone();
        again.give(Given::Restarts);
        for entry in node.machine.orders() {
            let first = entry.group().first();
            let kept = again.machine.order(first);
            prop_assert!(kept.is_some(), "{first} would be lost by a restart after {shown}");
            let Some(kept) = kept else { continue };
            let (kept_of, of) = (kept.group(), entry.group());
            prop_assert_eq!((kept_of.version, kept_of.user), (of.version, of.user), "of {} after {}", first, shown);
            prop_assert!(kept_of == of || entry.is_settled(), "of {first} after {shown}: {kept_of:?} of {of:?}");
            prop_assert_eq!(kept.is_cancelled(), entry.is_cancelled(), "of {} after {}", first, shown);
            for (kept, slot) in kept.slots().iter().zip(entry.slots()) {
                prop_assert_eq!(kept.done, slot.done, "of {} after {}", first, shown);
                prop_assert_eq!(kept.granted, slot.granted, "of {} after {}", first, shown);
                prop_assert_eq!(kept.promised, slot.promised, "of {} after {}", first, shown);
            }
        }
        for note in &node.notes[noted..] {
            met.insert(match note.event {
                Event::Dropped { why: Drop::Late, .. } => "late",
                Event::Dropped { why: Drop::Foreign, .. } => "foreign",
                Event::Dropped { why: Drop::Absurd, .. } => "absurd",
                Event::Started { remembered: true, .. } => "restarted",
                Event::Started { remembered: false, .. } => "restarted without memory",
                Event::Tasking { step: Noted::Executed { .. }, .. } => "executed",
                Event::Tasking { step: Noted::Yielded { .. }, .. } => "yielded",
                Event::Tasking { step: Noted::HandedBack, .. } => "handed back",
                Event::Tasking { step: Noted::NoGoodBids { .. }, .. } => "no good bids",
                Event::Tasking { step: Noted::Deleted { .. }, .. } => "deleted",
                Event::Tasking { step: Noted::Elected { .. }, .. } => "elected",
                Event::Tasking { step: Noted::HeardDone { .. }, .. } => "heard done",
                Event::Tasking { step: Noted::Cancelled, .. } => "cancelled",
                Event::Tasking { step: Noted::Expired, .. } => "expired",
                Event::Tasking { step: Noted::Refrained { .. }, .. } => "refrained",
                _ => continue,
            });
        }
    }
    Ok(met)
}

fn check(variant: Variant) -> Met {
    let inputs = (any::<u64>(), prop::bool::weighted(0.15), prop::collection::vec(step(), 1..160));
    // Small, so that the many auctions of a run take no time.
    let config = Config { node_budget: 2_000, ..config(variant, 5) };
    let vehicle = |console| if console { Vehicle::console() } else { Vehicle::hotspot() };
    explore(inputs, |(seed, console, steps)| run(config.clone(), vehicle(console), seed, steps))
}

/// What both variants come to.
const MET: [&str; 28] = [
    "user",
    "user, acknowledged",
    "lead",
    "lead, notifying",
    "lead, retrying",
    "bidder",
    "bidder, acknowledged",
    "bidder, accepting",
    "peer",
    "peer, challenging",
    "peer, claiming",
    "peer, winning",
    "assigned",
    "late",
    "foreign",
    "absurd",
    "restarted",
    "restarted without memory",
    "executed",
    "yielded",
    "handed back",
    "no good bids",
    "deleted",
    "elected",
    "heard done",
    "cancelled",
    "expired",
    "refrained",
];

#[test]
fn no_sequence_of_inputs_leaves_a_fenced_node_in_a_state_that_cannot_be() {
    let met = check(Variant::Fenced);
    let missed: Vec<&str> = MET.into_iter().filter(|it| !met.contains(it)).collect();
    assert!(missed.is_empty(), "the runs must meet everything: {missed:?} of {met:?}");
}

/// The same for a vehicle that has to be reloaded, and is told so at any time.
#[test]
fn no_sequence_of_inputs_leaves_a_vehicle_with_a_base_in_a_state_that_cannot_be() {
    let base = Base { place: Point::new(TARGET.x, TARGET.y + 60.0), reload: Duration::from_secs(20) };
    let vehicle = Vehicle {
        endurance: Some(Duration::from_secs(300)),
        endurance_m: Some(2_000.0),
        base: Some(base),
        loads: 2,
        ..Vehicle::hotspot()
    };
    let any_step = prop_oneof![
        20 => step(),
        1 => Just(Step::Sense(Percept::Reloaded)),
        1 => Just(Step::Fire(Timer::Reload)),
        1 => Just(Step::Fire(Timer::SetOut)),
    ];
    let inputs = (any::<u64>(), prop::collection::vec(any_step, 1..160));
    let config = Config { node_budget: 2_000, ..config(Variant::Fenced, 5) };
    let met = explore(inputs, |(seed, steps)| run(config.clone(), vehicle.clone(), seed, steps));
    assert!(["assigned", "executed", "handed back"].iter().all(|it| met.contains(it)), "{met:?}");
}

#[test]
fn no_sequence_of_inputs_leaves_a_drawn_node_in_a_state_that_cannot_be() {
    let met = check(Variant::Drawn);
    // Nobody yields, hears of Done, or refrains as drawn, and nobody cancels.
    let never = ["yielded", "heard done", "refrained", "cancelled"];
    let missed: Vec<&str> = MET.into_iter().filter(|it| !never.contains(it) && !met.contains(it)).collect();
    assert!(missed.is_empty(), "the runs must meet everything: {missed:?} of {met:?}");
}
