//! A cost function on a grid of times and headings. [MacKenzie §3] How it is sent is [`Quote`](super::Quote).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::quote::Scale;
use crate::time::Duration;

/// The times and headings at which a cost function is sampled.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Grid {
    /// Between two times; the first is t0 itself.
    pub step: Duration,
    /// How many times are sampled.
    pub times: u16,
    /// How many headings, spread evenly over the circle from east on.
    pub headings: u16,
}

impl Grid {
    /// Times at which tasks are assigned by bids that are not tied to samples.
    const TIMES: u16 = 101;
    /// The same for phases that are tied to each other.
    const TIED_TIMES: u16 = 1_001;
    /// The same at most, where their windows are narrower than the time between these.
    const MOST_TIMES: u16 = 5_001;

    /// Every 45 degrees, and every 5 s from 0 to 100 s. [MacKenzie §3]
    pub const fn mackenzie_2003() -> Self {
        Self { step: Duration::from_secs(5), times: 21, headings: 8 }
    }

    /// Where a LEAD assigns tasks by bids that are not tied to samples: as many times up to `horizon` as the paper has
    /// seconds, and every second, as far as that can be searched, where phases are tied to each other. Ours.
    ///
    /// A vehicle that flies two phases may have a fraction of their window left when it has come round: that holds a whole
    /// second if anything does, since windows end on one, and rarely a coarser sample. Every 45 degrees, as in the paper: there
    /// such bids are exact, and whoever is sent is in time, as long as all eight headings fit into the bytes of a bid. With
    /// one window each they do. Another one takes 6 bytes more: of a vehicle that can come before, between and after pending
    /// tasks some headings find no room and are made up from those beside them, so it may be sent where it cannot be in time,
    /// and refuses then.
    /// `closest`: the narrowest window from one phase to another, for which there are more times; the horizon is reached all
    /// the same.
    pub fn adaptive(horizon: Duration, closest: Option<Duration>) -> Self {
        let step = match closest {
            None => Self::even(horizon, Self::TIMES, None),
            Some(_) => Self::even(horizon, Self::TIED_TIMES, closest).max(Self::even(horizon, Self::MOST_TIMES, None)),
        };
        let step = Duration::from_secs(step);
        let times = horizon.as_micros().div_ceil(step.as_micros()) + 1;
        Self { step, times: times as u16, headings: 8 }
    }

    /// Every so many of these times are enough for most groups: about as many as the paper has seconds, and no window
    /// without one.
    pub fn coarsely(&self, closest: Option<Duration>) -> u16 {
        let step = self.step.as_micros().max(1);
        let coarse = Duration::from_secs(Self::even(self.horizon(), Self::TIMES, closest)).as_micros();
        (coarse / step).clamp(1, u64::from(Self::MOST_TIMES)) as u16
    }

    /// Whole seconds between so many times up to `horizon`, or as many as phases have to come close to each other.
    fn even(horizon: Duration, times: u16, closest: Option<Duration>) -> u64 {
        let second = Duration::from_secs(1).as_micros();
        let even = horizon.as_micros().div_ceil(second * (u64::from(times) - 1));
        even.min(closest.map_or(u64::MAX, |closest| closest.as_micros() / second)).max(1)
    }

    /// The time number `n`, counted from t0.
    #[inline]
    pub fn time(&self, n: u16) -> Duration {
        Duration::from_micros(self.step.as_micros().saturating_mul(u64::from(n)))
    }

    /// The heading number `n`: degrees, 0 = east, counter-clockwise.
    #[inline]
    pub fn heading_deg(&self, n: u16) -> f64 {
        360.0 * f64::from(n) / f64::from(self.headings)
    }

    /// The heading number `n` in radians.
    #[inline]
    pub fn heading(&self, n: u16) -> f64 {
        self.heading_deg(n).to_radians()
    }

    /// How many samples a cost function has.
    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.times) * usize::from(self.headings)
    }

    /// The last time that is sampled, counted from t0: nobody bids for a later one.
    pub fn horizon(&self) -> Duration {
        self.time(self.times.saturating_sub(1))
    }

    /// There is nothing to sample.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A sampled cost function: hundredths of a unit of cost, time-major. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Surface(Arc<[u32]>);

impl Surface {
    /// The sample of what cannot be done.
    pub const INFEASIBLE: u32 = u32::MAX;

    /// The most that anything costs: what costs more is said to cost this much.
    pub const MOST: u32 = Scale::MOST;

    /// From samples, time-major.
    pub fn new(samples: impl Into<Arc<[u32]>>) -> Self {
        Self(samples.into())
    }

    /// Nothing can be done.
    pub fn infeasible(grid: &Grid) -> Self {
        Self(std::iter::repeat_n(Self::INFEASIBLE, grid.len()).collect())
    }

    /// It has as many samples as `grid` asks for.
    pub fn fits(&self, grid: &Grid) -> bool {
        self.0.len() == grid.len()
    }

    /// The cost at a time and a heading, in hundredths; `None` if it is infeasible or off the grid.
    #[inline]
    pub fn get(&self, grid: &Grid, time: u16, heading: u16) -> Option<u32> {
        if heading >= grid.headings {
            return None;
        }
        let index = usize::from(time) * usize::from(grid.headings) + usize::from(heading);
        self.0.get(index).copied().filter(|&cost| cost != Self::INFEASIBLE)
    }

    /// The first time at which anything is feasible.
    pub fn first(&self, grid: &Grid) -> Option<u16> {
        let rows = self.0.chunks_exact(usize::from(grid.headings).max(1));
        let feasible = |row: &[u32]| row.iter().any(|&cost| cost != Self::INFEASIBLE);
        rows.into_iter().position(feasible).map(|time| time as u16)
    }

    /// All samples, time-major.
    #[inline]
    pub fn samples(&self) -> &[u32] {
        &self.0
    }

    /// The least cost, in hundredths; `None` if nothing is feasible.
    pub fn least(&self) -> Option<u32> {
        self.0.iter().copied().min().filter(|&cost| cost != Self::INFEASIBLE)
    }

    /// The most that anything feasible costs, in hundredths; 0 if nothing is.
    pub fn most(&self) -> u32 {
        self.0.iter().copied().filter(|&cost| cost != Self::INFEASIBLE).max().unwrap_or(0)
    }

    /// Nothing can be done at any time and heading.
    pub fn is_infeasible(&self) -> bool {
        self.least().is_none()
    }

    /// To fill it. Only for one that nobody else shares.
    pub(in crate::tasking) fn samples_mut(&mut self) -> &mut [u32] {
        Arc::make_mut(&mut self.0)
    }
}
