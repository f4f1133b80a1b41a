//! Scenario files: read, checked, changed by `--set`, and made into missions.
//!
//! A mistake is reported with the file, the line, the value and what to try. Values that are wrong by
//! themselves are refused by their types while parsing (`value`); what is wrong only together with
//! something else is found in `build`, which names the key it is about.

mod alliance;
mod build;
mod diagnose;
mod file;
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
use muster_core::tasking::group::Coupling;
use muster_core::tasking::{Config as Auctions, Variant, Vehicle};
use muster_core::{Brief, Duration, Percepts, Point, TaskId, Time};
use muster_script::ScriptPolicy;

use self::build::Built;
use crate::mission::{Directive, Mission, OrderSpec, RobotSpec, ScanSpec};
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

    /// What to say before a run if nobody can bid for a task from where vehicles stand at first: the last time that bids are
    /// for comes too early. Nothing if somebody's place is left to chance.
    pub fn beyond_bids(&self, variant: Variant) -> Vec<String> {
        let (config, nodes) = self.tasking(variant);
        let horizon_s = config.grid.horizon().as_secs_f64();
        let robots = self.mission.robots.iter().zip(nodes).filter(|(_, node)| !node.console);
        let says = |(name, _, brief): (String, Time, Brief)| {
            let place = self.mission.tasks[brief.task.id.index()].place?;
            let template = config.templates.get(&brief.kind).map_or(&[][..], |template| &template.phases);
            let phases = template.iter().map(|phase| (phase.offset, brief.task.needs.and(phase.needs)));
            let targets = phases.chain(template.is_empty().then_some((Point::default(), brief.task.needs)));
            let soonest = |(offset, needs): (Point, Percepts)| {
                let target = Point::new(place.x + offset.x, place.y + offset.y);
                let able = robots.clone().filter(|(robot, _)| robot.percepts.cover(needs));
                let each = able.map(|(robot, _)| Some((robot.place?.distance(target) / robot.speed_mps, &*robot.name)));
                each.collect::<Option<Vec<_>>>()?.into_iter().min_by(|a, b| a.0.total_cmp(&b.0))
            };
            // The phase that is farthest off for whoever is closest to it.
            let (soonest_s, first) = targets.filter_map(soonest).max_by(|a, b| a.0.total_cmp(&b.0))?;
            let step_s = (soonest_s / (f64::from(config.grid.times.max(2)) - 1.0)).ceil() + 1.0;
            let times = if config.grid.times < 2 { "tasking.grid.times to 2 or more and " } else { "" };
            let try_this = match config.adaptive {
                true => format!("set tasking.horizon_s to {:.0} or more, or leave it out", soonest_s.ceil() + 10.0),
                false => format!(
                    "set {times}tasking.grid.step_s to {step_s:.0} or more, or leave tasking.grid out with variant fenced"
                ),
            };
            (soonest_s > horizon_s).then(|| {
                format!(
                    "nobody can bid for {name} from where vehicles stand: it takes {first} {soonest_s:.0} s, beyond the last \
                     sample ({horizon_s:.0} s): {try_this}"
                )
            })
        };
        self.orders().filter_map(says).collect()
    }

    /// What to say before a run if its horizon is so late that groups are planned in steps wider than a window that ties their
    /// phases together: a plan for them may then be missed that is there.
    pub fn coarser_than_windows(&self, variant: Variant) -> Option<String> {
        let (config, _) = self.tasking(variant);
        let couplings = config.templates.values().flat_map(|template| &template.couplings);
        let (step_s, horizon_s) = (config.grid.step.as_secs_f64(), config.grid.horizon().as_secs_f64());
        let narrowest_s = couplings.filter_map(Coupling::width).min()?.as_secs_f64();
        (config.adaptive && step_s > narrowest_s.max(1.0)).then(|| {
            format!(
                "with a horizon of {horizon_s:.0} s groups are planned in steps of {step_s} s, and the narrowest window between two \
                 phases is {narrowest_s} s wide: they may be said to be impossible though they are not; set tasking.horizon_s \
                 to {:.0} or less",
                (horizon_s * narrowest_s.max(1.0) / step_s).floor()
            )
        })
    }

    /// What to say before a run of groups that take longer than all times that are bid for: they cannot be flown as they are tied
    /// together.
    pub fn longer_than_bids(&self, variant: Variant) -> Vec<String> {
        let (config, _) = self.tasking(variant);
        let horizon_s = config.grid.horizon().as_secs_f64();
        let says = |(name, _, brief): (String, Time, Brief)| {
            let span_s = config.templates.get(&brief.kind)?.span().as_secs_f64();
            let most = config.grid.times.max(2) - 1;
            let try_this = match config.adaptive {
                true => format!("set tasking.horizon_s to {:.0} or more, or leave it out", (span_s + 100.0).ceil()),
                false => format!(
                    "set tasking.grid.step_s to {:.0} or more, or leave tasking.grid out with variant fenced",
                    ((span_s + 100.0) / f64::from(most)).ceil()
                ),
            };
            (span_s > horizon_s).then(|| {
                format!(
                    "{name} cannot be flown as it is tied together: that takes {span_s:.0} s from its first phase to its last, and \
                     bids are for {horizon_s:.0} s: {try_this}"
                )
            })
        };
        self.orders().filter_map(says).collect()
    }

    /// What to say before a run in which operators change orders, if nobody can be told of it: as drawn and as written there is
    /// no message for that.
    pub fn untold_changes(&self, variant: Variant) -> Vec<String> {
        let names: BTreeMap<TaskId, String> = self.orders().map(|(name, _, brief)| (brief.task.id, name)).collect();
        let says = |spec: &OrderSpec| match spec.order {
            Directive::Change { first, .. } => Some(format!(
                "{} stays as it is: nobody can be told of its change at {} s, since {} has no message for that; set \
                 tasking.variant to fenced",
                names.get(&first)?,
                spec.at.as_secs_f64(),
                variant.name(),
            )),
            Directive::Inject(_) | Directive::Cancel(_) => None,
        };
        let untold = self.mission.orders.iter().filter(|_| !Scheme::Tasking(variant).hears_changes());
        untold.filter_map(says).collect()
    }

    /// What to say before a run if calls from some stops can be answered by robots only that scan without a pause: those are never
    /// free, and the mission would wait for them to its end.
    pub fn never_free(&self) -> Vec<String> {
        let section = self.scenario.recruitment.clone().unwrap_or_default();
        let lends = recruitment::recruitment(&section, self.mission.robots.len()).serves_while_waiting;
        let robots = || self.mission.robots.iter().enumerate();
        let calls = robots().filter_map(|(number, robot)| Some((number, robot, robot.errand.as_ref()?)));
        let says = |(number, caller, scan): (usize, &RobotSpec, &ScanSpec)| {
            let able = robots().filter(|(other, robot)| *other != number && robot.percepts.cover(scan.needs));
            let mut able = able.peekable();
            let first = able.peek()?.1.name.clone();
            // One that waits at a stop of its own leaves it to serve a robot with a lower number.
            let busy = |(other, robot): (usize, &RobotSpec)| {
                let scan = robot.errand.as_ref();
                scan.is_some_and(|scan| scan.pause == Duration::ZERO && !(lends && scan.stops > 0 && other > number))
            };
            (scan.stops > 0 && able.all(busy)).then(|| {
                format!(
                    "nobody is ever free for the stops of {}: {first}, and whoever else could help, scans without a pause: set \
                     scan.pause_s, the time that it stands at each end and may be called",
                    caller.name
                )
            })
        };
        calls.filter_map(says).collect()
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
