//! Orders: what operators say, when, and to whom.

use muster_core::{Duration, Input, Mechanism, Order, TaskId};

use super::{Life, Observer, Pending, Sim, What};
use crate::mission::OrderSpec;

impl<M: Mechanism, O: Observer<M>> Sim<'_, M, O> {
    /// An operator speaks to a robot; to one that cannot listen now, as soon as it can.
    #[inline(never)]
    pub(super) fn on_order(&mut self, number: u32) {
        let OrderSpec { to, mut order, .. } = self.order(number);
        if let Order::Inject(brief) = &order
            && brief.tasks().all(|task| self.ledger.record(task).is_some_and(|record| record.withdrawn))
        {
            // It was called off before anybody could be told.
            return;
        }
        let later = match self.conditions[to.index()].life {
            Life::Up => None,
            Life::Hanging { until } => Some(until),
            Life::Down => Some(self.now + Duration::from_secs(1)),
            Life::Dead => return self.on_order_lost(order),
        };
        if let Some(later) = later {
            return self.queue.push(later.as_micros(), Pending::new(number, What::Order));
        }
        match order {
            Order::Inject(ref mut brief) => {
                brief.task.place = self.ledger.record(brief.task.id).map_or(brief.task.place, |it| it.task.place);
                for task in brief.tasks() {
                    self.ledger.see(task, self.now, to);
                    if let Some(expires) = brief.expires {
                        self.queue.push(expires.max(self.now).as_micros(), Pending::new(task.0, What::Lapse));
                    }
                }
            }
            Order::Modify(brief) => brief.tasks().for_each(|task| self.ledger.set_place(task, brief.task.place)),
            Order::Cancel(first) => self.withdraw(first),
        }
        self.input(to, Input::Ordered(order));
    }

    #[inline(never)]
    pub(super) fn on_lapse(&mut self, task: TaskId) {
        self.ledger.expire(task);
    }

    /// Nobody is there to take the order: what it asks for will not be done.
    pub(super) fn on_order_lost(&mut self, order: Order) {
        if let Order::Inject(brief) = order {
            brief.tasks().for_each(|task| self.call_off(task));
        }
    }

    /// All that an earlier order asked for is no longer to be done.
    pub(super) fn withdraw(&mut self, first: TaskId) {
        let asks_for = |spec: &&OrderSpec| matches!(spec.order, Order::Inject(brief) if brief.task.id == first);
        let asked = self.orders().find(asks_for).copied();
        if let Some(OrderSpec { order: Order::Inject(brief), .. }) = asked {
            brief.tasks().for_each(|task| self.ledger.withdraw(task));
        }
    }
}
