//! What waiting adds to a cost: a smooth curve from zero through a few knots.

use serde::{Deserialize, Serialize};

/// A curve. Without knots waiting costs nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Curve {
    /// What is added is counted in fiftieths times this power of two.
    pub(super) unit: u8,
    /// By time waited.
    pub(super) knots: Vec<Knot>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Knot {
    /// Time waited: 250ths of the horizon, not 0.
    pub(super) waited: u8,
    /// What is added after that: fiftieths, so that two bytes reach as far, up and down, as those of costs; or the
    /// curve's unit, if that is not far enough.
    pub(super) added: i16,
}

/// Steps of `Knot::waited` to the horizon.
pub(super) const STEPS: f64 = 250.0;
/// The finest unit of what is added: as good as a cost can be sent anyway.
const UNIT: f64 = 0.02;
const MOST_KNOTS: usize = 8;
/// Waiting for less than this share of the horizon says nothing about what it costs.
const LEAST: f64 = 1e-4;

impl Curve {
    /// The coarsest unit: it reaches as far as costs do.
    pub(super) const MOST_UNIT: u8 = 16;

    /// How far off the curve may be for no better reason than that numbers are rounded.
    pub(super) fn grain(&self) -> f64 {
        UNIT * f64::from(1_u32 << self.unit)
    }

    /// The same, to be asked at many places: what belongs to a knot is reckoned once.
    pub(super) fn drawn(&self) -> Drawn {
        let knots = 0..=self.knots.len();
        let slope = |n| if self.knots.is_empty() { 0.0 } else { self.slope(n) };
        Drawn(knots.map(|n| (self.point(n), slope(n))).collect())
    }

    /// The curve closest to `added`, which is given up to `longest` of waiting, in shares of the horizon.
    pub(super) fn through(longest: f64, added: impl Fn(f64) -> f64) -> Self {
        if longest <= LEAST {
            return Self::default();
        }
        // Less than a step of waiting is drawn out to one.
        let last = (longest * STEPS).floor().clamp(1.0, STEPS) as u8;
        let drawn_out = (1.0 / STEPS / longest).max(1.0);
        let at = |waited: u8| drawn_out * added(f64::from(waited) / STEPS / drawn_out);
        let most = (1..=last).map(|waited| at(waited).abs()).fold(0.0, f64::max);
        let reaches = |unit: &u8| most / (UNIT * f64::from(1_u32 << unit)) <= f64::from(i16::MAX);
        let unit = (0..Self::MOST_UNIT).find(reaches).unwrap_or(Self::MOST_UNIT);
        let mut curve = Self { unit, knots: Vec::new() };
        let grain = curve.grain();
        let knot = |waited: u8| Knot { waited, added: (at(waited) / grain).round().clamp(-32_768.0, 32_767.0) as i16 };
        curve.knots.push(knot(last));
        while curve.knots.len() < MOST_KNOTS {
            let drawn = curve.drawn();
            let off = |waited: u8| (drawn.added(f64::from(waited) / STEPS) - at(waited)).abs();
            let Some(worst) = (1..last).max_by(|&a, &b| off(a).total_cmp(&off(b))) else { break };
            if off(worst) <= grain || curve.knots.iter().any(|knot| knot.waited == worst) {
                break;
            }
            let place = curve.knots.partition_point(|knot| knot.waited < worst);
            curve.knots.insert(place, knot(worst));
        }
        curve
    }

    /// The knot number `n`, counting the one at zero.
    fn point(&self, n: usize) -> (f64, f64) {
        match n.checked_sub(1).map(|n| self.knots[n]) {
            Some(Knot { waited, added }) => (f64::from(waited) / STEPS, f64::from(added) * self.grain()),
            None => (0.0, 0.0),
        }
    }

    /// The slope at the knot number `n`: that of the parabola through it and its neighbours, or the next two.
    fn slope(&self, n: usize) -> f64 {
        let rise = |a: usize| {
            let ((x0, y0), (x1, y1)) = (self.point(a), self.point(a + 1));
            (y1 - y0) / (x1 - x0)
        };
        let last = self.knots.len();
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

/// A curve, by its knots, the one at zero included: where each is, and the slope there.
pub(super) struct Drawn(Vec<((f64, f64), f64)>);

impl Drawn {
    /// What waiting for a share of the horizon adds.
    ///
    /// Cubic between knots, with the slope of a parabola through three of them, so that two knots are exact for a
    /// cost that grows with the square of waiting, and one for a cost that is in proportion to it. Beyond the last
    /// knot it goes straight on.
    pub(super) fn added(&self, waited: f64) -> f64 {
        let [_, knots @ ..] = &self.0[..] else { return 0.0 };
        if knots.is_empty() {
            return 0.0;
        }
        let next = knots.partition_point(|((x, _), _)| *x < waited);
        let ((x0, y0), slope0) = self.0[next];
        let Some(&((x1, y1), slope1)) = knots.get(next) else { return y0 + slope0 * (waited - x0) };
        let width = x1 - x0;
        let s = (waited - x0) / width;
        let (slope0, slope1) = (slope0 * width, slope1 * width);
        // Hermite's cubic.
        let rest = 1.0 - s;
        y0 + s * s * (3.0 - 2.0 * s) * (y1 - y0) + s * rest * (rest * slope0 - s * slope1)
    }
}
