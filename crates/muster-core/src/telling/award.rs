//! Who was chosen, and among whom.

use crate::robot::RobotId;
use crate::task::TaskId;
use crate::time::{Duration, Time};

/// Somebody was chosen for a task, or chose itself, with all that bore on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Award {
    /// Time of the choice.
    pub at: Time,
    /// The robot that chose.
    pub by: RobotId,
    /// The task.
    pub task: TaskId,
    /// The call or the attempt that it came of; 0 if the mechanism counts none.
    pub round: u32,
    /// What the mechanism counts there, as files call it.
    pub round_key: Option<&'static str>,
    /// The robot that was at it and is to be relieved, if there is one.
    pub taken_from: Option<RobotId>,
    /// The robot that was chosen, with its offer.
    pub chosen: Offer,
    /// The others that could have been chosen, the best first. Offers that the robot that chose did not hear come last.
    pub others: Vec<Offer>,
    /// Robots that could have helped, heard of it and kept silent.
    pub silent: Vec<Quiet>,
    /// What [`Quiet::weighed`] has to be above for an answer, if robots answer by a threshold.
    pub threshold: Option<f64>,
}

impl Award {
    /// Offers that were heard, other than the one that was chosen.
    pub fn heard(&self) -> impl Iterator<Item = &Offer> {
        self.others.iter().filter(|offer| offer.heard)
    }

    /// Offers that were made and not heard.
    pub fn unheard(&self) -> impl Iterator<Item = &Offer> {
        self.others.iter().filter(|offer| !offer.heard)
    }

    /// The robot was chosen, or was not though it could have been, or kept silent.
    pub fn names(&self, robot: RobotId) -> bool {
        self.chosen.robot == robot
            || self.others.iter().any(|offer| offer.robot == robot)
            || self.silent.iter().any(|quiet| quiet.robot == robot)
    }
}

/// A robot that could have been chosen.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Offer {
    /// The robot.
    pub robot: RobotId,
    /// What speaks for it, the less the better. Nothing if it cannot, or if nobody knows.
    pub value: Option<Value>,
    /// The robot that chose had heard of it.
    pub heard: bool,
}

/// What an offer is worth: the less the better.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Value {
    /// The estimated time of arrival.
    Eta(Duration),
    /// The cost in hundredths.
    Cost(u32),
    /// Seconds that the robot should need.
    Expected(f64),
}

impl Value {
    /// As a number: seconds, or units of cost.
    pub fn number(self) -> f64 {
        match self {
            Self::Eta(eta) => eta.as_secs_f64(),
            Self::Cost(hundredths) => f64::from(hundredths) / 100.0,
            Self::Expected(seconds) => seconds,
        }
    }

    /// What it is called in tables and files, with its unit.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Eta(_) => "eta_s",
            Self::Cost(_) => "cost",
            Self::Expected(_) => "expected_s",
        }
    }
}

/// A robot that kept silent.
#[derive(Clone, Debug, PartialEq)]
pub struct Quiet {
    /// The robot.
    pub robot: RobotId,
    /// Why, in a word.
    pub word: &'static str,
    /// What it weighed, to be compared with [`Award::threshold`].
    pub weighed: f64,
    /// What that is, as files call it.
    pub weighed_key: &'static str,
    /// Why, in words.
    pub text: String,
}
