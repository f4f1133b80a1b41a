//! Classes of robots: what a scenario or a `CARSConfig.txt` lists. [CARS, Robot Configuration] A class is one of those that
//! come with Muster, by name, or a script, by its file; the robots of a class may have any names.

use std::fmt;
use std::sync::Arc;

use crate::robot::{Butler, Leguin, Place, butler, leguin};
use muster_core::affect::{Flaw, Name, Table};
use serde::de::DeserializeOwned;

use super::BoxedRobot;
use muster_sim::emotions;
use muster_sim::scenario::{Misfit, help_for, plain};

/// What may be set of a robot, by name.
pub type Settings = toml::Table;

/// A class of robots.
#[derive(Clone)]
pub enum Class {
    /// The waiter.
    Butler,
    /// The refiller.
    Leguin,
    /// The refiller by another name: the third robot of the paper.
    Vonda,
    /// Robots of a script.
    Script(Arc<crate::script::Class>),
}

impl Class {
    /// Those that come with Muster, by the names that files call them.
    pub const BUILT_IN: [&str; 3] = ["Butler", "Leguin", "Vonda"];

    /// The class that files call so.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "Butler" => Some(Self::Butler),
            "Leguin" => Some(Self::Leguin),
            "Vonda" => Some(Self::Vonda),
            _ => None,
        }
    }

    /// Where its robots start if nobody says so: near the middle, at the food table, beside it. Nothing for classes that
    /// the paper does not know.
    pub const fn place(&self) -> Option<Place> {
        match self {
            Self::Butler => Some(Place::new(25.0, 25.0)),
            Self::Leguin => Some(Place::new(25.0, 6.0)),
            Self::Vonda => Some(Place::new(31.0, 6.0)),
            Self::Script(_) => None,
        }
    }

    /// A robot of this class, called `name` or as the class has it, with the emotions of `table`. What is wrong with a
    /// setting is told with the setting's key.
    pub fn robot(&self, name: Option<&str>, settings: &Settings, table: &Arc<Table>) -> Result<BoxedRobot, Misfit> {
        fn boxed(made: Result<impl crate::robot::Robot + Send + 'static, Flaw>) -> Result<BoxedRobot, Misfit> {
            made.map(|robot| Box::new(robot) as BoxedRobot).map_err(emotions::misfit)
        }
        let named = |own: Name| name.map_or(own, Name::from);
        match self {
            Self::Butler => {
                let config: butler::Config = read(settings)?;
                let name = named(config.name.clone());
                boxed(Butler::new(butler::Config { name, ..config }, table.clone()))
            }
            Self::Leguin => {
                let config: leguin::Config = read(settings)?;
                let name = named(config.name.clone());
                boxed(Leguin::new(leguin::Config { name, ..config }, table.clone()))
            }
            Self::Vonda => {
                let config: leguin::Config = read(settings)?;
                let name = named(leguin::Config::vonda().name);
                boxed(Leguin::new(leguin::Config { name, ..config }, table.clone()))
            }
            Self::Script(class) => scripted(class, name, settings),
        }
    }
}

impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Butler => "Butler",
            Self::Leguin => "Leguin",
            Self::Vonda => "Vonda",
            Self::Script(class) => class.origin(),
        })
    }
}

/// A script's robot. A script may have its name set or insist on one.
fn scripted(class: &Arc<crate::script::Class>, name: Option<&str>, settings: &Settings) -> Result<BoxedRobot, Misfit> {
    let mut all = crate::script::Settings::new();
    for (key, value) in settings {
        refuse_name(key)?;
        let value = value.clone().try_into().map_err(|_| {
            let help = "give a number, a text, true or false, or a list of these";
            Misfit::new(&[key], format!("setting `{key}`: a script cannot use {value}"), help)
        })?;
        all.insert(key.clone(), value);
    }
    if let Some(name) = name.filter(|_| class.settings().contains_key(NAME)) {
        all.insert(NAME.to_owned(), crate::script::Setting::Text(name.to_owned()));
    }
    match class.robot(&all) {
        Ok(robot) => Ok(Box::new(robot)),
        // It is not what was set that is wrong, but what the script makes of its name.
        Err(error) if error.key == NAME => Err(Misfit::new(&[], error.message, error.help)),
        Err(error) => Err(Misfit::new(&[&error.key], error.message, error.help)),
    }
}

/// What robots are called is not said among their settings.
const NAME: &str = "name";

fn refuse_name(key: &str) -> Result<(), Misfit> {
    if key == NAME {
        let help = "robots bear the name of their table, [reception.robots.NAME]";
        return Err(Misfit::new(&[key], "`name` is not a setting", help));
    }
    Ok(())
}

/// Settings as a configuration, which knows what may be set. One by one first: the parser does not say which one it was
/// that it could not make out.
fn read<T: DeserializeOwned>(settings: &Settings) -> Result<T, Misfit> {
    for (key, value) in settings {
        refuse_name(key)?;
        let alone = Settings::from_iter([(key.clone(), value.clone())]);
        if let Err(error) = alone.try_into::<T>() {
            let help = help_for(error.message())
                .unwrap_or_else(|| "docs/scenarios.md says under [reception] what may be set".to_owned());
            return Err(Misfit::new(&[key], format!("setting `{key}`: {}", plain(error.message())), help));
        }
    }
    settings.clone().try_into().map_err(|error| {
        Misfit::new(&[], plain(error.message()), "docs/scenarios.md says under [reception] what may be set")
    })
}
