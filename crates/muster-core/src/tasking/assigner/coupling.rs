//! Which times and headings of two tasks go together, and what is cheapest on the other side.

use super::pair::Pair;
use super::problem::{Problem, Turn};

/// All constraints on one pair of tasks, `a < b`; or that one vehicle does `a` and then `b`.
#[derive(Clone, Debug)]
pub struct Coupling {
    pub a: usize,
    pub b: usize,
    pub on: On,
    /// Which times of `a` go with each time of `b`, and the other way round.
    windows: [Vec<Window>; 2],
    /// Which headings of `a` go with each heading of `b`, and the other way round.
    headings: [Vec<Vec<usize>>; 2],
    /// How many halvings the widest window needs.
    levels: usize,
    /// The least angle between the headings.
    pub apart: i64,
    /// Whether that angle is all there is to it.
    pub only_apart: bool,
    /// Which times go together depends on both headings; there are no windows then.
    coming_round: Option<ComingRound>,
}

/// One vehicle does `a` and then `b`: how soon it can be back depends on both headings.
#[derive(Clone, Debug)]
struct ComingRound {
    times: usize,
    /// By heading of `a`, heading of `b` and time of `a`: the first time of `b` that is late enough.
    first: Vec<usize>,
    /// By heading of `a`, heading of `b` and time of `b`: how many times of `a` are early enough.
    count: Vec<usize>,
    /// By heading of `a` and heading of `b`: what the two cost more.
    more: Vec<u64>,
}

/// What a coupling looks at.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum On {
    Times,
    Headings,
    Both,
}

/// A range of times, as the two runs of 2^level times whose union it is; empty if `level` is [`EMPTY`].
#[derive(Copy, Clone, Debug)]
struct Window {
    level: usize,
    first: usize,
    second: usize,
}

const EMPTY: usize = usize::MAX;

/// Memory for [`Coupling::cheapest`].
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Minima of runs of 2^level times.
    runs: Vec<f64>,
    rows: Vec<f64>,
}

impl Coupling {
    /// The couplings of a problem, none that allows everything.
    pub fn all(problem: &Problem) -> Vec<Self> {
        let pairs = Pair::all(problem).into_iter().filter_map(|((a, b), pair)| Self::new(problem, a, b, pair));
        pairs.chain(problem.turns().iter().map(|turn| Self::turned(problem, turn))).collect()
    }

    fn turned(problem: &Problem, turn: &Turn) -> Self {
        let times = problem.times();
        let mut coming_round =
            ComingRound { times: times.len(), first: Vec::new(), count: Vec::new(), more: turn.more.clone() };
        for &least in &turn.least {
            let soonest = |time: i64| i128::from(time) + i128::from(least);
            // Both rise with the time, so each is looked for from where the last one was.
            let (mut first, mut count) = (0, 0);
            for &time in times {
                first += times[first..].iter().take_while(|&&b| i128::from(b) < soonest(time)).count();
                count += times[count..].iter().take_while(|&&a| soonest(a) <= i128::from(time)).count();
                coming_round.first.push(first);
                coming_round.count.push(count);
            }
        }
        Self {
            a: turn.a,
            b: turn.b,
            on: On::Both,
            windows: [Vec::new(), Vec::new()],
            headings: [Vec::new(), Vec::new()],
            levels: 0,
            apart: 0,
            only_apart: false,
            coming_round: Some(coming_round),
        }
    }

    fn new(problem: &Problem, a: usize, b: usize, pair: Pair) -> Option<Self> {
        let Pair { least, most, narrowest, widest, in_order } = pair;
        let times = problem.times();
        // The times between those that are `before` and `after` a time away from it.
        let window = |time: i64, before: i128, after: i128| {
            let (low, high) = (i128::from(time).saturating_add(before), i128::from(time).saturating_add(after));
            let first = times.partition_point(|&time| i128::from(time) < low);
            let end = times.partition_point(|&time| i128::from(time) <= high);
            if first >= end {
                return Window { level: EMPTY, first: 0, second: 0 };
            }
            let level = (end - first).ilog2() as usize;
            Window { level, first, second: end - (1 << level) }
        };
        let of_a: Vec<Window> = times.iter().map(|&t| window(t, -most, -least)).collect();
        let of_b: Vec<Window> = times.iter().map(|&t| window(t, least, most)).collect();
        let timed = of_b.iter().any(|window| window.len() < times.len());
        let levels = of_a.iter().chain(&of_b).filter(|window| window.level != EMPTY).map(|window| window.level).max();
        let count = problem.headings().len();
        let goes = |a: usize, b: usize| (narrowest..=widest).contains(&problem.angle(a, b)) && (!in_order || a <= b);
        let of_a_headings = |b: usize| (0..count).filter(|&a| goes(a, b)).collect::<Vec<_>>();
        let of_b_headings = |a: usize| (0..count).filter(|&b| goes(a, b)).collect::<Vec<_>>();
        let headings = [(0..count).map(of_a_headings).collect(), (0..count).map(of_b_headings).collect::<Vec<_>>()];
        let turned = headings[1].iter().any(|row| row.len() < count);
        let on = match (timed, turned) {
            (true, false) => On::Times,
            (false, true) => On::Headings,
            (true, true) => On::Both,
            (false, false) => return None,
        };
        let wide = (0..count).all(|h| (0..count).all(|g| problem.angle(h, g) <= widest));
        Some(Self {
            a,
            b,
            on,
            windows: [of_a, of_b],
            headings,
            levels: levels.unwrap_or(0),
            apart: narrowest,
            only_apart: wide && !timed && !in_order,
            coming_round: None,
        })
    }

    /// The other task.
    pub fn other(&self, task: usize) -> usize {
        if task == self.a { self.b } else { self.a }
    }

    /// For each value of `task` the least of those of the other task that go with it; infinite if none does.
    ///
    /// Values are listed by time, by heading, or by heading and then time, as [`On`] says. Taking minima over runs of
    /// times makes this cost states times headings and not states squared.
    pub fn cheapest(&self, task: usize, values: &[f64], scratch: &mut Scratch, out: &mut [f64]) {
        if let Some(coming_round) = &self.coming_round {
            return coming_round.cheapest(task == self.a, values, &mut scratch.rows, out);
        }
        let to_a = usize::from(task == self.a);
        let (windows, headings) = (&self.windows[to_a], &self.headings[to_a]);
        let times = windows.len();
        match self.on {
            On::Times => self.within(windows, values, &mut scratch.runs, out),
            On::Headings => {
                for (with, out) in headings.iter().zip(out) {
                    *out = with.iter().fold(f64::INFINITY, |least, &heading| lesser(values[heading], least));
                }
            }
            On::Both => {
                scratch.rows.resize(values.len(), 0.0);
                for (row, into) in values.chunks_exact(times).zip(scratch.rows.chunks_exact_mut(times)) {
                    self.within(windows, row, &mut scratch.runs, into);
                }
                for (with, out) in headings.iter().zip(out.chunks_exact_mut(times)) {
                    out.fill(f64::INFINITY);
                    for &heading in with {
                        let row = &scratch.rows[heading * times..(heading + 1) * times];
                        for (out, &value) in out.iter_mut().zip(row) {
                            *out = lesser(value, *out);
                        }
                    }
                }
            }
        }
    }

    /// The least value within each window.
    fn within(&self, windows: &[Window], row: &[f64], runs: &mut Vec<f64>, out: &mut [f64]) {
        let times = row.len();
        runs.resize((self.levels + 1) * times, 0.0);
        runs[..times].copy_from_slice(row);
        for level in 0..self.levels {
            let half = 1 << level;
            let (shorter, longer) = runs.split_at_mut((level + 1) * times);
            let shorter = &shorter[level * times..];
            // Runs that would go beyond the last time are never asked for.
            for ((longer, &a), &b) in longer.iter_mut().zip(shorter).zip(&shorter[half.min(times)..]) {
                *longer = lesser(a, b);
            }
        }
        for (window, out) in windows.iter().zip(out) {
            *out = if window.level == EMPTY {
                f64::INFINITY
            } else {
                let run = &runs[window.level * times..];
                lesser(run[window.first], run[window.second])
            };
        }
    }

    /// What the two tasks cost more on these headings.
    pub fn more(&self, a: usize, b: usize) -> u64 {
        self.coming_round.as_ref().map_or(0, |coming_round| coming_round.more[a * coming_round.headings() + b])
    }

    /// Whether a time and heading of `a` go with those of `b`.
    pub fn allows(&self, a: (usize, usize), b: (usize, usize)) -> bool {
        if let Some(coming_round) = &self.coming_round {
            return coming_round.first_after(a, b.1) <= b.0;
        }
        let window = self.windows[1][a.0];
        (window.first..window.first + window.len()).contains(&b.0) && self.headings[1][a.1].contains(&b.1)
    }
}

impl ComingRound {
    fn headings(&self) -> usize {
        self.more.len().isqrt()
    }

    /// The first time of `b` on a heading that is late enough after a time and heading of `a`.
    fn first_after(&self, (time, heading): (usize, usize), then: usize) -> usize {
        self.first[(heading * self.headings() + then) * self.times + time]
    }

    /// See [`Coupling::cheapest`]: what is cheapest before, or after, depends on one bound of the time only.
    fn cheapest(&self, of_a: bool, values: &[f64], rows: &mut Vec<f64>, out: &mut [f64]) {
        let (times, headings) = (self.times, self.headings());
        // The least up to each time, or from each time on.
        rows.clear();
        rows.extend_from_slice(values);
        for row in rows.chunks_exact_mut(times) {
            for step in 1..times {
                let (at, before) = if of_a { (times - 1 - step, times - step) } else { (step, step - 1) };
                row[at] = lesser(row[before], row[at]);
            }
        }
        out.fill(f64::INFINITY);
        for own in 0..headings {
            for other in 0..headings {
                let (a, b) = if of_a { (own, other) } else { (other, own) };
                let bounds = (a * headings + b) * times..(a * headings + b + 1) * times;
                let more = self.more[a * headings + b] as f64;
                let row = &rows[other * times..(other + 1) * times];
                let out = &mut out[own * times..(own + 1) * times];
                if of_a {
                    for (out, &first) in out.iter_mut().zip(&self.first[bounds]) {
                        *out = row.get(first).map_or(*out, |&least| lesser(least + more, *out));
                    }
                } else {
                    for (out, &count) in out.iter_mut().zip(&self.count[bounds]) {
                        *out = count.checked_sub(1).map_or(*out, |last| lesser(row[last] + more, *out));
                    }
                }
            }
        }
    }
}

impl Window {
    fn len(&self) -> usize {
        if self.level == EMPTY { 0 } else { self.second + (1 << self.level) - self.first }
    }
}

/// `f64::min` would look for what is no number.
#[inline(always)]
pub fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
