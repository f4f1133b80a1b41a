//! What the paper concludes from its tables, recomputed from its own figures and from ours.

use std::collections::BTreeMap;

use muster_core::Duration;
use muster_core::affect::Intensity;
use muster_core::recruitment::{Shame, Strategy};
use serde::Serialize;

use super::Sample;
use super::tables::{CENTRAL, Figure, Metric, Setting};
use crate::stats;
use crate::verdict::{Bounds, Ground, Interval, Known, Verdict};

/// Something the paper concludes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Conclusion {
    /// A short name.
    pub id: &'static str,
    /// What it says.
    pub statement: &'static str,
    /// The paper's number.
    pub paper: f64,
    /// The same, computed from the paper's own tables where that can be done.
    pub from_tables: Option<f64>,
    /// Ours.
    pub measured: f64,
    /// Unit of the three.
    pub unit: &'static str,
    /// Where the paper's number lies among those that single groups of three runs give, in percent.
    pub percentile: Option<f64>,
    /// What the verdict rests on.
    pub ground: Ground,
    /// Where ours lies if it is known not to fit, and why.
    pub known: Option<Known>,
    /// What became of it; none if it is not judged here.
    pub verdict: Option<Verdict>,
}

/// A place where the paper contradicts itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contradiction {
    /// A short name.
    pub id: &'static str,
    /// What it says in one place.
    pub says: String,
    /// What follows from another.
    pub but: String,
}

type Samples = BTreeMap<Setting, Sample>;

/// A number for a setting, from the tables or from our runs; `None` where the tables have no such figure.
type Source<'a> = dyn Fn(Metric, Setting) -> Option<f64> + 'a;

fn from_tables(figures: &[Figure], table: Option<u32>) -> impl Fn(Metric, Setting) -> Option<f64> + '_ {
    move |metric, setting| {
        let same = |figure: &&Figure| figure.metric == metric && figure.setting == setting;
        figures.iter().filter(same).find(|figure| table.is_none_or(|table| figure.table == table)).map(|it| it.paper)
    }
}

fn from_runs(samples: &Samples) -> impl Fn(Metric, Setting) -> Option<f64> + '_ {
    |metric, setting| {
        let sample = samples.get(&setting)?;
        Some(match metric {
            Metric::Messages => stats::mean(&sample.messages),
            Metric::Wait => stats::mean(&sample.waits),
        })
    }
}

/// The same for one group of three runs, as the paper made.
fn from_group(samples: &Samples, group: usize) -> impl Fn(Metric, Setting) -> Option<f64> + '_ {
    move |metric, setting| {
        let sample = samples.get(&setting)?;
        match metric {
            Metric::Messages => sample.messages.get(group).copied(),
            Metric::Wait => sample.waits.get(group).copied(),
        }
    }
}

const LOSSES: [u32; 3] = [5, 10, 25];
const IDLE: [u32; 4] = [1, 5, 10, 20];

/// By how many percent `less` is below `than`.
fn saved(less: f64, than: f64) -> f64 {
    (1.0 - less / than) * 100.0
}

/// Every broadcast setting of Tables 1-4, each once.
fn distinct(strategy: Strategy) -> impl Iterator<Item = Setting> {
    let lossless = IDLE.into_iter().map(move |idle| Setting::lossless(strategy, idle));
    let lossy = LOSSES.into_iter().map(move |loss_percent| Setting { loss_percent, ..Setting::lossless(strategy, 10) });
    lossless.chain(lossy)
}

fn sum(source: &Source<'_>, metric: Metric, settings: impl Iterator<Item = Setting>) -> Option<f64> {
    settings.map(|setting| source(metric, setting)).sum()
}

/// Messages saved by affective against the mean of greedy and random, over all distinct settings. With
/// `twice`, the 13-robot column counts twice, as Tables 1 and 3 both print it.
fn fewer_messages(source: &Source<'_>, twice: bool) -> Option<f64> {
    let total = |strategy| {
        let again = if twice { source(Metric::Messages, Setting::lossless(strategy, 10))? } else { 0.0 };
        Some(sum(source, Metric::Messages, distinct(strategy))? + again)
    };
    Some(saved(total(Strategy::Affective)?, (total(Strategy::Greedy)? + total(Strategy::Random)?) / 2.0))
}

fn fewer_messages_with(source: &Source<'_>, idle: u32) -> Option<f64> {
    let of = |strategy| source(Metric::Messages, Setting::lossless(strategy, idle));
    Some(saved(of(Strategy::Affective)?, (of(Strategy::Greedy)? + of(Strategy::Random)?) / 2.0))
}

fn less_time(source: &Source<'_>) -> Option<f64> {
    let of = |strategy| sum(source, Metric::Wait, IDLE.into_iter().map(|idle| Setting::lossless(strategy, idle)));
    Some(saved(of(Strategy::Greedy)?, of(Strategy::Affective)?))
}

fn unicast_costs(source: &Source<'_>, strategy: Strategy) -> Option<f64> {
    let setting = Setting { loss_percent: 10, ..Setting::lossless(strategy, 10) };
    let (broadcast, unicast) = (setting, Setting { messaging: "unicast", ..setting });
    Some((source(Metric::Messages, unicast)? / source(Metric::Messages, broadcast)? - 1.0) * 100.0)
}

/// Conclusions that rest on figures which do not fit, with where ours lie.
fn known_mismatch(id: &str) -> Option<Known> {
    match id {
        "unicast-affective" => {
            Some(Known::new(300.0, 350.0, "it divides by affective's 67.3 messages at 10 % loss, which fit no reading"))
        }
        _ => None,
    }
}

/// Table 1, by which the period of 2 + 3 s was chosen, is all that two of them are computed from, and half of a third.
fn ground(id: &str) -> Ground {
    match id {
        "fewer-messages-10-idle" | "fewer-messages-20-idle" | "fewer-messages-overall" => Ground::Fitted,
        _ => Ground::Measured,
    }
}

/// The paper's conclusions beside ours.
pub fn conclusions(figures: &[Figure], samples: &Samples) -> Vec<Conclusion> {
    let (tables, runs) = (from_tables(figures, None), from_runs(samples));
    let ours = |value: Option<f64>| value.unwrap_or(f64::NAN);
    let groups = samples.values().map(|sample| sample.messages.len()).min().unwrap_or(0);
    let both = |id, statement, paper: f64, of: &dyn Fn(&Source<'_>) -> Option<f64>| {
        // As a figure of the tables is judged: among what three runs of each cell give.
        let single: Vec<f64> = (0..groups).filter_map(|group| of(&from_group(samples, group))).collect();
        let half_unit = if paper.fract() == 0.0 { 0.5 } else { 0.05 };
        let (percentile, measured) = (stats::percentile(&single, paper, half_unit), ours(of(&runs)));
        let known = known_mismatch(id);
        let central = Bounds::between(*CENTRAL.start(), *CENTRAL.end());
        // Ours is a quotient of means; it scatters as those of single groups do.
        let scatter = Interval::of_mean(&single);
        let (below, above) = (scatter.value - scatter.low, scatter.high - scatter.value);
        let judged = Interval { value: measured, low: measured - below, high: measured + above };
        let verdict =
            Verdict::of(Interval::percentile(percentile, single.len()), central).known(judged, known.as_ref());
        let (percentile, verdict) = (Some(percentile), Some(verdict));
        let (from_tables, ground) = (of(&tables), ground(id));
        Conclusion { id, statement, paper, from_tables, measured, unit: "%", percentile, ground, known, verdict }
    };
    let alone = |id, statement, paper, measured, unit| Conclusion {
        id,
        statement,
        paper,
        from_tables: None,
        measured,
        unit,
        percentile: None,
        ground: Ground::Measured,
        known: None,
        verdict: None,
    };
    let affective = &samples[&Setting::lossless(Strategy::Affective, 10)];
    let greedy = &samples[&Setting::lossless(Strategy::Greedy, 10)];
    let mut helps: Vec<f64> = affective.helps.iter().map(|&helps| f64::from(helps)).collect();
    helps.sort_by(f64::total_cmp);
    let within = helps.iter().filter(|helps| (5.0..=10.0).contains(*helps)).count();
    let share = |sample: &Sample| Interval::percent(sample.repeats as usize, sample.pairs as usize);
    let repeats = |sample: &Sample| sample.repeats as f64 / sample.pairs.max(1) as f64 * 100.0;
    vec![
        both(
            "fewer-messages-overall",
            "affective needs fewer messages than greedy and random, over Tables 1 and 3",
            19.1,
            &|source| fewer_messages(source, false),
        ),
        both("fewer-messages-10-idle", "affective needs fewer messages with 10 idle robots", 18.6, &|source| {
            fewer_messages_with(source, 10)
        }),
        both("fewer-messages-20-idle", "affective needs fewer messages with 20 idle robots", 36.3, &|source| {
            fewer_messages_with(source, 20)
        }),
        both("greedy-less-time", "greedy needs less time than affective, over Table 2", 39.4, &less_time),
        both("unicast-affective", "affective needs more messages by unicast than by broadcast", 464.0, &|source| {
            unicast_costs(source, Strategy::Affective)
        }),
        both("unicast-greedy", "greedy needs more messages by unicast than by broadcast", 65.0, &|source| {
            unicast_costs(source, Strategy::Greedy)
        }),
        Conclusion {
            ground: Ground::Construction,
            verdict: Some(Verdict::of(Interval::exact(0.75_f64.powi(6) * 100.0), Bounds::between(17.5, 18.5))),
            ..alone(
                "six-messages-arrive",
                "chance that six messages in a row all arrive at 25 % loss: 0.75^6",
                18.0,
                0.75_f64.powi(6) * 100.0,
                "%",
            )
        },
        alone(
            "helps-least",
            "affective calls five to ten times per recruitment: least (5th percentile, 10 idle robots)",
            5.0,
            stats::quantile(&helps, 0.05),
            "HELPs",
        ),
        alone(
            "helps-most",
            "affective calls five to ten times per recruitment: most (95th percentile, 10 idle robots)",
            10.0,
            stats::quantile(&helps, 0.95),
            "HELPs",
        ),
        alone(
            "helps-within",
            "share of recruitments that took five to ten HELPs (10 idle robots)",
            100.0,
            within as f64 / helps.len().max(1) as f64 * 100.0,
            "%",
        ),
        // The paper gives no number, only that affective is below greedy.
        Conclusion {
            verdict: Some(Verdict::of(share(greedy).minus(share(affective)), Bounds::at_least(0.0))),
            ..alone(
                "twice-in-a-row",
                "affective calls the same robot twice in a row less often than greedy: share of greedy's repeats that \
                 affective makes",
                f64::NAN,
                repeats(affective) / repeats(greedy) * 100.0,
                "%",
            )
        },
        alone(
            "twice-in-a-row-affective",
            "affective: successive recruitments that call the same robot",
            f64::NAN,
            repeats(affective),
            "%",
        ),
        alone(
            "twice-in-a-row-greedy",
            "greedy: successive recruitments that call the same robot",
            f64::NAN,
            repeats(greedy),
            "%",
        ),
    ]
}

/// Which HELP, counted from 1, a robot at `distance_m` answers when one comes every `period`.
pub(super) fn answers(distance_m: f64, period: Duration) -> u32 {
    let shame = Shame::gage_2004();
    let mut level = Intensity::NONE;
    for help in 1.. {
        if help > 1 {
            level = shame.faded(level, period);
        }
        if shame.tells(level) {
            return help;
        }
        level = shame.refused(level, distance_m);
    }
    unreachable!("SHAME grows faster than it fades")
}

/// The paper's contradictions, with the numbers computed, not quoted.
pub fn contradictions(figures: &[Figure]) -> Vec<Contradiction> {
    let tables = from_tables(figures, None);
    let percent = |value: Option<f64>| value.map_or_else(|| "?".to_owned(), |value| format!("{value:.1} %"));
    let greedy = Setting::lossless(Strategy::Greedy, 10);
    let in_table = |table| from_tables(figures, Some(table))(Metric::Wait, greedy).map_or(f64::NAN, |wait| wait);
    let of = |metric, strategy, idle| tables(metric, Setting::lossless(strategy, idle)).unwrap_or(f64::NAN);
    let wait = |strategy, idle| of(Metric::Wait, strategy, idle);
    let messages = |strategy, idle| of(Metric::Messages, strategy, idle);
    let seconds = Duration::from_secs;
    vec![
        Contradiction {
            id: "simulations",
            says: "abstract and conclusions: data from 66 simulations".to_owned(),
            but: "introduction: 72 simulations; the three sets it describes are 36 + 27 + 9 = 72".to_owned(),
        },
        Contradiction {
            id: "fewer-messages",
            says: "affective needs 19.1 % fewer messages overall".to_owned(),
            but: format!(
                "Tables 1 and 3 give {}; only counting the 13-robot column twice gives {}",
                percent(fewer_messages(&tables, false)),
                percent(fewer_messages(&tables, true).map(|value| (value * 10.0).floor() / 10.0)),
            ),
        },
        Contradiction {
            id: "less-time",
            says: "greedy needs 39.4 % less time than affective".to_owned(),
            but: format!("Table 2 gives {}", percent(less_time(&tables))),
        },
        Contradiction {
            id: "greedy-wait",
            says: format!("Table 2: greedy with 13 robots waits {} s", in_table(2)),
            but: format!("Table 4 repeats that column as {} s", in_table(4)),
        },
        Contradiction {
            id: "two-requests",
            says: "a robot within 1 unit responds within two requests".to_owned(),
            but: format!("by its own formulas it answers request {}", answers(1.0, seconds(3))),
        },
        Contradiction {
            id: "three-seconds",
            says: "the UAV waited 3 s between requests".to_owned(),
            but: format!(
                "with a plain period of 3 s, all three robots of use case 2 (20, 60 and 80 units away) would answer \
                 request {}, yet two of them never transmit; with 2 s to collect replies before the 3 s, the near \
                 one answers request {} and the others would have answered request {}",
                answers(80.0, seconds(3)),
                answers(20.0, seconds(5)),
                answers(60.0, seconds(5)),
            ),
        },
        Contradiction {
            id: "affective-waits-less-than-random",
            says: "affective outperformed random in waiting time".to_owned(),
            but: format!(
                "in Table 2 it waits longer with 4 and 8 robots: {} s against {} s and {} s against {} s",
                wait(Strategy::Affective, 1),
                wait(Strategy::Random, 1),
                wait(Strategy::Affective, 5),
                wait(Strategy::Random, 5),
            ),
        },
        Contradiction {
            id: "five-to-ten-requests",
            says: "affective sent five to ten requests before somebody answered".to_owned(),
            but: format!(
                "Table 1 has {0} messages with 4 robots: less five other messages for each of five recruitments, \
                 {1:.1} HELPs each",
                messages(Strategy::Affective, 1),
                (messages(Strategy::Affective, 1) - 25.0) / 5.0,
            ),
        },
        Contradiction {
            id: "greedy-before-random",
            says: "affective needs the fewest messages, followed by greedy and random".to_owned(),
            but: "the next sentence: random performs better than greedy".to_owned(),
        },
        Contradiction {
            id: "unicast-to-whom",
            says: "by unicast HELPs are sent to all other robots individually".to_owned(),
            but: "two sentences on they are multiplied by the number of idle team members".to_owned(),
        },
    ]
}
