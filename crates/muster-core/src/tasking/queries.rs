//! What a console, a study or a test may ask a node. Asking changes nothing.

use super::bidder::BidderStage;
use super::lead::LeadStage;
use super::link::Link;
use super::order::OrderState;
use super::peer::PeerStage;
use super::queue::Held;
use super::user::UserStage;
use super::{Deed, Tasking};
use crate::task::TaskId;
use crate::time::Time;

/// A state of the paper's Figure 1: what a node waits for, in one of its roles.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// USER: "wait for claimLead".
    UserForClaim,
    /// USER: "Wait for task solicitation".
    UserForSolicitation,
    /// USER: "Wait to retry".
    UserToRetry,
    /// LEAD: "wait for bids".
    LeadForBids,
    /// LEAD: "Wait for Accept".
    LeadForAccept,
    /// LEAD: "Wait to retry".
    LeadToRetry,
    /// BIDDER: "Wait for bid Ack".
    BidderForBidAck,
    /// BIDDER: "Wait for Assignment".
    BidderForAssignment,
    /// BIDDER: "Wait for Accept Ack".
    BidderForAcceptAck,
    /// PEER: "Monitor status".
    PeerMonitors,
    /// PEER: "Wait for reply".
    PeerForReply,
    /// PEER: "Tabulate claims".
    PeerForClaims,
    /// PEER: "Tabulate winners".
    PeerForWinners,
}

impl Tasking {
    /// What it knows of an order and is to it, by the number of the order's first task.
    pub fn order(&self, first: TaskId) -> Option<&OrderState> {
        self.orders.get(&first)
    }

    /// All orders that it knows of.
    pub fn orders(&self) -> impl Iterator<Item = &OrderState> {
        self.orders.values()
    }

    /// The tasks in its vehicle's queue, by time.
    pub fn held(&self) -> &[Held] {
        self.craft.queue.held()
    }

    /// How urgent a task of its vehicle's queue is at `now`: one of a strict group that has begun gives way to nothing.
    pub fn urgency(&self, held: &Held, now: Time) -> u8 {
        self.craft.queue.urgency(held, now)
    }

    /// What its vehicle has accepted, or was given by itself as LEAD, and is not committed to yet.
    pub fn pledged(&self) -> &[Held] {
        self.craft.queue.pledged()
    }

    /// Its vehicle has a base to be reloaded at.
    pub fn has_base(&self) -> bool {
        self.craft.vehicle.base.is_some()
    }

    /// What its vehicle has done, as long as it tells of it.
    pub fn deeds(&self) -> &[Deed] {
        self.craft.tidings.deeds()
    }

    /// How well it hears others.
    pub fn link(&self) -> &Link {
        &self.craft.link
    }

    /// It stores this task, of an order that is not over.
    pub fn is_aware_of(&self, task: TaskId) -> bool {
        let order = self.orders.range(..=task).next_back();
        order.is_some_and(|(_, order)| order.group().index_of(task).is_some_and(|index| !order.is_over(index)))
    }

    /// It has nothing to do and waits for nobody.
    pub fn is_quiet(&self) -> bool {
        self.held().is_empty() && self.orders.values().all(OrderState::is_settled)
    }

    /// It waits for this, in any order. A PEER does only for orders that are not over.
    pub fn waits(&self, wait: Wait) -> bool {
        self.orders().any(|order| order.waits(wait))
    }
}

impl OrderState {
    /// How many attempts at it there have been, as far as this node has heard.
    pub fn attempts(&self) -> u32 {
        self.epoch()
    }

    fn waits(&self, wait: Wait) -> bool {
        let user = self.user().map(|user| match user.stage {
            UserStage::Claim => Wait::UserForClaim,
            UserStage::Solicitation(_) => Wait::UserForSolicitation,
            UserStage::Retry => Wait::UserToRetry,
        });
        let lead = self.lead().map(|lead| match lead.stage {
            LeadStage::Bidding => Wait::LeadForBids,
            LeadStage::Notifying(_) => Wait::LeadForAccept,
            LeadStage::Retrying => Wait::LeadToRetry,
        });
        let bidder = self.bidder().map(|bidder| match bidder.stage {
            BidderStage::BidAck { .. } => Wait::BidderForBidAck,
            BidderStage::Assignment => Wait::BidderForAssignment,
            BidderStage::AcceptAck { .. } => Wait::BidderForAcceptAck,
        });
        let peer = (!self.is_settled()).then(|| match self.peer() {
            PeerStage::Monitoring => Wait::PeerMonitors,
            PeerStage::Replying(..) => Wait::PeerForReply,
            PeerStage::Claiming(_) => Wait::PeerForClaims,
            PeerStage::Winning(..) => Wait::PeerForWinners,
        });
        [user, lead, bidder, peer].contains(&Some(wait))
    }
}
