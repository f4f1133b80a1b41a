//! Flights one after the other: when each can be over its target, and how far they are.

use super::{Held, Queue};
use crate::robot::Point;
use crate::tasking::corridor::Corridor;
use crate::time::{Duration, Time};

/// A flight in a queue.
#[derive(Copy, Clone)]
pub(in crate::tasking) struct Flight {
    /// When it is over the target.
    pub(in crate::tasking) at: Time,
    /// When it may begin.
    pub(super) t0: Time,
    pub(in crate::tasking) corridor: Corridor,
    /// How late it may be.
    pub(in crate::tasking) late: Duration,
    /// How many loads it takes.
    pub(in crate::tasking) loads: u16,
    /// The body is on its way.
    pub(super) under_way: bool,
}

impl Flight {
    /// When a vehicle that is free at a place can be over the target at the earliest. The flight that it is on, if this is
    /// the next one, is taken to be on time: if it is not, that is found when it is overdue, and nothing else is to blame.
    pub(in crate::tasking) fn soonest(&self, (place, free_at): (Point, Time), speed_mps: f64, is_next: bool) -> Time {
        if self.under_way && is_next {
            // A vehicle that was late before, or may not set out yet, may be late here.
            return self.at.max(free_at.max(self.t0) + Duration::from_secs_f64(self.way_m(place, true) / speed_mps));
        }
        free_at.max(self.t0) + Duration::from_secs_f64(self.corridor.distance_m(place) / speed_mps)
    }

    /// Metres from a place to the target.
    pub(in crate::tasking) fn way_m(&self, place: Point, is_next: bool) -> f64 {
        match self.under_way && is_next {
            true => (self.corridor.left_m(place) - self.corridor.length_m).max(0.0),
            false => self.corridor.distance_m(place),
        }
    }

    /// Where and when a vehicle that is over the target then is free after it.
    pub(in crate::tasking) fn ends(&self, over: Time, speed_mps: f64) -> (Point, Time) {
        let exit = self.corridor.exit();
        let way_m = self.corridor.target.distance(exit);
        (exit, over + Duration::from_secs_f64(way_m / speed_mps))
    }
}

impl Queue {
    pub(super) fn flight(&self, held: &Held) -> Flight {
        let Held { task, at, t0, corridor, late, loads, .. } = *held;
        Flight { at, t0, corridor, late, loads, under_way: self.bound_for == Some(task) }
    }

    /// When the vehicle is over each of these targets at the earliest, one after the other.
    pub(super) fn soonest_each(&self, queue: &[Flight], start: (Point, Time), speed_mps: f64) -> Vec<Time> {
        let mut from = start;
        let each = queue.iter().enumerate().map(|(place, flight)| {
            let soonest = flight.soonest(from, speed_mps, place == 0);
            // Who is late for one is late for the next.
            from = flight.ends(soonest.max(flight.at), speed_mps);
            soonest
        });
        each.collect()
    }
}

/// The flight at this place in the queue, and all after it, are on time.
pub(super) fn on_time_from(place: usize, queue: &[Flight], soonest: &[Time]) -> bool {
    queue.iter().zip(soonest).skip(place).all(|(flight, soonest)| *soonest <= flight.at + flight.late)
}

/// Metres of these flights, one after the other, from a place.
pub(super) fn way_m(queue: &[Flight], mut from: Point) -> f64 {
    let mut way_m = 0.0;
    for (place, flight) in queue.iter().enumerate() {
        way_m += flight.way_m(from, place == 0) + flight.corridor.length_m;
        from = flight.corridor.exit();
    }
    way_m
}
