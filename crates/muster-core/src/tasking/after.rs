//! What is left to do for the node as a whole when one of its orders has dealt with an input.

use std::ops::BitOrAssign;

use crate::task::TaskId;

/// What a handler leaves to [`Tasking`](super::Tasking): only the node knows all of its orders, so only the node can
/// remember them, forget one, or hand back a task of another order.
#[must_use]
#[derive(Debug, Default)]
pub(super) struct After {
    /// Something has changed that must survive a restart.
    pub(super) remember: bool,
    /// An order is forgotten, and can be taken out of the pool.
    pub(super) sweep: bool,
    /// Tasks, of any order, that no longer fit the vehicle's queue and are to be handed back; the last one first.
    pub(super) dropped: Vec<TaskId>,
    /// Tasks, of any order, that the vehicle has agreed to and cannot make any more: with each the plan that it belongs to is
    /// given back, once.
    pub(super) withdrawn: Vec<TaskId>,
}

impl After {
    /// Nothing is left to do.
    pub(super) const fn nothing() -> Self {
        Self { remember: false, sweep: false, dropped: Vec::new(), withdrawn: Vec::new() }
    }

    /// The node's memory has to be written anew.
    pub(super) const fn remember() -> Self {
        Self { remember: true, sweep: false, dropped: Vec::new(), withdrawn: Vec::new() }
    }

    /// The order is forgotten.
    pub(super) const fn sweep() -> Self {
        Self { remember: false, sweep: true, dropped: Vec::new(), withdrawn: Vec::new() }
    }

    /// These tasks have to be handed back.
    pub(super) const fn dropped(dropped: Vec<TaskId>) -> Self {
        Self { remember: false, sweep: false, dropped, withdrawn: Vec::new() }
    }

    /// The plans that these tasks belong to have to be given back.
    pub(super) const fn withdrawn(withdrawn: Vec<TaskId>) -> Self {
        Self { remember: false, sweep: false, dropped: Vec::new(), withdrawn }
    }
}

impl BitOrAssign for After {
    fn bitor_assign(&mut self, later: Self) {
        self.remember |= later.remember;
        self.sweep |= later.sweep;
        if !later.dropped.is_empty() {
            self.dropped.extend(later.dropped);
        }
        if !later.withdrawn.is_empty() {
            self.withdrawn.extend(later.withdrawn);
        }
    }
}
