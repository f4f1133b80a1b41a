//! W1, F1: everybody who hears of a task looks after it.

use super::*;

/// W1: the LEAD dies after its solicitation. As drawn the task falls on the floor.
#[test]
fn w1_the_lead_dies_after_its_solicitation() {
    let scenario = |team: &mut Team| {
        team.inject();
        assert!(team.run_while(5.0, |team| team.count("BidAck") < 4));
        let lead = team.leads()[0];
        team.kill(lead);
    };
    assert_eq!(outcomes(Drawn, 120.0, scenario), NEVER);
    assert_eq!(outcomes(Fenced, 120.0, scenario), ONCE);
}

/// F1: whatever a node hears first makes it a PEER with a running timer.
#[test]
fn f1_any_message_makes_whoever_hears_it_a_peer() {
    let (group, ballot) = (group(), ballot(1, V1));
    let of = || about(&group);
    let relay = Message::StatusRelay {
        about: of(),
        index: 0,
        ballot,
        holder: Some(holder(V5, 60.0)),
        age: Duration::from_secs(1),
    };
    let messages = [
        Message::Task { about: about(&Group::new(USER, brief(), 0)) },
        Message::AckLead { about: of(), lead: V3, epoch: 1 },
        solicitation(of(), ballot, 3.0, 12.0),
        Message::BidAck { about: of(), ballot },
        assignment(of(), ballot, &[(0, holder(V5, 60.0))], 12.0),
        report(ballot, 1),
        challenge(of()),
        claim(of(), 2),
        perceived(of(), 2, V3),
        Message::LeadStatus { about: of(), ballot, phases: Phases::first(1), number: 1 },
        relay,
    ];
    for message in messages {
        let mut node = fenced(V2);
        let name = message.name();
        let from = if matches!(message, Message::Status { .. }) { V5 } else { V1 };
        node.give(hears(from, message));
        assert!(node.is_aware(), "{name}");
        assert!(node.order().slots()[0].watched, "{name}");
        assert!(node.timers.deadline(Timer::Peer(X)).is_some(), "{name}");
    }
}

/// F1: a console is a PEER, too: it may be the last to know of the task.
#[test]
fn f1_a_console_that_is_the_last_to_know_sees_to_the_task() {
    let scenario = |variant| {
        let mut team = Team::of(variant, 2);
        team.kill(V2).inject();
        team.until_held(X);
        let now = team.now_s();
        team.run_until(now + 1.0).kill(V1).restart(V2, false).run_until(120.0);
        team.done(X).len()
    };
    assert_eq!([Drawn, Fenced].map(scenario), [0, 1]);
}

/// F1: "give up" becomes PEER.
#[test]
fn f1_a_bidder_that_gives_up_is_a_peer() {
    let mut node = fenced(V2);
    node.give(hears(V1, solicitation(about(&group()), ballot(1, V1), 3.0, 12.0)));
    let said: Vec<&str> = node.said_until(40.0).iter().map(|(_, message)| message.name()).collect();
    assert!(node.is_aware() && said.contains(&"Challenge"), "{said:?}");
}

/// W14: whoever hears only of an election learns of the task by it and takes part; as drawn it cannot.
#[test]
fn w14_a_claim_tells_a_stranger_of_the_task() {
    let mut node = fenced(V2);
    let outputs = node.give(hears(V3, claim(about(&group()), 4)));
    assert_eq!(said(&outputs), ["ClaimLead(peer)"]);
    assert!(matches!(node.order().peer(), PeerStage::Claiming(election) if election.epoch == 4));
    let mut drawn = Node::vehicle(V2, 20.0, config(Drawn, 6));
    let named = About { group: None, ..about(&group()) };
    drawn.drops(hears(V3, claim(named, 4)), Drop::Foreign);
}
