//! A requester that dies for good leaves every responder idle again after its time-outs plus one lease.

use muster_core::recruitment::Recruitment;
use muster_core::{Check, Duration, RobotId, Time};

use crate::mission::Mission;
use crate::scenario::Recruiters;
use crate::sim::View;

/// A requester that dies for good leaves every responder idle after its time-outs plus one lease.
pub struct IdleAfterRequesterDied {
    /// Everything a responder can still go through for a requester that says nothing more.
    bound: Duration,
    died: Vec<Option<Time>>,
    /// When each robot last hung: meanwhile its time-outs stand still.
    hung: Vec<Time>,
}

impl IdleAfterRequesterDied {
    /// For teams of `mission` that recruit by `configs`.
    pub fn new(configs: &Recruiters, mission: &Mission) -> Self {
        let config = configs.team();
        let diagonal_m = (mission.width_m * mission.width_m + mission.height_m * mission.height_m).sqrt();
        let slowest = mission.robots.iter().map(|robot| robot.speed_mps).fold(f64::INFINITY, f64::min);
        let journey = Duration::from_secs_f64(diagonal_m / slowest) + config.arrival_slack;
        let in_flight = mission.radio.latency + mission.radio.jitter + mission.radio.straggle + mission.radio.straggle;
        let bound = config.responder_timeout + journey + config.agree_timeout + configs.longest_lease() + in_flight;
        let team = mission.robots.len();
        Self { bound, died: vec![None; team], hung: vec![Time::ZERO; team] }
    }
}

impl Check<View<'_, Recruitment>> for IdleAfterRequesterDied {
    fn name(&self) -> &'static str {
        "idle after the requester died"
    }

    fn look(&mut self, view: &View<'_, Recruitment>) -> Result<(), String> {
        for (index, died) in self.died.iter_mut().enumerate() {
            // One that was put back calls again.
            *died = view.is_dead(RobotId(index as u32)).then(|| died.unwrap_or(view.now));
            if !view.attends(RobotId(index as u32)) {
                self.hung[index] = view.now;
            }
        }
        for (machine, body) in view.machines.iter().zip(view.bodies) {
            let Some(request) = machine.responding().request().filter(|_| view.is_up(body.id)) else { continue };
            let died = self.died.get(request.requester.index()).copied().flatten();
            let since = died.map(|died| died.max(self.hung[body.id.index()]));
            if since.is_some_and(|since| view.now.since(since) > self.bound) {
                return Err(format!(
                    "{} still is {:?}, {} after its requester died",
                    body.id,
                    machine.responding(),
                    self.bound
                ));
            }
        }
        Ok(())
    }
}
