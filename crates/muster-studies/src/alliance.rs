//! Parker's study of L-ALLIANCE (§7): strategies and orderings over teams, missions and heterogeneity; how far above
//! the optimum they end; box pushing (§9); learning; and what goes beyond the report.
//!
//! Read before editing: the report's section 7; docs/reproductions/alliance.md for how it was read.

pub mod allocate;
pub mod boxes;
pub mod claims;
pub mod compare;
pub mod figures;
pub mod gaps;
pub mod learning;
pub mod measured;
pub mod mission;
pub mod rules;
pub mod scenario;
pub mod stops;
pub mod table_3;

use muster_core::alliance::Ordering;
use serde::Serialize;

use crate::batch::Batch;
use crate::verdict::{Account, Ground, Source};
use claims::Claim;
use figures::Point;
use gaps::{Conditions, Gap};
use learning::Curve;
use measured::Measured;
use rules::{ORDERINGS, Reading, Rule};
use scenario::{Grid, Scenario};
use stops::Stops;
use table_3::Preferred;

/// The study's results.
#[derive(Clone, Debug, Serialize)]
pub struct Study {
    /// Missions per scenario.
    pub runs: u64,
    /// The grid that strategies were compared on.
    pub grid: Grid,
    /// Every claim under every reading.
    pub claims: Vec<Claim>,
    /// The preferred strategies.
    pub table_3: Vec<Preferred>,
    /// Points of Figures 4 to 8.
    pub figures: Vec<Point>,
    /// How far above the optimum rules end.
    pub gaps: Vec<Gap>,
    /// What becomes of missions whose robots stop.
    pub stops: Vec<Stops>,
    /// How teams get better from mission to mission.
    pub learning: Vec<Curve>,
}

impl Study {
    /// The verdicts, counted: each claim of the report once, under all of its readings; bounds on gaps and missions whose
    /// robots stop are ours.
    pub fn account(&self) -> Account {
        let of_report = self.claims.iter().filter(|claim| claim.reading == Reading::Default.name() && !claim.part);
        let claims = of_report.map(|claim| (Source::Paper, claim.ground, claim.verdict));
        let gaps = self.gaps.iter().filter_map(|gap| gap.verdict);
        let ours = gaps.chain(self.stops.iter().map(Stops::verdict));
        claims.chain(ours.map(|verdict| (Source::Ours, Ground::Measured, verdict))).collect()
    }

    /// Nothing fails.
    pub fn holds(&self) -> bool {
        self.account().holds()
    }
}

/// The gaps that are shown: which scenarios, under what conditions, with which rules.
fn comparisons() -> Vec<(&'static str, Vec<Scenario>, Conditions, &'static [Rule])> {
    let mut all: Vec<(&'static str, Vec<Scenario>, Conditions, &'static [Rule])> = Vec::new();
    for conditions in Conditions::ALL {
        all.push(("figure-10", scenario::figure_10(), conditions, &Rule::GAPS));
    }
    for conditions in [Conditions::Report, Conditions::Instant] {
        all.push(("larger", scenario::larger(), conditions, &[Rule::Preferred, Rule::Regret]));
    }
    all
}

/// The scenarios of Figures 4 to 7.
fn exemplars() -> Vec<Scenario> {
    figures::EXEMPLARS.into_iter().flat_map(figures::at_all).collect()
}

/// Missions that [`reproduce`] draws: what its progress counts up to.
pub fn missions_in(runs: u64, only: Option<&Grid>) -> u64 {
    let grid = only.unwrap_or(&Grid::report()).scenarios().len() * Reading::SIMULATED.len();
    if only.is_some() {
        return grid as u64 * runs;
    }
    let figures = exemplars().len() + figures::at_all(figures::FIGURE_8).len();
    let gaps = |(_, set, conditions, _): &(&str, Vec<Scenario>, Conditions, &[Rule])| {
        let differing = set.iter().filter(|scenario| scenario.heterogeneity > 0.0).count();
        differing as u64 * conditions.runs_of(runs)
    };
    let gaps: u64 = comparisons().iter().map(gaps).sum();
    // The runs of `boxes` are counted, too.
    (grid + figures + STOPS_PER_RUN as usize * Rule::GAPS.len() + 1) as u64 * runs + gaps + learning::teams_in(runs)
}

/// Missions with robots that stop, for each mission of a scenario: 10,000 for the report's 200.
const STOPS_PER_RUN: u64 = 50;

/// Regenerates the study. With a grid of one's own, `only` what is said about a grid.
pub fn reproduce(seed: u64, runs: u64, only: Option<&Grid>, batch: &Batch<'_>) -> Study {
    let grid = only.cloned().unwrap_or_else(Grid::report);
    let mut study = Study {
        runs,
        claims: Vec::new(),
        table_3: Vec::new(),
        figures: Vec::new(),
        gaps: Vec::new(),
        stops: Vec::new(),
        learning: Vec::new(),
        grid,
    };
    let scenarios = study.grid.scenarios();
    let measure = |set: &[Scenario], reading, orderings: &[Ordering]| {
        Measured::new(set, reading, Rule::with(orderings), (seed, runs), batch)
    };
    let figure_8 = only.is_none().then(|| {
        let measured = measure(&figures::at_all(figures::FIGURE_8), Reading::Default, &ORDERINGS);
        study.figures.extend(figures::orderings(&measured));
        measured
    });
    for reading in Reading::SIMULATED {
        if reading == Reading::Default {
            let measured = measure(&scenarios, reading, &[Ordering::Longest, Ordering::ModifiedShortest]);
            study.table_3 = table_3::table_3(&measured);
            // The same missions, compared either way.
            for reading in [Reading::Default, Reading::Ratios] {
                study.claims.extend(claims::claims(reading, &measured, figure_8.as_ref()));
            }
        } else {
            // Readings other than these are asked about strategies only.
            let measured = measure(&scenarios, reading, &[Ordering::ModifiedShortest]);
            study.claims.extend(claims::claims(reading, &measured, None));
        }
    }
    if only.is_some() {
        claims::judge(&mut study.claims);
        return study;
    }
    study.figures.extend(figures::strategies(&measure(&exemplars(), Reading::Default, &[Ordering::ModifiedShortest])));
    study.figures.sort_by_key(|point| point.figure);
    for (name, set, conditions, rules) in comparisons() {
        study.gaps.extend(gaps::gaps(name, &set, conditions, rules, (seed, conditions.runs_of(runs)), batch));
    }
    study.claims.extend(claims::figure_10(&study.gaps));
    study.claims.extend(boxes::claims((seed, runs), batch));
    claims::judge(&mut study.claims);
    study.learning = learning::curves((seed, runs), batch);
    study.stops = stops::stops(&Rule::GAPS, (seed, runs * STOPS_PER_RUN), batch);
    study
}
