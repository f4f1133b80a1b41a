//! A robot whose class is a script.

use std::cell::RefCell;
use std::sync::Arc;

use crate::robot::saved::{Garbled, pack, unpack};
use crate::robot::{Frame, Place, Robot, Value, Variables};
use muster_core::Time;
use muster_core::affect::Name;
use muster_core::panel::{Feeling, Field};
use rhai::{Dynamic, FuncArgs};
use serde::{Deserialize, Serialize};

use super::class::Class;
use super::desk;
use super::feelings::Feelings;
use super::reads::Reads;
use super::settings::{self, Settings};
use super::state::{Kept, same, weight};
use muster_script::Trouble;
use muster_script::number::number;

/// What a robot does whose script has failed: nothing.
pub const STOPPED: &str = "STOPPED";

/// What a robot feels that failed before it could say so.
const NOTHING_YET: &str = "NONE";

/// A robot whose class is a script.
///
/// If the script fails it stops: it stays where it is, shows what it last made known, and does [`STOPPED`]. That is noted
/// once, by whoever drives it ([`Robot::failure`]), with the file, the line and what to try; everybody else goes on. Commands of the call that failed are not given.
/// `init_robot` starts it anew.
///
/// Getters and `project_location` run on a copy of `this`: whatever they change is forgotten. `get_state_variables` has a
/// copy of its own; the five others that are asked after a phase share one. Neither is asked again before something of
/// `this` has changed that it can read.
pub struct ScriptRobot {
    class: Arc<Class>,
    settings: Settings,
    name: Name,
    this: Dynamic,
    // Getters may fail, too, and may not change the robot; what they find out is kept here.
    shown: RefCell<Shown>,
}

/// What others and displays get to see.
#[derive(Clone, Debug)]
struct Shown {
    snapshot: Snapshot,
    /// Nothing has happened since the snapshot.
    fresh: bool,
    /// What the snapshot is of, if it was taken.
    of: Option<Dynamic>,
    /// Where it was put, whatever it makes of that.
    put: Place,
    stopped: Option<Stopped>,
}

/// Everything that a robot makes known, beside its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Snapshot {
    location: Place,
    speed_fps: f64,
    direction: f64,
    variables: Variables,
    emotion: Name,
    behavior: Name,
}

/// A script that failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Stopped {
    /// What is to be said about it.
    why: String,
}

/// A scripted robot as it is saved.
#[derive(Serialize, Deserialize)]
struct Saved {
    script: u64,
    name: Name,
    this: Kept,
    snapshot: Snapshot,
    fresh: bool,
    put: Place,
    stopped: Option<Stopped>,
}

impl Snapshot {
    fn nothing() -> Self {
        Self {
            location: Place::default(),
            speed_fps: 0.0,
            direction: 0.0,
            variables: Variables::new(),
            emotion: NOTHING_YET.into(),
            behavior: NOTHING_YET.into(),
        }
    }
}

impl Shown {
    fn nothing() -> Self {
        Self { snapshot: Snapshot::nothing(), fresh: true, of: None, put: Place::default(), stopped: None }
    }
}

impl ScriptRobot {
    pub(crate) fn new(class: Arc<Class>, settings: Settings, name: Name) -> Self {
        let this = settings::as_this(&settings);
        let shown = RefCell::new(Shown::nothing());
        Self { class, settings, name, this, shown }
    }

    /// Its class.
    pub fn class(&self) -> &Arc<Class> {
        &self.class
    }

    /// Its settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Its script has failed.
    pub fn is_stopped(&self) -> bool {
        self.shown.borrow().stopped.is_some()
    }

    fn stop(&self, trouble: Trouble) {
        let (place, Trouble { what, help, .. }) = (self.class.place_of(&trouble), &trouble);
        let told = format!("{place}: {what} (robot {}); it stops here, others go on: {help}", self.name);
        let shown = &mut *self.shown.borrow_mut();
        shown.stopped.get_or_insert(Stopped { why: told });
        shown.fresh = true;
        (shown.snapshot.speed_fps, shown.snapshot.location) = (0.0, shown.put);
        shown.snapshot.behavior = STOPPED.into();
    }

    /// Runs a function that may change the robot.
    fn exercise(&mut self, function: &str, values: impl FuncArgs) -> Result<(), Trouble> {
        if self.is_stopped() {
            return Ok(());
        }
        let script = self.class.script();
        let line = || script.line_of(function);
        // What it gives is of no use to anybody.
        let _ = script.call(&mut self.this, function, values).map_err(|trouble| trouble.at(line()))?;
        self.shown.get_mut().fresh = false;
        let most = script.limits.state_bytes;
        match weight(&self.this) {
            Ok(bytes) if bytes <= most => Ok(()),
            Ok(bytes) => {
                let what = format!("`this` has grown to {bytes} bytes, and may have {most}");
                Err(Trouble::new(line(), what, "keep less: only the last few, or their sum"))
            }
            Err(kind) => {
                let what = format!("there is a value of type {kind} in `this`, which cannot be saved");
                Err(Trouble::new(
                    line(),
                    what,
                    "keep numbers, texts, true and false, lists, maps, places, legs, feelings",
                ))
            }
        }
    }

    /// The same with what a frame lends, and with the time.
    fn exercise_with(&mut self, frame: &mut Frame<'_>, function: &str) {
        let t = frame.now.as_secs_f64();
        let room = self.class.script().limits.said_bytes;
        if let Err(trouble) = desk::lend(frame, room, || self.exercise(function, (t,))) {
            self.stop(trouble);
        }
    }

    /// The same without a frame.
    fn exercise_alone(&mut self, function: &str, values: impl FuncArgs) {
        if let Err(trouble) = self.exercise(function, values) {
            self.stop(trouble);
        }
    }

    /// Sees to it that what is shown is what the script says by now.
    fn look(&self) {
        if self.shown.borrow().fresh {
            return;
        }
        // Asking costs ten times as much as looking whether there is anything new.
        let (mut snapshot, variables, rest) = {
            let shown = self.shown.borrow();
            let new = |reads: &Reads| shown.of.as_ref().is_none_or(|of| changed(reads, of, &self.this));
            let [variables, rest] = self.class.reads.each_ref().map(new);
            (shown.snapshot.clone(), variables, rest)
        };
        if !variables && !rest {
            self.shown.borrow_mut().fresh = true;
            return;
        }
        let mut read = || -> Result<(), Trouble> {
            if variables {
                self.read_variables(&mut snapshot)?;
            }
            if rest {
                self.read_rest(&mut snapshot)?;
            }
            Ok(())
        };
        match read() {
            Ok(()) => {
                let shown = &mut *self.shown.borrow_mut();
                (shown.snapshot, shown.fresh, shown.of) = (snapshot, true, Some(self.this.clone()));
            }
            Err(trouble) => self.stop(trouble),
        }
    }

    /// Asks the script for the variables that it gives out.
    fn read_variables(&self, snapshot: &mut Snapshot) -> Result<(), Trouble> {
        let given = self.class.variables(&mut self.this.clone())?;
        snapshot.variables = self.variables("get_state_variables", &given)?;
        Ok(())
    }

    /// Asks the script for all else that it shows: place, speed, direction, emotion, behaviour.
    fn read_rest(&self, snapshot: &mut Snapshot) -> Result<(), Trouble> {
        let all = self.class.published(&mut self.this.clone())?.into_typed_array::<Dynamic>().unwrap_or_default();
        let [speed, direction, location, emotion, behavior] = &all[..] else {
            return Err(Trouble::new(None, "it gives nothing of what it has to", "see docs/scripts.md"));
        };
        snapshot.location = self.place("get_current_location", location)?;
        snapshot.speed_fps = self.real("get_speed", speed)?;
        snapshot.direction = self.real("get_direction", direction)?;
        snapshot.emotion = self.word("get_emotion_state", emotion, &snapshot.emotion)?;
        snapshot.behavior = self.word("get_behavior_state", behavior, &snapshot.behavior)?;
        Ok(())
    }

    fn wrong(&self, function: &str, what: String, help: &str) -> Trouble {
        Trouble::new(self.class.script().line_of(function), format!("{function} gives {what}"), help)
    }

    fn real(&self, function: &str, value: &Dynamic) -> Result<f64, Trouble> {
        match number(value) {
            Some(real) if real.is_finite() => Ok(real),
            Some(real) => Err(self.wrong(function, format!("{real}"), "look for a division by zero")),
            None => Err(self.wrong(function, kind(value), "give a number")),
        }
    }

    fn place(&self, function: &str, value: &Dynamic) -> Result<Place, Trouble> {
        match value.read_lock::<Place>() {
            Some(place) if place.x.is_finite() && place.y.is_finite() => Ok(*place),
            Some(place) => Err(self.wrong(function, format!("the place {:?}", *place), "look for a division by zero")),
            None => Err(self.wrong(function, kind(value), "give a place: place(x, y), or that of legs")),
        }
    }

    /// Most often the same as before, which then is shared.
    fn word(&self, function: &str, value: &Dynamic, before: &Name) -> Result<Name, Trouble> {
        match value.as_immutable_string_ref() {
            Ok(word) if *before == **word => Ok(before.clone()),
            Ok(word) if word.is_empty() => Err(self.wrong(function, "an empty text".to_owned(), "give a word")),
            Ok(word) => Ok(word.as_str().into()),
            Err(_) => Err(self.wrong(function, kind(value), "give a text")),
        }
    }

    /// A map, or a list of names and values in the robot's own order, one by one.
    fn each(
        &self,
        function: &str,
        value: &Dynamic,
        mut take: impl FnMut(&str, &Dynamic) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        if let Ok(map) = value.as_map_ref() {
            return map.iter().try_for_each(|(name, value)| take(name, value));
        }
        let Ok(list) = value.as_array_ref() else {
            return Err(self.wrong(function, kind(value), "give a map, or a list of pairs [\"name\", value]"));
        };
        for entry in list.iter() {
            let pair = entry.as_array_ref().ok();
            let name = pair.as_ref().and_then(|pair| pair.first()?.as_immutable_string_ref().ok());
            match (pair.as_deref().map(Vec::as_slice), name) {
                (Some([_, value]), Some(name)) => take(&name, value)?,
                _ => {
                    let what = format!("{entry} in its list");
                    return Err(self.wrong(function, what, "give pairs: [\"name\", value]"));
                }
            }
        }
        Ok(())
    }

    /// What is `()` is left out.
    fn variables(&self, function: &str, value: &Dynamic) -> Result<Variables, Trouble> {
        let mut variables = Variables::new();
        self.each(function, value, |name, value| {
            if !value.is_unit() {
                let help = "a variable is a number, a text, true or false, or () for none";
                variables.set(name, self.value(function, name, value, help)?);
            }
            Ok(())
        })?;
        Ok(variables)
    }

    fn value(&self, function: &str, name: &str, value: &Dynamic, help: &str) -> Result<Value, Trouble> {
        if let Ok(flag) = value.as_bool() {
            Ok(Value::Flag(flag))
        } else if let Some(number) = number(value).filter(|number| !number.is_nan()) {
            Ok(Value::Number(number))
        } else if let Ok(text) = value.as_immutable_string_ref() {
            Ok(Value::Text(text.as_str().into()))
        } else {
            Err(self.wrong(function, format!("`{name}` as {}", kind(value)), help))
        }
    }

    /// The same for a panel, in which a map is a bar.
    fn fields(&self, value: &Dynamic) -> Result<Vec<Field>, Trouble> {
        const HELP: &str =
            "give a number, a text, true or false, () for none, or a bar: #{ value: 2, min: 0, max: 10, mark: 5 }";
        let mut fields = Vec::new();
        self.each("panel", value, |name, value| {
            if let Ok(bar) = value.as_map_ref() {
                let wrong = |what: &str| self.wrong("panel", format!("`{name}` as a bar {what}"), HELP);
                let unknown = bar.keys().find(|key| !["value", "min", "max", "mark"].contains(&key.as_str()));
                if let Some(unknown) = unknown {
                    return Err(wrong(&format!("with `{unknown}`, which bars do not have")));
                }
                let real = |key: &str| {
                    let real = bar.get(key).and_then(number).filter(|real| !real.is_nan());
                    real.ok_or_else(|| wrong(&format!("without a number `{key}`")))
                };
                let (value, min, max) = (real("value")?, real("min")?, real("max")?);
                let mark = if bar.get("mark").is_none_or(Dynamic::is_unit) { None } else { Some(real("mark")?) };
                if !(min.is_finite() && max.is_finite() && min < max) {
                    return Err(wrong(&format!("from {min} to {max}")));
                }
                fields.push(Field::gauge(name, value, (min, max), mark));
            } else if !value.is_unit() {
                fields.push(self.value("panel", name, value, HELP)?.field(&name.into()));
            }
            Ok(())
        })?;
        Ok(fields)
    }

    /// What a function without consequences gives, from a copy of `this`.
    fn asked(&self, function: &str, values: impl FuncArgs) -> Result<Dynamic, Trouble> {
        let script = self.class.script();
        let given = script.call(&mut self.this.clone(), function, values);
        given.map_err(|trouble| trouble.at(script.line_of(function)))
    }

    /// As of now.
    fn shown<T>(&self, what: impl FnOnce(&Snapshot) -> T) -> T {
        self.look();
        what(&self.shown.borrow().snapshot)
    }

    /// Tells one script from another.
    fn script_number(&self) -> u64 {
        // FNV-1a.
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        self.class.script().text.bytes().fold(0xCBF2_9CE4_8422_2325, step)
    }
}

/// Something that may be read is not what it was.
fn changed(reads: &Reads, before: &Dynamic, now: &Dynamic) -> bool {
    let (Some(names), Ok(before), Ok(now)) = (reads, before.as_map_ref(), now.as_map_ref()) else {
        return !same(before, now);
    };
    names.iter().any(|name| match (before.get(name.as_str()), now.get(name.as_str())) {
        (Some(before), Some(now)) => !same(before, now),
        (before, now) => before.is_some() != now.is_some(),
    })
}

fn kind(value: &Dynamic) -> String {
    match value.type_name() {
        "()" => "nothing".to_owned(),
        "string" => format!("the text \"{value}\""),
        other => format!("a value of type {}", other.rsplit("::").next().unwrap_or(other)),
    }
}

impl Robot for ScriptRobot {
    fn init_robot(&mut self, frame: &mut Frame<'_>) {
        self.this = settings::as_this(&self.settings);
        *self.shown.get_mut() = Shown::nothing();
        let room = self.class.script().limits.said_bytes;
        if let Err(trouble) = desk::lend(frame, room, || self.exercise("init_robot", ())) {
            self.stop(trouble);
        }
        // It has no place yet, so it is not asked for one before it is put somewhere.
        self.shown.get_mut().fresh = true;
    }

    fn get_name(&self) -> Name {
        self.name.clone()
    }

    fn get_speed(&self) -> f64 {
        self.shown(|snapshot| snapshot.speed_fps)
    }

    fn get_direction(&self) -> f64 {
        self.shown(|snapshot| snapshot.direction)
    }

    fn update_state_variables(&mut self, frame: &mut Frame<'_>) {
        self.exercise_with(frame, "update_state_variables");
    }

    fn get_state_variables(&self) -> Variables {
        self.shown(|snapshot| snapshot.variables.clone())
    }

    fn get_current_location(&self) -> Place {
        self.shown(|snapshot| snapshot.location)
    }

    fn project_location(&self, at: Time) -> Place {
        self.look();
        if !self.is_stopped() {
            let wanted = self.asked("project_location", (at.as_secs_f64(),));
            match wanted.and_then(|wanted| self.place("project_location", &wanted)) {
                Ok(place) => return place,
                Err(trouble) => self.stop(trouble),
            }
        }
        self.shown.borrow().snapshot.location
    }

    fn set_current_location(&mut self, at: Time, place: Place) {
        self.shown.get_mut().put = place;
        self.exercise_alone("set_current_location", (at.as_secs_f64(), place));
        let shown = self.shown.get_mut();
        if shown.stopped.is_some() {
            shown.snapshot.location = place;
        }
    }

    fn set_command(&mut self, at: Time, command: &str) {
        self.exercise_alone("set_command", (at.as_secs_f64(), command.to_owned()));
    }

    fn update_emotion_state(&mut self, frame: &mut Frame<'_>) {
        self.exercise_with(frame, "update_emotion_state");
    }

    fn get_emotion_state(&self) -> Name {
        self.shown(|snapshot| snapshot.emotion.clone())
    }

    fn update_behavior_state(&mut self, frame: &mut Frame<'_>) {
        self.exercise_with(frame, "update_behavior_state");
    }

    fn get_behavior_state(&self) -> Name {
        self.shown(|snapshot| snapshot.behavior.clone())
    }

    fn failure(&self) -> Option<String> {
        self.shown.borrow().stopped.as_ref().map(|stopped| stopped.why.clone())
    }

    /// A panel that fails is said to, and is all that fails: a robot that is looked at does the same as one that is not.
    fn panel(&self) -> Vec<Field> {
        self.look();
        let published = || self.shown.borrow().snapshot.variables.fields();
        if !self.class.has_panel() || self.is_stopped() {
            return published();
        }
        self.asked("panel", ()).and_then(|panel| self.fields(&panel)).unwrap_or_else(|trouble| {
            let told = format!("{}: {}: {}", self.class.place_of(&trouble), trouble.what, trouble.help);
            let mut fields = published();
            fields.push(Field::text("panel", told));
            fields
        })
    }

    /// That of the feelings in `this` which is what it says it feels.
    fn feeling(&self) -> Option<Feeling> {
        let felt = self.get_emotion_state();
        let this = self.this.as_map_ref().ok().filter(|_| !self.is_stopped())?;
        let mut kept = this.values().filter_map(|value| value.read_lock::<Feelings>());
        kept.find(|feelings| *feelings.name() == felt).map(|feelings| feelings.feeling())
    }

    fn save(&self) -> Option<Vec<u8>> {
        let Shown { snapshot, fresh, put, stopped, .. } = self.shown.borrow().clone();
        let this = Kept::of(&self.this)?;
        let (script, name) = (self.script_number(), self.name.clone());
        Some(pack(&Saved { script, name, this, snapshot, fresh, put, stopped }))
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), Garbled> {
        let Saved { script, name, this, snapshot, fresh, put, stopped } = unpack(saved)?;
        if script != self.script_number() {
            return Err(Garbled::new(format!("the text of {} was another one", self.class.origin())));
        }
        if name != self.name {
            return Err(Garbled::new(format!("it was called {name}")));
        }
        self.this = this.value(self.class.table()).map_err(Garbled::new)?;
        self.shown = RefCell::new(Shown { snapshot, fresh, of: None, put, stopped });
        Ok(())
    }
}
