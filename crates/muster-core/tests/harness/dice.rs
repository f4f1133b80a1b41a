//! What robots leave to chance.

use std::collections::VecDeque;

use muster_core::rng::{Purpose, Stream};
use muster_core::{Chance, RobotId};

use super::{FIRST_NONCE, FRESH};

/// Dice that fall as they are told: `picks` in turn, then always the same way.
#[derive(Clone, Debug, Default)]
pub struct Dice {
    pub picks: VecDeque<u32>,
    /// Among how many each choice was.
    pub asked: Vec<u32>,
    pub drawn: u32,
    /// How many messages have got a number.
    pub numbered: u32,
    then: Then,
}

#[derive(Clone, Debug, Default)]
enum Then {
    #[default]
    Least,
    Most,
    Seed(Box<Stream>),
}

impl Dice {
    /// These in turn, then the least.
    pub fn falling(picks: impl IntoIterator<Item = u32>) -> Self {
        Self { picks: picks.into_iter().collect(), ..Self::default() }
    }

    /// Always the most: every time-out is as long as it can be.
    pub fn most() -> Self {
        Self { then: Then::Most, ..Self::default() }
    }

    /// As they fall for `robot` by this seed.
    pub fn seeded(seed: u64, robot: RobotId) -> Self {
        Self { then: Then::Seed(Box::new(Stream::new(seed, Purpose::Choice, robot))), ..Self::default() }
    }
}

impl Chance for Dice {
    fn among(&mut self, robot: RobotId, n: u32) -> u32 {
        self.asked.push(n);
        let most = n.saturating_sub(1);
        match (self.picks.pop_front(), &mut self.then) {
            (Some(pick), _) => pick.min(most),
            (None, Then::Least) => 0,
            (None, Then::Most) => most,
            (None, Then::Seed(stream)) => stream.among(robot, n),
        }
    }

    fn fresh(&mut self, robot: RobotId) -> u32 {
        if let Then::Seed(stream) = &mut self.then {
            return stream.fresh(robot);
        }
        self.drawn += 1;
        FRESH + (self.drawn - 1) * 0x100
    }

    fn nonce(&mut self, _robot: RobotId) -> u32 {
        self.numbered += 1;
        FIRST_NONCE + self.numbered - 1
    }
}
