//! What machines leave to chance, in the simulator and in a replay.

use std::collections::BTreeMap;

use muster_core::RobotId;
use muster_core::mechanism::Chance;
use muster_core::rng::{Purpose, Stream};

/// The robots' streams of choices, each made on first use.
#[derive(Clone)]
pub(crate) struct Dice {
    seed: u64,
    streams: BTreeMap<RobotId, Stream>,
}

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, streams: BTreeMap::new() }
    }

    fn stream(&mut self, robot: RobotId) -> &mut Stream {
        let seed = self.seed;
        self.streams.entry(robot).or_insert_with(|| Stream::new(seed, Purpose::Choice, robot))
    }
}

impl Chance for Dice {
    fn below(&mut self, robot: RobotId, n: u32) -> u32 {
        self.stream(robot).below(n)
    }

    fn fresh(&mut self, robot: RobotId) -> u32 {
        Chance::fresh(self.stream(robot), robot)
    }
}
