//! Where the bodies of a crowd are: places, kept in whole 1/32,768 ft.

use crate::robot::Place;
use serde::{Deserialize, Serialize};

/// The place that a body stands at which was told to go there: the nearest whole 1/32,768 ft.
pub fn rounded(place: Place) -> Place {
    Spot::nearest(place).map_or(place, Place::from)
}

impl From<Spot> for Place {
    fn from(spot: Spot) -> Self {
        let feet = |along: i32| f64::from(along) / f64::from(FOOT);
        Self::new(feet(spot.x), feet(spot.y))
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

    /// Where a body gets from here that moves by that many units. Sums that overflow are far outside.
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
