//! What robots know of each other, and what they say.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Place, Reason, Robot, Variables};
use muster_core::affect::Name;
use muster_core::rng::Stream;
use muster_core::time::Time;

/// What a robot made known at the end of a phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Published {
    /// Its name in the team.
    pub name: Name,
    /// Its place, in feet.
    pub location: Place,
    /// How fast it means to go, in feet per second.
    pub speed_fps: f64,
    /// In which direction, in radians.
    pub direction: f64,
    /// The variables that it gives out.
    pub variables: Variables,
    /// Name of its emotion.
    pub emotion: Name,
    /// Name of its behaviour.
    pub behavior: Name,
}

impl Published {
    /// What `robot` makes known.
    pub fn of(robot: &(impl Robot + ?Sized)) -> Self {
        Self {
            name: robot.get_name(),
            location: robot.get_current_location(),
            speed_fps: robot.get_speed(),
            direction: robot.get_direction(),
            variables: robot.get_state_variables(),
            emotion: robot.get_emotion_state(),
            behavior: robot.get_behavior_state(),
        }
    }
}

/// Something that one robot tells another to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// The robot that gives the command.
    pub from: Name,
    /// The robot that it is for.
    pub to: Name,
    /// The command in words, such as "refill".
    pub text: Name,
}

/// The others, as one robot may see them: the seven calls that are not reserved for whoever drives the robots. [CARS,
/// Inter-Robot Communication]
///
/// All that they give are copies of what was published; a name that nobody has gives `None`.
pub struct Team<'a> {
    me: Name,
    published: &'a Arc<[Published]>,
    outbox: &'a mut Vec<Command>,
}

impl<'a> Team<'a> {
    /// As `me` sees it; what it says goes to the outbox.
    pub fn new(me: Name, published: &'a Arc<[Published]>, outbox: &'a mut Vec<Command>) -> Self {
        Self { me, published, outbox }
    }

    /// Who sees it like this.
    pub fn me(&self) -> &Name {
        &self.me
    }

    /// All that was published, to be shared with something that cannot borrow it, such as the engine that runs a script.
    /// Kept beyond the phase, it makes the next publication copy everything.
    pub fn published(&self) -> &Arc<[Published]> {
        self.published
    }

    fn robot(&self, name: &str) -> Option<&Published> {
        self.published.iter().find(|robot| robot.name == *name)
    }

    /// Tells a robot to do something, before the next phase. The paper gives the time to the robot but not to this call;
    /// the driver of the robots has it.
    pub fn set_robot_command(&mut self, name: &str, command: &str) -> Option<()> {
        let to = self.robot(name)?.name.clone();
        self.outbox.push(Command { from: self.me.clone(), to, text: command.into() });
        Some(())
    }

    /// Place of the robot of this name, in feet.
    pub fn get_robot_location(&self, name: &str) -> Option<Place> {
        self.robot(name).map(|robot| robot.location)
    }

    /// How fast it means to go, in feet per second.
    pub fn get_robot_speed(&self, name: &str) -> Option<f64> {
        self.robot(name).map(|robot| robot.speed_fps)
    }

    /// In which direction, in radians.
    pub fn get_robot_direction(&self, name: &str) -> Option<f64> {
        self.robot(name).map(|robot| robot.direction)
    }

    /// The variables that it gives out.
    pub fn get_robot_state_variables(&self, name: &str) -> Option<Variables> {
        self.robot(name).map(|robot| robot.variables.clone())
    }

    /// Name of its emotion.
    pub fn get_robot_emotion_state(&self, name: &str) -> Option<Name> {
        self.robot(name).map(|robot| robot.emotion.clone())
    }

    /// Name of its behaviour.
    pub fn get_robot_behavior_state(&self, name: &str) -> Option<Name> {
        self.robot(name).map(|robot| robot.behavior.clone())
    }
}

/// What a robot has to say about what it just did, for the log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Things that happened.
    pub notes: Vec<String>,
    /// Why it feels what it feels from now on.
    pub because: Option<Reason>,
}

/// What a robot is lent while it is exercised.
pub struct Frame<'a> {
    /// The instant, since the beginning.
    pub now: Time,
    /// Its own dice.
    pub dice: &'a mut Stream,
    /// The others.
    pub team: Team<'a>,
    /// What the robot writes down: why it feels what it feels, notes, failures.
    pub report: &'a mut Report,
}

impl Frame<'_> {
    /// Something happened that a reader of the log wants to know.
    pub fn note(&mut self, what: impl Into<String>) {
        self.report.notes.push(what.into());
    }
}

/// What waiters and refillers say to each other. [CARS, Experimental Results]
pub mod command {
    /// Bring treats.
    pub const REFILL: &str = "refill";
    /// Bring them faster.
    pub const HURRY: &str = "hurry";
    /// The two are near enough; the waiter takes the treats. Ours: in the paper both just find out.
    pub const EXCHANGE: &str = "exchange";
    /// The refiller is not needed any longer.
    pub const GO_HOME: &str = "go home";
}

/// Behaviours that other robots look at.
pub mod behavior {
    /// A refiller is on the way to the waiter.
    pub const REFILL: &str = "REFILL";
}

/// Variables that other robots look at.
pub mod variable {
    /// How long a waiter's treats will last, in seconds.
    pub const TIME_TO_EMPTY: &str = "timeToEmpty";
}
