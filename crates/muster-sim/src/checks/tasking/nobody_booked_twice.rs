//! A vehicle can fly what is in its queue: it is never to be over two targets with less time between than the way takes.

use std::cmp::Reverse;

use muster_core::tasking::{Held, Tasking};
use muster_core::{Check, Duration, RobotId, TaskId, Time};

use crate::sim::View;

/// Rounding of times to microseconds, and the protocol's own tolerance for being late.
const TOLERANCE: Duration = Duration::from_secs(2);

/// What a vehicle holds can be flown, one task after the other; and so can what it accepts, when it accepts it, besides what
/// that must not get in the way of: what the vehicle holds that is as urgent, and what it has accepted that ranks higher. What
/// ranks lower is dropped, or given back. What it has accepted and is not committed to yet may be in the way of something later
/// on, when what lay between has been given back: that is found when it is committed to it.
pub struct NobodyBookedTwice {
    /// The share of its speed that a vehicle is taken to fly at.
    pace: f64,
    /// By vehicle what it held and had accepted, and when, when it was last looked at: ways are measured only when that
    /// changes.
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
            let booked = || machine.held().iter().chain(machine.pledged()).map(|held| (held.task, held.at));
            if seen.iter().copied().eq(booked()) {
                continue;
            }
            let before = std::mem::take(seen);
            seen.extend(booked());
            let speed_mps = body.speed_mps * self.pace;
            for pair in machine.held().windows(2) {
                can_fly(body.id, speed_mps, &pair[0], &pair[1])?;
            }
            let is_new = |held: &&Held| !before.contains(&(held.task, held.at));
            for accepted in machine.pledged().iter().filter(is_new) {
                goes_with_what_is_above(body.id, speed_mps, accepted, machine, view.now)?;
            }
        }
        Ok(())
    }
}

/// What a vehicle accepts of an order goes with what it was not to get in the way of then. What of that does not go with
/// something above it is as good as gone, and nobody counts on it; another plan for the same order takes the place of the one
/// before; and one that has gone round is where nobody could know when this was accepted.
fn goes_with_what_is_above(
    robot: RobotId,
    speed_mps: f64,
    accepted: &Held,
    machine: &Tasking,
    now: Time,
) -> Result<(), String> {
    let rank = |held: &Held| (held.priority, Reverse(held.order));
    let begun = |held: &Held| held.begins.is_some_and(|begins| begins <= now);
    let urgency = |held: &Held| if begun(held) { u8::MAX } else { held.priority };
    let held = machine.held().iter().filter(|held| urgency(held) >= accepted.priority);
    let held = held.filter(|held| held.order != accepted.order && held.at == held.planned);
    let pledged = machine.pledged().iter().filter(|it| rank(it) > rank(accepted));
    let mut above: Vec<&Held> = held.chain(pledged).collect();
    above.sort_by_key(|held| Reverse(urgency(held)));
    let mut kept: Vec<&Held> = Vec::new();
    // One may be within reach only by way of another: what did not fit is tried again, as the vehicle itself does.
    loop {
        let tried = above.len();
        above.retain(|one| {
            let all = with(&kept, &[one]);
            let fits = all.windows(2).all(|pair| can_fly(robot, speed_mps, pair[0], pair[1]).is_ok());
            if fits {
                kept = all;
            }
            !fits
        });
        if above.is_empty() || above.len() == tried {
            break;
        }
    }
    // Tasks of one order are accepted together.
    let own: Vec<&Held> = machine.pledged().iter().filter(|it| it.order == accepted.order).collect();
    let all = with(&kept, &own);
    all.windows(2).try_for_each(|pair| can_fly(robot, speed_mps, pair[0], pair[1]))
}

/// These and those, by time.
fn with<'a>(these: &[&'a Held], those: &[&'a Held]) -> Vec<&'a Held> {
    let mut all = [these, those].concat();
    all.sort_by_key(|held| held.at);
    all
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
