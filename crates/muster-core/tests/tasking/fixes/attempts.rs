//! F3, W7, W11: attempts are ordered.

use super::*;

/// W7: a double assignment after a partition has healed. As drawn the challenge gets two answers and settles nothing;
/// with F3 the lower attempt yields as soon as it hears of the higher.
#[test]
fn w7_a_double_assignment_is_settled_before_execution() {
    let scenario = |variant| {
        let mut team = far(variant, 5).seeded(4);
        team.inject();
        assert_eq!(team.until_held(X), V5);
        team.isolate(V5).run_until(40.0);
        assert_eq!(team.holders(X), [V4, V5], "{variant:?}");
        team.heal().run_until(43.0);
        team
    };
    let mut drawn = scenario(Drawn);
    drawn.run_until(60.0);
    assert_eq!(drawn.holders(X), [V4, V5]);
    let double = |sent: &&Sent| matches!(sent.message, Message::Challenge { double: true, .. });
    assert!(drawn.sent("Challenge").filter(double).count() > 10);
    let mut fenced = scenario(Fenced);
    assert_eq!(fenced.holders(X), [V4], "the later attempt stays");
    assert_eq!(fenced.node(V5).noted(|step| matches!(step, Step::Yielded { .. })), 1);
    fenced.run_until(150.0);
    assert_eq!(fenced.done(X), [V4]);
}

/// F3: what is held at a lower attempt is let go; a lower attempt that is heard of is told, not yielded to.
#[test]
fn f3_the_lower_attempt_yields() {
    let mut node = assigned(brief());
    let other = |epoch, lead| status(about(&group()), ballot(epoch, lead), holder(V4, 70.0), 1);
    let outputs = node.give_at(4.0, hears(V4, other(1, USER)));
    assert_eq!(said(&outputs), ["Status"]);
    assert!(node.holds(X));
    // The same epoch of a LEAD with a higher GUID.
    let outputs = node.give_at(5.0, hears(V4, other(1, V2)));
    assert!(outputs.contains(&muster_core::Output::Act(muster_core::Action::Stop)), "{outputs:?}");
    assert!(!node.holds(X));
    assert_eq!(node.noted(|step| *step == Step::Yielded { to: ballot(1, V2) }), 1);
}

/// F3: a LEAD yields to a higher one.
#[test]
fn f3_a_lead_yields_to_a_higher_one() {
    let mut node = fenced(V1);
    let asked = Group::new(USER, brief(), 0);
    node.give(hears(USER, Message::Task { about: about(&asked) }));
    node.give(hears(USER, Message::AckLead { about: about(&asked), lead: V1, epoch: 1 }));
    node.give_at(0.5, hears(V3, solicitation(about(&group()), ballot(1, V3), 3.5, 12.0)));
    assert!(node.order().lead().is_none());
    assert!(node.order().bidder().is_some_and(|bidder| bidder.ballot == ballot(1, V3)), "it bids instead");
}

/// Stale epochs: an old Assignment, AcceptAck or Solicitation changes nothing, and who sent it is told.
#[test]
fn f3_stale_attempts_are_ignored_and_answered() {
    let mut node = peer(V2);
    node.give_at(1.0, hears(V5, report(ballot(7, V3), 2)));
    let stale = [
        assignment(about(&group()), ballot(2, V1), &[(0, holder(V2, 60.0))], 12.0),
        solicitation(about(&group()), ballot(2, V1), 9.0, 12.0),
        Message::LeadStatus { about: about(&group()), ballot: ballot(2, V1), phases: Phases::first(1), number: 1 },
    ];
    for message in stale {
        let name = message.name();
        assert!(said(&node.give(hears(V1, message))).is_empty(), "{name}");
        assert!(node.order().bidder().is_none(), "{name}");
        assert_eq!(node.order().slots()[0].ballot, ballot(7, V3), "{name}");
        let answers = answer(&mut node);
        assert!(
            matches!(&answers[..], [Message::StatusRelay { ballot, .. }] if *ballot == muster_core::tasking::Ballot::new(7, V3)),
            "{name}: {answers:?}"
        );
    }
    let acknowledged = Message::AcceptAck { about: about(&group()), ballot: ballot(2, V1), index: 0 };
    node.give(hears(V1, acknowledged));
    assert!(!node.holds(X));
}

/// W11: Accept, AcceptAck, Assignment, Bid or BidAck is lost. Whoever waits for an acknowledgement has not begun.
#[test]
fn w11_a_lost_acknowledgement_neither_loses_nor_doubles_a_task() {
    for kind in ["Accept", "AcceptAck", "Assignment", "Bid", "BidAck"] {
        for (variant, count) in Variant::ALL.into_iter().flat_map(|variant| [1, 3].map(|count| (variant, count))) {
            let mut team = Team::of(variant, 5).seeded(5);
            team.lose_between(kind, None, None, count);
            team.inject().run_until(150.0);
            assert_eq!(team.done(X).len(), 1, "{variant:?}, {kind} lost {count} times: {:?}", team.world.executions);
        }
    }
}

/// W12: AckLead is lost, or the USER alone misses the solicitation: it asks again, and that is harmless.
#[test]
fn w12_the_user_asks_again_and_nothing_is_done_twice() {
    for variant in Variant::ALL {
        let scenario = |team: &mut Team| {
            team.lose("AckLead", 5).inject();
        };
        assert_eq!(outcomes(variant, 120.0, scenario), ONCE, "{variant:?}");
        let scenario = |team: &mut Team| {
            team.lose_between("Solicitation", None, Some(USER), 100).inject();
        };
        assert_eq!(outcomes(variant, 120.0, scenario), ONCE, "{variant:?}");
    }
}

/// W12: any later message about the task is proof enough for the USER.
#[test]
fn w12_any_later_message_satisfies_the_user() {
    let asking = || {
        let mut node = Node::console(USER, config(Fenced, 6));
        node.give(inject(brief()));
        node
    };
    let lead_status =
        Message::LeadStatus { about: about(&group()), ballot: ballot(1, V5), phases: Phases::first(1), number: 1 };
    let to_v4 = assignment(about(&group()), ballot(1, V5), &[(0, holder(V4, 60.0))], 12.0);
    for message in [lead_status, report(ballot(1, V1), 1), to_v4, done(&[deed(V5, 2.0)])] {
        let mut node = asking();
        node.give_at(0.5, hears(V5, message));
        assert!(node.order().user().is_none());
        assert_eq!(node.timers.deadline(Timer::User(X)), None);
    }
}
