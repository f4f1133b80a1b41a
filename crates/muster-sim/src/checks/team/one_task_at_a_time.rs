//! A robot has one body: it works at one task at a time.

use muster_core::{Check, Mechanism, RobotId};

use crate::sim::View;

/// No robot works at two tasks at once.
#[derive(Default)]
pub struct OneTaskAtATime {
    /// Who is at work at this moment; kept to save the allocation.
    at_work: Vec<RobotId>,
}

impl<M: Mechanism> Check<View<'_, M>> for OneTaskAtATime {
    fn name(&self) -> &'static str {
        "one task at a time"
    }

    fn look(&mut self, view: &View<'_, M>) -> Result<(), String> {
        self.at_work.clear();
        for record in view.ledger.records() {
            // Spells are in the order in which they began: one that goes on is among the last of its robots.
            let going_on = record.work.iter().rev().take(view.machines.len()).filter(|work| work.goes_on(view.now));
            self.at_work.extend(going_on.map(|work| work.robot));
        }
        self.at_work.sort_unstable();
        match self.at_work.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(format!("{} works at two tasks at once", pair[0])),
            None => Ok(()),
        }
    }
}
