//! Claim 1: a task is passed on along a chain of vehicles, each of which is gone before the last can do it.

use muster_core::rng::Stream;
use muster_core::tasking::Variant;
use muster_sim::scenario::{self, ScenarioError};
use serde::Serialize;

use super::saboteur::Crashes;
use super::trial::Trial;
use crate::batch::Batch;

/// Runs of the chain with one overlap.
#[derive(Clone, Debug, Serialize)]
pub struct Chain {
    /// `drawn` or `fenced`.
    pub variant: &'static str,
    /// The share of messages lost.
    pub loss: f64,
    /// How long two vehicles of the chain can talk: t_sync.
    pub overlap_s: f64,
    /// How many runs.
    pub runs: usize,
    /// In how many the task was carried out.
    pub carried_out: usize,
}

/// A vehicle hears of the task and is gone; the next has joined `overlap_s` before that; only the last is able.
pub fn chain(
    variant: Variant,
    (loss, overlap_s): (f64, f64),
    (seed, runs): (u64, u64),
    batch: &Batch<'_>,
) -> Result<Chain, ScenarioError> {
    const LINKS: usize = 4;
    // Each is there for a minute; the console hears only the first.
    let stays_s = 60.0;
    let mut text = String::from(
        "limit_h = 0.3\n[field]\nwidth_m = 1000\nheight_m = 1000\n[robots.console]\nspeed_mps = 1\nplace = [0, 0]\n",
    );
    let mut joins_s = 0.0;
    let mut faults = format!("[[faults]]\nrobot = \"console\"\nat_s = {}\nkind = \"stop\"\n", stays_s / 2.0);
    for link in 1..=LINKS {
        let able = if link == LINKS { "percepts = [\"eye\"]\n" } else { "" };
        text += &format!("[robots.v{link}]\nspeed_mps = 20\njoins_s = {joins_s}\n{able}");
        if link < LINKS {
            faults += &format!("[[faults]]\nrobot = \"v{link}\"\nat_s = {}\nkind = \"stop\"\n", joins_s + stays_s);
        }
        joins_s += stays_s - overlap_s;
    }
    text += &format!(
        "{faults}[tasks.look]\nat_s = 1\nneeds = [\"eye\"]\norder = {{ by = \"console\" }}\n[radio]\nloss = {loss}\n\
         loss_per = \"receiver\"\n[tasking]\nvariant = \"{}\"\nconsoles = [\"console\"]\ncorridor_m = 100\n",
        variant.name()
    );
    let trial = Trial::new(scenario::parse("chain", "chain", &text, &[])?, variant, Crashes::None);
    let carried_out = batch.map(runs, |run| {
        let outcome = trial.run(Stream::seed_of_run(seed, run), false);
        (batch.progress)(1);
        outcome.done[0] > 0
    });
    Ok(Chain {
        variant: variant.name(),
        loss,
        overlap_s,
        runs: carried_out.len(),
        carried_out: carried_out.iter().filter(|done| **done).count(),
    })
}
