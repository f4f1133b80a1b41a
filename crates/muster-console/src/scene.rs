//! What a page is shown of a run, as plain data: `docs/console-wire.md` says what each means.

use muster_core::panel::Field;
use serde::Serialize;

/// What changes all the time, apart from poses.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Glance {
    /// How many of what.
    pub counts: Counts,
    /// The tasks, those that are open first.
    pub tasks: Vec<TaskState>,
    /// The transmissions of the last moments.
    pub arcs: Vec<Arc>,
    /// Who ignored or dropped one.
    pub marks: Vec<Mark>,
    /// Ways that vehicles are on.
    pub ways: Vec<Way>,
}

/// How many of what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Counts {
    /// Messages sent.
    pub sent: u64,
    /// Messages that nobody heard.
    pub lost: u64,
    /// Times that one receiver missed a message.
    pub missed: u64,
    /// Tasks that are there to be done.
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

/// How a task stands.
#[derive(Clone, Debug, Serialize)]
pub struct TaskState {
    /// Which.
    pub task: u32,
    /// In a word.
    pub state: &'static str,
    /// Where, to the east.
    pub x: f64,
    /// Where, to the north.
    pub y: f64,
    /// When it came up.
    pub seen: Option<f64>,
    /// Who saw it first.
    pub by: Option<u32>,
    /// Who has it.
    pub holder: Option<u32>,
    /// Who leads its auction, or calls for it.
    pub lead: Option<u32>,
    /// Which attempt it is.
    pub epoch: u32,
    /// Who is at it.
    pub workers: Vec<u32>,
    /// When it was handed over or done.
    pub served: Option<f64>,
    /// How often it was done.
    pub times: u32,
    /// How often somebody called for it.
    pub calls: u32,
}

/// A transmission on the map.
#[derive(Clone, Debug, Serialize)]
pub struct Arc {
    /// Its number.
    pub n: u64,
    /// When it was sent.
    pub at: f64,
    /// By whom.
    pub from: u32,
    /// To whom; nobody in particular.
    pub to: Option<u32>,
    /// What it is called.
    pub kind: String,
    /// What it is about.
    pub task: Option<u32>,
    /// Nobody heard it.
    pub lost: bool,
    /// Some of those that heard it.
    pub heard: Vec<u32>,
    /// How many heard it.
    pub hearers: u32,
}

/// Somebody did not do as a message asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mark {
    /// When.
    pub at: f64,
    /// Who.
    pub robot: u32,
    /// `ignored` or `dropped`.
    pub kind: &'static str,
    /// Why.
    pub why: String,
    /// Which task it was about.
    pub task: Option<u32>,
    /// Who had asked.
    pub of: u32,
}

/// The way that a vehicle is on.
#[derive(Clone, Debug, Serialize)]
pub struct Way {
    /// Whose.
    pub robot: u32,
    /// Its corners.
    pub points: Vec<[f64; 2]>,
    /// It leads over a target, on a heading.
    pub corridor: bool,
}

/// What a robot shows of itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Card {
    /// Which.
    pub robot: u32,
    /// What it is called.
    pub name: String,
    /// What a glance shows, in a word.
    pub state: &'static str,
    /// Where it is.
    pub place: [f64; 2],
    /// Why it does not work.
    pub failure: Option<String>,
    /// Its own choice.
    pub fields: Vec<Field>,
}

/// A line of the log.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// Its number.
    pub n: u64,
    /// When.
    pub at: f64,
    /// About whom.
    pub robot: Option<u32>,
    /// About which task.
    pub task: Option<u32>,
    /// What sort of thing, for its colour.
    pub kind: &'static str,
    /// What happened.
    pub text: String,
    /// The line as it stands in the file.
    pub raw: String,
}

/// What was said about a task or by a robot, and what was decided.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Story {
    /// Which task, if it is about one.
    pub task: Option<u32>,
    /// What it is about.
    pub name: String,
    /// Transmissions.
    pub messages: Vec<Told>,
    /// Who ignored or dropped one.
    pub marks: Vec<Mark>,
    /// Who was chosen, and why.
    pub awards: Vec<Award>,
    /// Lines of the log about it, by number.
    pub lines: Vec<u64>,
    /// There was more than is kept.
    pub truncated: bool,
}

/// A transmission of a story.
#[derive(Clone, Debug, Serialize)]
pub struct Told {
    /// Its number.
    pub n: u64,
    /// When it was sent.
    pub at: f64,
    /// By whom.
    pub from: u32,
    /// To whom; nobody in particular.
    pub to: Option<u32>,
    /// What it is called.
    pub kind: String,
    /// The same with a number, if it was said again and again.
    pub label: String,
    /// What it is about.
    pub task: Option<u32>,
    /// Nobody heard it.
    pub lost: bool,
    /// Some of those that heard it, and when.
    pub heard: Vec<(u32, f64)>,
    /// How many heard it.
    pub hearers: u32,
}

/// Somebody was chosen, or chose itself.
#[derive(Clone, Debug, Serialize)]
pub struct Award {
    /// When.
    pub at: f64,
    /// For which task.
    pub task: u32,
    /// Who chose.
    pub by: u32,
    /// Who was chosen.
    pub chosen: u32,
    /// Why, in a sentence.
    pub text: String,
    /// The line of the log.
    pub line: u64,
    /// Some of those that could have been chosen.
    pub offers: Vec<Offer>,
    /// How many there were.
    pub offer_count: usize,
    /// Some of those that kept silent.
    pub silent: Vec<Quiet>,
    /// How many did.
    pub silent_count: usize,
    /// What SHAME has to be above for an answer, if that is how robots answer.
    pub threshold: Option<f64>,
}

/// Somebody who could have been chosen.
#[derive(Clone, Debug, Serialize)]
pub struct Offer {
    /// Who.
    pub robot: u32,
    /// An estimated time of arrival, a cost or an expected duration: the less the better. Nothing: it cannot.
    pub value: Option<f64>,
    /// Which of these: `s` or `cost`.
    pub unit: &'static str,
    /// Whoever chose has heard of it.
    pub heard: bool,
    /// It was chosen.
    pub chosen: bool,
}

/// Somebody who kept silent.
#[derive(Clone, Debug, Serialize)]
pub struct Quiet {
    /// Who.
    pub robot: u32,
    /// Why, in a word.
    pub why: &'static str,
    /// The SHAME that was weighed.
    pub shame: f64,
    /// Why, in words.
    pub text: String,
}

/// States of a robot on the map: what the byte of a frame means.
pub const STATES: [&str; 6] = ["idle", "asking", "offering", "under way", "working", "not working"];
/// The state of a robot that does not work.
pub const DOWN: u8 = 5;
/// Added to a state if the robot moves.
pub const MOVING: u8 = 8;
