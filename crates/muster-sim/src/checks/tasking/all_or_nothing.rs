//! A strict group is done as its couplings say, or as far as it came when a vehicle failed.

use muster_core::tasking::Tasking;
use muster_core::tasking::group::Group;
use muster_core::{Check, Duration, Time};

use super::flown::Flown;
use crate::sim::View;

/// So long a vehicle that has failed may count as one that is heard from: `t_peer`, with its jitter.
const UNNOTICED: Duration = Duration::from_secs(11);

/// Of a strict group all phases are done, or none, or, if a vehicle failed after the first was begun and before it was too late
/// for the rest, those before the one that was lost; and every coupling in time between those that were done is kept. Any
/// vehicle: one that waits for a vehicle of another group may have to leave this one.
#[derive(Default)]
pub struct AllOrNothing {
    flown: Flown,
    /// By robot whether it attended after the last event.
    attended: Vec<bool>,
    /// When vehicles ceased to attend.
    failures: Vec<Time>,
}

impl AllOrNothing {
    fn note_failures(&mut self, view: &View<'_, Tasking>) {
        self.attended.resize(view.machines.len(), false);
        for (body, attended) in view.bodies.iter().zip(&mut self.attended) {
            let attends = view.attends(body.id);
            if *attended && !attends {
                self.failures.push(view.now);
            }
            *attended = attends;
        }
    }

    /// A vehicle failed between the first flight and the last time at which what is missing
    /// could have been flown, or so shortly before that nobody could know.
    fn has_lost_one(&self, group: &Group, times: &[Option<Time>], first: Time) -> bool {
        let missing = (0..times.len()).filter(|index| times[*index].is_none());
        let due = missing.map(|index| group.window(index, |other| times[other]).1).min().unwrap_or(i64::MAX);
        self.failures.iter().any(|at| excuses(*at, first, due))
    }
}

/// A failure at this time excuses a group that was begun at `first` and is not whole at `due`, in microseconds.
fn excuses(failed: Time, first: Time, due: i64) -> bool {
    failed + UNNOTICED >= first && (failed.as_micros() as i64) <= due
}

impl Check<View<'_, Tasking>> for AllOrNothing {
    fn name(&self) -> &'static str {
        "all or nothing"
    }

    fn look(&mut self, view: &View<'_, Tasking>) -> Result<(), String> {
        self.note_failures(view);
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
                if !self.has_lost_one(group, &times, *first) {
                    return Err(format!(
                        "{missing} was never done, others of its strict group were, and no vehicle failed meanwhile"
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A vehicle that failed long before a group was begun, or when it was too late for the rest, has nothing to do with it.
    #[test]
    fn failures_meanwhile_excuse_a_prefix() {
        let (first, due) = (Time::from_secs_f64(100.0), 110_000_000);
        for (failed, excused) in
            [(5.0, false), (88.0, false), (95.0, true), (105.0, true), (110.0, true), (111.0, false)]
        {
            assert_eq!(excuses(Time::from_secs_f64(failed), first, due), excused, "{failed} s");
        }
    }
}
