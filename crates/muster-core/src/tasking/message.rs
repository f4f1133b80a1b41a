//! What nodes say to each other. [MacKenzie §2; specification, section 2]

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::cost::Surface;
use super::group::{Group, Phases};
use super::{Ballot, MOST_EPOCHS};
use crate::robot::RobotId;
use crate::task::TaskId;
use crate::time::{Duration, Time};

/// No node is ahead of another by so many attempts: each takes seconds, and none is silent for a day. Whoever believed a
/// number far beyond could never be answered with a higher one.
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

/// Who does a task, when and how.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Holder {
    /// Who.
    pub robot: RobotId,
    /// When it is over the target.
    pub at: Time,
    /// Its heading then: thousandths of a degree.
    pub heading: u32,
}

/// A task was done.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Deed {
    /// The first task of its order.
    pub first: TaskId,
    /// Which task of the order.
    pub index: u8,
    /// Which version of the order.
    pub version: u32,
    /// By whom.
    pub by: RobotId,
    /// When.
    pub at: Time,
}

/// What nodes say to each other. The names are the paper's.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Message {
    /// USER: see to this.
    Task {
        /// What.
        about: About,
    },
    /// Vehicle to USER: I would see to it.
    ClaimLead {
        /// To what.
        about: About,
    },
    /// USER: this one sees to it.
    AckLead {
        /// To what.
        about: About,
        /// Who.
        lead: RobotId,
        /// The first attempt of this LEAD.
        epoch: u32,
    },
    /// LEAD: what would it cost you?
    Solicitation {
        /// What.
        about: About,
        /// Which attempt.
        ballot: Ballot,
        /// Which of its tasks.
        phases: Phases,
        /// When times begin to count.
        t0: Time,
        /// When bids must be in.
        closes: Time,
    },
    /// Vehicle to LEAD: this much.
    Bid {
        /// For what.
        about: About,
        /// In which attempt.
        ballot: Ballot,
        /// For each of the solicited tasks; `None`: cannot.
        costs: Vec<Option<Surface>>,
    },
    /// LEAD: I have your bid.
    BidAck {
        /// For what.
        about: About,
        /// In which attempt.
        ballot: Ballot,
    },
    /// LEAD: this is who does what.
    Assignment {
        /// Of what.
        about: About,
        /// In which attempt.
        ballot: Ballot,
        /// Which tasks, and who does each: all of the plan if groups are committed as a whole, else one.
        plan: Vec<(u8, Holder)>,
        /// When times began to count.
        t0: Time,
    },
    /// Winner to LEAD: I will.
    Accept {
        /// Of what.
        about: About,
        /// In which attempt.
        ballot: Ballot,
        /// Which task.
        index: u8,
    },
    /// LEAD: so be it.
    AcceptAck {
        /// Of what.
        about: About,
        /// In which attempt.
        ballot: Ballot,
        /// Which task.
        index: u8,
    },
    /// ASSIGNED: I am going to do it.
    Status {
        /// What.
        about: About,
        /// In which attempt.
        ballot: Ballot,
        /// Which task.
        index: u8,
        /// When and how.
        holder: Holder,
        /// How long others have to do without the next report.
        patience: Duration,
        /// Counts what this node has reported: a gap is a loss.
        number: u32,
        /// It wants to know whether it may, in this life: the task must not be done twice.
        asks: Option<u32>,
    },
    /// PEER: does anybody do this?
    Challenge {
        /// What.
        about: About,
        /// Which tasks.
        phases: Phases,
        /// Two vehicles say that they do.
        double: bool,
    },
    /// PEER: then I would see to it.
    Claim {
        /// To what.
        about: About,
        /// To which tasks.
        phases: Phases,
        /// In which attempt.
        epoch: u32,
    },
    /// PEER: this one will.
    PerceivedWinner {
        /// What.
        about: About,
        /// Which tasks.
        phases: Phases,
        /// In which attempt.
        epoch: u32,
        /// Who.
        winner: RobotId,
        /// Which exchange.
        round: u32,
    },
    /// ASSIGNED: about to be done; forget it. Without F5 only.
    Completion {
        /// What.
        about: About,
        /// Which task.
        index: u8,
    },
    /// LEAD: I am at it. F2.
    LeadStatus {
        /// At what.
        about: About,
        /// In which attempt.
        ballot: Ballot,
        /// At which tasks.
        phases: Phases,
        /// Counts what this node has reported.
        number: u32,
    },
    /// PEER: I have heard this much of it. F4.
    StatusRelay {
        /// Of what.
        about: About,
        /// Which task.
        index: u8,
        /// In which attempt.
        ballot: Ballot,
        /// Who does it; `None`: it is being auctioned.
        holder: Option<Holder>,
        /// How long ago.
        age: Duration,
    },
    /// These are done. F5.
    Done {
        /// Which, by whom, when.
        deeds: Vec<Deed>,
    },
    /// USER, or whoever knows: no longer to be done. W16.
    Cancel {
        /// What.
        about: About,
    },
    /// I was given leave and did not use it. Only for tasks that must not be done twice.
    Release {
        /// For what.
        about: About,
        /// In which attempt.
        ballot: Ballot,
        /// In which life.
        life: u32,
        /// Which task.
        index: u8,
    },
    /// You may. Only for tasks that must not be done twice.
    Grant {
        /// What.
        about: About,
        /// In which attempt.
        ballot: Ballot,
        /// In which life of whoever asked.
        life: u32,
        /// Which task.
        index: u8,
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
            Self::Grant { .. } => "Grant",
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
            | Self::Grant { about, .. } => Some(about),
            Self::Done { .. } => None,
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
            Self::Bid { ballot, .. } => ballot.epoch <= most,
            Self::Accept { ballot, index, .. }
            | Self::Grant { ballot, index, .. }
            | Self::Release { ballot, index, .. }
            | Self::StatusRelay { ballot, index, .. } => ballot.epoch <= most && known(index),
            Self::Status { ballot, index, holder, .. } => ballot.epoch <= most && known(index) && holder.robot == from,
            Self::Completion { index, .. } => known(index),
            Self::Challenge { phases, .. } => some(phases),
            Self::Claim { phases, epoch, .. } | Self::PerceivedWinner { phases, epoch, .. } => {
                some(phases) && *epoch <= most
            }
        }
    }

    /// Only vehicles say so.
    pub(super) const fn is_a_vehicles(&self) -> bool {
        matches!(self, Self::ClaimLead { .. } | Self::Bid { .. } | Self::Accept { .. } | Self::Status { .. })
    }

    /// A node that has never heard of the task takes part from here on, even as the protocol was drawn.
    pub(super) const fn introduces(&self) -> bool {
        matches!(self, Self::Task { .. } | Self::Solicitation { .. } | Self::Status { .. } | Self::Challenge { .. })
    }
}
