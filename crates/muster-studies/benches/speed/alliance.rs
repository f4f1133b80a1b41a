//! What Parker's study of strategies costs: I, II and III with modified shortest first, with and without progress when
//! working, on the grid and on the missions of Figure 10, 200 runs each.
//!
//! Measured on a few runs of every scenario on one thread and multiplied: missions have nothing to do with each other,
//! and two cores take half of it.

use muster_core::alliance::Ordering;
use muster_studies::alliance::measured::Measured;
use muster_studies::alliance::rules::{Reading, Rule};
use muster_studies::alliance::scenario::{Grid, figure_10};
use muster_studies::batch::Batch;

use crate::table::{self, Stopwatch};

/// As many as the report made of each scenario.
const RUNS: f64 = 200.0;
const MEASURED: u64 = 2;
/// Three minutes on two cores.
const MOST_S: f64 = 2.0 * 180.0;

pub fn measure() {
    let set = [Grid::report().scenarios(), figure_10()].concat();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let nanos = pool.install(|| {
        let watch = Stopwatch::start();
        let rules = Rule::with(&[Ordering::ModifiedShortest]);
        std::hint::black_box(Measured::new(&set, Reading::Default, rules, (1, MEASURED), &Batch::quiet()));
        watch.nanos()
    });
    let seconds = nanos / 1e9 * RUNS / MEASURED as f64;
    table::row_s("processor time of the study of strategies", seconds, MOST_S);
}
