//! What page and server say to each other, as types. Nothing goes over the WebSocket that is not one of these or a frame
//! of poses (`frame.rs`). wire.d.ts, which the page is checked against, is made of them by the test below; their comments
//! go with it. docs/console-wire.md says in which order they come.

mod bids;
#[cfg(test)]
mod declarations;
mod plots;
mod run;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use bids::{Bid, Bids, Choice};
pub use plots::{Curve, PlotGroup, PlotKind, Plots, Values};
pub use run::{
    FamilyAbout, FieldSize, Layout, LengthUnit, Obstacle, PushedBox, Replay, Ring, RobotAbout, Run, RunKind, Source,
    TaskAbout,
};

use crate::scene::{Card, Glance, Line, Story};

/// The version of what is said: a page of another one is warned.
pub const VERSION: u32 = 2;

/// What the server says.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum ToPage<'a> {
    /// The first of all, once.
    Hello(Hello),
    /// Something is loaded: after `hello` if something was already, and whenever something else is.
    Run(Arc<Run>),
    /// How the run stands: after `run`, when it changes, and once a second while the run goes on.
    Standing(Standing),
    /// What there is to see apart from poses, a few times a second while it changes.
    Moment(Moment<'a>),
    /// More of the log: every line once, in order, without gaps.
    Lines(Lines),
    /// The answer to a question, or why there is none.
    Answer(Answer),
    /// Something that was asked for cannot be done.
    Error(Arc<Trouble>),
}

impl ToPage<'_> {
    /// As it goes over the WebSocket.
    pub fn to_text(&self) -> String {
        // Numbers, texts and lists: none of them can fail to be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The greeting of the server.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Hello {
    /// The version of what is said.
    #[cfg_attr(test, schemars(extend("const" = VERSION)))]
    pub wire: u32,
    /// The version of the program.
    pub version: String,
    /// The commit that it was built from.
    pub commit: String,
    /// New each time a server starts: a page that comes back sees whether it is the same one.
    pub server: String,
    /// The number of this viewer.
    pub viewer: u64,
    /// The scenarios that a page can load.
    pub scenarios: Arc<[ScenarioAbout]>,
    /// The name of the scenario that the server was started with.
    pub given: Option<String>,
}

/// A scenario that can be loaded.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ScenarioAbout {
    /// Its name, to be loaded by.
    pub name: String,
    /// Its description.
    pub about: String,
    /// A mission or a reception.
    pub kind: RunKind,
    /// Strategies that its robots know.
    pub strategies: Vec<&'static str>,
}

/// How the run stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Standing {
    /// The number of the run.
    pub run: u64,
    /// Whether it goes on.
    pub is: RunState,
    /// Times real time, 0.1 to 1000; 0: as fast as it goes.
    pub speed: f64,
    /// How far it has come.
    pub live_s: f64,
    /// How it ended, in a sentence, if it did.
    pub over: Option<String>,
    /// How many pages look on.
    pub viewers: usize,
    /// The file that the log is written to.
    pub log: Option<String>,
}

/// Whether a run goes on.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// Initialised, at its beginning.
    Ready,
    /// It goes on.
    Running,
    /// Its clock is held.
    Paused,
    /// It was ended by Stop.
    Stopped,
    /// Nothing is left to happen.
    Over,
}

/// What there is to see at a time, apart from poses.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Moment<'a> {
    /// The number of the run.
    pub run: u64,
    /// The time that is shown.
    pub at: f64,
    /// This is the live edge, not a moment of the past.
    pub live: bool,
    /// What everybody is shown.
    #[serde(flatten)]
    pub glance: &'a Glance,
    /// The robots that this viewer watches.
    pub cards: Vec<&'a Card>,
}

/// More of the log.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Lines {
    /// The number of the run.
    pub run: u64,
    /// The number of the first of these lines.
    pub from: usize,
    /// At most 400 lines.
    pub lines: Vec<Arc<Line>>,
}

/// The answer to a question, or why there is none.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Answer {
    /// The answer.
    Given {
        /// The number of the question.
        id: u64,
        /// What was asked, and the value.
        #[serde(flatten)]
        answered: Answered,
    },
    /// There is none.
    Failed {
        /// The number of the question.
        id: u64,
        /// The question, as the page asked it.
        what: Asked,
        /// Why there is no answer, in a sentence.
        error: String,
    },
}

/// Values of answers, by what was asked.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "what", content = "value", rename_all = "lowercase")]
pub enum Answered {
    /// Somebody is there.
    Ping(()),
    /// The story of a task, up to the time that the viewer looks at.
    Task(Box<Story>),
    /// The story of a robot: what it said and heard, what it was chosen for.
    Robot(Box<Story>),
    /// The bids for a task; null if it was not auctioned by then.
    Costs(Option<Box<Bids>>),
    /// What is plotted over time.
    Plots(Plots),
}

/// What can be asked, in a word.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Asked {
    /// Whether anybody is there.
    Ping,
    /// The story of a task.
    Task,
    /// The story of a robot.
    Robot,
    /// The bids for a task.
    Costs,
    /// What is plotted over time.
    Plots,
}

/// Something that was asked for cannot be done.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Trouble {
    /// The request that failed.
    pub what: Matter,
    /// What failed, with which value.
    pub message: String,
    /// What to try.
    pub help: String,
    /// The whole report with file and line, if there is one.
    pub detail: Option<String>,
}

impl Trouble {
    /// One that a sentence tells.
    pub fn new(what: Matter, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { what, message: message.into(), help: help.into(), detail: None }
    }
}

/// What a trouble is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Matter {
    /// Loading a scenario.
    Load,
    /// Beginning a run.
    Init,
    /// Doing anything while nothing is loaded.
    Run,
    /// Letting the clock run.
    Start,
    /// Writing the log.
    Log,
    /// A seed.
    Seed,
    /// A message that makes no sense.
    Message,
    /// Going to a time.
    Goto,
    /// Looking at the past.
    Seek,
}

/// What a page says.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum FromPage {
    /// It is here, perhaps again: the first of all.
    Join {
        /// The run that it knows, if it comes back.
        run: Option<u64>,
        /// The server that it knows, if it comes back.
        server: Option<String>,
        /// The number of the next line of the log that it wants.
        next: Option<usize>,
    },
    /// Another run, for everybody; initialised at once.
    Load {
        /// The name of the scenario.
        scenario: String,
        /// The seed; as text, since a page's numbers do not hold 64 bits.
        seed: Option<String>,
        /// The strategy.
        strategy: Option<String>,
    },
    /// The same run from the beginning, with a new number.
    Init,
    /// Let the shared clock run.
    Start,
    /// Hold the shared clock.
    Pause,
    /// End the run.
    Stop,
    /// A little further.
    Step {
        /// To the next event, or to the next line of the log.
        #[serde(default)]
        by: StepBy,
    },
    /// How fast it is shown.
    Speed {
        /// Times real time; 0: as fast as it goes.
        speed: f64,
    },
    /// Run on to that time, as fast as it goes, and pause there.
    Goto {
        /// Seconds.
        at: f64,
    },
    /// This viewer alone looks at that time; without one, at the live edge again.
    Seek {
        /// Seconds.
        at: Option<f64>,
    },
    /// This viewer wants the cards of these robots, at most 100.
    Watch {
        /// Their numbers.
        robots: Vec<u32>,
    },
    /// A question.
    Ask {
        /// Its number, which the answer has, too.
        id: u64,
        /// The question, with what it is about.
        #[serde(flatten)]
        question: Question,
    },
}

/// How far a step goes.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum StepBy {
    /// To the next event; in a reception, to the next tick.
    #[default]
    Event,
    /// To the next line of the log.
    Line,
}

/// A question of a viewer.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum Question {
    /// Whether anybody is there.
    Ping,
    /// The story of a task.
    Task {
        /// The number of the task.
        task: u32,
    },
    /// The story of a robot.
    Robot {
        /// The number of the robot.
        robot: u32,
    },
    /// The bids for a task.
    Costs {
        /// The number of the task.
        task: u32,
    },
    /// What is plotted over time.
    Plots,
}

impl Question {
    /// The question in a word, as its answer has it.
    pub const fn asked(self) -> Asked {
        match self {
            Self::Ping => Asked::Ping,
            Self::Task { .. } => Asked::Task,
            Self::Robot { .. } => Asked::Robot,
            Self::Costs { .. } => Asked::Costs,
            Self::Plots => Asked::Plots,
        }
    }
}
