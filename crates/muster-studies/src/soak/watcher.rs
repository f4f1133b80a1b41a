//! Looks on for the length of one run: invariants after every event, and somebody who may cause faults.

use muster_core::{Body, Input, Mechanism, Recipient, RobotId, Time};
use muster_sim::checks::TeamCheck;
use muster_sim::fault::Fault;
use muster_sim::radio::Fate;
use muster_sim::{Observer, View};

/// Causes faults while a run goes on.
pub trait Sabotages<M: Mechanism> {
    /// An input is about to be handed to a robot.
    fn on_input(&mut self, _body: &Body, _input: &Input<'_, M>) {}

    /// The next fault, if it is time for one. Asked after every event.
    fn plot(&mut self, view: &View<'_, M>) -> Option<Fault>;
}

/// Nobody causes any.
impl<M: Mechanism> Sabotages<M> for () {
    fn plot(&mut self, _view: &View<'_, M>) -> Option<Fault> {
        None
    }
}

/// Events of one run: more than any mission of a soak has by orders of magnitude, so a run that comes to them hangs.
const MOST_EVENTS: u64 = 20_000_000;

/// Events at one instant, likewise.
const MOST_AT_ONCE: u64 = 1_000_000;

/// Looks on.
pub struct Watcher<M: Mechanism, S> {
    checks: Vec<TeamCheck<M>>,
    saboteur: S,
    failure: Option<(String, Time)>,
    events: u64,
    /// The instant of the last event, and how many it had so far.
    instant: (Time, u64),
    /// Transmissions, counted apart from the simulator's own count.
    pub sent: u64,
    /// Of these, lost for everybody.
    pub lost: u64,
}

impl<M: Mechanism, S: Sabotages<M>> Watcher<M, S> {
    /// Looks at these.
    pub fn new(checks: Vec<TeamCheck<M>>, saboteur: S) -> Self {
        Self { checks, saboteur, failure: None, events: 0, instant: (Time::ZERO, 0), sent: 0, lost: 0 }
    }

    /// Something did not hold.
    pub fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// The saboteur, with all that it has done so far.
    pub fn saboteur(&self) -> &S {
        &self.saboteur
    }

    /// Takes the invariants away, for their last look when the run is over.
    pub fn take_checks(&mut self) -> Vec<TeamCheck<M>> {
        std::mem::take(&mut self.checks)
    }

    /// What did not hold while the run went on, and when.
    pub fn failure(&self) -> Option<&(String, Time)> {
        self.failure.as_ref()
    }

    fn count(&mut self, now: Time) -> Result<(), String> {
        self.events += 1;
        self.instant = if self.instant.0 == now { (now, self.instant.1 + 1) } else { (now, 1) };
        if self.instant.1 > MOST_AT_ONCE {
            return Err(format!("more than {MOST_AT_ONCE} events at one instant"));
        }
        if self.events > MOST_EVENTS { Err(format!("more than {MOST_EVENTS} events")) } else { Ok(()) }
    }
}

impl<M: Mechanism, S: Sabotages<M>> Observer<M> for Watcher<M, S> {
    fn on_input(&mut self, _now: Time, body: &Body, input: &Input<'_, M>, _transmission: Option<u64>) {
        self.saboteur.on_input(body, input);
    }

    fn on_transmission(&mut self, _now: Time, _from: RobotId, _to: Recipient, _message: &M::Message, fate: Fate) {
        self.sent += 1;
        self.lost += u64::from(fate == Fate::Lost);
    }

    fn after_event(&mut self, view: View<'_, M>) -> Option<Fault> {
        if let Err(what) = self.count(view.now) {
            self.failure.get_or_insert((format!("comes to an end: {what}"), view.now));
        }
        for check in &mut self.checks {
            if let Err(what) = check.look(&view) {
                self.failure.get_or_insert((format!("{}: {what}", check.name()), view.now));
                return None;
            }
        }
        self.saboteur.plot(&view)
    }
}
