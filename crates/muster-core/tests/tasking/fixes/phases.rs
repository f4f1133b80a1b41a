//! Vehicles that fly several phases of one group. Ours: the paper does not say whether a vehicle may.

use muster_core::Kind;

use muster_core::tasking::cost::Grid;
use muster_core::tasking::group::Phase;
use muster_core::tasking::{Hitch, Sharing};

use super::*;

/// Phases one after the other, each so many seconds after the one before.
fn line(windows: &[(i64, i64)]) -> Template {
    let phase =
        |n: usize| Phase { kind: Kind(20 + n as u16), needs: Percepts::NONE, loads: 0, offset: Point::default() };
    let rule = |(n, &(least, most)): (usize, &(i64, i64))| Coupling {
        a: n as u8,
        b: n as u8 + 1,
        dt_min: Some(least * 1_000_000),
        dt_max: Some(most * 1_000_000),
        dh_min: 0,
        dh_max: 180_000,
    };
    let couplings = windows.iter().enumerate().map(rule).collect();
    Template { phases: (0..=windows.len()).map(phase).collect(), couplings, strict: false, fresh: None, distinct: true }
}

/// A console and vehicles at these places, of 1 m/s and with these means.
fn team_of(template: &Template, places: &[Point], vehicle: &Vehicle) -> Team {
    team_by(Config::of(Fenced, places.len() as u32 + 1), template, places, vehicle)
}

/// The same with bids that are not tied to the points of a grid.
fn adaptive_team_of(template: &Template, places: &[Point], vehicle: &Vehicle) -> Team {
    let grid = Grid::adaptive(Duration::from_secs(100), None);
    team_by(Config { grid, adaptive: true, ..Config::of(Fenced, places.len() as u32 + 1) }, template, places, vehicle)
}

fn team_by(config: Config, template: &Template, places: &[Point], vehicle: &Vehicle) -> Team {
    let config = Config { templates: [(MISSION, template.clone())].into(), ..config };
    let node = |(n, place): (usize, &Point)| Node::new(RobotId(n as u32 + 1), *place, config.clone(), vehicle.clone());
    Team::new([Node::console(USER, config.clone())].into_iter().chain(places.iter().enumerate().map(node)))
}

fn away(x: f64, y: f64) -> Point {
    Point::new(TARGET.x + x, TARGET.y + y)
}

fn ask(team: &mut Team, template: &Template) {
    team.order(USER, Order::Inject(Brief { phases: template.phases.len() as u8, ..mission() }));
}

/// When each phase was done and by whom, in the order of the phases; all of them once.
#[track_caller]
fn flown(team: &Team, phases: usize) -> Vec<(RobotId, f64)> {
    let done = |n: usize| {
        let done: Vec<_> = team.world.executions.iter().filter(|(task, ..)| task.0 == X.0 + n as u32).collect();
        assert_eq!(done.len(), 1, "phase {n}: {:?}", team.world.executions);
        (done[0].1, done[0].2.as_secs_f64())
    };
    (0..phases).map(done).collect()
}

#[track_caller]
fn keeps(flown: &[(RobotId, f64)], windows: &[(i64, i64)]) {
    for (pair, (least, most)) in flown.windows(2).zip(windows) {
        let apart = pair[1].1 - pair[0].1;
        assert!((*least as f64 - 1e-6..=*most as f64 + 1e-6).contains(&apart), "{flown:?}: {windows:?}");
    }
}

fn noted(team: &Team, is: impl Fn(&Step) -> bool) -> usize {
    team.robots.values().map(|node| node.noted(&is)).sum()
}

/// One vehicle, two phases 40 to 80 s apart: in the first auction, as they are coupled, strict or not. It was two auctions in
/// vain, couplings given up, and strict never.
#[test]
fn one_vehicle_flies_two_phases_at_once() {
    for strict in [false, true] {
        let template = Template { strict, ..line(&[(40, 80)]) };
        let mut team = team_of(&template, &[away(-16.0, 0.0)], &Vehicle::hotspot());
        ask(&mut team, &template);
        team.run_until(150.0);
        let flown = flown(&team, 2);
        keeps(&flown, &[(40, 80)]);
        assert_eq!(noted(&team, |step| matches!(step, Step::NoGoodBids { .. })), 0);
        assert_eq!(
            noted(&team, |step| matches!(step, Step::Solicited { epoch: 1, .. })),
            2,
            "one auction of two tasks"
        );
        let why = Sharing::TooFew { vehicles: 1, phases: 2 };
        let shares = |step: &Step| matches!(step, Step::Shares { robot: V1, other: X, why: is, .. } if *is == why);
        assert_eq!(noted(&team, shares), 1);
    }
}

/// The same by radio: another vehicle leads, and cannot fly. Who wins two tasks is told once, accepts both, and holds both.
#[test]
fn a_winner_of_two_accepts_both() {
    let template = line(&[(40, 80)]);
    let mut team = team_of(&template, &[away(-16.0, 0.0), away(-9_000.0, 0.0)], &Vehicle::hotspot());
    team.lose_between("ClaimLead(user)", Some(V1), None, 1_000);
    ask(&mut team, &template);
    team.run_until(14.0);
    let count = |name: &str| team.sent(name).count();
    assert_eq!([count("Solicitation") > 0, count("Bid") == 1, count("Assignment") == 1], [true; 3]);
    assert_eq!((count("Accept"), count("AcceptAck")), (2, 2));
    assert_eq!((team.holders(X), team.holders(TaskId(X.0 + 1))), (vec![V1], vec![V1]));
    team.run_until(150.0);
    keeps(&flown(&team, 2), &[(40, 80)]);
}

/// Whatever is lost of that, both are flown as they are coupled.
#[test]
fn a_winner_of_two_under_loss() {
    for seed in 0..20 {
        let template = Template { strict: seed % 2 == 0, ..line(&[(40, 60)]) };
        let mut team = team_of(&template, &[away(-16.0, 0.0), away(-9_000.0, 0.0)], &Vehicle::hotspot()).seeded(seed);
        team.loss = 0.3;
        ask(&mut team, &template);
        team.run_until(400.0);
        keeps(&flown(&team, 2), &[(40, 60)]);
    }
}

/// Three phases and two vehicles: the first and the last go to one of them, since nobody comes round within 10 s.
#[test]
fn three_phases_for_two_vehicles() {
    let teams = [team_of, adaptive_team_of].into_iter().flat_map(|team| [(team, false), (team, true)]);
    for (team, strict) in teams {
        let windows = [(5, 10), (5, 10)];
        let template = Template { strict, ..line(&windows) };
        let mut team = team(&template, &[away(-16.0, 0.0), away(20.0, 0.0)], &Vehicle::hotspot()).seeded(1);
        ask(&mut team, &template);
        team.run_until(120.0);
        let flown = flown(&team, 3);
        keeps(&flown, &windows);
        assert_eq!(flown[0].0, flown[2].0, "{flown:?}");
        assert_ne!(flown[0].0, flown[1].0, "{flown:?}");
        assert_eq!(noted(&team, |step| matches!(step, Step::NoGoodBids { .. })), 0);
    }
}

/// Enough vehicles: each phase has one of its own, unless the template lets one do several, which is cheaper than to send for
/// another.
#[test]
fn distinct_or_not() {
    let vehicles = |distinct: bool| {
        let template = Template { distinct, ..line(&[(40, 80)]) };
        let mut team = team_of(&template, &[away(-16.0, 0.0), away(-60.0, 5.0)], &Vehicle::hotspot());
        ask(&mut team, &template);
        team.run_until(150.0);
        let flown = flown(&team, 2);
        keeps(&flown, &[(40, 80)]);
        let why = |step: &Step| matches!(step, Step::Shares { why: Sharing::Allowed, .. });
        (flown[0].0, flown[1].0, noted(&team, why))
    };
    assert_eq!(vehicles(true), (V1, V2, 0));
    assert_eq!(vehicles(false), (V1, V1, 1));
}

/// A vehicle that cannot be there before the last time that is bid for is none: the near one flies both.
#[test]
fn a_vehicle_too_far_off_is_none() {
    let template = Template { strict: true, ..line(&[(40, 45)]) };
    let mut team = team_of(&template, &[away(-16.0, 0.0), away(-150.0, 0.0)], &Vehicle::hotspot());
    ask(&mut team, &template);
    team.run_until(150.0);
    assert!(flown(&team, 2).iter().all(|(by, _)| *by == V1));
    keeps(&flown(&team, 2), &[(40, 45)]);
    assert_eq!(noted(&team, |step| matches!(step, Step::NoGoodBids { .. })), 0);
}

/// What a vehicle lacks for the second it is not asked to do: one load, or endurance for one crossing. Nobody is assigned what
/// it then refuses or gives back.
#[test]
fn loads_and_endurance_last_for_all_of_it() {
    let template = |loads| {
        let mut template = Template { strict: true, ..line(&[(40, 80)]) };
        template.phases.iter_mut().for_each(|phase| phase.loads = loads);
        template
    };
    let hotspot = Vehicle::hotspot();
    // From 16 m away the first crossing ends 24 m on; coming round takes 42 m at most, half a circle of 8 m and twice 8 m.
    for (vehicle, loads, done) in [
        (Vehicle { loads: 2, ..hotspot.clone() }, 1, true),
        (Vehicle { loads: 1, ..hotspot.clone() }, 1, false),
        (Vehicle { endurance_m: Some(100.0), ..hotspot.clone() }, 0, true),
        (Vehicle { endurance_m: Some(30.0), ..hotspot.clone() }, 0, false),
    ] {
        let template = template(loads);
        let mut team = team_of(&template, &[away(-16.0, 0.0)], &vehicle);
        ask(&mut team, &template);
        team.run_until(150.0);
        assert_eq!(team.world.executions.len(), if done { 2 } else { 0 }, "{vehicle:?}");
        let back = |step: &Step| matches!(step, Step::Refuses { .. } | Step::Refused { .. } | Step::HandedBack);
        assert_eq!(noted(&team, back), 0, "{vehicle:?}");
        let why = |step: &Step| matches!(step, Step::NoGoodBids { why: Hitch::TooFew { vehicles: 1, phases: 2 }, .. });
        assert_eq!(noted(&team, why) > 0, !done);
    }
}

/// A vehicle whose seconds in the air do not last for all times that are bid for offers one task at most: that is the reason told,
/// and not that there are too few vehicles alone.
#[test]
fn a_vehicle_that_offers_one_each_is_told_as_such() {
    for (endurance_s, done) in [(300, true), (90, false)] {
        let template = Template { strict: true, ..line(&[(40, 80)]) };
        let vehicle = Vehicle { endurance: Some(secs(f64::from(endurance_s))), ..Vehicle::hotspot() };
        let mut team = team_of(&template, &[away(-16.0, 0.0)], &vehicle);
        ask(&mut team, &template);
        team.run_until(60.0);
        let why = |step: &Step| matches!(step, Step::NoGoodBids { why: Hitch::OneEach { vehicles: 1, phases: 2 }, .. });
        assert_eq!(noted(&team, why) > 0, !done, "{endurance_s}");
        assert_eq!(noted(&team, |step| matches!(step, Step::NoGoodBids { .. })) > 0, !done, "{endurance_s}");
    }
}

/// Any group of two to five phases at one place or several, any few vehicles: what is planned can be flown, nobody refuses or
/// gives anything back, and if any auction found a plan that keeps the couplings, they are kept.
#[test]
fn any_group_and_any_few_vehicles() {
    let (mut shared, mut alone) = (0, 0);
    for seed in 0..150 {
        let mut stream = Stream::of_run(seed, Purpose::Arrangement);
        let mut below = |n: u32| i64::from(stream.below(n));
        let windows: Vec<(i64, i64)> = (0..1 + below(4)).map(|_| (3 + below(30), 0)).collect();
        let windows: Vec<(i64, i64)> = windows.into_iter().map(|(least, _)| (least, least + 5 + below(25))).collect();
        let mut template = Template { strict: below(2) == 0, distinct: below(3) > 0, ..line(&windows) };
        if below(3) == 0 {
            for phase in &mut template.phases {
                phase.offset = Point::new(below(41) as f64 - 20.0, below(41) as f64 - 20.0);
            }
        }
        let places: Vec<Point> =
            (0..1 + below(3)).map(|_| away(below(81) as f64 - 40.0, below(81) as f64 - 40.0)).collect();
        let team = if seed % 2 == 0 { team_of } else { adaptive_team_of };
        let mut team = team(&template, &places, &Vehicle::hotspot()).seeded(seed);
        ask(&mut team, &template);
        team.run_until(300.0);
        let back =
            |step: &Step| matches!(step, Step::Refuses { .. } | Step::Refused { .. } | Step::HandedBack | Step::Missed);
        let in_vain = noted(&team, |step| matches!(step, Step::NoGoodBids { .. })) > 0;
        if !in_vain {
            assert_eq!(noted(&team, back), 0, "seed {seed}");
            keeps(&flown(&team, template.phases.len()), &windows);
        } else if template.strict {
            assert_eq!(team.world.executions, [], "seed {seed}");
        }
        let shares = noted(&team, |step| matches!(step, Step::Shares { .. }));
        shared += usize::from(shares > 0 && !in_vain);
        alone += usize::from(shares == 0 && !in_vain);
    }
    assert!(shared > 30 && alone > 10, "{shared} {alone}");
}
