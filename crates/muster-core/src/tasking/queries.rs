//! What a console, a study or a test may ask a node. Asking changes nothing.

use std::sync::Arc;

use super::bidder::BidderStage;
use super::cost::Surface;
use super::group::Group;
use super::lead::{Lead, LeadStage};
use super::link::Link;
use super::order::OrderState;
use super::peer::PeerStage;
use super::queue::{Held, Queue};
use super::user::UserStage;
use super::{Deed, Tasking};
use crate::robot::{Body, RobotId};
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

    /// The auction of an order, as it stands with this node as its LEAD.
    pub fn bidding(&self, first: TaskId) -> Option<Bidding> {
        let order = self.order(first)?;
        let lead = order.lead()?.clone();
        Some(Bidding { group: order.group().clone(), lead, queue: self.craft.queue.clone() })
    }
}

impl OrderState {
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

/// An auction as its LEAD has it at one moment.
#[derive(Clone, Debug)]
pub struct Bidding {
    group: Arc<Group>,
    lead: Lead,
    /// The LEAD's own.
    queue: Queue,
}

impl Bidding {
    /// When times begin to count.
    pub fn t0(&self) -> Time {
        self.lead.t0
    }

    /// The bids for one task if the auction closed now, by least cost; `None` if the task is not auctioned. "A LEAD may
    /// win its own task without radio": the bid of the LEAD, which is `me` and has this body, is made only then.
    pub fn bids(&self, task: TaskId, me: RobotId, body: &Body) -> Option<Vec<(RobotId, Surface)>> {
        let Self { group, lead, queue } = self;
        let member = lead.phases.iter().position(|index| group.task(index) == task)?;
        let mine = queue.costs(body, group, lead.phases, lead.t0);
        let others = lead.bids().iter().filter(|(robot, _)| **robot != me);
        let all = others.map(|(robot, costs)| (*robot, costs)).chain([(me, &mine)]);
        let mut bids: Vec<(RobotId, Surface)> =
            all.filter_map(|(robot, costs)| Some((robot, costs.get(member)?.clone()?))).collect();
        bids.sort_by_key(|(robot, surface)| (surface.least(), *robot));
        Some(bids)
    }
}
