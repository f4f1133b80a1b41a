//! L-ALLIANCE [Parker 1995]: what the report says, what robots tell each other, box pushing, and whatever a robot may be
//! given.

#[path = "../harness/mod.rs"]
mod harness;
mod world;

mod absurd;
mod boxes;
mod paper;
mod protocol;
