//! Gage & Murphy 2004, Tables 1-5 and conclusions.
//!
//! Read before editing: the paper's Results and Conclusions; docs/reproductions/recruitment.md for the
//! reading, for the nine rows that fit no sensible reading, and for the paper's contradictions.

mod conclusions;
mod tables;

use std::collections::BTreeMap;

use muster_core::recruitment::Recruitment;
use muster_core::rng::Stream;
use muster_sim::scenario::{self, Loaded, ScenarioError};
use muster_sim::{Seeds, Sim};
use serde::Serialize;

pub use conclusions::{Conclusion, Contradiction};
pub use tables::{CENTRAL, Cell, Figure, Metric, Setting};

use crate::batch::Batch;
use crate::run::Calls;
use crate::stats;
use crate::verdict::{Account, Ground, Source, Verdict};

/// The study's results.
#[derive(Clone, Debug, Serialize)]
pub struct Study {
    /// Three-run groups per cell.
    pub runs: u64,
    /// Every figure of Tables 1-5 beside ours.
    pub cells: Vec<Cell>,
    /// What the paper concludes, recomputed.
    pub conclusions: Vec<Conclusion>,
    /// Where the paper contradicts itself.
    pub contradictions: Vec<Contradiction>,
}

/// What a run of one setting contributes.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Means over three runs: messages, and waiting time in seconds.
    messages: Vec<f64>,
    waits: Vec<f64>,
    /// HELPs of each recruitment.
    helps: Vec<u32>,
    /// Pairs of successive recruitments, and how many of them called the same robot.
    pairs: u64,
    repeats: u64,
}

impl Study {
    /// The verdicts, counted.
    pub fn account(&self) -> Account {
        self.cells.iter().map(|cell| (Source::Paper, Ground::Measured, cell.verdict)).collect()
    }

    /// Nothing fails.
    pub fn holds(&self) -> bool {
        self.account().holds()
    }

    /// How many rows have been reproduced.
    pub fn reproduced(&self) -> usize {
        self.cells.iter().filter(|cell| cell.verdict == Verdict::Holds).count()
    }
}

/// How many runs `groups` three-run groups per cell make.
pub fn runs_in(groups: u64) -> u64 {
    tables::settings(&tables::figures()).len() as u64 * groups * 3
}

/// The scenario of one setting: the built-in minefield under the paper's reading.
pub fn scenario_for(setting: &Setting) -> Result<Loaded, ScenarioError> {
    let changes = [
        "recruitment.config=gage_2004".to_owned(),
        format!("recruitment.strategy={}", setting.strategy.name()),
        format!("recruitment.messaging={}", setting.messaging),
        format!("robots.idle.count={}", setting.idle),
        format!("radio.loss={}", setting.loss()),
    ];
    scenario::load("minefield", &changes)
}

/// Runs the whole study: `groups` three-run groups for each cell.
pub fn reproduce(seed: u64, groups: u64, batch: &Batch<'_>) -> Result<Study, ScenarioError> {
    let figures = tables::figures();
    let mut samples = BTreeMap::new();
    for setting in tables::settings(&figures) {
        let loaded = scenario_for(&setting)?;
        samples.insert(setting, sample(&loaded, &setting, seed, groups, batch));
    }
    // Broken off, cells that nothing was run for are left out rather than judged.
    let ran = |figure: &&Figure| !samples[&figure.setting].messages.is_empty();
    Ok(Study {
        runs: samples
            .values()
            .map(|sample| sample.messages.len() as u64)
            .filter(|groups| *groups > 0)
            .min()
            .unwrap_or(0),
        cells: figures.iter().filter(ran).map(|figure| tables::compare(figure, &samples[&figure.setting])).collect(),
        conclusions: conclusions::conclusions(&figures, &samples),
        contradictions: conclusions::contradictions(&figures),
    })
}

/// Groups are handed out in chunks: one at a time would spend more on handing out than on running.
const CHUNK: u64 = 16;

fn sample(loaded: &Loaded, setting: &Setting, seed: u64, groups: u64, batch: &Batch<'_>) -> Sample {
    let configs = loaded.recruiters(setting.strategy);
    let one_run = |group: u64, run: u64, sample: &mut Sample| {
        // [Gage, Effects of Team Size] "the locations at which the UAV made requests were fixed, and ...
        // three randomly generated arrangements of robots were used": a group shares its stops.
        let seeds = Seeds {
            run: Stream::seed_of_run(seed, group * 3 + run),
            stops: Stream::seed_of_run(seed, u64::MAX - group),
        };
        let mut sim =
            Sim::new(&loaded.mission, seeds, |robot| Recruitment::new(configs.of(robot).clone()), Calls::default());
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
        sample.helps.extend(sim.observer().by_task());
        (sim.traffic().sent as f64, sim.observer().total_wait_s(ledger, sim.now()))
    };
    let chunks = batch.map(groups.div_ceil(CHUNK), |chunk| {
        let mut sample = Sample::default();
        for group in chunk * CHUNK..groups.min((chunk + 1) * CHUNK) {
            let runs: [(f64, f64); 3] = std::array::from_fn(|run| one_run(group, run as u64, &mut sample));
            (batch.progress)(3);
            sample.messages.push(stats::mean(&runs.map(|run| run.0)));
            sample.waits.push(stats::mean(&runs.map(|run| run.1)));
        }
        sample
    });
    chunks.into_iter().fold(Sample::default(), |mut all, chunk| {
        all.messages.extend(chunk.messages);
        all.waits.extend(chunk.waits);
        all.helps.extend(chunk.helps);
        all.pairs += chunk.pairs;
        all.repeats += chunk.repeats;
        all
    })
}
