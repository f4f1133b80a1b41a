//! Files of interventions: what is done to a run while it goes on. docs/interventions.md describes the format;
//! `check.rs` finds what makes no sense in a mission.

mod check;
mod words;

use std::path::Path;

use indexmap::IndexMap;
use muster_core::Time;
use serde::{Deserialize, Serialize};

pub use check::Checker;

use super::file::FaultName;
use super::tasking::OrderEntry;
use super::value::{NonNegative, Place, Positive};
use super::{Loaded, Misfit, ScenarioError, in_file};
use crate::intervention::{Interventions, MOST_INTERVENTIONS, Made};
use crate::scheme::Scheme;

/// What is done to a run while it goes on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(title = "Muster interventions"))]
pub struct InterventionsFile {
    /// One after the other; those of one instant are made in this order.
    #[serde(default)]
    pub interventions: Vec<InterventionEntry>,
}

/// One intervention: an order, a fault, or something about the radio.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InterventionEntry {
    /// When it is made: after all deliveries and timers of that instant.
    pub at_s: NonNegative,
    /// Who makes it, as the log has it.
    pub author: String,
    /// A task is asked for, changed or cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderSaid>,
    /// Something goes wrong with a robot, or is mended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultSaid>,
    /// The radio is disturbed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radio: Option<RadioSaid>,
}

/// What is done, with names: one of the three.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// A task is asked for, changed or cancelled.
    Order(Box<OrderSaid>),
    /// Something goes wrong with a robot, or is mended.
    Fault(FaultSaid),
    /// The radio is disturbed.
    Radio(RadioSaid),
}

/// A task that is asked for (`name`, and the keys of a task of a scenario), or one that is changed or cancelled (`task`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct OrderSaid {
    /// What a new task is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The task that is changed or cancelled; with `[tasking]` the order, with all of its phases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The task is no longer to be done.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cancel: bool,
    /// Where the new task is, or where `task` is from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// How urgent `task` is from now on, 0 to 255, with `[tasking]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<u8>,
    /// The robot that looks after the new task and recruits another for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen_by: Option<String>,
    /// What it takes to do the new task.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// The new task comes up when all of these are done, with `[alliance]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// The new task is never done for good, with `[alliance]`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub recurs: bool,
    /// Who can do the new task, and in how many seconds of work, with `[alliance]`.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub work_s: IndexMap<String, Positive>,
    /// How the new task is asked for at a console, with `[tasking]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderEntry>,
}

/// A fault of a robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FaultSaid {
    /// Name of the robot.
    pub robot: String,
    /// What goes wrong.
    pub kind: FaultName,
    /// How long it lasts. A robot that is deaf, mute or offline without it is so until it is `back`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub for_s: Option<Positive>,
    /// Whether a robot that starts again still knows what it remembered (`restart` and `back`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<bool>,
}

/// A disturbance of the radio: one of `jam`, `cut` and `partition`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct RadioSaid {
    /// Nothing gets through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jam: Option<JamSaid>,
    /// Two robots or groups do not hear each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(equal = 2)))]
    pub cut: Option<Vec<String>>,
    /// The team is split.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<PartitionSaid>,
    /// How long it lasts; to the end of the run without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub for_s: Option<Positive>,
}

/// The team is split into parts that do not hear each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PartitionSaid {
    /// The parts: names of robots or groups. Robots that are in none form a part of their own.
    pub parts: Vec<Vec<String>>,
    /// How long it lasts; to the end of the run without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub for_s: Option<Positive>,
}

/// Nothing gets through, in a disc or everywhere.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct JamSaid {
    /// Centre of the disc in which nothing is received. Without it, everywhere.
    #[serde(alias = "place", skip_serializing_if = "Option::is_none")]
    pub at: Option<Place>,
    /// Its radius.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius_m: Option<Positive>,
    /// How long it lasts; to the end of the run without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub for_s: Option<Positive>,
}

impl InterventionEntry {
    /// What is said at a time by somebody.
    pub(crate) fn new(at: Time, author: &str, said: Said) -> Self {
        let at_s = NonNegative::new(at.as_secs_f64()).unwrap_or(super::file::nothing());
        let mut entry = Self { at_s, author: author.to_owned(), order: None, fault: None, radio: None };
        match said {
            Said::Order(order) => entry.order = Some(*order),
            Said::Fault(fault) => entry.fault = Some(fault),
            Said::Radio(radio) => entry.radio = Some(radio),
        }
        entry
    }

    fn said(&self, key: &[&str]) -> Result<Said, Misfit> {
        match (&self.order, &self.fault, &self.radio) {
            (Some(order), None, None) => Ok(Said::Order(Box::new(order.clone()))),
            (None, Some(fault), None) => Ok(Said::Fault(fault.clone())),
            (None, None, Some(radio)) => Ok(Said::Radio(radio.clone())),
            (None, None, None) => {
                let help = "add one of order = { ... }, fault = { ... } and radio = { ... }";
                Err(Misfit::new(key, "nothing is done here", help))
            }
            _ => {
                let help = "keep one of order, fault and radio; several at one time are several [[interventions]]";
                Err(Misfit::new(key, "two things are done here", help))
            }
        }
    }
}

/// What a file of interventions says, read once: it means something else to each scheme, and a pipe gives its text to
/// the first reader only.
#[derive(Clone, Debug, PartialEq)]
pub struct InterventionsText {
    /// What errors call it.
    origin: String,
    text: String,
}

impl InterventionsText {
    /// Reads the file at `path`.
    pub fn read(path: &Path) -> Result<Self, ScenarioError> {
        let origin = path.display().to_string();
        let text = muster_files::text(path).map_err(|error| {
            let help = match error.kind() {
                _ if path.is_dir() => "this is a folder: name a .toml file in it",
                std::io::ErrorKind::FileTooLarge => "no such file is as long: check its name",
                _ => {
                    "check its name, that it is UTF-8 text and that you may read it; docs/interventions.md describes it"
                }
            };
            ScenarioError::Unreadable { path: origin.clone(), why: error.to_string(), help: help.to_owned() }
        })?;
        Ok(Self { origin, text })
    }

    /// What it comes to in runs of `loaded` whose robots follow `scheme`.
    pub fn resolve(&self, loaded: &Loaded, scheme: Scheme) -> Result<Interventions, ScenarioError> {
        Interventions::parse(&self.origin, &self.text, loaded, scheme)
    }
}

impl Interventions {
    /// Reads the text of a file; `origin` is what errors call it.
    pub fn parse(origin: &str, text: &str, loaded: &Loaded, scheme: Scheme) -> Result<Self, ScenarioError> {
        let read = in_file(origin, text, |file: InterventionsFile| resolve(&file, loaded, scheme));
        read.map_err(|error| match error {
            ScenarioError::InFile { message, source_code, span, help } => {
                let help = help.map(|help| help.replace("`muster schema`", "`muster schema --interventions`"));
                ScenarioError::InFile { message, source_code, span, help }
            }
            other => other,
        })
    }
}

/// Makes names numbers and finds what makes no sense. It is checked in the order of time, and of the file within an
/// instant; but the list, and with it the numbers of new tasks, keep the order of the file: what was given to a run out of
/// the order of time is written in the order in which it was given.
fn resolve(file: &InterventionsFile, loaded: &Loaded, scheme: Scheme) -> Result<Interventions, Misfit> {
    if file.interventions.len() > MOST_INTERVENTIONS {
        let message = format!("{} interventions are too many", file.interventions.len());
        return Err(Misfit::new(&["interventions"], message, format!("at most {MOST_INTERVENTIONS}")));
    }
    let mut checker = Checker::new(loaded, scheme, &Interventions::default());
    let numbers = checker.numbers(&file.interventions);
    let mut entries: Vec<(usize, &InterventionEntry)> = file.interventions.iter().enumerate().collect();
    entries.sort_by_key(|(_, entry)| super::build::time(entry.at_s));
    let mut made = Vec::with_capacity(entries.len());
    for (position, entry) in entries {
        let index = position.to_string();
        let key = ["interventions", index.as_str()];
        let at = super::build::time(entry.at_s);
        let what = checker
            .moment(at, &entry.author)
            .and_then(|()| checker.check_numbered(numbers[position], at, entry.said(&[])?))
            .map_err(|misfit| misfit.under(&key))?;
        made.push((position, Made { at, author: entry.author.as_str().into(), what }));
    }
    made.sort_by_key(|(position, _)| *position);
    Ok(Interventions::new(made.into_iter().map(|(_, made)| made).collect()))
}

/// The JSON Schema of files of interventions, as it is made of the types above. `tests/schema.rs` of `muster-reception`
/// keeps it so.
pub const INTERVENTIONS_SCHEMA: &str = include_str!("../../../../scenarios/interventions.schema.json");

/// The JSON Schema of files of interventions, made of the types.
#[cfg(feature = "schema")]
pub fn interventions_schema() -> serde_json::Value {
    let generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
    serde_json::to_value(generator.into_root_schema_for::<InterventionsFile>()).unwrap_or_default()
}
