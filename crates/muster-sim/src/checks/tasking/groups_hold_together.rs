//! What is promised of groups, whatever happens: all of it at once.

use muster_core::Check;
use muster_core::tasking::Tasking;

use super::{AllOrNothing, NobodyBookedTwice, NothingGoesRound, PhasesInOrder};
use crate::sim::View;

/// Nobody is booked twice, phases are flown in order, strict groups as a whole or as far as they came, and no order goes round
/// in circles.
#[derive(Default)]
pub struct GroupsHoldTogether {
    booked_once: NobodyBookedTwice,
    in_order: PhasesInOrder,
    whole: AllOrNothing,
    onwards: NothingGoesRound,
}

impl Check<View<'_, Tasking>> for GroupsHoldTogether {
    fn name(&self) -> &'static str {
        "groups hold together"
    }

    fn look(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        self.booked_once.look(view)?;
        self.in_order.look(view)?;
        self.onwards.look(view)?;
        self.whole.look(view)
    }

    fn end(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        self.in_order.end(view)?;
        self.whole.end(view)
    }
}
