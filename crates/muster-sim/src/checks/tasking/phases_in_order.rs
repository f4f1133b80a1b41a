//! A phase is not flown before those that come before it: an assessment before the drop assesses nothing.

use muster_core::Check;
use muster_core::tasking::Tasking;

use super::flown::Flown;
use crate::sim::View;

/// No phase of a group is flown before a phase that has to precede it. That what precedes it is fresh is not promised: a vehicle
/// crosses as planned, and a LEAD that has given up what ties the phases together gives that up, too.
#[derive(Default)]
pub struct PhasesInOrder {
    flown: Flown,
}

impl Check<View<'_, Tasking>> for PhasesInOrder {
    fn name(&self) -> &'static str {
        "phases in order"
    }

    fn look(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        for pass in self.flown.new_passes(view) {
            let Some((group, index)) = self.flown.group_of(pass.task) else {
                return Err(format!("{} flew over {}, of which nobody knows the group", pass.robot, pass.task));
            };
            for earlier in group.before(index).iter().map(|before| group.task(before)) {
                // One that is flown at the same instant is not flown before it.
                let served = view.ledger.record(earlier).and_then(|record| record.served);
                if served.is_none_or(|(at, _)| at >= pass.at) {
                    return Err(format!("{} flew over {} before {earlier} was done", pass.robot, pass.task));
                }
            }
        }
        Ok(())
    }
}
