//! One run of a mission under the protocol, with crashes, and what came of it.

use std::cell::RefCell;
use std::sync::Arc;

use muster_core::tasking::{Config, Message, Step, Tasking, Variant};
use muster_core::{Body, Event, Input, Note, Recipient, RobotId, Time};
use muster_sim::scenario::{self, Loaded, ScenarioError};
use muster_sim::{AnyObserver, Observer, Sim, View, fault::Fault, radio};

use super::partitions::in_time;
use super::saboteur::{Crashes, Moment, Saboteur};
use super::witness::{Verdict, Witness};

/// The mesh of five vehicles and a console.
pub const MESH: &str = include_str!("../../data/tasking_mesh.toml");
/// Which of its tasks are asked for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Tasks {
    /// The single one and the group.
    Both,
    /// The single one.
    Single,
    /// The group.
    Group,
}

/// The text of the mesh with only some of its tasks.
pub fn mesh(tasks: Tasks) -> String {
    let left_out = match tasks {
        Tasks::Both => return MESH.to_owned(),
        Tasks::Single => "[tasks.fire]",
        Tasks::Group => "[tasks.look]",
    };
    let begins = MESH.find(left_out).expect("the mesh has both tasks");
    let ends = begins + MESH[begins..].find("\n\n").expect("its sections are apart");
    format!("{}{}", &MESH[..begins], &MESH[ends..])
}

/// Consoles of the mission; they have the lowest numbers.
const CONSOLES: u32 = 1;

/// A mission under one variant.
#[derive(Clone, Debug)]
pub struct Trial {
    loaded: Loaded,
    config: Arc<Config>,
    variant: Variant,
    crashes: Crashes,
    /// A run does not end before.
    not_before: Time,
}

/// What came of one run.
#[derive(Clone, Debug)]
pub struct TrialRun {
    /// Task by task.
    pub verdicts: Vec<Verdict>,
    /// How often each was done.
    pub done: Vec<usize>,
    /// Which were asked for at all: a console may crash before.
    pub asked: Vec<bool>,
    /// When each was done, by whom.
    pub deeds: Vec<Vec<(Time, RobotId)>>,
    /// Who crashed, and when in its work.
    pub struck: Vec<(Moment, Fault)>,
    /// Messages sent.
    pub messages: u64,
    /// When the run ended.
    pub end: Time,
    /// What was noted, if that was asked for.
    pub notes: Vec<Note>,
}

impl TrialRun {
    /// All tasks together.
    pub fn verdict(&self) -> Verdict {
        self.verdicts.iter().fold(Verdict::default(), |all, one| all.and(*one))
    }

    /// When a vehicle first noticed that a task was done twice.
    pub fn duplicate_noticed(&self) -> Option<Time> {
        let duplicate = |note: &&Note| matches!(note.event, Event::Tasking { step: Step::Duplicate { .. }, .. });
        let noticed = |note: &&Note| note.robot.0 >= CONSOLES && duplicate(note);
        self.notes.iter().find(noticed).map(|note| note.at)
    }
}

/// What looks on, and lets nodes crash.
pub struct Watcher {
    witness: Witness,
    saboteur: Saboteur,
}

impl Observer<Tasking> for Watcher {
    fn on_input(&mut self, _now: Time, body: &Body, input: &Input<'_, Tasking>, _transmission: Option<u64>) {
        self.witness.on_input(body, input);
    }

    fn on_transmission(&mut self, now: Time, from: RobotId, to: Recipient, message: &Message, _fate: radio::Fate) {
        self.witness.on_transmission(now, from, to, message);
    }

    fn after_event(&mut self, view: View<'_, Tasking>) -> Option<Fault> {
        self.witness.look(&view);
        self.saboteur.plot(&view)
    }
}

impl Trial {
    /// The mesh with changes, under one variant.
    pub fn mesh(variant: Variant, crashes: Crashes, changes: &[String]) -> Result<Self, ScenarioError> {
        let mut all = vec![format!("tasking.variant={}", variant.name())];
        all.extend_from_slice(changes);
        let loaded = scenario::parse("mesh", "tasking_mesh.toml", MESH, &all)?;
        Ok(Self::new(loaded, variant, crashes))
    }

    /// Any mission.
    pub fn new(loaded: Loaded, variant: Variant, crashes: Crashes) -> Self {
        let config = loaded.tasking(variant).0;
        Self { loaded, config, variant, crashes, not_before: Time::ZERO }
    }

    /// The same with another configuration of the protocol, to see whether it is missed.
    pub fn with_config(self, config: Config) -> Self {
        Self { config: Arc::new(config), ..self }
    }

    /// How the protocol is configured.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The same, looked at for at least so long.
    pub fn until(self, not_before: Time) -> Self {
        Self { not_before, ..self }
    }

    /// Its mission.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// Makes one run: until everything is done and nobody has anything to do, or the mission's limit.
    pub fn run(&self, seed: u64, notes: bool) -> TrialRun {
        let mission = &self.loaded.mission;
        let (config, vehicles) = (&self.config, self.loaded.tasking(self.variant).1);
        let team = mission.robots.len();
        let briefs = mission.orders.iter().filter_map(|spec| spec.order.asks_for());
        let watcher = RefCell::new(Watcher {
            witness: Witness::new(team, mission.tasks.len())
                .of(briefs)
                .heard_within(in_time(mission.radio.loss, config.status)),
            saboteur: Saboteur::new(self.crashes, seed, team as u32, CONSOLES),
        });
        let onlooker: AnyObserver<'_, Tasking> = &watcher;
        let machine = |robot: RobotId| Tasking::new(config.clone(), vehicles[robot.index()].clone());
        let mut sim = Sim::new(mission, seed, machine, onlooker);
        if notes {
            sim = sim.with_notes();
        }
        sim.start();
        // A node that missed a Done finds out within t_peer; a crash may still be to come.
        let settles = config.peer + config.peer;
        sim.run_until(|sim| {
            let served = sim.ledger().last_served();
            // Done, or called off: what has expired need not be done any more.
            let over = sim.ledger().nothing_left() && sim.now() >= (served + settles).max(self.not_before);
            over && sim.all_up(Tasking::is_quiet)
        });
        let Watcher { witness, saboteur } = &*watcher.borrow();
        TrialRun {
            verdicts: witness.verdicts(),
            done: witness.done(),
            asked: (0..mission.tasks.len()).map(|task| witness.asked(task)).collect(),
            deeds: (0..mission.tasks.len()).map(|task| witness.deeds(task).to_vec()).collect(),
            struck: saboteur.struck().to_vec(),
            messages: sim.traffic().sent,
            end: sim.now(),
            notes: sim.notes().to_vec(),
        }
    }
}

/// Counts transmissions by name.
#[derive(Clone, Debug, Default)]
pub struct Counts(pub std::collections::BTreeMap<&'static str, u64>);

impl Counts {
    /// Transmissions of these names.
    pub fn sum(&self, names: &[&str]) -> u64 {
        names.iter().filter_map(|name| self.0.get(name)).sum()
    }

    /// All of them.
    pub fn all(&self) -> u64 {
        self.0.values().sum()
    }
}

impl Observer<Tasking> for Counts {
    fn on_transmission(&mut self, _now: Time, _from: RobotId, _to: Recipient, message: &Message, _fate: radio::Fate) {
        *self.0.entry(message.name()).or_default() += 1;
    }
}
