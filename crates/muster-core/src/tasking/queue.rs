//! The tasks that a vehicle is to do, and what it has agreed to. [MacKenzie §3, §4]
//!
//! - `agenda`: which of them go together, and what is dropped.
//! - `tender`: what a bid says of what others would cost.
//! - `flight`: flights one after the other, in time and metres; `body`: where the body is sent.
//! - `stores`: what the vehicle has used up, and its base.

mod agenda;
mod body;
mod flight;
mod stores;
mod tender;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::after::After;
use super::bidder::Won;
use super::config::{Config, Vehicle};
use super::corridor::Corridor;
use super::cost::Pending;
use super::group::Group;
use super::supply::Aloft;
use super::{Ballot, Context, Timer};
use crate::robot::{Point, RobotId};
use crate::task::{Action, TaskId};
use crate::time::{Duration, Time};
pub(super) use flight::Flight;

/// Rounding of times and ways: so late is on time.
pub(super) const LATE: Duration = Duration::from_millis(1);

/// A vehicle's queue, and the flight that its body is on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Queue {
    config: Arc<Config>,
    vehicle: Arc<Vehicle>,
    /// By time.
    held: Vec<Held>,
    /// What the vehicle has accepted, or given itself as LEAD, and is not committed to yet. It counts as pending from that
    /// moment: who bids in two auctions at once would win both else, as if each were the only one.
    pledged: Vec<Held>,
    /// The task that the body is on its way to; always one of `held`.
    bound_for: Option<TaskId>,
    /// The body has passed its target and is in the corridor: where it will be free, and when.
    outbound: Option<(Point, Time)>,
    /// Metres flown so far, without the flight that is under way.
    flown_m: f64,
    /// Metres of the flight that is under way, out of the corridor again.
    flight_m: f64,
    /// Loads used up so far.
    used: u16,
    /// Since when the vehicle is in the air.
    aloft: Aloft,
    /// It is on its way to its base, or there, and will be reloaded by then.
    reloading: Option<Time>,
}

/// A task in a vehicle's queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The number of the task.
    pub task: TaskId,
    /// The first task of its order.
    pub order: TaskId,
    /// The attempt in which the vehicle won it.
    pub ballot: Ballot,
    /// When the vehicle is to be over the target.
    pub at: Time,
    /// How it comes in and flies out.
    pub corridor: Corridor,
    /// The vehicle must not set out before: bids were for where everybody is at `t0`.
    pub t0: Time,
    /// How urgent the order is; a task gives way to more urgent ones only.
    pub priority: u8,
    /// When the first task of its group is flown, if the group is strict: from then on it gives way to nothing, or what was
    /// begun would not be finished.
    pub begins: Option<Time>,
    /// How many loads the task takes.
    pub loads: u16,
    /// How late the vehicle may be over the target. What ties tasks together leaves no room for being late.
    pub late: Duration,
    /// It was done before, too long ago.
    pub again: bool,
    /// When its LEAD planned that; the vehicle may have had to go round since.
    pub planned: Time,
    /// It is not known to be its turn yet: the body breaks off before the target.
    pub awaits: bool,
    /// Completion has been said, and nobody is told of the task any more. Without F5 only.
    pub announced: bool,
    /// The nodes that have granted the task, this node included. At most once only.
    pub grants: BTreeSet<RobotId>,
}

impl Queue {
    pub(super) fn new(config: Arc<Config>, vehicle: Arc<Vehicle>) -> Self {
        Self {
            config,
            vehicle,
            held: Vec::new(),
            pledged: Vec::new(),
            bound_for: None,
            outbound: None,
            flown_m: 0.0,
            flight_m: 0.0,
            used: 0,
            aloft: Aloft::Since(Time::ZERO),
            reloading: None,
        }
    }

    pub(super) fn held(&self) -> &[Held] {
        &self.held
    }

    pub(super) fn pledged(&self) -> &[Held] {
        &self.pledged
    }

    pub(super) fn holds(&self, task: TaskId) -> Option<&Held> {
        self.held.iter().find(|held| held.task == task)
    }

    /// The body has passed its target, and is still in the corridor.
    pub(super) fn is_outbound(&self) -> bool {
        self.outbound.is_some()
    }

    pub(super) fn bound_for(&self) -> Option<TaskId> {
        self.bound_for
    }

    /// A task as it stands in the queue, or will, once its plan is agreed on.
    pub(super) fn booking(&self, group: &Group, ballot: Ballot, won: Won) -> Held {
        let Won { index, holder, t0, .. } = won;
        let member = group.members[usize::from(index)];
        let tied = group.strict && group.is_tied() || !group.before(usize::from(index)).is_empty();
        Held {
            task: group.task(usize::from(index)),
            order: group.first(),
            ballot,
            at: holder.at,
            corridor: self.corridor(member.place, holder.heading),
            t0,
            priority: group.brief.priority,
            begins: None,
            loads: member.loads,
            late: self.latitude(group),
            again: member.since > Time::ZERO,
            planned: holder.at,
            awaits: tied && self.config.fixes.in_turn,
            announced: false,
            grants: BTreeSet::new(),
        }
    }

    /// This is all that the vehicle has agreed to of `group` and is not committed to yet. What it has agreed to of another order
    /// may not go with that any more, and is given back: it was within reach only by way of a task that is no longer flown, or only
    /// if the vehicle had set out for it at once.
    pub(super) fn has_pledged(&mut self, cx: &mut Context<'_>, group: &Group, pledged: Vec<Held>) -> After {
        let is_of_group = |held: &&Held| group.index_of(held.task).is_some();
        // What is held of a plan may be within reach only by way of the rest, which comes to nothing.
        let is_in = |plan: &Held, some: &[Held]| some.iter().any(|it| (it.task, it.ballot) == (plan.task, plan.ballot));
        let is_lost = |it: &&Held| !is_in(it, &pledged) && !is_in(it, &self.held);
        let in_part = |it: &Held| self.held.iter().any(|held| (held.order, held.ballot) == (it.order, it.ballot));
        let breaks = self.pledged.iter().filter(is_of_group).filter(is_lost).any(in_part);
        let same = self.pledged.iter().filter(is_of_group).eq(&pledged);
        self.pledged.retain(|held| !is_of_group(&held));
        self.pledged.extend(pledged);
        let mut others = if same { Vec::new() } else { self.no_longer_fits(cx) };
        others.retain(|task| group.index_of(*task).is_none());
        let mut after = After::withdrawn(others);
        if breaks {
            after |= self.prune(cx, None);
            self.fly(cx);
        }
        after
    }

    /// The corridor over `target` on a heading in thousandths of a degree.
    pub(super) fn corridor(&self, target: Point, heading: u32) -> Corridor {
        let heading = (f64::from(heading) / 1_000.0).to_radians();
        Corridor { target, heading, length_m: self.config.corridor_m }
    }

    /// Takes a task into the queue. What does not go with something more urgent is dropped, the new task included: what
    /// the vehicle holds may have changed since it accepted.
    pub(super) fn take(&mut self, cx: &mut Context<'_>, held: Held) -> After {
        let new = held.task;
        let at = self.held.partition_point(|other| other.at <= held.at);
        self.held.insert(at, held);
        let after = self.prune(cx, Some(new));
        self.fly(cx);
        after
    }

    /// Nothing of the strict group of this task was flown yet, and nothing will be before then: it has not begun, and gives way to
    /// one that has.
    pub(super) fn begins_no_sooner(&mut self, task: TaskId, at: Time) {
        for held in self.held.iter_mut().filter(|held| held.task == task) {
            held.begins = held.begins.map(|begins| begins.max(at));
        }
    }

    /// Something of this strict group was flown then, or will be.
    pub(super) fn begins_no_later(&mut self, group: &Group, at: Time) {
        for held in self.held.iter_mut().filter(|held| group.index_of(held.task).is_some()) {
            held.begins = held.begins.map(|begins| begins.min(at));
        }
    }

    /// The vehicle is to be over the target of this task at another time; what no longer goes with that is dropped.
    pub(super) fn retime(&mut self, cx: &mut Context<'_>, task: TaskId, at: Time) -> After {
        let Some(place) = self.held.iter().position(|held| held.task == task) else { return After::nothing() };
        let held = Held { at, ..self.held.remove(place) };
        if self.bound_for == Some(task) {
            self.bound_for = None;
            self.count_flown(cx, &held);
        }
        let place = self.held.partition_point(|other| other.at <= at);
        self.held.insert(place, held);
        let after = self.prune(cx, None);
        self.fly(cx);
        after
    }

    /// Takes a task out of the queue, if it is there.
    pub(super) fn let_go(&mut self, cx: &mut Context<'_>, task: TaskId) -> After {
        let Some(at) = self.held.iter().position(|held| held.task == task) else { return After::nothing() };
        let held = self.held.remove(at);
        for timer in [Timer::Status(task), Timer::Announce(task), Timer::Overdue(task)] {
            cx.cancel_timer(timer);
        }
        if held.awaits {
            cx.cancel_timer(Timer::Cross(task));
        }
        if self.bound_for == Some(task) {
            self.bound_for = None;
            self.count_flown(cx, &held);
            cx.act(Action::Stop);
        }
        // The way from the task before it to the one after may be longer without it: to come in once more on the same heading the
        // vehicle has to go round, where it was to cross in between.
        let after = self.prune(cx, None);
        self.fly(cx);
        after
    }

    /// How urgent an order is has changed.
    pub(super) fn reprioritise(&mut self, group: &Group) {
        for held in self.held.iter_mut().filter(|held| group.index_of(held.task).is_some()) {
            held.priority = group.brief.priority;
        }
    }

    /// How urgent a task is at `now`: one of a strict group that has begun gives way to nothing.
    pub(super) fn urgency(&self, held: &Held, now: Time) -> u8 {
        held.urgency(self.begun(now))
    }

    /// Completion of this task has been said.
    pub(super) fn is_announced(&mut self, task: TaskId) {
        if let Some(held) = self.held.iter_mut().find(|held| held.task == task) {
            held.announced = true;
        }
    }

    /// `from` has granted this task in this attempt.
    pub(super) fn is_granted(&mut self, task: TaskId, ballot: Ballot, from: RobotId) {
        if let Some(held) = self.held.iter_mut().find(|held| held.task == task && held.ballot == ballot) {
            held.grants.insert(from);
        }
    }
}

impl Held {
    /// Of two that do not go together the one that ranks higher is kept: the more urgent, then the one that was asked for
    /// first. Tasks are numbered in the order in which they were asked for, and those of one order in a row.
    fn rank(&self) -> (u8, Reverse<TaskId>) {
        (self.priority, Reverse(self.task))
    }

    /// How urgent it is, where groups that are flown before `begun` have begun.
    fn urgency(&self, begun: Time) -> u8 {
        if self.begins.is_some_and(|begins| begins <= begun) { u8::MAX } else { self.priority }
    }

    fn pending(&self) -> Pending {
        Pending { at: self.at, corridor: self.corridor }
    }
}
