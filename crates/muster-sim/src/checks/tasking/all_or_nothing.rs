//! A strict group is done as its couplings say, or not at all.

use std::sync::Arc;

use muster_core::tasking::Tasking;
use muster_core::tasking::group::Group;
use muster_core::{Check, TaskId};

use crate::sim::View;

/// Of a strict group all phases are done, with every coupling kept in time, or none is.
#[derive(Default)]
pub struct AllOrNothing {
    groups: Vec<Arc<Group>>,
}

impl Check<View<'_, Tasking>> for AllOrNothing {
    fn name(&self) -> &'static str {
        "all or nothing"
    }

    fn look(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        for order in view.machines.iter().flat_map(Tasking::orders) {
            let group = order.group();
            let known = self.groups.iter().any(|known| known.brief.task.id == group.brief.task.id);
            if group.strict && !known && !group.members.is_empty() {
                self.groups.push(group.clone());
            }
        }
        Ok(())
    }

    fn end(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        for group in &self.groups {
            let phase = |index: u8| TaskId(group.brief.task.id.0 + u32::from(index));
            let done = |index: u8| Some(view.ledger.record(phase(index))?.served?.0);
            let times: Vec<_> = (0..group.members.len() as u8).map(done).collect();
            if times.iter().all(Option::is_none) {
                continue;
            }
            if let Some(missing) = times.iter().position(Option::is_none) {
                return Err(format!("{} was never done, others of its strict group were", phase(missing as u8)));
            }
            for coupling in &group.couplings {
                let at = |index: u8| times[usize::from(index)].map_or(0, |at| at.as_micros() as i64);
                let apart = at(coupling.b) - at(coupling.a);
                let kept = coupling.dt_min.is_none_or(|least| least <= apart)
                    && coupling.dt_max.is_none_or(|most| apart <= most);
                if !kept {
                    return Err(format!(
                        "{} and {} of a strict group were done {:.3} s apart",
                        phase(coupling.a),
                        phase(coupling.b),
                        apart as f64 / 1e6
                    ));
                }
            }
        }
        Ok(())
    }
}
