//! Flights over targets, with the groups that they belong to.

use std::sync::Arc;

use muster_core::TaskId;
use muster_core::tasking::Tasking;
use muster_core::tasking::group::Group;

use crate::ledger::Pass;
use crate::sim::View;

/// What was flown so far. Groups are looked up when something of them is flown, and at no other time: whoever flies a task knows
/// its group, while to look through all that everybody knows after every event takes longer than the event itself.
#[derive(Default)]
pub(super) struct Flown {
    groups: Vec<Arc<Group>>,
    passes: usize,
}

impl Flown {
    /// The flights since this was last asked for.
    pub(super) fn new_passes<'a>(&mut self, view: &View<'a, Tasking>) -> &'a [Pass] {
        let new = &view.ledger.passes()[self.passes..];
        self.passes += new.len();
        for pass in new {
            if self.group_of(pass.task).is_none() {
                self.learn(view, pass);
            }
        }
        new
    }

    fn learn(&mut self, view: &View<'_, Tasking>, pass: &Pass) {
        let is_of = |group: &&Arc<Group>| group.is_decomposed() && group.index_of(pass.task).is_some();
        let own = view.machines[pass.robot.index()].orders();
        let others = view.machines.iter().flat_map(Tasking::orders);
        let group = own.chain(others).map(|order| order.group()).find(is_of);
        self.groups.extend(group.cloned());
    }

    /// The group of a task, if any of it was flown, and which of its tasks this is.
    pub(super) fn group_of(&self, task: TaskId) -> Option<(&Arc<Group>, usize)> {
        self.groups.iter().find_map(|group| Some((group, group.index_of(task)?)))
    }

    /// The groups of which something was flown.
    pub(super) fn groups(&self) -> &[Arc<Group>] {
        &self.groups
    }
}
