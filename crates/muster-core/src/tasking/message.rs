//! What nodes say to each other. [MacKenzie §2; specification, section 2]

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::cost::Quote;
use super::group::{Group, Phases};
use super::turnaround::Turnaround;
use super::{Ballot, Grant, MOST_EPOCHS};
use crate::robot::RobotId;
use crate::task::TaskId;
use crate::time::{Duration, Time};

/// No node is ahead of another by so many attempts: each takes seconds, and none is silent for a day. A node that
/// believed a number far beyond could never be answered with a higher one.
const MOST_AHEAD: u32 = 1 << 16;

/// What a message is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct About {
    /// The number of the order's first task.
    pub first: TaskId,
    /// Which version of the order.
    pub version: u32,
    /// The order itself: always where the paper says so, in every message with F1.
    pub group: Option<Arc<Group>>,
}

/// A vehicle that does a task, with the time and heading at which it does.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Holder {
    /// The vehicle.
    pub robot: RobotId,
    /// When it is over the target.
    pub at: Time,
    /// Its heading then: thousandths of a degree.
    pub heading: u32,
}

/// What a vehicle bids for the tasks of an auction, as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tender {
    /// The costs of each task by itself.
    pub(super) costs: Vec<Quote>,
    /// What it takes to do several of them; `None`: it does one at most.
    pub(super) turnaround: Option<Turnaround>,
}

/// A task was done.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Deed {
    /// The first task of its order.
    pub first: TaskId,
    /// Which task of the order was done.
    pub index: u8,
    /// The version of the order in which it was done.
    pub version: u32,
    /// The vehicle that did it.
    pub by: RobotId,
    /// When the vehicle was over the target.
    pub at: Time,
}

/// What nodes say to each other. The names are the paper's.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Message {
    /// USER: see to this.
    Task {
        /// The order, whole.
        about: About,
    },
    /// Vehicle to USER: I would see to it.
    ClaimLead {
        /// The order that the vehicle would lead.
        about: About,
    },
    /// USER: this one sees to it.
    AckLead {
        /// The order that has a LEAD now.
        about: About,
        /// The vehicle that leads: the first to claim.
        lead: RobotId,
        /// The first attempt of this LEAD.
        epoch: u32,
    },
    /// LEAD: what would it cost you?
    Solicitation {
        /// The order, whole and taken apart.
        about: About,
        /// The attempt that bids belong to.
        ballot: Ballot,
        /// The tasks that are auctioned.
        phases: Phases,
        /// When times begin to count: bids are for where vehicles are then.
        t0: Time,
        /// When bids must be in.
        closes: Time,
    },
    /// Vehicle to LEAD: this much.
    Bid {
        /// The order that was solicited.
        about: About,
        /// The attempt that was solicited.
        ballot: Ballot,
        /// The costs of each of the solicited tasks.
        costs: Vec<Quote>,
    },
    /// LEAD: I have your bid.
    BidAck {
        /// The order that was bid for.
        about: About,
        /// The attempt of the bid.
        ballot: Ballot,
    },
    /// LEAD: this is who does what.
    Assignment {
        /// The order whose tasks are assigned.
        about: About,
        /// The attempt that the plan belongs to.
        ballot: Ballot,
        /// Tasks and the vehicles that do them: the whole plan if groups are committed as a whole, else one.
        plan: Vec<(u8, Holder)>,
        /// When times began to count.
        t0: Time,
    },
    /// Winner to LEAD: I will.
    Accept {
        /// The order whose task was assigned.
        about: About,
        /// The attempt of the assignment.
        ballot: Ballot,
        /// The task that is accepted.
        index: u8,
    },
    /// LEAD: so be it.
    AcceptAck {
        /// The order whose task was accepted.
        about: About,
        /// The attempt of the assignment.
        ballot: Ballot,
        /// The task, which is the winner's from here on.
        index: u8,
    },
    /// ASSIGNED: I am going to do it.
    Status {
        /// The order, whole: every node that hears of it becomes a PEER.
        about: About,
        /// The attempt in which the vehicle won the task; a holder in a lower one yields.
        ballot: Ballot,
        /// The task that is held.
        index: u8,
        /// The vehicle itself, with the time and heading at which it does the task.
        holder: Holder,
        /// How long others have to do without the next report.
        patience: Duration,
        /// Counts what this node has reported: a gap is a loss.
        number: u32,
        /// The vehicle, in this life, asks to be granted the task, which must not be done twice.
        asks: Option<u32>,
    },
    /// PEER: does anybody do this?
    Challenge {
        /// The order, whole: every node that hears of it becomes a PEER.
        about: About,
        /// The tasks that nothing was heard of, or that two vehicles do.
        phases: Phases,
        /// Two vehicles say that they do it.
        double: bool,
    },
    /// PEER: then I would see to it.
    Claim {
        /// The order that needs a LEAD.
        about: About,
        /// The tasks that the PEER would lead.
        phases: Phases,
        /// The attempt that it would begin.
        epoch: u32,
    },
    /// PEER: this one will.
    PerceivedWinner {
        /// The order that needs a LEAD.
        about: About,
        /// The tasks that are voted on.
        phases: Phases,
        /// The attempt that the winner will begin.
        epoch: u32,
        /// The claimant that ranks highest of those that the PEER has heard of.
        winner: RobotId,
        /// Counts the exchanges of winners, from 1.
        round: u32,
    },
    /// ASSIGNED: about to be done; as drawn: forget it. Without F5 only.
    Completion {
        /// The order whose task is about to be done.
        about: About,
        /// The task that is about to be done.
        index: u8,
    },
    /// LEAD: I am at it. F2.
    LeadStatus {
        /// The order, whole: every node that hears of it becomes a PEER.
        about: About,
        /// The attempt that the LEAD is at.
        ballot: Ballot,
        /// The tasks that it leads.
        phases: Phases,
        /// Counts what this node has reported, together with Status.
        number: u32,
    },
    /// PEER: I have heard this much of it. F4.
    StatusRelay {
        /// The order, whole.
        about: About,
        /// The task that somebody sees to.
        index: u8,
        /// The attempt that counts most of those the PEER has heard of.
        ballot: Ballot,
        /// The vehicle that does it; `None`: it is being auctioned.
        holder: Option<Holder>,
        /// How long ago that was heard.
        age: Duration,
    },
    /// These are done: a report of success, F5.
    Done {
        /// Deeds of any orders, of this node or others.
        deeds: Vec<Deed>,
    },
    /// USER, or another node that knows: no longer to be done. W16.
    Cancel {
        /// The order, whole.
        about: About,
    },
    /// I was granted this and did not do it. Only for tasks that must not be done twice.
    Release {
        /// The order whose task was granted.
        about: About,
        /// The attempt in which the vehicle asked: grants of later ones stand.
        ballot: Ballot,
        /// The life of the vehicle in which it asked.
        life: u32,
        /// The task that may be granted to another again.
        index: u8,
    },
    /// You may. Only for tasks that must not be done twice.
    Grant {
        /// The order whose task is granted.
        about: About,
        /// The attempt in which the vehicle asked.
        ballot: Ballot,
        /// The life of the vehicle in which it asked.
        life: u32,
        /// The task that is granted.
        index: u8,
    },
    /// Winner to LEAD: not any more, I have agreed to something else meanwhile. Where groups are committed as a whole.
    Refuse {
        /// The order whose task was assigned.
        about: About,
        /// The attempt of the assignment.
        ballot: Ballot,
        /// The task that is refused.
        index: u8,
        /// The vehicle's bid as it is now, for all tasks of that auction; empty if it has not bid.
        costs: Vec<Quote>,
        /// What it takes to do several of them now, if it can.
        turnaround: Option<Turnaround>,
    },
    /// Vehicle to LEAD: this much, and so it is if I do several of them. A Bid, for groups that are committed as a whole; a
    /// kind of its own so that Bid is as it was drawn, and as long.
    BidForSeveral {
        /// The order that was solicited.
        about: About,
        /// The attempt that was solicited.
        ballot: Ballot,
        /// The costs of each of the solicited tasks by itself.
        costs: Vec<Quote>,
        /// What it takes to do several of them.
        turnaround: Turnaround,
    },
    /// Another was granted this and did not do it, as it said itself: who gave it a grant may have missed that. Only for tasks
    /// that must not be done twice.
    ReleaseRelay {
        /// The order whose task was granted.
        about: About,
        /// The task that may be granted to another again.
        index: u8,
        /// What was given back, and by whom.
        grant: Grant,
    },
}

impl Message {
    /// Its name in the paper, or in the fixes.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Task { .. } => "Task",
            Self::ClaimLead { .. } => "ClaimLead(user)",
            Self::AckLead { .. } => "AckLead",
            Self::Solicitation { .. } => "Solicitation",
            Self::Bid { .. } => "Bid",
            Self::BidAck { .. } => "BidAck",
            Self::Assignment { .. } => "Assignment",
            Self::Accept { .. } => "Accept",
            Self::AcceptAck { .. } => "AcceptAck",
            Self::Status { .. } => "Status",
            Self::Challenge { .. } => "Challenge",
            Self::Claim { .. } => "ClaimLead(peer)",
            Self::PerceivedWinner { .. } => "PerceivedWinner",
            Self::Completion { .. } => "Completion",
            Self::LeadStatus { .. } => "LeadStatus",
            Self::StatusRelay { .. } => "StatusRelay",
            Self::Done { .. } => "Done",
            Self::Cancel { .. } => "Cancel",
            Self::Release { .. } => "Release",
            Self::ReleaseRelay { .. } => "ReleaseRelay",
            Self::Grant { .. } => "Grant",
            Self::Refuse { .. } => "Refuse",
            // By whatever it says more, it is one.
            Self::BidForSeveral { .. } => "Bid",
        }
    }

    /// What it is about; `Done` may be about several things.
    pub const fn about(&self) -> Option<&About> {
        match self {
            Self::Task { about }
            | Self::ClaimLead { about }
            | Self::AckLead { about, .. }
            | Self::Solicitation { about, .. }
            | Self::Bid { about, .. }
            | Self::BidAck { about, .. }
            | Self::Assignment { about, .. }
            | Self::Accept { about, .. }
            | Self::AcceptAck { about, .. }
            | Self::Status { about, .. }
            | Self::Challenge { about, .. }
            | Self::Claim { about, .. }
            | Self::PerceivedWinner { about, .. }
            | Self::Completion { about, .. }
            | Self::LeadStatus { about, .. }
            | Self::StatusRelay { about, .. }
            | Self::Cancel { about }
            | Self::Release { about, .. }
            | Self::ReleaseRelay { about, .. }
            | Self::Grant { about, .. }
            | Self::Refuse { about, .. }
            | Self::BidForSeveral { about, .. } => Some(about),
            Self::Done { .. } => None,
        }
    }

    /// The bids that it carries.
    pub fn quotes(&self) -> &[Quote] {
        match self {
            Self::Bid { costs, .. } | Self::BidForSeveral { costs, .. } | Self::Refuse { costs, .. } => costs,
            _ => &[],
        }
    }

    /// `from` could have said so, of an order of so many tasks of which no attempt beyond `epoch` is known.
    pub(super) fn can_be(&self, from: RobotId, tasks: usize, epoch: u32) -> bool {
        let most = epoch.saturating_add(MOST_AHEAD).min(MOST_EPOCHS);
        let known = |index: &u8| usize::from(*index) < tasks;
        let some = |phases: &Phases| !phases.common(Phases::first(tasks)).is_empty();
        let by = |ballot: &Ballot| ballot.by() == from && ballot.epoch <= most;
        match self {
            Self::Task { .. } | Self::ClaimLead { .. } | Self::Cancel { .. } | Self::Done { .. } => true,
            Self::AckLead { epoch, .. } => *epoch <= most,
            Self::Solicitation { ballot, phases, .. } | Self::LeadStatus { ballot, phases, .. } => {
                by(ballot) && some(phases)
            }
            Self::BidAck { ballot, .. } => by(ballot),
            Self::AcceptAck { ballot, index, .. } => by(ballot) && known(index),
            Self::Assignment { ballot, plan, .. } => {
                by(ballot) && !plan.is_empty() && plan.iter().all(|(index, _)| known(index))
            }
            Self::Bid { ballot, .. } | Self::BidForSeveral { ballot, .. } => ballot.epoch <= most,
            Self::Accept { ballot, index, .. }
            | Self::Grant { ballot, index, .. }
            | Self::Refuse { ballot, index, .. }
            | Self::Release { ballot, index, .. }
            | Self::StatusRelay { ballot, index, .. } => ballot.epoch <= most && known(index),
            Self::Status { ballot, index, holder, .. } => ballot.epoch <= most && known(index) && holder.robot == from,
            Self::ReleaseRelay { grant, index, .. } => grant.ballot.epoch <= most && known(index),
            Self::Completion { index, .. } => known(index),
            Self::Challenge { phases, .. } => some(phases),
            Self::Claim { phases, epoch, .. } | Self::PerceivedWinner { phases, epoch, .. } => {
                some(phases) && *epoch <= most
            }
        }
    }

    /// Only vehicles say so.
    pub(super) const fn is_a_vehicles(&self) -> bool {
        matches!(
            self,
            Self::ClaimLead { .. }
                | Self::Bid { .. }
                | Self::BidForSeveral { .. }
                | Self::Accept { .. }
                | Self::Refuse { .. }
                | Self::Status { .. }
        )
    }

    /// A node that has never heard of the task takes part from here on, even as the protocol was drawn.
    pub(super) const fn introduces(&self) -> bool {
        matches!(self, Self::Task { .. } | Self::Solicitation { .. } | Self::Status { .. } | Self::Challenge { .. })
    }
}
