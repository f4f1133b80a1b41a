//! A mission: everything about a run but its seed and its mechanism.
//!
//! A scenario file is parsed and checked once into a mission; each run then arranges it anew from its seed.

use std::sync::Arc;

use muster_core::motion::Path;
use muster_core::rng::{Purpose, Stream};
use muster_core::{Base, Brief, Duration, Percepts, Point, RobotId, Task, TaskId, Time};

use crate::fault::Fault;
use crate::labour::Labour;
use crate::pushed::BoxSpec;
use crate::radio::Radio;

/// Everything about a run but its seed and its mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct Mission {
    /// Metres from west to east.
    pub width_m: f64,
    /// Metres from south to north.
    pub height_m: f64,
    /// The robots; their numbers are their places in this list.
    pub robots: Vec<RobotSpec>,
    /// Tasks that come up at a given place and time.
    pub tasks: Vec<TaskSpec>,
    /// What operators tell robots, and when.
    pub orders: Vec<OrderSpec>,
    /// How long a run goes on after everything is done, so that it can be seen to stay so.
    pub linger: Duration,
    /// It ends at that time, and not with the first event after it.
    pub ends_on_time: bool,
    /// Flights along corridors that come nearer to each other than so many metres cross.
    pub crossing_m: f64,
    /// How long tasks take, if that is up to the world: else a robot works for as long as it says.
    pub labour: Option<Labour>,
    /// A box that is pushed by its ends.
    pub pushed: Option<BoxSpec>,
    /// What they talk over.
    pub radio: Radio,
    /// Faults of robots, by the clock of the run.
    pub faults: Vec<Fault>,
    /// When the run is over, whatever is left to do.
    pub limit: Duration,
}

/// One robot.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotSpec {
    /// What people call it.
    pub name: Arc<str>,
    /// What it can perceive.
    pub percepts: Percepts,
    /// How fast it drives.
    pub speed_mps: f64,
    /// Where it stands at first; anywhere in the field if `None`.
    pub place: Option<Point>,
    /// What it does on its own account.
    pub errand: Option<ScanSpec>,
    /// When it is switched on: a robot may join a team that is at work.
    pub joins: Time,
    /// Whenever it is switched on, it is put where this task is, as soon as nobody else is there.
    pub put_at: Option<TaskId>,
    /// How long it can stay in the air; as long as it takes if `None`.
    pub endurance: Option<Duration>,
    /// Where it is reloaded.
    pub base: Option<Base>,
}

/// A scan: along a path, with stops at tasks on the way; at its end a pause, then back.
#[derive(Clone, Debug, PartialEq)]
pub struct ScanSpec {
    /// The way.
    pub path: Arc<Path>,
    /// How far along it starts, in metres.
    pub start_m: f64,
    /// How long it stands at each end, free for others.
    pub pause: Duration,
    /// How many tasks lie on its way: one at a random place in each of as many equal parts.
    pub stops: u32,
    /// What it takes to do them.
    pub needs: Percepts,
}

/// A task that comes up at a given place and time.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskSpec {
    /// When, at the earliest.
    pub at: Time,
    /// Not before these are done.
    pub after: Vec<TaskId>,
    /// It is never done for good. Only the robot that does it notices that it is done once more.
    pub recurs: bool,
    /// Which robots are told of it when it comes up.
    pub seen_by: SeenBy,
    /// Where; where the robot that looks after it is at the time if `None`.
    pub place: Option<Point>,
    /// The percepts that a robot needs to do it.
    pub needs: Percepts,
}

/// Something that an operator tells a robot.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct OrderSpec {
    /// The instant at which it is said.
    pub at: Time,
    /// The robot that it is said to.
    pub to: RobotId,
    /// What is said.
    pub order: Directive,
}

/// What an operator says. A change holds what changes and nothing else: what it comes to depends on what the robot was
/// told before, by the mission or by somebody else.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Directive {
    /// See to this task.
    Inject(Brief),
    /// The task is elsewhere, or more or less urgent.
    Change {
        /// The first task of the order.
        first: TaskId,
        /// Its new place, if that changes.
        place: Option<Point>,
        /// Its new priority, if that changes.
        priority: Option<u8>,
    },
    /// Forget the order with this first task.
    Cancel(TaskId),
}

impl Directive {
    /// The first task of the order that it is about.
    pub fn first(&self) -> TaskId {
        match *self {
            Self::Inject(brief) => brief.task.id,
            Self::Change { first, .. } | Self::Cancel(first) => first,
        }
    }

    /// What it asks for, if it asks for something that was not asked for before.
    pub fn asks_for(&self) -> Option<Brief> {
        match *self {
            Self::Inject(brief) => Some(brief),
            Self::Change { .. } | Self::Cancel(_) => None,
        }
    }
}

/// Who is told of a task.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum SeenBy {
    /// The robot that looks after it.
    One(RobotId),
    /// Every robot that can do it, as the mission's labour says, and when it is done, that it is.
    Able,
    /// Whoever an operator tells. All phases of one order lie where its first one does, this one.
    Ordered(TaskId),
}

/// What a run is drawn from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Seeds {
    /// Everything but the stops.
    pub run: u64,
    /// Where on the ways of scanning robots the tasks lie: runs may share it.
    pub stops: u64,
}

impl From<u64> for Seeds {
    fn from(seed: u64) -> Self {
        Self { run: seed, stops: seed }
    }
}

/// Where things are in one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrangement {
    /// Where each robot stands at first.
    pub places: Vec<Point>,
    /// The tasks on the ways of scanning robots: who finds it, metres along its path, which task.
    pub stops: Vec<(RobotId, f64, Task)>,
    /// Where the tasks lie that an operator asks for, by number; empty if there are none.
    pub targets: Vec<Point>,
}

impl Mission {
    /// How many tasks there will be.
    pub fn task_count(&self) -> usize {
        let on_the_way: u32 = self.robots.iter().filter_map(|robot| robot.errand.as_ref()).map(|scan| scan.stops).sum();
        on_the_way as usize + self.tasks.len()
    }

    /// Where the tasks lie that an operator asks for: where the mission says, or anywhere.
    fn targets(&self, seeds: Seeds) -> Vec<Point> {
        if self.orders.is_empty() {
            return Vec::new();
        }
        let mut stream = Stream::of_run(seeds.run, Purpose::Arrangement);
        let mut targets: Vec<Point> = Vec::with_capacity(self.tasks.len());
        for (index, spec) in self.tasks.iter().enumerate() {
            let first = if let SeenBy::Ordered(first) = spec.seen_by { first.index() } else { index };
            let place = spec
                .place
                .or_else(|| targets.get(first).copied())
                .unwrap_or_else(|| Point::new(stream.between(0.0, self.width_m), stream.between(0.0, self.height_m)));
            targets.push(place);
        }
        targets
    }

    /// Draws where things are. The same seeds give the same arrangement, whatever the mechanism.
    pub fn arrange(&self, seeds: Seeds) -> Arrangement {
        let mut stops = Vec::with_capacity(self.task_count());
        let mut next = self.tasks.len() as u32;
        let mut places = Vec::with_capacity(self.robots.len());
        for (index, robot) in self.robots.iter().enumerate() {
            let id = RobotId(index as u32);
            let Some(scan) = &robot.errand else {
                places.push(robot.place.unwrap_or_else(|| {
                    let mut stream = Stream::new(seeds.run, Purpose::Arrangement, id);
                    Point::new(stream.between(0.0, self.width_m), stream.between(0.0, self.height_m))
                }));
                continue;
            };
            places.push(scan.path.place(scan.start_m));
            if scan.stops == 0 {
                continue;
            }
            let mut stream = Stream::new(seeds.stops, Purpose::Arrangement, id);
            let part_m = (scan.path.length_m() - scan.start_m) / f64::from(scan.stops);
            for stop in 0..scan.stops {
                let at_m = scan.start_m + part_m * (f64::from(stop) + stream.uniform());
                let task = Task { id: TaskId(next), place: scan.path.place(at_m), needs: scan.needs };
                stops.push((id, at_m, task));
                next += 1;
            }
        }
        Arrangement { places, stops, targets: self.targets(seeds) }
    }
}
