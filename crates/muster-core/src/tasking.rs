//! The Collaborative Tasking Protocol. [MacKenzie 2003]

pub mod corridor;
pub mod cost;
pub mod sampling;
