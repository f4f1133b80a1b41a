//! A vehicle can fly what is in its queue: it is never to be over two targets with less time between than the way takes.

use muster_core::tasking::{Held, Tasking};
use muster_core::{Check, Duration, RobotId, TaskId, Time};

use crate::sim::View;

/// Rounding of times to microseconds, and the protocol's own tolerance for being late.
const TOLERANCE: Duration = Duration::from_secs(2);

/// What a vehicle holds can be flown, one task after the other; and so can what it has agreed to, besides what it holds that is as
/// urgent. (What is less urgent stays in its queue until the vehicle is committed to the other: the plan may come to nothing.)
pub struct NobodyBookedTwice {
    /// The share of its speed that a vehicle is taken to fly at.
    pace: f64,
    /// By vehicle what it held, for when, and how urgent that was, when it was last looked at: ways are measured only when that
    /// changes. A strict group becomes the most urgent when it begins.
    seen: Vec<Vec<(TaskId, Time, u8)>>,
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
            let booked = || machine.held().iter().chain(machine.pledged());
            let looked_at = |held: &Held| (held.task, held.at, machine.urgency(held, view.now));
            if seen.iter().copied().eq(booked().map(looked_at)) {
                continue;
            }
            seen.clear();
            seen.extend(booked().map(looked_at));
            let speed_mps = body.speed_mps * self.pace;
            // A plan that is acknowledged task by task may be flown only as a whole.
            let rest_of_plans = machine.pledged().iter().filter(|agreed| {
                let held = || machine.held().iter();
                held().any(|held| (held.order, held.ballot) == (agreed.order, agreed.ballot))
                    && held().all(|held| held.task != agreed.task)
            });
            can_fly(body.id, speed_mps, machine.held().iter()).or_else(|why| {
                can_fly(body.id, speed_mps, machine.held().iter().chain(rest_of_plans)).map_err(|_| why)
            })?;
            let Some(urgent) = machine.pledged().iter().map(|held| held.priority).max() else { continue };
            let as_urgent = |held: &Held| machine.urgency(held, view.now) >= urgent;
            // A plan may be held in part and agreed to for the rest; and it may be within reach by way of what is less urgent.
            let of_plan = |held: &Held| {
                machine.pledged().iter().any(|other| (other.order, other.ballot) == (held.order, held.ballot))
            };
            let besides = |counts: &dyn Fn(&Held) -> bool| {
                let held = machine.held().iter().filter(|held| counts(held));
                can_fly(body.id, speed_mps, held.chain(machine.pledged()))
            };
            let flown = besides(&as_urgent);
            let flown = flown.or_else(|why| besides(&|held| as_urgent(held) || of_plan(held)).map_err(|_| why));
            flown.or_else(|why| besides(&|_| true).map_err(|_| why))?;
        }
        Ok(())
    }
}

/// The vehicle comes from each of these tasks to the next in time.
fn can_fly<'a>(robot: RobotId, speed_mps: f64, booked: impl Iterator<Item = &'a Held>) -> Result<(), String> {
    let mut queue: Vec<&Held> = booked.collect();
    queue.sort_by_key(|held| held.at);
    for (first, next) in queue.iter().zip(queue.iter().skip(1)) {
        let way_m = first.corridor.left_m(first.corridor.target) + next.corridor.distance_m(first.corridor.exit());
        let least = Duration::from_secs_f64(way_m / speed_mps);
        let given = next.at.since(first.at);
        if given + TOLERANCE < least {
            return Err(format!(
                "{robot} is to be over {} at {} and over {} at {}: {given} apart, the way takes {least}",
                first.task, first.at, next.task, next.at
            ));
        }
    }
    Ok(())
}
