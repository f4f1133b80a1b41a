//! Every task that came up is handed over, or done, when the mission ends: nobody was left waiting for ever.

use muster_core::{Check, Mechanism};

use crate::sim::View;

/// Nothing is left to do at the end.
pub struct EverythingHandedOver;

impl<M: Mechanism> Check<View<'_, M>> for EverythingHandedOver {
    fn name(&self) -> &'static str {
        "everything is handed over"
    }

    fn end(&mut self, view: &View<'_, M>) -> Result<(), String> {
        let open = view.ledger.records().iter().find(|record| record.seen.is_some() && record.is_left());
        match open {
            Some(record) => Err(format!("{} is nobody's at {}", record.task.id, view.now)),
            None => Ok(()),
        }
    }
}
