//! Writes a recording while a reception goes on.

use std::path::Path;

use muster_core::Time;
use muster_journal::{Tape, TapeError, show};
use thiserror::Error;

use super::scene::Shown;
use super::{CHANNEL, Header, Scribe};
use crate::reception::{Entry, Line, Onlooker, ReceptionError, Scene, TICK};

/// Why a reception is not recorded.
#[derive(Debug, Error)]
pub enum RecordError {
    /// There is no such reception.
    #[error(transparent)]
    Reception(#[from] ReceptionError),
    /// The file cannot be written.
    #[error(transparent)]
    Tape(#[from] TapeError),
}

/// What came of a recording.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Entries in it.
    pub count: u64,
    /// The reception was broken off.
    pub broken_off: bool,
    /// When it ended.
    pub end: Time,
}

/// Makes a reception to its end, or until `halt` says so, and records it.
pub fn record(path: &Path, header: &Header, halt: impl Fn() -> bool) -> Result<Recorded, RecordError> {
    recorded(path, header, &halt)
}

/// Not generic, so that it is compiled once and not by every crate that records.
fn recorded(path: &Path, header: &Header, halt: &dyn Fn() -> bool) -> Result<Recorded, RecordError> {
    let mut reception = header.party.reception(header.seed)?;
    let tape = Tape::create(path, &CHANNEL, &header.program, header.to_metadata())?;
    let mut recorder = Recorder { scribe: Scribe::default(), tape, shown: Shown::of(&header.party) };
    let end = Time::ZERO + header.party.limit;
    reception.init(&mut recorder)?;
    if let Some(scene) = reception.scene() {
        recorder.plan_view(&scene);
    }
    recorder.end_tick();
    reception.start()?;
    let mut broken_off = false;
    while reception.now() + TICK <= end && !broken_off {
        reception.tick(&mut recorder);
        recorder.end_tick();
        broken_off = reception.now() + TICK <= end && halt();
    }
    let now = reception.now();
    let Recorder { mut scribe, mut tape, .. } = if broken_off {
        recorder
    } else {
        reception.stop(&mut recorder)?;
        recorder
    };
    scribe.end_tick(&mut tape);
    if broken_off {
        tape.break_off()?
    } else {
        tape.finish()?
    }
    Ok(Recorded { count: scribe.count, broken_off, end: now })
}

/// Looks on and writes down everything.
struct Recorder {
    scribe: Scribe,
    tape: Tape,
    shown: Shown,
}

impl Recorder {
    fn end_tick(&mut self) {
        self.scribe.end_tick(&mut self.tape);
    }
}

impl Onlooker for Recorder {
    fn logged(&mut self, line: &Line) {
        let name = line.about()[0].map_or("reception", |robot| &**robot);
        self.tape.log(line.at, &show::log_line(line.at, name, line.sentence()));
    }

    fn plan_view(&mut self, scene: &Scene<'_>) {
        if let Some(transforms) = self.shown.transforms(scene) {
            self.tape.poses(scene.now, &transforms);
        }
        if let Some(update) = self.shown.scene(scene) {
            self.tape.scene(scene.now, &update);
        }
    }

    fn records(&self) -> bool {
        true
    }

    fn recorded(&mut self, entry: Entry) {
        self.scribe.entry(&entry);
    }
}
