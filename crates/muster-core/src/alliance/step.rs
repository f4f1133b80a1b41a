//! What a robot notes of its behaviour sets: why they became active, and why they are no longer.

use super::Category;
use crate::robot::RobotId;
use crate::task::TaskId;
use crate::time::Duration;

/// What is noted of a behaviour set.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Step {
    /// Came to know that a task needs doing, which it can do.
    Noticed {
        /// The task.
        task: TaskId,
    },
    /// Was told that a task which it was not at is no longer to be done.
    CalledOff {
        /// The task.
        task: TaskId,
    },
    /// A behaviour set became active.
    Activated {
        /// For which task.
        task: TaskId,
        /// By a plan for the team, not by who does it best.
        planned: bool,
        /// This robot's before others', or not.
        category: Category,
        /// The team mate that was at it, and for how long.
        overrides: Option<(RobotId, Duration)>,
        /// Seconds that this robot expects to need, its way there included, if it knows.
        own_s: Option<f64>,
        /// The team mate present that should be quickest, with the seconds it should need.
        best: Option<(RobotId, f64)>,
    },
    /// A behaviour set became inactive without the task being done by this robot.
    Quit {
        /// Which task.
        task: TaskId,
        /// Reason to leave it.
        why: Quit,
    },
    /// Did the task.
    Done {
        /// The task that was done.
        task: TaskId,
        /// How long it took.
        took: Duration,
    },
}

/// Why a robot stops doing something that it has not done.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Quit {
    /// Another did it, or it vanished.
    Gone,
    /// Somebody said that it is no longer to be done, or no longer there.
    CalledOff,
    /// What it was needed for is no longer so.
    NotNeeded,
    /// It tried for so long that it yields to another that claims the task.
    Yielded {
        /// The team mate that claims it.
        to: RobotId,
    },
    /// It tried for so long that it gives up on itself.
    Hopeless,
    /// The body cannot get there.
    Blocked,
    /// Another was at it first, unbeknown to this one.
    Tie {
        /// The team mate that began first.
        with: RobotId,
    },
}
