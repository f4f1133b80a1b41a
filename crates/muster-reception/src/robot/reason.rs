//! Why a robot feels what it feels.

use std::fmt;

use muster_core::affect::Change;
use serde::{Deserialize, Serialize};

/// Why a robot feels what it feels from now on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Reason {
    /// Its generator says so: the input, the rule, the numbers, and the causal chain.
    Change(Box<Change>),
    /// A sentence: in words of its own, as a script may have it, or out of a log, which holds no more.
    Said(String),
}

impl Reason {
    /// The change as a value, if it is known.
    pub fn change(&self) -> Option<&Change> {
        match self {
            Self::Change(change) => Some(change),
            Self::Said(_) => None,
        }
    }
}

impl From<Change> for Reason {
    fn from(change: Change) -> Self {
        Self::Change(Box::new(change))
    }
}

/// The sentence.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Change(change) => change.fmt(f),
            Self::Said(sentence) => f.write_str(sentence),
        }
    }
}

/// Reasons are the same if they say the same, so that a line is the same as what is read out of a log of it. Two changes are
/// compared by all that they hold.
impl PartialEq for Reason {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Change(one), Self::Change(other)) => one == other,
            (one, other) => one.to_string() == other.to_string(),
        }
    }
}
