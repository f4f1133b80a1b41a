//! Verdicts: computed from what was measured and what was claimed, by the same rules in every study, and never filed by hand.
//!
//! What was measured is an [`Interval`], what was claimed are [`Bounds`]; [`Verdict::of`] compares the two. [`across`] is for
//! a claim that was put to the test under several readings of its paper. [`Account`] counts verdicts, the paper's claims
//! apart from our own promises, and leaves out what could not have come out otherwise.

use std::fmt;

use serde::Serialize;

use crate::stats;
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
        } else if claimed.meets(measured) {
            Self::Undecided
        } else {
            // Also what could not be measured, NaN.
            Self::Fails
        }
    }

    /// The same for a claim that is known to fail: if it does, by a figure in the band that was written down. A figure
    /// beside the band whose interval reaches into it may be there by chance: more runs would tell.
    pub fn known(self, measured: Interval, known: Option<&Known>) -> Self {
        match (self, known) {
            (Self::Fails, Some(known)) if known.band.contains(measured.value) => Self::KnownMismatch,
            (Self::Fails, Some(known)) if known.band.meets(measured) => Self::Undecided,
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

    /// How it looks.
    pub const fn mark(self) -> Mark {
        match self {
            Self::Holds => Mark::Good,
            Self::Fails => Mark::Bad,
            Self::KnownMismatch => Mark::Known,
            Self::Undecided | Self::Depends => Mark::Open,
        }
    }

    /// A cell of a table.
    pub fn cell(self) -> Value {
        Value::Verdict(self.mark(), self.name().to_owned())
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

    /// The mean of a sample, by Student's t: also of a few runs it says how little they tell. Of a single one, nothing.
    pub fn of_mean(sample: &[f64]) -> Self {
        let value = stats::mean(sample);
        if sample.len() < 2 {
            return Self { value, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        let half = stats::student(sample.len() - 1) * stats::sd(sample) / (sample.len() as f64).sqrt();
        Self { value, low: value - half, high: value + half }
    }

    /// How much more this is than another that was measured apart from it, by the ends of both [Newcombe 1998, method 10].
    pub fn minus(self, other: Self) -> Self {
        let value = self.value - other.value;
        let below = (self.value - self.low).hypot(other.high - other.value);
        let above = (self.high - self.value).hypot(other.value - other.low);
        Self { value, low: value - below, high: value + above }
    }

    /// The same turned round: what was more is less.
    pub const fn negated(self) -> Self {
        Self { value: -self.value, low: -self.high, high: -self.low }
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

    /// Whether an interval has a value among them.
    pub fn meets(&self, measured: Interval) -> bool {
        measured.low <= self.high && measured.high >= self.low
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
    /// It was measured, and promises nothing: were it not so, what was measured besides would mean little.
    Precondition,
}

impl Ground {
    /// As it stands in tables; nothing is said of what was measured.
    pub const fn remark(self) -> &'static str {
        match self {
            Self::Measured => "",
            Self::Fitted => "fitted",
            Self::Construction => "by construction",
            Self::Precondition => "a precondition",
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
    /// Preconditions of others that were met: not among those that held either.
    pub preconditions: usize,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { held, failed, known, undecided, depends, not_counted, preconditions } = self;
        write!(f, "{held} held, {failed} failed, {known} known, {undecided} undecided")?;
        if *depends > 0 {
            write!(f, ", {depends} depending on the reading")?;
        }
        let fitted = format!("{not_counted} more held by construction or were fitted");
        let met = format!("{preconditions} preconditions of these were met");
        match (*not_counted, *preconditions) {
            (0, 0) => Ok(()),
            (_, 0) => write!(f, " ({fitted}, not counted)"),
            (0, _) => write!(f, " ({met}, not counted)"),
            _ => write!(f, " ({fitted}, {met}: not counted)"),
        }
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
    /// Counts one. What fails counts, whatever it was expected to rest on: also a precondition, since what rests on it is
    /// then not shown.
    pub fn add(&mut self, source: Source, ground: Ground, verdict: Verdict) {
        let tally = match source {
            Source::Paper => &mut self.paper,
            Source::Ours => &mut self.ours,
        };
        let count = match verdict {
            Verdict::Holds => match ground {
                Ground::Measured => &mut tally.held,
                Ground::Fitted | Ground::Construction => &mut tally.not_counted,
                Ground::Precondition => &mut tally.preconditions,
            },
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
        assert_eq!(judged(32.5), Verdict::Undecided, "its interval, 31.5 to 33.5, reaches into the band");
        assert_eq!(judged(27.5), Verdict::Undecided);
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
    fn few_runs_have_wide_intervals() {
        let mean = Interval::of_mean(&[9.0, 10.0, 11.0]);
        assert!((mean.high - 12.484).abs() < 1e-3 && (mean.low - 7.516).abs() < 1e-3, "{mean:?}");
        assert_eq!(Verdict::of(Interval::of_mean(&[10.0]), Bounds::between(9.0, 11.0)), Verdict::Undecided);
    }

    #[test]
    fn what_could_not_come_out_otherwise_is_not_counted_and_what_fails_always_is() {
        let account: Account = [
            (Source::Paper, Ground::Measured, Verdict::Holds),
            (Source::Paper, Ground::Fitted, Verdict::Holds),
            (Source::Paper, Ground::Measured, Verdict::KnownMismatch),
            (Source::Ours, Ground::Construction, Verdict::Fails),
            (Source::Ours, Ground::Precondition, Verdict::Fails),
            (Source::Ours, Ground::Precondition, Verdict::Holds),
            (Source::Ours, Ground::Measured, Verdict::Depends),
        ]
        .into_iter()
        .collect();
        assert!(!account.holds());
        assert_eq!(
            account.to_string(),
            "the paper's claims: 1 held, 0 failed, 1 known, 0 undecided (1 more held by construction or were fitted, not counted); \
             ours: 0 held, 2 failed, 0 known, 0 undecided, 1 depending on the reading (1 preconditions of these were met, not \
             counted)"
        );
    }
}
