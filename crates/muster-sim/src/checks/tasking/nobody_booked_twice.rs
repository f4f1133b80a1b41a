//! A vehicle can fly what is in its queue: it is never to be over two targets with less time between than the way takes.

use muster_core::tasking::{Held, Tasking};
use muster_core::{Body, Check, Duration, TaskId, Time};

use crate::sim::View;

/// Rounding of times to microseconds, and the protocol's own tolerance for being late.
const TOLERANCE: Duration = Duration::from_secs(2);

/// What a vehicle has accepted can be flown, one task after the other.
#[derive(Default)]
pub struct NobodyBookedTwice {
    /// By vehicle what it held, and when, when it was last looked at: ways are measured only when that changes.
    seen: Vec<Vec<(TaskId, Time)>>,
}

impl Check<View<'_, Tasking>> for NobodyBookedTwice {
    fn name(&self) -> &'static str {
        "nobody is booked twice"
    }

    fn look(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        self.seen.resize(view.machines.len(), Vec::new());
        let team = view.machines.iter().zip(view.bodies).zip(&mut self.seen);
        for ((machine, body), seen) in team.filter(|((_, body), _)| view.attends(body.id)) {
            let held = || machine.held().iter().map(|held| (held.task, held.at));
            if seen.iter().copied().eq(held()) {
                continue;
            }
            seen.clear();
            seen.extend(held());
            for pair in machine.held().windows(2) {
                can_fly(body, &pair[0], &pair[1])?;
            }
        }
        Ok(())
    }
}

/// The vehicle comes from one task to the next in time.
fn can_fly(body: &Body, first: &Held, next: &Held) -> Result<(), String> {
    let way_m = first.corridor.left_m(first.corridor.target) + next.corridor.distance_m(first.corridor.exit());
    let least = Duration::from_secs_f64(way_m / body.speed_mps);
    let given = next.at.since(first.at);
    if given + TOLERANCE < least {
        return Err(format!(
            "{} is to be over {} at {} and over {} at {}: {given} apart, the way takes {least}",
            body.id, first.task, first.at, next.task, next.at
        ));
    }
    Ok(())
}
