//! The timers of one robot. One table, used by every driver, so that a timer means the same everywhere.
//!
//! Moving a deadline later costs no queue operation: the entry already queued for the earlier instant
//! stays, and when it comes up the table says when to look again. Heartbeats that push a time-out ahead
//! of them, the commonest use of a timer, thus cost one store each instead of two queue operations.

use crate::time::Time;

/// Deadlines by timer: at most one per value.
#[derive(Clone, Debug)]
pub struct TimerTable<T> {
    // Sorted by timer. A mechanism mostly has a handful of timers, and most robots have none set: those are searched
    // from the front and stay for good. Where a timer carries a number there may be thousands in the course of a run:
    // those are searched by halves, and go when neither a deadline nor a queue entry is left.
    entries: Vec<Entry<T>>,
}

#[derive(Copy, Clone, Debug)]
struct Entry<T> {
    timer: T,
    /// When it fires; `NEVER` once cancelled or fired.
    deadline: Time,
    /// The earliest instant for which the driver's queue holds an entry for it; `NEVER` if there is none.
    queued: Time,
}

/// What comes of a queue entry that came up.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Due<T> {
    /// This timer fires now. Of several due at one instant the least fires first, whichever entry came up.
    Fire(T),
    /// Its deadline was moved: queue an entry for this instant.
    Requeue(Time),
    /// It was cancelled, has fired, or another entry stands for it.
    Nothing,
}

impl<T> Default for TimerTable<T> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<T: Copy + Ord> TimerTable<T> {
    /// A timer that carries a number takes more than a byte. Known when compiling, so that the few pay nothing for it.
    const MANY: bool = size_of::<T>() > 1;

    /// Sets or replaces a deadline. `Some(at)` if the driver must queue an entry for `at`.
    #[must_use]
    pub fn set(&mut self, timer: T, at: Time) -> Option<Time> {
        if let Some(entry) = self.find(timer) {
            entry.deadline = at;
            if entry.queued <= at {
                return None;
            }
            entry.queued = at;
        } else {
            if !Self::MANY {
                // Two are what most mechanisms use; four, a vector's own first guess, would double the table.
                self.entries.reserve_exact(if self.entries.is_empty() { 2 } else { 1 });
            }
            let place = self.entries.partition_point(|entry| entry.timer < timer);
            self.entries.insert(place, Entry { timer, deadline: at, queued: at });
        }
        Some(at)
    }

    /// Takes a deadline back. Its queue entry, if any, will come to nothing.
    pub fn cancel(&mut self, timer: T) {
        if let Some(entry) = self.find(timer) {
            entry.deadline = Time::NEVER;
        }
    }

    /// What to do about the queue entry for `timer` that came up at `now`.
    #[must_use]
    pub fn due(&mut self, timer: T, now: Time) -> Due<T> {
        let Some(entry) = self.find(timer) else { return if Self::MANY { self.fire(now) } else { Due::Nothing } };
        if entry.queued == now {
            entry.queued = Time::NEVER;
            if entry.deadline > now && entry.deadline < Time::NEVER {
                entry.queued = entry.deadline;
                return Due::Requeue(entry.deadline);
            }
        }
        if Self::MANY && entry.queued == Time::NEVER && entry.deadline == Time::NEVER {
            self.entries.retain(|entry| entry.timer != timer);
        }
        self.fire(now)
    }

    /// The least of those that are due.
    #[inline(always)]
    fn fire(&mut self, now: Time) -> Due<T> {
        match self.entries.iter_mut().find(|entry| entry.deadline <= now) {
            Some(least) => {
                let timer = least.timer;
                least.deadline = Time::NEVER;
                if Self::MANY && least.queued == Time::NEVER {
                    self.entries.retain(|entry| entry.timer != timer);
                }
                Due::Fire(timer)
            }
            None => Due::Nothing,
        }
    }

    /// The robot cannot attend to the entry for `timer` that came up: the driver will queue it for `until`.
    pub fn postpone(&mut self, timer: T, until: Time) {
        if let Some(entry) = self.find(timer) {
            entry.queued = until;
        }
    }

    /// When `timer` fires, if it is set.
    pub fn deadline(&self, timer: T) -> Option<Time> {
        self.pending().find(|(pending, _)| *pending == timer).map(|(_, deadline)| deadline)
    }

    /// The timers that are set, with their deadlines, in the order of timers.
    pub fn pending(&self) -> impl Iterator<Item = (T, Time)> + '_ {
        let set = self.entries.iter().filter(|entry| entry.deadline < Time::NEVER);
        set.map(|entry| (entry.timer, entry.deadline))
    }

    /// Cancels all, as a restart does. Queue entries that are still about will come to nothing.
    pub fn clear(&mut self) {
        for entry in &mut self.entries {
            entry.deadline = Time::NEVER;
        }
    }

    #[inline]
    fn find(&mut self, timer: T) -> Option<&mut Entry<T>> {
        if Self::MANY {
            let at = self.entries.binary_search_by(|entry| entry.timer.cmp(&timer)).ok()?;
            return self.entries.get_mut(at);
        }
        self.entries.iter_mut().find(|entry| entry.timer == timer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(micros: u64) -> Time {
        Time::from_micros(micros)
    }

    #[test]
    fn a_later_deadline_keeps_its_queue_entry() {
        let mut table = TimerTable::default();
        assert_eq!(table.set('a', at(10)), Some(at(10)));
        assert_eq!(table.set('a', at(30)), None);
        assert_eq!(table.due('a', at(10)), Due::Requeue(at(30)));
        assert_eq!(table.due('a', at(30)), Due::Fire('a'));
        assert_eq!(table.due('a', at(30)), Due::Nothing);
    }

    #[test]
    fn an_earlier_deadline_is_queued_again_and_fires_once() {
        let mut table = TimerTable::default();
        assert_eq!(table.set('a', at(30)), Some(at(30)));
        assert_eq!(table.set('a', at(10)), Some(at(10)));
        assert_eq!(table.due('a', at(10)), Due::Fire('a'));
        assert_eq!(table.due('a', at(30)), Due::Nothing);
    }

    #[test]
    fn cancelled_set_again_and_cleared() {
        let mut table = TimerTable::default();
        let _ = table.set('a', at(10));
        table.cancel('a');
        assert_eq!(table.set('a', at(20)), None, "the entry for 10 is still queued");
        assert_eq!(table.due('a', at(10)), Due::Requeue(at(20)));
        table.clear();
        assert_eq!(table.due('a', at(20)), Due::Nothing);
        assert_eq!(table.pending().count(), 0);
    }

    #[test]
    fn timers_of_one_instant_fire_in_their_own_order() {
        let mut table = TimerTable::default();
        let _ = (table.set('b', at(10)), table.set('a', at(10)));
        assert_eq!(table.due('b', at(10)), Due::Fire('a'));
        assert_eq!(table.due('a', at(10)), Due::Fire('b'));
    }

    #[test]
    fn a_postponed_timer_fires_late() {
        let mut table = TimerTable::default();
        let _ = table.set('a', at(10));
        table.postpone('a', at(50));
        assert_eq!(table.due('a', at(50)), Due::Fire('a'));
    }

    /// Against a table that queues every deadline anew: the same firings, whatever is set and cancelled.
    #[test]
    fn fires_like_a_table_without_shortcuts() {
        fires_like_a_plain_table('a');
        fires_like_a_plain_table(b'a');
    }

    fn fires_like_a_plain_table<T: Copy + Ord>(timer: T) {
        let mut stream = crate::rng::Stream::of_run(1, crate::rng::Purpose::Faults);
        for _ in 0..500 {
            let mut table = TimerTable::default();
            let mut queue = std::collections::BTreeSet::new();
            let mut plain: Option<u64> = None;
            for now in 0..200 {
                match stream.below(6) {
                    0 => {
                        let deadline = now + 1 + u64::from(stream.below(20));
                        plain = Some(deadline);
                        queue.extend(table.set(timer, at(deadline)));
                    }
                    1 => {
                        plain = None;
                        table.cancel(timer);
                    }
                    _ => {}
                }
                let mut fired = false;
                while queue.remove(&at(now)) {
                    match table.due(timer, at(now)) {
                        Due::Fire(_) => fired = true,
                        Due::Requeue(later) => {
                            queue.insert(later);
                        }
                        Due::Nothing => {}
                    }
                }
                assert_eq!(fired, plain == Some(now), "at {now}");
                if fired {
                    plain = None;
                }
            }
        }
    }

    #[test]
    fn many_timers_leave_nothing_behind() {
        let mut table = TimerTable::default();
        for number in 0..1_000_u32 {
            let _ = table.set(number, at(u64::from(number)));
            let _ = table.set(number + 1_000, at(u64::from(number)));
            table.cancel(number + 1_000);
            assert_eq!(table.due(number, at(u64::from(number))), Due::Fire(number));
            assert_eq!(table.due(number + 1_000, at(u64::from(number))), Due::Nothing);
        }
        assert!(table.entries.is_empty());
    }
}
