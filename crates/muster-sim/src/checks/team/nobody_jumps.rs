//! Bodies move no faster than they can, and are somewhere at any time.

use muster_core::{Check, Mechanism, Point, Time};

use crate::mission::Mission;
use crate::sim::View;

/// What rounding to microseconds of travel can add up to between two events.
const SLACK_M: f64 = 0.01;

/// No robot is further from where it was than its speed allows.
pub struct NobodyJumps {
    /// By robot: where it was last seen, and when. `None` for robots that the mission itself puts somewhere.
    seen: Vec<Option<(Time, Option<Point>)>>,
}

impl NobodyJumps {
    /// For the robots of `mission`; those that are put at a task whenever they are switched on are left out.
    pub fn new(mission: &Mission) -> Self {
        let seen = mission.robots.iter().map(|robot| robot.put_at.is_none().then_some((Time::ZERO, None)));
        Self { seen: seen.collect() }
    }
}

impl<M: Mechanism> Check<View<'_, M>> for NobodyJumps {
    fn name(&self) -> &'static str {
        "nobody jumps"
    }

    fn look(&mut self, view: &View<'_, M>) -> Result<(), String> {
        for (body, seen) in view.bodies.iter().zip(&mut self.seen) {
            let place = body.place(view.now);
            if !place.x.is_finite() || !place.y.is_finite() {
                return Err(format!("{} is nowhere: {place:?}", body.id));
            }
            let Some((at, before)) = seen else { continue };
            let far_m = before.map_or(0.0, |before| before.distance(place));
            let most_m = body.speed_mps * view.now.since(*at).as_secs_f64() + SLACK_M;
            if far_m > most_m {
                return Err(format!("{} moved {far_m:.3} m since {at}, at most {most_m:.3} m is possible", body.id));
            }
            (*at, *before) = (view.now, Some(place));
        }
        Ok(())
    }
}
