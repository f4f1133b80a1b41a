//! No order goes round in circles: two groups that take vehicles from each other for ever get nothing done, and each of them
//! looks busy.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use muster_core::tasking::{Ballot, Tasking};
use muster_core::{Check, Duration, TaskId, Time};

use crate::sim::View;

/// Attempts and bookings are counted over so long.
const WINDOW: Duration = Duration::from_secs(60);
/// How often attempts are counted: an auction takes longer than this.
const EVERY: Duration = Duration::from_secs(1);
/// Attempts at one order within a window. Bids are collected for 3 s, which leaves room for fewer than 20 auctions, even if none
/// of them waits before it tries again; and any vehicle may refuse a plan that was made at once from other bids.
const MOST_ATTEMPTS: u32 = 40;
/// Times that one task is booked anew within a window. Who holds a task gives it up only if it fails, for something that ranks
/// higher, or because it or the group was late.
const MOST_BOOKINGS: usize = 8;

/// Plans for one order that somebody has agreed to, in a whole mission. Orders at one instant want the same vehicles at first, and
/// plans are given back until each has its own; groups that went on taking vehicles from each other would come to more.
const MOST_PLANS: usize = 30;

/// There are no more attempts at an order, and no task is given from one vehicle to the next more often, than what happens to a
/// team accounts for.
pub struct NothingGoesRound {
    most_attempts: u32,
    most_bookings: usize,
    most_plans: usize,
    /// When attempts are counted next.
    next: Time,
    /// By order how many attempts there had been, for each count within the window.
    attempts: BTreeMap<TaskId, VecDeque<(Time, u32)>>,
    /// What each vehicle held after the last event.
    held: Vec<Vec<(TaskId, Ballot)>>,
    /// By task the attempts in which somebody came to hold it within the window, and when.
    booked: BTreeMap<TaskId, VecDeque<(Time, Ballot)>>,
    /// By order the attempts in which somebody agreed to do a task of it.
    agreed: BTreeMap<TaskId, BTreeSet<Ballot>>,
}

impl Default for NothingGoesRound {
    fn default() -> Self {
        Self::beyond(MOST_ATTEMPTS, MOST_BOOKINGS, MOST_PLANS)
    }
}

impl NothingGoesRound {
    /// More attempts or bookings than this within a window are too many, and more plans than this in a mission.
    pub fn beyond(most_attempts: u32, most_bookings: usize, most_plans: usize) -> Self {
        Self {
            most_attempts,
            most_bookings,
            most_plans,
            next: Time::ZERO,
            attempts: BTreeMap::new(),
            held: Vec::new(),
            booked: BTreeMap::new(),
            agreed: BTreeMap::new(),
        }
    }

    fn count_attempts(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        let mut now: BTreeMap<TaskId, u32> = BTreeMap::new();
        for order in view.machines.iter().flat_map(Tasking::orders) {
            let attempts = now.entry(order.group().first()).or_default();
            *attempts = order.attempts().max(*attempts);
        }
        for (order, attempts) in now {
            let counts = self.attempts.entry(order).or_default();
            counts.retain(|(at, _)| *at + WINDOW >= view.now);
            counts.push_back((view.now, attempts));
            let made = attempts.saturating_sub(counts[0].1);
            if made > self.most_attempts {
                return Err(format!("there were {made} attempts at {order} within {WINDOW}"));
            }
        }
        Ok(())
    }

    fn count_plans(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        for held in view.machines.iter().flat_map(Tasking::pledged) {
            let agreed = self.agreed.entry(held.order).or_default();
            if agreed.insert(held.ballot) && agreed.len() > self.most_plans {
                return Err(format!("{} plans for {} were agreed to", agreed.len(), held.order));
            }
        }
        Ok(())
    }

    fn count_bookings(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        self.held.resize(view.machines.len(), Vec::new());
        for (held, machine) in self.held.iter_mut().zip(view.machines) {
            let holds = || machine.held().iter().map(|held| (held.task, held.ballot));
            if held.iter().copied().eq(holds()) {
                continue;
            }
            for (task, ballot) in holds().filter(|it| !held.contains(it)) {
                let booked = self.booked.entry(task).or_default();
                booked.retain(|(at, other)| *at + WINDOW >= view.now && *other != ballot);
                booked.push_back((view.now, ballot));
                if booked.len() > self.most_bookings {
                    return Err(format!("{task} was given to somebody {} times within {WINDOW}", booked.len()));
                }
            }
            held.clear();
            held.extend(holds());
        }
        Ok(())
    }
}

impl Check<View<'_, Tasking>> for NothingGoesRound {
    fn name(&self) -> &'static str {
        "nothing goes round in circles"
    }

    fn look(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        self.count_plans(view)?;
        self.count_bookings(view)?;
        if view.now < self.next {
            return Ok(());
        }
        self.next = view.now + EVERY;
        self.count_attempts(view)
    }
}
