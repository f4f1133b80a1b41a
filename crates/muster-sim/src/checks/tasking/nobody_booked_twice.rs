//! A vehicle can fly what is in its queue: it is never to be over two targets with less time between than the way takes.

use muster_core::tasking::{Held, Tasking};
use muster_core::{Check, Duration, RobotId, TaskId, Time};

use crate::sim::View;

/// Rounding of times to microseconds, and the protocol's own tolerance for being late.
const TOLERANCE: Duration = Duration::from_secs(2);

/// What a vehicle holds can be flown, one task after the other. (What it has accepted and is not committed to yet may be given
/// back for something that ranks higher: the vehicle itself says which goes with what, and a check that said so again would be a
/// second implementation of its agenda.)
pub struct NobodyBookedTwice {
    /// The share of its speed that a vehicle is taken to fly at.
    pace: f64,
    /// By vehicle what it held, and for when, when it was last looked at: ways are measured only when that changes.
    seen: Vec<Vec<(TaskId, Time)>>,
}

impl Default for NobodyBookedTwice {
    fn default() -> Self {
        Self::at_pace(1.0)
    }
}

impl NobodyBookedTwice {
    /// The same for vehicles that would fly at so many times their speed.
    pub fn at_pace(pace: f64) -> Self {
        Self { pace, seen: Vec::new() }
    }
}

impl Check<View<'_, Tasking>> for NobodyBookedTwice {
    fn name(&self) -> &'static str {
        "nobody is booked twice"
    }

    fn look(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        self.seen.resize(view.machines.len(), Vec::new());
        let team = view.machines.iter().zip(view.bodies).zip(&mut self.seen);
        for ((machine, body), seen) in team.filter(|((_, body), _)| view.attends(body.id)) {
            let booked = || machine.held().iter().map(|held| (held.task, held.at));
            if seen.iter().copied().eq(booked()) {
                continue;
            }
            seen.clear();
            seen.extend(booked());
            for pair in machine.held().windows(2) {
                can_fly(body.id, body.speed_mps * self.pace, &pair[0], &pair[1])?;
            }
        }
        Ok(())
    }
}

/// The vehicle comes from one task to the next in time.
fn can_fly(robot: RobotId, speed_mps: f64, first: &Held, next: &Held) -> Result<(), String> {
    let way_m = first.corridor.left_m(first.corridor.target) + next.corridor.distance_m(first.corridor.exit());
    let least = Duration::from_secs_f64(way_m / speed_mps);
    let given = next.at.since(first.at);
    if given + TOLERANCE < least {
        return Err(format!(
            "{robot} is to be over {} at {} and over {} at {}: {given} apart, the way takes {least}",
            first.task, first.at, next.task, next.at
        ));
    }
    Ok(())
}
