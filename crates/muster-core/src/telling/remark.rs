//! Notes of mechanisms that are not in this crate: plain data that carries its own meaning, since nobody here could be
//! asked about it.

use super::{Award, Gist, Wording};
use crate::robot::RobotId;
use crate::task::TaskId;

/// What a mechanism from elsewhere notes.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// What it is about.
    pub gist: Gist,
    /// The sentence, as it follows the name of the robot.
    pub words: Vec<Word>,
    /// Who was chosen among whom, if it tells of a choice.
    pub award: Option<Award>,
}

/// A part of a sentence. Mechanisms know robots and tasks by number; names come in when the sentence is read.
#[derive(Clone, Debug, PartialEq)]
pub enum Word {
    /// As it stands.
    Text(String),
    /// The name of a robot.
    Robot(RobotId),
    /// The name of a task.
    Task(TaskId),
}

impl Remark {
    /// A remark without a choice in it.
    pub fn new(gist: Gist, words: impl IntoIterator<Item = Word>) -> Self {
        Self { gist, words: words.into_iter().collect(), award: None }
    }

    /// The same, telling of a choice.
    pub fn with_award(self, award: Award) -> Self {
        Self { award: Some(award), ..self }
    }

    /// In words, as it follows the name of the robot.
    pub(super) fn sentence(&self, wording: Wording<'_>) -> String {
        let word = |word: &Word| match word {
            Word::Text(text) => text.clone(),
            Word::Robot(robot) => wording.names.robot(*robot).to_string(),
            Word::Task(task) => wording.names.task(*task).to_string(),
        };
        self.words.iter().map(word).collect::<Vec<_>>().join(" ")
    }
}

impl From<&str> for Word {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Word {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<RobotId> for Word {
    fn from(robot: RobotId) -> Self {
        Self::Robot(robot)
    }
}

impl From<TaskId> for Word {
    fn from(task: TaskId) -> Self {
        Self::Task(task)
    }
}
