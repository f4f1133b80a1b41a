//! Coupled assignment: the file format of the Task Assigner ([`muster_core::tasking::assigner`]), an example, and random
//! instances to measure it with.

mod decimal;
mod example;
mod file;
#[cfg(feature = "highs")]
pub mod highs;
pub mod random;

pub use example::mission;
pub use file::{FORMAT, Instance, parse, write};
