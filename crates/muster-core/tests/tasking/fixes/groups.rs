//! W13: groups.

use super::*;

/// Three vehicles around the target and spare ones; the mission is a minute ahead.
fn squad(variant: Variant, spare: &[(RobotId, f64)]) -> Team {
    let config = config(variant, 4 + spare.len() as u32);
    let vehicle =
        |id, x: f64, y: f64| Node::new(id, Point::new(TARGET.x + x, TARGET.y + y), config.clone(), Vehicle::hotspot());
    let three = [vehicle(V1, 59.6, 0.0), vehicle(V2, 0.0, 64.6), vehicle(V3, -69.6, 0.0)];
    let spare = spare.iter().map(|(id, away)| vehicle(*id, 0.0, -away));
    Team::new([Node::console(USER, config.clone())].into_iter().chain(three).chain(spare))
}

/// Until all of the mission is held.
#[track_caller]
fn until_all_held(team: &mut Team) {
    let limit = team.now_s() + 60.0;
    let open = |team: &Team| PHASES.iter().any(|task| team.holders(*task).is_empty());
    assert!(team.run_while(limit, open), "not all held");
}

/// When each phase was done.
fn crossed(team: &Team) -> Vec<(u32, RobotId, f64)> {
    let crossed = team.world.executions.iter().map(|(task, by, at)| (task.0 - X.0, *by, at.as_secs_f64()));
    crossed.collect()
}

/// The couplings of the mission hold of what was flown.
#[track_caller]
fn coupled(team: &Team) {
    let crossed = crossed(team);
    assert_eq!(crossed.iter().map(|(phase, ..)| *phase).collect::<Vec<_>>(), [0, 1, 2], "{crossed:?}");
    for pair in crossed.windows(2) {
        let apart = pair[1].2 - pair[0].2;
        assert!((5.0 - 1e-6..=10.0 + 1e-6).contains(&apart), "{crossed:?}");
    }
}

/// W13: one member of the group cannot be had. As drawn the others have begun by then; with the fixes nobody flies
/// before all have accepted.
#[test]
fn w13_nobody_flies_before_all_have_accepted() {
    let holders = |variant| {
        let mut team = squad(variant, &[]);
        team.lose_between("Accept", Some(V3), None, 1_000);
        // By 4 s the two others have accepted, by 5 s V3 is given up.
        team.order(USER, Order::Inject(mission())).run_until(3.6);
        PHASES.iter().map(|task| team.holders(*task).len()).sum::<usize>()
    };
    assert_eq!(holders(Drawn), 2);
    assert_eq!(holders(Fenced), 0);
}

/// W13: the whole group is committed at once.
#[test]
fn w13_a_group_is_committed_when_all_have_accepted() {
    let mut team = squad(Fenced, &[]);
    team.lose_between("Accept", Some(V3), None, 1);
    team.order(USER, Order::Inject(mission()));
    until_all_held(&mut team);
    let begun: Vec<Time> = team.sent("AcceptAck").map(|sent| sent.at).collect();
    assert!(begun.windows(2).all(|pair| pair[0] == pair[1]), "{begun:?}");
    team.run_until(120.0);
    coupled(&team);
}

/// W13: one member is lost; it is bid for again while the others keep to their times, and it fits them.
#[test]
fn w13_one_member_is_rebid_with_the_others_frozen() {
    let mut team = squad(Fenced, &[(V5, 10.0)]).seeded(1);
    team.kill(V5).order(USER, Order::Inject(mission()));
    until_all_held(&mut team);
    let planned: Vec<Time> = team.robots.values().flat_map(|node| node.machine.held()).map(|held| held.at).collect();
    let last = team.holders(PHASES[2])[0];
    let now = team.now_s();
    team.run_until(now + 1.0).restart(V5, false).run_until(now + 2.5).kill(last);
    team.run_until(150.0);
    coupled(&team);
    let crossed = crossed(&team);
    assert_eq!(crossed[2].1, V5);
    for (_, by, when) in &crossed[..2] {
        assert!(planned.contains(&at(*when)), "{by} kept to its time: {crossed:?}, {planned:?}");
    }
}

/// W13: nobody can take the lost member's place in time: the whole group is bid for again.
#[test]
fn w13_the_whole_group_is_rebid_when_one_member_cannot_be() {
    let mut team = squad(Fenced, &[(V5, 74.6)]).seeded(1);
    team.order(USER, Order::Inject(mission()));
    until_all_held(&mut team);
    let last = team.holders(PHASES[2])[0];
    let now = team.now_s();
    team.run_until(now + 1.0).kill(last).run_until(250.0);
    coupled(&team);
    let relaxed = |step: &Step| matches!(step, Step::NoGoodBids { relaxed: muster_core::tasking::Leeway::Others, .. });
    assert!(team.robots.values().any(|node| node.noted(relaxed) > 0));
}

/// W13: too few vehicles are left for all of it at once: one after the other, in the order of the phases.
#[test]
fn w13_one_by_one_when_too_few_vehicles_are_left() {
    for seed in 0..SEEDS {
        let mut team = squad(Fenced, &[]).seeded(seed);
        team.order(USER, Order::Inject(mission()));
        until_all_held(&mut team);
        let now = team.now_s();
        team.run_until(now + 1.0).kill(V2).kill(V3).run_until(500.0);
        let phases: Vec<u32> = crossed(&team).iter().map(|(phase, ..)| *phase).collect();
        assert_eq!(phases, [0, 1, 2], "seed {seed}: {:?}", crossed(&team));
    }
}

/// W13 under loss: each phase is done once, and what was flown as one group keeps its couplings.
#[test]
fn w13_a_group_is_done_once_under_loss() {
    for seed in 0..SEEDS {
        let mut team = squad(Fenced, &[(V5, 74.6)]).seeded(seed);
        team.loss = 0.2;
        team.order(USER, Order::Inject(mission())).run_until(300.0);
        coupled(&team);
    }
}

/// A template that is strict: with too few vehicles for all of it, and no time to come round, the group is not taken apart,
/// and waits. The other way is `w13_one_by_one_when_too_few_vehicles_are_left`.
#[test]
fn a_strict_group_is_not_taken_apart() {
    let strict = |config: Config| {
        let templates = config.templates.into_iter();
        let templates = templates.map(|(kind, it)| (kind, Template { strict: true, ..it })).collect();
        Config { templates, ..config }
    };
    let mut team = Team::with(strict(config(Fenced, 2)), 1).seeded(1);
    team.order(USER, Order::Inject(mission())).run_until(200.0);
    assert_eq!(team.world.executions, []);
    let gave_up = |step: &Step| matches!(step, Step::NoGoodBids { relaxed, .. } if *relaxed > Leeway::Others);
    let in_vain = |step: &Step| matches!(step, Step::NoGoodBids { .. });
    assert!(team.robots.values().all(|node| node.noted(gave_up) == 0));
    assert!(team.robots.values().any(|node| node.noted(in_vain) > 5));
    // It is not forgotten: with another vehicle it would be done.
    assert!(team.robots.values().all(|node| node.machine.is_aware_of(TaskId(X.0 + 2))));
}

/// As drawn each winner is committed by itself. What is left is planned from the bids for what is left, and not given to
/// whoever has some of the group already.
#[test]
fn what_is_left_of_a_group_goes_by_its_own_bids() {
    let mut team = squad(Drawn, &[(V5, 74.6)]).seeded(1);
    team.lose_between("Accept", Some(V2), None, 1_000);
    team.order(USER, Order::Inject(mission()));
    until_all_held(&mut team);
    let holders = PHASES.map(|task| team.holders(task)[0]);
    assert!(holders[0] != holders[1] && holders[1] != holders[2] && holders[0] != holders[2], "{holders:?}");
    // Nobody is asked to be anywhere before it can be, so nobody gives anything back.
    team.run_until(200.0);
    let back: usize = team.robots.values().map(|node| node.noted(|step| matches!(step, Step::HandedBack))).sum();
    assert_eq!(back, 0);
}
