//! Two rules on the same missions: by how much their times differ, and how sure that is.
//!
//! There are two ways to say it. The ratio of two average times is how the report speaks of a scenario: "the average over
//! these 200 runs was then considered the characteristic performance of that scenario" (§7.3). The mean over missions of
//! the ratio of two times is what "percent worse" means against the optimum (§7.5). They differ where missions differ much in length, since the
//! long ones count for more in an average. Either way a region is the mean over its scenarios, and the interval takes
//! into account that the rules share their missions.

use std::collections::BTreeMap;

use super::scenario::Scenario;
use crate::stats;
use crate::verdict::Interval;

/// How two rules are compared on the missions of a scenario.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Mission by mission: the mean of T_a / T_b - 1.
    Ratios,
    /// Average by average: mean T_a / mean T_b - 1.
    Averages,
}

/// Columns that are compared, each with its baseline. More than one: the mean of their differences.
pub type Contrast = Vec<(usize, usize)>;

/// A difference as a share, and how much it scatters.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Difference {
    /// By what share the first is slower.
    pub value: f64,
    /// The standard deviation from mission to mission.
    pub sd: f64,
    /// The variance of `value`.
    pub variance: f64,
}

/// What a scenario came to under several rules.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Robots, tasks and times of the cell.
    pub scenario: Scenario,
    /// Mean and standard deviation, by rule.
    times: Vec<(f64, f64)>,
    /// By ratios and by averages.
    differences: BTreeMap<Contrast, [Difference; 2]>,
}

impl Difference {
    /// Of what each run says; their mean is the value.
    pub fn of_ratios(ratios: &[f64]) -> Self {
        Self::scattering(stats::mean(ratios) - 1.0, ratios)
    }

    /// Of average times. To first order a ratio of means scatters like T_a / mean T_b - (mean T_a / mean T_b) T_b /
    /// mean T_b.
    pub fn of_averages(times: &[f64], baseline: &[f64]) -> Self {
        let (mean, ratio) = (stats::mean(baseline), stats::mean(times) / stats::mean(baseline));
        let influence = |(time, than): (&f64, &f64)| (time - ratio * than) / mean;
        Self::scattering(ratio - 1.0, &times.iter().zip(baseline).map(influence).collect::<Vec<_>>())
    }

    fn scattering(value: f64, of_runs: &[f64]) -> Self {
        let sd = stats::sd(of_runs);
        Self { value, sd, variance: sd * sd / of_runs.len().max(1) as f64 }
    }
}

impl Cell {
    /// From the times of all rules, one list per run, for the contrasts that will be asked for.
    pub fn new(scenario: Scenario, runs: &[Vec<f64>], contrasts: &[Contrast]) -> Self {
        let columns = runs.first().map_or(0, Vec::len);
        let column = |rule: usize| runs.iter().map(|run| run[rule]).collect::<Vec<f64>>();
        let by_rule: Vec<Vec<f64>> = (0..columns).map(column).collect();
        let difference = |contrast: &Contrast| {
            let count = contrast.len() as f64;
            let means: Vec<f64> = by_rule.iter().map(|times| stats::mean(times)).collect();
            let by_ratio = |run: &Vec<f64>| contrast.iter().map(|&(a, b)| run[a] / run[b]).sum::<f64>() / count;
            let ratios: Vec<f64> = runs.iter().map(by_ratio).collect();
            let influence = |run: &Vec<f64>| {
                let of = |&(a, b): &(usize, usize)| (run[a] - means[a] / means[b] * run[b]) / means[b];
                contrast.iter().map(of).sum::<f64>() / count
            };
            let ratio = contrast.iter().map(|&(a, b)| means[a] / means[b]).sum::<f64>() / count;
            let averages = Difference::scattering(ratio - 1.0, &runs.iter().map(influence).collect::<Vec<_>>());
            (contrast.clone(), [Difference::of_ratios(&ratios), averages])
        };
        Self {
            scenario,
            times: by_rule.iter().map(|times| (stats::mean(times), stats::sd(times))).collect(),
            differences: contrasts.iter().map(difference).collect(),
        }
    }

    /// The average time under a rule.
    pub fn mean(&self, rule: usize) -> f64 {
        self.times[rule].0
    }

    /// The standard deviation of runs under a rule.
    pub fn sd(&self, rule: usize) -> f64 {
        self.times[rule].1
    }

    /// What was measured of a contrast; `None` if nobody said that it would be asked for.
    pub fn difference(&self, contrast: &Contrast, way: Way) -> Option<Difference> {
        self.differences.get(contrast).map(|[ratios, averages]| match way {
            Way::Ratios => *ratios,
            Way::Averages => *averages,
        })
    }
}

/// By how many percent the first are slower, over all these scenarios; `None` if there are none.
pub fn pooled<'c>(cells: impl Iterator<Item = &'c Cell>, contrast: &Contrast, way: Way) -> Option<Interval> {
    let (mut count, mut sum, mut variance) = (0.0, 0.0, 0.0);
    for cell in cells {
        let difference = cell.difference(contrast, way)?;
        (count, sum, variance) = (count + 1.0, sum + difference.value, variance + difference.variance);
    }
    (count > 0.0).then(|| Interval::new(100.0 * sum / count, 100.0 * variance.sqrt() / count))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENARIO: Scenario = Scenario { robots: 2, tasks: 2, coverage: 2, heterogeneity: 1.0 };
    const WAYS: [Way; 2] = [Way::Ratios, Way::Averages];

    fn found(runs: &[Vec<f64>], contrast: &Contrast, way: Way) -> Interval {
        let cell = Cell::new(SCENARIO, runs, std::slice::from_ref(contrast));
        pooled([&cell].into_iter(), contrast, way).expect("a cell")
    }

    /// Rules that differ by the same factor in every run differ by exactly that, however much runs scatter.
    #[test]
    fn pairing_takes_the_scatter_of_missions_out() {
        let runs: Vec<Vec<f64>> = (1..=20).map(|run| vec![f64::from(run) * 11.0, f64::from(run) * 10.0]).collect();
        for way in WAYS {
            let found = found(&runs, &vec![(0, 1)], way);
            assert!((found.value - 10.0).abs() < 1e-9 && (found.high - found.low).abs() < 1e-5, "{way:?} {found:?}");
        }
    }

    /// One short mission takes twice as long, one that is nine times as long takes a third less: slower by ratios,
    /// quicker by averages.
    #[test]
    fn a_long_mission_counts_for_more_in_an_average() {
        let runs = [vec![20.0, 10.0], vec![60.0, 90.0]];
        assert!((found(&runs, &vec![(0, 1)], Way::Ratios).value - 100.0 / 3.0).abs() < 1e-9);
        assert!((found(&runs, &vec![(0, 1)], Way::Averages).value + 20.0).abs() < 1e-9);
    }

    /// Pooled over rules: the mean of their differences, and no more certain than the missions that they share allow.
    #[test]
    fn rules_that_share_missions_are_no_new_evidence() {
        let runs: Vec<Vec<f64>> =
            (0..50).map(|run| vec![10.0 + f64::from(run % 5), 10.0, 10.0 + f64::from(run % 5), 10.0]).collect();
        for way in WAYS {
            let once = found(&runs, &vec![(0, 1)], way);
            assert_eq!(found(&runs, &vec![(0, 1), (2, 3)], way), once, "the same twice is the same");
            let against = found(&runs, &vec![(0, 1), (1, 1)], way);
            assert!((against.value - once.value / 2.0).abs() < 1e-9, "{way:?} {against:?}");
        }
    }

    #[test]
    fn the_interval_is_as_wide_as_chance_makes_it() {
        // Two independent rules with the same mean: sd 0.87 of 8.5 each, 200 runs, so 1.4 % either way.
        let wave = |run: u32, step: u32| 10.0 + 1.5 * f64::from(run * step % 200) / 100.0 - 1.5;
        let runs: Vec<Vec<f64>> = (0..200).map(|run| vec![wave(run, 7), wave(run, 77)]).collect();
        let averages = found(&runs, &vec![(0, 1)], Way::Averages);
        assert!(averages.value.abs() < 0.5 && (1.0..2.5).contains(&(averages.high - averages.value)), "{averages:?}");
        let ratios = found(&runs, &vec![(0, 1)], Way::Ratios);
        assert!((1.0..2.5).contains(&(ratios.high - ratios.value)), "{ratios:?}");
    }

    #[test]
    fn nothing_pooled_is_nothing() {
        assert_eq!(pooled([].into_iter(), &vec![(0, 1)], Way::Ratios), None);
        let cell = Cell::new(SCENARIO, &[vec![1.0, 2.0]], &[]);
        assert_eq!(pooled([&cell].into_iter(), &vec![(0, 1)], Way::Ratios), None, "it was not announced");
    }
}
