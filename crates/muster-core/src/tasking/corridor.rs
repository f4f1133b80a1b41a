//! The way over a target: in along a heading, and on the same way out again. [MacKenzie §3, §4]
//!
//! The paper says that other headings than the preferred one "would require doug2 to partially circle the target
//! before starting its approach", and gives no numbers. Our reading: around the target lies a disc that nobody cuts
//! through; a corridor leads from its edge to the target, as long as the disc's radius.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use crate::motion::Path;
use crate::robot::Point;

/// The longest chord of an arc: 2 degrees, which makes the arc 0.005 % too short.
const CHORD_RAD: f64 = std::f64::consts::PI / 90.0;

/// The way a vehicle has to come in over a target and leave it.
///
/// Compared and hashed by its bits, like a [`Point`].
#[derive(Copy, Clone, Debug, Serialize, Deserialize)]
pub struct Corridor {
    /// The place that is flown over.
    pub target: Point,
    /// Direction of flight: radians, 0 = east, counter-clockwise.
    pub heading: f64,
    /// R: metres from the entry to the target, and from the target to the exit. Zero: straight to the target.
    pub length_m: f64,
}

impl PartialEq for Corridor {
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}

impl Eq for Corridor {}

impl Hash for Corridor {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits().hash(state);
    }
}

/// How to get from a place to an entry.
#[derive(Copy, Clone, Debug)]
enum Way {
    /// Straight.
    Clear,
    /// Straight to a place on the edge of the disc, then around it.
    Around {
        /// Metres to the edge.
        to_edge_m: f64,
        /// Bearing, from the target, of the place on the edge: radians.
        bearing: f64,
        /// How far around: radians, positive if counter-clockwise.
        arc: f64,
    },
}

impl Corridor {
    /// The corridor over `target` that begins at `entry`: what [`Action::Approach`](crate::Action::Approach) tells a
    /// body to fly.
    pub fn between(entry: Point, target: Point) -> Self {
        Self { target, heading: entry.heading_to(target), length_m: entry.distance(target) }
    }

    /// Where the corridor begins.
    pub fn entry(&self) -> Point {
        self.on_axis(-1.0)
    }

    /// Where it ends, beyond the target.
    pub fn exit(&self) -> Point {
        self.on_axis(1.0)
    }

    /// Metres from `from` to the target by the shortest way that does not cut through the disc.
    ///
    /// From inside of the disc the way leads out radially first; from the target itself, towards the entry.
    pub fn distance_m(&self, from: Point) -> f64 {
        let radius = self.radius();
        match self.way(from) {
            Way::Clear => from.distance(self.entry()) + radius,
            Way::Around { to_edge_m, arc, .. } => to_edge_m + radius * arc.abs() + radius,
        }
    }

    /// Metres that are left to the exit for a vehicle on its way.
    pub fn left_m(&self, place: Point) -> f64 {
        let (in_m, out_m, all_m) = (self.entry().distance(place), place.distance(self.exit()), 2.0 * self.radius());
        // Between entry and exit it is on the straight line; anywhere else it still has to come in.
        if in_m + out_m <= all_m + 1e-6 { out_m } else { self.distance_m(place) + self.radius() }
    }

    /// The same way as a polyline, through the target and on to the exit, and metres from its start to the target.
    ///
    /// Arcs become chords of at most 2 degrees. `None` if there is no way to go: from a target without a corridor
    /// to itself, or to places that are not finite.
    pub fn path(&self, from: Point) -> Option<(Path, f64)> {
        let (entry, exit) = (self.entry(), self.exit());
        if !(from.is_finite() && entry.is_finite() && exit.is_finite()) {
            return None;
        }
        let mut places = vec![from];
        if let Way::Around { bearing, arc, .. } = self.way(from) {
            let chords = (arc.abs() / CHORD_RAD).ceil().max(1.0);
            places.extend((0..chords as usize).map(|n| self.at_bearing(bearing + arc * (n as f64 / chords))));
        }
        places.extend([entry, self.target]);
        // Summed like a path sums its legs, so that the target is where the path says it is.
        let to_target_m = places.windows(2).fold(0.0, |sum, leg| sum + leg[0].distance(leg[1]));
        places.push(exit);
        if !to_target_m.is_finite() {
            return None;
        }
        Some((Path::through(places)?, to_target_m))
    }

    fn way(&self, from: Point) -> Way {
        let radius = self.radius();
        let away_m = from.distance(self.target);
        // Beyond what can be squared there is no disc worth going around.
        if radius == 0.0 || !away_m.is_finite() {
            return Way::Clear;
        }
        let (sin, cos) = libm::sincos(self.heading);
        let (x, y) = match away_m {
            0.0 => (-cos, -sin),
            _ => ((from.x - self.target.x) / away_m, (from.y - self.target.y) / away_m),
        };
        // From the bearing of `from` to that of the entry, which lies at (-cos, -sin).
        let turn = libm::atan2(y * cos - x * sin, -x * cos - y * sin);
        if away_m <= radius {
            return Way::Around { to_edge_m: radius - away_m, bearing: libm::atan2(y, x), arc: turn };
        }
        // The bearing at which a tangent from `from` touches the edge.
        let tangent_m = ((away_m - radius) * (away_m + radius)).sqrt();
        let touch = libm::atan2(tangent_m, radius);
        if turn.abs() <= touch {
            return Way::Clear;
        }
        let touch = touch.copysign(turn);
        Way::Around { to_edge_m: tangent_m, bearing: libm::atan2(y, x) + touch, arc: turn - touch }
    }

    /// R, or zero if it is no length.
    pub(super) fn radius(&self) -> f64 {
        if self.length_m.is_finite() { self.length_m.max(0.0) } else { 0.0 }
    }

    fn on_axis(&self, share: f64) -> Point {
        let (sin, cos) = libm::sincos(self.heading);
        let radius = share * self.radius();
        Point::new(self.target.x + radius * cos, self.target.y + radius * sin)
    }

    fn at_bearing(&self, bearing: f64) -> Point {
        let (sin, cos) = libm::sincos(bearing);
        Point::new(self.target.x + self.radius() * cos, self.target.y + self.radius() * sin)
    }

    fn bits(&self) -> (Point, u64, u64) {
        (self.target, self.heading.to_bits(), self.length_m.to_bits())
    }
}
