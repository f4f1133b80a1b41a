//! The one idea of Muster: a mechanism is a plain state machine, values in, values out.
//!
//! # The contract
//!
//! - Same configuration, seed and inputs give the same outputs, byte for byte. What the body shows is
//!   part of the input that saw it.
//! - Outputs apply in order and are drained before the next input. What is remembered is durable before
//!   later outputs leave. `now` never goes back.
//! - Setting a timer replaces it; it fires once. One [`TimerTable`](crate::timer::TimerTable) serves
//!   every driver.
//! - `handle` cannot fail. Bytes are parsed at the edge; a late, duplicate or absurd message is an
//!   ordinary case, noted and ignored.
//! - Work per input is bounded.
//! - A driver that starts a robot tells it what it sees (its phase, its tasks) right after `Start`,
//!   whether it starts for the first time or again.

use std::fmt::Debug;
use std::hash::Hash;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use crate::chance::Chance;
use crate::event::{Event, Note};
use crate::panel::{Family, Field, Posture, Viewing};
use crate::robot::{Body, RobotId};
use crate::task::{Action, Order, Percept, TaskId};
use crate::time::{Duration, Time};

/// A coordination mechanism: the part of a robot that decides what to say and what to do.
pub trait Mechanism: Clone + Debug + Sized {
    /// What peers say to each other.
    type Message: Clone + Debug + Eq + Hash + Serialize + DeserializeOwned;
    /// At most one deadline per value. Timers of one robot due at one instant fire in this order.
    type Timer: Copy + Debug + Ord + Hash + Serialize + DeserializeOwned;
    /// What must survive a restart. The default is the memory of a robot that has never run.
    type Memory: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned;

    /// What people call a message.
    fn name_of(message: &Self::Message) -> &'static str;

    /// Takes one input; outputs leave through the context.
    fn handle(&mut self, cx: &mut Context<'_, Self>, input: Input<'_, Self>);

    /// What part of a negotiation a message plays, for displays: they know families, and no mechanism's messages.
    fn family_of(message: &Self::Message) -> Family;

    /// The task that a message is about, if it is about one in particular.
    fn task_of(message: &Self::Message) -> Option<TaskId>;

    /// By how many bytes a message is longer on the air than recordings encode it: for what is sent in a form of its own.
    fn repacked(_message: &Self::Message) -> i64 {
        0
    }

    /// What a glance at the robot shows. Asked for every robot many times a second: no more than a few comparisons.
    fn posture(&self) -> Posture;

    /// What it shows of itself to whoever looks on, in its own words.
    fn panel(&self, view: &Viewing<'_>) -> Vec<Field>;
}

/// What a driver hands a mechanism.
#[derive(Debug)]
pub enum Input<'a, M: Mechanism> {
    /// The robot starts, or starts again: `None` if its memory was lost.
    Start(Option<M::Memory>),
    /// A timer came due.
    Fired(M::Timer),
    /// The robot's own senses or body have something to say.
    Perceived(Percept),
    /// An operator has something to say.
    Ordered(Order),
    /// A peer has something to say.
    Received {
        /// The robot that sent it.
        from: RobotId,
        /// Whom the sender meant: this robot may only have overheard it.
        to: Recipient,
        /// The message, lent for the length of this input.
        message: &'a M::Message,
    },
}

/// What a mechanism hands its driver.
#[derive(Clone, Debug, PartialEq)]
pub enum Output<M: Mechanism> {
    /// Transmit a message.
    Send {
        /// Who is meant to hear it.
        to: Recipient,
        /// The message itself.
        message: M::Message,
    },
    /// Set a timer, in place of its earlier deadline if it has one.
    SetTimer {
        /// The timer; it has one deadline at most.
        timer: M::Timer,
        /// The deadline, on the clock of `Context::now`.
        at: Time,
    },
    /// Take a deadline back.
    CancelTimer(M::Timer),
    /// Do something.
    Act(Action),
    /// Keep this for the next start, in place of what was kept before.
    Remember(M::Memory),
}

/// To whom a message goes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Recipient {
    /// Everybody in range.
    All,
    /// One robot, overheard by everybody in range.
    Named(RobotId),
    /// One robot, heard by nobody else.
    Only(RobotId),
}

/// What a driver lends a mechanism while it handles one input.
pub struct Context<'a, M: Mechanism> {
    now: Time,
    body: &'a Body,
    outputs: &'a mut Vec<Output<M>>,
    chance: &'a mut dyn Chance,
    notes: Option<&'a mut Vec<Note>>,
}

impl<'a, M: Mechanism> Context<'a, M> {
    /// A context for one input. Outputs are appended to `outputs`; notes are taken only if there is a place for them.
    #[inline(always)]
    pub fn new(
        now: Time,
        body: &'a Body,
        outputs: &'a mut Vec<Output<M>>,
        chance: &'a mut dyn Chance,
        notes: Option<&'a mut Vec<Note>>,
    ) -> Self {
        Self { now, body, outputs, chance, notes }
    }

    /// The same context for another robot: a broadcast goes through many machines with one.
    #[inline(always)]
    pub fn lend(&mut self, body: &'a Body) {
        self.body = body;
    }

    /// The robot whose input was handled last has put something out.
    #[inline(always)]
    pub fn has_outputs(&self) -> bool {
        !self.outputs.is_empty()
    }

    /// The time, on this robot's clock.
    #[inline(always)]
    pub fn now(&self) -> Time {
        self.now
    }

    /// This robot.
    #[inline(always)]
    pub fn me(&self) -> RobotId {
        self.body.id
    }

    /// This robot's body.
    #[inline(always)]
    pub fn body(&self) -> &'a Body {
        self.body
    }

    /// Leaves a choice among 0..n to chance.
    pub fn choose(&mut self, n: u32) -> u32 {
        self.chance.among(self.body.id, n)
    }

    /// Leaves a time less than `longest` to chance, in microseconds.
    pub fn within(&mut self, longest: Duration) -> Duration {
        self.chance.within(self.body.id, longest)
    }

    /// Leaves a share of a whole, from 0 up to but not including 1, to chance, in this many steps.
    pub fn share(&mut self, steps: u32) -> f64 {
        self.chance.share(self.body.id, steps)
    }

    /// 32 bits that tell one message of this robot from all its others.
    pub fn nonce(&mut self) -> u32 {
        self.chance.nonce(self.body.id)
    }

    /// 32 bits that no other life of this robot has drawn.
    pub fn fresh(&mut self) -> u32 {
        self.chance.fresh(self.body.id)
    }

    /// Sends a message.
    pub fn send(&mut self, to: Recipient, message: M::Message) {
        self.outputs.push(Output::Send { to, message });
    }

    /// Sends a message to everybody in range.
    pub fn broadcast(&mut self, message: M::Message) {
        self.send(Recipient::All, message);
    }

    /// Sets a timer, in place of its earlier deadline if it has one.
    pub fn set_timer(&mut self, timer: M::Timer, at: Time) {
        self.outputs.push(Output::SetTimer { timer, at });
    }

    /// Takes a deadline back.
    pub fn cancel_timer(&mut self, timer: M::Timer) {
        self.outputs.push(Output::CancelTimer(timer));
    }

    /// Asks the body to do something.
    pub fn act(&mut self, action: Action) {
        self.outputs.push(Output::Act(action));
    }

    /// Keeps `memory` for the next start.
    pub fn remember(&mut self, memory: M::Memory) {
        self.outputs.push(Output::Remember(memory));
    }

    /// Keeps `memory` for the next start, before anything leaves that this input has put out: for a machine that knows
    /// only at the end what it has to remember. A promise that is sent must not be forgotten by a crash.
    pub fn remember_first(&mut self, memory: M::Memory) {
        self.outputs.insert(0, Output::Remember(memory));
    }

    /// Notes an event, if anybody listens. The closure runs only then.
    #[inline(always)]
    pub fn note(&mut self, event: impl FnOnce() -> Event) {
        if let Some(notes) = &mut self.notes {
            notes.push(Note { at: self.now, robot: self.body.id, event: event() });
        }
    }
}
