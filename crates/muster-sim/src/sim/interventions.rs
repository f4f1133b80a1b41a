//! Interventions: what is done to a run from outside while it goes on.

use std::collections::BTreeSet;
use std::sync::Arc;

use muster_core::event::Happening;
use muster_core::{Duration, Input, Mechanism, Order, Point, RobotId, TaskId, Time};
use thiserror::Error;

use super::{Life, Observer, Pending, Sim, What};
use crate::fault::Fault;
use crate::intervention::{Deed, Intervention, Interventions, MOST_INTERVENTIONS, Made, NewTask, Request, is_author};
use crate::mission::{Directive, OrderSpec, SeenBy, TaskSpec};
use crate::radio::{Disturbance, Interference};

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
    /// It would never be made.
    #[error("{at} is after the end of the run, which lasts until {limit} at most")]
    AfterTheEnd {
        /// When it should have been made.
        at: Time,
        /// The end of the run.
        limit: Time,
    },
    /// Nobody is called that.
    #[error("`{}` is no name of an author", .author.escape_debug())]
    Author {
        /// The name.
        author: Arc<str>,
    },
    /// A file could not hold as many.
    #[error("there are {MOST_INTERVENTIONS} interventions already, and a run takes no more")]
    TooMany,
}

/// What has been done to a run from outside, and what is still to be done. Most runs have none.
#[derive(Clone, Default)]
pub(super) struct Acts {
    list: Interventions,
    /// The numbers of those that have been made, in that order.
    made: Vec<u32>,
    /// By number, those that changed nothing: the robot had stopped, the task was done, nobody could be told.
    without_effect: BTreeSet<u32>,
    /// What robots are told because of them. Numbered after the orders of the mission.
    orders: Vec<GivenOrder>,
    /// Tasks that were not there before, from the mission's last number on.
    tasks: Vec<GivenTask>,
    /// What disturbs the radio.
    pub(super) interference: Interference,
    /// Tasks that came to lie elsewhere while a robot hung, and which it is to be told of. Here and not with the robots:
    /// only an intervention moves a task that they see themselves, and a list a robot costs every run.
    moved: BTreeSet<(RobotId, TaskId)>,
}

/// What a robot is told because of an intervention.
#[derive(Clone)]
struct GivenOrder {
    spec: OrderSpec,
    /// The number of the intervention.
    because_of: u32,
}

/// A task that was not there before.
#[derive(Clone)]
struct GivenTask {
    spec: TaskSpec,
    /// Its time has come.
    is_asked_for: bool,
}

impl<M: Mechanism, O: Observer<M>> Sim<'_, M, O> {
    /// Has something done at `at`, by `author`: after all deliveries and timers of that instant, and after what was
    /// given before for the same instant. What is given later may be made earlier.
    pub fn intervene(&mut self, at: Time, author: impl Into<Arc<str>>, what: Intervention) -> Result<(), Refused> {
        let (author, limit) = (author.into(), Time::ZERO + self.mission.limit);
        if at < self.now {
            return Err(Refused::Past { at, now: self.now });
        }
        if at > limit {
            return Err(Refused::AfterTheEnd { at, limit });
        }
        if !is_author(&author) {
            return Err(Refused::Author { author });
        }
        if self.acts.as_ref().is_some_and(|acts| acts.list.all().len() >= MOST_INTERVENTIONS) {
            return Err(Refused::TooMany);
        }
        if let Deed::Order(Request::Task(task)) = &what.deed {
            if task.brief.task.id.index() != self.ledger.records().len() {
                return Err(Refused::Outdated);
            }
            self.enter(task);
        }
        let acts = self.acts.get_or_insert_default();
        let number = acts.list.all().len() as u32;
        acts.list.push(Made { at, author, what });
        self.queue.push(at.as_micros(), Pending::new(number, What::Intervention));
        Ok(())
    }

    /// All that was given so far, made or not.
    pub fn interventions(&self) -> Interventions {
        self.acts.as_ref().map(|acts| acts.list.clone()).unwrap_or_default()
    }

    /// How many of them were made so far.
    pub fn interventions_made(&self) -> usize {
        self.acts.as_ref().map_or(0, |acts| acts.made.len())
    }

    /// How many of those that were made changed nothing so far.
    pub fn interventions_without_effect(&self) -> usize {
        self.acts.as_ref().map_or(0, |acts| acts.without_effect.len())
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
            let given = GivenTask { spec: new.spec.clone(), is_asked_for: false };
            self.acts.get_or_insert_default().tasks.push(given);
        }
        if let (Some(works), Some(times)) = (&mut self.works, &new.times) {
            works.enter(times.clone());
        }
    }

    /// The intervention of this number is made.
    #[cold]
    #[inline(never)]
    pub(super) fn on_intervention(&mut self, number: u32) {
        let acts = self.acts.as_mut().expect("interventions are queued together with their list");
        acts.made.push(number);
        let list = acts.list.clone();
        let made = &list.all()[number as usize];
        self.observer.on_intervention(self.now, made);
        if let Some(notes) = &mut self.notes {
            notes.push(made.note());
        }
        let has_effect = match &made.what.deed {
            Deed::Order(Request::Task(task)) => {
                self.give(number, task);
                true
            }
            Deed::Order(Request::Cancel { first, count }) => self.cancel(number, *first, *count),
            Deed::Order(Request::Change { first, count, place, priority }) => {
                self.change(number, *first, *count, *place, *priority)
            }
            Deed::Fault(robot, kind) => self.strike(Fault { at: self.now, robot: *robot, kind: *kind }),
            Deed::Radio(what, lasts) => self.disturb(what, self.now.after(lasts.unwrap_or(Duration::FOREVER))),
        };
        if !has_effect {
            self.came_to_nothing(number);
        }
    }

    /// The radio is disturbed until then. False if everybody hears as well, or as little, as without it.
    fn disturb(&mut self, what: &Disturbance, until: Time) -> bool {
        let acts = self.acts.get_or_insert_default();
        let mut by_mission = self.mission.radio.disturbances(Some(self.now));
        let covered = acts.interference.covers(what, self.now, until)
            || by_mission.any(|(when, other)| when.to >= until && what.is_within(&other));
        if what.is_nothing() || covered {
            return false;
        }
        acts.interference.add(what.clone(), self.now, until);
        self.expect_end(until, what.clone());
        // From now on it is asked of each receiver whether it hears.
        self.same_for_all = false;
        true
    }

    /// The intervention of this number changed nothing, which is told once.
    fn came_to_nothing(&mut self, number: u32) {
        let acts = self.acts.get_or_insert_default();
        if acts.without_effect.insert(number) {
            let place =
                acts.made.iter().position(|made| *made == number).expect("it was made before it came to nothing");
            let robot = acts.list.all()[number as usize].robot().unwrap_or(RobotId::NOBODY);
            self.tell_of(robot, Happening::CameToNothing { made: place as u32 });
        }
    }

    /// Nobody was there to take an order. Only what somebody did meanwhile is counted: a scenario says beforehand who stops.
    pub(super) fn order_came_to_nothing(&mut self, number: u32) {
        let given = (number as usize).checked_sub(self.mission.orders.len());
        let because_of = given.and_then(|index| Some(self.acts.as_ref()?.orders.get(index)?.because_of));
        if let Some(number) = because_of {
            self.came_to_nothing(number);
        }
    }

    /// What is known of a task beforehand; nothing of those on the ways of scanning robots.
    pub(super) fn spec(&self, task: TaskId) -> Option<&TaskSpec> {
        self.mission.tasks.get(task.index()).or_else(|| {
            let index = task.index().checked_sub(self.mission.task_count())?;
            self.acts.as_ref()?.tasks.get(index).map(|given| &given.spec)
        })
    }

    /// The order of a number: of the mission, or given since.
    pub(super) fn order(&self, number: u32) -> OrderSpec {
        let given = (number as usize).checked_sub(self.mission.orders.len());
        match (given, &self.acts) {
            (Some(index), Some(acts)) => acts.orders[index].spec,
            _ => self.mission.orders[number as usize],
        }
    }

    /// The robot that was asked to see to an order.
    fn asked(&self, first: TaskId) -> Option<RobotId> {
        let given = self.acts.iter().flat_map(|acts| &acts.orders).map(|given| &given.spec);
        let asks_for = |spec: &&OrderSpec| spec.order.asks_for().is_some_and(|brief| brief.task.id == first);
        self.mission.orders.iter().chain(given).find(asks_for).map(|spec| spec.to)
    }

    /// Tells a robot, now or as soon as it listens.
    fn tell(&mut self, because_of: u32, to: RobotId, order: Directive) {
        let acts = self.acts.get_or_insert_default();
        acts.orders.push(GivenOrder { spec: OrderSpec { at: self.now, to, order }, because_of });
        let number = self.mission.orders.len() + acts.orders.len() - 1;
        self.on_order(number as u32);
    }

    /// Tasks that were asked for and waited for this one come up, if it was the last that they waited for.
    #[inline(never)]
    pub(super) fn unlock_given(&mut self, task: TaskId) {
        let Some(acts) = &self.acts else { return };
        let first = self.mission.task_count() as u32;
        for (number, GivenTask { spec, is_asked_for }) in (first..).zip(&acts.tasks) {
            if *is_asked_for && spec.after.contains(&task) && self.are_done(&spec.after) {
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
    fn give(&mut self, number: u32, new: &NewTask) {
        let first = self.mission.task_count();
        for task in new.brief.tasks() {
            if let Some(given) = self.acts.as_mut().and_then(|acts| acts.tasks.get_mut(task.index() - first)) {
                given.is_asked_for = true;
            }
        }
        let task = new.brief.task.id;
        match (new.spec.seen_by, new.console) {
            (SeenBy::One(seer), _) => {
                if new.spec.place.is_none() {
                    self.ledger.set_place(task, self.bodies[seer.index()].place(self.now));
                }
                self.tell(number, seer, Directive::Inject(new.brief));
            }
            (SeenBy::Ordered(_), Some(console)) => self.tell(number, console, Directive::Inject(new.brief)),
            (SeenBy::Able | SeenBy::Ordered(_), _) => {
                if self.are_done(&new.spec.after) {
                    self.order_able(task, &[Order::Inject(new.brief)]);
                }
            }
        }
    }

    /// Says something to every robot that can do a task and listens. The others find out when they are back.
    fn order_able(&mut self, task: TaskId, orders: &[Order]) {
        for robot in self.able(task) {
            self.ledger.see(task, self.now, robot);
            for order in orders {
                if self.conditions[robot.index()].life == Life::Up {
                    self.input(robot, Input::Ordered(*order));
                }
            }
        }
    }

    /// Some task of an order is still to be done.
    fn is_any_open(&self, first: TaskId, count: u32) -> bool {
        (first.0..first.0 + count).any(|task| self.is_open(TaskId(task)))
    }

    /// The tasks of an order are no longer to be done. False if they are not in any case.
    fn cancel(&mut self, number: u32, first: TaskId, count: u32) -> bool {
        if !self.is_any_open(first, count) {
            return false;
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
                self.tell(number, told, Directive::Cancel(first))
            }
        }
        true
    }

    /// The tasks of an order are elsewhere, or more or less urgent. False if none of them is to be done any more.
    fn change(&mut self, number: u32, first: TaskId, count: u32, place: Option<Point>, priority: Option<u8>) -> bool {
        if !self.is_any_open(first, count) {
            return false;
        }
        match (self.spec(first).map(|spec| spec.seen_by), place) {
            (Some(SeenBy::Able), Some(place)) => self.move_work(first, place),
            (Some(SeenBy::Able), None) => return false,
            _ => {
                let Some(to) = self.asked(first) else { return false };
                self.tell(number, to, Directive::Change { first, place, priority });
            }
        }
        true
    }

    /// A task that robots work at is elsewhere. All work at it is over, also that of a robot that hangs, and has to be
    /// done at the new place from the beginning; whoever was at it or on its way there begins anew.
    fn move_work(&mut self, task: TaskId, place: Point) {
        for robot in self.works.as_mut().map_or_else(Vec::new, |works| works.abandon(task)) {
            self.down_tools(robot);
        }
        self.ledger.set_place(task, place);
        let Some(record) = self.ledger.record(task) else { return };
        let (moved, known) = (record.task, record.seen.is_some());
        if !known {
            return;
        }
        self.order_able(task, &[Order::Cancel(task), Order::Modify(moved.into())]);
        for robot in self.able(task) {
            if matches!(self.conditions[robot.index()].life, Life::Hanging { .. }) {
                self.acts.get_or_insert_default().moved.insert((robot, task));
            }
        }
    }

    /// Tasks that came to lie elsewhere while the robot hung, in order; nobody else has to remember them any more.
    pub(super) fn take_moved(&mut self, robot: RobotId) -> BTreeSet<(RobotId, TaskId)> {
        let Some(acts) = &mut self.acts else { return BTreeSet::new() };
        let (own, others) = std::mem::take(&mut acts.moved).into_iter().partition(|(whose, _)| *whose == robot);
        acts.moved = others;
        own
    }
}
