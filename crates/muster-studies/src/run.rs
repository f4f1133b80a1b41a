//! One run of a mission, as a row.

use muster_core::mechanism::Output;
use muster_core::recruitment::{Message, Recruitment, Request, Strategy};
use muster_core::{Duration, Mechanism, RobotId, TaskId, Time};
use muster_sim::ledger::Record;
use muster_sim::scenario::Loaded;
use muster_sim::{Ledger, Observer, Seeds, Sim};
use serde::Serialize;

use crate::batch::Batch;

/// What came of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Its seed.
    pub seed: u64,
    /// Who answered and who was chosen.
    pub strategy: &'static str,
    /// Every task was handed over.
    pub completed: bool,
    /// Messages sent by anybody, lost ones included.
    pub messages: u64,
    /// Of these, lost.
    pub messages_lost: u64,
    /// Waiting time summed over the tasks: from the first HELP until ACKACK was received, or the end.
    pub wait_s: f64,
    /// Times that a robot began work at a task at which another had worked before.
    pub duplicates: u64,
    /// Times that a robot began work at a task while another was at it.
    pub overlaps: u64,
    /// Tasks that came up and were not handed over.
    pub lost: u64,
    /// When the run ended.
    pub end_s: f64,
    /// Task by task.
    pub outcome: Vec<Recruited>,
}

/// What came of one task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recruited {
    /// Its name.
    pub task: String,
    /// Metres east and north.
    pub place_m: [f64; 2],
    /// Who took it over.
    pub responder: Option<String>,
    /// When it came up.
    pub seen_s: Option<f64>,
    /// When it was handed over.
    pub served_s: Option<f64>,
    /// From the first HELP until ACKACK was received.
    pub wait_s: Option<f64>,
    /// How many HELPs it took; messages of a call to each robot count as one.
    pub helps: u32,
    /// How many robots worked at it.
    pub workers: usize,
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
    /// Calls for each task, by number, over all lives of whoever called.
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

/// Runs a scenario once with `strategy`; broken off, unfinished, if a halt is called.
pub fn run(loaded: &Loaded, strategy: Strategy, seed: u64, batch: &Batch<'_>) -> Row {
    let config = loaded.recruitment(strategy);
    let mut sim = Sim::new(&loaded.mission, Seeds::from(seed), |_| Recruitment::new(config.clone()), Calls::default());
    sim.start();
    sim.run_until(|sim| sim.ledger().all_served() || batch.is_cancelled());
    row(loaded, strategy, seed, &sim)
}

fn row<M: Mechanism>(loaded: &Loaded, strategy: Strategy, seed: u64, sim: &Sim<'_, M, Calls>) -> Row
where
    Calls: Observer<M>,
{
    let ledger: &Ledger = sim.ledger();
    let observer = sim.observer();
    let calls = observer.by_task();
    let name = |robot: RobotId| loaded.mission.robots[robot.index()].name.to_string();
    let outcome: Vec<Recruited> = ledger
        .records()
        .iter()
        .zip(&loaded.task_names)
        .map(|(record, task)| Recruited {
            task: task.clone(),
            place_m: [record.task.place.x, record.task.place.y],
            responder: record.served.map(|(_, to)| name(to)),
            seen_s: record.seen.map(|(at, _)| at.as_secs_f64()),
            served_s: record.served.map(|(at, _)| at.as_secs_f64()),
            wait_s: record.served.and_then(|_| observer.wait(record, sim.now())).map(|wait| wait.as_secs_f64()),
            helps: calls.get(record.task.id.index()).copied().unwrap_or(0),
            workers: record.workers(),
        })
        .collect();
    Row {
        seed,
        strategy: strategy.name(),
        completed: ledger.all_served(),
        messages: sim.traffic().sent,
        messages_lost: sim.traffic().lost,
        wait_s: observer.total_wait_s(ledger, sim.now()),
        duplicates: ledger.duplicates(),
        overlaps: ledger.overlaps(),
        lost: ledger.records().iter().filter(|record| record.seen.is_some() && record.served.is_none()).count() as u64,
        end_s: sim.now().as_secs_f64(),
        outcome,
    }
}
