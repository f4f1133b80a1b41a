//! Whoever waits has a time-out running: no member of the team waits for a failed one for ever.

use muster_core::recruitment::{Recruitment, Responding, Stage, Timer};
use muster_core::{Check, Time};

use crate::sim::View;

/// A robot that waits has a time-out running.
#[derive(Default)]
pub struct NobodyWaitsForever {
    /// Since when each robot has waited without one.
    stuck: Vec<Option<Time>>,
}

impl Check<View<'_, Recruitment>> for NobodyWaitsForever {
    fn name(&self) -> &'static str {
        "nobody waits forever"
    }

    fn look(&mut self, view: &View<'_, Recruitment>) -> Result<(), String> {
        self.stuck.resize(view.machines.len(), None);
        for ((machine, body), stuck) in view.machines.iter().zip(view.bodies).zip(&mut self.stuck) {
            let ahead = |timer| view.deadline(body.id, timer).is_some_and(|deadline| deadline >= view.now);
            let responds = *machine.responding() != Responding::Idle && !ahead(Timer::Responding);
            // A robot that has put off its call to serve another waits for the end of that service.
            let waits_by = match machine.requesting().map(|it| it.stage()) {
                Some(Stage::Lent { .. }) => Timer::Responding,
                _ => Timer::Requesting,
            };
            let asks = machine.requesting().is_some_and(|it| !it.is_quiet()) && !ahead(waits_by);
            // A robot that hangs misses its time-outs; they come due at the instant at which it recovers.
            if !view.attends(body.id) || !(responds || asks) {
                *stuck = None;
            } else if *stuck.get_or_insert(view.now) < view.now {
                let what = if responds { format!("{:?}", machine.responding()) } else { "asking for help".to_owned() };
                return Err(format!("{} is {what} without a time-out ahead", body.id));
            }
        }
        Ok(())
    }
}
