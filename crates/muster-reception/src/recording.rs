//! Recordings of receptions: every entry of the list, in an MCAP file that viewers open, too.
//!
//! One channel of our own (`/muster/reception`) holds the [`Entry`]s, one MCAP message per tick. The others are for looking
//! at, in Foxglove's schemas and in metres: poses (`/tf`), the hall (`/scene`) and the log (`/log`). The header holds all
//! that the reception came from, with the text of every file that its scenario names, so that it can be made again anywhere.
//!
//! Recordings of missions are `muster-sim`'s; [`read_any`] tells the two apart by the format in their headers.

mod comparer;
mod recorder;
mod scene;

use std::collections::BTreeMap;
use std::path::Path;

use muster_core::Time;
use muster_journal::columns::printable;
use muster_journal::{Channel, OWN_FORMAT, ReadError, Reads, Sink, Unread};
use muster_sim::recording as missions;

pub use comparer::{Comparer, Verified, verify, verify_until};
pub use recorder::{RecordError, Recorded, record};

use crate::reception::Entry;
use crate::scenario::{Kept, Party, parse_kept};

/// The version of the format of entries of a reception.
pub const FORMAT: &str = "muster-reception-1";
/// The channel of entries of a reception.
const TOPIC: &str = "/muster/reception";
const CHANNEL: Channel = Channel {
    topic: TOPIC,
    schema: "muster.Reception",
    format: FORMAT,
    describes: include_str!("recording/schema.txt"),
};
/// The text of a file that the scenario names is in the header under this and its name.
const FILE: &str = "file ";

/// A recording of a reception.
pub type Recording = muster_journal::Recording<Header>;

/// What a recording is a recording of.
#[derive(Clone, Debug)]
pub struct Header {
    /// The reception.
    pub party: Box<Party>,
    /// Its seed.
    pub seed: u64,
    /// The version and commit of the program that recorded it.
    pub program: (String, String),
}

impl Header {
    fn to_metadata(&self) -> BTreeMap<String, String> {
        let Party { name, scenario, kept, .. } = &*self.party;
        let text = toml::to_string(scenario).expect("a scenario that was parsed can be written");
        let head = [
            ("scenario", text),
            ("name", name.clone()),
            ("seed", self.seed.to_string()),
            ("folder", kept.folder.to_string_lossy().into_owned()),
        ];
        let head = head.map(|(key, value)| (key.to_owned(), value));
        let files = kept.texts.iter().map(|(name, text)| (format!("{FILE}{name}"), text.clone()));
        head.into_iter().chain(files).collect()
    }

    fn of(file: &Unread) -> Result<Self, ReadError> {
        if file.format()? != FORMAT {
            return Err(file.unreadable(&[Reads::all(FORMAT)])?);
        }
        let texts = file.metadata.iter();
        let texts = texts.filter_map(|(key, text)| Some((key.strip_prefix(FILE)?.to_owned(), text.clone())));
        let kept = Kept { folder: file.field("folder")?.into(), texts: texts.collect() };
        // What a file says of itself is shown on terminals.
        let name = printable(file.field("name")?);
        let party = parse_kept(&name, "the recorded scenario", file.field("scenario")?, &kept)
            .map_err(|error| ReadError::Header(error.to_string()))?;
        Ok(Self { party, seed: file.number("seed")?, program: file.program()? })
    }
}

/// Reads the recording of a reception at `path`, up to its last whole chunk if it was cut off.
pub fn read(path: &Path) -> Result<Recording, ReadError> {
    understand(muster_journal::open(path)?)
}

fn understand(file: Unread) -> Result<Recording, ReadError> {
    let header = Header::of(&file)?;
    Ok(file.with(header))
}

/// A recording of either kind.
#[derive(Clone, Debug)]
pub enum AnyRecording {
    /// Of a mission.
    Mission(missions::Recording),
    /// Of a reception.
    Reception(Recording),
}

impl AnyRecording {
    /// When its last event was.
    pub fn end(&self) -> Time {
        match self {
            Self::Mission(recording) => recording.end(),
            Self::Reception(recording) => recording.end(),
        }
    }

    /// Why it ends early, if it does.
    pub fn cut(&self) -> Option<&str> {
        match self {
            Self::Mission(recording) => recording.cut.as_deref(),
            Self::Reception(recording) => recording.cut.as_deref(),
        }
    }

    /// The version and commit of the program that recorded it.
    pub fn program(&self) -> &(String, String) {
        match self {
            Self::Mission(recording) => &recording.header.program,
            Self::Reception(recording) => &recording.header.program,
        }
    }

    /// What its scenario is called.
    pub fn name(&self) -> &str {
        match self {
            Self::Mission(recording) => &recording.header.origin.loaded.name,
            Self::Reception(recording) => &recording.header.party.name,
        }
    }

    /// The seed of its run.
    pub fn seed(&self) -> u64 {
        match self {
            Self::Mission(recording) => recording.header.origin.seeds.run,
            Self::Reception(recording) => recording.header.seed,
        }
    }
}

/// Reads a recording of a mission or of a reception, whichever its header says it is.
pub fn read_any(path: &Path) -> Result<AnyRecording, ReadError> {
    let file = muster_journal::open(path)?;
    match file.format()? {
        FORMAT => understand(file).map(AnyRecording::Reception),
        format if missions::reads(format) => missions::understand(file).map(AnyRecording::Mission),
        OWN_FORMAT => Err(ReadError::Own { robot: file.field("robot")?.to_owned() }),
        _ => {
            let mut reads = missions::FORMATS.to_vec();
            reads.push(Reads::all(FORMAT));
            Err(file.unreadable(&reads)?)
        }
    }
}

/// The entries of a tick under way.
#[derive(Clone, Default)]
struct Scribe {
    entries: Vec<u8>,
    at: Time,
    /// Entries so far.
    count: u64,
}

impl Scribe {
    fn entry(&mut self, entry: &Entry) {
        self.at = entry.at();
        self.count += 1;
        let room = std::mem::take(&mut self.entries);
        self.entries = postcard::to_extend(entry, room).expect("plain data can be encoded, and a vector grows");
    }

    /// The tick is over.
    fn end_tick(&mut self, sink: &mut impl Sink) {
        if !self.entries.is_empty() {
            sink.event(self.at, &self.entries);
            self.entries.clear();
        }
    }
}

/// The entries of an event; an error where they cannot be read.
pub(crate) fn entries_of(mut bytes: &[u8]) -> impl Iterator<Item = Result<Entry, postcard::Error>> + '_ {
    std::iter::from_fn(move || {
        if bytes.is_empty() {
            return None;
        }
        match postcard::take_from_bytes(bytes) {
            Ok((entry, rest)) => {
                bytes = rest;
                Some(Ok(entry))
            }
            Err(error) => {
                bytes = &[];
                Some(Err(error))
            }
        }
    })
}
