//! Makes a recorded run again and compares it, byte for byte, with what was recorded.
//!
//! Feeding the recorded inputs to the machines shows that outputs follow from inputs, but not that the inputs are
//! those of the run: a percept, a reception or a time can be changed without any machine minding. The header says what
//! the run came from, so it can be made again, and every entry compared.

use std::cell::RefCell;

use muster_core::event::Happening;
use muster_core::mechanism::{Input, Mechanism, Output, Recipient};
use muster_core::{Body, RobotId, Time};
use muster_journal::{Comparison, IO_FORMAT_2, IO_FORMAT_3, InWords, Journal};

use super::Recording;
use super::replay::fed;
use crate::fault::Fault;
use crate::intervention::Made;
use crate::radio::Fate;
use crate::scheme::{self, Visit};
use crate::sim::{AnyObserver, Observer, Sim, View};

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

/// Feeds a recording to the machines ([`super::replay()`]) and makes the run again; both must agree with it. A recording that
/// ends early is compared as far as it goes.
pub fn verify(recording: &Recording) -> Verified {
    verify_until(recording, || false)
}

/// The same, broken off when `halt` says so: then there is no failure as far as it came.
pub fn verify_until(recording: &Recording, halt: impl Fn() -> bool) -> Verified {
    verified(recording, &halt)
}

/// Not generic, so that the simulator with a comparer is compiled once and not by every crate that verifies.
fn verified(recording: &Recording, halt: &dyn Fn() -> bool) -> Verified {
    let replayed = fed(recording, halt);
    let failure = if recording.events.is_empty() {
        Some("it holds no inputs: there is nothing to verify".to_owned())
    } else {
        difference(recording, halt).or(replayed.failure)
    };
    Verified { inputs: replayed.inputs, outputs: replayed.outputs, failure }
}

/// The first difference between the recording and the run that its header describes.
fn difference(recording: &Recording, halt: &dyn Fn() -> bool) -> Option<String> {
    scheme::staff(&recording.header.origin, Compare { recording, halt })
}

struct Compare<'a> {
    recording: &'a Recording,
    halt: &'a dyn Fn() -> bool,
}

impl Visit for Compare<'_> {
    type Result = Option<String>;

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Option<String> {
        let Self { recording, halt } = self;
        let comparer = RefCell::new(Comparer::new(recording));
        let onlooker: AnyObserver<'_, M> = &comparer;
        let mut sim = Sim::of(&recording.header.origin, machine, onlooker);
        sim.start();
        comparer.borrow_mut().started();
        let mut halted = false;
        sim.run_until(|sim| {
            halted = halt();
            halted || sim.is_over() || comparer.borrow().is_settled()
        });
        if !halted {
            comparer.borrow_mut().ended();
        }
        comparer.borrow().difference().map(str::to_owned)
    }
}

/// An observer that compares a run, entry by entry, with a recording of it. The run must be that of the recording's
/// header, from its origin.
#[derive(Clone)]
pub struct Comparer<'a, M: Mechanism> {
    journal: Journal,
    comparison: Comparison<'a, InWords<M>>,
    /// What the world did is compared, too.
    happenings: bool,
}

impl<'a, M: Mechanism> Comparer<'a, M> {
    /// Nothing is compared yet.
    pub fn new(recording: &'a Recording) -> Self {
        let origin = &recording.header.origin;
        let comparison = Comparison::new(recording, InWords::of(origin.cast()));
        let happenings = ![IO_FORMAT_2, IO_FORMAT_3].contains(&recording.format.as_str());
        Self { journal: Journal::new(origin.mission().robots.len()), comparison, happenings }
    }

    /// All robots have started ([`Sim::start`]): an event of its own.
    pub fn started(&mut self) {
        self.end_event();
    }

    /// An event and all that it caused at once is over.
    pub fn end_event(&mut self) {
        self.journal.end_event(&mut self.comparison);
    }

    /// The run is over: what was recorded beyond is a difference.
    pub fn ended(&mut self) {
        self.comparison.ended();
    }

    /// The first difference between the run so far and the recording, in words.
    pub fn difference(&self) -> Option<&str> {
        self.comparison.difference()
    }

    /// The rest of the run would show nothing new: there is a difference, or the recording ends early and does so here.
    pub fn is_settled(&self) -> bool {
        self.comparison.is_settled()
    }
}

impl<M: Mechanism> Observer<M> for Comparer<'_, M> {
    fn on_input(&mut self, now: Time, body: &Body, input: &Input<'_, M>, transmission: Option<u64>) {
        self.journal.input(&mut self.comparison, now, body, input, transmission);
    }

    fn on_output(&mut self, now: Time, _robot: RobotId, output: &Output<M>) {
        self.journal.output(&mut self.comparison, now, output);
    }

    fn on_transmission(&mut self, now: Time, _from: RobotId, _to: Recipient, _message: &M::Message, fate: Fate) {
        if fate == Fate::Lost {
            self.journal.lost::<M>(&mut self.comparison, now);
        }
    }

    fn on_happening(&mut self, now: Time, robot: RobotId, happening: Happening) {
        if self.happenings {
            self.journal.happening::<M>(&mut self.comparison, now, robot, happening);
        }
    }

    fn on_intervention(&mut self, now: Time, made: &Made) {
        self.journal.intervention::<M>(&mut self.comparison, now, made.to_toml());
    }

    fn after_event(&mut self, _view: View<'_, M>) -> Option<Fault> {
        self.end_event();
        None
    }
}
