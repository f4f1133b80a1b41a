//! What robots of a reception, after CARS, share with the hall that they are in.

mod place;

pub use place::{FOOT_M, Place};
