//! A crowded field, as at the reception of CARS: robots, guests and fixed obstacles, all two feet by two, which get into
//! each other's way. Read [CARS, Obstacles] and `crowd/grid.rs` before editing it.
//!
//! This is the one part of the simulator that ticks: with so many bodies in the way of each other there are no straight
//! lines to reckon with. It knows no robot's mind. Whoever drives it says where each robot wants to be, and is told
//! whether it got there: the crowd does not steer.
//!
//! Which of two bodies offends when both move the paper does not say. Here bodies move one after the other, robots in
//! their order, then guests in theirs, each against all others where they are by then; whoever finds its place taken, or
//! part of it off the field, stays where it was. Only the places that bodies want are looked at, as in the paper, so a
//! corner may be cut; but a way of 4 ft or more is looked at in steps of less than that, so that nothing gets through a
//! body, and is refused as a whole if one of them is.
//!
//! Places are in feet and kept in whole 1/32,768 ft, see [`Place`].

use std::fmt;

use muster_core::{Duration, Time};
use serde::{Deserialize, Serialize};
use thiserror::Error;

mod grid;
mod log;
mod place;
mod placing;
#[cfg(test)]
mod tests;
mod walkers;

use grid::{Grid, Obstruction};
use log::Followers;
use place::{FOOT, Spot};
use walkers::Walkers;

pub use crate::robot::Place;
pub use log::{Deed, Entry, GuestLog, LogError};
pub use muster_core::rng::{BadTriangular, Triangular};
pub use place::rounded;
pub use walkers::Gait;

/// The side of every body, in feet. [CARS, Obstacles]
pub const BODY_FT: f64 = 2.0;
/// The longest side of a field, in feet: five kilometres, and a grid of 270 MB. Ours.
pub const LARGEST_FIELD_FT: f64 = 16_384.0;

/// Everything about a crowd but its seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Feet from west to east.
    pub width_ft: f64,
    /// Feet from south to north.
    pub height_ft: f64,
    /// Where robots start, in their order.
    pub robots: Vec<Place>,
    /// Fixed obstacles; side by side they make larger ones.
    pub obstacles: Vec<Place>,
    /// Moving obstacles.
    pub guests: Guests,
}

/// Who moves about between the robots.
#[derive(Clone, Debug, PartialEq)]
pub enum Guests {
    /// A number of them, at random places.
    Random {
        /// Number of guests.
        count: usize,
        /// How they walk, or that they stand.
        gait: Gait,
    },
    /// As in a log.
    Logged(GuestLog),
}

impl Setup {
    /// The field of the paper's experiment, 50 ft by 50 with 100 guests, and these robots. How fast guests walk and for
    /// how long is not given; these are our values, at which robots are held up but get on.
    pub fn cars_2002(robots: Vec<Place>) -> Self {
        let triangular = |min, mode, max| Triangular::new(min, mode, max).expect("they are in order");
        let gait = Gait { speed_fps: triangular(0.0, 1.0, 3.0), duration_s: triangular(2.0, 5.0, 15.0) };
        let guests = Guests::Random { count: 100, gait };
        Self { width_ft: 50.0, height_ft: 50.0, robots, obstacles: Vec::new(), guests }
    }
}

/// One of the bodies on a field, by its place in its list.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// A fixed obstacle.
    Obstacle(usize),
    /// A robot.
    Robot(usize),
    /// A guest.
    Guest(usize),
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Obstacle(index) => write!(f, "obstacle {index}"),
            Self::Robot(index) => write!(f, "robot {index}"),
            Self::Guest(index) => write!(f, "guest {index}"),
        }
    }
}

/// Why there is no such crowd.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CrowdError {
    /// A field on which nobody can stand, or too large a one.
    #[error(
        "a field of {width_ft} x {height_ft} ft cannot be used: each side has to have {BODY_FT} to {LARGEST_FIELD_FT} ft"
    )]
    Field {
        /// Its width.
        width_ft: f64,
        /// Its height.
        height_ft: f64,
    },
    /// Part of a body is outside.
    #[error(
        "{who} at {place} is not all on the field of {width_ft} x {height_ft} ft: keep its middle 1 ft off the edge"
    )]
    Outside {
        /// The body: a robot, a guest or an obstacle.
        who: Who,
        /// Its place.
        place: Place,
        /// The width of the field.
        width_ft: f64,
        /// Its height.
        height_ft: f64,
    },
    /// Two bodies overlap.
    #[error(
        "{who} at {place} overlaps another body at {other}: give it a place 2 ft further east, west, north or south"
    )]
    Taken {
        /// The later of the two.
        who: Who,
        /// The place of the body that does not fit.
        place: Place,
        /// The place of the body that stands there already.
        other: Place,
    },
    /// There is no room for all of them.
    #[error(
        "{guests} guests find no place beside {others} other bodies on {width_ft} x {height_ft} ft: ask for fewer, or for a larger field"
    )]
    Full {
        /// How many were asked for.
        guests: usize,
        /// How many others there are.
        others: usize,
        /// The width of the field.
        width_ft: f64,
        /// Its height.
        height_ft: f64,
    },
}

/// What became of what a robot wanted.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Advance {
    /// It is where it wanted to be.
    Advanced,
    /// Part of it would have been off the field; it stays where it was.
    AtEdge,
    /// A body was in the way, there; it stays where it was.
    Blocked(Place),
}

impl Advance {
    /// It got where it wanted to be.
    pub fn is_advanced(self) -> bool {
        self == Self::Advanced
    }
}

/// A guest, as seen from outside.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Guest {
    /// Its place in this tick.
    pub place: Place,
    /// Feet per second, east and north, whether or not it is blocked.
    pub velocity_fps: [f64; 2],
    /// When it chooses another velocity; never by itself, if it follows a log.
    pub until: Time,
}

/// Robots, guests and obstacles on a field. Can be saved at any tick: what is loaded goes on as this would have.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "State", try_from = "State")]
pub struct Crowd {
    state: State,
    /// Where all of them are once more, by cell.
    grid: Grid,
}

/// All that a crowd is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    width_ft: f64,
    height_ft: f64,
    now: Time,
    obstacles: Vec<Spot>,
    robots: Vec<Robot>,
    guests: Moving,
}

#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Robot {
    at: Spot,
    outcome: Advance,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Moving {
    Random(Walkers),
    Logged(Followers),
}

impl PartialEq for Crowd {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}

impl From<Crowd> for State {
    fn from(crowd: Crowd) -> Self {
        crowd.state
    }
}

impl TryFrom<State> for Crowd {
    type Error = CrowdError;

    fn try_from(state: State) -> Result<Self, CrowdError> {
        let mut field = Field::new(state.width_ft, state.height_ft)?;
        field.put_again(Who::Obstacle, state.obstacles.iter().copied())?;
        field.put_again(Who::Robot, state.robots.iter().map(|robot| robot.at))?;
        match &state.guests {
            Moving::Random(walkers) => field.put_again(Who::Guest, walkers.guests.iter().map(|guest| guest.at))?,
            Moving::Logged(followers) => field.put_again(Who::Guest, followers.guests.iter().map(|guest| guest.at))?,
        }
        Ok(Self { grid: field.grid, state })
    }
}

/// A field that is being filled.
struct Field {
    width_ft: f64,
    height_ft: f64,
    grid: Grid,
}

impl Field {
    fn new(width_ft: f64, height_ft: f64) -> Result<Self, CrowdError> {
        let usable = |side_ft: f64| (BODY_FT..=LARGEST_FIELD_FT).contains(&side_ft);
        if !usable(width_ft) || !usable(height_ft) {
            return Err(CrowdError::Field { width_ft, height_ft });
        }
        // Down, not to the nearest: nobody stands on what is not there.
        let units = |side_ft: f64| (side_ft * f64::from(FOOT)) as i32;
        Ok(Self { width_ft, height_ft, grid: Grid::new(units(width_ft), units(height_ft)) })
    }

    fn put(&mut self, who: Who, place: Place) -> Result<Spot, CrowdError> {
        let put = Spot::nearest(place).ok_or(Obstruction::Edge).and_then(|spot| self.grid.put(spot).map(|()| spot));
        put.map_err(|obstruction| match obstruction {
            Obstruction::Edge => CrowdError::Outside { who, place, width_ft: self.width_ft, height_ft: self.height_ft },
            Obstruction::Cell(cell) => CrowdError::Taken { who, place, other: self.grid.place(cell) },
        })
    }

    fn put_all(&mut self, who: fn(usize) -> Who, places: &[Place]) -> Result<Vec<Spot>, CrowdError> {
        places.iter().enumerate().map(|(index, &place)| self.put(who(index), place)).collect()
    }

    fn put_again(&mut self, who: fn(usize) -> Who, spots: impl Iterator<Item = Spot>) -> Result<(), CrowdError> {
        spots.enumerate().try_for_each(|(index, spot)| self.put(who(index), spot.into()).map(drop))
    }

    /// `count` guests, wherever there is room.
    fn place(&mut self, count: usize, others: usize, seed: u64) -> Result<Vec<Spot>, CrowdError> {
        let (width_ft, height_ft) = (self.width_ft, self.height_ft);
        let full = CrowdError::Full { guests: count, others, width_ft, height_ft };
        // No arrangement of squares beats rows of them, so what does not fit in rows need not be tried.
        let rows = |side_ft: f64| (side_ft / BODY_FT) as usize;
        if count > (rows(width_ft) * rows(height_ft)).saturating_sub(others) {
            return Err(full);
        }
        placing::place(&mut self.grid, count, seed).ok_or(full)
    }
}

impl Crowd {
    /// Puts everybody in place, at time 0: obstacles, then robots, then guests.
    pub fn new(setup: &Setup, seed: u64) -> Result<Self, CrowdError> {
        let mut field = Field::new(setup.width_ft, setup.height_ft)?;
        let obstacles = field.put_all(Who::Obstacle, &setup.obstacles)?;
        let robots = field.put_all(Who::Robot, &setup.robots)?;
        let guests = match &setup.guests {
            Guests::Random { count, gait } => {
                let spots = field.place(*count, obstacles.len() + robots.len(), seed)?;
                Moving::Random(Walkers::new(*gait, spots, seed))
            }
            Guests::Logged(log) => {
                let spots = field.put_all(Who::Guest, log.starts())?;
                Moving::Logged(Followers::new(log.clone(), spots))
            }
        };
        let (width_ft, height_ft) = (setup.width_ft, setup.height_ft);
        let robots = robots.into_iter().map(|at| Robot { at, outcome: Advance::Advanced }).collect();
        let state = State { width_ft, height_ft, now: Time::ZERO, obstacles, robots, guests };
        Ok(Self { state, grid: field.grid })
    }

    /// Moves everybody by `dt`. Robot `i` wants to be at `wanted[i]`, and to stay if that is where it is; guests want
    /// what they drew, or what their log says.
    ///
    /// # Panics
    ///
    /// If there are not as many wishes as robots.
    pub fn tick(&mut self, dt: Duration, wanted: &[Place]) {
        let State { robots, guests, now, .. } = &mut self.state;
        assert_eq!(wanted.len(), robots.len(), "every robot wants to be somewhere");
        for (robot, &place) in robots.iter_mut().zip(wanted) {
            let to = Spot::nearest(place).ok_or(Obstruction::Edge);
            robot.outcome = match to.and_then(|to| self.grid.advance(&mut robot.at, to)) {
                Ok(()) => Advance::Advanced,
                Err(Obstruction::Edge) => Advance::AtEdge,
                Err(Obstruction::Cell(cell)) => Advance::Blocked(self.grid.place(cell)),
            };
        }
        match guests {
            Moving::Random(walkers) => walkers.tick(&mut self.grid, *now, dt),
            Moving::Logged(followers) => followers.tick(&mut self.grid, *now, dt),
        }
        *now += dt;
    }

    /// How long it has been going on.
    pub fn now(&self) -> Time {
        self.state.now
    }

    /// Width and height of the field, in feet.
    pub fn field_ft(&self) -> (f64, f64) {
        (self.state.width_ft, self.state.height_ft)
    }

    /// Where a robot is. Where it wanted to be if it was advanced, [`rounded`].
    pub fn robot(&self, index: usize) -> Place {
        self.state.robots[index].at.into()
    }

    /// What became of a robot's wish in the last tick.
    pub fn outcome(&self, robot: usize) -> Advance {
        self.state.robots[robot].outcome
    }

    /// Where the robots are, in their order.
    pub fn robots(&self) -> impl ExactSizeIterator<Item = Place> + '_ {
        self.state.robots.iter().map(|robot| robot.at.into())
    }

    /// Where the fixed obstacles are.
    pub fn obstacles(&self) -> impl ExactSizeIterator<Item = Place> + '_ {
        self.state.obstacles.iter().map(|&spot| spot.into())
    }

    /// The guests, in their order.
    pub fn guests(&self) -> impl ExactSizeIterator<Item = Guest> + '_ {
        (0..self.guest_count()).map(|index| self.guest(index))
    }

    /// How many guests there are.
    pub fn guest_count(&self) -> usize {
        match &self.state.guests {
            Moving::Random(walkers) => walkers.guests.len(),
            Moving::Logged(followers) => followers.guests.len(),
        }
    }

    /// A guest.
    pub fn guest(&self, index: usize) -> Guest {
        let (at, velocity_fps, until) = match &self.state.guests {
            Moving::Random(walkers) => {
                let guest = &walkers.guests[index];
                (guest.at, guest.velocity_fps, guest.until)
            }
            Moving::Logged(followers) => {
                let guest = &followers.guests[index];
                (guest.at, guest.velocity_fps, Time::NEVER)
            }
        };
        Guest { place: at.into(), velocity_fps: velocity_fps.map(f64::from), until }
    }
}
