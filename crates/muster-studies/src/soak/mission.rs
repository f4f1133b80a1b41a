//! One run of a mission that was drawn: recorded, then made again and watched while it is compared with its recording, then
//! compared with its row. The recording is fed to machines alone as well.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use muster_core::alliance::Alliance;
use muster_core::event::Happening;
use muster_core::recruitment::Recruitment;
use muster_core::tasking::Tasking;
use muster_core::{Body, Brief, Input, Mechanism, Output, Recipient, RobotId, TaskId, Time};
use muster_sim::checks;
use muster_sim::fault::Fault;
use muster_sim::intervention::Made;
use muster_sim::radio::Fate;
use muster_sim::recording::{self, Comparer, Header, Recording};
use muster_sim::scenario::{Loaded, Said};
use muster_sim::scheme::{Visit, staff};
use muster_sim::{AnyObserver, Interventions, Ledger, Mission, Observer, Origin, Scheme, Sim, View};

use super::account::Account;
use super::plan::{Missions, Promise};
use super::watcher::{Checks, NOTHING_HANGS, Watcher, last_look};
use super::{Breach, CAN_BE_READ, Faults, Outcome};
use crate::batch::Batch;
use crate::run;

/// What a row that is not that of the run is a failure of.
pub const ROWS_EQUAL_THE_LEDGER: &str = "rows equal the ledger";
/// What a recording that does not hold is a failure of.
pub const RECORDINGS_VERIFY: &str = "recordings verify";

/// Met: nothing was left to do.
pub const ALL_DONE: &str = "a run in which everything is done";
/// Met: something came up.
pub const ONE_SEEN: &str = "a run in which something comes up";
/// Met: a robot was agreed another lease and worked on.
pub const RENEWED: &str = "a lease that is renewed";
/// Met: a vehicle was reloaded at its base.
pub const RELOADED: &str = "a vehicle that is reloaded";
/// Met: an order was given at the instant of another.
pub const AT_ONCE: &str = "orders at one instant";
/// Met: a robot was switched on later than the others.
pub const JOINED: &str = "a robot that joins";
/// Met: all tasks of a strict group were done.
pub const WHOLE: &str = "a strict group that is flown whole";
/// Met: some tasks of a strict group were done, and not the others.
pub const PREFIX: &str = "a strict group of which a part is flown";
/// Met: something was done.
pub const ONE_DONE: &str = "a run in which something is done";

/// How closely a run is looked at.
#[derive(Copy, Clone, Debug)]
pub struct Depth {
    /// What robots noted is handed back.
    pub notes: bool,
    /// The run is watched, but not recorded, replayed and made again for its row, which takes four times as long.
    pub only_watch: bool,
    /// A run with more events hangs.
    pub most_events: u64,
}

/// Makes one run of `loaded` under the first of its schemes.
pub fn run(loaded: Loaded, interventions: &str, missions: &Missions, seed: u64, depth: Depth) -> Outcome {
    let Depth { notes, only_watch, most_events } = depth;
    let scheme = loaded.schemes()[0];
    let interventions = match Interventions::parse("the drawn interventions", interventions, &loaded, scheme) {
        Ok(interventions) => interventions,
        Err(error) => return Outcome::failed(CAN_BE_READ, error),
    };
    let steps = Cell::new(0);
    let is_too_long = || {
        steps.set(steps.get() + 1);
        steps.get() > most_events
    };
    let Some(origin) = Origin::new(loaded, scheme, seed).with_interventions(interventions).practised(is_too_long)
    else {
        return Outcome::failed(NOTHING_HANGS, format_args!("there are more than {most_events} events in training"));
    };
    if only_watch {
        let watch = Watch { origin: &origin, missions, recording: None, notes, most_events };
        let Watched { mut outcome, broken, .. } = staff(&origin, watch);
        outcome.breach = outcome.breach.or(broken);
        return outcome;
    }
    let recording = recorded(&origin, most_events);
    // The run that the recording says it is of, as it was read back.
    let again = recording.as_ref().map_or(&origin, |recording| &recording.header.origin);
    let watch = Watch { origin: again, missions, recording: recording.as_ref().ok(), notes, most_events };
    let Watched { mut outcome, account, broken, differs } = staff(again, watch);
    if outcome.breach.is_none() {
        let row = run::run(&origin, &Batch::quiet()).expect("nobody calls a halt");
        let breach = |check, what| Breach { check, what, at: outcome.end };
        let unverified = || match &recording {
            Ok(recording) if recording.events.is_empty() => Some("it holds no inputs".to_owned()),
            Ok(recording) => differs.or_else(|| recording::replay(recording).failure),
            Err(error) => Some(error.clone()),
        };
        outcome.breach = account
            .differs_from(&origin, &row, outcome.end)
            .map(|what| breach(ROWS_EQUAL_THE_LEDGER, what))
            .or_else(|| Some(breach(RECORDINGS_VERIFY, unverified()?)));
    }
    outcome.breach = outcome.breach.or(broken);
    outcome
}

/// A run that is over.
struct Watched {
    outcome: Outcome,
    account: Account,
    /// The promise of the plan was broken.
    broken: Option<Breach>,
    /// How the run differs from its recording, if it does.
    differs: Option<String>,
}

/// Makes a run and looks on.
struct Watch<'a> {
    origin: &'a Origin,
    missions: &'a Missions,
    /// The same run, recorded when nobody looked on.
    recording: Option<&'a Recording>,
    notes: bool,
    most_events: u64,
}

impl Watch<'_> {
    fn watch<M: Mechanism>(self, machine: impl Fn(RobotId) -> M, checks: Checks<M>) -> Watched {
        let watcher = Watcher::new(checks, (), self.most_events).with_account();
        let comparer = self.recording.map(Comparer::new);
        let both = RefCell::new(Both { watcher, comparer });
        let onlooker: AnyObserver<'_, M> = &both;
        let mut sim = Sim::of(self.origin, machine, onlooker);
        if self.notes {
            sim = sim.with_notes();
        }
        sim.start();
        both.borrow_mut().comparer.iter_mut().for_each(Comparer::started);
        sim.run_until(|sim| both.borrow().watcher.has_failed() || sim.is_over());
        let [breach, broken] = last_look(&mut both.borrow_mut().watcher, &sim);
        let end = sim.now();
        let account = both.borrow_mut().watcher.take_account();
        let differs = both.borrow_mut().comparer.as_mut().and_then(|comparer| {
            comparer.ended();
            comparer.difference().map(str::to_owned)
        });
        let mut met = met(self.origin, end);
        let done = sim.ledger().records().iter().any(|record| record.done > 0 || record.served.is_some());
        met.extend(sim.ledger().any_seen().then_some(ONE_SEEN));
        met.extend(done.then_some(ONE_DONE));
        met.extend(strict_groups(self.origin, sim.ledger()));
        met.extend((account.renewals() > 0).then_some(RENEWED));
        met.extend(sim.ledger().nothing_left().then_some(ALL_DONE));
        met.extend((sim.ledger().reloads() > 0).then_some(RELOADED));
        let outcome = Outcome {
            completed: sim.ledger().nothing_left(),
            end,
            breach,
            messages: account.messages(),
            overlaps: sim.ledger().overlaps(),
            duplicates: sim.ledger().duplicates(),
            faults: self.origin.faults().filter(|fault| fault.at <= end).fold(Faults::new(), |mut faults, fault| {
                *faults.entry(fault.kind.name().to_owned()).or_default() += 1;
                faults
            }),
            met,
            notes: sim.take_notes(),
            ..Outcome::default()
        };
        Watched { outcome, account, broken, differs }
    }

    /// The mission is none of those that the plan is about.
    fn astray(&self) -> Watched {
        let scheme = self.origin.scheme.name();
        let outcome = Outcome::failed(CAN_BE_READ, format_args!("its robots follow {scheme}, another mechanism"));
        Watched { outcome, account: Account::default(), broken: None, differs: None }
    }
}

/// What is looked at in a mission of `M`.
fn looked_at<M: Mechanism>(
    invariants: Vec<checks::TeamCheck<M>>,
    promise: Option<Promise<M>>,
    mission: &Mission,
) -> Checks<M> {
    Checks { invariants, promise: promise.map(|promise| promise(mission)) }
}

impl Visit for Watch<'_> {
    type Result = Watched;

    fn visit<M: Mechanism>(self, _machine: impl Fn(RobotId) -> M) -> Watched {
        self.astray()
    }

    fn visit_recruitment(self, machine: impl Fn(RobotId) -> Recruitment) -> Watched {
        let Missions::Recruitment(drawn) = self.missions else { return self.astray() };
        let (configs, mission) = (self.origin.loaded.recruiters(self.origin.scheme), self.origin.mission());
        let checks = looked_at(checks::for_recruitment(&configs, mission), drawn.promise, mission);
        self.watch(machine, checks)
    }

    fn visit_alliance(self, machine: impl Fn(RobotId) -> Alliance) -> Watched {
        let Missions::Alliance(drawn) = self.missions else { return self.astray() };
        let mission = self.origin.mission();
        let checks = looked_at(checks::for_alliance(mission), drawn.promise, mission);
        self.watch(machine, checks)
    }

    fn visit_tasking(self, machine: impl Fn(RobotId) -> Tasking) -> Watched {
        let Missions::Tasking(drawn) = self.missions else { return self.astray() };
        let mission = self.origin.mission();
        let checks = looked_at(checks::for_tasking(mission), drawn.promise, mission);
        self.watch(machine, checks)
    }
}

/// What there was in a run that ended at `end`, of all that plans want to have met.
fn met(origin: &Origin, end: Time) -> BTreeSet<&'static str> {
    let mission = origin.mission();
    let mut met: BTreeSet<&'static str> =
        origin.faults().filter(|fault| fault.at <= end).map(|fault| fault.kind.name()).collect();
    met.extend(mission.pushed.is_some().then_some("a box"));
    met.extend(mission.tasks.iter().any(|task| task.recurs).then_some("a task that recurs"));
    met.extend((origin.scheme == Scheme::Scripted).then_some("a script"));
    met.extend((!origin.knowledge.is_empty()).then_some("practice"));
    met.extend(mission.robots.iter().any(|robot| robot.joins > Time::ZERO && robot.joins <= end).then_some(JOINED));
    let mut asked: Vec<Time> = mission.orders.iter().map(|order| order.at).filter(|at| *at <= end).collect();
    asked.sort_unstable();
    met.extend(asked.windows(2).any(|two| two[0] == two[1]).then_some(AT_ONCE));
    let changes = origin.loaded.scenario.tasking.as_ref().is_some_and(|section| !section.changes.is_empty());
    met.extend(changes.then_some("a change of mind"));
    for made in origin.interventions.all().iter().filter(|made| made.at <= end) {
        met.extend(match made.what.said() {
            Said::Order(order) if order.name.is_some() => Some("a new task"),
            Said::Order(order) if order.cancel => Some("a cancelled task"),
            Said::Order(order) if order.place.is_some() => Some("a task that is moved"),
            Said::Order(_) => Some("another priority"),
            Said::Fault(_) => None,
            Said::Radio(radio) if radio.jam.is_some() => Some("a jam"),
            Said::Radio(radio) if radio.cut.is_some() => Some("a cut"),
            Said::Radio(_) => Some("a partition"),
        });
    }
    met
}

/// What became of strict groups.
fn strict_groups(origin: &Origin, ledger: &Ledger) -> BTreeSet<&'static str> {
    let mut met = BTreeSet::new();
    let Scheme::Tasking(variant) = origin.scheme else { return met };
    let (config, _) = origin.loaded.tasking(variant);
    let strict = |brief: &Brief| config.templates.get(&brief.kind).is_some_and(|template| template.strict);
    for brief in origin.briefs().filter(|brief| brief.phases > 1).filter(strict) {
        let tasks = (0..u32::from(brief.phases)).map(|index| TaskId(brief.task.id.0 + index));
        let done = tasks.filter_map(|task| ledger.record(task)?.served).count();
        met.extend(match done {
            0 => None,
            done if done == usize::from(brief.phases) => Some(WHOLE),
            _ => Some(PREFIX),
        });
    }
    met
}

/// The run, recorded; broken off where the run that is watched would be, since a run may hang.
fn recorded(origin: &Origin, most_events: u64) -> Result<Recording, String> {
    let path = Scratch::new(&origin.loaded.name, origin.seeds.run);
    let header = Header { origin: origin.clone(), program: ("soak".to_owned(), String::new()) };
    let events = Cell::new(0);
    let hangs = || {
        events.set(events.get() + 1);
        events.get() > most_events + 1
    };
    match recording::record(&path.0, &header, hangs) {
        Err(error) => Err(format!("it cannot be recorded: {error}")),
        Ok(_) => recording::read(&path.0).map_err(|error| format!("its recording cannot be read: {error}")),
    }
}

/// Looks on, and compares with what was recorded.
struct Both<'a, M: Mechanism> {
    watcher: Watcher<M, ()>,
    comparer: Option<Comparer<'a, M>>,
}

impl<M: Mechanism> Observer<M> for Both<'_, M> {
    fn on_input(&mut self, now: Time, body: &Body, input: &Input<'_, M>, transmission: Option<u64>) {
        self.watcher.on_input(now, body, input, transmission);
        self.comparer.iter_mut().for_each(|it| it.on_input(now, body, input, transmission));
    }

    fn on_output(&mut self, now: Time, robot: RobotId, output: &Output<M>) {
        self.watcher.on_output(now, robot, output);
        self.comparer.iter_mut().for_each(|it| it.on_output(now, robot, output));
    }

    fn on_transmission(&mut self, now: Time, from: RobotId, to: Recipient, message: &M::Message, fate: Fate) {
        self.watcher.on_transmission(now, from, to, message, fate);
        self.comparer.iter_mut().for_each(|it| it.on_transmission(now, from, to, message, fate));
    }

    fn on_happening(&mut self, now: Time, robot: RobotId, happening: Happening) {
        self.comparer.iter_mut().for_each(|it| it.on_happening(now, robot, happening));
    }

    fn on_intervention(&mut self, now: Time, made: &Made) {
        self.watcher.on_intervention(now, made);
        self.comparer.iter_mut().for_each(|it| it.on_intervention(now, made));
    }

    fn after_event(&mut self, view: View<'_, M>) -> Option<Fault> {
        let fault = self.watcher.after_event(view);
        self.comparer.iter_mut().for_each(Comparer::end_event);
        fault
    }
}

/// A file that goes away again.
pub(super) struct Scratch(pub(super) PathBuf);

impl Scratch {
    pub(super) fn new(plan: &str, seed: u64) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let (process, number) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        Self(std::env::temp_dir().join(format!("muster-soak-{plan}-{seed}-{process}-{number}.mcap")))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A file that was never written is not there, and a full disk is told by the recorder.
        let _ = std::fs::remove_file(&self.0);
    }
}
