//! Affective recruitment [Gage & Murphy 2004]: what the paper says, the protocol step by step, and whatever a robot may be
//! given.

#[path = "../harness/mod.rs"]
mod harness;
mod world;

mod absurd;
mod paper;
mod protocol;
