//! Crashes of any role at any moment, over a radio that loses messages: is everything done, and once?

use std::collections::BTreeMap;

use muster_core::rng::Stream;
use muster_core::tasking::Variant;
use muster_sim::scenario::ScenarioError;
use serde::Serialize;

use super::saboteur::{Crashes, Moment};
use super::trial::Trial;
use super::witness::Verdict;
use crate::batch::Batch;

/// Shares of messages lost.
pub const LOSSES: [f64; 3] = [0.0, 0.1, 0.3];
/// In so many runs every moment that can be met has to be.
const MEETS_ALL_IN: usize = 1_000;

/// What came of many runs.
#[derive(Clone, Debug, Serialize)]
pub struct Faults {
    /// `drawn` or `fenced`.
    pub variant: &'static str,
    /// How many nodes crash.
    pub crashes: &'static str,
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
    /// Who crashed, and when in its work.
    pub moments: BTreeMap<Moment, u64>,
    /// Moments that were never met.
    pub never_met: Vec<Moment>,
    /// Seeds of the first runs in which something went wrong that should not.
    pub failures: Vec<u64>,
}

impl Faults {
    /// Everything was done at least once, and exactly once where that can be promised.
    pub fn holds(&self) -> bool {
        self.runs > 0 && self.verdict.duplicates == 0 && self.verdict.lost == 0 && self.never_met.is_empty()
    }
}

/// Makes `runs` runs.
pub fn faults(
    variant: Variant,
    crashes: Crashes,
    loss: f64,
    (seed, runs): (u64, u64),
    batch: &Batch<'_>,
) -> Result<Faults, ScenarioError> {
    let changes = ["tasking.t_peer_s=11".to_owned(), format!("radio.loss={loss}")];
    let trial = Trial::mesh(variant, crashes, &changes)?;
    let outcomes = batch.map(runs, |run| {
        let seed = Stream::seed_of_run(seed, run);
        let outcome = trial.run(seed, false);
        (batch.progress)(1);
        (seed, outcome)
    });
    let mut moments: BTreeMap<Moment, u64> = BTreeMap::new();
    for (moment, _) in outcomes.iter().flat_map(|(_, outcome)| &outcome.struck) {
        *moments.entry(*moment).or_default() += 1;
    }
    // A console retries, a LEAD does, and PEERs elect only if something went wrong before.
    let rare = |moment: &Moment| {
        matches!(
            moment,
            Moment::UserWaitsToRetry
                | Moment::LeadWaitsToRetry
                | Moment::PeerWaitsForReply
                | Moment::PeerTabulatesClaims
                | Moment::PeerTabulatesWinners
        )
    };
    let must = |moment: &Moment| crashes == Crashes::Several && (loss > 0.0 || !rare(moment)) || !rare(moment);
    // As drawn a node keeps nothing of what it has done: nobody is ever seen to have just done something.
    let met_all = crashes == Crashes::None || variant == Variant::Drawn || outcomes.len() < MEETS_ALL_IN;
    let never_met = if met_all {
        Vec::new()
    } else {
        Moment::ALL.into_iter().filter(must).filter(|moment| !moments.contains_key(moment)).collect()
    };
    let verdict = outcomes.iter().fold(Verdict::default(), |all, (_, outcome)| all.and(outcome.verdict()));
    let wrong = |verdict: Verdict| verdict.duplicates + verdict.lost > 0;
    Ok(Faults {
        variant: variant.name(),
        crashes: crashes.name(),
        loss,
        runs: outcomes.len(),
        tasks: outcomes.iter().map(|(_, outcome)| outcome.asked.iter().filter(|asked| **asked).count()).sum(),
        once: outcomes.iter().map(|(_, outcome)| outcome.done.iter().filter(|times| **times == 1).count()).sum(),
        verdict,
        messages: outcomes.iter().map(|(_, outcome)| outcome.messages as f64).sum::<f64>()
            / outcomes.len().max(1) as f64,
        moments,
        never_met,
        failures: outcomes.iter().filter(|(_, it)| wrong(it.verdict())).map(|(seed, _)| *seed).take(5).collect(),
    })
}
