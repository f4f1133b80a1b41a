//! ASSIGNED: how a vehicle reports on what it holds, asks for grants, does it or gives it back. [MacKenzie §2, §4]

use super::after::After;
use super::bidder::Won;
use super::craft::Craft;
use super::desk::Desk;
use super::group::Phases;
use super::known::{Grant, Known};
use super::queue::Held;
use super::turn::CROSSING;
use super::{Ballot, Context, Message, Step, Timer};
use crate::mechanism::Recipient;
use crate::task::TaskId;
use crate::time::{Duration, Time};

/// How often Release is said again unasked, after 1, 3, 7, 15, ... times `t_status`: where a third is lost one node in 1,000
/// misses all of them. Ours: the paper has no grants.
const RELEASES: u8 = 5;

/// The vehicle as the one that does tasks of an order: it changes its own queue, and what it knows of the order.
pub(super) struct Assigned<'a> {
    pub(super) known: &'a mut Known,
    pub(super) craft: &'a mut Craft,
}

/// A task that this vehicle holds and is about to do.
#[derive(Copy, Clone)]
pub(super) struct Due {
    /// Which task of its order.
    index: usize,
    task: TaskId,
    ballot: Ballot,
    /// When it is to be over the target.
    at: Time,
    /// How many nodes have granted it.
    grants: usize,
}

impl Due {
    pub(super) fn new(index: usize, held: &Held) -> Self {
        let Held { task, ballot, at, .. } = *held;
        Self { index, task, ballot, at, grants: held.grants.len() }
    }
}

/// Whether a vehicle still holds a task.
#[must_use]
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// It does.
    Kept,
    /// It does not do the task after all: too few have granted it.
    Refrained,
}

impl Assigned<'_> {
    pub(super) fn desk(&self) -> Desk<'_> {
        Desk { known: self.known, craft: self.craft }
    }

    /// "Queue Task": it is this node's from here on.
    pub(super) fn hold(&mut self, cx: &mut Context<'_>, ballot: Ballot, won: Won) -> After {
        let Won { index, holder, t0, .. } = won;
        let index = usize::from(index);
        let task = self.known.task(index);
        let grants = self.craft.may_grant(cx.now()).then_some(cx.me()).into_iter().collect();
        let mut held = Held { grants, ..self.craft.queue.booking(self.known.group(), ballot, won) };
        if self.known.group().strict && self.craft.config.fixes.in_turn {
            let planned = self.known.slots().iter().filter_map(|slot| slot.holder.map(|other| other.at));
            held.begins = planned.chain([holder.at]).min();
        }
        self.known.is_held(index, ballot, holder, cx.now());
        self.known.counts_from(t0);
        if self.craft.config.fixes.aware {
            self.known.is_watched(index, cx.now());
        }
        self.known.note(cx, index, Step::Holds { holder, epoch: ballot.epoch });
        let mut after = self.craft.queue.let_go(cx, task);
        after |= self.craft.queue.take(cx, held);
        self.set_dates(cx, task, holder.at);
        after |= After::remember();
        // What was just planned has not passed by.
        let (then, _) = self.cross_if_due(cx, index);
        after |= then;
        self.report(cx, index, None);
        self.next_report(cx, index);
        after
    }

    /// Sets what is due before, at and after the time at which it is to be over the target.
    pub(super) fn set_dates(&self, cx: &mut Context<'_>, task: TaskId, at: Time) {
        let config = &self.craft.config;
        let before =
            |lead: Duration| Time::from_micros(at.as_micros() - lead.as_micros().min(at.since(cx.now()).as_micros()));
        // A report lately enough may be as old as two.
        let asks = config.announce.min(config.status + config.status);
        let (announce, cross) = (before(config.announce), before(asks.max(CROSSING)));
        cx.set_timer(Timer::Announce(task), announce);
        cx.set_timer(Timer::Overdue(task), at + config.tolerance + config.tolerance);
        if self.craft.queue.holds(task).is_some_and(|held| held.awaits) {
            cx.set_timer(Timer::Cross(task), cross);
        }
    }

    fn next_report(&self, cx: &mut Context<'_>, index: usize) {
        let period = self.craft.period(self.craft.asked_patience(self.known));
        self.craft.wait(cx, Timer::Status(self.known.task(index)), period);
    }

    /// Says that it is going to do the task, if it holds it; `asks`: and in which life it wants to be granted that.
    pub(super) fn report(&mut self, cx: &mut Context<'_>, index: usize, asks: Option<u32>) {
        let Some(held) = self.craft.queue.holds(self.known.task(index)) else { return };
        if held.announced && !self.craft.config.fixes.reports_success {
            return;
        }
        let ballot = held.ballot;
        // As drawn, it may have heard of another auction of what it holds: nobody is told of it then.
        let Some(holder) = self.known.slot(index).holder else { return };
        let patience = self.craft.asked_patience(self.known);
        let about = self.known.about_whole();
        let number = self.craft.next_number(cx.now());
        let index = index as u8;
        self.craft.say(cx, Recipient::All, Message::Status { about, ballot, index, holder, patience, number, asks });
    }

    pub(super) fn on_status_timer(&mut self, cx: &mut Context<'_>, index: usize) {
        self.report(cx, index, None);
        // It had the task before, and will ask for grants anew: not everybody may have heard that it gave the old ones back.
        release(self.desk(), cx, Phases::only(index));
        self.next_report(cx, index);
    }

    /// "A completion report is broadcast just before execution" [P §2.1]; with F5 a last Status is, and where a task
    /// must not be done twice, it asks for grants.
    pub(super) fn on_announce_timer(&mut self, cx: &mut Context<'_>, due: Due) -> (After, Hold) {
        let index = due.index;
        if !self.craft.config.fixes.done {
            let about = self.known.about(self.craft);
            self.craft.say(cx, Recipient::All, Message::Completion { about, index: index as u8 });
            self.craft.queue.is_announced(due.task);
            if !self.craft.config.fixes.reports_success {
                cx.cancel_timer(Timer::Status(due.task));
            }
            return (After::nothing(), Hold::Kept);
        }
        if !self.known.at_most_once() {
            self.report(cx, index, None);
            return (After::nothing(), Hold::Kept);
        }
        // This node has granted the task to another vehicle, or to itself in an earlier life, and the grant may have
        // been used; or it has promised to wait for a later attempt. Not even its own grant is left.
        let (me, life) = (cx.me(), self.craft.life);
        let slot = self.known.slot(index);
        let elsewhere = slot.granted.is_some_and(|grant| !grant.is_for(me, life));
        // Others pass on what it has said of this attempt, and may do so after they have granted it the task anew.
        let gave_back = slot.refrained.is_some_and(|back| back.is_for(me, life) && back.ballot >= due.ballot);
        if elsewhere || gave_back || slot.promised > due.ballot.epoch {
            return (self.refrain(cx, due, 0), Hold::Refrained);
        }
        let step = self.craft.config.ask_gap();
        if due.grants >= self.craft.config.quorum() {
            return (After::nothing(), Hold::Kept);
        }
        if due.at.since(cx.now()) <= step {
            let mut after = self.refrain(cx, due, due.grants as u32);
            after |= self.give_back(cx, index);
            return (after, Hold::Refrained);
        }
        // This node grants the task to itself: it must not grant it to another.
        self.known.is_granted_to_itself(index, Grant { robot: me, life, ballot: due.ballot });
        self.report(cx, index, Some(life));
        cx.set_timer(Timer::Announce(due.task), cx.now() + step);
        (After::remember(), Hold::Kept)
    }

    fn refrain(&mut self, cx: &mut Context<'_>, due: Due, grants: u32) -> After {
        self.known.note(cx, due.index, Step::Refrained { grants });
        let after = self.craft.queue.let_go(cx, due.task);
        self.known.waits_anew(due.index, cx.now());
        after
    }

    /// This node will not do what it was granted, if it was.
    pub(super) fn give_back(&mut self, cx: &mut Context<'_>, index: usize) -> After {
        let life = self.craft.life;
        if !self.known.slot(index).granted.is_some_and(|grant| grant.is_for(cx.me(), life)) {
            return After::nothing();
        }
        self.known.refrains(index);
        release(self.desk(), cx, Phases::only(index));
        self.release_later(cx, index);
        After::remember()
    }

    /// This node does not hold the task, and says once more that it has not used the grants that it had for it: a node that has
    /// missed it would keep the task from being done for ever.
    pub(super) fn on_release_timer(&mut self, cx: &mut Context<'_>, index: usize) {
        if self.known.is_over(index) || self.known.slot(index).refrained.is_none() {
            return;
        }
        release(self.desk(), cx, Phases::only(index));
        self.known.is_released_again(index);
        self.release_later(cx, index);
    }

    pub(super) fn release_later(&self, cx: &mut Context<'_>, index: usize) {
        let times = self.known.slot(index).released;
        if times < RELEASES {
            let wait = Duration::from_micros(self.craft.config.status.as_micros() << times);
            self.craft.wait(cx, Timer::Status(self.known.task(index)), wait);
        }
    }
}

/// Says for which of these tasks this node has not used its grants: else the nodes that gave them would have to keep
/// the tasks from being done for ever.
pub(super) fn release(desk: Desk<'_>, cx: &mut Context<'_>, phases: Phases) {
    for index in phases.common(desk.known.open()).iter() {
        if let Some(Grant { ballot, life, .. }) = desk.known.slot(index).refrained {
            let about = desk.known.about(desk.craft);
            desk.say(cx, Recipient::All, Message::Release { about, ballot, life, index: index as u8 });
        }
    }
}
