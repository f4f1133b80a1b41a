//! SHAME: the emotion that decides when a robot gives in. [Gage, Implementation]
//!
//! It is an emotion like any other: its intensity is an [`Intensity`], its components are the row of its name in a
//! [`Table`], and it explains itself by the causal chain of that row.

use crate::affect::{Affect, Emotion, Intensity, Story, Table, Valence};
use crate::time::{Duration, Time};

/// Its name in a table of emotions.
pub const SHAME: &str = "SHAME";

/// How SHAME grows, fades and tells.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Shame {
    /// `t`: a robot answers when its SHAME is above this; below zero it answers always, as greedy does.
    pub threshold: f64,
    /// `c`: what ignoring one HELP adds.
    pub refusal: f64,
    /// The 0.5 of `d(D) = 0.5 / D`: what ignoring a HELP from one metre away adds on top.
    pub proximity_m: f64,
    /// The 0.005 of `k(dT) = 0.005 dT`: what fades in a second.
    pub decay_per_s: f64,
}

impl Shame {
    /// The values of the paper.
    pub const fn gage_2004() -> Self {
        Self { threshold: 0.75, refusal: 0.2, proximity_m: 0.5, decay_per_s: 0.005 }
    }

    /// `s - k(dT)`, within bounds (a negative decay makes it grow): what is left of `shame` when the next HELP comes.
    #[inline]
    pub fn faded(&self, shame: Intensity, since_last_help: Duration) -> Intensity {
        Intensity::clamped(shame.get() - self.decay_per_s * since_last_help.as_secs_f64())
    }

    /// `s > t`: ashamed enough to answer.
    #[inline]
    pub fn tells(&self, shame: Intensity) -> bool {
        shame.get() > self.threshold
    }

    /// `s + c + d(D)`, not above one: what ignoring a HELP from `distance_m` away leads to.
    /// From the very same place `d` is infinite, and SHAME full.
    #[inline]
    pub fn refused(&self, shame: Intensity, distance_m: f64) -> Intensity {
        // Not zero: without proximity, `d` is nothing even from there.
        // Below zero only if `c` is; what fades is clamped again, and so is what a robot tells of itself.
        Intensity::at_most_full(shame.get() + self.refusal + self.proximity_m / distance_m.max(f64::MIN_POSITIVE))
    }
}

/// `shame` as an emotion: felt since `since`, for not having done what `requester` wanted. None if there is none, or if
/// the table has no such emotion.
pub fn ashamed(table: &Table, shame: Intensity, since: Time, requester: &str) -> Option<Emotion> {
    let record = table.emotion(SHAME).filter(|_| shame > Intensity::NONE)?;
    Some(Emotion {
        name: record.name.clone(),
        affect: Affect { valence: Valence::Negative, intensity: shame },
        agency: record.agency.clone(),
        since,
        story: Story::new("to help", requester),
    })
}
