//! F2, W9, W10: the LEAD speaks.

use super::*;

/// W10: a LEAD that waits to retry is silent as drawn, and gets a rival; with F2 it has none.
#[test]
fn w10_a_lead_that_waits_to_retry_has_no_rival() {
    let leads = |variant| {
        let mut team = Team::of(variant, 5).seeded(3);
        team.inject();
        assert_eq!(team.until_held(X), V5);
        team.kill(V5);
        for node in team.robots.values_mut() {
            node.body.percepts = Percepts::NONE;
        }
        let mut most = 0;
        for second in 5..60 {
            team.run_until(f64::from(second));
            most = most.max(team.leads().len());
        }
        most
    };
    assert!(leads(Drawn) > 1);
    assert_eq!(leads(Fenced), 1);
}

/// F2: LeadStatus every t_status, and an answer to a challenge.
#[test]
fn f2_the_lead_reports_and_answers() {
    let mut node = fenced(V1);
    node.body.percepts = Percepts::NONE;
    let asked = Group::new(USER, brief(), 0);
    node.give(hears(USER, Message::Task { about: about(&asked) }));
    node.give(hears(USER, Message::AckLead { about: about(&asked), lead: V1, epoch: 1 }));
    // Bids are in vain, so it solicits every 5 s; a solicitation is a report, too.
    let said_by_then = node.said_until(20.0);
    assert_eq!(said_by_then.iter().filter(|(_, message)| message.name() == "LeadStatus").count(), 16);
    assert!(said_by_then.windows(2).all(|pair| pair[1].0 - pair[0].0 <= 1.0), "{said_by_then:?}");
    assert_eq!(said(&node.give_at(20.4, hears(V2, challenge(about(&group()))))), ["LeadStatus"]);
}

/// F2: while bids are missing the report of the LEAD is the solicitation, so that whoever missed it may bid yet.
#[test]
fn f2_whoever_missed_the_solicitation_is_asked_again() {
    let scenario = |variant| {
        let mut team = Team::of(variant, 5).seeded(1);
        // They have met before: the LEAD knows how many there are.
        team.order(USER, Order::Inject(brief_of(TaskId(50)))).run_until(60.0);
        team.lose_between("Solicitation", None, Some(V5), 1);
        team.inject().run_until(140.0);
        team.done(X)
    };
    assert_ne!(scenario(Drawn), [V5]);
    assert_eq!(scenario(Fenced), [V5]);
}

/// W9: a LEAD that brings nothing about is passed over after T_lead, though it reports all the time: nobody hears its
/// assignments.
#[test]
fn w9_a_lead_that_brings_nothing_about_is_passed_over() {
    for seed in 0..SEEDS {
        let mut team = Team::of(Fenced, 4).seeded(seed);
        team.inject();
        assert!(team.run_while(5.0, |team| team.leads().is_empty()));
        let lead = team.leads()[0];
        team.robot_mut(lead).body.percepts = Percepts::NONE;
        team.lose_between("Assignment", Some(lead), None, 100_000).run_until(60.0);
        assert_eq!(team.done(X), [], "seed {seed}: T_lead is 60 s");
        team.run_until(150.0);
        assert_eq!(team.done(X).len(), 1, "seed {seed}");
    }
}

/// W9 where the LEAD cannot even hear that it is passed over.
#[test]
fn w9_a_deaf_lead_is_passed_over() {
    for seed in 0..SEEDS {
        let mut team = Team::of(Fenced, 4).seeded(seed);
        team.inject();
        assert!(team.run_while(5.0, |team| team.leads().is_empty()));
        let lead = team.leads()[0];
        team.deafen(lead).robot_mut(lead).body.percepts = Percepts::NONE;
        team.run_until(300.0);
        assert_eq!(team.done(X).len(), 1, "seed {seed}");
    }
}

/// W9: a LEAD that was deaf has raised its epoch while nobody listened to it any more. It hears again, and that another has the task: it
/// leads no longer, though its own attempt is the higher one, and nobody tells it so.
#[test]
fn w9_a_lead_in_vain_yields_to_who_has_the_task() {
    let mut node = fenced(V2);
    node.body.percepts = Percepts::NONE;
    // It leads alone for longer than T_lead, steps down, and is elected by itself again.
    node.give(hears(USER, Message::Task { about: about(&group()) }));
    node.until(150.0);
    let epoch = |node: &Node| node.order().slots()[0].ballot.epoch;
    let leads = |node: &Node| node.order().lead().is_some();
    assert!(leads(&node) && epoch(&node) > 5, "epoch {}", epoch(&node));
    node.give_at(150.0, hears(V5, status(about(&group()), ballot(3, V1), holder(V5, 250.0), 0)));
    assert!(!leads(&node));
    assert_eq!(node.order().slots()[0].holder.map(|holder| holder.robot), Some(V5));
}

/// W9: who leads is drawn anew for every task and epoch: it is not always the highest GUID.
#[test]
fn w9_who_leads_differs_by_task_and_epoch() {
    let mut winners = std::collections::BTreeSet::new();
    for (task, epoch) in (10..20).flat_map(|task| (1..5).map(move |epoch| (task, epoch))) {
        let group = group_of(brief_of(TaskId(task)), 0);
        let elected = |id, other| {
            let mut node = fenced(id);
            node.give(hears(other, claim(about(&group), epoch)));
            match node.machine.order(TaskId(task)).expect("known").peer() {
                PeerStage::Claiming(election) => election.winner,
                peer => panic!("{peer:?}"),
            }
        };
        assert_eq!(elected(V1, V2), elected(V2, V1), "both must agree");
        winners.insert(elected(V1, V2));
    }
    assert_eq!(winners.len(), 2);
}
