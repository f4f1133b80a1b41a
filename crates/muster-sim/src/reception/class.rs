//! Classes of robots: what a scenario or a `CARSConfig.txt` lists. [CARS, Robot Configuration] A class is one of those that
//! come with Muster, by name, or a script, by its file; the robots of a class may have any names.

use std::sync::Arc;

use muster_core::affect::{Flaw, Name, Table};
use muster_core::reception::{Butler, Leguin, Place, butler, leguin};
use serde::de::DeserializeOwned;

use super::Guise;
use crate::emotions;
use crate::scenario::{Misfit, help_for, plain};

/// What may be set of a robot, by name.
pub type Settings = toml::Table;

/// A class of robots.
#[derive(Clone, Debug)]
pub enum Class {
    /// The waiter.
    Butler,
    /// The refiller.
    Leguin,
    /// The refiller by another name: the third robot of the paper.
    Vonda,
}

impl Class {
    /// Those that come with Muster, by the names that files call them.
    pub const BUILT_IN: [(&str, Self); 3] =
        [("Butler", Self::Butler), ("Leguin", Self::Leguin), ("Vonda", Self::Vonda)];

    /// The class that files call so.
    pub fn named(name: &str) -> Option<Self> {
        Self::BUILT_IN.into_iter().find(|(known, _)| *known == name).map(|(_, class)| class)
    }

    /// Where its robots start if nobody says so: near the middle, at the food table, beside it. Nothing for classes that
    /// the paper does not know.
    pub const fn place(&self) -> Option<Place> {
        Some(match self {
            Self::Butler => Place::new(25.0, 25.0),
            Self::Leguin => Place::new(25.0, 6.0),
            Self::Vonda => Place::new(31.0, 6.0),
        })
    }

    /// A robot of this class, called `name` or as the class has it, with the emotions of `table`. What is wrong with a
    /// setting is told with the setting's key.
    pub fn robot(&self, name: Option<&str>, settings: &Settings, table: &Arc<Table>) -> Result<Guise, Misfit> {
        fn guise(made: Result<impl muster_core::reception::Robot + Send + 'static, Flaw>) -> Result<Guise, Misfit> {
            made.map(|robot| Box::new(robot) as Guise).map_err(emotions::misfit)
        }
        let named = |own: Name| name.map_or(own, Name::from);
        match self {
            Self::Butler => {
                let config: butler::Config = read(settings)?;
                let name = named(config.name.clone());
                guise(Butler::new(butler::Config { name, ..config }, table.clone()))
            }
            Self::Leguin => {
                let config: leguin::Config = read(settings)?;
                let name = named(config.name.clone());
                guise(Leguin::new(leguin::Config { name, ..config }, table.clone()))
            }
            Self::Vonda => {
                let config: leguin::Config = read(settings)?;
                let name = named(leguin::Config::vonda().name);
                guise(Leguin::new(leguin::Config { name, ..config }, table.clone()))
            }
        }
    }
}

/// Settings as a configuration, which knows what may be set. One by one first: the parser does not say which one it was
/// that it could not make out.
fn read<T: DeserializeOwned>(settings: &Settings) -> Result<T, Misfit> {
    for (key, value) in settings {
        if key == "name" {
            let help = "robots bear the name of their table, [reception.robots.NAME]";
            return Err(Misfit::new(&[key], "`name` is not a setting", help));
        }
        let alone = Settings::from_iter([(key.clone(), value.clone())]);
        if let Err(error) = alone.try_into::<T>() {
            let help =
                help_for(error.message()).unwrap_or_else(|| "see docs/reception.md for what it may be".to_owned());
            return Err(Misfit::new(&[key], format!("setting `{key}`: {}", plain(error.message())), help));
        }
    }
    settings.clone().try_into().map_err(|error| Misfit::new(&[], plain(error.message()), "see docs/reception.md"))
}
