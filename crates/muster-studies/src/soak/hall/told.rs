//! What the log of a reception says that robots felt, did and told each other, and whether a row says the same.
//!
//! Rows add up spells from one change to the next. This asks the log, tick by tick, how each robot was then.

use std::collections::BTreeMap;

use muster_core::Time;
use muster_core::affect::Name;
use muster_reception::robot::Command;
use muster_reception::{Deed, Line, Replay, TICK};

use crate::party::{RobotRow, Row, Said, Spent};

/// What rounding may add up to over all spells of a state, in seconds.
const TOLERANCE_S: f64 = 1e-6;

/// One state of a robot: how often it was entered, and for how many ticks it lasted.
#[derive(Clone, Debug, PartialEq)]
struct State {
    name: Name,
    times: u64,
    ticks: u64,
}

#[derive(Clone, Debug)]
struct Robot {
    name: Name,
    emotions: Vec<State>,
    behaviors: Vec<State>,
}

fn entered(states: &mut Vec<State>, name: &Name) {
    match states.iter_mut().find(|state| state.name == *name) {
        Some(state) => state.times += 1,
        None => states.push(State { name: name.clone(), times: 1, ticks: 0 }),
    }
}

fn lasted(states: &mut [State], name: &Name) {
    if let Some(state) = states.iter_mut().find(|state| state.name == *name) {
        state.ticks += 1;
    }
}

/// All robots, as the log has them from the beginning to `end`.
fn robots(log: &[Line], end: Time) -> Vec<Robot> {
    let mut robots: Vec<Robot> = Vec::new();
    for line in log {
        match &line.deed {
            Deed::Robot { name, emotion, behavior, .. } => {
                let first = |name: &Name| vec![State { name: name.clone(), times: 1, ticks: 0 }];
                robots.push(Robot { name: name.clone(), emotions: first(emotion), behaviors: first(behavior) });
            }
            Deed::Emotion { robot: of, new, .. } => {
                if let Some(robot) = robots.iter_mut().find(|robot| robot.name == *of) {
                    entered(&mut robot.emotions, new);
                }
            }
            Deed::Behavior { robot: of, new, .. } => {
                if let Some(robot) = robots.iter_mut().find(|robot| robot.name == *of) {
                    entered(&mut robot.behaviors, new);
                }
            }
            Deed::Init { .. }
            | Deed::Level { .. }
            | Deed::Command(_)
            | Deed::Heard(_)
            | Deed::Lost(_)
            | Deed::Note { .. }
            | Deed::Stop => {}
        }
    }
    let (mut replay, mut lines, mut now) = (Replay::default(), log.iter().peekable(), Time::ZERO);
    while now < end {
        while let Some(line) = lines.next_if(|line| line.at <= now) {
            replay.read(line);
        }
        for robot in &mut robots {
            if let Some(status) = replay.robot(&robot.name) {
                lasted(&mut robot.emotions, &status.emotion);
                lasted(&mut robot.behaviors, &status.behavior);
            }
        }
        now += TICK;
    }
    robots
}

/// How the row of a reception that ended at `end` differs from what its log says, if it does.
pub fn differs_from(log: &[Line], end: Time, row: &Row) -> Option<String> {
    let robots = robots(log, end);
    if row.outcome.len() != robots.len() {
        return Some(format!("{} robots are in the row, {} in the log", row.outcome.len(), robots.len()));
    }
    if row.end_s != end.as_secs_f64() {
        return Some(format!("end_s is {} in the row, it ended at {end}", row.end_s));
    }
    // A robot that fails ends the run: an invariant.
    if !row.completed {
        return Some("completed is false in the row, and no robot has failed".to_owned());
    }
    let of_robot = |(robot, told): (&RobotRow, &Robot)| {
        let differs = |states: &[State], spent: &[Spent]| {
            let same = |(state, spent): (&State, &Spent)| {
                let seconds = TICK.as_secs_f64() * state.ticks as f64;
                let share = seconds / end.as_secs_f64().max(f64::MIN_POSITIVE);
                state.name == spent.name
                    && state.times == spent.times
                    && (seconds - spent.seconds).abs() < TOLERANCE_S
                    && (share - spent.share).abs() < TOLERANCE_S
            };
            let same = states.len() == spent.len() && states.iter().zip(spent).all(same);
            (!same).then(|| format!("{} was {spent:?} in the row, {states:?} in the log", told.name))
        };
        if robot.robot != told.name {
            return Some(format!("{} is {} in the row", told.name, robot.robot));
        }
        differs(&told.emotions, &robot.emotions).or_else(|| differs(&told.behaviors, &robot.behaviors))
    };
    row.outcome.iter().zip(&robots).find_map(of_robot).or_else(|| said_differs(log, row))
}

fn said_differs(log: &[Line], row: &Row) -> Option<String> {
    let mut said: BTreeMap<(Name, Name, Name), (u64, u64)> = BTreeMap::new();
    for line in log {
        if let Deed::Command(Command { from, to, text }) | Deed::Lost(Command { from, to, text }) = &line.deed {
            let (times, lost) = said.entry((from.clone(), to.clone(), text.clone())).or_default();
            *(if matches!(line.deed, Deed::Lost(_)) { lost } else { times }) += 1;
        }
    }
    let (messages, lost) = said.values().fold((0, 0), |(times, lost), said| (times + said.0, lost + said.1));
    if (row.messages, row.messages_lost) != (messages, lost) {
        let in_row = format!("{} messages, {} of them lost, are in the row", row.messages, row.messages_lost);
        return Some(format!("{in_row}, {messages} and {lost} in the log"));
    }
    let differs = |in_row: &&Said| {
        let key = (in_row.from.clone(), in_row.to.clone(), in_row.command.clone());
        said.get(&key) != Some(&(in_row.times, in_row.lost))
    };
    let other = row.commands.iter().find(differs);
    let other = other.map(|said| format!("{said:?} is in the row, and not in the log"));
    other.or_else(|| (row.commands.len() != said.len()).then(|| "a command is missing from the row".to_owned()))
}
