//! Turns what an observer sees into entries, event by event: for whoever writes them down, and for whoever compares
//! them with what was written down. There is no second encoding.

use muster_core::event::Happening;
use muster_core::mechanism::{Input, Mechanism, Output};
use muster_core::motion::Motion;
use muster_core::{Body, RobotId, Time};

use super::entry::{Entry, Given, Put};
use crate::intervention::Made;
use crate::radio::Fate;

/// An entry that borrows what it holds.
pub type Borrowed<'a, M> = Entry<&'a <M as Mechanism>::Message, <M as Mechanism>::Timer, &'a <M as Mechanism>::Memory>;

/// Takes the entries of one event after the other.
pub trait Sink {
    /// All entries of an event, back to back.
    fn event(&mut self, at: Time, entries: &[u8]);
}

/// The entries of the event under way.
#[derive(Clone)]
pub struct Journal {
    entries: Vec<u8>,
    at: Time,
    /// How each robot moved at its input before.
    motions: Vec<Option<Motion>>,
    /// Inputs and outputs so far.
    count: u64,
}

impl Journal {
    /// For a team of so many.
    pub fn new(team: usize) -> Self {
        Self { entries: Vec::new(), at: Time::ZERO, motions: vec![None; team], count: 0 }
    }

    /// Inputs and outputs so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// An input was handed to a robot.
    pub fn input<M: Mechanism>(
        &mut self,
        sink: &mut impl Sink,
        now: Time,
        body: &Body,
        input: &Input<'_, M>,
        transmission: Option<u64>,
    ) {
        let before = &mut self.motions[body.id.index()];
        let moved = (before.as_ref() != Some(&body.motion)).then(|| body.motion.clone());
        if moved.is_some() {
            before.clone_from(&moved);
        }
        let given = match input {
            Input::Start(memory) => Given::Start(memory.as_ref()),
            Input::Fired(timer) => Given::Fired(*timer),
            Input::Perceived(percept) => Given::Perceived(*percept),
            Input::Ordered(order) => Given::Ordered(*order),
            Input::Received { .. } => Given::Heard(transmission.unwrap_or(u64::MAX)),
        };
        self.count += 1;
        self.push::<M>(sink, now, &Entry::Input { robot: body.id, moved, given });
    }

    /// A robot put this out.
    pub fn output<M: Mechanism>(&mut self, sink: &mut impl Sink, now: Time, output: &Output<M>) {
        self.count += 1;
        self.push::<M>(sink, now, &entry_of(output));
    }

    /// A transmission met its fate: a remark on the output before.
    pub fn transmission<M: Mechanism>(&mut self, sink: &mut impl Sink, now: Time, fate: Fate) {
        if fate == Fate::Lost {
            self.push::<M>(sink, now, &Entry::Lost);
        }
    }

    /// Somebody intervened.
    pub fn intervention<M: Mechanism>(&mut self, sink: &mut impl Sink, now: Time, made: &Made) {
        self.push::<M>(sink, now, &Entry::Intervened(made.to_toml()));
    }

    /// The world did something to a robot, or to the radio.
    pub fn happening<M: Mechanism>(&mut self, sink: &mut impl Sink, now: Time, robot: RobotId, what: Happening) {
        self.push::<M>(sink, now, &Entry::Happened { robot, what });
    }

    /// The event is over.
    pub fn end_event(&mut self, sink: &mut impl Sink) {
        if !self.entries.is_empty() {
            sink.event(self.at, &self.entries);
            self.entries.clear();
        }
    }

    fn push<M: Mechanism>(&mut self, sink: &mut impl Sink, now: Time, entry: &Borrowed<'_, M>) {
        if now != self.at {
            self.end_event(sink);
            self.at = now;
        }
        let room = std::mem::take(&mut self.entries);
        self.entries = postcard::to_extend(entry, room).expect("plain data can be encoded, and a vector grows");
    }
}

/// An output as it is recorded.
pub fn entry_of<M: Mechanism>(output: &Output<M>) -> Borrowed<'_, M> {
    Entry::Output(match output {
        Output::Send { to, message } => Put::Send(*to, message),
        Output::SetTimer { timer, at } => Put::SetTimer(*timer, *at),
        Output::CancelTimer(timer) => Put::CancelTimer(*timer),
        Output::Act(action) => Put::Act(*action),
        Output::Remember(memory) => Put::Remember(memory),
    })
}
