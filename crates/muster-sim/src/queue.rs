//! The pending events of a run, earliest first.
//!
//! A simulator pops an event and pushes a few that are due later, millions of times a run, with a dozen to a million
//! pending. Time never goes back, and that is worth using: a binary heap orders what nobody has asked for yet and,
//! once large, misses the cache on every level. Here only the soonest events are sorted, in a short array, the
//! *front*; later ones lie in the *wheel*, in buckets that are coarser the farther off they are, and are looked at
//! again when their time comes near. A small team never leaves the front.
//!
//! Ties leave first in, first out because nothing overtakes: the events of an instant that is not yet being popped are
//! all in one place, and every move from place to place keeps their order. An edit that sorts unstably, or cuts an
//! instant in two, changes the traces of every run.

use std::collections::BTreeMap;

/// What can be queued. Payloads are copied about; 16 bytes is a good size.
pub trait Ranked: Copy {
    /// Orders the events of one instant (class, then robot, then timer); equal ranks leave first in, first out.
    fn rank(&self) -> u64;
}

/// How far from its soon end the front takes insertions, and how many events a refill takes at most. Chosen by
/// measuring, like the other constants; half of it costs a few percent.
const DEPTH: usize = 128;
/// Buckets up to this size are sorted, larger ones scattered first: a scattered event is moved once more, and that
/// costs more than what sorting a hundred at once adds.
const SORTABLE: usize = 96;
/// The wheel reads a time as digits of this many bits. Fewer bits move an event more often, more bits leave buckets
/// with too little in them; 6 beats 5 and 7 by a tenth at a thousand pending.
const DIGIT: u32 = 6;
const SLOTS: usize = 1 << DIGIT;
const BUCKETS: usize = u64::BITS.div_ceil(DIGIT) as usize * SLOTS;
/// Buckets are chains of chunks of this many entries, so that memory follows the number pending. A vector for each
/// bucket would keep the largest size that each ever had.
const CHUNK: usize = 32;
const NO_CHUNK: usize = usize::MAX;

/// A monotone priority queue: events leave by time in microseconds, then rank, then order of pushing.
#[derive(Clone)]
pub struct Queue<T: Ranked> {
    /// Time of the last event popped.
    now: u64,
    /// Sorted latest first, so that the next event is popped off the end.
    front: Vec<Entry<T>>,
    /// Events up to this time belong to the front, later ones to the wheel.
    until: u64,
    wheel: Wheel<T>,
    /// When too many events of the instant `now` are pending for an array, later arrivals, by rank and arrival. While
    /// there are any, the front holds nothing but events of this instant.
    crowd: BTreeMap<(u64, u64), T>,
    arrivals: u64,
}

impl<T: Ranked> Queue<T> {
    /// An empty queue at time 0. Allocates nothing.
    pub const fn new() -> Self {
        Self { now: 0, front: Vec::new(), until: u64::MAX, wheel: Wheel::new(), crowd: BTreeMap::new(), arrivals: 0 }
    }

    /// Queues `item` for the time `at`, which must not be earlier than the last time popped. Earlier would be a bug of
    /// the caller: debug builds panic, release builds take the event as due now.
    #[inline]
    pub fn push(&mut self, at: u64, item: T) {
        debug_assert!(at >= self.now, "an event is pushed for {at} us, but {} us was already popped", self.now);
        // Put together once, whichever way it goes: items are copied piece by piece.
        let entry = Entry { at: at.max(self.now), item };
        if entry.at > self.until {
            self.defer(entry);
        } else {
            self.insert(entry);
        }
    }

    /// Out of line, to keep the way to the front short.
    #[inline(never)]
    fn defer(&mut self, entry: Entry<T>) {
        self.wheel.put(entry);
    }

    /// An empty queue with room for `events` without allocating, as far as that is worth it.
    pub fn with_capacity(events: usize) -> Self {
        Self { front: Vec::with_capacity(events.min(DEPTH)), ..Self::new() }
    }

    /// Takes the next event, with its time.
    #[inline]
    pub fn pop(&mut self) -> Option<(u64, T)> {
        if !self.crowd.is_empty() {
            return self.pop_crowded();
        }
        if self.front.is_empty() {
            self.refill();
        }
        let Entry { at, item } = self.front.pop()?;
        self.now = at;
        Some((at, item))
    }

    /// Takes the next event if it is due by `limit`.
    #[inline]
    pub fn pop_until(&mut self, limit: u64) -> Option<(u64, T)> {
        match self.front.last() {
            // The common case: there is no crowd, and the front knows.
            Some(entry) if self.crowd.is_empty() => (entry.at <= limit).then(|| self.pop())?,
            _ => (self.next_at()? <= limit).then(|| self.pop())?,
        }
    }

    /// The time of the next event.
    #[inline]
    pub fn next_at(&self) -> Option<u64> {
        match self.front.last() {
            Some(entry) => Some(entry.at),
            None if !self.crowd.is_empty() => Some(self.now),
            None => self.wheel.lowest().map(|b| self.wheel.buckets[b].earliest),
        }
    }

    /// How many events are pending. Counts, so not for every step.
    pub fn len(&self) -> usize {
        self.front.len() + self.crowd.len() + self.wheel.buckets.iter().map(|bucket| bucket.len).sum::<usize>()
    }

    /// Whether nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.next_at().is_none()
    }

    /// Forgets all events and goes back to time 0, keeping the memory for the next run.
    pub fn clear(&mut self) {
        self.front.clear();
        self.wheel.clear();
        self.crowd.clear();
        (self.now, self.until) = (0, u64::MAX);
    }

    /// Puts an entry due by `until` in its place.
    #[inline]
    fn insert(&mut self, entry: Entry<T>) {
        let len = self.front.len();
        if !self.crowd.is_empty() || (len >= DEPTH && self.front[len - DEPTH].precedes(&entry)) {
            return self.insert_deep(entry);
        }
        // One loop that seeks and shifts: how far it goes can't be predicted, and should be mispredicted only once.
        self.front.push(entry);
        let mut sooner = self.front.iter_mut().rev();
        let Some(mut gap) = sooner.next() else { return };
        for queued in sooner {
            if !queued.precedes(&entry) {
                break;
            }
            *gap = *queued;
            gap = queued;
        }
        *gap = entry;
    }

    /// Inserting far from the soon end would shift too many entries, so the front is shortened first.
    #[cold]
    fn insert_deep(&mut self, entry: Entry<T>) {
        let last = self.front.iter().rev().nth(DEPTH / 2).map_or(self.now, |kept| kept.at);
        let later = self.front.partition_point(|queued| queued.at > last);
        if later > 0 || entry.at > last {
            self.spill(later);
            self.until = last;
        } else if last > self.now {
            // A single instant makes up most of the front. Nothing of it was popped yet, so all of it can go.
            self.spill(self.front.partition_point(|queued| queued.at == last));
            self.until = last - 1;
        } else {
            // All are due now: there is no later instant to cut at.
            self.until = self.now;
            self.crowd.insert((entry.item.rank(), self.arrivals), entry.item);
            self.arrivals += 1;
            return;
        }
        self.push(entry.at, entry.item);
    }

    /// Moves the `count` latest entries of the front to the wheel; of a tie, the first in goes first.
    fn spill(&mut self, count: usize) {
        for i in (0..count).rev() {
            self.wheel.put(self.front[i]);
        }
        self.front.drain(..count);
    }

    /// Whatever is in the front was there before the crowd came, so it goes first among equal ranks.
    #[cold]
    fn pop_crowded(&mut self) -> Option<(u64, T)> {
        let first = self.crowd.first_entry()?;
        let item = match self.front.last() {
            Some(queued) if queued.item.rank() <= first.key().0 => self.front.pop()?.item,
            _ => first.remove(),
        };
        Some((self.now, item))
    }

    /// Fills the empty front with the earliest entries of the wheel, if there are any. Only a pop may do this: the
    /// wheel's base moves up to the first of them, and nothing may be pushed before the base.
    #[cold]
    fn refill(&mut self) {
        self.until = u64::MAX;
        if let Some(b) = self.wheel.lowest() {
            self.wheel.scatter(b);
        }
        while let Some(b) = self.wheel.lowest() {
            let Bucket { earliest, len, .. } = self.wheel.buckets[b];
            let taken = self.front.len();
            if taken > 0 && (len > SORTABLE || taken + len > DEPTH) {
                self.until = earliest - 1;
                break;
            }
            self.wheel.drain(b, &mut self.front);
            self.front[taken..].sort_by_key(Entry::key);
        }
        self.front.reverse();
    }
}

impl<T: Ranked> Default for Queue<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[derive(Clone, Copy)]
struct Entry<T> {
    at: u64,
    item: T,
}

impl<T: Ranked> Entry<T> {
    /// Whether this leaves before `other`, which was pushed later.
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        self.at < other.at || (self.at == other.at && self.item.rank() <= other.item.rank())
    }

    /// One number that orders like time and rank, for a sort without branches.
    #[inline]
    fn key(&self) -> u128 {
        u128::from(self.at) << 64 | u128::from(self.item.rank())
    }
}

/// Entries in the order they came. The earliest time is kept so that peeking need not search.
#[derive(Clone, Copy)]
struct Bucket {
    earliest: u64,
    len: usize,
    first: usize,
    last: usize,
}

impl Bucket {
    const EMPTY: Self = Self { earliest: u64::MAX, len: 0, first: NO_CHUNK, last: NO_CHUNK };
}

#[derive(Clone)]
struct Chunk<T> {
    entries: [Entry<T>; CHUNK],
    next: usize,
}

/// Entries by the highest digit in which their time differs from `base`, then by that digit. Buckets of lower number
/// are earlier, and those of the lowest digit hold a single instant each.
#[derive(Clone)]
struct Wheel<T> {
    /// No later than anything in the wheel, nor than anything that can still be pushed.
    base: u64,
    /// None until the first entry: most queues never need them.
    buckets: Vec<Bucket>,
    /// One bit for each bucket that holds something.
    occupied: [u64; BUCKETS.div_ceil(64)],
    chunks: Vec<Chunk<T>>,
    /// The first of a chain of unused chunks.
    free: usize,
}

impl<T: Copy> Wheel<T> {
    const fn new() -> Self {
        let occupied = [0; BUCKETS.div_ceil(64)];
        Self { base: 0, buckets: Vec::new(), occupied, chunks: Vec::new(), free: NO_CHUNK }
    }

    /// Inlined for a quarter of the time at 100,000 pending: an entry handed over through memory is written in halves
    /// and read whole, which the processor waits for.
    #[inline(always)]
    fn put(&mut self, entry: Entry<T>) {
        let level = ((entry.at ^ self.base) | 1).ilog2() / DIGIT;
        let b = level as usize * SLOTS + (entry.at >> (level * DIGIT)) as usize % SLOTS;
        if self.buckets.get(b).is_none_or(|bucket| bucket.len.is_multiple_of(CHUNK)) {
            self.extend(b, entry.item);
        }
        let bucket = &mut self.buckets[b];
        self.chunks[bucket.last].entries[bucket.len % CHUNK] = entry;
        bucket.len += 1;
        bucket.earliest = bucket.earliest.min(entry.at);
    }

    /// Appends a chunk to bucket `b`; `filler` is anything.
    #[inline(never)]
    fn extend(&mut self, b: usize, filler: T) {
        if self.buckets.is_empty() {
            self.buckets = vec![Bucket::EMPTY; BUCKETS];
        }
        if self.free == NO_CHUNK {
            self.free = self.chunks.len();
            self.chunks.push(Chunk { entries: [Entry { at: 0, item: filler }; CHUNK], next: NO_CHUNK });
        }
        let chunk = self.free;
        self.free = self.chunks[chunk].next;
        let bucket = &mut self.buckets[b];
        if bucket.len == 0 {
            bucket.first = chunk;
            self.occupied[b / 64] |= 1 << (b % 64);
        } else {
            self.chunks[bucket.last].next = chunk;
        }
        bucket.last = chunk;
    }

    /// The bucket with the earliest entries.
    #[inline]
    fn lowest(&self) -> Option<usize> {
        let word = self.occupied.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.occupied[word].trailing_zeros() as usize)
    }

    /// Moves the entries of the lowest bucket to finer ones, if it is worth it.
    fn scatter(&mut self, b: usize) {
        if b < SLOTS || self.buckets[b].len <= SORTABLE {
            return;
        }
        let mut bucket = self.take(b);
        self.base = bucket.earliest;
        while bucket.len > 0 {
            let count = bucket.len.min(CHUNK);
            for i in 0..count {
                self.put(self.chunks[bucket.first].entries[i]);
            }
            self.drop_chunk(&mut bucket, count);
        }
    }

    /// Moves the entries of bucket `b` to the end of `front`.
    fn drain(&mut self, b: usize, front: &mut Vec<Entry<T>>) {
        let mut bucket = self.take(b);
        while bucket.len > 0 {
            let count = bucket.len.min(CHUNK);
            front.extend_from_slice(&self.chunks[bucket.first].entries[..count]);
            self.drop_chunk(&mut bucket, count);
        }
    }

    fn take(&mut self, b: usize) -> Bucket {
        self.occupied[b / 64] &= !(1 << (b % 64));
        std::mem::replace(&mut self.buckets[b], Bucket::EMPTY)
    }

    /// Frees the first chunk of a bucket that was taken, and forgets the `count` entries in it.
    fn drop_chunk(&mut self, bucket: &mut Bucket, count: usize) {
        bucket.len -= count;
        let next = std::mem::replace(&mut self.chunks[bucket.first].next, self.free);
        self.free = std::mem::replace(&mut bucket.first, next);
    }

    fn clear(&mut self) {
        while let Some(b) = self.lowest() {
            self.take(b);
        }
        self.chunks.clear();
        (self.base, self.free) = (0, NO_CHUNK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Event {
        rank: u64,
        seq: u64,
    }

    impl Ranked for Event {
        fn rank(&self) -> u64 {
            self.rank
        }
    }

    struct Random(u64);

    impl Random {
        /// Splitmix64, below `n`.
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (z ^ (z >> 31)) % n
        }
    }

    /// A queue beside a model of it, which sorts by time, rank and order of pushing and so needs no argument.
    #[derive(Default)]
    struct Pair {
        queue: Queue<Event>,
        model: BTreeMap<(u64, u64, u64), Event>,
        seq: u64,
        now: u64,
    }

    impl Pair {
        fn push(&mut self, at: u64, rank: u64) {
            let event = Event { rank, seq: self.seq };
            self.seq += 1;
            self.queue.push(at, event);
            self.model.insert((at, rank, event.seq), event);
        }

        fn pop(&mut self) -> bool {
            assert_eq!(self.queue.next_at(), self.model.keys().next().map(|key| key.0));
            let expected = self.model.pop_first().map(|((at, ..), event)| (at, event));
            assert_eq!(self.queue.pop(), expected);
            self.now = expected.map_or(self.now, |(at, _)| at);
            expected.is_some()
        }

        fn clear(&mut self) {
            self.queue.clear();
            self.model.clear();
            self.now = 0;
        }

        fn check(&self) {
            assert_eq!(self.queue.len(), self.model.len());
            assert_eq!(self.queue.is_empty(), self.model.is_empty());
        }
    }

    #[test]
    fn agrees_with_a_sorted_map() {
        let (mut pair, mut crowds, mut wheels) = (Pair::default(), 0, 0);
        for seed in 0..150 {
            let mut random = Random(seed);
            let ranks = [1, 3, 1000][random.below(3) as usize];
            let horizon = [4, 300, 100_000, 60_000_000, u64::MAX / 4][random.below(5) as usize];
            let burst = [1, 2, 40, 300][random.below(4) as usize];
            for _ in 0..400 {
                let at = match random.below(4) {
                    0 => pair.now,
                    1 => pair.now + 50_000,
                    _ => pair.now + random.below(horizon),
                };
                for _ in 0..random.below(burst) {
                    // Half of the schedules have bursts that hit one instant.
                    let at = if seed % 2 == 0 { at } else { at + random.below(horizon) % 1000 };
                    pair.push(at.min(u64::MAX / 2).max(pair.now), random.below(ranks));
                }
                for _ in 0..random.below(burst + 1) {
                    pair.pop();
                }
                crowds += usize::from(!pair.queue.crowd.is_empty());
                wheels += usize::from(pair.queue.wheel.lowest().is_some());
            }
            pair.check();
            if seed % 3 > 0 {
                while pair.pop() {}
                pair.check();
            }
            pair.clear();
            pair.check();
        }
        assert!(crowds > 300 && wheels > 300, "the schedules met {crowds} crowds and {wheels} wheels in use");
    }

    #[test]
    fn ties_are_first_in_first_out_across_front_and_wheel() {
        let mut pair = Pair::default();
        // The tie at 1000 is spilled from the front, joined by others in the wheel, fetched back and joined again.
        for _ in 0..40 {
            pair.push(1000, 7);
        }
        for at in 0..2 * DEPTH as u64 {
            pair.push(at, 0);
        }
        assert!(pair.queue.until < 1000);
        for at in [1000, 1001, 1000] {
            (0..40).for_each(|_| pair.push(at, 7));
        }
        while pair.now < 1000 {
            pair.pop();
        }
        for rank in [7, 6, 8, 7, 6] {
            pair.push(1000, rank);
        }
        while pair.pop() {}
    }

    #[test]
    fn a_push_for_this_instant_takes_its_rank_place() {
        // So few that they are inserted, and so many that they crowd.
        for many in [3, 5000] {
            let mut pair = Pair::default();
            (0..many).for_each(|rank| pair.push(9, 2 * rank));
            for step in 0..2 * many {
                pair.pop();
                pair.push(9, step * 7 % (2 * many));
                pair.push(10 + step % 3, 0);
            }
            while pair.pop() {}
        }
    }

    #[test]
    fn the_ends_of_time_are_ordinary() {
        let mut pair = Pair::default();
        for at in [u64::MAX, 0, u64::MAX - 1, 1 << 63, u64::MAX] {
            (0..50).for_each(|rank| pair.push(at, rank % 5));
        }
        while pair.pop() {}
        (0..200).for_each(|rank| pair.push(u64::MAX, rank % 5));
        while pair.pop() {}
    }

    #[test]
    #[cfg_attr(debug_assertions, should_panic(expected = "already popped"))]
    fn a_push_into_the_past_is_due_now() {
        let mut queue = Queue::new();
        queue.push(10, Event { rank: 0, seq: 0 });
        queue.pop();
        queue.push(9, Event { rank: 0, seq: 1 });
        assert_eq!(queue.pop(), Some((10, Event { rank: 0, seq: 1 })));
    }
}
