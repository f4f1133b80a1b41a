//! What must hold after every event of every run of recruitment: one invariant per file.

mod handed_over_to_a_worker;
mod idle_after_requester_died;
mod nobody_waits_forever;
mod one_worker_per_attempt;
mod one_worker_per_need;
mod shame_in_bounds;

use muster_core::recruitment::{Config, Recruitment};

pub use handed_over_to_a_worker::HandedOverToAWorker;
pub use idle_after_requester_died::IdleAfterRequesterDied;
pub use nobody_waits_forever::NobodyWaitsForever;
pub use one_worker_per_attempt::OneWorkerPerAttempt;
pub use one_worker_per_need::OneWorkerPerNeed;
pub use shame_in_bounds::ShameInBounds;

use crate::mission::Mission;
use crate::sim::View;

/// An invariant.
pub trait Check: Send {
    /// Its name, as reports call it.
    fn name(&self) -> &'static str;
    /// Looks at the team between two events. The error says what is wrong, with numbers.
    fn look(&mut self, view: &View<'_, Recruitment>) -> Result<(), String>;
}

/// The invariants that `config` promises for `mission`.
pub fn for_recruitment(config: &Config, mission: &Mission) -> Vec<Box<dyn Check>> {
    let mut checks: Vec<Box<dyn Check>> = vec![
        Box::new(OneWorkerPerAttempt),
        Box::new(HandedOverToAWorker),
        Box::<NobodyWaitsForever>::default(),
        Box::new(ShameInBounds),
        Box::new(IdleAfterRequesterDied::new(config, mission)),
    ];
    if config.wait_out_leases {
        checks.push(Box::new(OneWorkerPerNeed));
    }
    checks
}
