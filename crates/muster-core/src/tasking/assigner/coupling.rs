//! Which times and headings of two tasks go together, and what is cheapest on the other side.

use super::problem::Problem;

/// All constraints on one pair of tasks, `a < b`.
#[derive(Clone, Debug)]
pub struct Coupling {
    pub a: usize,
    pub b: usize,
    pub on: On,
    /// Which times of `a` go with each time of `b`, and the other way round.
    windows: [Vec<Window>; 2],
    /// For each heading of one task which headings of the other go with it.
    headings: Vec<Vec<usize>>,
    /// How many halvings the widest window needs.
    levels: usize,
    /// The least angle between the headings.
    pub apart: i64,
    /// Whether that angle is all there is to it.
    pub only_apart: bool,
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
    /// The couplings of a problem, one per pair however many constraints there are on it; none that allows everything.
    pub fn all(problem: &Problem) -> Vec<Self> {
        let mut pairs: Vec<(usize, usize)> =
            problem.constraints().iter().map(|constraint| ordered(constraint.a, constraint.b)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs.into_iter().filter_map(|(a, b)| Self::new(problem, a, b)).collect()
    }

    fn new(problem: &Problem, a: usize, b: usize) -> Option<Self> {
        let (mut least, mut most) = (i128::MIN, i128::MAX);
        let (mut narrowest, mut widest) = (0, i64::MAX);
        for constraint in problem.constraints() {
            if ordered(constraint.a, constraint.b) != (a, b) {
                continue;
            }
            let (low, high) = (constraint.dt_min.map(i128::from), constraint.dt_max.map(i128::from));
            let (low, high) = if constraint.a == a { (low, high) } else { (high.map(|dt| -dt), low.map(|dt| -dt)) };
            least = least.max(low.unwrap_or(i128::MIN));
            most = most.min(high.unwrap_or(i128::MAX));
            narrowest = narrowest.max(constraint.dh_min);
            widest = widest.min(constraint.dh_max);
        }
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
        let of_a: Vec<Window> =
            times.iter().map(|&t| window(t, most.saturating_neg(), least.saturating_neg())).collect();
        let of_b: Vec<Window> = times.iter().map(|&t| window(t, least, most)).collect();
        let timed = of_b.iter().any(|window| window.len() < times.len());
        let levels = of_a.iter().chain(&of_b).filter(|window| window.level != EMPTY).map(|window| window.level).max();
        let count = problem.headings().len();
        let with =
            |h: usize| (0..count).filter(move |&g| (narrowest..=widest).contains(&problem.angle(h, g))).collect();
        let headings: Vec<Vec<usize>> = (0..count).map(with).collect();
        let turned = headings.iter().any(|row| row.len() < count);
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
            only_apart: wide && !timed,
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
        let windows = &self.windows[usize::from(task == self.a)];
        let times = windows.len();
        match self.on {
            On::Times => self.within(windows, values, &mut scratch.runs, out),
            On::Headings => {
                for (headings, out) in self.headings.iter().zip(out) {
                    *out = headings.iter().fold(f64::INFINITY, |least, &heading| lesser(values[heading], least));
                }
            }
            On::Both => {
                scratch.rows.resize(values.len(), 0.0);
                for (row, into) in values.chunks_exact(times).zip(scratch.rows.chunks_exact_mut(times)) {
                    self.within(windows, row, &mut scratch.runs, into);
                }
                for (headings, out) in self.headings.iter().zip(out.chunks_exact_mut(times)) {
                    out.fill(f64::INFINITY);
                    for &heading in headings {
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

    /// Whether a time and heading of `a` go with those of `b`.
    pub fn allows(&self, a: (usize, usize), b: (usize, usize)) -> bool {
        let window = self.windows[1][a.0];
        (window.first..window.first + window.len()).contains(&b.0) && self.headings[a.1].contains(&b.1)
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

fn ordered(a: usize, b: usize) -> (usize, usize) {
    if a < b { (a, b) } else { (b, a) }
}
