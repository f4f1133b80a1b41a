//! Times of rules on scenarios, `runs` missions each, the same for all rules.

use std::sync::Arc;

use muster_core::alliance::{Config, Ordering, Strategy};
use muster_core::rng::Stream;

use super::compare::{Cell, Contrast, Way, pooled};
use super::mission::Trial;
use super::rules::{Reading, Rule};
use super::scenario::{Instance, Scenario};
use crate::batch::Batch;
use crate::verdict::Interval;

/// A set of scenarios under one reading, without and with progress when working.
pub struct Measured {
    /// Which column is which rule.
    pub rules: Vec<Rule>,
    /// Without progress when working.
    pub without: Vec<Cell>,
    /// With it.
    pub with: Vec<Cell>,
}

/// Strategies I, II and III with modified shortest first.
pub const I: Rule = Rule::Report(Strategy::Distrust, Ordering::ModifiedShortest);
/// The second of them.
pub const II: Rule = Rule::Report(Strategy::BestWins, Ordering::ModifiedShortest);
/// The third of them.
pub const III: Rule = Rule::Report(Strategy::FightingChance, Ordering::ModifiedShortest);

/// Every strategy with this ordering, and with modified shortest first.
pub fn against_shortest(ordering: Ordering) -> Vec<(Rule, Rule)> {
    let pair = |strategy| (Rule::Report(strategy, ordering), Rule::Report(strategy, Ordering::ModifiedShortest));
    Strategy::ALL.map(pair).to_vec()
}

/// What is ever compared.
fn comparisons() -> Vec<Vec<(Rule, Rule)>> {
    let mut all: Vec<Vec<(Rule, Rule)>> = Vec::new();
    for a in [I, II, III] {
        all.extend([I, II, III].into_iter().filter(|b| *b != a).map(|b| vec![(a, b)]));
    }
    for ordering in [Ordering::Longest, Ordering::ModifiedRandom, Ordering::Preferred] {
        all.extend(against_shortest(ordering).into_iter().map(|pair| vec![pair]));
        all.push(against_shortest(ordering));
    }
    all
}

impl Measured {
    /// Runs them.
    pub fn new(
        set: &[Scenario],
        reading: Reading,
        rules: Vec<Rule>,
        (seed, runs): (u64, u64),
        batch: &Batch<'_>,
    ) -> Self {
        let contrasts: Vec<Contrast> = comparisons().iter().filter_map(|pairs| contrast(&rules, pairs)).collect();
        let cells = batch.map(set.len() as u64, |index| {
            let scenario = set[index as usize];
            let of_scenario = Stream::seed_of_run(seed, index);
            let cell = |progress: bool| {
                let config = |rule: &Rule| Arc::new(reading.read(rule.config(&scenario, progress)));
                let configs: Vec<Arc<Config>> = rules.iter().map(config).collect();
                let run = |run| {
                    let seed = Stream::seed_of_run(of_scenario, run);
                    let mut trial = Trial::new(&Instance::draw(&scenario, reading.spread(), seed), seed);
                    trial.progress_when_working(progress);
                    let time = |config| trial.run(config).makespan_s.unwrap_or(f64::INFINITY);
                    configs.iter().map(time).collect::<Vec<f64>>()
                };
                Cell::new(scenario, &(0..runs).map(run).collect::<Vec<_>>(), &contrasts)
            };
            let both = (cell(false), cell(true));
            (batch.progress)(runs);
            both
        });
        let (without, with) = cells.into_iter().unzip();
        Self { rules, without, with }
    }

    /// The scenarios without or with progress when working; both if it does not matter.
    pub fn cells(&self, progress: Option<bool>) -> impl Iterator<Item = &Cell> {
        let without = if progress == Some(true) { &[][..] } else { &self.without };
        let with = if progress == Some(false) { &[][..] } else { &self.with };
        without.iter().chain(with)
    }

    /// By how many percent the first rules are slower than the second, over the scenarios that `which` picks; `None`
    /// if there are none or the rules were not run.
    pub fn compare(
        &self,
        pairs: &[(Rule, Rule)],
        progress: Option<bool>,
        way: Way,
        which: impl Fn(&Scenario) -> bool,
    ) -> Option<Interval> {
        let cells = self.cells(progress).filter(|cell| which(&cell.scenario));
        pooled(cells, &contrast(&self.rules, pairs)?, way)
    }

    /// Which columns these are.
    pub fn contrast(&self, pairs: &[(Rule, Rule)]) -> Option<Contrast> {
        contrast(&self.rules, pairs)
    }
}

fn contrast(rules: &[Rule], pairs: &[(Rule, Rule)]) -> Option<Contrast> {
    let column = |rule: Rule| rules.iter().position(|other| *other == rule);
    pairs.iter().map(|&(a, b)| Some((column(a)?, column(b)?))).collect()
}
