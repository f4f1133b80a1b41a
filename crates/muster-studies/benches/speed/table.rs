//! Takes turns, compares, prints rows. The `bench` script prints rows of the same widths.

use std::fmt::Display;

use cpu_time::ThreadTime;

/// Time that this thread had a processor for: what others do in between does not count.
pub struct Stopwatch(ThreadTime);

impl Stopwatch {
    #[inline(always)]
    pub fn start() -> Self {
        Self(ThreadTime::now())
    }

    #[inline(always)]
    pub fn nanos(self) -> f64 {
        self.0.elapsed().as_nanos() as f64
    }

    /// What reading the clock adds to every interval, to be taken off short ones.
    pub fn own_nanos() -> f64 {
        quantile((0..1000).map(|_| Self::start().nanos()), 0.5)
    }
}

/// What a ratio has to keep.
#[derive(Copy, Clone)]
pub enum Bound {
    AtMost(f64),
    Below(f64),
    AtLeast(f64),
}

impl Bound {
    fn holds(self, ratio: f64) -> bool {
        match self {
            Self::AtMost(bound) => ratio <= bound,
            Self::Below(bound) => ratio < bound,
            Self::AtLeast(bound) => ratio >= bound,
        }
    }

    fn text(self) -> String {
        match self {
            Self::AtMost(bound) => format!("<= {bound:.2}"),
            Self::Below(bound) => format!("< {bound:.2}"),
            Self::AtLeast(bound) => format!(">= {bound:.2}"),
        }
    }
}

/// Two contenders, measured in turns: medians, and the quartiles of the ratio.
pub struct Turns {
    pub first: f64,
    pub second: f64,
    pub ratio: [f64; 3],
}

/// Measures two contenders `rounds` times, next to each other, each going first every other time. The ratio is
/// first by second, taken within each round: what disturbs the machine for longer than a round disturbs both.
pub fn turns(rounds: usize, mut first: impl FnMut() -> f64, mut second: impl FnMut() -> f64) -> Turns {
    let mut pairs = Vec::with_capacity(rounds);
    // The first round warms up.
    for round in 0..=rounds {
        let pair = if round % 2 == 0 {
            let first = first();
            (first, second())
        } else {
            let second = second();
            (first(), second)
        };
        if round > 0 {
            pairs.push(pair);
        }
    }
    let ratios: Vec<f64> = pairs.iter().map(|pair| pair.0 / pair.1).collect();
    Turns {
        first: quantile(pairs.iter().map(|pair| pair.0), 0.5),
        second: quantile(pairs.iter().map(|pair| pair.1), 0.5),
        ratio: [0.25, 0.5, 0.75].map(|share| quantile(ratios.iter().copied(), share)),
    }
}

pub fn quantile(values: impl Iterator<Item = f64>, share: f64) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share).round() as usize]
}

pub fn heading() {
    line("", "measured", "baseline", "ratio", "quartiles", "bound", "");
}

/// A comparison in nanoseconds.
pub fn row(what: &str, measured_ns: f64, baseline_ns: f64, [low, ratio, high]: [f64; 3], bound: Bound) {
    let ns = |ns: f64| format!("{ns:.2} ns");
    let spread = format!("{low:.2}-{high:.2}");
    verdict(what, &ns(measured_ns), &ns(baseline_ns), ratio, &spread, bound);
}

/// A time in microseconds that has to stay below another.
pub fn row_us(what: &str, measured_us: f64, most_us: f64) {
    let us = |us: f64| format!("{us:.1} us");
    verdict(what, &us(measured_us), &us(most_us), measured_us / most_us, "-", Bound::AtMost(1.0));
}

/// A time in seconds that has to stay below another.
pub fn row_s(what: &str, measured_s: f64, most_s: f64) {
    let s = |s: f64| format!("{s:.0} s");
    verdict(what, &s(measured_s), &s(most_s), measured_s / most_s, "-", Bound::AtMost(1.0));
}

/// How many times one number of seconds is another.
pub fn times(what: &str, measured_s: f64, baseline_s: f64, bound: Bound) {
    let s = |s: f64| format!("{s:.2} s");
    verdict(what, &s(measured_s), &s(baseline_s), measured_s / baseline_s, "-", bound);
}

/// A comparison in microseconds without a bound.
pub fn compare_us(what: &str, measured_us: f64, baseline_us: f64) {
    let us = |us: f64| format!("{us:.1} us");
    line(what, us(measured_us), us(baseline_us), format!("{:.4}", measured_us / baseline_us), "-", "-", "");
}

/// A count that has to be zero.
pub fn none(what: &str, count: usize, of: u64) {
    let holds = if count == 0 { "holds" } else { "BROKEN" };
    line(what, count, of, "-", "-", "none", holds);
}

/// A count with a largest value.
pub fn at_most(what: &str, count: u64, most: u64) {
    let ratio = count as f64 / most as f64;
    verdict(what, &count.to_string(), &most.to_string(), ratio, "exact", Bound::AtMost(1.0));
}

fn verdict(what: &str, measured: &str, baseline: &str, ratio: f64, spread: &str, bound: Bound) {
    let holds = if bound.holds(ratio) { "holds" } else { "BROKEN" };
    line(what, measured, baseline, format!("{ratio:.2}"), spread, bound.text(), holds);
}

fn line(
    what: &str,
    measured: impl Display,
    baseline: impl Display,
    ratio: impl Display,
    spread: impl Display,
    bound: impl Display,
    holds: &str,
) {
    let line = format!("{what:<52} {measured:>11} {baseline:>11} {ratio:>6} {spread:>12} {bound:>8}  {holds}");
    println!("{}", line.trim_end());
}
