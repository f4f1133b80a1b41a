//! ASSIGNED: how a vehicle reports on what it holds, asks for leave, does it or gives it back. [MacKenzie §2, §4]

use super::craft::{Craft, Held, MOST_PATIENCE};
use super::group::Phases;
use super::order::{Grant, OrderState};
use super::{Ballot, Context, Deed, Holder, Message, Step, Timer};
use crate::mechanism::Recipient;
use crate::task::TaskId;
use crate::time::{Duration, Time};

impl OrderState {
    /// "Queue Task": it is this node's from here on.
    pub(super) fn hold(
        &mut self,
        craft: &mut Craft,
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
            corridor: craft.corridor(member.place, holder.heading),
            t0,
            priority: self.group.brief.priority,
            loads: member.loads,
            announced: false,
            grants: craft.may_grant(cx.now()).then_some(cx.me()).into_iter().collect(),
        };
        let slot = &mut self.slots[index];
        (slot.ballot, slot.holder, slot.heard, slot.watched) = (ballot, Some(holder), cx.now(), false);
        self.t0 = Some(t0);
        if craft.config.fixes.aware {
            slot.watched = true;
        }
        self.note(cx, index, Step::Holds { holder, epoch: ballot.epoch });
        craft.let_go(cx, task);
        craft.queue(cx, held);
        if craft.holds(task).is_none() {
            return;
        }
        let before =
            Duration::from_micros(holder.at.since(cx.now()).as_micros().min(craft.config.announce.as_micros()));
        let announce = Time::from_micros(holder.at.as_micros() - before.as_micros());
        cx.set_timer(Timer::Announce(task), announce);
        cx.set_timer(Timer::Overdue(task), holder.at + craft.config.tolerance + craft.config.tolerance);
        craft.changed = true;
        self.report(craft, cx, index, None);
        self.next_report(craft, cx, index);
    }

    /// How long others have to do without a report from this node on this order, if that is not the usual time.
    fn asked_patience(&self, craft: &Craft) -> Duration {
        let asked = self.group.brief.silence.into_iter().chain(craft.vehicle.silence).max();
        asked.unwrap_or(Duration::ZERO).min(MOST_PATIENCE)
    }

    fn next_report(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) {
        let wait = craft.jittered(cx, craft.period(self.asked_patience(craft)));
        cx.set_timer(Timer::Status(self.group.task(index)), cx.now() + wait);
    }

    /// Says that it is going to do the task.
    pub(super) fn report(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize, asks: Option<u32>) {
        let Some(held) = craft.holds(self.group.task(index)) else { return };
        if held.announced && !craft.config.fixes.done {
            return;
        }
        let ballot = held.ballot;
        let Some(holder) = self.slots[index].holder else { return };
        let patience = self.asked_patience(craft);
        let about = self.about(craft, true);
        let number = craft.next_number(cx.now());
        let index = index as u8;
        craft.say(cx, Recipient::All, Message::Status { about, ballot, index, holder, patience, number, asks });
    }

    pub(super) fn on_status_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>, task: TaskId) {
        let Some(index) = self.group.index_of(task) else { return };
        if craft.holds(task).is_some() {
            self.report(craft, cx, index, None);
            self.next_report(craft, cx, index);
        }
    }

    /// "A completion report is broadcast just before execution" [P §2.1]; with F5 a last Status is, and where a task
    /// must not be done twice, leave is asked for it.
    pub(super) fn on_announce_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>, task: TaskId) {
        let Some(index) = self.group.index_of(task) else { return };
        let Some(held) = craft.holds(task) else { return };
        let (at, grants, ballot) = (held.at, held.grants.len(), held.ballot);
        if !craft.config.fixes.done {
            let about = self.about(craft, false);
            craft.say(cx, Recipient::All, Message::Completion { about, index: index as u8 });
            if let Some(held) = craft.held.iter_mut().find(|held| held.task == task) {
                held.announced = true;
            }
            cx.cancel_timer(Timer::Status(task));
            return;
        }
        if !self.at_most_once() {
            return self.report(craft, cx, index, None);
        }
        // Another has this node's leave, and may have used it: it must not be done by this one.
        // So may this one have, in an earlier life.
        let (me, life) = (cx.me(), craft.life);
        let elsewhere = self.slots[index].granted.is_some_and(|grant| !grant.is_for(me, life));
        if elsewhere || self.slots[index].promised > ballot.epoch {
            self.note(cx, index, Step::Refrained { grants: 0 });
            craft.let_go(cx, task);
            self.slots[index].heard = cx.now();
            return self.watch(craft, cx, Phases::only(index));
        }
        let step = craft.config.ask_gap();
        let granted = grants >= craft.config.quorum();
        if granted {
            return;
        }
        if at.since(cx.now()) <= step {
            self.note(cx, index, Step::Refrained { grants: grants as u32 });
            craft.let_go(cx, task);
            self.slots[index].heard = cx.now();
            self.give_grant_back(craft, cx, index);
            return self.watch(craft, cx, Phases::only(index));
        }
        // This node has given its own leave: it must not give another's.
        let slot = &mut self.slots[index];
        (slot.granted, slot.refrained) = (Some(Grant { robot: me, life, ballot }), None);
        craft.changed = true;
        self.report(craft, cx, index, Some(life));
        cx.set_timer(Timer::Announce(task), cx.now() + step);
    }

    /// Says that it did not use the leave that it was given: else whoever gave it would have to keep the task from
    /// being done for ever.
    pub(super) fn release(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases) {
        for index in phases.common(self.open()).iter() {
            if let Some(Grant { ballot, life, .. }) = self.slots[index].refrained {
                let about = self.about(craft, false);
                craft.say(cx, Recipient::All, Message::Release { about, ballot, life, index: index as u8 });
            }
        }
    }

    /// This node will not do what it was given leave for.
    pub(super) fn give_grant_back(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) {
        let slot = &mut self.slots[index];
        if slot.granted.is_some_and(|grant| grant.is_for(cx.me(), craft.life)) {
            slot.refrained = slot.granted.take();
            craft.changed = true;
            self.release(craft, cx, Phases::only(index));
        }
    }

    /// Whoever was given leave has not used it, and says so.
    pub(super) fn on_release(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize, back: Grant) {
        let slot = &mut self.slots[index];
        let is_it = |given: Grant| given.is_for(back.robot, back.life) && given.ballot <= back.ballot;
        if slot.granted.is_some_and(is_it) {
            slot.granted = None;
            craft.changed = true;
            self.watch_on(craft, cx);
        }
    }

    /// The body has passed over the target: it is done.
    pub(super) fn on_executed(&mut self, craft: &mut Craft, cx: &mut Context<'_>, task: TaskId) {
        let Some(index) = self.group.index_of(task) else { return };
        let planned = craft.holds(task).map_or(cx.now(), |held| held.at);
        let late = cx.now().as_micros() as i64 - planned.as_micros() as i64;
        let epoch = self.slots[index].ballot.epoch;
        self.note(cx, index, Step::Executed { epoch, late });
        craft.let_go(cx, task);
        let me = cx.me();
        let (first, version) = (self.first(), self.group.version);
        let deed = Deed { first, index: index as u8, version, by: me, at: cx.now() };
        if !craft.config.fixes.done {
            // It has said so before, and nothing is kept.
            self.slots[index].watched = false;
            return self.forget_if_idle(craft, cx);
        }
        if let Some(known) = self.slots[index].done.filter(|known| known.by != me) {
            self.slots[index].again.push(me);
            self.note(cx, index, Step::Duplicate { one: known.by, other: me });
        }
        self.is_done(craft, cx, index, deed);
        self.repeats = craft.config.done_times;
        self.say_again(craft, cx);
    }

    /// It should have been done by now and was not.
    pub(super) fn on_overdue(&mut self, craft: &mut Craft, cx: &mut Context<'_>, task: TaskId) {
        if craft.holds(task).is_some() {
            self.hand_back(craft, cx, task);
        }
    }

    /// Cannot do it after all: somebody else has to, so this node leads it.
    pub(super) fn hand_back(&mut self, craft: &mut Craft, cx: &mut Context<'_>, task: TaskId) {
        let Some(index) = self.group.index_of(task) else { return };
        craft.let_go(cx, task);
        if self.is_over(index) {
            return;
        }
        self.give_grant_back(craft, cx, index);
        self.note(cx, index, Step::HandedBack);
        let epoch = self.epoch.max(self.slots[index].ballot.epoch) + 1;
        if self.lead.is_none() {
            self.take_lead(craft, cx, Phases::only(index), epoch);
        } else {
            self.watch(craft, cx, Phases::only(index));
        }
    }

    /// What was said in vain while nothing got through is said now, and nobody is blamed for what was not heard.
    pub(super) fn on_link_again(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        if self.is_settled() {
            return;
        }
        for index in 0..self.slots.len() {
            (self.slots[index].heard, self.slots[index].informed) = (cx.now(), false);
            if craft.holds(self.group.task(index)).is_some() {
                self.report(craft, cx, index, None);
            }
        }
        self.watch_on(craft, cx);
    }
}
