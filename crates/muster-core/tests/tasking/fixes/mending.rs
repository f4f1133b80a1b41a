//! What becomes of a group that loses a vehicle after its first phase was flown. Ours: the paper does not say.

use super::*;

/// The mission with its template changed.
fn changed_template(team: u32, change: impl Fn(Template) -> Template) -> Config {
    let config = config(Fenced, team);
    let templates = config.templates.into_iter().map(|(kind, it)| (kind, change(it))).collect();
    Config { templates, ..config }
}

/// Vehicles around the target, one of them to spare.
fn squad(config: &Config) -> Team {
    let vehicle =
        |id, x: f64, y: f64| Node::new(id, Point::new(TARGET.x + x, TARGET.y + y), config.clone(), Vehicle::hotspot());
    let four = [vehicle(V1, 59.6, 0.0), vehicle(V2, 0.0, 64.6), vehicle(V3, -69.6, 0.0), vehicle(V5, 0.0, -74.6)];
    Team::new([Node::console(USER, config.clone())].into_iter().chain(four))
}

/// Runs until verify is done; then the vehicle that has drop is gone.
fn loses_drop_after_verify(team: &mut Team) {
    assert!(team.run_while(200.0, |team| team.done(PHASES[0]).is_empty()), "verify is never done");
    let holder = team.holders(PHASES[1])[0];
    team.kill(holder);
}

fn flown(team: &Team, task: TaskId) -> Vec<f64> {
    let executions = team.world.executions.iter().filter(|(it, ..)| *it == task);
    executions.map(|(_, _, at)| at.as_secs_f64()).collect()
}

/// Verify has grown old by the time that drop can be flown: it is flown again, all three as they are tied together, and
/// nobody takes that for a duplicate.
#[test]
fn what_has_grown_old_is_flown_again_and_is_no_duplicate() {
    let config = changed_template(5, |it| Template { fresh: Some(secs(30.0)), ..it });
    for (seed, loss) in (0..SEEDS).flat_map(|seed| [(seed, 0.0), (seed, 0.2)]) {
        let mut team = squad(&config).seeded(seed);
        team.loss = loss;
        team.order(USER, Order::Inject(mission()));
        loses_drop_after_verify(&mut team);
        team.run_until(500.0);
        let [verify, drop, assess] = PHASES.map(|task| flown(&team, task));
        assert_eq!((verify.len(), drop.len(), assess.len()), (2, 1, 1), "seed {seed}, loss {loss}: {verify:?}");
        assert!(verify[1] - verify[0] >= 30.0, "seed {seed}, loss {loss}: {verify:?}");
        for (a, b) in [(verify[1], drop[0]), (drop[0], assess[0])] {
            assert!((5.0 - 1e-6..=10.0 + 1e-6).contains(&(b - a)), "seed {seed}, loss {loss}: {a} and {b}");
        }
        let duplicates = |node: &Node| node.noted(|step| matches!(step, Step::Duplicate { .. }));
        assert_eq!(team.robots.values().map(duplicates).sum::<usize>(), 0, "seed {seed}, loss {loss}");
    }
}

/// Without `fresh_s` what was verified counts for ever, and what ties drop to it is given up.
#[test]
fn without_fresh_nothing_grows_old() {
    let mut team = squad(&config(Fenced, 5)).seeded(1);
    team.order(USER, Order::Inject(mission()));
    loses_drop_after_verify(&mut team);
    team.run_until(500.0);
    assert_eq!(PHASES.map(|task| flown(&team, task).len()), [1, 1, 1]);
}

/// Done of verify is lost to the vehicle that drops, as often as it is said unasked before it is too late. It asks while it comes
/// in, and the group is flown whole.
#[test]
fn a_vehicle_that_has_missed_done_asks_while_it_comes_in() {
    let config = changed_template(5, |it| Template { strict: true, ..it });
    for seed in 0..SEEDS {
        let mut team = squad(&config).seeded(seed);
        team.order(USER, Order::Inject(mission()));
        team.until_held(PHASES[0]);
        team.run_until(team.now_s() + 1.0);
        let [verify, drop] = [0, 1].map(|n| team.holders(PHASES[n])[0]);
        team.lose_between("Done", Some(verify), Some(drop), 9);
        team.run_until(200.0);
        assert_eq!(PHASES.map(|task| flown(&team, task).len()), [1, 1, 1], "seed {seed}");
        assert!(team.sent("Challenge").any(|it| it.from == drop), "seed {seed}: it has asked");
        let rounds = team.node(drop).noted(|step| matches!(step, Step::GoesRound { .. }));
        assert_eq!(rounds, 0, "seed {seed}");
    }
}

/// Reports of a vehicle of a strict group are lost to the one that begins it, until just before that. It asks, and begins in time.
#[test]
fn a_vehicle_that_has_missed_reports_asks_before_it_begins() {
    let config = changed_template(5, |it| Template { strict: true, ..it });
    for seed in 0..SEEDS {
        let mut team = squad(&config).seeded(seed);
        team.order(USER, Order::Inject(mission()));
        team.until_held(PHASES[0]);
        team.run_until(team.now_s() + 1.0);
        let [verify, assess] = [0, 2].map(|n| team.holders(PHASES[n])[0]);
        let begins = team.node(verify).machine.held()[0].at.as_secs_f64();
        // Four reports, one a second: for longer nobody of a group waits.
        team.run_until(begins - 4.5);
        team.lose_between("Status", Some(assess), Some(verify), 4);
        team.run_until(200.0);
        assert_eq!(PHASES.map(|task| flown(&team, task).len()), [1, 1, 1], "seed {seed}");
        assert_eq!(flown(&team, PHASES[0]), [begins], "seed {seed}");
    }
}

/// A strict group of which the rest can no longer be flown in its windows: everybody drops it, and it is quiet.
#[test]
fn a_strict_group_that_cannot_be_finished_is_broken_off() {
    let config = changed_template(5, |it| Template { strict: true, ..it });
    for (seed, loss) in (0..SEEDS).flat_map(|seed| [(seed, 0.0), (seed, 0.2)]) {
        let mut team = squad(&config).seeded(seed);
        team.loss = loss;
        team.order(USER, Order::Inject(mission()));
        loses_drop_after_verify(&mut team);
        let lost = team.now_s();
        team.run_until(lost + 60.0);
        let open = team.alive().filter(|node| node.machine.orders().any(|order| !order.is_settled())).count();
        assert_eq!(open, 0, "seed {seed}, loss {loss}");
        assert_eq!(PHASES.map(|task| flown(&team, task).len()), [1, 0, 0], "seed {seed}, loss {loss}");
        let auctions = team.count("Solicitation");
        team.run_until(lost + 200.0);
        assert_eq!(team.count("Solicitation"), auctions, "seed {seed}, loss {loss}");
    }
}

/// At most once: verify was granted to a vehicle that is gone, and nobody can know whether it was done. The group ends.
#[test]
fn a_group_ends_when_nobody_can_know_whether_what_must_not_be_done_twice_was_done() {
    for seed in 0..SEEDS {
        let mut team = squad(&config(Fenced, 5)).seeded(seed);
        team.order(USER, Order::Inject(Brief { delivery: Delivery::AtMostOnce, ..mission() }));
        // The vehicle is granted verify in the last moment before it is over the target.
        let granted = |team: &Team| team.sent("Grant").count() >= 2;
        assert!(team.run_while(200.0, |team| !granted(team)), "seed {seed}: nothing is granted");
        let holder = team.holders(PHASES[0])[0];
        team.kill(holder).run_until(400.0);
        assert_eq!(PHASES.map(|task| flown(&team, task).len()), [0, 0, 0], "seed {seed}");
        let open = team.alive().filter(|node| node.machine.orders().any(|order| !order.is_settled())).count();
        assert_eq!(open, 0, "seed {seed}");
        let ended = |step: &Step| matches!(step, Step::BrokenOff { why: Break::Unknown(task) } if *task == PHASES[0]);
        assert!(team.alive().any(|node| node.noted(ended) > 0), "seed {seed}");
    }
}

/// Two vehicles hand back at one instant, and each leads its own task: one of them leads both in the end, and the times go
/// together.
#[test]
fn of_two_leads_of_a_tied_group_one_is_left() {
    for seed in 0..SEEDS {
        let mut team = squad(&config(Fenced, 5)).seeded(seed);
        team.order(USER, Order::Inject(mission()));
        let open = |team: &Team| PHASES.iter().any(|task| team.holders(*task).is_empty());
        assert!(team.run_while(60.0, open), "seed {seed}: not all held");
        for task in [PHASES[1], PHASES[2]] {
            let holder = team.holders(task)[0];
            team.give(holder, Given::Senses(Percept::Blocked));
        }
        team.run_until(400.0);
        let [verify, drop, assess] = PHASES.map(|task| flown(&team, task));
        assert_eq!((verify.len(), drop.len(), assess.len()), (1, 1, 1), "seed {seed}");
        for (a, b) in [(verify[0], drop[0]), (drop[0], assess[0])] {
            assert!((5.0 - 1e-6..=10.0 + 1e-6).contains(&(b - a)), "seed {seed}: {a} and {b}");
        }
    }
}

/// A node that was away when verify was flown hears Done of drop: verify was flown before it, so nothing is broken off. One that
/// hears of nothing after drop either ends the group by itself, and tells who asks what was done of it, not that it is
/// called off: others may have heard more.
#[test]
fn who_has_missed_a_deed_calls_nothing_off() {
    let config = changed_template(6, |it| Template { strict: true, ..it });
    let group = Group::new(USER, mission(), 0).decomposed(config.templates.values().next()).expect("its template");
    let mut node = Node::vehicle(V2, 20.0, config);
    let done = |index: u8| Deed { first: X, index, version: 0, by: V5, at: at(30.0) };
    let report = |index: u8, at_s: f64, number: u32| Message::Status {
        about: about(&group),
        ballot: ballot(1, V1),
        index,
        holder: holder(V3, at_s),
        patience: Duration::ZERO,
        number,
        asks: None,
    };
    node.give_at(31.0, hears(V3, report(2, 38.0, 70_000)));
    node.give_at(31.1, hears(V5, Message::Done { deeds: vec![done(1)] }));
    let broken = |node: &Node| node.noted(|step| matches!(step, Step::BrokenOff { .. }));
    node.until(45.0);
    assert_eq!(broken(&node), 0, "verify came before drop");
    node.until(70.0);
    assert!(broken(&node) > 0, "assess was to come 10 s after drop at most");
    let said = node.said.len();
    node.give_at(71.0, hears(V3, challenge(about(&group))));
    node.until(75.0);
    let said: Vec<&str> = node.said[said..].iter().map(|(_, message)| message.name()).collect();
    assert!(said.contains(&"Done") && !said.contains(&"Cancel"), "{said:?}");
}

/// Whoever tells of a change may have missed that verify is to be flown again: it is all the same, and the deed that has grown
/// old still does not count. What would be flown again tomorrow only is dropped.
#[test]
fn a_change_does_not_take_a_renewal_back() {
    let config = changed_template(6, |it| Template { fresh: Some(secs(30.0)), ..it });
    let apart = Group::new(USER, mission(), 0).decomposed(config.templates.values().next()).expect("its template");
    let of = |version: u32, since_s: f64| {
        let mut group = (*apart).clone();
        group.version = version;
        group.brief.priority = version as u8;
        group.members[0].since = at(since_s);
        Message::Task { about: about(&Arc::new(group)) }
    };
    let verified = |version: u32, at_s: f64| Message::Done {
        deeds: vec![Deed { first: X, index: 0, version, by: V5, at: at(at_s) }],
    };
    let mut node = Node::vehicle(V2, 20.0, config);
    node.give_at(20.0, hears(V1, of(0, 0.0)));
    node.give_at(30.1, hears(V5, verified(0, 30.0)));
    assert!(node.order().is_over(0));
    node.give_at(70.0, hears(V1, of(0, 60.0)));
    assert!(!node.order().is_over(0), "it has grown old");
    node.give_at(71.0, hears(V3, of(1, 0.0)));
    node.give_at(71.1, hears(V5, verified(0, 30.0)));
    let group = node.order().group();
    assert_eq!((group.version, group.brief.priority, group.members[0].since), (1, 1, at(60.0)));
    assert!(!node.order().is_over(0), "it is still to be flown again");
    for version in [1, 2] {
        node.drops(hears(V3, of(version, 100_000.0)), Drop::Absurd);
    }
    // News of both at once.
    node.give_at(75.0, hears(V5, verified(1, 74.0)));
    assert!(node.order().is_over(0));
    node.give_at(120.0, hears(V1, of(2, 110.0)));
    assert!(!node.order().is_over(0) && node.order().group().version == 2);
    assert_eq!(node.noted(|step| matches!(step, Step::Renewed)), 2);
}
