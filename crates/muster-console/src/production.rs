//! What can be shown: a scenario with a seed and a strategy, or a recording.

use std::path::PathBuf;
use std::sync::Arc;

use miette::{GraphicalReportHandler, GraphicalTheme};
use muster_core::affect::Name;
use muster_core::panel::Family;
use muster_core::{Mechanism, RobotId};
use muster_reception::recording::{self as receptions, AnyRecording};
use muster_reception::scenario::{Party, Play, load_any};
use muster_sim::recording::Comparer;
use muster_sim::scenario::{self, BUILT_IN, InterventionsText, Loaded, ScenarioError};
use muster_sim::scheme::{Visit, staff};
use muster_sim::{Knowledge, Origin, Scheme};
use thiserror::Error;

use crate::director::{Desk, Next};
use crate::frame::Bounds;
use crate::scene::RobotState;
use crate::stage::mission::MissionStage;
use crate::stage::reception::ReceptionStage;
use crate::wire::{
    FamilyAbout, FieldSize, Layout, LengthUnit, Matter, Obstacle, PushedBox, Replay, Ring, RobotAbout, Run, RunKind,
    ScenarioAbout, Source, TaskAbout, Trouble,
};

/// Robots may leave the field by this share of its size and still be seen where they are.
const MARGIN: f64 = 0.5;
/// Width of a robot, a guest or an obstacle of a reception, in feet.
const BODY_FT: f64 = 2.0;

/// Why something cannot be shown.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The scenario is wrong.
    #[error("{0}")]
    Scenario(Box<ScenarioError>),
    /// A page may ask for what the server was started with and for what is built in, not for any file.
    #[error("there is no scenario called `{name}` here")]
    Unknown {
        /// The scenario that the viewer named.
        name: String,
    },
    /// Its robots do not know that strategy.
    #[error("the robots of {scenario} have no strategy called `{name}`; they have {known}")]
    Strategy {
        /// Of which scenario.
        scenario: String,
        /// The strategy that the viewer named.
        name: String,
        /// The strategies of this scenario, with commas between them.
        known: String,
    },
}

impl LoadError {
    /// As it is told to a page.
    pub fn to_trouble(&self) -> Trouble {
        let (help, detail) = match self {
            Self::Scenario(error) => {
                let mut report = String::new();
                let plain = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor());
                // A report that cannot be written leaves its message.
                let _ = plain.render_report(&mut report, &**error);
                ("mend the file and load it again; what runs goes on".to_owned(), Some(report))
            }
            Self::Unknown { .. } => {
                let known: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
                let help = format!("pick one of {}; a file of your own: muster console FILE.toml", known.join(", "));
                (help, None)
            }
            Self::Strategy { .. } => ("pick one of these, or leave it out".to_owned(), None),
        };
        Trouble { detail, ..Trouble::new(Matter::Load, self.to_string(), help) }
    }
}

/// What can be loaded: all that is built in, and what the server was started with.
pub struct Library {
    /// A name or a path, as it was given.
    pub given: Option<String>,
    /// Changes to what was given.
    pub changes: Vec<String>,
    /// What robots know, if a file says so.
    pub knowledge: Option<PathBuf>,
    /// What is done to runs of what was given, if a file says so.
    pub interventions: Option<InterventionsText>,
    /// A recording instead of a scenario.
    pub recording: Option<Arc<(String, AnyRecording)>>,
    /// The seed, if a page asks for none.
    pub seed: u64,
}

impl Library {
    /// Loads a scenario by its name.
    pub fn load(&self, name: &str, asked: Option<u64>, strategy: Option<&str>) -> Result<Production, LoadError> {
        let seed = asked.unwrap_or(self.seed);
        let same = |it: &&Arc<(String, AnyRecording)>| {
            name == it.1.name()
                && asked.is_none_or(|seed| seed == it.1.seed())
                && strategy.is_none_or(|strategy| scheme_of(&it.1) == Some(strategy))
        };
        if let Some(recording) = self.recording.as_ref().filter(same) {
            return Ok(Production::of_recording(recording.clone()));
        }
        let given = self.given.as_deref().filter(|given| *given == name || called(given) == name);
        let (from, changes): (&str, &[String]) = match given {
            Some(given) => (given, &self.changes),
            None if scenario::built_in(name).is_some() => (name, &[]),
            None => return Err(LoadError::Unknown { name: name.to_owned() }),
        };
        let wrong = |error| LoadError::Scenario(Box::new(error));
        let play = load_any(from, changes).map_err(wrong)?;
        let shown = match play {
            Play::Reception(party) => Shown::Reception(party, seed),
            Play::Mission(loaded) => {
                let scheme = match strategy {
                    None => loaded.schemes()[0],
                    Some(name) => loaded.scheme(name).ok_or_else(|| LoadError::Strategy {
                        scenario: loaded.name.clone(),
                        name: name.to_owned(),
                        known: strategies(&loaded).join(", "),
                    })?,
                };
                let knowledge = self.knowledge.as_ref().filter(|_| given.is_some());
                let knowledge = knowledge.map(|path| Knowledge::read(path, &loaded)).transpose().map_err(wrong)?;
                let knowledge = knowledge.map(Arc::new);
                let interventions = self.interventions.as_ref().filter(|_| given.is_some());
                let interventions = interventions.map(|text| text.resolve(&loaded, scheme));
                let interventions = interventions.transpose().map_err(wrong)?.unwrap_or_default();
                let origin = Origin::new(*loaded, scheme, seed).prepared(knowledge.as_ref(), || false);
                let origin = origin.expect("nobody calls a halt");
                Shown::Mission(origin.with_interventions(interventions))
            }
        };
        Ok(Production { shown, replay: None, changes: changes.to_vec() })
    }

    /// What a page may pick, what was given first.
    pub fn scenarios(&self) -> Vec<ScenarioAbout> {
        let about = |name: &str, changes: &[String]| {
            let (about, kind, strategies) = match load_any(name, changes).ok()? {
                Play::Mission(it) => (it.scenario.description.clone(), RunKind::Mission, strategies(&it)),
                Play::Reception(it) => (it.scenario.description.clone(), RunKind::Reception, Vec::new()),
            };
            let about = about.split_whitespace().collect::<Vec<_>>().join(" ");
            Some(ScenarioAbout { name: called(name), about, kind, strategies })
        };
        let given = self.given.as_deref();
        let recorded = self.recording.as_ref().map(|it| {
            let kind = match &it.1 {
                AnyRecording::Mission(_) => RunKind::Mission,
                AnyRecording::Reception(_) => RunKind::Reception,
            };
            let (name, about) = (it.1.name().to_owned(), format!("The recording {}.", it.0));
            ScenarioAbout { name, about, kind, strategies: scheme_of(&it.1).into_iter().collect() }
        });
        let first = recorded.or_else(|| given.and_then(|given| about(given, &self.changes)));
        let taken = first.as_ref().map(|it| it.name.clone());
        let rest = BUILT_IN.iter().filter(|(name, _)| taken.as_ref().is_none_or(|taken| *taken != *name));
        first.into_iter().chain(rest.filter_map(|(name, _)| about(name, &[]))).collect()
    }
}

/// What a scenario is called: itself, if it is built in, otherwise its file without the ending.
fn called(name_or_path: &str) -> String {
    if scenario::built_in(name_or_path).is_some() {
        return name_or_path.to_owned();
    }
    let stem = std::path::Path::new(name_or_path).file_stem();
    stem.map_or_else(|| name_or_path.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

fn strategies(loaded: &Loaded) -> Vec<&'static str> {
    loaded.schemes_known().into_iter().map(Scheme::name).collect()
}

/// The strategy of a recording, if its robots have one.
fn scheme_of(recording: &AnyRecording) -> Option<&'static str> {
    match recording {
        AnyRecording::Mission(recording) => Some(recording.header.origin.scheme.name()),
        AnyRecording::Reception(_) => None,
    }
}

/// Something that can be shown.
pub struct Production {
    shown: Shown,
    /// What was changed in the scenario.
    changes: Vec<String>,
    /// The recording that it has to be, with its name.
    pub replay: Option<Arc<(String, AnyRecording)>>,
}

/// What a run is made from.
enum Shown {
    Mission(Origin),
    /// A reception and its seed.
    Reception(Box<Party>, u64),
}

impl Production {
    /// A recording, to be shown as it was.
    pub fn of_recording(recording: Arc<(String, AnyRecording)>) -> Self {
        let shown = match &recording.1 {
            AnyRecording::Mission(recording) => Shown::Mission(recording.header.origin.clone()),
            AnyRecording::Reception(recording) => {
                Shown::Reception(recording.header.party.clone(), recording.header.seed)
            }
        };
        Self { shown, replay: Some(recording), changes: Vec::new() }
    }

    /// Shows it until something else is asked for.
    pub fn perform(&self, desk: &mut Desk, start: bool) -> Next {
        match &self.shown {
            Shown::Mission(origin) => staff(origin, Performance { production: self, origin, desk, start }),
            Shown::Reception(party, seed) => match ReceptionStage::new(party, *seed, self.reception_comparer()) {
                Ok(stage) => desk.show(self, stage, start),
                Err(error) => {
                    let help = "change the scenario: fewer guests, or a larger field";
                    desk.audience.complain(None, Trouble::new(Matter::Init, error.to_string(), help));
                    desk.idle()
                }
            },
        }
    }

    /// Compares with the recording, if it is one of a reception.
    fn reception_comparer(&self) -> Option<receptions::Comparer<'_>> {
        match &self.replay.as_ref()?.1 {
            AnyRecording::Reception(recording) => Some(receptions::Comparer::new(recording)),
            AnyRecording::Mission(_) => None,
        }
    }

    /// Compares with the recording, if it is one of a mission.
    fn mission_comparer<M: Mechanism>(&self) -> Option<Comparer<'_, M>> {
        match &self.replay.as_ref()?.1 {
            AnyRecording::Mission(recording) => Some(Comparer::new(recording)),
            AnyRecording::Reception(_) => None,
        }
    }

    /// The rectangle that poses are counted in.
    pub fn bounds(&self) -> Bounds {
        match &self.shown {
            Shown::Mission(origin) => Bounds::around(origin.mission().width_m, origin.mission().height_m, MARGIN),
            Shown::Reception(party, _) => Bounds::around(party.setup.width_ft, party.setup.height_ft, 0.0),
        }
    }

    /// What robots are called.
    pub fn robot_names(&self) -> Vec<String> {
        match &self.shown {
            Shown::Mission(origin) => origin.mission().robots.iter().map(|robot| robot.name.to_string()).collect(),
            Shown::Reception(party, _) => party.names().iter().map(ToString::to_string).collect(),
        }
    }

    /// There are tasks to be done.
    pub fn has_tasks(&self) -> bool {
        matches!(self.shown, Shown::Mission(_))
    }

    /// What is told of it at first.
    pub fn told(&self, id: u64) -> Run {
        let (scenario, seed, strategy) = match &self.shown {
            Shown::Mission(origin) => (&origin.loaded.name, origin.seeds.run, Some(origin.scheme.name())),
            Shown::Reception(party, seed) => (&party.name, *seed, None),
        };
        let common = Run {
            id,
            scenario: scenario.clone(),
            kind: RunKind::Mission,
            seed: seed.to_string(),
            strategy,
            strategies: Vec::new(),
            source: if self.replay.is_some() { Source::Replay } else { Source::Live },
            replay: self.replay.as_ref().map(|replay| told_of(&replay.0, &replay.1)),
            changes: self.changes.clone(),
            field: FieldSize { width: 0.0, height: 0.0, unit: LengthUnit::M },
            bounds: self.bounds().edges,
            end_s: 0.0,
            robots: Vec::new(),
            tasks: Vec::new(),
            obstacles: Vec::new(),
            guests: 0,
            body: 0.0,
            pushed: None,
            rings: Vec::new(),
            layout: Layout::Map,
            costs: false,
            states: RobotState::IN_FRAMES,
            families: Family::ALL.map(|name| FamilyAbout { name, about: name.about() }).to_vec(),
        };
        match &self.shown {
            Shown::Mission(origin) => told_of_mission(origin, common),
            Shown::Reception(party, _) => told_of_reception(party, common),
        }
    }
}

fn told_of_mission(origin: &Origin, common: Run) -> Run {
    let Origin { loaded, scheme, .. } = origin;
    let mission = origin.mission();
    let mut rings = Vec::new();
    if let Some(range_m) = mission.radio.range_m {
        rings.push(Ring { label: "radio range", r: range_m });
    }
    if let Scheme::Recruitment(_) | Scheme::Scripted = scheme {
        // Refusing somebody nearer than this is more shameful.
        rings.push(Ring { label: "near", r: loaded.recruitment(*scheme).shame.proximity_m });
    }
    let robots = mission.robots.iter().map(|robot| RobotAbout {
        name: robot.name.to_string(),
        speed: Some(robot.speed_mps),
        group: group(&robot.name).to_owned(),
    });
    Run {
        strategies: strategies(loaded),
        field: FieldSize { width: mission.width_m, height: mission.height_m, unit: LengthUnit::M },
        end_s: mission.limit.as_secs_f64(),
        robots: robots.collect(),
        tasks: origin.task_names().map(|name| TaskAbout { name: name.to_owned() }).collect(),
        pushed: mission.pushed.as_ref().map(|spec| PushedBox { length: spec.length_m }),
        rings,
        costs: loaded.scenario.tasking.is_some(),
        ..common
    }
}

fn told_of_reception(party: &Party, common: Run) -> Run {
    let setup = &party.setup;
    let robot = |name: &Name| RobotAbout { name: name.to_string(), speed: None, group: "robot".to_owned() };
    Run {
        kind: RunKind::Reception,
        layout: Layout::Cars,
        field: FieldSize { width: setup.width_ft, height: setup.height_ft, unit: LengthUnit::Ft },
        end_s: party.limit.as_secs_f64(),
        robots: party.names().iter().map(robot).collect(),
        obstacles: setup.obstacles.iter().map(|place| Obstacle { x: place.x, y: place.y, size: BODY_FT }).collect(),
        guests: party.guests(),
        body: BODY_FT,
        ..common
    }
}

fn told_of(file: &str, recording: &AnyRecording) -> Replay {
    let (version, commit) = recording.program();
    Replay {
        file: file.to_owned(),
        end_s: recording.end().as_secs_f64(),
        cut: recording.cut().map(str::to_owned),
        recorded_by: format!("{version} ({commit})"),
    }
}

/// What robots of a kind have in common: their name without its number.
fn group(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((group, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => group,
        _ => name,
    }
}

/// A mission that is about to be shown.
struct Performance<'a> {
    production: &'a Production,
    origin: &'a Origin,
    desk: &'a mut Desk,
    start: bool,
}

impl Visit for Performance<'_> {
    type Result = Next;

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Next {
        let Self { production, origin, desk, start } = self;
        let stage = MissionStage::new(origin, machine, production.mission_comparer());
        desk.show(production, stage, start)
    }
}
