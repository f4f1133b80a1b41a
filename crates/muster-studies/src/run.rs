//! One run of a mission, as a row.

use std::collections::BTreeMap;
use std::sync::Arc;

use muster_core::event::{Event, Note};
use muster_core::mechanism::Output;
use muster_core::recruitment::{Message, Recruitment, Request};
use muster_core::tasking::Tasking;
use muster_core::tasking::group::Template;
use muster_core::{Brief, Duration, Kind, Mechanism, RobotId, TaskId, Time};
use muster_journal::explain::NotDone;
use muster_script::ScriptPolicy;
use muster_sim::ledger::Record;
use muster_sim::scenario::Loaded;
use muster_sim::scheme::{Visit, staff};
use muster_sim::{Ledger, Observer, Origin, Scheme, Sim};
use serde::Serialize;

use crate::air::{Air, Sent};
use crate::batch::Batch;
use crate::flown::{self, CrossingRow, FlightRow};

/// What came of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Its seed.
    pub seed: u64,
    /// How its robots coordinated.
    pub strategy: &'static str,
    /// Every task was handed over or done, but for those that were called off; those that recur are never.
    pub completed: bool,
    /// Messages sent by anybody, lost ones included.
    pub messages: u64,
    /// Of these, lost for everybody.
    pub messages_lost: u64,
    /// Times that one receiver missed a message by chance, if loss is drawn for each receiver.
    pub receptions_lost: u64,
    /// Bytes of all messages that were sent.
    pub bytes: u64,
    /// What was sent of each kind of message.
    pub by_kind: BTreeMap<&'static str, Sent>,
    /// What each robot has sent, by its name; those that have sent nothing are not in it.
    pub by_robot: BTreeMap<Arc<str>, Sent>,
    /// Waiting time summed over the tasks. With recruitment from the first HELP until ACKACK was received, or the end;
    /// else from when it came up until somebody worked at it, or the end. What was called off or expired counts for
    /// nothing: nobody waits for it.
    pub wait_s: f64,
    /// Times that a robot began work at a task at which another had worked before.
    pub duplicates: u64,
    /// Times that a robot began work at a task while another was at it.
    pub overlaps: u64,
    /// Tasks that came up and were not handed over or done, though they still should be.
    pub lost: u64,
    /// Tasks that expired before they were done.
    pub expired: u64,
    /// Tasks that were flown before, or without, one that has to come before them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order_broken: Vec<String>,
    /// Of each strict group that was begun and not finished, the last task that was done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub broken_off: Vec<String>,
    /// Tasks that were flown with what ties them to their group given up.
    #[serde(skip_serializing_if = "is_zero")]
    pub uncoupled: u64,
    /// Times that a task was flown again because it was done too long ago for what comes after it (`fresh_s`): flights of
    /// their own, and no duplicates.
    #[serde(skip_serializing_if = "is_zero")]
    pub flown_again: u64,
    /// Interventions that were to be made.
    #[serde(skip_serializing_if = "is_zero")]
    pub interventions: u64,
    /// Of these, those that changed nothing: the robot had stopped, the task was done, or nobody could be told.
    #[serde(skip_serializing_if = "is_zero")]
    pub without_effect: u64,
    /// Interventions that were not made, since the run was over before.
    #[serde(skip_serializing_if = "is_zero")]
    pub not_made: u64,
    /// Vehicles that ran out of endurance, in that order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ran_out: Vec<String>,
    /// Pairs of flights that came close to each other in their corridors. It does not count in whether a run holds: nobody
    /// promises that it does not happen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crossings: Vec<CrossingRow>,
    /// Why nobody took what was auctioned and not done: with other mechanisms nobody notes it unless he is asked to explain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_done: Vec<NotDone>,
    /// Seconds from the beginning to the end of the run.
    pub end_s: f64,
    /// Task by task.
    pub outcome: Vec<TaskRow>,
    /// Where and how often the scenario's script came to no decision, so that the paper's policy decided instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undecided: Option<String>,
    /// What came of the box, if there is one.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub pushed: Option<BoxRow>,
}

impl Row {
    /// All that was asked for was done, as it was asked for.
    pub fn holds(&self) -> bool {
        let as_asked = self.order_broken.is_empty() && self.broken_off.is_empty() && self.uncoupled == 0;
        self.completed && self.undecided.is_none() && as_asked
    }

    /// How many pairs of flights crossed, of different orders or of one.
    pub fn crossed(&self, one_order: bool) -> u64 {
        self.crossings.iter().filter(|crossing| crossing.one_order == one_order).count() as u64
    }
}

pub(crate) fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// What came of one task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskRow {
    /// Its name.
    pub task: String,
    /// Metres east and north, at the end.
    pub place_m: [f64; 2],
    /// Who took it over, or did it.
    pub responder: Option<String>,
    /// Seconds since the beginning at which somebody first saw it.
    pub seen_s: Option<f64>,
    /// When it was handed over, or done.
    pub served_s: Option<f64>,
    /// How long it waited; see [`Row::wait_s`].
    pub wait_s: Option<f64>,
    /// How many HELPs it took, if robots recruit; messages of a call to each robot count as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub helps: Option<u32>,
    /// How often it was done, if robots do it themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<u32>,
    /// How many robots worked at it.
    pub workers: usize,
    /// It was called off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub called_off: bool,
    /// It expired before it was done.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub expired: bool,
    /// Nobody can do it and keep to what ties it to its group, and its template is strict.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub tied: bool,
    /// When and how it was flown over, if that is how it is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flight: Option<FlightRow>,
}

/// How far a box was pushed.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct BoxRow {
    /// How far its left and right ends came.
    pub advance_m: [f64; 2],
    /// How far its left end is ahead of its right one at the end.
    pub misalignment_m: f64,
    /// The most that one end was ahead of the other.
    pub worst_misalignment_m: f64,
}

/// Counts calls per task.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    by_task: Vec<u32>,
    /// The last call for each: unicast sends a HELP per robot, and all of them are one call.
    last: Vec<Option<Request>>,
    first: Vec<Option<Time>>,
}

impl Calls {
    /// Calls for each task, by number, over all lives of the requester.
    pub fn by_task(&self) -> &[u32] {
        &self.by_task
    }

    /// When the first call for a task was made.
    pub fn first(&self, task: TaskId) -> Option<Time> {
        self.first.get(task.index()).copied().flatten()
    }

    /// How long help for a task was waited for: from the first call until ACKACK was received, or the `end`.
    pub fn wait(&self, record: &Record, end: Time) -> Option<Duration> {
        let first = self.first(record.task.id)?;
        Some(record.served.map_or(end, |(served, _)| served).since(first))
    }

    /// The same, summed over all tasks. Integer microseconds are added: the sum does not depend on an order.
    pub fn total_wait_s(&self, ledger: &Ledger, end: Time) -> f64 {
        let waits = ledger.records().iter().filter_map(|record| self.wait(record, end));
        waits.fold(Duration::ZERO, |sum, wait| sum + wait).as_secs_f64()
    }
}

impl Observer<Recruitment> for Calls {
    #[inline]
    fn on_output(&mut self, now: Time, _robot: RobotId, output: &Output<Recruitment>) {
        if let Output::Send { message: Message::Help { request, .. }, .. } = output {
            let index = request.need.index();
            if self.by_task.len() <= index {
                self.by_task.resize(index + 1, 0);
                self.last.resize(index + 1, None);
                self.first.resize(index + 1, None);
            }
            self.first[index].get_or_insert(now);
            if self.last[index].replace(*request) != Some(*request) {
                self.by_task[index] += 1;
            }
        }
    }
}

/// Makes the run from `origin`. A run that was broken off because a halt was called is no row: its tasks were not lost, and
/// the same seed would give other numbers.
pub fn run(origin: &Origin, batch: &Batch<'_>) -> Option<Row> {
    staff(origin, Run { origin, batch })
}

struct Run<'a, 'b> {
    origin: &'a Origin,
    batch: &'a Batch<'b>,
}

impl Visit for Run<'_, '_> {
    type Result = Option<Row>;

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Option<Row> {
        let Self { origin, batch } = self;
        let mut sim = Sim::of(origin, machine, Air::<()>::default());
        let worst_m = go(&mut sim, || batch.is_cancelled())?;
        let begun = |record: &Record| record.work.first().map_or(sim.now(), |work| work.from);
        let wait = |record: &Record| Some(begun(record).since(record.seen?.0));
        Some(row(origin, &sim, worst_m, |_| None, wait))
    }

    fn visit_recruitment(self, machine: impl Fn(RobotId) -> Recruitment) -> Option<Row> {
        let Self { origin, batch } = self;
        let mut sim = Sim::of(origin, machine, Air::<Calls>::default());
        if origin.scheme == Scheme::Scripted {
            sim = sim.with_notes();
            ScriptPolicy::forget_troubles();
        }
        let worst_m = go(&mut sim, || batch.is_cancelled())?;
        let calls = &sim.observer().also;
        let helps = |task: TaskId| Some(calls.by_task().get(task.index()).copied().unwrap_or(0));
        let wait = |record: &Record| calls.wait(record, sim.now());
        let undecided = undecided(&origin.loaded, sim.notes());
        Some(Row { undecided, ..row(origin, &sim, worst_m, helps, wait) })
    }

    fn visit_tasking(self, machine: impl Fn(RobotId) -> Tasking) -> Option<Row> {
        let Self { origin, batch } = self;
        let mut sim = Sim::of(origin, machine, Air::<()>::default()).with_notes();
        let worst_m = go(&mut sim, || batch.is_cancelled())?;
        let wait = |record: &Record| {
            let until = record.served.map_or(sim.now(), |(at, _)| at);
            Some(until.since(record.seen?.0))
        };
        let mut row = row(origin, &sim, worst_m, |_| None, wait);
        let mut flights = flown::flights(sim.notes(), sim.ledger().passes(), row.outcome.len());
        let templates = origin.loaded.tasking.iter().flat_map(|spec| &spec.templates);
        let templates: BTreeMap<Kind, &Template> = templates.map(|(kind, template)| (*kind, template)).collect();
        let template = |kind: Kind| templates.get(&kind).copied();
        let strict = |kind| template(kind).is_some_and(|it| it.strict && !it.couplings.is_empty());
        let tied = flown::tied(sim.notes(), origin.briefs(), strict, row.outcome.len());
        let name = |task: TaskId| origin.task_name(task).unwrap_or_default().to_owned();
        // An order that was changed is one order still.
        let orders: BTreeMap<TaskId, Brief> = origin.briefs().map(|brief| (brief.task.id, brief)).collect();
        let orders = || orders.values().copied();
        flown::uncouple(&mut flights, sim.ledger().passes(), orders(), template);
        let out_of_order = flown::out_of_order(sim.ledger().passes(), orders(), template);
        row.order_broken = out_of_order.iter().copied().map(name).collect();
        let served = |task: TaskId| sim.ledger().record(task).and_then(|record| Some(record.served?.0));
        let called_off = |task: TaskId| row.outcome.get(task.index()).is_some_and(|it| it.called_off);
        let broken_off = flown::broken_off(orders(), template, served, called_off, &out_of_order);
        row.broken_off = broken_off.into_iter().map(name).collect();
        row.crossings = flown::crossings(sim.ledger().crossings(), orders(), origin);
        for ((task, flight), tied) in row.outcome.iter_mut().zip(flights).zip(tied) {
            task.flight = flight;
            task.tied = tied && task.served_s.is_none() && !task.called_off;
            row.uncoupled += u64::from(flight.is_some_and(|flight| flight.uncoupled));
        }
        if !row.completed {
            let mut explainer = origin.explainer();
            sim.notes().iter().for_each(|note| explainer.keep(note));
            row.not_done = explainer.not_done();
        }
        Some(row)
    }
}

/// Where and why a script came to no decision first, and how often in all.
fn undecided(loaded: &Loaded, notes: &[Note]) -> Option<String> {
    let lines = notes.iter().filter_map(|note| match note.event {
        Event::Recruitment(muster_core::recruitment::Step::PolicyFailed { line, .. }) => Some(line),
        _ => None,
    });
    let (first, times) = (lines.clone().next()?, lines.count());
    let file = loaded.script.as_ref()?.origin().to_owned();
    let why = ScriptPolicy::first_trouble_of_run().map_or_else(String::new, |why| format!(" ({why})"));
    Some(format!("{file}:{first}: no decision{why}, {times} times in all; the paper's policy decided instead"))
}

/// Runs it to its end. The most that one end of the box was ahead of the other: both move evenly between events. Nothing,
/// if a halt was called before the end.
pub(crate) fn go<M: Mechanism, O: Observer<M>>(sim: &mut Sim<'_, M, O>, halt: impl Fn() -> bool) -> Option<f64> {
    let (mut worst_m, mut halted): (f64, bool) = (0.0, false);
    sim.start();
    sim.run_until(|sim| {
        if let Some(pushed) = sim.pushed() {
            worst_m = worst_m.max(pushed.misalignment_m(sim.now()).abs());
        }
        let over = sim.is_over();
        halted = !over && halt();
        over || halted
    });
    (!halted).then_some(worst_m)
}

fn row<M: Mechanism, O: Observer<M>>(
    origin: &Origin,
    sim: &Sim<'_, M, Air<O>>,
    worst_misalignment_m: f64,
    helps: impl Fn(TaskId) -> Option<u32>,
    wait: impl Fn(&Record) -> Option<Duration>,
) -> Row {
    let ledger: &Ledger = sim.ledger();
    let wait = |record: &Record| if record.withdrawn { None } else { wait(record) };
    let named = |robot: RobotId| &origin.mission().robots[robot.index()].name;
    let name = |robot: RobotId| named(robot).to_string();
    let task = |record: &Record| {
        let last = record.work.last().filter(|_| record.recurs).map(|work| work.robot);
        let begun = record.served.is_some() || (record.recurs && !record.work.is_empty());
        let helps = helps(record.task.id);
        TaskRow {
            task: origin.task_name(record.task.id).unwrap_or_default().to_owned(),
            place_m: [record.task.place.x, record.task.place.y],
            responder: record.served.map(|(_, to)| to).or(last).map(name),
            seen_s: record.seen.map(|(at, _)| at.as_secs_f64()),
            served_s: record.served.map(|(at, _)| at.as_secs_f64()),
            wait_s: begun.then(|| wait(record)).flatten().map(|wait| wait.as_secs_f64()),
            done: helps.is_none().then_some(record.done),
            helps,
            workers: record.workers(),
            called_off: record.withdrawn && !record.expired,
            expired: record.expired,
            tied: false,
            flight: None,
        }
    };
    let lost = |record: &&Record| record.seen.is_some() && record.is_left();
    let expired = ledger.records().iter().filter(|record| record.expired).count() as u64;
    let waits = ledger.records().iter().filter_map(&wait);
    Row {
        seed: origin.seeds.run,
        strategy: origin.scheme.name(),
        completed: ledger.nothing_left() && expired == 0,
        messages: sim.traffic().sent,
        messages_lost: sim.traffic().lost,
        receptions_lost: sim.traffic().missed,
        bytes: sim.observer().bytes(),
        by_kind: sim.observer().kinds().clone(),
        by_robot: sim.observer().robots().map(|(robot, sent)| (named(robot).clone(), sent)).collect(),
        wait_s: waits.fold(Duration::ZERO, |sum, wait| sum + wait).as_secs_f64(),
        duplicates: ledger.duplicates(),
        overlaps: ledger.overlaps(),
        lost: ledger.records().iter().filter(lost).count() as u64,
        expired,
        order_broken: Vec::new(),
        broken_off: Vec::new(),
        uncoupled: 0,
        flown_again: ledger.flown_again(),
        interventions: origin.interventions.all().len() as u64,
        without_effect: sim.interventions_without_effect() as u64,
        not_made: (origin.interventions.all().len() - sim.interventions_made()) as u64,
        ran_out: ledger.ran_out().iter().map(|(_, robot)| name(*robot)).collect(),
        crossings: Vec::new(),
        not_done: Vec::new(),
        end_s: sim.now().as_secs_f64(),
        outcome: ledger.records().iter().map(task).collect(),
        undecided: None,
        pushed: sim.pushed().map(|pushed| BoxRow {
            advance_m: pushed.advance_m(sim.now()),
            misalignment_m: pushed.misalignment_m(sim.now()),
            worst_misalignment_m,
        }),
    }
}
