//! All runs of one strategy in a line: means with their intervals, and what went wrong, counted.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::air::{self, MeanSent};
use crate::run::{Row, is_zero};
use crate::stats;

/// All runs of one strategy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Who answered and who was chosen.
    pub strategy: &'static str,
    /// How many runs.
    pub runs: usize,
    /// In how many every task was handed over.
    pub completed: usize,
    /// Messages sent by anybody.
    pub messages: Spread,
    /// Bytes of these.
    pub bytes: Spread,
    /// What was sent of each kind of message, in the mean.
    pub by_kind: BTreeMap<&'static str, MeanSent>,
    /// What each robot has sent, in the mean.
    pub by_robot: BTreeMap<Arc<str>, MeanSent>,
    /// Waiting time summed over the tasks.
    pub wait_s: Spread,
    /// How long the run took.
    pub end_s: Spread,
    /// In all runs together; see [`Row::duplicates`].
    pub duplicates: u64,
    /// In all runs together; see [`Row::overlaps`].
    pub overlaps: u64,
    /// In all runs together; see [`Row::lost`].
    pub lost: u64,
    /// In all runs together; see [`Row::expired`].
    pub expired: u64,
    /// In all runs together; see [`Row::order_broken`].
    #[serde(skip_serializing_if = "is_zero")]
    pub order_broken: u64,
    /// In all runs together; see [`Row::broken_off`].
    #[serde(skip_serializing_if = "is_zero")]
    pub broken_off: u64,
    /// In all runs together; see [`Row::uncoupled`].
    #[serde(skip_serializing_if = "is_zero")]
    pub uncoupled: u64,
    /// In all runs together; see [`Row::flown_again`].
    #[serde(skip_serializing_if = "is_zero")]
    pub flown_again: u64,
    /// In all runs together; see [`Row::ran_out`].
    #[serde(skip_serializing_if = "is_zero")]
    pub ran_out: u64,
    /// Of different orders, in all runs together; see [`Row::crossings`].
    #[serde(skip_serializing_if = "is_zero")]
    pub crossings: u64,
    /// Of one order, in all runs together; see [`Row::crossings`].
    #[serde(skip_serializing_if = "is_zero")]
    pub crossings_in_order: u64,
}

/// A mean and how sure it is.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// Standard deviation between runs.
    pub sd: f64,
    /// Half the width of the 95 % interval of the mean.
    pub half_95: f64,
}

impl Spread {
    /// Of a sample.
    pub fn of(values: &[f64]) -> Self {
        let sd = stats::sd(values);
        Self { mean: stats::mean(values), sd, half_95: 1.96 * sd / (values.len().max(1) as f64).sqrt() }
    }
}

impl Summary {
    /// Of those `rows` that were run with `strategy`.
    pub fn of(strategy: &'static str, rows: &[Row]) -> Self {
        let own = || rows.iter().filter(|row| row.strategy == strategy);
        let sum = |of: fn(&Row) -> u64| own().map(of).sum();
        let spread = |of: fn(&Row) -> f64| Spread::of(&own().map(of).collect::<Vec<_>>());
        Self {
            strategy,
            runs: own().count(),
            completed: own().filter(|row| row.completed).count(),
            messages: spread(|row| row.messages as f64),
            bytes: spread(|row| row.bytes as f64),
            by_kind: air::means(own(), |row| &row.by_kind),
            by_robot: air::means(own(), |row| &row.by_robot),
            wait_s: spread(|row| row.wait_s),
            end_s: spread(|row| row.end_s),
            duplicates: sum(|row| row.duplicates),
            overlaps: sum(|row| row.overlaps),
            lost: sum(|row| row.lost),
            expired: sum(|row| row.expired),
            order_broken: sum(|row| row.order_broken.len() as u64),
            broken_off: sum(|row| row.broken_off.len() as u64),
            uncoupled: sum(|row| row.uncoupled),
            flown_again: sum(|row| row.flown_again),
            ran_out: sum(|row| row.ran_out.len() as u64),
            crossings: sum(|row| row.crossed(false)),
            crossings_in_order: sum(|row| row.crossed(true)),
        }
    }
}
