//! The bids for a task. [MacKenzie, Figures 4 to 6]

use serde::Serialize;

/// The bids for a task at its last auction.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Bids {
    /// The task.
    pub task: u32,
    /// Times of the samples, in seconds from `t0`.
    pub times: Vec<f64>,
    /// Headings of the samples, in degrees from the east.
    pub headings: Vec<f64>,
    /// When times begin to count.
    pub t0: f64,
    /// The robot that led the auction.
    pub lead: u32,
    /// When the task was assigned.
    pub at: f64,
    /// The winning bid.
    pub chosen: Choice,
    /// At most 12 bids and the winner's, cheapest first.
    pub bids: Vec<Bid>,
    /// How many others there were.
    pub left_out: usize,
}

/// What was chosen among all bids.
#[derive(Copy, Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Choice {
    /// The winner.
    pub robot: u32,
    /// Its cost.
    pub cost: f64,
    /// When it is to be over the target.
    pub at_s: f64,
    /// The sample of that time; null between two samples.
    pub time: Option<u16>,
    /// The sample of its heading; null between two samples.
    pub heading: Option<u16>,
}

/// The bid of one robot.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Bid {
    /// The bidder.
    pub robot: u32,
    /// The least cost of all samples.
    pub least: Option<f64>,
    /// The cost by time and heading; null where it cannot be done.
    pub cost: Vec<Vec<Option<f64>>>,
}
