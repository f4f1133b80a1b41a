//! Scenario files: read, checked, changed by `--set`, and made into missions.
//!
//! A mistake is reported with the file, the line, the value and what to try. Values that are wrong by
//! themselves are refused by their types while parsing (`value`); what is wrong only together with
//! something else is found in `build`, which names the key it is about.

mod alliance;
mod build;
mod diagnose;
mod file;
mod memory;
mod reception;
mod recruitment;
mod tasking;
mod value;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

pub use alliance::{
    AllianceConfigName, AllianceSection, AllianceSpec, Approach, FeedbackEntry, FixedEntry, OrderingName,
    PracticeEntry, PracticeSpec,
};
pub(crate) use build::{Misfit, did_you_mean};
pub use diagnose::{ScenarioError, printable};
pub(crate) use diagnose::{help_for, in_file, plain};
pub use file::*;
pub use reception::{
    Feet, GuestsEntry, Party, ReceptionRadio, ReceptionScenario, ReceptionSection, RobotEntry, Spread,
};
pub use recruitment::{ConfigName, MessagingName, RecruitmentSection, StrategyName};
pub use tasking::{
    ChangeEntry, CouplingEntry, DeliveryName, GridEntry, HeadingEntry, OrderEntry, PhaseEntry, TaskingSection,
    TaskingSpec, TemplateEntry, TimeEntry, VariantName, VehicleEntry,
};
pub use value::{Finite, NonNegative, Place, Positive, Probability};

use muster_core::alliance::Config as Impatience;
use muster_core::recruitment::{Config, Strategy};
use muster_core::tasking::{Config as Auctions, Variant, Vehicle};
use muster_script::ScriptPolicy;

use crate::mission::Mission;
use crate::policy::Policy;

/// A scenario that has been checked, ready to be run.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Its name: of a built-in scenario, or of its file.
    pub name: String,
    /// The file's content, with every change made and every default filled in.
    pub scenario: Scenario,
    /// What it asks for, apart from the mechanism.
    pub mission: Mission,
    /// Names of the tasks, by number.
    pub task_names: Vec<String>,
    /// What `[alliance]` says of tasks and robots, by number.
    pub alliance: Option<AllianceSpec>,
    /// What `[tasking]` says of nodes and kinds of tasks.
    pub tasking: Option<TaskingSpec>,
    /// When robots answer and whom they choose, if a script says so.
    pub script: Option<Arc<ScriptPolicy>>,
}

impl Loaded {
    /// How its robots recruit under `policy`. Robots with another mechanism call nobody, and are never asked for this.
    pub fn recruitment(&self, policy: impl Into<Policy>) -> Arc<Config> {
        let section = self.scenario.recruitment.clone().unwrap_or_default();
        let config = recruitment::recruitment(&section, self.mission.robots.len());
        Arc::new(match (policy.into(), &self.script) {
            (Policy::Scripted, Some(script)) => config.with_policy(script.clone()),
            (Policy::Recruitment(strategy), _) => config.with(strategy),
            _ => config,
        })
    }

    /// How its robots grow impatient.
    pub fn impatience(&self, approach: Approach) -> Impatience {
        let section = self.scenario.alliance.clone().unwrap_or_default();
        let spec = self.alliance.clone().unwrap_or_default();
        let labour = self.mission.labour.clone().unwrap_or_default();
        alliance::config(&section, &spec, approach, &labour, self.mission.robots.len() as u32)
    }

    /// How its nodes take part in auctions, and what each has of its own, by number.
    pub fn tasking(&self, variant: Variant) -> (Arc<Auctions>, &[Arc<Vehicle>]) {
        let section = self.scenario.tasking.clone().unwrap_or_default();
        let none = TaskingSpec { vehicles: Vec::new(), templates: BTreeMap::new(), kinds: Vec::new() };
        let spec = self.tasking.as_ref().unwrap_or(&none);
        let config = tasking::config(&section, spec, variant, self.mission.robots.len() as u32);
        (Arc::new(config), self.tasking.as_ref().map_or(&[], |spec| &spec.vehicles))
    }

    /// The policies to run: the one that is asked for, or those that are compared.
    pub fn policies(&self) -> Vec<Policy> {
        if let Some(section) = &self.scenario.alliance {
            let compared = section.strategy.map_or_else(|| Approach::COMPARED.to_vec(), |approach| vec![approach]);
            return compared.into_iter().map(Policy::Alliance).collect();
        }
        if let Some(section) = &self.scenario.tasking {
            return vec![Policy::Tasking(section.variant.into())];
        }
        match self.scenario.recruitment.as_ref().and_then(|section| section.strategy) {
            None => self.recruiting(),
            Some(StrategyName::Affective) => vec![Policy::Recruitment(Strategy::Affective)],
            Some(StrategyName::Greedy) => vec![Policy::Recruitment(Strategy::Greedy)],
            Some(StrategyName::Random) => vec![Policy::Recruitment(Strategy::Random)],
            Some(StrategyName::Script) => vec![Policy::Scripted],
        }
    }

    /// All ways of recruiting that there are: the paper's, and the script's.
    fn recruiting(&self) -> Vec<Policy> {
        let scripted = self.script.iter().map(|_| Policy::Scripted);
        Strategy::ALL.map(Policy::Recruitment).into_iter().chain(scripted).collect()
    }

    /// All policies that robots of this scenario can follow.
    pub fn policies_known(&self) -> Vec<Policy> {
        match (&self.scenario.alliance, &self.scenario.tasking) {
            (Some(_), _) => Approach::ALL.map(Policy::Alliance).to_vec(),
            (None, Some(_)) => Variant::ALL.map(Policy::Tasking).to_vec(),
            (None, None) => self.recruiting(),
        }
    }

    /// The policy of a name, if robots of this scenario can follow it.
    pub fn policy(&self, name: &str) -> Option<Policy> {
        self.policies_known().into_iter().find(|policy| policy.name() == name)
    }
}

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

    /// The mission, if it is one.
    fn mission(self) -> Result<Loaded, ScenarioError> {
        match self {
            Self::Mission(loaded) => Ok(*loaded),
            Self::Reception(party) => Err(ScenarioError::IsReception {
                name: party.name,
                help: "a reception can be run: `muster run`; `muster reproduce reception` does so many times",
            }),
        }
    }
}

/// The built-in scenarios: name and text.
pub const BUILT_IN: [(&str, &str); 10] = [
    ("minefield", include_str!("../../../scenarios/minefield.toml")),
    ("nearest-answers", include_str!("../../../scenarios/nearest-answers.toml")),
    ("late-but-faster", include_str!("../../../scenarios/late-but-faster.toml")),
    ("cleanup", include_str!("../../../scenarios/cleanup.toml")),
    ("boxes", include_str!("../../../scenarios/boxes.toml")),
    ("hotspot", include_str!("../../../scenarios/hotspot.toml")),
    ("hotspot-crossing", include_str!("../../../scenarios/hotspot-crossing.toml")),
    ("patrol", include_str!("../../../scenarios/patrol.toml")),
    ("reception", include_str!("../../../scenarios/reception.toml")),
    ("reception-vonda", include_str!("../../../scenarios/reception-vonda.toml")),
];

/// The text of a built-in scenario.
pub fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Loads a mission: a built-in one by name, or a file by path, and makes the changes (`key.path=value`) in order.
pub fn load(name_or_path: &str, changes: &[String]) -> Result<Loaded, ScenarioError> {
    load_any(name_or_path, changes)?.mission()
}

/// The same for any scenario.
pub fn load_any(name_or_path: &str, changes: &[String]) -> Result<Play, ScenarioError> {
    if let Some(text) = built_in(name_or_path) {
        return parse_in(Some(Path::new("")), name_or_path, name_or_path, text, changes);
    }
    let path = Path::new(name_or_path);
    if !path.exists() {
        return Err(ScenarioError::not_found(name_or_path));
    }
    let text = muster_files::text(path).map_err(|error| ScenarioError::unreadable(name_or_path, &error))?;
    let name = path.file_stem().map_or_else(|| name_or_path.to_owned(), |stem| stem.to_string_lossy().into_owned());
    parse_in(path.parent(), &name, name_or_path, &text, changes)
}

/// Parses and checks the text of a mission; `origin` is what errors call it. It cannot name other files.
pub fn parse(name: &str, origin: &str, text: &str, changes: &[String]) -> Result<Loaded, ScenarioError> {
    parse_any(name, origin, text, changes)?.mission()
}

/// The same for any scenario.
pub fn parse_any(name: &str, origin: &str, text: &str, changes: &[String]) -> Result<Play, ScenarioError> {
    parse_in(None, name, origin, text, changes)
}

/// The same, with the folder that the files it names are looked for in.
fn parse_in(
    folder: Option<&Path>,
    name: &str,
    origin: &str,
    text: &str,
    changes: &[String],
) -> Result<Play, ScenarioError> {
    let mut loaded = diagnose::parse_text(folder, name, origin, text)?;
    // One change at a time, so that a mistake is put down to the change that made it. The file alone has
    // to be right: a change is an experiment on it, not a part of it.
    let mut changed = text.to_owned();
    for change in changes {
        changed = diagnose::apply(&changed, change)?;
        loaded = diagnose::parse_changed(folder, name, &changed, change)?;
    }
    Ok(loaded)
}

/// How many robots the text of a mission asks for, as far as it can be read; nothing is built for it.
pub(crate) fn robots_in(text: &str) -> u64 {
    let table = text.parse::<toml::Table>().unwrap_or_default();
    let groups = table.get("robots").and_then(toml::Value::as_table);
    let count = |group: &toml::Value| group.get("count").and_then(toml::Value::as_integer).unwrap_or(1);
    groups.map_or(0, |groups| {
        groups.values().map(|group| count(group).max(0).unsigned_abs()).fold(0, u64::saturating_add)
    })
}

/// The JSON Schema of scenario files: of a reception, if there is such a section, otherwise of a mission.
pub fn schema() -> serde_json::Value {
    let mut generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
    let reception = generator.subschema_for::<ReceptionScenario>();
    let mission = generator.subschema_for::<Scenario>();
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
