//! A vehicle can fly what is in its queue: it is never to be over two targets with less time between than the way takes.

use muster_core::tasking::Tasking;
use muster_core::{Check, Duration};

use crate::sim::View;

/// Rounding of times to microseconds, and the protocol's own tolerance for being late.
const TOLERANCE: Duration = Duration::from_secs(2);

/// What a vehicle has accepted can be flown, one task after the other.
pub struct NobodyBookedTwice;

impl Check<View<'_, Tasking>> for NobodyBookedTwice {
    fn name(&self) -> &'static str {
        "nobody is booked twice"
    }

    fn look(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        for (machine, body) in view.machines.iter().zip(view.bodies).filter(|(_, body)| view.attends(body.id)) {
            for pair in machine.held().windows(2) {
                let (first, next) = (&pair[0], &pair[1]);
                let way_m =
                    first.corridor.left_m(first.corridor.target) + next.corridor.distance_m(first.corridor.exit());
                let least = Duration::from_secs_f64(way_m / body.speed_mps);
                let given = next.at.since(first.at);
                if given + TOLERANCE < least {
                    return Err(format!(
                        "{} is to be over {} at {} and over {} at {}: {given} apart, the way takes {least}",
                        body.id, first.task, first.at, next.task, next.at
                    ));
                }
            }
        }
        Ok(())
    }
}
