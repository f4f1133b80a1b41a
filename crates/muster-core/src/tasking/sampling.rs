//! Adaptive sampling: a cost function in at most 100 bytes where the paper takes 336. [MacKenzie §3]
//!
//! The paper leaves it as future work "to consider the derivative of the cost function and focus the samples in areas
//! where the slope is changing rapidly". Two things make that cheap here. Along time a cost function is a knee (the
//! earliest feasible time) and a curve of waiting after it, and the curve is the same on all headings, so that it is
//! sent once. Along headings the knee bends sharply at a few places only, and samples go where it does.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::cost::{Grid, Scale, Surface, quantised};

mod bytes;
mod curve;
mod fit;

use curve::{Curve, Drawn};

/// A cost function as slices at chosen headings.
///
/// Between two slices, windows are interpolated: where they begin and end, and what they cost at first. This follows
/// the border of what is feasible, where interpolating costs would not. Between slices with different numbers of
/// windows it is not known which belong together: there, only what is feasible in both counts as feasible.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Adaptive {
    /// Times from t0 to this many seconds after it are described.
    horizon_s: u16,
    /// How exactly costs can be sent.
    scale: Scale,
    /// What waiting adds, the same for all windows.
    curve: Curve,
    /// By heading. None at all: nothing is feasible.
    slices: Vec<Slice>,
}

/// A cost function at one heading.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Slice {
    /// Which heading: 256ths of the circle, so that multiples of 45 degrees are exact.
    heading: u8,
    /// When the task can be done: by time, none overlapping.
    windows: Vec<Window>,
}

/// A stretch of time in which the task can be done.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Window {
    /// From when, in ticks.
    from: u16,
    /// Until when, in ticks.
    to: u16,
    /// The cost at `from`, in hundredths.
    cost: u32,
}

/// Ticks to the horizon: 2 ms each for the paper's 100 s.
const TICKS: u16 = 50_000;
/// Half a tick, as interpolation rounds.
const SLACK_TICKS: f64 = 0.5;
/// On a slice itself nothing is rounded but by the computer: whoever relies on it must be in time.
const ROUNDING_TICKS: f64 = 1e-3;
/// Headings that a slice can have.
const HEADINGS: f64 = 256.0;

/// Why bytes are no cost function.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// They begin with another version than 1 or 2.
    Version(u8),
    /// They end too early.
    Short,
    /// This many are left over.
    TooLong(usize),
    /// The horizon is 0 s.
    NoHorizon,
    /// Costs have no such scale.
    Scale(u8),
    /// Knots of the curve, headings or windows are out of order.
    Order,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => write!(f, "cost function of version {version}, where 1 and 2 are known"),
            Self::Short => write!(f, "cost function ends too early"),
            Self::TooLong(left) => write!(f, "{left} bytes after the end of a cost function"),
            Self::NoHorizon => write!(f, "cost function with a horizon of 0 s"),
            Self::Scale(scale) => write!(f, "cost function with costs of scale {scale}"),
            Self::Order => write!(f, "cost function with knots, headings or windows out of order"),
        }
    }
}

impl std::error::Error for DecodeError {}

impl Adaptive {
    /// What the paper's bids describe: 100 s. [MacKenzie §3]
    pub const HORIZON_S: u16 = 100;
    /// Bytes that the bid for a task may take, for less than a third of the paper's.
    pub const BUDGET: usize = 100;

    /// The cost at a time in seconds after t0 and a heading in radians; `None` where it is infeasible.
    pub fn cost(&self, at_s: f64, heading: f64) -> Option<f64> {
        let at = at_s / self.tick_s();
        if !(-SLACK_TICKS..=f64::from(TICKS) + SLACK_TICKS).contains(&at) {
            return None;
        }
        let (before, after, share) = self.around(heading)?;
        let curve = self.curve.drawn();
        if before.windows.len() != after.windows.len() {
            return on_both(&curve, before, after, share, at);
        }
        within(&curve, &before.windows, &after.windows, share, at, SLACK_TICKS)
    }

    /// The same on a grid, as a bid from which tasks can be assigned. Between slices only what is feasible on both sides
    /// counts as feasible: whoever is sent should be in time.
    pub fn to_surface(&self, grid: &Grid) -> Surface {
        let mut surface = Surface::infeasible(grid);
        let samples = surface.samples_mut();
        let curve = self.curve.drawn();
        let times = (0..grid.times).map(|time| grid.time(time).as_secs_f64() / self.tick_s());
        let times: Vec<f64> = times.take_while(|at| *at <= f64::from(TICKS) + ROUNDING_TICKS).collect();
        for heading in 0..grid.headings {
            let Some((before, after, share)) = self.around(grid.heading(heading)) else { break };
            let column = samples[usize::from(heading)..].iter_mut().step_by(usize::from(grid.headings));
            for (sample, &at) in column.zip(&times) {
                if let Some(cost) = on_both(&curve, before, after, share, at) {
                    *sample = quantised(cost);
                }
            }
        }
        surface
    }

    /// Nothing can be done at any time and heading.
    pub fn is_infeasible(&self) -> bool {
        self.slices.iter().all(|slice| slice.windows.is_empty())
    }

    /// The slices on both sides of a heading, and how far it is from the first to the second.
    fn around(&self, heading: f64) -> Option<(&Slice, &Slice, f64)> {
        let (first, last) = (self.slices.first()?, self.slices.last()?);
        // In 256ths; rounding of radians must not push a heading off its slice.
        let turns = heading / std::f64::consts::TAU;
        let place = (turns - turns.floor()) * HEADINGS;
        let place = if (place - place.round()).abs() < 1e-6 { place.round() } else { place };
        let next = self.slices.partition_point(|slice| f64::from(slice.heading) <= place);
        let before = if next == 0 { last } else { &self.slices[next - 1] };
        let after = self.slices.get(next).unwrap_or(first);
        let span = f64::from(after.heading.wrapping_sub(before.heading));
        // One slice alone: all the way around to itself.
        let span = if span == 0.0 { HEADINGS } else { span };
        let beyond = (place - f64::from(before.heading)).rem_euclid(HEADINGS);
        Some((before, after, beyond / span))
    }

    fn tick_s(&self) -> f64 {
        f64::from(self.horizon_s) / f64::from(TICKS)
    }
}

/// The cost at `at` ticks between two slices, if it is feasible in both.
fn on_both(curve: &Drawn, before: &Slice, after: &Slice, share: f64, at: f64) -> Option<f64> {
    let alone = |slice: &Slice| within(curve, &slice.windows, &slice.windows, 0.0, at, ROUNDING_TICKS);
    match share {
        0.0 => alone(before),
        _ => alone(before).zip(alone(after)).map(|(before, after)| before + (after - before) * share),
    }
}

/// The cost at `at` ticks within windows that lie between those of two slices, give or take some ticks.
fn within(curve: &Drawn, before: &[Window], after: &[Window], share: f64, at: f64, slack: f64) -> Option<f64> {
    let between = |a: u32, b: u32| f64::from(a) + (f64::from(b) - f64::from(a)) * share;
    // From behind: where one window ends as another begins, the later one counts.
    for (a, b) in before.iter().zip(after).rev() {
        let (from, to) = (between(a.from.into(), b.from.into()), between(a.to.into(), b.to.into()));
        if from - slack <= at && at <= to + slack {
            let waited = (at - from).max(0.0) / f64::from(TICKS);
            return Some(between(a.cost, b.cost) / 100.0 + curve.added(waited));
        }
    }
    None
}
