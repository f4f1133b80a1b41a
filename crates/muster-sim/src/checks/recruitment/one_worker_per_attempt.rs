//! Never two robots at work for one call, whatever is lost, doubled or late.

use muster_core::Check;
use muster_core::recruitment::{Recruitment, Responding};

use crate::sim::View;

/// Never two robots at work for one call.
pub struct OneWorkerPerAttempt;

impl Check<View<'_, Recruitment>> for OneWorkerPerAttempt {
    fn name(&self) -> &'static str {
        "one worker per attempt"
    }

    fn look(&mut self, view: &View<'_, Recruitment>) -> Result<(), String> {
        let at_work = || {
            view.machines.iter().zip(view.bodies).filter_map(|(machine, body)| match machine.responding() {
                Responding::Working { request, until, .. } if view.now < *until && view.is_up(body.id) => {
                    Some((body.id, *request))
                }
                _ => None,
            })
        };
        for (index, (robot, request)) in at_work().enumerate() {
            if let Some((other, _)) = at_work().skip(index + 1).find(|(_, same)| *same == request) {
                return Err(format!("{robot} and {other} both work for {request:?}"));
            }
        }
        Ok(())
    }
}
