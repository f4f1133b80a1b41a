//! What the paper claims of its protocol, and what we promise of ours, each with what we measure.
//!
//! Two tables and two sources: `paper` holds what MacKenzie says, in his sections and with his definitions, of the protocol
//! as drawn and as written; `ours` what the fixes are for. What was fitted to the paper, or cannot come out otherwise, is marked.

mod ours;
mod paper;

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

    fn interval(&self) -> Interval {
        Interval { value: self.value, low: self.from, high: self.to }
    }

    /// It is known to fail, with a figure in this band, for this reason.
    fn known(self, low: f64, high: f64, because: &'static str) -> Self {
        let known = Known::new(low, high, because);
        let verdict = self.verdict.known(self.interval(), Some(&known));
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
        if self.ground != Ground::Measured {
            remarks.push(format!("{}: not counted", self.ground.remark()));
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
        let read = claim(100.0).or_read_as("a star", Interval::exact(0.0));
        assert_eq!((read.verdict, read.remark()), (Verdict::Depends, "read as a star: 0 %, fails".to_owned()));
        assert_eq!(claim(0.0).or_read_as("a star", Interval::exact(0.0)).verdict, Verdict::Fails);
        assert_eq!(claim(100.0).fitted().on(20).remark(), "fitted: not counted");
        assert_eq!(claim(100.0).on(20).measured(), "100 %, 20 runs");
    }
}
