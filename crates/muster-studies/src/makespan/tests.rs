//! The solver beside brute force, and what must hold of every solution and rule.

use super::rules::RULES;
use super::{Instance, Solution, Solver, default_budget, random, solve};

/// The least makespan of all assignments.
fn brute_force(instance: &Instance) -> f64 {
    fn give(instance: &Instance, task: usize, loads: &mut [f64], best: &mut f64) {
        if task == instance.tasks() {
            *best = best.min(loads.iter().copied().fold(0.0, f64::max));
            return;
        }
        for (robot, time) in instance.able(task) {
            let before = loads[robot];
            loads[robot] += time;
            if loads[robot] < *best {
                give(instance, task + 1, loads, best);
            }
            loads[robot] = before;
        }
    }
    let mut best = f64::INFINITY;
    give(instance, 0, &mut vec![0.0; instance.robots()], &mut best);
    best
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.max(other)
}

/// What holds of every solution, proved or not.
fn check(instance: &Instance, solution: &Solution) {
    assert_eq!(solution.assignment.len(), instance.tasks());
    assert_eq!(instance.makespan(&solution.assignment), solution.makespan, "the makespan is that of the assignment");
    assert!(solution.makespan.is_finite(), "everybody can do what it was given");
    assert!(solution.bound <= solution.makespan && solution.bound > 0.0);
    assert_eq!(solution.proved, solution.bound == solution.makespan);
}

#[test]
fn the_optimum_is_that_of_brute_force() {
    let mut solver = Solver::new();
    for seed in 0..6_000 {
        let instance = random::instance(seed);
        let solution = solver.solve(&instance, u64::MAX);
        check(&instance, &solution);
        let optimum = brute_force(&instance);
        assert!(solution.proved && near(solution.makespan, optimum), "seed {seed}: {solution:?}, not {optimum}");
    }
}

/// However few nodes: the bound is below the optimum and the assignment above it.
#[test]
fn it_can_be_stopped_at_any_node() {
    let mut stopped = 0;
    let mut solver = Solver::new();
    for seed in 0..40 {
        let (robots, tasks, high) = [(6, 12, 900.0), (6, 12, 200.0), (8, 14, 300.0)][seed as usize % 3];
        let instance = random::uniform(seed, robots, tasks, 100.0, high);
        let optimum = solver.solve(&instance, u64::MAX).makespan;
        let mut before = solver.solve(&instance, 0);
        for budget in [1, 2, 3, 5, 10, 20, 32, 33, 50, 100] {
            let solution = solver.solve(&instance, budget);
            check(&instance, &solution);
            assert!(solution.nodes <= budget);
            assert!(solution.bound <= optimum * (1.0 + 1e-9) && solution.makespan >= optimum * (1.0 - 1e-9));
            assert!(solution.makespan <= before.makespan && solution.bound >= before.bound, "more is never worse");
            stopped += u32::from(!solution.proved);
            before = solution;
        }
    }
    assert!(stopped > 20, "only {stopped} searches were stopped");
}

#[test]
fn the_same_instance_gives_the_same_solution() {
    let mut solver = Solver::new();
    for seed in 0..20 {
        let instance = random::uniform(seed, 10, 20, 100.0, 900.0);
        for budget in [7, 40, 10_000] {
            let fresh = solve(&instance, budget);
            // What the solver has seen before makes no difference.
            assert_eq!(solver.solve(&instance, budget), fresh);
            assert_eq!(solver.solve(&instance, budget), fresh);
        }
    }
}

/// Sizes out of reach of brute force, with and without eligibility: `cargo test -p muster-studies --features highs`.
#[cfg(feature = "highs")]
#[test]
fn the_optimum_is_that_of_highs() {
    let mut checked = 0;
    for seed in 0..60 {
        let (robots, tasks) = [(6, 12), (4, 10), (8, 16), (3, 12)][seed as usize % 4];
        let (low, high) = [(1.0, 100.0), (100.0, 200.0), (100.0, 900.0)][seed as usize % 3];
        let full = random::uniform(seed, robots, tasks, low, high);
        let able = |robot: usize, task: usize| seed % 2 == 0 || !(robot + task + seed as usize).is_multiple_of(3);
        let time = |robot: usize, task: usize| full.time(robot, task).filter(|_| able(robot, task));
        let instance = Instance::from_fn(robots, tasks, time).expect("an instance");
        let solution = solve(&instance, u64::MAX);
        let optimum = super::highs::optimum(&instance).expect("HiGHS solves it");
        // HiGHS satisfies its constraints to one part in a million.
        let near = (solution.makespan - optimum).abs() <= 1e-5 * optimum;
        assert!(near, "seed {seed}: {} is not {optimum}", solution.makespan);
        checked += 1;
    }
    assert_eq!(checked, 60);
}

/// Loads say nothing here: nine equal tasks and four robots have a load bound of 2.25 tasks each.
#[test]
fn equal_times_are_counted_not_searched() {
    let instance = Instance::from_fn(20, 41, |_, _| Some(100.0)).expect("an instance");
    let solution = solve(&instance, 10);
    assert_eq!((solution.makespan, solution.proved), (300.0, true), "{solution:?}");
    // Half of the robots can do half of the tasks.
    let instance = Instance::from_fn(6, 16, |robot, task| (robot >= 3 || task % 2 == 0).then_some(0.1));
    let solution = solve(&instance.expect("an instance"), 1_000);
    assert!(solution.proved && near(solution.makespan, 0.3), "{solution:?}");
}

/// The sizes that the benchmarks time are solved well within the default budget, whatever the spread.
#[test]
fn larger_missions_are_proved_within_the_default_budget() {
    let mut solver = Solver::new();
    for (robots, tasks) in [(6, 12), (10, 20), (20, 40)] {
        for high in [100.0, 101.0, 200.0, 300.0, 900.0, 3_300.0] {
            let low = if high == 100.0 { 1.0 } else { 100.0 };
            for seed in 0..3 {
                let instance = random::uniform(seed, robots, tasks, low, high);
                let solution = solver.solve(&instance, default_budget(&instance));
                check(&instance, &solution);
                assert!(solution.proved, "{robots} x {tasks}, {low} to {high}, seed {seed}: {solution:?}");
            }
        }
    }
}

#[test]
fn one_robot_or_one_task() {
    let alone = Instance::from_fn(1, 5, |_, task| Some(1.0 + task as f64)).expect("an instance");
    assert_eq!(solve(&alone, 1).makespan, 15.0);
    let single = Instance::from_fn(5, 1, |robot, _| Some(5.0 - robot as f64)).expect("an instance");
    assert_eq!((solve(&single, 0).assignment, solve(&single, 0).proved), (vec![4], true));
}

#[test]
fn every_rule_gives_every_task_to_a_robot_that_can_do_it() {
    let mut solver = Solver::new();
    for seed in 0..1_000 {
        let instance = random::instance(seed);
        let optimum = solver.solve(&instance, u64::MAX).makespan;
        for (name, rule) in RULES {
            let assignment = rule(&instance);
            assert_eq!(assignment.len(), instance.tasks());
            let makespan = instance.makespan(&assignment);
            assert!(makespan.is_finite() && makespan >= optimum * (1.0 - 1e-9), "{name}, seed {seed}: {makespan}");
        }
    }
}

/// By hand: two robots, three tasks.
#[test]
fn what_each_rule_does() {
    let rows = [[3.0, 4.0, 9.0], [5.0, 8.0, 8.0]].map(|row| row.map(Some).to_vec());
    let instance = Instance::new(&rows).expect("an instance");
    let given: Vec<(&str, Vec<usize>)> = RULES.iter().map(|(name, rule)| (*name, rule(&instance))).collect();
    let expected = [
        // Task 2 (8) to robot 1, task 1 (4) to robot 0, task 0 to robot 0, at 7.
        ("greedy", vec![0, 0, 1]),
        // Regrets 2, 4, 1: task 1 to robot 0. Then 2 (7 or 5) and 5 (13 or 8): task 2 to robot 1, task 0 to robot 0.
        ("regret-auction", vec![0, 0, 1]),
        // Bids in order: task 0 by robot 0 at 3, task 1 by robot 0 at 7, task 2 by robot 1 at 8.
        ("cbba", vec![0, 0, 1]),
        // 4 + 5 is the cheapest pair, tasks 1 and 0; then task 2, by robot 0 at 13 or by robot 1 at 13.
        ("hungarian-rounds", vec![1, 0, 0]),
    ];
    assert_eq!(given, expected);
}
