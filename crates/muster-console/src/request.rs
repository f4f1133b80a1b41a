//! What viewers ask of whoever directs the run.

use muster_core::Time;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::audience::Moment;
use crate::stage::Subject;

/// What a page says, as JSON.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Said {
    /// It is here, perhaps again.
    Join {
        /// The run that it knows.
        run: Option<u64>,
        /// The server that it knows.
        server: Option<String>,
        /// The number of the next line that it wants.
        next: Option<usize>,
    },
    /// Another run, for everybody.
    Load {
        /// Which scenario.
        scenario: String,
        /// From which seed; as text, since a page's numbers do not hold 64 bits.
        seed: Option<String>,
        /// With which strategy.
        strategy: Option<String>,
    },
    /// The same run from the beginning.
    Init,
    /// Let the clock run.
    Start,
    /// Hold the clock.
    Pause,
    /// End the run.
    Stop,
    /// A little further.
    Step {
        /// How far.
        #[serde(default)]
        by: StepBy,
    },
    /// How fast it is shown.
    Speed {
        /// Times real time; 0: as fast as it goes.
        speed: f64,
    },
    /// Run on to that time and pause there.
    Goto {
        /// Seconds.
        at: f64,
    },
    /// This viewer looks at that time; at the live edge without.
    Seek {
        /// Seconds.
        at: Option<f64>,
    },
    /// This viewer wants the cards of these robots.
    Watch {
        /// By number.
        robots: Vec<u32>,
    },
    /// A question.
    Ask {
        /// Its number.
        id: u64,
        /// What about.
        #[serde(flatten)]
        question: Question,
    },
}

/// How far a step goes.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepBy {
    /// To the next event.
    #[default]
    Event,
    /// To the next line of the log.
    Line,
}

/// A question of a viewer.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum Question {
    /// Whether anybody is there.
    Ping,
    /// The story of a task.
    Task {
        /// Which.
        task: u32,
    },
    /// The story of a robot.
    Robot {
        /// Which.
        robot: u32,
    },
    /// The bids for a task.
    Costs {
        /// Which.
        task: u32,
    },
    /// What is plotted.
    Plots,
}

impl Question {
    /// What its answer is called.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ping => "ping",
            Self::Task { .. } => "task",
            Self::Robot { .. } => "robot",
            Self::Costs { .. } => "costs",
            Self::Plots => "plots",
        }
    }

    /// What a story is asked about, if it is one.
    pub const fn subject(self) -> Option<Subject> {
        match self {
            Self::Task { task } => Some(Subject::Task(task)),
            Self::Robot { robot } => Some(Subject::Robot(robot)),
            Self::Ping | Self::Costs { .. } | Self::Plots => None,
        }
    }
}

/// An answer, or why there is none.
pub type Answer = Result<Value, String>;

/// A moment of the past: poses and all the rest.
pub struct Seen {
    /// Poses.
    pub frame: Vec<u8>,
    /// The rest.
    pub moment: Moment,
}

/// What is asked of whoever directs the run.
pub enum Request {
    /// Something about the clock or the run, by a viewer.
    Control(u64, Control),
    /// A moment of the past.
    Look {
        /// When.
        at: Time,
        /// Whose cards.
        watched: Vec<u32>,
        /// Where to. Nothing, if its past cannot be shown.
        reply: oneshot::Sender<Option<Seen>>,
    },
    /// A question about everything up to a time.
    Ask {
        /// What.
        question: Question,
        /// The time that the viewer looks at, unless that is now.
        until: Option<Time>,
        /// Where to.
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
        /// Which scenario.
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
