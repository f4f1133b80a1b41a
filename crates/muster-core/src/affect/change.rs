//! Why an emotion changed: which input, which rule, which numbers.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Emotion;
use super::component::Name;
use super::dynamics::Input;
use super::scale::Stress;
use crate::time::{Duration, Time};

/// A change of emotion, or of how strong it is on the five levels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The instant of the change, on the robot's clock.
    pub at: Time,
    /// The emotion until then.
    pub old: Emotion,
    /// The emotion from then on.
    pub new: Emotion,
    /// The event or belief that caused it.
    pub input: Input,
    /// By which rule, with which numbers.
    pub rule: Rule,
    /// The causal chain of the new emotion, in sentences.
    pub chain: String,
}

/// What turned an input into an emotion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Rule {
    /// Stress reached the threshold of a higher level.
    Reached {
        /// Stress after the input.
        stress: Stress,
        /// By which factor the robot's personality raised it, if it had a say.
        quickening: Option<f64>,
        /// The threshold that it reached, as the scale has it.
        threshold: f64,
    },
    /// Stress fell below the hysteresis of the last level that was left.
    Fell {
        /// Stress after the input.
        stress: Stress,
        /// Below which it had to be.
        below: Stress,
    },
    /// The level is the same: it is only felt more, or less, or in another way.
    Same {
        /// Stress after the input.
        stress: Stress,
    },
    /// The last level for so long without stress falling.
    Dwelt {
        /// Stress after the input.
        stress: Stress,
        /// The time spent at the last level.
        lasted: Duration,
        /// The time it takes to become angry, as the scale has it.
        dwell: Duration,
    },
    /// A belief brought it about.
    Believed {
        /// What the robot thinks.
        says: Name,
        /// It keeps the emotion until it is given up.
        holds: bool,
        /// What it thought before, which this put an end to.
        replaces: Option<Name>,
    },
    /// A rule of the robot's own.
    Appraised,
}

impl Change {
    /// Another emotion, not the same one stronger or weaker.
    pub fn is_another(&self) -> bool {
        self.old.name != self.new.name
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, old, new, input, rule, .. } = self;
        if self.is_another() {
            write!(f, "at {at:.1} {} gave way to {} ({})", old.name, new.name, new.affect)?;
        } else {
            write!(f, "at {at:.1} {} went from {} to {}", new.name, old.affect, new.affect)?;
        }
        write!(f, " because of {}: {input}, {rule}", new.agency)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reached { stress, quickening, threshold } => {
                if let Some(quickening) = quickening {
                    write!(f, "made {quickening} times worse by personality: ")?;
                }
                write!(f, "stress {stress:.2} >= {threshold}")
            }
            Self::Fell { stress, below } => write!(f, "stress {stress:.2} < {below:.2}"),
            Self::Same { stress } => write!(f, "stress {stress:.2}"),
            Self::Dwelt { stress, lasted, dwell } => {
                write!(f, "stress {stress:.2} has not fallen for {lasted:.1} >= {dwell:.1}")
            }
            Self::Believed { says, holds, replaces } => {
                write!(f, "it believes \"{says}\"")?;
                if let Some(replaces) = replaces {
                    write!(f, " and no longer \"{replaces}\"")?;
                }
                if *holds { write!(f, ", and no event changes that") } else { Ok(()) }
            }
            Self::Appraised => f.write_str("by a rule of its own"),
        }
    }
}
