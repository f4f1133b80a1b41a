//! What the exact solver of makespans costs: the median of 20 seeds, for times uniform between 1 and 100 and between
//! 100 and 100 (1 + h), where h is the heterogeneity of the studies of L-ALLIANCE. With `--features highs` beside HiGHS.

use muster_core::rng::{Purpose, Stream};
use muster_studies::makespan::{Instance, Solver};

use crate::table::{Stopwatch, quantile, row_us};

const SEEDS: u64 = 20;
/// Robots, tasks, and what the median may cost, in microseconds.
const SIZES: [(usize, usize, f64); 3] = [(6, 12, 30.0), (10, 20, 1_500.0), (20, 40, 100_000.0)];
/// The largest missions whose optimum a study can find by trying everything: robots to the power of tasks.
const ENUMERABLE: f64 = 1.1e6;
const SMALL_US: f64 = 5.0;

fn uniform(seed: u64, robots: usize, tasks: usize, coverage: usize, (low, high): (f64, f64)) -> Instance {
    let mut stream = Stream::of_run(seed, Purpose::Arrangement);
    let mut able = vec![false; robots * tasks];
    for task in able.chunks_mut(robots) {
        let mut robots: Vec<usize> = (0..robots).collect();
        for chosen in 0..coverage {
            let other = chosen + stream.below((robots.len() - chosen) as u32) as usize;
            robots.swap(chosen, other);
            task[robots[chosen]] = true;
        }
    }
    let time = |robot: usize, task: usize| able[task * robots + robot].then(|| stream.between(low, high));
    Instance::from_fn(robots, tasks, time).expect("somebody can do each task")
}

/// Microseconds of one solution, proof included: the mean of as many as take a while.
fn solve_us(solver: &mut Solver, instance: &Instance) -> f64 {
    let (mut rounds, mut nanos) = (0, 0.0);
    while rounds == 0 || nanos < 1e6 {
        let start = Stopwatch::start();
        for _ in 0..10 {
            let solution = solver.solve(std::hint::black_box(instance), u64::MAX);
            assert!(solution.proved);
        }
        nanos += start.nanos();
        rounds += 10;
    }
    nanos / 1e3 / f64::from(rounds)
}

pub fn measure() {
    let mut solver = Solver::new();
    for (robots, tasks, most) in SIZES {
        for (spread, range) in [
            ("1 to 100", (1.0, 100.0)),
            ("100 to 200", (100.0, 200.0)),
            ("100 to 300", (100.0, 300.0)),
            ("100 to 900", (100.0, 900.0)),
            ("100 to 3,300", (100.0, 3_300.0)),
        ] {
            let instances = (0..SEEDS).map(|seed| uniform(seed, robots, tasks, robots, range));
            let median = quantile(instances.map(|instance| solve_us(&mut solver, &instance)), 0.5);
            row_us(&format!("makespan of {robots} x {tasks}, times from {spread}"), median, most);
        }
    }
    small(&mut solver);
    #[cfg(feature = "highs")]
    beside_highs(&mut solver);
}

/// The mean over the missions of Figure 10 of Parker's report: studies solve hundreds of thousands of them.
fn small(solver: &mut Solver) {
    let mut instances = Vec::new();
    for (robots, tasks) in (2..=10).flat_map(|robots| (1..=9).map(move |tasks| (robots, tasks))) {
        if (robots as f64).powi(tasks as i32) <= ENUMERABLE {
            for (coverage, high) in (1..=robots).flat_map(|robots| [100.1, 200.0, 900.0].map(|high| (robots, high))) {
                instances.push(uniform(instances.len() as u64, robots, tasks, coverage, (100.0, high)));
            }
        }
    }
    let start = Stopwatch::start();
    for instance in &instances {
        assert!(solver.solve(instance, u64::MAX).proved);
    }
    let mean = start.nanos() / 1e3 / instances.len() as f64;
    row_us("makespan of small missions (Figure 10), mean", mean, SMALL_US);
}

/// One run of each solver on the same instances, both proving the optimum.
#[cfg(feature = "highs")]
fn beside_highs(solver: &mut Solver) {
    for (robots, tasks, _) in SIZES {
        let instances: Vec<Instance> =
            (0..SEEDS).map(|seed| uniform(seed, robots, tasks, robots, (1.0, 100.0))).collect();
        let own = quantile(instances.iter().map(|instance| solve_us(solver, instance)), 0.5);
        let highs = |instance: &Instance| {
            let start = std::time::Instant::now();
            let optimum = muster_studies::makespan::highs::optimum(instance).expect("HiGHS solves it");
            let nanos = start.elapsed().as_nanos() as f64;
            let makespan = solver.solve(instance, u64::MAX).makespan;
            assert!((optimum - makespan).abs() <= 1e-5 * makespan, "{optimum} is not {makespan}");
            nanos / 1e3
        };
        let highs = quantile(instances.iter().map(highs), 0.5);
        crate::table::compare_us(&format!("makespan of {robots} x {tasks} / HiGHS"), own, highs);
    }
}
