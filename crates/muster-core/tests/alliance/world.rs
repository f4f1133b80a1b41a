//! L-ALLIANCE under test: team mates that only talk, and a field with work to do.
//!
//! A robot's own timers fire by themselves on the way to the instant that a test names, so tests say when something
//! happens to a robot and when it must have acted, and nothing about what it waits for in between.

use std::collections::BTreeMap;
use std::sync::Arc;

use muster_core::alliance::{Alliance, Config, Doing, Known, Lesson, Message, Stamp, Work, task_time};
use muster_core::alliance::{Quit, Step};
use muster_core::motion::Motion;
use muster_core::{Action, Body, Duration, Event, Percept, Phase, Point, RobotId, Task, TaskId};

pub use crate::harness::*;
use crate::harness::{self, Harnessed};

/// The robot under test, in most tests; the others are its team mates.
pub const ME: RobotId = RobotId(0);
pub const R1: RobotId = RobotId(1);
pub const R2: RobotId = RobotId(2);

/// Tasks where all robots of these tests stand.
pub const A: TaskId = TaskId(1);
pub const B: TaskId = TaskId(2);
pub const C: TaskId = TaskId(3);

pub type Given = harness::Given<Alliance>;
pub type Robot = harness::Robot<Alliance>;
pub type Team = harness::Team<Alliance>;

pub const fn task(id: TaskId) -> Task {
    Task { id, place: Point::new(0.0, 0.0), needs: MINES }
}

/// What is known: of each task, by whom and in how many seconds.
pub fn knows(tasks: &[(TaskId, &[(RobotId, f64)])]) -> Vec<Known> {
    let lesson = |&(robot, seconds): &(RobotId, f64)| Lesson::new(robot, vec![seconds]);
    tasks.iter().map(|&(task, times)| Known { task, lessons: times.iter().map(lesson).collect() }).collect()
}

/// A team mate that only talks. Its statements are numbered as a robot's are.
pub struct Voice {
    pub robot: RobotId,
    pub stamp: Stamp,
}

impl Voice {
    pub fn of(robot: RobotId) -> Self {
        Self { robot, stamp: Stamp { life: 1, number: 0 } }
    }

    pub fn next(&mut self) -> Stamp {
        self.stamp.number += 1;
        self.stamp
    }

    /// It has restarted.
    pub fn reborn(&mut self) {
        self.stamp = Stamp { life: self.stamp.life + 1, number: 0 };
    }

    pub fn doing(&mut self, task: TaskId, for_s: f64) -> Given {
        self.on_its_way(task, for_s, 0.0)
    }

    /// At it for so long, or there in so long.
    pub fn on_its_way(&mut self, task: TaskId, for_s: f64, away_s: f64) -> Given {
        let doing = Some(Work { task, elapsed: secs(for_s), away: secs(away_s) });
        Given::Hears(self.robot, Message::Activity { stamp: self.next(), doing, last: None })
    }

    pub fn idle(&mut self) -> Given {
        let stamp = self.next();
        Given::Hears(self.robot, Message::Activity { stamp, doing: None, last: None })
    }

    pub fn finished(&mut self, task: TaskId, took_s: f64) -> Given {
        let stamp = self.next();
        Given::Hears(self.robot, Message::Finished { stamp, task, took: secs(took_s) })
    }

    pub fn gave_up(&mut self, task: TaskId, tried_s: f64) -> Given {
        let stamp = self.next();
        Given::Hears(self.robot, Message::GaveUp { stamp, task, tried: secs(tried_s) })
    }

    pub fn times(&mut self, times: &[(TaskId, f64)]) -> Given {
        let stamp = self.next();
        let times = times.iter().map(|&(task, seconds)| (task, secs(seconds))).collect();
        Given::Hears(self.robot, Message::Times { stamp, times })
    }
}

pub fn sees(id: TaskId) -> Given {
    Given::Senses(Percept::TaskSeen(task(id)))
}

pub fn gone(id: TaskId) -> Given {
    Given::Senses(Percept::TaskGone(id))
}

pub fn done(id: TaskId) -> Given {
    Given::Senses(Percept::Done(id))
}

/// Means nothing to the machine, which brings its motivations up to date for it.
pub fn nothing() -> Given {
    Given::Senses(Percept::Phase(Phase::Free))
}

impl Robot {
    /// A robot at the origin that knows this, started for the first time at time 0.
    pub fn new(id: RobotId, config: Config, known: &[Known]) -> Self {
        Self::with_dice(id, config, known, Dice::default())
    }

    pub fn with_dice(id: RobotId, config: Config, known: &[Known], dice: Dice) -> Self {
        let body = Body { id, percepts: MINES, speed_mps: 1.0, motion: Motion::still(Point::default()) };
        Self::started(Alliance::new(Arc::new(config), known), body, dice)
    }

    /// The task of its active behaviour set.
    pub fn active(&self) -> Option<TaskId> {
        match self.machine.doing() {
            Doing::Active { task, .. } => Some(task),
            Doing::Idle { .. } => None,
        }
    }

    /// Its motivation for `task` at `at_s` seconds.
    pub fn motivation_at(&mut self, at_s: f64, task: TaskId) -> f64 {
        self.until(at_s).give(nothing());
        self.machine.motivation(task).expect("a behaviour set for the task")
    }

    /// task_time of `robot` for `task`, as this one knows it.
    pub fn task_time(&self, robot: RobotId, task: TaskId) -> Option<f64> {
        let known = self.machine.known().into_iter().find(|known| known.task == task)?;
        known.lessons.iter().find(|lesson| lesson.robot == robot).map(|lesson| task_time(&lesson.trials))
    }

    /// When a behaviour set became active, in seconds, and for which task.
    pub fn activations(&self) -> Vec<(f64, TaskId)> {
        self.moments(|event| match event {
            Event::Alliance(Step::Activated { task, .. }) => Some(task),
            _ => None,
        })
    }

    /// When it stopped without having done the task, and why.
    pub fn quits(&self) -> Vec<(f64, Quit)> {
        self.moments(|event| match event {
            Event::Alliance(Step::Quit { why, .. }) => Some(why),
            _ => None,
        })
    }
}

/// The first activation of a robot that knows this and sees these tasks at time 0.
pub fn first_choice(config: Config, known: &[Known], tasks: &[TaskId]) -> Option<(f64, TaskId)> {
    let mut robot = Robot::new(ME, config, known);
    for &task in tasks {
        robot.give(sees(task));
    }
    robot.until(10_000.0).activations().first().copied()
}

/// Tasks that take each robot a while. One that is done is gone for everybody at once; without partial progress: who takes
/// over begins anew.
#[derive(Default)]
pub struct Field {
    /// Seconds that a robot really needs for a task; one that is not listed never gets it done.
    pub work: BTreeMap<(RobotId, TaskId), f64>,
    /// When which task was done by whom.
    pub done: Vec<(f64, RobotId, TaskId)>,
}

/// Done with a task, if it still is at it.
pub struct Finishes(TaskId);

impl Harnessed for Alliance {
    const LATENCY: Duration = Duration::ZERO;
    type World = Field;
    type Happening = Finishes;

    fn acts(team: &mut Team, robot: RobotId, action: Action) {
        if let Action::Work { task, .. } = action
            && let Some(&seconds) = team.world.work.get(&(robot, task))
        {
            team.will_happen(team.now + secs(seconds), robot, Finishes(task));
        }
    }

    fn happens(team: &mut Team, robot: RobotId, Finishes(task): Finishes) {
        let Doing::Active { task: active, since, .. } = team.robots[&robot].machine.doing() else { return };
        if active != task || since + secs(team.world.work[&(robot, task)]) != team.now {
            return;
        }
        team.world.done.push((team.now_s(), robot, task));
        team.give(robot, done(task));
        for other in team.others(&[robot]) {
            team.later(Duration::ZERO, other, gone(task));
        }
    }
}

impl Team {
    /// Everybody sees the tasks now.
    pub fn shows(&mut self, tasks: &[TaskId]) {
        for robot in self.others(&[]) {
            for &task in tasks {
                self.later(Duration::ZERO, robot, sees(task));
            }
        }
    }

    pub fn active(&self, robot: RobotId) -> Option<TaskId> {
        self.robots[&robot].active()
    }
}
