//! A reception as a list: what robots were given in each tick, and what came of it, in the order in which it happened.
//!
//! A recording of a reception is its scenario, its seed and this list. It holds if the reception, made again, gives the same
//! list (`recording/comparer.rs`). It is compared byte for byte, so nothing may differ by the last bit.
//!
//! In a tick, after `cycle.rs`: where guests are, where each robot was put, then for each phase what robots published, what
//! reached whom, and all that was logged.

use muster_core::Time;
use serde::{Deserialize, Serialize};

use super::Line;
use crate::crowd::Crowd;
use crate::robot::{Place, Published};

/// Something that happened at a reception. Robots are numbered in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Entry {
    /// Something was logged: who is in place, what was said, heard and lost, and how emotions and behaviours changed.
    Logged(Line),
    /// Guests have walked.
    Walked {
        /// Time of the tick.
        at: Time,
        /// A sum over the places of all guests, in their order.
        sum: u64,
    },
    /// A robot was put where it wanted to be, or stays where it was because something is in its way.
    Placed {
        /// Time of the tick.
        at: Time,
        /// Which robot.
        robot: u32,
        /// Where it is now.
        place: Place,
    },
    /// A robot made itself known. What it makes known is not told again as long as it is the same.
    Published {
        /// Time of the tick.
        at: Time,
        /// Which robot.
        robot: u32,
        /// What it makes known.
        news: Box<Published>,
    },
    /// What a robot made known has reached another. Without loss and latency all know it at once, and this is left out.
    Reached {
        /// Time of the tick.
        at: Time,
        /// Which robot it has reached.
        robot: u32,
        /// Whose news it is.
        of: u32,
        /// What is known from here on.
        news: Box<Published>,
    },
}

impl Entry {
    /// When it happened.
    pub fn at(&self) -> Time {
        match self {
            Self::Logged(line) => line.at,
            Self::Walked { at, .. }
            | Self::Placed { at, .. }
            | Self::Published { at, .. }
            | Self::Reached { at, .. } => *at,
        }
    }

    pub(crate) fn walked(at: Time, crowd: &Crowd) -> Self {
        // FNV-1a, by whole numbers: the same on every platform.
        let feet = crowd.guests().flat_map(|guest| [guest.place.x, guest.place.y]);
        let sum =
            feet.fold(0xcbf2_9ce4_8422_2325, |sum: u64, feet| (sum ^ feet.to_bits()).wrapping_mul(0x0100_0000_01b3));
        Self::Walked { at, sum }
    }

    pub(crate) fn published(at: Time, robot: u32, news: &Published) -> Self {
        Self::Published { at, robot, news: Box::new(news.clone()) }
    }

    pub(crate) fn reached(at: Time, robot: u32, of: u32, news: &Published) -> Self {
        Self::Reached { at, robot, of, news: Box::new(news.clone()) }
    }
}
