//! A bid for one task as it is sent. [MacKenzie §3]
//!
//! The paper gives two bytes a sample and leaves open what is in them. Ours are hundredths of a unit of cost; where that
//! does not reach far enough, those above a knee count more.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::surface::{Grid, Surface};
use crate::tasking::sampling::Adaptive;

/// What a task would cost a vehicle, as it tells the LEAD.
///
/// The first two are written as `Option` writes its own, and so bids of older recordings are read as these.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Quote {
    /// The vehicle cannot do the task.
    Cannot,
    /// For each point of the grid, time-major, the cost in hundredths.
    Sampled(Arc<[u16]>),
    /// The same, if some cost takes more than two bytes.
    Scaled {
        /// What samples count.
        scale: Scale,
        /// By time, then heading.
        samples: Arc<[u16]>,
    },
    /// Slices at chosen headings: the bytes of an [`Adaptive`].
    Adaptive(Arc<[u8]>),
}

/// What samples of two bytes count: hundredths up to a knee, and above it so many times as much.
///
/// So the costs that fit two bytes are what they are, and of greater ones the farther of two vehicles is told from the
/// nearer as long as they differ by a 65,000th of what the dearest point of the bid costs.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scale(
    /// The power of two.
    u8,
);

impl Quote {
    /// The sample of what cannot be done.
    pub const INFEASIBLE: u16 = u16::MAX;

    /// A cost function on the grid.
    pub fn sampled(surface: &Surface) -> Self {
        if surface.is_infeasible() {
            return Self::Cannot;
        }
        let scale = Scale::reaching(surface.most());
        let sample = |&cost: &u32| if cost == Surface::INFEASIBLE { Self::INFEASIBLE } else { scale.sample(cost) };
        let samples = surface.samples().iter().map(sample).collect();
        if scale == Scale::default() { Self::Sampled(samples) } else { Self::Scaled { scale, samples } }
    }

    /// A cost function at chosen headings.
    pub fn adaptive(fitted: &Adaptive) -> Self {
        if fitted.is_infeasible() { Self::Cannot } else { Self::Adaptive(fitted.bytes().into()) }
    }

    /// It can be meant, by a vehicle that samples at the points of `grid`. What came by radio may be nonsense.
    pub fn is_sound(&self, grid: &Grid) -> bool {
        match self {
            Self::Cannot => true,
            Self::Sampled(samples) => samples.len() == grid.len(),
            Self::Scaled { scale, samples } => scale.is_sound() && samples.len() == grid.len(),
            Self::Adaptive(bytes) => bytes.len() <= Adaptive::BUDGET && Adaptive::from_bytes(bytes).is_ok(),
        }
    }

    /// Bytes that the cost function takes on the air: two for each sample.
    pub fn len(&self) -> usize {
        match self {
            Self::Cannot => 0,
            Self::Sampled(samples) => 2 * samples.len(),
            Self::Scaled { samples, .. } => 1 + 2 * samples.len(),
            Self::Adaptive(bytes) => bytes.len(),
        }
    }

    /// By how many bytes it is longer than recordings encode it, which give a sample one to three.
    pub(in crate::tasking) fn repacked(&self) -> i64 {
        let (Self::Sampled(samples) | Self::Scaled { samples, .. }) = self else { return 0 };
        let encoded = |sample: &u16| match sample {
            0..0x80 => 1,
            0x80..0x4000 => 2,
            _ => 3,
        };
        samples.iter().map(|sample| 2 - encoded(sample)).sum()
    }

    /// There is no cost function: the vehicle cannot do the task.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What it says on a grid; `None` if the vehicle cannot do the task, or if it makes no sense.
    pub fn surface(&self, grid: &Grid) -> Option<Surface> {
        let surface = match self {
            _ if !self.is_sound(grid) => return None,
            Self::Cannot => return None,
            Self::Sampled(samples) => read(Scale::default(), samples),
            Self::Scaled { scale, samples } => read(*scale, samples),
            Self::Adaptive(bytes) => Adaptive::from_bytes(bytes).ok()?.to_surface(grid),
        };
        (!surface.is_infeasible()).then_some(surface)
    }

    /// The same of several bids. Tasks at one place cost the same, and what was read once is not read again.
    pub(in crate::tasking) fn surfaces(quotes: &[Self], grid: &Grid) -> Vec<Option<Surface>> {
        let mut surfaces: Vec<Option<Surface>> = Vec::with_capacity(quotes.len());
        for (index, quote) in quotes.iter().enumerate() {
            let read = quotes[..index].iter().position(|other| other == quote);
            surfaces.push(match read {
                Some(read) => surfaces[read].clone(),
                None => quote.surface(grid),
            });
        }
        surfaces
    }
}

fn read(scale: Scale, samples: &[u16]) -> Surface {
    let cost = |&sample: &u16| if sample == Quote::INFEASIBLE { Surface::INFEASIBLE } else { scale.cost(sample) };
    Surface::new(samples.iter().map(cost).collect::<Arc<[u32]>>())
}

impl Scale {
    /// Samples below are hundredths, whatever the scale.
    const KNEE: u16 = 1 << 15;
    const LAST: u16 = Quote::INFEASIBLE - 1;
    const MOST_SHIFT: u8 = 16;

    /// As far as the coarsest reaches: 21 million units of cost.
    pub(super) const MOST: u32 = Self(Self::MOST_SHIFT).cost(Self::LAST);

    /// The finest with which this many hundredths can be said.
    pub fn reaching(most: u32) -> Self {
        let reaches = |shift: &u8| Self(*shift).cost(Self::LAST) >= most;
        Self((0..Self::MOST_SHIFT).find(reaches).unwrap_or(Self::MOST_SHIFT))
    }

    /// One that came by radio may be no scale.
    pub const fn is_sound(self) -> bool {
        self.0 <= Self::MOST_SHIFT
    }

    /// So many hundredths as a sample: the nearest, and the last for all that is beyond it.
    #[inline]
    pub fn sample(self, cost: u32) -> u16 {
        match cost.checked_sub(u32::from(Self::KNEE)) {
            Some(above) => {
                let steps = (u64::from(above) + ((1 << self.0) >> 1)) >> self.0;
                steps.min(u64::from(Self::LAST - Self::KNEE)) as u16 + Self::KNEE
            }
            None => cost as u16,
        }
    }

    /// What a sample says, in hundredths.
    #[inline]
    pub const fn cost(self, sample: u16) -> u32 {
        match sample.checked_sub(Self::KNEE) {
            Some(above) => Self::KNEE as u32 + ((above as u32) << self.0),
            None => sample as u32,
        }
    }

    /// The power of two, as it is sent.
    pub(in crate::tasking) const fn byte(self) -> u8 {
        self.0
    }

    /// As it was sent.
    pub(in crate::tasking) fn from_byte(byte: u8) -> Option<Self> {
        Some(Self(byte)).filter(|scale| scale.is_sound())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Duration;

    #[test]
    fn costs_below_the_knee_are_exact_and_the_others_as_exact_as_two_bytes_allow() {
        for most in [0, 65_534, 65_535, 70_000, 123_456, 10_000_000, Scale::MOST] {
            let scale = Scale::reaching(most);
            assert!(scale.is_sound() && (most > 65_534) == (scale != Scale::default()), "{most}");
            for cost in [0, 1, 32_767, 32_768, 40_000, most / 3, most / 2, most] {
                let said = scale.cost(scale.sample(cost.min(most)));
                let off = said.abs_diff(cost.min(most));
                let exact = cost < 32_768 || most <= 65_534;
                assert!(off <= if exact { 0 } else { most / 32_000 }, "{cost} of {most} becomes {said}");
            }
        }
        assert_eq!(Scale::reaching(u32::MAX), Scale(16));
    }

    #[test]
    fn what_is_sent_is_read() {
        let grid = Grid { step: Duration::from_secs(5), times: 2, headings: 2 };
        let read =
            |costs: [u32; 4]| Quote::sampled(&Surface::new(costs)).surface(&grid).map(|it| it.samples().to_vec());
        let none = Surface::INFEASIBLE;
        assert_eq!(read([1, 2, 65_534, none]), Some(vec![1, 2, 65_534, none]));
        assert_eq!(read([1, 2, 65_536, none]), Some(vec![1, 2, 65_536, none]));
        assert_eq!(read([none; 4]), None);
        assert!(matches!(Quote::sampled(&Surface::new([1, 2, 65_535, none])), Quote::Scaled { .. }));
        assert!(!Quote::Sampled([1, 2, 3].into()).is_sound(&grid), "too short");
        assert!(!Quote::Scaled { scale: Scale(17), samples: [1; 4].into() }.is_sound(&grid), "no scale");
        assert!(!Quote::Adaptive([1, 2, 3].into()).is_sound(&grid), "no cost function");
    }
}
