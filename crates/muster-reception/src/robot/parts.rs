//! The two parts that a robot is made of, and Table 2 between them.

use crate::robot::Frame;
use crate::robot::saved::{Garbled, pack, unpack};
use muster_core::affect::{
    Affect, Agency, Change, Emotion, Flaw, Generator, Hint, Intensity, Name, Role, Scale, Story, Stress, Valence,
};
use muster_core::panel::Feeling;
use muster_core::time::Time;

/// Emotion State Generator: says what a robot feels, given its variables `S` and what it is doing. It knows nothing of
/// how behaviours come about.
pub trait Esg<S>: Send {
    /// As at first.
    fn start(&mut self, now: Time);

    /// Takes in how things are; tells a change and why.
    fn feel(&mut self, now: Time, behavior: &str, body: &S) -> Option<Change>;

    /// The emotion that it is at.
    fn emotion(&self) -> &Emotion;

    /// How much stress that comes of, if the generator reckons so.
    fn stress(&self) -> Option<Stress>;

    /// What is felt as it is shown, with face and causal chain; nothing if there is no more to it than a name.
    fn feeling(&self) -> Option<Feeling> {
        None
    }

    /// All that it takes to go on from here; nothing if it cannot be saved.
    fn save(&self) -> Option<Vec<u8>> {
        None
    }

    /// Goes on from what was saved.
    fn restore(&mut self, _saved: &[u8]) -> Result<(), Garbled> {
        Err(Garbled::new("an emotion state generator of this kind cannot be saved"))
    }
}

/// Behaviour State Generator: says what a robot does, given its variables `S` and the name of what it feels. It knows
/// nothing of how emotions come about.
pub trait Bsg<S>: Send {
    /// As at first.
    fn start(&mut self);

    /// Decides what to do, sets the robot's legs and variables accordingly, and gives commands.
    fn decide(&mut self, frame: &mut Frame<'_>, emotion: &str, body: &mut S);

    /// The behaviour that it is at.
    fn behavior(&self) -> &'static str;

    /// All that it takes to go on from here; nothing if it cannot be saved.
    fn save(&self) -> Option<Vec<u8>> {
        None
    }

    /// Goes on from what was saved.
    fn restore(&mut self, _saved: &[u8]) -> Result<(), Garbled> {
        Err(Garbled::new("a behaviour state generator of this kind cannot be saved"))
    }
}

/// A robot that always feels the same, whatever happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant(Emotion);

impl Constant {
    /// Always this one. It need not be in any table.
    pub fn new(name: impl Into<Name>) -> Self {
        let affect = Affect { valence: Valence::Positive, intensity: Intensity::NONE };
        let (agency, story) = (Agency::Own, Story::alone("nothing else"));
        Self(Emotion { name: name.into(), affect, agency, since: Time::ZERO, story })
    }
}

impl<S> Esg<S> for Constant {
    fn start(&mut self, now: Time) {
        self.0.since = now;
    }

    fn feel(&mut self, _now: Time, _behavior: &str, _body: &S) -> Option<Change> {
        None
    }

    fn emotion(&self) -> &Emotion {
        &self.0
    }

    fn stress(&self) -> Option<Stress> {
        None
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(pack(&self.0))
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), Garbled> {
        self.0 = unpack(saved)?;
        Ok(())
    }
}

/// Table 2 for one role: from emotions to the behaviours that they make active. Emotions are the table's data, so robots
/// ask by the behaviour and name no emotion.
#[derive(Clone, Debug, PartialEq)]
pub struct Schemata {
    role: Role,
    scale: Scale,
}

impl Schemata {
    /// Of the role that a generator is for.
    pub fn of(generator: &Generator) -> Self {
        Self { role: generator.role().clone(), scale: generator.scale().clone() }
    }

    /// The scale of the role's emotions.
    pub fn scale(&self) -> &Scale {
        &self.scale
    }

    /// The emotion makes the behaviour active.
    pub fn active(&self, emotion: &str, behavior: &str) -> bool {
        self.role.behaviours.get(emotion).is_some_and(|active| active.iter().any(|name| *name == *behavior))
    }

    /// The emotion, or a calmer one on the scale, makes the behaviour active: "CONCERNED or worse".
    pub fn urged(&self, emotion: &str, behavior: &str) -> bool {
        let angry = self.scale.anger.as_ref().is_some_and(|anger| anger.emotion == *emotion);
        let level = if angry { Some(self.scale.top()) } else { self.scale.level_of(emotion) };
        let calmer = level.map_or(&[][..], |level| &self.scale.levels[..=level]);
        self.active(emotion, behavior) || calmer.iter().any(|calmer| self.active(calmer, behavior))
    }

    /// The stress at which the first emotion of the scale begins that makes a behaviour active, if there is one.
    pub fn begins_at(&self, behavior: &str) -> Option<f64> {
        let level = self.scale.levels.iter().position(|emotion| self.active(emotion, behavior))?;
        Some(level.checked_sub(1).map_or(0.0, |before| self.scale.thresholds[before]))
    }

    /// The calmest emotion that makes a behaviour active.
    pub fn emotion_for(&self, behavior: &str) -> Result<Name, Flaw> {
        self.scale.levels.iter().find(|emotion| self.active(emotion, behavior)).cloned().ok_or_else(|| Flaw {
            key: vec!["roles".to_owned()],
            message: format!("no emotion of the scale `{}` makes `{behavior}` active", self.role.scale),
            hint: Hint::Try(format!("name `{behavior}` among the behaviours of one of its emotions")),
        })
    }
}
