//! Figure 1c: managing task assignment.

use super::*;

/// Figure 1c: "Send solicitation", "wait for bids".
#[test]
fn figure_1c_the_lead_solicits_bids() {
    let mut node = vehicle(V1, 26.6);
    node.give(hears(USER, task()));
    let solicited = solicitation(about(&group()), ballot(1, V1), 3.1, 7.3);
    node.check(0.1, hears(USER, ack_lead(V1, 1)), &[to_all(solicited), set(Timer::Lead(X), 3.1)]);
}

/// Figure 1c: "got bid", "Ack bid", and on waiting; a bid that comes twice is acknowledged twice and counts once.
#[test]
fn figure_1c_every_bid_is_acknowledged() {
    let mut node = lead();
    let bid = bid_by(vehicle(V5, 14.6));
    let acknowledged = [to_only(V5, Message::BidAck { about: by_name(&group()), ballot: ballot(1, V1) })];
    node.check(0.2, hears(V5, bid.clone()), &acknowledged);
    node.check(0.9, hears(V5, bid), &acknowledged);
    assert_eq!(node.noted(|step| matches!(step, Step::BidHeard { .. })), 1);
    let lead = node.order().lead().expect("it leads");
    assert_eq!((lead.bidders().collect::<Vec<_>>(), &lead.stage), (vec![V5], &LeadStage::Bidding));
}

/// Figure 1c: "Timeout" (T_bid), "Evaluate bids", "Notify winner". §2: "the vehicle able to carry out the task with the
/// least cost is assigned".
#[test]
fn figure_1c_the_cheapest_bidder_is_notified() {
    let mut node = lead();
    node.give_at(0.2, hears(V4, bid_by(vehicle(V4, 19.6))));
    node.give_at(0.2, hears(V5, bid_by(vehicle(V5, 14.6))));
    let told = assignment(by_name(&group()), ballot(1, V1), &[(0, holder(V5, 22.3))], 7.3);
    node.check(3.1, Given::Due(Timer::Lead(X)), &[to_named(V5, told), set(Timer::Lead(X), 3.8)]);
    let chosen = Step::Assigned { holder: holder(V5, 22.3), cost: 3_000, cheapest: (V5, 3_000), bids: 3 };
    assert_eq!(node.steps(X).last(), Some(&chosen));
}

/// Figure 1c: "Got acceptance", "Ack acceptance". Ambiguity 3: the LEAD that has finished becomes a PEER.
#[test]
fn figure_1c_the_acceptance_is_acknowledged_and_the_lead_becomes_a_peer() {
    let mut node = lead();
    node.give_at(0.2, hears(V5, bid_by(vehicle(V5, 14.6))));
    node.give_at(3.1, Given::Due(Timer::Lead(X)));
    node.check(3.2, hears(V5, accept()), &[to_only(V5, accept_ack()), set(Timer::Peer(X), 13.2)]);
    assert!(node.order().lead().is_none());
    assert!(node.order().slots()[0].watched);
    // AcceptAck was lost: the winner accepts again and gets another (idempotent, W11).
    node.check(3.8, hears(V5, accept()), &[to_only(V5, accept_ack())]);
}

/// Figure 1c: "Wait for Accept", "Timeout", "Delete failed bidder", "Evaluate bids".
#[test]
fn figure_1c_a_winner_that_does_not_accept_is_deleted() {
    let mut node = lead();
    node.give_at(0.2, hears(V4, bid_by(vehicle(V4, 19.6))));
    node.give_at(0.2, hears(V5, bid_by(vehicle(V5, 14.6))));
    node.give_at(3.1, Given::Due(Timer::Lead(X)));
    let told = assignment(by_name(&group()), ballot(1, V1), &[(0, holder(V4, 27.3))], 7.3);
    node.check(3.8, Given::Due(Timer::Lead(X)), &[to_named(V4, told), set(Timer::Lead(X), 4.5)]);
    assert_eq!(node.noted(|step| *step == Step::Deleted { robot: V5 }), 1);
    // V5 comes too late.
    node.check(4.0, hears(V5, accept()), &[]);
    // Now only the LEAD itself is left: ambiguity 4, it takes the task without a word.
    let outputs = node.give_at(4.5, Given::Due(Timer::Lead(X)));
    assert_eq!(said(&outputs), ["Status"]);
    assert!(node.holds(X));
}

/// Figure 1c: "No good bids", "Wait to retry", "Wait time elapsed", "Send solicitation".
#[test]
fn figure_1c_without_a_good_bid_the_lead_waits_and_solicits_again() {
    let mut node = vehicle(V1, 20.0);
    node.body.percepts = Percepts::NONE;
    node.give(hears(USER, task()));
    node.give_at(0.1, hears(USER, ack_lead(V1, 1)));
    // "Cannot" is a bid, though not a good one.
    let cannot = Message::Bid { about: by_name(&group()), ballot: ballot(1, V1), costs: vec![Quote::Cannot] };
    node.give_at(0.2, hears(V5, cannot));
    node.check(3.1, Given::Due(Timer::Lead(X)), &[set(Timer::Lead(X), 5.1)]);
    assert_eq!(node.order().lead().map(|lead| &lead.stage), Some(&LeadStage::Retrying));
    assert_eq!(node.noted(|step| matches!(step, Step::NoGoodBids { bids: 1, .. })), 1);
    let again = solicitation(about(&group()), ballot(2, V1), 8.1, 12.3);
    node.check(5.1, Given::Due(Timer::Lead(X)), &[to_all(again), set(Timer::Lead(X), 8.1)]);
}

/// Ambiguity 4: a LEAD may win its own task without radio.
#[test]
fn a_lead_may_win_its_own_task_without_radio() {
    let mut team = Team::of(Drawn, 1);
    team.inject().run_until(40.0);
    assert_eq!(team.done(X), [V1]);
    for kind in ["Bid", "BidAck", "Assignment", "Accept", "AcceptAck"] {
        assert_eq!(team.count(kind), 0, "{kind}");
    }
}
