//! The shipped table, and a robot that feels.

use std::sync::{Arc, LazyLock};

use muster_core::Time;
use muster_core::affect::{Felt, Generator, Input, Intensity, Personality, Rows, State, Story, Table};

/// The shipped file: the core itself reads none.
pub const SHIPPED: &str = include_str!("../../../muster-sim/data/emotions.toml");

static TABLE: LazyLock<Arc<Table>> = LazyLock::new(|| Arc::new(Table::new(rows(SHIPPED)).unwrap()));

/// The shipped table.
pub fn table() -> Arc<Table> {
    TABLE.clone()
}

pub fn rows(text: &str) -> Rows {
    toml::from_str(text).unwrap()
}

pub fn at(seconds: f64) -> Time {
    Time::from_secs_f64(seconds)
}

pub fn level(value: f64) -> Intensity {
    Intensity::new(value).unwrap()
}

/// A robot that feels, with its clock.
pub struct Robot {
    pub generator: Generator,
    pub state: State,
}

impl Robot {
    /// A waiter that depends on Leguin, of this caution.
    pub fn waiter(caution: f64) -> Self {
        Self::of(&table(), "waiter", caution)
    }

    pub fn of(table: &Arc<Table>, role: &str, caution: f64) -> Self {
        let generator = Generator::new(table.clone(), role, Personality::cautious(level(caution))).unwrap();
        Self::new(generator)
    }

    pub fn new(generator: Generator) -> Self {
        let state = generator.start(Time::ZERO, Story::new("to serve treats", "Leguin"));
        Self { generator, state }
    }

    pub fn feels(&mut self, seconds: f64, input: Input) -> Felt {
        self.generator.feel(&mut self.state, at(seconds), input).unwrap()
    }

    pub fn name(&self) -> &str {
        &self.state.emotion().name
    }
}

/// The table with a role whose emotions are the paper's HAPPY, CONCERNED, FRUSTRATED.
pub fn with_progress() -> Arc<Table> {
    Arc::new(table().extended(rows("[roles.robot]\nscale = \"progress\"")).unwrap())
}

pub fn good(importance: f64) -> Input {
    Input::Positive { importance: level(importance), what: "progress".into() }
}

pub fn bad(importance: f64) -> Input {
    Input::Negative { importance: level(importance), what: "an obstacle".into() }
}
