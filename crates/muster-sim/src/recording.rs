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
pub(crate) mod foxglove;
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

use crate::intervention::Interventions;
use crate::knowledge::Knowledge;
use crate::mission::Seeds;
use crate::origin::Origin;
use crate::scenario::{self, ScenarioError};
use crate::scheme::Scheme;

/// The version of the format of our own channel: a new one whenever entries, or the messages of a mechanism in them, are
/// laid out differently. Since 3, ARRIVAL and AGREE of recruitment carry the number of the ARRIVAL, and there are
/// interventions. Since 4, there is what the world did.
pub const FORMAT: &str = "muster-io-4";
/// The version before: what the world did is missing from it.
const FORMAT_3: &str = "muster-io-3";
/// The version before that. What other mechanisms than recruitment have in it is the same now.
const FORMAT_2: &str = "muster-io-2";
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
    /// All that the run came from.
    pub origin: Origin,
    /// The version and commit of the program that recorded it.
    pub program: (String, String),
}

impl Header {
    fn to_metadata(&self) -> BTreeMap<String, String> {
        let Origin { loaded, scheme, knowledge, seeds, interventions } = &self.origin;
        // As `dyn`: else the writer of TOML is compiled once for every type in a scenario, an eighth of this crate.
        let scenario: &dyn erased_serde::Serialize = &loaded.scenario;
        let text = toml::to_string(scenario).expect("a scenario that was parsed can be written");
        let mut metadata: BTreeMap<String, String> = [
            ("format", FORMAT.to_owned()),
            ("scenario", text),
            ("name", loaded.name.clone()),
            ("strategy", scheme.name().to_owned()),
            ("seed", seeds.run.to_string()),
            ("stops_seed", seeds.stops.to_string()),
            ("version", self.program.0.clone()),
            ("commit", self.program.1.clone()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into();
        if !knowledge.is_empty() {
            metadata.insert("knowledge".to_owned(), knowledge.to_toml(loaded));
        }
        if !interventions.is_empty() {
            metadata.insert("interventions".to_owned(), interventions.to_toml());
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
        let unreadable = |format: String| {
            Ok::<_, ReadError>(ReadError::Format { format, version: field("version")?, commit: field("commit")? })
        };
        if ![FORMAT, FORMAT_3, FORMAT_2].contains(&&*format) {
            return Err(unreadable(format)?);
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
        let scheme =
            loaded.scheme(&strategy).ok_or_else(|| ReadError::Header(format!("`strategy` is `{strategy}`")))?;
        if format == FORMAT_2 && matches!(scheme, Scheme::Recruitment(_) | Scheme::Scripted) {
            return Err(unreadable(format)?);
        }
        let knowledge = metadata.get("knowledge").map(|text| Knowledge::parse("what the robots knew", text, &loaded));
        let knowledge = knowledge.transpose().map_err(|error| ReadError::Header(error.to_string()))?;
        let seeds = Seeds { run: number("seed")?, stops: number("stops_seed")? };
        let interventions = metadata
            .get("interventions")
            .map(|text| Interventions::parse("the recorded interventions", text, &loaded, scheme))
            .transpose()
            .map_err(|error| ReadError::Header(format!("`interventions`: {error}")))?;
        let origin = Origin::new(loaded, scheme, seeds)
            .with_knowledge(knowledge.unwrap_or_default())
            .with_interventions(interventions.unwrap_or_default());
        Ok(Self { origin, program: (shown("version")?, shown("commit")?) })
    }
}
