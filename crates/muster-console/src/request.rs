//! What viewers ask of the director of the run.

use muster_core::Time;
use tokio::sync::oneshot;

use crate::audience::Moment;
use crate::wire::{Answered, Question, StepBy};

/// An answer, or why there is none.
pub type Answer = Result<Answered, String>;

/// A moment of the past: poses and all the rest.
pub struct Seen {
    /// Poses.
    pub frame: Vec<u8>,
    /// The rest.
    pub moment: Moment,
}

/// What is asked of the director of the run.
pub enum Request {
    /// Something about the clock or the run, by a viewer.
    Control(u64, Control),
    /// A moment of the past.
    Look {
        /// Instant of the run that is to be shown.
        at: Time,
        /// Numbers of the robots whose cards are open.
        watched: Vec<u32>,
        /// Where to. Nothing, if its past cannot be shown.
        reply: oneshot::Sender<Option<Seen>>,
    },
    /// A question about everything up to a time.
    Ask {
        /// The question itself.
        question: Question,
        /// The time that the viewer looks at, unless that is now.
        until: Option<Time>,
        /// Takes the answer; the viewer that asked may have left.
        reply: oneshot::Sender<Answer>,
    },
    /// Who watches which robots has changed.
    Watching,
    /// The server is to end.
    Quit,
}

/// Something about the clock or the run.
#[derive(Clone, Debug)]
pub enum Control {
    /// Another run.
    Load {
        /// Name of a built-in scenario, or of the one on the command line.
        scenario: String,
        /// From which seed.
        seed: Option<u64>,
        /// With which strategy.
        strategy: Option<String>,
    },
    /// The same from the beginning.
    Init,
    /// Let the clock run.
    Start,
    /// Hold it.
    Pause,
    /// End the run.
    Stop,
    /// A little further.
    Step(StepBy),
    /// Times real time; 0: as fast as it goes.
    Speed(f64),
    /// Run on to that time.
    Goto(Time),
}
