//! Guests that walk about at random. [CARS, Obstacles]

use std::f64::consts::TAU;

use muster_core::rng::{Purpose, Stream, Triangular};
use muster_core::{Duration, Time};
use serde::{Deserialize, Serialize};

use super::grid::Grid;
use super::place::{FOOT, Spot};

/// Guests whose surroundings are fetched together: a large field is in no cache, and one after the other each would wait
/// for memory by itself.
const GROUP: usize = 64;

/// How guests move: each keeps its direction and speed for a while, then draws another direction, uniformly, another
/// speed and another while.
///
/// What a guest covers in a tick is rounded to whole 1/32,768 ft: nothing at ticks of a second, a per cent or so of the
/// speed at ticks of a millisecond.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gait {
    /// Speed, in feet per second.
    pub speed_fps: Triangular,
    /// For how long it is kept, in seconds.
    pub duration_s: Triangular,
}

/// A guest and the leg that it walks. 24 bytes, gone through in order every tick.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Walker {
    pub at: Spot,
    pub velocity_fps: [f32; 2],
    /// The first tick that begins then or later begins another leg.
    pub until: Time,
}

/// All of them. They share one stream: when they draw depends on nothing but the clock, so that what robots do does not
/// shift anybody's dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Walkers {
    gait: Gait,
    dice: Stream,
    pub guests: Vec<Walker>,
}

impl Walkers {
    /// Guests at these places, about to walk.
    pub fn new(gait: Gait, spots: Vec<Spot>, seed: u64) -> Self {
        let mut dice = Stream::of_run(seed, Purpose::Guests);
        let guest = |at| gait.leg(Walker { at, velocity_fps: [0.0; 2], until: Time::ZERO }, Time::ZERO, &mut dice);
        let guests = spots.into_iter().map(guest).collect();
        Self { gait, dice, guests }
    }

    pub fn tick(&mut self, grid: &mut Grid, now: Time, dt: Duration) {
        let scale = units_in(dt);
        for group in self.guests.chunks_mut(GROUP) {
            let mut wanted = [Spot::new(0, 0); GROUP];
            for (guest, to) in group.iter_mut().zip(&mut wanted) {
                if guest.until <= now {
                    *guest = self.gait.leg(*guest, now, &mut self.dice);
                }
                *to = guest.at.moved(guest.velocity_fps.map(|fps| fps * scale));
                grid.fetch(*to);
            }
            for (guest, to) in group.iter_mut().zip(wanted) {
                // A guest that is blocked stays, and tries again for as long as its leg lasts.
                let _ = grid.advance(&mut guest.at, to);
            }
        }
    }
}

impl Gait {
    #[inline(never)]
    fn leg(&self, guest: Walker, now: Time, dice: &mut Stream) -> Walker {
        let velocity_fps = velocity(TAU * dice.uniform(), self.speed_fps.draw(dice));
        let until = now + Duration::from_secs_f64(self.duration_s.draw(dice));
        Walker { velocity_fps, until, ..guest }
    }
}

/// Units of spots that a body covers in `dt` for each foot per second.
pub(super) fn units_in(dt: Duration) -> f32 {
    (dt.as_secs_f64() * f64::from(FOOT)) as f32
}

/// East and north.
pub(super) fn velocity(heading: f64, speed_fps: f64) -> [f32; 2] {
    let (sin, cos) = libm::sincos(heading);
    [(speed_fps * cos) as f32, (speed_fps * sin) as f32]
}
