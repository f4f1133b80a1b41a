//! What waiting adds to a cost: a smooth curve from zero through a few knots.

use serde::{Deserialize, Serialize};

/// Knots, by time waited. No knot: waiting costs nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Curve(pub(super) Vec<Knot>);

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Knot {
    /// Time waited: 250ths of the horizon, not 0.
    pub(super) waited: u8,
    /// What is added after that: fiftieths, so that two bytes reach as far, up and down, as costs do.
    pub(super) added: i16,
}

/// Steps of `Knot::waited` to the horizon.
pub(super) const STEPS: f64 = 250.0;
const UNIT: f64 = 0.02;
/// As good as a cost can be sent anyway.
const TOLERANCE: f64 = 0.02;
const MOST_KNOTS: usize = 8;

impl Curve {
    /// What waiting for a share of the horizon adds.
    ///
    /// Cubic between knots, with the slope of a parabola through three of them, so that two knots are exact for a
    /// cost that grows with the square of waiting, and one for a cost that is in proportion to it. Beyond the last
    /// knot it goes straight on.
    pub(super) fn added(&self, waited: f64) -> f64 {
        let Some(last) = self.0.len().checked_sub(1) else { return 0.0 };
        let next = self.0.partition_point(|knot| f64::from(knot.waited) / STEPS < waited);
        if next > last {
            let (x, y) = self.point(last + 1);
            return y + self.slope(last + 1) * (waited - x);
        }
        let ((x0, y0), (x1, y1)) = (self.point(next), self.point(next + 1));
        let width = x1 - x0;
        let s = (waited - x0) / width;
        let (slope0, slope1) = (self.slope(next) * width, self.slope(next + 1) * width);
        // Hermite's cubic.
        let rest = 1.0 - s;
        y0 + s * s * (3.0 - 2.0 * s) * (y1 - y0) + s * rest * (rest * slope0 - s * slope1)
    }

    /// The curve closest to `added`, which is given up to `longest` of waiting, in shares of the horizon.
    pub(super) fn through(longest: f64, added: impl Fn(f64) -> f64) -> Self {
        let knot = |waited: u8| Knot {
            waited,
            added: (added(f64::from(waited) / STEPS) / UNIT).round().clamp(-32_768.0, 32_767.0) as i16,
        };
        let last = (longest * STEPS).floor().clamp(0.0, STEPS) as u8;
        if last == 0 {
            return Self::default();
        }
        let mut curve = Self(vec![knot(last)]);
        while curve.0.len() < MOST_KNOTS {
            let off = |waited: u8| {
                let share = f64::from(waited) / STEPS;
                (curve.added(share) - added(share)).abs()
            };
            let Some(worst) = (1..last).max_by(|&a, &b| off(a).total_cmp(&off(b))) else { break };
            if off(worst) <= TOLERANCE || curve.0.iter().any(|knot| knot.waited == worst) {
                break;
            }
            let place = curve.0.partition_point(|knot| knot.waited < worst);
            curve.0.insert(place, knot(worst));
        }
        curve
    }

    /// The knot number `n`, counting the one at zero.
    fn point(&self, n: usize) -> (f64, f64) {
        match n.checked_sub(1).map(|n| self.0[n]) {
            Some(Knot { waited, added }) => (f64::from(waited) / STEPS, f64::from(added) * UNIT),
            None => (0.0, 0.0),
        }
    }

    /// The slope at the knot number `n`: that of the parabola through it and its neighbours, or the next two.
    fn slope(&self, n: usize) -> f64 {
        let rise = |a: usize| {
            let ((x0, y0), (x1, y1)) = (self.point(a), self.point(a + 1));
            (y1 - y0) / (x1 - x0)
        };
        let last = self.0.len();
        if last == 1 {
            return rise(0);
        }
        let middle = n.clamp(1, last - 1);
        let (left, right) = (rise(middle - 1), rise(middle));
        let ((x0, _), (x1, _), (x2, _)) = (self.point(middle - 1), self.point(middle), self.point(middle + 1));
        let bend = (right - left) / (x2 - x0);
        left + bend * (2.0 * self.point(n).0 - x0 - x1)
    }
}
