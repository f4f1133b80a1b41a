//! The assigner against the paper's: trying everything.

mod shared;

use super::*;
use crate::rng::{Purpose, Stream};

/// [MacKenzie 2003] all consistent pairings, at the sample points: the least cost and how many have it.
fn brute_force(problem: &Problem) -> Option<u64> {
    let mut least = None;
    enumerate(problem, &mut Vec::new(), 0, &mut |cost, _| {
        if least.is_none_or(|least| cost < least) {
            least = Some(cost);
        }
    });
    least
}

/// Every consistent assignment, task by task.
fn enumerate(problem: &Problem, chosen: &mut Vec<Choice>, cost: u64, found: &mut impl FnMut(u64, &[Choice])) {
    let task = chosen.len();
    if task == problem.tasks() {
        return found(cost, chosen);
    }
    for vehicle in (0..problem.vehicles())
        .filter(|&vehicle| chosen.iter().all(|choice| choice.vehicle != vehicle))
        .collect::<Vec<_>>()
    {
        for time in 0..problem.times().len() {
            for heading in 0..problem.headings().len() {
                let choice = Choice { vehicle, time, heading };
                let price = problem.cost(task, choice);
                let kept = |constraint: &Constraint| match (constraint.a, constraint.b) {
                    (a, b) if a == task && b < task => problem.keeps(constraint, choice, chosen[b]),
                    (a, b) if b == task && a < task => problem.keeps(constraint, chosen[a], choice),
                    _ => true,
                };
                if price != INFEASIBLE && problem.constraints().iter().all(kept) {
                    chosen.push(choice);
                    enumerate(problem, chosen, cost + u64::from(price), found);
                    chosen.pop();
                }
            }
        }
    }
}

/// A small problem of any shape: ties, gaps, odd grids, several constraints on a pair, none at all.
fn random(seed: u64) -> Problem {
    let mut stream = Stream::of_run(seed, Purpose::Arrangement);
    let mut below = |n: u32| stream.below(n) as usize;
    let tasks = below(5);
    let vehicles = (tasks + below(3)).saturating_sub(usize::from(below(20) == 0));
    // Every other problem has tasks that might as well be exchanged.
    let alike = below(2) == 0;
    let most_states = [12, 12, 10, 8, 6][tasks];
    let times = 1 + below(5);
    let headings = 1 + below((most_states / times) as u32 + 1);
    let mut ascending = |count: usize, step: u32, start: i64| {
        let mut value = start;
        (0..count)
            .map(|_| {
                value += 1 + below(step) as i64;
                value
            })
            .collect::<Vec<i64>>()
    };
    let times = ascending(times, 5, -7);
    let headings = ascending(headings, 360 / headings as u32, -1);
    let (dearest, impossible) = ([1, 3, 20, 65_000][below(4)], [0, 10, 50, 80][below(4)]);
    let count = vehicles * times.len() * headings.len();
    let mut costs: Vec<u32> =
        (0..tasks * count).map(|_| if below(100) < impossible { INFEASIBLE } else { below(dearest) as u32 }).collect();
    if alike {
        for task in 1..tasks {
            costs.copy_within(0..count, task * count);
        }
    }
    let mut constraints = Vec::new();
    if tasks > 1 {
        for _ in 0..below(2 * tasks as u32 + 1) {
            let a = below(tasks as u32);
            let b = (a + 1 + below(tasks as u32 - 1)) % tasks;
            let dt_min = below(12) as i64 - 8;
            let (dt_min, dt_max) =
                if alike { (-dt_min.abs(), dt_min.abs()) } else { (dt_min, dt_min + below(9) as i64) };
            let dh_min = below(90) as i64;
            let dh_max = if below(2) == 0 { 180 } else { dh_min + below(91) as i64 };
            let (timed, turned) = (below(4), below(2) == 0);
            constraints.push(Constraint {
                a,
                b,
                dt_min: (timed & 1 == 1).then_some(dt_min),
                dt_max: (timed & 2 == 2).then_some(dt_max),
                dh_min: if turned { dh_min } else { 0 },
                dh_max: if turned { dh_max } else { 180 },
            });
        }
    }
    Problem::new(tasks, vehicles, times, headings, costs, constraints).expect("it is a problem")
}

/// Solves in one go and in slices of one node, and compares with the truth at every stop.
fn check(problem: &Problem, truth: Option<u64>) -> u64 {
    let answer = assign(problem, u64::MAX);
    assert_eq!(answer.cost, truth, "{problem:?}");
    let status = if truth.is_some() { Status::Optimal } else { Status::Infeasible };
    assert_eq!(answer.status, status);
    assert_eq!(answer.bound, truth.unwrap_or(0));
    if truth.is_some() {
        assert_eq!(problem.evaluate(&answer.assignment), truth);
    }
    let mut search = Search::new(problem);
    loop {
        let stop = search.answer();
        assert!(truth.is_none_or(|truth| stop.bound <= truth), "{problem:?}");
        if let Some(cost) = stop.cost {
            assert!(truth.is_some_and(|truth| truth <= cost));
            assert_eq!(problem.evaluate(&stop.assignment), Some(cost));
        }
        if search.run(1) {
            break;
        }
    }
    assert_eq!(search.answer(), answer);
    answer.nodes
}

#[test]
fn the_optimum_is_that_of_trying_everything() {
    let (mut feasible, mut infeasible, mut searched) = (0, 0, 0);
    for seed in 0..4_000 {
        let problem = random(seed);
        let truth = brute_force(&problem);
        let nodes = check(&problem, truth);
        feasible += u64::from(truth.is_some() && problem.tasks() > 0);
        infeasible += u64::from(truth.is_none());
        searched += u64::from(nodes > 10);
    }
    // A test that never met what it is about would show nothing.
    assert!(feasible > 1_000 && infeasible > 500 && searched > 20, "{feasible} {infeasible} {searched}");
}

/// More tasks than brute force could try at their full size, on headings that all have to differ: here it is the
/// search that has to be right, and a permutation that is the oracle.
#[test]
fn headings_that_all_differ() {
    let mut searched = 0;
    for seed in 0..60 {
        let mut stream = Stream::of_run(seed, Purpose::Arrangement);
        let (tasks, vehicles) = (5, 6);
        let costs = (0..tasks * vehicles * 5).map(|_| stream.below(40)).collect();
        let pairs = (0..tasks).flat_map(|a| (a + 1..tasks).map(move |b| (a, b)));
        let apart = |(a, b)| Constraint { a, b, dt_min: None, dt_max: None, dh_min: 60, dh_max: 180 };
        let headings = vec![0, 72, 144, 216, 288];
        let problem = Problem::new(tasks, vehicles, vec![0], headings, costs, pairs.map(apart).collect());
        let problem = problem.expect("it is a problem");
        searched += u64::from(check(&problem, brute_force(&problem)) > 12);
    }
    assert!(searched > 10, "{searched}");
}

/// Vehicles with other things to do, so that each can do every task, at times with gaps: whether they can all do theirs as
/// they are tied together is found out within the budget that a LEAD has.
#[test]
fn gaps_that_do_not_go_together() {
    let (mut feasible, mut infeasible) = (0, 0);
    for seed in 0..300 {
        let mut stream = Stream::of_run(seed, Purpose::Arrangement);
        let mut below = |n: u32| i64::from(stream.below(n));
        let (tasks, vehicles) = (4, 4 + below(2) as usize);
        let mut bids = Vec::new();
        for _ in 0..vehicles {
            let gaps = [below(100), 50 + below(60)].map(|from| (from, from + 12 + below(14)));
            let late: Vec<i64> = (0..8).map(|_| below(20)).collect();
            let open = |at: i64, heading: usize| gaps.iter().any(|gap| (gap.0 + late[heading]..=gap.1).contains(&at));
            let bid = |at: i64, heading: usize| if open(at, heading) { 200 * at as u32 } else { INFEASIBLE };
            bids.extend(
                (0..21).flat_map(|time| (0..8).map(move |heading| (time, heading))).map(|(t, h)| bid(5 * t, h)),
            );
        }
        let apart = |a| {
            let (least, dh_min) = (3 + below(10), 45 * below(2));
            Constraint { a, b: a + 1, dt_min: Some(least), dt_max: Some(least + 5 + below(15)), dh_min, dh_max: 180 }
        };
        let constraints = (0..tasks - 1).map(apart).collect();
        let headings = (0..8).map(|heading| 45 * heading).collect();
        let times = (0..21).map(|time| 5 * time).collect();
        let problem = Problem::new(tasks, vehicles, times, headings, bids.repeat(tasks), constraints);
        let answer = assign(&problem.expect("it is a problem"), 100_000);
        assert!([Status::Optimal, Status::Infeasible].contains(&answer.status), "{seed}: {answer:?}");
        feasible += u64::from(answer.status == Status::Optimal);
        infeasible += u64::from(answer.status == Status::Infeasible);
    }
    assert!(feasible > 50 && infeasible > 10, "{feasible} {infeasible}");
}

#[test]
fn what_has_no_assignment_and_why() {
    let free = Constraint { a: 0, b: 1, dt_min: None, dt_max: None, dh_min: 0, dh_max: 180 };
    let why = |tasks: usize, vehicles: usize, costs: &dyn Fn(usize, usize) -> u32, constraints: &[Constraint]| {
        let (times, headings) = (vec![0, 5, 10], vec![0, 90, 180, 270]);
        let states = times.len() * headings.len();
        let costs = (0..tasks * vehicles * states).map(|at| costs(at / states / vehicles, at / states % vehicles));
        let problem = Problem::new(tasks, vehicles, times, headings, costs.collect(), constraints.to_vec());
        let problem = problem.expect("it is a problem");
        assert_eq!(assign(&problem, u64::MAX).status, Status::Infeasible);
        reason(&problem)
    };
    let all = |_, _| 1;
    assert_eq!(why(3, 2, &all, &[]), Reason::TooFewVehicles);
    assert_eq!(why(2, 2, &|task, _| if task == 1 { INFEASIBLE } else { 1 }, &[]), Reason::NobodyCan { task: 1 });
    let one_for_two = |task, vehicle| if task > 0 && vehicle != 3 { INFEASIBLE } else { 1 };
    assert_eq!(why(3, 4, &one_for_two, &[]), Reason::Crowded { tasks: vec![1, 2], vehicles: vec![3] });
    let after = |a, b, least| Constraint { a, b, dt_min: Some(least), ..free };
    let round = [after(0, 1, 5), after(2, 0, 1), after(1, 2, -5)];
    assert!(matches!(why(3, 3, &all, &round), Reason::Cycle { constraints, samples: false } if constraints.len() == 3));
    let long = [after(0, 1, 6), free, after(1, 2, 5)];
    let reason = why(3, 3, &all, &long);
    assert!(matches!(&reason, Reason::Cycle { constraints, samples: true } if *constraints == [0, 2]), "{reason:?}");
    let between = Constraint { dh_min: 10, dh_max: 80, ..free };
    assert_eq!(why(2, 2, &all, &[between]), Reason::NoPair { a: 0, b: 1 });
    let pairs: Vec<Constraint> =
        (0..3).flat_map(|a| (a + 1..3).map(move |b| Constraint { a, b, dh_min: 135, ..free })).collect();
    assert!(matches!(why(3, 3, &all, &pairs), Reason::Circle { tasks, .. } if tasks == [0, 1, 2]));
}

/// What is no problem.
#[test]
fn refused() {
    let free = Constraint { a: 0, b: 1, dt_min: None, dt_max: None, dh_min: 0, dh_max: 180 };
    let new = |times: &[i64], headings: &[i64], constraint: Constraint| {
        let costs = vec![0; 4 * times.len() * headings.len()];
        Problem::new(2, 2, times.to_vec(), headings.to_vec(), costs, vec![constraint]).err()
    };
    assert_eq!(new(&[0, 5], &[0, 90], free), None);
    assert_eq!(new(&[0, 0], &[0], free), Some(ProblemError::Time(1)));
    assert_eq!(new(&[0], &[90, 45], free), Some(ProblemError::Heading(1)));
    assert_eq!(new(&[0], &[0, 360], free), Some(ProblemError::Heading(1)));
    assert_eq!(new(&[0], &[-1], free), Some(ProblemError::Heading(0)));
    assert_eq!(new(&[0], &[0], Constraint { b: 2, ..free }), Some(ProblemError::NoTask(0)));
    assert_eq!(new(&[0], &[0], Constraint { b: 0, ..free }), Some(ProblemError::SameTask(0)));
    let swapped = Constraint { dt_min: Some(2), dt_max: Some(1), ..free };
    assert_eq!(new(&[0], &[0], swapped), Some(ProblemError::EmptyWindow(0)));
    for (dh_min, dh_max) in [(-1, 180), (0, 181), (91, 90)] {
        assert_eq!(new(&[0], &[0], Constraint { dh_min, dh_max, ..free }), Some(ProblemError::Angles(0)));
    }
    assert_eq!(
        Problem::new(1, 1, vec![0], vec![0], vec![], vec![]),
        Err(ProblemError::Costs { found: 0, expected: 1 })
    );
}

/// Times may be as far apart as numbers go.
#[test]
fn far_apart() {
    let far = Constraint { a: 1, b: 0, dt_min: Some(i64::MIN), dt_max: Some(i64::MIN), dh_min: 0, dh_max: 180 };
    let times = vec![i64::MIN, 0, i64::MAX];
    let problem = Problem::new(2, 2, times, vec![0], vec![1; 12], vec![far]).expect("it is a problem");
    let answer = assign(&problem, u64::MAX);
    assert_eq!((answer.status, answer.cost), (Status::Optimal, Some(2)));
    assert_eq!(problem.evaluate(&answer.assignment), Some(2));
}

/// [MacKenzie 2003, the example mission] verify, drop, assess at one target by three vehicles, with the geometry and
/// rates of docs/assign.md: costs in hundredths, by task (all alike), vehicle, time and heading.
fn mission(doug3: (f64, f64), constraints: Vec<Constraint>) -> Problem {
    let (target, radius) = ((31.8, 27.9), 8.0);
    let bid = |(x, y): (f64, f64), time: i64, heading: i64| {
        let toward = (heading as f64).to_radians();
        let (x, y) = (x - target.0, y - target.1);
        let entry = (-radius * libm::cos(toward), -radius * libm::sin(toward));
        let straight = (x * x + y * y).sqrt();
        let between = libm::acos(((x * entry.0 + y * entry.1) / (straight * radius)).clamp(-1.0, 1.0));
        let in_view = libm::acos(radius / straight);
        let way = if between <= in_view {
            ((x - entry.0).powi(2) + (y - entry.1).powi(2)).sqrt()
        } else {
            (straight * straight - radius * radius).sqrt() + radius * (between - in_view)
        };
        let travel = way + radius;
        // The published positions are rounded to a hundredth, and so are arrivals that are due on the dot.
        if (time as f64) < travel - 0.005 {
            return INFEASIBLE;
        }
        let cost = 2.0 * travel + 2.0 * (time as f64 - travel) + (travel - straight);
        (cost * 100.0).round() as u32
    };
    let times: Vec<i64> = (0..21).map(|time| time * 5).collect();
    let headings: Vec<i64> = (0..8).map(|heading| heading * 45).collect();
    let mut costs = Vec::new();
    for _ in 0..3 {
        for vehicle in [(17.94, 14.04), doug3, (46.40, 27.90)] {
            for &time in &times {
                costs.extend(headings.iter().map(|&heading| bid(vehicle, time, heading)));
            }
        }
    }
    Problem::new(3, 3, times, headings, costs, constraints).expect("it is a problem")
}

/// The least cost, how many assignments have it, and the next cost.
fn two_best(problem: &Problem) -> (u64, usize, u64) {
    let (mut least, mut count, mut second) = (u64::MAX, 0, u64::MAX);
    enumerate(problem, &mut Vec::new(), 0, &mut |cost, _| {
        if cost < least {
            (least, count, second) = (cost, 1, least);
        } else if cost == least {
            count += 1;
        } else {
            second = second.min(cost);
        }
    });
    (least, count, second)
}

const PHASES: [(usize, usize, i64, i64); 3] = [(0, 1, 5, 10), (1, 2, 5, 10), (0, 2, 10, 100)];

fn phases(consecutive: i64, others: i64) -> Vec<Constraint> {
    let phase = |(a, b, least, most)| Constraint {
        a,
        b,
        dt_min: Some(least),
        dt_max: Some(most),
        dh_min: if b == a + 1 { consecutive } else { others },
        dh_max: 180,
    };
    PHASES.into_iter().map(phase).collect()
}

#[test]
fn the_three_phases_of_the_paper() {
    let problem = mission((25.54, 51.28), phases(45, 45));
    let answer = assign(&problem, u64::MAX);
    assert_eq!((answer.status, answer.cost), (Status::Optimal, Some(12_040)));
    // doug4 verifies at 15 s on 180, doug2 drops at 20 s on 45, doug3 assesses at 25 s on 270.
    let choice = |vehicle, time, heading| Choice { vehicle, time, heading };
    assert_eq!(answer.assignment, [choice(2, 3, 4), choice(0, 4, 1), choice(1, 5, 6)]);
    assert_eq!(two_best(&problem), (12_040, 1, 13_040));
}

#[test]
fn a_heading_rule_that_moves_a_vehicle() {
    let doug3 = (16.67, 43.03);
    let problem = mission(doug3, phases(135, 90));
    let answer = assign(&problem, u64::MAX);
    assert_eq!((answer.status, answer.cost), (Status::Optimal, Some(12_333)));
    assert_eq!(answer.assignment[2], Choice { vehicle: 1, time: 5, heading: 6 });
    assert_eq!(two_best(&problem), (12_333, 1, 13_333));
    let free = assign(&mission(doug3, phases(90, 90)), u64::MAX);
    assert_eq!((free.cost, free.assignment[2].heading), (Some(12_000), 7));
}
