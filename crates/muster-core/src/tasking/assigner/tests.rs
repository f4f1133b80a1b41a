//! The assigner against the paper's: trying everything.

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
    let costs = 0..tasks * vehicles * times.len() * headings.len();
    let costs = costs.map(|_| if below(100) < impossible { INFEASIBLE } else { below(dearest) as u16 }).collect();
    let mut constraints = Vec::new();
    if tasks > 1 {
        for _ in 0..below(2 * tasks as u32 + 1) {
            let a = below(tasks as u32);
            let b = (a + 1 + below(tasks as u32 - 1)) % tasks;
            let dt_min = below(12) as i64 - 8;
            let dt_max = dt_min + below(9) as i64;
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
