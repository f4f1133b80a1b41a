//! Policies from outside: when to answer and whom to choose, by rules that are not ours, such as a script's.
//!
//! A policy is asked and keeps nothing: the same question gets the same answer, on every robot and every thread. What it
//! may need to know is in the question.

use std::fmt;
use std::sync::Arc;

use super::Offer;
use crate::robot::RobotId;
use crate::task::TaskId;
use crate::time::{Duration, Time};

/// When to answer and whom to choose.
pub trait Policy: fmt::Debug + Send + Sync {
    /// Whether a robot that could help offers to.
    fn answers(&self, help: &Heard) -> Result<bool, Undecided>;

    /// Which of the offers is taken, counted from 0; there is at least one, and they are in the order of robots' numbers.
    fn chooses(&self, offers: &[Offer]) -> Result<usize, Undecided>;
}

/// A HELP, as a robot that has nothing else to do weighs it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Heard {
    /// The robot that weighs whether to answer.
    pub robot: RobotId,
    /// The robot that calls.
    pub requester: RobotId,
    /// For what.
    pub need: TaskId,
    /// Which HELP for this need, from 1.
    pub round: u32,
    /// When, on the robot's clock.
    pub now: Time,
    /// Its SHAME by now.
    pub shame: f64,
    /// The SHAME above which it would answer, by the paper's policy.
    pub threshold: f64,
    /// Metres to where help is needed.
    pub distance_m: f64,
    /// How long it would take to get there.
    pub eta: Duration,
    /// How long ago it weighed the HELP before this one; since the start if there was none.
    pub since_help: Duration,
}

/// A policy that came to no decision. The paper's policy decides instead, and it is noted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Undecided {
    /// In which line of its text that was; 0 if it has none.
    pub line: u32,
}

/// A policy from outside, shared by a team.
#[derive(Clone, Debug)]
pub struct Custom(pub Arc<dyn Policy>);

/// The same one, not only one like it: what a policy does cannot be seen.
impl PartialEq for Custom {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Custom {}
