//! What robots and tasks are called: mechanisms know them by number only.

use crate::affect::Name;
use crate::robot::RobotId;
use crate::task::TaskId;

/// What robots and tasks are called.
pub trait Names {
    /// The name of a robot.
    fn robot(&self, robot: RobotId) -> Name;
    /// The name of a task.
    fn task(&self, task: TaskId) -> Name;
    /// How many robots there are: they are numbered from zero.
    fn robot_count(&self) -> u32;
    /// How many tasks there are, noticed or not: they are numbered from zero.
    fn task_count(&self) -> u32;
    /// The tasks of the order of this name, if it is one that is taken apart into several.
    fn phases_of(&self, _order: &str) -> Option<Vec<TaskId>> {
        None
    }
    /// The first task of the order that this one belongs to; itself if it belongs to none.
    fn first_of(&self, task: TaskId) -> TaskId {
        task
    }
}
