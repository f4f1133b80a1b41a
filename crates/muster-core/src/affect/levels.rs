//! What emotions do to a robot, on three levels that can be built one by one. [Lisetti, Table 3]
//!
//! - Sensory-motor: [`Motor`] changes how the active behaviour moves. It knows valence and intensity and nothing else.
//! - Schematic: [`behaviours`] says which behaviours are active, through the schemata of Table 2.
//! - Conceptual: [`deliberate`] looks back and ahead, and avoids what it expects to feel bad about. The paper's robots
//!   have the first two; whoever wants those does not call this one ([`Generator::deliberate`] is off by default).
//!
//! [`Generator::deliberate`]: super::Generator::deliberate

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::Affect;
use super::component::{Name, Valence};
use super::intensity::Intensity;
use super::scale::{Scale, Stress};
use super::table::Role;

/// Sensory-motor: feelings change speed.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Motor {
    /// By which share of itself speed grows with a full pleasant feeling.
    pub positive: f64,
    /// With a full unpleasant one.
    pub negative: f64,
}

impl Motor {
    /// What to multiply a speed with.
    pub fn factor(&self, affect: Affect) -> f64 {
        let gain = if affect.valence == Valence::Positive { self.positive } else { self.negative };
        (1.0 + gain * affect.intensity.get()).max(0.0)
    }
}

/// Schematic: the behaviours that an emotion makes active in a role, first ones first. None if the role has nothing to
/// say about it, and then whatever is active stays so.
pub fn behaviours<'a>(role: &'a Role, emotion: &str) -> &'a [Name] {
    role.behaviours.get(emotion).map_or(&[], Vec::as_slice)
}

/// Something that a robot could do, and what it thinks would come of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Prospect {
    /// Name of the option.
    pub option: Name,
    /// The stress that it may lead to, and how likely each is. Weights need not sum to one.
    pub outcomes: Vec<(f64, Stress)>,
}

impl Prospect {
    /// One whose outcome is certain.
    pub fn certain(option: impl Into<Name>, stress: Stress) -> Self {
        Self { option: option.into(), outcomes: vec![(1.0, stress)] }
    }
}

/// What came of options in the past: how often each was taken, and how bad it felt on the mean.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Experience(BTreeMap<Name, (u32, f64)>);

impl Experience {
    /// An option was taken, and led to this.
    pub fn learn(&mut self, option: &Name, led_to: Affect) {
        let (count, mean) = self.0.entry(option.clone()).or_default();
        *count = count.saturating_add(1);
        *mean += (led_to.negative().get() - *mean) / f64::from(*count);
    }

    /// How often an option was taken, and how bad it felt on the mean.
    pub fn of(&self, option: &str) -> (u32, f64) {
        self.0.get(option).copied().unwrap_or_default()
    }
}

/// What a robot would rather do, and the numbers that made it so.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Each option with the unpleasantness to be expected, as they were given.
    pub expected: Vec<(Name, Intensity)>,
    /// Which of them is least unpleasant; of equals the first.
    pub chosen: usize,
}

impl Decision {
    /// The option.
    pub fn option(&self) -> &Name {
        &self.expected[self.chosen].0
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (option, least) = &self.expected[self.chosen];
        write!(f, "prefers {option}, expected to feel bad by {least:.2}")?;
        for (index, (other, worse)) in self.expected.iter().enumerate() {
            if index != self.chosen {
                write!(f, "; {other} {worse:.2}")?;
            }
        }
        Ok(())
    }
}

/// Conceptual: projects how each option would feel and prefers the one with the least negative intensity to be
/// expected. What was lived through counts, too, a projection as much as one experience. `None` without options.
pub fn deliberate(scale: &Scale, experience: &Experience, prospects: &[Prospect]) -> Option<Decision> {
    let expected: Vec<(Name, Intensity)> = prospects
        .iter()
        .map(|prospect| {
            let weight: f64 = prospect.outcomes.iter().map(|(chance, _)| chance.max(0.0)).sum();
            let bad = |(chance, stress): &(f64, Stress)| chance.max(0.0) * scale.affect(*stress).negative().get();
            let sum: f64 = prospect.outcomes.iter().map(bad).sum();
            let projected = if weight > 0.0 { sum / weight } else { 0.0 };
            let (times, lived) = experience.of(&prospect.option);
            let times = f64::from(times);
            (prospect.option.clone(), Intensity::clamped((projected + times * lived) / (1.0 + times)))
        })
        .collect();
    let chosen =
        (0..expected.len()).reduce(|best, next| if expected[next].1 < expected[best].1 { next } else { best })?;
    Some(Decision { expected, chosen })
}
