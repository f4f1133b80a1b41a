//! How a team coordinates: the one place where a scheme becomes machines.

use std::sync::Arc;

use muster_core::alliance::{Alliance, Config as Impatience, Known, LearningPhase};
use muster_core::panel::Family;
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

    /// What becomes of a task that is served: it is handed over to another robot, or done.
    pub const fn serves(self) -> &'static str {
        match self {
            Self::Recruitment(_) | Self::Scripted => "handed over",
            Self::Alliance(_) | Self::Tasking(_) => "done",
        }
    }

    /// The same as a map has it, where there is room for a word.
    pub(crate) const fn serves_in_a_word(self) -> &'static str {
        match self {
            Self::Recruitment(_) | Self::Scripted | Self::Alliance(_) => "served",
            Self::Tasking(_) => "done",
        }
    }

    /// Its robots plan the way to a task, corridor and all, so that a map can show it.
    pub(crate) const fn plans_ways(self) -> bool {
        match self {
            Self::Tasking(_) => true,
            Self::Recruitment(_) | Self::Scripted | Self::Alliance(_) => false,
        }
    }

    /// The messages that stand out on a map, if some do.
    pub(crate) const fn highlights(self) -> Option<Family> {
        match self {
            Self::Recruitment(_) | Self::Scripted => Some(Family::Call),
            Self::Alliance(_) | Self::Tasking(_) => None,
        }
    }

    /// Tasks are asked for at consoles.
    pub const fn is_asked(self) -> bool {
        match self {
            Self::Tasking(_) => true,
            Self::Recruitment(_) | Self::Scripted | Self::Alliance(_) => false,
        }
    }

    /// Its consoles can tell robots that what was asked for is elsewhere now, or more or less urgent. The paper's cannot:
    /// there is no message for it.
    pub(crate) const fn hears_changes(self) -> bool {
        match self {
            Self::Tasking(variant) => variant.fixes().done,
            Self::Recruitment(_) | Self::Scripted | Self::Alliance(_) => true,
        }
    }

    /// A task can wait until others are done (`after`).
    pub const fn keeps_order(self) -> bool {
        match self {
            Self::Alliance(_) => true,
            Self::Recruitment(_) | Self::Scripted | Self::Tasking(_) => false,
        }
    }

    /// Why its robots cannot take a new place, or a new priority, of a task that they know of.
    pub(crate) const fn refuses(self, change: Change) -> Option<Refusal> {
        let new_one = "cancel it, and ask for a new task with `name`";
        let (why, help) = match (self, change) {
            (Self::Tasking(Variant::Drawn | Variant::Written), Change::Place | Change::Priority) => {
                ("as the paper draws the protocol, an order is never changed", "use the variant `fenced`")
            }
            (Self::Tasking(Variant::Fenced), Change::Place | Change::Priority) => return None,
            (Self::Recruitment(_) | Self::Scripted, Change::Place) => {
                ("a robot that has called for help takes no other place", new_one)
            }
            (Self::Alliance(_), Change::Place) => return None,
            (Self::Recruitment(_) | Self::Scripted | Self::Alliance(_), Change::Priority) => {
                ("priorities are known to auctions only", "leave it out, or use [tasking]")
            }
        };
        Some(Refusal { why, help })
    }
}

/// What somebody may want to change of a task.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Where it is.
    Place,
    /// How urgent it is.
    Priority,
}

/// Why a change cannot be taken.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The reason, in words.
    pub why: &'static str,
    /// What to try.
    pub help: &'static str,
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
            let configs = loaded.recruiters(origin.scheme);
            visit.visit_recruitment(|robot| Recruitment::new(configs.of(robot).clone()))
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
