//! One mission of the study, run through the production machine in the simulator.

use std::sync::Arc;

use muster_core::alliance::{Alliance, Config, Known, Lesson};
use muster_core::{Duration, Note, Percepts, Point, RobotId, TaskId, Time};
use muster_sim::labour::Labour;
use muster_sim::mission::{Mission, RobotSpec, SeenBy, TaskSpec};
use muster_sim::radio::Radio;
use muster_sim::{Observer, Sim};

use super::scenario::Instance;

/// A mission that can be run again and again, with what each robot knows.
pub struct Trial {
    mission: Mission,
    known: Vec<Vec<Known>>,
    seed: u64,
}

/// How a run ended.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Outcome {
    /// When the last task was done, in seconds; `None` if some never was.
    pub makespan_s: Option<f64>,
    /// Messages sent.
    pub messages: u64,
    /// Times that a robot began at a task while another was at it.
    pub overlaps: u64,
}

impl Trial {
    /// Robots that know all times, as after training without noise: each for the tasks that it can do, of everybody.
    pub fn new(instance: &Instance, seed: u64) -> Self {
        Self::knowing(instance, seed, |_, _, time| vec![time])
    }

    /// Robots that have seen these trials: `seen` gives those of a task (first) by a robot (second) that takes a time.
    pub fn knowing(instance: &Instance, seed: u64, mut seen: impl FnMut(usize, usize, f64) -> Vec<f64>) -> Self {
        let robot = RobotSpec {
            name: Arc::from(""),
            percepts: Percepts::NONE,
            speed_mps: 1.0,
            place: Some(Point::default()),
            errand: None,
        };
        let task =
            TaskSpec { at: Time::ZERO, seen_by: SeenBy::Able, place: Some(Point::default()), needs: Percepts::NONE };
        let duration = |time: &Option<f64>| time.map(Duration::from_secs_f64);
        let labour = Labour {
            progress_when_working: false,
            times: instance.times.iter().map(|times| times.iter().map(duration).collect()).collect(),
        };
        let mission = Mission {
            width_m: 1.0,
            height_m: 1.0,
            robots: vec![robot; instance.robots],
            tasks: vec![task; instance.times.len()],
            labour: Some(labour),
            radio: Radio::default(),
            faults: Vec::new(),
            // A hundred times the longest task: no mission of the study comes near.
            limit: Duration::from_secs(1_000_000),
        };
        let mut known = vec![Vec::new(); instance.robots];
        for (index, times) in instance.times.iter().enumerate() {
            let able = || times.iter().enumerate().filter_map(|(robot, time)| Some((robot, (*time)?)));
            for (robot, _) in able() {
                let lessons = able().map(|(other, time)| Lesson::new(RobotId(other as u32), seen(index, other, time)));
                known[robot].push(Known { task: TaskId(index as u32), lessons: lessons.collect() });
            }
        }
        Self { mission, known, seed }
    }

    /// The mission, to be changed: radio, faults, whether there is progress when working.
    pub fn mission_mut(&mut self) -> &mut Mission {
        &mut self.mission
    }

    /// Whether what one robot has done stays done.
    pub fn progress_when_working(&mut self, yes: bool) {
        if let Some(labour) = &mut self.mission.labour {
            labour.progress_when_working = yes;
        }
    }

    /// Runs it.
    pub fn run(&self, config: &Arc<Config>) -> Outcome {
        self.watch(config, ()).0
    }

    /// Runs it: what the robots noted down.
    pub fn notes(&self, config: &Arc<Config>) -> Vec<Note> {
        let machine = |robot: RobotId| Alliance::new(config.clone(), &self.known[robot.index()]);
        let mut sim = Sim::new(&self.mission, self.seed, machine, ()).with_notes();
        sim.run();
        sim.take_notes()
    }

    /// Runs it while `observer` looks on.
    pub fn watch<O: Observer<Alliance>>(&self, config: &Arc<Config>, observer: O) -> (Outcome, O) {
        let machine = |robot: RobotId| Alliance::new(config.clone(), &self.known[robot.index()]);
        let mut sim = Sim::new(&self.mission, self.seed, machine, observer);
        sim.run();
        let ledger = sim.ledger();
        let mut done = ledger.records().iter().map(|record| record.served.map(|(at, _)| at.as_secs_f64()));
        let outcome = Outcome {
            makespan_s: done.try_fold(0.0, |latest: f64, at| Some(latest.max(at?))),
            messages: sim.traffic().sent,
            overlaps: ledger.overlaps(),
        };
        (outcome, sim.into_observer())
    }
}
