//! W16: retract and modify.

use super::*;

/// W16: as drawn there is no message for it.
#[test]
fn w16_a_task_is_retracted() {
    let scenario = |team: &mut Team| {
        team.inject().run_until(6.0).order(USER, Order::Cancel(X));
    };
    assert_eq!(outcomes(Drawn, 120.0, scenario), ONCE);
    assert_eq!(outcomes(Fenced, 120.0, scenario), NEVER);
}

/// W16: whoever missed the Cancel is told when it talks of the task; it holds it no longer then.
#[test]
fn w16_whoever_missed_a_cancel_is_told() {
    for seed in 0..SEEDS {
        let mut team = far(Fenced, 4).seeded(seed);
        team.inject();
        let first = team.until_held(X);
        team.isolate(first).run_until(10.0).order(USER, Order::Cancel(X));
        team.run_until(30.0).heal().run_until(33.0);
        assert_eq!(team.aware(), [], "seed {seed}");
        // And it is not said for ever.
        team.run_until(40.0);
        let said = team.log.len();
        team.run_until(200.0);
        assert_eq!((team.done(X), team.log.len()), (vec![], said), "seed {seed}");
    }
}

/// W16: a Cancel that is heard by somebody who knows does not call forth another.
#[test]
fn w16_a_cancel_never_starts_a_ping_pong() {
    let cancel = || Message::Cancel { about: about(&group()) };
    let mut node = peer(V2);
    node.give_at(1.0, hears(USER, cancel()));
    for _ in 0..3 {
        assert_eq!(node.give(hears(V3, cancel())), []);
    }
    // A Status calls for one; another's Cancel takes it back.
    node.dice = Dice::most();
    node.give_at(2.0, hears(V5, report(ballot(1, V1), 2)));
    node.give_at(2.1, hears(V3, cancel()));
    assert_eq!(answer(&mut node), []);
    node.give_at(3.0, hears(V5, report(ballot(1, V1), 3)));
    assert_eq!(answer(&mut node), [cancel()]);
}

/// W16: it expired for one node, and was prolonged in a new version that it missed: they must not correct each other
/// without end, and the new version counts.
#[test]
fn w16_a_version_that_expired_gives_way_to_a_newer_one() {
    let mut team = far(Fenced, 3).seeded(1);
    team.order(USER, Order::Inject(Brief { expires: Some(at(20.0)), ..brief() })).run_until(6.0);
    team.isolate(V1).run_until(8.0).order(USER, Order::Modify(brief()));
    team.run_until(25.0);
    assert!(team.node(V1).order().is_cancelled(), "it expired for V1");
    team.heal().run_until(40.0);
    assert!(team.count("Cancel") <= 3, "{} Cancels", team.count("Cancel"));
    assert!(!team.node(V1).order().is_cancelled());
    team.run_until(150.0);
    assert_eq!(team.done(X).len(), 1);
}

/// Modify: what was agreed on the old version is void, and the new one is done, once, where it is now.
#[test]
fn w16_a_task_is_modified_under_way() {
    let elsewhere = Brief { task: Task { place: Point::new(10.0, 10.0), ..brief().task }, ..brief() };
    for seed in 0..SEEDS {
        let mut team = Team::of(Fenced, 5).seeded(seed);
        team.inject();
        team.until_held(X);
        team.run_until(8.0).order(USER, Order::Modify(elsewhere));
        team.run_until(8.5);
        assert_eq!(team.holders(X), [], "seed {seed}");
        let holder = team.until_held(X);
        assert_eq!(team.node(holder).machine.held()[0].corridor.target, elsewhere.task.place);
        team.run_until(150.0);
        assert_eq!(team.done(X).len(), 1, "seed {seed}");
        assert!(team.robots.values().all(|node| node.order().group().version == 1));
    }
}

/// Modify twice: whoever missed the first change, be it the holder or anybody else, comes to know the second from what is
/// said about it, and never takes the first for news. The task is done once, where it was last wanted.
#[test]
fn w16_the_latest_of_two_changes_counts_for_whoever_missed_the_first() {
    let at = |x| Brief { task: Task { place: Point::new(x, 10.0), ..brief().task }, ..brief() };
    let (first, second) = (at(10.0), at(40.0));
    for (seed, misses_both) in (0..SEEDS).flat_map(|seed| [false, true].map(|both| (seed, both))) {
        for missing in [V1, V2, V3, V4] {
            let mut team = far(Fenced, 4).seeded(seed);
            team.inject();
            assert_eq!(team.until_held(X), V4);
            team.run_until(8.0).isolate(missing).order(USER, Order::Modify(first));
            team.run_until(10.0);
            let versions = [0, 1].map(|n| team.robots.values().filter(|it| it.order().group().version == n).count());
            assert_eq!(versions, [1, 4], "seed {seed}: only {missing} has missed the first change");
            if !misses_both {
                team.heal();
            }
            team.order(USER, Order::Modify(second));
            team.run_until(14.0).heal().run_until(250.0);
            for node in team.robots.values() {
                let group = node.order().group();
                let told = (group.version, group.brief.task.place);
                assert_eq!(told, (2, second.task.place), "seed {seed}, {missing} was away: {}", node.id());
                assert!(node.machine.is_quiet(), "seed {seed}, {missing} was away: {}", node.id());
            }
            let [(X, by, _)] = team.world.executions[..] else { panic!("seed {seed}: {:?}", team.world.executions) };
            let flown = team.node(by).acted.iter().rev().find_map(|(_, action)| match action {
                Action::Approach { target, .. } => Some(*target),
                _ => None,
            });
            assert_eq!(flown, Some(second.task.place), "seed {seed}: {by} did it where it was");
        }
    }
}

/// The same for one node: the first change, heard after the second, is old talk.
#[test]
fn w16_a_first_change_that_comes_after_the_second_is_old_talk() {
    let elsewhere = Brief { task: Task { place: Point::new(10.0, 10.0), ..brief().task }, ..brief() };
    let changed_twice = group_of(elsewhere, 2);
    let mut node = peer(V2);
    node.give_at(1.0, hears(USER, Message::Task { about: about(&changed_twice) }));
    node.give_at(2.0, hears(V3, Message::Task { about: about(&changed()) }));
    assert_eq!(*node.order().group(), changed_twice);
    assert_eq!(answer(&mut node), [Message::Task { about: about(&changed_twice) }]);
}

/// Late talk about the old version is corrected; whoever hears the new one lets go of the old.
#[test]
fn w16_late_talk_about_an_old_version_is_corrected() {
    let mut node = peer(V2);
    node.give_at(1.0, hears(USER, Message::Task { about: about(&changed()) }));
    assert_eq!(node.order().group().version, 1);
    node.give_at(2.0, hears(V5, report(ballot(9, V5), 2)));
    assert_eq!(node.order().slots()[0].holder, None, "what the old version's holder says means nothing");
    assert_eq!(answer(&mut node), [Message::Task { about: about(&changed()) }]);
    let mut holder = assigned(brief());
    holder.give_at(4.0, hears(V2, Message::Task { about: about(&changed()) }));
    assert!(!holder.holds(X));
    assert!(holder.is_aware());
}

/// Only the USER of an order changes it.
#[test]
fn only_its_user_changes_an_order() {
    let mut node = peer(V2);
    let before = node.machine.clone();
    assert_eq!(node.give(Given::Told(Order::Cancel(X))), []);
    assert_eq!(node.give(Given::Told(Order::Modify(brief()))), []);
    assert_eq!(node.give(Given::Told(Order::Cancel(TaskId(77)))), []);
    assert_eq!(node.machine, before);
}

/// An order may be asked for twice; it is the same order.
#[test]
fn an_order_that_is_known_is_not_injected_again() {
    let mut node = Node::console(USER, config(Fenced, 6));
    node.give(inject(brief()));
    assert_eq!(node.give(inject(brief())), []);
}
