//! A task counts as handed over, or done, only by a robot that did begin to work at it.

use muster_core::{Check, Mechanism};

use crate::sim::View;

/// A task is handed over only to a robot that has begun to work at it.
pub struct HandedOverToAWorker;

impl<M: Mechanism> Check<View<'_, M>> for HandedOverToAWorker {
    fn name(&self) -> &'static str {
        "handed over to a worker"
    }

    fn look(&mut self, view: &View<'_, M>) -> Result<(), String> {
        for record in view.ledger.records() {
            if let Some((at, to)) = record.served
                && !record.work.iter().any(|work| work.robot == to && work.from <= at)
            {
                return Err(format!("{} was handed over to {to} at {at}, which never worked at it", record.task.id));
            }
        }
        Ok(())
    }
}
