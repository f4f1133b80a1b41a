//! Figure 1e, peer monitoring, and ambiguities that had to be settled.

use super::*;

// ---- Figure 1e: peer monitoring ----

/// Figure 1e: "Monitor status", "Got one", "Reset timer".
#[test]
fn figure_1e_a_status_report_resets_the_timer() {
    let mut node = peer(V2);
    assert_eq!(node.timers.deadline(Timer::Peer(X)), Some(at(10.0)));
    node.check(6.0, hears(V5, report(2)), &[set(Timer::Peer(X), 16.0)]);
}

/// Figure 1e: "Timeout" (t_peer), "Broadcast challenge", "Wait for reply". The challenge, too, tells all of the task.
#[test]
fn figure_1e_after_t_peer_without_a_report_the_peer_challenges() {
    let mut node = peer(V2);
    node.check(10.0, Given::Due(Timer::Peer(X)), &[to_all(challenge(about(&group()))), set(Timer::Peer(X), 11.0)]);
    let silent = Step::Challenged { silent: Duration::from_secs(10), double: false };
    assert_eq!(node.steps(X), [silent]);
}

/// Figure 1e: "Got reply", "Reset timer".
#[test]
fn figure_1e_a_reply_resets_the_timer() {
    let mut node = peer(V2);
    node.give_at(10.0, Given::Due(Timer::Peer(X)));
    let outputs = node.give_at(10.5, hears(V5, report(2)));
    assert_eq!(outputs.last(), Some(&set(Timer::Peer(X), 20.5)));
    assert_eq!(*node.order().peer(), PeerStage::Monitoring);
}

/// Figure 1e: "Timeout" (T_reply), "Send claimLead with our GUID", "Tabulate claims", "Broadcast our perceived winner",
/// "Tabulate winners", "We won", "Start LEAD task".
#[test]
fn figure_1e_without_a_reply_the_peer_claims_wins_and_leads() {
    let mut node = peer(V2);
    node.give_at(10.0, Given::Due(Timer::Peer(X)));
    let named = by_name(&group());
    node.check(11.0, Given::Due(Timer::Peer(X)), &[to_all(claim(named.clone(), 2)), set(Timer::Peer(X), 12.5)]);
    node.check(11.1, hears(V1, claim(named.clone(), 2)), &[]);
    let winner = to_all(perceived(named.clone(), 2, V2));
    node.check(12.5, Given::Due(Timer::Peer(X)), &[winner, set(Timer::Peer(X), 14.0)]);
    node.check(12.6, hears(V1, perceived(named, 2, V2)), &[]);
    assert_eq!(said(&node.give_at(14.0, Given::Due(Timer::Peer(X)))), ["Solicitation"]);
    assert_eq!(node.order().lead().map(|lead| lead.ballot), Some(ballot(2, V2)));
}

/// Figure 1e: the highest GUID among the claims; whoever lost monitors on.
#[test]
fn figure_1e_the_highest_guid_among_the_claims_wins() {
    let mut node = peer(V2);
    node.give_at(10.0, Given::Due(Timer::Peer(X)));
    node.give_at(11.0, Given::Due(Timer::Peer(X)));
    node.give_at(11.1, hears(V4, claim(by_name(&group()), 2)));
    node.give_at(11.2, hears(V3, claim(by_name(&group()), 2)));
    let winner = to_all(perceived(by_name(&group()), 2, V4));
    node.check(12.5, Given::Due(Timer::Peer(X)), &[winner, set(Timer::Peer(X), 14.0)]);
    node.check(14.0, Given::Due(Timer::Peer(X)), &[set(Timer::Peer(X), 24.0)]);
    assert!(node.order().lead().is_none());
    assert_eq!(node.steps(X).last(), Some(&Step::Elected { epoch: 2, winner: V4 }));
}

/// Figure 1e: "Update winner if neighbor has higher GUID winner".
#[test]
fn figure_1e_a_neighbours_higher_winner_is_taken_over() {
    let mut node = peer(V2);
    node.until(12.5);
    node.check(12.6, hears(V1, perceived(by_name(&group()), 2, V5)), &[]);
    node.check(14.0, Given::Due(Timer::Peer(X)), &[set(Timer::Peer(X), 24.0)]);
    assert_eq!(node.steps(X).last(), Some(&Step::Elected { epoch: 2, winner: V5 }));
}

/// §2.1: "if a vehicle receives status reports from two vehicles for the same task it will issue a challenge".
#[test]
fn figure_1e_a_double_assignment_is_challenged() {
    let mut node = peer(V2);
    let other = status(about(&group()), ballot(2, V3), holder(V4, 30.0), 1);
    let outputs = node.give_at(1.0, hears(V4, other));
    let double = Message::Challenge { about: about(&group()), phases: Phases::first(1), double: true };
    assert!(outputs.contains(&to_all(double)), "{outputs:?}");
    assert_eq!(node.noted(|step| matches!(step, Step::Challenged { double: true, .. })), 1);
}

/// §2: "If the assigned vehicle does not respond to the challenge", the task is offered anew, "and the process of
/// assigning a vehicle to carry out the task begins anew".
#[test]
fn a_task_whose_vehicle_is_lost_is_assigned_to_another() {
    let mut team = Team::of(Drawn, 5);
    team.inject();
    let first = team.until_held(X);
    assert_eq!(first, V5);
    team.kill(V5).run_until(80.0);
    // The next nearest of those left.
    assert_eq!(team.done(X), [V4]);
}

// ---- Ambiguities that had to be settled ----

/// Ambiguity 5: a PEER that hears a Challenge does nothing unless it is ASSIGNED; nor does a LEAD.
#[test]
fn ambiguity_5_only_the_assigned_vehicle_answers_a_challenge() {
    let mut node = peer(V2);
    let outputs = node.give_at(9.0, hears(V3, challenge(about(&group()))));
    assert!(said(&outputs).is_empty());
    assert_eq!(node.timers.deadline(Timer::Peer(X)), Some(at(10.0)), "a challenge is no status");
    assert!(said(&lead().give_at(0.5, hears(V3, challenge(about(&group()))))).is_empty());
}

/// Ambiguity 6: whoever is unaware of a task becomes a PEER by Status or Challenge, a BIDDER by Solicitation; by
/// anything else it does not.
#[test]
fn ambiguity_6_what_makes_a_stranger_a_peer() {
    let stranger = vehicle(V2, 20.0);
    for message in [report(1), challenge(about(&group()))] {
        let mut node = stranger.clone();
        node.give(hears(V5, message));
        assert!(node.order().slots()[0].watched);
        assert_eq!(node.timers.deadline(Timer::Peer(X)), Some(at(10.0)));
    }
    let mut node = stranger.clone();
    node.give(hears(V1, solicitation(about(&group()), ballot(1, V1), 3.0, 7.0)));
    assert!(node.order().bidder().is_some());
    // Even if they told of the task, which they do not as drawn.
    for message in [to_v5(), claim(about(&group()), 2), perceived(about(&group()), 2, V4), ack_lead(V3, 1)] {
        let mut node = stranger.clone();
        node.give(hears(V4, message));
        assert!(node.machine.order(X).is_none());
    }
}
