//! Something to be done somewhere, and what is said about it between a robot, its operator and its world.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::robot::{Percepts, Point, RobotId};
use crate::time::{Duration, Time};

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
    /// Number of the task, the same for every robot.
    pub id: TaskId,
    /// Place of the task, in metres.
    pub place: Point,
    /// What a robot must be able to perceive to do it.
    pub needs: Percepts,
}

/// What a task is about; a scenario gives kinds their names.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kind(pub u16);

/// A task as an operator asks for it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Brief {
    /// What is to be done. A task of several phases takes as many numbers, from this one on.
    pub task: Task,
    /// What it is about, and so into which phases it is taken apart.
    pub kind: Kind,
    /// How many phases it has: at least one.
    pub phases: u8,
    /// How urgent it is: a robot may give less urgent ones back for it.
    pub priority: u8,
    /// When it need no longer be done.
    pub expires: Option<Time>,
    /// What is worse: that it is done twice, or not at all.
    pub delivery: Delivery,
    /// How long the robot that does it may stay silent; as the mechanism has it if `None`.
    pub silence: Option<Duration>,
}

impl Brief {
    /// The numbers of its tasks.
    pub fn tasks(&self) -> impl Iterator<Item = TaskId> + use<> {
        let first = self.task.id.0;
        (0..u32::from(self.phases.max(1))).map(move |index| TaskId(first.wrapping_add(index)))
    }
}

impl From<Task> for Brief {
    fn from(task: Task) -> Self {
        Self {
            task,
            kind: Kind::default(),
            phases: 1,
            priority: 0,
            expires: None,
            delivery: Delivery::default(),
            silence: None,
        }
    }
}

/// What is promised of a task across a partition of the team: no protocol can promise both.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Delivery {
    /// It is done, perhaps twice.
    #[default]
    AtLeastOnce,
    /// It is not done twice, perhaps not at all.
    AtMostOnce,
}

/// What a robot's own senses and body tell its mechanism.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Percept {
    /// There is something to be done that this robot looks after.
    TaskSeen(Task),
    /// It is no longer to be done.
    TaskGone(TaskId),
    /// The body has come to where `Action::GoTo` or `Action::Visit` sent it.
    Arrived,
    /// The body cannot get to where it was sent, and has stopped.
    Blocked,
    /// What the robot does on its own account has changed.
    Phase(Phase),
    /// This robot has done the task that it was at.
    Done(TaskId),
    /// The radio notices that nothing gets through, or that it does again.
    Link(bool),
    /// The body is at its base, where `Action::Reload` sent it, and has been reloaded.
    Reloaded,
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
    Inject(Brief),
    /// See to the task of this number as it is described now.
    Modify(Brief),
    /// Forget this task.
    Cancel(TaskId),
}

/// What a mechanism asks of its robot's body.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Action {
    /// Drive there by the straight way.
    GoTo(Point),
    /// Pass over a target, coming in by way of `entry` and leaving as far beyond, in a straight line.
    Approach {
        /// Which task is done there.
        task: TaskId,
        /// Where the straight line in begins.
        entry: Point,
        /// The place to pass over.
        target: Point,
        /// Not to leave before.
        from: Time,
        /// When to be over the target.
        by: Time,
    },
    /// Work at this task until then.
    Work {
        /// The task to work at.
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
        /// The task that was handed over.
        task: TaskId,
        /// The robot that has it now.
        to: RobotId,
    },
    /// Come in as told, but break off before the target of this task unless told to cross by then. A body whose computer
    /// hangs keeps to it.
    Await {
        /// The task whose turn has not come.
        task: TaskId,
    },
    /// It is this task's turn: pass over its target.
    Cross {
        /// The task that may be done.
        task: TaskId,
    },
    /// Drive there by the straight way, as with `GoTo`, but do not give the errand of your own up: it goes on from where
    /// it was left, once it may.
    Visit(Point),
    /// The pass over the target of this task that you are told to make is one of its own: the one before it has grown old.
    Renew {
        /// The task that is done again.
        task: TaskId,
    },
    /// Go to the base there by the straight way, be reloaded, and stay. `Percept::Reloaded` says when that is done.
    Reload {
        /// Where the base is.
        at: Point,
    },
}
