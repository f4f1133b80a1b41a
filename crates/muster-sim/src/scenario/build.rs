//! From a parsed file to a mission: names become numbers, and what does not fit together is found.

use std::sync::Arc;

use indexmap::IndexMap;
use muster_core::motion::Path;
use muster_core::recruitment::{Config, Messaging};
use muster_core::{Duration, Percepts, Point, RobotId, Time};

use super::file::{
    ConfigName, FaultEntry, FaultName, Group, JamEntry, LossPerName, MessagingName, PartitionEntry, RadioSection,
    RecruitmentSection, ScanEntry, Scenario,
};
use super::value::{NonNegative, Place};
use crate::fault::{Fault, FaultKind};
use crate::mission::{Mission, RobotSpec, ScanSpec, SeenBy, TaskSpec};
use crate::radio::{Bursts, Jam, LossPer, Partition, Radio, Span};

/// Something that is wrong together with something else: the key it is about, what, and what to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    pub key: Vec<String>,
    pub message: String,
    pub help: String,
}

impl Misfit {
    fn new(key: &[&str], message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { key: key.iter().map(|part| (*part).to_owned()).collect(), message: message.into(), help: help.into() }
    }
}

/// A team larger than this does not fit the memory of the machines Muster is meant for.
const LARGEST_TEAM: u32 = 10_000_000;
/// A path with more corners than this is a slip of the keyboard.
const MOST_ROWS: f64 = 100_000.0;
const MOST_STOPS: u32 = 100_000;

/// The mission that a scenario asks for, and the names of its tasks.
pub fn mission(scenario: &Scenario) -> Result<(Mission, Vec<String>), Misfit> {
    let percepts = PerceptNames::collect(scenario)?;
    let robots = robots(scenario, &percepts)?;
    let names = Names { scenario, robots: &robots };
    let mut task_names: Vec<String> = scenario.tasks.keys().cloned().collect();
    let mut tasks = Vec::new();
    for (name, entry) in &scenario.tasks {
        let seen_by = names.robot(&entry.seen_by, &["tasks", name, "seen_by"])?;
        if let Some(place) = entry.place {
            inside(scenario, place, &["tasks", name, "place"], &format!("task {name} lies"))?;
        }
        let needs = percepts.known(&entry.needs, &["tasks", name, "needs"])?;
        tasks.push(TaskSpec {
            at: time(entry.at_s),
            after: Vec::new(),
            recurs: false,
            seen_by: SeenBy::One(seen_by),
            place: entry.place.map(Point::from),
            needs,
        });
    }
    for robot in &robots {
        let stops = robot.errand.as_ref().map_or(0, |scan| scan.stops);
        task_names.extend((1..=stops).map(|stop| format!("{} stop {stop}", robot.name)));
    }
    if task_names.is_empty() {
        let help = "give a scanning robot stops (robots.<name>.scan.stops = 5) or add a [tasks.<name>] table";
        return Err(Misfit::new(&["robots"], "there is nothing to do: no tasks and no stops", help));
    }
    let radio = radio(&scenario.radio, &names)?;
    let faults = scenario
        .faults
        .iter()
        .enumerate()
        .map(|(index, entry)| fault(index, entry, &names))
        .collect::<Result<_, _>>()?;
    let mission = Mission {
        labour: None,
        pushed: None,
        width_m: scenario.field.width_m.get(),
        height_m: scenario.field.height_m.get(),
        tasks,
        radio,
        faults,
        limit: Duration::from_secs_f64(scenario.limit_h.get() * 3_600.0),
        robots,
    };
    Ok((mission, task_names))
}

fn time(seconds: NonNegative) -> Time {
    Time::from_secs_f64(seconds.get())
}

fn millis(value: NonNegative) -> Duration {
    Duration::from_secs_f64(value.get() / 1_000.0)
}

fn inside(scenario: &Scenario, place: Place, key: &[&str], who: &str) -> Result<(), Misfit> {
    let (width, height) = (scenario.field.width_m.get(), scenario.field.height_m.get());
    let Place([x, y]) = place;
    let beyond = |name, value: f64, size, extent| {
        let message = format!("{who} outside the field ({name} = {value} m, {size} {extent} m)");
        Misfit::new(key, message, format!("{name} must lie between 0 and {extent}, or make the field larger"))
    };
    if !(0.0..=width).contains(&x.get()) {
        return Err(beyond("x", x.get(), "width", width));
    }
    if !(0.0..=height).contains(&y.get()) {
        return Err(beyond("y", y.get(), "height", height));
    }
    Ok(())
}

fn robots(scenario: &Scenario, percepts: &PerceptNames) -> Result<Vec<RobotSpec>, Misfit> {
    let mut robots = Vec::new();
    for (name, group) in &scenario.robots {
        check_group(scenario, name, group)?;
        let errand = match &group.scan {
            Some(entry) => Some(scan(scenario, name, entry, percepts)?),
            None => None,
        };
        let own = percepts.known(&group.percepts, &["robots", name, "percepts"])?;
        for number in 1..=group.count {
            let name = if group.count == 1 { name.clone() } else { format!("{name}-{number}") };
            robots.push(RobotSpec {
                name: name.into(),
                percepts: own,
                speed_mps: group.speed_mps.get(),
                place: group.place.map(Point::from),
                errand: errand.clone(),
                joins: Time::ZERO,
            });
        }
    }
    if robots.len() > LARGEST_TEAM as usize {
        let message = format!("{} robots are too many", robots.len());
        return Err(Misfit::new(&["robots"], message, format!("at most {LARGEST_TEAM} fit one machine")));
    }
    let mut names: Vec<&str> = robots.iter().map(|robot: &RobotSpec| &*robot.name).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        let message = format!("two robots would be called `{}`", pair[0]);
        let help = "the robots of a group are called name-1, name-2, ...: give the other group another name";
        return Err(Misfit::new(&["robots", pair[0]], message, help));
    }
    if robots.is_empty() {
        return Err(Misfit::new(&["robots"], "there are no robots", "add a [robots.<name>] table"));
    }
    Ok(robots)
}

fn check_group(scenario: &Scenario, name: &str, group: &Group) -> Result<(), Misfit> {
    if group.count > LARGEST_TEAM {
        let message = format!("{} robots are too many", group.count);
        return Err(Misfit::new(
            &["robots", name, "count"],
            message,
            format!("at most {LARGEST_TEAM} fit one machine"),
        ));
    }
    if let Some(place) = group.place {
        inside(scenario, place, &["robots", name, "place"], &format!("robot {name} starts"))?;
        if group.count > 1 {
            let message = format!("all {} robots of group {name} would start at one place", group.count);
            let help = "leave `place` out to spread them over the field, or make groups of one";
            return Err(Misfit::new(&["robots", name, "place"], message, help));
        }
        if group.scan.is_some() {
            let message = format!("robot {name} has both a place and a scan");
            let help = "a scanning robot starts on its scan: leave `place` out, or shift the start with scan.start_m";
            return Err(Misfit::new(&["robots", name, "place"], message, help));
        }
    }
    Ok(())
}

fn scan(scenario: &Scenario, name: &str, entry: &ScanEntry, percepts: &PerceptNames) -> Result<ScanSpec, Misfit> {
    let key = |last| ["robots", name, "scan", last];
    inside(scenario, entry.from, &key("from"), &format!("the scan of {name} begins"))?;
    inside(scenario, entry.to, &key("to"), &format!("the scan of {name} ends"))?;
    let (low, high) = (Point::from(entry.from), Point::from(entry.to));
    if high.x <= low.x || high.y < low.y {
        let message = format!("the scan of {name} has no area: from {low} to {high}");
        return Err(Misfit::new(&key("to"), message, "`from` is the south-west corner, `to` the north-east one"));
    }
    if (high.y - low.y) / entry.spacing_m.get() > MOST_ROWS {
        let message = format!("a spacing of {} m makes too many rows", entry.spacing_m.get());
        return Err(Misfit::new(&key("spacing_m"), message, format!("at most {MOST_ROWS} rows")));
    }
    if entry.stops > MOST_STOPS {
        let message = format!("{} stops are too many", entry.stops);
        return Err(Misfit::new(&key("stops"), message, format!("at most {MOST_STOPS}")));
    }
    let Some(path) = Path::raster(low, high, entry.spacing_m.get()) else {
        return Err(Misfit::new(&key("to"), format!("the scan of {name} leads nowhere"), "make its area larger"));
    };
    if entry.start_m.get() > path.length_m() {
        let message =
            format!("the scan of {name} is {} m long and cannot start at {} m", path.length_m(), entry.start_m.get());
        return Err(Misfit::new(&key("start_m"), message, "start within the scan"));
    }
    Ok(ScanSpec {
        path: Arc::new(path),
        start_m: entry.start_m.get(),
        pause: Duration::from_secs_f64(entry.pause_s.get()),
        stops: entry.stops,
        needs: percepts.known(&entry.needs, &key("needs"))?,
    })
}

/// Numbers for the percepts that robots have, in the order of the file.
struct PerceptNames(Vec<String>);

impl PerceptNames {
    fn collect(scenario: &Scenario) -> Result<Self, Misfit> {
        let mut names: Vec<String> = Vec::new();
        for (group, robots) in &scenario.robots {
            for percept in &robots.percepts {
                if !names.contains(percept) {
                    names.push(percept.clone());
                }
            }
            if names.len() > 32 {
                let message = format!("there are more than 32 different percepts, `{}` among them", names[32]);
                return Err(Misfit::new(&["robots", group, "percepts"], message, "use fewer; 32 bits go over the air"));
            }
        }
        Ok(Self(names))
    }

    fn known(&self, names: &[String], key: &[&str]) -> Result<Percepts, Misfit> {
        names.iter().try_fold(Percepts::NONE, |set, name| match self.0.iter().position(|known| known == name) {
            Some(bit) => Ok(set.and(Percepts::only(bit as u32))),
            None => {
                let message = format!("no robot has the percept `{name}`");
                Err(Misfit::new(key, message, did_you_mean(name, &self.0, "add it to the percepts of a robot; known")))
            }
        })
    }
}

/// "did you mean `x`?" if something is near, otherwise what there is.
pub fn did_you_mean<S: AsRef<str>>(wrong: &str, known: &[S], otherwise: &str) -> String {
    let near = known
        .iter()
        .map(|name| (strsim::damerau_levenshtein(wrong, name.as_ref()), name.as_ref()))
        .min()
        .filter(|(distance, name)| *distance <= 1 + name.len() / 4);
    match near {
        Some((_, name)) => format!("did you mean `{name}`?"),
        None => {
            let list: Vec<String> = known.iter().take(12).map(|name| format!("`{}`", name.as_ref())).collect();
            let more = if known.len() > 12 { ", ..." } else { "" };
            format!("{otherwise}: {}{more}", if list.is_empty() { "none".to_owned() } else { list.join(", ") })
        }
    }
}

struct Names<'a> {
    scenario: &'a Scenario,
    robots: &'a [RobotSpec],
}

impl Names<'_> {
    fn robot(&self, name: &str, key: &[&str]) -> Result<RobotId, Misfit> {
        let index = self.robots.iter().position(|robot| &*robot.name == name);
        index.map(|index| RobotId(index as u32)).ok_or_else(|| {
            if let Some(group) = self.scenario.robots.get(name) {
                let help = match group.count {
                    0 => format!("group `{name}` is empty: give it a count"),
                    count => format!("`{name}` is a group of {count}: name one of `{name}-1` to `{name}-{count}`"),
                };
                return Misfit::new(key, format!("`{name}` is not one robot"), help);
            }
            let known: Vec<&str> = self.robots.iter().map(|robot| &*robot.name).collect();
            Misfit::new(key, format!("there is no robot `{name}`"), did_you_mean(name, &known, "there are"))
        })
    }

    /// The robots of a group, or one robot.
    fn robots(&self, name: &str, key: &[&str]) -> Result<Vec<RobotId>, Misfit> {
        let mut first = 0;
        for (group, robots) in &self.scenario.robots {
            if group == name {
                return Ok((first..first + robots.count).map(RobotId).collect());
            }
            first += robots.count;
        }
        Ok(vec![self.robot(name, key)?])
    }
}

fn radio(section: &RadioSection, names: &Names<'_>) -> Result<Radio, Misfit> {
    let jams = section.jam.iter().enumerate().map(|(index, entry)| jam(index, entry)).collect::<Result<_, _>>()?;
    let partitions = section
        .partition
        .iter()
        .enumerate()
        .map(|(index, entry)| partition(index, entry, names))
        .collect::<Result<_, _>>()?;
    Ok(Radio {
        loss: section.loss.get(),
        loss_per: match section.loss_per {
            LossPerName::Transmission => LossPer::Transmission,
            LossPerName::Receiver => LossPer::Receiver,
        },
        bursts: section.bursts.map(|entry| Bursts {
            good_s: entry.good_s.get(),
            bad_s: entry.bad_s.get(),
            loss: entry.loss.get(),
        }),
        range_m: section.range_m.map(|range| range.get()),
        latency: millis(section.latency_ms),
        jitter: millis(section.jitter_ms),
        duplication: section.duplication.get(),
        reordering: section.reordering.get(),
        straggle: Duration::from_secs_f64(section.straggle_s.get()),
        jams,
        partitions,
    })
}

fn span(from: NonNegative, to: NonNegative, key: &[&str]) -> Result<Span, Misfit> {
    if to.get() <= from.get() {
        let message = format!("it ends ({} s) before it begins ({} s)", to.get(), from.get());
        return Err(Misfit::new(key, message, "to_s must be later than from_s"));
    }
    Ok(Span { from: time(from), to: time(to) })
}

fn jam(index: usize, entry: &JamEntry) -> Result<Jam, Misfit> {
    let index = index.to_string();
    let when = span(entry.from_s, entry.to_s, &["radio", "jam", &index, "to_s"])?;
    let disc = match (entry.place, entry.radius_m) {
        (Some(place), Some(radius)) => Some((Point::from(place), radius.get())),
        (None, None) => None,
        _ => {
            let message = "a jammed disc needs both `place` and `radius_m`";
            return Err(Misfit::new(&["radio", "jam", &index], message, "give both, or neither to jam everywhere"));
        }
    };
    Ok(Jam { when, disc })
}

fn partition(index: usize, entry: &PartitionEntry, names: &Names<'_>) -> Result<Partition, Misfit> {
    let index = index.to_string();
    let when = span(entry.from_s, entry.to_s, &["radio", "partition", &index, "to_s"])?;
    let mut part_of = vec![0; names.robots.len()];
    let mut assigned: IndexMap<RobotId, u32> = IndexMap::new();
    for (number, part) in (1..).zip(&entry.parts) {
        for name in part {
            for robot in names.robots(name, &["radio", "partition", &index, "parts"])? {
                if assigned.insert(robot, number).is_some_and(|before| before != number) {
                    let message = format!("`{name}` is in two parts at once");
                    let help = "a robot can be in one part only";
                    return Err(Misfit::new(&["radio", "partition", &index, "parts"], message, help));
                }
                part_of[robot.index()] = number;
            }
        }
    }
    Ok(Partition { when, part_of })
}

fn fault(index: usize, entry: &FaultEntry, names: &Names<'_>) -> Result<Fault, Misfit> {
    let index = index.to_string();
    let robot = names.robot(&entry.robot, &["faults", &index, "robot"])?;
    let lasts = entry.for_s.map(|seconds| Duration::from_secs_f64(seconds.get()));
    if entry.memory.is_some() && entry.kind != FaultName::Restart {
        let message = "`memory` says what a robot knows after a restart; this fault is none";
        return Err(Misfit::new(&["faults", &index, "memory"], message, "leave it out, or use kind = \"restart\""));
    }
    let needs_duration = || {
        let message = "this fault needs a duration";
        Misfit::new(&["faults", &index], message, "add for_s = <seconds>, or use kind = \"stop\"")
    };
    let kind = match entry.kind {
        FaultName::Stop if lasts.is_some() => {
            let message = "a robot that stops does so for good";
            let help = "leave `for_s` out, or use kind = \"pause\" or \"restart\"";
            return Err(Misfit::new(&["faults", &index, "for_s"], message, help));
        }
        FaultName::Stop => FaultKind::Stop,
        FaultName::Pause => FaultKind::Pause { lasts: lasts.ok_or_else(needs_duration)? },
        FaultName::Restart => {
            FaultKind::Restart { down: lasts.ok_or_else(needs_duration)?, memory: entry.memory.unwrap_or(true) }
        }
        FaultName::Deaf => FaultKind::Deaf { lasts: lasts.ok_or_else(needs_duration)? },
        FaultName::Mute => FaultKind::Mute { lasts: lasts.ok_or_else(needs_duration)? },
    };
    Ok(Fault { at: time(entry.at_s), robot, kind })
}

/// How a team of `team` robots recruits, but for the strategy.
pub fn recruitment(section: &RecruitmentSection, team: usize) -> Config {
    let mut config = match section.config {
        ConfigName::Safe => Config::safe(),
        ConfigName::Gage2004 => Config::gage_2004(),
    };
    config.messaging = match section.messaging {
        MessagingName::Broadcast => Messaging::Broadcast,
        MessagingName::Unicast => Messaging::Unicast((0..team as u32).map(RobotId).collect()),
    };
    let set = |target: &mut Duration, seconds: Option<f64>| {
        if let Some(seconds) = seconds {
            *target = Duration::from_secs_f64(seconds);
        }
    };
    set(&mut config.collect, section.collect_s.map(Into::into));
    set(&mut config.pause, section.pause_s.map(Into::into));
    set(&mut config.lease, section.lease_s.map(Into::into));
    set(&mut config.longest_lease, section.lease_s.map(Into::into));
    set(&mut config.arrival_slack, section.arrival_slack_s.map(Into::into));
    set(&mut config.ackack_timeout, section.ackack_timeout_s.map(Into::into));
    set(&mut config.responder_timeout, section.responder_timeout_s.map(Into::into));
    set(&mut config.agree_timeout, section.agree_timeout_s.map(Into::into));
    let shame = &mut config.shame;
    shame.threshold = section.threshold.map_or(shame.threshold, |value| value.get());
    shame.refusal = section.refusal.map_or(shame.refusal, |value| value.get());
    shame.proximity_m = section.proximity_m.map_or(shame.proximity_m, |value| value.get());
    shame.decay_per_s = section.decay_per_s.map_or(shame.decay_per_s, |value| value.get());
    config
}

/// The section with every value filled in that it leaves to `config`.
pub fn resolved(section: &RecruitmentSection) -> RecruitmentSection {
    let config = recruitment(section, 0);
    let seconds = |duration: Duration| super::Positive::new(duration.as_secs_f64()).ok();
    let real = |value: f64| super::Finite::new(value).ok();
    RecruitmentSection {
        threshold: real(config.shame.threshold),
        refusal: real(config.shame.refusal),
        proximity_m: NonNegative::new(config.shame.proximity_m).ok(),
        decay_per_s: real(config.shame.decay_per_s),
        collect_s: seconds(config.collect),
        pause_s: NonNegative::new(config.pause.as_secs_f64()).ok(),
        lease_s: seconds(config.lease),
        arrival_slack_s: seconds(config.arrival_slack),
        ackack_timeout_s: seconds(config.ackack_timeout),
        responder_timeout_s: seconds(config.responder_timeout),
        agree_timeout_s: seconds(config.agree_timeout),
        ..section.clone()
    }
}
