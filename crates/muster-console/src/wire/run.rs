//! What is told of a run at first.

use muster_core::panel::Family;
use serde::Serialize;

use crate::scene::RobotState;

/// A run, as it is told at first.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Run {
    /// Its number; frames have it modulo 65536.
    pub id: u64,
    /// The name of its scenario.
    pub scenario: String,
    /// A mission or a reception.
    pub kind: RunKind,
    /// Its seed; as text, since a page's numbers do not hold 64 bits.
    pub seed: String,
    /// How its robots coordinate; those of a reception do not.
    pub strategy: Option<&'static str>,
    /// Strategies that its robots know.
    pub strategies: Vec<&'static str>,
    /// Made now, or recorded.
    pub source: Source,
    /// The recording that it is made from.
    pub replay: Option<Replay>,
    /// Changes to the scenario, made with `--set`.
    pub changes: Vec<String>,
    /// The field.
    pub field: FieldSize,
    /// The rectangle that frames count places in: west, south, east, north.
    pub bounds: [f64; 4],
    /// When it is over at the latest.
    pub end_s: f64,
    /// Its robots, in the order of their numbers.
    pub robots: Vec<RobotAbout>,
    /// Its tasks, in the order of their numbers.
    pub tasks: Vec<TaskAbout>,
    /// What stands on the field.
    pub obstacles: Vec<Obstacle>,
    /// How many guests there are.
    pub guests: usize,
    /// The side of a body in the unit of the field; 0 if robots are points.
    pub body: f64,
    /// A box that is pushed.
    #[serde(rename = "box")]
    pub pushed: Option<PushedBox>,
    /// Circles around robots that mean something.
    pub rings: Vec<Ring>,
    /// The layout that it opens in.
    pub layout: Layout,
    /// There are bids to ask for.
    pub costs: bool,
    /// What the state of a robot in a frame means, by its number.
    pub states: [RobotState; 6],
    /// Families of messages, in the order of a negotiation.
    pub families: Vec<FamilyAbout>,
}

/// A mission or a reception.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RunKind {
    /// Robots get tasks done.
    Mission,
    /// Robots serve guests.
    Reception,
}

/// Where a run comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// It is made while it is watched.
    Live,
    /// It was recorded: every viewer plays it for itself.
    Replay,
}

/// A recording. It is shown by making its run again, every entry compared.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Replay {
    /// The name of its file.
    pub file: String,
    /// Seconds since the beginning at which the recording ends.
    pub end_s: f64,
    /// Where it was cut off, in words, if it was.
    pub cut: Option<String>,
    /// Version and commit of the program that recorded it.
    pub recorded_by: String,
}

/// The size of the field.
#[derive(Copy, Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FieldSize {
    /// From west to east.
    pub width: f64,
    /// From south to north.
    pub height: f64,
    /// The unit of all places and lengths.
    pub unit: LengthUnit,
}

/// The unit of places and lengths.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LengthUnit {
    /// Metres.
    M,
    /// Feet.
    Ft,
}

/// A robot of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RobotAbout {
    /// Its name.
    pub name: String,
    /// How fast it is, in units of the field a second, where that is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// What robots of its kind have in common: the name without its number.
    pub group: String,
}

/// A task of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TaskAbout {
    /// Its name.
    pub name: String,
}

/// Something that stands on the field: a square.
#[derive(Copy, Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Obstacle {
    /// Its middle, to the east.
    pub x: f64,
    /// Its middle, to the north.
    pub y: f64,
    /// Its side.
    pub size: f64,
}

/// A box that is pushed by its ends. It is the last body of a frame.
#[derive(Copy, Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PushedBox {
    /// From end to end.
    pub length: f64,
}

/// A circle around a robot.
#[derive(Copy, Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Ring {
    /// What it means, in words.
    pub label: &'static str,
    /// Its radius.
    pub r: f64,
}

/// How the page is laid out.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// A map in the middle, lists beside it.
    Map,
    /// The four panes of CARS.
    Cars,
}

/// A family of messages.
#[derive(Copy, Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FamilyAbout {
    /// Its name, as `Arc.family` has it.
    pub name: Family,
    /// What it is, in words.
    pub about: &'static str,
}
