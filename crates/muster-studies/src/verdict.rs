//! Verdicts: computed from what was measured and what was claimed, by the same rules in every study, and never filed by hand.
//!
//! What was measured is an [`Interval`], what was claimed are [`Bounds`]; [`Verdict::of`] compares the two. [`across`] is for
//! a claim that was put to the test under several readings of its paper. [`Account`] counts verdicts, the paper's claims
//! apart from our own promises, and leaves out what could not have come out otherwise.

use std::fmt;

use serde::Serialize;

use crate::table::{Mark, Value};

/// What became of a claim.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The whole interval lies within what was claimed.
    Holds,
    /// The whole interval lies outside.
    Fails,
    /// It lies outside, in the band that a [`Known`] mismatch wrote down for it beforehand.
    KnownMismatch,
    /// The interval reaches across the edge of what was claimed: more runs would tell.
    Undecided,
    /// It holds under one stated reading of the paper and fails under another.
    Depends,
}

impl Verdict {
    /// What was measured against what was claimed.
    pub fn of(measured: Interval, claimed: Bounds) -> Self {
        if measured.low >= claimed.low && measured.high <= claimed.high {
            Self::Holds
        } else if measured.low <= claimed.high && measured.high >= claimed.low {
            Self::Undecided
        } else {
            // Also what could not be measured, NaN.
            Self::Fails
        }
    }

    /// The same for a claim that is known to fail: if it does, by a figure in the band that was written down.
    pub fn known(self, measured: Interval, known: Option<&Known>) -> Self {
        match (self, known) {
            (Self::Fails, Some(known)) if known.band.contains(measured.value) => Self::KnownMismatch,
            _ => self,
        }
    }

    /// As it stands in tables and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::KnownMismatch => "known-mismatch",
            Self::Undecided => "undecided",
            Self::Depends => "depends",
        }
    }

    /// A cell of a table.
    pub fn cell(self) -> Value {
        let mark = match self {
            Self::Holds => Mark::Good,
            Self::Fails => Mark::Bad,
            Self::KnownMismatch => Mark::Known,
            Self::Undecided | Self::Depends => Mark::Open,
        };
        Value::Verdict(mark, self.name().to_owned())
    }
}

/// The verdict on a claim that was put to the test under several readings: what the default reading says, unless another
/// reading contradicts it. A reading that is undecided contradicts nobody.
pub fn across(default: Verdict, others: impl IntoIterator<Item = Verdict>) -> Verdict {
    let (mut holds, mut fails) = (default == Verdict::Holds, default == Verdict::Fails);
    for other in others {
        holds |= other == Verdict::Holds;
        fails |= other == Verdict::Fails;
    }
    if holds && fails { Verdict::Depends } else { default }
}

/// A figure and how sure of it we are: its 95 % interval, or nothing but itself where everything was counted.
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

    /// What was counted: of the runs that were made it is exact.
    pub const fn exact(value: f64) -> Self {
        Self { value, low: value, high: value }
    }

    /// A share of `runs`, in percent, with Wilson's interval: it stays between 0 and 100 and is never of no width.
    pub fn percent(part: usize, runs: usize) -> Self {
        Self::percentile(100.0 * part as f64 / runs as f64, runs)
    }

    /// Where a figure lies among `runs` others, in percent, with the same interval.
    pub fn percentile(percent: f64, runs: usize) -> Self {
        if runs == 0 {
            return Self { value: f64::NAN, low: 0.0, high: 100.0 };
        }
        let (share, n, z) = (percent / 100.0, runs as f64, 1.96);
        let (middle, scale) = (share + z * z / (2.0 * n), 1.0 + z * z / n);
        let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
        let end = |end: f64| (100.0 * end / scale).clamp(0.0, 100.0);
        Self { value: 100.0 * share, low: end(middle - half), high: end(middle + half) }
    }
}

/// Where a figure has to lie; both ends belong to it.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Bounds {
    /// Least that it may be.
    pub low: f64,
    /// Most that it may be.
    pub high: f64,
}

impl Bounds {
    /// Between two values.
    pub const fn between(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    /// This value.
    pub const fn exactly(value: f64) -> Self {
        Self { low: value, high: value }
    }

    /// This or less.
    pub const fn at_most(high: f64) -> Self {
        Self { low: f64::NEG_INFINITY, high }
    }

    /// This or more.
    pub const fn at_least(low: f64) -> Self {
        Self { low, high: f64::INFINITY }
    }

    /// Whether a value is among them.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// A mismatch that is known: where our figure lies, and why it does. When it leaves the band it is unknown again.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Known {
    /// Where our figure lies.
    pub band: Bounds,
    /// Why it is not where the paper has it.
    pub because: &'static str,
}

impl Known {
    /// A band and its explanation.
    pub const fn new(low: f64, high: f64, because: &'static str) -> Self {
        Self { band: Bounds::between(low, high), because }
    }
}

/// Whose claim it is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The paper's, about what the paper describes.
    Paper,
    /// Ours, about what we made.
    Ours,
}

impl Source {
    /// As it stands in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Ours => "ours",
        }
    }
}

/// What a verdict rests on.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// It was measured, and could have come out otherwise.
    Measured,
    /// Values that the paper does not give were chosen so that it comes out.
    Fitted,
    /// It cannot come out otherwise, whatever the protocol does.
    Construction,
}

impl Ground {
    /// As it stands in tables; nothing is said of what was measured.
    pub const fn remark(self) -> &'static str {
        match self {
            Self::Measured => "",
            Self::Fitted => "fitted",
            Self::Construction => "by construction",
        }
    }
}

/// How many verdicts of each kind.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Held.
    pub held: usize,
    /// Failed.
    pub failed: usize,
    /// Failed as was written down.
    pub known: usize,
    /// Neither, with so many runs.
    pub undecided: usize,
    /// Readings differ.
    pub depends: usize,
    /// Held by construction or by fitting: no evidence, and not among those that held.
    pub not_counted: usize,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { held, failed, known, undecided, depends, not_counted } = self;
        write!(f, "{held} held, {failed} failed, {known} known, {undecided} undecided")?;
        if *depends > 0 {
            write!(f, ", {depends} depending on the reading")?;
        }
        if *not_counted > 0 {
            write!(f, " ({not_counted} more held by construction or were fitted, not counted)")?;
        }
        Ok(())
    }
}

/// The paper's claims and ours, counted apart.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Account {
    /// The paper's claims.
    pub paper: Tally,
    /// Our promises.
    pub ours: Tally,
}

impl Account {
    /// Counts one. What fails counts, whatever it was expected to rest on.
    pub fn add(&mut self, source: Source, ground: Ground, verdict: Verdict) {
        let tally = match source {
            Source::Paper => &mut self.paper,
            Source::Ours => &mut self.ours,
        };
        let count = match verdict {
            Verdict::Holds if ground != Ground::Measured => &mut tally.not_counted,
            Verdict::Holds => &mut tally.held,
            Verdict::Fails => &mut tally.failed,
            Verdict::KnownMismatch => &mut tally.known,
            Verdict::Undecided => &mut tally.undecided,
            Verdict::Depends => &mut tally.depends,
        };
        *count += 1;
    }

    /// Nothing fails.
    pub const fn holds(&self) -> bool {
        self.paper.failed == 0 && self.ours.failed == 0
    }
}

/// The line that a study ends with.
impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the paper's claims: {}", self.paper)?;
        // Not every study promises anything of its own.
        if self.ours != Tally::default() {
            write!(f, "; ours: {}", self.ours)?;
        }
        Ok(())
    }
}

impl FromIterator<(Source, Ground, Verdict)> for Account {
    fn from_iter<I: IntoIterator<Item = (Source, Ground, Verdict)>>(verdicts: I) -> Self {
        let mut account = Self::default();
        for (source, ground, verdict) in verdicts {
            account.add(source, ground, verdict);
        }
        account
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(low: f64, high: f64) -> Verdict {
        let measured = Interval { value: f64::midpoint(low, high), low, high };
        Verdict::of(measured, Bounds::between(10.0, 20.0))
    }

    #[test]
    fn inside_outside_and_across_the_edge() {
        assert_eq!(of(12.0, 13.0), Verdict::Holds);
        assert_eq!(of(10.0, 20.0), Verdict::Holds, "the ends belong to it");
        assert_eq!(of(20.5, 21.0), Verdict::Fails);
        assert_eq!(of(3.0, 9.5), Verdict::Fails);
        assert_eq!(of(9.0, 11.0), Verdict::Undecided);
        assert_eq!(of(19.0, 21.0), Verdict::Undecided);
        assert_eq!(of(0.0, 30.0), Verdict::Undecided, "it could be anywhere");
        assert_eq!(of(f64::NAN, f64::NAN), Verdict::Fails, "what could not be measured does not hold");
    }

    #[test]
    fn a_known_mismatch_that_leaves_its_band_fails_again() {
        let known = Known::new(28.0, 32.0, "because");
        let judged = |value: f64| {
            let measured = Interval::new(value, 0.5);
            Verdict::of(measured, Bounds::between(10.0, 20.0)).known(measured, Some(&known))
        };
        assert_eq!(judged(30.0), Verdict::KnownMismatch);
        assert_eq!(judged(33.0), Verdict::Fails);
        assert_eq!(judged(15.0), Verdict::Holds, "what holds after all is not charged with it");
        assert_eq!(judged(20.0), Verdict::Undecided);
    }

    #[test]
    fn a_claim_depends_only_if_readings_contradict_each_other() {
        use Verdict::{Depends, Fails, Holds, Undecided};
        assert_eq!(across(Holds, [Holds, Undecided]), Holds);
        assert_eq!(across(Fails, [Fails, Fails]), Fails, "it fails under every reading");
        assert_eq!(across(Holds, [Holds, Fails]), Depends);
        assert_eq!(across(Fails, [Undecided, Holds]), Depends);
        assert_eq!(across(Undecided, [Fails]), Undecided);
        assert_eq!(across(Undecided, [Fails, Holds]), Depends);
    }

    #[test]
    fn shares_are_never_certain() {
        let none = Interval::percent(0, 100);
        assert_eq!((none.value, none.low), (0.0, 0.0));
        assert!((3.6..3.8).contains(&none.high), "{none:?}");
        let half = Interval::percent(50, 100);
        assert!((40.3..40.5).contains(&half.low) && (59.5..59.7).contains(&half.high), "{half:?}");
        assert_eq!(Verdict::of(Interval::percent(0, 0), Bounds::between(0.0, 50.0)), Verdict::Undecided);
    }

    #[test]
    fn what_could_not_come_out_otherwise_is_not_counted_and_what_fails_always_is() {
        let account: Account = [
            (Source::Paper, Ground::Measured, Verdict::Holds),
            (Source::Paper, Ground::Fitted, Verdict::Holds),
            (Source::Paper, Ground::Measured, Verdict::KnownMismatch),
            (Source::Ours, Ground::Construction, Verdict::Fails),
            (Source::Ours, Ground::Measured, Verdict::Depends),
        ]
        .into_iter()
        .collect();
        assert!(!account.holds());
        assert_eq!(
            account.to_string(),
            "the paper's claims: 1 held, 0 failed, 1 known, 0 undecided (1 more held by construction or were fitted, not counted); \
             ours: 0 held, 1 failed, 0 known, 0 undecided, 1 depending on the reading"
        );
    }
}
