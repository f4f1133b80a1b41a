//! Invariants of a team, whatever its mechanism.

mod everything_handed_over;
mod handed_over_to_a_worker;
mod ledger_adds_up;
mod nobody_jumps;
mod one_task_at_a_time;

pub use everything_handed_over::EverythingHandedOver;
pub use handed_over_to_a_worker::HandedOverToAWorker;
pub use ledger_adds_up::LedgerAddsUp;
pub use nobody_jumps::NobodyJumps;
pub use one_task_at_a_time::OneTaskAtATime;
