//! The Collaborative Tasking Protocol as it was published: the state machines of Figure 1, the three claims of §2.1 with
//! their conditions, the example mission of §4. [MacKenzie 2003]
//!
//! Everything here is about `Variant::Drawn` unless a test says otherwise. The paper names no times: those of
//! `Config::mackenzie_2003` are meant. Every time-out is as short as chance allows unless a test is about chance.

mod harness;

use std::collections::BTreeSet;

use harness::tasking::*;
use muster_core::tasking::config::Config;
use muster_core::tasking::group::{Group, Phases};
use muster_core::tasking::lead::Stage as LeadStage;
use muster_core::tasking::peer::Peer;
use muster_core::tasking::user::Stage as UserStage;
use muster_core::tasking::{Message, Step, Timer, Variant, Vehicle};
use muster_core::{Action, Brief, Duration, Order, Output, Percept, Percepts, Point, Recipient, RobotId, TaskId, Time};

use Variant::{Drawn, Fenced};

/// A vehicle of a team of five and a console.
fn vehicle(id: RobotId, away_s: f64) -> Node {
    Node::vehicle(id, away_s, config(Drawn, 6))
}

fn user() -> Node {
    Node::console(USER, config(Drawn, 6))
}

/// The order as the USER tells it.
fn asked() -> std::sync::Arc<Group> {
    Group::new(USER, brief(), 0)
}

fn task() -> Message {
    Message::Task { about: about(&asked()) }
}

fn claim_lead() -> Message {
    Message::ClaimLead { about: by_name(&asked()) }
}

fn ack_lead(lead: RobotId, epoch: u32) -> Message {
    Message::AckLead { about: by_name(&asked()), lead, epoch }
}

/// V1, 26.6 s away, has been made the LEAD at 0.1 s.
fn lead() -> Node {
    let mut node = vehicle(V1, 26.6);
    node.give(hears(USER, task()));
    node.give_at(0.1, hears(USER, ack_lead(V1, 1)));
    node
}

/// What `node` would bid for X at 0.1 s.
fn bid_by(mut node: Node) -> Message {
    let outputs = node.give_at(0.1, hears(V1, solicitation(about(&group()), ballot(1, V1), 3.1, 7.3)));
    sent(&outputs).next().expect("it bids").1.clone()
}

/// V5, 14.6 s away, has bid to V1 at 0 s and been acknowledged.
fn bidder() -> Node {
    let mut node = vehicle(V5, 14.6);
    node.give(hears(V1, solicitation(about(&group()), ballot(1, V1), 3.0, 7.0)));
    node.give(hears(V1, Message::BidAck { about: by_name(&group()), ballot: ballot(1, V1) }));
    node
}

/// V5 has X in its queue since 3 s, for 22 s.
fn assigned() -> Node {
    let mut node = bidder();
    node.give_at(3.0, hears(V1, to_v5()));
    node.give(hears(V1, accept_ack()));
    assert!(node.holds(X));
    node
}

fn to_v5() -> Message {
    assignment(by_name(&group()), ballot(1, V1), &[(0, holder(V5, 22.0))], 7.0)
}

fn accept() -> Message {
    Message::Accept { about: by_name(&group()), ballot: ballot(1, V1), index: 0 }
}

fn accept_ack() -> Message {
    Message::AcceptAck { about: by_name(&group()), ballot: ballot(1, V1), index: 0 }
}

/// A report of V5 on X.
fn report(number: u32) -> Message {
    status(about(&group()), ballot(1, V1), holder(V5, 22.0), number)
}

/// A PEER that has heard V5 report at 0 s.
fn peer(id: RobotId) -> Node {
    let mut node = vehicle(id, 20.0);
    node.give(hears(V5, report(1)));
    node
}

// ---- Figure 1a: a user injecting a task ----

/// Figure 1a: Start, "Broadcast task", "wait for claimLead".
#[test]
fn figure_1a_the_user_broadcasts_the_task_and_waits_for_a_claim() {
    let mut node = user();
    node.check(0.0, inject(brief()), &[to_all(task()), set(Timer::User(X), 1.0)]);
    assert_eq!(node.steps(X), [Step::Injected]);
}

/// Figure 1a: "Timeout", "Wait to retry", "Wait elapsed", "Broadcast task".
#[test]
fn figure_1a_without_a_claim_the_user_waits_and_broadcasts_again() {
    let mut node = user();
    node.give(inject(brief()));
    node.check(1.0, Given::Due(Timer::User(X)), &[set(Timer::User(X), 3.0)]);
    // Whoever claims now is too late: it would wait for an acknowledgement that crosses the next broadcast.
    node.check(2.0, hears(V1, claim_lead()), &[]);
    node.check(3.0, Given::Due(Timer::User(X)), &[to_all(task()), set(Timer::User(X), 4.0)]);
}

/// Figure 1a: "claimLead received", "Ack ClaimLead (any one)", "Wait for task solicitation".
#[test]
fn figure_1a_the_user_acknowledges_one_claim() {
    let mut node = user();
    node.give(inject(brief()));
    let acknowledged = [to_named(V2, ack_lead(V2, 1)), set(Timer::User(X), 1.6)];
    node.check(0.1, hears(V2, claim_lead()), &acknowledged);
    node.check(0.1, hears(V1, claim_lead()), &[]);
    assert_eq!(node.order().user().map(|user| user.stage), Some(UserStage::Solicitation(V2)));
    // The acknowledgement was lost: the same vehicle gets another, no other does.
    node.check(0.1, hears(V2, claim_lead()), &acknowledged);
}

/// Figure 1a: "Wait for task solicitation", "Timeout", "Wait to retry".
#[test]
fn figure_1a_without_a_solicitation_the_user_broadcasts_again() {
    let mut node = user();
    node.give(inject(brief()));
    node.give_at(0.1, hears(V2, claim_lead()));
    node.check(1.6, Given::Due(Timer::User(X)), &[set(Timer::User(X), 3.6)]);
    node.check(3.6, Given::Due(Timer::User(X)), &[to_all(task()), set(Timer::User(X), 4.6)]);
    // The next LEAD leads a later attempt.
    node.check(3.7, hears(V3, claim_lead()), &[to_named(V3, ack_lead(V3, 2)), set(Timer::User(X), 5.2)]);
}

/// Figure 1a: "Got it", "Done". §1: "the user is not required to maintain connectivity with the robot team after
/// injecting the task".
#[test]
fn figure_1a_the_user_is_done_when_it_hears_the_solicitation() {
    let mut node = user();
    node.give(inject(brief()));
    node.give_at(0.1, hears(V2, claim_lead()));
    node.check(0.2, hears(V2, solicitation(about(&group()), ballot(1, V2), 3.2, 7.0)), &[]);
    assert!(node.machine.order(X).is_none());
    assert_eq!(node.next_timer(), None);
}

/// §2.1, Claim 1 needs only one vehicle in touch with the user, and only until then.
#[test]
fn the_user_may_go_once_the_task_is_solicited() {
    let mut team = Team::of(Drawn, 5);
    team.inject();
    assert!(team.run_while(1.0, |team| team.count("Solicitation") == 0));
    team.kill(USER).run_until(60.0);
    assert_eq!(team.done(X), [V5]);
}

// ---- Figure 1b: a vehicle responding to a task ----

/// Figure 1b: "Wait for task", "send claimLead", "Wait for AckLead".
#[test]
fn figure_1b_a_vehicle_claims_the_lead_of_a_task_it_hears_of() {
    vehicle(V1, 20.0).check(0.0, hears(USER, task()), &[to_only(USER, claim_lead()), set(Timer::Candidate(X), 1.0)]);
}

/// Figure 1b: "Start LEAD task".
#[test]
fn figure_1b_the_acknowledged_vehicle_leads() {
    let node = lead();
    let lead = node.order().lead().expect("it leads");
    assert_eq!((lead.ballot, &lead.stage), (ballot(1, V1), &LeadStage::Bidding));
}

/// Figure 1b: "To someone else", back to "Wait for task".
#[test]
fn figure_1b_a_claim_ends_when_another_is_acknowledged() {
    let mut node = vehicle(V1, 20.0);
    node.give(hears(USER, task()));
    let overheard = Given::HearsTo(USER, Recipient::Named(V2), ack_lead(V2, 1));
    node.check(0.1, overheard, &[]);
    assert!(node.machine.order(X).is_none());
    // An acknowledgement that comes out of nowhere makes nobody the LEAD.
    node.check(0.2, hears(USER, ack_lead(V1, 1)), &[]);
}

/// Figure 1b: "timeout", back to "Wait for task"; then a second broadcast is claimed like the first.
#[test]
fn figure_1b_a_claim_that_is_not_acknowledged_is_dropped() {
    let mut node = vehicle(V1, 20.0);
    node.give(hears(USER, task()));
    node.check(1.0, Given::Due(Timer::Candidate(X)), &[]);
    assert!(node.machine.order(X).is_none());
    node.check(3.0, hears(USER, task()), &[to_only(USER, claim_lead()), set(Timer::Candidate(X), 4.0)]);
}

// ---- Figure 1c: managing task assignment ----

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
    let cannot = Message::Bid { about: by_name(&group()), ballot: ballot(1, V1), costs: vec![None] };
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

// ---- Figure 1d: bidding on a task ----

/// Figure 1d: "Got solicitation", "Send bid", "Wait for bid Ack".
#[test]
fn figure_1d_a_vehicle_bids_on_what_is_solicited() {
    let mut node = vehicle(V5, 14.6);
    let outputs = node.give(hears(V1, solicitation(about(&group()), ballot(1, V1), 3.0, 7.0)));
    let [_, Output::Send { to: Recipient::Only(V1), message: Message::Bid { costs, .. } }, timer, ..] = &outputs[..]
    else {
        panic!("{outputs:?}");
    };
    assert_eq!(*timer, set(Timer::Bidder(X), 0.7));
    // §3: 21 times by 8 headings by 2 bytes are 336 bytes.
    assert_eq!(costs[0].as_ref().map(|surface| 2 * surface.samples().len()), Some(336));
}

/// Figure 1d: "Wait for bid Ack", "Timeout", "Send bid". Ambiguities 1 and 2: three times again, then it gives up, and
/// to give up is to forget.
#[test]
fn figure_1d_a_bid_is_sent_again_three_times_and_then_given_up() {
    let mut node = vehicle(V5, 14.6);
    node.give(hears(V1, solicitation(about(&group()), ballot(1, V1), 3.0, 7.0)));
    let again = node.until(2.1);
    assert_eq!(
        again.iter().map(|(at_s, it)| (*at_s, it.name())).collect::<Vec<_>>(),
        [0.7, 1.4, 2.1].map(|at_s| (at_s, "Bid"))
    );
    assert_eq!(node.until(60.0), []);
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
    let said = node.until(6.0);
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
    let said = node.until(21.9);
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
    assert_eq!(node.until(60.0), []);
}

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
    assert_eq!(*node.order().peer(), Peer::Monitoring);
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

// ---- Claim 1: task completion ----

/// Claim 1, the first case: v_i-1 is assigned. One status report within t_sync >= t_status makes v_i aware; when v_i-1
/// is gone, v_i sees to the task.
#[test]
fn claim_1_awareness_passes_on_by_status() {
    let mut team = Team::of(Drawn, 2);
    team.kill(V2).inject();
    assert_eq!(team.until_held(X), V1);
    let met = team.now_s() + 2.0;
    team.run_until(met).restart(V2, false);
    // t_status and the delay of the radio.
    team.run_until(met + 1.2);
    assert_eq!(team.aware(), [V1, V2]);
    team.kill(V1).run_until(80.0);
    assert_eq!(team.done(X), [V2]);
}

/// Claim 1, the second case: v_i-1 is a PEER and nobody is assigned. One challenge within t_sync >= t_peer does it.
#[test]
fn claim_1_awareness_passes_on_by_challenge() {
    let mut team = Team::of(Drawn, 3);
    team.kill(V2).kill(V3).inject();
    assert_eq!(team.until_held(X), V1);
    let met = team.now_s();
    team.restart(V2, false).run_until(met + 1.2);
    assert_eq!(team.aware(), [V1, V2]);
    team.kill(V1).restart(V3, false);
    let challenged = |team: &Team| team.count("Challenge") == 0;
    assert!(team.run_while(met + 12.0, challenged), "t_peer and its jitter");
    let then = team.now_s();
    team.run_until(then + 0.1);
    assert_eq!(team.aware(), [V2, V3]);
    // A chain: v0, v1, v2, each gone before the next but one has come.
    team.kill(V2).run_until(80.0);
    assert_eq!(team.done(X), [V3]);
}

/// Claim 1 as a whole: at no time from t0 to t1 is there no operational vehicle that is aware of the task, though each
/// is gone a while after the next has come.
#[test]
fn claim_1_somebody_is_always_aware_along_a_chain() {
    for seed in 0..5 {
        let mut team = Team::of(Drawn, 4).seeded(seed);
        team.kill(V2).kill(V3).kill(V4).inject();
        team.until_held(X);
        for (old, new) in [(V1, V2), (V2, V3), (V3, V4)] {
            let now = team.now_s();
            team.restart(new, false);
            // t_sync of both cases: t_peer with its jitter, and the delay.
            for step in 1..=24 {
                team.run_until(now + 0.5 * f64::from(step));
                assert!(!team.aware().is_empty() || !team.done(X).is_empty(), "seed {seed}, {now}");
            }
            team.kill(old);
        }
        team.run_until(140.0);
        assert_eq!(team.done(X).len(), 1, "seed {seed}");
    }
}

// ---- Claim 2: task duplication ----

/// The star of the specification: V1 hears everybody, the others hear V1 only.
fn star(variant: Variant) -> Team {
    let mut team = Team::of(variant, 5);
    team.only(&[(V1, USER), (V1, V2), (V1, V3), (V1, V4), (V1, V5)]);
    team
}

/// Claim 2 as printed is false: V5 gets a status report to *a* vehicle (V1) every t_status, and X is done twice. A peer
/// that does not hear V5 challenges, and V1, which does, is silent (W5).
#[test]
fn claim_2_as_printed_is_false_in_a_star() {
    let mut team = star(Drawn);
    team.inject();
    assert_eq!(team.until_held(X), V5);
    team.run_until(100.0);
    assert!(team.done(X).len() > 1, "{:?}", team.done(X));
}

/// Claim 2 holds with the fixes: whoever has heard V5 lately says so (F4).
#[test]
fn claim_2_holds_in_a_star_with_the_fixes() {
    for seed in 0..10 {
        let mut team = star(Fenced).seeded(seed);
        team.inject().run_until(100.0);
        assert_eq!(team.done(X).len(), 1, "seed {seed}: {:?}", team.executions);
    }
}

/// Claim 2 in a mesh, as drawn and as mended: nothing is lost, so only one does it, and nobody ever challenges.
#[test]
fn claim_2_holds_where_everybody_hears_everybody() {
    for (variant, seed) in Variant::ALL.into_iter().flat_map(|variant| (0..5).map(move |seed| (variant, seed))) {
        let mut team = Team::of(variant, 5).seeded(seed);
        team.inject().run_until(100.0);
        assert_eq!(team.done(X).len(), 1, "{variant:?}");
        assert_eq!(team.count("Challenge"), 0, "{variant:?}");
    }
}

/// Claim 2, the proof: "unable to communicate", "persisted until one of the vehicles executed the task": then two do,
/// whatever the protocol, and with F5 both are told when they meet again.
#[test]
fn claim_2_does_not_hold_across_a_partition_that_outlasts_execution() {
    for variant in Variant::ALL {
        let mut team = Team::of(variant, 5);
        team.inject();
        assert_eq!(team.until_held(X), V5);
        team.isolate(V5).run_until(80.0);
        assert_eq!(team.done(X).len(), 2, "{variant:?}");
        team.heal().run_until(90.0);
        let duplicates = team.nodes.values().map(|node| node.noted(|step| matches!(step, Step::Duplicate { .. })));
        assert_eq!(duplicates.sum::<usize>() > 0, variant == Fenced, "{variant:?}");
    }
}

/// §2.1: "t_peer will vary based on the type of task and assigned vehicle".
#[test]
fn t_peer_is_that_of_the_task() {
    let silence = Some(Duration::from_secs(60));
    let group = Group::new(USER, Brief { silence, ..brief() }, 0).decomposed(None).expect("one task");
    let mut node = vehicle(V2, 20.0);
    node.check(
        0.0,
        hears(V5, status(about(&group), ballot(1, V1), holder(V5, 200.0), 1)),
        &[set(Timer::Peer(X), 60.0)],
    );
}

/// The same of the vehicle: it says how long it will be silent, and is.
#[test]
fn t_peer_is_that_of_the_vehicle() {
    let silence = Some(Duration::from_secs(60));
    let mut stealthy = Node::new(
        V5,
        Point::new(TARGET.x + 14.6, TARGET.y),
        config(Drawn, 6),
        Vehicle { silence, ..Vehicle::hotspot() },
    );
    stealthy.give(hears(V1, solicitation(about(&group()), ballot(1, V1), 3.0, 7.0)));
    stealthy.give_at(3.0, hears(V1, assignment(by_name(&group()), ballot(1, V1), &[(0, holder(V5, 107.0))], 7.0)));
    let outputs = stealthy.give(hears(V1, accept_ack()));
    let report = sent(&outputs).next().expect("a report").1.clone();
    // It reports as much less often as its peers are more patient: every 6 s.
    assert!(outputs.contains(&set(Timer::Status(X), 9.0)), "{outputs:?}");
    let mut node = vehicle(V2, 20.0);
    node.give_at(3.0, hears(V5, report));
    assert_eq!(node.timers.deadline(Timer::Peer(X)), Some(at(63.0)));
}

/// §2.1: "The transmission time of status and challenge messages should also be randomized".
#[test]
fn status_and_challenge_times_are_randomised() {
    let mut node = peer(V2);
    node.luck = Luck::Most;
    node.give_at(1.0, hears(V5, report(2)));
    let deadline = node.timers.deadline(Timer::Peer(X)).expect("it watches").as_secs_f64();
    assert!((11.9..12.0).contains(&deadline), "{deadline}");
    let mut team = Team::of(Drawn, 5).seeded(7);
    team.inject().run_until(20.0);
    let times: Vec<Time> = team.sent("Status").map(|sent| sent.at).collect();
    let gaps: BTreeSet<u64> = times.windows(2).map(|pair| (pair[1] - pair[0]).as_micros()).collect();
    assert!(gaps.len() > 10 && gaps.iter().all(|gap| (1_000_000..1_100_000).contains(gap)), "{gaps:?}");
}

/// §2.1: "communications cognizantly fail, to allow queuing and retransmission of the latest status report when the
/// link is again available".
#[test]
fn the_latest_status_is_queued_while_the_link_is_known_to_be_down() {
    let mut node = assigned();
    node.give_at(5.5, Given::Senses(Percept::Link(false)));
    assert_eq!(node.until(9.2), []);
    let outputs = node.give_at(9.2, Given::Senses(Percept::Link(true)));
    assert_eq!(said(&outputs), ["Status"], "the latest, and only that");
}

/// §2.1: nobody is blamed for what could not be heard: a PEER whose own link was down does not challenge at once.
#[test]
fn a_peer_does_not_challenge_over_a_link_that_is_known_to_be_down() {
    let mut node = peer(V2);
    node.give_at(5.0, Given::Senses(Percept::Link(false)));
    assert_eq!(node.until(25.0), []);
    node.give_at(25.0, Given::Senses(Percept::Link(true)));
    assert_eq!(node.until(34.9), []);
    assert_eq!(node.until(35.0).len(), 1, "but t_peer later it does");
}

/// §2.1: "the primary reaction to poor communications must be to expand the timeout periods". With the fixes; as drawn
/// nothing is measured.
#[test]
fn time_outs_expand_with_the_measured_loss() {
    let patience = |variant, every: u32| {
        let mut node = Node::vehicle(V2, 20.0, config(variant, 6));
        for n in 0..60 {
            node.give_at(
                f64::from(n * every),
                hears(V5, status(about(&group()), ballot(1, V1), holder(V5, 900.0), n * every)),
            );
        }
        (node.timers.deadline(Timer::Peer(X)).expect("it watches") - node.now).as_secs_f64()
    };
    assert_eq!(patience(Fenced, 1), 10.0);
    // Two of three reports lost: 0.67^22 < 1e-4.
    assert!((18.0..26.0).contains(&patience(Fenced, 3)), "{}", patience(Fenced, 3));
    assert_eq!(patience(Drawn, 3), 10.0);
}

// ---- Claim 3: communication load ----

/// Claim 3: L = T (2V + 3) + t_dur T / t_status + T, term by term, of one task that nothing goes wrong with. As drawn
/// the LEAD acknowledges the acceptance, too, so 2V + 4; V are the other bidders, because the LEAD does not bid by
/// radio; and the injection is not counted.
#[test]
fn claim_3_message_count_of_one_task() {
    let mut team = Team::of(Drawn, 5);
    team.inject().run_until(100.0);
    let count = |kind| team.count(kind);
    let bidding = ["Solicitation", "Bid", "BidAck", "Assignment", "Accept", "AcceptAck"].map(count);
    assert_eq!(bidding, [1, 4, 4, 1, 1, 1]);
    assert_eq!(bidding.iter().sum::<usize>(), 2 * 4 + 4);
    // Not in the formula: the task, a claim of each of five, one acknowledgement.
    assert_eq!(["Task", "ClaimLead(user)", "AckLead"].map(count), [1, 5, 1]);
    // t_dur / t_status, and one at once: from 3.3 s, when it is queued, to 21.35 s, when it is announced.
    let pending = team.sent("Completion").next().expect("one").at - team.sent("Status").next().expect("one").at;
    assert_eq!(pending.as_secs_f64(), 18.05);
    assert_eq!(count("Status"), 18 + 1);
    // L_execute = 1.
    assert_eq!(count("Completion"), 1);
    // "During normal execution" there is nothing else.
    assert_eq!(team.log.len(), 12 + 7 + 19 + 1);
}

/// Claim 3 for coupled tasks: they share one solicitation and one bid, so bidding takes 1 + 2V + 3T, not T (2V + 4);
/// again the LEAD neither bids nor accepts by radio.
#[test]
fn claim_3_message_count_of_a_group() {
    let mut team = doug(Drawn);
    team.order(USER, Order::Inject(mission())).run_until(6.0);
    // Three vehicles, the LEAD among them: two others bid, two others win.
    let bidding = ["Solicitation", "Bid", "BidAck", "Assignment", "Accept", "AcceptAck"].map(|kind| team.count(kind));
    assert_eq!(bidding, [1, 2, 2, 2, 2, 2]);
}

/// §2.1: status load is 1 / t_status per pending task, whoever many watch.
#[test]
fn claim_3_status_load_grows_with_tasks_not_with_vehicles() {
    let statuses = |tasks: u32, vehicles| {
        let mut team = Team::of(Drawn, vehicles);
        for n in 0..tasks {
            team.order(USER, Order::Inject(brief_of(TaskId(10 + n))));
        }
        team.run_until(17.3);
        let since = |sent: &&Sent| sent.at > at(7.3);
        team.sent("Status").filter(since).count()
    };
    assert_eq!([statuses(1, 3), statuses(1, 5), statuses(3, 5)], [10, 10, 30]);
}

// ---- §3, §4 ----

/// §3: "deploying a squadron with pre-planned" targets "that could be executed in radio silence. When radio silence is
/// broken, new tasks or constraints could be added".
#[test]
fn a_mission_assigned_before_is_flown_in_radio_silence() {
    for variant in Variant::ALL {
        let silence = Some((at(6.0), at(60.0)));
        let mut team = Team::with(Config { silence, ..config(variant, 6) }, 5);
        team.order(USER, Order::Inject(brief()));
        team.order(USER, Order::Inject(brief_of(TaskId(20))));
        team.run_until(60.0 - 1e-6);
        assert_eq!(team.executions.len(), 2, "{variant:?}");
        let spoke = team.log.iter().filter(|sent| sent.at >= at(6.0)).count();
        assert_eq!(spoke, 0, "{variant:?}: {spoke} transmissions in silence");
        // Tasks are added when silence is broken.
        team.run_until(61.0).order(USER, Order::Inject(brief_of(TaskId(30))));
        team.run_until(110.0);
        assert_eq!(team.done(TaskId(30)).len(), 1, "{variant:?}");
        if variant == Fenced {
            assert_eq!(team.executions.len(), 3, "and nothing is done again");
        }
    }
}

/// §1: "Multiple users must be able to quickly inject tasks at any time".
#[test]
fn several_users_inject_tasks() {
    for variant in Variant::ALL {
        let other = RobotId(9);
        let mut team = Team::of(variant, 5);
        team.nodes.insert(other, Node::console(other, config(variant, 7)));
        team.inject();
        team.order(other, Order::Inject(brief_of(TaskId(20)))).run_until(1.7);
        team.order(other, Order::Inject(brief_of(TaskId(30)))).run_until(120.0);
        for task in [10, 20, 30].map(TaskId) {
            assert_eq!(team.done(task).len(), 1, "{variant:?}, {task}: {:?}", team.executions);
        }
    }
}

/// The three vehicles of §4 where they reproduce its figures (specification, section 5).
fn doug(variant: Variant) -> Team {
    let config = config(variant, 4);
    let vehicle = |id, x, y| Node::new(id, Point::new(x, y), config.clone(), Vehicle::hotspot());
    Team::new([
        Node::console(USER, config.clone()),
        vehicle(V2, 17.94, 14.04),
        vehicle(V3, 25.54, 51.28),
        vehicle(V4, 46.40, 27.90),
    ])
}

/// §4, Figure 3: "the CTM resident on the taskLead decomposes the high-level task into three executable tasks and
/// broadcasts these", each with its place.
#[test]
fn figure_3_the_lead_decomposes_the_mission() {
    for variant in Variant::ALL {
        let mut team = doug(variant);
        team.order(USER, Order::Inject(mission())).run_until(1.0);
        let Message::Task { about } = &team.sent("Task").next().expect("a task").message else { panic!() };
        assert!(about.group.as_ref().is_some_and(|group| group.members.is_empty()), "the user does not");
        let solicited = &team.sent("Solicitation").next().expect("a solicitation").message;
        let Message::Solicitation { about, phases, .. } = solicited else { panic!() };
        let group = about.group.as_ref().expect("in full");
        assert_eq!(*phases, Phases::first(3));
        assert_eq!(group.members.iter().map(|member| member.kind).collect::<Vec<_>>(), [VERIFY, DROP, ASSESS]);
        assert!(group.members.iter().all(|member| member.place == TARGET));
        assert_eq!(group.couplings, template().couplings);
    }
}

/// §4: doug4 verifies at t = 15 s with heading 180, doug2 drops at t = 20 s with 45, doug3 assesses at t = 25 s with
/// 270; and so they fly, each once.
#[test]
fn section_4_the_three_phase_mission_is_assigned_as_published() {
    for variant in Variant::ALL {
        let mut team = doug(variant);
        team.order(USER, Order::Inject(mission())).run_until(60.0);
        let t0 = match &team.sent("Solicitation").next().expect("a solicitation").message {
            Message::Solicitation { t0, .. } => *t0,
            other => panic!("{other:?}"),
        };
        let crossed: Vec<(u32, RobotId, f64)> =
            team.executions.iter().map(|(task, by, when)| (task.0 - X.0, *by, (*when - t0).as_secs_f64())).collect();
        assert_eq!(crossed, [(0, V4, 15.0), (1, V2, 20.0), (2, V3, 25.0)], "{variant:?}");
        let headings = [(V4, 0, 180_000), (V2, 1, 45_000), (V3, 2, 270_000)];
        for (robot, phase, heading) in headings {
            let task = TaskId(X.0 + phase);
            let held = team.node(robot).steps(task).into_iter().find_map(|step| match step {
                Step::Holds { holder, .. } => Some(holder.heading),
                _ => None,
            });
            assert_eq!(held, Some(heading), "{variant:?}, {task}");
        }
        // The cost of it all is 120.40, the published 40 of doug2 among it.
        let lead = team.nodes.values().find(|node| node.noted(|step| matches!(step, Step::Leads { .. })) > 0);
        let cost = |step: &Step| if let Step::Assigned { cost, .. } = step { Some(*cost) } else { None };
        let lead = lead.expect("somebody led");
        let costs: Vec<u16> = (0..3).filter_map(|n| lead.steps(TaskId(X.0 + n)).iter().find_map(cost)).collect();
        assert_eq!(costs, [3_000, 4_000, 5_040], "{variant:?}");
    }
}

/// §4: the vehicles hold until t0, which is not before all have had time to accept.
#[test]
fn nobody_leaves_before_times_begin_to_count() {
    for variant in Variant::ALL {
        let mut team = doug(variant);
        team.order(USER, Order::Inject(mission())).run_until(6.0);
        let config = config(variant, 4);
        let Message::Solicitation { closes, t0, .. } = team.sent("Solicitation").next().expect("one").message else {
            panic!()
        };
        assert_eq!(t0, closes + config.acceptance() + config.settle, "{variant:?}");
        for node in team.nodes.values() {
            assert!(node.machine.own().held().iter().all(|held| held.t0 == t0), "{variant:?}");
        }
    }
}
