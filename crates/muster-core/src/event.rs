//! What is noted down about decisions: inputs and numbers, so that each can be explained.
//!
//! Notes are plain data. Nothing reads them back: no decision depends on a note, so a run with notes and a run without
//! are the same run. What a mechanism notes is its own (a variant of [`Event`] for each), and so is what its notes say:
//! [`telling`](crate::telling) asks it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::panel::Family;
use crate::robot::{Point, RobotId};
use crate::task::TaskId;
use crate::telling::Remark;
use crate::time::{Duration, Time};
use crate::{alliance, recruitment, tasking};

/// Something worth knowing afterwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// When, on the robot's clock.
    pub at: Time,
    /// The robot whose note it is. A driver notes down what it does to a robot, or to nobody in particular
    /// ([`RobotId::NOBODY`]).
    pub robot: RobotId,
    /// What happened.
    pub event: Event,
}

/// What can be noted.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The mechanism started; `remembered` says whether its memory survived.
    Started {
        /// The number that tells this life of the robot from earlier ones.
        incarnation: u32,
        /// False if what it knew was lost.
        remembered: bool,
    },
    /// A message that means nothing now was dropped.
    Dropped {
        /// The sender.
        with: RobotId,
        /// What its mechanism calls it. For people: a program asks for the family.
        message: &'static str,
        /// The part that the message plays.
        family: Family,
        /// Reason to drop it.
        why: Drop,
    },
    /// A step of affective recruitment.
    Recruitment(recruitment::Step),
    /// A step of L-ALLIANCE.
    Alliance(alliance::Step),
    /// A step of the Collaborative Tasking Protocol. Every step is about one task, and some are noted for several at once.
    Tasking {
        /// The task.
        task: TaskId,
        /// The step.
        step: tasking::Step,
    },
    /// A step of a mechanism that is not in this crate.
    Other(Arc<Remark>),
    /// Somebody intervened in the run. No robot notes this, its driver does.
    Intervened(Arc<Intervened>),
    /// Something happened to a robot, or to the radio, or came to nothing. No robot notes this, its driver does.
    Happened(Happening),
}

/// What somebody did to a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervened {
    /// Who did it.
    pub author: Arc<str>,
    /// What was done, in words: "stops idle-3".
    pub sentence: Arc<str>,
    /// The tasks that it is about: all phases of an order, the first first.
    pub tasks: Vec<TaskId>,
    /// The robots that it names: broken or mended, told of a task, cut off from others.
    pub robots: Vec<RobotId>,
    /// What it did to the robot of the note, at once: it is not noted again.
    pub effect: Option<Happening>,
    /// The tasks are not to be done any more.
    pub calls_off: bool,
}

/// What the world does to a robot, or to the radio, or to what somebody wanted.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Happening {
    /// The robot stops for good.
    Stopped,
    /// Its computer hangs: it hears nothing and decides nothing.
    Hangs {
        /// For how long.
        lasts: Duration,
    },
    /// It goes down, to start again.
    WentDown {
        /// After how long.
        lasts: Duration,
        /// With what it remembered.
        memory: bool,
    },
    /// It hears nothing.
    Deaf {
        /// For how long.
        lasts: Duration,
    },
    /// Nobody hears it.
    Mute {
        /// For how long.
        lasts: Duration,
    },
    /// Its radio is down, and it knows.
    Offline {
        /// For how long.
        lasts: Duration,
    },
    /// It hangs no longer.
    Recovered,
    /// It is switched on, or on again.
    SwitchedOn,
    /// Its radio works again.
    LinkUp,
    /// Nothing gets through to robots within a disc, or to anybody.
    Jammed {
        /// Centre and radius in metres; everywhere if `None`.
        disc: Option<(Point, f64)>,
    },
    /// A jam is over.
    JamOver {
        /// Centre and radius in metres; everywhere if `None`.
        disc: Option<(Point, f64)>,
    },
    /// Robots that did not hear each other do again.
    CutOver {
        /// The first of either side.
        between: (RobotId, RobotId),
        /// How many others there are.
        more: u32,
    },
    /// The team falls into parts that do not hear each other.
    Parted {
        /// How many parts.
        parts: u32,
    },
    /// The parts hear each other again.
    Rejoined,
    /// Only some pairs of robots hear each other.
    Sparse,
    /// All robots hear each other again, as far as the radio carries.
    SparseOver,
    /// What somebody did to the run changed nothing.
    CameToNothing {
        /// What it was: its place among all that was done to the run by then.
        made: u32,
    },
    /// The robot was to be told of a task, and has stopped.
    Untold {
        /// The task; the first of an order with phases.
        task: TaskId,
    },
    /// The robot's body has done a task while its computer hangs, which so cannot note it.
    DoneUnawares {
        /// The task.
        task: TaskId,
    },
    /// The robot sets out for its base, to be reloaded.
    Reloads,
    /// It has been reloaded.
    Reloaded,
    /// It has used up its endurance before it was at its base, and is out.
    RanOut,
}

impl Happening {
    /// How the robot is from then on, and until when at the longest, if something is wrong with it.
    pub(crate) fn trouble(self, now: Time) -> Option<(&'static str, Time)> {
        let (state, lasts) = match self {
            Self::Stopped => return Some(("has stopped", Time::NEVER)),
            Self::RanOut => return Some(("has run out of endurance", Time::NEVER)),
            Self::Hangs { lasts } => ("hangs", lasts),
            Self::WentDown { lasts, .. } => ("is down", lasts),
            Self::Deaf { lasts } => ("is deaf", lasts),
            Self::Mute { lasts } => ("is mute", lasts),
            Self::Offline { lasts } => ("is offline", lasts),
            Self::Recovered
            | Self::SwitchedOn
            | Self::LinkUp
            | Self::Jammed { .. }
            | Self::JamOver { .. }
            | Self::CutOver { .. }
            | Self::Parted { .. }
            | Self::Rejoined
            | Self::Sparse
            | Self::SparseOver
            | Self::CameToNothing { .. }
            | Self::Untold { .. }
            | Self::DoneUnawares { .. }
            | Self::Reloads
            | Self::Reloaded => return None,
        };
        Some((state, now.after(lasts)))
    }

    /// What was last wrong with the robot is over.
    pub(crate) const fn is_mended(self) -> bool {
        matches!(self, Self::Recovered | Self::SwitchedOn | Self::LinkUp)
    }

    /// The robot's computer goes down: it does no more of what it did.
    pub const fn is_down(self) -> bool {
        matches!(self, Self::Stopped | Self::RanOut | Self::WentDown { .. })
    }
}

impl Event {
    /// What happened to the robot of the note, by the world or by somebody.
    pub fn happening(&self) -> Option<Happening> {
        match self {
            Self::Happened(happening) => Some(*happening),
            Self::Intervened(made) => made.effect,
            Self::Started { .. }
            | Self::Dropped { .. }
            | Self::Recruitment(_)
            | Self::Alliance(_)
            | Self::Tasking { .. }
            | Self::Other(_) => None,
        }
    }
}

/// Why a message was dropped.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Drop {
    /// It belongs to a call that is over, or to another life of this robot.
    Late,
    /// It was heard before.
    Duplicate,
    /// It belongs to somebody else.
    Foreign,
    /// Its content cannot be.
    Absurd,
}

impl Drop {
    /// As it follows "drops HELP of uav:".
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Late => "it is too late",
            Self::Duplicate => "it was heard before",
            Self::Foreign => "it is meant for another",
            Self::Absurd => "it cannot be",
        }
    }
}
