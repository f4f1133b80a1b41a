//! Looks on for the length of one run: invariants after every event, what can be seen of the run from outside, and
//! somebody who may cause faults.

use muster_core::{Body, Input, Mechanism, Output, Recipient, RobotId, Time};
use muster_sim::checks::TeamCheck;
use muster_sim::fault::Fault;
use muster_sim::intervention::Made;
use muster_sim::radio::Fate;
use muster_sim::{AnyObserver, Observer, Sim, View};

use super::Breach;
use super::account::Account;

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

/// What a run without an end is a failure of.
pub const NOTHING_HANGS: &str = "nothing hangs";

/// Events of one run: more than any mission of a soak has by orders of magnitude, so a run that comes to them hangs.
pub const MOST_EVENTS: u64 = 20_000_000;

/// Events at one instant, likewise.
const MOST_AT_ONCE: u64 = 1_000_000;

/// What must hold.
pub struct Checks<M: Mechanism> {
    /// After every event; the run ends with the first that does not.
    pub invariants: Vec<TeamCheck<M>>,
    /// The same, but the run goes on without it: another failure may be worse.
    pub promise: Option<TeamCheck<M>>,
}

/// Looks on.
pub struct Watcher<M: Mechanism, S> {
    checks: Checks<M>,
    saboteur: S,
    /// An invariant that did not hold.
    breach: Option<Breach>,
    /// The promise was broken.
    broken: Option<Breach>,
    most_events: u64,
    events: u64,
    /// The instant of the last event, and how many it had so far.
    instant: (Time, u64),
    /// What is seen from outside, for runs that become a row.
    account: Option<Account>,
}

impl<M: Mechanism, S: Sabotages<M>> Watcher<M, S> {
    /// Looks at these, for at most so many events.
    pub fn new(checks: Checks<M>, saboteur: S, most_events: u64) -> Self {
        Self {
            checks,
            saboteur,
            breach: None,
            broken: None,
            most_events,
            events: 0,
            instant: (Time::ZERO, 0),
            account: None,
        }
    }

    /// Keeps an account of what is seen from outside, too.
    pub fn with_account(mut self) -> Self {
        self.account = Some(Account::default());
        self
    }

    /// An invariant did not hold: there is no use in going on.
    pub fn has_failed(&self) -> bool {
        self.breach.is_some()
    }

    /// The saboteur, with all that it has done so far.
    pub fn saboteur(&self) -> &S {
        &self.saboteur
    }

    /// What was seen from outside.
    pub fn take_account(&mut self) -> Account {
        self.account.take().unwrap_or_default()
    }

    fn count(&mut self, now: Time) -> Option<Breach> {
        self.events += 1;
        self.instant = if self.instant.0 == now { (now, self.instant.1 + 1) } else { (now, 1) };
        let too_many = |most: u64, of: &str| {
            let what = format!("there are more than {most} events{of}");
            Some(Breach { check: NOTHING_HANGS, what, at: now })
        };
        if self.instant.1 > MOST_AT_ONCE {
            return too_many(MOST_AT_ONCE, " at one instant");
        }
        if self.events > self.most_events { too_many(self.most_events, "") } else { None }
    }
}

/// A run that is watched.
pub type WatchedSim<'m, M> = Sim<'m, M, AnyObserver<'m, M>>;

/// The last look at a run that is over: which invariant did not hold, and whether the promise was broken.
pub fn last_look<M: Mechanism, S: Sabotages<M>>(
    watcher: &mut Watcher<M, S>,
    sim: &WatchedSim<'_, M>,
) -> [Option<Breach>; 2] {
    let (mut breach, mut broken) = (watcher.breach.take(), watcher.broken.take());
    let invariants = std::mem::take(&mut watcher.checks.invariants);
    let promise = watcher.checks.promise.take();
    let view = sim.view();
    let look = |mut check: TeamCheck<M>| {
        let what = check.end(&view).err()?;
        Some(Breach { check: check.name(), what, at: view.now })
    };
    if breach.is_none() {
        breach = invariants.into_iter().find_map(look);
    }
    if broken.is_none() {
        broken = promise.and_then(look);
    }
    [breach, broken]
}

impl<M: Mechanism, S: Sabotages<M>> Observer<M> for Watcher<M, S> {
    fn on_input(&mut self, now: Time, body: &Body, input: &Input<'_, M>, _transmission: Option<u64>) {
        if let Some(account) = &mut self.account {
            account.input(now, body.id, input);
        }
        self.saboteur.on_input(body, input);
    }

    fn on_output(&mut self, now: Time, robot: RobotId, output: &Output<M>) {
        if let Some(account) = &mut self.account {
            account.output(now, robot, output);
        }
    }

    fn on_transmission(&mut self, now: Time, from: RobotId, _to: Recipient, message: &M::Message, fate: Fate) {
        if let Some(account) = &mut self.account {
            account.transmission::<M>(now, from, message, fate);
        }
    }

    fn on_intervention(&mut self, now: Time, made: &Made) {
        if let Some(account) = &mut self.account {
            account.intervention(now, made);
        }
    }

    fn after_event(&mut self, view: View<'_, M>) -> Option<Fault> {
        if self.breach.is_none() {
            self.breach = self.count(view.now);
        }
        if let Some(account) = &mut self.account {
            account.look(&view);
        }
        for check in &mut self.checks.invariants {
            if let Err(what) = check.look(&view) {
                self.breach.get_or_insert(Breach { check: check.name(), what, at: view.now });
                return None;
            }
        }
        if let Some(promise) = self.checks.promise.as_mut().filter(|_| self.broken.is_none())
            && let Err(what) = promise.look(&view)
        {
            self.broken = Some(Breach { check: promise.name(), what, at: view.now });
        }
        self.saboteur.plot(&view)
    }
}
