//! "One advantage of the affective recruitment strategy is that it allows for a flexible trade-off between response time and the
//! number of messages transmitted." [Gage, Effects of Team Size] Threshold, c, k and period swept one at a time, with 13
//! robots; greedy and random as points.

use muster_core::recruitment::Strategy;
use muster_sim::scenario::ScenarioError;
use serde::Serialize;

use super::{Setting, sample, scenario_for};
use crate::batch::Batch;
use crate::stats;

/// One parameter's values, and the key that sets it.
struct Sweep {
    parameter: &'static str,
    key: &'static str,
    values: &'static [f64],
}

/// Whatever is not swept is the paper's: t 0.75, c 0.2, k 0.005, period 2 + 3 s.
const SWEEPS: [Sweep; 4] = [
    Sweep {
        parameter: "t",
        key: "recruitment.threshold",
        values: &[-0.1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9],
    },
    Sweep { parameter: "c", key: "recruitment.refusal", values: &[0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.8, 1.0] },
    Sweep { parameter: "k", key: "recruitment.decay_per_s", values: &[0.0, 0.0025, 0.005, 0.0075, 0.01, 0.015] },
    Sweep { parameter: "pause", key: "recruitment.pause_s", values: &[0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0] },
];

/// Three-run groups of a setting are as many as the study's, and not more than this.
const MOST_GROUPS: u64 = 200;

/// Messages and waiting time of one setting.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// `t`, `c`, `k` or `pause`, or the strategy that is compared with.
    pub parameter: &'static str,
    /// Its value; not a number for a strategy.
    pub value: f64,
    /// Mean messages of a mission.
    pub messages: f64,
    /// Mean waiting time of a mission, in seconds.
    pub wait_s: f64,
}

/// The sweep.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tradeoff {
    /// Affective, one parameter changed at a time.
    pub points: Vec<Point>,
    /// What it is compared with.
    pub greedy: Point,
    /// The other one.
    pub random: Point,
}

impl Tradeoff {
    /// Settings that need fewer messages than greedy.
    pub fn fewer_messages(&self) -> usize {
        self.points.iter().filter(|point| point.messages < self.greedy.messages).count()
    }

    /// Settings that need more messages than greedy and wait longer.
    pub fn worse_than_greedy(&self) -> usize {
        let worse = |point: &&Point| point.messages > self.greedy.messages && point.wait_s > self.greedy.wait_s;
        self.points.iter().filter(worse).count()
    }

    /// The same as a share of all.
    pub fn worse_than_greedy_percent(&self) -> f64 {
        self.worse_than_greedy() as f64 / self.points.len().max(1) as f64 * 100.0
    }

    /// How often messages rise from one value of a parameter to the next although waiting rises, too: none if the one were
    /// bought with the other.
    pub fn both_rise(&self) -> usize {
        let pairs = self.points.windows(2).filter(|pair| pair[0].parameter == pair[1].parameter);
        let rise = |a: f64, b: f64, least: f64| (b - a) * least > 0.0;
        pairs
            .filter(|pair| {
                let later = pair[1].wait_s - pair[0].wait_s;
                rise(pair[0].messages, pair[1].messages, later)
            })
            .count()
    }
}

/// Settings of the sweep, with the two that they are compared with.
const fn settings() -> u64 {
    let (mut all, mut sweep) = (2, 0);
    while sweep < SWEEPS.len() {
        all += SWEEPS[sweep].values.len() as u64;
        sweep += 1;
    }
    all
}

/// How many runs the sweep makes.
pub fn runs_in(groups: u64) -> u64 {
    settings() * groups.min(MOST_GROUPS) * 3
}

/// Sweeps.
pub fn sweep(changes: &[String], seed: u64, groups: u64, batch: &Batch<'_>) -> Result<Tradeoff, ScenarioError> {
    let point = |parameter, value, strategy, change: Option<String>| -> Result<Point, ScenarioError> {
        let setting = Setting::lossless(strategy, 10);
        let all: Vec<String> = changes.iter().cloned().chain(change).collect();
        let sample = sample(&scenario_for(&setting, &all)?, &setting, seed, groups.min(MOST_GROUPS), batch);
        Ok(Point { parameter, value, messages: stats::mean(&sample.messages), wait_s: stats::mean(&sample.waits) })
    };
    let mut points = Vec::new();
    for Sweep { parameter, key, values } in &SWEEPS {
        for &value in *values {
            points.push(point(parameter, value, Strategy::Affective, Some(format!("{key}={value:?}")))?);
        }
    }
    Ok(Tradeoff {
        points,
        greedy: point("greedy", f64::NAN, Strategy::Greedy, None)?,
        random: point("random", f64::NAN, Strategy::Random, None)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(parameter: &'static str, messages: f64, wait_s: f64) -> Point {
        Point { parameter, value: 0.0, messages, wait_s }
    }

    #[test]
    fn settings_are_counted_against_greedy() {
        let points = vec![
            point("t", 75.0, 100.0),
            point("t", 84.0, 170.0),
            point("t", 62.0, 208.0),
            point("c", 60.0, 190.0),
            point("c", 80.0, 90.0),
        ];
        let greedy = point("greedy", 75.0, 100.0);
        let tradeoff = Tradeoff { points, greedy, random: point("random", 75.0, 280.0) };
        assert_eq!((tradeoff.fewer_messages(), tradeoff.worse_than_greedy()), (2, 1));
        // From the first to the second both rise; from the second to the third waiting buys messages, and so it does of `c`.
        assert_eq!(tradeoff.both_rise(), 1);
        assert!((tradeoff.worse_than_greedy_percent() - 20.0).abs() < 1e-9);
    }
}
