//! Parker's study of L-ALLIANCE (§7): strategies and orderings over teams, missions and heterogeneity; how far above
//! the optimum they end; and what goes beyond the report.
//!
//! Read before editing: the report's section 7; docs/reproductions/alliance.md for how it was read.

pub mod boxes;
pub mod claims;
pub mod compare;
pub mod gaps;
pub mod mission;
pub mod rules;
pub mod scenario;
pub mod stops;

use std::sync::Arc;

use muster_core::alliance::{Config, Ordering, Strategy};
use muster_core::rng::Stream;
use serde::Serialize;

use crate::batch::Batch;
use claims::{Averages, Claim};
use compare::Cell;
use gaps::{Conditions, Gap};
use mission::Trial;
use rules::{Reading, Rule};
use scenario::{HETEROGENEITIES, Instance, Scenario, Spread};
use stops::Stops;

/// The study's results.
#[derive(Clone, Debug, Serialize)]
pub struct Study {
    /// Missions per scenario.
    pub runs: u64,
    /// Every claim under every reading.
    pub claims: Vec<Claim>,
    /// How far above the optimum rules end.
    pub gaps: Vec<Gap>,
    /// What becomes of missions whose robots stop.
    pub stops: Vec<Stops>,
}

impl Study {
    /// Nothing that should hold fails.
    pub fn holds(&self) -> bool {
        self.claims.iter().all(|claim| claim.verdict != "fails")
            && self.gaps.iter().all(|gap| gap.unfinished == 0)
            && self.stops.iter().all(Stops::holds)
    }
}

/// The team of Figure 8.
fn figure_8() -> Vec<Scenario> {
    let with = |heterogeneity| Scenario { robots: 6, tasks: 12, coverage: 4, heterogeneity };
    HETEROGENEITIES.map(with).to_vec()
}

/// The gaps that are shown: which scenarios, under what conditions, with which rules.
fn comparisons() -> Vec<(&'static str, Vec<Scenario>, Conditions, &'static [Rule])> {
    vec![
        ("figure-10", scenario::figure_10(), Conditions::Report, &[Rule::Preferred]),
        ("figure-10", scenario::figure_10(), Conditions::Instant, &Rule::GAPS),
        ("figure-10", scenario::figure_10(), Conditions::Noise, &Rule::GAPS),
        ("larger", scenario::larger(), Conditions::Instant, &[Rule::Preferred, Rule::Regret]),
    ]
}

/// Missions that [`reproduce`] draws: what its progress counts up to.
pub fn missions_in(runs: u64) -> u64 {
    let grid = (scenario::grid().len() + figure_8().len()) * Reading::ALL.len();
    let gaps: usize = comparisons().iter().map(|(_, set, ..)| set.len()).sum();
    (grid + gaps + STOPS_PER_RUN as usize * Rule::GAPS.len()) as u64 * runs
}

/// Missions with robots that stop, for each mission of a scenario: 10,000 for the report's 200.
const STOPS_PER_RUN: u64 = 50;

/// Regenerates the study.
pub fn reproduce(seed: u64, runs: u64, batch: &Batch<'_>) -> Study {
    let mut claims = Vec::new();
    for reading in Reading::ALL {
        // Readings other than ours are asked about strategies only.
        let rules = if reading == Reading::Default { Rule::report() } else { three_strategies() };
        let grid = averages(&scenario::grid(), reading, &rules, (seed, runs), batch);
        let figure_8 = averages(&figure_8(), reading, &rules, (seed, runs), batch);
        claims.extend(claims::claims(&grid, &figure_8));
    }
    let mut gaps = Vec::new();
    for (name, set, conditions, rules) in comparisons() {
        gaps.extend(gaps::gaps(name, &set, conditions, rules, (seed, runs), batch));
    }
    let stops = stops::stops(&Rule::GAPS, (seed, runs * STOPS_PER_RUN), batch);
    Study { runs, claims, gaps, stops }
}

/// Strategies I, II and III with modified shortest first.
pub fn three_strategies() -> Vec<Rule> {
    Strategy::ALL.map(|strategy| Rule::Report(strategy, Ordering::ModifiedShortest)).to_vec()
}

/// Average times of these rules on these scenarios, `runs` missions each: the same for all rules.
pub fn averages(
    set: &[Scenario],
    reading: Reading,
    rules: &[Rule],
    (seed, runs): (u64, u64),
    batch: &Batch<'_>,
) -> Averages {
    let spread = if reading == Reading::LogUniform { Spread::LogUniform } else { Spread::Uniform };
    let cells = batch.map(set.len() as u64, |index| {
        let scenario = set[index as usize];
        let of_scenario = Stream::seed_of_run(seed, index);
        let cell = |progress: bool| {
            let config = |rule: &Rule| Arc::new(reading.read(rule.config(&scenario, progress)));
            let configs: Vec<Arc<Config>> = rules.iter().map(config).collect();
            let run = |run| {
                let seed = Stream::seed_of_run(of_scenario, run);
                let mut trial = Trial::new(&Instance::draw(&scenario, spread, seed), seed);
                trial.progress_when_working(progress);
                let time = |config| trial.run(config).makespan_s.unwrap_or(f64::INFINITY);
                configs.iter().map(time).collect::<Vec<f64>>()
            };
            Cell::new(scenario, &(0..runs).map(run).collect::<Vec<_>>())
        };
        let both = (cell(false), cell(true));
        (batch.progress)(runs);
        both
    });
    let (without, with) = cells.into_iter().unzip();
    Averages { reading, rules: rules.to_vec(), without, with }
}
