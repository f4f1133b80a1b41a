//! Which tasks a vehicle can do besides others, and which of them it drops where it cannot do all.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::flight::{Flight, on_time_from, way_m};
use super::{Held, LATE, Queue};
use crate::robot::{Body, Point};
use crate::task::{Action, TaskId};
use crate::tasking::Context;
use crate::tasking::after::After;
use crate::tasking::bidder::Won;
use crate::tasking::craft::MOST_PATIENCE;
use crate::tasking::group::{Group, Member};
use crate::time::{Duration, Time};

/// Rounding of ways, in metres.
const ROUNDING_M: f64 = 1e-3;

/// What a vehicle flies of all that is wanted of it.
struct Agenda<'a> {
    /// By time.
    kept: Vec<&'a Held>,
    /// What does not go with something that comes before it.
    misfits: Vec<TaskId>,
}

impl Queue {
    /// The vehicle can be over the targets of all that it won of a group in time, without being late for anything that comes
    /// before them: it may have won two auctions at once, and bid in each as if it were the only one.
    pub(in crate::tasking) fn can_make(&self, cx: &Context<'_>, group: &Group, won: &[Won]) -> bool {
        let ahead = self.ahead_of(cx.body(), cx.now(), group);
        let bound_for = self.bound_for.and_then(|task| self.holds(task));
        let besides = bound_for.filter(|held| ahead.iter().all(|other| other.task != held.task));
        let Some(held) = besides.filter(|_| self.flies_on(cx.body(), cx.now())) else {
            return self.can_make_after(cx, group, won, &ahead, usize::MAX);
        };
        // It flies on to something less urgent if that goes with all of it. Else it stops for what it won, and has to be in time
        // for everything from where it is.
        let mut all = ahead.clone();
        all.insert(all.partition_point(|other| other.at <= held.at), held);
        self.can_make_after(cx, group, won, &all, usize::MAX) || self.can_make_after(cx, group, won, &ahead, 0)
    }

    /// The same after these, which come first as far as they are sooner. What stands at `first` or later has to be on time, what was
    /// won in any case.
    fn can_make_after(&self, cx: &Context<'_>, group: &Group, won: &[Won], ahead: &[&Held], mut first: usize) -> bool {
        let mut loads = loads_of(ahead);
        let mut queue: Vec<Flight> = ahead.iter().map(|held| self.flight(held)).collect();
        let late = self.latitude(group);
        for &Won { index, holder, t0, .. } in won {
            let member = &group.members[usize::from(index)];
            // No LEAD asks for more than was bid for, or for a day to come; such a task would be held for ever.
            let last = t0 + self.config.grid.horizon();
            if !self.is_able(cx.body(), member, loads) || holder.at > last || t0 > cx.now() + MOST_PATIENCE {
                return false;
            }
            loads = loads.saturating_add(member.loads);
            let place = queue.partition_point(|other| other.at <= holder.at);
            let corridor = self.corridor(member.place, holder.heading);
            queue.insert(place, Flight { at: holder.at, t0, corridor, late, loads: member.loads, under_way: false });
            first = first.min(place);
        }
        let (start, speed) = (self.start_of(cx.body(), cx.now(), &queue), cx.body().speed_mps);
        let ends = self.soonest_each(&queue, start, speed);
        on_time_from(first, &queue, &ends) && self.lasts(cx.body(), cx.now(), &queue, start)
    }

    /// The vehicle has what it takes to fly all of these.
    pub(super) fn lasts(&self, body: &Body, now: Time, queue: &[Flight], start: (Point, Time)) -> bool {
        match self.supplies(body.speed_mps) {
            Some(supplies) => supplies.plan(queue, self.stand(body, now, start)).is_some(),
            None => {
                let flown_m = self.flown_m + self.under_way_m(body, start.1);
                let loads = queue.iter().fold(self.used, |used, flight| used.saturating_add(flight.loads));
                let endurance_m = self.vehicle.endurance_m.unwrap_or(f64::INFINITY);
                loads <= self.vehicle.loads && way_m(queue, start.0) + flown_m <= endurance_m + ROUNDING_M
            }
        }
    }

    /// The vehicle has what the task of a group needs, loads included, whether or not it would be there in time.
    pub(super) fn is_fit(&self, body: &Body, now: Time, group: &Group, index: usize) -> bool {
        let loads = loads_of(&self.ahead_of(body, now, group));
        group.members.get(index).is_some_and(|member| self.is_able(body, member, loads))
    }

    /// What the vehicle is to do that a task of `group` must not get in the way of, by time: what it holds that is as
    /// urgent, and what it has agreed to that ranks above the group. Another plan for the group itself takes the place of
    /// what was agreed on before. What will be dropped for something that ranks higher is not there any more: to count on
    /// being where that ends would be a promise that cannot be kept.
    pub(super) fn ahead_of(&self, body: &Body, now: Time, group: &Group) -> Vec<&Held> {
        // A strict group that begins while the plan is still to be agreed on will give way to nothing by then.
        let begun = self.begun(now) + self.config.acceptance();
        let urgent = |held: &&Held| held.urgency(begun) >= group.brief.priority;
        let of_another = |held: &&Held| group.index_of(held.task).is_none();
        let rank = (group.brief.priority, Reverse(group.first()));
        // As drawn, who comes first is served first: there is no message to give anything back with.
        let above = |held: &&Held| !self.config.fixes.atomic || held.rank() > rank;
        let pledged = self.pledged.iter().filter(of_another).filter(urgent).filter(above);
        let mut pledged: Vec<&Held> = pledged.collect();
        // Of two plans that do not go together the lower will be given back: it may not have been yet.
        pledged.sort_by_key(|held| Reverse(held.rank()));
        // On the way to what is less urgent it may come to where it can set out for something else in time.
        let on_its_way = |held: &&Held| urgent(held) || self.bound_for == Some(held.task);
        let wanted = self.held.iter().filter(on_its_way).chain(pledged).collect();
        let mut kept = self.agenda(body, now, begun, wanted).kept;
        kept.retain(urgent);
        kept
    }

    /// What of `wanted` the vehicle flies, where it cannot fly all of it: the more urgent first; of equals what stands first
    /// in the list. A task may be within reach only by way of one that is less urgent: what did not fit is tried again after
    /// all others. Strict groups whose first task is flown before `begun` are the most urgent.
    fn agenda<'a>(&self, body: &Body, now: Time, begun: Time, mut wanted: Vec<&'a Held>) -> Agenda<'a> {
        let speed = body.speed_mps;
        wanted.sort_by_key(|held| Reverse(held.urgency(begun)));
        // As drawn, metres and loads alone count in bids, and not here.
        let counts_in_bids = !self.config.fixes.atomic && self.supplies(speed).is_none();
        let (mut kept, mut flights): (Vec<&Held>, Vec<Flight>) = (Vec::with_capacity(wanted.len()), Vec::new());
        loop {
            let tried = wanted.len();
            wanted.retain(|one| {
                let place = flights.partition_point(|other| other.at <= one.at);
                flights.insert(place, self.flight(one));
                let start = self.start_of(body, now, &flights);
                let on_time = on_time_from(place, &flights, &self.soonest_each(&flights, start, speed));
                let fits = on_time && (counts_in_bids || self.lasts(body, now, &flights, start));
                if fits {
                    kept.insert(place, *one);
                } else {
                    flights.remove(place);
                }
                !fits
            });
            if wanted.is_empty() || wanted.len() == tried {
                return Agenda { kept, misfits: wanted.iter().map(|held| held.task).collect() };
            }
        }
    }

    /// A group whose first task is flown before then has begun.
    pub(super) fn begun(&self, now: Time) -> Time {
        now + self.config.announce
    }

    /// What the vehicle has agreed to that ranks below what is `agreed` of a group and does not go with it: it is to be given
    /// back.
    pub(in crate::tasking) fn outranked(&self, cx: &Context<'_>, group: &Group, agreed: &[Held]) -> Vec<TaskId> {
        let rank = (group.brief.priority, Reverse(group.first()));
        // Another plan for the group itself takes the place of what was agreed on before.
        let others = self.pledged.iter().filter(|held| group.index_of(held.task).is_none());
        let (mut above, mut below): (Vec<&Held>, Vec<&Held>) = others.partition(|held| held.rank() > rank);
        if agreed.is_empty() || below.is_empty() || !self.config.fixes.atomic {
            return Vec::new();
        }
        above.sort_by_key(|held| Reverse(held.rank()));
        below.sort_by_key(|held| Reverse(held.rank()));
        let all = self.held.iter().chain(above).chain(agreed).chain(below.iter().copied()).collect();
        let mut misfits = self.agenda(cx.body(), cx.now(), self.begun(cx.now()), all).misfits;
        // With one task the whole plan that it belongs to goes: it is given back once.
        let mut orders = BTreeSet::new();
        misfits
            .retain(|task| below.iter().find(|held| held.task == *task).is_some_and(|held| orders.insert(held.order)));
        misfits
    }

    /// The vehicle can do this besides other tasks that take so many loads already. One with a base can get more.
    pub(super) fn is_able(&self, body: &Body, member: &Member, loads: u16) -> bool {
        let spoken_for = if self.vehicle.base.is_some() { 0 } else { self.used.saturating_add(loads) };
        !self.vehicle.console
            && body.percepts.cover(member.needs)
            && spoken_for.saturating_add(member.loads) <= self.vehicle.loads
    }

    /// How late the vehicle may be over a target of this group. As drawn vehicles fly by their times, whatever comes of it.
    pub(super) fn latitude(&self, group: &Group) -> Duration {
        let exact = group.strict || (self.config.fixes.in_turn && group.is_tied());
        if exact { LATE } else { self.config.tolerance }
    }

    /// Drops every task that the vehicle cannot make, or not beside something more urgent, or not beside something as urgent
    /// that is earlier or was not taken just now (`new`). It may not be where it was to be when it agreed to them: it would
    /// bid from a place where it will never be, and never be on time again.
    pub(super) fn prune(&mut self, cx: &mut Context<'_>, new: Option<TaskId>) -> After {
        let is_new = |held: &&Held| Some(held.task) == new;
        let wanted = self.held.iter().filter(|held| !is_new(held)).chain(self.held.iter().filter(is_new));
        // A plan of several tasks is acknowledged task by task, and some may be within reach only by way of the rest.
        let of_plan = |agreed: &&Held| {
            let same = |held: &Held| (held.order, held.ballot) == (agreed.order, agreed.ballot);
            self.held.iter().any(same) && self.holds(agreed.task).is_none()
        };
        let wanted = wanted.chain(self.pledged.iter().filter(of_plan)).collect();
        let mut dropped = self.agenda(cx.body(), cx.now(), self.begun(cx.now()), wanted).misfits;
        dropped.retain(|task| self.holds(*task).is_some());
        let bound_for = self.held.iter().find(|held| self.bound_for == Some(held.task) && dropped.contains(&held.task));
        if let Some(held) = bound_for.cloned() {
            self.bound_for = None;
            self.count_flown(cx, &held);
            cx.act(Action::Stop);
        }
        self.held.retain(|held| !dropped.contains(&held.task));
        let mut after = After::dropped(dropped);
        after |= After::withdrawn(self.no_longer_fits(cx));
        after
    }

    /// What the vehicle has agreed to and cannot make any more besides what it holds that is as urgent: one task of each plan, with
    /// which all of it is given back.
    pub(super) fn no_longer_fits(&self, cx: &Context<'_>) -> Vec<TaskId> {
        let is_held = |held: &Held| self.holds(held.task).is_some_and(|other| other.ballot == held.ballot);
        let agreed: Vec<&Held> =
            self.pledged.iter().filter(|held| self.config.fixes.atomic && !is_held(held)).collect();
        let mut plans = BTreeMap::new();
        for held in &agreed {
            let as_urgent = |other: &&Held| other.urgency(self.begun(cx.now())) >= held.priority;
            // What was agreed on anew takes the place of what it holds of the same task.
            let stands = |other: &&Held| agreed.iter().all(|anew| anew.task != other.task);
            // On the way to what is less urgent it may come to where it can set out for something else in time.
            let counts = |other: &&Held| as_urgent(other) || self.bound_for == Some(other.task);
            let others = self.held.iter().filter(counts).filter(stands);
            let of_order = |other: &&&Held| other.order == held.order;
            // It may be within reach only by way of another that was agreed to, and ranks above it.
            let above = agreed.iter().filter(|other| !of_order(other) && other.rank() > held.rank()).copied();
            let mut above: Vec<&Held> = above.collect();
            above.sort_by_key(|other| Reverse(other.rank()));
            let wanted = others.chain(above).chain(agreed.iter().filter(of_order).copied());
            if self.agenda(cx.body(), cx.now(), self.begun(cx.now()), wanted.collect()).misfits.contains(&held.task) {
                plans.entry(held.order).or_insert(held.task);
            }
        }
        plans.into_values().collect()
    }
}

/// Loads that these tasks take.
pub(super) fn loads_of(ahead: &[&Held]) -> u16 {
    ahead.iter().fold(0, |all: u16, held| all.saturating_add(held.loads))
}
