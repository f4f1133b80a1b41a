//! Invariants of the Collaborative Tasking Protocol.

mod all_or_nothing;
mod flown;
mod groups_hold_together;
mod nobody_booked_twice;
mod nobody_runs_out;
mod nothing_goes_round;
mod one_deed_per_attempt;
mod phases_in_order;

pub use all_or_nothing::AllOrNothing;
pub use groups_hold_together::GroupsHoldTogether;
pub use nobody_booked_twice::NobodyBookedTwice;
pub use nobody_runs_out::NobodyRunsOut;
pub use nothing_goes_round::NothingGoesRound;
pub use one_deed_per_attempt::OneDeedPerAttempt;
pub use phases_in_order::PhasesInOrder;
