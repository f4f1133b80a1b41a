//! What Gage & Murphy 2004 say about the protocol and about SHAME, one test per claim or formula.
//!
//! Sections are those of the paper: Approach, Implementation, Recruitment Strategies, Results and its
//! parts, Illustrative Use Cases, Conclusions. Where the paper contradicts itself, the test states both
//! sides. Distances are in the paper's units; a robot drives one unit a second unless stated otherwise.

mod messages;
mod shame;
mod strategies;

use muster_core::affect::Intensity;
use muster_core::recruitment::{Answer, Choice, Silence, Step};
use muster_core::recruitment::{Config, Message, Messaging, Responding, Shame, Strategy, Timer};
use muster_core::rng::{Purpose, Stream};
use muster_core::{Action, Event, Input, Percept, Percepts, Phase, Recipient};

use crate::world::*;

/// The period at which the paper's tables can be reproduced: 2 s of collecting and 3 s of pause.
const PERIOD_S: f64 = 5.0;

/// So far that `d(D)` hardly matters, and within the hour that a requester waits for a robot at most.
const FAR: f64 = 3_000.0;

/// The paper's "infinitely far apart": `d(D)` is lost in rounding. Only [`boundless`] robots answer from there.
const INFINITELY_FAR: f64 = 1e12;

fn gage() -> Config {
    Config::gage_2004()
}

fn gage_with(shame: Shame) -> Config {
    Config { shame, ..gage() }
}

/// The paper knows no longest time to arrive.
fn boundless(shame: Shame) -> Config {
    Config { longest_eta: secs(f64::INFINITY), ..gage_with(shame) }
}

fn greedy() -> Config {
    gage().with(Strategy::Greedy)
}

/// Floating-point sums in another order may differ in their last bits.
#[track_caller]
fn assert_close(got: f64, expected: f64) {
    assert!((got - expected).abs() < 1e-9, "got {got}, expected {expected}");
}

fn intensity(shame: f64) -> Intensity {
    Intensity::new(shame).unwrap()
}

/// The SHAME of a robot at (`x`, 0) after one HELP from the origin.
fn shame_after_one_help(x: f64) -> f64 {
    let mut robot = Robot::new(R1, x, gage());
    robot.answers(0.0, 1);
    robot.machine.shame().get()
}

/// A robot at (`x`, 0) that was chosen for the first call and has arrived at 30 s.
fn arrived(config: Config) -> Robot {
    let mut robot = Robot::new(R1, 20.0, config.with(Strategy::Greedy));
    robot.give_at(8.0, hears(UAV, help(first())));
    robot.give_at(10.0, hears(UAV, responder(first(), R1)));
    robot.give_at(30.0, Given::Senses(Percept::Arrived));
    robot
}

/// A requester that has called once, at time 0, for the mine.
fn calling(config: Config) -> Robot {
    let mut uav = Robot::new(UAV, 0.0, config);
    uav.give(sees(MINE));
    uav
}
