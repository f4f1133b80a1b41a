//! One robot, driven: a machine with what every driver keeps for it, its body, its timers and its memory.
//!
//! A replay, a test, a checker and the driver of a real robot all do the same around a machine: take a timer that fires
//! off the table, clear the table at a start, set and cancel timers, keep what is to be remembered. A [`Node`] does it
//! once. The simulator alone keeps columns of machines, bodies and timers of its own, since a broadcast touches a
//! million machines and nothing else.
//!
//! ```text
//! loop {
//!     sleep until node.next() or until something comes in
//!     for everything that came in:                        carry out node.give(now, input, ..)
//!     while let Some(outputs) = node.wake(now, ..):       carry out outputs
//! }
//! ```
//!
//! To carry outputs out is to go through them in order: store what is remembered before anything after it leaves, send,
//! act. Timers are set already.

use crate::chance::Chance;
use crate::event::Note;
use crate::mechanism::{Context, Input, Mechanism, Output};
use crate::robot::Body;
use crate::time::Time;
use crate::timer::TimerTable;

/// One robot, driven.
#[derive(Clone, Debug)]
pub struct Node<M: Mechanism> {
    /// The mechanism's machine, which decides.
    pub machine: M,
    /// What the machine sees of its body: the driver keeps its motion up to date.
    pub body: Body,
    /// The deadlines that the machine has set.
    pub timers: TimerTable<M::Timer>,
    /// What the machine has last asked to be remembered.
    pub memory: M::Memory,
    /// When the last input was.
    now: Time,
}

impl<M: Mechanism> Node<M> {
    /// A robot that has not started yet, and has nothing to remember.
    pub fn new(machine: M, body: Body) -> Self {
        Self { machine, body, timers: TimerTable::default(), memory: M::Memory::default(), now: Time::ZERO }
    }

    /// When the last input was, on this robot's clock.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Starts it, or starts it again, with what it has last remembered.
    pub fn start(&mut self, now: Time, chance: &mut dyn Chance, notes: Option<&mut Vec<Note>>) -> Vec<Output<M>> {
        let memory = self.memory.clone();
        self.give(now, Input::Start(Some(memory)), chance, notes)
    }

    /// Starts it again without what it has remembered: that is lost.
    pub fn start_without_memory(
        &mut self,
        now: Time,
        chance: &mut dyn Chance,
        notes: Option<&mut Vec<Note>>,
    ) -> Vec<Output<M>> {
        self.give(now, Input::Start(None), chance, notes)
    }

    /// Hands the machine one input and returns all that it puts out, in order. Timers are then set and memory is kept
    /// here; what is left to the driver is to send, to act, and to store what is remembered where it outlives a crash.
    ///
    /// A start clears the timers, takes the memory that it is given in place of the one kept, and may set the clock
    /// back: the robot's computer may count from zero again. Apart from that a clock that goes back counts as standing
    /// still. A timer that fires is no longer set, whether it was due or not.
    pub fn give(
        &mut self,
        now: Time,
        input: Input<'_, M>,
        chance: &mut dyn Chance,
        notes: Option<&mut Vec<Note>>,
    ) -> Vec<Output<M>> {
        match &input {
            Input::Start(memory) => {
                self.timers.clear();
                self.memory = memory.clone().unwrap_or_default();
                self.now = now;
            }
            Input::Fired(timer) => self.timers.cancel(*timer),
            Input::Perceived(_) | Input::Ordered(_) | Input::Received { .. } => {}
        }
        self.now = self.now.max(now);
        let mut outputs = Vec::new();
        let mut cx = Context::new(self.now, &self.body, &mut outputs, chance, notes);
        self.machine.handle(&mut cx, input);
        for output in &outputs {
            match output {
                // The table also serves drivers with a queue of their own and says what they have to queue: not here.
                // A deadline that has passed is now.
                Output::SetTimer { timer, at } => drop(self.timers.set(*timer, (*at).max(self.now))),
                Output::CancelTimer(timer) => self.timers.cancel(*timer),
                Output::Remember(memory) => self.memory.clone_from(memory),
                Output::Send { .. } | Output::Act(_) => {}
            }
        }
        outputs
    }

    /// When it next wants to be woken, if it waits for anything.
    pub fn next(&self) -> Option<Time> {
        self.timers.next()
    }

    /// Fires the first timer that is due by `now` and returns what comes of it; `None` if none is. The driver carries
    /// that out and asks again: a driver that comes late finds several due, which fire in the order of their deadlines.
    /// The machine is told the time that it is, not the time that it was to be woken.
    pub fn wake(
        &mut self,
        now: Time,
        chance: &mut dyn Chance,
        notes: Option<&mut Vec<Note>>,
    ) -> Option<Vec<Output<M>>> {
        let timer = self.timers.fire_due(now.max(self.now))?;
        Some(self.give(now, Input::Fired(timer), chance, notes))
    }
}
