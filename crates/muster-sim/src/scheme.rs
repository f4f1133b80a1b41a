//! How a team coordinates: the one place where a name becomes a mechanism.

use std::sync::Arc;

use muster_core::alliance::Alliance;
use muster_core::recruitment::{Recruitment, Strategy};
use muster_core::tasking::{Tasking, Variant};
use muster_core::{Mechanism, RobotId};

use crate::knowledge::Knowledge;
use crate::scenario::{Approach, Loaded};

/// A mechanism and its strategy.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Robots recruit each other.
    Recruitment(Strategy),
    /// The same, by the rules of the scenario's script.
    Scripted,
    /// Robots grow impatient.
    Alliance(Approach),
    /// Tasks are auctioned.
    Tasking(Variant),
}

impl From<Strategy> for Scheme {
    fn from(strategy: Strategy) -> Self {
        Self::Recruitment(strategy)
    }
}

impl Scheme {
    /// Its name in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Recruitment(strategy) => strategy.name(),
            Self::Scripted => "script",
            Self::Alliance(approach) => approach.name(),
            Self::Tasking(variant) => variant.name(),
        }
    }
}

/// Something that is done with the machines of a team, whatever their mechanism is.
pub trait Visit {
    /// What comes of it.
    type Result;
    /// Does it. `machine` makes each robot's mechanism.
    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Self::Result;
}

/// Makes the machines of a team that follows `scheme`, knowing what it knows, and hands them to `visit`.
pub fn staff<V: Visit>(loaded: &Loaded, scheme: Scheme, knowledge: &Knowledge, visit: V) -> V::Result {
    match scheme {
        Scheme::Recruitment(_) | Scheme::Scripted => {
            let config = loaded.recruitment(scheme);
            visit.visit(|_| Recruitment::new(config.clone()))
        }
        Scheme::Alliance(approach) => {
            let config = Arc::new(loaded.impatience(approach));
            visit.visit(|robot| Alliance::new(config.clone(), knowledge.of(robot)))
        }
        Scheme::Tasking(variant) => {
            let (config, vehicles) = loaded.tasking(variant);
            visit.visit(|robot| Tasking::new(config.clone(), vehicles[robot.index()].clone()))
        }
    }
}
