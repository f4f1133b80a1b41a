//! The Collaborative Tasking Protocol [MacKenzie 2003]: as it was published, what mends it, what a bid is made of, and
//! whatever a node may be given.

#[path = "../harness/mod.rs"]
mod harness;
mod world;

mod absurd;
mod corridor;
mod costs;
mod fixes;
mod paper;
mod sampling;
mod written;
