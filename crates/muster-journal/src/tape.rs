//! The file that a recording goes to, while it is written.

use std::collections::BTreeMap;
use std::path::Path;

use mcap::records::{MessageHeader, Metadata};
use mcap::write::NoSeek;
use mcap::{Compression, WriteOptions, Writer};
use muster_core::Time;
use muster_files::Draft;

use crate::foxglove::{FrameTransforms, Log, Message, SceneUpdate, schema};
use crate::journal::Sink;
use crate::seal::seal;
use crate::{BROKEN_OFF, METADATA};

/// Why a recording cannot be written.
pub type TapeError = mcap::McapError;

/// Small chunks: a crash costs at most the last of them.
const CHUNK: u64 = 1 << 15;

/// The channel of our own, with all that is needed to go by it.
#[derive(Copy, Clone, Debug)]
pub struct Channel {
    /// Its topic.
    pub topic: &'static str,
    /// The name of its schema.
    pub schema: &'static str,
    /// The format of its messages, and so of the file: readers go by it.
    pub format: &'static str,
    /// What is in its messages, for people.
    pub describes: &'static str,
}

/// The file. A file that was there before is replaced when the recording has ended.
pub struct Tape {
    writer: Writer<NoSeek<Draft>>,
    channels: Channels,
    sequence: u32,
    scratch: Vec<u8>,
    /// A run is not stopped by a full disk; whoever finishes the recording hears of it.
    failure: Option<TapeError>,
}

#[derive(Copy, Clone)]
struct Channels {
    own: u16,
    tf: u16,
    scene: u16,
    log: u16,
}

impl Tape {
    /// Begins a recording by a program of this version and commit. The header is in the file before anything happens.
    pub fn create(
        path: &Path,
        own: &Channel,
        program: &(String, String),
        header: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, TapeError> {
        let options = WriteOptions::new()
            .compression(Some(Compression::Lz4))
            .chunk_size(Some(CHUNK))
            // A chunk reaches the file whole, never with a header to be patched later.
            .disable_seeking(true)
            .profile("")
            .library(format!("muster {}", program.0));
        let mut writer = options.create(NoSeek::new(Draft::create_in_sight(path)?))?;
        let own_schema = writer.add_schema(own.schema, own.format, own.describes.as_bytes())?;
        let channels = Channels {
            own: writer.add_channel(own_schema, own.topic, own.format, &BTreeMap::new())?,
            tf: channel(&mut writer, "/tf", "FrameTransforms")?,
            scene: channel(&mut writer, "/scene", "SceneUpdate")?,
            log: channel(&mut writer, "/log", "Log")?,
        };
        let always = [("format", own.format), ("version", &program.0), ("commit", &program.1)];
        let always = always.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let mut metadata = header.into_iter().chain(always).collect();
        seal(&mut metadata);
        writer.write_metadata(&Metadata { name: METADATA.to_owned(), metadata })?;
        writer.flush()?;
        Ok(Self { writer, channels, sequence: 0, scratch: Vec::new(), failure: None })
    }

    /// Shows poses.
    pub fn poses(&mut self, now: Time, transforms: &FrameTransforms) {
        self.write_encoded(self.channels.tf, now, transforms);
    }

    /// Shows shapes.
    pub fn scene(&mut self, now: Time, scene: &SceneUpdate) {
        self.write_encoded(self.channels.scene, now, scene);
    }

    /// Shows a line of the log.
    pub fn log(&mut self, at: Time, line: &Log) {
        self.write_encoded(self.channels.log, at, line);
    }

    /// All that was written so far reaches the file.
    pub fn flush(&mut self) {
        if let Err(error) = self.writer.flush() {
            self.failure.get_or_insert(error);
        }
    }

    /// Ends the recording.
    pub fn finish(mut self) -> Result<(), TapeError> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        self.writer.finish()?;
        self.writer.into_inner().into_inner().publish()?;
        Ok(())
    }

    /// Ends the recording of a run that was not over: the file says so.
    pub fn break_off(mut self) -> Result<(), TapeError> {
        let metadata = Metadata { name: BROKEN_OFF.to_owned(), metadata: BTreeMap::new() };
        self.writer.write_metadata(&metadata)?;
        self.finish()
    }

    fn write(&mut self, channel_id: u16, at: Time, data: &[u8]) {
        self.sequence = self.sequence.wrapping_add(1);
        let nanos = at.as_micros().saturating_mul(1_000);
        let header = MessageHeader { channel_id, sequence: self.sequence, log_time: nanos, publish_time: nanos };
        if let Err(error) = self.writer.write_to_known_channel(&header, data) {
            self.failure.get_or_insert(error);
        }
    }

    fn write_encoded(&mut self, channel: u16, at: Time, message: &impl Message) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        message.write(&mut scratch);
        self.write(channel, at, &scratch);
        self.scratch = scratch;
    }
}

impl Sink for Tape {
    fn event(&mut self, at: Time, entries: &[u8]) {
        self.write(self.channels.own, at, entries);
    }
}

/// A channel for one of Foxglove's messages.
fn channel(writer: &mut Writer<NoSeek<Draft>>, topic: &str, message: &str) -> Result<u16, TapeError> {
    let id = writer.add_schema(&format!("foxglove.{message}"), "protobuf", &schema::of(message))?;
    writer.add_channel(id, topic, "protobuf", &BTreeMap::new())
}
