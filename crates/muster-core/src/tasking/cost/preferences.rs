//! What a user prefers about when and how a vehicle does its tasks. [MacKenzie §6]
//!
//! The paper names it as future work: "to inspect and modify cost functions based on personal preferences".

use serde::{Deserialize, Serialize};

/// Headings come in as radians; this many degrees of rounding must not push one over the end of a range.
const TOLERANCE_DEG: f64 = 1e-6;

/// What a user prefers: added to a cost function, or forbidding parts of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preferences {
    /// Added to every cost of this vehicle; negative to prefer it. No cost sinks below zero.
    #[serde(default)]
    pub bias: f64,
    /// Added for every second after t0.
    #[serde(default)]
    pub late_per_s: f64,
    /// About ranges of headings.
    #[serde(default)]
    pub headings: Vec<HeadingPreference>,
    /// About ranges of times.
    #[serde(default)]
    pub times: Vec<TimePreference>,
}

/// What a user prefers about headings from one to another, counter-clockwise, both included.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeadingPreference {
    /// The first heading: degrees, 0 = east, counter-clockwise.
    pub from_deg: f64,
    /// The last heading. 315 to 45 leads through 0.
    pub to_deg: f64,
    /// What is added to the cost; `None`: these headings are forbidden.
    #[serde(default)]
    pub cost: Option<f64>,
}

/// What a user prefers about times from one to another, both included.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimePreference {
    /// The first time: seconds after t0.
    pub from_s: f64,
    /// The last time.
    pub to_s: f64,
    /// What is added to the cost; `None`: these times are forbidden.
    #[serde(default)]
    pub cost: Option<f64>,
}

impl Preferences {
    /// No preference at all.
    pub const fn none() -> Self {
        Self { bias: 0.0, late_per_s: 0.0, headings: Vec::new(), times: Vec::new() }
    }

    /// What is added for a heading in radians; `None` if it is forbidden.
    pub(super) fn of_heading(&self, heading: f64) -> Option<f64> {
        let mut sum = 0.0;
        for preference in &self.headings {
            if preference.covers(heading.to_degrees()) {
                sum += preference.cost?;
            }
        }
        Some(sum)
    }

    /// What is added for a time, in seconds after t0; `None` if it is forbidden.
    #[inline]
    pub(super) fn of_time(&self, at_s: f64) -> Option<f64> {
        let mut sum = self.late_per_s * at_s;
        for preference in &self.times {
            if preference.from_s <= at_s && at_s <= preference.to_s {
                sum += preference.cost?;
            }
        }
        Some(sum)
    }
}

impl HeadingPreference {
    fn covers(&self, heading_deg: f64) -> bool {
        let span = self.to_deg - self.from_deg;
        let span = if span >= 360.0 { 360.0 } else { span.rem_euclid(360.0) };
        let beyond = (heading_deg - self.from_deg).rem_euclid(360.0);
        beyond <= span + TOLERANCE_DEG || beyond >= 360.0 - TOLERANCE_DEG
    }
}
