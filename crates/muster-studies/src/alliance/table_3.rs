//! Which strategy to prefer, by region, heterogeneity and progress when working. [Parker §7.3.1, Table 3]

use muster_core::alliance::Strategy;
use serde::Serialize;

use super::claims;
use super::measured::{I, II, III, Measured};
use super::rules::{Reading, Rule};
use super::scenario::{Region, Scenario};

/// A row of Table 3, the report's beside ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Preferred {
    /// With progress when working; `None` if the report does not distinguish.
    pub progress: Option<bool>,
    /// In which region; `None` for all.
    pub region: Option<Region>,
    /// `mild`, `high`, `none`, or `any` but none.
    pub heterogeneity: &'static str,
    /// What the report prefers.
    pub report: &'static [&'static str],
    /// What we would: our quickest, and all that are not behind it, for certain and by 2 % or more.
    pub ours: Vec<&'static str>,
    /// By how many percent I, II and III are slower than our quickest.
    pub behind: [f64; 3],
    /// Our quickest is one that the report prefers.
    pub agrees: bool,
    /// Ours are those that the report prefers, and no others.
    pub same: bool,
}

type Row = (Option<bool>, Option<u8>, &'static str, &'static [&'static str]);

/// The ten rows of the report.
const REPORT: [Row; 10] = [
    (Some(true), Some(1), "any", &["II", "III"]),
    (Some(true), Some(2), "any", &["I", "II"]),
    (Some(true), Some(3), "any", &["I", "II", "III"]),
    (Some(true), Some(4), "any", &["I", "II", "III"]),
    (Some(false), Some(1), "any", &["II", "III"]),
    (Some(false), Some(2), "mild", &["I", "III"]),
    (Some(false), Some(2), "high", &["I", "II"]),
    (Some(false), Some(3), "any", &["I", "III"]),
    (Some(false), Some(4), "any", &["I", "II", "III"]),
    (None, None, "none", &["I", "II", "III"]),
];

/// Table 3 from the grid; rows for which it has no scenarios are left out.
pub fn table_3(grid: &Measured) -> Vec<Preferred> {
    REPORT.iter().filter_map(|row| preferred(grid, *row)).collect()
}

fn preferred(grid: &Measured, (progress, region, heterogeneity, report): Row) -> Option<Preferred> {
    let which = |scenario: &Scenario| {
        let of = match heterogeneity {
            "mild" => claims::mild(scenario),
            "high" => claims::high(scenario),
            "none" => scenario.heterogeneity == 0.0 && scenario.coverage >= 2,
            _ => claims::matters(scenario),
        };
        of && region.is_none_or(|region| scenario.region() == Region(region))
    };
    const RULES: [Rule; 3] = [I, II, III];
    let compare = |a: usize, b: usize| grid.compare(&[(RULES[a], RULES[b])], progress, Reading::Default.way(), which);
    let than_third = [compare(0, 2)?.value, compare(1, 2)?.value, 0.0];
    let quickest = (0..3).min_by(|a, b| than_third[*a].total_cmp(&than_third[*b]))?;
    let mut behind = [0.0; 3];
    let mut ours = Vec::new();
    for (place, strategy) in Strategy::ALL.into_iter().enumerate() {
        let slower = if place == quickest { None } else { Some(compare(place, quickest)?) };
        behind[place] = slower.map_or(0.0, |slower| slower.value);
        // Behind for certain, and by 2 % or more.
        if slower.is_none_or(|slower| slower.low <= 0.0 || slower.value < 2.0) {
            ours.push(strategy.numeral());
        }
    }
    let agrees = report.contains(&Strategy::ALL[quickest].numeral());
    let same = ours == report;
    Some(Preferred { progress, region: region.map(Region), heterogeneity, report, ours, behind, agrees, same })
}

#[cfg(test)]
mod tests {
    use super::super::compare::Cell;
    use super::*;

    /// Region 2, mild, without progress: III is quickest, I as good, II behind.
    #[test]
    fn the_quickest_and_those_that_are_not_worse() {
        let scenario = Scenario { robots: 2, tasks: 4, coverage: 2, heterogeneity: 1.0 };
        let pairs = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)].map(|pair| vec![pair]);
        let cell = Cell::new(scenario, &vec![vec![101.0, 110.0, 100.0]; 20], &pairs);
        let table = table_3(&Measured { rules: vec![I, II, III], without: vec![cell], with: Vec::new() });
        assert_eq!(table.len(), 1, "one row has scenarios: {table:?}");
        let row = &table[0];
        assert_eq!((row.region, row.heterogeneity, &*row.ours), (Some(Region(2)), "mild", &["I", "III"][..]));
        assert!(row.agrees && row.same && (row.behind[1] - 10.0).abs() < 1e-9, "{row:?}");
    }
}
