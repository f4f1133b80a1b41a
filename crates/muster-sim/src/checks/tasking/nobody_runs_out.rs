//! Nobody runs out of endurance with a task that it has accepted, nor on its way to a base.

use muster_core::tasking::Tasking;
use muster_core::{Check, RobotId};

use crate::sim::View;

/// A vehicle bids for no more than it can fly, and is back at its base in time. One whose computer hung or was down meanwhile
/// may have lost the time that it had.
#[derive(Default)]
pub struct NobodyRunsOut {
    /// Robots whose computers have not run all the time.
    delayed: Vec<RobotId>,
    seen: usize,
}

impl Check<View<'_, Tasking>> for NobodyRunsOut {
    fn name(&self) -> &'static str {
        "nobody runs out of endurance"
    }

    fn look(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        for (at, robot) in &view.ledger.ran_out()[self.seen..] {
            let machine = &view.machines[robot.index()];
            let held: Vec<String> = machine.held().iter().map(|held| held.task.to_string()).collect();
            if !self.delayed.contains(robot) && (!held.is_empty() || machine.has_base()) {
                let held = if held.is_empty() { "nothing".to_owned() } else { held.join(", ") };
                return Err(format!("{robot} runs out of endurance at {at}, and holds {held}"));
            }
        }
        self.seen = view.ledger.ran_out().len();
        for body in view.bodies.iter().filter(|body| !view.attends(body.id)) {
            if !self.delayed.contains(&body.id) {
                self.delayed.push(body.id);
            }
        }
        Ok(())
    }
}
