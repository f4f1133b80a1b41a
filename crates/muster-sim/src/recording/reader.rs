//! Reads a recording back, as far as it goes.

use std::path::Path;

use mcap::records::Record;
use mcap::sans_io::linear_reader::{LinearReadEvent, LinearReader, LinearReaderOptions};
use muster_core::Time;
use thiserror::Error;

use super::{FORMAT, Header, IO_TOPIC};

/// No record of ours is larger; a length beyond it is damage.
const LARGEST_RECORD: usize = 1 << 28;

/// A recording.
#[derive(Clone, Debug)]
pub struct Recording {
    /// What it is a recording of.
    pub header: Header,
    /// Events with their encoded entries, in order.
    pub events: Vec<(Time, Vec<u8>)>,
    /// Why it ends early, if it was cut off.
    pub cut: Option<String>,
}

/// Why a recording cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// It is not an MCAP file.
    #[error("is not an MCAP file: {0}")]
    NotMcap(String),
    /// It is one, but not ours.
    #[error("is an MCAP file, but Muster did not record it: it has no metadata called `muster`")]
    NotOurs,
    /// It is of another version.
    #[error("has the format `{0}`, and this program reads `{FORMAT}`: use the version of Muster that recorded it")]
    Format(String),
    /// Its header is damaged.
    #[error("has a damaged header: {0}")]
    Header(String),
}

/// Reads the recording at `path`, up to the cut if it was cut off.
pub fn read(path: &Path) -> Result<Recording, ReadError> {
    parse(&std::fs::read(path)?)
}

fn parse(data: &[u8]) -> Result<Recording, ReadError> {
    let options = LinearReaderOptions::default()
        .with_skip_end_magic(true)
        .with_validate_chunk_crcs(true)
        .with_validate_data_section_crc(true)
        .with_validate_summary_section_crc(true)
        .with_record_length_limit(LARGEST_RECORD);
    let mut reader = LinearReader::new_with_options(options);
    let (mut position, mut header, mut channel, mut events) = (0, None, None, Vec::new());
    let mut cut = Some("it has no end".to_owned());
    while let Some(event) = reader.next_event() {
        match event {
            Ok(LinearReadEvent::ReadRequest(wanted)) => {
                let count = wanted.min(data.len() - position);
                reader.insert(wanted)[..count].copy_from_slice(&data[position..position + count]);
                reader.notify_read(count);
                position += count;
            }
            Ok(LinearReadEvent::Record { opcode, data }) => match mcap::parse_record(opcode, data) {
                Ok(Record::Channel(found)) if found.topic == IO_TOPIC => channel = Some(found.id),
                Ok(Record::Message { header, data }) if Some(header.channel_id) == channel => {
                    events.push((Time::from_micros(header.log_time / 1_000), data.into_owned()));
                }
                Ok(Record::Metadata(found)) if found.name == "muster" => {
                    header = Some(Header::from_metadata(&found.metadata)?);
                }
                Ok(Record::Footer(_)) => cut = None,
                Ok(_) => {}
                Err(error) => {
                    cut = Some(error.to_string());
                    break;
                }
            },
            Err(error) if position <= 8 => return Err(ReadError::NotMcap(error.to_string())),
            Err(error) => {
                cut = Some(error.to_string());
                break;
            }
        }
    }
    match header {
        Some(header) => Ok(Recording { header, events, cut }),
        None if cut.is_some() => Err(ReadError::Header("the file ends before it".to_owned())),
        None => Err(ReadError::NotOurs),
    }
}
