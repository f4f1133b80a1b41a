//! Time as integer microseconds, so that every platform adds, compares and prints the same instants.
//!
//! Reals would not: two deadlines reached by different sums could differ in the last bit and swap.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

use serde::{Deserialize, Serialize};

/// An instant: microseconds since the start of the run, on the clock of the robot that uses it.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(u64);

/// A length of time in microseconds.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Duration(u64);

const MICROS: f64 = 1e6;

/// Through `i64`: x86 converts it in one instruction, `u64` takes several. Half of all numbers are beyond its range, and
/// no length of time is: [`Duration::FOREVER`] is its end.
#[inline]
fn to_seconds(micros: u64) -> f64 {
    micros as i64 as f64 / MICROS
}

/// Rounds to the nearest microsecond; negative and undefined values become zero, huge ones saturate.
#[inline]
fn from_seconds(seconds: f64) -> u64 {
    let micros = seconds * MICROS + 0.5;
    if micros >= i64::MAX as f64 {
        return i64::MAX as u64;
    }
    (micros as i64).max(0) as u64
}

impl Time {
    /// The start of the run.
    pub const ZERO: Self = Self(0);
    /// Later than anything that happens.
    pub const NEVER: Self = Self(u64::MAX);

    /// From whole microseconds.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// Whole microseconds since the start.
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// From seconds, rounded to the nearest microsecond.
    pub fn from_secs_f64(seconds: f64) -> Self {
        Self(from_seconds(seconds))
    }

    /// Seconds since the start; of [`Time::NEVER`] more than of anything that happens.
    #[inline]
    pub fn as_secs_f64(self) -> f64 {
        to_seconds(self.0.min(Duration::FOREVER.0))
    }

    /// When something is over that begins now and lasts for so long: never, if it lasts [`Duration::FOREVER`].
    pub fn after(self, lasts: Duration) -> Self {
        if lasts == Duration::FOREVER { Self::NEVER } else { self + lasts }
    }

    /// How long ago `earlier` was; zero if it lies ahead.
    #[inline]
    pub fn since(self, earlier: Self) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }
}

impl Duration {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// Without an end. [`Time::after`] knows it.
    pub const FOREVER: Self = Self(i64::MAX as u64);

    /// From whole microseconds.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// From whole milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis * 1_000)
    }

    /// From whole seconds.
    pub const fn from_secs(seconds: u64) -> Self {
        Self(seconds * 1_000_000)
    }

    /// From seconds, rounded to the nearest microsecond; negative and undefined values become zero.
    #[inline]
    pub fn from_secs_f64(seconds: f64) -> Self {
        Self(from_seconds(seconds))
    }

    /// Whole microseconds.
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// Seconds.
    #[inline]
    pub fn as_secs_f64(self) -> f64 {
        to_seconds(self.0)
    }

    /// `self` scaled by a positive factor.
    pub fn stretched(self, factor: f64) -> Self {
        Self::from_secs_f64(self.as_secs_f64() * factor)
    }
}

impl Add<Duration> for Time {
    type Output = Time;
    #[inline]
    fn add(self, rhs: Duration) -> Time {
        Time(self.0.saturating_add(rhs.0))
    }
}

impl AddAssign<Duration> for Time {
    fn add_assign(&mut self, rhs: Duration) {
        *self = *self + rhs;
    }
}

impl Add for Duration {
    type Output = Duration;
    #[inline]
    fn add(self, rhs: Duration) -> Duration {
        Duration(self.0.saturating_add(rhs.0))
    }
}

impl AddAssign for Duration {
    fn add_assign(&mut self, rhs: Duration) {
        *self = *self + rhs;
    }
}

impl Sub for Time {
    type Output = Duration;
    #[inline]
    fn sub(self, rhs: Time) -> Duration {
        self.since(rhs)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NEVER => f.write_str("never"),
            Self(micros) => Duration(micros).fmt(f),
        }
    }
}

impl fmt::Display for Duration {
    /// Seconds with as many decimals as asked for (`{:.1}`), three by default.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::FOREVER {
            return f.write_str("ever");
        }
        write!(f, "{:.*} s", f.precision().unwrap_or(3), self.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_round_to_the_nearest_microsecond_and_never_wrap() {
        assert_eq!(Duration::from_secs_f64(0.05), Duration::from_millis(50));
        assert_eq!(Duration::from_secs_f64(-3.0), Duration::ZERO);
        assert_eq!(Duration::from_secs_f64(f64::NAN), Duration::ZERO);
        assert_eq!(Duration::from_secs_f64(f64::INFINITY).as_micros(), i64::MAX as u64);
        assert_eq!(Time::NEVER + Duration::from_secs(1), Time::NEVER);
        assert_eq!(Time::ZERO - Time::from_micros(5), Duration::ZERO);
    }

    #[test]
    fn what_never_comes_lies_ahead() {
        assert!(Time::NEVER.as_secs_f64() > 1e12, "{}", Time::NEVER.as_secs_f64());
        assert!(Time::NEVER.as_secs_f64() >= Time::from_micros(i64::MAX as u64 - 1).as_secs_f64());
        assert_eq!(Time::from_micros(5).after(Duration::FOREVER), Time::NEVER);
        assert_eq!(Time::from_micros(5).after(Duration::from_micros(2)), Time::from_micros(7));
        assert!(Duration::FOREVER.as_secs_f64() > 1e12);
        assert_eq!(format!("{} {:.1} for {:.1}", Time::NEVER, Time::NEVER, Duration::FOREVER), "never never for ever");
    }

    #[test]
    fn display_follows_the_precision_asked_for() {
        assert_eq!(format!("{:.1}", Duration::from_millis(65_350)), "65.3 s");
        assert_eq!(Time::from_micros(1_500_000).to_string(), "1.500 s");
    }
}
