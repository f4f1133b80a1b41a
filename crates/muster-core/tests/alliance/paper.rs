//! What Parker's report on L-ALLIANCE says about motivations, one test per formula or claim of its sections 6 to 8.
//!
//! Sections are those of the report; K1 to K19 are the places where it contradicts itself, see
//! docs/reproductions/alliance.md. Times are seconds. Messages, lives and faults are in protocol.rs.

mod factors;
mod fixed;
mod learning;
mod ordering;
mod panel;
mod patience;
mod together;

use muster_core::alliance::{Config, Fixed, LearningPhase, Message, Ordering, Rates, Strategy, Timer};
use muster_core::alliance::{Quit, Step};
use muster_core::rng::{Purpose, Stream};
use muster_core::{Action, Duration, Order, Percept, Percepts, RobotId, Task, Time};
use muster_core::{Event, TaskId};

use crate::world::*;

use Ordering::{Longest, ModifiedRandom, ModifiedShortest, Preferred};
use Strategy::{BestWins, Distrust, FightingChance};

/// Three robots that say a thing once, hear everything and presume nobody gone.
fn quiet(strategy: Strategy, ordering: Ordering) -> Config {
    Config::parker_1995(strategy, ordering, 3).without_repetition()
}

/// The same, always bored: tasks of the second category do not wait.
fn bored(strategy: Strategy, ordering: Ordering) -> Config {
    Config { boredom: Duration::ZERO, ..quiet(strategy, ordering) }
}

/// Never bored: what is of the second category is never begun.
fn never_bored(strategy: Strategy, ordering: Ordering) -> Config {
    Config { boredom: secs(1e9), ..quiet(strategy, ordering) }
}

/// As the report has it, with statements every 5 s and a tau of 15 s, and never bored.
fn with_silence(team: u32) -> Config {
    Config { boredom: secs(1e9), ..Config::parker_1995(FightingChance, Preferred, team) }
}

/// A training mission on a radio that loses nothing.
fn training() -> Config {
    Config { period: None, silence: None, ..Config::training(3) }
}

fn fixed(fast_s: f64, patience_s: f64, yielding_s: f64, giving_up_s: f64) -> Config {
    let fixed = Fixed {
        fast: secs(fast_s),
        patience: secs(patience_s),
        yielding: secs(yielding_s),
        giving_up: secs(giving_up_s),
    };
    Config { period: None, silence: None, ..Config::alliance_1998(fixed, 3) }
}

#[track_caller]
fn assert_close(got: f64, expected: f64) {
    assert!((got - expected).abs() < 1e-5, "got {got}, expected {expected}");
}

/// A robot that sees task A at time 0.
fn before_a(config: Config, times: &[(RobotId, f64)]) -> Robot {
    let mut robot = Robot::new(ME, config, &knows(&[(A, times)]));
    robot.give(sees(A));
    robot
}

/// A robot that is at task A, and since when.
fn at_a(config: Config, times: &[(RobotId, f64)]) -> (Robot, f64) {
    let mut robot = before_a(config, times);
    robot.until(5.0);
    let (since, task) = robot.activations()[0];
    assert_eq!((robot.active(), task), (Some(A), A));
    (robot, since)
}

/// A draw of this share of the range.
fn draw(share: f64) -> u32 {
    (share * f64::from(1 << 24)) as u32
}
