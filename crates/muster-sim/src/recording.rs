//! Recordings of simulated runs: what went into and came out of every robot, in an MCAP file that viewers open, too.
//!
//! Entries, files, replay and comparison are those of `muster-journal`, which knows no simulator. Here is what does: what a
//! run came from ([`Header`]), the run that is recorded ([`record()`]) or made again ([`verify()`]), and what viewers see of
//! its world.
//!
//! One channel of our own (`/muster/io`) holds every input and output, one MCAP message per event of the
//! simulator; it is all that is needed to feed the machines again ([`replay()`]) and to explain what they did.
//! The others are for looking at, in Foxglove's schemas: poses (`/tf`), the scene with tasks and radio arcs
//! (`/scene`) and what happened in words (`/log`); they are rounded, and nothing is read back from them.
//!
//! A recording also holds all that the run came from, so [`verify()`] does more than feed it again: it makes the run
//! again and compares.

mod recorder;
mod replay;
mod scene;
mod verify;

use std::collections::BTreeMap;
use std::path::Path;

use muster_journal::{
    Cast, Channel, IO_FORMAT, IO_FORMAT_2, IO_FORMAT_3, IO_FORMAT_4, IO_SCHEMA, IO_TOPIC, Member, ReadError, Reads,
    Unread,
};
pub use recorder::{Recorded, Recorder, record};
pub use replay::{replay, replay_until};
pub use verify::{Comparer, Verified, verify, verify_until};

use crate::intervention::Interventions;
use crate::knowledge::Knowledge;
use crate::mission::Seeds;
use crate::origin::Origin;
use crate::scenario::{self, ScenarioError};
use crate::scheme::Scheme;

/// A recording of a simulated run.
pub type Recording = muster_journal::Recording<Header>;

/// The channel of a team's inputs and outputs.
const CHANNEL: Channel = Channel { topic: IO_TOPIC, schema: "muster.Io", format: IO_FORMAT, describes: IO_SCHEMA };

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
            ("scenario", text),
            ("name", loaded.name.clone()),
            ("strategy", scheme.name().to_owned()),
            ("seed", seeds.run.to_string()),
            ("stops_seed", seeds.stops.to_string()),
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

    fn of(file: &Unread) -> Result<Self, ReadError> {
        if !reads(file.format()?) {
            return Err(file.unreadable(&FORMATS)?);
        }
        let program = file.program()?;
        let text = file.field("scenario")?;
        let (robots, recorded) = (scenario::robots_in(text), file.bytes());
        if robots > MOST_UNHEARD_OF + recorded as u64 {
            let message = format!("its scenario has {robots} robots, and they did {recorded} bytes' worth of things");
            return Err(ReadError::Header(message));
        }
        let loaded = scenario::parse(file.field("name")?, "the recorded scenario", text, &[])
            .map_err(|error: ScenarioError| ReadError::Header(error.to_string()))?;
        let strategy = file.field("strategy")?;
        let scheme = loaded.scheme(strategy).ok_or_else(|| ReadError::Header(format!("`strategy` is `{strategy}`")))?;
        let changed = match scheme {
            Scheme::Recruitment(_) | Scheme::Scripted => file.format()? == IO_FORMAT_2,
            Scheme::Tasking(_) => file.format()? != IO_FORMAT,
            Scheme::Alliance(_) => false,
        };
        if changed {
            return Err(file.unreadable(&FORMATS)?);
        }
        let knowledge = file.metadata.get("knowledge");
        let knowledge = knowledge.map(|text| Knowledge::parse("what the robots knew", text, &loaded));
        let knowledge = knowledge.transpose().map_err(|error| ReadError::Header(error.to_string()))?;
        let seeds = Seeds { run: file.number("seed")?, stops: file.number("stops_seed")? };
        let interventions = file
            .metadata
            .get("interventions")
            .map(|text| Interventions::parse("the recorded interventions", text, &loaded, scheme))
            .transpose()
            .map_err(|error| ReadError::Header(format!("`interventions`: {error}")))?;
        let origin = Origin::new(loaded, scheme, seeds)
            .with_knowledge(knowledge.unwrap_or_default())
            .with_interventions(interventions.unwrap_or_default());
        Ok(Self { origin, program })
    }
}

/// The formats of a simulated run that are read, the newest first.
pub const FORMATS: [Reads; 4] = [
    Reads::all(IO_FORMAT),
    Reads { format: IO_FORMAT_4, but: Some("collaborative tasking") },
    Reads { format: IO_FORMAT_3, but: Some("collaborative tasking") },
    Reads { format: IO_FORMAT_2, but: Some("recruitment and collaborative tasking, whose messages have changed") },
];

/// The format is one of a simulated run.
pub fn reads(format: &str) -> bool {
    FORMATS.iter().any(|reads| reads.format == format)
}

/// Reads the recording at `path`, up to its last whole chunk if it was cut off.
pub fn read(path: &Path) -> Result<Recording, ReadError> {
    understand(muster_journal::open(path)?)
}

/// Makes sense of the header of a recording.
pub fn understand(file: Unread) -> Result<Recording, ReadError> {
    let header = Header::of(&file)?;
    Ok(file.with(header))
}

impl Origin {
    /// Who takes part in the run.
    pub fn cast(&self) -> Cast {
        let robots = self.mission().robots.iter().map(|spec| Member {
            name: spec.name.clone(),
            percepts: spec.percepts,
            speed_mps: spec.speed_mps,
        });
        Cast {
            robots: robots.collect(),
            tasks: self.task_names().map(str::to_owned).collect(),
            scheme: self.scheme.name().to_owned(),
        }
    }
}
