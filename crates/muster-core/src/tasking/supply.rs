//! What a vehicle has to fly with and where it gets more: time in the air, metres, loads, and its base. Ours: the paper
//! counts "remaining consumables" among what costs are made of, and says no more.
//!
//! A plan is a vehicle's queue, flown one task after the other, with reloads where they are needed. Nothing about reloads is
//! stored: that a plan is feasible is found anew from the queue, and so is where in it the vehicle is reloaded. After every
//! task of a plan the vehicle can get back to its base, so that a plan that is cut short is feasible, too.

use serde::{Deserialize, Serialize};

use super::config::{Config, Vehicle};
use super::cost::{Air, Berth};
use super::queue::{Flight, LATE};
use crate::robot::{Base, Point};
use crate::time::{Duration, Time};

/// A vehicle with nothing to do goes to its base when this share of its endurance is left. Ours: it keeps enough to be of use
/// until then, and for a way back across its field.
pub(super) const LOW: f64 = 0.25;

/// Whether a vehicle is in the air.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Aloft {
    /// On the ground at its base, reloaded.
    Landed,
    /// It took off then, or will.
    Since(Time),
}

/// What a vehicle has used up since it was full, and since when it is in the air.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Used {
    pub(super) flown_m: f64,
    pub(super) loads: u16,
    /// `None`: it does not count, or the vehicle has not started yet.
    pub(super) aloft: Option<Aloft>,
}

/// Where, when and with what a vehicle is free.
#[derive(Copy, Clone, Debug)]
pub(super) struct Stand {
    pub(super) place: Point,
    pub(super) free_at: Time,
    pub(super) aloft: Aloft,
    /// Metres that it can still go.
    pub(super) left_m: f64,
    /// Loads that it still has.
    pub(super) loads: u16,
}

/// How far a vehicle gets with what it has.
pub(super) struct Supplies<'a> {
    config: &'a Config,
    vehicle: &'a Vehicle,
    speed_mps: f64,
}

impl<'a> Supplies<'a> {
    /// `None` for a vehicle whose time in the air does not count and that has no base: its queue is not limited by more than
    /// metres and loads.
    pub(super) fn of(config: &'a Config, vehicle: &'a Vehicle, speed_mps: f64) -> Option<Self> {
        vehicle.is_supplied().then_some(Self { config, vehicle, speed_mps })
    }

    pub(super) fn takes(&self, way_m: f64) -> Duration {
        Duration::from_secs_f64(way_m / self.speed_mps)
    }

    /// Time in the air that is kept back: a vehicle gives a task back when it is late by twice the tolerance, and may be
    /// anywhere in the corridor before its target then.
    pub(super) fn reserve(&self) -> Duration {
        self.config.tolerance + self.config.tolerance + self.takes(self.config.corridor_m)
    }

    /// Metres from a place to its base; none without one.
    pub(super) fn home_m(&self, from: Point) -> f64 {
        self.vehicle.base.map_or(0.0, |base| from.distance(base.place))
    }

    /// When a vehicle that is in the air has to be down.
    pub(super) fn down(&self, aloft: Aloft) -> Time {
        match (self.vehicle.endurance, aloft) {
            (Some(endurance), Aloft::Since(since)) => since + endurance,
            _ => Time::NEVER,
        }
    }

    /// When a vehicle that is at a place has to leave for its base at the latest.
    pub(super) fn leaves(&self, place: Point, aloft: Aloft) -> Time {
        let way = self.takes(self.home_m(place)) + self.reserve();
        match self.down(aloft) {
            Time::NEVER => Time::NEVER,
            down => Time::from_micros(down.as_micros().saturating_sub(way.as_micros())),
        }
    }

    /// The vehicle goes to its base, is reloaded and ready again; `None` if it has none, or is full, or does not get there.
    pub(super) fn reloaded(&self, stand: &Stand) -> Option<Stand> {
        let Base { place, reload } = self.vehicle.base.filter(|_| stand.aloft != Aloft::Landed)?;
        let arrives = stand.free_at + self.takes(stand.place.distance(place));
        (arrives <= self.down(stand.aloft)).then(|| self.full(place, arrives + reload))
    }

    /// A vehicle that has been reloaded.
    pub(super) fn full(&self, place: Point, free_at: Time) -> Stand {
        let left_m = self.vehicle.endurance_m.unwrap_or(f64::INFINITY);
        Stand { place, free_at, aloft: Aloft::Landed, left_m, loads: self.vehicle.loads }
    }

    /// The vehicle flies over a target; `None` if it cannot be there in time, or could not get to its base from there.
    fn flown(&self, stand: &Stand, flight: &Flight, is_next: bool) -> Option<Stand> {
        let free = (stand.place, stand.free_at);
        let late = if stand.aloft == Aloft::Landed { LATE } else { flight.late };
        let over = flight.soonest(free, self.speed_mps, is_next);
        if over > flight.at + late || flight.loads > stand.loads {
            return None;
        }
        let (in_m, out_m) = (flight.way_m(stand.place, is_next), flight.corridor.radius());
        let (exit, free_at) = flight.ends(over.max(flight.at), self.speed_mps);
        let left_m = stand.left_m - in_m - out_m;
        if left_m + 1e-3 < self.home_m(exit) {
            return None;
        }
        let aloft = match stand.aloft {
            Aloft::Landed => Aloft::Since(self.takes_off(flight.at, in_m)),
            since => since,
        };
        if free_at + self.takes(self.home_m(exit)) + self.reserve() > self.down(aloft).after(LATE) {
            return None;
        }
        Some(Stand { place: exit, free_at, aloft, left_m, loads: stand.loads - flight.loads })
    }

    /// When a vehicle takes off that is on the ground: as late as it can be.
    pub(super) fn takes_off(&self, at: Time, way_m: f64) -> Time {
        Time::from_micros(at.as_micros().saturating_sub(self.takes(way_m).as_micros()))
    }

    /// Before which of these flights the vehicle is reloaded, if it can fly them all: only where it could not otherwise.
    pub(super) fn plan(&self, flights: &[Flight], start: Stand) -> Option<Vec<bool>> {
        let mut stand = start;
        let mut reloads = Vec::with_capacity(flights.len());
        for (place, flight) in flights.iter().enumerate() {
            let rest = &flights[place + 1..];
            let straight = self.flown(&stand, flight, place == 0).filter(|then| self.suffices(rest, *then));
            reloads.push(straight.is_none());
            stand = match straight {
                Some(then) => then,
                None => self.flown(&self.reloaded(&stand)?, flight, false)?,
            };
        }
        Some(reloads)
    }

    /// The vehicle can fly all of these from `stand`. Who is reloaded has everything that one who is not has, and more: so it
    /// can if it can by being reloaded whenever there is time.
    fn suffices(&self, flights: &[Flight], mut stand: Stand) -> bool {
        flights.iter().all(|flight| {
            let reloaded = self.reloaded(&stand).and_then(|stand| self.flown(&stand, flight, false));
            let then = reloaded.or_else(|| self.flown(&stand, flight, false));
            stand = then.unwrap_or(stand);
            then.is_some()
        })
    }

    /// Where there is room for one flight more among these; nowhere if they cannot all be flown. What is not planned yet begins at
    /// `t0`: a vehicle goes to its base for it no sooner.
    pub(super) fn berths(&self, flights: &[Flight], start: Stand, t0: Time) -> Vec<Berth> {
        let Some(reloads) = self.plan(flights, start) else { return Vec::new() };
        let mut berths = Vec::with_capacity(2 * flights.len() + 2);
        let mut stand = start;
        // The first berth since the vehicle is reloaded.
        let mut sortie = 0;
        for (next, (flight, reloads)) in flights.iter().zip(reloads).enumerate() {
            berths.push(self.berth(next, &stand, reloads));
            if reloads {
                self.close(&mut berths[sortie..], &stand);
                sortie = berths.len();
                let Some(full) = self.reloaded(&stand) else { return Vec::new() };
                stand = full;
                berths.push(self.berth(next, &stand, false));
            }
            let Some(then) = self.flown(&stand, flight, next == 0 && !reloads) else { return Vec::new() };
            stand = then;
        }
        berths.push(self.berth(flights.len(), &stand, false));
        self.close(&mut berths[sortie..], &stand);
        if let Some(full) = self.reloaded(&Stand { free_at: stand.free_at.max(t0), ..stand }) {
            let mut after = self.berth(flights.len(), &full, false);
            after.reload_m = Some(self.home_m(stand.place));
            self.close(std::slice::from_mut(&mut after), &full);
            berths.push(after);
        }
        berths
    }

    fn berth(&self, next: usize, stand: &Stand, then_reloads: bool) -> Berth {
        let Stand { place, free_at, aloft, left_m, loads } = *stand;
        let air = if aloft == Aloft::Landed { Air::Ground(Time::ZERO) } else { Air::Until(self.down(aloft)) };
        Berth { next, place, free_at, reload_m: None, then_reloads, left_m, room_m: 0.0, loads, air }
    }

    /// What these berths have in common, which lie between two reloads: the vehicle is at `last` when all is flown.
    fn close(&self, berths: &mut [Berth], last: &Stand) {
        let home_m = self.home_m(last.place);
        let end = last.free_at + self.takes(home_m) + self.reserve();
        let many = berths.len();
        for (number, berth) in berths.iter_mut().enumerate() {
            berth.room_m = last.left_m - home_m;
            berth.loads = last.loads;
            if let Air::Ground(after) = &mut berth.air
                && number + 1 < many
            {
                *after = end;
            }
        }
    }
}
