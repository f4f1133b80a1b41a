//! Coupled assignment: instances of the Task Assigner ([`muster_core::tasking::assigner`]) to measure it with, and its
//! file format.

pub mod random;
