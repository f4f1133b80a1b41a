//! What a page is shown of a run, as plain data. These comments reach whoever writes a page: wire.d.ts is made of them.
//! Robots and tasks go by number, times are seconds of simulated time, places in the unit of the field.

use muster_core::panel::{Family, Field, Posture};
use muster_core::telling::Kind;
use serde::Serialize;

/// What changes all the time, apart from poses and cards.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Glance {
    /// How things stand, in numbers.
    pub counts: Counts,
    /// At most 500 tasks, open ones first.
    pub tasks: Vec<TaskState>,
    /// The transmissions of the last moments, at most 80, newest last.
    pub arcs: Vec<Arc>,
    /// Robots that ignored or dropped one of them.
    pub marks: Vec<Mark>,
    /// Ways that vehicles are on.
    pub ways: Vec<Way>,
}

/// How things stand, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Counts {
    /// Messages sent.
    pub sent: u64,
    /// Messages that nobody heard.
    pub lost: u64,
    /// Times that one receiver missed a message.
    pub missed: u64,
    /// Tasks seen and not done.
    pub open: u64,
    /// Tasks that are done or handed over.
    pub done: u64,
    /// Times that a second robot began at a task.
    pub duplicated: u64,
    /// Times that two were at a task at once.
    pub overlaps: u64,
    /// Tasks that expired or were lost.
    pub gone: u64,
    /// Robots that do not work.
    pub robots_down: u64,
}

/// A task at one instant, as the world's ledger has it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TaskState {
    /// The number of the task.
    pub task: u32,
    /// How far it has come.
    pub state: Progress,
    /// Its place, to the east.
    pub x: f64,
    /// Its place, to the north.
    pub y: f64,
    /// Seconds since the beginning at which it came up.
    pub seen: Option<f64>,
    /// The robot that saw it first.
    pub by: Option<u32>,
    /// The robot that has it.
    pub holder: Option<u32>,
    /// The robot that leads its auction, or calls for it.
    pub lead: Option<u32>,
    /// The number of the attempt; 0 before the first.
    pub epoch: u32,
    /// The robots that are at it.
    pub workers: Vec<u32>,
    /// When it was handed over or done.
    pub served: Option<f64>,
    /// How often it was done.
    pub times: u32,
    /// How often somebody called for it.
    pub calls: u32,
}

/// How far a task has come.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Progress {
    /// No robot has seen it.
    Unseen,
    /// It was seen, and no robot has it.
    Open,
    /// A robot is under way to it, or holds it.
    Taken,
    /// A robot is at it.
    Worked,
    /// It is done or handed over.
    Done,
    /// Its time ran out.
    Expired,
    /// It was withdrawn.
    #[serde(rename = "called off")]
    CalledOff,
}

/// A transmission on the map.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Arc {
    /// Its number, from zero in the order of sending.
    pub n: u64,
    /// Seconds since the beginning at which it was sent.
    pub at: f64,
    /// The sender.
    pub from: u32,
    /// The receiver; null: everybody.
    pub to: Option<u32>,
    /// What its mechanism calls it.
    pub kind: String,
    /// The part that it plays, for its colour.
    pub family: Family,
    /// The task that it is about.
    pub task: Option<u32>,
    /// Nobody heard it.
    pub lost: bool,
    /// At most 40 of the robots that have heard it.
    pub heard: Vec<u32>,
    /// How many have heard it.
    pub hearers: u32,
}

/// A robot did not do as a message asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Mark {
    /// Seconds since the beginning.
    pub at: f64,
    /// The robot.
    pub robot: u32,
    /// What it did with the message.
    pub kind: MarkKind,
    /// Its reason, in words.
    pub why: String,
    /// The task that the message was about.
    pub task: Option<u32>,
    /// The sender of the message.
    pub of: u32,
}

/// What a robot did with a message that it did not follow.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MarkKind {
    /// It heard the call and kept silent.
    Ignored,
    /// It threw the message away: stale, or out of turn.
    Dropped,
}

/// The way that a vehicle is on.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Way {
    /// The vehicle.
    pub robot: u32,
    /// Its corners.
    pub points: Vec<[f64; 2]>,
    /// It leads over a target, on a heading.
    pub corridor: bool,
}

/// What a robot shows of itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Card {
    /// The number of the robot.
    pub robot: u32,
    /// Its name.
    pub name: String,
    /// What it is doing, at a glance.
    pub state: RobotState,
    /// Where it is: to the east, to the north.
    pub place: [f64; 2],
    /// Why it does not work, if it does not.
    pub failure: Option<String>,
    /// The robot's own choice: a page shows whatever comes, by its kind.
    pub fields: Vec<Field>,
}

/// What a robot is doing, at a glance. The byte of a frame is a place in `Run.states`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RobotState {
    /// Nothing asked of it, nothing asked by it.
    Idle,
    /// It asks others: calls for help, or leads an auction.
    Asking,
    /// It has offered itself: an answer to a call, a bid.
    Offering,
    /// It has a task, and is not at it yet.
    #[serde(rename = "under way")]
    UnderWay,
    /// It is at a task.
    Working,
    /// It has stopped, hangs, or is down.
    #[serde(rename = "not working")]
    NotWorking,
    /// It takes part in a reception, where no tasks are given out. In frames such a robot is idle.
    #[serde(rename = "at the reception")]
    AtTheReception,
}

impl RobotState {
    /// States by the number that they have in frames.
    pub const IN_FRAMES: [Self; 6] =
        [Self::Idle, Self::Asking, Self::Offering, Self::UnderWay, Self::Working, Self::NotWorking];

    /// The byte of a frame: the place in `IN_FRAMES`, and whether the robot moves.
    pub const fn in_frame(self, moves: bool) -> u8 {
        let number = match self {
            Self::Idle | Self::AtTheReception => 0,
            Self::Asking => 1,
            Self::Offering => 2,
            Self::UnderWay => 3,
            Self::Working => 4,
            Self::NotWorking => 5,
        };
        if moves { number | MOVING } else { number }
    }
}

impl From<Posture> for RobotState {
    fn from(posture: Posture) -> Self {
        match posture {
            Posture::Idle => Self::Idle,
            Posture::Asking => Self::Asking,
            Posture::Offering => Self::Offering,
            Posture::Committed => Self::UnderWay,
            Posture::Working => Self::Working,
        }
    }
}

/// Added to the byte of a frame if the robot moves.
pub const MOVING: u8 = 8;

/// A line of the log.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Line {
    /// Its number, from zero without gaps.
    pub n: u64,
    /// Seconds since the beginning.
    pub at: f64,
    /// The robot that it is about.
    pub robot: Option<u32>,
    /// Whose line it is, if not the robot's: somebody who intervened, or the radio. Shown in place of the robot's name.
    pub author: Option<String>,
    /// The task that it is about.
    pub task: Option<u32>,
    /// What sort of thing it tells of, for ticks and colours.
    pub kind: LineKind,
    /// What happened, in words.
    pub text: String,
    /// The line as it stands in the log file, byte for byte.
    pub raw: String,
}

/// What sort of thing a line of the log tells of.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LineKind {
    /// A robot or a run begins.
    Start,
    /// Somebody asks for something.
    Call,
    /// An offer, a bid, or that none is made.
    Offer,
    /// Somebody is chosen.
    Award,
    /// The way to a task.
    Travel,
    /// Work begins.
    Work,
    /// Something is done, or over.
    Done,
    /// Something went wrong.
    Trouble,
    /// Another step of an auction.
    Auction,
    /// A robot feels something else.
    Emotion,
    /// A robot feels the same on another level.
    Level,
    /// A robot behaves in another way.
    Behavior,
    /// A robot tells another what to do.
    Command,
    /// A robot hears what another told it.
    Heard,
    /// A remark of a robot.
    Note,
    /// The world did something to a robot or to the radio.
    World,
}

impl From<Kind> for LineKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Start => Self::Start,
            Kind::Call => Self::Call,
            Kind::Offer => Self::Offer,
            Kind::Award => Self::Award,
            Kind::Travel => Self::Travel,
            Kind::Work => Self::Work,
            Kind::Done => Self::Done,
            Kind::Trouble => Self::Trouble,
            Kind::Auction => Self::Auction,
            Kind::Command => Self::Command,
            Kind::World => Self::World,
        }
    }
}

/// What was said about a task or by a robot, and what was decided.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Story {
    /// The task, if the story is about one.
    pub task: Option<u32>,
    /// The name of the task or the robot.
    pub name: String,
    /// The newest 600 transmissions about it.
    pub messages: Vec<Told>,
    /// The newest 400 marks: robots that ignored or dropped one of them.
    pub marks: Vec<Mark>,
    /// Who was chosen, and why.
    pub awards: Vec<Award>,
    /// Why nobody took the task, or why it is not done, in a few sentences, as of the newest moment; none if it is.
    pub nobody: Vec<String>,
    /// Somebody has the task, and has not done it yet: `nobody` says what came of it so far.
    pub under_way: bool,
    /// The numbers of the lines of the log about it.
    pub lines: Vec<u64>,
    /// There was more than is told.
    pub truncated: bool,
}

/// A transmission of a story.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Told {
    /// Its number, from zero in the order of sending.
    pub n: u64,
    /// Seconds since the beginning at which it was sent.
    pub at: f64,
    /// The sender.
    pub from: u32,
    /// The receiver; null: everybody.
    pub to: Option<u32>,
    /// What its mechanism calls it.
    pub kind: String,
    /// The same with a number, if it was said again and again.
    pub label: String,
    /// The task that it is about.
    pub task: Option<u32>,
    /// Nobody heard it.
    pub lost: bool,
    /// At most 40 of the robots that have heard it, each with when it did.
    pub heard: Vec<(u32, f64)>,
    /// How many have heard it.
    pub hearers: u32,
}

/// A robot was chosen, or chose itself.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Award {
    /// Seconds since the beginning.
    pub at: f64,
    /// The task.
    pub task: u32,
    /// The robot that chose.
    pub by: u32,
    /// The robot that was chosen.
    pub chosen: u32,
    /// Why, in a sentence.
    pub text: String,
    /// The number of its line of the log.
    pub line: u64,
    /// At most 60 of the robots that could have been chosen.
    pub offers: Vec<Offer>,
    /// How many could have been.
    pub offer_count: usize,
    /// At most 60 of the robots that kept silent.
    pub silent: Vec<Quiet>,
    /// How many kept silent, more than are listed.
    pub silent_count: usize,
    /// What `Quiet.value` has to be above for an answer, if robots answer by a threshold.
    pub threshold: Option<f64>,
}

/// A robot that could have been chosen.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Offer {
    /// The robot.
    pub robot: u32,
    /// An estimated time of arrival, a cost or an expected duration: the less the better. Null: it cannot.
    pub value: Option<f64>,
    /// What the value is measured in.
    pub unit: OfferUnit,
    /// The robot that chose had heard of it.
    pub heard: bool,
    /// It was chosen.
    pub chosen: bool,
}

/// What offers are measured in.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OfferUnit {
    /// Seconds.
    S,
    /// A cost without a unit.
    Cost,
}

/// A robot that kept silent.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Quiet {
    /// The robot.
    pub robot: u32,
    /// Why, in a word.
    pub why: &'static str,
    /// What the robot weighed, to be compared with `Award.threshold`.
    pub value: f64,
    /// Why, in words.
    pub text: String,
}
