//! "One advantage of the affective recruitment strategy is that it allows for a flexible trade-off between response time and the
//! number of messages transmitted." [Gage, Effects of Team Size] Threshold, c, k and period swept one at a time, with 13
//! robots; greedy and random as points.

use muster_core::recruitment::Strategy;
use muster_sim::scenario::ScenarioError;
use serde::Serialize;

use super::statements::less;
use super::{Sample, Setting, sample, scenario_for};
use crate::batch::Batch;
use crate::stats;
use crate::verdict::Interval;

/// One parameter's values, and the key that sets it.
struct Sweep {
    parameter: &'static str,
    key: &'static str,
    values: &'static [f64],
    /// The paper's.
    papers: f64,
}

/// Whatever is not swept is the paper's: t 0.75, c 0.2, k 0.005, period 2 + 3 s.
const SWEEPS: [Sweep; 4] = [
    Sweep {
        parameter: "t",
        key: "recruitment.threshold",
        values: &[-0.1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9],
        papers: 0.75,
    },
    Sweep {
        parameter: "c",
        key: "recruitment.refusal",
        values: &[0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.8, 1.0],
        papers: 0.2,
    },
    Sweep {
        parameter: "k",
        key: "recruitment.decay_per_s",
        values: &[0.0, 0.0025, 0.005, 0.0075, 0.01, 0.015],
        papers: 0.005,
    },
    Sweep { parameter: "pause", key: "recruitment.pause_s", values: &[0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0], papers: 3.0 },
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
    /// How many messages fewer than greedy needs, over the same arrangements.
    pub fewer: Interval,
    /// How much longer than by greedy is waited, over the same arrangements.
    pub longer_s: Interval,
    /// It is the paper's own setting, which is part of every sweep.
    pub papers: bool,
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
    /// The settings that are compared with greedy. The paper's own is not among them: it stands in all four sweeps, and the
    /// period was chosen for it to need as few messages as the paper has.
    pub fn others(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(|point| !point.papers)
    }

    /// How many of them differ from greedy in both ways: by their means, and at least and at most by the 95 % intervals of
    /// the differences.
    fn count(&self, differences: impl Fn(&Point) -> [Interval; 2]) -> Interval {
        let of = |is_more: fn(&Interval) -> bool| {
            self.others().filter(|point| differences(point).iter().all(is_more)).count() as f64
        };
        Interval { value: of(|it| it.value > 0.0), low: of(|it| it.low > 0.0), high: of(|it| it.high > 0.0) }
    }

    /// Settings that need fewer messages than greedy, and wait longer for it.
    pub fn bought(&self) -> Interval {
        self.count(|point| [point.fewer, point.longer_s])
    }

    /// Settings that need more messages than greedy and wait longer.
    pub fn worse_than_greedy(&self) -> Interval {
        self.count(|point| [point.fewer.negated(), point.longer_s])
    }

    /// The same as a share of all.
    pub fn worse_than_greedy_percent(&self) -> Interval {
        let (count, all) = (self.worse_than_greedy(), self.others().count().max(1) as f64);
        let percent = |of: f64| of / all * 100.0;
        Interval { value: percent(count.value), low: percent(count.low), high: percent(count.high) }
    }

    /// Both counts in words.
    pub fn in_words(&self) -> String {
        let told = |it: Interval| {
            if it.low == it.high { it.value.to_string() } else { format!("{} ({} to {})", it.value, it.low, it.high) }
        };
        format!(
            "Of {} settings of affective besides the paper's own {} need fewer messages than greedy, for more waiting, and {} \
             are worse than greedy in both (in brackets: as many as 95 % intervals leave open).",
            self.others().count(),
            told(self.bought()),
            told(self.worse_than_greedy()),
        )
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
    let run = |strategy, change: Option<String>| -> Result<Sample, ScenarioError> {
        let setting = Setting::lossless(strategy, 10);
        let all: Vec<String> = changes.iter().cloned().chain(change).collect();
        Ok(sample(&scenario_for(&setting, &all)?, &setting, seed, groups.min(MOST_GROUPS), batch))
    };
    let greedy = run(Strategy::Greedy, None)?;
    let point = |parameter, value, papers, of: &Sample| Point {
        parameter,
        value,
        messages: stats::mean(&of.messages),
        wait_s: stats::mean(&of.waits),
        fewer: less(&of.messages, &greedy.messages),
        longer_s: less(&greedy.waits, &of.waits),
        papers,
    };
    let mut points = Vec::new();
    for Sweep { parameter, key, values, papers } in &SWEEPS {
        for &value in *values {
            let swept = run(Strategy::Affective, Some(format!("{key}={value:?}")))?;
            points.push(point(parameter, value, value == *papers, &swept));
        }
    }
    let random = point("random", f64::NAN, false, &run(Strategy::Random, None)?);
    Ok(Tradeoff { points, greedy: point("greedy", f64::NAN, false, &greedy), random })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a greedy that needs 75 messages and 100 s; differences are good to three.
    fn point(parameter: &'static str, messages: f64, wait_s: f64) -> Point {
        let about = |value: f64| Interval { value, low: value - 3.0, high: value + 3.0 };
        let (fewer, longer_s) = (about(75.0 - messages), about(wait_s - 100.0));
        Point { parameter, value: 0.0, messages, wait_s, fewer, longer_s, papers: false }
    }

    #[test]
    fn settings_are_counted_against_greedy() {
        let points = vec![
            point("t", 75.0, 100.0),
            point("t", 84.0, 170.0),
            point("t", 62.0, 208.0),
            point("c", 60.0, 190.0),
            point("c", 80.0, 90.0),
            point("c", 74.0, 120.0),
            Point { papers: true, ..point("c", 63.0, 209.0) },
        ];
        let greedy = point("greedy", 75.0, 100.0);
        let tradeoff = Tradeoff { points, greedy, random: point("random", 75.0, 280.0) };
        // 74 messages are fewer than 75 by what could be chance; the first is greedy's double, and could be anything.
        let count = |it: Interval| (it.low, it.value, it.high);
        assert_eq!(count(tradeoff.bought()), (2.0, 3.0, 4.0));
        assert_eq!(count(tradeoff.worse_than_greedy()), (1.0, 1.0, 3.0));
        let percent = tradeoff.worse_than_greedy_percent();
        assert!((percent.value - 100.0 / 6.0).abs() < 1e-9 && percent.high == 50.0, "{percent:?}");
        // From the first to the second both rise; from the second to the third waiting buys messages, and so it does of `c`,
        // but for its last.
        assert_eq!(tradeoff.both_rise(), 1);
    }
}
