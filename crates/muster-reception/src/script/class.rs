//! A class: a file that robots are made of.

use std::sync::Arc;

use muster_core::affect::{Name, Table};
use rhai::Dynamic;

use super::reads::{self, Reads};
use super::settings::{self, Setting, Settings};
use super::{ScriptRobot, SettingError, calls, feelings, legs, place};
use muster_script::script::Script;
use muster_script::{Limits, ScriptError, Trouble, did_you_mean, sandbox};

/// The common robot interface, with how many values each function takes. [CARS, Figure 7]
pub const INTERFACE: [(&str, usize); 14] = [
    ("init_robot", 0),
    ("get_name", 0),
    ("get_speed", 0),
    ("get_direction", 0),
    ("update_state_variables", 1),
    ("get_state_variables", 0),
    ("get_current_location", 0),
    ("project_location", 1),
    ("set_current_location", 2),
    ("set_command", 2),
    ("update_emotion_state", 1),
    ("get_emotion_state", 0),
    ("update_behavior_state", 1),
    ("get_behavior_state", 0),
];

/// What a robot makes known beside its variables, in one call: five calls from outside would take twice as long.
const PUBLISH: &str = "published__";
const PUBLISHER: &str = "fn published__() { [this.get_speed(), this.get_direction(), this.get_current_location(), \
                         this.get_emotion_state(), this.get_behavior_state()] }";
const PUBLISHED: [&str; 5] =
    ["get_speed", "get_direction", "get_current_location", "get_emotion_state", "get_behavior_state"];
const VARIABLES: &str = "get_state_variables";

/// A script that was loaded: text, limits, and what it may use. Robots of one class share it.
pub struct Class {
    script: Script,
    table: Arc<Table>,
    settings: Settings,
    has_panel: bool,
    /// What its variables depend on, and what else it makes known.
    pub(crate) reads: [Reads; 2],
}

impl Class {
    /// The class that a text defines; `origin` is what messages call it.
    pub fn new(origin: &str, text: &str, table: Arc<Table>, limits: Limits) -> Result<Self, ScriptError> {
        let mut engine = sandbox::engine(&limits);
        place::register(&mut engine);
        legs::register(&mut engine);
        feelings::register(&mut engine, &table);
        calls::register(&mut engine);
        let mut script = Script::new(origin, text, engine, limits)?;
        let missing: Vec<(&str, usize)> =
            INTERFACE.into_iter().filter(|(name, values)| !script.has(name, *values)).collect();
        if !missing.is_empty() {
            return Err(lacking(&script, &missing));
        }
        let defined = script.functions();
        let reads = [&[VARIABLES][..], &PUBLISHED].map(|functions| reads::of(text, &defined, functions));
        script.add(PUBLISHER);
        let has_panel = script.has("panel", 0);
        let mut class = Self { script, table, settings: Settings::new(), has_panel, reads };
        class.settings = class.defaults().map_err(|trouble| class.script.error(trouble))?;
        // A class that cannot say its name would fail for every robot.
        class.name_of(&class.settings).map_err(|trouble| class.script.error(trouble))?;
        Ok(class)
    }

    /// The same class with another robot in mind: its settings are what these say, if nothing else is said.
    pub fn with_defaults(mut self, settings: &Settings) -> Result<Self, SettingError> {
        self.settings = settings::merged(&self.settings, settings)?;
        Ok(self)
    }

    /// What messages call it.
    pub fn origin(&self) -> &str {
        &self.script.origin
    }

    /// What may be set, with what it is if it is not.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// A robot of this class, as `init_robot` finds it.
    pub fn robot(self: &Arc<Self>, set: &Settings) -> Result<ScriptRobot, SettingError> {
        let settings = settings::merged(&self.settings, set)?;
        let name = self.name_of(&settings).map_err(|trouble| SettingError {
            key: "name".to_owned(),
            message: format!("{}: {}", self.place_of(&trouble), trouble.what),
            help: trouble.help,
        })?;
        Ok(ScriptRobot::new(Arc::clone(self), settings, name))
    }

    pub(crate) fn script(&self) -> &Script {
        &self.script
    }

    pub(crate) fn table(&self) -> &Arc<Table> {
        &self.table
    }

    pub(crate) fn has_panel(&self) -> bool {
        self.has_panel
    }

    /// What it makes known beside its variables.
    pub(crate) fn published(&self, this: &mut Dynamic) -> Result<Dynamic, Trouble> {
        self.script.call(this, PUBLISH, ())
    }

    /// Its variables.
    pub(crate) fn variables(&self, this: &mut Dynamic) -> Result<Dynamic, Trouble> {
        self.script.call(this, VARIABLES, ()).map_err(|trouble| trouble.at(self.script.line_of(VARIABLES)))
    }

    /// `butler.rhai:12`, or the file alone.
    pub(crate) fn place_of(&self, trouble: &Trouble) -> String {
        trouble.line.map_or_else(|| self.origin().to_owned(), |line| format!("{}:{line}", self.origin()))
    }

    fn defaults(&self) -> Result<Settings, Trouble> {
        if !self.script.has("settings", 0) {
            return Ok(Settings::new());
        }
        let line = self.script.line_of("settings");
        let mut nothing = Dynamic::UNIT;
        let given = self.script.call(&mut nothing, "settings", ()).map_err(|trouble| trouble.at(line))?;
        let Ok(map) = given.as_map_ref() else {
            let what = format!("settings gives a value of type {}", given.type_name());
            return Err(Trouble::new(line, what, "give a map: #{ name: \"Robbie\", speed: 1.0 }"));
        };
        let one = |(key, value): (&str, &Dynamic)| match Setting::of(value) {
            Some(setting) => Ok((key.to_owned(), setting)),
            None => Err(Trouble::new(
                line,
                format!("the setting `{key}` is of type {}", value.type_name()),
                "a setting is true or false, a number, a text, or a list of these",
            )),
        };
        map.iter().map(|(key, value)| one((key, value))).collect()
    }

    fn name_of(&self, settings: &Settings) -> Result<Name, Trouble> {
        let line = self.script.line_of("get_name");
        let name = self.script.call(&mut settings::as_this(settings), "get_name", ());
        let name = name.map_err(|trouble| trouble.at(line))?;
        match name.as_immutable_string_ref() {
            Ok(name) if !name.trim().is_empty() => Ok(name.as_str().into()),
            Ok(_) => {
                Err(Trouble::new(line, "get_name gives an empty text", "robots call each other by name: give one"))
            }
            Err(kind) => {
                let what = format!("get_name gives a value of type {kind}");
                Err(Trouble::new(
                    line,
                    what,
                    "give a text: what get_name uses is known before init_robot, as a setting is",
                ))
            }
        }
    }
}

fn lacking(script: &Script, missing: &[(&str, usize)]) -> ScriptError {
    const VALUES: [&str; 3] = ["()", "(t)", "(t, value)"];
    let list: Vec<String> = missing.iter().map(|(name, values)| format!("`{name}{}`", VALUES[*values])).collect();
    let message = format!("a robot has to define {}, which this script does not", list.join(", "));
    // With the right name but not the right values, or with nearly the right name.
    let defined: Vec<&str> = script.functions();
    let (first, values) = missing[0];
    let help = if defined.contains(&first) {
        format!("`{first}` is there, but has to take {values} values")
    } else {
        let others: Vec<&str> =
            defined.into_iter().filter(|name| INTERFACE.iter().all(|(known, _)| known != name)).collect();
        match did_you_mean(first, &others) {
            near if near.starts_with("did") => near.replace("did you mean", "is that"),
            _ => "docs/scripts.md says what each of the fourteen is for".to_owned(),
        }
    };
    ScriptError::Lacks { origin: script.origin.clone(), message, help }
}
