//! What the Task Assigner costs: the median of 20 seeds of `assign::random`, proof included. With `--features highs`
//! chains beside HiGHS.

use muster_core::tasking::assigner::{Problem, Status, assign};
use muster_studies::assign::random::{Bids, Coupled, instance};

use crate::table::{Stopwatch, compare_us, quantile, row_us};

const SEEDS: u64 = 20;
/// Coupling, its name, tasks, vehicles, and what the median may cost, in microseconds.
const SIZES: [(Coupled, &str, usize, usize, f64); 8] = [
    (Coupled::Chain, "chain", 3, 10, 200.0),
    (Coupled::Chain, "chain", 5, 20, 1_000.0),
    (Coupled::Chain, "chain", 8, 30, 10_000.0),
    (Coupled::Chain, "chain", 10, 100, 10_000.0),
    (Coupled::Dense, "dense", 8, 20, 100_000.0),
    (Coupled::Headings, "headings", 8, 20, 100_000.0),
    (Coupled::Dense, "dense", 10, 20, 2_000_000.0),
    (Coupled::Dense, "dense", 12, 24, 10_000_000.0),
];

fn solve_us(problem: &Problem) -> f64 {
    let start = Stopwatch::start();
    let answer = assign(std::hint::black_box(problem), u64::MAX);
    let us = start.nanos() / 1e3;
    assert!(matches!(answer.status, Status::Optimal | Status::Infeasible));
    us
}

pub fn measure() {
    for (coupled, name, tasks, vehicles, most) in SIZES {
        let problems: Vec<Problem> =
            (0..SEEDS).map(|seed| instance(seed, tasks, vehicles, coupled, Bids::Varied)).collect();
        let times: Vec<f64> = problems.iter().map(solve_us).collect();
        let median = quantile(times.iter().copied(), 0.5);
        row_us(&format!("assign {name} of {tasks} x {vehicles}, median"), median, most);
        let worst = quantile(times.iter().copied(), 1.0);
        compare_us(&format!("assign {name} of {tasks} x {vehicles}, worst / median"), worst, median);
    }
    #[cfg(feature = "highs")]
    beside_highs();
}

/// One run of each solver on the same instances, both proving the optimum.
#[cfg(feature = "highs")]
fn beside_highs() {
    for (tasks, vehicles, seeds) in [(3, 10, SEEDS), (5, 20, 5)] {
        let problems: Vec<Problem> =
            (0..seeds).map(|seed| instance(seed, tasks, vehicles, Coupled::Chain, Bids::Varied)).collect();
        let own = quantile(problems.iter().map(solve_us), 0.5);
        let highs = |problem: &Problem| {
            let start = std::time::Instant::now();
            let optimum = muster_studies::assign::highs::optimum(problem, 120.0);
            let nanos = start.elapsed().as_nanos() as f64;
            if optimum.is_some() {
                assert_eq!(optimum, assign(problem, u64::MAX).cost);
            }
            nanos / 1e3
        };
        let highs = quantile(problems.iter().map(highs), 0.5);
        compare_us(&format!("assign chain of {tasks} x {vehicles} / HiGHS"), own, highs);
    }
}
