//! Readings of what the paper leaves open, ranked: how many of its figures each fits, and which of its sentences it
//! contradicts.
//!
//! The reading that the study goes by was chosen by its tables. Another one replaces it only if it fits at least [`MORE`]
//! more figures on arrangements that neither was chosen by, and contradicts no sentence that the present one keeps.

use std::collections::BTreeMap;

use muster_core::Duration;
use muster_core::recruitment::Strategy;
use muster_sim::scenario::ScenarioError;
use serde::Serialize;

use super::conclusions::answers;
use super::tables::{self, Figure};
use super::{Sample, Setting, samples};
use crate::batch::Batch;
use crate::stats;
use crate::verdict::Verdict;

/// How many more figures a reading has to fit.
pub const MORE: usize = 4;

const PERIODS: [(f64, f64); 8] =
    [(2.0, 3.0), (2.0, 1.0), (1.0, 2.0), (0.5, 2.5), (2.0, 2.0), (1.0, 4.0), (2.0, 4.0), (3.0, 3.0)];
const SPACINGS_M: [f64; 4] = [5.0, 6.0, 7.0, 8.0];
const LEASES_S: [f64; 3] = [10.0, 20.0, 40.0];

/// What the grid sets: a change to one of these would change nothing.
pub const GRID_KEYS: [&str; 5] = [
    "recruitment.collect_s",
    "recruitment.pause_s",
    "recruitment.lease_s",
    "robots.west.scan.spacing_m",
    "robots.east.scan.spacing_m",
];

/// Values for what the paper leaves open.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Reading {
    /// How long ACCEPTs are collected.
    pub collect_s: f64,
    /// How long the requester then waits.
    pub pause_s: f64,
    /// Metres between the rows of the tasked UGVs' scans.
    pub spacing_m: f64,
    /// How long a lease is.
    pub lease_s: f64,
    /// Lost messages count as sent.
    pub lost_count: bool,
}

impl Reading {
    /// The one that the study goes by.
    pub const PRESENT: Self = Self { collect_s: 2.0, pause_s: 3.0, spacing_m: 5.0, lease_s: 20.0, lost_count: true };

    fn changes(&self) -> Vec<String> {
        let values = [self.collect_s, self.pause_s, self.lease_s, self.spacing_m, self.spacing_m];
        GRID_KEYS.into_iter().zip(values).map(|(key, value)| format!("{key}={value:?}")).collect()
    }
}

/// A sentence of the paper that a reading may contradict.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sentence {
    /// A short name.
    pub id: &'static str,
    /// What it says.
    pub says: &'static str,
}

type Samples = BTreeMap<Setting, Sample>;
type Keeps = fn(&Reading, &Samples) -> bool;

const SENTENCES: [(Sentence, Keeps); 11] = [
    (
        Sentence {
            id: "three-seconds",
            says: "\"the UAV waited 3 seconds between requests\": in all, or after collecting",
        },
        |it, _| it.pause_s == 3.0 || it.collect_s + it.pause_s == 3.0,
    ),
    (
        Sentence {
            id: "five-to-ten",
            says: "\"needed to request from five to ten times per recruitment\" (mean, 13 robots)",
        },
        |_, of| {
            let helps = of[&Setting::lossless(Strategy::Affective, 10)].helps.iter().map(|&helps| f64::from(helps));
            (5.0..=10.0).contains(&stats::mean(&helps.collect::<Vec<_>>()))
        },
    ),
    (
        Sentence {
            id: "single-reply",
            says: "\"wait for a single reply\": one ACCEPT in most recruitments (13 robots)",
        },
        |_, of| {
            let accepts = &of[&Setting::lossless(Strategy::Affective, 10)].accepts;
            accepts.iter().filter(|&&accepts| accepts == 1).count() * 2 > accepts.len()
        },
    ),
    (
        Sentence { id: "more-with-one", says: "affective needs more messages than greedy with one idle robot" },
        |_, of| messages(of, Strategy::Affective, 1, 0) > messages(of, Strategy::Greedy, 1, 0),
    ),
    (
        Sentence {
            id: "fewer-with-more",
            says: "affective needs fewer messages than greedy with 10 and with 20 idle robots",
        },
        |_, of| {
            [10, 20]
                .iter()
                .all(|&idle| messages(of, Strategy::Affective, idle, 0) < messages(of, Strategy::Greedy, idle, 0))
        },
    ),
    (
        Sentence { id: "fewest-under-loss", says: "affective needs the fewest messages at 5, 10 and 25 % loss" },
        |_, of| {
            [5, 10, 25].iter().all(|&loss| {
                let affective = messages(of, Strategy::Affective, 10, loss);
                affective < messages(of, Strategy::Greedy, 10, loss)
                    && affective < messages(of, Strategy::Random, 10, loss)
            })
        },
    ),
    (Sentence { id: "greedy-waits-least", says: "greedy waits less than affective at every team size" }, |_, of| {
        [1, 5, 10, 20].iter().all(|&idle| wait(of, Strategy::Greedy, idle) < wait(of, Strategy::Affective, idle))
    }),
    (Sentence { id: "before-random", says: "affective waits less than random with 13 and 23 robots" }, |_, of| {
        [10, 20].iter().all(|&idle| wait(of, Strategy::Affective, idle) < wait(of, Strategy::Random, idle))
    }),
    (Sentence { id: "use-case-2", says: "the nearest of three answers HELP 5, the others never transmit" }, |it, _| {
        let period = Duration::from_secs_f64(it.collect_s + it.pause_s);
        answers(20.0, period) == 5 && answers(60.0, period) > 5 && answers(80.0, period) > 5
    }),
    (
        Sentence {
            id: "tasked-become-free",
            says: "tasked UGVs stop \"and become temporarily available\": one answers in some run without loss",
        },
        |_, of| of.iter().any(|(setting, sample)| setting.loss_percent == 0 && sample.tasked > 0),
    ),
    (Sentence { id: "not-transmitted", says: "dropped messages are \"not transmitted\", so not counted" }, |it, _| {
        !it.lost_count
    }),
];

fn messages(of: &Samples, strategy: Strategy, idle: u32, loss_percent: u32) -> f64 {
    stats::mean(&of[&Setting { loss_percent, ..Setting::lossless(strategy, idle) }].messages)
}

fn wait(of: &Samples, strategy: Strategy, idle: u32) -> f64 {
    stats::mean(&of[&Setting::lossless(strategy, idle)].waits)
}

/// A reading and what it comes to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranked {
    /// The reading.
    #[serde(flatten)]
    pub reading: Reading,
    /// How many of the distinct figures it fits, by the criterion of the study.
    pub fits: usize,
    /// Of how many too few groups were run to tell.
    pub undecided: usize,
    /// The same on fresh arrangements, if it was tried on them.
    pub fits_fresh: Option<usize>,
    /// The sentences that it contradicts.
    pub contradicts: Vec<&'static str>,
    /// It is the one that the study goes by.
    pub present: bool,
    /// It ought to take its place.
    pub replaces: bool,
}

/// All of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Readings {
    /// Three-run groups per cell.
    pub groups: u64,
    /// Distinct figures.
    pub figures: usize,
    /// The best first.
    pub ranked: Vec<Ranked>,
    /// What they may contradict.
    pub sentences: Vec<Sentence>,
}

/// How many runs the grid makes, but for the fresh ones.
pub fn runs_in(groups: u64) -> u64 {
    let readings = (PERIODS.len() * SPACINGS_M.len() * LEASES_S.len()) as u64;
    readings * tables::settings(&tables::figures()).len() as u64 * groups * 3
}

/// Runs the grid.
pub fn rank(changes: &[String], seed: u64, groups: u64, batch: &Batch<'_>) -> Result<Readings, ScenarioError> {
    rank_among(&grid(), changes, seed, groups, batch)
}

/// What is run; from each of these follows a second reading, by which lost messages do not count.
fn grid() -> Vec<Reading> {
    let mut grid = Vec::new();
    for (collect_s, pause_s) in PERIODS {
        for spacing_m in SPACINGS_M {
            grid.extend(LEASES_S.map(|lease_s| Reading { collect_s, pause_s, spacing_m, lease_s, lost_count: true }));
        }
    }
    grid
}

fn rank_among(
    grid: &[Reading],
    changes: &[String],
    seed: u64,
    groups: u64,
    batch: &Batch<'_>,
) -> Result<Readings, ScenarioError> {
    let figures = tables::distinct(&tables::figures());
    let mut ranked = Vec::new();
    for reading in grid {
        let samples = run(changes, reading, seed, groups, batch)?;
        // Broken off, a reading that was not run to the end is left out rather than ranked.
        if !is_whole(&samples, groups) {
            continue;
        }
        for lost_count in [true, false] {
            let reading = Reading { lost_count, ..*reading };
            let (fits, undecided) = fits(&figures, &samples, lost_count);
            let contradicted = SENTENCES.iter().filter(|(_, keeps)| !keeps(&reading, &samples));
            ranked.push(Ranked {
                reading,
                fits,
                undecided,
                fits_fresh: None,
                contradicts: contradicted.map(|(sentence, _)| sentence.id).collect(),
                present: reading == Reading::PRESENT,
                replaces: false,
            });
        }
    }
    // The present one first among equals.
    ranked.sort_by_key(|it| (std::cmp::Reverse(it.fits), it.contradicts.len(), !it.present));
    freshly(changes, &figures, &mut ranked, seed, groups, batch)?;
    let sentences = SENTENCES.iter().map(|(sentence, _)| *sentence).collect();
    Ok(Readings { groups, figures: figures.len(), ranked, sentences })
}

/// Tries the present reading, and those that might take its place, on arrangements that none was chosen by.
fn freshly(
    changes: &[String],
    figures: &[Figure],
    ranked: &mut [Ranked],
    seed: u64,
    groups: u64,
    batch: &Batch<'_>,
) -> Result<(), ScenarioError> {
    let Some(present) = ranked.iter().find(|it| it.present).cloned() else { return Ok(()) };
    let fresh = |it: &Ranked| -> Result<Option<usize>, ScenarioError> {
        let samples = run(changes, &it.reading, seed.wrapping_add(1_000_003), groups, batch)?;
        Ok(is_whole(&samples, groups).then(|| fits(figures, &samples, it.reading.lost_count).0))
    };
    let Some(present_fits) = fresh(&present)? else { return Ok(()) };
    for it in ranked.iter_mut() {
        let keeps = it.contradicts.iter().all(|id| present.contradicts.contains(id));
        if it.present {
            it.fits_fresh = Some(present_fits);
        } else if keeps && it.fits >= present.fits + MORE {
            it.fits_fresh = fresh(it)?;
            it.replaces = it.fits_fresh.is_some_and(|fits| fits >= present_fits + MORE);
        }
    }
    Ok(())
}

fn run(
    changes: &[String],
    reading: &Reading,
    seed: u64,
    groups: u64,
    batch: &Batch<'_>,
) -> Result<Samples, ScenarioError> {
    let all: Vec<String> = changes.iter().cloned().chain(reading.changes()).collect();
    samples(&all, seed, groups, batch)
}

fn is_whole(samples: &Samples, groups: u64) -> bool {
    samples.values().all(|sample| sample.messages.len() as u64 == groups)
}

/// How many of the figures a reading fits, and of how many too few groups were run to tell.
fn fits(figures: &[Figure], samples: &Samples, lost_count: bool) -> (usize, usize) {
    let judged = |figure: &Figure| tables::judge(figure, &samples[&figure.setting], lost_count);
    let count = |verdict: Verdict| figures.iter().filter(|figure| judged(figure) == verdict).count();
    (count(Verdict::Holds), count(Verdict::Undecided))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the grid calls the present reading is what the study runs.
    #[test]
    fn the_present_reading_is_in_the_grid_and_is_the_studys_own() {
        assert!(grid().contains(&Reading::PRESENT));
        let setting = Setting::lossless(Strategy::Affective, 10);
        let own = super::super::scenario_for(&setting, &[]).expect("the built-in scenario is right");
        let same = super::super::scenario_for(&setting, &Reading::PRESENT.changes()).expect("a reading");
        assert_eq!(own.scenario, same.scenario);
    }

    /// Few groups are enough to see that the ranking is one, and what contradicts what.
    #[test]
    fn readings_are_ranked_by_what_they_fit() {
        let plain = Reading { pause_s: 1.0, ..Reading::PRESENT };
        let readings = rank_among(&[plain, Reading::PRESENT], &[], 1, 3, &Batch::quiet()).expect("it is right");
        assert_eq!((readings.figures, readings.ranked.len()), (46, 4));
        assert!(readings.ranked.is_sorted_by_key(|it| std::cmp::Reverse(it.fits)));
        let present: Vec<&Ranked> = readings.ranked.iter().filter(|it| it.present).collect();
        assert_eq!(present.len(), 1);
        assert!(present[0].contradicts.contains(&"not-transmitted") && present[0].fits_fresh.is_some());
        assert!(!present[0].contradicts.contains(&"use-case-2"));
        let three = readings.ranked.iter().find(|it| it.reading == plain).expect("it was ranked");
        assert!(
            three.contradicts.contains(&"use-case-2") && three.contradicts.contains(&"fewer-with-more"),
            "{three:?}"
        );
    }
}
