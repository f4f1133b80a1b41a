//! A robot that records by itself what it heard, drew, said and did: no seed, no mission, no file of anybody else is
//! needed to feed it to its machine again.

use std::path::Path;

use muster_core::mechanism::{Chance, Input, Mechanism, Output};
use muster_core::{Node, Note, Pose, RobotId, Time};

use crate::cast::Cast;
use crate::draw::Drawing;
use crate::foxglove::FrameTransforms;
use crate::journal::Journal;
use crate::reader::{ReadError, Reads, Recording, open};
use crate::replay::{Replay, Replayed, Source};
use crate::show;
use crate::tape::{Channel, Tape, TapeError};
use crate::{IO_SCHEMA, IO_TOPIC};

/// The format of what a robot recorded by itself: entries as in a team's, with what was received and drawn.
pub const OWN_FORMAT: &str = "muster-robot-2";
const CHANNEL: Channel = Channel { topic: IO_TOPIC, schema: "muster.Io", format: OWN_FORMAT, describes: IO_SCHEMA };

/// What a recording of one robot is a recording of.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnHeader {
    /// The robot that recorded.
    pub me: RobotId,
    /// Who takes part, as far as it knows.
    pub cast: Cast,
    /// The version and commit of the program that recorded it.
    pub program: (String, String),
}

/// Stands between a robot's driver and its [`Node`], and writes down all that passes.
pub struct OwnRecorder {
    journal: Journal,
    tape: Tape,
    name: String,
}

impl OwnRecorder {
    /// Begins a recording. A file that was there before is replaced when it has ended.
    pub fn create(path: &Path, header: &OwnHeader) -> Result<Self, TapeError> {
        let OwnHeader { me, cast, program } = header;
        let metadata = cast.to_metadata().into_iter().chain([("robot".to_owned(), me.0.to_string())]);
        let tape = Tape::create(path, &CHANNEL, program, metadata)?;
        let name = cast.robots.get(me.index()).map_or_else(|| me.to_string(), |member| member.name.to_string());
        Ok(Self { journal: Journal::new(cast.robots.len().max(me.index() + 1)), tape, name })
    }

    /// Inputs and outputs so far.
    pub fn count(&self) -> u64 {
        self.journal.count()
    }

    /// Hands an input to the robot, as [`Node::give`] does.
    pub fn give<M: Mechanism>(
        &mut self,
        node: &mut Node<M>,
        now: Time,
        input: Input<'_, M>,
        chance: &mut dyn Chance,
        notes: Option<&mut Vec<Note>>,
    ) -> Vec<Output<M>> {
        // The time that the machine is told: a clock that goes back stands still, unless the robot starts.
        let at = if matches!(input, Input::Start(_)) { now } else { now.max(node.now()) };
        let (journal, tape) = (&mut self.journal, &mut self.tape);
        journal.input(tape, at, &node.body, &input, None);
        let mut drawing = Drawing::from(chance);
        let outputs = node.give(now, input, &mut drawing, notes);
        journal.drew::<M>(drawing.drawn);
        for output in &outputs {
            journal.output(tape, at, output);
        }
        journal.end_event(tape);
        outputs
    }

    /// Fires the first timer that is due, as [`Node::wake`] does.
    pub fn wake<M: Mechanism>(
        &mut self,
        node: &mut Node<M>,
        now: Time,
        chance: &mut dyn Chance,
        notes: Option<&mut Vec<Note>>,
    ) -> Option<Vec<Output<M>>> {
        let timer = node.timers.fire_due(now.max(node.now()))?;
        Some(self.give(node, now, Input::Fired(timer), chance, notes))
    }

    /// Shows a sentence to viewers.
    pub fn log(&mut self, at: Time, sentence: String) {
        self.tape.log(at, &show::log_line(at, &self.name, sentence));
    }

    /// Shows viewers where the robot is.
    pub fn pose(&mut self, now: Time, pose: Pose) {
        let transforms = FrameTransforms { transforms: vec![show::transform(&self.name, pose, now)] };
        self.tape.poses(now, &transforms);
    }

    /// All that happened so far reaches the file, whatever becomes of the program.
    pub fn flush(&mut self) {
        self.tape.flush();
    }

    /// Ends the recording: how many inputs and outputs it holds.
    pub fn finish(self) -> Result<u64, TapeError> {
        self.tape.finish()?;
        Ok(self.journal.count())
    }
}

/// Reads what a robot recorded by itself.
pub fn read_own(path: &Path) -> Result<Recording<OwnHeader>, ReadError> {
    let file = open(path)?;
    if file.format()? != OWN_FORMAT {
        return Err(file.unreadable(&[Reads::all(OWN_FORMAT)])?);
    }
    let cast = Cast::from_metadata(&file)?;
    let me = file.number("robot")?;
    let Some(me) = u32::try_from(me).ok().map(RobotId).filter(|me| me.index() < cast.robots.len()) else {
        return Err(ReadError::Header(format!("`robot` is {me} in a team of {}", cast.robots.len())));
    };
    let program = file.program()?;
    Ok(file.with(OwnHeader { me, cast, program }))
}

/// Feeds what a robot recorded by itself to a fresh machine of its kind, until `halt` says so.
pub fn replay_own<M: Mechanism>(
    recording: &Recording<OwnHeader>,
    machine: impl Fn(RobotId) -> M,
    halt: impl Fn() -> bool,
) -> Replayed {
    let OwnHeader { me, cast, .. } = &recording.header;
    Replay { cast, source: Source::Own(*me), events: &recording.events }.feed(machine, halt)
}
