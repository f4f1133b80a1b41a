//! SHAME: the emotion that decides when a robot gives in. [Gage, Implementation]

use crate::time::Duration;

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
    pub fn faded(&self, shame: f64, since_last_help: Duration) -> f64 {
        (shame - self.decay_per_s * since_last_help.as_secs_f64()).clamp(0.0, 1.0)
    }

    /// `s > t`: ashamed enough to answer.
    #[inline]
    pub fn tells(&self, shame: f64) -> bool {
        shame > self.threshold
    }

    /// `s + c + d(D)`, not above one: what ignoring a HELP from `distance_m` away leads to.
    /// From the very same place `d` is infinite, and SHAME full.
    #[inline]
    pub fn refused(&self, shame: f64, distance_m: f64) -> f64 {
        // Not zero: without proximity, `d` is nothing even from there.
        (shame + self.refusal + self.proximity_m / distance_m.max(f64::MIN_POSITIVE)).min(1.0)
    }
}
