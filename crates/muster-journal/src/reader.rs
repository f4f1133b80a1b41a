//! Reads a recording back, as far as it goes.
//!
//! A file that ends too early was cut off, by a crash or while it was copied, and is read up to its last whole chunk. A
//! file that is wrong anywhere else (a checksum, a length, what cannot be decompressed, anything after its end) is
//! damaged and refused: nobody knows what else in it is wrong.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;
use std::path::Path;

use mcap::McapError;
use mcap::records::{MessageHeader, Metadata, Record};
use mcap::sans_io::linear_reader::{LinearReadEvent, LinearReader, LinearReaderOptions};
use muster_core::Time;
use thiserror::Error;

use crate::columns::printable;
use crate::seal;
use crate::{BROKEN_OFF, METADATA, OWN_TOPICS};

/// No record of ours is larger, nor a chunk when it is unpacked; a length beyond it is damage.
const LARGEST_RECORD: usize = muster_files::MOST_BYTES as usize;
/// All records together, unpacked, with what it takes to keep them. A file of a few megabytes can claim to hold terabytes.
const MOST_UNPACKED: usize = 4 * LARGEST_RECORD;
/// What it takes to keep an event, beside its entries.
const PER_EVENT: usize = 64;
/// So much is read at once, however long a record claims to be.
const AT_ONCE: usize = 1 << 20;

/// A recording.
#[derive(Clone, Debug)]
pub struct Recording<Header> {
    /// What it is a recording of.
    pub header: Header,
    /// Events with their encoded entries, in order.
    pub events: Vec<(Time, Vec<u8>)>,
    /// Why it ends early, if it does: the file was cut off, or the run was broken off.
    pub cut: Option<String>,
    /// The format of its entries: those of earlier versions lack some kinds.
    pub format: String,
}

impl<Header> Recording<Header> {
    /// When its last event was.
    pub fn end(&self) -> Time {
        self.events.last().map_or(Time::ZERO, |(at, _)| *at)
    }
}

/// A format of entries that is read.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Reads {
    /// The format.
    pub format: &'static str,
    /// What of that format is not read any more, if anything.
    pub but: Option<&'static str>,
}

impl Reads {
    /// All of a format.
    pub const fn all(format: &'static str) -> Self {
        Self { format, but: None }
    }
}

impl fmt::Display for Reads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.format)?;
        self.but.map_or(Ok(()), |but| write!(f, " (but for {but})"))
    }
}

/// A recording whose header nobody has made sense of yet. Its format says who can.
#[derive(Clone, Debug)]
pub struct Unread {
    /// The header as it stands in the file.
    pub metadata: BTreeMap<String, String>,
    events: Vec<(Time, Vec<u8>)>,
    cut: Option<String>,
}

impl Unread {
    /// What the header says under a key.
    pub fn field(&self, key: &str) -> Result<&str, ReadError> {
        self.metadata.get(key).map(String::as_str).ok_or_else(|| ReadError::Header(format!("no `{key}`")))
    }

    /// The same, a number.
    pub fn number(&self, key: &str) -> Result<u64, ReadError> {
        let text = self.field(key)?;
        text.parse().map_err(|_| ReadError::Header(format!("`{key}` is `{text}`, not a number")))
    }

    /// The format of its entries.
    pub fn format(&self) -> Result<&str, ReadError> {
        self.field("format")
    }

    /// The version and commit of the program that recorded it, as they can be shown.
    pub fn program(&self) -> Result<(String, String), ReadError> {
        let shown = |key| self.field(key).map(|text| printable(text).into_owned());
        Ok((shown("version")?, shown("commit")?))
    }

    /// That its format is none of those that whoever asked for it reads.
    pub fn unreadable(&self, reads: &[Reads]) -> Result<ReadError, ReadError> {
        let mut reads: Vec<String> = reads.iter().map(Reads::to_string).collect();
        let last = reads.pop().unwrap_or_default();
        let reads = if reads.is_empty() { last } else { format!("{} and {last}", reads.join(", ")) };
        let format = self.format()?.to_owned();
        let (version, commit) = (self.field("version")?.to_owned(), self.field("commit")?.to_owned());
        Ok(ReadError::Format { format, reads, version, commit })
    }

    /// How many bytes of entries there are.
    pub fn bytes(&self) -> usize {
        self.events.iter().map(|(_, entries)| entries.len()).sum()
    }

    /// With its header made sense of.
    pub fn with<Header>(self, header: Header) -> Recording<Header> {
        let Self { mut metadata, events, cut } = self;
        let format = metadata.remove("format").unwrap_or_default();
        Recording { header, events, cut, format }
    }
}

/// Why a recording cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// There is nothing in it.
    #[error("is empty")]
    Empty,
    /// It is not an MCAP file.
    #[error("is not an MCAP file: {0}")]
    NotMcap(String),
    /// It is one, but not ours.
    #[error("is an MCAP file, but Muster did not record it: it has no metadata called `muster`")]
    NotOurs,
    /// It is of another version.
    #[error(
        "has the format `{format}`, and this program reads {reads}: open it with the version that recorded it, muster \
         {version} ({commit}), or record the run again"
    )]
    Format {
        /// The format that it has.
        format: String,
        /// The formats that are read, in words.
        reads: String,
        /// The version of the program that recorded it.
        version: String,
        /// Its commit.
        commit: String,
    },
    /// It is one robot's alone, and a whole run was asked for.
    #[error("is what robot {robot} of a team recorded by itself, and not a whole run: its own driver replays it")]
    Own {
        /// The robot that recorded it, by its number.
        robot: String,
    },
    /// Its header makes no sense.
    #[error("has a damaged header: {0}")]
    Header(String),
    /// It was cut off before its header.
    #[error("was cut off before anything was recorded")]
    TooShort,
    /// There is more in it than is read.
    #[error("holds more than {} MB when it is unpacked, and no more is read: record a shorter run", MOST_UNPACKED >> 20)]
    TooLarge,
    /// Another program has compressed it anew.
    #[error(
        "is compressed as `{0}`, and Muster reads `lz4` and what is not compressed: it was repacked by another program, so use \
         the file as Muster wrote it, or have that program unpack it"
    )]
    Compression(String),
    /// It is not what was written.
    #[error("is damaged: {0}")]
    Damaged(String),
}

/// Reads the recording at `path`, up to its last whole chunk if it was cut off.
pub fn open(path: &Path) -> Result<Unread, ReadError> {
    parse(std::io::BufReader::with_capacity(1 << 16, muster_files::open(path)?))
}

fn parse(mut file: impl Read) -> Result<Unread, ReadError> {
    let options = LinearReaderOptions::default()
        .with_check_finishes_after_end_magic(true)
        .with_prevalidate_chunk_crcs(true)
        .with_validate_data_section_crc(true)
        .with_validate_summary_section_crc(true)
        .with_record_length_limit(LARGEST_RECORD);
    let mut reader = LinearReader::new_with_options(options);
    let (mut position, mut end) = (0, Ending::default());
    let (mut header, mut channel, mut events) = (None, None, Vec::new());
    let (mut unpacked, mut cut) = (0, None);
    while let Some(event) = reader.next_event() {
        let event = match event {
            Ok(event) => event,
            Err(_) if position == 0 => return Err(ReadError::Empty),
            Err(error) if position <= mcap::MAGIC.len() => return Err(ReadError::NotMcap(in_words(&error))),
            // The one other compression of MCAP. Any other name is ours with a bit changed.
            Err(McapError::UnsupportedCompression(name)) if name == "zstd" => return Err(ReadError::Compression(name)),
            Err(McapError::UnexpectedEof) if !(position > 2 * mcap::MAGIC.len() && end.is_magic()) => {
                cut = Some("the file ends in the middle".to_owned());
                break;
            }
            Err(error) => return Err(ReadError::Damaged(in_words(&error))),
        };
        match event {
            LinearReadEvent::ReadRequest(wanted) => {
                let room = reader.insert(wanted.min(AT_ONCE));
                let count = file.read(room)?;
                end.saw(&room[..count]);
                reader.notify_read(count);
                position += count;
            }
            LinearReadEvent::Record { opcode, data } => {
                unpacked += data.len() + PER_EVENT;
                if unpacked > MOST_UNPACKED {
                    return Err(ReadError::TooLarge);
                }
                match mcap::parse_record(opcode, data).map_err(|error| ReadError::Damaged(in_words(&error)))? {
                    Record::Channel(found) if found.topic.starts_with(OWN_TOPICS) => channel = Some(found.id),
                    Record::Message { header, data } if Some(header.channel_id) == channel => {
                        events.push((time_of(&header)?, data.into_owned()));
                    }
                    // Kept as it is: whether the file is damaged is known at its end, and is the better answer.
                    Record::Metadata(found) if found.name == METADATA => {
                        fills(data.len(), &found)?;
                        header = Some(found.metadata);
                    }
                    Record::Metadata(found) if found.name == BROKEN_OFF => {
                        cut = Some("the run was broken off".to_owned());
                    }
                    _ => {}
                }
            }
        }
    }
    match header {
        Some(metadata) => {
            seal::check(&metadata)?;
            Ok(Unread { metadata, events, cut })
        }
        None if cut.is_some() => Err(ReadError::TooShort),
        None => Err(ReadError::NotOurs),
    }
}

/// The metadata take up their whole record: one that claims to be longer has taken bytes of the next.
fn fills(length: usize, metadata: &Metadata) -> Result<(), ReadError> {
    const PREFIX: usize = size_of::<u32>();
    let texts = metadata.metadata.iter().flat_map(|(key, value)| [key, value]);
    let texts: usize = texts.map(|text| PREFIX + text.len()).sum();
    if length == PREFIX + metadata.name.len() + PREFIX + texts {
        Ok(())
    } else {
        Err(ReadError::Damaged("its header was changed".to_owned()))
    }
}

/// When an event was. Both times of a message say it, in whole microseconds.
fn time_of(header: &MessageHeader) -> Result<Time, ReadError> {
    let (log, publish) = (header.log_time, header.publish_time);
    if log != publish || log % 1_000 != 0 {
        return Err(ReadError::Damaged(format!("an event has the times {log} ns and {publish} ns")));
    }
    Ok(Time::from_micros(log / 1_000))
}

/// The last bytes so far. Those of a file that was finished are known, so one that ends in them was not cut off.
#[derive(Default)]
struct Ending(Vec<u8>);

impl Ending {
    fn saw(&mut self, bytes: &[u8]) {
        let last = &bytes[bytes.len().saturating_sub(mcap::MAGIC.len())..];
        self.0.extend_from_slice(last);
        self.0.drain(..self.0.len().saturating_sub(mcap::MAGIC.len()));
    }

    fn is_magic(&self) -> bool {
        self.0 == mcap::MAGIC
    }
}

/// The library says little about some errors, leaves the cause of others to be asked for, and answers for a record that is
/// no such record with lines of its own source, in colours.
fn in_words(error: &McapError) -> String {
    let mut text = match error {
        McapError::Parse(_) => return "a record in it makes no sense".to_owned(),
        McapError::UnexpectedEof => "a length in it is wrong".to_owned(),
        McapError::BadMagic => "the bytes that mark its beginning or end are wrong".to_owned(),
        McapError::BytesAfterEndMagic => "there is more after its end".to_owned(),
        other => other.to_string(),
    };
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opcode of metadata.
    const METADATA_RECORD: u8 = 0x0c;

    #[test]
    fn what_is_no_record_is_told_in_a_sentence() {
        let mut file = mcap::MAGIC.to_vec();
        file.push(METADATA_RECORD);
        file.extend(100_u64.to_le_bytes());
        file.extend([0xff; 100]);
        let error = parse(&file[..]).expect_err("it is damaged");
        assert_eq!(error.to_string(), "is damaged: a record in it makes no sense");
    }
}
