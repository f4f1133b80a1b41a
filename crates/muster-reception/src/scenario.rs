//! `[reception]`: robots among guests. A file with this section is a scenario of its own kind: nothing is to be done in it
//! but what robots find for themselves.

mod guests;
mod kept;
mod party;
mod play;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use muster_sim::scenario::{Finite, NonNegative, Positive, Probability};

pub use kept::Kept;
pub use party::Party;
pub(crate) use play::parse_kept;
#[cfg(feature = "schema")]
pub use play::schema;
pub use play::{Play, SCHEMA, load_any, parse_any};

/// A reception: who takes part, who is in the way, and what robots talk over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(title = "Muster reception"))]
pub struct ReceptionScenario {
    /// What this reception is about, in a sentence or two.
    #[serde(default)]
    pub description: String,
    /// It ends after this many simulated seconds.
    #[serde(default = "half_an_hour")]
    pub limit_s: Positive,
    /// What the robots talk over.
    #[serde(default)]
    pub radio: ReceptionRadio,
    /// The hall and who is in it.
    pub reception: ReceptionSection,
}

fn half_an_hour() -> Positive {
    Positive::new(1_800.0).expect("a positive constant")
}

/// What robots of a reception talk over. Without this section calls reach the other at once, as in the paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ReceptionRadio {
    /// Probability that what one robot says or shows to another never arrives.
    pub loss: Probability,
    /// How long the rest takes, in milliseconds.
    pub latency_ms: NonNegative,
}

impl Default for ReceptionRadio {
    fn default() -> Self {
        Self { loss: Probability::new(0.0).expect("zero"), latency_ms: NonNegative::new(0.0).expect("zero") }
    }
}

/// The hall and who is in it. Lengths are in feet, as in the paper; every body is a square of 2 ft.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReceptionSection {
    /// Feet from west to east.
    #[serde(default = "fifty")]
    pub width_ft: Positive,
    /// Feet from south to north.
    #[serde(default = "fifty")]
    pub height_ft: Positive,
    /// Where fixed obstacles are: their middles, feet east and north. Side by side they make larger ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obstacles_ft: Vec<Feet>,
    /// Who walks about.
    #[serde(default)]
    pub guests: GuestsEntry,
    /// The robots, by name, in the order in which they move and think.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub robots: IndexMap<String, RobotEntry>,
    /// A `CARSConfig.txt` with more robots, a class or a script on each line; beside this file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// A file of emotions that is laid over the shipped ones; beside this file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emotions: Option<String>,
}

fn fifty() -> Positive {
    Positive::new(50.0).expect("a positive constant")
}

/// A place: feet east, feet north.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "Vec<Finite>")]
#[cfg_attr(feature = "schema", schemars(with = "[Finite; 2]"))]
pub struct Feet(pub [Finite; 2]);

impl TryFrom<Vec<Finite>> for Feet {
    type Error = String;
    fn try_from(numbers: Vec<Finite>) -> Result<Self, String> {
        muster_sim::scenario::Place::try_from(numbers).map(|place| Self(place.0))
    }
}

impl From<Feet> for crate::robot::Place {
    fn from(Feet([x, y]): Feet) -> Self {
        Self::new(x.get(), y.get())
    }
}

/// Who walks about, in everybody's way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct GuestsEntry {
    /// How many guests walk about.
    pub count: u32,
    /// How fast they walk, in feet per second: least, most frequent, most of a triangular distribution.
    #[cfg_attr(feature = "schema", schemars(with = "[f64; 3]"))]
    pub speed_fps: Spread,
    /// For how long they keep speed and direction, in seconds: the same.
    #[cfg_attr(feature = "schema", schemars(with = "[f64; 3]"))]
    pub duration_s: Spread,
    /// A file that says where guests are and when, instead: lines of `time_s,guest,x_ft,y_ft`; beside this file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
}

impl Default for GuestsEntry {
    /// As many as at the paper's reception. How they walk is ours, see [`Setup`](crate::crowd::Setup::cars_2002).
    fn default() -> Self {
        Self { count: 100, speed_fps: Spread([0.0, 1.0, 3.0]), duration_s: Spread([2.0, 5.0, 15.0]), log: None }
    }
}

/// Three numbers of a triangular distribution. Whether they are one is found out later, to say which key it was.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<f64>")]
pub struct Spread(pub [f64; 3]);

impl TryFrom<Vec<f64>> for Spread {
    type Error = String;
    fn try_from(numbers: Vec<f64>) -> Result<Self, String> {
        let count = numbers.len();
        let three = numbers.try_into();
        three
            .map(Self)
            .map_err(|_| format!("a distribution has three numbers, [least, most frequent, most], not {count}"))
    }
}

/// A robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
pub struct RobotEntry {
    /// What it is: `Butler`, `Leguin`, `Vonda`, or a script (a file that ends in .rhai, beside this one). Without it, what
    /// is called as the robot is: a class, or NAME.rhai.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Where it starts, feet east and north. Without it where its class usually does, or wherever there is room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place_ft: Option<Feet>,
    /// Whatever its class lets one set: docs/scenarios.md lists it for `Butler` and `Leguin`; scripts say so themselves.
    #[serde(skip_serializing_if = "toml::Table::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "IndexMap<String, serde_json::Value>"))]
    pub settings: toml::Table,
}
