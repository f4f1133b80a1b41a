//! Turns inputs and outputs into entries, event by event: for the recorder and for the comparer. There is no second
//! encoding.

use muster_core::mechanism::{Input, Mechanism, Output};
use muster_core::motion::Motion;
use muster_core::{Body, Time};

use crate::draw::Draw;
use crate::entry::{Entry, Given, Put};

/// An entry that borrows what it holds.
type Borrowed<'a, M> = Entry<&'a <M as Mechanism>::Message, <M as Mechanism>::Timer, &'a <M as Mechanism>::Memory>;

/// Takes the entries of one event after the other.
pub trait Sink {
    /// All entries of an event, back to back.
    fn event(&mut self, at: Time, entries: &[u8]);
}

/// The entries of the event under way.
#[derive(Clone)]
pub struct Journal {
    entries: Vec<u8>,
    /// Where the last of them begins.
    last: usize,
    at: Time,
    /// How each robot moved at its input before.
    motions: Vec<Option<Motion>>,
    /// Inputs and outputs so far.
    count: u64,
}

impl Journal {
    /// For a team of so many.
    pub fn new(team: usize) -> Self {
        Self { entries: Vec::new(), last: 0, at: Time::ZERO, motions: vec![None; team], count: 0 }
    }

    /// Inputs and outputs so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// An input was handed to a robot. A message comes with the number of its transmission, if that is in this file.
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
        let given = match (input, transmission) {
            (Input::Start(memory), _) => Given::Start(memory.as_ref()),
            (Input::Fired(timer), _) => Given::Fired(*timer),
            (Input::Perceived(percept), _) => Given::Perceived(*percept),
            (Input::Ordered(order), _) => Given::Ordered(*order),
            (Input::Received { .. }, Some(number)) => Given::Heard(number),
            (Input::Received { from, to, message }, None) => {
                Given::Received { from: *from, to: *to, message: *message }
            }
        };
        self.count += 1;
        self.push::<M>(sink, now, &Entry::Input { robot: body.id, moved, given });
    }

    /// This was drawn at the input before. It stands in front of that input, so that a replay has it when it feeds it.
    pub fn drew<M: Mechanism>(&mut self, draws: Vec<Draw>) {
        if !draws.is_empty() {
            let bytes = encoded::<M>(&Entry::Drew(draws), Vec::new());
            self.entries.splice(self.last..self.last, bytes);
        }
    }

    /// A robot put this out.
    pub fn output<M: Mechanism>(&mut self, sink: &mut impl Sink, now: Time, output: &Output<M>) {
        self.count += 1;
        self.push::<M>(sink, now, &entry_of(output));
    }

    /// The transmission before was lost for everybody: a remark on the output before.
    pub fn lost<M: Mechanism>(&mut self, sink: &mut impl Sink, now: Time) {
        self.push::<M>(sink, now, &Entry::Lost);
    }

    /// Somebody intervened: this, as a file of interventions has it.
    pub fn intervention<M: Mechanism>(&mut self, sink: &mut impl Sink, now: Time, text: String) {
        self.push::<M>(sink, now, &Entry::Intervened(text));
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
        self.last = room.len();
        self.entries = encoded::<M>(entry, room);
    }
}

fn encoded<M: Mechanism>(entry: &Borrowed<'_, M>, room: Vec<u8>) -> Vec<u8> {
    postcard::to_extend(entry, room).expect("plain data can be encoded, and a vector grows")
}

/// An output as it is recorded.
pub(crate) fn bytes_of<M: Mechanism>(output: &Output<M>) -> Vec<u8> {
    encoded::<M>(&entry_of(output), Vec::new())
}

fn entry_of<M: Mechanism>(output: &Output<M>) -> Borrowed<'_, M> {
    Entry::Output(match output {
        Output::Send { to, message } => Put::Send(*to, message),
        Output::SetTimer { timer, at } => Put::SetTimer(*timer, *at),
        Output::CancelTimer(timer) => Put::CancelTimer(*timer),
        Output::Act(action) => Put::Act(*action),
        Output::Remember(memory) => Put::Remember(memory),
    })
}
