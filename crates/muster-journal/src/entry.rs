//! What our own channel is made of: one entry per input and per output, encoded by postcard. New kinds are added at the
//! end, so that what was recorded before can be read.

use muster_core::event::Happening;
use muster_core::mechanism::{Mechanism, Recipient};
use muster_core::motion::Motion;
use muster_core::{Action, Order, Percept, RobotId, Time};
use serde::{Deserialize, Serialize};

use crate::draw::Draw;

/// One entry. Generic, so that what is recorded can be borrowed and what is read can be owned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Entry<Message, Timer, Memory> {
    /// An input was handed to a robot.
    Input {
        /// The robot that got it.
        robot: RobotId,
        /// How its body moves, if that is not how it moved at its input before. All of it: a vehicle that bids asks
        /// its body where it will be.
        moved: Option<Motion>,
        /// The input.
        given: Given<Message, Timer, Memory>,
    },
    /// The robot of the input before put this out.
    Output(Put<Message, Timer, Memory>),
    /// The transmission before was lost for everybody.
    Lost,
    /// Somebody intervened: this, as a file of interventions has it.
    Intervened(String),
    /// The world did something to a robot, or to the radio ([`RobotId::NOBODY`]).
    Happened {
        /// The robot.
        robot: RobotId,
        /// What it did.
        what: Happening,
    },
    /// What a robot that records by itself drew at its next input, in order. A run of a seed draws the same again, so
    /// recordings of it do without.
    Drew(Vec<Draw>),
}

/// An entry that owns what it holds.
pub type Owned<M> = Entry<<M as Mechanism>::Message, <M as Mechanism>::Timer, <M as Mechanism>::Memory>;

/// An input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Given<Message, Timer, Memory> {
    /// It started, or started again.
    Start(Option<Memory>),
    /// A timer came due.
    Fired(Timer),
    /// Its senses spoke.
    Perceived(Percept),
    /// An operator spoke.
    Ordered(Order),
    /// It heard a transmission of this file. Only the number: the message stands where it was sent, so that the two
    /// cannot differ.
    Heard(u64),
    /// It heard a transmission that stands in the file of another robot, if anywhere.
    Received {
        /// The robot that sent it.
        from: RobotId,
        /// Whom it was meant for.
        to: Recipient,
        /// The message.
        message: Message,
    },
}

/// An output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Put<Message, Timer, Memory> {
    /// A transmission; they are numbered from zero in the order of the file.
    Send(Recipient, Message),
    /// A timer was set.
    SetTimer(Timer, Time),
    /// A timer was taken back.
    CancelTimer(Timer),
    /// The body was asked to do something.
    Act(Action),
    /// Something was to be kept.
    Remember(Memory),
}
