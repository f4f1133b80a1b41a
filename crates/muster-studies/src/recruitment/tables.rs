//! The figures of Tables 1-5, and ours beside them.

use std::collections::BTreeSet;

use muster_core::recruitment::Strategy;
use serde::Serialize;

use super::Sample;
use crate::stats;
use crate::verdict::{Bounds, Ground, Interval, Known, Verdict};

const TABLES: &str = include_str!("../../data/gage_murphy_2004_tables.csv");

/// The paper's figure has to lie between these percentiles of our distribution: its central 95 %.
pub const CENTRAL: std::ops::RangeInclusive<f64> = 2.5..=97.5;

/// The columns of the paper's tables that tell its cells apart.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Setting {
    /// Who answers and who is chosen.
    pub strategy: Strategy,
    /// Idle robots.
    pub idle: u32,
    /// Messages lost, in percent: whole numbers can be ordered.
    pub loss_percent: u32,
    /// `broadcast` or `unicast`.
    pub messaging: &'static str,
}

impl Setting {
    /// Broadcast without loss, the setting of Tables 1 and 2.
    pub fn lossless(strategy: Strategy, idle: u32) -> Self {
        Self { strategy, idle, loss_percent: 0, messaging: "broadcast" }
    }

    /// Probability that a message is lost.
    pub fn loss(&self) -> f64 {
        f64::from(self.loss_percent) / 100.0
    }
}

/// The quantity that a table of the paper reports.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// Messages sent by anybody.
    Messages,
    /// Waiting time in seconds.
    Wait,
}

/// A figure of the paper.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Figure {
    /// In which table.
    pub table: u32,
    /// The quantity.
    pub metric: Metric,
    /// Under which circumstances.
    pub setting: Setting,
    /// Robots in all.
    pub team: u32,
    /// The figure as printed.
    pub paper: f64,
    /// Half a unit of its last digit.
    pub half_unit: f64,
}

/// A figure of the paper beside ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// In which table.
    pub table: u32,
    /// The quantity.
    pub metric: Metric,
    /// Who answers and who is chosen.
    pub strategy: &'static str,
    /// Robots in all.
    pub team: u32,
    /// Probability that a message is lost.
    pub loss: f64,
    /// `broadcast` or `unicast`.
    pub messaging: &'static str,
    /// The paper's figure.
    pub paper: f64,
    /// Our mean.
    pub mean: f64,
    /// Standard deviation of our means over three runs.
    pub sd3: f64,
    /// Between these two lie the central 95 % of our means over three runs.
    pub low: f64,
    /// The upper of the two.
    pub high: f64,
    /// Where the paper's figure lies among our means over three runs, in percent.
    pub percentile: f64,
    /// It lies in the central 95 %, as far as so many groups can tell.
    pub reproduced: bool,
    /// An earlier table has printed it already.
    pub repeats: bool,
    /// It is one of the nine rows that fit no sensible reading of the paper.
    pub known_mismatch: bool,
    /// Where our mean lies if it is one of them, and why.
    pub known: Option<Known>,
    /// What it rests on that it is reproduced.
    pub ground: Ground,
    /// Whether the paper's figure lies in the central 95 %.
    pub verdict: Verdict,
}

impl Cell {
    /// `later` prints this very figure again. Table 4's greedy 67 s does not: Table 2 has 93 s.
    pub fn is_printed_again_by(&self, later: &Self) -> bool {
        let of = |it: &Self| (it.metric, it.strategy, it.team, it.loss.to_bits(), it.messaging, it.paper.to_bits());
        of(self) == of(later)
    }
}

/// The figures that no earlier table has printed.
pub fn distinct(figures: &[Figure]) -> Vec<Figure> {
    let of = |it: &Figure| (it.metric, it.setting, it.paper.to_bits());
    let mut distinct: Vec<Figure> = Vec::new();
    for figure in figures {
        if distinct.iter().all(|before| of(before) != of(figure)) {
            distinct.push(*figure);
        }
    }
    distinct
}

/// Our three-run means for a figure; lost messages may count as sent, or not.
fn ours<'s>(figure: &Figure, sample: &'s Sample, lost_count: bool) -> &'s [f64] {
    match figure.metric {
        Metric::Messages if lost_count => &sample.messages,
        Metric::Messages => &sample.heard,
        Metric::Wait => &sample.waits,
    }
}

/// Whether the paper's figure lies in the central 95 % of ours, as far as so many groups can tell: the interval of its
/// percentile has to, and not the percentile alone. The one criterion, of the study and of the ranking of readings.
pub fn judge(figure: &Figure, sample: &Sample, lost_count: bool) -> Verdict {
    let ours = ours(figure, sample, lost_count);
    let percentile = stats::percentile(ours, figure.paper, figure.half_unit);
    Verdict::of(Interval::percentile(percentile, ours.len()), Bounds::between(*CENTRAL.start(), *CENTRAL.end()))
}

/// What it rests on that a figure is reproduced. [docs/reproductions/recruitment.md]
pub fn ground(figure: &Figure) -> Ground {
    let Setting { strategy, loss_percent, .. } = figure.setting;
    match (figure.metric, strategy, loss_percent) {
        // The period of 2 + 3 s was chosen among others because it fits these.
        (Metric::Messages, Strategy::Affective, 0) => Ground::Fitted,
        // Everybody who is idle answers, once: five recruitments of as many ACCEPTs and five other messages.
        (Metric::Messages, Strategy::Greedy | Strategy::Random, 0) => Ground::Construction,
        _ => Ground::Measured,
    }
}

/// The figures of the paper, in the order of its tables.
pub fn figures() -> Vec<Figure> {
    TABLES.lines().skip(1).map(figure).collect()
}

fn figure(line: &str) -> Figure {
    let fields: Vec<&str> = line.split(',').collect();
    let [table, metric, _unit, strategy, team, idle, loss, messaging, paper] = fields[..] else {
        panic!("data/gage_murphy_2004_tables.csv: nine fields expected: {line}");
    };
    let number = |text: &str| text.parse::<f64>().unwrap_or_else(|_| panic!("a number expected: {line}"));
    let decimals = paper.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    Figure {
        table: number(table) as u32,
        metric: if metric == "messages" { Metric::Messages } else { Metric::Wait },
        setting: Setting {
            strategy: Strategy::ALL.into_iter().find(|known| known.name() == strategy).expect("a strategy"),
            idle: number(idle) as u32,
            loss_percent: (number(loss) * 100.0).round() as u32,
            messaging: if messaging == "unicast" { "unicast" } else { "broadcast" },
        },
        team: number(team) as u32,
        paper: number(paper),
        half_unit: 0.5 * 0.1_f64.powi(decimals as i32),
    }
}

/// The settings that the tables need, each once: tables repeat each other's columns.
pub fn settings(figures: &[Figure]) -> BTreeSet<Setting> {
    figures.iter().map(|figure| figure.setting).collect()
}

/// The nine rows that fit no sensible reading, with where our mean lies: that of 4,000 groups, and what 200 may differ from
/// it by. [docs/reproductions/recruitment.md]
fn known_mismatch(figure: &Figure) -> Option<Known> {
    let Setting { strategy, loss_percent, messaging, .. } = figure.setting;
    let known = |low, high, because| Some(Known::new(low, high, because));
    match (figure.metric, strategy, figure.team, loss_percent) {
        (Metric::Messages, Strategy::Affective, 4, 0) => known(
            51.5,
            53.5,
            "48 leaves 23 HELPs for five recruitments by one robot, which answers the fifth at the earliest unless it \
             stands close",
        ),
        (Metric::Messages, _, 4, 0) => {
            known(30.0, 30.5, "29 is fewer than the six messages that each of five recruitments needs")
        }
        (Metric::Messages, Strategy::Affective, 13, 10) if messaging == "broadcast" => {
            known(84.0, 93.0, "10 % loss, yet fewer messages than at 5 %")
        }
        (Metric::Wait, Strategy::Affective, 13, 10) if messaging == "broadcast" => {
            known(312.0, 352.0, "10 % loss, yet less waiting than at 5 %")
        }
        (Metric::Wait, Strategy::Greedy, 13, 0) if figure.table == 4 => {
            known(97.0, 106.0, "Table 4 repeats Table 2's column as 67 instead of 93")
        }
        (Metric::Messages, Strategy::Random, 23, 0) => known(
            124.5,
            125.0,
            "more than 25 messages a recruitment need a 21st robot that answers; the tasked two are at the ends of their \
             scans too late for that",
        ),
        (Metric::Wait, Strategy::Random, 8, 0) => known(270.0, 296.0, "plausibly the luck of three arrangements"),
        _ => None,
    }
}

/// The paper's figure beside ours.
pub fn compare(figure: &Figure, sample: &Sample) -> Cell {
    let ours = ours(figure, sample, true);
    let mut sorted = ours.to_vec();
    sorted.sort_by(f64::total_cmp);
    let percentile = stats::percentile(ours, figure.paper, figure.half_unit);
    let (mean, known) = (Interval::of_mean(ours), known_mismatch(figure));
    let verdict = judge(figure, sample, true).known(mean, known.as_ref());
    Cell {
        table: figure.table,
        metric: figure.metric,
        strategy: figure.setting.strategy.name(),
        team: figure.team,
        loss: figure.setting.loss(),
        messaging: figure.setting.messaging,
        paper: figure.paper,
        mean: mean.value,
        sd3: stats::sd(ours),
        low: stats::quantile(&sorted, CENTRAL.start() / 100.0),
        high: stats::quantile(&sorted, CENTRAL.end() / 100.0),
        percentile,
        repeats: false,
        reproduced: verdict == Verdict::Holds,
        known_mismatch: known.is_some(),
        known,
        ground: ground(figure),
        verdict,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 54 are printed; eight repeat a column of an earlier table. Table 4's 67 s for greedy is not Table 2's 93 s.
    #[test]
    fn forty_six_of_the_printed_figures_are_distinct() {
        let figures = figures();
        let distinct = distinct(&figures);
        assert_eq!((figures.len(), distinct.len()), (54, 46));
        assert!(distinct.iter().any(|figure| figure.table == 4 && figure.paper == 67.0));
        assert!(distinct.iter().all(|figure| (figure.table, figure.paper) != (3, 61.0)));
    }

    /// Lost messages are part of what is fitted, or not.
    #[test]
    fn a_figure_fits_what_is_counted() {
        let figure = figures()[0];
        let sample = Sample { messages: vec![figure.paper; 1_000], heard: vec![1.0; 1_000], ..Sample::default() };
        assert_eq!(judge(&figure, &sample, true), Verdict::Holds);
        assert_eq!(judge(&figure, &sample, false), Verdict::Fails);
        let few = Sample { messages: vec![1.0; 3], ..Sample::default() };
        assert_eq!(judge(&figure, &few, true), Verdict::Undecided, "three groups say little about percentiles");
    }

    /// Eight of those that can be reproduced are no evidence: 50, 75 and 125 are arithmetic, and the period was chosen by
    /// Table 1's affective figures.
    #[test]
    fn what_was_fitted_or_is_arithmetic_is_marked() {
        let distinct = distinct(&figures());
        let of = |ground_of: Ground| -> Vec<f64> {
            let other = distinct.iter().filter(|it| ground(it) == ground_of && known_mismatch(it).is_none());
            other.map(|figure| figure.paper).collect()
        };
        assert_eq!(of(Ground::Construction), [50.0, 75.0, 125.0, 50.0, 75.0]);
        assert_eq!(of(Ground::Fitted), [51.67, 61.0, 79.7]);
    }
}
