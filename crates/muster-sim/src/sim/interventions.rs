//! Interventions: what is done to a run from outside while it goes on.

use std::sync::Arc;

use muster_core::{Brief, Input, Mechanism, Order, Point, RobotId, TaskId, Time};
use thiserror::Error;

use super::{Life, Observer, Pending, Sim, What};
use crate::fault::Fault;
use crate::intervention::{Deed, Intervention, Interventions, Made, NewTask, Request};
use crate::mission::{OrderSpec, SeenBy, TaskSpec};
use crate::radio::Interference;

/// Why an intervention cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    /// Its time is over.
    #[error("{at} is past: it is {now} already")]
    Past {
        /// When it should have been made.
        at: Time,
        /// The time of the run.
        now: Time,
    },
    /// It was checked before other interventions were made, and its task has a number that is taken.
    #[error("another task has been asked for since this one was checked: check it again")]
    Outdated,
}

/// What has been done to a run from outside, and what is still to be done. Most runs have none.
#[derive(Clone, Default)]
pub(super) struct Acts {
    list: Interventions,
    /// How many have been made.
    made: usize,
    /// What robots are told because of them. Numbered after the orders of the mission.
    orders: Vec<OrderSpec>,
    /// Tasks that were not there before, from the mission's last number on, and whether they were asked for already.
    tasks: Vec<(TaskSpec, bool)>,
    /// What disturbs the radio.
    pub(super) interference: Interference,
}

impl<M: Mechanism, O: Observer<M>> Sim<'_, M, O> {
    /// Has something done at `at`, by `author`: after all deliveries and timers of that instant, and after what was
    /// given before for the same instant.
    pub fn intervene(&mut self, at: Time, author: impl Into<Arc<str>>, what: Intervention) -> Result<(), Refused> {
        if at < self.now {
            return Err(Refused::Past { at, now: self.now });
        }
        if let Deed::Order(Request::Task(task)) = &what.deed {
            if task.brief.task.id.index() != self.ledger.records().len() {
                return Err(Refused::Outdated);
            }
            self.enter(task);
        }
        let acts = self.acts.get_or_insert_default();
        let number = acts.list.all().len() as u32;
        acts.list.push(Made { at, author: author.into(), what });
        self.queue.push(at.as_micros(), Pending::new(number, What::Intervention));
        Ok(())
    }

    /// All that was given so far, made or not.
    pub fn interventions(&self) -> Interventions {
        self.acts.as_ref().map(|acts| acts.list.clone()).unwrap_or_default()
    }

    /// How many of them were made so far.
    pub fn interventions_made(&self) -> usize {
        self.acts.as_ref().map_or(0, |acts| acts.made)
    }

    /// Queues all interventions of an origin. The list itself is shared.
    pub(super) fn expect_interventions(&mut self, list: &Interventions) {
        if list.is_empty() {
            return;
        }
        for (_, task) in list.new_tasks() {
            self.enter(task);
        }
        for (number, made) in (0..).zip(list.all()) {
            self.queue.push(made.at.as_micros(), Pending::new(number, What::Intervention));
        }
        self.acts.get_or_insert_default().list = list.clone();
    }

    /// A new task is to be done from the moment that it is known of, although nobody is told yet: a run does not end
    /// before.
    fn enter(&mut self, new: &NewTask) {
        for task in new.brief.tasks() {
            self.ledger.enter(muster_core::Task { id: task, ..new.brief.task }, new.spec.recurs);
            self.acts.get_or_insert_default().tasks.push((new.spec.clone(), false));
        }
        if let (Some(works), Some(times)) = (&mut self.works, &new.times) {
            works.enter(times.clone());
        }
    }

    /// The intervention of this number is made.
    #[cold]
    #[inline(never)]
    pub(super) fn on_intervention(&mut self, number: u32) {
        let Some(acts) = &mut self.acts else { return };
        acts.made += 1;
        let list = acts.list.clone();
        let Some(made) = list.all().get(number as usize) else { return };
        self.observer.on_intervention(self.now, made);
        if let Some(notes) = &mut self.notes {
            notes.push(made.note());
        }
        match &made.what.deed {
            Deed::Order(Request::Task(task)) => self.give(task),
            Deed::Order(Request::Cancel { first, count }) => self.cancel(*first, *count),
            Deed::Order(Request::Change { first, count, place, priority }) => {
                self.change(*first, *count, *place, *priority);
            }
            Deed::Fault(robot, kind) => self.strike(Fault { at: self.now, robot: *robot, kind: *kind }),
            Deed::Radio(what, lasts) => {
                let until = lasts.map_or(Time::NEVER, |lasts| self.now + lasts);
                if let Some(acts) = &mut self.acts {
                    acts.interference.add(what.clone(), self.now, until);
                }
                if lasts.is_some() {
                    self.expect_happening(until, what.is_over());
                }
                // From now on it is asked of each receiver whether it hears.
                self.same_for_all = false;
            }
        }
    }

    /// What is known of a task beforehand; nothing of those on the ways of scanning robots.
    pub(super) fn spec(&self, task: TaskId) -> Option<&TaskSpec> {
        self.mission.tasks.get(task.index()).or_else(|| {
            let index = task.index().checked_sub(self.mission.task_count())?;
            self.acts.as_ref()?.tasks.get(index).map(|(spec, _)| spec)
        })
    }

    /// The order of a number: of the mission, or given since.
    pub(super) fn order(&self, number: u32) -> OrderSpec {
        let given = (number as usize).checked_sub(self.mission.orders.len());
        match (given, &self.acts) {
            (Some(index), Some(acts)) => acts.orders[index],
            _ => self.mission.orders[number as usize],
        }
    }

    /// All orders, those of the mission first.
    pub(super) fn orders(&self) -> impl Iterator<Item = &OrderSpec> {
        self.mission.orders.iter().chain(self.acts.iter().flat_map(|acts| &acts.orders))
    }

    /// Tells a robot, now or as soon as it listens.
    fn tell(&mut self, to: RobotId, order: Order) {
        let acts = self.acts.get_or_insert_default();
        acts.orders.push(OrderSpec { at: self.now, to, order });
        let number = self.mission.orders.len() + acts.orders.len() - 1;
        self.on_order(number as u32);
    }

    /// Tasks that were asked for and waited for this one come up, if it was the last that they waited for.
    #[inline(never)]
    pub(super) fn unlock_given(&mut self, task: TaskId) {
        let Some(acts) = &self.acts else { return };
        let first = self.mission.task_count() as u32;
        let done = |before: &TaskId| self.ledger.record(*before).is_some_and(|record| record.served.is_some());
        for (number, (spec, asked)) in (first..).zip(&acts.tasks) {
            if *asked && spec.after.contains(&task) && spec.after.iter().all(done) {
                self.queue.push(self.now.as_micros(), Pending::new(number, What::Appearance));
            }
        }
    }

    /// A task is no longer to be done. If that leaves nothing to do, the run is over; one with a task that recurs never is.
    pub(super) fn call_off(&mut self, task: TaskId) {
        self.ledger.withdraw(task);
        self.ends_when_called_off |= self.ledger.records().iter().all(|record| !record.recurs);
    }

    /// A task is asked for.
    fn give(&mut self, new: &NewTask) {
        let first = self.mission.task_count();
        for task in new.brief.tasks() {
            if let Some((_, asked)) = self.acts.as_mut().and_then(|acts| acts.tasks.get_mut(task.index() - first)) {
                *asked = true;
            }
        }
        match (new.spec.seen_by, new.console) {
            (SeenBy::One(seer), _) => {
                if new.spec.place.is_none() {
                    self.ledger.set_place(new.brief.task.id, self.bodies[seer.index()].place(self.now));
                }
                self.tell(seer, Order::Inject(new.brief));
            }
            (SeenBy::Ordered(_), Some(console)) => self.tell(console, Order::Inject(new.brief)),
            (SeenBy::Able | SeenBy::Ordered(_), _) => {
                let done = |before: &TaskId| self.ledger.record(*before).is_some_and(|record| record.served.is_some());
                if new.spec.after.iter().all(done) {
                    self.order_able(new.brief.task.id, &[Order::Inject(new.brief)]);
                }
            }
        }
    }

    /// Says something to every robot that can do a task and listens. The others find out when they are back.
    fn order_able(&mut self, task: TaskId, orders: &[Order]) {
        for robot in (0..self.machines.len() as u32).map(RobotId) {
            if !self.is_able(robot, task) {
                continue;
            }
            self.ledger.see(task, self.now, robot);
            for order in orders {
                if self.conditions[robot.index()].life == Life::Up {
                    self.input(robot, Input::Ordered(*order));
                }
            }
        }
    }

    /// Some task of an order is still to be done.
    fn is_open(&self, first: TaskId, count: u32) -> bool {
        let records = (first.0..first.0 + count).filter_map(|task| self.ledger.record(TaskId(task)));
        records.into_iter().any(|record| record.served.is_none() && !record.withdrawn)
    }

    /// The tasks of an order are no longer to be done.
    fn cancel(&mut self, first: TaskId, count: u32) {
        if !self.is_open(first, count) {
            return;
        }
        for task in (first.0..first.0 + count).map(TaskId) {
            self.call_off(task);
        }
        let seen = self.ledger.record(first).and_then(|record| record.seen);
        match (self.spec(first).map(|spec| spec.seen_by), seen) {
            // Nobody knows of it, and nobody will.
            (_, None) => {}
            (Some(SeenBy::Able), _) => self.order_able(first, &[Order::Cancel(first)]),
            (Some(SeenBy::One(_) | SeenBy::Ordered(_)) | None, Some((_, told))) => {
                self.tell(told, Order::Cancel(first))
            }
        }
    }

    /// The tasks of an order are elsewhere, or more or less urgent.
    fn change(&mut self, first: TaskId, count: u32, place: Option<Point>, priority: Option<u8>) {
        let Some(record) = self.ledger.record(first).filter(|_| self.is_open(first, count)) else { return };
        let (mut task, seen) = (record.task, record.seen);
        task.place = place.unwrap_or(task.place);
        if self.spec(first).is_some_and(|spec| spec.seen_by == SeenBy::Able) {
            self.ledger.set_place(first, task.place);
            if seen.is_some() {
                // A robot that is on its way there has to begin anew.
                self.order_able(first, &[Order::Cancel(first), Order::Modify(task.into())]);
            }
            return;
        }
        // What was said of it last, by those that were told already.
        let of_it = |spec: &&OrderSpec| match spec.order {
            Order::Inject(brief) | Order::Modify(brief) => spec.at <= self.now && brief.task.id == first,
            Order::Cancel(_) => false,
        };
        let Some(OrderSpec { to, order: Order::Inject(brief) | Order::Modify(brief), .. }) =
            self.orders().filter(of_it).max_by_key(|spec| spec.at).copied()
        else {
            return;
        };
        let brief = Brief { task, priority: priority.unwrap_or(brief.priority), ..brief };
        self.tell(to, Order::Modify(brief));
    }
}
