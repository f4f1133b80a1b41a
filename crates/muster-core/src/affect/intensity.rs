//! How strong a feeling is: five words over a number.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::component::words;

/// How strong a feeling is, from nothing (0) to as strong as can be (1).
///
/// [Lisetti, Emotion Components] "can also be internally represented with scalars". SHAME of the recruitment
/// mechanism is one of these, too: a plain number, so that a HELP to a million robots costs no more for it.
#[derive(Copy, Clone, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Intensity(f64);

impl Intensity {
    /// Nothing is felt.
    pub const NONE: Self = Self(0.0);
    /// As strong as can be.
    pub const FULL: Self = Self(1.0);

    /// `value`, if it lies between 0 and 1.
    pub fn new(value: f64) -> Option<Self> {
        (0.0..=1.0).contains(&value).then_some(Self(value))
    }

    /// `value`, or the nearest end of the scale. What is no number is nothing felt.
    #[inline(always)]
    #[expect(clippy::manual_clamp, reason = "`clamp` would let through what is no number")]
    pub fn clamped(value: f64) -> Self {
        Self(value.max(0.0).min(1.0))
    }

    /// `value`, or full: for sums that are not below zero as a rule. Whoever cannot rule it out clamps what it gives away;
    /// SHAME saves an instruction of every HELP by that.
    #[inline(always)]
    pub(crate) fn at_most_full(value: f64) -> Self {
        Self(value.min(1.0))
    }

    /// The number.
    #[inline(always)]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The word for it. The five share the scale evenly: not given by the paper, and the plainest choice.
    pub fn level(self) -> Level {
        Level::ALL[((self.0 * 5.0) as usize).min(4)]
    }
}

impl TryFrom<f64> for Intensity {
    type Error = String;
    fn try_from(value: f64) -> Result<Self, String> {
        Self::new(value).ok_or_else(|| format!("{value} is not an intensity: it must lie between 0 and 1"))
    }
}

impl From<Intensity> for f64 {
    fn from(intensity: Intensity) -> f64 {
        intensity.0
    }
}

impl fmt::Display for Intensity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

words! {
    /// The five levels. [Lisetti, Emotion Components]; "mild, high, extreme" elsewhere in the paper is taken for an example.
    Level {
        /// Below 0.2.
        VeryLow = "very low",
        /// From 0.2.
        Low = "low",
        /// From 0.4.
        Medium = "medium",
        /// From 0.6.
        High = "high",
        /// From 0.8.
        VeryHigh = "very high",
    }
}

impl Level {
    /// The number that stands for it: the middle of its share.
    pub fn middle(self) -> Intensity {
        Intensity((self as u8 as f64 * 2.0 + 1.0) / 10.0)
    }
}
