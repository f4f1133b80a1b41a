//! Motivations are numbers from zero to the threshold of activation. [Parker §8.1]

use muster_core::alliance::Alliance;
use muster_core::{Check, TaskId};

use crate::sim::View;

/// Every motivation is a number that is not negative.
pub struct MotivationInBounds;

impl Check<View<'_, Alliance>> for MotivationInBounds {
    fn name(&self) -> &'static str {
        "motivation in bounds"
    }

    fn look(&mut self, view: &View<'_, Alliance>) -> Result<(), String> {
        for (machine, body) in view.machines.iter().zip(view.bodies) {
            for task in (0..view.ledger.records().len() as u32).map(TaskId) {
                if let Some(motivation) = machine.motivation(task)
                    && !(motivation.is_finite() && motivation >= 0.0)
                {
                    return Err(format!("the motivation of {} for {task} is {motivation}", body.id));
                }
            }
        }
        Ok(())
    }
}
