//! Affective Knowledge Representation: what robots feel, as plain values that mechanisms and robots use.
//!
//! Read before editing: Lisetti et al., the AKR part of the paper on CARS (Affect and Emotions for Social Artificial
//! Agents); docs/emotions.md for what it leaves open and what is ours.
//!
//! ```text
//! Personality   a lifetime   caution and further traits, strategy with others
//!   Affect                   valence and intensity
//!     Mood      days         global, nobody's doing
//!       Emotion minutes      14 components, about something, somebody's doing
//! ```
//!
//! Emotions are data: a [`Table`] holds a [`Record`] for each, and everything that refers to one refers to it by
//! [`Name`]. A [`Generator`] turns inputs into emotions by the [`Scale`] of its role, a [`State`] is what it carries
//! from one input to the next, and every [`Change`] says which input, rule and numbers it came from. What emotions do
//! to a robot is in [`levels`]. Nothing here has a clock: whoever calls says what time it is.

mod chain;
mod change;
mod component;
mod dynamics;
mod intensity;
pub mod levels;
mod mood;
mod personality;
mod record;
mod scale;
mod table;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use chain::{Chain, Story};
pub use change::{Change, Rule};
pub use component::{
    Agency, Certainty, Compatibility, Degree, Expression, Focality, Lasting, Leaning, Name, Novelty, Strength, Valence,
};
pub use dynamics::{Felt, Generator, Held, Input, Source, State};
pub use intensity::{Intensity, Level};
pub use mood::{Mood, MoodChange, MoodRecord};
pub use personality::{CAUTION, Personality};
pub use record::{Record, Row};
pub use scale::{Anger, Scale, Stress};
pub use table::{
    AngerRow, Belief, BeliefRow, Flaw, Hint, MoodRow, MotorRow, Role, RoleRow, Rows, ScaleRow, Table, Tendency,
    TendencyRow, TraitRow,
};

use crate::time::Time;

/// Pleasant or unpleasant, and how much: all that reflexes know of a feeling.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Affect {
    /// Pleasant or unpleasant.
    pub valence: Valence,
    /// How strongly it is felt, 0 to 1.
    pub intensity: Intensity,
}

impl Affect {
    /// How unpleasant; nothing, if it is pleasant.
    pub fn negative(self) -> Intensity {
        if self.valence == Valence::Negative { self.intensity } else { Intensity::NONE }
    }
}

/// From -1 to 1.
fn signed(affect: Affect) -> f64 {
    match affect.valence {
        Valence::Positive => affect.intensity.get(),
        Valence::Negative => -affect.intensity.get(),
    }
}

impl fmt::Display for Affect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} {:.2}", self.valence, self.intensity.level(), self.intensity)
    }
}

/// An emotion that somebody has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Emotion {
    /// Which: a row of the table.
    pub name: Name,
    /// Pleasant or unpleasant, and how much.
    pub affect: Affect,
    /// Who is responsible for it.
    pub agency: Agency,
    /// The instant at which it began, on the robot's clock.
    pub since: Time,
    /// What the slots of its causal chain are filled with.
    pub story: Story,
}

impl Emotion {
    /// What it makes a robot think, in sentences. Nothing if the table does not know it.
    pub fn chain(&self, table: &Table) -> String {
        table.emotion(&self.name).map(|record| record.causal_chain.render(&self.story)).unwrap_or_default()
    }
}

impl fmt::Display for Emotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, affect, agency, since, .. } = self;
        write!(f, "{name} ({affect}, because of {agency}, since {since:.1})")
    }
}
