//! What the report claims (§7.3, §7.5), each with what we measure.
//!
//! "Better" and "worse": the 95 % interval excludes zero and the difference is at least 2 %. "Equal": within 5 %.
//! "Disastrous": at least 40 % slower. Claims that hold under one reading and not under another are shown under each
//! and judged as depending on it.

use muster_core::alliance::{Ordering, Strategy};
use serde::Serialize;

use super::compare::{Cell, Interval, pooled};
use super::rules::{Reading, Rule};
use super::scenario::{Region, Scenario};

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
    /// `holds`, `fails` or `depends`.
    pub verdict: &'static str,
}

/// What a difference has to be.
#[derive(Copy, Clone, Debug, PartialEq)]
enum Expected {
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
}

impl Expected {
    fn holds(self, measured: Interval) -> bool {
        match self {
            Self::Better => measured.high < 0.0 && measured.value <= -2.0,
            Self::Worse => measured.low > 0.0 && measured.value >= 2.0,
            Self::Same => measured.value.abs() < 1e-9,
            Self::Equal => measured.value.abs() <= 5.0,
            Self::Disastrous => measured.low > 0.0 && measured.value >= 40.0,
        }
    }
}

/// The grid under one reading: averages of every rule, without and with progress when working.
pub struct Averages {
    /// How it was read.
    pub reading: Reading,
    /// Which column is which rule.
    pub rules: Vec<Rule>,
    /// Without progress when working.
    pub without: Vec<Cell>,
    /// With it.
    pub with: Vec<Cell>,
}

impl Averages {
    fn cells(&self, progress: bool) -> &[Cell] {
        if progress { &self.with } else { &self.without }
    }

    /// By how many percent the first rule is slower than the second, over the scenarios that `which` picks.
    pub fn compare(&self, a: Rule, b: Rule, progress: bool, which: impl Fn(&Scenario) -> bool) -> Option<Interval> {
        let column = |rule: Rule| self.rules.iter().position(|other| *other == rule);
        let cells = self.cells(progress).iter().filter(|cell| which(&cell.scenario));
        pooled(cells, column(a)?, column(b)?)
    }
}

const I: Rule = Rule::Report(Strategy::Distrust, Ordering::ModifiedShortest);
const II: Rule = Rule::Report(Strategy::BestWins, Ordering::ModifiedShortest);
const III: Rule = Rule::Report(Strategy::FightingChance, Ordering::ModifiedShortest);

/// Robots that differ, and enough of them to choose from.
fn matters(scenario: &Scenario) -> bool {
    scenario.heterogeneity > 0.0 && scenario.coverage >= 2
}

fn mild(scenario: &Scenario) -> bool {
    matters(scenario) && scenario.heterogeneity < 3.0
}

fn high(scenario: &Scenario) -> bool {
    matters(scenario) && scenario.heterogeneity > 6.0
}

/// Every claim about the grid under one reading. `figure_8` are the averages of its one team, by heterogeneity.
pub fn claims(grid: &Averages, figure_8: &Averages) -> Vec<Claim> {
    let mut claims = Vec::new();
    let reading = grid.reading;
    let mut claim =
        |id: &str, section, statement: &str, depends: bool, expected: Expected, measured: Option<Interval>| {
            let Some(measured) = measured else { return };
            let held = expected.holds(measured);
            let verdict = match (depends, held) {
                (true, _) => "depends",
                (false, true) => "holds",
                // Under another reading than ours a claim may fail: that is what makes it a reading.
                (false, false) if reading != Reading::Default => "depends",
                (false, false) => "fails",
            };
            let (id, statement) = (id.to_owned(), statement.to_owned());
            claims.push(Claim { id, section, statement, reading: reading.name(), measured, held, verdict });
        };
    let region = |number: u8, of: fn(&Scenario) -> bool| {
        move |scenario: &Scenario| of(scenario) && scenario.region() == Region(number)
    };
    for progress in [false, true] {
        let with = if progress { "with" } else { "without" };
        for (name, rule) in [("i", I), ("ii", II)] {
            let none = |scenario: &Scenario| scenario.heterogeneity == 0.0;
            let id = format!("no-heterogeneity-{name}-{with}-progress");
            let statement =
                format!("robots alike: strategy {} does as III, {with} progress when working", name.to_uppercase());
            claim(&id, "7.3.1", &statement, false, Expected::Same, grid.compare(rule, III, progress, none));
            let single = |scenario: &Scenario| scenario.coverage == 1;
            let id = format!("coverage-1-{name}-{with}-progress");
            let statement =
                format!("one robot can do each task: strategy {} does as III, {with} progress", name.to_uppercase());
            claim(&id, "7.3.1", &statement, false, Expected::Same, grid.compare(rule, III, progress, single));
        }
    }
    let compare = |a, b, progress, number, of| grid.compare(a, b, progress, region(number, of));
    claim(
        "region-1-i-iii",
        "7.3.1",
        "region 1 without progress: I is slower than III",
        false,
        Expected::Worse,
        compare(I, III, false, 1, matters),
    );
    claim(
        "region-2-mild-ii-iii",
        "7.3.1",
        "region 2 without progress, mild: III beats II",
        false,
        Expected::Worse,
        compare(II, III, false, 2, mild),
    );
    claim(
        "region-2-progress-ii-iii",
        "7.3.1",
        "region 2 with progress: II beats III",
        false,
        Expected::Better,
        compare(II, III, true, 2, matters),
    );
    claim(
        "region-3-ii-i",
        "7.3.1",
        "region 3 without progress: II is slower than I",
        false,
        Expected::Worse,
        compare(II, I, false, 3, matters),
    );
    claim(
        "region-3-ii-iii",
        "7.3.1",
        "region 3 without progress: II is slower than III",
        false,
        Expected::Worse,
        compare(II, III, false, 3, matters),
    );
    for strategy in Strategy::ALL {
        let longest = Rule::Report(strategy, Ordering::Longest);
        let shortest = Rule::Report(strategy, Ordering::ModifiedShortest);
        let name = strategy.numeral();
        claim(
            &format!("longest-first-{}", name.to_lowercase()),
            "7.3.2",
            &format!("longest first is disastrous (strategy {name}, without progress)"),
            false,
            Expected::Disastrous,
            grid.compare(longest, shortest, false, matters),
        );
        let random = Rule::Report(strategy, Ordering::ModifiedRandom);
        let (word, expected) =
            if strategy == Strategy::BestWins { ("improves", Expected::Better) } else { ("worsens", Expected::Worse) };
        claim(
            &format!("figure-8-{}", name.to_lowercase()),
            "7.3.2",
            &format!("6 robots, 12 tasks, coverage 4: random order {word} {name}"),
            false,
            expected,
            figure_8.compare(random, shortest, false, matters),
        );
    }
    // What the report says and what depends on the reading.
    claim(
        "region-1-large-ii-i",
        "7.3.1",
        "region 1 without progress, 4 tasks or more: II is much better than I",
        true,
        Expected::Better,
        grid.compare(II, I, false, |s| matters(s) && s.region() == Region(1) && s.tasks >= 4),
    );
    claim(
        "region-2-high-ii-iii",
        "7.3.1",
        "region 2 without progress, high: II beats III",
        true,
        Expected::Better,
        compare(II, III, false, 2, high),
    );
    claim(
        "region-4-ii-iii",
        "7.3.1",
        "region 4 without progress: II makes no difference",
        true,
        Expected::Equal,
        compare(II, III, false, 4, matters),
    );
    claim(
        "region-4-i-iii",
        "7.3.1",
        "region 4 without progress: I makes no difference",
        true,
        Expected::Equal,
        compare(I, III, false, 4, matters),
    );
    claims
}
