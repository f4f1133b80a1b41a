//! Gage & Murphy 2004: Tables 1-5, what their totals are made of, use cases, conclusions and the trade-off.
//!
//! Read before editing: the paper's Results and Conclusions; docs/reproductions/recruitment.md for the
//! reading, for the nine rows that fit no sensible reading, and for the paper's contradictions.

mod conclusions;
mod readings;
mod statements;
mod tables;
mod tradeoff;

use std::collections::BTreeMap;

use muster_core::recruitment::{Message, Recruitment};
use muster_core::rng::Stream;
use muster_core::{Output, RobotId, Time};
use muster_sim::scenario::{self, Loaded, ScenarioError};
use muster_sim::{Observer, Seeds, Sim};
use serde::Serialize;

pub use conclusions::{Conclusion, Contradiction};
pub use readings::{GRID_KEYS, MORE, Ranked, Reading, Readings, Sentence, rank, runs_in as runs_in_readings};
pub use statements::Statement;
pub use tables::{CENTRAL, Cell, Figure, Metric, Setting};
pub use tradeoff::{Point, Tradeoff};

use crate::batch::Batch;
use crate::run::Calls;
use crate::stats;
use crate::verdict::{Account, Ground, Source, Verdict};

/// The study's results.
#[derive(Clone, Debug, Serialize)]
pub struct Study {
    /// Three-run groups per cell.
    pub runs: u64,
    /// How the reading was changed, if it was.
    pub changes: Vec<String>,
    /// Every figure of Tables 1-5 beside ours.
    pub cells: Vec<Cell>,
    /// What it says in words: what totals are made of, and use cases.
    pub statements: Vec<Statement>,
    /// What the paper concludes, recomputed.
    pub conclusions: Vec<Conclusion>,
    /// Messages against waiting time.
    pub tradeoff: Tradeoff,
    /// Where the paper contradicts itself.
    pub contradictions: Vec<Contradiction>,
}

/// What a run of one setting contributes.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Means over three runs: messages, and waiting time in seconds.
    messages: Vec<f64>,
    waits: Vec<f64>,
    /// The same without messages that were lost.
    heard: Vec<f64>,
    /// HELPs and ACCEPTs of each recruitment.
    helps: Vec<u32>,
    accepts: Vec<u32>,
    /// What the recruitments of each group come to: they share their stops and their robots' SHAME, so a group, and not a
    /// recruitment, is what is independent of others.
    groups: Vec<Group>,
    /// ACCEPTs of robots that had been tasked.
    tasked: u64,
    /// Recruitments that came to nothing.
    open: u64,
    /// Pairs of successive recruitments, and how many of them called the same robot.
    pairs: u64,
    repeats: u64,
}

/// Means over the recruitments of a group.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
struct Group {
    helps: f64,
    accepts: f64,
    /// Those with a single ACCEPT, in percent.
    single: f64,
}

impl Group {
    fn of(helps: &[u32], accepts: &[u32]) -> Self {
        let mean = |counts: &[u32], of: fn(u32) -> f64| {
            stats::mean(&counts.iter().map(|&count| of(count)).collect::<Vec<_>>())
        };
        let single = |count| if count == 1 { 100.0 } else { 0.0 };
        Self { helps: mean(helps, f64::from), accepts: mean(accepts, f64::from), single: mean(accepts, single) }
    }
}

impl Study {
    /// The verdicts, counted: figures that a later table repeats once only.
    pub fn account(&self) -> Account {
        let figures = self.distinct().map(|cell| (cell.ground, cell.verdict));
        let statements = self.statements.iter().map(|it| (it.ground, it.verdict));
        let conclusions = self.conclusions.iter().filter_map(|it| Some((it.ground, it.verdict?)));
        let all = figures.chain(statements).chain(conclusions);
        all.map(|(ground, verdict)| (Source::Paper, ground, verdict)).collect()
    }

    /// The figures, each once.
    pub fn distinct(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(|cell| !cell.repeats)
    }

    /// Nothing fails.
    pub fn holds(&self) -> bool {
        self.account().holds()
    }

    /// How many distinct figures have been reproduced.
    pub fn distinct_reproduced(&self) -> usize {
        self.distinct().filter(|cell| cell.verdict == Verdict::Holds).count()
    }

    /// Of these, how many are evidence: neither arithmetic nor what the reading was chosen by.
    pub fn distinct_measured(&self) -> usize {
        self.distinct().filter(|cell| cell.verdict == Verdict::Holds && cell.ground == Ground::Measured).count()
    }

    /// How many rows have been reproduced, repeats among them.
    pub fn reproduced(&self) -> usize {
        self.cells.iter().filter(|cell| cell.verdict == Verdict::Holds).count()
    }
}

/// How many runs `groups` three-run groups per cell make.
pub fn runs_in(groups: u64) -> u64 {
    tables::settings(&tables::figures()).len() as u64 * groups * 3 + tradeoff::runs_in(groups)
}

/// What the tables vary from cell to cell, and the study sets: a change to one of these would change nothing.
pub const TABLE_KEYS: [&str; 4] = ["recruitment.strategy", "recruitment.messaging", "robots.idle.count", "radio.loss"];

/// The first change that sets one of these keys, by itself or in a table that has it, with that key.
pub fn overruled<'a>(changes: &'a [String], keys: &[&'static str]) -> Option<(&'a str, &'static str)> {
    let sets = |change: &str, key: &str| {
        let Some((path, value)) = change.split_once('=') else { return false };
        let path = path.split('.').map(str::trim).collect::<Vec<_>>().join(".");
        let mut words = value.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        match key.strip_prefix(&*path) {
            Some("") => true,
            // A table: of those that it holds, the last part of the key may be one.
            Some(rest) => rest.starts_with('.') && words.any(|word| rest.ends_with(&format!(".{word}"))),
            None => false,
        }
    };
    changes.iter().find_map(|change| Some((change.as_str(), *keys.iter().find(|key| sets(change, key))?)))
}

/// The scenario of one setting: the built-in minefield under the paper's reading, with changes to it.
pub fn scenario_for(setting: &Setting, changes: &[String]) -> Result<Loaded, ScenarioError> {
    let mut all = vec!["recruitment.config=gage_2004".to_owned()];
    all.extend_from_slice(changes);
    let values = [
        setting.strategy.name().to_owned(),
        setting.messaging.to_owned(),
        setting.idle.to_string(),
        setting.loss().to_string(),
    ];
    all.extend(TABLE_KEYS.into_iter().zip(values).map(|(key, value)| format!("{key}={value}")));
    scenario::load("minefield", &all)
}

/// Runs every setting of the tables.
fn samples(
    changes: &[String],
    seed: u64,
    groups: u64,
    batch: &Batch<'_>,
) -> Result<BTreeMap<Setting, Sample>, ScenarioError> {
    let mut samples = BTreeMap::new();
    for setting in tables::settings(&tables::figures()) {
        let loaded = scenario_for(&setting, changes)?;
        samples.insert(setting, sample(&loaded, &setting, seed, groups, batch));
    }
    Ok(samples)
}

/// Runs the whole study: `groups` three-run groups for each cell, with changes to the reading.
pub fn reproduce(changes: &[String], seed: u64, groups: u64, batch: &Batch<'_>) -> Result<Study, ScenarioError> {
    let figures = tables::figures();
    let samples = samples(changes, seed, groups, batch)?;
    let tradeoff = tradeoff::sweep(changes, seed, groups, batch)?;
    let mut statements = statements::statements(&samples, &tradeoff);
    // They are missions of their own: what is changed of the minefield's robots means nothing to them.
    let shared: Vec<String> = changes.iter().filter(|change| change.starts_with("recruitment.")).cloned().collect();
    statements.extend(statements::use_cases(seed, &shared)?);
    let mut cells: Vec<Cell> = Vec::new();
    // Broken off, cells that nothing was run for are left out rather than judged.
    let ran = |figure: &&Figure| !samples[&figure.setting].messages.is_empty();
    for figure in figures.iter().filter(ran) {
        let cell = tables::compare(figure, &samples[&figure.setting]);
        let repeats = cells.iter().any(|before| before.is_printed_again_by(&cell));
        cells.push(Cell { repeats, ..cell });
    }
    Ok(Study {
        changes: changes.to_vec(),
        statements,
        tradeoff,
        runs: samples
            .values()
            .map(|sample| sample.messages.len() as u64)
            .filter(|groups| *groups > 0)
            .min()
            .unwrap_or(0),
        cells,
        conclusions: conclusions::conclusions(&figures, &samples),
        contradictions: conclusions::contradictions(&figures),
    })
}

/// Groups are handed out in chunks: one at a time would spend more on handing out than on running.
const CHUNK: u64 = 16;

/// HELPs and ACCEPTs, by need.
struct Said<'a> {
    calls: Calls,
    accepts: Vec<u32>,
    /// Which robots have been tasked, by number.
    scans: &'a [bool],
    tasked: u64,
}

impl Observer<Recruitment> for Said<'_> {
    fn on_output(&mut self, now: Time, robot: RobotId, output: &Output<Recruitment>) {
        self.calls.on_output(now, robot, output);
        if let Output::Send { message: Message::Accept { request, .. }, .. } = output {
            let index = request.need.index();
            if self.accepts.len() <= index {
                self.accepts.resize(index + 1, 0);
            }
            self.accepts[index] += 1;
            self.tasked += u64::from(self.scans[robot.index()]);
        }
    }
}

fn sample(loaded: &Loaded, setting: &Setting, seed: u64, groups: u64, batch: &Batch<'_>) -> Sample {
    let configs = loaded.recruiters(setting.strategy);
    // The UAV scans, too, but cannot do what it calls for.
    let scans: Vec<bool> = loaded.mission.robots.iter().map(|robot| robot.errand.is_some()).collect();
    let one_run = |group: u64, run: u64, sample: &mut Sample| {
        // [Gage, Effects of Team Size] "the locations at which the UAV made requests were fixed, and ...
        // three randomly generated arrangements of robots were used": a group shares its stops.
        let seeds = Seeds {
            run: Stream::seed_of_run(seed, group * 3 + run),
            stops: Stream::seed_of_run(seed, u64::MAX - group),
        };
        let said = Said { calls: Calls::default(), accepts: Vec::new(), scans: &scans, tasked: 0 };
        let machine = |robot| Recruitment::new(configs.of(robot).clone());
        let mut sim = Sim::new(&loaded.mission, seeds, machine, said);
        sim.run();
        let ledger = sim.ledger();
        let mut last = None;
        for record in ledger.records() {
            let responder = record.served.map(|(_, to)| to);
            if let (Some(before), Some(now)) = (last, responder) {
                sample.pairs += 1;
                sample.repeats += u64::from(before == now);
            }
            last = responder;
        }
        let Said { calls, accepts, tasked, .. } = sim.observer();
        sample.helps.extend(calls.by_task());
        sample.accepts.extend(calls.by_task().iter().enumerate().map(|(need, _)| accepts.get(need).unwrap_or(&0)));
        sample.tasked += tasked;
        sample.open += ledger.records().iter().filter(|record| record.served.is_none()).count() as u64;
        let traffic = sim.traffic();
        [traffic.sent as f64, calls.total_wait_s(ledger, sim.now()), (traffic.sent - traffic.lost) as f64]
    };
    let chunks = batch.map(groups.div_ceil(CHUNK), |chunk| {
        let mut sample = Sample::default();
        for group in chunk * CHUNK..groups.min((chunk + 1) * CHUNK) {
            let before = (sample.helps.len(), sample.accepts.len());
            let runs: [[f64; 3]; 3] = std::array::from_fn(|run| one_run(group, run as u64, &mut sample));
            let group = Group::of(&sample.helps[before.0..], &sample.accepts[before.1..]);
            sample.groups.push(group);
            (batch.progress)(3);
            sample.messages.push(stats::mean(&runs.map(|run| run[0])));
            sample.waits.push(stats::mean(&runs.map(|run| run[1])));
            sample.heard.push(stats::mean(&runs.map(|run| run[2])));
        }
        sample
    });
    chunks.into_iter().fold(Sample::default(), |mut all, chunk| {
        all.messages.extend(chunk.messages);
        all.waits.extend(chunk.waits);
        all.heard.extend(chunk.heard);
        all.helps.extend(chunk.helps);
        all.accepts.extend(chunk.accepts);
        all.groups.extend(chunk.groups);
        all.tasked += chunk.tasked;
        all.open += chunk.open;
        all.pairs += chunk.pairs;
        all.repeats += chunk.repeats;
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_that_would_change_nothing_are_found() {
        let key = |change: &str| overruled(&[change.to_owned()], &TABLE_KEYS).map(|(_, key)| key);
        assert_eq!(key("recruitment.strategy=greedy"), Some("recruitment.strategy"));
        assert_eq!(key(" robots . idle.count = 3"), Some("robots.idle.count"));
        assert_eq!(key("robots.idle={count=3,speed_mps=1}"), Some("robots.idle.count"));
        assert_eq!(key("robots.idle={speed_mps=1}"), None);
        assert_eq!(key("recruitment.pause_s=1"), None);
        assert_eq!(key("radio.latency_ms=5"), None);
        let paused = ["recruitment.threshold=0.5".to_owned(), "recruitment.pause_s=1".to_owned()];
        assert_eq!(overruled(&paused, &GRID_KEYS), Some(("recruitment.pause_s=1", "recruitment.pause_s")));
    }

    /// With few groups nothing fails by the seed: what is known to fail is undecided beside its band.
    #[test]
    fn few_groups_do_not_fail_by_chance() {
        for seed in 1..=6 {
            let study = reproduce(&[], seed, 3, &Batch::quiet()).expect("it is right");
            let account = study.account();
            let failing = study.statements.iter().filter(|it| it.verdict == Verdict::Fails).map(|it| it.id);
            assert!(account.holds(), "seed {seed}: {account}: {:?}", failing.collect::<Vec<_>>());
        }
    }
}
