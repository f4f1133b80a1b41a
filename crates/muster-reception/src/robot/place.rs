//! Places at a reception.
//!
//! In feet, unlike the rest of Muster: the numbers of CARS are feet, and two bodies side by side have to touch and not to
//! overlap. Whole feet are exact; 0.6096 m, added up, are not.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The middle of a body: feet east and north of the field's south-west corner.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 2]", into = "[f64; 2]")]
pub struct Place {
    /// Feet east.
    pub x: f64,
    /// Feet north.
    pub y: f64,
}

impl Place {
    /// A place `x` feet east and `y` feet north of the corner.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Straight-line distance in feet.
    pub fn distance_ft(self, other: Self) -> f64 {
        let (dx, dy) = (self.x - other.x, self.y - other.y);
        (dx * dx + dy * dy).sqrt()
    }

    /// Direction to `other`: radians, 0 = east, counter-clockwise. Zero for a place on top of this one.
    pub fn heading_to(self, other: Self) -> f64 {
        libm::atan2(other.y - self.y, other.x - self.x)
    }

    /// The place `feet` away in this direction.
    pub fn ahead(self, heading: f64, feet: f64) -> Self {
        let (sin, cos) = libm::sincos(heading);
        Self::new(self.x + feet * cos, self.y + feet * sin)
    }
}

impl From<[f64; 2]> for Place {
    fn from([x, y]: [f64; 2]) -> Self {
        Self { x, y }
    }
}

impl From<Place> for [f64; 2] {
    fn from(place: Place) -> Self {
        [place.x, place.y]
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({:.1}, {:.1})", self.x, self.y)
    }
}
