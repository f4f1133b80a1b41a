//! What can be shown: a scenario with a seed and a strategy, or a recording.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use miette::{GraphicalReportHandler, GraphicalTheme};
use muster_core::{Mechanism, RobotId, Time};
use muster_sim::policy::{Visit, staff};
use muster_sim::recording::{Comparer, Recording};
use muster_sim::scenario::{self, BUILT_IN, Loaded, Party, Play, ScenarioError};
use muster_sim::{Knowledge, Policy, Seeds};
use muster_studies::run;
use serde_json::{Value, json};
use thiserror::Error;
use tokio::sync::oneshot;

use crate::clerk::Clerk;
use crate::costs;
use crate::director::{Desk, Next};
use crate::frame::Bounds;
use crate::order::Answer;
use crate::stage::mission::MissionStage;
use crate::stage::reception::ReceptionStage;

/// Robots may leave the field by this share of its size and still be seen where they are.
const MARGIN: f64 = 0.5;
/// What stands on the field of a reception is so many feet wide.
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
        /// What was asked for.
        name: String,
    },
    /// Its robots do not know that strategy.
    #[error("the robots of {scenario} have no strategy called `{name}`; they have {known}")]
    Strategy {
        /// Of which scenario.
        scenario: String,
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
}

impl LoadError {
    /// As it is told to a page.
    pub fn to_json(&self, what: &str) -> Value {
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
        json!({"t": "error", "what": what, "message": self.to_string(), "help": help, "detail": detail})
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
    /// A recording instead of a scenario.
    pub recording: Option<Arc<(String, Recording)>>,
    /// The seed, if a page asks for none.
    pub seed: u64,
}

impl Library {
    /// Loads a scenario by its name.
    pub fn load(&self, name: &str, asked: Option<u64>, strategy: Option<&str>) -> Result<Production, LoadError> {
        let seed = asked.unwrap_or(self.seed);
        let same = |it: &&Arc<(String, Recording)>| {
            let header = &it.1.header;
            name == header.loaded.name
                && asked.is_none_or(|seed| seed == header.seeds.run)
                && strategy.is_none_or(|strategy| strategy == header.policy.name())
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
        let play = scenario::load_any(from, changes).map_err(wrong)?;
        let policy = match &play {
            Play::Reception(_) => None,
            Play::Mission(loaded) => Some(match strategy {
                None => loaded.policies()[0],
                Some(name) => loaded.policy(name).ok_or_else(|| LoadError::Strategy {
                    scenario: loaded.name.clone(),
                    name: name.to_owned(),
                    known: strategies(loaded).join(", "),
                })?,
            }),
        };
        let knowledge = match (&play, policy) {
            (Play::Mission(loaded), Some(policy)) => {
                let given = self.knowledge.as_ref().filter(|_| given.is_some());
                let given = given.map(|path| Knowledge::read(path, loaded)).transpose().map_err(wrong)?;
                run::knowledge(loaded, policy, given.as_ref(), seed, || false).unwrap_or_default()
            }
            _ => Knowledge::default(),
        };
        let changes = changes.to_vec();
        Ok(Production {
            play,
            policy,
            knowledge,
            seeds: seed.into(),
            replay: None,
            changes,
            asked_about: OnceLock::new(),
        })
    }

    /// What a page may pick, what was given first.
    pub fn to_json(&self) -> Value {
        let about = |name: &str, changes: &[String]| {
            let (about, kind, strategies) = match scenario::load_any(name, changes).ok()? {
                Play::Mission(it) => (it.scenario.description.clone(), "mission", strategies(&it)),
                Play::Reception(it) => (it.scenario.description.clone(), "reception", Vec::new()),
            };
            let about = about.split_whitespace().collect::<Vec<_>>().join(" ");
            Some(json!({"name": called(name), "about": about, "kind": kind, "strategies": strategies}))
        };
        let given = self.given.as_deref();
        let recorded = self.recording.as_ref().map(|it| {
            let header = &it.1.header;
            json!({"name": header.loaded.name, "about": format!("The recording {}.", it.0), "kind": "mission",
                "strategies": [header.policy.name()]})
        });
        let first = recorded.or_else(|| given.and_then(|given| about(given, &self.changes)));
        let taken = first.as_ref().map(|it| it["name"].clone());
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
    loaded.policies_known().into_iter().map(Policy::name).collect()
}

/// Something that can be shown.
pub struct Production {
    play: Play,
    /// How robots coordinate; those of a reception do not.
    policy: Option<Policy>,
    knowledge: Knowledge,
    seeds: Seeds,
    /// What was changed in the scenario.
    changes: Vec<String>,
    /// The mission, for whoever looks at its bids while the run goes on.
    asked_about: OnceLock<Arc<Loaded>>,
    /// The recording that it has to be, with its name.
    pub replay: Option<Arc<(String, Recording)>>,
}

impl Production {
    /// A recording, to be shown as it was.
    pub fn of_recording(recording: Arc<(String, Recording)>) -> Self {
        let header = &recording.1.header;
        Self {
            play: Play::Mission(Box::new(header.loaded.clone())),
            policy: Some(header.policy),
            knowledge: header.knowledge.clone(),
            seeds: header.seeds,
            replay: Some(recording),
            changes: Vec::new(),
            asked_about: OnceLock::new(),
        }
    }

    /// Shows it until something else is asked for.
    pub fn perform(&self, desk: &mut Desk, start: bool) -> Next {
        match (&self.play, self.policy) {
            (Play::Mission(loaded), Some(policy)) => {
                staff(loaded, policy, &self.knowledge, Performance { production: self, loaded, policy, desk, start })
            }
            (Play::Mission(_), None) => unreachable!("a mission is loaded with a policy"),
            (Play::Reception(party), _) => match ReceptionStage::new(party, self.seeds.run) {
                Ok(stage) => desk.show(self, stage, start),
                Err(error) => {
                    let help = "change the scenario: fewer guests, or a larger field";
                    let error = json!({"t": "error", "what": "init", "message": error.to_string(), "help": help,
                        "detail": null});
                    desk.audience.complain(None, error);
                    desk.idle()
                }
            },
        }
    }

    /// The rectangle that poses are counted in.
    pub fn bounds(&self) -> Bounds {
        match &self.play {
            Play::Mission(loaded) => Bounds::around(loaded.mission.width_m, loaded.mission.height_m, MARGIN),
            Play::Reception(party) => Bounds::around(party.setup.width_ft, party.setup.height_ft, 0.0),
        }
    }

    /// What robots are called.
    pub fn robot_names(&self) -> Vec<String> {
        match &self.play {
            Play::Mission(loaded) => loaded.mission.robots.iter().map(|robot| robot.name.to_string()).collect(),
            Play::Reception(party) => party.names().iter().map(ToString::to_string).collect(),
        }
    }

    /// There are tasks to be done.
    pub fn has_tasks(&self) -> bool {
        matches!(self.play, Play::Mission(_))
    }

    /// Has the clerk find the bids for a task and answer when it has.
    pub fn costs(&self, task: u32, until: Time, clerk: &Clerk, reply: oneshot::Sender<Answer>) {
        match (&self.play, self.policy) {
            (Play::Mission(loaded), Some(Policy::Tasking(variant))) => {
                let loaded = self.asked_about.get_or_init(|| Arc::new((**loaded).clone())).clone();
                let seeds = self.seeds;
                clerk.ask(reply, move |halt| costs::bids(&loaded, seeds, variant, task, until, halt).map(Ok));
            }
            _ => {
                let _ = reply.send(Ok(Value::Null));
            }
        }
    }

    /// What is told of it at first.
    pub fn to_json(&self, run: u64) -> Value {
        let mut told = match &self.play {
            Play::Mission(loaded) => self.mission_to_json(loaded),
            Play::Reception(party) => reception_to_json(party),
        };
        told["t"] = "run".into();
        told["id"] = run.into();
        told["scenario"] = self.play.name().into();
        told["seed"] = self.seeds.run.to_string().into();
        told["changes"] = json!(self.changes);
        told["bounds"] = json!(self.bounds().edges);
        told["source"] = if self.replay.is_some() { "replay" } else { "live" }.into();
        told["replay"] = self.replay.as_ref().map_or(Value::Null, |replay| {
            let (file, recording) = &**replay;
            let (version, commit) = &recording.header.program;
            let end_s = recording.events.last().map_or(0.0, |(at, _)| at.as_secs_f64());
            json!({"file": file, "end_s": end_s, "cut": recording.cut, "recorded_by": format!("{version} ({commit})")})
        });
        told
    }

    fn mission_to_json(&self, loaded: &Loaded) -> Value {
        let mission = &loaded.mission;
        let robots: Vec<Value> = mission
            .robots
            .iter()
            .map(|robot| json!({"name": &*robot.name, "speed": robot.speed_mps, "group": group(&robot.name)}))
            .collect();
        let tasks: Vec<Value> = loaded.task_names.iter().map(|name| json!({"name": name})).collect();
        let mut rings = Vec::new();
        if let Some(range_m) = mission.radio.range_m {
            rings.push(json!({"label": "radio range", "r": range_m}));
        }
        if let Some(policy @ (Policy::Recruitment(_) | Policy::Scripted)) = self.policy {
            // Refusing somebody nearer than this is more shameful.
            rings.push(json!({"label": "near", "r": loaded.recruitment(policy).shame.proximity_m}));
        }
        json!({
            "kind": "mission", "layout": "map",
            "strategy": self.policy.map(Policy::name), "strategies": strategies(loaded),
            "field": {"width": mission.width_m, "height": mission.height_m, "unit": "m"},
            "end_s": mission.limit.as_secs_f64(),
            "robots": robots, "tasks": tasks, "obstacles": [], "guests": 0, "body": 0.0,
            "box": mission.pushed.as_ref().map(|spec| json!({"length": spec.length_m})),
            "rings": rings, "costs": loaded.scenario.tasking.is_some(),
        })
    }
}

fn reception_to_json(party: &Party) -> Value {
    let robots: Vec<Value> = party.names().iter().map(|name| json!({"name": name, "group": "robot"})).collect();
    let obstacles: Vec<Value> =
        party.setup.obstacles.iter().map(|place| json!({"x": place.x, "y": place.y, "size": BODY_FT})).collect();
    json!({
        "kind": "reception", "layout": "cars", "strategy": null, "strategies": [],
        "field": {"width": party.setup.width_ft, "height": party.setup.height_ft, "unit": "ft"},
        "end_s": party.limit.as_secs_f64(),
        "robots": robots, "tasks": [], "obstacles": obstacles, "guests": party.guests(), "body": BODY_FT,
        "box": null, "rings": [], "costs": false,
    })
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
    loaded: &'a Loaded,
    policy: Policy,
    desk: &'a mut Desk,
    start: bool,
}

impl Visit for Performance<'_> {
    type Result = Next;

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Next {
        let Self { production, loaded, policy, desk, start } = self;
        let comparer = production.replay.as_ref().map(|replay| Comparer::new(&replay.1));
        let stage = MissionStage::new(loaded, policy, production.seeds, machine, comparer);
        desk.show(production, stage, start)
    }
}
