//! The study of CARS (Lisetti et al.): what its section on the simulator asks for, check by check, and what comes of
//! half hours at its reception.
//!
//! Read before editing: the CARS part of the paper; docs/reproductions/reception.md for how it was read.

pub mod caution;
pub mod check;
mod classes;
mod control;
mod experiment;
mod folder;
mod logs;
mod parameters;
mod probe;
mod robots;
pub mod runs;
pub mod snapshot;
mod space;
mod stage;
pub mod tables;
mod third;
pub mod timeline;
pub mod vectors;

use serde::Serialize;

use crate::batch::Batch;
use crate::verdict::{Account, Bounds, Ground, Interval, Source, Verdict};
use check::{Asked, Check, Evidence};
use runs::{CAUTIONS, COUNTED, GUESTS, Mean, PAPER, ROBOTS, Run, Runs, SECONDS, mean_of};
use snapshot::Snapshot;
use timeline::Timeline;
use vectors::{Schema, Vector};

/// The study's results.
#[derive(Clone, Debug, Serialize)]
pub struct Study {
    /// Seeds for each number of guests and each caution.
    pub runs: u64,
    /// How long each reception goes on, in seconds.
    pub seconds: u64,
    /// Every check, with what was found.
    pub checks: Vec<Check>,
    /// Butler's emotion state generator on eight cases.
    pub vectors: Vec<Vector>,
    /// Table 2 as it is shipped.
    pub table_2: Vec<Schema>,
    /// Means over the seeds, by the number of guests.
    pub crowds: Vec<Crowd>,
    /// Butler's shares of time by caution, among the paper's guests.
    pub cautions: Vec<Cautious>,
    /// The paper's snapshot, as it was found.
    pub snapshot: Option<Snapshot>,
    /// One run, as it went.
    pub timeline: Option<Timeline>,
}

/// Means over receptions with the same number of guests.
#[derive(Clone, Debug, Serialize)]
pub struct Crowd {
    /// Guests on the field.
    pub guests: usize,
    /// Of how many receptions.
    pub runs: usize,
    /// How often things happened in half an hour.
    pub counts: Vec<(&'static str, Mean)>,
    /// Shares of time for each robot and emotion.
    pub shares: Vec<Share>,
}

/// The share of time that a robot feels something.
#[derive(Clone, Debug, Serialize)]
pub struct Share {
    /// The robot's name.
    pub robot: &'static str,
    /// The emotion's name.
    pub emotion: String,
    /// For how much of the time.
    #[serde(flatten)]
    pub share: Mean,
}

/// Butler's shares of time with so much caution.
#[derive(Clone, Debug, Serialize)]
pub struct Cautious {
    /// The personality's caution, 0 to 1.
    pub caution: f64,
    /// Of how many receptions.
    pub runs: usize,
    /// Shares of time.
    pub shares: Vec<Share>,
}

impl Study {
    /// The verdicts, counted: the checks and the snapshot are the paper's. Table 2 is its own, copied; the test vectors are
    /// ours, since the paper gives none.
    pub fn account(&self) -> Account {
        let so = |held: bool| Verdict::of(Interval::exact(f64::from(u8::from(!held))), Bounds::exactly(0.0));
        let checks = self.checks.iter().map(|check| (Source::Paper, Ground::Measured, check.verdict));
        let snapshot = (Source::Paper, Ground::Measured, so(self.snapshot.is_some()));
        let table_2 = self.table_2.iter().map(|row| (Source::Paper, Ground::Construction, so(row.as_in_paper)));
        let vectors = self.vectors.iter().map(|vector| (Source::Ours, Ground::Measured, so(vector.holds())));
        checks.chain([snapshot]).chain(table_2).chain(vectors).collect()
    }

    /// Nothing fails.
    pub fn holds(&self) -> bool {
        self.account().holds()
    }

    /// Receptions with that many guests.
    pub fn crowd(&self, guests: usize) -> Option<&Crowd> {
        self.crowds.iter().find(|crowd| crowd.guests == guests)
    }

    /// The emotions, calmest first.
    pub fn emotions(&self) -> Vec<&str> {
        self.table_2.iter().map(|row| row.emotion.as_str()).collect()
    }
}

/// All checks, in the order of their numbers.
fn asked() -> Vec<&'static Asked> {
    let lists: [&'static [Asked]; 8] = [
        &control::CHECKS,
        &parameters::CHECKS,
        &logs::CHECKS,
        &robots::CHECKS,
        &classes::CHECKS,
        &space::CHECKS,
        &experiment::CHECKS,
        &third::CHECKS,
    ];
    let mut all: Vec<&'static Asked> = lists.into_iter().flatten().collect();
    // Their numbers are all numbers.
    all.sort_by_key(|asked| asked.id.parse::<u32>().unwrap_or(u32::MAX));
    all
}

/// Steps that [`reproduce`] makes: what its progress counts up to.
pub fn steps_in(seeds: u64) -> u64 {
    runs::receptions_in(seeds) + asked().len() as u64
}

/// Regenerates the study, with `seeds` seeds for each number of guests and each caution.
pub fn reproduce(seed: u64, seeds: u64, batch: &Batch<'_>) -> Study {
    let runs = Runs::new(seed, seeds, batch);
    let (asked, evidence) = (asked(), Evidence { seed, runs: &runs });
    let checks = batch.map(asked.len() as u64, |index| {
        let check = asked[index as usize].answer(&evidence);
        (batch.progress)(1);
        check
    });
    let table_2 = vectors::table_2();
    let emotions: Vec<String> = table_2.iter().map(|row| row.emotion.clone()).collect();
    let crowds = GUESTS.map(|guests| crowd(guests, runs.with_guests(guests), &emotions)).to_vec();
    let cautions = CAUTIONS.map(|caution| {
        let of = runs.with_caution(caution);
        Cautious { caution, runs: of.len(), shares: shares(of, 0, &emotions) }
    });
    Study {
        runs: seeds,
        seconds: SECONDS,
        checks,
        vectors: vectors::vectors(),
        table_2,
        crowds,
        cautions: cautions.to_vec(),
        snapshot: snapshot::find(&runs),
        timeline: runs.with_guests(PAPER).first().and_then(|run| timeline::timeline(run.seed)),
    }
}

fn crowd(guests: usize, runs: &[Run], emotions: &[String]) -> Crowd {
    let counts = COUNTED.iter().enumerate();
    let counts = counts.map(|(index, (what, _))| (*what, mean_of(runs, |run| run.counts[index] as f64))).collect();
    let shares = (0..ROBOTS.len()).flat_map(|robot| shares(runs, robot, emotions)).collect();
    Crowd { guests, runs: runs.len(), counts, shares }
}

/// Emotions of the table first, then any other that was felt.
fn shares(runs: &[Run], robot: usize, emotions: &[String]) -> Vec<Share> {
    let mut names = emotions.to_vec();
    for (felt, _) in runs.iter().flat_map(|run| &run.felt[robot]) {
        if !names.iter().any(|name| felt == name.as_str()) {
            names.push(felt.to_string());
        }
    }
    let share = |emotion: String| {
        let share = mean_of(runs, |run| run.share(robot, &emotion));
        Share { robot: ROBOTS[robot], emotion, share }
    };
    names.into_iter().map(share).collect()
}

#[cfg(test)]
mod tests;
