//! Orders: what operators say, when, and to whom.

use std::collections::BTreeMap;

use muster_core::event::Happening;
use muster_core::{Brief, Duration, Input, Mechanism, Order, TaskId};

use super::{Life, Observer, Pending, Sim, What};
use crate::ledger::Record;
use crate::mission::{Directive, OrderSpec};

/// What operators have said so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Spoken {
    /// Orders, by number, for robots that could not listen when they were given; first given, first in the list.
    unheard: Vec<u32>,
    /// What was told last of each order, by its first task. A change changes this.
    told: BTreeMap<TaskId, Brief>,
}

impl<M: Mechanism, O: Observer<M>> Sim<'_, M, O> {
    /// An operator speaks to a robot; to one that cannot listen now, as soon as it can. What is said of one task is told
    /// in the order in which it was said: a change never overtakes the order that it changes.
    #[inline(never)]
    pub(super) fn on_order(&mut self, number: u32) {
        let OrderSpec { to, order, .. } = self.order(number);
        let of_it = |it: &u32| self.order(*it).order.first() == order.first();
        let waiting: Vec<u32> = self.spoken.unheard.iter().copied().filter(of_it).collect();
        if waiting.first().is_some_and(|first| *first != number) {
            // It is told right after that one.
            return self.spoken.unheard.push(number);
        }
        // Called off before anybody could be told.
        let void = order.asks_for().is_some_and(|brief| {
            brief.tasks().all(|task| self.ledger.record(task).is_some_and(|record| record.withdrawn))
        });
        let life = self.conditions[to.index()].life;
        let later = match life {
            Life::Hanging { until } => Some(until),
            Life::Down => Some(self.now + Duration::from_secs(1)),
            Life::Up | Life::Dead => None,
        };
        if let Some(later) = later.filter(|_| !void) {
            if waiting.is_empty() {
                self.spoken.unheard.push(number);
            }
            return self.queue.push(later.as_micros(), Pending::new(number, What::Order));
        }
        self.spoken.unheard.retain(|it| !waiting.contains(it));
        if void {
            return;
        }
        let behind = waiting.into_iter().filter(|it| *it != number);
        for number in std::iter::once(number).chain(behind) {
            match life {
                Life::Dead => self.on_order_lost(number),
                Life::Up | Life::Hanging { .. } | Life::Down => self.say(number),
            }
        }
    }

    /// The robot listens.
    fn say(&mut self, number: u32) {
        let OrderSpec { to, order, .. } = self.order(number);
        let order = match order {
            Directive::Inject(mut brief) => {
                brief.task.place = self.ledger.record(brief.task.id).map_or(brief.task.place, |it| it.task.place);
                for task in brief.tasks() {
                    self.ledger.see(task, self.now, to);
                    if let Some(expires) = brief.expires {
                        self.queue.push(expires.max(self.now).as_micros(), Pending::new(task.0, What::Lapse));
                    }
                }
                self.spoken.told.insert(brief.task.id, brief);
                Order::Inject(brief)
            }
            // Nothing changes for a console that cannot tell anybody.
            Directive::Change { .. } if !self.hears_changes => return self.order_came_to_nothing(number),
            Directive::Change { first, place, priority } => {
                // Of an order that was called off before anybody was told there is nothing to change.
                let Some(told) = self.spoken.told.get_mut(&first) else { return };
                told.task.place = place.unwrap_or(told.task.place);
                told.priority = priority.unwrap_or(told.priority);
                let brief = *told;
                for task in brief.tasks().filter(|task| self.is_open(*task)).collect::<Vec<_>>() {
                    self.ledger.set_place(task, brief.task.place);
                }
                Order::Modify(brief)
            }
            Directive::Cancel(first) => {
                if let Some(brief) = self.spoken.told.get(&first).copied() {
                    brief.tasks().for_each(|task| self.ledger.withdraw(task));
                }
                Order::Cancel(first)
            }
        };
        self.input(to, Input::Ordered(order));
    }

    /// The task is still to be done.
    pub(super) fn is_open(&self, task: TaskId) -> bool {
        self.ledger.record(task).is_some_and(Record::is_open)
    }

    #[inline(never)]
    pub(super) fn on_lapse(&mut self, task: TaskId) {
        self.ledger.expire(task);
    }

    /// Nobody is there to take the order: what it asks for will not be done.
    fn on_order_lost(&mut self, number: u32) {
        let OrderSpec { to, order, .. } = self.order(number);
        if let Directive::Inject(brief) = order {
            brief.tasks().for_each(|task| self.call_off(task));
        }
        if !matches!(order, Directive::Cancel(_)) {
            self.tell_of(to, Happening::Untold { task: order.first() });
            self.order_came_to_nothing(number);
        }
    }
}
