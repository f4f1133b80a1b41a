//! Explanations narrowed down to a robot, a task and a time.

use std::ops::RangeInclusive;

use muster_core::telling::{Line, Nobody, Weight};
use muster_core::{Names, Note, RobotId, TaskId};
use thiserror::Error;

use super::{Explainer, Untaken};
use crate::columns::printable;

/// What somebody asks for, by name.
#[derive(Clone, Debug, Default)]
pub struct Asking<'t> {
    /// What concerns this robot.
    pub robot: Option<&'t str>,
    /// What concerns this task, or the phases of this order.
    pub task: Option<&'t str>,
    /// Seconds: "65" is from 5 s before to 5 s after, "60..70" that span.
    pub at: Option<&'t str>,
}

/// Why something cannot be asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AskError {
    /// There is no such robot.
    #[error("there is no robot called `{name}`")]
    Robot {
        /// The name that was asked for.
        name: String,
        /// Some that there are.
        known: Vec<String>,
    },
    /// There is no such task.
    #[error("there is no task called `{name}`")]
    Task {
        /// The name that was asked for.
        name: String,
        /// Some that there are.
        known: Vec<String>,
    },
    /// Not a time.
    #[error("--at {text}: that is no time")]
    Time {
        /// What was given.
        text: String,
    },
    /// A span the wrong way round.
    #[error("--at {text}: that span ends before it begins")]
    Span {
        /// What was given.
        text: String,
        /// The same the other way round.
        instead: String,
    },
}

impl AskError {
    /// What to try.
    pub fn help(&self) -> String {
        match self {
            Self::Robot { known, .. } | Self::Task { known, .. } => {
                format!("there are: {}", printable(&known.join(", ")))
            }
            Self::Time { .. } => "write seconds, such as --at 65 or --at 60..70".to_owned(),
            Self::Span { instead, .. } => format!("did you mean --at {instead}?"),
        }
    }
}

/// Explains the notes of a run one by one, as far as is asked for.
#[derive(Clone)]
pub struct Asked<'a> {
    explainer: Explainer<'a>,
    robot: Option<RobotId>,
    /// One task, or all phases of an order.
    tasks: Option<Vec<TaskId>>,
    at_s: Option<RangeInclusive<f64>>,
}

impl<'a> Asked<'a> {
    /// Nothing is told yet.
    pub fn new(explainer: Explainer<'a>, asking: &Asking<'_>) -> Result<Self, AskError> {
        let names = explainer.names;
        Ok(Self {
            robot: asking.robot.map(|name| robot_called(names, name)).transpose()?,
            tasks: asking.task.map(|name| tasks_called(names, name)).transpose()?,
            at_s: asking.at.map(span).transpose()?,
            explainer,
        })
    }

    /// Names, and lines as they are written.
    pub fn explainer(&self) -> &Explainer<'a> {
        &self.explainer
    }

    /// What there is to tell of a note, if it is asked for. One by one the silences would drown the rest; awards and
    /// time-outs name them. A robot that is asked for tells its own.
    pub fn tell(&mut self, note: &Note) -> Option<Line> {
        let gist = note.gist();
        if gist.weight == Weight::Detail && self.robot.is_none() {
            self.explainer.teller.keep(note);
            return None;
        }
        let line = self.explainer.line(note);
        let wanted = self.robot.is_none_or(|robot| line.concerns(robot))
            && self.tasks.as_ref().is_none_or(|tasks| tasks.iter().any(|task| line.is_about(*task)))
            && self.at_s.as_ref().is_none_or(|at| at.contains(&line.at.as_secs_f64()));
        wanted.then_some(line)
    }

    /// Why nobody took tasks: all that nobody took, or the one that is asked for. What concerns a robot or a time is another
    /// question.
    pub fn nobody(&self) -> Vec<Nobody> {
        match &self.tasks {
            Some(tasks) => tasks.iter().filter_map(|task| self.explainer.nobody_for(*task)).collect(),
            None if self.robot.is_some() || self.at_s.is_some() => Vec::new(),
            None => self.explainer.nobody(),
        }
    }

    /// The same, tasks of equal reasons together.
    pub fn untaken(&self) -> Vec<Untaken> {
        Untaken::grouped(self.nobody())
    }
}

/// So many names are listed for somebody who asked for one that there is not.
const MOST_KNOWN: usize = 20;

fn robot_called(names: &dyn Names, name: &str) -> Result<RobotId, AskError> {
    let count = names.robot_count();
    (0..count).map(RobotId).find(|robot| names.robot(*robot) == *name).ok_or_else(|| AskError::Robot {
        name: name.to_owned(),
        known: (0..count.min(MOST_KNOWN as u32)).map(|robot| names.robot(RobotId(robot)).to_string()).collect(),
    })
}

/// The task of that name; else all phases of the order, which are called by its name and their own (`fire-1 verify`).
fn tasks_called(names: &dyn Names, name: &str) -> Result<Vec<TaskId>, AskError> {
    let count = names.task_count();
    let all = || (0..count).map(TaskId);
    if let Some(task) = all().find(|task| names.task(*task) == *name) {
        return Ok(vec![task]);
    }
    names.phases_of(name).ok_or_else(|| {
        let known = all().take(MOST_KNOWN).map(|task| names.task(task).to_string()).collect();
        AskError::Task { name: name.to_owned(), known }
    })
}

/// A span of seconds: "65" is from 5 s before to 5 s after, "60..70" that span.
pub fn span(text: &str) -> Result<RangeInclusive<f64>, AskError> {
    let wrong = || AskError::Time { text: text.to_owned() };
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(wrong);
    match text.split_once("..") {
        // Three dots: the third would pass for the point of ".70".
        Some((_, to)) if to.starts_with('.') => Err(wrong()),
        Some((from, to)) => match (number(from)?, number(to)?) {
            (from, to) if from > to => Err(AskError::Span { text: text.to_owned(), instead: format!("{to}..{from}") }),
            (from, to) => Ok(from..=to),
        },
        None => number(text).map(|at| at - 5.0..=at + 5.0),
    }
}
