//! The LEAD: "an advocate for the user, offering the task to the vehicles and assigning the winner".
//! [MacKenzie §2, Figure 1 c]
//!
//! - `solicit`: asks for bids; `evaluate`: makes a plan of them; `notify`: has it accepted.
//! - `concede`: what is given up where there is none.

mod concede;
mod evaluate;
mod notify;
mod solicit;

use std::collections::{BTreeMap, BTreeSet};

use super::after::After;
use super::cost::{Grid, Quote, Surface};
use super::desk::Desk;
use super::group::{Group, Phases};
use super::holder::Assigned;
use super::message::Tender;
use super::turnaround::Turnaround;
use super::{Ballot, Context, Holder};
use crate::robot::RobotId;
use crate::time::Time;
pub use concede::Leeway;

/// The LEAD of an order, or of some of its tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lead {
    /// The attempt that it is at.
    pub ballot: Ballot,
    /// The tasks that are auctioned.
    pub phases: Phases,
    /// The tasks that are auctioned when `phases` are assigned.
    pub later: Phases,
    /// What it waits for.
    pub stage: LeadStage,
    /// Since when it has brought nothing about.
    pub since: Time,
    /// When times begin to count.
    pub t0: Time,
    /// When bids must be in.
    pub closes: Time,
    /// What it has given up of the group's couplings, because nobody could keep them.
    pub leeway: Leeway,
    /// Times begin to count no earlier: before that, vehicles are busy with other orders.
    put_off: Time,
    bids: BTreeMap<RobotId, Offer>,
    /// "Delete failed bidder".
    deleted: BTreeSet<RobotId>,
    /// How many plans were made from these bids.
    plans: u32,
    /// How many of its plans a vehicle has refused in this auction.
    refusals: u8,
    /// How many auctions came to nothing.
    in_vain: u32,
}

/// What a LEAD waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeadStage {
    /// "wait for bids".
    Bidding,
    /// "Wait for Accept".
    Notifying(Notice),
    /// "Wait to retry".
    Retrying,
}

/// A plan that its vehicles are told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// For each of the LEAD's phases the vehicle that is to do it, when and how.
    pub plan: Vec<(u8, Holder)>,
    /// The tasks whose vehicles have accepted.
    pub accepted: Phases,
    /// How often everybody was told.
    pub tries: u8,
}

/// What a vehicle bids, on the grid on which tasks are assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    /// The costs of each task by itself; `None`: the vehicle cannot do it.
    pub(super) costs: Vec<Option<Surface>>,
    /// What it takes to do several of them; `None`: it does one at most.
    pub(super) turnaround: Option<Turnaround>,
}

impl Offer {
    fn new(tender: Tender, grid: &Grid) -> Self {
        let costs = Quote::surfaces(&tender.costs, grid);
        Self { costs, turnaround: tender.turnaround }
    }
}

/// Where an auction is.
#[must_use]
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Auction {
    /// The LEAD waits for bids, for Accept, or to try again.
    Open,
    /// Every vehicle of the plan has accepted and is committed.
    Closed,
}

/// What is left of a lead that some tasks were taken from.
#[must_use]
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// No task: the lead is over.
    Nothing,
    /// Other tasks than were auctioned: they have to be auctioned anew.
    Others,
    /// All that is auctioned.
    Same,
}

impl Lead {
    /// The LEAD of these tasks; it has not asked for bids yet.
    pub(super) fn new(ballot: Ballot, phases: Phases, now: Time) -> Self {
        Self {
            ballot,
            phases,
            later: Phases::NONE,
            stage: LeadStage::Bidding,
            since: now,
            t0: now,
            closes: now,
            leeway: Leeway::None,
            put_off: Time::ZERO,
            bids: BTreeMap::new(),
            deleted: BTreeSet::new(),
            plans: 0,
            refusals: 0,
            in_vain: 0,
        }
    }

    /// Task `index` is in its hands.
    pub fn covers(&self, index: usize) -> bool {
        self.all().has(index)
    }

    /// The tasks in its hands.
    pub(super) fn all(&self) -> Phases {
        self.phases.with(self.later)
    }

    /// A bid is for as many tasks as are auctioned, and makes sense on this LEAD's grid.
    pub(super) fn can_use(&self, costs: &[Quote], grid: &Grid) -> bool {
        costs.len() == self.phases.len() && costs.iter().all(|quote| quote.is_sound(grid))
    }

    /// The vehicles that have bid.
    pub fn bidders(&self) -> impl Iterator<Item = RobotId> {
        self.bids.keys().copied()
    }

    pub(super) fn on_timer(&mut self, at: &mut Assigned<'_>, cx: &mut Context<'_>) -> (After, Auction) {
        // Whichever way it goes on, it sets the stage anew.
        match std::mem::replace(&mut self.stage, LeadStage::Bidding) {
            LeadStage::Bidding => self.evaluate(at, cx),
            LeadStage::Retrying => (self.next_attempt(at, cx), Auction::Open),
            LeadStage::Notifying(mut notice) if notice.tries < at.craft.config.assign_tries => {
                notice.tries += 1;
                self.notify(at, cx, notice)
            }
            LeadStage::Notifying(notice) => self.on_not_accepted(at, cx, notice),
        }
    }

    /// Auctions what it leads anew, as a new attempt.
    pub(super) fn next_attempt(&mut self, at: &mut Assigned<'_>, cx: &mut Context<'_>) -> After {
        self.ballot.epoch = self.ballot.epoch.max(at.known.epoch()) + 1;
        self.solicit(at, cx)
    }

    /// It has brought nothing about for so long that nobody listens to it any more (W9): it would go on by itself for ever, and
    /// take what others do for what is left to do.
    pub(super) fn is_in_vain(&self, at: &Desk<'_>, now: Time) -> bool {
        let waits = !matches!(self.stage, LeadStage::Notifying(_));
        at.craft.config.fixes.fair && waits && now.since(self.since) >= at.craft.config.lead
    }

    /// Turns to the next of the tasks that were put off, if there is one: to one that none of the others comes before. (In a
    /// group from a stranger there may be none such: then to any.)
    pub(super) fn turn_to_next(&mut self, group: &Group) -> bool {
        let is_first = |index: &usize| group.before(*index).common(self.later).is_empty();
        let next = self.later.iter().find(is_first).or_else(|| self.later.iter().next()).map(Phases::only);
        if let Some(next) = next {
            self.phases = next;
            self.later = self.later.without(next);
        }
        next.is_some()
    }

    /// Leads these tasks, too; they are auctioned with the others.
    pub(super) fn takes_on(&mut self, phases: Phases) {
        match self.leeway {
            Leeway::OneByOne => self.later = self.later.with(phases),
            Leeway::None | Leeway::Others | Leeway::Done => self.phases = self.phases.with(phases),
        }
    }

    /// Leads these tasks no longer. Bids are for all that is auctioned: what is left of it is auctioned by itself.
    pub(super) fn is_rid_of(&mut self, group: &Group, phases: Phases) -> Left {
        self.later = self.later.without(phases);
        let left = self.phases.without(phases);
        if left == self.phases {
            return Left::Same;
        }
        if left.is_empty() {
            return if self.turn_to_next(group) { Left::Others } else { Left::Nothing };
        }
        self.phases = left;
        Left::Others
    }
}
