//! Why things happened: every award, refusal, silence, time-out and overlap, every task taken, taken over and left,
//! with its inputs and numbers; and why nobody took a task.
//!
//! Made from the robots' own notes, in the order in which they were taken; a recording yields the same notes when it is
//! replayed. What a note says is its mechanism's to say ([`muster_core::telling`]); here are files of lines, narrowing
//! down, and JSON. Nothing here knows a mechanism or a scenario.

mod asked;
mod json;
mod untaken;

use std::sync::Arc;

use muster_core::affect::{Name, Table};
use muster_core::telling::{Line, Nobody, Teller, Weight, Wording};
use muster_core::{Names, Note, RobotId, TaskId, Time};

use crate::columns::escaped;
use crate::foxglove::Log;
use crate::show::log_line;

pub use asked::{AskError, Asked, Asking, span};
pub use untaken::{NotDone, Untaken};

/// Turns notes into explanations. Wants all notes of a run, in order.
#[derive(Clone)]
pub struct Explainer<'a> {
    names: &'a (dyn Names + Sync),
    /// What emotions make a robot think.
    emotions: Arc<Table>,
    teller: Teller,
}

impl<'a> Explainer<'a> {
    /// Nothing is explained yet.
    pub fn new(names: &'a (dyn Names + Sync), emotions: Arc<Table>) -> Self {
        Self { names, emotions, teller: Teller::default() }
    }

    /// The name of a robot.
    pub fn robot(&self, robot: RobotId) -> Name {
        self.names.robot(robot)
    }

    /// The name of a task.
    pub fn task(&self, task: TaskId) -> Name {
        self.names.task(task)
    }

    /// What was gathered of the notes so far.
    pub fn teller(&self) -> &Teller {
        &self.teller
    }

    fn wording(&self) -> Wording<'_> {
        Wording { names: self.names, emotions: &self.emotions }
    }

    /// What a note says, in words.
    pub fn line(&mut self, note: &Note) -> Line {
        let wording = Wording { names: self.names, emotions: &self.emotions };
        self.teller.line(wording, note)
    }

    /// Takes in a note about which nothing is to be said.
    pub fn keep(&mut self, note: &Note) {
        self.teller.keep(note);
    }

    /// What a note says, if it belongs into a log: all but details such as silences, which awards and time-outs sum up.
    pub fn log_line(&mut self, note: &Note) -> Option<Line> {
        if note.gist().weight == Weight::Detail {
            self.teller.keep(note);
            return None;
        }
        Some(self.line(note))
    }

    /// Why nobody took each of the tasks that nobody took.
    pub fn nobody(&self) -> Vec<Nobody> {
        self.teller.nobody(self.wording())
    }

    /// Why nobody took this task, if nobody did.
    pub fn nobody_for(&self, task: TaskId) -> Option<Nobody> {
        self.teller.nobody_for(self.wording(), task)
    }

    /// Whose line it is: a robot's, or that of somebody who intervened, or the radio's.
    pub fn who(&self, line: &Line) -> Name {
        line.author.as_ref().map_or_else(|| self.robot(line.robot), |author| Name::shared(author.clone()))
    }

    /// Lines for the log of a recording.
    pub fn log(&mut self, notes: &[Note]) -> Vec<(Time, Log)> {
        let lines: Vec<Line> = notes.iter().filter_map(|note| self.log_line(note)).collect();
        lines.into_iter().map(|line| (line.at, log_line(line.at, &self.who(&line), line.text))).collect()
    }

    /// A line as it stands in a log file: seconds, robot and what happened, with tabs between them, as in the log of a
    /// reception.
    pub fn written(&self, line: &Line) -> String {
        let (robot, text) = (escaped(&self.who(line)), escaped(&line.text));
        format!("{:.3}\t{robot}\t{text}", line.at.as_secs_f64())
    }
}
