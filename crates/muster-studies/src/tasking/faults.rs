//! Crashes of any role at any moment, over a radio that loses messages: is everything done, and once?

use std::collections::BTreeMap;

use muster_core::Delivery;
use muster_core::rng::Stream;
use muster_core::tasking::Variant;
use muster_sim::scenario::ScenarioError;
use serde::Serialize;

use super::saboteur::{Crashes, Moment};
use super::trial::{Trial, TrialRun};
use super::witness::Verdict;
use crate::batch::Batch;

/// Shares of messages lost.
pub const LOSSES: [f64; 3] = [0.0, 0.1, 0.3];
/// Runs of a study that must have met every moment that can be met.
const MEETS_ALL_IN: usize = 1_000;
/// What must not be done twice need not be done any more so long after it was asked for: crashes are over by then, and
/// everybody who comes back has been back for two minutes.
const EXPIRES_S: u32 = 240;

/// How messages arrive that do.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Air {
    /// Once, 50 ms after they were sent.
    Orderly,
    /// A quarter of them doubled, a quarter held back for up to 2 s so that others overtake them, and each up to 0.1 s
    /// later than the one before: with what the radio takes anyway that is within the 0.2 s that the protocol's times
    /// are made for, but for those that are held back.
    Unruly,
}

impl Air {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Orderly => "orderly",
            Self::Unruly => "doubled and reordered",
        }
    }

    /// What it makes of the scenario's radio.
    fn changes(self) -> &'static [&'static str] {
        match self {
            Self::Orderly => &[],
            Self::Unruly => {
                &["radio.duplication=0.25", "radio.reordering=0.25", "radio.straggle_s=2", "radio.jitter_ms=100"]
            }
        }
    }
}

/// What many runs are made under.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Setting {
    /// As drawn, as written, or fenced.
    pub variant: Variant,
    /// What is promised of every task.
    pub delivery: Delivery,
    /// How many nodes crash.
    pub crashes: Crashes,
    /// How messages arrive.
    pub air: Air,
    /// The share of messages lost.
    pub loss: f64,
}

impl Setting {
    /// At least once, over a radio that loses messages and does nothing else to them.
    pub const fn new(variant: Variant, crashes: Crashes, loss: f64) -> Self {
        Self { variant, delivery: Delivery::AtLeastOnce, crashes, air: Air::Orderly, loss }
    }

    /// The same with tasks that must not be done twice.
    pub const fn at_most_once(self) -> Self {
        Self { delivery: Delivery::AtMostOnce, ..self }
    }

    /// The same with messages that arrive twice and in another order.
    pub const fn unruly(self) -> Self {
        Self { air: Air::Unruly, ..self }
    }

    /// Runs of it.
    pub fn trial(self) -> Result<Trial, ScenarioError> {
        let mut changes = vec!["tasking.t_peer_s=11".to_owned(), format!("radio.loss={}", self.loss)];
        changes.extend(self.air.changes().iter().map(|change| (*change).to_owned()));
        if self.delivery == Delivery::AtMostOnce {
            for task in ["look", "fire"] {
                changes.push(format!("tasks.{task}.order.delivery=at-most-once"));
                changes.push(format!("tasks.{task}.order.expires_s={EXPIRES_S}"));
            }
        }
        Trial::mesh(self.variant, self.crashes, &changes)
    }

    /// What is promised of every task, as scenarios say it.
    pub const fn promise(self) -> &'static str {
        match self.delivery {
            Delivery::AtLeastOnce => "at-least-once",
            Delivery::AtMostOnce => "at-most-once",
        }
    }
}

/// What came of many runs.
#[derive(Clone, Debug, Serialize)]
pub struct Faults {
    /// Name of the variant.
    pub variant: &'static str,
    /// What the tasks were promised: `at-least-once` or `at-most-once`.
    pub delivery: &'static str,
    /// How many nodes crash.
    pub crashes: &'static str,
    /// How messages arrive: `orderly`, or `doubled and reordered`.
    pub air: &'static str,
    /// The share of messages lost.
    pub loss: f64,
    /// How many runs.
    pub runs: usize,
    /// Tasks that were asked for.
    pub tasks: usize,
    /// Of which done exactly once.
    pub once: usize,
    /// Why others were not.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Messages per run.
    pub messages: f64,
    /// Vehicles that crashed between a deed and its second Done.
    pub at_deed: u64,
    /// Who crashed, and when in its work.
    pub moments: BTreeMap<Moment, u64>,
    /// Moments that were never met.
    pub never_met: Vec<Moment>,
    /// Seeds of the first runs in which something was done again that should not, then of those in which it was lost.
    pub failures: Vec<u64>,
}

impl Faults {
    /// Everything was done at least once, and exactly once where that can be promised; or nothing was done twice.
    pub fn holds(&self) -> bool {
        self.runs > 0 && self.verdict.duplicates == 0 && self.verdict.lost == 0 && self.never_met.is_empty()
    }

    /// There are enough runs for every moment to be met.
    pub fn meets_all(&self) -> bool {
        self.runs >= MEETS_ALL_IN
    }
}

/// Makes `runs` runs.
pub fn faults(setting: Setting, (seed, runs): (u64, u64), batch: &Batch<'_>) -> Result<Faults, ScenarioError> {
    let trial = setting.trial()?;
    Ok(faults_of(setting, &trial, (seed, runs), batch))
}

/// Makes `runs` runs of a trial that may be configured otherwise than its setting says.
pub fn faults_of(setting: Setting, trial: &Trial, (seed, runs): (u64, u64), batch: &Batch<'_>) -> Faults {
    let Setting { variant, crashes, air, loss, .. } = setting;
    let outcomes: Vec<(u64, TrialRun)> = batch.map(runs, |run| {
        let seed = Stream::seed_of_run(seed, run);
        let outcome = trial.run(seed, false);
        (batch.progress)(1);
        (seed, outcome)
    });
    let mut moments: BTreeMap<Moment, u64> = BTreeMap::new();
    for (moment, _) in outcomes.iter().flat_map(|(_, outcome)| &outcome.struck) {
        *moments.entry(*moment).or_default() += 1;
    }
    // A console retries, and PEERs elect, only if something went wrong before.
    let rare = |moment: &Moment| {
        matches!(
            moment,
            Moment::UserWaitsToRetry
                | Moment::PeerWaitsForReply
                | Moment::PeerTabulatesClaims
                | Moment::PeerTabulatesWinners
        )
    };
    // A LEAD of this mission bids itself and may do every phase, so it waits to retry only if it is the console and no bid
    // reaches it: no soak can count on that. LEADs that stop while they wait to retry are what `chain.rs` is about.
    let must = |moment: &Moment| match *moment {
        Moment::LeadWaitsToRetry => false,
        _ => !rare(moment) || (crashes == Crashes::Several && loss > 0.0),
    };
    // As drawn a node keeps nothing of what it has done: nobody is ever seen to have just done something.
    let papers = variant != Variant::Fenced;
    let met_all = crashes == Crashes::None || papers || outcomes.len() < MEETS_ALL_IN;
    let never_met = if met_all {
        Vec::new()
    } else {
        Moment::ALL.into_iter().filter(must).filter(|moment| !moments.contains_key(moment)).collect()
    };
    let verdict = outcomes.iter().fold(Verdict::default(), |all, (_, outcome)| all.and(outcome.verdict()));
    let seeds = |wrong: fn(Verdict) -> bool| {
        outcomes.iter().filter(move |(_, it)| wrong(it.verdict())).map(|(seed, _)| *seed).take(5)
    };
    Faults {
        variant: variant.name(),
        delivery: setting.promise(),
        crashes: crashes.name(),
        air: air.name(),
        loss,
        runs: outcomes.len(),
        tasks: outcomes.iter().map(|(_, outcome)| outcome.asked.iter().filter(|asked| **asked).count()).sum(),
        once: outcomes.iter().map(|(_, outcome)| outcome.done.iter().filter(|times| **times == 1).count()).sum(),
        verdict,
        messages: outcomes.iter().map(|(_, outcome)| outcome.messages as f64).sum::<f64>()
            / outcomes.len().max(1) as f64,
        at_deed: Moment::AT_DEED.iter().filter_map(|moment| moments.get(moment)).sum(),
        moments,
        never_met,
        failures: seeds(|it| it.duplicates > 0).chain(seeds(|it| it.duplicates == 0 && it.lost > 0)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use muster_core::tasking::Config;
    use muster_core::{RobotId, Time};

    use super::*;

    const SEED: u64 = 7;

    fn row(setting: Setting, runs: u64) -> Faults {
        faults(setting, (SEED, runs), &Batch::quiet()).expect("the mesh loads")
    }

    /// The same runs with the protocol broken.
    fn broken(setting: Setting, runs: u64, change: fn(&mut Config)) -> Faults {
        let trial = setting.trial().expect("the mesh loads");
        let mut config = trial.config().clone();
        change(&mut config);
        faults_of(setting, &trial.with_config(config), (SEED, runs), &Batch::quiet())
    }

    const ONE: Setting = Setting::new(Variant::Fenced, Crashes::One, 0.1);
    const SEVERAL: Setting = Setting::new(Variant::Fenced, Crashes::Several, 0.1);

    /// Section 7: at most once is never twice, whatever crashes; and that is not for want of doing anything.
    #[test]
    fn what_must_not_be_done_twice_is_not() {
        for setting in [ONE.at_most_once(), SEVERAL.at_most_once(), ONE.at_most_once().unruly()] {
            let row = row(setting, 100);
            assert!(row.holds(), "{row:?}");
            // With several crashes a third of the tasks has no quorum left that has its memory.
            assert!(2 * row.once > row.tasks && row.verdict.barred > 0, "{row:?}");
        }
        let alone = broken(ONE.at_most_once(), 100, |config| config.team = 1);
        assert!(alone.verdict.duplicates > 0, "leave of nobody else is enough, and it is not noticed: {alone:?}");
    }

    /// Old messages that come late or again mean nothing.
    #[test]
    fn doubled_and_reordered_messages_change_nothing() {
        for setting in [ONE.unruly(), SEVERAL.unruly()] {
            let row = row(setting, 100);
            assert!(row.holds(), "{row:?}");
        }
        let silent = broken(ONE.unruly(), 100, |config| config.fixes.done = false);
        assert!(!silent.holds(), "nobody says Done, and it is not noticed: {silent:?}");
    }

    /// Section 7: "the executor crashes after executing and before anybody heard Done".
    #[test]
    fn a_vehicle_that_crashes_at_its_deed_is_excused() {
        let row = row(ONE, 300);
        assert!(row.holds() && row.verdict.executor_crashed > 0, "{row:?}");
        for moment in Moment::AT_DEED {
            assert!(row.moments.contains_key(&moment), "{moment:?} was never met: {row:?}");
        }
        let silent = broken(ONE, 300, |config| config.fixes.done = false);
        assert!(!silent.holds(), "nobody says Done, and it is not noticed: {silent:?}");
    }

    /// Nobody can know of a deed that the vehicle itself has not heard of: it is done again, or, at most once, left.
    #[test]
    fn a_deed_that_nobody_heard_of_is_done_again_at_least_once_and_not_at_most_once() {
        for (setting, times) in [(ONE, 2), (ONE.at_most_once(), 1)] {
            let trial = setting.trial().expect("the mesh loads");
            let mut met = 0;
            for run in 0..300 {
                let outcome = trial.run(Stream::seed_of_run(SEED, run), false);
                let Some((_, fault)) = outcome.struck.iter().find(|(moment, _)| *moment == Moment::DeedUnperceived)
                else {
                    continue;
                };
                met += 1;
                let there = |deeds: &&Vec<(Time, RobotId)>| deeds.contains(&(fault.at, fault.robot));
                let deeds = outcome.deeds.iter().find(there).expect("it was over a target when it crashed");
                assert_eq!(deeds.len(), times, "run {run}: {deeds:?}");
            }
            assert!(met > 0, "never met");
        }
    }
}
