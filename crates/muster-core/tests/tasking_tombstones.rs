//! F5 in full: what is done, or called off, is remembered and told of by whoever knows, for as long as a partition may
//! last; and what must be remembered is kept before it is promised. [specification, section 7]

mod harness;

use harness::tasking::*;
use muster_core::event::Drop;
use muster_core::tasking::config::Config;
use muster_core::tasking::group::Group;
use muster_core::tasking::lead::Leeway;
use muster_core::tasking::{Deed, Message, Step, Timer, Variant};
use muster_core::{Brief, Delivery, Duration, Order, Output, TaskId};

use Variant::Fenced;

fn stranger() -> Node {
    Node::vehicle(V2, 20.0, config(Fenced, 6))
}

fn done(deeds: &[Deed]) -> Message {
    Message::Done { deeds: deeds.to_vec() }
}

fn answer(node: &mut Node) -> Vec<Message> {
    let outputs = node.give(Given::Fires(Timer::Answer(X)));
    sent(&outputs).map(|(_, message)| message.clone()).collect()
}

/// "Whoever knows answers any later talk about the task with Done": even who has never heard of the task but that it is
/// done. It may be the last to know.
#[test]
fn a_stranger_that_hears_done_knows_it_when_it_hears_of_the_task() {
    let mut node = stranger();
    node.give_at(1.0, hears(V5, done(&[deed(V5, 1.0)])));
    assert!(!node.is_aware());
    let memory = node.memory.clone();
    node.give_at(2.0, Given::Starts(Some(memory)));
    node.give_at(3.0, hears(V3, challenge(about(&group()))));
    assert!(!node.is_aware(), "there is nothing left to do");
    assert_eq!(answer(&mut node), [done(&[deed(V5, 1.0)])]);
}

/// A deed of a version that is not known yet counts when the version is.
#[test]
fn a_deed_of_a_newer_version_is_kept_for_it() {
    let mut node = stranger();
    node.give(hears(V5, status(about(&group()), ballot(1, V1), holder(V5, 60.0), 1)));
    node.give_at(1.0, hears(V5, done(&[Deed { version: 1, ..deed(V5, 1.0) }])));
    assert!(node.is_aware(), "of the version that it knows nothing is done");
    let changed = Group::new(USER, Brief { priority: 3, ..brief() }, 1).decomposed(None).expect("one task");
    node.give_at(2.0, hears(V3, challenge(about(&changed))));
    assert!(!node.is_aware());
}

/// A deed that is older than any tombstone says nothing: whoever did it has forgotten it, too.
#[test]
fn what_was_done_long_ago_is_not_dug_out() {
    let mut node = stranger();
    node.give_at(1_000.0, hears(V5, done(&[deed(V5, 1.0)])));
    node.give(hears(V3, challenge(about(&group()))));
    assert!(node.is_aware());
}

/// W16: the same of what was called off.
#[test]
fn a_stranger_that_hears_cancel_passes_it_on() {
    let mut node = stranger();
    node.give_at(1.0, hears(USER, Message::Cancel { about: about(&group()) }));
    assert!(!node.is_aware());
    let memory = node.memory.clone();
    node.give_at(2.0, Given::Starts(Some(memory)));
    let late = hears(V3, challenge(about(&group())));
    let noted = node.notes.len();
    node.give_at(3.0, late);
    let dropped = |note: &muster_core::Note| matches!(note.event, muster_core::Event::Dropped { why: Drop::Late, .. });
    assert!(node.notes[noted..].iter().any(dropped));
    assert_eq!(answer(&mut node), [Message::Cancel { about: about(&group()) }]);
    // And it is forgotten in time.
    node.until(1_000.0);
    assert!(node.machine.order(X).is_none());
}

/// "A tombstone holder repeats Done every t_status for a configured time": after a restart, too.
#[test]
fn an_executor_goes_on_telling_after_a_restart() {
    let mut team = Team::of(Fenced, 3).seeded(1);
    team.inject().run_until(60.0);
    let (_, by, _) = team.executions[0];
    team.restart(by, true).run_until(70.0);
    let told = team.sent("Done").filter(|sent| sent.from == by && sent.at > at(60.0)).count();
    assert!((8..=10).contains(&told), "{told} times in 10 s");
    team.run_until(700.0);
    let last = team.sent("Done").map(|sent| sent.at).max().expect("it was told");
    assert!(last < at(660.0), "told until {last}");
}

/// The executor is gone: one of those who know tells of its deed in its place, not all of them.
#[test]
fn the_deeds_of_a_lost_executor_are_told_by_others() {
    let mut team = Team::of(Fenced, 5).seeded(1);
    team.inject().run_until(60.0);
    let (_, by, _) = team.executions[0];
    let before = team.sent("Done").filter(|sent| sent.from != by).count();
    assert_eq!(before, 0, "as long as it tells itself, nobody else does");
    team.kill(by).run_until(80.0);
    let told = team.sent("Done").filter(|sent| sent.from != by).count();
    assert!((6..=12).contains(&told), "{told} times in 20 s");
}

/// The two that did a task on either side of a partition are lost before it heals: the others learn of it all the same.
#[test]
fn a_duplicate_is_noticed_though_both_executors_are_lost() {
    let mut team = Team::of(Fenced, 5).seeded(2);
    team.inject();
    assert_eq!(team.until_held(X), V5);
    team.split(&[V5, V4]).run_until(100.0);
    assert_eq!(team.done(X).len(), 2, "no protocol can help it");
    let lost: Vec<_> = team.executions.iter().map(|(_, by, _)| *by).collect();
    team.kill(lost[0]).kill(lost[1]).heal().run_until(106.0);
    let noticed = |node: &&Node| node.noted(|step| matches!(step, Step::Duplicate { .. })) > 0;
    assert_eq!(team.nodes.values().filter(|node| !lost.contains(&node.id())).filter(noticed).count(), 4);
}

/// The contract of a machine: what a promise rests on is durable before the promise leaves.
#[test]
fn leave_is_remembered_before_it_is_given() {
    let at_most_once = Brief { delivery: Delivery::AtMostOnce, ..brief() };
    let group = Group::new(USER, at_most_once, 0).decomposed(None).expect("one task");
    let (holder, patience) = (holder(V5, 60.0), Duration::ZERO);
    let about = about(&group);
    let asks = Message::Status { about, ballot: ballot(1, V1), index: 0, holder, patience, number: 1, asks: true };
    let outputs = stranger().give(hears(V5, asks));
    assert!(matches!(outputs[0], Output::Remember(_)), "{outputs:?}");
    assert_eq!(said(&outputs), ["Grant"]);
}

/// Radio silence is no loss: reports that were not sent are not counted.
#[test]
fn reports_that_silence_forbids_are_not_missed() {
    let silent = Config { silence: Some((at(13.0), at(20.0))), ..config(Fenced, 6) };
    let mut team = Team::with(silent, 5).seeded(1);
    team.inject().run_until(22.0);
    assert!(team.sent("Status").any(|sent| sent.at > at(20.0)), "it was held through the silence");
    for node in team.nodes.values() {
        assert_eq!(node.machine.own().link().loss(), 0.0, "{}", node.id());
    }
}

/// A template that is strict: with too few vehicles for all of it the group is not taken apart, and waits. The other
/// way is `w13_one_by_one_when_too_few_vehicles_are_left`.
#[test]
fn a_strict_group_is_not_taken_apart() {
    let strict = |config: Config| {
        let templates = config.templates.into_iter();
        let templates =
            templates.map(|(kind, it)| (kind, muster_core::tasking::group::Template { strict: true, ..it })).collect();
        Config { templates, ..config }
    };
    let mut team = Team::with(strict(config(Fenced, 3)), 2).seeded(1);
    team.order(USER, Order::Inject(mission())).run_until(200.0);
    assert_eq!(team.executions, []);
    let gave_up = |step: &Step| matches!(step, Step::NoGoodBids { relaxed, .. } if *relaxed > Leeway::Others);
    let in_vain = |step: &Step| matches!(step, Step::NoGoodBids { .. });
    assert!(team.nodes.values().all(|node| node.noted(gave_up) == 0));
    assert!(team.nodes.values().any(|node| node.noted(in_vain) > 5));
    // It is not forgotten: with a third vehicle it would be done.
    assert!(team.nodes.values().all(|node| node.machine.is_aware_of(TaskId(X.0 + 2))));
}
