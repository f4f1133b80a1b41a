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
    /// The same as stretches of times whose windows move on with them.
    stretches: [Vec<Stretch>; 2],
    /// Which headings of `a` go with each heading of `b`, and the other way round.
    headings: [Vec<Vec<usize>>; 2],
    /// The same as runs around the circle, if they are.
    around: [Option<Vec<Window>>; 2],
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
    headings: usize,
    late_enough: LateEnough,
    /// By heading of `a` and heading of `b`: what the two cost more.
    more: Vec<u64>,
}

/// Which times of `b` are late enough after a time of `a`, by heading of `a` and then of `b`.
#[derive(Clone, Debug)]
enum LateEnough {
    /// Times lie evenly: all that are so many places later. Whole rows are compared then, not one time after the other.
    Places(Vec<isize>),
    /// They do not.
    Listed {
        /// Then by time of `a`: the first time of `b` that is late enough.
        first: Vec<usize>,
        /// Then by time of `b`: how many times of `a` are early enough.
        count: Vec<usize>,
    },
}

/// What a coupling looks at.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum On {
    Times,
    Headings,
    Both,
}

/// A range of times, as the two runs of 2^level times whose union it is; empty if `level` is [`EMPTY`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Window {
    level: usize,
    first: usize,
    second: usize,
}

const EMPTY: usize = usize::MAX;

/// Windows of times that follow each other, each of which is that of the one before, moved on by one. Their least values are
/// found row against row.
#[derive(Copy, Clone, Debug)]
struct Stretch {
    from: usize,
    len: usize,
    window: Window,
}

/// Memory for [`Coupling::cheapest`].
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Minima of runs of 2^level times.
    runs: Vec<f64>,
    rows: Vec<f64>,
    /// Minima of runs of 2^level headings, by heading and then time.
    around: Vec<f64>,
}

impl Coupling {
    /// The couplings of a problem, none that allows everything.
    pub fn all(problem: &Problem) -> Vec<Self> {
        let pairs = Pair::all(problem).into_iter().filter_map(|((a, b), pair)| Self::new(problem, a, b, pair));
        pairs.chain(problem.turns().iter().map(|turn| Self::turned(problem, turn))).collect()
    }

    fn turned(problem: &Problem, turn: &Turn) -> Self {
        let coming_round = ComingRound {
            times: problem.times().len(),
            headings: problem.headings().len(),
            late_enough: LateEnough::new(problem.times(), &turn.least),
            more: turn.more.clone(),
        };
        Self {
            a: turn.a,
            b: turn.b,
            on: On::Both,
            windows: [Vec::new(), Vec::new()],
            stretches: [Vec::new(), Vec::new()],
            headings: [Vec::new(), Vec::new()],
            around: [None, None],
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
            stretches: [Stretch::all(&of_a), Stretch::all(&of_b)],
            windows: [of_a, of_b],
            around: [runs_around(&headings[0]), runs_around(&headings[1])],
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
        let (stretches, headings) = (&self.stretches[to_a], &self.headings[to_a]);
        let times = self.windows[to_a].len();
        match self.on {
            On::Times => self.within(stretches, values, &mut scratch.runs, out),
            On::Headings => {
                for (with, out) in headings.iter().zip(out) {
                    *out = with.iter().fold(f64::INFINITY, |least, &heading| lesser(values[heading], least));
                }
            }
            On::Both => {
                scratch.rows.resize(values.len(), 0.0);
                for (row, into) in values.chunks_exact(times).zip(scratch.rows.chunks_exact_mut(times)) {
                    self.within(stretches, row, &mut scratch.runs, into);
                }
                if let Some(around) = &self.around[to_a] {
                    return least_around(around, times, &scratch.rows, &mut scratch.around, out);
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
    fn within(&self, stretches: &[Stretch], row: &[f64], runs: &mut Vec<f64>, out: &mut [f64]) {
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
        for &Stretch { from, len, window } in stretches {
            let out = &mut out[from..from + len];
            if window.level == EMPTY {
                out.fill(f64::INFINITY);
                continue;
            }
            let run = &runs[window.level * times..];
            let (first, second) = (&run[window.first..window.first + len], &run[window.second..window.second + len]);
            for ((out, &first), &second) in out.iter_mut().zip(first).zip(second) {
                *out = lesser(first, second);
            }
        }
    }

    /// What the two tasks cost more on these headings.
    pub fn more(&self, a: usize, b: usize) -> u64 {
        self.coming_round.as_ref().map_or(0, |coming_round| coming_round.more[a * coming_round.headings + b])
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

impl LateEnough {
    fn new(times: &[i64], least: &[i64]) -> Self {
        let mut steps = times.windows(2).map(|pair| pair[1].checked_sub(pair[0]));
        let step = steps.next().flatten().filter(|step| steps.all(|other| other == Some(*step)));
        if let Some(step) = step {
            let most = times.len() as i64;
            let places = |&least: &i64| {
                let (whole, rest) = (least.div_euclid(step), least.rem_euclid(step));
                (whole + i64::from(rest > 0)).clamp(-most, most) as isize
            };
            return Self::Places(least.iter().map(places).collect());
        }
        let (mut firsts, mut counts) = (Vec::new(), Vec::new());
        for &least in least {
            let soonest = |time: i64| i128::from(time) + i128::from(least);
            // Both rise with the time, so each is looked for from where the last one was.
            let (mut first, mut count) = (0, 0);
            for &time in times {
                first += times[first..].iter().take_while(|&&b| i128::from(b) < soonest(time)).count();
                count += times[count..].iter().take_while(|&&a| soonest(a) <= i128::from(time)).count();
                firsts.push(first);
                counts.push(count);
            }
        }
        Self::Listed { first: firsts, count: counts }
    }
}

impl ComingRound {
    /// The first time of `b` on a heading that is late enough after a time and heading of `a`.
    fn first_after(&self, (time, heading): (usize, usize), then: usize) -> usize {
        let pair = heading * self.headings + then;
        match &self.late_enough {
            LateEnough::Places(later) => time.saturating_add_signed(later[pair]).min(self.times),
            LateEnough::Listed { first, .. } => first[pair * self.times + time],
        }
    }

    /// See [`Coupling::cheapest`]: what is cheapest before, or after, depends on one bound of the time only.
    fn cheapest(&self, of_a: bool, values: &[f64], rows: &mut Vec<f64>, out: &mut [f64]) {
        let (times, headings) = (self.times, self.headings);
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
                let pair = if of_a { own * headings + other } else { other * headings + own };
                let bounds = pair * times..(pair + 1) * times;
                let more = self.more[pair] as f64;
                let row = &rows[other * times..(other + 1) * times];
                let out = &mut out[own * times..(own + 1) * times];
                match &self.late_enough {
                    LateEnough::Places(later) if of_a => least_after(later[pair], row, more, out),
                    LateEnough::Places(later) => least_before(later[pair], row, more, out),
                    LateEnough::Listed { first, .. } if of_a => {
                        for (out, &first) in out.iter_mut().zip(&first[bounds]) {
                            *out = row.get(first).map_or(*out, |&least| lesser(least + more, *out));
                        }
                    }
                    LateEnough::Listed { count, .. } => {
                        for (out, &count) in out.iter_mut().zip(&count[bounds]) {
                            *out = count.checked_sub(1).map_or(*out, |last| lesser(row[last] + more, *out));
                        }
                    }
                }
            }
        }
    }
}

/// For each time the least of `row` from so many places later on, where `row` has the least from each time on.
fn least_after(later: isize, row: &[f64], more: f64, out: &mut [f64]) {
    let places = later.unsigned_abs().min(row.len());
    if later >= 0 {
        return take_lesser(&row[places..], more, out);
    }
    let (all, from_here) = out.split_at_mut(places);
    take_lesser(row, more, from_here);
    all.iter_mut().for_each(|out| *out = lesser(row[0] + more, *out));
}

/// For each time the least of `row` up to so many places earlier, where `row` has the least up to each time.
fn least_before(later: isize, row: &[f64], more: f64, out: &mut [f64]) {
    let places = later.unsigned_abs().min(row.len());
    if later >= 0 {
        return take_lesser(row, more, &mut out[places..]);
    }
    let (so_far, all) = out.split_at_mut(row.len() - places);
    take_lesser(&row[places..], more, so_far);
    all.iter_mut().for_each(|out| *out = lesser(row[row.len() - 1] + more, *out));
}

fn take_lesser(row: &[f64], more: f64, out: &mut [f64]) {
    for (out, &least) in out.iter_mut().zip(row) {
        *out = lesser(least + more, *out);
    }
}

impl Stretch {
    fn all(windows: &[Window]) -> Vec<Self> {
        let mut stretches: Vec<Self> = Vec::new();
        for (from, &window) in windows.iter().enumerate() {
            match stretches.last_mut() {
                Some(last) if last.window.moved_on(last.len) == window => last.len += 1,
                _ => stretches.push(Self { from, len: 1, window }),
            }
        }
        stretches
    }
}

/// Lists of headings as runs around the circle; `None` if one is no run.
fn runs_around(lists: &[Vec<usize>]) -> Option<Vec<Window>> {
    let count = lists.len();
    let run = |list: &Vec<usize>| {
        if list.is_empty() {
            return Some(Window { level: EMPTY, first: 0, second: 0 });
        }
        let goes = |heading: usize| list.contains(&(heading % count));
        let first = (0..count).find(|&first| (first..first + list.len()).all(goes))?;
        let level = list.len().ilog2() as usize;
        Some(Window { level, first, second: (first + list.len() - (1 << level)) % count })
    };
    lists.iter().map(run).collect()
}

/// For each heading, row by row, the least of the rows of its run around the circle.
fn least_around(around: &[Window], times: usize, rows: &[f64], runs: &mut Vec<f64>, out: &mut [f64]) {
    let (states, count) = (rows.len(), around.len());
    let levels = around.iter().filter(|run| run.level != EMPTY).map(|run| run.level).max().unwrap_or(0);
    runs.resize((levels + 1) * states, 0.0);
    runs[..states].copy_from_slice(rows);
    for level in 0..levels {
        let (shorter, longer) = runs.split_at_mut((level + 1) * states);
        let shorter = &shorter[level * states..];
        for (heading, longer) in longer[..states].chunks_exact_mut(times).enumerate() {
            let other = (heading + (1 << level)) % count;
            let (a, b) = (&shorter[heading * times..][..times], &shorter[other * times..][..times]);
            least_of_both(a, b, longer);
        }
    }
    for (run, out) in around.iter().zip(out.chunks_exact_mut(times)) {
        if run.level == EMPTY {
            out.fill(f64::INFINITY);
            continue;
        }
        let runs = &runs[run.level * states..];
        least_of_both(&runs[run.first * times..][..times], &runs[run.second * times..][..times], out);
    }
}

fn least_of_both(a: &[f64], b: &[f64], out: &mut [f64]) {
    for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
        *out = lesser(a, b);
    }
}

impl Window {
    /// The same so many places on; one that is empty is so anywhere.
    fn moved_on(self, places: usize) -> Self {
        if self.level == EMPTY {
            self
        } else {
            Self { first: self.first + places, second: self.second + places, ..self }
        }
    }

    fn len(&self) -> usize {
        if self.level == EMPTY { 0 } else { self.second + (1 << self.level) - self.first }
    }
}

/// `f64::min` would look for what is no number.
#[inline(always)]
pub fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
