//! Writes a recording while a run goes on.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;

use foxglove::Encode;
use foxglove::messages::{FrameTransforms, Log, SceneUpdate};
use mcap::records::{MessageHeader, Metadata};
use mcap::write::NoSeek;
use mcap::{Compression, McapError, WriteOptions, Writer};
use muster_core::mechanism::{Input, Output, Recipient};
use muster_core::recruitment::{Message, Recruitment};
use muster_core::{Body, Duration, Mechanism, Pose, RobotId, Time};

use super::entry::{Entry, Given, Put};
use super::scene::{self, Arcs};
use super::{FORMAT, Header, IO_TOPIC};
use crate::explain::Explainer;
use crate::fault::Fault;
use crate::radio::Fate;
use crate::sim::{Observer, Sim, View};

/// Small chunks: a crash costs at most the last of them.
const CHUNK: u64 = 1 << 15;
/// How often poses are sampled. Four times as often would not fit 200 kB a mission.
const SAMPLE: Duration = Duration::from_secs(1);

type Borrowed<'a> = Entry<&'a Message, <Recruitment as Mechanism>::Timer, &'a <Recruitment as Mechanism>::Memory>;

/// An observer that writes down everything.
pub struct Recorder {
    writer: Writer<NoSeek<File>>,
    channels: Channels,
    /// Entries of the event under way, and when it is.
    entries: Vec<u8>,
    at: Time,
    /// Where each robot was at its input before.
    poses: Vec<Option<Pose>>,
    arcs: Arcs,
    sequence: u32,
    scratch: Vec<u8>,
    /// A run is not stopped by a full disk; whoever finishes the recording hears of it.
    failure: Option<McapError>,
    /// Inputs and outputs written.
    count: u64,
}

#[derive(Copy, Clone)]
struct Channels {
    io: u16,
    tf: u16,
    scene: u16,
    log: u16,
}

impl Recorder {
    /// Begins a recording. The header is in the file before the run starts.
    pub fn create(path: &Path, header: &Header) -> Result<Self, McapError> {
        let options = WriteOptions::new()
            .compression(Some(Compression::Lz4))
            .chunk_size(Some(CHUNK))
            // A chunk reaches the file whole, never with a header to be patched later.
            .disable_seeking(true)
            .profile("")
            .library(format!("muster {}", header.program.0));
        let mut writer = options.create(NoSeek::new(File::create(path)?))?;
        let describes = include_str!("io-schema.txt");
        let io_schema = writer.add_schema("muster.Io", FORMAT, describes.as_bytes())?;
        let channels = Channels {
            io: writer.add_channel(io_schema, IO_TOPIC, FORMAT, &BTreeMap::new())?,
            tf: channel::<FrameTransforms>(&mut writer, "/tf")?,
            scene: channel::<SceneUpdate>(&mut writer, "/scene")?,
            log: channel::<Log>(&mut writer, "/log")?,
        };
        writer.write_metadata(&Metadata { name: "muster".to_owned(), metadata: header.to_metadata() })?;
        writer.flush()?;
        Ok(Self {
            writer,
            channels,
            entries: Vec::new(),
            at: Time::ZERO,
            poses: vec![None; header.loaded.mission.robots.len()],
            arcs: Arcs::default(),
            sequence: 0,
            scratch: Vec::new(),
            failure: None,
            count: 0,
        })
    }

    /// Ends the recording: how many inputs and outputs it holds.
    pub fn finish(mut self) -> Result<u64, McapError> {
        self.end_event();
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        self.writer.finish()?;
        Ok(self.count)
    }

    fn push(&mut self, now: Time, entry: &Borrowed<'_>) {
        if now != self.at {
            self.end_event();
            self.at = now;
        }
        self.count += 1;
        let room = std::mem::take(&mut self.entries);
        match postcard::to_extend(entry, room) {
            Ok(entries) => self.entries = entries,
            Err(error) => {
                self.failure.get_or_insert(McapError::Io(io::Error::other(error)));
            }
        }
    }

    fn end_event(&mut self) {
        if !self.entries.is_empty() {
            let entries = std::mem::take(&mut self.entries);
            self.write(self.channels.io, self.at, &entries);
            self.entries = entries;
            self.entries.clear();
        }
    }

    fn write(&mut self, channel_id: u16, at: Time, data: &[u8]) {
        self.sequence = self.sequence.wrapping_add(1);
        let nanos = at.as_micros().saturating_mul(1_000);
        let header = MessageHeader { channel_id, sequence: self.sequence, log_time: nanos, publish_time: nanos };
        if let Err(error) = self.writer.write_to_known_channel(&header, data) {
            self.failure.get_or_insert(error);
        }
    }

    fn write_encoded(&mut self, channel: u16, at: Time, message: &impl Encode) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        if message.encode(&mut scratch).is_ok() {
            self.write(channel, at, &scratch);
        }
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

fn channel<T: Encode>(writer: &mut Writer<NoSeek<File>>, topic: &str) -> Result<u16, McapError> {
    let schema = T::get_schema().expect("Foxglove's messages have schemas");
    let id = writer.add_schema(&schema.name, &schema.encoding, &schema.data)?;
    writer.add_channel(id, topic, &T::get_message_encoding(), &BTreeMap::new())
}

impl Observer<Recruitment> for Recorder {
    fn on_input(&mut self, now: Time, body: &Body, input: &Input<'_, Recruitment>, transmission: Option<u64>) {
        let pose = body.pose(now);
        let moved = (self.poses[body.id.index()] != Some(pose)).then_some(pose);
        self.poses[body.id.index()] = Some(pose);
        let given = match input {
            Input::Start(memory) => Given::Start(memory.as_ref()),
            Input::Fired(timer) => Given::Fired(*timer),
            Input::Perceived(percept) => Given::Perceived(*percept),
            Input::Ordered(order) => Given::Ordered(*order),
            Input::Received { .. } => Given::Heard(transmission.unwrap_or(u64::MAX)),
        };
        self.push(now, &Entry::Input { robot: body.id, moved, given });
    }

    fn on_output(&mut self, now: Time, _robot: RobotId, output: &Output<Recruitment>) {
        let put = match output {
            Output::Send { to, message } => Put::Send(*to, message),
            Output::SetTimer { timer, at } => Put::SetTimer(*timer, *at),
            Output::CancelTimer(timer) => Put::CancelTimer(*timer),
            Output::Act(action) => Put::Act(*action),
            Output::Remember(memory) => Put::Remember(memory),
        };
        self.push(now, &Entry::Output(put));
    }

    fn on_transmission(&mut self, now: Time, from: RobotId, to: Recipient, message: &Message, fate: Fate) {
        if fate == Fate::Lost {
            self.push(now, &Entry::Lost);
            // A remark on an output, not one of its own.
            self.count -= 1;
        }
        self.arcs.add(from, to, message, fate);
    }

    fn after_event(&mut self, _view: View<'_, Recruitment>) -> Option<Fault> {
        self.end_event();
        None
    }
}

/// Runs a mission until all tasks are handed over and records it. `on_end` gets the finished run.
pub fn record<T>(
    path: &Path,
    header: &Header,
    on_end: impl FnOnce(&Sim<'_, Recruitment, Recorder>) -> T,
) -> Result<(T, u64), McapError> {
    let config = header.loaded.recruitment(header.strategy);
    let recorder = Recorder::create(path, header)?;
    let mission = &header.loaded.mission;
    let mut sim = Sim::new(mission, header.seeds, |_| Recruitment::new(config.clone()), recorder).with_notes();
    let mut explainer = Explainer::new(&header.loaded, &config);
    let mut shown = scene::Shown::default();
    sim.start();
    let mut sample = Time::ZERO;
    loop {
        sim.run_until(|sim| sim.ledger().all_served() || sim.next_at().is_none_or(|at| at > sample));
        let over = sim.ledger().all_served() || sim.next_at().is_none();
        // The last sample is of the last instant, the others of whole seconds.
        let now = if over { sim.now() } else { sample };
        let transforms = shown.transforms(mission, sim.bodies(), now);
        let log = explainer.log(&sim.take_notes());
        let arcs = std::mem::take(&mut sim.observer_mut().arcs);
        let update = shown.scene(&header.loaded, sim.bodies(), sim.ledger(), arcs, now);
        sim.observer_mut().show(now, transforms, update, log);
        if over {
            break;
        }
        // Nothing changes until the next event but poses, and those of robots that drive.
        sample += SAMPLE;
        if let Some(at) = sim.next_at()
            && !shown.anybody_drives(sim.bodies())
        {
            sample = sample.max(at);
        }
    }
    let result = on_end(&sim);
    let count = sim.into_observer().finish()?;
    Ok((result, count))
}
