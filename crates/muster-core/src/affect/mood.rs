//! Mood: what is left of many emotions after days, about nothing in particular and nobody's doing.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::component::{Expression, Focality, Lasting, Name, Valence};
use super::intensity::Intensity;
use super::table::Table;
use super::{Affect, signed};
use crate::time::{Duration, Time};

/// A mood as such. It has no agency: moods are nobody's doing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoodRecord {
    /// Name of the mood.
    pub name: Name,
    /// What the face shows.
    pub facial_expression: Expression,
    /// Pleasant or unpleasant.
    pub valence: Valence,
    /// From which mean affect on a robot is in it.
    pub at: Intensity,
}

impl MoodRecord {
    /// Moods "last longer than emotions": days.
    pub const DURATION: Lasting = Lasting::Days;
    /// "moods ... have a global focality".
    pub const FOCALITY: Focality = Focality::Global;
}

/// The running mean of what a robot felt: +1 nothing but full joy, -1 nothing but full misery.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mood {
    mean: f64,
    /// Up to when it is reckoned.
    at: Time,
    /// The mood it makes, if any, and since when.
    name: Option<Name>,
    since: Time,
}

impl Mood {
    /// Of a robot that starts to feel.
    pub fn new(now: Time) -> Self {
        Self { mean: 0.0, at: now, name: None, since: now }
    }

    /// Its name, if it is marked enough to have one.
    pub fn name(&self) -> Option<&Name> {
        self.name.as_ref()
    }

    /// Since when.
    pub fn since(&self) -> Time {
        self.since
    }

    /// Pleasant or unpleasant, and how much.
    pub fn affect(&self) -> Affect {
        let valence = if self.mean < 0.0 { Valence::Negative } else { Valence::Positive };
        Affect { valence, intensity: Intensity::clamped(self.mean.abs()) }
    }

    /// What was felt from the last time until `now` sinks in, with a time constant of days.
    pub(super) fn sink_in(&mut self, table: &Table, felt: Affect, now: Time) -> Option<MoodChange> {
        let over = now.since(self.at);
        // Nothing to sink in, and no `exp` to reckon.
        if over == Duration::ZERO {
            return None;
        }
        let share = 1.0 - libm::exp(-over.as_secs_f64() / (table.mood_days() * 86_400.0));
        self.mean += (signed(felt) - self.mean) * share;
        self.at = now;
        let name = table.mood_at(self.mean).map(|record| record.name.clone());
        if name == self.name {
            return None;
        }
        let old = std::mem::replace(&mut self.name, name.clone());
        self.since = now;
        Some(MoodChange { at: now, old, new: name, mean: self.mean, days: table.mood_days() })
    }
}

/// A mood came, went or gave way to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoodChange {
    /// The instant of the change, on the robot's clock.
    pub at: Time,
    /// The mood before, if any.
    pub old: Option<Name>,
    /// The mood now, if any.
    pub new: Option<Name>,
    /// The mean of what was felt, from -1 to 1.
    pub mean: f64,
    /// Over how many days.
    pub days: f64,
}

impl fmt::Display for MoodChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |mood: &Option<Name>| mood.as_ref().map_or("no mood in particular".to_owned(), Name::to_string);
        let Self { at, old, new, mean, days } = self;
        let (old, new) = (word(old), word(new));
        write!(f, "at {at:.1} {old} gave way to {new}: what it felt over {days} d comes to {mean:.2}")
    }
}
