//! A cost function as it is sent: samples on a grid of times and headings. [MacKenzie §3]

use std::sync::Arc;

use serde::{Deserialize, Serialize};

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
    /// Every 45 degrees, and every 5 s from 0 to 100 s. [MacKenzie §3]
    pub const fn mackenzie_2003() -> Self {
        Self { step: Duration::from_secs(5), times: 21, headings: 8 }
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

    /// There is nothing to sample.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A sampled cost function: hundredths of a unit of cost, time-major. Cheap to clone.
///
/// The paper gives two bytes a sample and leaves open what is in them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Surface(Arc<[u16]>);

impl Surface {
    /// The sample of what cannot be done.
    pub const INFEASIBLE: u16 = u16::MAX;

    /// From samples, time-major.
    pub fn new(samples: impl Into<Arc<[u16]>>) -> Self {
        Self(samples.into())
    }

    /// Nothing can be done.
    pub fn infeasible(grid: &Grid) -> Self {
        Self(std::iter::repeat_n(Self::INFEASIBLE, grid.len()).collect())
    }

    /// It has as many samples as `grid` asks for. One that came by radio may not.
    pub fn fits(&self, grid: &Grid) -> bool {
        self.0.len() == grid.len()
    }

    /// The cost at a time and a heading, in hundredths; `None` if it is infeasible or off the grid.
    #[inline]
    pub fn get(&self, grid: &Grid, time: u16, heading: u16) -> Option<u16> {
        if heading >= grid.headings {
            return None;
        }
        let index = usize::from(time) * usize::from(grid.headings) + usize::from(heading);
        self.0.get(index).copied().filter(|&cost| cost != Self::INFEASIBLE)
    }

    /// All samples, time-major.
    #[inline]
    pub fn samples(&self) -> &[u16] {
        &self.0
    }

    /// The least cost, in hundredths; `None` if nothing is feasible.
    pub fn least(&self) -> Option<u16> {
        self.0.iter().copied().min().filter(|&cost| cost != Self::INFEASIBLE)
    }

    /// Nothing can be done at any time and heading.
    pub fn is_infeasible(&self) -> bool {
        self.least().is_none()
    }

    /// As it is sent: each sample big-endian.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|sample| sample.to_be_bytes()).collect()
    }

    /// As it was sent; `None` if the last sample lacks a byte. Whether it fits a grid is [`Surface::fits`].
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (samples, rest) = bytes.as_chunks::<2>();
        rest.is_empty().then(|| Self(samples.iter().map(|&sample| u16::from_be_bytes(sample)).collect()))
    }

    /// To fill it. Only for one that nobody else shares.
    pub(in crate::tasking) fn samples_mut(&mut self) -> &mut [u16] {
        Arc::make_mut(&mut self.0)
    }
}
