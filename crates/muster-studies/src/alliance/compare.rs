//! Two rules on the same missions: by how much their average times differ, and how sure that is.
//!
//! As the report does it: "the average over these 200 runs was then considered the characteristic performance of that
//! scenario" (§7.3). So a scenario gives one percentage, of averages; a region the mean over its scenarios. The runs
//! of two rules share their missions, which the interval takes into account.

use serde::Serialize;

use super::scenario::Scenario;

/// What a scenario came to under several rules.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Which.
    pub scenario: Scenario,
    runs: f64,
    /// By rule.
    means: Vec<f64>,
    /// Of each two rules.
    covariances: Vec<f64>,
}

/// A value and its 95 % interval.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The value.
    pub value: f64,
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// From a value and its standard error.
    pub fn new(value: f64, error: f64) -> Self {
        Self { value, low: value - 1.96 * error, high: value + 1.96 * error }
    }
}

impl Cell {
    /// From the times of all rules, one list per run.
    pub fn new(scenario: Scenario, runs: &[Vec<f64>]) -> Self {
        let rules = runs.first().map_or(0, Vec::len);
        let count = runs.len() as f64;
        let means: Vec<f64> = (0..rules).map(|rule| runs.iter().map(|run| run[rule]).sum::<f64>() / count).collect();
        let mut covariances = vec![0.0; rules * rules];
        for run in runs {
            for a in 0..rules {
                for b in 0..rules {
                    covariances[a * rules + b] += (run[a] - means[a]) * (run[b] - means[b]) / (count - 1.0).max(1.0);
                }
            }
        }
        Self { scenario, runs: count, means, covariances }
    }

    /// The average time under a rule.
    pub fn mean(&self, rule: usize) -> f64 {
        self.means[rule]
    }

    /// The standard deviation of runs under a rule.
    pub fn sd(&self, rule: usize) -> f64 {
        self.covariance(rule, rule).max(0.0).sqrt()
    }

    fn covariance(&self, a: usize, b: usize) -> f64 {
        self.covariances[a * self.means.len() + b]
    }

    /// By what share `a` is slower than `b`, and the variance of that.
    pub fn difference(&self, a: usize, b: usize) -> (f64, f64) {
        let ratio = self.means[a] / self.means[b];
        let spread =
            self.covariance(a, a) + ratio * ratio * self.covariance(b, b) - 2.0 * ratio * self.covariance(a, b);
        (ratio - 1.0, spread.max(0.0) / (self.means[b] * self.means[b]) / self.runs)
    }
}

/// By how many percent `a` is slower than `b`, over all these scenarios; `None` if there are none.
pub fn pooled<'c>(cells: impl Iterator<Item = &'c Cell>, a: usize, b: usize) -> Option<Interval> {
    let (mut count, mut sum, mut variance) = (0.0, 0.0, 0.0);
    for cell in cells {
        let (difference, of) = cell.difference(a, b);
        (count, sum, variance) = (count + 1.0, sum + difference, variance + of);
    }
    (count > 0.0).then(|| Interval::new(100.0 * sum / count, 100.0 * variance.sqrt() / count))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENARIO: Scenario = Scenario { robots: 2, tasks: 2, coverage: 2, heterogeneity: 1.0 };

    /// Rules that differ by the same factor in every run differ by exactly that, however much runs scatter.
    #[test]
    fn pairing_takes_the_scatter_of_missions_out() {
        let runs: Vec<Vec<f64>> = (1..=20).map(|run| vec![f64::from(run) * 11.0, f64::from(run) * 10.0]).collect();
        let cell = Cell::new(SCENARIO, &runs);
        let found = pooled([&cell].into_iter(), 0, 1).unwrap();
        assert!((found.value - 10.0).abs() < 1e-9 && (found.high - found.low).abs() < 1e-5, "{found:?}");
    }

    #[test]
    fn the_interval_is_as_wide_as_chance_makes_it() {
        // Two independent rules with the same mean: sd 1 of 10 each, 200 runs.
        let wave = |run: u32, step: u32| 10.0 + 1.5 * f64::from(run * step % 200) / 100.0 - 1.5;
        let runs: Vec<Vec<f64>> = (0..200).map(|run| vec![wave(run, 7), wave(run, 77)]).collect();
        let found = pooled([&Cell::new(SCENARIO, &runs)].into_iter(), 0, 1).unwrap();
        assert!(found.value.abs() < 0.5 && (1.0..2.5).contains(&(found.high - found.value)), "{found:?}");
    }

    #[test]
    fn nothing_pooled_is_nothing() {
        assert_eq!(pooled([].into_iter(), 0, 1), None);
    }
}
