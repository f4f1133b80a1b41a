//! Invariants of affective recruitment.

mod idle_after_requester_died;
mod nobody_waits_forever;
mod one_worker_per_attempt;
mod one_worker_per_need;
mod shame_in_bounds;

pub use idle_after_requester_died::IdleAfterRequesterDied;
pub use nobody_waits_forever::NobodyWaitsForever;
pub use one_worker_per_attempt::OneWorkerPerAttempt;
pub use one_worker_per_need::OneWorkerPerNeed;
pub use shame_in_bounds::ShameInBounds;
