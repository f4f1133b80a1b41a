//! L-ALLIANCE: robots that see a task not getting done grow impatient and take it over, and learn who is good at what.
//!
//! Read before editing: Parker, "L-ALLIANCE: A Mechanism for Adaptive Action Selection in Heterogeneous Multi-Robot Teams",
//! sections 6 to 8 (the formal model is section 8), and docs/reproductions/alliance.md for what it leaves open and where it
//! contradicts itself (K1 to K19 here).
//!
//! Each robot has a *behaviour set* for every task that it can do, with a *motivation* that grows while the task is
//! not done: slowly while a team mate says that it does it, fast otherwise. The set whose motivation reaches the
//! threshold first becomes active and holds the others down. Nobody asks and nobody awards: robots only say what they
//! do. ALLIANCE is the same machine with rates that a designer set ([`Rates::Fixed`]).
//!
//! The report computes motivations in steps of a clock. Here they are straight lines between events, so what is
//! computed is when the next one reaches the threshold or changes its slope: one timer, no ticking.

mod config;
mod feedback;
mod knowledge;
mod motivation;
mod panel;
mod planning;
mod step;
mod telling;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use config::{Config, Feedback, Fixed, LearningPhase, Ordering, Rates, Strategy};
pub use knowledge::{Known, Lesson, Monitor, task_time};
pub use motivation::Category;
pub use step::{Quit, Step};
pub(crate) use telling::Motives;

use crate::event::{Drop, Event};
use crate::mechanism::{self, Mechanism};
use crate::panel::{Family, Field, Posture, Viewing};
use crate::robot::{Point, RobotId};
use crate::task::{Action, Brief, Order, Percept, Task, TaskId};
use crate::time::{Duration, Time};

type Context<'a> = mechanism::Context<'a, Alliance>;
type Input<'a> = mechanism::Input<'a, Alliance>;

/// Which statement of which life of its sender: an older one that comes later means nothing.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Stamp {
    /// The life: a restart starts a new one.
    pub life: u32,
    /// Which statement, counted from 1.
    pub number: u32,
}

/// What robots say. All of it is said to everybody, and none of it asks for an answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Message {
    /// What this robot does. Also says that it is there. [Parker §8.3]
    Activity {
        /// Which statement.
        stamp: Stamp,
        /// Nothing, or what.
        doing: Option<Work>,
        /// What it has done last, in case nobody has heard of it.
        last: Option<Deed>,
    },
    /// The task is done, by this robot.
    Finished {
        /// Which statement.
        stamp: Stamp,
        /// Which task.
        task: TaskId,
        /// How long it took.
        took: Duration,
    },
    /// This robot cannot do the task.
    GaveUp {
        /// Which statement.
        stamp: Stamp,
        /// Which task.
        task: TaskId,
        /// How long it tried.
        tried: Duration,
    },
    /// How long this robot expects to need for each task that it knows. Beyond the report.
    Times {
        /// Which statement.
        stamp: Stamp,
        /// Task and time.
        times: Vec<(TaskId, Duration)>,
    },
}

/// What a robot says that it does.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Work {
    /// Which task.
    pub task: TaskId,
    /// For how long it has been at it.
    pub elapsed: Duration,
    /// How long until it gets there. \[R\] How long a task takes is counted from there: the way depends on where a robot
    /// comes from, and says nothing about how good it is.
    pub away: Duration,
}

/// What a robot says that it has done.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Deed {
    /// The number of the statement that said so first, in the same life.
    pub number: u32,
    /// Which task.
    pub task: TaskId,
    /// How long it took.
    pub took: Duration,
}

impl Message {
    /// A name for it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Activity { .. } => "ACTIVITY",
            Self::Finished { .. } => "FINISHED",
            Self::GaveUp { .. } => "GAVE UP",
            Self::Times { .. } => "TIMES",
        }
    }

    /// It speaks of a time longer than any clock has run: learned, it would spoil every comparison.
    fn is_absurd(&self) -> bool {
        const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 3600);
        match self {
            Self::Activity { doing, last, .. } => {
                let work = doing.map_or(Duration::ZERO, |work| work.elapsed.max(work.away));
                work.max(last.map_or(Duration::ZERO, |last| last.took)) > CENTURY
            }
            Self::Finished { took: time, .. } | Self::GaveUp { tried: time, .. } => *time > CENTURY,
            Self::Times { times, .. } => times.iter().any(|(_, time)| *time > CENTURY),
        }
    }

    const fn stamp(&self) -> Stamp {
        match self {
            Self::Activity { stamp, .. }
            | Self::Finished { stamp, .. }
            | Self::GaveUp { stamp, .. }
            | Self::Times { stamp, .. } => *stamp,
        }
    }
}

/// What a robot waits for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Timer {
    /// A motivation reaches the threshold or changes its slope, or patience with itself ends.
    Motivation,
    /// It is time to say what it does.
    Statement,
    /// It is time to say how long its tasks would take it.
    Times,
}

/// What a robot keeps through a restart: what it has learned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// The life that wrote this.
    pub life: u32,
    /// What it knew.
    pub known: Vec<Known>,
}

/// One robot under L-ALLIANCE.
#[derive(Clone, Debug, PartialEq)]
pub struct Alliance {
    config: Arc<Config>,
    /// By task.
    sets: Vec<BehaviourSet>,
    /// By robot; this one is not among them.
    mates: Vec<Mate>,
    doing: Doing,
    life: u32,
    statements: u32,
    /// What this life has done last.
    last: Option<Deed>,
    /// When the motivations were computed.
    as_of: Time,
    /// When there was last something more to do.
    opened: Time,
}

/// What a robot does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Nothing.
    Idle {
        /// Since when.
        since: Time,
    },
    /// One of its behaviour sets is active.
    Active {
        /// Task of the active behaviour set.
        task: TaskId,
        /// Since when it is at it, or from when on it will be: when it gets there.
        since: Time,
        /// It knew that another was at it.
        overrides: bool,
    },
}

/// A behaviour set, its motivation and its monitor.
#[derive(Clone, Debug, PartialEq)]
struct BehaviourSet {
    task: TaskId,
    place: Point,
    /// The robot's own senses have told of it.
    seen: bool,
    /// sensory_feedback: the task needs doing. [Parker §8.2]
    applicable: bool,
    /// Since when somebody is wanted for it.
    opened: Time,
    /// m as of the time to which motivations were computed, and how fast it grows, per second.
    motivation: f64,
    rate: f64,
    /// What chance gave it: how long it waits, in seconds. Drawn when it is first needed.
    lot_s: Option<f64>,
    /// Team mates that have been heard at this task since it last was done.
    performers: Vec<Performer>,
    /// Team mates that said how long it would take them, so it is still to be done.
    listed: Vec<RobotId>,
    monitor: Monitor,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Performer {
    robot: RobotId,
    /// When it began, or will: when it gets there.
    since: Time,
    /// It says that it is at it now.
    at_it: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Mate {
    robot: RobotId,
    /// When it was last heard of.
    heard: Time,
    newest: Stamp,
    /// The statement that told of its newest deed, in its newest life.
    deed: u32,
    /// What it says it does, and when that was first heard.
    doing: Option<TaskId>,
    since: Time,
}

/// How many lives back a statement can come from.
const LIVES: u32 = 256;
/// Team mates that a robot did not know before, and tasks that it only heard of, are kept up to so many: whoever makes
/// numbers up must not fill its memory, nor its time.
const STRANGERS: usize = 64;
const HEARSAY: usize = 256;

impl Mate {
    fn unheard_of(robot: RobotId) -> Self {
        let newest = Stamp::default();
        Self { robot, heard: Time::ZERO, newest, deed: 0, doing: None, since: Time::ZERO }
    }
}

impl BehaviourSet {
    fn new(task: TaskId, monitor: Monitor) -> Self {
        Self {
            task,
            place: Point::default(),
            seen: false,
            applicable: false,
            opened: Time::ZERO,
            motivation: 0.0,
            rate: 0.0,
            lot_s: None,
            performers: Vec::new(),
            listed: Vec::new(),
            monitor,
        }
    }
}

impl Alliance {
    /// A robot that has not started yet, and knows this.
    pub fn new(config: Arc<Config>, known: &[Known]) -> Self {
        let mut robot = Self {
            config,
            sets: Vec::new(),
            mates: Vec::new(),
            doing: Doing::Idle { since: Time::ZERO },
            life: 0,
            statements: 0,
            last: None,
            as_of: Time::ZERO,
            opened: Time::ZERO,
        };
        robot.recall(known);
        robot
    }

    /// Its configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What it does.
    pub fn doing(&self) -> Doing {
        self.doing
    }

    /// What it has learned, by task.
    pub fn known(&self) -> Vec<Known> {
        let known = |set: &BehaviourSet| Known { task: set.task, lessons: set.monitor.lessons().to_vec() };
        self.sets.iter().filter(|set| !set.monitor.lessons().is_empty()).map(known).collect()
    }

    /// Its motivation to do a task, as of the last input.
    pub fn motivation(&self, task: TaskId) -> Option<f64> {
        self.set(task).map(|set| set.motivation)
    }

    fn recall(&mut self, known: &[Known]) {
        // A memory may have been spoilt: what is no time would make every motivation none.
        let trials = self.config.trials.max(1);
        let times = |lesson: &Lesson| -> Vec<f64> {
            let times = lesson.trials.iter().copied().filter(|trial| trial.is_finite() && *trial >= 0.0);
            let times: Vec<f64> = times.collect();
            times[times.len().saturating_sub(trials)..].to_vec()
        };
        let set = |known: &Known| {
            let again = known.lessons.iter().map(|lesson| (lesson.robot, times(lesson)));
            let lessons = again.filter(|(_, trials)| !trials.is_empty());
            BehaviourSet::new(
                known.task,
                Monitor::new(lessons.map(|(robot, trials)| Lesson::new(robot, trials)).collect()),
            )
        };
        self.sets = known.iter().map(set).collect();
        self.sets.sort_by_key(|set| set.task);
        self.sets.dedup_by_key(|set| set.task);
    }

    fn set(&self, task: TaskId) -> Option<&BehaviourSet> {
        self.index(task).map(|index| &self.sets[index])
    }

    fn index(&self, task: TaskId) -> Option<usize> {
        self.sets.binary_search_by_key(&task, |set| set.task).ok()
    }

    fn on_start(&mut self, cx: &mut Context<'_>, memory: Option<Memory>) {
        let remembered = memory.is_some();
        self.life = match memory {
            Some(memory) => {
                if memory.life > 0 {
                    self.recall(&memory.known);
                }
                memory.life.wrapping_add(1)
            }
            None => {
                self.sets.clear();
                cx.fresh()
            }
        };
        if !remembered || self.life != 1 {
            let incarnation = self.life;
            cx.note(|| Event::Started { incarnation, remembered });
        }
        for set in &mut self.sets {
            *set = BehaviourSet::new(set.task, std::mem::take(&mut set.monitor));
        }
        let (me, now) = (cx.me(), cx.now());
        let mate = |robot| Mate { heard: now, since: now, ..Mate::unheard_of(robot) };
        self.mates = self.config.known_team().filter(|robot| *robot != me).map(mate).collect();
        self.doing = Doing::Idle { since: now };
        (self.as_of, self.opened) = (now, now);
        self.statements = 0;
        self.last = None;
        // At once: the life after this one must not take its number.
        self.remember(cx);
        if let Some(period) = self.config.period {
            // Not all at once: robots that are switched on together would talk over each other for ever.
            let share = cx.share(1 << 16);
            cx.set_timer(Timer::Statement, now + period.stretched(share));
        }
    }

    fn remember(&self, cx: &mut Context<'_>) {
        if self.config.keeps {
            cx.remember(Memory { life: self.life, known: self.known() });
        }
    }

    // What the robot perceives.

    fn on_task_seen(&mut self, cx: &mut Context<'_>, task: Task) {
        if !cx.body().percepts.cover(task.needs) {
            return;
        }
        let index = self.index(task.id).unwrap_or_else(|| {
            let place = self.sets.partition_point(|set| set.task < task.id);
            self.sets.insert(place, BehaviourSet::new(task.id, Monitor::default()));
            place
        });
        let told_by_others = self.config.feedback_of(task.id).is_some();
        let set = &mut self.sets[index];
        set.place = task.place;
        if set.seen && told_by_others {
            // The body says where it is now; whether it needs doing is for others to say.
            return;
        }
        if !set.applicable {
            set.opened = cx.now();
            cx.note(|| Event::Alliance(Step::Noticed { task: task.id }));
        }
        (set.seen, set.applicable) = (true, true);
        self.opened = cx.now();
        self.tell_soon(cx);
    }

    /// Somebody has done it, or it vanished, or was called off.
    fn on_task_gone(&mut self, cx: &mut Context<'_>, task: TaskId, why: Quit) {
        let Some(index) = self.index(task) else { return };
        let needed_doing = self.sets[index].applicable;
        self.over(index);
        if self.active_since(task).is_some() {
            cx.note(|| Event::Alliance(Step::Quit { task, why }));
            self.rest(cx);
        } else if needed_doing && why == Quit::CalledOff {
            cx.note(|| Event::Alliance(Step::CalledOff { task }));
        }
    }

    /// This robot has done it.
    fn on_done(&mut self, cx: &mut Context<'_>, task: TaskId) {
        let Some(since) = self.active_since(task) else { return };
        let took = cx.now().since(since);
        cx.note(|| Event::Alliance(Step::Done { task, took }));
        self.learn(cx.me(), task, took.as_secs_f64());
        let stamp = self.next_stamp();
        self.last = Some(Deed { number: stamp.number, task, took });
        cx.broadcast(Message::Finished { stamp, task, took });
        if let Some(index) = self.index(task) {
            self.over(index);
        }
        self.remember(cx);
        self.stop(cx);
        self.just_done(cx, task);
    }

    /// The task is not to be done any more; if it comes up again, that is another occasion.
    fn over(&mut self, index: usize) {
        let set = &mut self.sets[index];
        set.applicable = false;
        (set.motivation, set.rate) = (0.0, 0.0);
        set.performers.clear();
        set.listed.clear();
    }

    fn active_since(&self, task: TaskId) -> Option<Time> {
        match self.doing {
            Doing::Active { task: active, since, .. } if active == task => Some(since),
            _ => None,
        }
    }

    fn on_arrived(&mut self, cx: &mut Context<'_>) {
        if let Doing::Active { task, .. } = self.doing {
            cx.act(Action::Work { task, until: Time::NEVER });
        }
    }

    // What team mates say.

    fn on_message(&mut self, cx: &mut Context<'_>, from: RobotId, message: &Message) {
        if from == cx.me() {
            return;
        }
        if message.is_absurd() {
            return cx.note(|| Event::Dropped {
                with: from,
                message: message.name(),
                family: message.family(),
                why: Drop::Absurd,
            });
        }
        let Some(index) = self.mate(from) else {
            return cx.note(|| Event::Dropped {
                with: from,
                message: message.name(),
                family: message.family(),
                why: Drop::Absurd,
            });
        };
        let (now, stamp) = (cx.now(), message.stamp());
        let mate = &mut self.mates[index];
        // Lives are counted up, except that a loss of memory draws a fresh number.
        let earlier_life = (1..=LIVES).contains(&mate.newest.life.wrapping_sub(stamp.life));
        if earlier_life || (stamp.life == mate.newest.life && stamp.number <= mate.newest.number) {
            let why = if stamp == mate.newest { Drop::Duplicate } else { Drop::Late };
            cx.note(|| Event::Dropped { with: from, message: message.name(), family: message.family(), why });
            return;
        }
        if mate.newest.life != stamp.life {
            mate.deed = 0;
        }
        mate.newest = stamp;
        mate.heard = now;
        match *message {
            Message::Activity { doing, last, .. } => {
                // A deed that was said to be done and not heard of: before what follows from what it does now.
                if let Some(deed) = last.filter(|deed| deed.number > self.mates[index].deed) {
                    self.on_deed(cx, index, deed);
                }
                self.on_activity(cx, index, doing);
            }
            Message::Finished { task, took, .. } => {
                self.on_activity(cx, index, None);
                self.on_deed(cx, index, Deed { number: stamp.number, task, took });
            }
            Message::GaveUp { task, tried, .. } => {
                self.on_activity(cx, index, None);
                self.learn_failure(from, task, tried);
                self.remember(cx);
            }
            Message::Times { ref times, .. } => self.on_times(from, times),
        }
    }

    /// A team mate has done a task.
    fn on_deed(&mut self, cx: &mut Context<'_>, mate: usize, Deed { number, task, took }: Deed) {
        self.mates[mate].deed = number;
        if let Some(set) = self.index(task).map(|index| &mut self.sets[index]) {
            set.listed.clear();
        }
        self.learn(self.mates[mate].robot, task, took.as_secs_f64());
        self.just_done(cx, task);
        self.remember(cx);
    }

    /// Its place in the list; a robot that was never heard of joins the team, as long as there is room.
    fn mate(&mut self, robot: RobotId) -> Option<usize> {
        match self.mates.binary_search_by_key(&robot, |mate| mate.robot) {
            Ok(place) => Some(place),
            Err(_) if self.mates.len() >= self.config.team as usize + STRANGERS => None,
            Err(place) => {
                self.mates.insert(place, Mate::unheard_of(robot));
                Some(place)
            }
        }
    }

    fn on_activity(&mut self, cx: &mut Context<'_>, mate: usize, doing: Option<Work>) {
        let robot = self.mates[mate].robot;
        let before = std::mem::replace(&mut self.mates[mate].doing, doing.map(|work| work.task));
        if before != self.mates[mate].doing {
            self.mates[mate].since = cx.now();
        }
        if let Some(index) = before.and_then(|task| self.index(task))
            && before != self.mates[mate].doing
            && let Some(performer) = self.sets[index].performers.iter_mut().find(|other| other.robot == robot)
        {
            performer.at_it = false;
            self.sets[index].opened = cx.now();
            self.opened = cx.now();
        }
        let Some(Work { task, elapsed, away }) = doing else { return };
        let Some(index) = self.index(task) else { return };
        let began = Time::from_micros((cx.now() + away).as_micros().saturating_sub(elapsed.as_micros()));
        let (active, tie) = (self.active_since(task).is_some(), self.config.tie);
        let set = &mut self.sets[index];
        let performer = Performer { robot, since: began, at_it: true };
        let known = match set.performers.iter_mut().find(|other| other.robot == robot) {
            // The same activation: said again.
            Some(known) if known.at_it && began <= known.since + tie => true,
            Some(known) => {
                *known = performer;
                false
            }
            None => {
                set.performers.push(performer);
                false
            }
        };
        // [Parker §8.6] impatience_reset, when this team mate is first heard at the task, never because it says so
        // again. Once for each activation: counted once for ever, tasks that recur would find no patience. A robot
        // that fails again and again still holds nobody up, since its patience ends before it gives up itself.
        // K3: only while this robot is not at it; as printed, a robot that joins would stop the one at work
        // whatever psi says.
        if !known && !active {
            set.motivation = 0.0;
        }
        self.settle(cx, task, robot, began);
    }

    /// Two robots at one task without either meaning to: a statement was lost, or they began at once.
    fn settle(&mut self, cx: &mut Context<'_>, task: TaskId, other: RobotId, began: Time) {
        let Doing::Active { task: mine, since, overrides } = self.doing else { return };
        let tie = self.config.tie;
        let earlier = began + tie < since;
        let at_once = !earlier && began <= since + tie;
        let it_was_first = (earlier && !overrides) || (at_once && other < cx.me());
        if mine == task && it_was_first {
            cx.note(|| Event::Alliance(Step::Quit { task, why: Quit::Tie { with: other } }));
            self.rest(cx);
        }
    }

    // Beyond the report: a team mate knows its own times best, and of tasks that this robot cannot do.

    /// Once, after all that happens at this instant.
    fn tell_soon(&self, cx: &mut Context<'_>) {
        if self.config.tells_times {
            cx.set_timer(Timer::Times, cx.now());
        }
    }

    fn tell_times(&mut self, cx: &mut Context<'_>) {
        let me = cx.me();
        let open = self.sets.iter().filter(|set| set.applicable);
        let own = open.filter_map(|set| Some((set.task, Duration::from_secs_f64(set.monitor.task_time_s(me)?))));
        let times = own.collect();
        let stamp = self.next_stamp();
        cx.broadcast(Message::Times { stamp, times });
        // Again now and then, since it may not have been heard.
        if let Some(period) = self.config.period {
            cx.set_timer(Timer::Times, cx.now() + period.stretched(3.0));
        }
    }

    fn on_times(&mut self, from: RobotId, times: &[(TaskId, Duration)]) {
        for set in &mut self.sets {
            set.listed.retain(|robot| *robot != from);
        }
        for (task, time) in times {
            let index = match self.sets.binary_search_by_key(task, |set| set.task) {
                Ok(index) => index,
                Err(_) if self.sets.len() >= HEARSAY => continue,
                Err(place) => {
                    let opened = self.opened;
                    self.sets.insert(place, BehaviourSet { opened, ..BehaviourSet::new(*task, Monitor::default()) });
                    place
                }
            };
            self.sets[index].listed.push(from);
            self.sets[index].monitor.tell(from, time.as_secs_f64());
        }
    }

    fn learn(&mut self, robot: RobotId, task: TaskId, seconds: f64) {
        let trials = self.config.trials;
        if let Some(index) = self.index(task) {
            self.sets[index].monitor.learn(robot, seconds, trials);
        }
    }

    /// [Parker §6.3.1] "some penalty factor (greater than 1) multiplied by the actual attempted time". Never less than
    /// the robot was expected to take: one that fails at once would look quick.
    fn learn_failure(&mut self, robot: RobotId, task: TaskId, tried: Duration) {
        // However often it fails: a time that no clock has run would spoil every comparison.
        const LONGEST_S: f64 = 1e8;
        let Some(set) = self.set(task) else { return };
        let counts = tried.as_secs_f64().max(set.monitor.task_time_s(robot).unwrap_or(0.0));
        self.learn(robot, task, (self.config.penalty * counts).min(LONGEST_S));
    }

    // What the robot does.

    /// It stops what it does, without having done it, and says so.
    fn rest(&mut self, cx: &mut Context<'_>) {
        self.stop(cx);
        self.state(cx);
    }

    fn stop(&mut self, cx: &mut Context<'_>) {
        cx.act(Action::Stop);
        self.doing = Doing::Idle { since: cx.now() };
        // [Parker §8.7] acquiescence takes the motivation away; and what was done needs no more.
        for set in &mut self.sets {
            (set.motivation, set.rate, set.lot_s) = (0.0, 0.0, None);
        }
    }

    fn give_up(&mut self, cx: &mut Context<'_>, task: TaskId, tried: Duration) {
        self.learn_failure(cx.me(), task, tried);
        let stamp = self.next_stamp();
        cx.broadcast(Message::GaveUp { stamp, task, tried });
        self.remember(cx);
        self.stop(cx);
    }

    /// How long it takes to get to a task.
    fn way(&self, cx: &Context<'_>, index: usize) -> Duration {
        let way_m = cx.body().place(cx.now()).distance(self.sets[index].place);
        // A millimetre is there: places that were computed in different ways are not equal to the last bit.
        if way_m > 1e-3 { Duration::from_secs_f64(way_m / cx.body().speed_mps) } else { Duration::ZERO }
    }

    fn activate(&mut self, cx: &mut Context<'_>, index: usize, category: Category) {
        let (me, now) = (cx.me(), cx.now());
        let set = &self.sets[index];
        let (task, place) = (set.task, set.place);
        let mate = self.performers_now(set, now).next().copied();
        let way = self.way(cx, index);
        cx.note(|| {
            let overrides = mate.map(|mate| (mate.robot, now.since(mate.since)));
            let own_s = set.monitor.task_time_s(me).map(|own_s| own_s + way.as_secs_f64());
            let best = self.best_mate(set, me, now);
            let planned = matches!(self.config.ordering, Ordering::Regret | Ordering::Replan);
            Event::Alliance(Step::Activated { task, planned, category, overrides, own_s, best })
        });
        self.doing = Doing::Active { task, since: now + way, overrides: mate.is_some() };
        // [Parker §8.4] An active set holds all others of the robot down.
        for other in &mut self.sets {
            (other.motivation, other.rate) = (0.0, 0.0);
        }
        self.sets[index].motivation = self.config.threshold;
        if way > Duration::ZERO {
            cx.act(Action::GoTo(place));
        } else {
            cx.act(Action::Work { task, until: Time::NEVER });
        }
        self.state(cx);
    }

    /// Says what it does. [Parker §8.8] While a set is active, at a rate of rho; K5: while none is, too.
    fn state(&mut self, cx: &mut Context<'_>) {
        let doing = match self.doing {
            Doing::Idle { .. } => None,
            Doing::Active { task, since, .. } => {
                Some(Work { task, elapsed: cx.now().since(since), away: since.since(cx.now()) })
            }
        };
        let (stamp, last) = (self.next_stamp(), self.last);
        cx.broadcast(Message::Activity { stamp, doing, last });
        if let Some(period) = self.config.period {
            cx.set_timer(Timer::Statement, cx.now() + period);
        }
    }

    fn next_stamp(&mut self) -> Stamp {
        self.statements = self.statements.wrapping_add(1);
        Stamp { life: self.life, number: self.statements }
    }
}

impl Mechanism for Alliance {
    type Message = Message;
    type Timer = Timer;
    type Memory = Memory;

    fn name_of(message: &Message) -> &'static str {
        message.name()
    }

    fn handle(&mut self, cx: &mut Context<'_>, input: Input<'_>) {
        self.grow(cx.now());
        let acts = matches!(input, Input::Fired(Timer::Motivation));
        match input {
            Input::Start(memory) => self.on_start(cx, memory),
            Input::Fired(Timer::Motivation) => {}
            Input::Fired(Timer::Statement) => self.state(cx),
            Input::Fired(Timer::Times) => self.tell_times(cx),
            Input::Perceived(Percept::TaskSeen(task))
            | Input::Ordered(Order::Inject(Brief { task, .. }) | Order::Modify(Brief { task, .. })) => {
                self.on_task_seen(cx, task);
            }
            Input::Perceived(Percept::TaskGone(task)) => self.on_task_gone(cx, task, Quit::Gone),
            Input::Ordered(Order::Cancel(task)) => self.on_task_gone(cx, task, Quit::CalledOff),
            Input::Perceived(Percept::Done(task)) => self.on_done(cx, task),
            Input::Perceived(Percept::Arrived) => self.on_arrived(cx),
            // [Parker §6.3.1] "if a robot has the ability to detect failure with certainty, then it can give up".
            Input::Perceived(Percept::Blocked) => {
                if let Doing::Active { task, since, .. } = self.doing {
                    cx.note(|| Event::Alliance(Step::Quit { task, why: Quit::Blocked }));
                    self.give_up(cx, task, cx.now().since(since));
                }
            }
            // What a robot does on its own account is a behaviour set like any other here; nobody's answer is waited for.
            Input::Perceived(Percept::Phase(_) | Percept::Link(_) | Percept::Reloaded) => {}
            Input::Received { from, message, .. } => self.on_message(cx, from, message),
        }
        self.reconsider(cx, acts);
    }

    fn family_of(message: &Message) -> Family {
        message.family()
    }

    fn task_of(message: &Message) -> Option<TaskId> {
        message.task()
    }

    fn posture(&self) -> Posture {
        self.seen_as()
    }

    fn panel(&self, view: &Viewing<'_>) -> Vec<Field> {
        self.shows(view)
    }
}
