//! The reception of CARS: robots among guests, tick by tick.
//!
//! Read [CARS, Simulation Control] before editing, and `reception/cycle.rs` for the order of a tick. What robots feel and
//! do is theirs (`crate::robot`); this knows their interface and none of their variables or states, so a robot
//! with names that nobody has heard of runs as well. Who is in whose way is the [`Crowd`]'s.
//!
//! ```text
//! new -- init --> ready -- start --> running -- pause --> paused -- start --> running
//!         ^                             |                   |
//!         +----------- init ------- stopped <--- stop ------+
//! ```

mod air;
pub mod checks;
mod class;
pub(crate) mod config;
mod control;
mod cycle;
mod entry;
mod log;
mod saved;

use std::path::PathBuf;
use std::sync::Arc;

use crate::robot::{Butler, Command, Leguin, Place, Published, Robot, butler, leguin};
use muster_core::Time;
use muster_core::affect::{Flaw, Name};
use muster_core::panel::{Feeling, Field};
use muster_core::rng::Stream;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::crowd::{Crowd, CrowdError, Setup};
use muster_sim::emotions;

pub use air::Link;
pub use class::{Class, Settings};
pub use control::Standing;
pub use cycle::TICK;
pub use entry::Entry;
pub use log::{BadLine, Deed, Line, Replay, Status};

use air::Air;
use log::LogFile;

/// A robot, whatever it is.
pub type BoxedRobot = Box<dyn Robot + Send>;

/// Why there is no such reception, or why it does not go on.
#[derive(Debug, Error)]
pub enum ReceptionError {
    /// Nobody to simulate.
    #[error("a reception needs robots, and none is listed: list at least one")]
    NoRobots,
    /// Robots address each other by name.
    #[error("two robots are called `{name}`: robots call each other by name, so give one of them another")]
    Twins {
        /// The name.
        name: Name,
    },
    /// There are not as many places as robots.
    #[error("{robots} robots and {places} places for them to start at: give each robot one")]
    Places {
        /// Robots of the reception.
        robots: usize,
        /// Places that were given for them.
        places: usize,
    },
    /// They do not fit on the field.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
    /// The log cannot be written.
    #[error("the log {path} cannot be written ({why}): name a file in a folder that you may write to, or none")]
    Log {
        /// Path of the log.
        path: String,
        /// What the system says.
        why: String,
    },
    /// A robot that is none of ours, and was not made to be saved.
    #[error("{name} cannot be saved, so the reception cannot: a robot that can has `save` and `restore`")]
    Unsaveable {
        /// The robot's name.
        name: Name,
    },
    /// Bytes that do not fit this reception.
    #[error(
        "this is no saved state of this reception ({why}): restore it with the robots and settings it was saved with"
    )]
    NotSaved {
        /// What is wrong.
        why: String,
    },
    /// A button that does nothing now.
    #[error("cannot {verb}: the reception is {standing}; {help}")]
    Refused {
        /// The verb: init, start, pause, stop or restore.
        verb: &'static str,
        /// The standing in which it was refused.
        standing: Standing,
        /// The verb that comes first.
        help: &'static str,
    },
}

/// Whoever looks on. Looking on changes nothing.
pub trait Onlooker {
    /// Something was logged.
    fn logged(&mut self, _line: &Line) {}

    /// Everybody has moved, and knows about it: the moment at which the plan view is drawn.
    fn plan_view(&mut self, _scene: &Scene<'_>) {}

    /// It wants every entry; entries that nobody wants are not made.
    fn records(&self) -> bool {
        false
    }

    /// The next entry.
    fn recorded(&mut self, _entry: Entry) {}
}

/// Nobody looks on.
impl Onlooker for () {}

/// Keeps what was logged.
impl Onlooker for Vec<Line> {
    fn logged(&mut self, line: &Line) {
        self.push(line.clone());
    }
}

/// What there is to see.
pub struct Scene<'a> {
    /// The instant, since the beginning.
    pub now: Time,
    /// The field with robots, guests and obstacles.
    pub crowd: &'a Crowd,
    /// What robots make known, in their order.
    pub robots: &'a [Published],
}

/// Robots and guests on a field, a clock, and a log.
pub struct Reception {
    setup: Setup,
    seed: u64,
    log_path: Option<PathBuf>,
    link: Link,
    robots: Vec<BoxedRobot>,
    standing: Standing,
    /// What runs; nothing before the first `init`.
    run: Option<Run>,
}

/// What the log knows of a robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Told {
    emotion: Name,
    behavior: Name,
    failed: bool,
}

/// What `init` makes anew.
struct Run {
    now: Time,
    crowd: Crowd,
    dice: Vec<Stream>,
    published: Arc<[Published]>,
    /// What the log knows of each robot.
    told: Vec<Told>,
    outbox: Vec<Command>,
    air: Air,
    file: Option<LogFile>,
    /// The first line that could not be written.
    unwritten: Option<ReceptionError>,
}

impl Reception {
    /// These robots, each at its place of `setup.robots`. Nothing runs before `init`.
    pub fn new(robots: Vec<BoxedRobot>, setup: Setup, seed: u64) -> Result<Self, ReceptionError> {
        if robots.is_empty() {
            return Err(ReceptionError::NoRobots);
        }
        if robots.len() != setup.robots.len() {
            return Err(ReceptionError::Places { robots: robots.len(), places: setup.robots.len() });
        }
        let names: Vec<Name> = robots.iter().map(|robot| robot.get_name()).collect();
        if let Some(twin) = (1..names.len()).find(|&later| names[..later].contains(&names[later])) {
            return Err(ReceptionError::Twins { name: names[twin].clone() });
        }
        Ok(Self { setup, seed, log_path: None, link: Link::PERFECT, robots, standing: Standing::New, run: None })
    }

    /// The same with a log file, written anew at each `init`.
    pub fn with_log(self, path: impl Into<PathBuf>) -> Self {
        Self { log_path: Some(path.into()), ..self }
    }

    /// The same, with robots that talk over this link.
    pub fn with_link(self, link: Link) -> Self {
        Self { link, ..self }
    }

    /// The paper's experiment: Butler near the middle, Leguin at the food table, 100 guests on 50 ft by 50. Where the table
    /// stands is ours.
    pub fn cars_2002(seed: u64) -> Result<Self, ReceptionError> {
        let robots: Vec<BoxedRobot> =
            vec![Box::new(butler(butler::Config::cars_2002())), Box::new(leguin(leguin::Config::cars_2002()))];
        Self::new(robots, hall(&[Place::new(25.0, 25.0), Place::new(25.0, 6.0)]), seed)
    }

    /// What time it is; zero before `init`.
    pub fn now(&self) -> Time {
        self.run.as_ref().map_or(Time::ZERO, |run| run.now)
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Another seed, from the next `init` on.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Whether it was initialised, runs, is paused or has stopped.
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// What there is to see; nothing before `init`.
    pub fn scene(&self) -> Option<Scene<'_>> {
        self.run.as_ref().map(|run| Scene { now: run.now, crowd: &run.crowd, robots: &run.published })
    }

    /// What a robot makes known.
    pub fn robot(&self, name: &str) -> Option<&Published> {
        self.run.as_ref()?.published.iter().find(|robot| robot.name == *name)
    }

    /// Robots that have failed, by name, and why.
    pub fn failed(&self) -> Vec<(Name, String)> {
        self.robots.iter().filter_map(|robot| Some((robot.get_name(), robot.failure()?))).collect()
    }

    /// What a robot's panel shows.
    pub fn panel(&self, name: &str) -> Option<Vec<Field>> {
        self.called(name).map(|robot| robot.panel())
    }

    /// What a robot feels, with face and causal chain, if there is more to it than a name.
    pub fn feeling(&self, name: &str) -> Option<Feeling> {
        self.called(name).and_then(|robot| robot.feeling())
    }

    fn called(&self, name: &str) -> Option<&BoxedRobot> {
        self.robots.iter().find(|robot| robot.get_name() == *name)
    }

    /// Where everybody is; nothing before `init`.
    pub fn crowd(&self) -> Option<&Crowd> {
        self.run.as_ref().map(|run| &run.crowd)
    }
}

/// The hall of the paper's experiment with its food table, and robots at these places.
pub fn hall(starts: &[Place]) -> Setup {
    Setup { obstacles: vec![butler::Config::cars_2002().table], ..Setup::cars_2002(starts.to_vec()) }
}

/// A waiter with the shipped emotions.
pub fn butler(config: butler::Config) -> Butler {
    shipped(Butler::new(config, emotions::built_in()))
}

/// A refiller with the shipped emotions.
pub fn leguin(config: leguin::Config) -> Leguin {
    shipped(Leguin::new(config, emotions::built_in()))
}

fn shipped<T>(made: Result<T, Flaw>) -> T {
    made.unwrap_or_else(|flaw| unreachable!("the shipped table has both roles: {}", flaw.message))
}
