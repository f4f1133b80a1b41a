//! How fast a run is shown. The wall clock is here and nowhere else: it decides how much of a run is shown by when, and
//! nothing of what happens in it.

use std::time::Instant;

use muster_core::{Duration, Time};

/// The slowest and the fastest speed that can be asked for, times real time.
pub const SPEEDS: std::ops::RangeInclusive<f64> = 0.1..=1_000.0;

/// The clock of a run.
pub struct Clock {
    speed: f64,
    since: Option<(Instant, Time)>,
}

impl Clock {
    /// It stands still, and will run at this speed.
    pub fn new(speed: f64) -> Self {
        Self { speed, since: None }
    }

    /// Times real time; 0 is as fast as it goes.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Another speed. What is none is taken for the nearest that is one.
    pub fn set_speed(&mut self, speed: f64, now: Time) {
        let slow = *SPEEDS.start();
        self.speed = if speed <= 0.0 || speed.is_nan() { 0.0 } else { speed.clamp(slow, *SPEEDS.end()) };
        if self.runs() {
            self.start(now);
        }
    }

    /// It runs.
    pub fn runs(&self) -> bool {
        self.since.is_some()
    }

    /// Lets it run from `now` on; also after the run could not keep up.
    pub fn start(&mut self, now: Time) {
        self.since = Some((Instant::now(), now));
    }

    /// Holds it.
    pub fn hold(&mut self) {
        self.since = None;
    }

    /// How far the run is to have come by now.
    pub fn due(&self) -> Time {
        match self.since {
            None => Time::ZERO,
            Some(_) if self.speed == 0.0 => Time::NEVER,
            Some((wall, from)) => from + Duration::from_secs_f64(wall.elapsed().as_secs_f64() * self.speed),
        }
    }
}
