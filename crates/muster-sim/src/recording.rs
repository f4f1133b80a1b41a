//! Recordings: what went into and came out of every robot, in an MCAP file that viewers open, too.
//!
//! One channel of our own (`/muster/io`) holds every input and output, one MCAP message per event of the
//! simulator; it is all that is needed to feed the machines again ([`replay()`]) and to explain what they did.
//! The others are for looking at, in Foxglove's schemas: poses (`/tf`), the scene with tasks and radio arcs
//! (`/scene`) and what happened in words (`/log`); they are rounded, and nothing is read back from them.
//!
//! The file is written chunk by chunk, each whole: what was flushed is there after a crash, and a file that
//! was cut off anywhere is read up to the last whole chunk. One that is damaged anywhere else is refused.
//!
//! A recording also holds all that the run came from, so [`verify()`] does more than feed it again: it makes the run
//! again and compares.

mod entry;
mod journal;
mod reader;
mod recorder;
mod replay;
mod scene;
mod verify;

use std::collections::BTreeMap;

pub use entry::{Entry, Given, Put};
pub use reader::{ReadError, Recording, read};
pub use recorder::{Recorded, Recorder, record};
pub use replay::{Replayed, replay, replay_until};
pub(crate) use scene::log_line;
pub use verify::{Comparer, Verified, verify, verify_until};

use crate::knowledge::Knowledge;
use crate::mission::Seeds;
use crate::policy::Policy;
use crate::scenario::{self, Loaded, ScenarioError};

/// The version of the format of our own channel.
pub const FORMAT: &str = "muster-io-2";
/// The channel of our own.
pub const IO_TOPIC: &str = "/muster/io";
/// The metadata record with the [`Header`].
const METADATA: &str = "muster";
/// The metadata record of a run that was broken off while it was recorded.
const BROKEN_OFF: &str = "muster broken off";

/// Every robot that starts is an entry, of several bytes: a recording of many robots is large. So many may be missing from a
/// recording that was cut off, or join later; a header of a few bytes can claim millions, which would fill the memory.
const MOST_UNHEARD_OF: u64 = 100_000;

/// What a recording is a recording of.
#[derive(Clone, Debug)]
pub struct Header {
    /// The mission, with every change made and every default filled in.
    pub loaded: Loaded,
    /// How its robots coordinated.
    pub policy: Policy,
    /// What they had learned before.
    pub knowledge: Knowledge,
    /// What it was drawn from.
    pub seeds: Seeds,
    /// The version and commit of the program that recorded it.
    pub program: (String, String),
}

impl Header {
    fn to_metadata(&self) -> BTreeMap<String, String> {
        let text = toml::to_string(&self.loaded.scenario).expect("a scenario that was parsed can be written");
        let mut metadata: BTreeMap<String, String> = [
            ("format", FORMAT.to_owned()),
            ("scenario", text),
            ("name", self.loaded.name.clone()),
            ("strategy", self.policy.name().to_owned()),
            ("seed", self.seeds.run.to_string()),
            ("stops_seed", self.seeds.stops.to_string()),
            ("version", self.program.0.clone()),
            ("commit", self.program.1.clone()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into();
        if !self.knowledge.is_empty() {
            metadata.insert("knowledge".to_owned(), self.knowledge.to_toml(&self.loaded));
        }
        metadata
    }

    /// `recorded`: how many bytes of entries the recording holds.
    fn from_metadata(metadata: &BTreeMap<String, String>, recorded: usize) -> Result<Self, ReadError> {
        let field = |key: &str| metadata.get(key).cloned().ok_or_else(|| ReadError::Header(format!("no `{key}`")));
        let number = |key: &str| {
            let text = field(key)?;
            text.parse::<u64>().map_err(|_| ReadError::Header(format!("`{key}` is `{text}`, not a number")))
        };
        let format = field("format")?;
        if format != FORMAT {
            return Err(ReadError::Format(format));
        }
        let shown = |key: &str| field(key).map(|text| scenario::printable(&text).into_owned());
        let name = field("name")?;
        let text = field("scenario")?;
        let robots = scenario::robots_in(&text);
        if robots > MOST_UNHEARD_OF + recorded as u64 {
            let message = format!("its scenario has {robots} robots, and they did {recorded} bytes' worth of things");
            return Err(ReadError::Header(message));
        }
        let loaded = scenario::parse(&name, "the recorded scenario", &text, &[])
            .map_err(|error: ScenarioError| ReadError::Header(error.to_string()))?;
        let strategy = field("strategy")?;
        let policy =
            loaded.policy(&strategy).ok_or_else(|| ReadError::Header(format!("`strategy` is `{strategy}`")))?;
        let knowledge = metadata.get("knowledge").map(|text| Knowledge::parse("what the robots knew", text, &loaded));
        let knowledge = knowledge.transpose().map_err(|error| ReadError::Header(error.to_string()))?;
        let seeds = Seeds { run: number("seed")?, stops: number("stops_seed")? };
        Ok(Self {
            policy,
            knowledge: knowledge.unwrap_or_default(),
            loaded,
            seeds,
            program: (shown("version")?, shown("commit")?),
        })
    }
}
