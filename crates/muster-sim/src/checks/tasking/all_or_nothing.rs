//! A strict group is done as its couplings say, or as far as it came when a vehicle failed.

use muster_core::tasking::Tasking;
use muster_core::tasking::group::Group;
use muster_core::{Check, Duration, RobotId, Time};

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
    failures: Vec<Failure>,
}

/// A robot does not attend any more.
#[derive(Debug)]
struct Failure {
    robot: RobotId,
    from: Time,
    /// It attended again then.
    until: Time,
}

impl AllOrNothing {
    fn note_failures(&mut self, view: &View<'_, Tasking>) {
        self.attended.resize(view.machines.len(), false);
        for (body, attended) in view.bodies.iter().zip(&mut self.attended) {
            let attends = view.attends(body.id);
            if *attended && !attends {
                self.failures.push(Failure { robot: body.id, from: view.now, until: Time::NEVER });
            } else if attends && !*attended {
                let down = |it: &&mut Failure| it.robot == body.id && it.until == Time::NEVER;
                self.failures.iter_mut().filter(down).for_each(|it| it.until = view.now);
            }
            *attended = attends;
        }
    }

    /// A vehicle failed between the first flight and the last time at which what is missing
    /// could have been flown, or so shortly before that nobody could know.
    fn has_lost_one(&self, group: &Group, times: &[Option<Time>], first: Time) -> bool {
        let missing = (0..times.len()).filter(|index| times[*index].is_none());
        let due = missing.map(|index| group.window(index, |other| times[other]).1).min().unwrap_or(i64::MAX);
        self.failures.iter().any(|failure| {
            let in_time = (failure.from.as_micros() as i64) <= due;
            in_time && failure.until + UNNOTICED >= first
        })
    }
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
