//! Many seeds: what must never happen, what must always happen in the end, and what must happen at least once so that
//! the rest means something.
//!
//! One framework for every mechanism. A plan (`plan`) names missions: the minefield with a saboteur (`minefield`),
//! or missions and receptions that are themselves drawn from the seed, with what is done to them while they go on
//! (`draw`). Invariants ([`muster_sim::checks`]) are looked at after every event; a run that is over is compared with its
//! row (`account`) and recorded. Everything is drawn from the seed of the run, so that one command replays a failure.
//!
//! A promise that is known to be broken is a plan, too, marked with the check that is expected to fail: any other failure
//! is one, and the day the check holds the mark must go.
//!
//! A run that goes on and on is noticed by the number of its events, and so is training. A loop within one `handle` of a
//! machine is not: no event ends it. What notices that one are the machines' own tests (`tests/*/absurd.rs` give every
//! machine whatever comes, and would not come back) and whoever waits for `muster soak`, whose progress bar stands still.

mod account;
mod draw;
mod hall;
mod minefield;
mod mission;
mod plan;
#[cfg(test)]
mod tests;
mod watcher;

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use muster_core::recruitment::Strategy;
use muster_core::rng::{Purpose, Stream};
use muster_core::{Note, Time};
use muster_reception::Line;
use muster_reception::scenario::{self, Play};
use muster_sim::scenario::{ConfigName, Loaded, ScenarioError};
use serde::Serialize;

pub use draw::Texts;
pub use minefield::{Minefield, Sabotage, config_name};
pub use plan::{Broken, Drawn, DrawnReception, Missions, PLANS, Plan, Promise, ReceptionPromise};

use crate::batch::Batch;
use mission::Depth;

/// A plan, and under which configuration and strategy where it has several.
#[derive(Clone, Debug)]
pub struct Trial {
    /// What goes wrong, and what must hold all the same.
    pub plan: &'static Plan,
    /// Who answers and who is chosen, and how safely, in the minefield.
    pub ways: Option<(Strategy, ConfigName)>,
    minefield: Option<Arc<Loaded>>,
    /// Runs of missions that are drawn are watched, and nothing else: not recorded, and not compared with their rows.
    pub only_watch: bool,
    /// A run with more events hangs.
    most_events: u64,
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
    /// In how many runs what was met that a plan on drawn missions must meet.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub met: BTreeMap<&'static str, u64>,
    /// Things that had to happen at least once and did not.
    pub never_met: Vec<String>,
    /// The first failures, with the seeds that replay them; failures that are not known come first.
    pub failures: Vec<Failure>,
    /// How many runs failed a check.
    pub failed: u64,
    /// Of these, how many failed the check that is known to fail, and nothing else.
    pub failed_as_known: u64,
    /// Everything held.
    pub held: bool,
    /// It is as it is expected to be.
    pub as_expected: bool,
    /// The promise is known to be broken, and was kept in every run of a soak that is long enough: the mark must go.
    pub holds_now: bool,
    /// Why it is known not to hold, if it is.
    pub expected_to_fail: Option<&'static str>,
    /// Which check is known to fail.
    pub expected_check: Option<&'static str>,
}

/// A run that did what it must not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    /// The seed of the run.
    pub seed: u64,
    /// The check that failed.
    pub check: &'static str,
    /// What went wrong, with the name of the check.
    pub what: String,
    /// When, in simulated seconds.
    pub at_s: f64,
    /// The command that replays it.
    pub replay: String,
}

/// A check that did not hold in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Which check.
    pub check: &'static str,
    /// What was found.
    pub what: String,
    /// Simulated time at which it was found.
    pub at: Time,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.check, self.what)
    }
}

/// What one run contributes to the report.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Every task was handed over.
    pub completed: bool,
    /// The instant at which the run ended.
    pub end: Time,
    /// What went wrong. A promise of the plan that was broken is told only if nothing else was wrong.
    pub breach: Option<Breach>,
    /// What robots noted, if that was asked for.
    pub notes: Vec<Note>,
    /// The log of a reception, if that was asked for.
    pub log: Vec<Line>,
    /// The texts of a mission that was drawn.
    pub texts: Option<Texts>,
    messages: u64,
    overlaps: u64,
    duplicates: u64,
    straggling_agrees: u64,
    faults: Faults,
    met: BTreeSet<&'static str>,
}

impl Outcome {
    /// A run that failed before it began.
    fn failed(check: &'static str, what: impl fmt::Display) -> Self {
        Self { breach: Some(Breach { check, what: what.to_string(), at: Time::ZERO }), ..Self::default() }
    }
}

/// Runs of a soak that must have met everything that is expected at least once.
const MEETS_ALL_IN: u64 = 300;

/// How many failures a report spells out.
const SPELLED_OUT: usize = 5;

/// What a panic is a failure of.
const NOTHING_PANICS: &str = "nothing panics";
/// What a mission that is none is a failure of.
const CAN_BE_READ: &str = "a drawn mission can be read";
/// What a mission that is not complete is a failure of.
const ALL_HANDED_OVER: &str = "enough missions are complete";

impl Trial {
    /// A plan, in the minefield under one configuration and strategy.
    pub fn new(plan: &'static Plan, strategy: Strategy, config: ConfigName) -> Result<Self, ScenarioError> {
        let most_events = watcher::MOST_EVENTS;
        match &plan.missions {
            Missions::Minefield(minefield) => {
                let loaded = Arc::new(minefield.load(strategy, config)?);
                Ok(Self {
                    plan,
                    ways: Some((strategy, config)),
                    minefield: Some(loaded),
                    only_watch: false,
                    most_events,
                })
            }
            Missions::Recruitment(_) | Missions::Alliance(_) | Missions::Tasking(_) | Missions::Reception(_) => {
                Ok(Self { plan, ways: None, minefield: None, only_watch: false, most_events })
            }
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

    /// Makes one run. With `notes`, hands back what the robots noted, or the log of a reception. A panic is a failure like any other.
    pub fn run(&self, seed: u64, notes: bool) -> Outcome {
        let draw = || self.plan.missions.draw().map(|draw| draw(&mut Stream::of_run(seed, Purpose::Mission)));
        let texts = match caught(draw) {
            Ok(texts) => texts,
            Err(panic) => return Outcome::failed(NOTHING_PANICS, panic),
        };
        let made = caught(|| self.make(texts.as_ref(), seed, notes));
        Outcome { texts, ..made.unwrap_or_else(|panic| Outcome::failed(NOTHING_PANICS, panic)) }
    }

    fn make(&self, texts: Option<&Texts>, seed: u64, notes: bool) -> Outcome {
        if let (Missions::Minefield(minefield), Some((strategy, _)), Some(loaded)) =
            (&self.plan.missions, self.ways, &self.minefield)
        {
            return minefield.run(loaded.clone(), strategy, seed, notes);
        }
        let texts = texts.expect("a mission that is not the minefield is drawn");
        let play = match scenario::parse_any(self.plan.name, "the drawn mission", &texts.scenario, &[]) {
            Ok(play) => play,
            Err(error) => return Outcome::failed(CAN_BE_READ, error),
        };
        match (play, &self.plan.missions) {
            (Play::Reception(party), Missions::Reception(drawn)) => hall::run(&party, drawn.promise, seed, notes),
            (Play::Reception(_), _) => Outcome::failed(CAN_BE_READ, "it is a reception"),
            (Play::Mission(loaded), missions) => {
                let depth = Depth { notes, only_watch: self.only_watch, most_events: self.most_events };
                mission::run(*loaded, &texts.interventions, missions, seed, depth)
            }
        }
    }

    /// Makes many runs.
    pub fn soak(&self, seed: u64, runs: u64, batch: &Batch<'_>) -> Report {
        let outcomes = batch.map(runs, |index| {
            let seed = Stream::seed_of_run(seed, index);
            let mut outcome = self.run(seed, false);
            // The seed gives them again; thousands of texts need not be kept.
            outcome.texts = None;
            (batch.progress)(1);
            (seed, outcome)
        });
        self.report(&outcomes)
    }

    /// The share of runs in which every task must be handed over.
    pub fn required(&self) -> f64 {
        match &self.plan.missions {
            Missions::Minefield(minefield) => minefield.required,
            Missions::Recruitment(_) | Missions::Alliance(_) | Missions::Tasking(_) | Missions::Reception(_) => 0.0,
        }
    }

    fn never_met(&self, outcomes: &[(u64, Outcome)]) -> Vec<String> {
        // A handful of runs cannot be expected to meet everything.
        if (outcomes.len() as u64) < MEETS_ALL_IN {
            return Vec::new();
        }
        if let (Missions::Minefield(minefield), Some((_, config))) = (&self.plan.missions, self.ways) {
            return minefield.never_met(config, outcomes);
        }
        let never = |what: &&&str| !outcomes.iter().any(|(_, outcome)| outcome.met.contains(**what));
        self.plan.missions.meets().iter().filter(never).map(|what| (*what).to_owned()).collect()
    }

    fn report(&self, outcomes: &[(u64, Outcome)]) -> Report {
        let runs = outcomes.len() as u64;
        let sum = |of: fn(&Outcome) -> u64| outcomes.iter().map(|(_, outcome)| of(outcome)).sum::<u64>();
        let completed = sum(|outcome| u64::from(outcome.completed));
        let mut faults = Faults::new();
        for (fault, times) in outcomes.iter().flat_map(|(_, outcome)| &outcome.faults) {
            *faults.entry(fault.clone()).or_default() += times;
        }
        let mut met = BTreeMap::new();
        for what in outcomes.iter().flat_map(|(_, outcome)| &outcome.met) {
            *met.entry(*what).or_default() += 1;
        }
        let broken = self.plan.broken;
        let is_known = |breach: &Breach| broken.is_some_and(|broken| broken.check == breach.check);
        let breaches = || outcomes.iter().filter_map(|(seed, outcome)| Some((*seed, outcome.breach.as_ref()?)));
        let failed = breaches().count() as u64;
        let failed_as_known = breaches().filter(|(_, breach)| is_known(breach)).count() as u64;
        let told = |seed: u64, breach: &Breach| Failure {
            seed,
            check: breach.check,
            what: breach.to_string(),
            at_s: breach.at.as_secs_f64(),
            replay: self.replay_command(seed),
        };
        let enough = completed as f64 >= self.required() * runs as f64;
        let mut failures: Vec<Failure> = breaches()
            .filter(|(_, breach)| !is_known(breach))
            .chain(breaches().filter(|(_, breach)| is_known(breach)))
            .take(SPELLED_OUT)
            .map(|(seed, breach)| told(seed, breach))
            .collect();
        if !enough {
            let unfinished = outcomes.iter().filter(|(_, outcome)| !outcome.completed && outcome.breach.is_none());
            failures.extend(unfinished.take(SPELLED_OUT).map(|(seed, outcome)| {
                let what = "not every task was handed over within the limit".to_owned();
                told(*seed, &Breach { check: ALL_HANDED_OVER, what, at: outcome.end })
            }));
        }
        let never_met = self.never_met(outcomes);
        let sound = runs > 0 && enough && never_met.is_empty();
        let holds_now = broken.is_some() && runs >= MEETS_ALL_IN && failed_as_known == 0;
        let finished = outcomes.iter().filter(|(_, outcome)| outcome.completed);
        Report {
            plan: self.plan.name,
            mechanism: self.plan.mechanism(),
            strategy: self.ways.map_or("by seed", |(strategy, _)| strategy.name()),
            config: self.ways.map_or("by seed", |(_, config)| config_name(config)),
            runs,
            completed,
            required: self.required(),
            longest_h: finished.map(|(_, outcome)| outcome.end.as_secs_f64() / 3_600.0).fold(0.0, f64::max),
            messages_mean: sum(|outcome| outcome.messages) as f64 / runs.max(1) as f64,
            overlaps: sum(|outcome| outcome.overlaps),
            duplicates: sum(|outcome| outcome.duplicates),
            straggling_agrees: sum(|outcome| outcome.straggling_agrees),
            faults,
            met,
            never_met,
            failures,
            failed,
            failed_as_known,
            held: sound && failed == 0,
            as_expected: sound && failed == failed_as_known && !holds_now,
            holds_now,
            expected_to_fail: broken.map(|broken| broken.why),
            expected_check: broken.map(|broken| broken.check),
        }
    }
}

/// Does something that may panic.
fn caught<T>(what: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(what)).map_err(|panic| words(panic.as_ref()))
}

/// The message of a panic.
fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a word".to_owned())
}
