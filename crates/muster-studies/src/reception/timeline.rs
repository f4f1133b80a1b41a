//! One run as it went: what the two felt and did, and Butler's treats.

use muster_reception::Line;
use muster_reception::robot::butler;
use serde::Serialize;

use super::runs::{PAPER, ROBOTS};
use super::stage::{begins, two};

/// How much of a run is shown, in seconds: more cannot be told apart.
pub const SHOWN_S: u64 = 600;

/// A run as it went.
#[derive(Clone, Debug, Serialize)]
pub struct Timeline {
    /// Its seed.
    pub seed: u64,
    /// Guests.
    pub guests: usize,
    /// How much of it is here, in seconds.
    pub seconds: u64,
    /// For each robot when it began to feel what, and what it did then.
    pub robots: Vec<Course>,
    /// When Butler had how many treats: the first second with that number.
    pub treats: Vec<(u64, f64)>,
    /// Exchanges that began.
    pub exchanges: usize,
}

/// A robot's states over time.
#[derive(Clone, Debug, Serialize)]
pub struct Course {
    /// The robot's name.
    pub robot: &'static str,
    /// From when on what was felt and done.
    pub states: Vec<(u64, String, String)>,
}

/// Lives through a run.
pub fn timeline(seed: u64) -> Option<Timeline> {
    let mut reception = two(PAPER, seed).ok()?;
    let mut lines: Vec<Line> = Vec::new();
    reception.init(&mut lines).ok()?;
    reception.start().ok()?;
    let mut robots = ROBOTS.map(|robot| Course { robot, states: Vec::new() }).to_vec();
    let mut treats: Vec<(u64, f64)> = Vec::new();
    for second in 0..=SHOWN_S {
        if second > 0 {
            reception.tick(&mut lines);
        }
        for course in &mut robots {
            let now = reception.robot(course.robot)?;
            let same =
                |(_, emotion, behavior): &(u64, String, String)| now.emotion == **emotion && now.behavior == **behavior;
            if !course.states.last().is_some_and(same) {
                course.states.push((second, now.emotion.to_string(), now.behavior.to_string()));
            }
        }
        let left = reception.robot(ROBOTS[0])?.variables.number("treats")?;
        if treats.last().is_none_or(|(_, before)| *before != left) {
            treats.push((second, left));
        }
    }
    let exchanges = begins(&lines, ROBOTS[0], butler::EXCHANGE);
    Some(Timeline { seed, guests: PAPER, seconds: SHOWN_S, robots, treats, exchanges })
}
