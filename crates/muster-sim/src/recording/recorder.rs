//! Writes a recording while a run goes on.

use std::collections::BTreeMap;
use std::path::Path;

use mcap::records::{MessageHeader, Metadata};
use mcap::write::NoSeek;
use mcap::{Compression, McapError, WriteOptions, Writer};
use muster_core::event::Happening;
use muster_core::mechanism::{Input, Mechanism, Output, Recipient};
use muster_core::{Body, Duration, RobotId, Time};
use muster_files::Draft;

use super::foxglove::{FrameTransforms, Log, Message, SceneUpdate, schema};
use super::journal::{Journal, Sink};
use super::scene::{self, Arcs};
use super::{BROKEN_OFF, FORMAT, Header, IO_TOPIC, METADATA};
use crate::fault::Fault;
use crate::intervention::Made;
use crate::ledger::Ledger;
use crate::origin::Origin;
use crate::radio::Fate;
use crate::scheme::{self, Visit};
use crate::sim::{Observer, Sim, Traffic, View};

/// Small chunks: a crash costs at most the last of them.
const CHUNK: u64 = 1 << 15;
/// How often poses are sampled. Four times as often would not fit 200 kB a mission.
const SAMPLE: Duration = Duration::from_secs(1);

/// An observer that writes down everything.
pub struct Recorder {
    journal: Journal,
    file: Tape,
    arcs: Arcs,
}

/// The file.
struct Tape {
    writer: Writer<NoSeek<Draft>>,
    channels: Channels,
    sequence: u32,
    scratch: Vec<u8>,
    /// A run is not stopped by a full disk; whoever finishes the recording hears of it.
    failure: Option<McapError>,
}

#[derive(Copy, Clone)]
struct Channels {
    io: u16,
    tf: u16,
    scene: u16,
    log: u16,
}

impl Recorder {
    /// Begins a recording. The header is in the file before the run starts. A file that was there before is replaced when
    /// the recording has ended.
    pub fn create(path: &Path, header: &Header) -> Result<Self, McapError> {
        let options = WriteOptions::new()
            .compression(Some(Compression::Lz4))
            .chunk_size(Some(CHUNK))
            // A chunk reaches the file whole, never with a header to be patched later.
            .disable_seeking(true)
            .profile("")
            .library(format!("muster {}", header.program.0));
        let mut writer = options.create(NoSeek::new(Draft::create_in_sight(path)?))?;
        let describes = include_str!("io-schema.txt");
        let io_schema = writer.add_schema("muster.Io", FORMAT, describes.as_bytes())?;
        let channels = Channels {
            io: writer.add_channel(io_schema, IO_TOPIC, FORMAT, &BTreeMap::new())?,
            tf: channel(&mut writer, "/tf", "FrameTransforms")?,
            scene: channel(&mut writer, "/scene", "SceneUpdate")?,
            log: channel(&mut writer, "/log", "Log")?,
        };
        writer.write_metadata(&Metadata { name: METADATA.to_owned(), metadata: header.to_metadata() })?;
        writer.flush()?;
        Ok(Self {
            journal: Journal::new(header.origin.mission().robots.len()),
            file: Tape { writer, channels, sequence: 0, scratch: Vec::new(), failure: None },
            arcs: Arcs::default(),
        })
    }

    fn end_event(&mut self) {
        self.journal.end_event(&mut self.file);
    }

    /// Ends the recording: how many inputs and outputs it holds.
    pub fn finish(mut self) -> Result<u64, McapError> {
        self.end_event();
        if let Some(failure) = self.file.failure {
            return Err(failure);
        }
        self.file.writer.finish()?;
        self.file.writer.into_inner().into_inner().publish()?;
        Ok(self.journal.count())
    }

    /// Ends the recording of a run that was not over: the file says so.
    fn break_off(mut self) -> Result<u64, McapError> {
        self.end_event();
        let metadata = Metadata { name: BROKEN_OFF.to_owned(), metadata: BTreeMap::new() };
        self.file.writer.write_metadata(&metadata)?;
        self.finish()
    }
}

impl Sink for Tape {
    fn event(&mut self, at: Time, entries: &[u8]) {
        self.write(self.channels.io, at, entries);
    }
}

impl Tape {
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

    /// Whatever else there is to see at `now`.
    fn show(
        &mut self,
        now: Time,
        transforms: Option<FrameTransforms>,
        scene: Option<SceneUpdate>,
        log: Vec<(Time, Log)>,
    ) {
        let channels = self.channels;
        if let Some(transforms) = transforms {
            self.write_encoded(channels.tf, now, &transforms);
        }
        if let Some(scene) = scene {
            self.write_encoded(channels.scene, now, &scene);
        }
        for (at, line) in log {
            self.write_encoded(channels.log, at, &line);
        }
    }
}

/// A channel for one of Foxglove's messages.
fn channel(writer: &mut Writer<NoSeek<Draft>>, topic: &str, message: &str) -> Result<u16, McapError> {
    let id = writer.add_schema(&format!("foxglove.{message}"), "protobuf", &schema::of(message))?;
    writer.add_channel(id, topic, "protobuf", &BTreeMap::new())
}

impl<M: Mechanism> Observer<M> for Recorder {
    fn on_input(&mut self, now: Time, body: &Body, input: &Input<'_, M>, transmission: Option<u64>) {
        self.journal.input(&mut self.file, now, body, input, transmission);
    }

    fn on_output(&mut self, now: Time, _robot: RobotId, output: &Output<M>) {
        self.journal.output(&mut self.file, now, output);
    }

    fn on_transmission(&mut self, now: Time, from: RobotId, to: Recipient, message: &M::Message, fate: Fate) {
        self.journal.transmission::<M>(&mut self.file, now, fate);
        self.arcs.add(from, to, M::name_of(message), fate);
    }

    fn on_happening(&mut self, now: Time, robot: RobotId, happening: Happening) {
        self.journal.happening::<M>(&mut self.file, now, robot, happening);
    }

    fn on_intervention(&mut self, now: Time, made: &Made) {
        self.journal.intervention::<M>(&mut self.file, now, made);
    }

    fn after_event(&mut self, _view: View<'_, M>) -> Option<Fault> {
        self.end_event();
        None
    }
}

/// What came of a recording.
#[derive(Debug)]
pub struct Recorded {
    /// Inputs and outputs in it.
    pub count: u64,
    /// The run was broken off.
    pub broken_off: bool,
    /// What came of the tasks.
    pub ledger: Ledger,
    /// Messages sent and lost.
    pub traffic: Traffic,
    /// When it ended.
    pub end: Time,
}

/// Runs a mission until all tasks are handed over, or `halt` says so, and records it.
pub fn record(path: &Path, header: &Header, halt: impl Fn() -> bool) -> Result<Recorded, McapError> {
    let recorder = Recorder::create(path, header)?;
    scheme::staff(&header.origin, Record { origin: &header.origin, recorder, halt })
}

struct Record<'a, H> {
    origin: &'a Origin,
    recorder: Recorder,
    halt: H,
}

impl<H: Fn() -> bool> Visit for Record<'_, H> {
    type Result = Result<Recorded, McapError>;

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Self::Result {
        let Self { origin, recorder, halt } = self;
        let mission = origin.mission();
        let mut sim = Sim::of(origin, machine, recorder).with_notes();
        let mut explainer = origin.explainer();
        let mut shown = scene::Shown::default();
        sim.start();
        // An event of its own, so that a run that is broken off at once ends with a whole one.
        sim.observer_mut().end_event();
        let mut sample = Time::ZERO;
        let broken_off = loop {
            let mut halted = false;
            sim.run_until(|sim| {
                halted = halt();
                halted || sim.is_over() || sim.next_at().is_none_or(|at| at > sample)
            });
            let stuck = sim.next_at().is_none() && !sim.is_over();
            if stuck {
                // As in any other run, time goes on until the mission's limit.
                sim.step();
            }
            let complete = stuck || sim.is_over();
            let over = halted || complete;
            // The last sample is of the last instant, the others of whole seconds.
            let now = if over { sim.now() } else { sample };
            let transforms = shown.transforms(mission, sim.bodies(), sim.pushed(), now);
            let log = explainer.log(&sim.take_notes());
            let arcs = std::mem::take(&mut sim.observer_mut().arcs);
            let update = shown.scene(origin, sim.bodies(), sim.ledger(), arcs, now);
            sim.observer_mut().file.show(now, transforms, update, log);
            if over {
                break !complete;
            }
            // Nothing changes until the next event but poses, and those of robots that drive.
            sample += SAMPLE;
            if let Some(at) = sim.next_at()
                && !shown.anybody_drives(sim.bodies())
            {
                sample = sample.max(at);
            }
        };
        let (ledger, traffic, end) = (sim.ledger().clone(), sim.traffic(), sim.now());
        let recorder = sim.into_observer();
        let count = if broken_off { recorder.break_off()? } else { recorder.finish()? };
        Ok(Recorded { count, broken_off, ledger, traffic, end })
    }
}
