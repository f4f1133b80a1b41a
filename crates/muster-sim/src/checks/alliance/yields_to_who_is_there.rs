//! Who is at work goes on until the robot that takes over has got there: meanwhile somebody works. [Parker §8.7]

use muster_core::alliance::{Alliance, Doing};
use muster_core::{Check, RobotId, TaskId};

use crate::sim::View;

/// A robot that is up leaves unfinished work only if another one has arrived at it.
#[derive(Default)]
pub struct YieldsToWhoIsThere {
    /// Who was at work at which task after the last event.
    at_work: Vec<(RobotId, TaskId)>,
}

/// A robot that has arrived is as near as this.
const THERE_M: f64 = 1.0;

impl Check<View<'_, Alliance>> for YieldsToWhoIsThere {
    fn name(&self) -> &'static str {
        "yields to who is there"
    }

    fn look(&mut self, view: &View<'_, Alliance>) -> Result<(), String> {
        for &(robot, task) in &self.at_work {
            let Some(record) = view.ledger.record(task) else { continue };
            let is_at_it = |robot| record.work.iter().any(|work| work.robot == robot && work.goes_on(view.now));
            let left = record.is_open() && view.attends(robot) && !is_at_it(robot);
            if !left {
                continue;
            }
            // Left alone by its own decision to give up is another matter: somebody must have claimed it.
            let claims = |machine: &Alliance| matches!(machine.doing(), Doing::Active { task: at, .. } if at == task);
            let heirs = || view.bodies.iter().zip(view.machines).filter(|(body, it)| body.id != robot && claims(it));
            let there = |body: &muster_core::Body| body.place(view.now).distance(record.task.place) <= THERE_M;
            if heirs().count() > 0 && !heirs().any(|(body, _)| there(body)) {
                let heir = heirs().map(|(body, _)| body.id.to_string()).collect::<Vec<_>>().join(", ");
                return Err(format!("{robot} left {task} at {} to {heir}, which is not there yet", view.now));
            }
        }
        self.at_work.clear();
        for record in view.ledger.records() {
            let going_on = record.work.iter().filter(|work| work.goes_on(view.now));
            self.at_work.extend(going_on.map(|work| (work.robot, record.task.id)));
        }
        Ok(())
    }
}
