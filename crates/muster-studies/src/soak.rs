//! Many seeds: what must never happen, what must always happen in the end, and what must happen at least once so that
//! the rest means something.
//!
//! One framework for every mechanism. A plan (`plan`) names missions: the minefield with a saboteur (`minefield`),
//! or missions and receptions that are themselves drawn from the seed (`draw`). Invariants ([`muster_sim::checks`])
//! are looked at after every event. Everything is drawn from the seed of the run, so that one command replays a failure.
//!
//! A promise that is known to be broken is a plan, too, marked as expected to fail: the day it holds, the mark must go.

mod draw;
mod hall;
mod minefield;
mod mission;
mod plan;
#[cfg(test)]
mod tests;
mod watcher;

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use muster_core::recruitment::Strategy;
use muster_core::rng::{Purpose, Stream};
use muster_core::{Mechanism, Note, Time};
use muster_reception::scenario::{self, Play};
use muster_sim::Sim;
use muster_sim::checks::TeamCheck;
use muster_sim::scenario::{ConfigName, Loaded, ScenarioError};
use serde::Serialize;

pub use minefield::{Minefield, Sabotage, config_name};
pub use plan::{Missions, PLANS, Plan, Promise};
use watcher::{Sabotages, Watcher};

use crate::batch::Batch;

/// A plan, and under which configuration and strategy where it has several.
#[derive(Clone, Debug)]
pub struct Trial {
    /// What goes wrong, and what must hold all the same.
    pub plan: &'static Plan,
    /// Who answers and who is chosen, and how safely, in the minefield.
    pub ways: Option<(Strategy, ConfigName)>,
    minefield: Option<Loaded>,
}

/// Faults that struck, by what and at which stage.
pub type Faults = BTreeMap<String, u64>;

/// What came of a trial.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Name of the plan.
    pub plan: &'static str,
    /// The mechanism that it is about.
    pub mechanism: &'static str,
    /// Which strategy; `drawn` if that is up to the seed.
    pub strategy: &'static str,
    /// Which configuration; `drawn` if that is up to the seed.
    pub config: &'static str,
    /// Runs made.
    pub runs: u64,
    /// Runs in which every task was handed over.
    pub completed: u64,
    /// The share of runs that has to.
    pub required: f64,
    /// Longest time that a run took to complete, in simulated hours.
    pub longest_h: f64,
    /// Messages per run; of a reception, lines of its log.
    pub messages_mean: f64,
    /// Times that two robots worked at one task at once; only `gage_2004` may.
    pub overlaps: u64,
    /// Times that a second robot worked at a task, one after the other.
    pub duplicates: u64,
    /// Recruitment: times that a robot which waited for AGREE heard one to an earlier ARRIVAL of its own for that call.
    pub straggling_agrees: u64,
    /// Faults that struck, by what and at which stage.
    pub faults: Faults,
    /// Things that had to happen at least once and did not.
    pub never_met: Vec<String>,
    /// The first failures, with the seeds that replay them.
    pub failures: Vec<Failure>,
    /// How many runs failed an invariant.
    pub failed: u64,
    /// Everything held.
    pub held: bool,
    /// Why it is known not to hold, if it is.
    pub expected_to_fail: Option<&'static str>,
}

impl Report {
    /// It is as it is expected to be: it held, or it did not and that is known. A handful of runs may miss a failure.
    pub fn is_as_expected(&self) -> bool {
        match self.expected_to_fail {
            None => self.held,
            Some(_) => !self.held || self.runs < MEETS_ALL_IN,
        }
    }
}

/// A run that did what it must not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    /// The seed of the run.
    pub seed: u64,
    /// What went wrong.
    pub what: String,
    /// When, in simulated seconds.
    pub at_s: f64,
    /// The command that replays it.
    pub replay: String,
}

/// What one run contributes to the report.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Every task was handed over.
    pub completed: bool,
    /// The instant at which the run ended.
    pub end: Time,
    /// What went wrong, and when.
    pub failure: Option<(String, Time)>,
    /// What robots noted, if that was asked for.
    pub notes: Vec<Note>,
    /// The text of a mission that was drawn.
    pub scenario: Option<String>,
    messages: u64,
    lost: u64,
    overlaps: u64,
    duplicates: u64,
    straggling_agrees: u64,
    /// By task: when it was handed over or done.
    served: Vec<Option<Time>>,
    faults: Faults,
}

/// Runs of a soak that must have met everything that is expected at least once.
const MEETS_ALL_IN: u64 = 300;

/// How many failures a report spells out.
const SPELLED_OUT: usize = 5;

impl Trial {
    /// A plan, in the minefield under one configuration and strategy.
    pub fn new(plan: &'static Plan, strategy: Strategy, config: ConfigName) -> Result<Self, ScenarioError> {
        match &plan.missions {
            Missions::Minefield(minefield) => {
                let loaded = minefield.load(strategy, config)?;
                Ok(Self { plan, ways: Some((strategy, config)), minefield: Some(loaded) })
            }
            Missions::Drawn(..) => Ok(Self { plan, ways: None, minefield: None }),
        }
    }

    /// The command that replays the run with this seed.
    pub fn replay_command(&self, seed: u64) -> String {
        let plan = self.plan.name;
        match self.ways {
            Some((strategy, config)) => {
                let (strategy, config) = (strategy.name(), config_name(config));
                format!("muster soak {plan} --strategy {strategy} --config {config} --replay {seed}")
            }
            None => format!("muster soak {plan} --replay {seed}"),
        }
    }

    /// Makes one run. With `notes`, hands back what the robots noted. A panic is a failure like any other.
    pub fn run(&self, seed: u64, notes: bool) -> Outcome {
        let made = catch_unwind(AssertUnwindSafe(|| self.make(seed, notes)));
        made.unwrap_or_else(|panic| Outcome {
            failure: Some((format!("nothing panics: {}", words(panic.as_ref())), Time::ZERO)),
            ..Outcome::default()
        })
    }

    fn make(&self, seed: u64, notes: bool) -> Outcome {
        match (&self.plan.missions, self.ways, &self.minefield) {
            (Missions::Minefield(minefield), Some((strategy, _)), Some(loaded)) => {
                minefield.run(loaded, strategy, seed, notes)
            }
            (Missions::Minefield(_), ..) => unreachable!("a trial in the minefield is made with its mission"),
            (Missions::Drawn(draw, promise), ..) => {
                let text = draw(&mut Stream::of_run(seed, Purpose::Mission));
                let outcome = match scenario::parse_any(self.plan.name, "the drawn mission", &text, &[]) {
                    Ok(Play::Mission(loaded)) => mission::run(*loaded, *promise, seed, notes),
                    Ok(Play::Reception(party)) => hall::run(&party, seed),
                    Err(error) => {
                        let failure = Some((format!("a drawn mission can be read: {error}"), Time::ZERO));
                        Outcome { failure, ..Outcome::default() }
                    }
                };
                Outcome { scenario: Some(text), ..outcome }
            }
        }
    }

    /// Makes many runs.
    pub fn soak(&self, seed: u64, runs: u64, batch: &Batch<'_>) -> Report {
        let outcomes = batch.map(runs, |index| {
            let seed = Stream::seed_of_run(seed, index);
            let mut outcome = self.run(seed, false);
            // The seed gives it again; thousands of texts need not be kept.
            outcome.scenario = None;
            (batch.progress)(1);
            (seed, outcome)
        });
        self.report(&outcomes)
    }

    /// The share of runs in which every task must be handed over.
    pub fn required(&self) -> f64 {
        match &self.plan.missions {
            Missions::Minefield(minefield) => minefield.required,
            Missions::Drawn(..) => 0.0,
        }
    }

    fn never_met(&self, outcomes: &[(u64, Outcome)]) -> Vec<String> {
        // A handful of runs cannot be expected to meet everything.
        if (outcomes.len() as u64) < MEETS_ALL_IN {
            return Vec::new();
        }
        match (&self.plan.missions, self.ways) {
            (Missions::Minefield(minefield), Some((_, config))) => minefield.never_met(config, outcomes),
            _ if outcomes.iter().any(|(_, outcome)| outcome.completed) => Vec::new(),
            _ => vec!["a run in which everything is done".to_owned()],
        }
    }

    fn report(&self, outcomes: &[(u64, Outcome)]) -> Report {
        let runs = outcomes.len() as u64;
        let sum = |of: fn(&Outcome) -> u64| outcomes.iter().map(|(_, outcome)| of(outcome)).sum::<u64>();
        let completed = sum(|outcome| u64::from(outcome.completed));
        let mut faults = Faults::new();
        for (fault, times) in outcomes.iter().flat_map(|(_, outcome)| &outcome.faults) {
            *faults.entry(fault.clone()).or_default() += times;
        }
        let never_met = self.never_met(outcomes);
        let told = |seed: u64, what: String, at: Time| Failure {
            seed,
            what,
            at_s: at.as_secs_f64(),
            replay: self.replay_command(seed),
        };
        let failed = |outcome: &&(u64, Outcome)| outcome.1.failure.is_some();
        let failures = outcomes.iter().filter_map(|(seed, outcome)| {
            let (what, at) = outcome.failure.clone()?;
            Some(told(*seed, what, at))
        });
        let enough = completed as f64 >= self.required() * runs as f64;
        let mut spelled_out: Vec<Failure> = failures.take(SPELLED_OUT).collect();
        if !enough {
            let unfinished = outcomes.iter().filter(|(_, outcome)| !outcome.completed && outcome.failure.is_none());
            spelled_out.extend(unfinished.take(SPELLED_OUT).map(|(seed, outcome)| {
                told(*seed, "not every task was handed over within the limit".to_owned(), outcome.end)
            }));
        }
        let failed = outcomes.iter().filter(failed).count() as u64;
        let finished = outcomes.iter().filter(|(_, outcome)| outcome.completed);
        Report {
            plan: self.plan.name,
            mechanism: self.plan.mechanism,
            strategy: self.ways.map_or("drawn", |(strategy, _)| strategy.name()),
            config: self.ways.map_or("drawn", |(_, config)| config_name(config)),
            runs,
            completed,
            required: self.required(),
            longest_h: finished.map(|(_, outcome)| outcome.end.as_secs_f64() / 3_600.0).fold(0.0, f64::max),
            messages_mean: sum(|outcome| outcome.messages) as f64 / runs.max(1) as f64,
            overlaps: sum(|outcome| outcome.overlaps),
            duplicates: sum(|outcome| outcome.duplicates),
            straggling_agrees: sum(|outcome| outcome.straggling_agrees),
            faults,
            held: runs > 0 && enough && failed == 0 && never_met.is_empty(),
            never_met,
            failed,
            failures: spelled_out,
            expected_to_fail: self.plan.expected_to_fail,
        }
    }
}

/// What did not hold in a run that is over, and when.
fn failure_of<M: Mechanism, S: Sabotages<M>>(sim: &mut Sim<'_, M, Watcher<M, S>>) -> Option<(String, Time)> {
    if let Some(failure) = sim.observer().failure() {
        return Some(failure.clone());
    }
    let checks = sim.observer_mut().take_checks();
    let view = sim.view();
    let last = |mut check: TeamCheck<M>| {
        let what = check.end(&view).err()?;
        Some((format!("{}: {what}", check.name()), view.now))
    };
    checks.into_iter().find_map(last)
}

/// The message of a panic.
fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a word".to_owned())
}
