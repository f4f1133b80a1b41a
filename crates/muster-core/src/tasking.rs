//! The Collaborative Tasking Protocol [MacKenzie 2003]: tasks that depend on each other, given to different vehicles.

pub mod assigner;
