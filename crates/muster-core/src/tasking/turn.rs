//! Whose turn it is: a phase is flown only when those that come before it are known to be done. Ours: the paper's vehicles
//! fly by their times, and it does not say what becomes of a group that loses one.
//!
//! The body is told to break off before the target ([`Action::Await`](crate::Action::Await)) until the vehicle knows that
//! it is its turn, so that neither a lost message nor a computer that hangs makes it cross out of turn.

use super::after::After;
use super::craft::Craft;
use super::desk::Desk;
use super::group::Phases;
use super::holder::Assigned;
use super::order::OrderState;
use super::peer::{ask_about, is_informed};
use super::queue::LATE;
use super::{Context, Holder, Step, Timer};
use crate::time::{Duration, Time};

/// A vehicle decides so long before its target whether it crosses: as late as it can, since Done may be on its way.
pub(super) const CROSSING: Duration = Duration::from_millis(100);

/// What a vehicle that comes in over its target finds.
#[must_use]
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Turn {
    /// It may cross, at this time.
    At(Time),
    /// These are not known to be done, or nobody is known to do them.
    After(Phases),
    /// It can no longer cross when it should.
    Missed,
}

/// Whether a task's time has passed by.
#[must_use]
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Passed {
    /// It is still to come.
    No,
    /// The vehicle cannot be there in time any more.
    Yes,
}

impl Assigned<'_> {
    /// Whether, and when, task `index` of this order is to be crossed by this vehicle, which holds it.
    fn turn(&self, cx: &Context<'_>, index: usize) -> Turn {
        let (group, now) = (self.known.group(), cx.now());
        let Some(held) = self.craft.queue.holds(self.known.task(index)) else { return Turn::Missed };
        // A strict group is neither begun nor gone on with by a vehicle whose radio is down: the others, who hear nothing of it,
        // do not fly what comes before. In radio silence that is ordered nobody hears anything, and all go by what was confirmed.
        let silent = !self.craft.may_speak(now) && (self.craft.link.up || !group.strict);
        let done = |other: usize| self.known.slot(other).done.is_some();
        // In radio silence, or when its radio is known to be down, the times that were confirmed before count, as long as
        // nobody else is known to hold the task.
        let agreed = |other: usize| {
            let slot = self.known.slot(other);
            slot.confirmed.filter(|confirmed| silent && slot.holder == Some(*confirmed))
        };
        let arrives = self.craft.queue.arrives(cx, held);
        let crosses = arrives.as_micros() as i64;
        let comes_after = |other: usize| {
            let then = |it: usize| agreed(it).filter(|_| it == other).map(|confirmed| confirmed.at);
            agreed(other).is_some() && group.window(index, then).0 <= crosses
        };
        let mut missing = self.known.those(group.before(index), |other| !done(other) && !comes_after(other));
        if group.strict {
            // All or a prefix: no phase begins unless somebody is known to do each of the others.
            let sure = |other: usize| {
                let held = self.known.slot(other).holder.is_some() && is_informed(self.desk(), now, other);
                let own = self.craft.queue.holds(self.known.task(other)).is_some();
                done(other) || own || held || agreed(other).is_some()
            };
            let others = self.known.all().without(Phases::only(index));
            missing = missing.with(self.known.those(others, |other| !sure(other)));
        }
        if !missing.is_empty() {
            return Turn::After(missing);
        }
        if group.strict && !self.known.is_consistent(self.known.all()) {
            // Its vehicles have agreed on times that do not go together, each with another LEAD.
            return Turn::Missed;
        }
        if group.strict && arrives > held.at + LATE && !(0..group.len()).any(done) {
            // Begun late, the rest would be later than its windows: it is auctioned anew before anything is flown.
            return Turn::Missed;
        }
        let (least, most) = group.window(index, |other| self.known.slot(other).done.map(|deed| deed.at));
        let at = if arrives > held.at + LATE { arrives } else { held.at }.as_micros() as i64;
        // A LEAD that has given up what ties the tasks together has planned for times outside of the window.
        let as_planned = held.at == held.planned;
        if (least..=most).contains(&at) || (as_planned && !group.strict) {
            return Turn::At(held.at);
        }
        if as_planned {
            return Turn::Missed;
        }
        // It has gone round, and may have to come in sooner or later than it thought.
        let soonest = self.craft.queue.soonest(cx, held.task).unwrap_or(held.at).as_micros() as i64;
        let other = least.max(soonest);
        if other <= most { Turn::At(Time::from_micros(other as u64)) } else { Turn::Missed }
    }

    /// It is known by now that it is task `index`'s turn, perhaps: if so, the vehicle may cross. A strict group is looked at
    /// as late as can be.
    pub(super) fn cross_if_due(&mut self, cx: &mut Context<'_>, index: usize) -> (After, Passed) {
        let awaits = self.craft.queue.holds(self.known.task(index)).is_some_and(|held| held.awaits);
        if !awaits || self.known.group().strict {
            return (After::nothing(), Passed::No);
        }
        match self.turn(cx, index) {
            Turn::At(at) => (self.cross(cx, index, at), Passed::No),
            Turn::After(_) => (After::nothing(), Passed::No),
            Turn::Missed => (After::nothing(), Passed::Yes),
        }
    }

    /// Crosses the target of task `index` at this time, which may be another than was planned.
    fn cross(&mut self, cx: &mut Context<'_>, index: usize, at: Time) -> After {
        let task = self.known.task(index);
        let mut after = After::nothing();
        if self.craft.queue.holds(task).is_some_and(|held| held.at != at) {
            after |= self.retime(cx, index, at);
        }
        self.craft.queue.may_cross(cx, task);
        cx.cancel_timer(Timer::Cross(task));
        after
    }

    /// The vehicle is to be over the target of task `index` at another time.
    fn retime(&mut self, cx: &mut Context<'_>, index: usize, at: Time) -> After {
        let task = self.known.task(index);
        if self.known.slots().iter().all(|slot| slot.done.is_none()) {
            self.craft.queue.begins_no_sooner(task, at);
        }
        let mut after = self.craft.queue.retime(cx, task, at);
        let (Some(held), Some(holder)) = (self.craft.queue.holds(task), self.known.slot(index).holder) else {
            return after;
        };
        let ballot = held.ballot;
        self.known.is_held(index, ballot, Holder { at, ..holder }, cx.now());
        self.known.is_watched(index, cx.now());
        self.set_dates(cx, task, at);
        self.report(cx, index, None);
        after |= After::remember();
        after
    }
}

impl OrderState {
    /// The vehicle is about to be over the target of a task whose turn may not have come.
    pub(super) fn on_cross_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) -> After {
        let task = self.known.task(index);
        let Some(held) = craft.queue.holds(task).filter(|held| held.awaits) else { return After::nothing() };
        let at = held.at;
        if at.since(cx.now()) > CROSSING {
            self.ask_for_turn(craft, cx, index, at);
            return After::nothing();
        }
        if craft.queue.bound_for() != Some(task) {
            // It is late with something else, and will give this one back.
            return After::nothing();
        }
        if let Some(after) = self.end_if_broken(craft, cx) {
            return after;
        }
        match self.assigned(craft).turn(cx, index) {
            Turn::At(then) => self.assigned(craft).cross(cx, index, then.max(at)),
            Turn::After(missing) => self.go_round(craft, cx, index, missing),
            Turn::Missed => self.miss(craft, cx, index),
        }
    }

    /// The vehicle is to be over the target of task `index` at `at`, soon, and decides as late as it can. What it has to hear
    /// before may be lost several times: while it comes in, it asks for what it should have heard by now, and for what it will
    /// not have heard of lately enough then.
    fn ask_for_turn(&self, craft: &Craft, cx: &mut Context<'_>, index: usize, at: Time) {
        let (task, now) = (self.known.task(index), cx.now());
        let pause = Duration::from_micros(craft.config.status.as_micros() / 2);
        let decides = now + Duration::from_micros(at.since(now).as_micros() - CROSSING.as_micros());
        cx.set_timer(Timer::Cross(task), (now + pause).min(decides));
        // One that is late with something else will give this one back.
        if craft.queue.bound_for() != Some(task) || !craft.may_speak(now) {
            return;
        }
        let desk = Desk { known: &self.known, craft };
        let (group, known) = (self.known.group(), &self.known);
        let own = |other: usize| craft.queue.holds(known.task(other)).is_some();
        let flown = |other: usize| known.slot(other).holder.is_some_and(|holder| holder.at <= now);
        let (before, others) = (group.before(index), if group.strict { known.all() } else { group.before(index) });
        let lacks = |other: usize| !own(other) && (before.has(other) && flown(other) || !is_informed(desk, at, other));
        ask_about(desk, cx, known.those(others.common(known.open()), lacks));
    }

    /// The vehicle can no longer cross when task `index` should be done: the group is auctioned anew, as far as it is open.
    fn miss(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) -> After {
        let mut after = craft.queue.let_go(cx, self.known.task(index));
        self.known.note(cx, index, Step::Missed);
        after |= self.assigned(craft).give_back(cx, index);
        after |= self.auction_anew(craft, cx, index);
        after
    }

    /// It is not task `index`'s turn: breaks off, comes in again, and asks for what is missing.
    fn go_round(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize, missing: Phases) -> After {
        let task = self.known.task(index);
        let first = missing.iter().next().unwrap_or(index);
        self.known.note(cx, index, Step::GoesRound { task: self.known.task(first) });
        // Of what is its own it would say that it does not hold it.
        let others =
            self.known.those(missing.common(self.known.open()), |it| craft.queue.holds(self.known.task(it)).is_none());
        ask_about(Desk { known: &self.known, craft }, cx, others);
        // However short the corridor, others must have time to answer.
        let least = cx.now() + craft.config.status;
        let at = craft.queue.soonest(cx, task).unwrap_or(least).max(least);
        self.assigned(craft).retime(cx, index, at)
    }

    /// When the last of the tasks that come after task `index` is to be flown, if any is left: until then their vehicles wait
    /// for Done of it.
    pub(super) fn awaited_until(&self, craft: &Craft, index: usize) -> Option<Time> {
        let group = self.group();
        let after = self.known.those(self.known.open(), |other| group.before(other).has(index));
        // A vehicle that flies the next one, too, need not be told.
        let own = |other: &usize| craft.queue.holds(self.known.task(*other)).is_some();
        let holders = after.iter().filter(|other| !own(other)).filter_map(|other| self.known.slot(other).holder);
        holders.map(|holder| holder.at).max().filter(|_| craft.config.fixes.in_turn)
    }

    /// A task of the order is done: those that come after it may have their turn.
    pub(super) fn turns_come(&mut self, craft: &mut Craft, cx: &mut Context<'_>) -> After {
        let mut after = After::nothing();
        for index in self.known.open().iter() {
            let (then, passed) = self.assigned(craft).cross_if_due(cx, index);
            after |= then;
            if passed == Passed::Yes {
                after |= self.miss(craft, cx, index);
            }
        }
        after
    }
}
