//! A team that is split in two for a while: done once if it heals in time, and noticed by the vehicles if not.

use muster_core::rng::{Purpose, Stream};
use muster_core::tasking::Variant;
use muster_core::{Duration, Time};
use muster_sim::radio::{Partition, Span};
use muster_sim::scenario::{self, ScenarioError};
use serde::Serialize;

use super::saboteur::Crashes;
use super::trial::{Tasks, Trial, TrialRun, mesh};
use crate::batch::Batch;

/// What came of many partitions at one loss.
#[derive(Clone, Debug, Serialize)]
pub struct Partitions {
    /// Name of the variant.
    pub variant: &'static str,
    /// What the task was promised: `at-least-once` or `at-most-once`.
    pub delivery: &'static str,
    /// The share of messages lost.
    pub loss: f64,
    /// How many runs.
    pub runs: usize,
    /// Done more than once, whenever it healed.
    pub twice: usize,
    /// Healed in time: before the task was first done.
    pub healed_in_time: usize,
    /// Of which done exactly once.
    pub once: usize,
    /// Healed later, but before the second vehicle would have done it.
    pub healed_between: usize,
    /// Of which done exactly once.
    pub between_once: usize,
    /// How long before the second execution it has to heal for that to be prevented.
    pub spare_s: f64,
    /// Done twice, both times before it healed.
    pub outlasted: usize,
    /// Of which some vehicle noticed within 2 `t_status` of healing.
    pub noticed_in_2: usize,
    /// Of which some vehicle noticed within 10 `t_status` of healing.
    pub noticed_in_10: usize,
    /// Done twice although it had healed before the second time, and in time for it.
    pub wrong: usize,
    /// Never done.
    pub never: usize,
}

impl Partitions {
    /// Done once where it can be and noticed where it cannot; at most once is never twice.
    pub fn holds(&self) -> bool {
        if self.delivery == "at-most-once" {
            return self.twice == 0;
        }
        let noticed = match self.loss {
            0.0 => self.noticed_in_2 == self.outlasted,
            _ => self.noticed_in_10 as f64 >= 0.99 * self.outlasted as f64,
        };
        self.once == self.healed_in_time && self.wrong == 0 && self.never == 0 && noticed
    }
}

/// How long before something is done a partition has to be over for it to be in time: so many reports that all of
/// them are missed in one of a hundred thousand runs at most, and one more for the way there.
pub(super) fn in_time(loss: f64, status: Duration) -> Duration {
    let reports = if loss > 0.0 { (1e-5_f64.ln() / loss.ln()).ceil() } else { 1.0 };
    status.stretched(reports + 1.0)
}

/// Makes `runs` runs, each with a partition of its own.
pub fn partitions(
    (variant, delivery): (Variant, &'static str),
    loss: f64,
    (seed, runs): (u64, u64),
    batch: &Batch<'_>,
) -> Result<Partitions, ScenarioError> {
    let changes = [
        "tasking.t_peer_s=11".to_owned(),
        format!("tasking.variant={}", variant.name()),
        format!("radio.loss={loss}"),
        format!("tasks.look.order.delivery={delivery}"),
    ];
    let loaded = scenario::parse("mesh", "tasking_mesh.toml", &mesh(Tasks::Single), &changes)?;
    let status = loaded.tasking(variant).0.status;
    let outcomes: Vec<(Time, TrialRun)> = batch.map(runs, |run| {
        let seed = Stream::seed_of_run(seed, run);
        let mut stream = Stream::of_run(seed, Purpose::Faults);
        let mut loaded = loaded.clone();
        let when = split(&mut stream, loaded.mission.robots.len());
        let heals = when.when.to;
        loaded.mission.radio.partitions.push(when);
        // Long enough to see whether anybody notices.
        let until = heals + status.stretched(12.0);
        let outcome = Trial::new(loaded, variant, Crashes::None).until(until).run(seed, true);
        (batch.progress)(1);
        (heals, outcome)
    });
    let spare = in_time(loss, status);
    let mut row = Partitions {
        variant: variant.name(),
        delivery,
        loss,
        runs: outcomes.len(),
        twice: 0,
        healed_in_time: 0,
        once: 0,
        healed_between: 0,
        between_once: 0,
        outlasted: 0,
        noticed_in_2: 0,
        noticed_in_10: 0,
        wrong: 0,
        never: 0,
        spare_s: spare.as_secs_f64(),
    };
    for (heals, outcome) in &outcomes {
        let heals = *heals;
        let deeds = &outcome.deeds[0];
        let Some(&(first, _)) = deeds.first() else {
            row.never += 1;
            continue;
        };
        let once = usize::from(deeds.len() == 1);
        row.twice += 1 - once;
        match deeds.get(1) {
            _ if heals <= first => {
                row.healed_in_time += 1;
                row.once += once;
            }
            Some(&(second, _)) if second < heals => {
                row.outlasted += 1;
                let noticed = outcome.duplicate_noticed().filter(|at| *at >= heals);
                let within = |reports: f64| noticed.is_some_and(|at| at <= heals + status.stretched(reports));
                row.noticed_in_2 += usize::from(within(2.0));
                row.noticed_in_10 += usize::from(within(10.0));
            }
            Some(&(second, _)) if heals + spare <= second => {
                row.healed_between += 1;
                row.wrong += 1;
            }
            _ => {
                row.healed_between += 1;
                row.between_once += once;
            }
        }
    }
    Ok(row)
}

/// Two parts with a vehicle in each, from some time in the first 20 s on, for up to 80 s.
fn split(stream: &mut Stream, team: usize) -> Partition {
    let from = stream.between(1.0, 20.0);
    let lasts = stream.between(2.0, 80.0);
    let part_of: Vec<u32> = loop {
        let parts: Vec<u32> = (0..team).map(|_| stream.below(2)).collect();
        // The first is the console.
        if parts[1..].contains(&0) && parts[1..].contains(&1) {
            break parts;
        }
    };
    let at = Time::from_secs_f64;
    Partition { when: Span { from: at(from), to: at(from + lasts) }, part_of }
}
