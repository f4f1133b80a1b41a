//! Figure 1d, bidding on a task, and what follows once it is assigned.

use super::*;

// ---- Figure 1d: bidding on a task ----

/// Figure 1d: "Got solicitation", "Send bid", "Wait for bid Ack".
#[test]
fn figure_1d_a_vehicle_bids_on_what_is_solicited() {
    let mut node = vehicle(V5, 14.6);
    let outputs = node.give(hears(V1, solicitation(about(&group()), ballot(1, V1), 3.0, 7.0)));
    let Some((Recipient::Only(V1), Message::Bid { costs, .. })) = sent(&outputs).next() else { panic!("{outputs:?}") };
    assert_eq!(node.timers.deadline(Timer::Bidder(X)), Some(at(0.7)));
    // §3: 21 times by 8 headings by 2 bytes are 336 bytes.
    assert_eq!(costs[0].len(), 336);
}

/// Figure 1d: "Wait for bid Ack", "Timeout", "Send bid". Ambiguities 1 and 2: three times again, then it gives up, and
/// to give up is to forget.
#[test]
fn figure_1d_a_bid_is_sent_again_three_times_and_then_given_up() {
    let mut node = vehicle(V5, 14.6);
    node.give(hears(V1, solicitation(about(&group()), ballot(1, V1), 3.0, 7.0)));
    let again = node.said_until(2.1);
    assert_eq!(
        again.iter().map(|(at_s, it)| (*at_s, it.name())).collect::<Vec<_>>(),
        [0.7, 1.4, 2.1].map(|at_s| (at_s, "Bid"))
    );
    assert_eq!(node.said_until(60.0), []);
    assert!(node.machine.order(X).is_none());
}

/// Figure 1d: "Got Ack", "Wait for Assignment", "Timeout, give up". T_assign covers T_bid and T_accept for everybody.
#[test]
fn figure_1d_a_bidder_that_hears_nothing_more_gives_up() {
    let mut node = vehicle(V5, 14.6);
    node.give(hears(V1, solicitation(about(&group()), ballot(1, V1), 3.0, 7.0)));
    let acknowledged = Message::BidAck { about: by_name(&group()), ballot: ballot(1, V1) };
    node.check(0.1, hears(V1, acknowledged), &[set(Timer::Bidder(X), 8.0)]);
    node.check(8.0, Given::Due(Timer::Bidder(X)), &[]);
    assert!(node.machine.order(X).is_none());
}

/// Figure 1d: "Assignment not to us": "all other vehicles start the peer monitoring process" [§2].
#[test]
fn figure_1d_a_bidder_that_did_not_win_becomes_a_peer() {
    let mut node = bidder();
    let to_v4 = assignment(by_name(&group()), ballot(1, V1), &[(0, holder(V4, 27.0))], 7.0);
    node.check(3.0, Given::HearsTo(V1, Recipient::Named(V4), to_v4), &[set(Timer::Peer(X), 13.0)]);
    assert!(node.order().bidder().is_none() && node.order().slots()[0].watched);
}

/// Figure 1d: "Got Assignment", "Send Accept", "Wait for Accept Ack". Ambiguity 1: twice again, then it gives up.
#[test]
fn figure_1d_an_acceptance_is_sent_again_twice_and_then_given_up() {
    let mut node = bidder();
    node.check(3.0, hears(V1, to_v5()), &[to_only(V1, accept()), set(Timer::Bidder(X), 3.6)]);
    node.check(3.6, Given::Due(Timer::Bidder(X)), &[to_only(V1, accept()), set(Timer::Bidder(X), 4.2)]);
    node.check(4.2, Given::Due(Timer::Bidder(X)), &[to_only(V1, accept()), set(Timer::Bidder(X), 4.8)]);
    node.check(4.8, Given::Due(Timer::Bidder(X)), &[]);
    assert!(node.machine.order(X).is_none() && !node.holds(X));
}

/// Figure 1d: "Got Ack", "Queue Task": only now, and the body is told where to be when [§4].
#[test]
fn figure_1d_the_task_is_queued_when_the_acceptance_is_acknowledged() {
    let mut node = bidder();
    node.give_at(3.0, hears(V1, to_v5()));
    assert!(!node.holds(X));
    // Heading 180: it comes in from the east by 8 m of corridor.
    let approach = Action::Approach {
        task: X,
        entry: Point::new(TARGET.x + 8.0, TARGET.y),
        target: TARGET,
        from: at(7.0),
        by: at(22.0),
    };
    let outputs = node.give_at(3.1, hears(V1, accept_ack()));
    let Some(Output::Act(Action::Approach { task, entry, target, from, by })) =
        outputs.iter().find(|output| matches!(output, Output::Act(_)))
    else {
        panic!("{outputs:?}");
    };
    assert!(entry.distance(Point::new(TARGET.x + 8.0, TARGET.y)) < 1e-9, "{entry:?}, {approach:?}");
    assert_eq!((*task, *target, *from, *by), (X, TARGET, at(7.0), at(22.0)));
    assert!(outputs.contains(&to_all(report(1))));
    assert!(outputs.contains(&set(Timer::Status(X), 4.1)));
    assert!(outputs.contains(&set(Timer::Announce(X), 21.0)));
}

// ---- Assigned ----

/// §2.1: "a vehicle which is assigned task x broadcast a status report every time t_status", "sufficient detail to allow
/// a new team member to instantiate a peer monitoring process".
#[test]
fn an_assigned_vehicle_reports_every_t_status_in_full() {
    let mut node = assigned();
    let said = node.said_until(6.0);
    assert_eq!(said, [(4.0, report(2)), (5.0, report(3)), (6.0, report(4))]);
    let mut stranger = vehicle(V2, 20.0);
    stranger.check(6.0, hears(V5, said[2].1.clone()), &[set(Timer::Peer(X), 16.0)]);
    assert!(stranger.is_aware() && stranger.order().slots()[0].watched);
}

/// Figure 1e: "Wait for reply", "Got reply": whoever is assigned answers a challenge with its status.
#[test]
fn an_assigned_vehicle_answers_a_challenge() {
    let mut node = assigned();
    let outputs = node.give_at(3.5, hears(V2, challenge(about(&group()))));
    assert_eq!(outputs, [to_all(report(2))]);
}

/// §2.1: "a completion report is broadcast just before execution"; nothing is said of it from there on.
#[test]
fn completion_is_broadcast_just_before_execution() {
    let mut node = assigned();
    let said = node.said_until(21.9);
    let completion = (21.0, Message::Completion { about: by_name(&group()), index: 0 });
    assert_eq!(said.last(), Some(&completion));
    assert!(node.holds(X), "it is not done yet");
    assert_eq!(node.give_at(21.95, hears(V2, challenge(about(&group())))), []);
    node.give_at(22.0, Given::Senses(Percept::Done(X)));
    assert!(node.machine.order(X).is_none(), "and nothing of it is kept");
    assert_eq!(node.noted(|step| *step == Step::Executed { epoch: 1, late: 0 }), 1);
}

/// The same seen by a PEER: it forgets the task.
#[test]
fn a_peer_forgets_a_task_that_is_complete() {
    let mut node = peer(V2);
    node.check(5.0, hears(V5, Message::Completion { about: by_name(&group()), index: 0 }), &[]);
    assert!(node.machine.order(X).is_none());
    assert_eq!(node.said_until(60.0), []);
}
