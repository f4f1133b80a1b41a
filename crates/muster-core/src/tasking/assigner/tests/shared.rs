//! Vehicles that do several tasks, against trying everything.

use super::*;
use crate::tasking::assigner::shared::assign_chains;

/// Tries everything: the least cost.
fn brute_force(shared: &Shared) -> Option<u64> {
    fn go(shared: &Shared, chosen: &mut Vec<Choice>, least: &mut Option<u64>) {
        let problem = shared.problem();
        if chosen.len() == problem.tasks() {
            if let Some(cost) = shared.evaluate(chosen) {
                *least = Some(least.map_or(cost, |least| least.min(cost)));
            }
            return;
        }
        for vehicle in 0..problem.vehicles() {
            for time in 0..problem.times().len() {
                for heading in 0..problem.headings().len() {
                    chosen.push(Choice { vehicle, time, heading });
                    go(shared, chosen, least);
                    chosen.pop();
                }
            }
        }
    }
    let mut least = None;
    go(shared, &mut Vec::new(), &mut least);
    least
}

/// A small problem of any shape, with vehicles that take any time to come round and may do any number of tasks.
fn any(seed: u64) -> Shared {
    let mut stream = Stream::of_run(seed, Purpose::Arrangement);
    let mut below = |n: usize| stream.below(n as u32) as usize;
    let tasks = 1 + below(4);
    let vehicles = 1 + below(if tasks == 4 { 2 } else { 3 });
    let most_states = [16, 12, 8, 5][tasks - 1];
    let times = 1 + below(most_states.min(6));
    let headings = 1 + below((most_states / times).min(3));
    let times: Vec<i64> = (0..times as i64).map(|time| time * 5).collect();
    let headings: Vec<i64> = (0..headings as i64).map(|heading| heading * 90).collect();
    let (dearest, impossible) = ([2, 20, 3_000, 20_000][below(4)], [0, 10, 40][below(3)]);
    let count = tasks * vehicles * times.len() * headings.len();
    let costs = (0..count)
        .map(|_| if below(100) < impossible { INFEASIBLE } else { (dearest + below(dearest)) as u32 })
        .collect();
    let mut constraints = Vec::new();
    for b in 1..tasks {
        for a in 0..b {
            if below(2) == 0 {
                let dt_min = 5 * below(4) as i64 - 5;
                constraints.push(Constraint {
                    a,
                    b,
                    dt_min: (below(3) > 0).then_some(dt_min),
                    dt_max: (below(3) > 0).then_some(dt_min + 5 * below(4) as i64),
                    dh_min: 90 * below(2) as i64,
                    dh_max: 180,
                });
            }
        }
    }
    let pairs = tasks * tasks * headings.len() * headings.len();
    let longest = 1 + below(12) as i64;
    let several = (0..vehicles)
        .map(|_| {
            let never = below(20) == 0;
            let least = |_| if never || below(30) == 0 { i64::MAX } else { 1 + below(longest as usize) as i64 };
            let least = (0..pairs).map(least).collect();
            // Together never more than the least that a task costs.
            let saves = below(dearest / 2 + 1) as i64;
            let saves = times.iter().map(|time| saves * time / 30).collect();
            let spread = [1, dearest][below(2)];
            let more = (0..pairs).map(|_| below(spread) as i64 - dearest as i64 / 2).collect();
            Several { most: 1 + below(tasks), room: below(6) as u64, saves, least, more }
        })
        .collect();
    let takes = (0..tasks).map(|_| below(3) as u64).collect();
    let problem = Problem::new(tasks, vehicles, times, headings, costs, constraints).expect("it is a problem");
    Shared::new(problem, takes, several)
}

#[test]
fn the_optimum_with_vehicles_that_do_several_is_that_of_trying_everything() {
    let (mut feasible, mut infeasible, mut alone, mut searched, mut fewer) = (0, 0, 0, 0, 0);
    for seed in 0..6_000 {
        let shared = any(seed);
        let truth = brute_force(&shared);
        let answer = assign_shared(&shared, u64::MAX, u64::MAX, None);
        assert_eq!(answer.cost, truth, "seed {seed}: {shared:?}");
        assert_eq!(answer.status, if truth.is_some() { Status::Optimal } else { Status::Infeasible });
        if truth.is_some() {
            assert_eq!(shared.evaluate(&answer.assignment), truth);
            assert_eq!(answer.bound, answer.cost.unwrap());
        }
        // The search over chains alone, for where there are too many orders to list.
        let chains = assign_chains(&shared, u64::MAX, None);
        assert_eq!((chains.cost, chains.status), (answer.cost, answer.status), "seed {seed}");
        if truth.is_some() {
            let again = improve_shared(&shared, u64::MAX, chains.assignment.clone());
            assert_eq!((again.cost, again.status), (truth, Status::Optimal), "seed {seed}");
        }
        // Whatever was known before is no hindrance, and without time to search what is known is the answer.
        let own = assign(shared.problem(), u64::MAX);
        let start = own.cost.map(|_| own.assignment.clone());
        assert_eq!(assign_shared(&shared, u64::MAX, u64::MAX, start.clone()).cost, truth);
        let hurried = assign_shared(&shared, 1, u64::MAX, start);
        assert!(hurried.cost.is_none_or(|cost| truth.is_some_and(|truth| truth <= cost)));
        assert!(own.cost.is_none() || hurried.cost <= own.cost);
        assert!(truth.is_none_or(|truth| hurried.bound <= truth), "seed {seed}: {hurried:?}");
        feasible += u64::from(truth.is_some());
        infeasible += u64::from(truth.is_none());
        alone += u64::from(truth.is_some() && own.cost.is_none());
        searched += u64::from(chains.nodes > 40);
        fewer += u64::from(answer.nodes < chains.nodes);
    }
    // A test that never met what it is about would show nothing.
    assert!(
        feasible > 2_000 && infeasible > 500 && alone > 300 && searched > 50 && fewer > 1_000,
        "{feasible} {infeasible} {alone} {searched} {fewer}"
    );
}

/// Where nobody may do two tasks, the answer is that of the ordinary search.
#[test]
fn nobody_does_two_tasks_who_may_not() {
    for seed in 0..500 {
        let problem = random(seed);
        let several = (0..problem.vehicles()).map(|_| Several::one(&problem)).collect();
        let shared = Shared::new(problem.clone(), vec![0; problem.tasks()], several);
        let (one, other) = (assign(&problem, u64::MAX), assign_shared(&shared, u64::MAX, u64::MAX, None));
        assert_eq!((one.cost, one.status), (other.cost, other.status), "seed {seed}");
    }
}
