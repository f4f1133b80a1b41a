//! What a node shows of itself: what it asks for, leads, has bid for and holds.

use muster_core::Mechanism;
use muster_core::panel::{Field, Posture, Shown};
use muster_core::tasking::Tasking;

use super::*;

fn task_field(label: &str, task: TaskId) -> Field {
    Field::new(label, Shown::Task { value: task.to_string().into(), number: task.0 })
}

#[test]
fn every_role_has_its_words_and_its_posture() {
    use Posture::{Asking, Committed, Idle, Offering, Working};
    let mut asking = user();
    asking.give(inject(brief()));
    let mut accepting = bidder();
    accepting.give_at(3.0, hears(V1, to_v5()));
    let mut over_it = assigned();
    over_it.give_at(22.0, Given::Senses(Percept::Done(X)));
    let mut away = over_it.clone();
    away.give_at(30.0, Given::Senses(Percept::Arrived));
    let stages = [
        (user(), Idle, "idle"),
        (asking, Asking, "asks who sees to t10, time 1"),
        (lead(), Asking, "leads the auction of t10, attempt 1: asks for bids"),
        (bidder(), Offering, "has bid for t10"),
        (accepting, Offering, "has accepted t10"),
        (assigned(), Committed, "holds 1 task, next over the target at 22.0 s"),
        (over_it, Working, "has passed its target, leaves by the corridor"),
        (away, Idle, "idle"),
        (peer(V4), Idle, "watches"),
    ];
    for (node, posture, does) in stages {
        assert_eq!(node.does(), (posture, does.to_owned()));
    }
}

#[test]
fn a_lead_shows_what_it_leads_and_how_many_have_bid() {
    let mut node = lead();
    node.give_at(0.2, hears(V5, bid_by(vehicle(V5, 14.6))));
    let shown = [
        Field::state("does", "leads the auction of t10, attempt 1: asks for bids"),
        task_field("leads", X),
        Field::number("bids in", 1.0),
        Field::number("queue", 0.0),
        Field::gauge("reports lost", 0.0, (0.0, 1.0), None),
    ];
    assert_eq!(node.shows(), shown);
}

#[test]
fn a_holder_shows_its_queue_and_when_it_will_be_where() {
    let shown = [
        Field::state("does", "holds 1 task, next over the target at 22.0 s"),
        Field::number("queue", 1.0),
        task_field("holds", X),
        Field::number("over t10 at (s)", 22.0),
    ];
    assert_eq!(assigned().shows(), shown);
}

#[test]
fn what_is_limited_is_shown_with_what_is_left_of_it() {
    let limited = Vehicle { loads: 4, endurance_m: Some(500.0), ..Vehicle::hotspot() };
    let node = Node::new(V1, Point::new(0.0, 0.0), config(Drawn, 6), limited);
    let shown = [
        Field::state("does", "idle"),
        Field::number("queue", 0.0),
        Field::gauge("loads left", 4.0, (0.0, 4.0), None),
        Field::gauge("range left (m)", 500.0, (0.0, 500.0), None),
    ];
    assert_eq!(node.shows(), shown);
}

#[test]
fn a_message_is_about_a_task_of_its_order() {
    let about = about(&group());
    assert_eq!(Tasking::task_of(&task()), Some(X));
    assert_eq!(Tasking::task_of(&accept()), Some(X));
    let second = Message::AcceptAck { about: about.clone(), ballot: ballot(1, V1), index: 1 };
    assert_eq!(Tasking::task_of(&second), Some(TaskId(X.0 + 1)));
    let later = Message::Challenge { about, phases: Phases::only(2), double: false };
    assert_eq!(Tasking::task_of(&later), Some(TaskId(X.0 + 2)));
    assert_eq!(Tasking::task_of(&Message::Done { deeds: vec![deed(V1, 1.0)] }), Some(X));
    assert_eq!(Tasking::task_of(&Message::Done { deeds: vec![deed(V1, 1.0), deed(V2, 1.0)] }), None);
}
