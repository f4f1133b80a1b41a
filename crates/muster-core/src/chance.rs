//! What a mechanism leaves to chance, and the dice that simulator, replay and robots throw.
//!
//! A mechanism says what it means: one of a few things ([`Chance::among`]), a time within bounds ([`Chance::within`]), a
//! share of a whole ([`Chance::share`]), a number of its own ([`Chance::fresh`], [`Chance::nonce`]). So a checker can try
//! every one of the few things, and of a time or a share its ends and its middle.

use std::collections::BTreeMap;

use crate::rng::{Purpose, Stream};
use crate::robot::RobotId;
use crate::time::Duration;

/// What a mechanism leaves to chance.
pub trait Chance {
    /// One of 0..n, each with the same chance, for `robot`; 0 if `n` is 0.
    fn among(&mut self, robot: RobotId, n: u32) -> u32;

    /// 32 bits that no other life of `robot` has drawn: the number of a life whose memory was lost.
    fn fresh(&mut self, robot: RobotId) -> u32;

    /// 32 bits that tell one message of `robot` from all its others, in whichever of its lives it sent them. Apart from
    /// choices: a message that gets a number must not change what the robot chooses next.
    fn nonce(&mut self, robot: RobotId) -> u32;

    /// A time from nothing up to, but not including, `longest`, in whole microseconds. If `longest` is zero, nothing is
    /// drawn; if it is more than 2^32 microseconds (71 minutes), it counts as that much.
    fn within(&mut self, robot: RobotId, longest: Duration) -> Duration {
        match u32::try_from(longest.as_micros()).unwrap_or(u32::MAX) {
            0 => Duration::ZERO,
            micros => Duration::from_micros(u64::from(self.among(robot, micros))),
        }
    }

    /// A share of a whole, from 0 up to, but not including, 1, in this many steps.
    fn share(&mut self, robot: RobotId, steps: u32) -> f64 {
        f64::from(self.among(robot, steps)) / f64::from(steps)
    }
}

/// One stream for whichever robot asks.
impl Chance for Stream {
    fn among(&mut self, _robot: RobotId, n: u32) -> u32 {
        self.below(n)
    }

    fn fresh(&mut self, _robot: RobotId) -> u32 {
        (self.bits() >> 32) as u32
    }

    fn nonce(&mut self, _robot: RobotId) -> u32 {
        (self.bits() >> 32) as u32
    }
}

/// The dice of a team or of one robot, by seed: for each robot one stream of choices and one of nonces, made on first
/// use, so that a million silent robots cost nothing.
///
/// A run is made again by throwing the dice of the same seed. A robot that starts again by itself must therefore take a
/// new seed with each start, or its new life would draw the numbers of the one before.
#[derive(Clone, Debug)]
pub struct Dice {
    seed: u64,
    choices: BTreeMap<RobotId, Stream>,
    nonces: BTreeMap<RobotId, Stream>,
}

impl Dice {
    /// Those of the run with this seed.
    pub fn new(seed: u64) -> Self {
        Self { seed, choices: BTreeMap::new(), nonces: BTreeMap::new() }
    }

    fn choices(&mut self, robot: RobotId) -> &mut Stream {
        let seed = self.seed;
        self.choices.entry(robot).or_insert_with(|| Stream::new(seed, Purpose::Choice, robot))
    }
}

impl Chance for Dice {
    fn among(&mut self, robot: RobotId, n: u32) -> u32 {
        self.choices(robot).below(n)
    }

    // From the stream of choices, where it has always been drawn: every published run with a lost memory rests on it.
    fn fresh(&mut self, robot: RobotId) -> u32 {
        self.choices(robot).fresh(robot)
    }

    fn nonce(&mut self, robot: RobotId) -> u32 {
        let seed = self.seed;
        let stream = self.nonces.entry(robot).or_insert_with(|| Stream::new(seed, Purpose::Nonce, robot));
        stream.nonce(robot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROBOT: RobotId = RobotId(4);

    /// What is left to chance, in the numbers that published runs rest on.
    #[test]
    fn dice_draw_from_the_stream_of_choices() {
        let mut dice = Dice::new(7);
        let mut stream = Stream::new(7, Purpose::Choice, ROBOT);
        for _ in 0..100 {
            assert_eq!(dice.among(ROBOT, 13), stream.below(13));
            assert_eq!(dice.within(ROBOT, Duration::from_millis(150)).as_micros(), u64::from(stream.below(150_000)));
            assert_eq!(dice.share(ROBOT, 1 << 24), f64::from(stream.below(1 << 24)) / 16_777_216.0);
            assert_eq!(dice.fresh(ROBOT), (stream.bits() >> 32) as u32);
        }
    }

    #[test]
    fn nonces_shift_no_choice_and_differ() {
        let (mut with, mut without) = (Dice::new(7), Dice::new(7));
        let mut drawn = std::collections::BTreeSet::new();
        for _ in 0..1_000 {
            drawn.insert(with.nonce(ROBOT));
            assert_eq!(with.among(ROBOT, 13), without.among(ROBOT, 13));
        }
        assert_eq!(drawn.len(), 1_000, "2^32 numbers: two alike among a thousand would be chance 1 in 8,600");
    }

    #[test]
    fn one_robot_shifts_no_other() {
        let (mut alone, mut together) = (Dice::new(7), Dice::new(7));
        for _ in 0..10 {
            together.among(RobotId(1), 100);
            together.nonce(RobotId(1));
            assert_eq!(alone.among(ROBOT, 100), together.among(ROBOT, 100));
            assert_eq!(alone.nonce(ROBOT), together.nonce(ROBOT));
        }
    }

    #[test]
    fn no_time_at_all_draws_nothing_and_too_long_a_time_is_cut() {
        let (mut dice, mut fresh) = (Dice::new(7), Dice::new(7));
        assert_eq!(dice.within(ROBOT, Duration::ZERO), Duration::ZERO);
        assert_eq!(dice.among(ROBOT, 1_000), fresh.among(ROBOT, 1_000));
        assert!(dice.within(ROBOT, Duration::from_secs(1_000_000)).as_micros() < u64::from(u32::MAX));
    }

    /// A checker answers times and shares by themselves, and never has to count microseconds.
    #[test]
    fn a_checker_can_take_ends_and_middle() {
        struct Last;
        impl Chance for Last {
            fn among(&mut self, _: RobotId, n: u32) -> u32 {
                assert!(n < 100, "asked for one of {n}");
                n.saturating_sub(1)
            }
            fn fresh(&mut self, _: RobotId) -> u32 {
                1
            }
            fn nonce(&mut self, _: RobotId) -> u32 {
                1
            }
            fn within(&mut self, _: RobotId, longest: Duration) -> Duration {
                longest
            }
            fn share(&mut self, _: RobotId, _: u32) -> f64 {
                0.5
            }
        }
        assert_eq!(Last.within(ROBOT, Duration::from_secs(9)), Duration::from_secs(9));
        assert_eq!((Last.share(ROBOT, 1 << 24), Last.among(ROBOT, 7)), (0.5, 6));
    }
}
