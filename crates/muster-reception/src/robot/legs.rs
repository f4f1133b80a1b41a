//! How robots get about: straight on, and around what is in the way.

use serde::{Deserialize, Serialize};

use crate::robot::Place;
use muster_core::rng::Stream;
use muster_core::time::Time;

/// Ticks that a sidestep is kept for. Ours, as are the angles.
const SIDESTEP_TICKS: u32 = 2;
const LEAST_DEG: f64 = 30.0;
const MOST_DEG: f64 = 45.0;
const MORE_DEG: f64 = 22.0;

/// Where a robot is, and how it moves. "CARS specifically leaves it up to robots themselves to determine what action to
/// take" when they are not advanced; this is what ours do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Legs {
    start: Option<Place>,
    place: Place,
    at: Time,
    speed_fps: f64,
    direction: f64,
    /// It goes no further than this.
    goal: Option<Place>,
    blocked: bool,
    /// How often in a row something was in the way.
    refusals: u32,
    sidestep: u32,
}

impl Legs {
    /// The place where it was put at the beginning.
    pub fn start(&self) -> Place {
        self.start.unwrap_or_default()
    }

    /// Its place now.
    pub fn place(&self) -> Place {
        self.place
    }

    /// How fast it means to go, in feet per second.
    pub fn speed_fps(&self) -> f64 {
        self.speed_fps
    }

    /// In which direction, in radians.
    pub fn direction(&self) -> f64 {
        self.direction
    }

    /// It wanted to move, and was not advanced.
    pub fn blocked(&self) -> bool {
        self.blocked
    }

    /// Where it wants to be at a time.
    pub fn project(&self, at: Time) -> Place {
        let step = self.speed_fps * at.since(self.at).as_secs_f64();
        match self.goal {
            Some(goal) if self.sidestep == 0 && self.place.distance_ft(goal) <= step => goal,
            _ if step == 0.0 => self.place,
            _ => self.place.ahead(self.direction, step),
        }
    }

    /// It is here now. The first place is where it starts.
    pub fn put(&mut self, at: Time, place: Place) {
        let wanted = self.project(at) != self.place;
        self.blocked = self.start.is_some() && wanted && place == self.place;
        self.start.get_or_insert(place);
        (self.place, self.at) = (place, at);
    }

    /// Stops.
    pub fn stand(&mut self) {
        (self.speed_fps, self.goal, self.sidestep, self.refusals) = (0.0, None, 0, 0);
    }

    /// Goes in a direction until told otherwise.
    pub fn walk(&mut self, direction: f64, speed_fps: f64) {
        (self.direction, self.speed_fps, self.goal, self.sidestep, self.refusals) = (direction, speed_fps, None, 0, 0);
    }

    /// Goes straight to a place; if something was in the way, off to a side for two ticks, the further off the more often.
    pub fn head_for(&mut self, goal: Place, speed_fps: f64, dice: &mut Stream) {
        (self.goal, self.speed_fps) = (Some(goal), speed_fps);
        let bearing = self.place.heading_to(goal);
        if self.blocked {
            self.refusals += 1;
            let most = (MOST_DEG + MORE_DEG * f64::from(self.refusals)).min(180.0);
            let off = dice.between(LEAST_DEG, most).to_radians();
            self.direction = if dice.chance(0.5) { bearing + off } else { bearing - off };
            self.sidestep = SIDESTEP_TICKS;
        } else if self.sidestep > 1 {
            self.sidestep -= 1;
        } else {
            // The way was free: straight on, and what was in the way is forgotten once a straight step succeeds.
            if self.sidestep == 0 {
                self.refusals = 0;
            }
            self.sidestep = 0;
            self.direction = bearing;
        }
    }
}
