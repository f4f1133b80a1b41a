//! Restart.

use super::*;

/// A holder that restarts knows of the task and no longer holds it; it is done once all the same.
#[test]
fn a_holder_restarts() {
    for (seed, memory) in (0..SEEDS).flat_map(|seed| [true, false].map(|memory| (seed, memory))) {
        let mut team = Team::of(Fenced, 5).seeded(seed);
        team.inject();
        assert_eq!(team.until_held(X), V5);
        team.run_until(6.0).restart(V5, memory);
        assert_eq!(team.node(V5).is_aware(), memory);
        team.run_until(150.0);
        assert_eq!(team.done(X).len(), 1, "seed {seed}, memory {memory}");
    }
}

/// Everybody restarts with its memory: the task is not lost.
#[test]
fn everybody_restarts_with_memory() {
    for seed in 0..SEEDS {
        let mut team = Team::of(Fenced, 5).seeded(seed);
        team.inject();
        team.until_held(X);
        for id in [USER, V1, V2, V3, V4, V5] {
            team.restart(id, true);
        }
        team.run_until(150.0);
        assert_eq!(team.done(X).len(), 1, "seed {seed}");
    }
}

/// A USER that restarts with its memory before anybody heard of the task sees to it all the same.
#[test]
fn a_user_restarts_before_its_task_was_heard() {
    let mut team = Team::of(Fenced, 3).seeded(1);
    team.isolate(USER).inject().run_until(0.5);
    team.heal().restart(USER, true).run_until(150.0);
    assert_eq!(team.done(X).len(), 1);
}

/// What was done stays done over a restart, with memory; without, others tell.
#[test]
fn what_is_done_stays_done_over_a_restart() {
    for memory in [true, false] {
        let mut team = Team::of(Fenced, 3).seeded(1);
        team.inject().run_until(40.0);
        assert_eq!(team.done(X).len(), 1);
        let before = team.node(V3).memory.clone();
        for id in [V1, V2, V3] {
            team.restart(id, memory && id != V1);
        }
        assert!(!team.node(V2).is_aware());
        // V1 has forgotten everything and is told of the task as if it were new.
        team.give(V1, hears(V2, challenge(about(&group()))));
        if memory {
            team.run_until(45.0);
            assert!(!team.node(V1).is_aware(), "it was told");
            assert_eq!(team.node(V3).order().is_settled(), before != Default::default());
        }
        team.run_until(150.0);
        assert_eq!(team.done(X).len(), 1, "memory {memory}; the console remembers in any case");
    }
}

/// A tombstone that was restored is forgotten in time, too.
#[test]
fn a_restored_tombstone_is_forgotten() {
    let mut node = peer(V2);
    node.give_at(60.0, hears(V5, done(&[deed(V5, 60.0)])));
    node.give_at(70.0, Given::Restarts);
    assert!(node.machine.order(X).is_some_and(|order| order.is_settled()));
    node.until(1_000.0);
    assert!(node.machine.order(X).is_none());
}
