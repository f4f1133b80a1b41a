//! ASSIGNED: how a vehicle reports on what it holds, asks for leave, does it or gives it back. [MacKenzie §2, §4]

use super::group::Phases;
use super::own::{Held, MOST_PATIENCE, Own};
use super::record::{Entry, Leave};
use super::{Ballot, Context, Deed, Holder, Message, Step, Timer};
use crate::mechanism::Recipient;
use crate::task::TaskId;
use crate::time::{Duration, Time};

impl Entry {
    /// "Queue Task": it is this node's from here on.
    pub(super) fn hold(
        &mut self,
        own: &mut Own,
        cx: &mut Context<'_>,
        index: usize,
        ballot: Ballot,
        holder: Holder,
        t0: Time,
    ) {
        let Some(member) = self.group.members.get(index) else { return };
        let task = self.group.task(index);
        let held = Held {
            task,
            ballot,
            at: holder.at,
            corridor: own.corridor(member.place, holder.heading),
            t0,
            priority: self.group.brief.priority,
            loads: member.loads,
            announced: false,
            grants: own.may_give_leave(cx.now()).then_some(cx.me()).into_iter().collect(),
        };
        let slot = &mut self.slots[index];
        (slot.ballot, slot.holder, slot.heard, slot.watched) = (ballot, Some(holder), cx.now(), false);
        self.t0 = Some(t0);
        if own.config.fixes.aware {
            slot.watched = true;
        }
        self.note(cx, index, Step::Holds { holder, epoch: ballot.epoch });
        own.let_go(cx, task);
        own.queue(cx, held);
        if own.holds(task).is_none() {
            return;
        }
        let before = Duration::from_micros(holder.at.since(cx.now()).as_micros().min(own.config.announce.as_micros()));
        let announce = Time::from_micros(holder.at.as_micros() - before.as_micros());
        cx.set_timer(Timer::Announce(task), announce);
        cx.set_timer(Timer::Overdue(task), holder.at + own.config.tolerance + own.config.tolerance);
        own.changed = true;
        self.report(own, cx, index, None);
        self.next_report(own, cx, index);
    }

    /// How long others have to do without a report from this node on this order, if that is not the usual time.
    fn asked_patience(&self, own: &Own) -> Duration {
        let asked = self.group.brief.silence.into_iter().chain(own.vehicle.silence).max();
        asked.unwrap_or(Duration::ZERO).min(MOST_PATIENCE)
    }

    fn next_report(&mut self, own: &mut Own, cx: &mut Context<'_>, index: usize) {
        let wait = own.jittered(cx, own.period(self.asked_patience(own)));
        cx.set_timer(Timer::Status(self.group.task(index)), cx.now() + wait);
    }

    /// Says that it is going to do the task.
    pub(super) fn report(&mut self, own: &mut Own, cx: &mut Context<'_>, index: usize, asks: Option<u32>) {
        let Some(held) = own.holds(self.group.task(index)) else { return };
        if held.announced && !own.config.fixes.done {
            return;
        }
        let ballot = held.ballot;
        let Some(holder) = self.slots[index].holder else { return };
        let patience = self.asked_patience(own);
        let about = self.about(own, true);
        let number = own.next_number(cx.now());
        let index = index as u8;
        own.say(cx, Recipient::All, Message::Status { about, ballot, index, holder, patience, number, asks });
    }

    pub(super) fn on_status_timer(&mut self, own: &mut Own, cx: &mut Context<'_>, task: TaskId) {
        let Some(index) = self.group.index_of(task) else { return };
        if own.holds(task).is_some() {
            self.report(own, cx, index, None);
            self.next_report(own, cx, index);
        }
    }

    /// "A completion report is broadcast just before execution" [P §2.1]; with F5 a last Status is, and where a task
    /// must not be done twice, leave is asked for it.
    pub(super) fn on_announce_timer(&mut self, own: &mut Own, cx: &mut Context<'_>, task: TaskId) {
        let Some(index) = self.group.index_of(task) else { return };
        let Some(held) = own.holds(task) else { return };
        let (at, grants, ballot) = (held.at, held.grants.len(), held.ballot);
        if !own.config.fixes.done {
            let about = self.about(own, false);
            own.say(cx, Recipient::All, Message::Completion { about, index: index as u8 });
            if let Some(held) = own.held.iter_mut().find(|held| held.task == task) {
                held.announced = true;
            }
            cx.cancel_timer(Timer::Status(task));
            return;
        }
        if !self.at_most_once() {
            return self.report(own, cx, index, None);
        }
        // Another has this node's leave, and may have used it: it must not be done by this one.
        // So may this one have, in an earlier life.
        let (me, life) = (cx.me(), own.life);
        let elsewhere = self.slots[index].granted.is_some_and(|leave| !leave.is_for(me, life));
        if elsewhere || self.slots[index].promised > ballot.epoch {
            self.note(cx, index, Step::Refrained { grants: 0 });
            own.let_go(cx, task);
            self.slots[index].heard = cx.now();
            return self.watch(own, cx, Phases::only(index));
        }
        let step = own.config.ask_gap();
        let granted = grants >= own.config.quorum();
        if granted {
            return;
        }
        if at.since(cx.now()) <= step {
            self.note(cx, index, Step::Refrained { grants: grants as u32 });
            own.let_go(cx, task);
            self.slots[index].heard = cx.now();
            self.give_leave_back(own, cx, index);
            return self.watch(own, cx, Phases::only(index));
        }
        // This node has given its own leave: it must not give another's.
        let slot = &mut self.slots[index];
        (slot.granted, slot.refrained) = (Some(Leave { robot: me, life, ballot }), None);
        own.changed = true;
        self.report(own, cx, index, Some(life));
        cx.set_timer(Timer::Announce(task), cx.now() + step);
    }

    /// Says that it did not use the leave that it was given: else whoever gave it would have to keep the task from
    /// being done for ever.
    pub(super) fn release(&mut self, own: &mut Own, cx: &mut Context<'_>, phases: Phases) {
        for index in phases.common(self.open()).iter() {
            if let Some(Leave { ballot, life, .. }) = self.slots[index].refrained {
                let about = self.about(own, false);
                own.say(cx, Recipient::All, Message::Release { about, ballot, life, index: index as u8 });
            }
        }
    }

    /// This node will not do what it was given leave for.
    pub(super) fn give_leave_back(&mut self, own: &mut Own, cx: &mut Context<'_>, index: usize) {
        let slot = &mut self.slots[index];
        if slot.granted.is_some_and(|leave| leave.is_for(cx.me(), own.life)) {
            slot.refrained = slot.granted.take();
            own.changed = true;
            self.release(own, cx, Phases::only(index));
        }
    }

    /// Whoever was given leave has not used it, and says so.
    pub(super) fn on_release(&mut self, own: &mut Own, cx: &mut Context<'_>, index: usize, back: Leave) {
        let slot = &mut self.slots[index];
        let is_it = |given: Leave| given.is_for(back.robot, back.life) && given.ballot <= back.ballot;
        if slot.granted.is_some_and(is_it) {
            slot.granted = None;
            own.changed = true;
            self.watch_on(own, cx);
        }
    }

    /// The body has passed over the target: it is done.
    pub(super) fn on_executed(&mut self, own: &mut Own, cx: &mut Context<'_>, task: TaskId) {
        let Some(index) = self.group.index_of(task) else { return };
        let planned = own.holds(task).map_or(cx.now(), |held| held.at);
        let late = cx.now().as_micros() as i64 - planned.as_micros() as i64;
        let epoch = self.slots[index].ballot.epoch;
        self.note(cx, index, Step::Executed { epoch, late });
        own.let_go(cx, task);
        let me = cx.me();
        let (first, version) = (self.first(), self.group.version);
        let deed = Deed { first, index: index as u8, version, by: me, at: cx.now() };
        if !own.config.fixes.done {
            // It has said so before, and nothing is kept.
            self.slots[index].watched = false;
            return self.forget_if_idle(own, cx);
        }
        if let Some(known) = self.slots[index].done.filter(|known| known.by != me) {
            self.slots[index].again.push(me);
            self.note(cx, index, Step::Duplicate { one: known.by, other: me });
        }
        self.is_done(own, cx, index, deed);
        self.repeats = own.config.done_times;
        self.say_again(own, cx);
    }

    /// It should have been done by now and was not.
    pub(super) fn on_overdue(&mut self, own: &mut Own, cx: &mut Context<'_>, task: TaskId) {
        if own.holds(task).is_some() {
            self.hand_back(own, cx, task);
        }
    }

    /// Cannot do it after all: somebody else has to, so this node leads it.
    pub(super) fn hand_back(&mut self, own: &mut Own, cx: &mut Context<'_>, task: TaskId) {
        let Some(index) = self.group.index_of(task) else { return };
        own.let_go(cx, task);
        if self.is_over(index) {
            return;
        }
        self.give_leave_back(own, cx, index);
        self.note(cx, index, Step::HandedBack);
        let epoch = self.epoch.max(self.slots[index].ballot.epoch) + 1;
        if self.lead.is_none() {
            self.take_lead(own, cx, Phases::only(index), epoch);
        } else {
            self.watch(own, cx, Phases::only(index));
        }
    }

    /// What was said in vain while nothing got through is said now, and nobody is blamed for what was not heard.
    pub(super) fn on_link_again(&mut self, own: &mut Own, cx: &mut Context<'_>) {
        if self.is_settled() {
            return;
        }
        for index in 0..self.slots.len() {
            (self.slots[index].heard, self.slots[index].informed) = (cx.now(), false);
            if own.holds(self.group.task(index)).is_some() {
                self.report(own, cx, index, None);
            }
        }
        self.watch_on(own, cx);
    }
}
