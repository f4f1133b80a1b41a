//! What the report's Figures 4 to 8 show, point by point.

use muster_core::alliance::Ordering;
use serde::Serialize;

use super::compare::Way;
use super::measured::{I, II, III, Measured, against_shortest};
use super::rules::ORDERINGS;
use super::scenario::{HETEROGENEITIES, Scenario};

/// A point of a figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Its number in the report.
    pub figure: u8,
    /// The mission.
    #[serde(flatten)]
    pub scenario: Scenario,
    /// With progress when working.
    pub progress: bool,
    /// The strategy: I, II or III.
    pub strategy: &'static str,
    /// The ordering.
    pub ordering: &'static str,
    /// Figures 4 to 7: seconds, the mean over missions. Figure 8: the change against modified shortest first in
    /// percent, of the times of each mission.
    pub value: f64,
    /// One standard deviation between missions.
    pub sd: f64,
}

/// Robots, tasks and coverage of the missions of Figures 4 to 7, one for each region. The first is in the text
/// (§7.3.1), the second in Figure 3; those of regions 3 and 4 are lost, and two scenarios of the grid stand in.
pub const EXEMPLARS: [(u32, u32, u32); 4] = [(4, 2, 3), (10, 14, 10), (10, 20, 4), (10, 40, 4)];

/// The mission of Figure 8.
pub const FIGURE_8: (u32, u32, u32) = (6, 12, 4);

/// A mission at every heterogeneity.
pub fn at_all((robots, tasks, coverage): (u32, u32, u32)) -> Vec<Scenario> {
    HETEROGENEITIES.map(|heterogeneity| Scenario { robots, tasks, coverage, heterogeneity }).to_vec()
}

/// The points of Figures 4 to 7.
pub fn strategies(exemplars: &Measured) -> Vec<Point> {
    let mut points = Vec::new();
    for (progress, cells) in [(false, &exemplars.without), (true, &exemplars.with)] {
        for cell in cells {
            for (strategy, rule) in [("I", I), ("II", II), ("III", III)] {
                let Some(column) = exemplars.rules.iter().position(|other| *other == rule) else { continue };
                points.push(Point {
                    figure: 3 + cell.scenario.region().0,
                    scenario: cell.scenario,
                    progress,
                    strategy,
                    ordering: Ordering::ModifiedShortest.name(),
                    value: cell.mean(column),
                    sd: cell.sd(column),
                });
            }
        }
    }
    points
}

/// The points of Figure 8: random order as in the report, and the other orderings.
pub fn orderings(figure_8: &Measured) -> Vec<Point> {
    let mut points = Vec::new();
    for (progress, cells) in [(false, &figure_8.without), (true, &figure_8.with)] {
        for ordering in ORDERINGS.into_iter().filter(|ordering| *ordering != Ordering::ModifiedShortest) {
            for (strategy, pair) in ["I", "II", "III"].into_iter().zip(against_shortest(ordering)) {
                let Some(contrast) = figure_8.contrast(&[pair]) else { continue };
                for cell in cells {
                    let Some(difference) = cell.difference(&contrast, Way::Ratios) else { continue };
                    let (scenario, ordering) = (cell.scenario, ordering.name());
                    let (value, sd) = (100.0 * difference.value, 100.0 * difference.sd);
                    points.push(Point { figure: 8, scenario, progress, strategy, ordering, value, sd });
                }
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::super::rules::{Reading, Rule};
    use super::*;
    use crate::batch::Batch;

    #[test]
    fn exemplars_are_of_their_regions() {
        let regions = EXEMPLARS.map(|shape| at_all(shape)[0].region().0);
        assert_eq!(regions, [1, 2, 3, 4]);
    }

    #[test]
    fn every_point_is_there() {
        let batch = Batch::quiet();
        let measured = |shape, orderings: &[Ordering]| {
            Measured::new(&at_all(shape), Reading::Default, Rule::with(orderings), (1, 3), &batch)
        };
        let points = strategies(&measured(EXEMPLARS[0], &[Ordering::ModifiedShortest]));
        assert_eq!(points.len(), 5 * 3 * 2, "heterogeneity, strategy, progress");
        assert!(points.iter().all(|point| point.figure == 4 && point.value >= 100.0), "{points:?}");
        let points = orderings(&measured(FIGURE_8, &ORDERINGS));
        assert_eq!(points.len(), 5 * 3 * 3 * 2, "the same for three orderings");
        assert!(points.iter().any(|point| point.value > 10.0 && point.sd > 0.0), "{points:?}");
    }
}
