//! Figure 1a, a user injecting a task, and Figure 1b, a vehicle responding to it.

use super::*;

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
