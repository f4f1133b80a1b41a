//! How well a node hears others: what it has missed, and whether its own radio is known to be down.

use std::collections::{BTreeMap, BTreeSet};

use crate::robot::RobotId;
use crate::time::Time;

/// One in so many reports makes up the estimate of loss: long enough to tell 10 % from 30 %, short enough to follow.
const MEMORY: u32 = 32;
/// Losses are kept in parts of this: whole numbers, because a node's state is compared.
const WHOLE: u32 = 1 << 16;

/// What a node knows of its radio.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Nothing is known to be wrong with it.
    pub(super) up: bool,
    /// When it came up again, or began; `None` at first.
    pub(super) since: Option<Time>,
    /// The number of this node's last report.
    pub(super) number: u32,
    /// Vehicles that were ever heard.
    vehicles: BTreeSet<RobotId>,
    /// The last report heard from each node.
    heard: BTreeMap<RobotId, u32>,
    /// Share of reports that were missed, in parts of `WHOLE`.
    missed: u32,
}

impl Default for Link {
    fn default() -> Self {
        Self { up: true, since: None, number: 0, vehicles: BTreeSet::new(), heard: BTreeMap::new(), missed: 0 }
    }
}

impl Link {
    /// A vehicle was heard.
    pub(super) fn meet(&mut self, from: RobotId) {
        self.vehicles.insert(from);
    }

    /// How many other vehicles have ever been heard.
    pub(super) fn others(&self) -> usize {
        self.vehicles.len()
    }

    /// Report `number` of `from` came in: those between it and the last one did not, or not yet.
    pub(super) fn count(&mut self, from: RobotId, number: u32) {
        let last = self.heard.entry(from).or_insert(number.wrapping_sub(1));
        let behind = last.wrapping_sub(number);
        if behind <= MEMORY {
            // Twice, or overtaken by a later one that took it for missed.
            if behind > 0 {
                self.missed = self.missed.saturating_sub(WHOLE / MEMORY);
            }
            return;
        }
        let gap = number.wrapping_sub(*last);
        *last = number;
        // A large gap is a restart, or a long absence: neither says anything about loss.
        if gap > MEMORY {
            return;
        }
        for _ in 1..gap {
            self.missed += (WHOLE - self.missed) / MEMORY;
        }
        self.missed -= self.missed / MEMORY;
    }

    /// Share of reports that were missed lately.
    pub fn loss(&self) -> f64 {
        f64::from(self.missed) / f64::from(WHOLE)
    }

    /// How many reports have to be waited for so that all of them are missed with no more than this probability.
    pub(super) fn reports(&self, miss: f64) -> u32 {
        let loss = self.loss().min(0.9);
        let mut all_missed = loss;
        let mut reports = 1;
        while all_missed > miss && reports < 100 {
            all_missed *= loss;
            reports += 1;
        }
        reports
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_in_the_numbers_is_a_loss() {
        let mut link = Link::default();
        let mut number = 0;
        // Every third report of two nodes is missed.
        for step in 0..600 {
            number += if step % 2 == 0 { 2 } else { 1 };
            link.count(RobotId(1), number);
            link.count(RobotId(2), number + 7);
        }
        assert!((0.28..0.38).contains(&link.loss()), "{}", link.loss());
        // 0.33^9 < 1e-4 < 0.33^8.
        assert!((8..=10).contains(&link.reports(1e-4)), "{}", link.reports(1e-4));
    }

    #[test]
    fn nothing_missed_means_no_stretching() {
        let mut link = Link::default();
        for number in 0..100 {
            link.count(RobotId(1), number);
        }
        assert_eq!((link.loss(), link.reports(1e-4)), (0.0, 1));
    }

    #[test]
    fn a_restart_is_no_loss() {
        let mut link = Link::default();
        link.count(RobotId(1), 5);
        link.count(RobotId(1), 5 + (1 << 16));
        link.count(RobotId(1), 3);
        assert_eq!(link.loss(), 0.0);
    }

    #[test]
    fn reports_that_overtake_each_other_or_come_twice_are_no_loss() {
        let mut link = Link::default();
        for number in (0..600).step_by(2) {
            for number in [number + 1, number, number + 1] {
                link.count(RobotId(1), number);
            }
        }
        assert!(link.loss() < 0.01, "{}", link.loss());
    }
}
