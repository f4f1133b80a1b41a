//! Who does what so that the mission ends early: the exact optimum, and rules to compare with it.
//!
//! An [`Instance`] says how long each robot takes for each task. [`solve`] gives the assignment with the least
//! makespan, or the best that a budget allows for with a proven bound; [`rules`] hold what allocates without searching.
//! [`parse`] reads the format of `muster allocate`.

mod descent;
mod exact;
mod file;
#[cfg(feature = "highs")]
pub mod highs;
mod instance;
#[cfg(test)]
mod random;
pub mod rules;
#[cfg(test)]
mod tests;

pub use exact::{Solution, Solver, default_budget, solve};
pub use file::{FORMAT, parse};
pub use instance::{Instance, InstanceError};
