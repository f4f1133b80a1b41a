//! Scenarios of any kind: missions, which `muster-sim` reads, and receptions.

use muster_sim::scenario::{self, Loaded, ScenarioError, Text, Wrong};

use super::kept::{Kept, Shelf};
use super::{Party, ReceptionScenario, party};

/// What a scenario is: something to be done, or a reception.
#[derive(Clone, Debug)]
pub enum Play {
    /// There are tasks.
    Mission(Box<Loaded>),
    /// There are guests.
    Reception(Box<Party>),
}

impl Play {
    /// What the scenario is called.
    pub fn name(&self) -> &str {
        match self {
            Self::Mission(loaded) => &loaded.name,
            Self::Reception(party) => &party.name,
        }
    }
}

/// Loads any scenario: a built-in one by name, or a file by path, and makes the changes (`key.path=value`) in order.
pub fn load_any(name_or_path: &str, changes: &[String]) -> Result<Play, ScenarioError> {
    scenario::load_as(name_or_path, changes, play)
}

/// Parses and checks the text of any scenario; `origin` is what errors call it. It cannot name other files.
pub fn parse_any(name: &str, origin: &str, text: &str, changes: &[String]) -> Result<Play, ScenarioError> {
    scenario::parse_as(name, origin, text, changes, play)
}

/// Parses and checks the text of a reception whose files were kept when it was read for the first time.
pub(crate) fn parse_kept(name: &str, origin: &str, text: &str, kept: &Kept) -> Result<Box<Party>, ScenarioError> {
    scenario::parse_as(name, origin, text, &[], |file: Text<'_>| {
        party::build(file.parsed()?, Shelf::Kept(kept), file.name).map(Box::new)
    })
}

/// Which kind of scenario a text is, and whether it holds together.
fn play(file: Text<'_>) -> Result<Play, Wrong> {
    if !file.has("reception")? {
        return scenario::mission(file).map(|loaded| Play::Mission(Box::new(loaded)));
    }
    let scenario: ReceptionScenario = file.parsed()?;
    party::build(scenario, Shelf::of(file.folder), file.name).map(|party| Play::Reception(Box::new(party)))
}

/// The JSON Schema of scenario files, as it is made of their types: of a reception, if there is such a section, otherwise of a
/// mission. `tests/schema.rs` keeps it so.
pub const SCHEMA: &str = include_str!("../../../../scenarios/schema.json");

/// The JSON Schema of scenario files, made of their types.
#[cfg(feature = "schema")]
pub fn schema() -> serde_json::Value {
    let mut generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
    let reception = generator.subschema_for::<ReceptionScenario>();
    let mission = generator.subschema_for::<scenario::Scenario>();
    let definitions = generator.take_definitions(true);
    // Not "any of": whoever has a slip in one kind of file should not be told about the other.
    serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Muster scenario",
        "type": "object",
        "if": {"required": ["reception"]},
        "then": reception,
        "else": mission,
        "$defs": definitions,
    })
}
