//! Random streams: one per robot and purpose, all derived from the seed of the run.
//!
//! Separate streams keep what happens to one robot from shifting the dice of another: a mission run with
//! another strategy meets the same arrangement. The generator is xoshiro256++, seeded through SplitMix64,
//! by name: the standard generator of `rand` may change between versions, and published figures must not.

mod triangular;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::robot::RobotId;

pub use triangular::{BadTriangular, Triangular};

/// What a stream is used for. The numbers are part of every published seed: never renumber them.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Where robots stand and where tasks lie.
    Arrangement = 1,
    /// Which transmissions are lost, delayed or doubled.
    Radio = 2,
    /// What a mechanism leaves to chance.
    Choice = 3,
    /// Which robots fail, how and when.
    Faults = 4,
    /// One run of a batch: its seed is drawn from the seed of the batch.
    Batch = 5,
    /// How long a robot takes for a task, where that scatters.
    Labour = 6,
    /// How guests move about in a crowd.
    Guests = 7,
    /// Numbers that tell one message of a robot from another.
    Nonce = 8,
    /// A mission that is itself drawn from the seed.
    Mission = 9,
}

/// A stream of random numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Stream(Xoshiro256PlusPlus);

/// The finaliser of SplitMix64: spreads neighbouring numbers over the whole range.
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Stream {
    /// The stream of `robot` for `purpose` in the run with this `seed`.
    pub fn new(seed: u64, purpose: Purpose, robot: RobotId) -> Self {
        let place = (purpose as u64) << 32 | u64::from(robot.0);
        Self(Xoshiro256PlusPlus::seed_from_u64(mix(seed) ^ mix(place)))
    }

    /// The stream that belongs to no robot in particular.
    pub fn of_run(seed: u64, purpose: Purpose) -> Self {
        Self::new(seed, purpose, RobotId(u32::MAX))
    }

    /// The seed of run `index` of a batch.
    pub fn seed_of_run(batch: u64, index: u64) -> u64 {
        // 2^53 keeps the seed exact in JSON readers that know only doubles.
        mix(mix(batch) ^ mix((Purpose::Batch as u64) << 56 ^ index)) >> 11
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in [0, 1).
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        // 53 bits fill a double's mantissa; through i64, see `time`.
        (self.bits() >> 11) as i64 as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Uniform in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// True with probability `p`. Draws nothing when the answer is certain.
    #[inline]
    pub fn chance(&mut self, p: f64) -> bool {
        p > 0.0 && (p >= 1.0 || self.uniform() < p)
    }

    /// Exponential, with this mean: how long until the next of things that come by chance.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * libm::log(1.0 - self.uniform())
    }

    /// Normal, with mean 0 and standard deviation 1.
    pub fn normal(&mut self) -> f64 {
        // Box and Muller; one of the two values, so that each call draws the same amount.
        let (radius, angle) = (1.0 - self.uniform(), self.uniform());
        libm::sqrt(-2.0 * libm::log(radius)) * libm::cos(std::f64::consts::TAU * angle)
    }

    /// Uniform in 0..n, without bias; 0 if `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        if n == 0 {
            return 0;
        }
        // Lemire's multiplication method: reject the few values that would favour low results.
        let threshold = n.wrapping_neg() % n;
        loop {
            let product = u64::from((self.bits() >> 32) as u32) * u64::from(n);
            if product as u32 >= threshold {
                return (product >> 32) as u32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers themselves are a promise: a published seed means these draws, on every platform.
    #[test]
    fn streams_are_pinned() {
        let mut stream = Stream::new(1, Purpose::Radio, RobotId(7));
        let drawn: Vec<u64> = (0..3).map(|_| stream.bits()).collect();
        assert_eq!(drawn, PINNED, "a change here changes every published figure");
    }
    const PINNED: [u64; 3] = [6_564_547_198_540_772_611, 1_178_718_903_715_666_802, 474_913_753_173_605_322];

    #[test]
    fn streams_of_neighbours_differ() {
        let first = |seed, purpose, robot| Stream::new(seed, purpose, RobotId(robot)).bits();
        let base = first(1, Purpose::Radio, 1);
        assert_ne!(base, first(1, Purpose::Radio, 2));
        assert_ne!(base, first(1, Purpose::Choice, 1));
        assert_ne!(base, first(2, Purpose::Radio, 1));
    }

    #[test]
    fn below_is_fair() {
        let mut stream = Stream::of_run(3, Purpose::Choice);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[stream.below(7) as usize] += 1;
        }
        // Five standard deviations of a binomial with p = 1/7 are 463.
        assert!(counts.iter().all(|&n| n.abs_diff(10_000) < 463), "{counts:?}");
    }

    #[test]
    fn normal_has_mean_zero_and_deviation_one() {
        let mut stream = Stream::of_run(3, Purpose::Labour);
        let values: Vec<f64> = (0..100_000).map(|_| stream.normal()).collect();
        let mean = values.iter().sum::<f64>() / 1e5;
        let variance = values.iter().map(|value| value * value).sum::<f64>() / 1e5 - mean * mean;
        // Five standard errors: 0.016 of the mean, 0.022 of the variance.
        assert!(mean.abs() < 0.016 && (variance - 1.0).abs() < 0.022, "{mean} {variance}");
    }

    #[test]
    fn certain_chances_draw_nothing() {
        let mut stream = Stream::of_run(3, Purpose::Radio);
        let before = stream.clone();
        assert!(!stream.chance(0.0) && stream.chance(1.0));
        assert_eq!(stream, before);
    }
}
