//! "Wait for Accept": a LEAD tells vehicles of its plan, and commits them or plans anew.

use std::collections::BTreeSet;

use super::{Auction, Lead, LeadStage, Notice, Offer};
use crate::mechanism::Recipient;
use crate::robot::RobotId;
use crate::tasking::after::After;
use crate::tasking::bidder::Won;
use crate::tasking::group::Phases;
use crate::tasking::holder::Assigned;
use crate::tasking::message::Tender;
use crate::tasking::{Context, Holder, Message, Step, Timer};

/// So many plans of one auction may be refused before another is as good as one that nobody has accepted. Ours: vehicles refuse
/// what they have agreed to something else for meanwhile, and a team has no more than a few orders at once.
const MOST_REFUSALS: u8 = 8;

impl Lead {
    /// Tells every vehicle that has not accepted yet what is its to do.
    pub(super) fn notify(
        &mut self,
        at: &mut Assigned<'_>,
        cx: &mut Context<'_>,
        mut notice: Notice,
    ) -> (After, Auction) {
        let me = cx.me();
        let atomic = at.craft.config.fixes.atomic;
        // "A LEAD may win its own task without radio".
        let mine = notice.plan.iter().filter(|(_, holder)| holder.robot == me).map(|(index, _)| usize::from(*index));
        let mine = mine.fold(Phases::NONE, |all, index| all.with(Phases::only(index)));
        notice.accepted = notice.accepted.with(mine);
        let (ballot, t0) = (self.ballot, self.t0);
        let mut told = BTreeSet::new();
        for (index, holder) in notice.plan.iter().filter(|(index, _)| !notice.accepted.has(usize::from(*index))) {
            // The whole plan, once to each.
            if atomic && !told.insert(holder.robot) {
                continue;
            }
            let about = at.known.about(at.craft);
            let plan = if atomic { notice.plan.clone() } else { vec![(*index, *holder)] };
            at.craft.say(cx, Recipient::Named(holder.robot), Message::Assignment { about, ballot, plan, t0 });
        }
        at.craft.wait(cx, Timer::Lead(at.known.first()), at.craft.time_out(at.craft.config.accept));
        let mut after = After::nothing();
        if !atomic {
            after |= self.commit(at, cx, &notice.plan, mine);
        }
        let (then, auction) = self.close_if_all_accepted(at, cx, notice);
        after |= then;
        (after, auction)
    }

    /// A vehicle accepts a task of the plan that everybody is told of. `None` if it is none of that plan's.
    pub(in crate::tasking) fn on_accept(
        &mut self,
        at: &mut Assigned<'_>,
        cx: &mut Context<'_>,
        from: RobotId,
        index: u8,
    ) -> Option<(After, Auction)> {
        let is_planned = |(planned, holder): &(u8, Holder)| *planned == index && holder.robot == from;
        match std::mem::replace(&mut self.stage, LeadStage::Bidding) {
            LeadStage::Notifying(mut notice) if notice.plan.iter().any(is_planned) => {
                let one = Phases::only(usize::from(index));
                notice.accepted = notice.accepted.with(one);
                let mut after = After::nothing();
                if !at.craft.config.fixes.atomic {
                    after |= self.commit(at, cx, &notice.plan, one);
                }
                let (then, auction) = self.close_if_all_accepted(at, cx, notice);
                after |= then;
                Some((after, auction))
            }
            stage => {
                self.stage = stage;
                None
            }
        }
    }

    /// A vehicle refuses what the plan gives it, having agreed to something else: makes another plan at once, from what
    /// that vehicle would bid now. The LEAD's own vehicle says so by its next bid, to itself.
    pub(in crate::tasking) fn on_refuse(
        &mut self,
        at: &mut Assigned<'_>,
        cx: &mut Context<'_>,
        from: RobotId,
        index: usize,
        tender: Tender,
    ) -> (After, Auction) {
        at.known.note(cx, index, Step::Refused { robot: from });
        let offer =
            self.can_use(&tender.costs, &at.craft.config.grid).then(|| Offer::new(tender, &at.craft.config.grid));
        match offer {
            // Who bids as before would be given the same again, and refuse it: what a bid says of several tasks is rounded.
            Some(offer) if self.bids.get(&from) != Some(&offer) => _ = self.bids.insert(from, offer),
            _ if from != cx.me() => _ = self.deleted.insert(from),
            _ => {}
        }
        self.ballot.epoch = self.ballot.epoch.max(at.known.epoch()) + 1;
        at.known.has_come_to(self.ballot.epoch);
        // A plan that was refused at once has cost no time that others wait for. One that is refused again and again has.
        self.refusals = self.refusals.saturating_add(1);
        if self.refusals <= MOST_REFUSALS {
            self.plans = self.plans.saturating_sub(1);
        }
        let mut after = After::remember();
        let (then, auction) = self.plan_again(at, cx);
        after |= then;
        (after, auction)
    }

    /// Some vehicles of a plan have not accepted in time: makes another plan without them.
    pub(super) fn on_not_accepted(
        &mut self,
        at: &mut Assigned<'_>,
        cx: &mut Context<'_>,
        notice: Notice,
    ) -> (After, Auction) {
        let Notice { plan, accepted, .. } = notice;
        for (index, holder) in plan.iter().filter(|(index, _)| !accepted.has(usize::from(*index))) {
            self.deleted.insert(holder.robot);
            at.known.note(cx, usize::from(*index), Step::Deleted { robot: holder.robot });
        }
        let mut after = After::nothing();
        if !at.craft.config.fixes.atomic {
            // Bids are for what was solicited: those for what is assigned by now are of no more use.
            for offer in self.bids.values_mut() {
                let mut open = self.phases.iter().map(|index| !accepted.has(index));
                offer.costs.retain(|_| open.next().unwrap_or(false));
            }
            self.phases = self.phases.without(accepted);
        } else {
            // The vehicles that have accepted are released by the next plan: nobody was committed yet.
            self.ballot.epoch = self.ballot.epoch.max(at.known.epoch()) + 1;
            at.known.has_come_to(self.ballot.epoch);
            after |= After::remember();
        }
        let (then, auction) = self.plan_again(at, cx);
        after |= then;
        (after, auction)
    }

    /// Makes another plan from these bids, unless they have grown too old.
    pub(super) fn plan_again(&mut self, at: &mut Assigned<'_>, cx: &mut Context<'_>) -> (After, Auction) {
        let in_time = cx.now() + at.craft.time_out(at.craft.config.accept) < self.t0;
        if self.plans < at.craft.config.plans && in_time {
            self.evaluate(at, cx)
        } else {
            (self.next_attempt(at, cx), Auction::Open)
        }
    }

    /// Commits every vehicle once all have accepted; the LEAD's work on these tasks is done then.
    fn close_if_all_accepted(
        &mut self,
        at: &mut Assigned<'_>,
        cx: &mut Context<'_>,
        notice: Notice,
    ) -> (After, Auction) {
        let mut after = After::nothing();
        let missing = self.phases.without(notice.accepted);
        if missing.is_empty() && at.craft.config.fixes.atomic {
            after |= self.commit(at, cx, &notice.plan, self.phases);
        }
        self.stage = LeadStage::Notifying(notice);
        (after, if missing.is_empty() { Auction::Closed } else { Auction::Open })
    }

    /// "Ack acceptance" of these tasks: from here on they are their winners'.
    fn commit(&self, at: &mut Assigned<'_>, cx: &mut Context<'_>, plan: &[(u8, Holder)], phases: Phases) -> After {
        let (ballot, t0) = (self.ballot, self.t0);
        let mut after = After::nothing();
        for (index, holder) in plan.iter().copied().filter(|(index, _)| phases.has(usize::from(*index))) {
            at.known.is_committed(usize::from(index), ballot, holder, cx.now());
            at.known.counts_from(t0);
            if holder.robot == cx.me() {
                after |= at.hold(cx, ballot, self.won(index, holder));
            } else {
                let about = at.known.about(at.craft);
                at.craft.say(cx, Recipient::Only(holder.robot), Message::AcceptAck { about, ballot, index });
            }
        }
        after
    }

    /// This LEAD's plan gives task `index` to `robot`, which has not been committed to it yet.
    pub(in crate::tasking) fn plans(&self, index: usize, robot: RobotId) -> bool {
        matches!(&self.stage, LeadStage::Notifying(notice)
            if notice.plan.iter().any(|(planned, holder)| usize::from(*planned) == index && holder.robot == robot))
    }

    /// What this LEAD's vehicle, `me`, is to do by the plan that its vehicles are told of.
    pub(in crate::tasking) fn own(&self, me: RobotId) -> impl Iterator<Item = Won> {
        let plan = match &self.stage {
            LeadStage::Notifying(notice) => &notice.plan[..],
            LeadStage::Bidding | LeadStage::Retrying => &[],
        };
        plan.iter().filter(move |(_, holder)| holder.robot == me).map(|&(index, holder)| self.won(index, holder))
    }

    pub(super) fn won(&self, index: u8, holder: Holder) -> Won {
        Won { index, holder, t0: self.t0, plan: self.phases }
    }
}
