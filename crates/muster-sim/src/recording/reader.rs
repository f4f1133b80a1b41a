//! Reads a recording back, as far as it goes.
//!
//! A file that ends too early was cut off, by a crash or while it was copied, and is read up to its last whole chunk. A
//! file that is wrong anywhere else (a checksum, a length, what cannot be decompressed, anything after its end) is
//! damaged and refused: nobody knows what else in it is wrong.

use std::path::Path;

use mcap::McapError;
use mcap::records::{MessageHeader, Record};
use mcap::sans_io::linear_reader::{LinearReadEvent, LinearReader, LinearReaderOptions};
use muster_core::Time;
use thiserror::Error;

use super::{BROKEN_OFF, FORMAT, Header, IO_TOPIC, METADATA};

/// No record of ours is larger, nor a chunk; a length beyond it is damage.
const LARGEST_RECORD: usize = 1 << 30;

/// A recording.
#[derive(Clone, Debug)]
pub struct Recording {
    /// What it is a recording of.
    pub header: Header,
    /// Events with their encoded entries, in order.
    pub events: Vec<(Time, Vec<u8>)>,
    /// Why it ends early, if it does: the file was cut off, or the run was broken off.
    pub cut: Option<String>,
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
        "has the format `{format}`, and this program reads `{FORMAT}`: open it with the version that recorded it, muster \
         {version} ({commit}), or record the run again"
    )]
    Format {
        /// The format that it has.
        format: String,
        /// The version of the program that recorded it.
        version: String,
        /// Its commit.
        commit: String,
    },
    /// Its header makes no sense.
    #[error("has a damaged header: {0}")]
    Header(String),
    /// It was cut off before its header.
    #[error("was cut off before anything was recorded")]
    TooShort,
    /// It is not what was written.
    #[error("is damaged: {0}")]
    Damaged(String),
}

/// Reads the recording at `path`, up to its last whole chunk if it was cut off.
pub fn read(path: &Path) -> Result<Recording, ReadError> {
    parse(&std::fs::read(path)?)
}

fn parse(data: &[u8]) -> Result<Recording, ReadError> {
    if data.is_empty() {
        return Err(ReadError::Empty);
    }
    let options = LinearReaderOptions::default()
        .with_check_finishes_after_end_magic(true)
        .with_prevalidate_chunk_crcs(true)
        .with_validate_data_section_crc(true)
        .with_validate_summary_section_crc(true)
        .with_record_length_limit(LARGEST_RECORD);
    let mut reader = LinearReader::new_with_options(options);
    let (mut position, mut header, mut channel, mut events) = (0, None, None, Vec::new());
    let mut cut = None;
    while let Some(event) = reader.next_event() {
        let event = match event {
            Ok(event) => event,
            Err(error) if position <= mcap::MAGIC.len() => return Err(ReadError::NotMcap(in_words(&error))),
            Err(McapError::UnexpectedEof) if !has_an_end(data) => {
                cut = Some("the file ends in the middle".to_owned());
                break;
            }
            Err(error) => return Err(ReadError::Damaged(in_words(&error))),
        };
        match event {
            LinearReadEvent::ReadRequest(wanted) => {
                let count = wanted.min(data.len() - position);
                reader.insert(count)[..count].copy_from_slice(&data[position..position + count]);
                reader.notify_read(count);
                position += count;
            }
            LinearReadEvent::Record { opcode, data } => {
                match mcap::parse_record(opcode, data).map_err(|error| ReadError::Damaged(in_words(&error)))? {
                    Record::Channel(found) if found.topic == IO_TOPIC => channel = Some(found.id),
                    Record::Message { header, data } if Some(header.channel_id) == channel => {
                        events.push((time_of(&header)?, data.into_owned()));
                    }
                    // Kept as it is: whether the file is damaged is known at its end, and is the better answer.
                    Record::Metadata(found) if found.name == METADATA => header = Some(found.metadata),
                    Record::Metadata(found) if found.name == BROKEN_OFF => {
                        cut = Some("the run was broken off".to_owned());
                    }
                    _ => {}
                }
            }
        }
    }
    match header {
        Some(header) => Ok(Recording { header: Header::from_metadata(&header)?, events, cut }),
        None if cut.is_some() => Err(ReadError::TooShort),
        None => Err(ReadError::NotOurs),
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

/// Its last bytes are those of a file that was finished, so it was not cut off.
fn has_an_end(data: &[u8]) -> bool {
    data.len() > 2 * mcap::MAGIC.len() && data.ends_with(mcap::MAGIC)
}

/// The library says little about some errors and leaves the cause of others to be asked for.
fn in_words(error: &McapError) -> String {
    let mut text = match error {
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
