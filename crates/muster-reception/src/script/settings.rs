//! Settings: what a class lets its robots differ in, with what they are if nothing is said.

use std::collections::BTreeMap;
use std::fmt;

use rhai::{Array, Dynamic, Map};
use serde::{Deserialize, Serialize};

use muster_script::did_you_mean;
use thiserror::Error;

/// Settings by name.
pub type Settings = BTreeMap<String, Setting>;

/// What a setting may be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A real number.
    Number(f64),
    /// A text.
    Text(String),
    /// Several, such as a place or a distribution.
    List(Vec<Setting>),
}

/// A setting that a class does not have, or not like this. It is not the script that is wrong but what sets it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}: {help}")]
pub struct SettingError {
    /// The key that is wrong.
    pub key: String,
    /// What is wrong.
    pub message: String,
    /// What to try.
    pub help: String,
}

impl Setting {
    pub(crate) fn of(value: &Dynamic) -> Option<Self> {
        if let Ok(flag) = value.as_bool() {
            return Some(Self::Flag(flag));
        }
        if let Ok(whole) = value.as_int() {
            return Some(Self::Whole(whole));
        }
        if let Ok(number) = value.as_float() {
            return Some(Self::Number(number));
        }
        if let Ok(text) = value.as_immutable_string_ref() {
            return Some(Self::Text(text.to_string()));
        }
        let list = value.as_array_ref().ok()?;
        list.iter().map(Self::of).collect::<Option<_>>().map(Self::List)
    }

    fn value(&self) -> Dynamic {
        match self {
            Self::Flag(flag) => (*flag).into(),
            Self::Whole(whole) => (*whole).into(),
            Self::Number(number) => (*number).into(),
            Self::Text(text) => text.into(),
            Self::List(list) => list.iter().map(Self::value).collect::<Array>().into(),
        }
    }

    const fn kind(&self) -> &'static str {
        match self {
            Self::Flag(_) => "true or false",
            Self::Whole(_) => "a whole number",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
        }
    }

    /// The same as `default` is: a whole number will do for a real one.
    fn like(&self, default: &Self) -> Option<Self> {
        match (default, self) {
            (Self::Flag(_), Self::Flag(_)) | (Self::Whole(_), Self::Whole(_)) | (Self::Text(_), Self::Text(_)) => {
                Some(self.clone())
            }
            (Self::Number(_), Self::Number(number)) if !number.is_nan() => Some(self.clone()),
            (Self::Number(_), Self::Whole(whole)) => Some(Self::Number(*whole as f64)),
            (Self::List(defaults), Self::List(values)) if defaults.len() == values.len() => {
                let each = defaults.iter().zip(values).map(|(default, value)| value.like(default));
                each.collect::<Option<_>>().map(Self::List)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => flag.fmt(f),
            Self::Whole(whole) => whole.fmt(f),
            Self::Number(number) => write!(f, "{number:?}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::List(list) => {
                f.write_str("[")?;
                for (index, value) in list.iter().enumerate() {
                    write!(f, "{}{value}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
        }
    }
}

/// The defaults, and over them what was set.
pub(crate) fn merged(defaults: &Settings, set: &Settings) -> Result<Settings, SettingError> {
    let mut all = defaults.clone();
    for (key, value) in set {
        let Some(default) = defaults.get(key) else {
            let known: Vec<&str> = defaults.keys().map(String::as_str).collect();
            return Err(SettingError {
                key: key.clone(),
                message: format!("there is no setting `{key}`"),
                help: did_you_mean(key, &known),
            });
        };
        let value = value.like(default).ok_or_else(|| SettingError {
            key: key.clone(),
            message: format!("`{key}` is {value}, which is {}", value.kind()),
            help: format!("give {}, such as {default}", default.kind()),
        })?;
        all.insert(key.clone(), value);
    }
    Ok(all)
}

/// As a robot finds them in `this`.
pub(crate) fn as_this(settings: &Settings) -> Dynamic {
    settings.iter().map(|(key, value)| (key.as_str().into(), value.value())).collect::<Map>().into()
}
