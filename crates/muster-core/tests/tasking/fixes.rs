//! What is weak in the protocol as it was drawn, and what mends it: one test for each weakness W1 to W16 that can be
//! shown with a few nodes, for each fix F1 to F6, and for what goes beyond the paper. [specification, sections 6 to 9]
//!
//! Where a test runs both variants, the drawn one must show the weakness: otherwise the scenario proves nothing.

mod at_most_once;
mod attempts;
mod awareness;
mod bids;
mod bookings;
mod changes;
mod done;
mod expiry;
mod groups;
mod impossible;
mod lead;
mod mending;
mod peers;
mod phases;
mod recovery;
mod restarts;
mod tombstones;

use std::sync::Arc;

use muster_core::event::Drop;
use muster_core::panel::Family;
use muster_core::rng::{Purpose, Stream};
use muster_core::tasking::Leeway;
use muster_core::tasking::PeerStage;
use muster_core::tasking::config::Config;
use muster_core::tasking::cost::{Grid, Quote};
use muster_core::tasking::group::{Coupling, Group, Phases, Template};
use muster_core::tasking::{About, Break, Deed, Message, Step, Timer, Variant, Vehicle};
use muster_core::{
    Action, Brief, Delivery, Duration, Event, Note, Order, Percept, Percepts, Point, Recipient, RobotId, Task, TaskId,
    Time,
};

use crate::world::*;

use Variant::{Drawn, Fenced};

const SEEDS: u64 = 10;
/// The three phases of an order, as X and the two after it.
const PHASES: [TaskId; 3] = [X, TaskId(X.0 + 1), TaskId(X.0 + 2)];

/// Vehicles far from the target, the highest number nearest: they take a minute to get there.
fn far(variant: Variant, vehicles: u32) -> Team {
    let config = config(variant, vehicles + 1);
    let vehicle = |n: u32| Node::vehicle(RobotId(n), 59.6 + 5.0 * f64::from(vehicles - n), config.clone());
    Team::new([Node::console(USER, config.clone())].into_iter().chain((1..=vehicles).map(vehicle)))
}

/// A vehicle of a team of six.
fn fenced(id: RobotId) -> Node {
    Node::vehicle(id, 20.0, config(Fenced, 6))
}

/// A PEER that heard V5 report at 0 s.
fn peer(id: RobotId) -> Node {
    let mut node = fenced(id);
    node.give(hears(V5, report(ballot(1, V1), 1)));
    node
}

fn report(ballot: muster_core::tasking::Ballot, number: u32) -> Message {
    status(about(&group()), ballot, holder(V5, 60.0), number)
}

/// V5 has X in its queue since 3 s, for 60 s.
fn assigned(brief: Brief) -> Node {
    let group = group_of(brief, 0);
    let mut node = Node::vehicle(V5, 14.6, config(Fenced, 6));
    node.give(hears(V1, solicitation(about(&group), ballot(1, V1), 3.0, 12.0)));
    node.give_at(3.0, hears(V1, assignment(about(&group), ballot(1, V1), &[(0, holder(V5, 60.0))], 12.0)));
    node.give(hears(V1, Message::AcceptAck { about: about(&group), ballot: ballot(1, V1), index: 0 }));
    assert!(node.holds(X));
    node
}

/// The order as it is after one change.
fn changed() -> Arc<Group> {
    let mut brief = brief();
    brief.task.place = muster_core::Point::new(brief.task.place.x + 1.0, brief.task.place.y);
    group_of(brief, 1)
}

/// What it says when its turn to answer comes.
fn answer(node: &mut Node) -> Vec<Message> {
    let outputs = node.give(Given::Fires(Timer::Answer(X)));
    sent(&outputs).map(|(_, message)| message.clone()).collect()
}

fn done(deeds: &[Deed]) -> Message {
    Message::Done { deeds: deeds.to_vec() }
}

/// Runs X in a team of both variants with each seed, and counts how often it was done how many times.
fn outcomes(variant: Variant, end_s: f64, mut scenario: impl FnMut(&mut Team)) -> [u32; 3] {
    let mut counts = [0; 3];
    for seed in 0..SEEDS {
        let mut team = Team::of(variant, 5).seeded(seed);
        scenario(&mut team);
        team.run_until(end_s);
        counts[team.done(X).len().min(2)] += 1;
    }
    counts
}

const ALL: u32 = SEEDS as u32;
const NEVER: [u32; 3] = [ALL, 0, 0];
const ONCE: [u32; 3] = [0, ALL, 0];
const TWICE: [u32; 3] = [0, 0, ALL];

fn at_most_once() -> Brief {
    Brief { delivery: Delivery::AtMostOnce, ..brief() }
}
