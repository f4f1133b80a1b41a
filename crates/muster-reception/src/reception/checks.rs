//! What must hold after every tick of a reception: one invariant per file.

mod nobody_fails;
mod nobody_overlaps;

pub use nobody_fails::NobodyFails;
pub use nobody_overlaps::NobodyOverlaps;
