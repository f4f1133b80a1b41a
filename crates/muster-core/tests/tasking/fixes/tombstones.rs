//! F5 in full: what is done, or called off, is remembered and told of by whoever knows, for as long as a partition may
//! last; and what must be remembered is kept before it is promised. [specification, section 7]

use super::*;

/// "Whoever knows answers any later talk about the task with Done": even who has never heard of the task but that it is
/// done. It may be the last to know.
#[test]
fn a_stranger_that_hears_done_knows_it_when_it_hears_of_the_task() {
    let mut node = fenced(V2);
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
    let mut node = fenced(V2);
    node.give(hears(V5, status(about(&group()), ballot(1, V1), holder(V5, 60.0), 1)));
    node.give_at(1.0, hears(V5, done(&[Deed { version: 1, ..deed(V5, 1.0) }])));
    assert!(node.is_aware(), "of the version that it knows nothing is done");
    let changed = group_of(Brief { priority: 3, ..brief() }, 1);
    node.give_at(2.0, hears(V3, challenge(about(&changed))));
    assert!(!node.is_aware());
}

/// A deed that is older than any tombstone says nothing: whoever did it has forgotten it, too.
#[test]
fn what_was_done_long_ago_is_not_dug_out() {
    let mut node = fenced(V2);
    node.give_at(1_000.0, hears(V5, done(&[deed(V5, 1.0)])));
    node.give(hears(V3, challenge(about(&group()))));
    assert!(node.is_aware());
}

/// W16: the same of what was called off.
#[test]
fn a_stranger_that_hears_cancel_passes_it_on() {
    let mut node = fenced(V2);
    node.give_at(1.0, hears(USER, Message::Cancel { about: about(&group()) }));
    assert!(!node.is_aware());
    let memory = node.memory.clone();
    node.give_at(2.0, Given::Starts(Some(memory)));
    let late = hears(V3, challenge(about(&group())));
    let noted = node.notes.len();
    node.give_at(3.0, late);
    let dropped = |note: &Note| matches!(note.event, Event::Dropped { why: Drop::Late, .. });
    assert!(node.notes[noted..].iter().any(dropped));
    assert_eq!(answer(&mut node), [Message::Cancel { about: about(&group()) }]);
    // And it is forgotten in time.
    node.until(1_000.0);
    assert!(node.machine.order(X).is_none());
}

/// "A tombstone holder repeats Done for a configured time": after a restart, too.
#[test]
fn an_executor_goes_on_telling_after_a_restart() {
    let mut team = Team::of(Fenced, 3).seeded(1);
    team.inject().run_until(60.0);
    let (_, by, _) = team.world.executions[0];
    team.restart(by, true).run_until(70.0);
    let told = team.sent("Done").filter(|sent| sent.from == by && sent.at > at(60.0)).count();
    assert!((1..=3).contains(&told), "{told} times in 10 s");
    team.run_until(700.0);
    let last = team.sent("Done").map(|sent| sent.at).max().expect("it was told");
    assert!(last < at(660.0), "told until {last}");
}

/// The executor is gone: one of those who know tells of its deed in its place, not all of them.
#[test]
fn the_deeds_of_a_lost_executor_are_told_by_others() {
    let mut team = Team::of(Fenced, 5).seeded(1);
    team.inject().run_until(60.0);
    let (_, by, _) = team.world.executions[0];
    let before = team.sent("Done").filter(|sent| sent.from != by).count();
    assert_eq!(before, 0, "as long as it tells itself, nobody else does");
    team.kill(by).run_until(300.0);
    let told = team.sent("Done").filter(|sent| sent.from != by).count();
    assert!((1..=4).contains(&told), "{told} times in 240 s");
}

/// The two that did a task on either side of a partition are lost before it heals: the others learn of it all the same.
#[test]
fn a_duplicate_is_noticed_though_both_executors_are_lost() {
    let mut team = Team::of(Fenced, 5).seeded(2);
    team.inject();
    assert_eq!(team.until_held(X), V5);
    team.split(&[V5, V4]).run_until(100.0);
    assert_eq!(team.done(X).len(), 2, "no protocol can help it");
    let lost: Vec<_> = team.world.executions.iter().map(|(_, by, _)| *by).collect();
    team.kill(lost[0]).kill(lost[1]).heal().run_until(106.0);
    let noticed = |node: &&Node| node.noted(|step| matches!(step, Step::Duplicate { .. })) > 0;
    assert_eq!(team.robots.values().filter(|node| !lost.contains(&node.id())).filter(noticed).count(), 4);
}

/// The contract of a machine: what a promise rests on is durable before the promise leaves.
#[test]
fn a_grant_is_remembered_before_it_is_given() {
    let group = group_of(at_most_once(), 0);
    let (holder, patience) = (holder(V5, 60.0), Duration::ZERO);
    let about = about(&group);
    let asks =
        Message::Status { about, ballot: ballot(1, V1), index: 0, holder, patience, number: 1, asks: Some(LIFE) };
    let outputs = fenced(V2).give(hears(V5, asks));
    assert!(is_remembered_first(&outputs), "{outputs:?}");
    assert_eq!(said(&outputs), ["Grant"]);
}

/// Where a vehicle was challenged and another has done the task, both may have: that is told of quickly for a minute, and then
/// ever more rarely, though nobody ever answers.
#[test]
fn a_deed_that_was_doubted_is_told_of_quickly_for_a_while_only() {
    let mut team = Team::of(Fenced, 5).seeded(1);
    team.inject();
    let holder = team.until_held(X);
    team.kill(holder).run_until(800.0);
    let done = team.done(X);
    assert_eq!(done.len(), 1);
    let (_, _, then) = team.world.executions[0];
    let then_s = then.as_secs_f64();
    let told = |from_s: f64, to_s: f64| {
        team.sent("Done").filter(|sent| (then_s + from_s..then_s + to_s).contains(&sent.at.as_secs_f64())).count()
    };
    assert!((50..=66).contains(&told(0.0, 60.0)), "{} times in the first minute", told(0.0, 60.0));
    assert!((1..=8).contains(&told(62.0, 700.0)), "{} times in the next ten minutes", told(62.0, 700.0));
}
