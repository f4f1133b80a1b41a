//! What the console has studies do: look into auctions. The command hands them in, so that the console is built without
//! what studies need for tables and reports.

use muster_core::tasking::Holder;
use muster_core::tasking::cost::{Grid, Surface};
use muster_core::{RobotId, TaskId, Time};
use muster_sim::Origin;

/// What the console has studies do.
pub trait Studies: Send + Sync {
    /// The last auction of a task that was closed by `until`; `Some(None)` if there was none. Nothing if `halt` says so on
    /// the way.
    fn lot(&self, origin: &Origin, task: TaskId, until: Time, halt: &dyn Fn() -> bool) -> Option<Option<Lot>>;
}

/// A task that was auctioned.
#[derive(Clone, Debug)]
pub struct Lot {
    /// The task.
    pub task: TaskId,
    /// The vehicle that led the auction.
    pub lead: RobotId,
    /// When it was assigned, in seconds.
    pub at_s: f64,
    /// When times begin to count, in seconds.
    pub t0_s: f64,
    /// The winner, with time and heading.
    pub holder: Holder,
    /// The cost of that, in hundredths.
    pub cost: u16,
    /// The bids, cheapest first; the winner's is among them.
    pub bids: Vec<(RobotId, Surface)>,
    /// Times and headings of all bids.
    pub grid: Grid,
}
