//! The minefield, changed and sabotaged: five recruitments over a bad radio, with robots that fail at chosen stages.
//!
//! A run has a fault phase, in which robots fail, and a quiet phase, in which only the radio is as bad as before and
//! everything must be finished.

mod saboteur;

use std::cell::RefCell;
use std::sync::Arc;

use muster_core::recruitment::{Config, Recruitment, Strategy};
use muster_core::{Duration, Mechanism, RobotId, Time};
use muster_sim::checks;
use muster_sim::scenario::{self, ConfigName, Loaded, ScenarioError};
use muster_sim::scheme::{Visit, staff};
use muster_sim::{AnyObserver, Origin, Sim};

use super::watcher::{Checks, MOST_EVENTS, WatchedSim, Watcher, last_look};
use super::{Breach, CAN_BE_READ, Outcome};
use saboteur::Saboteur;

/// What a robot that goes on when all is done is a failure of.
const QUIET_AT_THE_END: &str = "nobody is busy at the end";

/// How the minefield is changed, what goes wrong in it, and what is required all the same.
#[derive(Debug)]
pub struct Minefield {
    /// Changes of the scenario.
    pub changes: &'static [&'static str],
    /// Faults.
    pub sabotage: Sabotage,
    /// The share of runs in which every task must be handed over.
    pub required: f64,
    /// With `gage_2004`, two robots at one task must be met.
    pub overlaps_expected: bool,
}

impl Minefield {
    /// The mission under one configuration and strategy.
    pub fn load(&self, strategy: Strategy, config: ConfigName) -> Result<Loaded, ScenarioError> {
        let mut changes: Vec<String> = self.changes.iter().map(|change| (*change).to_owned()).collect();
        changes.push(format!("recruitment.config={}", config_name(config)));
        changes.push(format!("recruitment.strategy={}", strategy.name()));
        scenario::load("minefield", &changes)
    }

    /// Makes one run.
    pub fn run(&self, loaded: Arc<Loaded>, strategy: Strategy, seed: u64, notes: bool) -> Outcome {
        let origin = Origin::new(loaded, strategy, seed);
        staff(&origin, Watch { minefield: self, origin: &origin, notes })
    }

    /// What had to be met in `outcomes` and was not.
    pub fn never_met(&self, config: ConfigName, outcomes: &[(u64, Outcome)]) -> Vec<String> {
        let struck = |fault: &String| outcomes.iter().any(|(_, outcome)| outcome.faults.contains_key(fault));
        let mut never_met: Vec<String> = self.sabotage.expected().filter(|fault| !struck(fault)).collect();
        let quiet = Time::ZERO + Duration::from_secs(FAULT_PHASE_S);
        if self.sabotage == Sabotage::EveryStage && outcomes.iter().all(|(_, outcome)| outcome.end <= quiet) {
            never_met.push("a run that goes on after the fault phase".to_owned());
        }
        let overlaps = outcomes.iter().any(|(_, outcome)| outcome.overlaps > 0);
        if self.overlaps_expected && config == ConfigName::Gage2004 && !overlaps {
            never_met.push("two robots at one task".to_owned());
        }
        let straggles = outcomes.iter().any(|(_, outcome)| outcome.straggling_agrees > 0);
        if self.sabotage == Sabotage::Restarts && !straggles {
            never_met.push("an AGREE to an earlier ARRIVAL of a robot that waits for AGREE".to_owned());
        }
        never_met
    }

    /// Everybody that is up has come to rest, and there is nothing left to hand over.
    fn is_over(&self, sim: &WatchedSim<'_, Recruitment>, saboteur: &Saboteur, config: &Config) -> bool {
        // Long enough for the invariant about the responders to speak.
        if let (Sabotage::RequesterDies, Some(died)) = (self.sabotage, saboteur.requester_died()) {
            return sim.now().since(died) > config.lease.stretched(30.0);
        }
        sim.ledger().all_served() && sim.all_up(Recruitment::is_quiet)
    }

    fn not_quiet(&self, sim: &WatchedSim<'_, Recruitment>) -> Option<Breach> {
        let ended = sim.ledger().all_served() || self.sabotage == Sabotage::RequesterDies;
        let idle = |machine: &Recruitment| machine.responding().request().is_none();
        let what = || "somebody is still busy at the end".to_owned();
        (ended && !sim.all_up(idle)).then(|| Breach { check: QUIET_AT_THE_END, what: what(), at: sim.now() })
    }
}

/// Makes one run.
struct Watch<'a> {
    minefield: &'a Minefield,
    origin: &'a Origin,
    notes: bool,
}

impl Visit for Watch<'_> {
    type Result = Outcome;

    fn visit<M: Mechanism>(self, _machine: impl Fn(RobotId) -> M) -> Outcome {
        Outcome::failed(CAN_BE_READ, format_args!("robots in the minefield follow {}", self.origin.scheme.name()))
    }

    fn visit_recruitment(self, machine: impl Fn(RobotId) -> Recruitment) -> Outcome {
        let Self { minefield, origin, notes } = self;
        let (configs, mission) = (origin.loaded.recruiters(origin.scheme), origin.mission());
        let saboteur = Saboteur::new(minefield.sabotage, origin.seeds.run, mission.robots.len());
        let checks = Checks { invariants: checks::for_recruitment(&configs, mission), promise: None };
        let watcher = RefCell::new(Watcher::new(checks, saboteur, MOST_EVENTS));
        let onlooker: AnyObserver<'_, Recruitment> = &watcher;
        let mut sim = Sim::of(origin, machine, onlooker);
        if notes {
            sim = sim.with_notes();
        }
        sim.start();
        sim.run_until(|sim| {
            watcher.borrow().has_failed() || minefield.is_over(sim, watcher.borrow().saboteur(), configs.team())
        });
        let [breach, _] = last_look(&mut watcher.borrow_mut(), &sim);
        let watcher = watcher.borrow();
        let breach = breach.or_else(|| minefield.not_quiet(&sim));
        Outcome {
            completed: sim.ledger().all_served(),
            end: sim.now(),
            breach,
            messages: sim.traffic().sent,
            overlaps: sim.ledger().overlaps(),
            duplicates: sim.ledger().duplicates(),
            straggling_agrees: watcher.saboteur().straggling_agrees(),
            faults: watcher.saboteur().struck().clone(),
            notes: sim.take_notes(),
            ..Outcome::default()
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

/// Which robots fail, and how.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Sabotage {
    /// None.
    None,
    /// Responders die, restart, hang, go deaf or mute at every stage; requesters do the same but never die.
    /// Ends after twenty minutes of simulated time.
    EveryStage,
    /// Robots restart at every stage, within half a second, with memory and without, above all those that have arrived.
    /// Ends after twenty minutes of simulated time.
    Restarts,
    /// The requester dies for good, at any stage.
    RequesterDies,
}

/// How long robots fail. A mission without faults takes a quarter of an hour at least, so most runs go on after it.
const FAULT_PHASE_S: u64 = 1_200;

/// Faults by whom, and the stages at which each has to strike at least once.
type Expected = (&'static [&'static str], &'static [&'static str]);

const RESPONDER_STAGES: &[&str] = &["offered", "travelling", "arrived", "working"];
const RESTARTS: &[&str] = &["restart", "restart without memory"];
// Pausing is left out: greedy hardly ever does, since somebody answers every call that is heard.
const REQUESTER_STAGES: &[&str] = &["collecting", "awaiting arrival", "awaiting ackack"];

impl Sabotage {
    /// What has to strike at least once in a soak that is long enough.
    pub fn expected(self) -> impl Iterator<Item = String> {
        let all: &[Expected] = match self {
            Self::None => &[],
            Self::EveryStage => {
                &[(&["stop"], RESPONDER_STAGES), (RESTARTS, RESPONDER_STAGES), (RESTARTS, REQUESTER_STAGES)]
            }
            Self::Restarts => &[(RESTARTS, RESPONDER_STAGES), (RESTARTS, REQUESTER_STAGES)],
            Self::RequesterDies => &[(&["stop"], REQUESTER_STAGES)],
        };
        all.iter().flat_map(|(faults, stages)| {
            faults.iter().flat_map(move |fault| stages.iter().map(move |stage| format!("{fault} while {stage}")))
        })
    }
}
