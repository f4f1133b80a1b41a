//! A class: a file that robots are made of.

use std::path::Path;
use std::sync::Arc;

use muster_core::affect::{Name, Table};
use rhai::{AST, CallFnOptions, Dynamic, Engine, FuncArgs, Module, Scope};

use crate::error::{ScriptError, SettingError};
use crate::reads::{self, Reads};
use crate::settings::{self, Setting, Settings};
use crate::trouble::{Trouble, nearest};
use crate::{Limits, ScriptRobot, desk, maths, sandbox};

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

/// What policies and robots have in common.
pub(crate) struct Script {
    pub origin: String,
    pub text: String,
    engine: Engine,
    ast: AST,
    pub limits: Limits,
}

impl Class {
    /// The class that a text defines; `origin` is what messages call it.
    pub fn new(origin: &str, text: &str, table: Arc<Table>, limits: Limits) -> Result<Self, ScriptError> {
        let engine = sandbox::for_robots(&limits, &table);
        let mut script = Script::new(origin, text, engine, limits)?;
        let missing: Vec<(&str, usize)> =
            INTERFACE.into_iter().filter(|(name, values)| !script.has(name, *values)).collect();
        if !missing.is_empty() {
            return Err(lacking(&script, &missing));
        }
        let defined = names(&script.ast);
        let reads = [&[VARIABLES][..], &PUBLISHED].map(|functions| reads::of(text, &defined, functions));
        script.add(PUBLISHER);
        let has_panel = script.has("panel", 0);
        let mut class = Self { script, table, settings: Settings::new(), has_panel, reads };
        class.settings = class.defaults().map_err(|trouble| class.script.error(trouble))?;
        // A class that cannot say its name would fail for every robot.
        class.name_of(&class.settings).map_err(|trouble| class.script.error(trouble))?;
        Ok(class)
    }

    /// The class that a file defines.
    pub fn read(path: &Path, table: Arc<Table>, limits: Limits) -> Result<Self, ScriptError> {
        let (origin, text) = read(path)?;
        Self::new(&origin, &text, table, limits)
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

impl Script {
    /// Compiles a text. Constants at its top are known in its functions, unlike in plain Rhai.
    pub fn new(origin: &str, text: &str, mut engine: Engine, limits: Limits) -> Result<Self, ScriptError> {
        let wrong = |trouble| ScriptError::at(origin, text, trouble);
        let compile = |engine: &Engine, known: &Scope| {
            engine.compile_with_scope(known, text).map_err(|error| wrong(Trouble::of_parsing(&error)))
        };
        engine.set_strict_variables(false);
        let mut known = maths::constants();
        let ast = compile(&engine, &known)?;
        let mut scope = Scope::new();
        desk::refill(limits.operations);
        engine
            .run_ast_with_scope(&mut scope, &ast)
            .map_err(|error| wrong(Trouble::of(*error, &limits, &names(&ast))))?;
        for (name, is_constant, value) in scope.iter() {
            if !is_constant {
                let line = text.lines().position(|line| line.trim_start().starts_with(&format!("let {name}")));
                return Err(wrong(Trouble::new(
                    line.map(|line| line + 1),
                    format!("`{name}` is a variable outside of functions, and no function can see it"),
                    format!(
                        "write `const {name}` if it stays the same, or keep it in `this.{name}` from init_robot on"
                    ),
                )));
            }
            known.push_constant_dynamic(name, value.clone());
        }
        // Most constants are put in place of their names when the text is compiled. Lists and maps are not.
        let mut constants = Module::new();
        known.iter().for_each(|(name, _, value)| {
            constants.set_var(name, value);
        });
        engine.register_global_module(constants.into());
        engine.set_strict_variables(true);
        let ast = compile(&engine, &known)?;
        Ok(Self { origin: origin.to_owned(), text: text.to_owned(), engine, ast, limits })
    }

    /// Defines a function of ours beside those of the text.
    fn add(&mut self, text: &str) {
        let ours = self.engine.compile(text).expect("it is a fixed text");
        self.ast.combine(ours);
    }

    pub fn has(&self, name: &str, values: usize) -> bool {
        self.ast.iter_functions().any(|function| function.name == name && function.params.len() == values)
    }

    pub fn error(&self, trouble: Trouble) -> ScriptError {
        ScriptError::at(&self.origin, &self.text, trouble)
    }

    /// The line in which a function begins.
    pub fn line_of(&self, function: &str) -> Option<usize> {
        // Several may stand in one line.
        let defines = |line: &str| {
            line.match_indices("fn ").any(|(at, word)| {
                let alone = !line[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
                let rest = line[at + word.len()..].trim_start().strip_prefix(function);
                alone && rest.is_some_and(|rest| rest.trim_start().starts_with('('))
            })
        };
        let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
        self.text.lines().position(|line| defines(&code(line))).map(|line| line + 1)
    }

    /// Calls a function with `this` bound.
    pub fn call(&self, this: &mut Dynamic, function: &str, values: impl FuncArgs) -> Result<Dynamic, Trouble> {
        desk::refill(self.limits.operations);
        let options = CallFnOptions::new().eval_ast(false).rewind_scope(false).bind_this_ptr(this);
        let given =
            self.engine.call_fn_with_options::<Dynamic>(options, &mut Scope::new(), &self.ast, function, values);
        match given {
            Ok(_) if desk::is_overdrawn() => Err(Trouble::without_end(&self.limits).at(self.line_of(function))),
            Ok(given) => Ok(given),
            Err(error) => Err(Trouble::of(*error, &self.limits, &names(&self.ast))),
        }
    }
}

fn names(ast: &AST) -> Vec<&str> {
    ast.iter_functions().map(|function| function.name).collect()
}

/// The text of a file, and what it is called.
pub(crate) fn read(path: &Path) -> Result<(String, String), ScriptError> {
    let origin = path.display().to_string();
    match muster_files::text(path) {
        Ok(text) => Ok((origin, text)),
        Err(error) => Err(ScriptError::Unreadable {
            path: origin,
            why: error.to_string(),
            help: "name a .rhai file that you may read; docs/scripts.md shows one".to_owned(),
        }),
    }
}

fn lacking(script: &Script, missing: &[(&str, usize)]) -> ScriptError {
    const VALUES: [&str; 3] = ["()", "(t)", "(t, value)"];
    let list: Vec<String> = missing.iter().map(|(name, values)| format!("`{name}{}`", VALUES[*values])).collect();
    let message = format!("a robot has to define {}, which this script does not", list.join(", "));
    // With the right name but not the right values, or with nearly the right name.
    let defined: Vec<&str> = names(&script.ast);
    let (first, values) = missing[0];
    let help = if defined.contains(&first) {
        format!("`{first}` is there, but has to take {values} values")
    } else {
        let others: Vec<&str> =
            defined.into_iter().filter(|name| INTERFACE.iter().all(|(known, _)| known != name)).collect();
        match nearest(first, &others) {
            near if near.starts_with("did") => near.replace("did you mean", "is that"),
            _ => "docs/scripts.md says what each of the fourteen is for".to_owned(),
        }
    };
    ScriptError::Lacks { origin: script.origin.clone(), message, help }
}
