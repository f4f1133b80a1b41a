//! A robot as its mechanism sees it: who it is, where it is, how fast it drives, what it can perceive.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use crate::motion::Motion;
use crate::time::{Duration, Time};

/// A robot of the team; the number is also its place in the simulator's list.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RobotId(pub u32);

impl RobotId {
    /// No robot: whose note it is that somebody intervened.
    pub const NOBODY: Self = Self(u32::MAX);

    /// The number as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for RobotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.0)
    }
}

/// A place in the common frame, in metres: x east, y north.
///
/// Compared and hashed by its bits, so that messages and states that hold one can be, too.
#[derive(Copy, Clone, Debug, Default, Serialize, Deserialize)]
pub struct Point {
    /// Metres east.
    pub x: f64,
    /// Metres north.
    pub y: f64,
}

impl Point {
    /// A place `x` metres east and `y` metres north of the origin.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Straight-line distance in metres. Only `sqrt`, which IEEE 754 rounds the same everywhere.
    #[inline]
    pub fn distance(self, other: Self) -> f64 {
        let (dx, dy) = (self.x - other.x, self.y - other.y);
        (dx * dx + dy * dy).sqrt()
    }

    /// Neither coordinate is infinite or undefined.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }

    /// The place a `share` of the way from here to `other`.
    pub fn towards(self, other: Self, share: f64) -> Self {
        Self::new(self.x + (other.x - self.x) * share, self.y + (other.y - self.y) * share)
    }

    /// Direction to `other`: radians, 0 = east, counter-clockwise. Zero for a place on top of this one.
    pub fn heading_to(self, other: Self) -> f64 {
        libm::atan2(other.y - self.y, other.x - self.x)
    }

    fn bits(self) -> (u64, u64) {
        (self.x.to_bits(), self.y.to_bits())
    }
}

/// Where a robot is reloaded.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// Where it stands.
    pub place: Point,
    /// How long a robot stays there until it has all its loads and its whole endurance again.
    pub reload: Duration,
}

impl PartialEq for Point {
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}

impl Eq for Point {}

impl Hash for Point {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits().hash(state);
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({:.1}, {:.1})", self.x, self.y)
    }
}

/// Where a robot is and where it points.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Its place.
    pub place: Point,
    /// Its heading: radians, 0 = east, counter-clockwise.
    pub yaw: f64,
}

/// A set of up to 32 capabilities to perceive. A scenario gives them names; on the air they are bits.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Percepts(pub u32);

impl Percepts {
    /// No capability; as a requirement, anybody will do.
    pub const NONE: Self = Self(0);

    /// The set that holds only capability number `bit` (0 to 31).
    pub const fn only(bit: u32) -> Self {
        Self(1 << bit)
    }

    /// Both sets together.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// This set holds all of `needs`.
    #[inline]
    pub const fn cover(self, needs: Self) -> bool {
        self.0 & needs.0 == needs.0
    }
}

/// What the driver lends a mechanism of its own robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// The robot whose body this is.
    pub id: RobotId,
    /// What it can perceive.
    pub percepts: Percepts,
    /// How fast it drives, in metres per second.
    pub speed_mps: f64,
    /// How it moves; the pose is computed from it, and only when asked for.
    pub motion: Motion,
}

impl Body {
    /// The place of the body at an instant.
    #[inline]
    pub fn place(&self, now: Time) -> Point {
        self.motion.place(now)
    }

    /// Where it is and where it points.
    pub fn pose(&self, now: Time) -> Pose {
        self.motion.pose(now)
    }
}
