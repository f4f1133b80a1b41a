//! Something to be done somewhere, and what is said about it between a robot, its operator and its world.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::robot::{Percepts, Point, RobotId};
use crate::time::Time;

/// A task; the same number everywhere.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaskId(pub u32);

impl TaskId {
    /// The number as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// Something to be done.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Task {
    /// Which.
    pub id: TaskId,
    /// Where.
    pub place: Point,
    /// What a robot must be able to perceive to do it.
    pub needs: Percepts,
}

/// What a robot's own senses and body tell its mechanism.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Percept {
    /// There is something to be done that this robot looks after.
    TaskSeen(Task),
    /// It is no longer to be done.
    TaskGone(TaskId),
    /// The body has come to where `Action::GoTo` sent it.
    Arrived,
    /// The body cannot get to where it was sent, and has stopped.
    Blocked,
    /// What the robot does on its own account has changed.
    Phase(Phase),
    /// This robot has done the task that it was at.
    Done(TaskId),
}

/// What a robot does on its own account, apart from its mechanism.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Phase {
    /// Nothing: it may be asked for help.
    #[default]
    Free,
    /// An errand of its own that must not be interrupted.
    Engaged,
}

/// What an operator tells a robot.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Order {
    /// See to this task.
    Inject(Task),
    /// Forget this task.
    Cancel(TaskId),
}

/// What a mechanism asks of its robot's body.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Action {
    /// Drive there by the straight way.
    GoTo(Point),
    /// Work at this task until then.
    Work {
        /// Which task.
        task: TaskId,
        /// When the work ends, on the robot's own clock.
        until: Time,
    },
    /// Stand still; work on a task ends.
    Stop,
    /// Keep the errand of your own back: a team mate may need this robot, or it waits for one.
    Hold,
    /// The errand of your own may go on.
    Resume,
    /// This task is now in the hands of another robot.
    HandOver {
        /// Which task.
        task: TaskId,
        /// Who has it.
        to: RobotId,
    },
}
