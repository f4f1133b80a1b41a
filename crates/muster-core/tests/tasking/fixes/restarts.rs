//! Restarts: what is known, what is done, and what was used up.

use muster_core::motion::Motion;
use muster_core::tasking::group::{self, Template};

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

/// Others have heard the reports of a holder until it restarted, and would vouch for it for as long as a PEER waits: it says at
/// once that it does not hold the task any more, with its memory of its own accord and without when it hears that it should.
#[test]
fn nobody_vouches_for_a_holder_that_has_restarted() {
    for (seed, memory) in (0..SEEDS).flat_map(|seed| [true, false].map(|memory| (seed, memory))) {
        let mut team = Team::of(Fenced, 5).seeded(seed);
        team.inject();
        assert_eq!(team.until_held(X), V5);
        team.run_until(6.0).restart(V5, memory);
        if !memory {
            team.give(V1, hears(V2, challenge(about(&group()))));
        }
        team.run_until(7.0);
        let informed = |node: &&Node| node.machine.order(X).is_some_and(|order| order.slots()[0].informed);
        let informed: Vec<_> = team.alive().filter(informed).map(Node::id).collect();
        assert!(informed.is_empty(), "{informed:?} take V5 to see to it: seed {seed}, memory {memory}");
        assert!(team.run_while(24.0, |team| team.holders(X).is_empty()), "seed {seed}, memory {memory}");
    }
}

/// A node was just about to vouch for the holder when that says that it does not hold the task; and what another says that has
/// missed it counts for nothing, until the vehicle itself reports again.
#[test]
fn nobody_vouches_for_who_says_otherwise() {
    let holds = |number| hears(V5, status(about(&group()), ballot(1, V1), holder(V5, 90.0), number));
    let relays = |node: &mut Node, by: f64| {
        let said = node.said_until(by);
        said.iter().filter(|(_, message)| matches!(message, Message::StatusRelay { .. })).count()
    };
    let asked = || {
        let mut node = fenced(V2);
        node.give_at(1.0, holds(0));
        node.give_at(3.0, hears(V3, challenge(about(&group()))));
        node
    };
    assert_eq!(relays(&mut asked(), 4.0), 1, "it vouches for the holder");
    let mut node = asked();
    node.give_at(3.01, hears(V5, challenge(about(&group()))));
    assert_eq!(relays(&mut node, 3.5), 0);
    let slot = |node: &Node| node.order().slots()[0].clone();
    let relay = Message::StatusRelay {
        about: about(&group()),
        index: 0,
        ballot: ballot(1, V1),
        holder: Some(holder(V5, 90.0)),
        age: secs(1.0),
    };
    node.give_at(3.5, hears(V4, relay));
    assert!(!slot(&node).informed);
    node.give_at(3.6, holds(7));
    assert!(slot(&node).informed);
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

/// An order for one task that uses up one load.
fn delivery(id: TaskId) -> Arc<Group> {
    let phase = group::Phase { kind: DROP, needs: Percepts::NONE, loads: 1, offset: Point::new(0.0, 0.0) };
    let template = Template { phases: vec![phase], couplings: Vec::new(), strict: false, fresh: None, distinct: true };
    Group::new(USER, Brief { kind: DROP, ..brief_of(id) }, 0).decomposed(Some(&template)).expect("one task")
}

/// A vehicle 14.6 m from the target.
fn nearby(vehicle: Vehicle) -> Node {
    Node::new(V5, Point::new(TARGET.x + 14.6, TARGET.y), config(Fenced, 6), vehicle)
}

/// Its bid for `order`, asked at `at_s` seconds, says that it can do it.
fn bids(node: &mut Node, at_s: f64, order: &Arc<Group>) -> bool {
    let asked = hears(V1, solicitation(about(order), ballot(1, V1), at_s + 3.0, at_s + 12.0));
    let outputs = node.give_at(at_s, asked);
    let Some((_, Message::Bid { costs, .. })) = sent(&outputs).next() else { panic!("no answer: {outputs:?}") };
    costs[0] != Quote::Cannot
}

/// Has won `order`, which is to be done at 40 s.
fn winner(mut node: Node, order: &Arc<Group>) -> Node {
    assert!(bids(&mut node, 0.0, order));
    node.give_at(3.0, hears(V1, assignment(about(order), ballot(1, V1), &[(0, holder(V5, 40.0))], 12.0)));
    node.give(hears(V1, Message::AcceptAck { about: about(order), ballot: ballot(1, V1), index: 0 }));
    assert!(node.holds(order.first()));
    node
}

/// Has won `order` and done it.
fn after(node: Node, order: &Arc<Group>) -> Node {
    let mut node = winner(node, order);
    node.before(40.0).give(Given::Senses(Percept::Done(order.first())));
    node.body.motion = Motion::still(TARGET);
    node.give_at(41.0, Given::Senses(Percept::Arrived));
    node
}

/// A load that was dropped is gone, also for a vehicle that restarts: it does not bid as if it were fresh.
#[test]
fn loads_that_were_used_up_stay_used_up_over_a_restart() {
    for (loads, has_one_left) in [(1, false), (2, true)] {
        let mut node = after(nearby(Vehicle { loads, ..Vehicle::hotspot() }), &delivery(X));
        let mut restarted = node.clone();
        restarted.give_at(50.0, Given::Restarts);
        for node in [&mut node, &mut restarted] {
            assert_eq!(bids(node, 60.0, &delivery(TaskId(20))), has_one_left, "with {loads} loads");
            let without_load = group_of(brief_of(TaskId(30)), 0);
            assert!(bids(node, 60.0, &without_load), "what takes no load can still be done");
        }
        // Twice: what the second life remembers is not only what it used up itself.
        restarted.give_at(70.0, Given::Restarts);
        assert_eq!(bids(&mut restarted, 80.0, &delivery(TaskId(40))), has_one_left, "with {loads} loads");
    }
}

/// An order for one task, so far east of the target.
fn east(id: TaskId, metres: f64) -> Arc<Group> {
    let task = Task { place: Point::new(TARGET.x + metres, TARGET.y), ..brief_of(id).task };
    group_of(Brief { task, ..brief_of(id) }, 0)
}

/// The same for metres: it has flown 22.6 to the end of the corridor, and needs as many again.
#[test]
fn metres_that_were_flown_stay_flown_over_a_restart() {
    for (endurance_m, has_enough_left) in [(30.0, false), (60.0, true)] {
        let fresh = nearby(Vehicle { endurance_m: Some(endurance_m), ..Vehicle::hotspot() });
        let mut node = after(fresh, &east(X, 0.0));
        let mut restarted = node.clone();
        restarted.give_at(50.0, Given::Restarts);
        for node in [&mut node, &mut restarted] {
            assert_eq!(bids(node, 60.0, &east(TaskId(20), 14.6)), has_enough_left, "with {endurance_m} m");
        }
        restarted.give_at(70.0, Given::Restarts);
        assert_eq!(bids(&mut restarted, 80.0, &east(TaskId(30), 14.6)), has_enough_left, "with {endurance_m} m");
    }
}

/// What was flown of a flight that was broken off counts, too: 5.6 m, and 24 m more are needed now.
#[test]
fn metres_of_a_flight_that_was_broken_off_stay_flown_over_a_restart() {
    for (endurance_m, has_enough_left) in [(27.0, false), (32.0, true)] {
        let mut node = winner(nearby(Vehicle { endurance_m: Some(endurance_m), ..Vehicle::hotspot() }), &group());
        node.before(30.0).body.motion = Motion::still(Point::new(TARGET.x + 9.0, TARGET.y));
        node.give(hears(USER, Message::Cancel { about: about(&group()) }));
        assert!(!node.holds(X));
        let mut restarted = node.clone();
        restarted.give_at(50.0, Given::Restarts);
        for node in [&mut node, &mut restarted] {
            assert_eq!(bids(node, 60.0, &east(TaskId(20), 25.0)), has_enough_left, "with {endurance_m} m");
        }
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

/// A vehicle bids in two auctions as if each were the only one: when it has won one, it does not accept the other if it
/// has no load for it, or not the endurance.
#[test]
fn what_two_auctions_would_use_up_together_is_not_accepted() {
    for (vehicle, accepts) in [
        (Vehicle { loads: 2, ..Vehicle::hotspot() }, true),
        (Vehicle { loads: 1, ..Vehicle::hotspot() }, false),
        (Vehicle { endurance_m: Some(80.0), ..Vehicle::hotspot() }, true),
        (Vehicle { endurance_m: Some(40.0), ..Vehicle::hotspot() }, false),
    ] {
        let (one, other) = (delivery(X), delivery(TaskId(20)));
        let mut node = nearby(vehicle);
        assert!(bids(&mut node, 0.0, &other), "while it has won nothing yet");
        let mut node = winner(node, &one);
        let plan = [(0, holder(V5, 100.0))];
        let outputs = node.give_at(3.5, hears(V1, assignment(about(&other), ballot(1, V1), &plan, 12.0)));
        assert_eq!(said(&outputs).contains(&"Accept"), accepts, "{outputs:?}");
    }
}
