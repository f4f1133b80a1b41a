//! A check: what is asked, how it was found out, and what came out.

use std::error::Error;

use serde::Serialize;

use super::runs::Runs;
use crate::verdict::{Bounds, Interval, Verdict};

/// A check and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// Its number.
    pub id: &'static str,
    /// The section that asks for it, such as "5.8 Third robot".
    pub section: &'static str,
    /// The paper's demand, in one sentence.
    pub statement: &'static str,
    /// What was done to find out.
    pub reading: &'static str,
    /// What came out, in words: what was seen, or what was not as it should be.
    pub found: String,
    /// What value, low and high are counted in; empty if they are plain numbers.
    pub unit: &'static str,
    /// What was measured, if it is a number.
    pub value: Option<f64>,
    /// Least that it may be.
    pub low: Option<f64>,
    /// Most that it may be; nothing if there is no bound.
    pub high: Option<f64>,
    /// What became of it: nothing that was looked at may be otherwise.
    pub verdict: Verdict,
}

/// Why something could not be found out. That is no answer, and counts as a failure.
pub type Trouble = Box<dyn Error>;

/// What a check may look at.
pub struct Evidence<'a> {
    /// Seed of the study.
    pub seed: u64,
    /// Half hours at receptions.
    pub runs: &'a Runs,
}

/// A check that can be made.
pub struct Asked {
    /// Its number.
    pub id: &'static str,
    /// The section that asks for it, such as "5.8 Third robot".
    pub section: &'static str,
    /// The paper's demand, in one sentence.
    pub statement: &'static str,
    /// What is done to find out.
    pub reading: &'static str,
    /// Finds out.
    pub ask: fn(&Evidence<'_>, &mut Findings) -> Result<(), Trouble>,
}

impl Asked {
    /// Finds out.
    pub fn answer(&self, evidence: &Evidence<'_>) -> Check {
        let mut findings = Findings::default();
        if let Err(trouble) = (self.ask)(evidence, &mut findings) {
            findings.missed.push(trouble.to_string());
        }
        let Findings { looked_at, missed, measured, seen } = findings;
        // How much of what was looked at is otherwise. What was not looked at is no number, and does not hold.
        let otherwise = if looked_at > 0 { missed.len() as f64 } else { f64::NAN };
        let verdict = Verdict::of(Interval::exact(otherwise), Bounds::exactly(0.0));
        let held = verdict == Verdict::Holds;
        let found = if held { seen.join("; ") } else { format!("not so: {}", missed.join("; ")) };
        let (value, low, high, unit) = measured.map_or((None, None, None, ""), |(value, low, high, unit)| {
            (Some(value), Some(low), Some(high).filter(|high| high.is_finite()), unit)
        });
        let Self { id, section, statement, reading, .. } = *self;
        Check { id, section, statement, reading, found, unit, value, low, high, verdict }
    }
}

/// What has been found out so far.
#[derive(Default)]
pub struct Findings {
    looked_at: usize,
    missed: Vec<String>,
    measured: Option<(f64, f64, f64, &'static str)>,
    seen: Vec<String>,
}

impl Findings {
    /// This has to be. Of many that are not, only the first few are told.
    pub fn expect(&mut self, holds: bool, what: impl Into<String>) {
        const TOLD: usize = 3;
        self.looked_at += 1;
        if !holds && self.missed.len() < TOLD {
            self.missed.push(what.into());
        }
    }

    /// This has to be the same as that.
    pub fn equal<T: PartialEq + std::fmt::Debug>(&mut self, found: T, wanted: T, what: &str) {
        self.expect(found == wanted, format!("{what} is {found:?} instead of {wanted:?}"));
    }

    /// This has to be refused, with these words in what is said about it.
    pub fn refused<T>(&mut self, result: Result<T, impl std::fmt::Display>, words: &str) {
        match result {
            Ok(_) => self.expect(false, format!("what is refused with \"{words}\" was taken")),
            Err(error) => {
                let error = error.to_string();
                self.expect(error.contains(words), format!("\"{error}\" does not say \"{words}\""));
            }
        }
    }

    /// The number that the check is about, and between what it has to lie.
    pub fn measure(&mut self, value: f64, (low, high): (f64, f64), unit: &'static str) {
        self.expect((low..=high).contains(&value), format!("{value} is not within {low} to {high} {unit}"));
        self.measured = Some((value, low, high, unit));
    }

    /// What was seen, for people to read.
    pub fn saw(&mut self, what: impl Into<String>) {
        self.seen.push(what.into());
    }
}

/// The number of something that must never be.
pub const NEVER: (f64, f64) = (0.0, 0.0);
