//! What the report claims (§7.3, §7.5), each with what we measure.
//!
//! "Better" and "worse": the 95 % interval excludes zero and the difference is at least 2 %. "Equal": within 5 %.
//! "Disastrous": at least 40 % slower. A claim is judged under the default reading, and shown under every other: what
//! fails there fails, whatever the others say.

use muster_core::alliance::{Ordering, Strategy};
use serde::Serialize;

use super::gaps::{Conditions, Gap};
use super::measured::{I, II, III, Measured, against_shortest};
use super::rules::{Reading, Rule};
use super::scenario::{Region, Scenario};
use crate::verdict::Interval;

/// A claim and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct Claim {
    /// A short name.
    pub id: String,
    /// Where the report makes it.
    pub section: &'static str,
    /// What it says.
    pub statement: String,
    /// How what it leaves open was read.
    pub reading: &'static str,
    /// What was measured, in percent.
    #[serde(flatten)]
    pub measured: Interval,
    /// It holds under this reading.
    pub held: bool,
    /// `holds` or `fails`; `depends`: the report says it, but it is known to hold under some readings only, or this
    /// is another reading than the default; `detail`: a part of another claim, not judged by itself.
    pub verdict: &'static str,
}

/// What a difference has to be.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Expected {
    /// The first rule is quicker.
    Better,
    /// The first rule is slower.
    Worse,
    /// Not even the last digit differs.
    Same,
    /// Within 5 %.
    Equal,
    /// Slower by at least 40 %.
    Disastrous,
    /// Less than that many percent.
    Below(f64),
    /// Certainly negative, by however little.
    Less,
}

impl Expected {
    pub(super) fn holds(self, measured: Interval) -> bool {
        match self {
            Self::Better => measured.high < 0.0 && measured.value <= -2.0,
            Self::Worse => measured.low > 0.0 && measured.value >= 2.0,
            // Mission by mission: differences that cancel would leave an interval.
            Self::Same => measured.value.abs() < 1e-9 && measured.high - measured.low < 1e-9,
            Self::Equal => measured.low >= -5.0 && measured.high <= 5.0,
            Self::Disastrous => measured.low > 0.0 && measured.value >= 40.0,
            Self::Below(bound) => measured.high < bound,
            Self::Less => measured.high < 0.0,
        }
    }
}

/// How much hangs on a claim.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Weight {
    /// It must hold under the default reading.
    Must,
    /// The report makes it; it is known to depend on what the report leaves open.
    Depends,
    /// A part of another claim, shown for itself.
    Detail,
}

fn verdict(weight: Weight, reading: Reading, held: bool) -> &'static str {
    match (weight, held) {
        (Weight::Depends, _) => "depends",
        (Weight::Detail, _) => "detail",
        (Weight::Must, true) => "holds",
        (Weight::Must, false) if reading == Reading::Default => "fails",
        (Weight::Must, false) => "depends",
    }
}

/// Robots that differ, and enough of them to choose from.
pub fn matters(scenario: &Scenario) -> bool {
    scenario.heterogeneity > 0.0 && scenario.coverage >= 2
}

/// Less than 300 %, as Table 3 has it.
pub fn mild(scenario: &Scenario) -> bool {
    matters(scenario) && scenario.heterogeneity < 3.0
}

/// More than 600 %.
pub fn high(scenario: &Scenario) -> bool {
    matters(scenario) && scenario.heterogeneity > 6.0
}

/// Claims of one reading, as they come.
struct Claims {
    reading: Reading,
    claims: Vec<Claim>,
}

impl Claims {
    /// Adds one, if there was anything to measure it on.
    fn add(
        &mut self,
        (id, section): (&str, &'static str),
        statement: &str,
        weight: Weight,
        expected: Expected,
        measured: Option<Interval>,
    ) {
        let Some(measured) = measured else { return };
        let held = expected.holds(measured);
        self.claims.push(Claim {
            id: id.to_owned(),
            section,
            statement: statement.to_owned(),
            reading: self.reading.name(),
            measured,
            held,
            verdict: verdict(weight, self.reading, held),
        });
    }
}

/// Every claim about the grid under one reading. `figure_8` are the times of its one team, by heterogeneity.
pub fn claims(reading: Reading, grid: &Measured, figure_8: Option<&Measured>) -> Vec<Claim> {
    let mut claims = Claims { reading, claims: Vec::new() };
    let way = reading.way();
    for progress in [false, true] {
        let with = if progress { "with" } else { "without" };
        for (name, rule) in [("i", I), ("ii", II)] {
            let compare = |which: fn(&Scenario) -> bool| grid.compare(&[(rule, III)], Some(progress), way, which);
            let id = format!("no-heterogeneity-{name}-{with}-progress");
            let statement =
                format!("robots alike: strategy {} does as III, {with} progress when working", name.to_uppercase());
            let measured = compare(|scenario| scenario.heterogeneity == 0.0);
            claims.add((&id, "7.3.1"), &statement, Weight::Must, Expected::Same, measured);
            let id = format!("coverage-1-{name}-{with}-progress");
            let statement =
                format!("one robot can do each task: strategy {} does as III, {with} progress", name.to_uppercase());
            let measured = compare(|scenario| scenario.coverage == 1);
            claims.add((&id, "7.3.1"), &statement, Weight::Must, Expected::Same, measured);
        }
    }
    let compare = |a, b, progress, number, of: fn(&Scenario) -> bool| {
        grid.compare(&[(a, b)], Some(progress), way, |scenario| of(scenario) && scenario.region() == Region(number))
    };
    claims.add(
        ("region-1-i-iii", "7.3.1"),
        "region 1 without progress: I is slower than III",
        Weight::Must,
        Expected::Worse,
        compare(I, III, false, 1, matters),
    );
    claims.add(
        ("region-2-mild-ii-iii", "7.3.1"),
        "region 2 without progress, mild: III beats II",
        Weight::Must,
        Expected::Worse,
        compare(II, III, false, 2, mild),
    );
    claims.add(
        ("region-2-progress-ii-iii", "7.3.1"),
        "region 2 with progress: II beats III",
        Weight::Must,
        Expected::Better,
        compare(II, III, true, 2, matters),
    );
    claims.add(
        ("region-3-ii-i", "7.3.1"),
        "region 3 without progress: II is slower than I",
        Weight::Must,
        Expected::Worse,
        compare(II, I, false, 3, matters),
    );
    claims.add(
        ("region-3-ii-iii", "7.3.1"),
        "region 3 without progress: II is slower than III",
        Weight::Must,
        Expected::Worse,
        compare(II, III, false, 3, matters),
    );
    orderings(&mut claims, grid, figure_8);
    // What the report says and what depends on the reading.
    claims.add(
        ("region-1-large-ii-i", "7.3.1"),
        "region 1 without progress, 4 tasks or more: II is much better than I",
        Weight::Depends,
        Expected::Better,
        grid.compare(&[(II, I)], Some(false), way, |s| matters(s) && s.region() == Region(1) && s.tasks >= 4),
    );
    claims.add(
        ("region-2-high-ii-iii", "7.3.1"),
        "region 2 without progress, high: II beats III",
        Weight::Depends,
        Expected::Better,
        compare(II, III, false, 2, high),
    );
    claims.add(
        ("region-4-ii-iii", "7.3.1"),
        "region 4 without progress: II makes no difference",
        Weight::Depends,
        Expected::Equal,
        compare(II, III, false, 4, matters),
    );
    claims.add(
        ("region-4-i-iii", "7.3.1"),
        "region 4 without progress: I makes no difference",
        Weight::Depends,
        Expected::Equal,
        compare(I, III, false, 4, matters),
    );
    claims.claims
}

/// [Parker §7.3.2] Longest first, and random order in Figure 8.
fn orderings(claims: &mut Claims, grid: &Measured, figure_8: Option<&Measured>) {
    let way = claims.reading.way();
    let longest = against_shortest(Ordering::Longest);
    // The report makes one claim of it and names no strategy: so it is judged over the three of them.
    claims.add(
        ("longest-first", "7.3.2"),
        "longest first is disastrous (without progress, over the three strategies)",
        Weight::Must,
        Expected::Disastrous,
        grid.compare(&longest, Some(false), way, matters),
    );
    for (strategy, pair) in Strategy::ALL.into_iter().zip(longest) {
        let name = strategy.numeral();
        claims.add(
            (&format!("longest-first-{}", name.to_lowercase()), "7.3.2"),
            &format!("longest first is disastrous, strategy {name} alone"),
            Weight::Detail,
            Expected::Disastrous,
            grid.compare(&[pair], Some(false), way, matters),
        );
    }
    for (strategy, pair) in Strategy::ALL.into_iter().zip(against_shortest(Ordering::ModifiedRandom)) {
        let name = strategy.numeral();
        let (word, expected) =
            if strategy == Strategy::BestWins { ("improves", Expected::Better) } else { ("worsens", Expected::Worse) };
        claims.add(
            (&format!("figure-8-{}", name.to_lowercase()), "7.3.2"),
            &format!("6 robots, 12 tasks, coverage 4: random order {word} {name}"),
            Weight::Must,
            expected,
            figure_8.and_then(|figure_8| figure_8.compare(&[pair], Some(false), way, matters)),
        );
    }
}

/// [Parker §7.5, Figure 10] How far above the optimum the preferred strategy ends, with the report's delays. "Percent
/// worse" is the mean over missions of T / T_opt - 1 here, under every reading. \[R\]
pub fn figure_10(gaps: &[Gap]) -> Vec<Claim> {
    let mut claims = Claims { reading: Reading::Default, claims: Vec::new() };
    let gap = |set: &str, coverage: u32, region: u8| {
        let preferred = Rule::Preferred.name();
        let is = |gap: &&Gap| {
            gap.set == set
                && gap.coverage_from == coverage
                && gap.region == Region(region)
                && gap.conditions == Conditions::Report
                && gap.rule == preferred
        };
        gaps.iter().find(is).map(Gap::interval)
    };
    for region in 1..=3 {
        claims.add(
            (&format!("figure-10-region-{region}"), "7.5"),
            &format!("Figure 10, region {region}: the preferred strategy is less than 20 % above the optimum"),
            Weight::Must,
            Expected::Below(20.0),
            gap("figure-10", 1, region),
        );
        claims.add(
            (&format!("figure-10-coverage-2-region-{region}"), "7.5"),
            &format!("Figure 10, region {region}, coverage from 2 up: less than 20 % above the optimum"),
            Weight::Detail,
            Expected::Below(20.0),
            gap("figure-10", 2, region),
        );
    }
    for other in 2..=3 {
        claims.add(
            (&format!("figure-10-region-1-best-{other}"), "7.5"),
            &format!("Figure 10: region 1 is nearer to the optimum than region {other} (percentage points)"),
            Weight::Must,
            Expected::Less,
            gap("figure-10", 1, 1).zip(gap("figure-10", 1, other)).map(|(first, other)| apart(first, other)),
        );
    }
    for region in 1..=4 {
        claims.add(
            (&format!("larger-region-{region}"), "7.5"),
            &format!("larger missions, region {region}: less than 20 % above the optimum"),
            Weight::Depends,
            Expected::Below(20.0),
            gap("larger", 2, region),
        );
    }
    claims.claims
}

/// The difference of two values that have nothing to do with each other.
fn apart(a: Interval, b: Interval) -> Interval {
    let (a_error, b_error) = ((a.high - a.value) / 1.96, (b.high - b.value) / 1.96);
    Interval::new(a.value - b.value, (a_error * a_error + b_error * b_error).sqrt())
}

#[cfg(test)]
mod tests {
    use super::super::compare::Cell;
    use super::*;

    /// One scenario of two robots, in region 2; II is slower by ratios and quicker by averages.
    fn two_ways() -> Measured {
        let scenario = Scenario { robots: 2, tasks: 4, coverage: 2, heterogeneity: 1.0 };
        let runs: Vec<Vec<f64>> =
            (0..40).map(|run| if run % 2 == 0 { vec![20.0, 10.0] } else { vec![60.0, 90.0] }).collect();
        let cell = Cell::new(scenario, &runs, &[vec![(0, 1)]]);
        Measured { rules: vec![II, III], without: vec![cell.clone()], with: vec![cell] }
    }

    fn find<'c>(claims: &'c [Claim], id: &str) -> &'c Claim {
        claims.iter().find(|claim| claim.id == id).unwrap_or_else(|| panic!("no claim {id}"))
    }

    /// What fails under the default reading fails, whatever another reading says.
    #[test]
    fn a_claim_is_judged_under_the_default_reading() {
        let measured = two_ways();
        let by_averages = claims(Reading::Default, &measured, None);
        let claim = find(&by_averages, "region-2-progress-ii-iii");
        assert!((claim.measured.value + 20.0).abs() < 1e-9, "{claim:?}");
        assert_eq!((claim.held, claim.verdict), (true, "holds"));
        let other = find(&by_averages, "region-2-mild-ii-iii");
        assert_eq!((other.held, other.verdict), (false, "fails"), "whatever another reading says");
        let by_ratios = claims(Reading::Ratios, &measured, None);
        let claim = find(&by_ratios, "region-2-progress-ii-iii");
        assert!((claim.measured.value - 100.0 / 3.0).abs() < 1e-9, "{claim:?}");
        assert_eq!((claim.held, claim.verdict), (false, "depends"), "only the default reading can fail");
    }

    /// Strategy I alone may be below the bound; the claim is about all three.
    #[test]
    fn longest_first_is_one_claim_with_its_parts() {
        let scenario = Scenario { robots: 2, tasks: 4, coverage: 2, heterogeneity: 1.0 };
        let rules = Rule::with(&[Ordering::Longest, Ordering::ModifiedShortest]);
        let single = |strategy: usize| vec![(2 * strategy, 2 * strategy + 1)];
        let all: Vec<(usize, usize)> = (0..3).flat_map(single).collect();
        let contrasts = [single(0), single(1), single(2), all];
        let cell = Cell::new(scenario, &vec![vec![130.0, 100.0, 160.0, 100.0, 160.0, 100.0]; 20], &contrasts);
        let measured = Measured { rules, without: vec![cell], with: Vec::new() };
        let claims = claims(Reading::Default, &measured, None);
        let of = |id| (find(&claims, id).measured.value.round(), find(&claims, id).held, find(&claims, id).verdict);
        assert_eq!(of("longest-first"), (50.0, true, "holds"));
        assert_eq!(of("longest-first-i"), (30.0, false, "detail"));
        assert_eq!(of("longest-first-iii"), (60.0, true, "detail"));
    }

    fn gap(coverage_from: u32, region: u8, mean: f64) -> Gap {
        let averages = Interval::new(mean - 5.0, 0.1);
        let Interval { value, low, high } = Interval::new(mean, 0.1);
        Gap {
            set: "figure-10",
            coverage_from,
            conditions: Conditions::Report,
            region: Region(region),
            rule: Rule::Preferred.name(),
            mean: value,
            low,
            high,
            averages,
            sd: 1.0,
            runs: 9,
            scenarios: 9,
            unfinished: 0,
            unproved: 0,
            stops: 0,
            bound: None,
            verdict: None,
        }
    }

    #[test]
    fn figure_10_is_judged_from_coverage_1_up() {
        let gaps = [gap(1, 1, 8.0), gap(1, 2, 16.0), gap(1, 3, 21.0), gap(2, 2, 23.0)];
        let claims = figure_10(&gaps);
        let of = |id| (find(&claims, id).held, find(&claims, id).verdict);
        assert_eq!(of("figure-10-region-2"), (true, "holds"));
        assert_eq!(of("figure-10-region-3"), (false, "fails"));
        assert_eq!(of("figure-10-coverage-2-region-2"), (false, "detail"));
        assert_eq!(of("figure-10-region-1-best-2"), (true, "holds"));
    }
}
