//! How a team coordinates: the one place where a scheme becomes machines.

use std::sync::Arc;

use muster_core::alliance::{Alliance, Config as Impatience, Known, LearningPhase};
use muster_core::recruitment::{Recruitment, Strategy};
use muster_core::tasking::{Tasking, Variant};
use muster_core::{Duration, Mechanism, RobotId};

use crate::origin::Origin;
use crate::scenario::{Approach, PracticeSpec};

/// A mechanism and its variant.
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

/// Something that is done with the machines of a team, whatever their mechanism is. A visitor that has to know the
/// mechanism, such as one that counts HELPs, says what it does in the method of that mechanism.
pub trait Visit: Sized {
    /// Whatever the visitor makes of the machines.
    type Result;

    /// Does it. `machine` makes each robot's mechanism.
    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Self::Result;

    /// Does it with robots that recruit each other.
    fn visit_recruitment(self, machine: impl Fn(RobotId) -> Recruitment) -> Self::Result {
        self.visit(machine)
    }

    /// Does it with robots that grow impatient.
    fn visit_alliance(self, machine: impl Fn(RobotId) -> Alliance) -> Self::Result {
        self.visit(machine)
    }

    /// Does it with nodes that auction tasks.
    fn visit_tasking(self, machine: impl Fn(RobotId) -> Tasking) -> Self::Result {
        self.visit(machine)
    }
}

/// Makes the machines of a run's team and hands them to `visit`.
pub fn staff<V: Visit>(origin: &Origin, visit: V) -> V::Result {
    let loaded = &origin.loaded;
    match origin.scheme {
        Scheme::Recruitment(_) | Scheme::Scripted => {
            let config = loaded.recruitment(origin.scheme);
            visit.visit_recruitment(|_| Recruitment::new(config.clone()))
        }
        Scheme::Alliance(approach) => {
            let config = Arc::new(loaded.impatience(approach));
            visit.visit_alliance(|robot| Alliance::new(config.clone(), origin.knowledge.of(robot)))
        }
        Scheme::Tasking(variant) => {
            let (config, vehicles) = loaded.tasking(variant);
            visit.visit_tasking(|robot| Tasking::new(config.clone(), vehicles[robot.index()].clone()))
        }
    }
}

/// How often a random increment is drawn in training. The report does not say.
const CYCLE: Duration = Duration::from_secs(1);

/// A robot of a training mission, which does tasks at random. [Parker §6.3.1]
pub(crate) fn trainee(live: &Impatience, practice: &PracticeSpec, robot: RobotId, known: &[Known]) -> Alliance {
    let performs = practice.parts[robot.index()].clone().flatten();
    let config = Impatience { phase: LearningPhase::Active { cycle: CYCLE }, performs, ..live.clone() };
    Alliance::new(Arc::new(config), known)
}
