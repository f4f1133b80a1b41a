//! From stress to emotion: thresholds with hysteresis, as data.
//!
//! [Lisetti, Related Research] calls this the Emotion State Generator: it takes measures of progress and knows nothing
//! of behaviour. How it reckons was published elsewhere and could not be had; this is our own design (docs/emotions.md).

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::component::{Name, Valence};
use super::{Affect, Intensity};
use crate::time::Duration;

/// How badly things go: 0 if all is well, 1 if what is needed just fits what is left, and no bound above.
#[derive(Copy, Clone, Debug, Default, PartialEq, PartialOrd)]
pub struct Stress(f64);

impl Stress {
    /// All is well.
    pub const NONE: Self = Self(0.0);
    /// Nothing is left.
    pub const INFINITE: Self = Self(f64::INFINITY);

    /// `value`; below zero, and what is no number, is none.
    pub fn new(value: f64) -> Self {
        Self(value.max(0.0))
    }

    /// What is needed by what is left (both in one unit), `quickening` times; infinite when nothing is left.
    pub fn of(quickening: f64, needed: f64, left: f64) -> Self {
        let (needed, ratio) = (needed.max(0.0), quickening * needed.max(0.0) / left);
        // The second is infinity by infinity: never to be met.
        if left > 0.0 && !(ratio.is_nan() && needed > 0.0) { Self::new(ratio) } else { Self::INFINITE }
    }

    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl fmt::Display for Stress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_finite() { self.0.fmt(f) } else { f.write_str("infinite") }
    }
}

/// Formats such as JSON have no infinity, and a state must survive being saved: infinite is written as nothing.
impl Serialize for Stress {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.is_finite().then_some(self.0).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Stress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::<f64>::deserialize(deserializer)?.map_or(Self::INFINITE, Self::new))
    }
}

/// Emotions in the order in which growing stress leads to them, and the stress at which it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// The emotions, calmest first.
    pub levels: Vec<Name>,
    /// `t1, t2, ...`: where each but the first begins.
    pub thresholds: Vec<f64>,
    /// `h`: a level is left downwards only below this share of its threshold.
    pub hysteresis: f64,
    /// The stress at which pleasant turns to unpleasant.
    pub turning: f64,
    /// How far above that it takes to the full intensity.
    pub span: f64,
    /// What comes of staying at the last level.
    pub anger: Option<Anger>,
}

/// An emotion beyond the last level: it comes of staying there, and it is somebody's fault.
#[derive(Clone, Debug, PartialEq)]
pub struct Anger {
    /// The emotion.
    pub emotion: Name,
    /// How long, without stress falling.
    pub dwell: Duration,
    /// The level that it leads back to.
    pub back_to: usize,
    /// Off, unless a table or a robot turns it on.
    pub enabled: bool,
}

impl Scale {
    /// The last level.
    pub fn top(&self) -> usize {
        self.thresholds.len()
    }

    /// The level of an emotion, if it is one of them.
    pub fn level_of(&self, emotion: &str) -> Option<usize> {
        self.levels.iter().position(|level| *level == *emotion)
    }

    /// The stress below which `level` is left downwards.
    pub fn leaves_below(&self, level: usize) -> Stress {
        level.checked_sub(1).map_or(Stress::NONE, |index| Stress(self.hysteresis * self.thresholds[index]))
    }

    /// The level after `from` under `stress`: up at once, by the number of thresholds reached; down, several levels if
    /// need be, only while stress is below the hysteresis of the level being left.
    pub fn level(&self, from: usize, stress: Stress) -> usize {
        let reached = self.thresholds.iter().filter(|threshold| stress.0 >= **threshold).count();
        let mut level = from.min(self.top()).max(reached);
        while level > 0 && stress < self.leaves_below(level) {
            level -= 1;
        }
        level
    }

    /// How it feels: pleasant, and the more so the less stress there is; beyond the turning point unpleasant.
    pub fn affect(&self, stress: Stress) -> Affect {
        if stress.0 < self.turning {
            Affect { valence: Valence::Positive, intensity: Intensity::clamped(1.0 - stress.0 / self.turning) }
        } else {
            let beyond = (stress.0 - self.turning) / self.span;
            Affect { valence: Valence::Negative, intensity: Intensity::clamped(beyond) }
        }
    }
}
