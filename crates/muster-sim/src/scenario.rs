//! Scenario files: read, checked, changed by `--set`, and made into missions.
//!
//! A mistake is reported with the file, the line, the value and what to try. Values that are wrong by
//! themselves are refused by their types while parsing (`value`); what is wrong only together with
//! something else is found in `build`, which names the key it is about.

mod alliance;
mod build;
mod diagnose;
mod file;
mod foreseen;
mod interventions;
mod memory;
pub mod name;
mod recruitment;
mod shape;
mod tasking;
mod value;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

pub use alliance::{
    AllianceConfigName, AllianceSection, AllianceSpec, Approach, FeedbackEntry, FixedEntry, OrderingName,
    PracticeEntry, PracticeSpec,
};
pub use build::{Misfit, did_you_mean};
pub(crate) use diagnose::in_file;
pub use diagnose::{ScenarioError, Text, Wrong, at_line, help_for, mission, plain};
pub use file::*;
#[cfg(feature = "schema")]
pub use interventions::interventions_schema;
pub use interventions::{
    Checker, FaultSaid, INTERVENTIONS_SCHEMA, InterventionEntry, InterventionsFile, InterventionsText, JamSaid,
    OrderSaid, PartitionSaid, RadioSaid, Said,
};
pub(crate) use name::is_hidden;
pub use recruitment::{ConfigName, MessagingName, Recruiters, RecruitmentSection, StrategyName};
pub use tasking::{
    AdaptiveName, ChangeEntry, CouplingEntry, DeliveryName, GridEntry, HeadingEntry, OrderEntry, PhaseEntry, Points,
    TaskingSection, TaskingSpec, TemplateEntry, TimeEntry, VariantName, VehicleEntry,
};
pub use value::{Finite, NonNegative, OutOfRange, Place, Positive, Probability};

use muster_core::alliance::Config as Impatience;
use muster_core::recruitment::{Config, Strategy};
use muster_core::tasking::{Config as Auctions, Variant, Vehicle};
use muster_core::{Brief, Time};
use muster_script::ScriptPolicy;

use self::build::Built;
use crate::mission::Mission;
use crate::scheme::Scheme;

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
    /// The scenario of a name, with every default of its mechanism filled in. `folder` is where its script lies.
    fn of(name: &str, mut scenario: Scenario, built: Built, folder: Option<&Path>) -> Result<Self, Wrong> {
        let Built { mission, task_names, alliance, tasking } = built;
        let mut script = None;
        match scenario.section() {
            Section::Alliance(section) => {
                let labour = mission.labour.as_ref().expect("tasks of impatient robots take as long as the world says");
                scenario.alliance = Some(alliance::resolved(section, labour));
            }
            Section::Tasking(section) => {
                let spec = tasking.as_ref().expect("what is auctioned was built");
                let config = tasking::config(section, spec, section.variant.into(), mission.robots.len() as u32);
                scenario.tasking = Some(tasking::resolved(section, &config));
            }
            Section::Recruitment(section) => {
                let mut section = recruitment::resolved(&section.cloned().unwrap_or_default());
                script = recruitment::script(&mut section, folder)?;
                scenario.recruitment = Some(section);
            }
        }
        Ok(Self { name: name.to_owned(), scenario, mission, task_names, alliance, tasking, script })
    }

    /// What operators ask for at first: the name of each order, when, and what.
    pub fn orders(&self) -> impl Iterator<Item = (String, Time, Brief)> {
        let names = self.scenario.tasks.iter().flat_map(|(name, entry)| {
            let count = entry.order.as_ref().map_or(1, |order| order.count);
            (1..=count).map(move |number| if count == 1 { name.clone() } else { format!("{name} {number}") })
        });
        let asked = self.mission.orders.iter().filter_map(|spec| Some((spec.at, spec.order.asks_for()?)));
        names.zip(asked).map(|(name, (at, brief))| (name, at, brief))
    }

    /// How its team recruits under `scheme`, but for what robots have of their own. Robots with another mechanism call nobody, and are never asked for this.
    pub fn recruitment(&self, scheme: impl Into<Scheme>) -> Arc<Config> {
        let section = self.scenario.recruitment.clone().unwrap_or_default();
        let config = recruitment::recruitment(&section, self.mission.robots.len());
        Arc::new(match (scheme.into(), &self.script) {
            (Scheme::Scripted, Some(script)) => config.with_policy(script.clone()),
            (Scheme::Recruitment(strategy), _) => config.with(strategy),
            _ => config,
        })
    }

    /// The same for each robot: a group may have values of its own.
    pub fn recruiters(&self, scheme: impl Into<Scheme>) -> Recruiters {
        Recruiters::new(self.recruitment(scheme), self.scenario.robots.values())
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
        let none = TaskingSpec {
            diagonal_m: 0.0,
            slowest_mps: 1.0,
            vehicles: Vec::new(),
            templates: BTreeMap::new(),
            kinds: Vec::new(),
        };
        let spec = self.tasking.as_ref().unwrap_or(&none);
        let config = tasking::config(&section, spec, variant, self.mission.robots.len() as u32);
        (Arc::new(config), self.tasking.as_ref().map_or(&[], |spec| &spec.vehicles))
    }

    /// The schemes to run: the one that is asked for, or those that are compared.
    pub fn schemes(&self) -> Vec<Scheme> {
        match self.scenario.section() {
            Section::Alliance(section) => {
                let compared = section.strategy.map_or_else(|| Approach::COMPARED.to_vec(), |approach| vec![approach]);
                compared.into_iter().map(Scheme::Alliance).collect()
            }
            Section::Tasking(section) => vec![Scheme::Tasking(section.variant.into())],
            Section::Recruitment(section) => match section.and_then(|section| section.strategy) {
                None => self.recruiting(),
                Some(StrategyName::Affective) => vec![Scheme::Recruitment(Strategy::Affective)],
                Some(StrategyName::Greedy) => vec![Scheme::Recruitment(Strategy::Greedy)],
                Some(StrategyName::Random) => vec![Scheme::Recruitment(Strategy::Random)],
                Some(StrategyName::Script) => vec![Scheme::Scripted],
            },
        }
    }

    /// All ways of recruiting that there are: the paper's, and the script's.
    fn recruiting(&self) -> Vec<Scheme> {
        let scripted = self.script.iter().map(|_| Scheme::Scripted);
        Strategy::ALL.map(Scheme::Recruitment).into_iter().chain(scripted).collect()
    }

    /// All schemes that robots of this scenario can follow.
    pub fn schemes_known(&self) -> Vec<Scheme> {
        match self.scenario.section() {
            Section::Alliance(_) => Approach::ALL.map(Scheme::Alliance).to_vec(),
            Section::Tasking(_) => Variant::ALL.map(Scheme::Tasking).to_vec(),
            Section::Recruitment(_) => self.recruiting(),
        }
    }

    /// The scheme of a name, if robots of this scenario can follow it.
    pub fn scheme(&self, name: &str) -> Option<Scheme> {
        self.schemes_known().into_iter().find(|scheme| scheme.name() == name)
    }
}

/// The built-in scenarios: name and text. Receptions among them are read by `muster-reception`.
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

/// Loads a mission: a built-in one by name, or a file by path, and makes the changes (`key.path=value`) in order. What
/// comes of all of them has to be right: `base` may be set before `reload_s`, which it cannot be without.
pub fn load(name_or_path: &str, changes: &[String]) -> Result<Loaded, ScenarioError> {
    load_as(name_or_path, changes, diagnose::mission_only)
}

/// The same for a scenario of any kind: `read` makes it of the text.
pub fn load_as<T>(
    name_or_path: &str,
    changes: &[String],
    read: impl Fn(Text<'_>) -> Result<T, Wrong>,
) -> Result<T, ScenarioError> {
    if let Some(text) = built_in(name_or_path) {
        let text = Text { folder: Some(Path::new("")), name: name_or_path, text };
        return parse_in(text, name_or_path, changes, read);
    }
    let path = Path::new(name_or_path);
    if !path.exists() {
        return Err(ScenarioError::not_found(name_or_path));
    }
    let text = muster_files::text(path).map_err(|error| ScenarioError::unreadable(name_or_path, &error))?;
    let name = path.file_stem().map_or_else(|| name_or_path.to_owned(), |stem| stem.to_string_lossy().into_owned());
    parse_in(Text { folder: path.parent(), name: &name, text: &text }, name_or_path, changes, read)
}

/// Parses and checks the text of a mission; `origin` is what errors call it. It cannot name other files.
pub fn parse(name: &str, origin: &str, text: &str, changes: &[String]) -> Result<Loaded, ScenarioError> {
    parse_as(name, origin, text, changes, diagnose::mission_only)
}

/// The same for a scenario of any kind: `read` makes it of the text.
pub fn parse_as<T>(
    name: &str,
    origin: &str,
    text: &str,
    changes: &[String],
    read: impl Fn(Text<'_>) -> Result<T, Wrong>,
) -> Result<T, ScenarioError> {
    parse_in(Text { folder: None, name, text }, origin, changes, read)
}

fn parse_in<T>(
    file: Text<'_>,
    origin: &str,
    changes: &[String],
    read: impl Fn(Text<'_>) -> Result<T, Wrong>,
) -> Result<T, ScenarioError> {
    // The file alone has to be right: a change is an experiment on it, not a part of it.
    let loaded = diagnose::parse_text(file, origin, &read)?;
    if changes.is_empty() {
        return Ok(loaded);
    }
    diagnose::parse_changed(file, changes, &read)
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
