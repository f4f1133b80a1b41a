//! Guests that do as a log says: a scenario that somebody wrote, or a record of a live reception. [CARS, Future Work]

use std::sync::Arc;

use muster_core::{Duration, Time};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Place;
use super::grid::Grid;
use super::place::Spot;
use super::walkers::{units_in, velocity};

/// What guests do, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "(Vec<Place>, Vec<Entry>)", into = "(Vec<Place>, Vec<Entry>)")]
pub struct GuestLog {
    starts: Vec<Place>,
    entries: Vec<Entry>,
}

/// From `at` on, `guest` does this, until its next entry.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The instant, since the beginning, from which on it does so.
    pub at: Time,
    /// Which guest, by its place in the list of starts.
    pub guest: u32,
    /// What it was seen to do.
    pub does: Deed,
}

/// What a guest was seen to do.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Deed {
    /// It is there, and stands. If that is blocked it stays, and tries again every tick.
    IsAt(Place),
    /// It walks on from where it is. What it could not walk because it was blocked is not made up for.
    Walks {
        /// Radians, 0 = east, counter-clockwise.
        heading: f64,
        /// Feet per second.
        speed_fps: f64,
    },
}

/// Why a log cannot be followed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LogError {
    /// An entry of nobody.
    #[error("entry {entry} of the log is about guest {guest}, but there are {guests}, counted from 0")]
    UnknownGuest {
        /// Which entry, counted from 0.
        entry: usize,
        /// The number that no guest has.
        guest: u32,
        /// How many there are.
        guests: usize,
    },
    /// An entry that is older than the one before.
    #[error("entry {entry} of the log is of {at}, before the entry ahead of it: sort entries by time")]
    OutOfOrder {
        /// Which entry, counted from 0.
        entry: usize,
        /// Its time.
        at: Time,
    },
    /// A place, heading or speed that is none.
    #[error("entry {entry} of the log has no usable numbers ({does:?}): they have to be finite, speeds not negative")]
    NoNumber {
        /// Which entry, counted from 0.
        entry: usize,
        /// What it says.
        does: Deed,
    },
}

impl GuestLog {
    /// As many guests as `starts`, each at its place at first; entries in order of time.
    pub fn new(starts: Vec<Place>, entries: Vec<Entry>) -> Result<Self, LogError> {
        let mut last = Time::ZERO;
        for (index, &Entry { at, guest, does }) in entries.iter().enumerate() {
            if guest as usize >= starts.len() {
                return Err(LogError::UnknownGuest { entry: index, guest, guests: starts.len() });
            }
            if at < last {
                return Err(LogError::OutOfOrder { entry: index, at });
            }
            let usable = match does {
                Deed::IsAt(place) => Spot::nearest(place).is_some(),
                Deed::Walks { heading, speed_fps } => heading.is_finite() && speed_fps.is_finite() && speed_fps >= 0.0,
            };
            if !usable {
                return Err(LogError::NoNumber { entry: index, does });
            }
            last = at;
        }
        Ok(Self { starts, entries })
    }

    /// Where guests are at first.
    pub fn starts(&self) -> &[Place] {
        &self.starts
    }

    /// What they do, in order of time.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

impl TryFrom<(Vec<Place>, Vec<Entry>)> for GuestLog {
    type Error = LogError;

    fn try_from((starts, entries): (Vec<Place>, Vec<Entry>)) -> Result<Self, LogError> {
        Self::new(starts, entries)
    }
}

impl From<GuestLog> for (Vec<Place>, Vec<Entry>) {
    fn from(log: GuestLog) -> Self {
        (log.starts, log.entries)
    }
}

/// A guest and what the log last said of it.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Follower {
    pub at: Spot,
    pub velocity_fps: [f32; 2],
    /// Where it ought to be, until it gets there or does something else.
    goal: Option<Spot>,
    /// How far it has walked in this tick, in units of spots, and until when that is reckoned.
    walked: [f32; 2],
    reckoned: Time,
}

/// All of them, and how far the log is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Followers {
    log: Arc<GuestLog>,
    read: usize,
    pub guests: Vec<Follower>,
}

impl Followers {
    pub fn new(log: GuestLog, spots: Vec<Spot>) -> Self {
        let guest = |at| Follower { at, velocity_fps: [0.0; 2], goal: None, walked: [0.0; 2], reckoned: Time::ZERO };
        Self { log: Arc::new(log), read: 0, guests: spots.into_iter().map(guest).collect() }
    }

    /// Each guest wants to be where the log has it at the end of the tick, entries within the tick included.
    pub fn tick(&mut self, grid: &mut Grid, now: Time, dt: Duration) {
        let end = now + dt;
        while let Some(entry) = self.log.entries.get(self.read).filter(|entry| entry.at <= end) {
            // The log knows of no others, unless somebody meddled with what was saved.
            if let Some(guest) = self.guests.get_mut(entry.guest as usize) {
                guest.follow(entry);
            }
            self.read += 1;
        }
        for guest in &mut self.guests {
            guest.walk_until(end);
            let to = guest.goal.unwrap_or(guest.at).moved(guest.walked);
            let advanced = grid.advance(&mut guest.at, to).is_ok();
            if advanced || guest.velocity_fps != [0.0; 2] {
                guest.goal = None;
            }
            guest.walked = [0.0; 2];
        }
    }
}

impl Follower {
    fn walk_until(&mut self, time: Time) {
        let scale = units_in(time - self.reckoned);
        for (walked, fps) in self.walked.iter_mut().zip(self.velocity_fps) {
            *walked += fps * scale;
        }
        self.reckoned = time;
    }

    fn follow(&mut self, entry: &Entry) {
        self.walk_until(entry.at);
        match entry.does {
            Deed::IsAt(place) => {
                self.goal = Spot::nearest(place);
                (self.walked, self.velocity_fps) = ([0.0; 2], [0.0; 2]);
            }
            Deed::Walks { heading, speed_fps } => self.velocity_fps = velocity(heading, speed_fps),
        }
    }
}
