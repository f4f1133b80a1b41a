//! A phase is not flown before those that come before it: an assessment before the drop assesses nothing.

use std::sync::Arc;

use muster_core::tasking::Tasking;
use muster_core::tasking::group::Group;
use muster_core::{Check, TaskId};

use crate::sim::View;

/// No phase of a group is flown before a phase that has to precede it.
#[derive(Default)]
pub struct PhasesInOrder {
    groups: Vec<Arc<Group>>,
    passes: usize,
}

impl PhasesInOrder {
    /// Remembers groups while somebody knows them: a node forgets what is over.
    fn learn(&mut self, machines: &[Tasking]) {
        for order in machines.iter().flat_map(Tasking::orders) {
            let group = order.group();
            let known = self.groups.iter().any(|known| known.brief.task.id == group.brief.task.id);
            if !known && !group.couplings.is_empty() {
                self.groups.push(group.clone());
            }
        }
    }
}

impl Check<View<'_, Tasking>> for PhasesInOrder {
    fn name(&self) -> &'static str {
        "phases in order"
    }

    fn look(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        let new = &view.ledger.passes()[self.passes..];
        if new.is_empty() {
            self.learn(view.machines);
            return Ok(());
        }
        self.passes = view.ledger.passes().len();
        for pass in new {
            for group in &self.groups {
                let first = group.brief.task.id.0;
                let before = group.couplings.iter().filter(|it| it.dt_min.is_some_and(|least| least > 0));
                for coupling in before.filter(|it| first + u32::from(it.b) == pass.task.0) {
                    let earlier = TaskId(first + u32::from(coupling.a));
                    if view.ledger.record(earlier).is_some_and(|record| record.served.is_none()) {
                        return Err(format!("{} flew over {} before {earlier} was done", pass.robot, pass.task));
                    }
                }
            }
        }
        Ok(())
    }
}
