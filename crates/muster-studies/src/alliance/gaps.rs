//! How far above the optimum each rule ends, region by region. [Parker §7.5, Figure 10]

use std::sync::Arc;

use muster_core::Duration;
use muster_core::alliance::Config;
use muster_core::rng::{Purpose, Stream};
use serde::Serialize;

use super::compare::Interval;
use super::mission::Trial;
use super::rules::Rule;
use super::scenario::{Instance, Region, Scenario, Spread};
use crate::batch::Batch;
use crate::makespan::{self, rules::RULES};
use crate::makespan::{Solver, default_budget};
use crate::stats;

/// Under what conditions rules are compared with the optimum.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Conditions {
    /// The delays of the report.
    Report,
    /// Delays of 10 ms, so that only the choice counts.
    Instant,
    /// The same; each robot knows mean and deviation of five trials with an error of 10 %.
    Noise,
}

/// One line of the comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Gap {
    /// Which scenarios.
    pub set: &'static str,
    /// Those with at least this coverage.
    pub coverage_from: u32,
    /// Under what conditions.
    pub conditions: Conditions,
    /// In which region.
    pub region: Region,
    /// Which rule.
    pub rule: String,
    /// Percent above the optimum: mean over runs of T / T_opt - 1.
    pub mean: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The standard deviation between scenarios.
    pub sd: f64,
    /// How many there are.
    pub scenarios: usize,
    /// Missions that were never done, which must not be.
    pub unfinished: u64,
    /// Missions whose optimum was not proved within the budget; the bound stands in for it.
    pub unproved: u64,
}

/// A scenario under every rule.
struct Row {
    scenario: Scenario,
    /// By rule: mean and variance of the mean.
    gaps: Vec<(f64, f64)>,
    unfinished: Vec<u64>,
    unproved: u64,
}

/// Compares rules with the optimum on a set of scenarios. `runs` missions each.
pub fn gaps(
    name: &'static str,
    set: &[Scenario],
    conditions: Conditions,
    rules: &[Rule],
    (seed, runs): (u64, u64),
    batch: &Batch<'_>,
) -> Vec<Gap> {
    let rows = batch.map(set.len() as u64, |index| {
        let row = row(&set[index as usize], conditions, rules, seed ^ index.wrapping_mul(0x9E37_79B9), runs);
        (batch.progress)(runs);
        row
    });
    let names: Vec<String> =
        rules.iter().map(|rule| rule.name()).chain(RULES.iter().map(|(name, _)| (*name).to_owned())).collect();
    let mut gaps = Vec::new();
    for coverage_from in [1, 2] {
        for region in Region::ALL {
            let of: Vec<&Row> = rows
                .iter()
                .filter(|row| row.scenario.coverage >= coverage_from && row.scenario.region() == region)
                .filter(|row| row.scenario.heterogeneity > 0.0)
                .collect();
            if of.is_empty() {
                continue;
            }
            for (rule, rule_name) in names.iter().enumerate() {
                let means: Vec<f64> = of.iter().map(|row| row.gaps[rule].0).collect();
                let error = of.iter().map(|row| row.gaps[rule].1).sum::<f64>().sqrt() / of.len() as f64;
                let Interval { value, low, high } = Interval::new(stats::mean(&means), error);
                gaps.push(Gap {
                    set: name,
                    coverage_from,
                    conditions,
                    region,
                    rule: rule_name.clone(),
                    mean: value,
                    low,
                    high,
                    sd: stats::sd(&means),
                    scenarios: of.len(),
                    unfinished: of.iter().map(|row| row.unfinished[rule]).sum(),
                    unproved: of.iter().map(|row| row.unproved).sum(),
                });
            }
        }
    }
    gaps
}

fn row(scenario: &Scenario, conditions: Conditions, rules: &[Rule], seed: u64, runs: u64) -> Row {
    let configs: Vec<Arc<Config>> = rules.iter().map(|rule| Arc::new(conditions.config(*rule, scenario))).collect();
    let count = configs.len() + RULES.len();
    let mut ratios = vec![Vec::with_capacity(runs as usize); count];
    let (mut unfinished, mut unproved) = (vec![0; count], 0);
    let mut solver = Solver::new();
    for run in 0..runs {
        let seed = Stream::seed_of_run(seed, run);
        let instance = Instance::draw(scenario, Spread::Uniform, seed);
        let matrix = makespan::Instance::from_fn(instance.robots, instance.times.len(), |robot, task| {
            instance.times[task][robot]
        })
        .expect("every task of a scenario has robots that can do it");
        let optimum = solver.solve(&matrix, default_budget(&matrix));
        unproved += u64::from(!optimum.proved);
        let trial = conditions.trial(&instance, seed);
        for (rule, config) in configs.iter().enumerate() {
            match trial.run(config).makespan_s {
                Some(makespan_s) => ratios[rule].push(100.0 * (makespan_s / optimum.bound - 1.0)),
                None => unfinished[rule] += 1,
            }
        }
        for (rule, (_, allocate)) in RULES.iter().enumerate() {
            let makespan = matrix.makespan(&allocate(&matrix));
            ratios[configs.len() + rule].push(100.0 * (makespan / optimum.bound - 1.0));
        }
    }
    let gap = |ratios: &Vec<f64>| {
        let sd = stats::sd(ratios);
        (stats::mean(ratios), sd * sd / ratios.len().max(1) as f64)
    };
    Row { scenario: *scenario, gaps: ratios.iter().map(gap).collect(), unfinished, unproved }
}

impl Conditions {
    /// The configuration of a rule's robots. The optimum is compared with without progress when working.
    fn config(self, rule: Rule, scenario: &Scenario) -> Config {
        let config = rule.config(scenario, false).without_repetition();
        let instant = Duration::from_millis(10);
        match self {
            Self::Report => config,
            Self::Instant | Self::Noise => Config { min_delay: instant, max_delay: instant, ..config },
        }
    }

    /// The mission, with what its robots know.
    fn trial(self, instance: &Instance, seed: u64) -> Trial {
        if self != Self::Noise {
            return Trial::new(instance, seed);
        }
        let mut stream = Stream::of_run(seed, Purpose::Faults);
        Trial::knowing(instance, seed, |_, _, time| {
            // A trial that took no time at all would be no trial; six deviations below the mean nothing else is left.
            (0..5).map(|_| (time * (1.0 + 0.1 * normal(&mut stream))).max(0.4 * time)).collect()
        })
    }
}

/// Box and Muller.
fn normal(stream: &mut Stream) -> f64 {
    let (u, v) = (1.0 - stream.uniform(), stream.uniform());
    (-2.0 * libm::log(u)).sqrt() * libm::cos(std::f64::consts::TAU * v)
}
