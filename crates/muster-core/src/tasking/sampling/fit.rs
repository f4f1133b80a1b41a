//! From a cost function to few bytes: the curve of waiting first, then slices where they are needed most.

use super::curve::{Curve, Drawn};
use super::{Adaptive, Slice, TICKS, Window, bytes};
use crate::robot::Point;
use crate::tasking::cost::{self, Grid, Outlook, Preferences, Rates, Scale, quantised};
use crate::time::{Duration, Time};

/// Headings at which the cost function is looked at, and at which slices can lie.
const CANDIDATES: u16 = 128;
/// Multiples of 45 degrees get slices first, so that on the paper's grid nothing is interpolated if all of them fit.
const EIGHTHS: usize = 8;
/// Times at which it is looked at, less one. A window shorter than the steps between them may be missed.
const LOOKS: u16 = 100;
/// Halvings of a step when the border of a window is looked for: a quarter of a tick.
const HALVINGS: u32 = 11;
/// A cost this far from what window and curve say begins a window of its own.
const STEP_UP: f64 = 0.25;
/// Slopes that differ by this much from one look to the next, a second or more later, do not belong to one curve.
const KINK: f64 = 0.25;
/// More windows than this are left out, the latest first: for one heading they must fit into a small budget.
const MOST_WINDOWS: usize = 8;
/// Cost that one second of a misplaced border weighs as much as, when slices are placed.
const BORDER_PER_S: f64 = 0.1;
/// The same for a heading with a wrong number of windows.
const OTHER_WINDOWS: f64 = 100.0;

impl Adaptive {
    /// The cost function that [`estimate`](cost::estimate) samples on a grid, up to a horizon, in at most 100 bytes.
    pub fn estimate(
        horizon_s: u16,
        outlook: &Outlook,
        target: Point,
        length_m: f64,
        t0: Time,
        rates: &Rates,
        preferences: &Preferences,
    ) -> Self {
        Self::fit_at(
            CANDIDATES,
            horizon_s,
            Self::BUDGET,
            Self::slices(outlook, target, length_m, t0, rates, preferences),
        )
    }

    /// The same for a LEAD that assigns tasks on `grid`: slices lie on its headings and nowhere else, which is as exact there
    /// and takes fewer bytes and less time. Headings with many windows may find no room, and are then made up from those beside
    /// them, here as there.
    pub fn for_plans(
        grid: &Grid,
        outlook: &Outlook,
        target: Point,
        length_m: f64,
        t0: Time,
        rates: &Rates,
        preferences: &Preferences,
    ) -> Self {
        let horizon_s = grid.horizon().as_secs_f64().ceil() as u16;
        // Others than powers of two have no slices of their own: these lie between.
        let headings = grid.headings.next_power_of_two().clamp(EIGHTHS as u16, CANDIDATES);
        Self::fit_at(headings, horizon_s, Self::BUDGET, Self::slices(outlook, target, length_m, t0, rates, preferences))
    }

    fn slices<'a>(
        outlook: &'a Outlook<'a>,
        target: Point,
        length_m: f64,
        t0: Time,
        rates: &'a Rates,
        preferences: &'a Preferences,
    ) -> impl Fn(f64) -> Box<dyn Fn(f64) -> Option<f64> + 'a> {
        move |heading| {
            let slice = cost::Slice::new(outlook, target, length_m, t0, rates, preferences, heading);
            Box::new(move |at_s| slice.cost(t0 + Duration::from_secs_f64(at_s)))
        }
    }

    /// A cost function within `budget` bytes: given a heading in radians, `slice` gives the cost by seconds after t0,
    /// which is asked for up to `horizon_s`.
    ///
    /// A budget that is too small for a single slice gives a function that is infeasible everywhere.
    pub fn fit<S: Fn(f64) -> Option<f64>>(horizon_s: u16, budget: usize, slice: impl Fn(f64) -> S) -> Self {
        Self::fit_at(CANDIDATES, horizon_s, budget, slice)
    }

    /// The same with slices at some of `candidates` headings, a power of two.
    fn fit_at<S: Fn(f64) -> Option<f64>>(
        candidates: u16,
        horizon_s: u16,
        budget: usize,
        slice: impl Fn(f64) -> S,
    ) -> Self {
        let horizon_s = horizon_s.max(1);
        let sampled = Sampled::new(candidates, horizon_s, slice);
        let curve = sampled.curve();
        let profiles: Vec<Vec<Window>> = (0..candidates).map(|n| sampled.windows(n, &curve)).collect();
        // Costs of all candidates: those that get no slice make it no worse than a bit coarser.
        let most = profiles.iter().flatten().map(|window| window.cost).max().unwrap_or(0);
        let mut fitted = Self { horizon_s, scale: Scale::reaching(most), curve, slices: Vec::new() };
        if profiles.iter().all(Vec::is_empty) {
            return fitted;
        }
        let placed = Placing::new(&fitted, &profiles).place(budget);
        fitted.slices = placed
            .into_iter()
            .map(|n| Slice { heading: (n * 256 / profiles.len()) as u8, windows: profiles[n].clone() })
            .collect();
        // As it will be read.
        for window in fitted.slices.iter_mut().flat_map(|slice| &mut slice.windows) {
            window.cost = fitted.scale.cost(fitted.scale.sample(window.cost));
        }
        fitted
    }
}

/// A cost function, and what it is at the candidates.
struct Sampled<S> {
    /// By candidate.
    slices: Vec<S>,
    step_s: f64,
    /// By candidate, then by time.
    looks: Vec<Option<f64>>,
}

impl<S: Fn(f64) -> Option<f64>> Sampled<S> {
    fn new(candidates: u16, horizon_s: u16, slice: impl Fn(f64) -> S) -> Self {
        let step_s = f64::from(horizon_s) / f64::from(LOOKS);
        let heading = |n| (f64::from(n) * 360.0 / f64::from(candidates)).to_radians();
        let slices: Vec<S> = (0..candidates).map(|n| slice(heading(n))).collect();
        let mut sampled = Self { slices, step_s, looks: Vec::new() };
        sampled.looks = (0..candidates)
            .flat_map(|n| (0..=LOOKS).map(move |look| (n, look)))
            .map(|(n, look)| sampled.cost(n, f64::from(look) * step_s))
            .collect();
        sampled
    }

    fn cost(&self, candidate: u16, at_s: f64) -> Option<f64> {
        self.slices[usize::from(candidate)](at_s).filter(|cost| !cost.is_nan())
    }

    fn of(&self, candidate: u16) -> &[Option<f64>] {
        let width = usize::from(LOOKS) + 1;
        &self.looks[usize::from(candidate) * width..][..width]
    }

    fn horizon_s(&self) -> f64 {
        self.step_s * f64::from(LOOKS)
    }

    /// The curve of the longest stretch of waiting that there is.
    fn curve(&self) -> Curve {
        let (mut longest, mut of) = (0, None);
        let kink = KINK * self.step_s.max(1.0);
        for candidate in 0..self.slices.len() as u16 {
            let looks = self.of(candidate);
            let mut from = 0;
            for n in 0..looks.len() {
                let smooth = match (n.checked_sub(2).and_then(|n| looks[n]), n.checked_sub(1).and_then(|n| looks[n])) {
                    _ if looks[n].is_none() => false,
                    (Some(a), Some(b)) if n >= from + 2 => looks[n].is_some_and(|c| (a - 2.0 * b + c).abs() < kink),
                    _ => true,
                };
                if !smooth {
                    from = if looks[n].is_none() { n + 1 } else { n };
                } else if n - from > longest {
                    (longest, of) = (n - from, Some((candidate, from, n)));
                }
            }
        }
        let of = of.map(|(candidate, from, to)| {
            let to_s = self.step_s * to as f64;
            (candidate, self.begins(candidate, from), to_s)
        });
        let Some((candidate, from_s, to_s)) = of.or_else(|| self.longest_look()) else { return Curve::default() };
        let at = |at_s: f64| self.cost(candidate, at_s.min(to_s)).unwrap_or(0.0);
        let first = at(from_s);
        let added = |share: f64| at(from_s + share * self.horizon_s()) - first;
        Curve::through((to_s - from_s) / self.horizon_s(), added)
    }

    /// Where no stretch has two looks, as for a vehicle that is there just before the horizon: the look with the longest
    /// stretch before it.
    fn longest_look(&self) -> Option<(u16, f64, f64)> {
        let mut longest: Option<(u16, f64, f64)> = None;
        for candidate in 0..self.slices.len() as u16 {
            for n in (0..self.of(candidate).len()).filter(|&n| self.of(candidate)[n].is_some()) {
                let (from_s, to_s) = (self.begins(candidate, n), self.step_s * n as f64);
                if longest.is_none_or(|(_, from, to)| to_s - from_s > to - from) {
                    longest = Some((candidate, from_s, to_s));
                }
            }
        }
        longest
    }

    /// When the stretch begins of which a look is the first.
    fn begins(&self, candidate: u16, look: usize) -> f64 {
        let at_s = self.step_s * look as f64;
        match look.checked_sub(1).map(|before| self.of(candidate)[before]) {
            Some(None) => self.border(at_s - self.step_s, at_s, |at_s| self.cost(candidate, at_s).is_none()),
            _ => at_s,
        }
    }

    /// When the task can be done on the heading of a candidate.
    fn windows(&self, candidate: u16, curve: &Curve) -> Vec<Window> {
        let looks = self.of(candidate);
        let cost = |at_s: f64| self.cost(candidate, at_s);
        let infeasible = |at_s: f64| cost(at_s).is_none();
        let step_up = STEP_UP.max(2.0 * curve.grain());
        let curve = curve.drawn();
        let mut windows = Vec::new();
        // When the open window began, and its cost then.
        let mut open: Option<(f64, f64)> = None;
        for (n, look) in looks.iter().enumerate() {
            let (at_s, before_s) = (self.step_s * n as f64, self.step_s * (n as f64 - 1.0));
            match (open, look) {
                (None, Some(_)) => {
                    let from_s = if n == 0 { at_s } else { self.border(before_s, at_s, infeasible) };
                    open = cost(from_s).map(|cost| (from_s, cost));
                }
                (Some((from_s, first)), _) => {
                    let is_expected = |at_s: f64, cost: f64| {
                        let expected = first + curve.added((at_s - from_s) / self.horizon_s());
                        (cost - expected).abs() <= step_up
                    };
                    if look.is_some_and(|look| is_expected(at_s, look)) {
                        continue;
                    }
                    let fits = |at_s: f64| cost(at_s).is_some_and(|cost| is_expected(at_s, cost));
                    let next_s = self.border(before_s.max(from_s), at_s, fits);
                    let last_s = (next_s - self.step_s / f64::from(1 << HALVINGS)).max(from_s);
                    windows.extend(self.window(from_s, last_s, cost));
                    open = match (look, cost(next_s)) {
                        (None, _) => None,
                        (Some(_), Some(cost)) => Some((next_s, cost)),
                        (Some(look), None) => Some((at_s, *look)),
                    };
                }
                (None, None) => {}
            }
        }
        if let Some((from_s, _)) = open {
            windows.extend(self.window(from_s, self.horizon_s(), cost));
        }
        windows.truncate(MOST_WINDOWS);
        windows
    }

    /// Rounded inwards, so that rounding promises nothing. `None` if nothing is left.
    fn window(&self, from_s: f64, to_s: f64, cost: impl Fn(f64) -> Option<f64>) -> Option<Window> {
        let tick_s = self.horizon_s() / f64::from(TICKS);
        let from = (from_s / tick_s - 1e-6).ceil();
        let to = (to_s / tick_s + 1e-6).floor();
        let cost = if from <= to { cost(from * tick_s)? } else { return None };
        Some(Window { from: from as u16, to: to as u16, cost: quantised(cost) })
    }

    /// The first time, about, between two, at which `before` does not hold any more.
    fn border(&self, mut low_s: f64, mut high_s: f64, before: impl Fn(f64) -> bool) -> f64 {
        for _ in 0..HALVINGS {
            let middle_s = 0.5 * (low_s + high_s);
            if before(middle_s) { low_s = middle_s } else { high_s = middle_s }
        }
        high_s
    }
}

/// Which candidates get slices.
struct Placing<'a> {
    fitted: &'a Adaptive,
    curve: Drawn,
    profiles: &'a [Vec<Window>],
    /// Those that do, by heading.
    placed: Vec<usize>,
    /// How far each candidate is from what the slices say about it.
    off: Vec<f64>,
    spent: usize,
}

impl<'a> Placing<'a> {
    fn new(fitted: &'a Adaptive, profiles: &'a [Vec<Window>]) -> Self {
        let off = vec![f64::INFINITY; profiles.len()];
        let (curve, spent) = (fitted.curve.drawn(), bytes::head_len(fitted));
        Self { fitted, curve, profiles, placed: Vec::new(), off, spent }
    }

    /// Multiples of 45 degrees, then whatever is worst. What does not fit is passed over.
    fn place(mut self, budget: usize) -> Vec<usize> {
        let mut eighths: Vec<usize> = (0..self.profiles.len()).step_by(self.profiles.len() / EIGHTHS).collect();
        // Where nothing is feasible takes the fewest bytes, and nobody must think otherwise.
        eighths.sort_by_key(|&n| self.profiles[n].len());
        for n in eighths {
            if self.fits(n, budget) {
                self.add(n);
            }
        }
        let mut left: Vec<usize> = (0..self.profiles.len()).collect();
        loop {
            left.retain(|&n| self.off[n] > 0.0 && self.fits(n, budget));
            let Some(&worst) = left.iter().max_by(|&&a, &&b| self.off[a].total_cmp(&self.off[b])) else { break };
            self.add(worst);
        }
        self.placed
    }

    fn fits(&self, candidate: usize, budget: usize) -> bool {
        self.spent + bytes::slice_len(&self.profiles[candidate]) <= budget
    }

    fn add(&mut self, candidate: usize) {
        let place = self.placed.partition_point(|&n| n < candidate);
        self.placed.insert(place, candidate);
        self.spent += bytes::slice_len(&self.profiles[candidate]);
        let many = self.placed.len();
        let (before, after) = (self.placed[(place + many - 1) % many], self.placed[(place + 1) % many]);
        self.judge(before, candidate);
        self.judge(candidate, after);
    }

    /// All candidates from one slice around to the next.
    fn judge(&mut self, before: usize, after: usize) {
        let all = self.profiles.len();
        let span = if before == after { all } else { (after + all - before) % all };
        self.off[before] = 0.0;
        self.off[after] = 0.0;
        for beyond in 1..span {
            let n = (before + beyond) % all;
            self.off[n] = self.between(&self.profiles[n], before, after, beyond as f64 / span as f64);
        }
    }

    /// How far windows are from those between two slices: in cost, and by their borders.
    fn between(&self, windows: &[Window], before: usize, after: usize, share: f64) -> f64 {
        let (before, after) = (&self.profiles[before], &self.profiles[after]);
        if windows.is_empty() && (before.is_empty() || after.is_empty()) {
            return 0.0;
        }
        if windows.len() != before.len() || windows.len() != after.len() {
            return OTHER_WINDOWS;
        }
        let tick_s = self.fitted.tick_s();
        let lie = |a: u32, b: u32| f64::from(a) + (f64::from(b) - f64::from(a)) * share;
        let mut off = 0.0;
        for ((window, a), b) in windows.iter().zip(before).zip(after) {
            let (from, to) = (lie(a.from.into(), b.from.into()), lie(a.to.into(), b.to.into()));
            let cost = lie(a.cost, b.cost) / 100.0;
            let late = f64::from(window.from) - from;
            // What the curve makes of beginning too early or too late, half-way through the window.
            let middle = 0.5 * (f64::from(window.from) + f64::from(window.to)) / f64::from(TICKS);
            let waited = |from: f64| self.curve.added((middle - from / f64::from(TICKS)).max(0.0));
            let dearer = f64::from(window.cost) / 100.0 + waited(f64::from(window.from)) - cost - waited(from);
            let length = f64::from(window.to - window.from) / f64::from(TICKS);
            off += dearer.abs() * length + BORDER_PER_S * tick_s * (late.abs() + (f64::from(window.to) - to).abs());
        }
        off
    }
}
