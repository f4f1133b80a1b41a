//! Writes a recording while a run goes on.

use std::cell::RefCell;
use std::path::Path;

use muster_core::event::Happening;
use muster_core::mechanism::{Input, Mechanism, Output, Recipient};
use muster_core::{Body, Duration, RobotId, Time};
use muster_journal::{Journal, Tape, TapeError};

use super::scene::{self, Arcs};
use super::{CHANNEL, Header};
use crate::fault::Fault;
use crate::intervention::Made;
use crate::ledger::Ledger;
use crate::origin::Origin;
use crate::radio::Fate;
use crate::scheme::{self, Visit};
use crate::sim::{AnyObserver, Observer, Sim, Traffic, View};

/// How often poses are sampled. Four times as often would not fit 200 kB a mission.
const SAMPLE: Duration = Duration::from_secs(1);

/// An observer that writes down everything.
pub struct Recorder {
    journal: Journal,
    tape: Tape,
    arcs: Arcs,
}

impl Recorder {
    /// Begins a recording. The header is in the file before the run starts. A file that was there before is replaced when
    /// the recording has ended.
    pub fn create(path: &Path, header: &Header) -> Result<Self, TapeError> {
        let tape = Tape::create(path, &CHANNEL, &header.program, header.to_metadata())?;
        let journal = Journal::new(header.origin.mission().robots.len());
        Ok(Self { journal, tape, arcs: Arcs::default() })
    }

    fn end_event(&mut self) {
        self.journal.end_event(&mut self.tape);
    }

    /// Ends the recording: how many inputs and outputs it holds.
    pub fn finish(mut self) -> Result<u64, TapeError> {
        self.end_event();
        self.tape.finish()?;
        Ok(self.journal.count())
    }

    /// Ends the recording of a run that was not over: the file says so.
    fn break_off(mut self) -> Result<u64, TapeError> {
        self.end_event();
        self.tape.break_off()?;
        Ok(self.journal.count())
    }
}

impl<M: Mechanism> Observer<M> for Recorder {
    fn on_input(&mut self, now: Time, body: &Body, input: &Input<'_, M>, transmission: Option<u64>) {
        self.journal.input(&mut self.tape, now, body, input, transmission);
    }

    fn on_output(&mut self, now: Time, _robot: RobotId, output: &Output<M>) {
        self.journal.output(&mut self.tape, now, output);
    }

    fn on_transmission(&mut self, now: Time, from: RobotId, to: Recipient, message: &M::Message, fate: Fate) {
        if fate == Fate::Lost {
            self.journal.lost::<M>(&mut self.tape, now);
        }
        self.arcs.add(from, to, M::family_of(message), fate);
    }

    fn on_happening(&mut self, now: Time, robot: RobotId, happening: Happening) {
        self.journal.happening::<M>(&mut self.tape, now, robot, happening);
    }

    fn on_intervention(&mut self, now: Time, made: &Made) {
        self.journal.intervention::<M>(&mut self.tape, now, made.to_toml());
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
pub fn record(path: &Path, header: &Header, halt: impl Fn() -> bool) -> Result<Recorded, TapeError> {
    recorded(path, header, &halt)
}

/// Not generic, so that the simulator with a recorder is compiled once and not by every crate that records.
fn recorded(path: &Path, header: &Header, halt: &dyn Fn() -> bool) -> Result<Recorded, TapeError> {
    let recorder = Recorder::create(path, header)?;
    scheme::staff(&header.origin, Record { origin: &header.origin, recorder, halt })
}

struct Record<'a> {
    origin: &'a Origin,
    recorder: Recorder,
    halt: &'a dyn Fn() -> bool,
}

impl Visit for Record<'_> {
    type Result = Result<Recorded, TapeError>;

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Self::Result {
        let Self { origin, recorder, halt } = self;
        let mission = origin.mission();
        let recorder = RefCell::new(recorder);
        let onlooker: AnyObserver<'_, M> = &recorder;
        let mut sim = Sim::of(origin, machine, onlooker).with_notes();
        let mut explainer = origin.explainer();
        let mut shown = scene::Shown::default();
        sim.start();
        // An event of its own, so that a run that is broken off at once ends with a whole one.
        recorder.borrow_mut().end_event();
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
            let arcs = std::mem::take(&mut recorder.borrow_mut().arcs);
            let update = shown.scene(origin, sim.bodies(), sim.ledger(), arcs, now);
            let tape = &mut recorder.borrow_mut().tape;
            if let Some(transforms) = transforms {
                tape.poses(now, &transforms);
            }
            if let Some(update) = update {
                tape.scene(now, &update);
            }
            for (at, line) in log {
                tape.log(at, &line);
            }
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
        drop(sim);
        let recorder = recorder.into_inner();
        let count = if broken_off { recorder.break_off()? } else { recorder.finish()? };
        Ok(Recorded { count, broken_off, ledger, traffic, end })
    }
}
