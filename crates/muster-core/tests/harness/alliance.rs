//! The same for L-ALLIANCE: one robot with its timers, team mates that only talk, and a small team with work to do.
//!
//! A robot's own timers fire by themselves on the way to the instant that a test names, so tests say when something
//! happens to a robot and when it must have acted, and nothing about what it waits for in between.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use muster_core::alliance::{Alliance, Config, Doing, Known, Lesson, Memory, Message, Stamp, Timer, Work, task_time};
use muster_core::event::{Drop, Quit};
use muster_core::motion::Motion;
use muster_core::timer::TimerTable;
use muster_core::{
    Action, Body, Context, Duration, Event, Input, Mechanism, Note, Order, Output, Percept, Phase, Point, Pose,
    Recipient, RobotId, Task, TaskId, Time,
};

use super::{Dice, MINES, at, secs};

/// The robot under test, in most tests; the others are its team mates.
pub const ME: RobotId = RobotId(0);
pub const R1: RobotId = RobotId(1);
pub const R2: RobotId = RobotId(2);

/// Tasks where all robots of these tests stand.
pub const A: TaskId = TaskId(1);
pub const B: TaskId = TaskId(2);
pub const C: TaskId = TaskId(3);

pub type Out = Output<Alliance>;

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

/// What a robot is given.
#[derive(Clone, Debug)]
pub enum Given {
    Starts(Option<Memory>),
    /// The timer fires, due or not.
    Fires(Timer),
    Senses(Percept),
    Told(Order),
    Hears(RobotId, Message),
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

/// A machine, its body, its clock, its timers, its memory, and everything it noted and said.
#[derive(Clone, Debug)]
pub struct Robot {
    pub machine: Alliance,
    pub body: Body,
    pub now: Time,
    pub timers: TimerTable<Timer>,
    pub memory: Memory,
    pub dice: Dice,
    pub notes: Vec<Note>,
    pub said: Vec<(Time, Message)>,
    pub acted: Vec<(Time, Action)>,
}

impl Robot {
    /// A robot at the origin that knows this, started for the first time at time 0.
    pub fn new(id: RobotId, config: Config, known: &[Known]) -> Self {
        Self::with_dice(id, config, known, Dice::default())
    }

    pub fn with_dice(id: RobotId, config: Config, known: &[Known], dice: Dice) -> Self {
        let mut robot = Self {
            machine: Alliance::new(Arc::new(config), known),
            body: Body {
                id,
                percepts: MINES,
                speed_mps: 1.0,
                motion: Motion::Still(Pose { place: Point::default(), yaw: 0.0 }),
            },
            now: Time::ZERO,
            timers: TimerTable::default(),
            memory: Memory::default(),
            dice,
            notes: Vec::new(),
            said: Vec::new(),
            acted: Vec::new(),
        };
        robot.give(Given::Starts(Some(Memory::default())));
        robot
    }

    /// Hands the machine one input at its own time, keeps its timers and its memory, returns what came out.
    pub fn give(&mut self, given: Given) -> Vec<Out> {
        let held;
        let input = match given {
            Given::Starts(memory) => {
                // A restart takes all timers with it.
                self.timers.clear();
                Input::Start(memory)
            }
            Given::Fires(timer) => {
                self.timers.cancel(timer);
                Input::Fired(timer)
            }
            Given::Senses(percept) => Input::Perceived(percept),
            Given::Told(order) => Input::Ordered(order),
            Given::Hears(from, message) => {
                held = message;
                Input::Received { from, to: Recipient::All, message: &held }
            }
        };
        let mut outputs = Vec::new();
        let mut cx = Context::new(self.now, &self.body, &mut outputs, &mut self.dice, Some(&mut self.notes));
        self.machine.handle(&mut cx, input);
        for output in &outputs {
            match output {
                Output::SetTimer { timer, at } => drop(self.timers.set(*timer, *at)),
                Output::CancelTimer(timer) => self.timers.cancel(*timer),
                Output::Remember(memory) => self.memory = memory.clone(),
                Output::Send { message, .. } => self.said.push((self.now, message.clone())),
                Output::Act(action) => self.acted.push((self.now, *action)),
            }
        }
        outputs
    }

    /// The next timer, in the order in which a driver fires them.
    pub fn next_timer(&self) -> Option<(Time, Timer)> {
        self.timers.pending().map(|(timer, at)| (at, timer)).min()
    }

    /// Fires what is due before `end`, or until then if `inclusive`. Bounded: a robot that wakes itself for ever at
    /// one instant is a mistake.
    fn fire(&mut self, end: Time, inclusive: bool) {
        for _ in 0..100_000 {
            match self.next_timer() {
                Some((due, timer)) if due < end || (inclusive && due == end) => {
                    self.now = self.now.max(due);
                    self.give(Given::Fires(timer));
                }
                _ => return self.now = end,
            }
        }
        panic!("{} wakes itself without end at {}", self.body.id, self.now);
    }

    /// Lets it do what it does until `at_s`, that instant included.
    pub fn until(&mut self, at_s: f64) -> &mut Self {
        assert!(self.now <= at(at_s), "the clock stands at {} and cannot go back to {at_s} s", self.now);
        self.fire(at(at_s), true);
        self
    }

    /// Gives it something at `at_s` seconds, before the timers of that instant: what is said at an instant is known
    /// before anybody acts on it.
    pub fn give_at(&mut self, at_s: f64, given: Given) -> Vec<Out> {
        assert!(self.now <= at(at_s), "the clock stands at {} and cannot go back to {at_s} s", self.now);
        self.fire(at(at_s), false);
        self.give(given)
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
        let activated = |note: &Note| match note.event {
            Event::Activated { task, .. } => Some((note.at.as_secs_f64(), task)),
            _ => None,
        };
        self.notes.iter().filter_map(activated).collect()
    }

    /// When it stopped without having done the task, and why.
    pub fn quits(&self) -> Vec<(f64, Quit)> {
        let quit = |note: &Note| match note.event {
            Event::Quit { why, .. } => Some((note.at.as_secs_f64(), why)),
            _ => None,
        };
        self.notes.iter().filter_map(quit).collect()
    }

    /// `given` changes nothing, says nothing, and is noted as dropped for this reason.
    #[track_caller]
    pub fn drops(&mut self, given: Given, why: Drop) {
        let Given::Hears(with, message) = &given else { panic!("only messages are dropped, not {given:?}") };
        let (event, before) = (Event::Dropped { with: *with, message: message.name(), why }, self.machine.clone());
        let (said, acted) = (self.said.len(), self.acted.len());
        self.give(given);
        assert_eq!(self.notes.last().map(|note| note.event), Some(event));
        assert_eq!(self.machine, before, "a dropped message must not change the machine");
        assert_eq!((self.said.len(), self.acted.len()), (said, acted), "a dropped message leads to nothing");
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

/// A few robots on a radio without delay, at tasks that take each of them a while. A task that is done is gone for
/// everybody at once; without partial progress: who takes over begins anew.
pub struct Team {
    pub robots: BTreeMap<RobotId, Robot>,
    /// Seconds that a robot really needs for a task; one that is not listed never gets it done.
    pub work: BTreeMap<(RobotId, TaskId), f64>,
    /// Robots whose statements nobody hears.
    pub cut: BTreeSet<RobotId>,
    /// When which task was done by whom.
    pub done: Vec<(f64, RobotId, TaskId)>,
    now: Time,
    pending: BTreeMap<(Time, u32), (RobotId, Given)>,
    sequence: u32,
}

impl Team {
    pub fn new(robots: impl IntoIterator<Item = Robot>) -> Self {
        Self {
            robots: robots.into_iter().map(|robot| (robot.body.id, robot)).collect(),
            work: BTreeMap::new(),
            cut: BTreeSet::new(),
            done: Vec::new(),
            now: Time::ZERO,
            pending: BTreeMap::new(),
            sequence: 0,
        }
    }

    pub fn later(&mut self, after: Duration, robot: RobotId, given: Given) {
        self.pending.insert((self.now + after, self.sequence), (robot, given));
        self.sequence += 1;
    }

    /// Everybody sees the tasks now.
    pub fn shows(&mut self, tasks: &[TaskId]) {
        let robots: Vec<RobotId> = self.robots.keys().copied().collect();
        for robot in robots {
            for &task in tasks {
                self.later(Duration::ZERO, robot, sees(task));
            }
        }
    }

    pub fn active(&self, robot: RobotId) -> Option<TaskId> {
        self.robots[&robot].active()
    }

    /// Lets what is pending happen until `end_s`; at one instant what is heard and seen before timers.
    pub fn run_until(&mut self, end_s: f64) {
        for _ in 0..100_000 {
            let heard = self.pending.first_key_value().map_or(Time::NEVER, |(&(at, _), _)| at);
            let timers = self.robots.iter().filter_map(|(&id, robot)| {
                let (due, timer) = robot.next_timer()?;
                Some((due, id, timer))
            });
            let timer = timers.min();
            let next = heard.min(timer.map_or(Time::NEVER, |(due, ..)| due));
            if next > at(end_s) {
                return self.now = at(end_s);
            }
            self.now = next;
            match timer {
                Some((due, id, timer)) if due < heard => self.give(id, Given::Fires(timer)),
                _ => {
                    let (id, given) = self.pending.pop_first().expect("something is due").1;
                    self.give(id, given);
                }
            }
        }
        panic!("no end of events at {}", self.now);
    }

    fn give(&mut self, id: RobotId, given: Given) {
        let robot = self.robots.get_mut(&id).expect("a robot of this team");
        robot.now = self.now;
        // The body says that it has done a task only if it still is at it.
        if let Given::Senses(Percept::Done(task)) = given {
            let Doing::Active { task: active, since, .. } = robot.machine.doing() else { return };
            if active != task || since + secs(self.work[&(id, task)]) != self.now {
                return;
            }
            self.done.push((self.now.as_secs_f64(), id, task));
        }
        let finished = if let Given::Senses(Percept::Done(task)) = given { Some(task) } else { None };
        let outputs = robot.give(given);
        for output in outputs {
            match output {
                Output::Send { message, .. } if !self.cut.contains(&id) => {
                    let others: Vec<RobotId> = self.robots.keys().copied().filter(|&other| other != id).collect();
                    for other in others {
                        self.later(Duration::ZERO, other, Given::Hears(id, message.clone()));
                    }
                }
                Output::Act(Action::Work { task, .. }) => {
                    if let Some(&seconds) = self.work.get(&(id, task)) {
                        self.later(secs(seconds), id, done(task));
                    }
                }
                _ => {}
            }
        }
        if let Some(task) = finished {
            let others: Vec<RobotId> = self.robots.keys().copied().filter(|&other| other != id).collect();
            for other in others {
                self.later(Duration::ZERO, other, gone(task));
            }
        }
    }
}
