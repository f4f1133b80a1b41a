//! A strict group is done as its couplings say, or as far as it came when a vehicle failed.

use muster_core::tasking::Tasking;
use muster_core::{Check, Duration, Time};

use super::flown::Flown;
use crate::sim::View;

/// So long a vehicle that has failed may count as one that is heard from: `t_peer`, with its jitter.
const UNNOTICED: Duration = Duration::from_secs(11);

/// Of a strict group all phases are done, or none, or, if a vehicle failed after the first was begun, those before the one
/// that was lost; and every coupling in time between those that were done is kept.
#[derive(Default)]
pub struct AllOrNothing {
    flown: Flown,
    /// When a node was last seen not to attend.
    failed: Option<Time>,
}

impl Check<View<'_, Tasking>> for AllOrNothing {
    fn name(&self) -> &'static str {
        "all or nothing"
    }

    fn look(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        if view.bodies.iter().any(|body| !view.attends(body.id)) {
            self.failed = Some(view.now);
        }
        self.flown.new_passes(view);
        Ok(())
    }

    fn end(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        for group in self.flown.groups().iter().filter(|group| group.strict) {
            let done = |index: usize| Some(view.ledger.record(group.task(index))?.served?.0);
            let times: Vec<Option<Time>> = (0..group.members.len()).map(done).collect();
            let Some(first) = times.iter().flatten().min() else { continue };
            if let Some(missing) = times.iter().position(Option::is_none) {
                let missing = group.task(missing);
                let still_to_come =
                    |machine: &Tasking| machine.held().iter().any(|held| held.task == missing && held.at > view.now);
                if view.machines.iter().any(still_to_come) {
                    // The run ends before the group does.
                    continue;
                }
                if self.failed.is_none_or(|failed| failed + UNNOTICED < *first) {
                    return Err(format!(
                        "{missing} was never done, others of its strict group were, and nobody failed"
                    ));
                }
            }
            for (index, at) in times.iter().enumerate() {
                let Some(at) = at else { continue };
                if let Some(skipped) = group.before(index).iter().find(|before| times[*before].is_none()) {
                    let (task, skipped) = (group.task(index), group.task(skipped));
                    return Err(format!("{task} of a strict group was done and {skipped} was not"));
                }
                let (least, most) = group.window(index, |other| times[other]);
                if !(least..=most).contains(&(at.as_micros() as i64)) {
                    let done: Vec<String> = times.iter().flatten().map(Time::to_string).collect();
                    return Err(format!("a strict group was not done as it is tied together: {}", done.join(", ")));
                }
            }
        }
        Ok(())
    }
}
