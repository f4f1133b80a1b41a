//! Places in a crowd.
//!
//! In feet, unlike the rest of Muster: the numbers of CARS are feet, and two bodies side by side have to touch and not to
//! overlap. Whole feet are exact; 0.6096 m, added up, are not.

use std::fmt;

use muster_core::Point;
use serde::{Deserialize, Serialize};

/// One foot in metres, by definition.
pub const FOOT_M: f64 = 0.3048;

/// The middle of a body: feet east and north of the field's south-west corner.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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

    /// The same place in metres.
    pub fn to_point(self) -> Point {
        Point::new(self.x * FOOT_M, self.y * FOOT_M)
    }

    /// The same place in feet.
    pub fn from_point(point: Point) -> Self {
        Self::new(point.x / FOOT_M, point.y / FOOT_M)
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

    /// The place so many feet away in this direction.
    pub fn ahead(self, heading: f64, feet: f64) -> Self {
        let (sin, cos) = libm::sincos(heading);
        Self::new(self.x + feet * cos, self.y + feet * sin)
    }

    /// The place that a body stands at which was told to go here: the nearest whole 1/32,768 ft.
    pub fn rounded(self) -> Self {
        Spot::nearest(self).map_or(self, Self::from)
    }
}

impl From<Spot> for Place {
    fn from(spot: Spot) -> Self {
        let feet = |along: i32| f64::from(along) / f64::from(FOOT);
        Self::new(feet(spot.x), feet(spot.y))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({:.1}, {:.1})", self.x, self.y)
    }
}

/// A foot, in the units of [`Spot`].
pub(super) const FOOT: i32 = 1 << 15;

/// A place in whole 1/32,768 ft (9 micrometres). Integers, so that bodies touch exactly, and a power of two, so that a
/// spot's cell is its upper bits and its place in the cell the lower 16.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Spot {
    pub x: i32,
    pub y: i32,
}

impl Spot {
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// `None` for what is nowhere near any field, or no number.
    pub fn nearest(place: Place) -> Option<Self> {
        let along = |feet: f64| {
            let units = (feet * f64::from(FOOT)).round();
            (units.abs() < f64::from(i32::MAX)).then_some(units as i32)
        };
        Some(Self::new(along(place.x)?, along(place.y)?))
    }

    /// Where a body gets from here that moves by so many units. Too far is far outside, whatever it adds up to.
    #[inline(always)]
    pub fn moved(self, [dx, dy]: [f32; 2]) -> Self {
        let whole = |along: f32| (along + 0.5_f32.copysign(along)) as i32;
        Self::new(self.x.saturating_add(whole(dx)), self.y.saturating_add(whole(dy)))
    }

    /// They overlap. [CARS, Obstacles] gives bodies two feet by two; that they may touch is ours.
    #[cfg(test)]
    pub fn overlaps(self, other: Self) -> bool {
        (self.x - other.x).abs() < 2 * FOOT && (self.y - other.y).abs() < 2 * FOOT
    }
}
