//! The recruitment protocol step by step: given this state and this input, expect these outputs and notes.
//!
//! Deadlines are those of [`Config::gage_2004`]: 2 s of collecting, 3 s of pause, ETA + 10 s for ARRIVAL, 10 s for
//! ACKACK, 10 s for RESPONDER, 5 s for AGREE, a lease of 20 s. The harness lets a timer be given only when it is due.

mod both_sides;
mod doubled_and_delayed;
mod leases;
mod needs;
mod newer_calls;
mod out_of_turn;
mod panel;
mod renewals;
mod restarts;
mod timeouts;
mod waiting;

use muster_core::event::Drop;
use muster_core::recruitment::{Answer, Awaited, Choice, Silence, Step};
use muster_core::recruitment::{Config, Memory, Message, Renewal, Request, Responding, Stage, Strategy, Timer};
use muster_core::{Action, Event, Order, Percept, Percepts, Phase, Point, Recipient, RobotId, Task, TaskId, Time};

use crate::world::*;

fn gage() -> Config {
    Config::gage_2004()
}

fn safe() -> Config {
    Config::safe()
}

/// A requester that has called for the mine at 0 s and collects.
fn collecting(config: Config) -> Robot {
    let mut uav = Robot::new(UAV, 0.0, config);
    uav.give(sees(MINE));
    uav
}

/// Got no ACCEPT by 2 s.
fn pausing(config: Config) -> Robot {
    let mut uav = collecting(config);
    uav.give_at(2.0, Given::Due(Timer::Requesting));
    uav
}

/// Chose R1 at 2 s, which says that it needs 20 s.
fn awaiting_arrival(config: Config) -> Robot {
    let mut uav = collecting(config);
    uav.give_at(1.0, hears(R1, accept(first(), 20.0)));
    uav.give_at(2.0, Given::Due(Timer::Requesting));
    uav
}

/// Agreed at 22 s to R1's lease of 20 s.
fn awaiting_ackack(config: Config) -> Robot {
    let mut uav = awaiting_arrival(config);
    uav.give_at(22.0, hears(R1, arrival(first(), 20.0)));
    uav
}

/// Got no ACKACK by 32 s and waits the lease out, until 42.2 s.
fn barred() -> Robot {
    let mut uav = awaiting_ackack(safe());
    uav.give_at(32.0, Given::Due(Timer::Requesting));
    uav
}

/// Handed the mine over to R1 at 23 s.
fn served(config: Config) -> Robot {
    let mut uav = awaiting_ackack(config);
    uav.give_at(23.0, hears(R1, ackack(first())));
    uav
}

/// A robot 20 units from the mine that answers every HELP.
fn idle(config: Config) -> Robot {
    Robot::new(R1, 20.0, config.with(Strategy::Greedy))
}

/// Sent ACCEPT at 0 s.
fn offered(config: Config) -> Robot {
    let mut robot = idle(config);
    robot.give(hears(UAV, help(first())));
    robot
}

/// Set out at 2 s.
fn travelling(config: Config) -> Robot {
    let mut robot = offered(config);
    robot.give_at(2.0, hears(UAV, responder(first(), R1)));
    robot
}

/// Sent ARRIVAL at 22 s.
fn arrived(config: Config) -> Robot {
    let mut robot = travelling(config);
    robot.give_at(22.0, Given::Senses(Percept::Arrived));
    robot
}

/// Sent ACKACK at 23 s.
fn working(config: Config) -> Robot {
    let mut robot = arrived(config);
    robot.give_at(23.0, hears(UAV, agree(first(), 20.0)));
    robot
}

fn all_requesters() -> [(&'static str, Robot); 7] {
    [
        ("silent", Robot::new(UAV, 0.0, gage())),
        ("collecting", collecting(gage())),
        ("pausing", pausing(gage())),
        ("awaiting ARRIVAL", awaiting_arrival(gage())),
        ("awaiting ACKACK", awaiting_ackack(gage())),
        ("barred", barred()),
        ("served", served(gage())),
    ]
}

fn all_responders() -> [(&'static str, Robot); 5] {
    [
        ("idle", idle(gage())),
        ("offered", offered(gage())),
        ("travelling", travelling(gage())),
        ("arrived", arrived(gage())),
        ("working", working(gage())),
    ]
}

/// What a robot notes that is too far away: its SHAME stays as it is.
fn too_far(request: Request, shame: f64, distance_m: f64) -> Event {
    let (task, round, why) = (request.need, request.attempt, Silence::TooFar);
    Event::Recruitment(Step::Silent {
        with: UAV,
        task,
        round,
        why,
        shame,
        shame_after: shame,
        threshold: 0.75,
        distance_m,
    })
}
