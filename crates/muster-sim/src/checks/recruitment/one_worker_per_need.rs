//! With `Config::safe()`: never two robots at work at one task, judged by the task, not by the call.

use muster_core::Check;
use muster_core::recruitment::Recruitment;

use crate::sim::View;

/// Never two robots at work at one task.
pub struct OneWorkerPerNeed;

impl Check<View<'_, Recruitment>> for OneWorkerPerNeed {
    fn name(&self) -> &'static str {
        "one worker per need"
    }

    fn look(&mut self, view: &View<'_, Recruitment>) -> Result<(), String> {
        if view.ledger.overlaps() == 0 {
            return Ok(());
        }
        let crowded = view.ledger.records().iter().find_map(|record| {
            let (last, earlier) = record.work.split_last()?;
            let first = earlier.iter().find(|work| work.robot != last.robot && work.until > last.from)?;
            Some(format!("{} began at {} while {} worked until {}", last.robot, last.from, first.robot, first.until))
        });
        Err(crowded.unwrap_or_else(|| "two robots worked at one task".to_owned()))
    }
}
