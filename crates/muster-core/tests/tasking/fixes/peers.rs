//! F4, W5: a PEER answers for the holder. F6, W6, W15: elections.

use super::*;

// ---- F4, W5: a PEER answers for the holder ----

/// F4: a PEER with a fresh Status answers a challenge; one that has heard nothing lately joins the round instead.
#[test]
fn f4_a_peer_that_heard_the_holder_lately_answers_for_it() {
    let mut node = peer(V2);
    node.give_at(4.0, hears(V3, challenge(about(&group()))));
    let relay = Message::StatusRelay {
        about: about(&group()),
        index: 0,
        ballot: ballot(1, V1),
        holder: Some(holder(V5, 60.0)),
        age: secs(4.0),
    };
    assert_eq!(answer(&mut node), std::slice::from_ref(&relay));
    // Whoever challenged is reassured, for as long as the Status was fresh: t_peer from when V5 was heard.
    let mut other = peer(V3);
    other.give_at(4.0, hears(V2, relay));
    assert_eq!(other.timers.deadline(Timer::Peer(X)), Some(at(10.0)));
    let mut late = peer(V4);
    late.dice = Dice::most();
    late.give_at(10.5, hears(V3, challenge(about(&group()))));
    assert!(matches!(late.order().peer(), PeerStage::Replying(..)));
}

/// F4: what is relayed is not news for ever: a Status that was relayed is as old as it is, hop by hop.
#[test]
fn f4_relays_do_not_keep_a_lost_vehicle_alive() {
    for seed in 0..SEEDS {
        let mut team = far(Fenced, 5).seeded(seed);
        // A ring: whoever is lost, the others are still connected.
        team.only(&[(USER, V1), (USER, V2), (V1, V2), (V2, V3), (V3, V4), (V4, V5), (V5, V1)]);
        team.inject();
        let first = team.until_held(X);
        team.kill(first).run_until(250.0);
        assert_eq!(team.done(X).len(), 1, "seed {seed}: {:?}", team.world.executions);
    }
}

// ---- F6, W6, W15: elections ----

/// W6: in a line of five whose ends have the highest GUIDs, one exchange of winners elects two LEADs; exchanging them
/// n - 1 times elects one. The GUID as drawn, so that the line is a bad one in both.
#[test]
fn w6_winners_are_exchanged_as_often_as_the_team_is_wide() {
    let leads = |rounds| {
        let mut config = Config { rounds, ..config(Drawn, 7) };
        config.fixes.rounds = rounds > 1;
        // The first exchanges must overlap: everybody times out at once.
        let vehicle = |n: u32| Node::vehicle(RobotId(n), 59.6 + f64::from(6 - n), config.clone());
        let mut team = Team::new([Node::console(USER, config.clone())].into_iter().chain((1..=6).map(vehicle)));
        team.inject();
        assert_eq!(team.until_held(X), RobotId(6));
        // All have heard the last report of V6 before they lose it.
        let now = team.now_s();
        team.run_until(now + 0.1).kill(RobotId(6)).only(&[(V5, V1), (V1, V2), (V2, V3), (V3, V4)]);
        // t_peer, T_reply, T_claims, and each exchange of winners.
        team.run_until(now + 10.0 + 1.0 + 1.5 + 1.5 * f64::from(rounds) + 0.5);
        let led = |node: &&Node| node.noted(|step| matches!(step, Step::Leads { epoch } if *epoch > 1)) > 0;
        team.robots.values().filter(led).map(Node::id).collect::<Vec<_>>()
    };
    assert_eq!(leads(1), [V4, V5]);
    assert_eq!(leads(5), [V5]);
}

/// F6 and F3 together: in a line, with every fix, the task is done once after its vehicle is lost.
#[test]
fn f6_one_lead_comes_out_of_an_election_in_a_line() {
    for seed in 0..SEEDS {
        let mut team = far(Fenced, 6).seeded(seed);
        team.inject();
        assert_eq!(team.until_held(X), RobotId(6));
        team.kill(RobotId(6)).only(&[(V5, V1), (V1, V2), (V2, V3), (V3, V4), (USER, V2)]);
        team.run_until(200.0);
        assert_eq!(team.done(X).len(), 1, "seed {seed}: {:?}", team.world.executions);
    }
}

/// W15: V - 1 peers miss the holder at the same time. As drawn each of them challenges; with the fixes the first
/// challenge is everybody's.
#[test]
fn w15_one_challenge_is_enough() {
    let challenges = |variant, seed| {
        let mut team = Team::of(variant, 5).seeded(seed);
        team.inject();
        assert_eq!(team.until_held(X), V5);
        let now = team.now_s();
        team.run_until(now + 1.0).kill(V5);
        team.run_until(now + 16.0);
        team.count("Challenge")
    };
    for seed in 0..SEEDS {
        assert_eq!(challenges(Drawn, seed), 4, "seed {seed}");
        // Twice by the first, and by nobody else unless two were first.
        assert!(challenges(Fenced, seed) <= 3, "seed {seed}: {}", challenges(Fenced, seed));
    }
}
