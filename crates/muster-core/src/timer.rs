//! The timers of one robot. One table, used by every driver, so that a timer means the same everywhere.
//!
//! Moving a deadline later costs no queue operation: the entry already queued for the earlier instant
//! stays, and when it comes up the table says when to look again. Heartbeats that push a time-out ahead
//! of them, the commonest use of a timer, thus cost one store each instead of two queue operations.
//!
//! A driver with a queue of its own (the simulator) queues an entry whenever [`TimerTable::set`] asks for one and asks
//! [`TimerTable::due`] when it comes up. A driver without one asks [`TimerTable::next`] how long it may sleep and then
//! [`TimerTable::fire_due`] what fires. Neither has to be on time: a robot's clock has moved on when it is asked.

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
    /// The same, and this other timer fires now: its own entry came up first and made way for a lesser one.
    RequeueAndFire(Time, T),
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
                // Two are what most mechanisms use; four, a vector's own first guess, would double the table. Made anew
                // rather than grown from nothing: 3,400 instructions of a minefield run at 25 % loss.
                if self.entries.capacity() == 0 {
                    self.entries = Vec::with_capacity(2);
                } else {
                    self.entries.reserve_exact(1);
                }
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

    /// What to do about the queue entry for `timer` that came up, at `now` or earlier.
    #[must_use]
    pub fn due(&mut self, timer: T, now: Time) -> Due<T> {
        let Some(entry) = self.find(timer) else { return if Self::MANY { self.fire(now) } else { Due::Nothing } };
        if entry.queued <= now {
            entry.queued = Time::NEVER;
            if entry.deadline > now && entry.deadline < Time::NEVER {
                let later = entry.deadline;
                entry.queued = later;
                return match self.fire(now) {
                    Due::Fire(other) => Due::RequeueAndFire(later, other),
                    _ => Due::Requeue(later),
                };
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

    /// When the next timer fires, if one is set.
    pub fn next(&self) -> Option<Time> {
        self.pending().map(|(_, deadline)| deadline).min()
    }

    /// The timer that fires first of those that are due by `now`, if one is: the one with the earliest deadline, of
    /// several with the same deadline the least. To be asked until none is left, each time after what the last one
    /// brought about is done.
    #[must_use]
    pub fn fire_due(&mut self, now: Time) -> Option<T> {
        if Self::MANY {
            // A queue entry that has come up, in whichever way, need not be waited for.
            self.entries
                .retain(|entry| entry.deadline < Time::NEVER || entry.queued > now && entry.queued < Time::NEVER);
        }
        let first = self.entries.iter_mut().min_by_key(|entry| entry.deadline)?;
        if first.deadline > now || first.deadline == Time::NEVER {
            return None;
        }
        first.deadline = Time::NEVER;
        if first.queued <= now {
            first.queued = Time::NEVER;
        }
        let timer = first.timer;
        if Self::MANY && first.queued == Time::NEVER {
            self.entries.retain(|entry| entry.timer != timer);
        }
        Some(timer)
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

    /// A report that sets itself again when it fires must not keep what is due at the same instant from firing.
    #[test]
    fn of_two_timers_of_one_instant_the_first_may_be_set_again() {
        let mut table = TimerTable::default();
        let _ = (table.set('b', at(10)), table.set('a', at(10)));
        assert_eq!(table.due('b', at(10)), Due::Fire('a'));
        assert_eq!(table.set('a', at(20)), None, "the entry for 10 is still queued");
        assert_eq!(table.due('a', at(10)), Due::RequeueAndFire(at(20), 'b'));
        assert_eq!(table.due('a', at(20)), Due::Fire('a'));
    }

    #[test]
    fn a_postponed_timer_fires_late() {
        let mut table = TimerTable::default();
        let _ = table.set('a', at(10));
        table.postpone('a', at(50));
        assert_eq!(table.due('a', at(50)), Due::Fire('a'));
    }

    /// A robot's driver is never on time to the microsecond.
    #[test]
    fn a_timer_whose_entry_is_looked_at_late_can_be_set_again() {
        let mut table = TimerTable::default();
        assert_eq!(table.set('a', at(100)), Some(at(100)));
        assert_eq!(table.due('a', at(103)), Due::Fire('a'));
        assert_eq!(table.set('a', at(200)), Some(at(200)), "nothing is queued any more");
        assert_eq!(table.set('a', at(300)), None);
        assert_eq!(table.due('a', at(299)), Due::Requeue(at(300)));
        assert_eq!(table.due('a', at(301)), Due::Fire('a'));
    }

    #[test]
    fn timers_that_are_asked_for_late_fire_in_the_order_of_their_deadlines() {
        let mut table = TimerTable::default();
        let _ = (table.set('a', at(12)), table.set('b', at(10)), table.set('c', at(10)), table.set('d', at(90)));
        assert_eq!(table.next(), Some(at(10)));
        assert_eq!(table.fire_due(at(9)), None);
        let fired: Vec<char> = std::iter::from_fn(|| table.fire_due(at(50))).collect();
        assert_eq!(fired, ['b', 'c', 'a']);
        assert_eq!(table.next(), Some(at(90)));
    }

    /// Against a plain list of deadlines, with a driver that sleeps, comes late, and now and then looks too early.
    #[test]
    fn fires_late_like_a_plain_table() {
        fires_late_like_a_plain_list(['a', 'b', 'c', 'd']);
        fires_late_like_a_plain_list([b'a', b'b', b'c', b'd']);
    }

    fn fires_late_like_a_plain_list<T: Copy + Ord + std::fmt::Debug>(timers: [T; 4]) {
        let mut stream = crate::rng::Stream::of_run(2, crate::rng::Purpose::Faults);
        let mut late = 0;
        for _ in 0..500 {
            let mut table = TimerTable::default();
            let mut plain = std::collections::BTreeMap::new();
            let mut now = 0;
            for _ in 0..60 {
                now += u64::from(stream.below(8));
                let timer = timers[stream.below(4) as usize];
                match stream.below(8) {
                    // Some deadlines lie in the past.
                    0..4 => {
                        let deadline = (now + u64::from(stream.below(30))).saturating_sub(3);
                        plain.insert(timer, at(deadline));
                        let _ = table.set(timer, at(deadline));
                    }
                    4 => {
                        plain.remove(&timer);
                        table.cancel(timer);
                    }
                    _ => {}
                }
                assert_eq!(table.next(), plain.values().min().copied());
                while let Some(fired) = table.fire_due(at(now)) {
                    let first = plain.iter().map(|(timer, deadline)| (*deadline, *timer)).min();
                    assert!(first.is_some_and(|(deadline, timer)| timer == fired && deadline <= at(now)), "at {now}");
                    late += u32::from(plain.remove(&fired).is_some_and(|deadline| deadline < at(now)));
                }
                assert!(plain.values().all(|deadline| *deadline > at(now)), "at {now}");
            }
            assert!(table.entries.len() <= 4);
        }
        assert!(late > 3_000, "{late} fired late");
    }

    /// The same with a queue whose entries are looked at late, all those that have come up at once: every timer fires at
    /// the first look after its deadline, and none is lost.
    #[test]
    fn late_queue_entries_lose_no_timer() {
        late_queue_entries(['a', 'b', 'c', 'd']);
        late_queue_entries([b'a', b'b', b'c', b'd']);
    }

    fn late_queue_entries<T: Copy + Ord + std::fmt::Debug>(timers: [T; 4]) {
        let mut stream = crate::rng::Stream::of_run(3, crate::rng::Purpose::Faults);
        let mut late = 0;
        for _ in 0..500 {
            let mut table = TimerTable::default();
            let mut queue = std::collections::BTreeSet::new();
            let mut plain = std::collections::BTreeMap::new();
            let mut now = 0;
            for _ in 0..60 {
                now += u64::from(stream.below(8));
                let timer = timers[stream.below(4) as usize];
                match stream.below(6) {
                    0..3 => {
                        let deadline = now + 1 + u64::from(stream.below(30));
                        plain.insert(timer, deadline);
                        queue.extend(table.set(timer, at(deadline)).map(|at| (at, timer)));
                    }
                    3 => {
                        plain.remove(&timer);
                        table.cancel(timer);
                    }
                    _ => {}
                }
                while let Some(&(came_up, timer)) = queue.first().filter(|(came_up, _)| *came_up <= at(now)) {
                    queue.remove(&(came_up, timer));
                    match table.due(timer, at(now)) {
                        Due::Fire(fired) => {
                            let deadline = plain.remove(&fired).expect("only what is set fires");
                            assert!(deadline <= now, "at {now}");
                            late += u32::from(deadline < now);
                        }
                        Due::Requeue(later) => {
                            queue.insert((later, timer));
                        }
                        Due::RequeueAndFire(later, fired) => {
                            queue.insert((later, timer));
                            let deadline = plain.remove(&fired).expect("only what is set fires");
                            assert!(deadline <= now, "at {now}");
                        }
                        Due::Nothing => {}
                    }
                }
                assert!(plain.values().all(|deadline| *deadline > now), "at {now}: {plain:?}");
            }
        }
        assert!(late > 3_000, "{late} fired late");
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
                        Due::RequeueAndFire(..) => panic!("there is one timer"),
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

    #[test]
    fn many_timers_leave_nothing_behind_without_a_queue() {
        let mut table = TimerTable::default();
        for number in 0..1_000_u32 {
            let _ = table.set(number, at(u64::from(number)));
            let _ = table.set(number + 1_000, at(u64::from(number)));
            table.cancel(number + 1_000);
            assert_eq!(table.fire_due(at(u64::from(number) + 5)), Some(number));
            assert_eq!(table.fire_due(at(u64::from(number) + 5)), None);
        }
        assert!(table.entries.is_empty());
    }
}
