//! State variables as a robot gives them out: names and values, in the robot's own order.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use muster_core::affect::Name;
use muster_core::panel::Field;

/// What a variable may be.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Yes or no.
    Flag(bool),
    /// A number.
    Number(f64),
    /// Anything else.
    Text(Name),
}

/// A value in formats that tell a flag from a number by themselves.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Plain {
    Flag(bool),
    Number(f64),
    Text(Name),
}

/// A value in formats that do not.
#[derive(Serialize, Deserialize)]
enum Tagged {
    Flag(bool),
    Number(f64),
    Text(Name),
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let plain = serializer.is_human_readable();
        match (plain, self.clone()) {
            (true, Self::Flag(flag)) => Plain::Flag(flag).serialize(serializer),
            (true, Self::Number(number)) => Plain::Number(number).serialize(serializer),
            (true, Self::Text(text)) => Plain::Text(text).serialize(serializer),
            (false, Self::Flag(flag)) => Tagged::Flag(flag).serialize(serializer),
            (false, Self::Number(number)) => Tagged::Number(number).serialize(serializer),
            (false, Self::Text(text)) => Tagged::Text(text).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(if deserializer.is_human_readable() {
            match Plain::deserialize(deserializer)? {
                Plain::Flag(flag) => Self::Flag(flag),
                Plain::Number(number) => Self::Number(number),
                Plain::Text(text) => Self::Text(text),
            }
        } else {
            match Tagged::deserialize(deserializer)? {
                Tagged::Flag(flag) => Self::Flag(flag),
                Tagged::Number(number) => Self::Number(number),
                Tagged::Text(text) => Self::Text(text),
            }
        })
    }
}

impl Value {
    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// A field of a panel that shows it.
    pub fn field(&self, label: &Name) -> Field {
        match self {
            Self::Flag(flag) => Field::flag(label.clone(), *flag),
            Self::Number(number) => Field::number(label.clone(), *number),
            Self::Text(text) => Field::text(label.clone(), text.clone()),
        }
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<&Name> for Value {
    fn from(text: &Name) -> Self {
        Self::Text(text.clone())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => flag.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// A robot's table of variables. It holds what the robot put in and nothing else; others get copies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Variables(Vec<(Name, Value)>);

impl Variables {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with another one, or with another value of one.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.set(name, value);
        self
    }

    /// Adds a variable, or changes its value.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        match self.0.iter_mut().find(|(known, _)| *known == *name) {
            Some((_, old)) => *old = value.into(),
            None => self.0.push((name.into(), value.into())),
        }
    }

    /// The value of a variable, if there is one.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| *known == *name).map(|(_, value)| value)
    }

    /// The number that a variable is, if it is one.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.get(name).and_then(Value::number)
    }

    /// A field of a panel for each.
    pub fn fields(&self) -> Vec<Field> {
        self.iter().map(|(name, value)| value.field(name)).collect()
    }

    /// All, in the robot's order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Name, &Value)> {
        self.0.iter().map(|(name, value)| (name, value))
    }
}
