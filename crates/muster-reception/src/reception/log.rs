//! The log: what happened, a line each, for people and for programs.
//!
//! ```text
//! 0.000   init      seed=1  field=50x50  guests=100
//! 0.000   robot     Butler  25,25        HAPPY      SERVE
//! 41.000  emotion   Butler  HAPPY        CONFIDENT  at 41.0 s HAPPY gave way to ...
//! 41.000  command   Butler  Leguin       refill
//! 41.000  heard     Butler  Leguin       refill
//! 42.000  behavior  Leguin  WAIT         REFILL
//! 55.000  level     Butler  CONCERNED    negative, low 0.32  negative, medium 0.51  at 55.0 s CONCERNED went from ...
//! ```
//!
//! Columns are separated by tabs; a tab, a line break or a backslash within one is written `\t`, `\n`, `\r`, `\\`, any other control
//! character `\u{1b}`. What a robot felt and did at any time follows from the lines so far: [`Replay`].

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::str::FromStr;

use crate::robot::{Command, Place, Reason};
use muster_core::Time;
use muster_core::affect::{Change, Name};
use muster_files::Draft;
use muster_journal::columns::{escaped, unescaped};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::ReceptionError;

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The instant, since the beginning.
    pub at: Time,
    /// What happened at it.
    pub deed: Deed,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Deed {
    /// A run begins.
    Init {
        /// The seed.
        seed: u64,
        /// Width of the field, in feet.
        width_ft: f64,
        /// Height of the field, in feet.
        height_ft: f64,
        /// How many guests there are.
        guests: usize,
    },
    /// A robot is in place.
    Robot {
        /// The robot's name.
        name: Name,
        /// Its place, in feet.
        at: Place,
        /// The emotion it begins with.
        emotion: Name,
        /// The behaviour it begins with.
        behavior: Name,
    },
    /// A robot feels something else.
    Emotion {
        /// The robot's name.
        robot: Name,
        /// The emotion until now.
        old: Name,
        /// The emotion from now on.
        new: Name,
        /// Why, if it says so.
        because: Option<Reason>,
    },
    /// A robot feels the same, but more, less, or because of another.
    Level {
        /// The robot's name.
        robot: Name,
        /// What it feels, as before.
        emotion: Name,
        /// How it felt: pleasant or not, and how much.
        old: Name,
        /// The same from now on.
        new: Name,
        /// Rule, numbers and causal chain of the change.
        because: Reason,
    },
    /// A robot does something else.
    Behavior {
        /// The robot's name.
        robot: Name,
        /// The behaviour until now.
        old: Name,
        /// The behaviour from now on.
        new: Name,
    },
    /// A robot tells another to do something.
    Command(Command),
    /// What a robot told another has arrived, and is known to it from here on.
    Heard(Command),
    /// What a robot told another never arrives.
    Lost(Command),
    /// A robot has something to say.
    Note {
        /// The robot's name.
        robot: Name,
        /// The words as the robot wrote them.
        text: String,
    },
    /// The run is over.
    Stop,
}

impl Deed {
    /// What kind of thing it is: the second column of the log.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Init { .. } => "init",
            Self::Robot { .. } => "robot",
            Self::Emotion { .. } => "emotion",
            Self::Level { .. } => "level",
            Self::Behavior { .. } => "behavior",
            Self::Command(_) => "command",
            Self::Heard(_) => "heard",
            Self::Lost(_) => "lost",
            Self::Note { .. } => "note",
            Self::Stop => "stop",
        }
    }
}

impl Line {
    /// The robot whose line it is, and who else it is about.
    pub fn about(&self) -> [Option<&Name>; 2] {
        match &self.deed {
            Deed::Init { .. } | Deed::Stop => [None; 2],
            Deed::Robot { name: robot, .. }
            | Deed::Emotion { robot, .. }
            | Deed::Level { robot, .. }
            | Deed::Behavior { robot, .. }
            | Deed::Note { robot, .. } => [Some(robot), None],
            Deed::Command(Command { from, to, .. }) | Deed::Lost(Command { from, to, .. }) => [Some(from), Some(to)],
            Deed::Heard(Command { from, to, .. }) => [Some(to), Some(from)],
        }
    }

    /// The change of emotion or of its level that it tells of, as a value.
    pub fn change(&self) -> Option<&Change> {
        match &self.deed {
            Deed::Emotion { because, .. } => because.as_ref()?.change(),
            Deed::Level { because, .. } => because.change(),
            Deed::Init { .. }
            | Deed::Robot { .. }
            | Deed::Behavior { .. }
            | Deed::Command(_)
            | Deed::Heard(_)
            | Deed::Lost(_)
            | Deed::Note { .. }
            | Deed::Stop => None,
        }
    }

    /// What happened, in words, without its time and its robot.
    pub fn sentence(&self) -> String {
        match &self.deed {
            Deed::Init { seed, guests, .. } => format!("begins, seed {seed}, {guests} guests"),
            Deed::Robot { emotion, behavior, .. } => format!("is in place: {emotion}, {behavior}"),
            Deed::Emotion { old, new, because: None, .. } => format!("{old} → {new}"),
            Deed::Emotion { old, new, because: Some(why), .. } => format!("{old} → {new}: {why}"),
            // Its reason is a change, which names what it changed from and to.
            Deed::Level { because, .. } => because.to_string(),
            Deed::Behavior { old, new, .. } => format!("{old} → {new}"),
            Deed::Command(command) => format!("tells {}: {}", command.to, command.text),
            Deed::Heard(command) => format!("hears {}: {}", command.from, command.text),
            Deed::Lost(command) => format!("is not heard by {}: {}", command.to, command.text),
            Deed::Note { text, .. } => text.clone(),
            Deed::Stop => "is over".to_owned(),
        }
    }
}

/// A text that is no line of a log.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is no line of a reception's log: {why}")]
pub struct BadLine {
    text: String,
    why: &'static str,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.at.as_secs_f64())?;
        let word = self.deed.word();
        let mut columns =
            |columns: &[&str]| [word].iter().chain(columns).try_for_each(|column| write!(f, "\t{}", escaped(column)));
        match &self.deed {
            Deed::Init { seed, width_ft, height_ft, guests } => {
                let (field, guests) = (format!("field={width_ft}x{height_ft}"), format!("guests={guests}"));
                columns(&[&format!("seed={seed}"), &field, &guests])
            }
            Deed::Robot { name, at, emotion, behavior } => {
                columns(&[name, &format!("{},{}", at.x, at.y), emotion, behavior])
            }
            Deed::Emotion { robot, old, new, because: None } => columns(&[robot, old, new]),
            Deed::Emotion { robot, old, new, because: Some(why) } => columns(&[robot, old, new, &why.to_string()]),
            Deed::Level { robot, emotion, old, new, because } => {
                columns(&[robot, emotion, old, new, &because.to_string()])
            }
            Deed::Behavior { robot, old, new } => columns(&[robot, old, new]),
            Deed::Command(Command { from, to, text }) => columns(&[from, to, text]),
            Deed::Heard(Command { from, to, text }) => columns(&[from, to, text]),
            Deed::Lost(Command { from, to, text }) => columns(&[from, to, text]),
            Deed::Note { robot, text } => columns(&[robot, text]),
            Deed::Stop => columns(&[]),
        }
    }
}

impl FromStr for Line {
    type Err = BadLine;

    fn from_str(text: &str) -> Result<Self, BadLine> {
        let bad = |why| BadLine { text: text.to_owned(), why };
        let columns: Vec<String> = text.split('\t').map(unescaped).collect();
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let (time, rest) = columns.split_first().ok_or_else(|| bad("it is empty"))?;
        let seconds: f64 = time.parse().map_err(|_| bad("it does not begin with a time in seconds"))?;
        if !(seconds >= 0.0 && seconds.is_finite()) {
            return Err(bad("its time is none"));
        }
        let numbers = || bad("there is a number wrong");
        let deed = match *rest {
            ["init", seed, field, guests] => {
                let number = |column: &str, key: &str| column.strip_prefix(key).and_then(|value| value.parse().ok());
                let sides = field.strip_prefix("field=").and_then(|field| field.split_once('x'));
                let (width, height) = sides.ok_or_else(numbers)?;
                Deed::Init {
                    seed: number(seed, "seed=").ok_or_else(numbers)?,
                    width_ft: width.parse().map_err(|_| numbers())?,
                    height_ft: height.parse().map_err(|_| numbers())?,
                    guests: number(guests, "guests=").ok_or_else(numbers)? as usize,
                }
            }
            ["robot", name, at, emotion, behavior] => {
                let (x, y) = at.split_once(',').ok_or_else(numbers)?;
                let at = Place::new(x.parse().map_err(|_| numbers())?, y.parse().map_err(|_| numbers())?);
                Deed::Robot { name: name.into(), at, emotion: emotion.into(), behavior: behavior.into() }
            }
            ["emotion", robot, old, new, ref why @ ..] if why.len() <= 1 => Deed::Emotion {
                robot: robot.into(),
                old: old.into(),
                new: new.into(),
                because: why.first().map(|why| Reason::Said((*why).to_owned())),
            },
            ["level", robot, emotion, old, new, why] => Deed::Level {
                robot: robot.into(),
                emotion: emotion.into(),
                old: old.into(),
                new: new.into(),
                because: Reason::Said(why.to_owned()),
            },
            ["behavior", robot, old, new] => Deed::Behavior { robot: robot.into(), old: old.into(), new: new.into() },
            ["command", from, to, text] => {
                Deed::Command(Command { from: from.into(), to: to.into(), text: text.into() })
            }
            ["heard", from, to, text] => Deed::Heard(Command { from: from.into(), to: to.into(), text: text.into() }),
            ["lost", from, to, text] => Deed::Lost(Command { from: from.into(), to: to.into(), text: text.into() }),
            ["note", robot, text] => Deed::Note { robot: robot.into(), text: text.to_owned() },
            ["stop"] => Deed::Stop,
            _ => return Err(bad("nothing is logged in these columns")),
        };
        Ok(Self { at: Time::from_secs_f64(seconds), deed })
    }
}

/// What a robot felt and did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Its emotion at that time.
    pub emotion: Name,
    /// Its behaviour at that time.
    pub behavior: Name,
}

/// Robots as the lines so far leave them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    robots: BTreeMap<Name, Status>,
}

impl Replay {
    /// As it was at the end of the tick at `time`.
    pub fn until<'a>(time: Time, lines: impl IntoIterator<Item = &'a Line>) -> Self {
        let mut replay = Self::default();
        lines.into_iter().take_while(|line| line.at <= time).for_each(|line| replay.read(line));
        replay
    }

    /// One more line.
    pub fn read(&mut self, line: &Line) {
        match &line.deed {
            Deed::Init { .. } => self.robots.clear(),
            Deed::Robot { name, emotion, behavior, .. } => {
                let status = Status { emotion: emotion.clone(), behavior: behavior.clone() };
                self.robots.insert(name.clone(), status);
            }
            Deed::Emotion { robot, new, .. } => {
                if let Some(status) = self.robots.get_mut(robot) {
                    status.emotion = new.clone();
                }
            }
            Deed::Behavior { robot, new, .. } => {
                if let Some(status) = self.robots.get_mut(robot) {
                    status.behavior = new.clone();
                }
            }
            Deed::Level { .. } | Deed::Command(_) | Deed::Heard(_) | Deed::Lost(_) | Deed::Note { .. } | Deed::Stop => {
            }
        }
    }

    /// What a robot felt and did.
    pub fn robot(&self, name: &str) -> Option<&Status> {
        self.robots.get(name)
    }
}

/// The log on a disk. An older one is replaced when it is closed.
pub(super) struct LogFile {
    path: PathBuf,
    file: BufWriter<Draft>,
}

impl LogFile {
    pub fn create(path: PathBuf) -> Result<Self, ReceptionError> {
        match Draft::create(&path) {
            Ok(file) => Ok(Self { file: BufWriter::new(file), path }),
            Err(error) => Err(unwritable(&path, &error)),
        }
    }

    pub fn write(&mut self, line: &Line) -> Result<(), ReceptionError> {
        writeln!(self.file, "{line}").map_err(|error| unwritable(&self.path, &error))
    }

    pub fn close(self) -> Result<(), ReceptionError> {
        let Self { path, file } = self;
        let draft = file.into_inner().map_err(std::io::IntoInnerError::into_error);
        draft.and_then(|mut draft| draft.publish()).map_err(|error| unwritable(&path, &error))
    }
}

fn unwritable(path: &std::path::Path, error: &std::io::Error) -> ReceptionError {
    ReceptionError::Log { path: path.display().to_string(), why: error.to_string() }
}
