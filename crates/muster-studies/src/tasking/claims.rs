//! What the paper claims of its protocol, and what we promise of ours, each with what we measure.
//!
//! Two tables and two sources: `paper` holds what MacKenzie says, in his sections and with his definitions, of the protocol
//! as drawn and as written; `ours` what the fixes are for. What was fitted to the paper, or cannot come out otherwise, is marked.

mod ours;
mod paper;

use std::fmt;

use muster_core::tasking::Variant;
use serde::Serialize;

use super::Study;
use crate::verdict::{Bounds, Ground, Interval, Known, Source, Verdict, across};

/// A claim and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct Claim {
    /// A short name.
    pub id: String,
    /// Whose claim it is.
    pub source: Source,
    /// Where the paper makes it; empty if it is ours.
    pub section: &'static str,
    /// What it says.
    pub statement: String,
    /// Which variant of the protocol, or which scenario, or how it was read.
    pub reading: &'static str,
    /// What value, low and high are counted in; empty if they are plain numbers.
    pub unit: &'static str,
    /// What was measured.
    pub value: f64,
    /// The lower end of its interval.
    pub from: f64,
    /// The upper end of its interval.
    pub to: f64,
    /// Least that it may be.
    pub low: f64,
    /// Most that it may be.
    pub high: f64,
    /// On how many runs that rests; nothing if it was counted once.
    pub runs: Option<usize>,
    /// What it rests on.
    pub ground: Ground,
    /// Where it is known to lie, if it is known to fail.
    pub known: Option<Known>,
    /// The same claim, read otherwise.
    pub other_readings: Vec<Reading>,
    /// What became of it.
    pub verdict: Verdict,
}

/// A claim under another reading than its own.
#[derive(Clone, Debug, Serialize)]
pub struct Reading {
    /// How it was read.
    pub reading: &'static str,
    /// What was measured.
    pub value: f64,
    /// What would become of it under this reading alone.
    pub verdict: Verdict,
}

/// Hundredths of a cost are what a bid holds: nearer than half of one is the same.
const HALF: f64 = 0.005;

const PERCENT: &str = "%";
const COST: &str = "cost";
const SECONDS: &str = "s";

/// [MacKenzie §4] Who flies which phase of the example mission, when, and on which heading.
const EXAMPLE: [(&str, f64, f64); 3] = [("doug4", 15.0, 180.0), ("doug2", 20.0, 45.0), ("doug3", 25.0, 270.0)];

/// All of them.
const ALL: Bounds = Bounds::exactly(100.0);
/// None of them.
const NONE: Bounds = Bounds::exactly(0.0);

/// As near to a cost as a bid tells it.
const fn near(cost: f64) -> Bounds {
    Bounds::between(cost - HALF, cost + HALF)
}

/// How many percent of the runs that were made; of these it is exact.
fn share(part: usize, runs: usize) -> Interval {
    Interval::exact(100.0 * part as f64 / runs as f64)
}

/// From the least to the greatest of several values, about their mean: all of them have to be as claimed.
fn spread(values: &[f64]) -> Interval {
    Interval {
        value: crate::stats::mean(values),
        low: values.iter().copied().fold(f64::INFINITY, f64::min),
        high: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    }
}

impl Claim {
    fn new(
        source: Source,
        (id, section): (impl Into<String>, &'static str),
        statement: impl Into<String>,
        reading: &'static str,
        measured: Interval,
        (claimed, unit): (Bounds, &'static str),
    ) -> Self {
        Self {
            id: id.into(),
            source,
            section,
            statement: statement.into(),
            reading,
            unit,
            value: measured.value,
            from: measured.low,
            to: measured.high,
            low: claimed.low,
            high: claimed.high,
            runs: None,
            ground: Ground::Measured,
            known: None,
            other_readings: Vec::new(),
            verdict: Verdict::of(measured, claimed),
        }
    }

    /// What the paper claims, in one of its sections.
    fn of_paper(
        id_and_section: (impl Into<String>, &'static str),
        statement: impl Into<String>,
        reading: &'static str,
        measured: Interval,
        claimed: (Bounds, &'static str),
    ) -> Self {
        Self::new(Source::Paper, id_and_section, statement, reading, measured, claimed)
    }

    /// What we promise.
    fn of_ours(
        id: impl Into<String>,
        statement: impl Into<String>,
        reading: &'static str,
        measured: Interval,
        claimed: (Bounds, &'static str),
    ) -> Self {
        Self::new(Source::Ours, (id, ""), statement, reading, measured, claimed)
    }

    /// On how many runs it rests.
    fn on(self, runs: usize) -> Self {
        Self { runs: Some(runs), ..self }
    }

    /// What the paper leaves open was chosen so that it holds.
    fn fitted(self) -> Self {
        Self { ground: Ground::Fitted, ..self }
    }

    /// It cannot but hold, whatever the protocol does.
    fn by_construction(self) -> Self {
        Self { ground: Ground::Construction, ..self }
    }

    /// Measured, and no promise: it says that the promises beside it mean something.
    fn precondition(self) -> Self {
        Self { ground: Ground::Precondition, ..self }
    }

    fn interval(&self) -> Interval {
        Interval { value: self.value, low: self.from, high: self.to }
    }

    /// The same of all runs that might have been made, and not only of those that were: a share of few of them says little.
    fn sampled(&self) -> Interval {
        match self.runs {
            Some(runs) if self.unit == PERCENT => Interval::percentile(self.value, runs),
            _ => self.interval(),
        }
    }

    /// It is known to fail, with a figure in this band, for this reason.
    fn known(self, low: f64, high: f64, because: &'static str) -> Self {
        let known = Known::new(low, high, because);
        let verdict = self.verdict.known(self.sampled(), Some(&known));
        Self { known: Some(known), verdict, ..self }
    }

    /// The same claim can be read otherwise, and then this is what is measured.
    fn or_read_as(mut self, reading: &'static str, measured: Interval) -> Self {
        let verdict = Verdict::of(measured, Bounds::between(self.low, self.high));
        self.other_readings.push(Reading { reading, value: measured.value, verdict });
        self.verdict = across(self.verdict, self.other_readings.iter().map(|other| other.verdict));
        self
    }

    /// What was measured, for people to read.
    pub fn measured(&self) -> String {
        let runs = self.runs.map_or_else(String::new, |runs| format!(", {runs} runs"));
        format!("{}{runs}", self.with_unit(&self.plain(self.value)))
    }

    /// What it may be, for people to read.
    pub fn expected(&self) -> String {
        let (low, high) = (self.plain(self.low), self.plain(self.high));
        if self.unit == COST {
            return self.plain(f64::midpoint(self.low, self.high));
        }
        self.with_unit(&match (self.low.is_finite(), self.high.is_finite()) {
            (true, false) => format!("at least {low}"),
            (false, true) => format!("at most {high}"),
            _ if low == high => low,
            _ => format!("{low} to {high}"),
        })
    }

    /// Why it is known to fail, how else it can be read, or why it is no evidence.
    pub fn remark(&self) -> String {
        let mut remarks: Vec<String> = Vec::new();
        match self.ground {
            Ground::Measured => {}
            Ground::Precondition => remarks.push("a precondition of the promises beside it: not counted".to_owned()),
            ground => remarks.push(format!("{}: not counted", ground.remark())),
        }
        remarks.extend(self.known.filter(|_| self.verdict == Verdict::KnownMismatch).map(|it| it.because.to_owned()));
        for other in &self.other_readings {
            let value = self.with_unit(&self.plain(other.value));
            remarks.push(format!("read as {}: {value}, {}", other.reading, other.verdict.name()));
        }
        remarks.join("; ")
    }

    fn with_unit(&self, number: &str) -> String {
        match self.unit {
            "" | COST => number.to_owned(),
            unit => format!("{number} {unit}"),
        }
    }

    /// A cost with its hundredths, else as many of three decimals as it needs.
    fn plain(&self, value: f64) -> String {
        match self.unit {
            _ if !value.is_finite() => "–".to_owned(),
            COST => format!("{value:.2}"),
            _ => {
                let text = format!("{value:.3}");
                let text = text.trim_end_matches('0').trim_end_matches('.');
                if text == "-0" { "0".to_owned() } else { text.to_owned() }
            }
        }
    }
}

/// A claim's name under a variant: as drawn it needs none of the variant's.
fn named(variant: Variant, id: impl fmt::Display) -> String {
    match variant {
        Variant::Drawn => id.to_string(),
        Variant::Written | Variant::Fenced => format!("{}-{id}", variant.name()),
    }
}

/// The names of the claims that a row of a table is judged by; none if nothing is claimed of it.
///
/// Here and nowhere else, so that a table shows the verdict of its claims and none of its own.
pub mod names {
    use muster_core::tasking::Variant;

    use super::named;
    use crate::tasking::Losses;
    use crate::tasking::chain::Chain;
    use crate::tasking::faults::Faults;
    use crate::tasking::normal::Went;
    use crate::tasking::partitions::Partitions;
    use crate::tasking::weaknesses::Shown;

    fn variant(name: &str) -> Variant {
        Variant::ALL.into_iter().find(|variant| variant.name() == name).expect("rows are of one of the variants")
    }

    /// What works without loss. Of the paper's, that only one does it is Claim 2.
    pub fn normal(went: &Went) -> String {
        match variant(went.variant) {
            papers @ (Variant::Drawn | Variant::Written) if went.id == "only-one" => named(papers, "claim-2"),
            any => named(any, went.id),
        }
    }

    /// Claim 1. What is lost is no part of the paper's: vehicles of its chain are "able to exchange messages".
    pub fn chain(chain: &Chain) -> Option<String> {
        let (case, sync_s, loss) = (chain.case.name(), chain.overlap_s, 100.0 * chain.loss);
        match variant(chain.variant) {
            Variant::Fenced => {
                Some(named(Variant::Fenced, format_args!("chain-{case}-sync-{sync_s:.0}-loss-{loss:.0}")))
            }
            papers => (loss == 0.0).then(|| named(papers, format_args!("claim-1-{case}-sync-{sync_s:.0}"))),
        }
    }

    /// Claim 2 under loss, which is the paper's; the fixes' are W4 and crashes.
    pub fn losses(row: &Losses) -> Option<String> {
        let loss = 100.0 * row.loss;
        let papers = Some(variant(row.variant)).filter(|variant| *variant != Variant::Fenced)?;
        Some(named(papers, format_args!("claim-2-loss-{loss:.0}")))
    }

    /// A weakness, as the fixes mend it.
    pub fn weakness(shown: &Shown) -> String {
        shown.id.to_lowercase().replace([' ', ','], "-").replace('%', "percent")
    }

    /// Crashes: `lost`, `twice` or `met`, with the fixes.
    pub fn crashes(row: &Faults, what: &str) -> String {
        let promise = if row.delivery == "at-most-once" { "-at-most-once" } else { "" };
        let air = if row.air == "orderly" { "" } else { "-unruly" };
        let (crashes, loss) = (row.crashes.replace(' ', "-"), 100.0 * row.loss);
        format!("{}{promise}-{crashes}{air}-loss-{loss:.0}-{what}", row.variant)
    }

    /// All of these.
    pub fn of_crashes(row: &Faults) -> [String; 3] {
        ["lost", "twice", "met"].map(|what| crashes(row, what))
    }

    /// Partitions: `healed`, `between`, `done` or `noticed`, with the fixes.
    pub fn partition(row: &Partitions, what: &str) -> String {
        format!("{}-partition-loss-{:.0}-{what}", row.variant, 100.0 * row.loss)
    }

    /// Partitions, where nothing must be done twice.
    pub fn at_most_once(row: &Partitions) -> String {
        format!("at-most-once-loss-{:.0}", 100.0 * row.loss)
    }

    /// All of either.
    pub fn of_partitions(row: &Partitions) -> Vec<String> {
        match row.delivery {
            "at-most-once" => vec![at_most_once(row)],
            _ => ["healed", "between", "done", "noticed"].map(|what| partition(row, what)).into(),
        }
    }
}

/// The worst verdict of the claims with these names; nothing if there are none.
pub fn verdict_of(claims: &[Claim], names: &[String]) -> Option<Verdict> {
    let worse = |verdict: Verdict| match verdict {
        Verdict::Holds => 0,
        Verdict::Depends | Verdict::Undecided => 1,
        Verdict::KnownMismatch => 2,
        Verdict::Fails => 3,
    };
    claims.iter().filter(|claim| names.contains(&claim.id)).map(|claim| claim.verdict).max_by_key(|it| worse(*it))
}

/// All claims of a study: the paper's, then ours.
pub fn claims(study: &Study) -> Vec<Claim> {
    let mut claims = paper::claims(study);
    claims.extend(ours::claims(study));
    claims
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(value: f64) -> Claim {
        Claim::of_paper(("x", "2.1"), "it is carried out", "drawn", Interval::exact(value), (ALL, PERCENT))
    }

    #[test]
    fn a_band_and_a_reading_change_the_verdict_and_say_so() {
        assert_eq!(claim(100.0).known(0.0, 5.0, "a gap").verdict, Verdict::Holds);
        let known = claim(3.0).known(0.0, 5.0, "a gap");
        assert_eq!((known.verdict, known.remark()), (Verdict::KnownMismatch, "a gap".to_owned()));
        let left = claim(30.0).known(0.0, 5.0, "a gap");
        assert_eq!((left.verdict, left.remark()), (Verdict::Fails, String::new()), "it has left its band");
        let few = claim(8.0).on(10).known(0.0, 5.0, "a gap");
        assert_eq!(few.verdict, Verdict::Undecided, "of ten runs 8 % may as well be 5 %");
        assert_eq!(claim(8.0).on(1_000).known(0.0, 5.0, "a gap").verdict, Verdict::Fails);
        let read = claim(100.0).or_read_as("a star", Interval::exact(0.0));
        assert_eq!((read.verdict, read.remark()), (Verdict::Depends, "read as a star: 0 %, fails".to_owned()));
        assert_eq!(claim(0.0).or_read_as("a star", Interval::exact(0.0)).verdict, Verdict::Fails);
        assert_eq!(claim(100.0).fitted().on(20).remark(), "fitted: not counted");
        assert_eq!(claim(100.0).on(20).measured(), "100 %, 20 runs");
    }
}
