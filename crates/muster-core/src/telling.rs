//! What notes say. Each mechanism tells its own, in its own folder (`telling.rs`): which task and robots a step is about,
//! what fact it establishes, what kind of line it makes, the sentence, the award, and why nobody took a task. Logs,
//! reports, consoles and explanations ask here and know no mechanism.
//!
//! What a sentence needs beyond its own note is gathered from the notes before it: [`Teller`] wants all notes of a run, in
//! order. Nothing else is needed, neither the scenario nor the configuration: a robot's own notes explain themselves.

mod award;
mod remark;
mod remarks;
#[cfg(test)]
pub(crate) mod trial;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

pub use award::{Award, Offer, Quiet, Value};
pub use remark::{Remark, Word};

use remarks::Remarks;

use crate::affect::Table;
use crate::event::{Event, Happening, Intervened, Note};
use crate::names::Names;
use crate::robot::RobotId;
use crate::task::TaskId;
use crate::time::Time;
use crate::{alliance, recruitment, tasking};

/// What is lent to put notes in words.
#[derive(Copy, Clone)]
pub struct Wording<'a> {
    /// What robots and tasks are called.
    pub names: &'a dyn Names,
    /// What emotions make a robot think.
    pub emotions: &'a Table,
}

/// When a step was noted, and by which robot.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// Time of the note, on the clock of its robot.
    pub at: Time,
    /// The robot whose note it is.
    pub robot: RobotId,
}

/// How the notes of one mechanism are told. The value gathers what later notes need of earlier ones.
pub trait Telling: Clone + Default {
    /// What the mechanism notes.
    type Step<'s>: Copy;

    /// What a step is about, whatever was noted before it.
    fn gist(noted: Noted, step: Self::Step<'_>) -> Gist;

    /// What a step says of a robot that did not do as a message asked, if it does.
    fn mark(step: Self::Step<'_>) -> Option<Mark>;

    /// Remembers what later notes need of this one. To be called with every note of the mechanism, before anything is
    /// asked about it.
    fn keep(&mut self, noted: Noted, step: Self::Step<'_>);

    /// The same with every note that is no mechanism's: robots that start, drop messages, break down.
    fn keep_common(&mut self, noted: Noted, event: &Event);

    /// The step in words.
    fn sentence(&self, wording: Wording<'_>, noted: Noted, step: Self::Step<'_>) -> String;

    /// Who was chosen among whom, if the step is a choice.
    fn award(&self, noted: Noted, step: Self::Step<'_>) -> Option<Award>;

    /// The tasks that were noticed, and never taken, handed over or done.
    fn untaken(&self) -> Vec<TaskId>;

    /// Why nobody took a task, from what was noted so far. Nothing if it was taken, or if nothing is known of it.
    fn nobody(&self, wording: Wording<'_>, task: TaskId) -> Vec<Reason>;

    /// Somebody has a task, and has not done it yet.
    fn is_under_way(&self, task: TaskId) -> bool;
}

/// What a note is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Gist {
    /// The task.
    pub task: Option<TaskId>,
    /// Robots that it is about, besides the one that noted it.
    pub others: [Option<RobotId>; 2],
    /// What it establishes about its task.
    pub fact: Option<Fact>,
    /// What sort of thing it tells of.
    pub kind: Kind,
    /// How much it matters.
    pub weight: Weight,
}

impl Gist {
    /// A plain line about a task.
    pub const fn of(kind: Kind, task: Option<TaskId>) -> Self {
        Self { task, others: [None; 2], fact: None, kind, weight: Weight::Line }
    }

    /// The same about this robot, too.
    pub const fn about(self, other: RobotId) -> Self {
        Self { others: [Some(other), self.others[0]], ..self }
    }

    /// The same with what it establishes about its task.
    pub const fn fact(self, fact: Fact) -> Self {
        Self { fact: Some(fact), ..self }
    }

    /// The same as something that matters more or less.
    pub const fn weighs(self, weight: Weight) -> Self {
        Self { weight, ..self }
    }
}

/// What a note establishes about its task.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The robot that noted it calls for it, for so many times by now.
    Calls(u32),
    /// The robot that noted it leads its auction, in this attempt.
    Leads(u32),
    /// This robot has it.
    Has(RobotId),
    /// This robot has it no longer.
    GivesUp(RobotId),
    /// Nobody has it.
    Nobody,
}

/// What sort of thing a note tells of.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A robot starts.
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
    /// Somebody intervened.
    Command,
    /// The world did something to a robot or to the radio.
    World,
}

impl Kind {
    /// In a word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Call => "call",
            Self::Offer => "offer",
            Self::Award => "award",
            Self::Travel => "travel",
            Self::Work => "work",
            Self::Done => "done",
            Self::Trouble => "trouble",
            Self::Auction => "auction",
            Self::Command => "command",
            Self::World => "world",
        }
    }
}

/// How much a note matters.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// One of many that another note sums up, such as the silences to a call: in no log, told only when it is asked for.
    Detail,
    /// A line of the log.
    Line,
    /// By this a task comes to somebody, or is taken away.
    Decision,
}

/// A robot did not do as a message asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// It heard the message and kept silent; else it threw the message away.
    pub ignored: bool,
    /// Its reason, in words.
    pub why: String,
    /// The sender of the message.
    pub of: RobotId,
}

/// One reason why nobody took a task.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    /// In a word, for programs.
    pub why: &'static str,
    /// How many robots, calls or auctions it holds for.
    pub count: u32,
    /// In words, with the count.
    pub text: String,
}

/// Why nobody took a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nobody {
    /// The task.
    pub task: TaskId,
    /// Somebody has it, and has not done it yet: it is not done rather than not taken.
    pub under_way: bool,
    /// The reasons, a few.
    pub reasons: Vec<Reason>,
}

/// One thing that happened, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// When it happened.
    pub at: Time,
    /// The robot that it happened to, or [`RobotId::NOBODY`].
    pub robot: RobotId,
    /// What it is about.
    pub gist: Gist,
    /// What happened.
    pub text: String,
    /// Whose line it is, if no robot's.
    pub author: Option<Arc<str>>,
    /// What somebody did to the run, if the line tells of that.
    pub made: Option<Arc<Intervened>>,
    /// Who was chosen among whom, if it tells of a choice.
    pub award: Option<Award>,
}

impl Line {
    /// The robot that it happened to, if it happened to one.
    pub fn subject(&self) -> Option<RobotId> {
        Some(self.robot).filter(|robot| *robot != RobotId::NOBODY)
    }

    /// What it is about, without its words and its award.
    pub fn about(&self) -> About {
        let Self { at, robot, gist: Gist { task, others, .. }, .. } = *self;
        About { at, robot, others, task, made: self.made.clone() }
    }

    /// The line is about this robot: its own, or it is named there.
    pub fn concerns(&self, robot: RobotId) -> bool {
        self.about().concerns(robot) || self.award.as_ref().is_some_and(|award| award.names(robot))
    }

    /// The line is about this task: its own, or a phase of what somebody ordered.
    pub fn is_about(&self, task: TaskId) -> bool {
        self.about().is_about(task)
    }
}

/// What a line is about: small, for whoever keeps as many as there are.
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    /// When it happened.
    pub at: Time,
    robot: RobotId,
    others: [Option<RobotId>; 2],
    task: Option<TaskId>,
    made: Option<Arc<Intervened>>,
}

impl About {
    /// The line is this robot's, or is about it, or about the radio; those that an award passed over are not counted.
    pub fn concerns(&self, robot: RobotId) -> bool {
        let touched = || self.made.as_ref().is_some_and(|made| made.robots.contains(&robot));
        // What the radio does, it does to everybody.
        let radio = self.robot == RobotId::NOBODY && self.made.is_none();
        self.robot == robot || self.others.contains(&Some(robot)) || touched() || radio
    }

    /// The line is about this task: its own, or a phase of what somebody ordered.
    pub fn is_about(&self, task: TaskId) -> bool {
        self.task == Some(task) || self.made.as_ref().is_some_and(|made| made.tasks.contains(&task))
    }
}

/// Tells the notes of a run, whatever its mechanism.
#[derive(Clone, Default)]
pub struct Teller {
    recruitment: recruitment::Calls,
    alliance: alliance::Motives,
    tasking: tasking::Auctions,
    remarks: Remarks,
    /// Tasks of which any robot noted anything.
    noticed: BTreeSet<TaskId>,
    /// The robot that was to be told of a task, and had stopped.
    untold: BTreeMap<TaskId, RobotId>,
    /// Tasks that were done by a robot that could not note it.
    done_unawares: BTreeSet<TaskId>,
    /// Tasks that somebody called off.
    called_off: BTreeSet<TaskId>,
    /// Robots that something is wrong with: what, and until when.
    troubled: BTreeMap<RobotId, (&'static str, Time)>,
    /// When the last note was made.
    now: Time,
    /// What was done to the run, and when, in that order.
    made: Vec<(Time, Arc<Intervened>)>,
}

impl Noted {
    const fn of(note: &Note) -> Self {
        Self { at: note.at, robot: note.robot }
    }
}

impl Note {
    /// What it is about, whatever its mechanism.
    pub fn gist(&self) -> Gist {
        let noted = Noted::of(self);
        match &self.event {
            Event::Recruitment(step) => recruitment::Calls::gist(noted, step),
            Event::Alliance(step) => alliance::Motives::gist(noted, step),
            Event::Tasking { task, step } => tasking::Auctions::gist(noted, (*task, step)),
            Event::Other(remark) => Remarks::gist(noted, remark),
            Event::Started { .. } => Gist::of(Kind::Start, None),
            Event::Dropped { with, .. } => Gist::of(Kind::Trouble, None).about(*with),
            Event::Intervened(made) => Gist::of(Kind::Command, made.tasks.first().copied()).weighs(Weight::Decision),
            Event::Happened(Happening::Untold { task } | Happening::DoneUnawares { task }) => {
                Gist::of(Kind::World, Some(*task)).weighs(Weight::Decision)
            }
            Event::Happened(Happening::CutOver { between: (one, other), .. }) => {
                Gist::of(Kind::World, None).about(*one).about(*other).weighs(Weight::Decision)
            }
            Event::Happened(_) => Gist::of(Kind::World, None).weighs(Weight::Decision),
        }
    }

    /// What it says of a robot that did not do as a message asked, if it does.
    pub fn mark(&self) -> Option<Mark> {
        match &self.event {
            Event::Recruitment(step) => recruitment::Calls::mark(step),
            Event::Alliance(step) => alliance::Motives::mark(step),
            Event::Tasking { task, step } => tasking::Auctions::mark((*task, step)),
            Event::Dropped { with, message, why, .. } => {
                Some(Mark { ignored: false, why: format!("{message}: {}", why.reason()), of: *with })
            }
            Event::Other(remark) => Remarks::mark(remark),
            Event::Started { .. } | Event::Intervened(_) | Event::Happened(_) => None,
        }
    }
}

impl Teller {
    /// Remembers what later notes need of this one, without a line of its own.
    pub fn keep(&mut self, note: &Note) {
        let noted = Noted::of(note);
        let Self { recruitment, alliance, tasking, remarks, noticed, untold, done_unawares, called_off, made, .. } =
            self;
        match &note.event {
            Event::Happened(Happening::Untold { task }) => _ = untold.insert(*task, note.robot),
            Event::Happened(Happening::DoneUnawares { task }) => _ = done_unawares.insert(*task),
            // What somebody or the world does about a task makes no robot know of it.
            Event::Happened(_) | Event::Intervened(_) => {}
            Event::Recruitment(_)
            | Event::Alliance(_)
            | Event::Tasking { .. }
            | Event::Other(_)
            | Event::Started { .. }
            | Event::Dropped { .. } => noticed.extend(note.gist().task),
        }
        if let Event::Intervened(it) = &note.event {
            made.push((note.at, it.clone()));
            called_off.extend(it.tasks.iter().filter(|_| it.calls_off));
        }
        self.now = note.at;
        if let Some(happening) = note.event.happening() {
            if happening.is_mended() {
                self.troubled.remove(&note.robot);
            }
            self.troubled.extend(happening.trouble(note.at).map(|trouble| (note.robot, trouble)));
        }
        match &note.event {
            Event::Recruitment(step) => recruitment.keep(noted, step),
            Event::Alliance(step) => alliance.keep(noted, step),
            Event::Tasking { task, step } => tasking.keep(noted, (*task, step)),
            Event::Other(remark) => remarks.keep(noted, remark),
            event @ (Event::Started { .. } | Event::Dropped { .. } | Event::Intervened(_) | Event::Happened(_)) => {
                recruitment.keep_common(noted, event);
                alliance.keep_common(noted, event);
                tasking.keep_common(noted, event);
                remarks.keep_common(noted, event);
            }
        }
    }

    /// What a note says, in words.
    pub fn line(&mut self, wording: Wording<'_>, note: &Note) -> Line {
        self.keep(note);
        let noted = Noted::of(note);
        let (text, award) = match &note.event {
            Event::Recruitment(step) => told(&self.recruitment, wording, noted, step),
            Event::Alliance(step) => told(&self.alliance, wording, noted, step),
            Event::Tasking { task, step } => told(&self.tasking, wording, noted, (*task, step)),
            Event::Other(remark) => told(&self.remarks, wording, noted, remark),
            Event::Started { incarnation, remembered } => (world::starts(*incarnation, *remembered), None),
            Event::Dropped { with, message, why, .. } => {
                (format!("drops {message} of {}: {}", wording.names.robot(*with), why.reason()), None)
            }
            Event::Intervened(made) => (world::intervenes(made), None),
            Event::Happened(Happening::CameToNothing { made }) => (world::came_to_nothing(self.made(*made)), None),
            Event::Happened(happening) => (world::sentence(wording, *happening), None),
        };
        let made = match &note.event {
            Event::Intervened(made) => Some(made.clone()),
            Event::Happened(Happening::CameToNothing { made }) => self.made(*made).map(|(_, made)| made.clone()),
            Event::Happened(_)
            | Event::Recruitment(_)
            | Event::Alliance(_)
            | Event::Tasking { .. }
            | Event::Other(_)
            | Event::Started { .. }
            | Event::Dropped { .. } => None,
        };
        let author = match (&made, &note.event) {
            (Some(made), _) => Some(made.author.clone()),
            // A robot tells of itself; nobody tells of the radio.
            (None, Event::Happened(_)) => (note.robot == RobotId::NOBODY).then(|| "radio".into()),
            (None, _) => None,
        };
        Line { at: note.at, robot: note.robot, gist: note.gist(), text, author, made, award }
    }

    /// What was done to the run, and when, by its place among all that was.
    fn made(&self, place: u32) -> Option<&(Time, Arc<Intervened>)> {
        self.made.get(place as usize)
    }

    /// Robots that cannot do their part as things stand, in words: "r4 has stopped, r7 hangs".
    fn trouble(&self, wording: Wording<'_>) -> Option<Reason> {
        let troubled = self.troubled.iter().filter(|(_, (_, until))| *until > self.now);
        let count = troubled.clone().count();
        let told =
            troubled.take(MOST_TROUBLED).map(|(robot, (state, _))| format!("{} {state}", wording.names.robot(*robot)));
        let mut told: Vec<String> = told.collect();
        if count > MOST_TROUBLED {
            told.push(format!("and {} more", count - MOST_TROUBLED));
        }
        (count > 0).then(|| Reason { why: "trouble", count: count as u32, text: told.join(", ") })
    }

    /// Why nobody took a task, if nobody did.
    pub fn nobody_for(&self, wording: Wording<'_>, task: TaskId) -> Option<Nobody> {
        let Self { recruitment, alliance, tasking, remarks, noticed, untold, done_unawares, called_off, .. } = self;
        if done_unawares.contains(&task) {
            return None;
        }
        // What an operator asks for is known by its first task until it is taken apart.
        let first = wording.names.first_of(task);
        let of = if noticed.contains(&task) || !noticed.contains(&first) { task } else { first };
        let mut reasons = recruitment.nobody(wording, of);
        reasons.extend(alliance.nobody(wording, of));
        reasons.extend(tasking.nobody(wording, of));
        reasons.extend(remarks.nobody(wording, of));
        let unnoticed = !noticed.contains(&of);
        if unnoticed && called_off.contains(&task) {
            let text = "called off: it need not be done any more".to_owned();
            reasons.push(Reason { why: "called_off", count: 1, text });
        } else if unnoticed {
            let text = "no robot noted anything about it".to_owned();
            reasons.push(Reason { why: "unnoticed", count: 1, text });
        }
        if reasons.iter().any(|reason| matches!(reason.why, "unnoticed" | "no_lead" | "forgotten")) {
            reasons.extend(self.trouble(wording));
        }
        // Somebody took it nevertheless if there is no other reason: another may have been told.
        if let Some(robot) = untold.get(&task).filter(|_| !reasons.is_empty()) {
            let text = format!("{}, which was to be told, has stopped", wording.names.robot(*robot));
            reasons.push(Reason { why: "untold", count: 1, text });
        }
        let under_way = recruitment.is_under_way(task)
            || alliance.is_under_way(task)
            || tasking.is_under_way(task)
            || remarks.is_under_way(task);
        (!reasons.is_empty()).then_some(Nobody { task, under_way, reasons })
    }

    /// Why nobody took each of the tasks that nobody took, in their order.
    pub fn nobody(&self, wording: Wording<'_>) -> Vec<Nobody> {
        let Self { recruitment, alliance, tasking, remarks, noticed, .. } = self;
        let mut tasks: BTreeSet<TaskId> = (0..wording.names.task_count()).map(TaskId).collect();
        tasks.retain(|task| !noticed.contains(task) && !self.called_off.contains(task));
        tasks.extend(recruitment.untaken());
        tasks.extend(alliance.untaken());
        tasks.extend(tasking.untaken());
        tasks.extend(remarks.untaken());
        tasks.into_iter().filter_map(|task| self.nobody_for(wording, task)).collect()
    }

    /// The auctions of the run so far.
    pub fn auctions(&self) -> &tasking::Auctions {
        &self.tasking
    }
}

fn told<T: Telling>(telling: &T, wording: Wording<'_>, noted: Noted, step: T::Step<'_>) -> (String, Option<Award>) {
    (telling.sentence(wording, noted, step), telling.award(noted, step))
}

/// A reason names at most so many robots that something is wrong with.
const MOST_TROUBLED: usize = 5;

/// A sentence names at most so many robots; an [`Award`] names all.
const MOST_NAMED: usize = 50;

/// "a, b and 3 more".
pub(crate) fn listed<T>(items: &[T], one: impl FnMut(&T) -> String) -> String {
    let mut text = items.iter().take(MOST_NAMED).map(one).collect::<Vec<_>>().join(", ");
    if items.len() > MOST_NAMED {
        let _ = write!(text, " and {} more", items.len() - MOST_NAMED);
    }
    text
}

/// "1 robot", "3 robots".
pub(crate) fn counted(count: u32, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// "once", "3 times".
pub(crate) fn times(count: u32) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

#[cfg(test)]
mod tests;
