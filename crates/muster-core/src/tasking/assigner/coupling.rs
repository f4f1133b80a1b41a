//! Which times and headings of two tasks go together, and what is cheapest on the other side.

use super::problem::Problem;

/// All constraints on one pair of tasks, `a < b`.
#[derive(Clone, Debug)]
pub struct Coupling {
    pub a: usize,
    pub b: usize,
    /// Which times of `a` go with each time of `b`, and the other way round.
    windows: [Vec<Window>; 2],
    /// For each heading of one task which headings of the other go with it; empty if all do.
    headings: Vec<Vec<usize>>,
    /// How many halvings the widest window needs.
    levels: usize,
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
    /// The couplings of a problem, one per pair however many constraints there are on it.
    pub fn all(problem: &Problem) -> Vec<Self> {
        let mut pairs: Vec<(usize, usize)> =
            problem.constraints().iter().map(|constraint| ordered(constraint.a, constraint.b)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs.into_iter().map(|(a, b)| Self::new(problem, a, b)).collect()
    }

    fn new(problem: &Problem, a: usize, b: usize) -> Self {
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
        let window = |low: i128, high: i128| {
            let first = times.partition_point(|&time| i128::from(time) < low);
            let end = times.partition_point(|&time| i128::from(time) <= high);
            if first >= end {
                return Window { level: EMPTY, first: 0, second: 0 };
            }
            let level = (end - first).ilog2() as usize;
            Window { level, first, second: end - (1 << level) }
        };
        // t_a between t_b - most and t_b - least; t_b between t_a + least and t_a + most.
        let of_a =
            times.iter().map(|&t| window(i128::from(t).saturating_sub(most), i128::from(t).saturating_sub(least)));
        let of_b =
            times.iter().map(|&t| window(i128::from(t).saturating_add(least), i128::from(t).saturating_add(most)));
        let windows = [of_a.collect::<Vec<_>>(), of_b.collect::<Vec<_>>()];
        let level = |window: &Window| if window.level == EMPTY { 0 } else { window.level };
        let levels = windows.iter().flatten().map(level).max().unwrap_or(0);
        let count = problem.headings().len();
        let mut headings: Vec<Vec<usize>> = (0..count)
            .map(|h| (0..count).filter(|&g| (narrowest..=widest).contains(&problem.angle(h, g))).collect())
            .collect();
        if headings.iter().all(|row| row.len() == count) {
            headings.clear();
        }
        Self { a, b, windows, headings, levels }
    }

    /// The other task.
    pub fn other(&self, task: usize) -> usize {
        if task == self.a { self.b } else { self.a }
    }

    /// For each state of `task` the least value of a state of the other task that goes with it; infinite if none does.
    ///
    /// States are listed by heading, then time. Taking minima over runs of times makes this cost states times headings
    /// and not states squared.
    pub fn cheapest(&self, task: usize, values: &[f64], scratch: &mut Scratch, out: &mut [f64]) {
        let windows = &self.windows[usize::from(task == self.a)];
        let times = windows.len();
        if self.headings.is_empty() {
            // Every heading goes with every other: one row stands for all.
            let rows = &mut scratch.rows;
            rows.clear();
            rows.extend_from_slice(&values[..times]);
            for row in values[times..].chunks_exact(times) {
                lower(rows, row);
            }
            let (first, rest) = out.split_at_mut(times);
            self.within(windows, rows, &mut scratch.runs, first);
            for row in rest.chunks_exact_mut(times) {
                row.copy_from_slice(first);
            }
            return;
        }
        scratch.rows.resize(values.len(), 0.0);
        for (row, into) in values.chunks_exact(times).zip(scratch.rows.chunks_exact_mut(times)) {
            self.within(windows, row, &mut scratch.runs, into);
        }
        for (headings, out) in self.headings.iter().zip(out.chunks_exact_mut(times)) {
            out.fill(f64::INFINITY);
            for &heading in headings {
                lower(out, &scratch.rows[heading * times..(heading + 1) * times]);
            }
        }
    }

    /// The least value within each window.
    fn within(&self, windows: &[Window], row: &[f64], runs: &mut Vec<f64>, out: &mut [f64]) {
        let times = row.len();
        runs.clear();
        runs.extend_from_slice(row);
        for level in 0..self.levels {
            let half = 1 << level;
            for time in 0..times {
                // Runs that would go beyond the last time are never asked for.
                let second = (time + half).min(times - 1);
                let (a, b) = (runs[level * times + time], runs[level * times + second]);
                runs.push(if a < b { a } else { b });
            }
        }
        for (window, out) in windows.iter().zip(out) {
            *out = if window.level == EMPTY {
                f64::INFINITY
            } else {
                let run = &runs[window.level * times..];
                let (a, b) = (run[window.first], run[window.second]);
                if a < b { a } else { b }
            };
        }
    }

    /// Whether two states go together.
    pub fn allows(&self, a: usize, b: usize) -> bool {
        let times = self.windows[0].len();
        let window = self.windows[1][a % times];
        let within =
            window.level != EMPTY && (window.first..window.second + (1 << window.level)).contains(&(b % times));
        within && (self.headings.is_empty() || self.headings[a / times].contains(&(b / times)))
    }
}

fn lower(into: &mut [f64], by: &[f64]) {
    for (into, &by) in into.iter_mut().zip(by) {
        *into = if by < *into { by } else { *into };
    }
}

fn ordered(a: usize, b: usize) -> (usize, usize) {
    if a < b { (a, b) } else { (b, a) }
}
