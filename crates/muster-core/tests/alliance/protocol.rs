//! What L-ALLIANCE robots say, and what becomes of it on a radio that loses, doubles and delays, among robots that
//! restart. The report says little about it (§8.3, §8.8); what we chose is in docs/reproductions/alliance.md.

mod conflicts;
mod failure;
mod lives;
mod statements;
mod times;

use muster_core::alliance::{Config, Deed, Fixed, Known, Lesson, Memory, Message, Ordering, Rates, Stamp, Strategy};
use muster_core::alliance::{Quit, Step};
use muster_core::event::Drop;
use muster_core::{Action, Duration, Event, Output, Percept, Point, Recipient, RobotId, Task, TaskId, Time};

use crate::world::*;

use Ordering::{ModifiedShortest, Preferred, Regret, Replan};
use Strategy::{BestWins, Distrust, FightingChance};

/// A statement every 5 s, tau of 15 s.
fn live() -> Config {
    Config::parker_1995(FightingChance, Preferred, 3)
}

/// Says a thing once and presumes nobody gone.
fn quiet() -> Config {
    Config { period: None, silence: None, ..live() }
}

/// A robot that is at task A since 1 s.
fn at_a(config: Config) -> Robot {
    let known = knows(&[(A, &[(ME, 100.0), (R1, 100.0), (R2, 100.0)])]);
    let mut robot = Robot::new(ME, Config { ordering: ModifiedShortest, ..config }, &known);
    robot.give(sees(A));
    robot.until(1.0);
    assert_eq!(robot.active(), Some(A));
    robot
}

/// When it said what it does: seconds, and the task with the seconds it has been at it.
fn activities(robot: &Robot) -> Vec<(f64, Option<(TaskId, f64)>)> {
    let activity = |(said, message): &(Time, Message)| match message {
        Message::Activity { doing, .. } => {
            Some((said.as_secs_f64(), doing.map(|work| (work.task, work.elapsed.as_secs_f64()))))
        }
        _ => None,
    };
    robot.said.iter().filter_map(activity).collect()
}

fn stamps(robot: &Robot) -> Vec<Stamp> {
    let stamp = |(_, message): &(Time, Message)| match *message {
        Message::Activity { stamp, .. }
        | Message::Finished { stamp, .. }
        | Message::GaveUp { stamp, .. }
        | Message::Times { stamp, .. } => stamp,
    };
    robot.said.iter().map(stamp).collect()
}
