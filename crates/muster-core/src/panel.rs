//! What a robot shows of itself to whoever looks on: its own words and its own numbers.
//!
//! [CARS, Visual Interface] has one panel per robot, and the robot decides what it shows. So a display knows kinds of
//! fields, and no mechanism; what is in them is written where the mechanism is. Showing changes nothing: a robot that is
//! looked at does the same as one that is not.

use serde::Serialize;

use crate::affect::{Emotion, Expression, Name, Table};
use crate::names::Names;
use crate::robot::{Body, RobotId};
use crate::task::TaskId;
use crate::time::Time;

/// One line of a panel.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Field {
    /// What the robot calls it.
    pub label: Name,
    /// What there is to see.
    #[serde(flatten)]
    pub shown: Shown,
}

impl Field {
    /// A field of a panel.
    pub fn new(label: impl Into<Name>, shown: Shown) -> Self {
        Self { label: label.into(), shown }
    }

    /// A field that says what the robot is doing.
    pub fn state(label: impl Into<Name>, value: impl Into<Name>) -> Self {
        Self::new(label, Shown::State { value: value.into() })
    }

    /// Words.
    pub fn text(label: impl Into<Name>, value: impl Into<Name>) -> Self {
        Self::new(label, Shown::Text { value: value.into() })
    }

    /// A number.
    pub fn number(label: impl Into<Name>, value: f64) -> Self {
        Self::new(label, Shown::Number { value })
    }

    /// Yes or no.
    pub fn flag(label: impl Into<Name>, value: bool) -> Self {
        Self::new(label, Shown::Flag { value })
    }

    /// A bar. A mark beyond its ends would not be seen, and is left out.
    pub fn gauge(label: impl Into<Name>, value: f64, (min, max): (f64, f64), mark: Option<f64>) -> Self {
        let mark = mark.filter(|mark| (min..=max).contains(mark));
        Self::new(label, Shown::Gauge { value, min, max, mark })
    }

    /// The same, as a bar if it is a number.
    pub fn as_gauge(self, ends: (f64, f64), mark: Option<f64>) -> Self {
        match self.shown {
            Shown::Number { value } => Self::gauge(self.label, value, ends, mark),
            _ => self,
        }
    }
}

/// What a field shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Shown {
    /// Words.
    Text {
        /// The words.
        value: Name,
    },
    /// Yes or no.
    Flag {
        /// Whether it is so.
        value: bool,
    },
    /// A number.
    Number {
        /// The number, in the unit that the label names.
        value: f64,
    },
    /// A number between two others: a bar.
    Gauge {
        /// The number, in the unit that the label names.
        value: f64,
        /// An empty bar.
        min: f64,
        /// A full bar.
        max: f64,
        /// Where something happens: a threshold.
        mark: Option<f64>,
    },
    /// What it is doing, in a word or a few.
    State {
        /// The word, or the few.
        value: Name,
    },
    /// An emotion, with face and causal chain.
    Emotion(Feeling),
    /// Another robot.
    Robot {
        /// The robot's name.
        value: Name,
        /// Its number in the team.
        number: u32,
    },
    /// A task.
    Task {
        /// The task's name.
        value: Name,
        /// Its number in the mission.
        number: u32,
    },
}

/// What a robot feels, ready to be shown: the face, and the causal chain in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Feeling {
    /// Its name.
    #[serde(rename = "value")]
    pub name: Name,
    /// How much, from 0 to 1.
    pub intensity: f64,
    /// The same in a word.
    pub level: &'static str,
    /// Pleasant or unpleasant.
    pub valence: &'static str,
    /// Who is responsible for it.
    pub agency: String,
    /// When it began, in seconds.
    pub since_s: f64,
    /// What the face shows.
    pub face: Expression,
    /// What it makes the robot think, in sentences.
    pub chain: String,
}

impl Feeling {
    /// An emotion as it is shown. One that the table does not know shows nothing on the face.
    pub fn of(emotion: &Emotion, table: &Table) -> Self {
        let face = table.emotion(&emotion.name).map_or(Expression::Neutral, |record| record.facial_expression);
        Self {
            name: emotion.name.clone(),
            intensity: emotion.affect.intensity.get(),
            level: emotion.affect.intensity.level().word(),
            valence: emotion.affect.valence.word(),
            agency: emotion.agency.to_string(),
            since_s: emotion.since.as_secs_f64(),
            face,
            chain: emotion.chain(table),
        }
    }
}

/// What a robot is lent for showing itself.
pub struct Viewing<'a> {
    /// The time.
    pub now: Time,
    /// Its body.
    pub body: &'a Body,
    /// What robots and tasks are called.
    pub names: &'a dyn Names,
    /// What there is to feel.
    pub emotions: &'a Table,
}

impl Viewing<'_> {
    /// Another robot, to be shown.
    pub fn robot(&self, robot: RobotId) -> Shown {
        Shown::Robot { value: self.names.robot(robot), number: robot.0 }
    }

    /// A task, to be shown.
    pub fn task(&self, task: TaskId) -> Shown {
        Shown::Task { value: self.names.task(task), number: task.0 }
    }
}

/// What part of a negotiation a message plays, whatever its mechanism calls it: for its colour on a map.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Family {
    /// Somebody wants something done: a call for help, an order, an invitation to bid.
    Call,
    /// A robot says that it could do it, or that such an offer was heard.
    Offer,
    /// Somebody is chosen, and what is said until both sides agree on it.
    Award,
    /// Everything else: reports, statements, talk about who leads.
    Other,
}

impl Family {
    /// All of them, in the order of a negotiation.
    pub const ALL: [Self; 4] = [Self::Call, Self::Offer, Self::Award, Self::Other];

    /// What people are told that it is.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Call => "call for help",
            Self::Offer => "offer or bid",
            Self::Award => "award and its answers",
            Self::Other => "anything else",
        }
    }
}

/// What a glance at a robot shows: for its shape on a map. A robot may be several of these at once, in several tasks; then
/// it is shown at work, if it is, or else by what it has others do (it asks before it offers), and last by what it has.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[repr(u8)]
pub enum Posture {
    /// Nothing asked of it, nothing asked by it.
    #[default]
    Idle = 0,
    /// It asks others: calls for help, or leads an auction.
    Asking = 1,
    /// It has offered itself: an answer to a call, a bid.
    Offering = 2,
    /// It has a task, and is not at it yet.
    Committed = 3,
    /// It is at a task.
    Working = 4,
}
