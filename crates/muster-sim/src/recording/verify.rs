//! Makes a recorded run again and compares it, byte for byte, with what was recorded.
//!
//! Feeding the recorded inputs to the machines shows that outputs follow from inputs, but not that the inputs are
//! those of the run: a percept, a reception or a time can be changed without any machine minding. The header says what
//! the run came from, so it can be made again, and every entry compared.

use std::marker::PhantomData;

use muster_core::event::Happening;
use muster_core::mechanism::{Input, Mechanism, Output, Recipient};
use muster_core::{Body, RobotId, Time};

use super::entry::Entry;
use super::journal::{Journal, Sink};
use super::replay::{Owned, replay_until};
use super::{Header, Recording};
use crate::fault::Fault;
use crate::intervention::Made;
use crate::radio::Fate;
use crate::scheme::{self, Visit};
use crate::sim::{Observer, Sim, View};

/// What came of a verification.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// Inputs that were fed to the machines and found in the run made again.
    pub inputs: u64,
    /// Outputs that were compared.
    pub outputs: u64,
    /// The first thing that is not as it must be, if there is one.
    pub failure: Option<String>,
}

/// Feeds a recording to the machines ([`replay_until`]) and makes the run again; both must agree with it. A recording that
/// ends early is compared as far as it goes.
pub fn verify(recording: &Recording) -> Verified {
    verify_until(recording, || false)
}

/// The same, broken off when `halt` says so: then there is no failure as far as it came.
pub fn verify_until(recording: &Recording, halt: impl Fn() -> bool) -> Verified {
    let replayed = replay_until(recording, &halt);
    let failure = if recording.events.is_empty() {
        Some("it holds no inputs: there is nothing to verify".to_owned())
    } else {
        difference(recording, halt).or(replayed.failure)
    };
    Verified { inputs: replayed.inputs, outputs: replayed.outputs, failure }
}

/// The first difference between the recording and the run that its header describes.
fn difference(recording: &Recording, halt: impl Fn() -> bool) -> Option<String> {
    scheme::staff(&recording.header.origin, Compare { recording, halt })
}

struct Compare<'a, H> {
    recording: &'a Recording,
    halt: H,
}

impl<H: Fn() -> bool> Visit for Compare<'_, H> {
    type Result = Option<String>;

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Option<String> {
        let Self { recording, halt } = self;
        let mut sim = Sim::of(&recording.header.origin, machine, Comparer::new(recording));
        sim.start();
        sim.observer_mut().started();
        let mut halted = false;
        sim.run_until(|sim| {
            halted = halt();
            halted || sim.is_over() || sim.observer().is_settled()
        });
        if !halted {
            sim.observer_mut().ended();
        }
        sim.observer().difference().map(str::to_owned)
    }
}

/// An observer that compares a run, entry by entry, with a recording of it. The run must be that of the recording's
/// header, from its origin.
#[derive(Clone)]
pub struct Comparer<'a, M> {
    journal: Journal,
    tape: Tape<'a, M>,
    /// What the world did is compared, too.
    happenings: bool,
}

impl<'a, M: Mechanism> Comparer<'a, M> {
    /// Nothing is compared yet.
    pub fn new(recording: &'a Recording) -> Self {
        let Recording { header, events, cut, happenings } = recording;
        let tape = Tape { header, rest: events, ends_early: cut.is_some(), difference: None, mechanism: PhantomData };
        Self { journal: Journal::new(header.origin.mission().robots.len()), tape, happenings: *happenings }
    }

    /// All robots have started ([`Sim::start`]): an event of its own.
    pub fn started(&mut self) {
        self.journal.end_event(&mut self.tape);
    }

    /// The run is over: what was recorded beyond is a difference.
    pub fn ended(&mut self) {
        if self.tape.difference.is_none() {
            self.tape.difference = self.tape.rest.first().and_then(|(at, entries)| {
                let first = Walk::<M>::new(self.tape.header, entries).next()?;
                Some(format!("at {at}: {first} was recorded, but the run is over before"))
            });
        }
    }

    /// The first difference between the run so far and the recording, in words.
    pub fn difference(&self) -> Option<&str> {
        self.tape.difference.as_deref()
    }

    /// The rest of the run would show nothing new: there is a difference, or the recording ends early and does so here.
    pub fn is_settled(&self) -> bool {
        self.tape.is_settled()
    }
}

/// What was recorded, as far as the run has not come to it yet.
#[derive(Clone)]
struct Tape<'a, M> {
    header: &'a Header,
    rest: &'a [(Time, Vec<u8>)],
    ends_early: bool,
    difference: Option<String>,
    mechanism: PhantomData<M>,
}

impl<M> Tape<'_, M> {
    /// The rest of the run would show nothing new.
    fn is_settled(&self) -> bool {
        self.difference.is_some() || (self.ends_early && self.rest.is_empty())
    }
}

impl<M: Mechanism> Sink for Tape<'_, M> {
    fn event(&mut self, at: Time, entries: &[u8]) {
        if self.is_settled() {
            return;
        }
        let Some(((recorded_at, recorded), rest)) = self.rest.split_first() else {
            let first = Walk::<M>::new(self.header, entries).next().unwrap_or_default();
            self.difference = Some(format!("at {at}: {first} is missing: the recording ends before the run does"));
            return;
        };
        self.rest = rest;
        if *recorded_at != at {
            let first = |entries| Walk::<M>::new(self.header, entries).next().unwrap_or_default();
            let (recorded, made) = (first(recorded), first(entries));
            self.difference =
                Some(format!("at {recorded_at}: {recorded} was recorded, but the run has {made} at {at} instead"));
        } else if recorded != entries {
            self.difference = Some(format!("at {at}: {}", first_difference::<M>(self.header, recorded, entries)));
        }
    }
}

fn first_difference<M: Mechanism>(header: &Header, recorded: &[u8], made: &[u8]) -> String {
    let (mut recorded, mut made) = (Walk::<M>::new(header, recorded), Walk::<M>::new(header, made));
    loop {
        let (was, is) = (recorded.entry(), made.entry());
        if was.bytes == is.bytes && !was.bytes.is_empty() {
            continue;
        }
        return match (was.text, is.text) {
            (Some(was), Some(is)) => format!("{was} was recorded, but the run has {is}"),
            (Some(was), None) => format!("{was} was recorded, but the run has nothing of the kind"),
            (None, Some(is)) => format!("{is} is missing"),
            (None, None) => "something else was recorded".to_owned(),
        };
    }
}

/// Goes through the entries of an event and puts them in words.
struct Walk<'a, M> {
    header: &'a Header,
    rest: &'a [u8],
    /// Whose input came last.
    robot: String,
    mechanism: PhantomData<M>,
}

struct Told<'a> {
    bytes: &'a [u8],
    /// `None` at the end.
    text: Option<String>,
}

impl<'a, M: Mechanism> Walk<'a, M> {
    fn new(header: &'a Header, entries: &'a [u8]) -> Self {
        Self { header, rest: entries, robot: String::new(), mechanism: PhantomData }
    }

    fn entry(&mut self) -> Told<'a> {
        let before = self.rest;
        if before.is_empty() {
            return Told { bytes: before, text: None };
        }
        let Ok((entry, rest)) = postcard::take_from_bytes::<Owned<M>>(before) else {
            self.rest = &[];
            return Told { bytes: before, text: Some(format!("an entry that cannot be read ({before:?})")) };
        };
        self.rest = rest;
        let text = match entry {
            Entry::Input { robot, moved, given } => {
                let name = self.header.origin.mission().robots.get(robot.index());
                self.robot = name.map_or_else(|| robot.to_string(), |spec| spec.name.to_string());
                let motion = moved.map(|motion| format!(", its body {motion:?}")).unwrap_or_default();
                format!("{}: input {given:?}{motion}", self.robot)
            }
            Entry::Output(put) => format!("{}: output {put:?}", self.robot),
            Entry::Lost => format!("{}: its transmission is lost", self.robot),
            Entry::Happened { robot, what } => {
                let name = self.header.origin.mission().robots.get(robot.index());
                let name = name.map_or_else(|| "radio".to_owned(), |spec| spec.name.to_string());
                format!("{name}: it happened that {what:?}")
            }
            Entry::Intervened(text) => {
                format!("the intervention {}", text.split_whitespace().collect::<Vec<_>>().join(" "))
            }
        };
        Told { bytes: &before[..before.len() - rest.len()], text: Some(text) }
    }
}

impl<M: Mechanism> Iterator for Walk<'_, M> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        self.entry().text
    }
}

impl<M: Mechanism> Observer<M> for Comparer<'_, M> {
    fn on_input(&mut self, now: Time, body: &Body, input: &Input<'_, M>, transmission: Option<u64>) {
        self.journal.input(&mut self.tape, now, body, input, transmission);
    }

    fn on_output(&mut self, now: Time, _robot: RobotId, output: &Output<M>) {
        self.journal.output(&mut self.tape, now, output);
    }

    fn on_transmission(&mut self, now: Time, _from: RobotId, _to: Recipient, _message: &M::Message, fate: Fate) {
        self.journal.transmission::<M>(&mut self.tape, now, fate);
    }

    fn on_happening(&mut self, now: Time, robot: RobotId, happening: Happening) {
        if self.happenings {
            self.journal.happening::<M>(&mut self.tape, now, robot, happening);
        }
    }

    fn on_intervention(&mut self, now: Time, made: &Made) {
        self.journal.intervention::<M>(&mut self.tape, now, made);
    }

    fn after_event(&mut self, _view: View<'_, M>) -> Option<Fault> {
        self.journal.end_event(&mut self.tape);
        None
    }
}
