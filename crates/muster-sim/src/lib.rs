//! The simulator.
pub mod errand;
pub mod fault;
pub mod ledger;
pub mod mission;
pub mod queue;
pub mod radio;
pub mod sim;
