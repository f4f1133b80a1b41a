//! Personality: what stays the same for a lifetime, and how quickly a robot takes things to heart.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::component::{Focality, Lasting, Name};
use super::intensity::Intensity;
use super::table::{Flaw, Table};

/// The name of the one trait that the paper's robots have.
pub const CAUTION: &str = "caution";

/// Traits and the strategy in dealing with others. Emotions inherit it; none presupposes one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Personality {
    traits: BTreeMap<Name, Intensity>,
    strategy: Option<Name>,
}

impl Personality {
    /// "Personality lasts a life-time."
    pub const DURATION: Lasting = Lasting::Lifetime;
    /// It is about nothing in particular.
    pub const FOCALITY: Focality = Focality::Global;

    /// A robot of which only its caution is known. [Lisetti, AKR] "only one trait - caution - is represented"
    pub fn cautious(caution: Intensity) -> Self {
        Self { traits: BTreeMap::from([(Name::from(CAUTION), caution)]), strategy: None }
    }

    /// The same with another trait.
    pub fn with(mut self, table: &Table, name: &str, value: Intensity) -> Result<Self, Flaw> {
        self.traits.insert(table.known_trait(name)?, value);
        Ok(self)
    }

    /// The same with a strategy in dealing with others: tit for tat, cheat, fair.
    pub fn with_strategy(mut self, table: &Table, name: &str) -> Result<Self, Flaw> {
        self.strategy = Some(table.known_strategy(name)?);
        Ok(self)
    }

    /// How much of a trait it has.
    pub fn get(&self, name: &str) -> Intensity {
        self.traits.get(name).copied().unwrap_or_default()
    }

    /// `c`, its caution.
    pub fn caution(&self) -> Intensity {
        self.get(CAUTION)
    }

    /// Its traits.
    pub fn traits(&self) -> impl Iterator<Item = (&Name, Intensity)> {
        self.traits.iter().map(|(name, value)| (name, *value))
    }

    /// Its strategy in dealing with others.
    pub fn strategy(&self) -> Option<&Name> {
        self.strategy.as_ref()
    }

    /// `1 + c`: "the more cautious the agent, the faster the intensity of emotions rises". Which traits quicken, and by
    /// how much, is the table's; as shipped it is caution alone.
    pub fn quickening(&self, table: &Table) -> f64 {
        1.0 + self.traits.iter().map(|(name, value)| table.quickens(name) * value.get()).sum::<f64>()
    }

    /// Every trait and the strategy are known to `table`.
    pub(super) fn check(&self, table: &Table) -> Result<(), Flaw> {
        self.traits.keys().try_for_each(|name| table.known_trait(name).map(drop))?;
        self.strategy.iter().try_for_each(|name| table.known_strategy(name).map(drop))
    }
}
