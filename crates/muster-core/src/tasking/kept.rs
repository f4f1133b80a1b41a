//! What of an order survives a restart.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::group::Group;
use super::known::{Grant, Known, Slot};
use super::{Ballot, Deed, Holder};
use crate::task::TaskId;
use crate::time::Time;

/// What of an order survives a restart. Its layout is part of recordings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    group: Arc<Group>,
    cancelled: bool,
    slots: Vec<KeptSlot>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KeptSlot {
    ballot: Ballot,
    holder: Option<Holder>,
    done: Option<Deed>,
    promised: u32,
    granted: Option<Grant>,
    refrained: Option<Grant>,
}

impl KeptSlot {
    fn of(slot: &Slot) -> Self {
        let Slot { ballot, holder, done, promised, granted, refrained, .. } = *slot;
        Self { ballot, holder, done, promised, granted, refrained }
    }

    fn restored(self, now: Time) -> Slot {
        let Self { ballot, holder, done, promised, granted, refrained } = self;
        Slot { ballot, holder, done, promised, granted, refrained, watched: true, ..Slot::new(now) }
    }
}

impl Kept {
    fn of(known: &Known) -> Self {
        let slots = known.slots().iter().map(KeptSlot::of).collect();
        Self { group: known.group().clone(), cancelled: known.is_called_off_for_all(), slots }
    }

    fn is_up_to_date(&self, known: &Known) -> bool {
        Arc::ptr_eq(known.group(), &self.group)
            && known.is_called_off_for_all() == self.cancelled
            && known.slots().iter().map(KeptSlot::of).eq(self.slots.iter().copied())
    }

    pub(super) fn first(&self) -> TaskId {
        self.group.first()
    }

    /// What was known before the restart. What this node held or led is lost with its body's motion: it is a PEER now.
    pub(super) fn restored(&self, now: Time) -> Known {
        let slot = |index: usize| self.slots.get(index).map_or_else(|| Slot::new(now), |kept| kept.restored(now));
        let slots = (0..self.group.len()).map(slot).collect();
        Known::restored(self.group.clone(), slots, self.cancelled)
    }
}

/// The last memory of an order, shared with the memories of the node that it is part of: most changes are to one order,
/// and to remember the others costs no more than a look at them. It is no part of the node's state, so two nodes that
/// differ in it alone are equal.
#[derive(Clone, Debug, Default)]
pub(super) struct Remembered(Option<Arc<Kept>>);

impl PartialEq for Remembered {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Remembered {
    /// What survives a restart, as it is now.
    pub(super) fn of(&mut self, known: &Known) -> Arc<Kept> {
        match &self.0 {
            Some(kept) if kept.is_up_to_date(known) => kept.clone(),
            _ => self.0.insert(Arc::new(Kept::of(known))).clone(),
        }
    }
}
