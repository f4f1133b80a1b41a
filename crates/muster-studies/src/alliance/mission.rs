//! One mission of the study, run through the production machine in the simulator.

use std::sync::Arc;

use muster_core::alliance::{Alliance, Config, Known, Lesson};
use muster_core::{Duration, Note, Percepts, Point, RobotId, TaskId, Time};
use muster_sim::crossing::CROSSING_M;
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
pub struct MissionEnd {
    /// When the last task was done, in seconds; `None` if some never was.
    pub makespan_s: Option<f64>,
    /// Messages sent.
    pub messages: u64,
    /// Times that a robot began at a task while another was at it.
    pub overlaps: u64,
    /// Times that a robot began at a task at which another had worked before.
    pub duplicates: u64,
}

impl Trial {
    /// Robots that know all times, as after training without noise: each for the tasks that it can do, of everybody.
    pub fn new(instance: &Instance, seed: u64) -> Self {
        Self::knowing(instance, seed, |time| vec![time])
    }

    /// Robots that have seen these trials: `seen` gives those of a robot that takes so long for a task, as each that can do
    /// the task has seen them.
    pub fn knowing(instance: &Instance, seed: u64, mut seen: impl FnMut(f64) -> Vec<f64>) -> Self {
        let robot = RobotSpec {
            name: Arc::from(""),
            percepts: Percepts::NONE,
            speed_mps: 1.0,
            place: Some(Point::default()),
            errand: None,
            joins: Time::ZERO,
            put_at: None,
            endurance: None,
            base: None,
        };
        let task = TaskSpec {
            at: Time::ZERO,
            after: Vec::new(),
            recurs: false,
            seen_by: SeenBy::Able,
            place: Some(Point::default()),
            needs: Percepts::NONE,
        };
        let duration = |time: &Option<f64>| time.map(Duration::from_secs_f64);
        let labour = Labour {
            progress_when_working: false,
            scatter: 0.0,
            times: instance.times.iter().map(|times| times.iter().map(duration).collect()).collect(),
        };
        let mission = Mission {
            width_m: 1.0,
            height_m: 1.0,
            robots: vec![robot; instance.robots],
            tasks: vec![task; instance.times.len()],
            orders: Vec::new(),
            linger: Duration::ZERO,
            ends_on_time: false,
            crossing_m: CROSSING_M,
            labour: Some(labour),
            pushed: None,
            radio: Radio::default(),
            faults: Vec::new(),
            // A hundred times the longest task: no mission of the study comes near.
            limit: Duration::from_secs(1_000_000),
        };
        let mut known = vec![Vec::new(); instance.robots];
        for (index, times) in instance.times.iter().enumerate() {
            let able = || times.iter().enumerate().filter_map(|(robot, time)| Some((robot, (*time)?)));
            for (observer, _) in able() {
                let lessons = able().map(|(robot, time)| Lesson::new(RobotId(robot as u32), seen(time)));
                let lessons: Vec<Lesson> = lessons.filter(|lesson| !lesson.trials.is_empty()).collect();
                known[observer].push(Known { task: TaskId(index as u32), lessons });
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

    /// How long tasks take from here on.
    pub fn set_times(&mut self, instance: &Instance) {
        let duration = |time: &Option<f64>| time.map(Duration::from_secs_f64);
        if let Some(labour) = &mut self.mission.labour {
            labour.times = instance.times.iter().map(|times| times.iter().map(duration).collect()).collect();
        }
    }

    /// Runs it from another seed; the robots keep what they learn. When the last task was done, in seconds.
    pub fn run_and_learn(&mut self, config: &Arc<Config>, seed: u64) -> Option<f64> {
        let machine = |robot: RobotId| Alliance::new(config.clone(), &self.known[robot.index()]);
        let mut sim = Sim::new(&self.mission, seed, machine, ());
        sim.run();
        let makespan_s = sim.ledger().all_served().then(|| sim.now().as_secs_f64());
        // What was said last is still to be heard.
        sim.advance(sim.now() + Duration::from_secs(1));
        self.known = sim.machines().iter().map(Alliance::known).collect();
        makespan_s
    }

    /// Runs it.
    pub fn run(&self, config: &Arc<Config>) -> MissionEnd {
        self.watch(config, ()).0
    }

    /// Runs it: who did each task, if all were done.
    pub fn doers(&self, config: &Arc<Config>) -> Option<Vec<RobotId>> {
        let machine = |robot: RobotId| Alliance::new(config.clone(), &self.known[robot.index()]);
        let mut sim = Sim::new(&self.mission, self.seed, machine, ());
        sim.run();
        sim.ledger().records().iter().map(|record| record.served.map(|(_, by)| by)).collect()
    }

    /// Runs it: what the robots noted down.
    pub fn notes(&self, config: &Arc<Config>) -> Vec<Note> {
        let machine = |robot: RobotId| Alliance::new(config.clone(), &self.known[robot.index()]);
        let mut sim = Sim::new(&self.mission, self.seed, machine, ()).with_notes();
        sim.run();
        sim.take_notes()
    }

    /// Runs it while `observer` looks on.
    pub fn watch<O: Observer<Alliance>>(&self, config: &Arc<Config>, observer: O) -> (MissionEnd, O) {
        let machine = |robot: RobotId| Alliance::new(config.clone(), &self.known[robot.index()]);
        let mut sim = Sim::new(&self.mission, self.seed, machine, observer);
        sim.run();
        let ledger = sim.ledger();
        let mut done = ledger.records().iter().map(|record| record.served.map(|(at, _)| at.as_secs_f64()));
        let outcome = MissionEnd {
            makespan_s: done.try_fold(0.0, |latest: f64, at| Some(latest.max(at?))),
            messages: sim.traffic().sent,
            overlaps: ledger.overlaps(),
            duplicates: ledger.duplicates(),
        };
        (outcome, sim.into_observer())
    }
}

#[cfg(test)]
mod tests {
    use muster_core::alliance::{Ordering, Strategy};

    use super::super::scenario::{Scenario, Spread};
    use super::*;

    fn trial(seed: u64) -> Trial {
        let scenario =
            Scenario { robots: 6, tasks: 12, coverage: 4, heterogeneity: [0.0, 1.0, 8.0][seed as usize % 3] };
        Trial::new(&Instance::draw(&scenario, Spread::Uniform, seed), seed)
    }

    /// The study leaves repetition out: where nothing is lost, saying a thing again changes nothing.
    #[test]
    fn repeated_statements_change_nothing_where_none_is_lost() {
        for strategy in Strategy::ALL {
            for seed in 0..30 {
                let repeating = Config::parker_1995(strategy, Ordering::ModifiedShortest, 6);
                let (once, again) = (Arc::new(repeating.clone().without_repetition()), Arc::new(repeating));
                let (once, again) = (trial(seed).run(&once), trial(seed).run(&again));
                let apart = once.makespan_s.zip(again.makespan_s).map(|(once, again)| (once - again).abs());
                assert!(apart.is_some_and(|apart| apart < 1e-3), "seed {seed}: {once:?} or {again:?}");
                assert!(again.messages > once.messages);
            }
        }
    }

    /// [Parker §7.3.1] The example of two robots and three tasks: by the formal model nothing is taken over, since
    /// whoever would has to be bored first (K9); with strategy III nothing is either way.
    #[test]
    fn the_example_of_two_robots_and_three_tasks() {
        let instance = Instance { robots: 2, times: vec![vec![Some(75.0), Some(100.0)]; 3] };
        let trial = Trial::new(&instance, 1);
        let makespan = |strategy| {
            let config = Config::parker_1995(strategy, Ordering::ModifiedShortest, 2).without_repetition();
            trial.run(&Arc::new(Config { boredom: Duration::from_secs(60), ..config })).makespan_s
        };
        // The quick robot does two tasks; the slow one is bored after 60 s and does the third.
        let slow_is_done = 60.0 + 5.0 + 100.0;
        for strategy in [Strategy::BestWins, Strategy::FightingChance] {
            assert!(makespan(strategy).is_some_and(|makespan_s| (makespan_s - slow_is_done).abs() < 5.0));
        }
    }
}
