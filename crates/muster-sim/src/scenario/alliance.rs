//! The section `[alliance]`: robots that grow impatient with tasks that do not get done.

use indexmap::IndexMap;
use muster_core::alliance::{Config, Feedback, Fixed, Ordering, Strategy};
use muster_core::{Duration, TaskId};
use serde::{Deserialize, Serialize};

use super::build::{Misfit, Names, task_called};
use super::value::{NonNegative, Positive};
use crate::labour::Labour;

/// How robots grow impatient. Everything left out is as `config` has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct AllianceSection {
    /// Where the values come from that are not given here.
    pub config: AllianceConfigName,
    /// How tasks are chosen and taken over. Without it, `muster run` tries `preferred`, `regret`, `replan` and
    /// `replan-broadcast` in turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Approach>,
    /// Which task comes first with strategies `i`, `ii` and `iii`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ordering: Option<OrderingName>,
    /// How long the most wanted task waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_delay_s: Option<Positive>,
    /// How long the least wanted task waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_delay_s: Option<Positive>,
    /// How long a robot stays blind to what team mates should do better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boredom_s: Option<NonNegative>,
    /// Taking a task over waits for boredom, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<bool>,
    /// Times the expected time that a team mate is allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patience_margin: Option<Positive>,
    /// Times its own expected time that a robot tries before it gives up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persistence: Option<Positive>,
    /// Times the time tried that a failure counts for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty: Option<Positive>,
    /// Trials that are remembered of each robot and task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trials: Option<u16>,
    /// What a task is taken to need that nothing is known about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown_s: Option<Positive>,
    /// How often a robot says what it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period_s: Option<Positive>,
    /// Silence after which a team mate is taken to be gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silence_s: Option<Positive>,
    /// Robots that begin at one task within this time of each other began at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tie_s: Option<Positive>,
    /// The rates of strategy `fixed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixed: Option<FixedEntry>,
    /// Tasks that need doing when team mates say so, by task.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub feedback: IndexMap<String, FeedbackEntry>,
    /// Fixed waiting time of a task, by task, in place of the learned one.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub delays_s: IndexMap<String, Positive>,
    /// Training missions before the live one, in which robots learn how long tasks take whom.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub practice: Vec<PracticeEntry>,
}

/// A named set of values.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum AllianceConfigName {
    /// L-ALLIANCE, as Parker's report has it.
    #[default]
    #[serde(rename = "parker_1995")]
    Parker1995,
}

/// How tasks are chosen and taken over.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Approach {
    /// What the report recommends: what a robot does best, the longest first; III for mildly different robots
    /// without progress, II otherwise.
    Preferred,
    /// What no team mate would finish earlier, the largest regret first.
    Regret,
    /// What a plan for all that a robot knows of gives it.
    Replan,
    /// The same, with task times told to everybody.
    ReplanBroadcast,
    /// Distrust performance knowledge about team mates.
    I,
    /// Let the best robot win.
    Ii,
    /// Give robots a fighting chance.
    Iii,
    /// ALLIANCE: rates that a designer has set, nothing learned.
    Fixed,
}

impl Approach {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::Preferred, Self::Regret, Self::Replan, Self::ReplanBroadcast, Self::I, Self::Ii, Self::Iii, Self::Fixed];
    /// Those that are compared if none is asked for.
    pub const COMPARED: [Self; 4] = [Self::Preferred, Self::Regret, Self::Replan, Self::ReplanBroadcast];

    /// Its name in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Preferred => "preferred",
            Self::Regret => "regret",
            Self::Replan => "replan",
            Self::ReplanBroadcast => "replan-broadcast",
            Self::I => "i",
            Self::Ii => "ii",
            Self::Iii => "iii",
            Self::Fixed => "fixed",
        }
    }
}

/// Which task comes first.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OrderingName {
    /// The one that takes the robot longest.
    Longest,
    /// What it does best before the rest; the shortest first in both.
    ModifiedShortest,
    /// The same, at random in both.
    ModifiedRandom,
    /// What it does best, the longest first; then the rest, the shortest first.
    Preferred,
}

/// Rates that a designer has set, each as the time that it leads to. Those left out are as if nothing were known of
/// any task: 5 s, and patience of 300 s with everybody.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct FixedEntry {
    /// How long a task waits that nobody does.
    pub fast_s: Positive,
    /// How long a team mate at a task is left alone.
    pub patience_s: Positive,
    /// How long a robot works before it yields to another that claims the task.
    pub yielding_s: Positive,
    /// How long it works before it gives up.
    pub giving_up_s: Positive,
}

impl Default for FixedEntry {
    fn default() -> Self {
        let s = |value| Positive::new(value).expect("positive");
        Self { fast_s: s(5.0), patience_s: s(300.0), yielding_s: s(300.0), giving_up_s: s(750.0) }
    }
}

/// When a task needs doing that no sensor can tell of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FeedbackEntry {
    /// When this other task has just been done, and at first.
    After(String),
    /// While no team mate is at this other task.
    UnlessOthersAt(String),
}

/// Training missions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PracticeEntry {
    /// How many training missions.
    #[serde(default = "one")]
    pub missions: u16,
    /// Who takes part (groups or robots), and which tasks each does; all if its list is empty. Everybody does
    /// everything if there is nothing here.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub robots: IndexMap<String, Vec<String>>,
    /// How long each lasts, if not until all is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub for_s: Option<Positive>,
}

fn one() -> u16 {
    1
}

/// The section with names made numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AllianceSpec {
    feedback: Vec<(TaskId, Feedback)>,
    delays: Vec<(TaskId, Duration)>,
    /// Training missions.
    pub practice: Vec<PracticeSpec>,
}

/// Training missions, with names made numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct PracticeSpec {
    /// How many training missions.
    pub missions: u16,
    /// By robot: absent, or the tasks it does, all if there is no list.
    pub parts: Vec<Option<Option<Vec<TaskId>>>>,
    /// How long each lasts, if not until all is done.
    pub lasts: Option<Duration>,
}

/// Finds the tasks and robots that the section names.
pub fn spec(section: &AllianceSection, names: &Names<'_>) -> Result<AllianceSpec, Misfit> {
    let known: Vec<&str> = names.scenario.tasks.keys().map(String::as_str).collect();
    let task = |name: &str, key: &[&str]| task_called(name, &known, key);
    let mut spec = AllianceSpec::default();
    for (name, entry) in &section.feedback {
        let key = ["alliance", "feedback", name];
        let feedback = match entry {
            FeedbackEntry::After(other) => Feedback::After(task(other, &key)?),
            FeedbackEntry::UnlessOthersAt(other) => Feedback::UnlessOthersAt(task(other, &key)?),
        };
        spec.feedback.push((task(name, &key)?, feedback));
    }
    for (name, delay) in &section.delays_s {
        let key = ["alliance", "delays_s", name];
        spec.delays.push((task(name, &key)?, seconds(*delay)));
    }
    for (index, entry) in section.practice.iter().enumerate() {
        let index = index.to_string();
        let key = ["alliance", "practice", &index, "robots"];
        let nobody = if entry.robots.is_empty() { Some(None) } else { None };
        let mut parts = vec![nobody; names.robots.len()];
        for (name, tasks) in &entry.robots {
            let tasks = tasks.iter().map(|name| task(name, &key)).collect::<Result<Vec<_>, _>>()?;
            let part = if tasks.is_empty() { None } else { Some(tasks) };
            for robot in names.robots(name, &key)? {
                parts[robot.index()] = Some(part.clone());
            }
        }
        let recurs = names.scenario.tasks.values().any(|task| task.recurs);
        if recurs && entry.for_s.is_none() {
            let message = "a training mission with a task that recurs never ends";
            return Err(Misfit::new(&["alliance", "practice", &index], message, "say how long it lasts: for_s = 120"));
        }
        spec.practice.push(PracticeSpec { missions: entry.missions, parts, lasts: entry.for_s.map(seconds) });
    }
    check(section)?;
    Ok(spec)
}

/// Values that make no sense together, or with the strategy.
fn check(section: &AllianceSection) -> Result<(), Misfit> {
    let wrong = |key: &str, message: String, help: &str| Err(Misfit::new(&["alliance", key], message, help));
    let (min, max) = (section.min_delay_s.map_or(1.0, Positive::get), section.max_delay_s.map_or(5.0, Positive::get));
    if min > max {
        let message = format!("min_delay_s ({min} s) is more than max_delay_s ({max} s)");
        return wrong("min_delay_s", message, "the most wanted task waits least: swap them");
    }
    let (period, silence) =
        (section.period_s.map_or(5.0, Positive::get), section.silence_s.map_or(15.0, Positive::get));
    if silence <= period {
        let key = if section.silence_s.is_some() { "silence_s" } else { "period_s" };
        let message = format!("a robot that speaks every {period} s would be taken to be gone after {silence} s");
        return wrong(key, message, "silence_s must be longer than period_s; three times as long stands two losses");
    }
    if period < 0.001 {
        return wrong("period_s", format!("nobody can say anything every {period} s"), "at least 0.001");
    }
    for (key, value) in [("penalty", section.penalty), ("persistence", section.persistence)] {
        if let Some(value) = value.filter(|value| value.get() < 1.0) {
            let message = format!("{key} = {} makes less of a time than it was", value.get());
            return wrong(key, message, "it must be 1 or more");
        }
    }
    if section.trials == Some(0) {
        return wrong("trials", "a robot that remembers no trial learns nothing".to_owned(), "it must be 1 or more");
    }
    let numbered = matches!(section.strategy, Some(Approach::I | Approach::Ii | Approach::Iii));
    if section.ordering.is_some() && !numbered {
        return wrong("ordering", "only strategies i, ii and iii leave the ordering open".to_owned(), "leave it out");
    }
    if section.fixed.is_some() && section.strategy != Some(Approach::Fixed) {
        return wrong("fixed", "these rates are those of strategy `fixed`".to_owned(), "add strategy = \"fixed\"");
    }
    Ok(())
}

fn seconds(value: Positive) -> Duration {
    Duration::from_secs_f64(value.get())
}

/// How the robots of a team decide. `labour` says how different they are.
pub fn config(
    section: &AllianceSection,
    spec: &AllianceSpec,
    approach: Approach,
    labour: &Labour,
    team: u32,
) -> Config {
    let named = named(section, approach, labour, team);
    let AllianceSection { config: AllianceConfigName::Parker1995, .. } = section;
    Config {
        min_delay: section.min_delay_s.map_or(named.min_delay, seconds),
        max_delay: section.max_delay_s.map_or(named.max_delay, seconds),
        boredom: section.boredom_s.map_or(named.boredom, |value| Duration::from_secs_f64(value.get())),
        gate: section.gate.unwrap_or(named.gate),
        patience_margin: section.patience_margin.map_or(named.patience_margin, Positive::get),
        persistence: section.persistence.map_or(named.persistence, Positive::get),
        penalty: section.penalty.map_or(named.penalty, Positive::get),
        trials: section.trials.map_or(named.trials, usize::from),
        unknown: section.unknown_s.map_or(named.unknown, seconds),
        period: section.period_s.map(seconds).or(named.period),
        silence: section.silence_s.map(seconds).or(named.silence),
        tie: section.tie_s.map_or(named.tie, seconds),
        feedback: spec.feedback.clone(),
        delays: spec.delays.clone(),
        ..named
    }
}

fn named(section: &AllianceSection, approach: Approach, labour: &Labour, team: u32) -> Config {
    let ordering = match section.ordering {
        None | Some(OrderingName::ModifiedShortest) => Ordering::ModifiedShortest,
        Some(OrderingName::Longest) => Ordering::Longest,
        Some(OrderingName::ModifiedRandom) => Ordering::ModifiedRandom,
        Some(OrderingName::Preferred) => Ordering::Preferred,
    };
    match approach {
        Approach::Preferred => {
            let strategy = Strategy::preferred(labour.heterogeneity(), labour.progress_when_working);
            Config::parker_1995(strategy, Ordering::Preferred, team)
        }
        Approach::Regret => Config::beyond(Ordering::Regret, false, team),
        Approach::Replan => Config::beyond(Ordering::Replan, false, team),
        Approach::ReplanBroadcast => Config::beyond(Ordering::Replan, true, team),
        Approach::I => Config::parker_1995(Strategy::Distrust, ordering, team),
        Approach::Ii => Config::parker_1995(Strategy::BestWins, ordering, team),
        Approach::Iii => Config::parker_1995(Strategy::FightingChance, ordering, team),
        Approach::Fixed => {
            let fixed = section.fixed.unwrap_or_default();
            let rates = Fixed {
                fast: seconds(fixed.fast_s),
                patience: seconds(fixed.patience_s),
                yielding: seconds(fixed.yielding_s),
                giving_up: seconds(fixed.giving_up_s),
            };
            Config::alliance_1998(rates, team)
        }
    }
}

/// The section with every value filled in that it leaves to `config`.
pub fn resolved(section: &AllianceSection, labour: &Labour) -> AllianceSection {
    let approach = section.strategy.unwrap_or(Approach::Preferred);
    let config = config(section, &AllianceSpec::default(), approach, labour, 0);
    let time = |duration: Duration| Positive::new(duration.as_secs_f64()).ok();
    let numbered = matches!(section.strategy, Some(Approach::I | Approach::Ii | Approach::Iii));
    // What differs from strategy to strategy stays open if the strategy is.
    let margin = section.strategy.and_then(|_| Positive::new(config.patience_margin).ok());
    AllianceSection {
        min_delay_s: time(config.min_delay),
        max_delay_s: time(config.max_delay),
        boredom_s: NonNegative::new(config.boredom.as_secs_f64()).ok(),
        gate: Some(config.gate),
        patience_margin: section.patience_margin.or(margin),
        persistence: Positive::new(config.persistence).ok(),
        penalty: Positive::new(config.penalty).ok(),
        trials: u16::try_from(config.trials).ok(),
        unknown_s: time(config.unknown),
        period_s: config.period.and_then(time),
        silence_s: config.silence.and_then(time),
        tie_s: time(config.tie),
        ordering: section.ordering.or(numbered.then_some(OrderingName::ModifiedShortest)),
        fixed: (section.strategy == Some(Approach::Fixed)).then(|| section.fixed.unwrap_or_default()),
        ..section.clone()
    }
}
