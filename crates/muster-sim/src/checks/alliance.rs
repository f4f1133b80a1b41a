//! Invariants of L-ALLIANCE.

mod doable_is_done;
mod motivation_in_bounds;
mod yields_to_who_is_there;

pub use doable_is_done::DoableIsDone;
pub use motivation_in_bounds::MotivationInBounds;
pub use yields_to_who_is_there::YieldsToWhoIsThere;
