//! The Collaborative Tasking Protocol: the published example, and what goes beyond it. [MacKenzie 2003]

pub mod figures;
pub mod sampling;
