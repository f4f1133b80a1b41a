//! "Evaluate bids": a LEAD makes a plan of them.

use super::{Auction, Lead, Leeway, Notice, Offer};
use crate::robot::RobotId;
use crate::tasking::after::After;
use crate::tasking::assigner::{Choice, INFEASIBLE};
use crate::tasking::bidder::Won;
use crate::tasking::cost::Surface;
use crate::tasking::group::Phases;
use crate::tasking::holder::Assigned;
use crate::tasking::known::{Known, Slot};
use crate::tasking::planning::{Found, find};
use crate::tasking::pose::{Terms, thousandths};
use crate::tasking::step::Sharing;
use crate::tasking::{Context, Holder, Step};
use crate::time::{Duration, Time};

impl Lead {
    /// "Evaluate bids": finds who does what, when and how, at the least cost.
    pub(super) fn evaluate(&mut self, at: &mut Assigned<'_>, cx: &mut Context<'_>) -> (After, Auction) {
        let me = cx.me();
        let config = at.craft.config.clone();
        let group = at.known.group().clone();
        let mine = Offer::new(at.craft.queue.tender(cx.body(), cx.now(), &group, self.phases, self.t0), &config.grid);
        // A console that leads has no bid of its own, nor lacks anything for one: it is no vehicle.
        for (index, surface) in self.phases.iter().zip(&mine.costs).filter(|_| !at.craft.vehicle.console) {
            let (body, now) = (cx.body(), cx.now());
            at.known.note_with(cx, index, || {
                let bids = surface.as_ref().is_some_and(|surface| surface.least().is_some());
                let means = at.craft.queue.means(body, now, &group, index, self.t0, bids);
                Step::OwnBid { surface: surface.clone(), means }
            });
        }
        if mine.costs.iter().any(Option::is_some) && !self.deleted.contains(&me) {
            self.bids.insert(me, mine);
        } else {
            // It may have bid before it agreed to something else.
            self.bids.remove(&me);
        }
        self.plans += 1;
        let frozen = if config.fixes.atomic { self.frozen(at.known) } else { Vec::new() };
        let in_play = self.bids.iter().filter(|(robot, _)| !self.deleted.contains(robot));
        // Bids of vehicles that are left out below count, too: they came in, and were looked at.
        let count = in_play.clone().count() as u32;
        let bids = in_play.filter(|(robot, _)| config.fixes.atomic || !self.has_won(at.known, **robot));
        let bids: Vec<(RobotId, &Offer)> = bids.map(|(robot, offer)| (*robot, offer)).collect();
        let terms = Terms {
            t0: self.t0,
            expires: group.brief.expires.unwrap_or(Time::NEVER),
            couplings: &group.couplings,
            members: &group.members,
            fresh: at.known.renewable(&config),
            frozen: &frozen,
            leeway: self.leeway,
        };
        let Found { bids, chosen, more, sharing } = match find(&config, &group, self.phases, bids, &terms) {
            Ok(found) => found,
            Err(why) => return self.on_no_good_bids(at, cx, count, why),
        };
        let grid = &config.grid;
        let holder = |choice: &Choice| {
            let (time, heading) = (choice.time as u16, choice.heading as u16);
            let at = self.t0 + grid.time(time);
            Holder { robot: bids[choice.vehicle].0, at, heading: thousandths(grid, heading) }
        };
        let planned = self.phases.iter().zip(&chosen).map(|(index, choice)| (index as u8, holder(choice)));
        let own = planned.filter(|(_, holder)| holder.robot == me).map(|(index, holder)| self.won(index, holder));
        let own: Vec<Won> = own.collect();
        if let Some(first) = own.first().filter(|_| config.fixes.atomic && !at.craft.queue.can_make(cx, &group, &own)) {
            // Another vehicle would refuse it: what a bid says of several tasks is rounded.
            at.known.note(cx, usize::from(first.index), Step::Refused { robot: me });
            self.deleted.insert(me);
            self.plans = self.plans.saturating_sub(1);
            return self.evaluate(at, cx);
        }
        let mut plan: Vec<(u8, Holder)> = Vec::with_capacity(chosen.len());
        for (member, (index, choice)) in self.phases.iter().zip(&chosen).enumerate() {
            let (time, heading) = (choice.time as u16, choice.heading as u16);
            let ((robot, offer), holder) = (bids[choice.vehicle], holder(choice));
            let bid = |offer: &Offer| offer.costs[member].as_ref().and_then(Surface::least);
            let cheapest = bids.iter().filter_map(|(robot, offer)| Some((bid(offer)?, *robot))).min();
            let (least, cheapest) = cheapest.unwrap_or((INFEASIBLE, robot));
            let alone = offer.costs[member].as_ref().and_then(|it| it.get(grid, time, heading));
            let cost = alone.map_or(INFEASIBLE, |alone| {
                (i64::from(alone) + more[member]).clamp(0, i64::from(Surface::MOST)) as u32
            });
            at.known.note(cx, index, Step::Assigned { holder, cost, cheapest: (cheapest, least), bids: count });
            plan.push((index as u8, holder));
        }
        if let Some(why) = sharing {
            self.note_shared(at.known, cx, &plan, &frozen, why);
        }
        for index in self.phases.iter() {
            at.known.is_planned(index, self.ballot);
        }
        let own: Vec<_> = own.iter().map(|won| at.craft.queue.booking(&group, self.ballot, *won)).collect();
        let mut after = After::withdrawn(at.craft.queue.outranked(cx, &group, &own));
        let (then, auction) = self.notify(at, cx, Notice { plan, accepted: Phases::NONE, tries: 1 });
        after |= then;
        (after, auction)
    }

    /// Notes which vehicles do several of the group's tasks, and why.
    fn note_shared(
        &self,
        known: &Known,
        cx: &mut Context<'_>,
        plan: &[(u8, Holder)],
        frozen: &[(usize, Holder)],
        why: Sharing,
    ) {
        let planned = |&(index, holder): &(u8, Holder)| (usize::from(index), holder);
        let all: Vec<(usize, Holder)> = plan.iter().map(planned).chain(frozen.iter().copied()).collect();
        for (index, holder) in plan.iter().map(planned) {
            // Each pair once: with the one before it, and with one that is not auctioned and comes after it.
            let other = |(other, held): &&(usize, Holder)| {
                held.robot == holder.robot && *other != index && (held.at < holder.at || !self.phases.has(*other))
            };
            let apart = |(_, held): &&(usize, Holder)| held.at.as_micros().abs_diff(holder.at.as_micros());
            if let Some((other, held)) = all.iter().filter(other).min_by_key(apart) {
                let (robot, apart) = (holder.robot, Duration::from_micros(apart(&&(*other, *held))));
                known.note(cx, index, Step::Shares { robot, other: known.task(*other), apart, why });
            }
        }
    }

    /// `robot` has won some of the group in this attempt already.
    fn has_won(&self, known: &Known, robot: RobotId) -> bool {
        let won = |(index, slot): (usize, &Slot)| !self.covers(index) && slot.is_held_by(robot, self.ballot);
        known.slots().iter().enumerate().any(won)
    }

    /// The tasks that are not auctioned, with the vehicles, times and headings that a plan has to fit (W13).
    fn frozen(&self, known: &Known) -> Vec<(usize, Holder)> {
        let other = |(index, slot): &(usize, &Slot)| {
            !self.covers(*index) && (self.leeway < Leeway::Done || slot.done.is_none())
        };
        let others = known.slots().iter().enumerate().filter(other);
        others.filter_map(|(index, slot)| slot.holder.map(|holder| (index, holder))).collect()
    }
}
