//! The event queue against the standard binary heap, held at a constant number of pending events.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use muster_core::RobotId;
use muster_core::rng::{Purpose, Stream};
use muster_sim::queue::{Queue, Ranked};

use crate::table::{Bound, Stopwatch, none, row, turns};

const ROUNDS: usize = 61;
const STEPS: usize = 100_000;

#[derive(Clone, Copy, PartialEq, Eq)]
struct Event {
    rank: u64,
    number: u64,
}

impl Ranked for Event {
    #[inline]
    fn rank(&self) -> u64 {
        self.rank
    }
}

/// The leanest entry of a heap that still keeps ties first in, first out. It does without ranks, which the queue
/// honours, so the comparison favours the heap.
struct Entry {
    at: u64,
    sequence: u64,
    event: Event,
}

impl Ord for Entry {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.sequence).cmp(&(self.at, self.sequence))
    }
}

impl PartialOrd for Entry {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Entry {}

#[derive(Default)]
struct Heap {
    entries: BinaryHeap<Entry>,
    pushed: u64,
}

/// What both offer, so that one driver measures both.
trait Pending: Default {
    fn push(&mut self, at: u64, event: Event);
    fn pop(&mut self) -> Option<(u64, Event)>;
}

impl Pending for Heap {
    #[inline]
    fn push(&mut self, at: u64, event: Event) {
        self.entries.push(Entry { at, sequence: self.pushed, event });
        self.pushed += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<(u64, Event)> {
        self.entries.pop().map(|entry| (entry.at, entry.event))
    }
}

impl Pending for Queue<Event> {
    #[inline]
    fn push(&mut self, at: u64, event: Event) {
        Queue::push(self, at, event);
    }

    #[inline]
    fn pop(&mut self) -> Option<(u64, Event)> {
        Queue::pop(self)
    }
}

/// Microseconds ahead that recruitment asks for: 60 % deliveries (50 ms; with jitter, 25 to 75 ms), 20 % the pause
/// between two calls, 15 % drives and leases of 10 to 60 s, 5 % at once. Drawn beforehand, so that drawing is not
/// measured.
fn delays(jitter: bool) -> Vec<u32> {
    let mut random = Stream::new(7, Purpose::Radio, RobotId(0));
    let delay = |_| match random.below(100) {
        0..60 if jitter => 25_000 + random.below(50_000),
        0..60 => 50_000,
        60..80 => 5_000_000,
        80..95 => 10_000_000 + random.below(50_000_000),
        _ => 0,
    };
    (0..8192).map(delay).collect()
}

struct Hold<P> {
    pending: P,
    steps: usize,
}

impl<P: Pending> Hold<P> {
    /// `ranks`: how many different ones there are.
    fn new(size: usize, ranks: u32) -> Self {
        let mut pending = P::default();
        let mut random = Stream::new(11, Purpose::Radio, RobotId(0));
        for number in 0..size as u64 {
            let at = u64::from(random.below(60_000_000));
            pending.push(at, Event { rank: u64::from(random.below(ranks)), number });
        }
        Self { pending, steps: 0 }
    }

    /// Takes the next event and queues it again.
    #[inline(always)]
    fn step(&mut self, delays: &[u32]) -> (u64, Event) {
        let (now, event) = self.pending.pop().expect("held at a constant size");
        let delay = delays[self.steps % delays.len()];
        self.steps += 1;
        self.pending.push(now + u64::from(delay), event);
        (now, event)
    }

    /// Nanoseconds a step.
    #[inline(never)]
    fn run(&mut self, delays: &[u32], steps: usize) -> f64 {
        let start = Stopwatch::start();
        for _ in 0..steps {
            self.step(delays);
        }
        start.nanos() / steps as f64
    }
}

/// Steps compared at each size.
const CHECKED: usize = 500_000;

/// With one rank for all, both must give the same events in the same order, ties among them.
fn disagreements() -> usize {
    let delays = delays(false);
    let mut differing = 0;
    for size in [16, 1_000, 100_000] {
        let (mut heap, mut queue) = (Hold::<Heap>::new(size, 1), Hold::<Queue<Event>>::new(size, 1));
        differing += (0..CHECKED).filter(|_| heap.step(&delays) != queue.step(&delays)).count();
    }
    differing
}

pub fn measure() {
    let sizes = [(16, "16", 1.5), (1_000, "1,000", 2.0), (100_000, "100,000", 4.0), (1_000_000, "1,000,000", 8.0)];
    for (jitter, label) in [(false, ""), (true, ", jitter")] {
        let delays = delays(jitter);
        for (size, name, bound) in sizes {
            let (mut heap, mut queue) = (Hold::<Heap>::new(size, 1 << 24), Hold::<Queue<Event>>::new(size, 1 << 24));
            // Past the transient of the first deadlines.
            let settle = 4 * size + STEPS;
            heap.run(&delays, settle);
            queue.run(&delays, settle);
            let pair = turns(ROUNDS, || heap.run(&delays, STEPS), || queue.run(&delays, STEPS));
            let what = format!("BinaryHeap / event queue, {name} pending{label}");
            row(&what, pair.second, pair.first, pair.ratio, Bound::AtLeast(bound));
        }
    }
    none("events out of the heap's order, ties among them", disagreements(), 3 * CHECKED as u64);
}
