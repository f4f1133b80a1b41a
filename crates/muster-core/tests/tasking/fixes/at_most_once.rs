//! W8: at most once.

use muster_core::tasking::Grant;

use super::*;

/// This life of a vehicle asks to be granted the task in this attempt.
fn asking(robot: RobotId, epoch: u32, life: u32) -> Message {
    Message::Status {
        about: about(&group_of(at_most_once(), 0)),
        ballot: ballot(epoch, V1),
        index: 0,
        holder: holder(robot, 60.0),
        patience: Duration::ZERO,
        number: life + epoch,
        asks: Some(life),
    }
}

/// At most once, and nothing goes wrong: grants are asked for and given, and it is done.
#[test]
fn at_most_once_is_done_with_the_grants_of_a_quorum() {
    for seed in 0..SEEDS {
        let mut team = Team::of(Fenced, 5).seeded(seed);
        team.order(USER, Order::Inject(at_most_once())).run_until(100.0);
        assert_eq!(team.done(X), [V5], "seed {seed}");
        assert!(team.count("Grant") >= 3, "with its own, four of six");
    }
}

/// W8: across a partition that outlasts execution. The vehicle in the minority refrains; the others do it, once.
#[test]
fn w8_at_most_once_across_a_partition() {
    for seed in 0..SEEDS {
        let mut team = Team::of(Fenced, 5).seeded(seed);
        team.order(USER, Order::Inject(at_most_once()));
        assert_eq!(team.until_held(X), V5);
        team.isolate(V5).run_until(150.0);
        assert_eq!(team.done(X), [V4], "seed {seed}");
        assert_eq!(team.node(V5).noted(|step| matches!(step, Step::Refrained { grants: 1 })), 1);
        team.heal().run_until(200.0);
        assert_eq!(team.done(X), [V4], "seed {seed}");
    }
}

/// Neither half of a team has a quorum: it is not done, rather than twice; when they meet again it is.
#[test]
fn w8_without_a_quorum_it_is_not_done() {
    for seed in 0..SEEDS {
        let mut team = Team::of(Fenced, 5).seeded(seed);
        team.order(USER, Order::Inject(at_most_once()));
        assert_eq!(team.until_held(X), V5);
        team.split(&[V5, V4, V3]).run_until(150.0);
        assert_eq!(team.done(X), [], "seed {seed}");
        team.heal().run_until(300.0);
        assert!(team.done(X).len() <= 1, "seed {seed}: {:?}", team.world.executions);
    }
}

/// A grant stays given: the vehicle that has it may have done the task though it was never heard again.
#[test]
fn w8_a_task_that_may_have_been_done_is_sealed() {
    for seed in 0..SEEDS {
        let mut team = Team::of(Fenced, 5).seeded(seed);
        team.order(USER, Order::Inject(at_most_once()));
        assert_eq!(team.until_held(X), V5);
        let due = team.node(V5).machine.held()[0].at.as_secs_f64();
        team.run_until(due - 0.5).kill(V5).run_until(200.0);
        assert_eq!(team.done(X), [], "seed {seed}");
    }
}

/// At most once whatever is lost, cut and healed.
#[test]
fn w8_at_most_once_whatever_happens() {
    let mut times_done = 0;
    for seed in 0..40 {
        let mut team = Team::of(Fenced, 5).seeded(seed);
        team.loss = 0.2;
        team.order(USER, Order::Inject(at_most_once()));
        for (n, one) in [V5, V4, V1, V3, V2].into_iter().enumerate() {
            let from = 5.0 + 14.0 * n as f64 + (seed % 7) as f64;
            team.run_until(from).split(&[one, if seed % 2 == 0 { USER } else { V2 }]);
            if seed % 5 == 0 {
                team.restart(one, true);
            }
            team.run_until(from + 10.0).heal();
        }
        team.run_until(250.0);
        assert!(team.done(X).len() <= 1, "seed {seed}: {:?}", team.world.executions);
        times_done += team.done(X).len();
    }
    assert!(times_done > 20, "it is done in most runs: {times_done} of 40");
}

/// One grant for one vehicle: the one that asks second does not get it.
#[test]
fn a_second_vehicle_gets_no_grant() {
    let group = group_of(at_most_once(), 0);
    let asks = |robot, epoch| asking(robot, epoch, LIFE);
    let mut node = fenced(V2);
    let grant =
        |epoch| to_only(V5, Message::Grant { about: about(&group), ballot: ballot(epoch, V1), life: LIFE, index: 0 });
    assert!(node.give(hears(V5, asks(V5, 1))).contains(&grant(1)));
    assert!(node.give_at(0.4, hears(V5, asks(V5, 1))).contains(&grant(1)), "asked again, given again");
    assert!(said(&node.give_at(1.0, hears(V4, asks(V4, 2)))).is_empty());
    // It does not forget that over a restart.
    node.give_at(2.0, Given::Restarts);
    assert!(said(&node.give_at(3.0, hears(V4, asks(V4, 3)))).is_empty());
}

/// A PEER that wins an election in which too few took part does not lead: it could not tell a lost vehicle from one
/// that is beyond a partition.
#[test]
fn w8_an_election_without_a_quorum_makes_no_lead() {
    let elected = |brief, others: &[RobotId]| {
        let group = group_of(brief, 0);
        let mut node = fenced(V2);
        node.give(hears(V5, status(about(&group), ballot(1, V1), holder(V5, 60.0), 1)));
        // t_peer, and two challenges.
        node.until(11.6);
        assert!(matches!(node.order().peer(), PeerStage::Claiming(_)));
        for (n, other) in others.iter().enumerate() {
            node.give_at(11.7 + 0.1 * n as f64, hears(*other, claim(about(&group), 2)));
        }
        // T_claims, and five exchanges of winners.
        node.until(20.0);
        let short = node.noted(|step| matches!(step, Step::NoQuorum { .. }));
        let winner = node.steps(X).into_iter().find_map(|step| match step {
            Step::Elected { winner, .. } => Some(winner),
            _ => None,
        });
        (winner == Some(V2), node.noted(|step| matches!(step, Step::Leads { .. })), short)
    };
    // Alone, it wins: and leads only what may be done twice.
    assert_eq!(elected(brief(), &[]), (true, 1, 0));
    assert_eq!(elected(at_most_once(), &[]), (true, 0, 1));
    // Four of six are a quorum, whoever of them wins.
    let (won, leads, short) = elected(at_most_once(), &[V1, V3, V4]);
    assert_eq!((leads, short), (usize::from(won), 0));
}

/// A grant that was not used is given back, and the task is watched again; one for a later attempt stays.
#[test]
fn w8_a_grant_that_was_not_used_is_given_back() {
    let group = group_of(at_most_once(), 0);
    let release = |epoch| Message::Release { about: about(&group), ballot: ballot(epoch, V1), life: LIFE, index: 0 };
    let mut node = fenced(V2);
    node.give(hears(V5, asking(V5, 3, LIFE)));
    assert_eq!(node.order().slots()[0].granted.map(|grant| grant.robot), Some(V5));
    node.give_at(1.0, hears(V5, release(2)));
    node.give_at(1.0, hears(V4, release(3)));
    assert_eq!(node.order().slots()[0].granted.map(|grant| grant.robot), Some(V5), "an older attempt, and another's");
    let outputs = node.give_at(1.0, hears(V5, release(3)));
    assert_eq!(node.order().slots()[0].granted, None);
    assert!(outputs.contains(&set(Timer::Peer(X), 10.0)), "{outputs:?}");
}

/// A vehicle gives its grant back and goes silent: who has heard it tells those who have not, as soon as another asks, and once.
#[test]
fn w8_a_grant_that_another_gave_back_is_passed_on() {
    let group = group_of(at_most_once(), 0);
    let grant = Grant { robot: V5, life: LIFE, ballot: ballot(3, V1) };
    let release = Message::Release { about: about(&group), ballot: grant.ballot, life: LIFE, index: 0 };
    let relay = Message::ReleaseRelay { about: about(&group), index: 0, grant };
    let told = |node: &mut Node, by: f64| {
        let said = node.said_until(by);
        said.iter()
            .filter(|(_, message)| matches!(message, Message::ReleaseRelay { grant: it, .. } if *it == grant))
            .count()
    };
    let heard = || {
        let mut node = fenced(V2);
        node.give(hears(V5, asking(V5, 3, LIFE)));
        node.give_at(1.0, hears(V5, release.clone()));
        assert_eq!(told(&mut node, 4.0), 0, "nobody has asked");
        node.give_at(5.0, hears(V4, asking(V4, 4, LIFE)));
        node
    };
    assert_eq!(told(&mut heard(), 8.0), 1);
    // Another has said it already.
    let mut node = heard();
    node.give(hears(V3, relay.clone()));
    assert_eq!(told(&mut node, 8.0), 0);
    // The one that has missed it grants the task again, to a later attempt.
    let mut node = fenced(V2);
    node.give(hears(V5, asking(V5, 3, LIFE)));
    assert!(!said(&node.give_at(5.0, hears(V4, asking(V4, 4, LIFE)))).contains(&"Grant"));
    node.give_at(5.5, hears(V3, relay));
    assert!(said(&node.give_at(6.0, hears(V4, asking(V4, 4, LIFE)))).contains(&"Grant"));
}

/// That another vehicle gave back what it was granted later is no reason to keep silent about the first one: both are passed on, and
/// what is heard of the one does not stand for the other.
#[test]
fn w8_grants_of_several_vehicles_are_passed_on() {
    let group = group_of(at_most_once(), 0);
    let grant = |of, epoch| Grant { robot: of, life: LIFE, ballot: ballot(epoch, V1) };
    let release = |epoch| Message::Release { about: about(&group), ballot: ballot(epoch, V1), life: LIFE, index: 0 };
    let passed_on = |heard: Option<Grant>| {
        let mut node = fenced(V2);
        node.give_at(1.0, hears(V5, release(3)));
        node.give_at(2.0, hears(V4, release(4)));
        node.give_at(5.0, hears(V3, asking(V3, 5, LIFE)));
        if let Some(grant) = heard {
            node.give(hears(V1, Message::ReleaseRelay { about: about(&group), index: 0, grant }));
        }
        let said = node.said_until(8.0);
        let relayed = |(_, message): &(f64, Message)| match message {
            Message::ReleaseRelay { grant, .. } => Some(grant.robot),
            _ => None,
        };
        let mut relayed: Vec<RobotId> = said.iter().filter_map(relayed).collect();
        relayed.sort();
        relayed
    };
    assert_eq!(passed_on(None), [V4, V5]);
    assert_eq!(passed_on(Some(grant(V4, 4))), [V5]);
}

/// What a vehicle asked before it gave the grant back may come after that: it is granted nothing then, and nothing is kept for it.
#[test]
fn w8_what_was_given_back_is_not_granted_by_what_comes_late() {
    let group = group_of(at_most_once(), 0);
    let mut node = fenced(V2);
    node.give_at(
        1.0,
        hears(V5, Message::Release { about: about(&group), ballot: ballot(3, V5), life: LIFE, index: 0 }),
    );
    assert!(!said(&node.give_at(1.5, hears(V5, asking(V5, 3, LIFE)))).contains(&"Grant"));
    assert_eq!(node.order().slots()[0].granted, None);
    assert!(said(&node.give_at(2.0, hears(V5, asking(V5, 4, LIFE)))).contains(&"Grant"), "a later attempt");
}

/// A node that has claimed a later attempt grants no earlier one: the vehicle that asks may be beyond a partition
/// from those that are about to do it again. Nor does it after a restart.
#[test]
fn w8_a_claim_is_a_promise_to_grant_no_earlier_attempt() {
    let group = group_of(at_most_once(), 0);
    let asks = |epoch| asking(V5, epoch, LIFE);
    let mut node = fenced(V2);
    assert_eq!(said(&node.give(hears(V3, claim(about(&group), 4)))), ["ClaimLead(peer)"]);
    assert!(!said(&node.give_at(0.5, hears(V5, asks(3)))).contains(&"Grant"));
    node.give_at(1.0, Given::Restarts);
    assert!(!said(&node.give_at(1.5, hears(V5, asks(3)))).contains(&"Grant"));
    assert!(said(&node.give_at(2.0, hears(V5, asks(4)))).contains(&"Grant"));
}

/// Deaf early: drawn does it twice; with the fixes whoever cannot hear takes the task over, and is yielded to.
#[test]
fn w8_a_deaf_peer_takes_the_task_over() {
    let scenario = |team: &mut Team| {
        team.inject();
        assert_eq!(team.until_held(X), V5);
        team.run_until(5.0).deafen(V3);
    };
    assert_eq!(outcomes(Drawn, 150.0, scenario), TWICE);
    assert_eq!(outcomes(Fenced, 150.0, scenario), ONCE);
}

/// A grant is for one life: a vehicle that has restarted may have done the task, and does not know.
#[test]
fn w8_another_life_of_the_same_vehicle_gets_no_grant() {
    let mut node = fenced(V2);
    assert!(said(&node.give(hears(V5, asking(V5, 1, LIFE)))).contains(&"Grant"));
    assert!(said(&node.give_at(1.0, hears(V5, asking(V5, 2, 2 * LIFE)))).is_empty());
    // Nor does what the new life says undo what the old one was given.
    let group = group_of(at_most_once(), 0);
    let release = |life| Message::Release { about: about(&group), ballot: ballot(2, V1), life, index: 0 };
    node.give_at(2.0, hears(V5, release(2 * LIFE)));
    assert!(said(&node.give_at(3.0, hears(V4, asking(V4, 3, LIFE)))).is_empty());
    node.give_at(4.0, hears(V5, release(LIFE)));
    assert!(said(&node.give_at(5.0, hears(V4, asking(V4, 4, LIFE)))).contains(&"Grant"));
}

/// The same seen from the vehicle: it crashes with grants, with and without its memory, before or after the deed. It is
/// not done twice, and not by itself either.
#[test]
fn w8_a_vehicle_that_crashed_with_grants_does_not_do_it_again() {
    for (seed, after_s, with_memory) in [(1, -0.3, true), (2, -0.3, false), (3, 0.0, true), (4, 0.0, false)] {
        let mut team = Team::of(Fenced, 5).seeded(seed);
        team.order(USER, Order::Inject(at_most_once()));
        assert_eq!(team.until_held(X), V5);
        let due = team.node(V5).machine.held()[0].at.as_secs_f64();
        // At the deed itself: everything of that instant but what the body has to say.
        team.lose("Done", u32::MAX).run_until(due + after_s).restart(V5, with_memory);
        team.run_until(due + 300.0);
        let times = usize::from(after_s >= 0.0);
        assert_eq!(team.done(X).len(), times, "seed {seed}: {:?}", team.world.executions);
    }
}

/// A node that has lost its memory may have granted the task: it grants none, and claims nothing, until tombstones are
/// forgotten.
#[test]
fn w8_a_node_that_has_lost_its_memory_grants_nothing() {
    let mut node = fenced(V2);
    node.give_at(1.0, Given::Starts(None));
    assert!(said(&node.give_at(2.0, hears(V5, asking(V5, 1, LIFE)))).is_empty());
    assert!(
        !said(&node.give_at(3.0, hears(V3, claim(about(&group_of(at_most_once(), 0)), 4))))
            .contains(&"ClaimLead(peer)")
    );
    // A restart does not make it remember.
    node.give_at(4.0, Given::Restarts);
    assert!(said(&node.give_at(5.0, hears(V5, asking(V5, 5, LIFE)))).is_empty());
    assert!(said(&node.give_at(902.0, hears(V5, asking(V5, 6, LIFE)))).contains(&"Grant"));
}

/// Claims are counted for each task of a group: a quorum that claims one phase has not claimed the others.
#[test]
fn w8_a_quorum_is_one_of_claims_on_the_same_task() {
    let group = Group::new(USER, Brief { delivery: Delivery::AtMostOnce, ..mission() }, 0);
    let group = group.decomposed(Some(&template())).expect("its template");
    let about = about(&group);
    // Who wins is a matter of the epoch: V2 does in some.
    let mut won = 0;
    for epoch in 1..12 {
        let mut node = fenced(V2);
        for index in 0..3 {
            let (ballot, holder, patience) = (ballot(epoch, V1), holder(V5, 60.0), Duration::ZERO);
            let (about, number) = (about.clone(), LIFE + 1 + u32::from(index));
            node.give(hears(V5, Message::Status { about, ballot, index, holder, patience, number, asks: None }));
        }
        node.until(11.6);
        // Three others claim the first phase only; one of them votes on the second, and its claim was not heard.
        let epoch = epoch + 1;
        for other in [V1, V3, V4] {
            let (about, phases) = (about.clone(), Phases::only(0));
            node.give_at(11.7, hears(other, Message::Claim { about, phases, epoch }));
        }
        let (about, phases) = (about.clone(), Phases::only(1));
        node.give_at(11.8, hears(V1, Message::PerceivedWinner { about, phases, epoch, winner: V1, round: 1 }));
        let PeerStage::Claiming(election) = node.order().peer() else { panic!("{:?}", node.order().peer()) };
        let claimed = |index: usize| election.claims.values().filter(|phases| phases.has(index)).count();
        assert_eq!([claimed(0), claimed(1), claimed(2)], [4, 2, 1]);
        let wins = election.winner == V2;
        node.until(20.0);
        let leads = PHASES.map(|task| node.steps(task).iter().any(|step| matches!(step, Step::Leads { .. })));
        assert_eq!(leads, [wins, false, false], "epoch {epoch}");
        assert_eq!(node.noted(|step| matches!(step, Step::NoQuorum { .. })), if wins { 2 } else { 0 });
        won += usize::from(wins);
    }
    assert!(won > 0);
}

/// A grant that comes after it was given back is given back again: what had asked for it was overtaken by the Release.
#[test]
fn w8_a_grant_that_comes_late_is_released() {
    let mut node = assigned(at_most_once());
    node.until(58.5);
    node.give(Given::Senses(Percept::Blocked));
    let Some(back) = node.order().slots()[0].refrained else { panic!("it refrains") };
    let about = about(node.order().group());
    let said = node.give(hears(V2, Message::Grant { about, ballot: back.ballot, life: back.life, index: 0 }));
    let release = |output: &&muster_core::Output<_>| {
        matches!(output, muster_core::Output::Send { message: Message::Release { index: 0, .. }, .. })
    };
    let releases = said.iter().filter(release).count();
    assert_eq!(releases, 1, "{said:?}");
}

/// A LEAD that auctions anew what it holds itself gives back the grants that it has: else nobody could ever do it.
#[test]
fn w8_a_lead_that_takes_its_own_task_back_gives_grants_back() {
    let mut node = assigned(at_most_once());
    node.until(58.5);
    assert!(node.order().slots()[0].granted.is_some());
    node.give(Given::Senses(Percept::Blocked));
    let slot = &node.order().slots()[0];
    assert!(slot.granted.is_none() && slot.refrained.is_some(), "{slot:?}");
}

fn is_release(message: &Message) -> bool {
    matches!(message, Message::Release { index: 0, .. })
}

/// How often it was said without being asked; a node that challenges the task says so, too.
fn releases(said: &[(f64, Message)]) -> usize {
    let challenged = |at: f64| said.iter().any(|(other, it)| *other == at && matches!(it, Message::Challenge { .. }));
    said.iter().filter(|(at, message)| is_release(message) && !challenged(*at)).count()
}

/// A node that missed the one Release would keep its grant, and the task from being done, for ever: it is said again, ever more
/// rarely, also by a vehicle that has restarted meanwhile.
#[test]
fn w8_a_grant_is_given_back_more_than_once() {
    let mut node = assigned(at_most_once());
    node.until(58.5);
    node.give(Given::Senses(Percept::Blocked));
    assert!(releases(&node.said_until(62.0)) >= 1);
    node.give(Given::Restarts);
    assert_eq!(releases(&node.said_until(300.0)), 5);
    assert_eq!(releases(&node.said_until(900.0)), 0, "and not for ever");
}

/// Another vehicle asks for grants: those who have missed the Release would give it none.
#[test]
fn w8_a_grant_is_given_back_again_when_another_asks() {
    let mut node = assigned(at_most_once());
    node.until(58.5);
    node.give(Given::Senses(Percept::Blocked));
    node.until(200.0);
    let (epoch, before) = (node.order().slots()[0].ballot.epoch + 1, node.said.len());
    node.give(hears(V5, asking(V5, epoch, LIFE)));
    let again = node.said[before..].iter().filter(|(_, message)| is_release(message)).count();
    assert_eq!(again, 1);
}
