//! What must hold after every event of every run: one invariant per file, in the folder of the mechanism that it is
//! about; those in `team` hold for a team with any mechanism.

mod alliance;
mod recruitment;
mod tasking;
mod team;

use muster_core::{Check, Mechanism};

pub use alliance::{DoableIsDone, MotivationInBounds, YieldsToWhoIsThere};
pub use recruitment::{
    IdleAfterRequesterDied, NobodyWaitsForever, OneWorkerPerAttempt, OneWorkerPerNeed, ShameInBounds,
};
pub use tasking::{
    AllOrNothing, GroupsHoldTogether, NobodyBookedTwice, NobodyRunsOut, NothingGoesRound, OneDeedPerAttempt,
    PhasesInOrder,
};
pub use team::{EverythingHandedOver, HandedOverToAWorker, LedgerAddsUp, NobodyJumps, OneTaskAtATime};

use crate::mission::Mission;
use crate::scenario::Recruiters;
use crate::sim::View;

/// An invariant of a team with the mechanism `M`.
pub type TeamCheck<M> = Box<dyn for<'a> Check<View<'a, M>>>;

/// The invariants of a team with any mechanism.
pub fn for_team<M: Mechanism>(mission: &Mission) -> Vec<TeamCheck<M>> {
    vec![
        Box::new(HandedOverToAWorker),
        Box::<OneTaskAtATime>::default(),
        Box::new(NobodyJumps::new(mission)),
        Box::new(LedgerAddsUp),
    ]
}

/// The invariants that recruitment by `configs` promises for `mission`.
pub fn for_recruitment(
    configs: &Recruiters,
    mission: &Mission,
) -> Vec<TeamCheck<muster_core::recruitment::Recruitment>> {
    let mut checks = for_team(mission);
    checks.push(Box::new(OneWorkerPerAttempt));
    checks.push(Box::<NobodyWaitsForever>::default());
    checks.push(Box::new(ShameInBounds));
    checks.push(Box::new(IdleAfterRequesterDied::new(configs, mission)));
    if configs.team().wait_out_leases {
        checks.push(Box::new(OneWorkerPerNeed));
    }
    checks
}

/// The invariants of robots that grow impatient.
pub fn for_alliance(mission: &Mission) -> Vec<TeamCheck<muster_core::alliance::Alliance>> {
    let mut checks = for_team(mission);
    checks.push(Box::new(MotivationInBounds));
    checks
}

/// The invariants of auctions.
pub fn for_tasking(mission: &Mission) -> Vec<TeamCheck<muster_core::tasking::Tasking>> {
    let mut checks = for_team(mission);
    checks.push(Box::<OneDeedPerAttempt>::default());
    checks.push(Box::<NobodyRunsOut>::default());
    checks
}
