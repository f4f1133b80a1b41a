//! What a node shows of its tasks: what it asks for and leads, what it has bid for, what it holds.

use super::bidder::BidderStage;
use super::lead::{Lead, LeadStage};
use super::order::OrderState;
use super::supply::Used;
use super::user::UserStage;
use super::{Message, Tasking};
use crate::panel::{Family, Field, Posture, Viewing};
use crate::task::TaskId;

/// So many tasks fit a card.
const MOST_TASKS: usize = 12;

impl Message {
    /// The part that it plays in an auction; talk about who leads and about how things stand plays none.
    pub(super) const fn family(&self) -> Family {
        match self {
            Self::Task { .. } | Self::ClaimLead { .. } | Self::Solicitation { .. } => Family::Call,
            Self::Bid { .. } | Self::BidForSeveral { .. } | Self::BidAck { .. } | Self::Refuse { .. } => Family::Offer,
            Self::Assignment { .. } | Self::Accept { .. } | Self::AcceptAck { .. } | Self::Grant { .. } => {
                Family::Award
            }
            Self::AckLead { .. }
            | Self::Status { .. }
            | Self::Challenge { .. }
            | Self::Claim { .. }
            | Self::PerceivedWinner { .. }
            | Self::Completion { .. }
            | Self::LeadStatus { .. }
            | Self::StatusRelay { .. }
            | Self::Done { .. }
            | Self::Cancel { .. }
            | Self::Release { .. }
            | Self::ReleaseRelay { .. } => Family::Other,
        }
    }

    /// The task that it is about; the first of its order if it is about several of them.
    pub(super) fn task(&self) -> Option<TaskId> {
        if let Self::Done { deeds } = self {
            return match deeds[..] {
                [deed] => Some(TaskId(deed.first.0.wrapping_add(u32::from(deed.index)))),
                _ => None,
            };
        }
        let index = match self {
            Self::Accept { index, .. }
            | Self::AcceptAck { index, .. }
            | Self::Status { index, .. }
            | Self::Completion { index, .. }
            | Self::StatusRelay { index, .. }
            | Self::Release { index, .. }
            | Self::ReleaseRelay { index, .. }
            | Self::Grant { index, .. }
            | Self::Refuse { index, .. } => u32::from(*index),
            Self::Assignment { plan, .. } => plan.first().map_or(0, |(index, _)| u32::from(*index)),
            Self::Solicitation { phases, .. }
            | Self::Challenge { phases, .. }
            | Self::Claim { phases, .. }
            | Self::PerceivedWinner { phases, .. }
            | Self::LeadStatus { phases, .. } => phases.iter().next().unwrap_or(0) as u32,
            Self::Task { .. }
            | Self::ClaimLead { .. }
            | Self::AckLead { .. }
            | Self::Bid { .. }
            | Self::BidForSeveral { .. }
            | Self::BidAck { .. }
            | Self::Cancel { .. }
            | Self::Done { .. } => 0,
        };
        self.about().map(|about| TaskId(about.first.0.wrapping_add(index)))
    }
}

impl Tasking {
    /// A look at every order that it knows, unless it is at work or knows none.
    pub(super) fn seen_as(&self) -> Posture {
        if self.craft.queue.is_outbound() {
            return Posture::Working;
        }
        let mut has_bid = false;
        for order in self.orders.values() {
            if order.lead.is_some() || order.user.is_some() {
                return Posture::Asking;
            }
            has_bid |= order.bidder.is_some();
        }
        match (has_bid, self.held().is_empty()) {
            (true, _) => Posture::Offering,
            (false, false) => Posture::Committed,
            (false, true) => Posture::Idle,
        }
    }

    pub(super) fn shows(&self, view: &Viewing<'_>) -> Vec<Field> {
        let mut does = Vec::new();
        if let Some(ready) = self.craft.queue.reloading() {
            does.push(format!("is reloaded at its base by {ready:.1}"));
        }
        if self.craft.queue.is_outbound() {
            does.push("has passed its target, leaves by the corridor".to_owned());
        }
        does.extend(self.asks(view));
        does.extend(self.leads(view));
        does.extend(self.bids(view));
        if let Some(next) = self.held().first() {
            let tasks = if self.held().len() == 1 { "task" } else { "tasks" };
            does.push(format!("holds {} {tasks}, next over the target at {:.1}", self.held().len(), next.at));
        }
        if does.is_empty() {
            does.push(if self.orders.values().all(OrderState::is_settled) { "idle" } else { "watches" }.to_owned());
        }
        let mut fields = vec![Field::state("does", does.join("; "))];
        fields.extend(self.shows_tasks(view));
        fields.extend(self.shows_means(view));
        fields
    }

    /// What it asks for as a USER, in words.
    fn asks(&self, view: &Viewing<'_>) -> Option<String> {
        let mut asked = self.orders.values().filter_map(|order| Some((order, order.user?)));
        let (order, user) = asked.next()?;
        let order = view.names.task(order.first());
        Some(match (asked.count(), user.stage) {
            (0, UserStage::Claim) => format!("asks who sees to {order}, time {}", user.attempt),
            (0, UserStage::Solicitation(lead)) => format!("leaves {order} to {}", view.names.robot(lead)),
            (0, UserStage::Retry) => format!("will ask again who sees to {order}"),
            (more, _) => format!("asks who sees to {} orders", more + 1),
        })
    }

    /// What it leads, in words.
    fn leads(&self, view: &Viewing<'_>) -> Option<String> {
        let mut led = self.led();
        let (order, lead) = led.next()?;
        let more = led.count();
        if more > 0 {
            return Some(format!("leads {} auctions", more + 1));
        }
        let stage = match &lead.stage {
            LeadStage::Bidding => "asks for bids",
            LeadStage::Notifying { .. } => "waits for Accept",
            LeadStage::Retrying => "waits to try again",
        };
        let task = order.group().task(lead.phases.iter().next().unwrap_or(0));
        Some(format!("leads the auction of {}, attempt {}: {stage}", view.names.task(task), lead.ballot.epoch))
    }

    fn led(&self) -> impl Iterator<Item = (&OrderState, &Lead)> {
        self.orders.values().filter_map(|order| Some((order, order.lead()?)))
    }

    /// What it has bid for, in words.
    fn bids(&self, view: &Viewing<'_>) -> Option<String> {
        let mut bid = self.orders.values().filter_map(|order| Some((order, order.bidder()?)));
        let (order, bidder) = bid.next()?;
        let more = bid.count();
        if more > 0 {
            return Some(format!("has bid in {} auctions", more + 1));
        }
        let name = |index: usize| view.names.task(order.group().task(index));
        Some(match &bidder.stage {
            BidderStage::BidAck { .. } | BidderStage::Assignment => {
                format!("has bid for {}", name(bidder.phases.iter().next().unwrap_or(0)))
            }
            BidderStage::AcceptAck { won, .. } => {
                let names: Vec<String> = won.iter().map(|won| name(usize::from(won.index)).to_string()).collect();
                format!("has accepted {}", names.join(" and "))
            }
        })
    }

    /// What it leads and holds, and when it should be done.
    fn shows_tasks(&self, view: &Viewing<'_>) -> Vec<Field> {
        let mut fields = Vec::new();
        let led = self.led().flat_map(|(order, lead)| lead.phases.iter().map(|index| order.group().task(index)));
        fields.extend(led.take(MOST_TASKS).map(|task| Field::new("leads", view.task(task))));
        let bids: usize = self.led().map(|(_, lead)| lead.bidders().count()).sum();
        if !fields.is_empty() {
            fields.push(Field::number("bids in", bids as f64));
        }
        fields.push(Field::number("queue", self.held().len() as f64));
        for held in self.held().iter().take(MOST_TASKS) {
            fields.push(Field::new("holds", view.task(held.task)));
            let label = format!("over {} at (s)", view.names.task(held.task));
            fields.push(Field::number(label, held.at.as_secs_f64()));
        }
        fields
    }

    /// What it has left, and how well it hears.
    fn shows_means(&self, view: &Viewing<'_>) -> Vec<Field> {
        let Used { flown_m, loads: used, .. } = self.craft.queue.used();
        let vehicle = &self.craft.vehicle;
        let mut fields = Vec::new();
        // Not limited: as many as there are numbers.
        if !vehicle.console && vehicle.loads > 0 && vehicle.loads < u16::MAX {
            let left = vehicle.loads.saturating_sub(used);
            fields.push(Field::gauge("loads left", f64::from(left), (0.0, f64::from(vehicle.loads)), None));
        }
        if let Some(all_m) = vehicle.endurance_m {
            fields.push(Field::gauge("range left (m)", (all_m - flown_m).max(0.0), (0.0, all_m), None));
        }
        if let Some((all, left)) = self.craft.queue.time_left(view.now) {
            let all_s = all.as_secs_f64();
            fields.push(Field::gauge("time in the air left (s)", left.as_secs_f64(), (0.0, all_s), None));
        }
        if self.craft.link.others() > 0 {
            fields.push(Field::gauge("reports lost", self.craft.link.loss(), (0.0, 1.0), None));
        }
        fields
    }
}
