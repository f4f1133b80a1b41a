//! Within one attempt at a task only one vehicle flies over its target, and only once: the ballot fences the others. And
//! nobody flies over a target without an attempt at all.

use std::collections::BTreeMap;

use muster_core::tasking::{Ballot, Tasking};
use muster_core::{Check, RobotId, TaskId};

use crate::sim::View;

/// No task is done twice within one attempt, or in none.
#[derive(Default)]
pub struct OneDeedPerAttempt {
    /// What each vehicle had in its queue after the last event.
    held: Vec<Vec<(TaskId, Ballot)>>,
    /// Flights over targets that were looked at.
    passes: usize,
    /// Who did a task in which attempt.
    done: BTreeMap<(TaskId, Ballot), RobotId>,
}

impl Check<View<'_, Tasking>> for OneDeedPerAttempt {
    fn name(&self) -> &'static str {
        "one deed per attempt"
    }

    fn look(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        for pass in &view.ledger.passes()[self.passes..] {
            // By now its task has left the queue: the attempt is that of the event before.
            let queue = self.held.get(pass.robot.index());
            let Some(&(task, ballot)) = queue.and_then(|held| held.iter().find(|held| held.0 == pass.task)) else {
                return Err(format!("{} has done {}, which was not in its queue", pass.robot, pass.task));
            };
            if let Some(other) = self.done.insert((task, ballot), pass.robot) {
                return Err(format!("{} and {other} have both done {task} in attempt {ballot:?}", pass.robot));
            }
        }
        self.passes = view.ledger.passes().len();
        self.held.resize(view.machines.len(), Vec::new());
        for (held, machine) in self.held.iter_mut().zip(view.machines) {
            held.clear();
            held.extend(machine.held().iter().map(|held| (held.task, held.ballot)));
        }
        Ok(())
    }
}
