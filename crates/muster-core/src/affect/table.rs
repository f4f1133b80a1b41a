//! The table: every emotion, mood, tendency, trait, scale, role and belief that a robot may have, as validated data.
//!
//! [`Rows`] is what a file says, in whatever format; [`Table`] is what holds together. The same checks are made of the
//! shipped file and of a user's, which is laid over it.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::component::{Expression, Focality, Lasting, Leaning, Name, Valence};
use super::intensity::Intensity;
use super::levels::Motor;
use super::mood::MoodRecord;
use super::record::{Record, Row};
use super::scale::{Anger, Scale};
use crate::time::Duration;

/// The only emotion that may be pleasant or unpleasant. [Lisetti, Emotion Components, valence]
const SURPRISE: &str = "SURPRISE";

/// What a file of emotions says. All of it may be left out of a file that is laid over another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rows {
    /// The version of the format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Over how many days a mood is the mean of what was felt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mood_days: Option<f64>,
    /// Strategies in dealing with others, added to those there are.
    pub strategies: Vec<Name>,
    /// Tables 1 and 2: action tendencies and what they are good for.
    pub tendencies: BTreeMap<Name, TendencyRow>,
    /// Emotions.
    pub emotions: BTreeMap<Name, Row>,
    /// Moods.
    pub moods: BTreeMap<Name, MoodRow>,
    /// Traits of personality.
    pub traits: BTreeMap<Name, TraitRow>,
    /// Which emotions stress leads to.
    pub scales: BTreeMap<Name, ScaleRow>,
    /// What emotions do to a robot of a role. Table 2.
    pub roles: BTreeMap<Name, RoleRow>,
    /// What robots may think of themselves.
    pub beliefs: BTreeMap<Name, BeliefRow>,
}

/// An action tendency.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TendencyRow {
    /// What it is good for; Table 2 does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// What its name is read as, if the paper's word must be a slip. Rows may use either.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<Name>,
}

/// A mood.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoodRow {
    /// What the face shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facial_expression: Option<Expression>,
    /// Pleasant or unpleasant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valence: Option<Valence>,
    /// From which mean of what was felt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Intensity>,
    /// Days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<Lasting>,
    /// Global.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub focality: Option<Focality>,
    /// None may be given: here only so that whoever gives one is told why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agency: Option<String>,
}

/// A trait of personality.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TraitRow {
    /// How much faster intensity rises with all of it: the 1 of `1 + c`.
    pub quickens: f64,
}

/// A scale from stress to emotion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScaleRow {
    /// The emotions, calmest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<Name>>,
    /// Where each but the first begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thresholds: Option<Vec<f64>>,
    /// The share of its threshold below which a level is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hysteresis: Option<f64>,
    /// The stress at which pleasant turns to unpleasant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turning: Option<f64>,
    /// How far above that it takes to the full intensity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<f64>,
    /// What comes of staying at the last level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anger: Option<AngerRow>,
}

/// An emotion beyond the last level.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AngerRow {
    /// Name of the emotion; as in the table below if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emotion: Option<Name>,
    /// After how many seconds without stress falling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dwell_s: Option<f64>,
    /// The emotion that it leads back to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub back_to: Option<Name>,
    /// Off unless said otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
}

/// A role.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoleRow {
    /// The scale of its emotions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<Name>,
    /// Which behaviours each emotion makes active.
    #[serde(default)]
    pub behaviours: BTreeMap<Name, Vec<Name>>,
    /// What feelings do to its speed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motor: Option<MotorRow>,
}

/// What feelings do to speed.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MotorRow {
    /// By which share of itself speed grows with a full pleasant feeling.
    pub positive: f64,
    /// With a full unpleasant one.
    pub negative: f64,
}

/// Something that a robot may think of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeliefRow {
    /// In words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub says: Option<Name>,
    /// Which emotion it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emotion: Option<Name>,
    /// It keeps the emotion until it is given up, whatever happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
    /// The belief that it puts an end to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaces: Option<Name>,
}

/// An action tendency that holds together with the rest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tendency {
    /// The paper's word.
    pub name: Name,
    /// What it is good for.
    pub function: Option<String>,
    /// What the word is read as.
    pub reading: Option<Name>,
}

impl fmt::Display for Tendency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        match &self.reading {
            Some(reading) => write!(f, " (read: {reading})"),
            None => Ok(()),
        }
    }
}

/// What emotions do to a robot of a role.
#[derive(Clone, Debug, PartialEq)]
pub struct Role {
    /// The scale of its emotions.
    pub scale: Name,
    /// Which behaviours each makes active.
    pub behaviours: BTreeMap<Name, Vec<Name>>,
    /// What feelings do to its speed.
    pub motor: Motor,
}

/// Something that a robot may think of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Belief {
    /// In words.
    pub says: Name,
    /// Which emotion it leads to.
    pub emotion: Name,
    /// It keeps the emotion until it is given up.
    pub holds: bool,
    /// The belief that it puts an end to.
    pub replaces: Option<Name>,
}

/// What is wrong in a table: where, what, and what to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The keys that lead there.
    pub key: Vec<String>,
    /// What is wrong with the table.
    pub message: String,
    /// What to try.
    pub hint: Hint,
}

/// What to try in place of what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Do this.
    Try(String),
    /// Perhaps one of these was meant.
    Nearest {
        /// The name as it was written.
        wrong: String,
        /// The kind of name, such as "emotions".
        kind: &'static str,
        /// The names that there are.
        known: Vec<String>,
    },
}

impl Flaw {
    fn new(key: &[&str], message: impl Into<String>, hint: impl Into<String>) -> Self {
        let key = key.iter().map(|part| (*part).to_owned()).collect();
        Self { key, message: message.into(), hint: Hint::Try(hint.into()) }
    }

    fn unknown(key: &[&str], kind: &'static str, wrong: &str, known: Vec<String>) -> Self {
        let hint = Hint::Nearest { wrong: wrong.to_owned(), kind, known };
        Self { hint, ..Self::new(key, format!("there is no {kind} `{wrong}`"), "") }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key.join("."), self.message)
    }
}

impl std::error::Error for Flaw {}

/// Everything that robots may feel, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    rows: Rows,
    emotions: BTreeMap<Name, Record>,
    tendencies: BTreeMap<Name, Tendency>,
    moods: BTreeMap<Name, MoodRecord>,
    scales: BTreeMap<Name, Scale>,
    roles: BTreeMap<Name, Role>,
    beliefs: BTreeMap<Name, Belief>,
}

impl Table {
    /// A table of its own.
    pub fn new(rows: Rows) -> Result<Self, Flaw> {
        let mut table = Self {
            rows: Rows::default(),
            emotions: BTreeMap::new(),
            tendencies: BTreeMap::new(),
            moods: BTreeMap::new(),
            scales: BTreeMap::new(),
            roles: BTreeMap::new(),
            beliefs: BTreeMap::new(),
        };
        table.lay_over(rows)?;
        Ok(table)
    }

    /// This table with `rows` laid over it: new rows are added, known ones changed in what the new ones say.
    pub fn extended(&self, rows: Rows) -> Result<Self, Flaw> {
        let mut table = self.clone();
        table.lay_over(rows)?;
        Ok(table)
    }

    /// What a file would say that holds all of it.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    fn lay_over(&mut self, rows: Rows) -> Result<(), Flaw> {
        if let Some(days) = rows.mood_days {
            positive(&["mood_days"], days)?;
            self.rows.mood_days = Some(days);
        }
        self.rows.format = rows.format.or(self.rows.format.take());
        for strategy in rows.strategies {
            if !self.rows.strategies.contains(&strategy) {
                self.rows.strategies.push(strategy);
            }
        }
        for (name, row) in rows.traits {
            if !row.quickens.is_finite() || row.quickens < 0.0 {
                let message = format!("{name} cannot quicken by {}", row.quickens);
                return Err(Flaw::new(&["traits", &name, "quickens"], message, "give 0 or more, such as 1"));
            }
            self.rows.traits.insert(name, row);
        }
        // In the order in which they refer to each other: what a row names is there before it.
        for (name, row) in rows.tendencies {
            let below = self.rows.tendencies.entry(name.clone()).or_default();
            below.function = row.function.or(below.function.take());
            below.reading = row.reading.or(below.reading.take());
            let TendencyRow { function, reading } = below.clone();
            self.tendencies.insert(name.clone(), Tendency { name, function, reading });
        }
        rows.emotions.into_iter().try_for_each(|(name, row)| self.lay_emotion(name, row))?;
        rows.moods.into_iter().try_for_each(|(name, row)| self.lay_mood(name, row))?;
        rows.scales.into_iter().try_for_each(|(name, row)| self.lay_scale(name, row))?;
        rows.roles.into_iter().try_for_each(|(name, row)| self.lay_role(name, row))?;
        let beliefs: Vec<Name> = rows.beliefs.keys().cloned().collect();
        for (name, row) in rows.beliefs {
            let below = self.rows.beliefs.entry(name).or_default();
            *below = BeliefRow {
                says: row.says.or(below.says.take()),
                emotion: row.emotion.or(below.emotion.take()),
                holds: row.holds.or(below.holds),
                replaces: row.replaces.or(below.replaces.take()),
            };
        }
        // Beliefs refer to each other, in any order.
        beliefs.into_iter().try_for_each(|name| self.check_belief(name))
    }

    fn lay_emotion(&mut self, name: Name, row: Row) -> Result<(), Flaw> {
        let key = ["emotions", &name];
        if name.trim().is_empty() {
            return Err(Flaw::new(&key, "an emotion has a name", "write [emotions.NAME]"));
        }
        let known = self.rows.emotions.get(&name);
        let mut row = row.over(known.unwrap_or(&Row::default()));
        // [Lisetti, Emotion Components] "duration is set as a default to minutes".
        row.duration = row.duration.or(Some(Lasting::Minutes));
        let missing = row.missing();
        let Some(record) = row.clone().complete(name.clone()) else {
            let missing = missing.join(", ");
            let message = format!("there is no emotion `{name}`, and a new one needs all 14 components: no {missing}");
            let known = owned(self.emotions.keys());
            let hint = Hint::Nearest { wrong: name.to_string(), kind: "emotion", known };
            return Err(Flaw { hint, ..Flaw::new(&key, message, "") });
        };
        if record.valence == Leaning::Either && name != SURPRISE {
            let key = ["emotions", &name, "valence"];
            let message = format!("{name} must be positive or negative: only {SURPRISE} can be either");
            return Err(Flaw::new(&key, message, "say which; two emotions may share all else"));
        }
        if record.focality == Focality::Global {
            let message = format!("{name} is about nothing in particular, and so it is no emotion but a mood");
            return Err(Flaw::new(&["emotions", &name, "focality"], message, "put it under [moods]"));
        }
        let tendency = &record.action_tendency;
        if self.tendency(tendency).is_none() {
            let known = owned(self.tendencies.keys());
            let key = ["emotions", &name, "action_tendency"];
            return Err(Flaw::unknown(&key, "action tendency", tendency, known));
        }
        self.rows.emotions.insert(name.clone(), row);
        self.emotions.insert(name, record);
        Ok(())
    }

    fn lay_mood(&mut self, name: Name, row: MoodRow) -> Result<(), Flaw> {
        let key = |last| ["moods", &*name, last];
        if row.agency.is_some() {
            return Err(Flaw::new(&key("agency"), "a mood is nobody's doing: it has no agency", "leave it out"));
        }
        if row.focality.is_some_and(|focality| focality != MoodRecord::FOCALITY) {
            return Err(Flaw::new(&key("focality"), "a mood is about nothing in particular", "make it `global`"));
        }
        if row.duration.is_some_and(|duration| duration != MoodRecord::DURATION) {
            return Err(Flaw::new(&key("duration"), "a mood lasts for days", "make it `days`"));
        }
        let below = self.rows.moods.entry(name.clone()).or_default();
        below.facial_expression = row.facial_expression.or(below.facial_expression);
        below.valence = row.valence.or(below.valence);
        below.at = row.at.or(below.at);
        let record = MoodRecord {
            name: name.clone(),
            facial_expression: needed(&key("facial_expression"), below.facial_expression)?,
            valence: needed(&key("valence"), below.valence)?,
            at: needed(&key("at"), below.at)?,
        };
        if record.at == Intensity::NONE {
            return Err(Flaw::new(&key("at"), "a mood begins somewhere above 0", "give a number such as 0.25"));
        }
        self.moods.insert(name, record);
        Ok(())
    }

    fn lay_scale(&mut self, name: Name, row: ScaleRow) -> Result<(), Flaw> {
        let key = |last| ["scales", &*name, last];
        let below = self.rows.scales.entry(name.clone()).or_default();
        below.levels = row.levels.or(below.levels.take());
        below.thresholds = row.thresholds.or(below.thresholds.take());
        below.hysteresis = row.hysteresis.or(below.hysteresis);
        below.turning = row.turning.or(below.turning);
        below.span = row.span.or(below.span);
        if let Some(row) = row.anger {
            let below = below.anger.get_or_insert_default();
            below.emotion = row.emotion.or(below.emotion.take());
            below.dwell_s = row.dwell_s.or(below.dwell_s);
            below.back_to = row.back_to.or(below.back_to.take());
            below.enabled = row.enabled.or(below.enabled);
        }
        let row = below.clone();
        let levels = needed(&key("levels"), row.levels)?;
        for level in &levels {
            self.known_emotion(level, &key("levels"))?;
            if levels.iter().filter(|other| *other == level).count() > 1 {
                let message = format!("{level} is at two levels of one scale");
                return Err(Flaw::new(&key("levels"), message, "leave one of them out"));
            }
        }
        let thresholds = needed(&key("thresholds"), row.thresholds)?;
        if levels.len() != thresholds.len() + 1 {
            let message = format!("{} levels have {} thresholds", levels.len(), thresholds.len());
            return Err(Flaw::new(&key("thresholds"), message, "give one less than there are levels"));
        }
        thresholds.iter().try_for_each(|threshold| positive(&key("thresholds"), *threshold))?;
        if let Some(pair) = thresholds.windows(2).find(|pair| pair[0] >= pair[1]) {
            let message = format!("thresholds must rise, and {} is not above {}", pair[1], pair[0]);
            return Err(Flaw::new(&key("thresholds"), message, "sort them; none may be given twice"));
        }
        let hysteresis = needed(&key("hysteresis"), row.hysteresis)?;
        if !(hysteresis > 0.0 && hysteresis <= 1.0) {
            let message = format!("{hysteresis} is no hysteresis: it is above 0 and at most 1");
            return Err(Flaw::new(&key("hysteresis"), message, "0.8 leaves a level at four fifths of its threshold"));
        }
        let (turning, span) = (needed(&key("turning"), row.turning)?, needed(&key("span"), row.span)?);
        positive(&key("turning"), turning)?;
        positive(&key("span"), span)?;
        let mut scale = Scale { levels, thresholds, hysteresis, turning, span, anger: None };
        if let Some(row) = row.anger {
            let key = |last| ["scales", &*name, "anger", last];
            let emotion = self.known_emotion(&needed(&key("emotion"), row.emotion)?, &key("emotion"))?;
            if scale.level_of(&emotion).is_some() {
                let message = format!("{emotion} is one of the levels: it cannot lie beyond them as well");
                return Err(Flaw::new(&key("emotion"), message, "take it out of `levels`, or name another here"));
            }
            let dwell_s = needed(&key("dwell_s"), row.dwell_s)?;
            positive(&key("dwell_s"), dwell_s)?;
            let back_to = needed(&key("back_to"), row.back_to)?;
            let Some(back_to) = scale.level_of(&back_to) else {
                return Err(Flaw::unknown(&key("back_to"), "level", &back_to, owned(&scale.levels)));
            };
            let dwell = Duration::from_secs_f64(dwell_s);
            scale.anger = Some(Anger { emotion, dwell, back_to, enabled: row.enabled.unwrap_or(false) });
        }
        self.scales.insert(name, scale);
        Ok(())
    }

    fn lay_role(&mut self, name: Name, row: RoleRow) -> Result<(), Flaw> {
        let below = self.rows.roles.entry(name.clone()).or_default();
        below.scale = row.scale.or(below.scale.take());
        below.behaviours.extend(row.behaviours);
        below.motor = row.motor.or(below.motor);
        let RoleRow { scale, behaviours, motor } = below.clone();
        let scale = needed(&["roles", &name, "scale"], scale)?;
        if !self.scales.contains_key(&scale) {
            let known = owned(self.scales.keys());
            return Err(Flaw::unknown(&["roles", &name, "scale"], "scale", &scale, known));
        }
        for emotion in behaviours.keys() {
            self.known_emotion(emotion, &["roles", &name, "behaviours", emotion])?;
        }
        let MotorRow { positive, negative } = motor.unwrap_or_default();
        // Below -1 a full feeling would drive the robot backwards.
        for (last, gain) in [("positive", positive), ("negative", negative)] {
            if !gain.is_finite() || gain < -1.0 {
                let message = format!("a feeling cannot change speed by {gain} of itself");
                let key = ["roles", &name, "motor", last];
                return Err(Flaw::new(&key, message, "give -1 (stops) or more; 1 doubles it"));
            }
        }
        self.roles.insert(name, Role { scale, behaviours, motor: Motor { positive, negative } });
        Ok(())
    }

    fn check_belief(&mut self, name: Name) -> Result<(), Flaw> {
        let key = |last| ["beliefs", &*name, last];
        let BeliefRow { says, emotion, holds, replaces } = self.rows.beliefs[&name].clone();
        let says = needed(&key("says"), says)?;
        let emotion = self.known_emotion(&needed(&key("emotion"), emotion)?, &key("emotion"))?;
        if let Some(other) = replaces.as_ref().filter(|other| !self.rows.beliefs.contains_key(*other)) {
            return Err(Flaw::unknown(&key("replaces"), "belief", other, owned(self.rows.beliefs.keys())));
        }
        self.beliefs.insert(name, Belief { says, emotion, holds: holds.unwrap_or(false), replaces });
        Ok(())
    }

    /// An emotion by name.
    pub fn emotion(&self, name: &str) -> Option<&Record> {
        self.emotions.get(name)
    }

    /// All emotions, by name.
    pub fn emotions(&self) -> impl Iterator<Item = &Record> {
        self.emotions.values()
    }

    /// An action tendency by its name, or by what its name is read as.
    pub fn tendency(&self, name: &str) -> Option<&Tendency> {
        let read = || self.tendencies.values().find(|row| row.reading.as_deref() == Some(name));
        self.tendencies.get(name).or_else(read)
    }

    /// All action tendencies, by name.
    pub fn tendencies(&self) -> impl Iterator<Item = &Tendency> {
        self.tendencies.values()
    }

    /// All moods, by name.
    pub fn moods(&self) -> impl Iterator<Item = &MoodRecord> {
        self.moods.values()
    }

    /// A scale by name.
    pub fn scale(&self, name: &str) -> Option<&Scale> {
        self.scales.get(name)
    }

    /// A role by name, or the nearest thing to try.
    pub fn role(&self, name: &str) -> Result<&Role, Flaw> {
        self.roles.get(name).ok_or_else(|| Flaw::unknown(&["roles"], "role", name, owned(self.roles.keys())))
    }

    /// A belief by name, or the nearest thing to try.
    pub fn belief(&self, name: &str) -> Result<&Belief, Flaw> {
        self.beliefs.get(name).ok_or_else(|| Flaw::unknown(&["beliefs"], "belief", name, owned(self.beliefs.keys())))
    }

    /// The name of an emotion as the table has it, or the nearest thing to try; `key` leads to where it was written.
    pub fn known_emotion(&self, name: &str, key: &[&str]) -> Result<Name, Flaw> {
        let known = self.emotions.get_key_value(name).map(|(name, _)| name.clone());
        known.ok_or_else(|| Flaw::unknown(key, "emotion", name, owned(self.emotions.keys())))
    }

    pub(super) fn known_trait(&self, name: &str) -> Result<Name, Flaw> {
        let known = self.rows.traits.get_key_value(name).map(|(name, _)| name.clone());
        known.ok_or_else(|| Flaw::unknown(&["traits"], "trait", name, owned(self.rows.traits.keys())))
    }

    pub(super) fn known_strategy(&self, name: &str) -> Result<Name, Flaw> {
        let known = self.rows.strategies.iter().find(|known| **known == *name).cloned();
        known.ok_or_else(|| Flaw::unknown(&["strategies"], "strategy", name, owned(&self.rows.strategies)))
    }

    /// How much faster intensity rises with all of a trait.
    pub(super) fn quickens(&self, name: &str) -> f64 {
        self.rows.traits.get(name).map_or(0.0, |row| row.quickens)
    }

    /// The time constant of moods.
    pub(super) fn mood_days(&self) -> f64 {
        self.rows.mood_days.unwrap_or(1.0)
    }

    /// The mood that a mean of what was felt makes: the most marked one that it reaches.
    pub(super) fn mood_at(&self, mean: f64) -> Option<&MoodRecord> {
        let side = if mean < 0.0 { Valence::Negative } else { Valence::Positive };
        let reached = self.moods.values().filter(|mood| mood.valence == side && mean.abs() >= mood.at.get());
        reached.max_by(|a, b| a.at.get().total_cmp(&b.at.get()))
    }
}

fn owned<'a>(names: impl IntoIterator<Item = &'a Name>) -> Vec<String> {
    names.into_iter().map(Name::to_string).collect()
}

fn needed<T>(key: &[&str], value: Option<T>) -> Result<T, Flaw> {
    let (last, table) = key.split_last().expect("a key has at least one part");
    value.ok_or_else(|| {
        Flaw::new(key, format!("`{last}` is missing"), format!("add `{last} = ...` to [{}]", table.join(".")))
    })
}

fn positive(key: &[&str], value: f64) -> Result<(), Flaw> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(Flaw::new(key, format!("{value} is not a positive number"), "give a number above 0"))
}
