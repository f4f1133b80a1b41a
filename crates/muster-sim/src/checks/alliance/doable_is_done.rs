//! What some robot that is up can do gets done: nobody is stuck for ever at something else. [Parker §8.5]

use muster_core::alliance::Alliance;
use muster_core::{Check, Duration, RobotId, TaskId};

use crate::labour::Labour;
use crate::sim::View;

/// Every task that a robot can do within a tenth of the mission's time is done when the mission ends.
pub struct DoableIsDone {
    doable: Vec<Vec<RobotId>>,
}

impl DoableIsDone {
    /// For a mission whose tasks take as `labour` says, and which lasts for `limit` at most.
    pub fn new(labour: &Labour, limit: Duration) -> Self {
        let quick = limit.stretched(0.1);
        let able = |times: &Vec<Option<Duration>>| {
            let within = |(index, time): (usize, &Option<Duration>)| {
                time.is_some_and(|time| time <= quick).then_some(RobotId(index as u32))
            };
            times.iter().enumerate().filter_map(within).collect()
        };
        Self { doable: labour.times.iter().map(able).collect() }
    }
}

impl Check<View<'_, Alliance>> for DoableIsDone {
    fn name(&self) -> &'static str {
        "what can be done is done"
    }

    fn end(&mut self, view: &View<'_, Alliance>) -> Result<(), String> {
        for (index, able) in self.doable.iter().enumerate() {
            let task = TaskId(index as u32);
            let Some(record) = view.ledger.record(task) else { continue };
            let open = record.seen.is_some() && record.is_left();
            if let Some(robot) = able.iter().find(|robot| open && view.attends(**robot)) {
                return Err(format!("{task} is not done at {}, although {robot} could do it", view.now));
            }
        }
        Ok(())
    }
}
