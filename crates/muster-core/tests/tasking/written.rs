//! The protocol as its paper is written: Figure 1 with the remedies of the text. [MacKenzie 2003, §2, §2.1]
//!
//! What the figure alone comes to stands beside each, where it is otherwise: else the test would prove nothing.

use muster_core::tasking::group::Phases;
use muster_core::tasking::{Message, PeerStage, Step, Timer, Variant};
use muster_core::{Percept, RobotId};

use crate::world::*;

use Variant::{Drawn, Written};

const SEEDS: u64 = 10;

fn vehicle(variant: Variant, id: RobotId, away_s: f64) -> Node {
    Node::vehicle(id, away_s, config(variant, 6))
}

/// A report of V5 on X, which is due at 22 s.
fn report(number: u32) -> Message {
    status(about(&group()), ballot(1, V1), holder(V5, 22.0), number)
}

/// A PEER that has heard V5 report at 0 s.
fn peer(variant: Variant, id: RobotId) -> Node {
    let mut node = vehicle(variant, id, 20.0);
    node.give(hears(V5, report(1)));
    node
}

/// V5 has X in its queue since 3 s, for 22 s.
fn assigned(variant: Variant) -> Node {
    let mut node = vehicle(variant, V5, 14.6);
    let named = || by_name(&group());
    node.give(hears(V1, solicitation(about(&group()), ballot(1, V1), 3.0, 7.0)));
    node.give(hears(V1, Message::BidAck { about: named(), ballot: ballot(1, V1) }));
    node.give_at(3.0, hears(V1, assignment(named(), ballot(1, V1), &[(0, holder(V5, 22.0))], 7.0)));
    node.give(hears(V1, Message::AcceptAck { about: named(), ballot: ballot(1, V1), index: 0 }));
    assert!(node.holds(X));
    node
}

/// V5 has done X at 22 s.
fn executor(variant: Variant) -> Node {
    let mut node = assigned(variant);
    node.until(21.9);
    node.give_at(22.0, Given::Senses(Percept::Done(X)));
    node
}

fn completion() -> Message {
    Message::Completion { about: by_name(&group()), index: 0 }
}

fn success() -> Message {
    Message::Done { deeds: vec![deed(V5, 22.0)] }
}

fn double() -> Message {
    Message::Challenge { about: about(&group()), phases: Phases::first(1), double: true }
}

/// How often X was done, with each seed: never, once, more often.
fn outcomes(variant: Variant, mut scenario: impl FnMut(&mut Team)) -> [u64; 3] {
    let mut counts = [0; 3];
    for seed in 0..SEEDS {
        let mut team = Team::of(variant, 5).seeded(seed);
        scenario(&mut team);
        team.run_until(200.0);
        counts[team.done(X).len().min(2)] += 1;
    }
    counts
}

/// §2: reports "note its successful or estimated time of completion". Completion comes "just before execution" (§2.1), and
/// then success every t_status for as long as a PEER waits for a report.
#[test]
fn success_is_reported_after_the_early_completion() {
    let mut node = assigned(Written);
    node.until(20.9);
    let before: Vec<&str> = node.said_until(21.9).iter().map(|(_, message)| message.name()).collect();
    assert!(before.contains(&"Completion"), "{before:?}");
    let outputs = node.give_at(22.0, Given::Senses(Percept::Done(X)));
    assert_eq!(sent(&outputs).map(|(_, message)| message.clone()).collect::<Vec<_>>(), [success()]);
    let after: Vec<f64> = node.said_until(60.0).iter().map(|(at_s, _)| *at_s).collect();
    assert_eq!(after, (23..=31).map(f64::from).collect::<Vec<_>>());
    let mut drawn = executor(Drawn);
    assert_eq!(drawn.said_until(60.0), [], "as drawn it has said all that there is to say");
}

/// §2: a PEER watches until it hears of success; as drawn it forgets the task with Completion.
#[test]
fn a_peer_watches_until_success_is_reported() {
    let mut node = peer(Written, V2);
    node.give_at(9.0, hears(V5, completion()));
    assert!(node.order().slots()[0].watched);
    assert_eq!(node.timers.deadline(Timer::Peer(X)), Some(at(19.0)), "Completion is a report, too");
    node.give_at(11.0, hears(V5, Message::Done { deeds: vec![deed(V5, 10.0)] }));
    assert!(node.order().is_settled());
    assert_eq!(node.said_until(100.0), [], "and it tells nobody: that is the vehicle's");
    let mut drawn = peer(Drawn, V2);
    drawn.give_at(9.0, hears(V5, completion()));
    assert!(drawn.machine.order(X).is_none());
}

/// §2: "If the assigned vehicle does not respond to the challenge": the vehicle does, for what it has done; others who know
/// of it do not (that is F5).
#[test]
fn only_the_vehicle_itself_answers_for_what_it_has_done() {
    let mut node = executor(Written);
    node.until(300.0);
    node.give_at(300.0, hears(V2, challenge(about(&group()))));
    let answer = node.said_until(301.0);
    assert_eq!(answer.iter().map(|(_, message)| message.clone()).collect::<Vec<_>>(), [success()]);
    let mut other = peer(Written, V3);
    other.give_at(23.0, hears(V5, success()));
    other.give_at(24.0, hears(V2, challenge(about(&group()))));
    assert_eq!(other.said_until(100.0), []);
}

/// W2, as written: the vehicle is lost between Completion and the deed, and its PEERs have not stopped watching.
#[test]
fn w2_is_mended_by_reports_of_success() {
    let scenario = |team: &mut Team| {
        team.inject();
        assert_eq!(team.until_held(X), V5);
        let due = team.node(V5).machine.held()[0].at.as_secs_f64();
        team.run_until(due - 0.5).kill(V5);
    };
    assert_eq!(outcomes(Drawn, scenario), [SEEDS, 0, 0]);
    assert_eq!(outcomes(Written, scenario), [0, SEEDS, 0]);
}

/// W3, as written: Completion and some reports of success are lost.
#[test]
fn w3_is_mended_by_reports_of_success() {
    let scenario = |team: &mut Team| {
        team.lose_between("Completion", None, Some(V2), 1);
        team.lose_between("Done", None, Some(V2), 6);
        team.inject();
    };
    assert_eq!(outcomes(Drawn, scenario), [0, 0, SEEDS]);
    assert_eq!(outcomes(Written, scenario), [0, SEEDS, 0]);
}

/// W4, as written: one in ten, and three in ten, deliveries are lost.
#[test]
fn w4_is_mended_by_reports_of_success() {
    for loss in [0.1, 0.3] {
        let scenario = |team: &mut Team| {
            team.loss = loss;
            team.inject();
        };
        assert!(outcomes(Drawn, scenario)[2] > 0, "loss {loss}");
        assert_eq!(outcomes(Written, scenario), [0, SEEDS, 0], "loss {loss}");
    }
}

/// §2.1: "it will issue a challenge and the task will be rebid": it claims the lead without waiting for replies, of which
/// there would be two. As drawn it waits, and any reply ends it.
#[test]
fn a_double_assignment_is_challenged_and_the_lead_claimed() {
    let other = || status(about(&group()), ballot(2, V3), holder(V4, 30.0), 1);
    let mut node = peer(Written, V2);
    let outputs = node.give_at(1.0, hears(V4, other()));
    assert_eq!(said(&outputs), ["Challenge", "ClaimLead(peer)"]);
    assert!(sent(&outputs).any(|(_, message)| *message == double()));
    // Replies do not end it, nor are they another double assignment.
    let more = node.give_at(1.2, hears(V5, report(2)));
    assert!(said(&more).is_empty() && matches!(node.order().peer(), PeerStage::Claiming(_)));
    let mut drawn = peer(Drawn, V2);
    drawn.give_at(1.0, hears(V4, other()));
    drawn.give_at(1.2, hears(V5, report(2)));
    assert_eq!(*drawn.order().peer(), PeerStage::Monitoring);
}

/// §2.1: "rebid to a single vehicle": both holders give the task up, unless one is about to do it.
#[test]
fn a_holder_leaves_a_double_assignment_to_the_rebid() {
    let mut node = assigned(Written);
    let outputs = node.give_at(5.5, hears(V2, double()));
    assert!(!node.holds(X) && node.order().slots()[0].watched);
    assert!(said(&outputs).is_empty(), "it does not reply for what it has given up");
    assert_eq!(node.noted(|step| matches!(step, Step::HandedBack)), 1);
    let mut late = assigned(Written);
    late.until(21.5);
    late.give_at(21.6, hears(V2, double()));
    assert!(late.holds(X), "it has said that it is about to do it");
    let mut drawn = assigned(Drawn);
    drawn.give_at(5.5, hears(V2, double()));
    assert!(drawn.holds(X));
}

/// W7, as written: after a partition two vehicles hold the task, and it is rebid to a single one.
#[test]
fn w7_a_double_assignment_is_rebid_to_a_single_vehicle() {
    for seed in 0..SEEDS {
        let config = config(Written, 6);
        let vehicle = |n: u32| Node::vehicle(RobotId(n), 59.6 + 5.0 * f64::from(5 - n), config.clone());
        let mut team = Team::new([Node::console(USER, config.clone())].into_iter().chain((1..=5).map(vehicle)));
        team = team.seeded(seed);
        team.inject();
        assert_eq!(team.until_held(X), V5);
        team.isolate(V5).run_until(40.0);
        assert_eq!(team.holders(X).len(), 2, "seed {seed}");
        team.heal().run_until(55.0);
        assert_eq!(team.holders(X).len(), 1, "seed {seed}");
        team.run_until(200.0);
        assert_eq!(team.done(X).len(), 1, "seed {seed}");
    }
}

/// §2.1: "the primary reaction to poor communications must be to expand the timeout periods", T_reply among them.
#[test]
fn time_outs_grow_with_what_is_lost() {
    let reply = |variant, every: u32| {
        let mut node = vehicle(variant, V2, 20.0);
        for n in 0..60 {
            let heard = status(about(&group()), ballot(1, V1), holder(V5, 900.0), n * every);
            node.give_at(f64::from(n * every), hears(V5, heard));
        }
        let due = node.timers.deadline(Timer::Peer(X)).expect("it watches").as_secs_f64();
        node.give_at(due, Given::Due(Timer::Peer(X)));
        assert!(matches!(node.order().peer(), PeerStage::Replying(..)));
        (node.timers.deadline(Timer::Peer(X)).expect("it waits") - node.now).as_secs_f64()
    };
    assert_eq!(reply(Written, 1), 1.0, "nothing is lost");
    // Every second report is: question and answer need four tries.
    assert!((3.0..4.5).contains(&reply(Written, 2)), "{}", reply(Written, 2));
    assert!(reply(Written, 12) <= 16.0);
    assert_eq!(reply(Drawn, 2), 1.0);
}

/// §2.1: "queuing and retransmission of the latest status report when the link is again available", however long that takes;
/// the latest is of success here.
#[test]
fn success_is_queued_while_the_link_is_known_to_be_down() {
    let mut node = assigned(Written);
    node.until(15.0);
    node.give_at(15.0, Given::Senses(Percept::Link(false)));
    node.until(21.9);
    node.give_at(22.0, Given::Senses(Percept::Done(X)));
    assert_eq!(node.said_until(80.0), []);
    let outputs = node.give_at(80.0, Given::Senses(Percept::Link(true)));
    assert_eq!(sent(&outputs).map(|(_, message)| message.clone()).collect::<Vec<_>>(), [success()]);
}
