//! Many seeds with faults: what must never happen, what must always happen in the end, and what must
//! happen at least once so that the rest means something.
//!
//! A run has a fault phase, in which robots fail, and a quiet phase, in which only the radio is as bad as
//! before and everything must be finished. Invariants ([`muster_sim::checks`]) are
//! looked at after every event. Everything is drawn from the seed of the run, so that one command replays a
//! failure.

mod plan;
mod saboteur;

use std::collections::BTreeMap;

use muster_core::recruitment::{Config, Message, Recruitment, Request, Responding, Strategy};
use muster_core::rng::Stream;
use muster_core::{Body, Duration, Input, Note, Time};
use muster_sim::checks;
use muster_sim::scenario::{self, ConfigName, Loaded, ScenarioError};
use muster_sim::{Observer, Sim, View};
use serde::Serialize;

pub use plan::{PLANS, Plan, Sabotage};
use saboteur::Saboteur;

use crate::batch::Batch;

/// One plan under one configuration and strategy.
#[derive(Clone, Debug)]
pub struct Trial {
    /// What goes wrong, and what must hold all the same.
    pub plan: &'static Plan,
    /// Who answers and who is chosen.
    pub strategy: Strategy,
    /// `gage_2004` or `safe`.
    pub config: ConfigName,
    loaded: Loaded,
}

/// What came of a trial.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Which plan.
    pub plan: &'static str,
    /// Which strategy.
    pub strategy: &'static str,
    /// Which configuration.
    pub config: &'static str,
    /// Runs made.
    pub runs: u64,
    /// Runs in which every task was handed over.
    pub completed: u64,
    /// The share of runs that has to.
    pub required: f64,
    /// Longest time that a run took to complete, in simulated hours.
    pub longest_h: f64,
    /// Messages per run.
    pub messages_mean: f64,
    /// Times that two robots worked at one task at once; only `gage_2004` may.
    pub overlaps: u64,
    /// Times that a second robot worked at a task, one after the other.
    pub duplicates: u64,
    /// Times that a robot which waited for AGREE heard one to an earlier ARRIVAL of its own for the same call.
    pub straggling_agrees: u64,
    /// Faults that struck, by what and at which stage.
    pub faults: BTreeMap<String, u64>,
    /// Things that had to happen at least once and did not.
    pub never_met: Vec<String>,
    /// The first failures, with the seeds that replay them.
    pub failures: Vec<Failure>,
    /// How many runs failed an invariant.
    pub failed: u64,
    /// Everything held.
    pub held: bool,
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
    /// When the run ended.
    pub end: Time,
    /// What went wrong, and when.
    pub failure: Option<(String, Time)>,
    messages: u64,
    overlaps: u64,
    duplicates: u64,
    straggling_agrees: u64,
    faults: BTreeMap<String, u64>,
}

/// In so many runs, everything that is expected must be met at least once.
const MEETS_ALL_IN: u64 = 300;

/// How many failures a report spells out.
const SPELLED_OUT: usize = 5;

impl Trial {
    /// A plan under one configuration and strategy.
    pub fn new(plan: &'static Plan, strategy: Strategy, config: ConfigName) -> Result<Self, ScenarioError> {
        let mut changes: Vec<String> = plan.changes.iter().map(|change| (*change).to_owned()).collect();
        changes.push(format!("recruitment.config={}", config_name(config)));
        changes.push(format!("recruitment.strategy={}", strategy.name()));
        let loaded = scenario::load("minefield", &changes)?;
        Ok(Self { plan, strategy, config, loaded })
    }

    /// The command that replays the run with this seed.
    pub fn replay_command(&self, seed: u64) -> String {
        let (plan, strategy, config) = (self.plan.name, self.strategy.name(), config_name(self.config));
        format!("muster soak {plan} --strategy {strategy} --config {config} --replay {seed}")
    }

    /// Makes one run. With `notes`, hands back what the robots noted.
    pub fn run(&self, seed: u64, notes: bool) -> (Outcome, Vec<Note>) {
        let config = self.loaded.recruitment(self.strategy);
        let watcher = Watcher {
            checks: checks::for_recruitment(&config, &self.loaded.mission),
            saboteur: Saboteur::new(self.plan.sabotage, seed, self.loaded.mission.robots.len()),
            arrived: vec![None; self.loaded.mission.robots.len()],
            straggling_agrees: 0,
            failure: None,
        };
        let mut sim = Sim::new(&self.loaded.mission, seed, |_| Recruitment::new(config.clone()), watcher);
        if notes {
            sim = sim.with_notes();
        }
        sim.start();
        sim.run_until(|sim| sim.observer().failure.is_some() || is_over(sim, self.plan, &config));
        let outcome = Outcome {
            completed: sim.ledger().all_served(),
            end: sim.now(),
            messages: sim.traffic().sent,
            overlaps: sim.ledger().overlaps(),
            duplicates: sim.ledger().duplicates(),
            failure: sim.observer().failure.clone().or_else(|| not_quiet(&sim, self.plan)),
            straggling_agrees: sim.observer().straggling_agrees,
            faults: sim.observer().saboteur.struck().clone(),
        };
        (outcome, sim.notes().to_vec())
    }

    /// Makes many runs.
    pub fn soak(&self, seed: u64, runs: u64, batch: &Batch<'_>) -> Report {
        let outcomes = batch.map(runs, |index| {
            let seed = Stream::seed_of_run(seed, index);
            let (outcome, _) = self.run(seed, false);
            (batch.progress)(1);
            (seed, outcome)
        });
        self.report(&outcomes)
    }

    fn report(&self, outcomes: &[(u64, Outcome)]) -> Report {
        let runs = outcomes.len() as u64;
        let sum = |of: fn(&Outcome) -> u64| outcomes.iter().map(|(_, outcome)| of(outcome)).sum::<u64>();
        let completed = sum(|outcome| u64::from(outcome.completed));
        let mut faults: BTreeMap<String, u64> = BTreeMap::new();
        for (fault, times) in outcomes.iter().flat_map(|(_, outcome)| &outcome.faults) {
            *faults.entry(fault.clone()).or_default() += times;
        }
        let overlaps = sum(|outcome| outcome.overlaps);
        let mut never_met: Vec<String> = self.plan.sabotage.expected().filter(|it| !faults.contains_key(it)).collect();
        let quiet = Time::ZERO + Duration::from_secs(plan::FAULT_PHASE_S);
        if self.plan.sabotage == Sabotage::EveryStage && outcomes.iter().all(|(_, outcome)| outcome.end <= quiet) {
            never_met.push("a run that goes on after the fault phase".to_owned());
        }
        if self.plan.overlaps_expected && self.config == ConfigName::Gage2004 && overlaps == 0 {
            never_met.push("two robots at one task".to_owned());
        }
        let straggling_agrees = sum(|outcome| outcome.straggling_agrees);
        if self.plan.sabotage == Sabotage::Restarts && straggling_agrees == 0 {
            never_met.push("an AGREE to an earlier ARRIVAL of a robot that waits for AGREE".to_owned());
        }
        // A handful of runs cannot be expected to meet everything.
        if runs < MEETS_ALL_IN {
            never_met.clear();
        }
        let failures: Vec<Failure> = outcomes
            .iter()
            .filter_map(|(seed, outcome)| {
                let (what, at) = outcome.failure.clone()?;
                Some(Failure { seed: *seed, what, at_s: at.as_secs_f64(), replay: self.replay_command(*seed) })
            })
            .collect();
        let unfinished = outcomes.iter().filter(|(_, outcome)| !outcome.completed && outcome.failure.is_none());
        let enough = completed as f64 >= self.plan.required * runs as f64;
        let mut spelled_out: Vec<Failure> = failures.iter().take(SPELLED_OUT).cloned().collect();
        if !enough {
            spelled_out.extend(unfinished.take(SPELLED_OUT).map(|(seed, outcome)| Failure {
                seed: *seed,
                what: "not every task was handed over within the limit".to_owned(),
                at_s: outcome.end.as_secs_f64(),
                replay: self.replay_command(*seed),
            }));
        }
        let finished = outcomes.iter().filter(|(_, outcome)| outcome.completed);
        Report {
            plan: self.plan.name,
            strategy: self.strategy.name(),
            config: config_name(self.config),
            runs,
            completed,
            required: self.plan.required,
            longest_h: finished.map(|(_, outcome)| outcome.end.as_secs_f64() / 3_600.0).fold(0.0, f64::max),
            messages_mean: sum(|outcome| outcome.messages) as f64 / runs.max(1) as f64,
            overlaps,
            duplicates: sum(|outcome| outcome.duplicates),
            straggling_agrees,
            faults,
            held: runs > 0 && enough && failures.is_empty() && never_met.is_empty(),
            never_met,
            failed: failures.len() as u64,
            failures: spelled_out,
        }
    }
}

/// The name of a configuration in files and on the command line.
pub fn config_name(config: ConfigName) -> &'static str {
    match config {
        ConfigName::Safe => "safe",
        ConfigName::Gage2004 => "gage_2004",
    }
}

struct Watcher {
    checks: Vec<Box<dyn checks::Check>>,
    saboteur: Saboteur,
    /// The call that each robot has arrived for, with the number of its ARRIVAL, as of the last event.
    arrived: Vec<Option<(Request, u32)>>,
    straggling_agrees: u64,
    failure: Option<(String, Time)>,
}

impl Observer<Recruitment> for Watcher {
    fn on_input(&mut self, _now: Time, body: &Body, input: &Input<'_, Recruitment>, _transmission: Option<u64>) {
        if let Input::Received { message: Message::Agree { request, number, .. }, .. } = input
            && let Some((waits_for, own)) = self.arrived[body.id.index()]
        {
            self.straggling_agrees += u64::from(waits_for == *request && own != *number);
        }
    }

    fn after_event(&mut self, view: View<'_, Recruitment>) -> Option<muster_sim::fault::Fault> {
        for check in &mut self.checks {
            if let Err(what) = check.look(&view) {
                self.failure.get_or_insert((format!("{}: {what}", check.name()), view.now));
                return None;
            }
        }
        for (arrived, machine) in self.arrived.iter_mut().zip(view.machines) {
            *arrived = match *machine.responding() {
                Responding::Arrived { request, number, .. } => Some((request, number)),
                _ => None,
            };
        }
        self.saboteur.plot(&view)
    }
}

/// Everybody that is up has come to rest, and there is nothing left to hand over.
fn is_over(sim: &Sim<'_, Recruitment, Watcher>, plan: &Plan, config: &Config) -> bool {
    let saboteur = &sim.observer().saboteur;
    if let Sabotage::RequesterDies = plan.sabotage {
        // Long enough for the invariant about the responders to speak.
        if let Some(died) = saboteur.requester_died() {
            return sim.now().since(died) > config.lease.stretched(30.0);
        }
    }
    sim.ledger().all_served() && sim.all_up(Recruitment::is_quiet)
}

fn not_quiet(sim: &Sim<'_, Recruitment, Watcher>, plan: &Plan) -> Option<(String, Time)> {
    let ended = sim.ledger().all_served() || plan.sabotage == Sabotage::RequesterDies;
    let idle = |machine: &Recruitment| machine.responding().request().is_none();
    (ended && !sim.all_up(idle)).then(|| ("somebody is still busy at the end".to_owned(), sim.now()))
}
