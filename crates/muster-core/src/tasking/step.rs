//! What a node notes of its decisions: `muster explain` and the reports are made of these.

use super::cost::{Grid, Surface};
use super::group::Member;
use super::lead::Leeway;
use super::{Ballot, Holder};
use crate::robot::RobotId;
use crate::task::TaskId;
use crate::time::{Duration, Time};

/// Why a vehicle does several tasks of one group.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// The template lets vehicles do several.
    Allowed,
    /// There are too few vehicles for each task to have its own.
    TooFew {
        /// So many can do any of them.
        vehicles: u32,
        /// So many tasks.
        phases: u32,
    },
    /// No plan with a vehicle for each task keeps to what ties them together.
    NoOtherPlan,
}

/// Whether a vehicle has what a task needs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Means {
    /// It has. If it cannot nevertheless, it would be too late.
    Enough,
    /// It would be there in time, but its endurance does not last for that and for the way to its base.
    Endurance,
    /// It lacks a capability, or loads.
    Lacking,
}

/// Why there was no plan from the bids of an auction.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Hitch {
    /// There were none.
    NoBids,
    /// None of them was for this task of the group.
    NobodyFor(TaskId),
    /// All of them are for when the order has expired, or no plan was possible before.
    Expires,
    /// They do not go with what other vehicles hold of the group, or have done.
    Held,
    /// There were too few vehicles for each task to have its own, and none could do several.
    TooFew {
        /// So many bid for any of them.
        vehicles: u32,
        /// So many tasks.
        phases: u32,
    },
    /// The same, and each of them, though it bid for several, would do one only: its time in the air counts, or it has a base, and
    /// that time has a price, does not last for all times that are bid for without being reloaded, or is needed for something else.
    OneEach {
        /// So many bid for any of them.
        vehicles: u32,
        /// So many tasks.
        phases: u32,
    },
    /// What ties the tasks together takes longer than from the first to the last time that was bid for.
    Horizon,
    /// No plan keeps to what ties the tasks together.
    Tied,
    /// None was found in the time that there is for it.
    NotFound,
}

/// What is noted of a decision. Costs in hundredths.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// USER: asked for it.
    Injected,
    /// Leads it.
    Leads {
        /// In which attempt.
        epoch: u32,
    },
    /// Asked for bids.
    Solicited {
        /// In which attempt.
        epoch: u32,
        /// When times begin to count.
        t0: Time,
        /// Times and headings that bids are sampled at.
        grid: Grid,
        /// Which task of the solicitation, from zero.
        index: u8,
        /// What it is.
        member: Member,
    },
    /// Bid.
    Bids {
        /// The LEAD that asked for bids.
        lead: RobotId,
        /// The least of it; `None`: cannot.
        least: Option<u32>,
        /// All of it.
        surface: Option<Surface>,
        /// Whether the vehicle has what the task needs.
        means: Means,
    },
    /// A bid came in.
    BidHeard {
        /// The vehicle that bids.
        from: RobotId,
        /// The least of it; `None`: cannot.
        least: Option<u32>,
        /// All of it.
        surface: Option<Surface>,
    },
    /// The LEAD's own bid, which it sends to nobody: "A LEAD may win its own task without radio".
    OwnBid {
        /// All of it; `None`: cannot.
        surface: Option<Surface>,
        /// Whether the vehicle has what the task needs.
        means: Means,
    },
    /// Nobody can do it as it should be done.
    NoGoodBids {
        /// How many bids there were.
        bids: u32,
        /// What is given up next so that it can be done.
        relaxed: Leeway,
        /// What was in the way.
        why: Hitch,
        /// It is auctioned anew for times from then on, when vehicles are free of other orders.
        put_off: Option<Time>,
    },
    /// Gave it to a vehicle that does another task of its group, too.
    Shares {
        /// The vehicle.
        robot: RobotId,
        /// The task that it does before this one, or after it.
        other: TaskId,
        /// How far apart it does them.
        apart: Duration,
        /// Why one vehicle does both.
        why: Sharing,
    },
    /// Chose.
    Assigned {
        /// Who does it, when and how.
        holder: Holder,
        /// What it costs.
        cost: u32,
        /// Who would have done it at the least cost, and what that is.
        cheapest: (RobotId, u32),
        /// How many bids there were.
        bids: u32,
    },
    /// Did not accept in time.
    Deleted {
        /// The vehicle that did not accept.
        robot: RobotId,
    },
    /// Was assigned it, and has agreed to something else meanwhile.
    Refuses {
        /// The LEAD that assigned it.
        lead: RobotId,
    },
    /// A vehicle refuses what it was assigned.
    Refused {
        /// The vehicle that has agreed to something else.
        robot: RobotId,
    },
    /// Has it in its queue.
    Holds {
        /// When and how.
        holder: Holder,
        /// In which attempt.
        epoch: u32,
    },
    /// Gave up what it held, or led, for an attempt that counts more.
    Yielded {
        /// The attempt that counts more.
        to: Ballot,
    },
    /// Gave it back: it cannot do it any more, or has something more urgent to do.
    HandedBack,
    /// Broke off before the target and comes in again: it is not its turn.
    GoesRound {
        /// The task that is not known to be done, or that nobody is known to do.
        task: TaskId,
    },
    /// Its turn has come too late for what ties it to its group.
    Missed,
    /// Heard nothing of it for too long.
    Challenged {
        /// How long.
        silent: Duration,
        /// Two vehicles say that they do it.
        double: bool,
    },
    /// Would lead it.
    Claimed {
        /// In which attempt.
        epoch: u32,
    },
    /// An election is over.
    Elected {
        /// In which attempt.
        epoch: u32,
        /// Who leads.
        winner: RobotId,
    },
    /// Won an election that too few took part in.
    NoQuorum {
        /// How many did.
        claims: u32,
    },
    /// Did not do it: too few said that it may.
    Refrained {
        /// How many did.
        grants: u32,
    },
    /// Did it.
    Executed {
        /// In which attempt.
        epoch: u32,
        /// How much later than planned, in microseconds; below zero: earlier.
        late: i64,
    },
    /// Heard that it is done.
    HeardDone {
        /// By whom.
        by: RobotId,
    },
    /// Two vehicles have done it.
    Duplicate {
        /// One of them.
        one: RobotId,
        /// The other.
        other: RobotId,
    },
    /// Need not be done any more.
    Cancelled,
    /// It is too late for it.
    Expired,
    /// It was done too long ago for what comes after it, and is to be done again.
    Renewed,
    /// What is left of its group can no longer be flown.
    BrokenOff {
        /// What keeps the rest from being flown.
        why: Break,
    },
}

/// Why what is left of a group can no longer be flown.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Break {
    /// The group is strict, and it is too late for what ties the rest to what was flown.
    Windows,
    /// Nobody knows whether this task, which comes before the rest and must not be done twice, was done: its vehicle is gone.
    Unknown(TaskId),
}
