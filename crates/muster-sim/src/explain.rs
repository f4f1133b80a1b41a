//! Why things happened: every award, refusal, silence, time-out and overlap, every task taken, taken over and left,
//! with its inputs and numbers.
//!
//! Made from the robots' own notes, in the order in which they were taken; a recording yields the same notes
//! when it is replayed. Awards come as plain data ([`Award`]) and as sentences.

mod auctions;
mod calls;
mod motivations;

use std::fmt::Write;
use std::sync::Arc;

use muster_core::{Event, Note, RobotId, TaskId, Time};

use muster_journal::columns::escaped;
use muster_journal::foxglove::Log;
use muster_journal::show::log_line;

pub use calls::{Award, Offer, Quiet};

use crate::intervention::Made;
use crate::origin::Origin;

/// Turns notes into explanations. Wants all notes of a run, in order.
#[derive(Clone)]
pub struct Explainer<'a> {
    names: Names<'a>,
    calls: calls::Calls<'a>,
}

/// What robots and tasks are called.
#[derive(Copy, Clone)]
struct Names<'a>(&'a Origin);

impl<'a> Names<'a> {
    fn robot(self, robot: RobotId) -> &'a str {
        self.0.mission().robots.get(robot.index()).map_or("?", |spec| &spec.name)
    }

    fn task(self, task: TaskId) -> String {
        self.0.task_name(task).map_or_else(|| task.to_string(), str::to_owned)
    }
}

/// A sentence names at most so many offers and so many silent robots; an [`Award`] names all.
const MOST_NAMED: usize = 50;

/// One thing that happened, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// When.
    pub at: Time,
    /// To whom.
    pub robot: RobotId,
    /// With which task, if any.
    pub task: Option<TaskId>,
    /// What.
    pub text: String,
    /// Who intervened, if no robot did this.
    pub author: Option<Arc<str>>,
}

impl<'a> Explainer<'a> {
    /// For a run from `origin`.
    pub fn new(origin: &'a Origin) -> Self {
        let names = Names(origin);
        Self { names, calls: calls::Calls::new(names, origin.loaded.recruitment(origin.scheme)) }
    }

    /// The awards among the notes seen so far.
    pub fn awards(&self) -> &[Award] {
        &self.calls.awards
    }

    /// The name of a robot.
    pub fn robot(&self, robot: RobotId) -> &'a str {
        self.names.robot(robot)
    }

    /// The name of a task.
    pub fn task(&self, task: TaskId) -> String {
        self.names.task(task)
    }

    /// An award in words.
    pub fn award(&self, award: &Award) -> String {
        self.calls.award(award)
    }

    /// What a note says, in words.
    pub fn line(&mut self, note: &Note) -> Line {
        if let Event::Intervened { number } = note.event {
            return self.intervention(note, number);
        }
        self.calls.keep(note);
        let overlap = self.calls.overlap(note);
        let mut text = self.sentence(note);
        text.extend(overlap);
        Line { at: note.at, robot: note.robot, task: task_of(&note.event), text, author: None }
    }

    fn intervention(&self, note: &Note, number: u32) -> Line {
        let made = self.names.0.interventions.all().get(number as usize);
        let text = made.map_or_else(|| format!("intervention {number}"), Made::sentence);
        let (task, author) = (made.and_then(Made::task), made.map(|made| made.author.clone()));
        Line { at: note.at, robot: note.robot, task, text, author }
    }

    /// Whose line it is: a robot's, or that of whoever intervened.
    pub fn who<'l>(&self, line: &'l Line) -> &'l str
    where
        'a: 'l,
    {
        line.author.as_deref().unwrap_or_else(|| self.robot(line.robot))
    }

    /// Lines for a recording's log: all but the silences, which the awards and time-outs sum up.
    pub(crate) fn log(&mut self, notes: &[Note]) -> Vec<(Time, Log)> {
        let lines: Vec<Line> = notes.iter().filter_map(|note| self.log_line(note)).collect();
        lines.into_iter().map(|line| (line.at, log_line(line.at, self.who(&line), line.text.clone()))).collect()
    }

    /// What a note says, if it belongs into a log: all but the silences and what was heard of offers, one by one. Awards
    /// and time-outs sum them up.
    pub fn log_line(&mut self, note: &Note) -> Option<Line> {
        if matches!(note.event, Event::Silent { .. } | Event::OfferHeard { .. }) {
            self.calls.keep(note);
            return None;
        }
        Some(self.line(note))
    }

    /// A line as it stands in a log file: seconds, robot and what happened, with tabs between them, as in the log of a
    /// reception.
    pub fn written(&self, line: &Line) -> String {
        let (robot, text) = (escaped(self.who(line)), escaped(&line.text));
        format!("{:.3}\t{robot}\t{text}", line.at.as_secs_f64())
    }

    fn sentence(&self, note: &Note) -> String {
        match note.event {
            Event::Started { incarnation, remembered: true } => {
                format!("starts again, life {incarnation}, with what it remembered")
            }
            Event::Started { incarnation, remembered: false } => {
                format!("starts again, life {incarnation}, having lost its memory")
            }
            Event::Dropped { with, message, why } => {
                format!("drops {message} of {}: {}", self.robot(with), why.reason())
            }
            Event::Tasking { task, step } => auctions::sentence(self.names, task, step),
            _ => motivations::sentence(self.names, note).unwrap_or_else(|| self.calls.sentence(note)),
        }
    }
}

/// "a, b and 3 more".
fn listed<T>(items: &[T], one: impl FnMut(&T) -> String) -> String {
    let mut text = items.iter().take(MOST_NAMED).map(one).collect::<Vec<_>>().join(", ");
    if items.len() > MOST_NAMED {
        let _ = write!(text, " and {} more", items.len() - MOST_NAMED);
    }
    text
}

/// The task that an event is about.
fn task_of(event: &Event) -> Option<TaskId> {
    match *event {
        Event::Called { task, .. }
        | Event::Silent { task, .. }
        | Event::Offered { task, .. }
        | Event::OfferHeard { task, .. }
        | Event::Awarded { task, .. }
        | Event::SetOut { task, .. }
        | Event::NotNeeded { task, .. }
        | Event::Superseded { task, .. }
        | Event::Arrived { task, .. }
        | Event::Agreed { task, .. }
        | Event::TookOver { task, .. }
        | Event::Served { task, .. }
        | Event::Finished { task, .. }
        | Event::TimedOut { task, .. }
        | Event::Blocked { task, .. }
        | Event::Barred { task, .. }
        | Event::PolicyFailed { task, .. }
        | Event::Activated { task, .. }
        | Event::Quit { task, .. }
        | Event::Done { task, .. }
        | Event::Tasking { task, .. }
        | Event::Withdrawn { task } => Some(task),
        Event::Started { .. } | Event::Dropped { .. } | Event::Intervened { .. } => None,
    }
}
