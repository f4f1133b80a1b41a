//! From a parsed file to a mission: names become numbers, and what does not fit together is found.

use std::sync::Arc;

use muster_core::motion::Path;
use muster_core::{Base, Duration, Percepts, Point, RobotId, TaskId, Time};

use super::alliance::{self, AllianceSpec};
use super::file::{
    BoxEntry, FaultEntry, FaultName, Group, JamEntry, LossPerName, PartitionEntry, RadioSection, ScanEntry, Scenario,
    Section, TaskEntry,
};
use super::memory;
use super::name;
use super::recruitment::{self, Recruiters};
use super::tasking::{self, Asked, TaskingSpec};
use super::value::{NonNegative, Place, Positive};
use crate::fault::{Fault, FaultKind};
use crate::labour::Labour;
use crate::mission::{Mission, RobotSpec, ScanSpec, SeenBy, TaskSpec};
use crate::pushed::BoxSpec;
use crate::radio::{Bursts, Jam, LossPer, Partition, Radio, Span, Topology};

/// Something that is wrong together with something else: the key it is about, what, and what to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The path of the key, part by part.
    pub key: Vec<String>,
    /// What is wrong.
    pub message: String,
    /// What to try.
    pub help: String,
}

impl Misfit {
    /// Something wrong with this key.
    pub fn new(key: &[&str], message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { key: key.iter().map(|part| (*part).to_owned()).collect(), message: message.into(), help: help.into() }
    }

    /// The same below `key`.
    pub(super) fn under(mut self, key: &[&str]) -> Self {
        self.key.splice(0..0, key.iter().map(|part| (*part).to_owned()));
        self
    }

    /// The same without `key` at its beginning, if it is there.
    pub(super) fn instead_of(mut self, key: &[&str]) -> Self {
        if self.key.len() >= key.len() && self.key.iter().zip(key).all(|(part, other)| part == other) {
            self.key.drain(..key.len());
        }
        self
    }
}

/// A team larger than this does not fit the memory of the machines Muster is meant for.
const LARGEST_TEAM: u32 = 10_000_000;
/// A path with more corners than this is a slip of the keyboard.
const MOST_ROWS: f64 = 100_000.0;
const MOST_STOPS: u32 = 100_000;

/// What a scenario asks for: the mission, the names of its tasks, and how its robots grow impatient, if they do.
pub struct Built {
    pub mission: Mission,
    pub task_names: Vec<String>,
    pub alliance: Option<AllianceSpec>,
    pub tasking: Option<TaskingSpec>,
}

/// Makes names numbers and finds what does not fit together.
pub fn build(scenario: &Scenario) -> Result<Built, Misfit> {
    let percepts = PerceptNames::collect(scenario)?;
    for name in scenario.tasks.keys() {
        name::check("task", name, &["tasks", name])?;
    }
    for (name, place) in &scenario.places {
        name::check("place", name, &["places", name])?;
        inside(scenario, *place, &["places", name], &format!("place {name} lies"))?;
    }
    let mut robots = robots(scenario, &percepts)?;
    one_mechanism(scenario)?;
    leases(scenario)?;
    let names = Names { scenario, robots: &robots };
    let asked = scenario.tasking.as_ref().map(|section| tasking::build(section, &names, &percepts)).transpose()?;
    let (mut task_names, tasks, orders, tasking) = match asked {
        Some(Asked { spec, tasks, names, orders }) => (names, tasks, orders, Some(spec)),
        None => {
            let tasks = scenario.tasks.iter().map(|(name, entry)| task(name, entry, &names, &percepts));
            (scenario.tasks.keys().cloned().collect::<Vec<_>>(), tasks.collect::<Result<_, _>>()?, Vec::new(), None)
        }
    };
    if tasking.is_none() {
        in_some_order(scenario, &tasks)?;
    }
    let labour = take_up_tasks(scenario).then(|| labour(scenario, &tasks, &names)).transpose()?;
    let alliance = scenario.alliance.as_ref().map(|section| alliance::spec(section, &names)).transpose()?;
    let pushed = scenario.pushed.as_ref().map(|entry| pushed(entry, scenario)).transpose()?;
    let radio = radio(&scenario.radio, &names)?;
    let (mut linger, mut ends_on_time) = (Duration::ZERO, false);
    if let (Some(section), Some(spec)) = (&scenario.tasking, &tasking) {
        let config = tasking::config(section, spec, section.variant.into(), robots.len() as u32);
        tasking::check(section, &config, radio.latency + radio.jitter)?;
        linger = tasking::linger(section, &config);
        ends_on_time = section.linger_s.is_some();
    }
    let faults = scenario
        .faults
        .iter()
        .enumerate()
        .map(|(index, entry)| fault(index, entry, &names))
        .collect::<Result<_, _>>()?;
    for robot in &robots {
        let stops = robot.errand.as_ref().map_or(0, |scan| scan.stops);
        task_names.extend((1..=stops).map(|stop| format!("{} stop {stop}", robot.name)));
    }
    if task_names.is_empty() {
        let help = "give a scanning robot stops (robots.<name>.scan.stops = 5) or add a [tasks.<name>] table";
        return Err(Misfit::new(&["robots"], "there is nothing to do: no tasks and no stops", help));
    }
    put_at(scenario, &tasks, &mut robots)?;
    let mission = Mission {
        labour,
        pushed,
        width_m: scenario.field.width_m.get(),
        height_m: scenario.field.height_m.get(),
        tasks,
        orders,
        linger,
        // Without the key runs end as they always have, with a message more or less: published figures count those.
        ends_on_time,
        crossing_m: tasking::crossing_m(scenario.tasking.as_ref()),
        radio,
        faults,
        limit: Duration::from_secs_f64(scenario.limit_h.get() * 3_600.0),
        robots,
    };
    Ok(Built { mission, task_names, alliance, tasking })
}

/// Robots take up tasks by themselves, whoever is able, and work at them for as long as the world says.
pub(super) fn take_up_tasks(scenario: &Scenario) -> bool {
    match scenario.section() {
        Section::Alliance(_) => true,
        Section::Recruitment(_) | Section::Tasking(_) => false,
    }
}

/// Robots recruit or grow impatient; what belongs to the one makes no sense with the other.
pub(super) fn one_mechanism(scenario: &Scenario) -> Result<(), Misfit> {
    if let [one, other, ..] = scenario.sections()[..] {
        let help = match other {
            Section::Alliance(_) => "keep one of the two: robots recruit each other, or grow impatient",
            Section::Recruitment(_) | Section::Tasking(_) => "keep one of the two",
        };
        let (one, other) = (one.name(), other.name());
        return Err(Misfit::new(&[one], format!("there is both [{one}] and [{other}]"), help));
    }
    if !matches!(scenario.section(), Section::Recruitment(_))
        && let Some((name, key)) = scenario.robots.iter().find_map(|(name, it)| Some((name, it.recruits_by()?)))
    {
        let help = format!("leave `{key}` out: it is a robot's own value of [recruitment]");
        return Err(Misfit::new(
            &["robots", name, key],
            format!("robot {name} has `{key}`, but nobody recruits"),
            help,
        ));
    }
    if scenario.tasking.is_some() {
        return only_tasking(scenario);
    }
    if let Some((name, key)) = scenario.robots.iter().find_map(|(name, it)| Some((name, it.flies_by()?))) {
        let help = format!("leave `{key}` out, or add [tasking]");
        return Err(Misfit::new(&["robots", name, key], format!("robot {name} has `{key}`, but nobody flies"), help));
    }
    let impatient = take_up_tasks(scenario);
    if let Some(name) =
        scenario.robots.iter().find(|(_, group)| impatient && group.scan.is_some()).map(|(name, _)| name)
    {
        let help = "leave `scan` out: with [alliance] all that a robot does is a task";
        return Err(Misfit::new(&["robots", name, "scan"], format!("robot {name} scans, but nobody recruits"), help));
    }
    for (name, entry) in &scenario.tasks {
        let key = |last| ["tasks", name.as_str(), last];
        if impatient && entry.seen_by.is_some() {
            let help = "leave it out, and say who can do it: work_s = { <group> = 60 }";
            return Err(Misfit::new(
                &key("seen_by"),
                format!("task {name} is recruited for, but nobody recruits"),
                help,
            ));
        }
        let done_by_itself = !entry.work_s.is_empty() || !entry.after.is_empty() || entry.recurs;
        if done_by_itself && !impatient {
            let key = if entry.work_s.is_empty() { key("after") } else { key("work_s") };
            let help = "add [alliance], or leave work_s, after and recurs out";
            return Err(Misfit::new(&key, format!("nobody does task {name} by itself without [alliance]"), help));
        }
    }
    if !impatient && scenario.pushed.is_some() {
        return Err(Misfit::new(&["box"], "nobody pushes a box without [alliance]", "add [alliance]"));
    }
    Ok(())
}

/// With `[tasking]` tasks are asked for by operators and done by flying over them: nothing else makes sense.
fn only_tasking(scenario: &Scenario) -> Result<(), Misfit> {
    if scenario.pushed.is_some() {
        return Err(Misfit::new(&["box"], "nobody pushes a box without [alliance]", "leave it out"));
    }
    if let Some((name, _)) = scenario.robots.iter().find(|(_, group)| group.scan.is_some() || group.put_at.is_some()) {
        let help = "leave `scan` and `put_at` out: with [tasking] all that a vehicle does is a task";
        return Err(Misfit::new(&["robots", name], format!("robot {name} has something else to do"), help));
    }
    for (name, entry) in &scenario.tasks {
        if entry.seen_by.is_some() || !entry.work_s.is_empty() || !entry.after.is_empty() || entry.recurs {
            let help = "leave seen_by, work_s, after and recurs out: with [tasking] an operator asks for it";
            return Err(Misfit::new(&["tasks", name], format!("task {name} belongs to another mechanism"), help));
        }
    }
    Ok(())
}

pub(super) fn task(
    name: &str,
    entry: &TaskEntry,
    names: &Names<'_>,
    percepts: &PerceptNames,
) -> Result<TaskSpec, Misfit> {
    let scenario = names.scenario;
    let key = |last| ["tasks", name, last];
    if entry.order.is_some() {
        let help = "add [tasking], or leave the order out";
        return Err(Misfit::new(&key("order"), format!("nobody takes orders for task {name} without [tasking]"), help));
    }
    if let Some(place) = entry.place {
        inside(scenario, place, &key("place"), &format!("task {name} lies"))?;
    }
    let seen_by = match &entry.seen_by {
        Some(seer) => SeenBy::One(names.robot(seer, &key("seen_by"))?),
        None if take_up_tasks(scenario) => SeenBy::Able,
        None => {
            let help = "say who looks after it: seen_by = \"<robot>\"";
            return Err(Misfit::new(&["tasks", name], format!("nobody looks after task {name}"), help));
        }
    };
    let known: Vec<&str> = scenario.tasks.keys().map(String::as_str).collect();
    let after =
        entry.after.iter().map(|before| task_called(before, &known, &key("after"))).collect::<Result<_, _>>()?;
    let boxed = scenario.pushed.as_ref().filter(|entry| entry.left == name || entry.right == name);
    if seen_by == SeenBy::Able && entry.place.is_none() && boxed.is_none() {
        let help = "say where it is: place = [east, north]";
        return Err(Misfit::new(&["tasks", name], format!("task {name} has no place"), help));
    }
    Ok(TaskSpec {
        at: time(entry.at_s),
        after,
        recurs: entry.recurs,
        seen_by,
        place: boxed.map(|entry| end_of(entry, entry.right == name)).or(entry.place.map(Point::from)),
        needs: percepts.known(&entry.needs, &key("needs"))?,
    })
}

/// The task of a name.
pub(super) fn task_called(name: &str, known: &[&str], key: &[&str]) -> Result<TaskId, Misfit> {
    let index = known.iter().position(|known| *known == name);
    index
        .map(|index| TaskId(index as u32))
        .ok_or_else(|| Misfit::new(key, format!("there is no task `{name}`"), did_you_mean(name, known, "there are")))
}

/// Tasks that wait for each other would never come up, nor would one that waits for a task that is never done for good.
fn in_some_order(scenario: &Scenario, tasks: &[TaskSpec]) -> Result<(), Misfit> {
    let name = |index: usize| scenario.tasks.get_index(index).map_or("", |(name, _)| name.as_str());
    let mut up = vec![false; tasks.len()];
    let ready = |spec: &TaskSpec, up: &[bool]| {
        spec.after.iter().all(|before| up[before.index()] && !tasks[before.index()].recurs)
    };
    while let Some(next) = (0..tasks.len()).find(|&index| !up[index] && ready(&tasks[index], &up)) {
        up[next] = true;
    }
    match up.iter().position(|up| !up) {
        None => Ok(()),
        Some(never) => {
            let message = format!("task {} would never come up", name(never));
            let help = "it waits for itself, by way of others perhaps, or for a task that recurs";
            Err(Misfit::new(&["tasks", name(never), "after"], message, help))
        }
    }
}

/// Who can do which task, and how quickly.
pub(super) fn labour(scenario: &Scenario, tasks: &[TaskSpec], names: &Names<'_>) -> Result<Labour, Misfit> {
    let mut times = Vec::with_capacity(scenario.tasks.len());
    for ((name, entry), needs) in scenario.tasks.iter().zip(tasks.iter().map(|task| task.needs)) {
        let mut able = vec![None; names.robots.len()];
        for (who, work_s) in &entry.work_s {
            for robot in names.robots(who, &["tasks", name, "work_s", who])? {
                if !names.robots[robot.index()].percepts.cover(needs) {
                    let message = format!("`{who}` lacks what task {name} needs");
                    let help = "give it the percepts, or leave it out of work_s";
                    return Err(Misfit::new(&["tasks", name, "work_s", who], message, help));
                }
                able[robot.index()] = Some(Duration::from_secs_f64(work_s.get()));
            }
        }
        if able.iter().all(Option::is_none) {
            let help = "say who can, and in how many seconds: work_s = { <group> = 60 }";
            return Err(Misfit::new(&["tasks", name], format!("nobody can do task {name}"), help));
        }
        times.push(able);
    }
    Ok(Labour { progress_when_working: scenario.work.progress, times, scatter: scenario.work.scatter.get() })
}

fn end_of(entry: &BoxEntry, right: bool) -> Point {
    let left = Point::from(entry.place);
    Point::new(left.x + if right { entry.length_m.get() } else { 0.0 }, left.y)
}

fn pushed(entry: &BoxEntry, scenario: &Scenario) -> Result<BoxSpec, Misfit> {
    inside(scenario, entry.place, &["box", "place"], "the left end of the box lies")?;
    let right = end_of(entry, true);
    if right.x > scenario.field.width_m.get() {
        let message = format!("the right end of the box lies outside the field (x = {} m)", right.x);
        return Err(Misfit::new(&["box", "length_m"], message, "make the box shorter or the field wider"));
    }
    let known: Vec<&str> = scenario.tasks.keys().map(String::as_str).collect();
    let end = |name: &str, key: &str| {
        let task = task_called(name, &known, &["box", key])?;
        if !scenario.tasks[name].recurs {
            let message = format!("an end of the box is pushed again and again, but task {name} does not recur");
            return Err(Misfit::new(&["box", key], message, format!("add recurs = true to [tasks.{name}]")));
        }
        Ok(task)
    };
    let ends = [end(&entry.left, "left")?, end(&entry.right, "right")?];
    if ends[0] == ends[1] {
        let message = "both ends of the box are pushed by one task";
        return Err(Misfit::new(&["box", "right"], message, "give each end a task of its own"));
    }
    Ok(BoxSpec { ends, left: entry.place.into(), length_m: entry.length_m.get(), push_m: entry.push_m.get() })
}

fn put_at(scenario: &Scenario, tasks: &[TaskSpec], robots: &mut [RobotSpec]) -> Result<(), Misfit> {
    let known: Vec<&str> = scenario.tasks.keys().map(String::as_str).collect();
    let mut robots = robots.iter_mut();
    for (name, group) in &scenario.robots {
        if group.put_at.is_some() && group.place.is_some() {
            let message = format!("robot {name} has both a place and a task to be put at");
            return Err(Misfit::new(&["robots", name, "put_at"], message, "leave one of them out"));
        }
        let task =
            group.put_at.as_ref().map(|task| task_called(task, &known, &["robots", name, "put_at"])).transpose()?;
        for robot in robots.by_ref().take(group.count as usize) {
            robot.put_at = task;
            robot.place = task.and_then(|task| tasks[task.index()].place).or(robot.place);
        }
    }
    Ok(())
}

pub(super) fn time(seconds: NonNegative) -> Time {
    Time::from_secs_f64(seconds.get())
}

fn millis(value: NonNegative) -> Duration {
    Duration::from_secs_f64(value.get() / 1_000.0)
}

pub(super) fn inside(scenario: &Scenario, place: Place, key: &[&str], who: &str) -> Result<(), Misfit> {
    inside_at(scenario, Point::from(place), key, who)
}

/// The same of a place that is reckoned from others.
pub(super) fn inside_at(scenario: &Scenario, place: Point, key: &[&str], who: &str) -> Result<(), Misfit> {
    let (width, height) = (scenario.field.width_m.get(), scenario.field.height_m.get());
    let Point { x, y } = place;
    let beyond = |name, value: f64, size, extent| {
        let message = format!("{who} outside the field ({name} = {value} m, {size} {extent} m)");
        Misfit::new(key, message, format!("{name} must lie between 0 and {extent}, or make the field larger"))
    };
    if !(0.0..=width).contains(&x) {
        return Err(beyond("x", x, "width", width));
    }
    if !(0.0..=height).contains(&y) {
        return Err(beyond("y", y, "height", height));
    }
    Ok(())
}

fn robots(scenario: &Scenario, percepts: &PerceptNames) -> Result<Vec<RobotSpec>, Misfit> {
    for (name, group) in &scenario.robots {
        check_group(scenario, name, group)?;
    }
    // Before any of them takes room.
    let all: u64 = scenario.robots.values().map(|group| u64::from(group.count)).sum();
    if all > u64::from(LARGEST_TEAM) {
        let message = format!("{all} robots are too many");
        return Err(Misfit::new(&["robots"], message, format!("at most {LARGEST_TEAM} fit one machine")));
    }
    if let Some(message) = memory::too_small_for(all) {
        let help = "take fewer robots, close other programs, or use a machine with more memory";
        return Err(Misfit::new(&["robots"], message, help));
    }
    let mut robots = Vec::new();
    for (name, group) in &scenario.robots {
        let errand = match &group.scan {
            Some(entry) => Some(scan(scenario, name, entry, percepts)?),
            None => None,
        };
        let own = percepts.known(&group.percepts, &["robots", name, "percepts"])?;
        let base = base(scenario, name, group)?;
        for number in 1..=group.count {
            let name = if group.count == 1 { name.clone() } else { format!("{name}-{number}") };
            robots.push(RobotSpec {
                name: name.into(),
                percepts: own,
                speed_mps: group.speed_mps.get(),
                place: group.place.map(Point::from),
                errand: errand.clone(),
                joins: time(group.joins_s),
                put_at: None,
                endurance: group.endurance_s.map(|endurance| Duration::from_secs_f64(endurance.get())),
                base,
            });
        }
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
    name::check("robot", name, &["robots", name])?;
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

/// A robot offers its lease, and AGREE can only shorten it: one that comes for more than it offers would go each time.
fn leases(scenario: &Scenario) -> Result<(), Misfit> {
    let Some(section) = &scenario.recruitment else { return Ok(()) };
    let team = Arc::new(recruitment::recruitment(section, 0));
    for (name, group) in &scenario.robots {
        let own = Recruiters::new(team.clone(), std::iter::once(group));
        let config = own.of(RobotId(0));
        if config.shortest_lease > config.lease {
            let (shortest, lease) = (config.shortest_lease, config.lease);
            let message = format!(
                "robot {name} offers {lease:.1} and comes for no less than {shortest:.1}: nobody can recruit it"
            );
            let help = "make shortest_lease_s at most lease_s, of the robot or of [recruitment]";
            let key: &[&str] = match group.shortest_lease_s {
                Some(_) => &["robots", name, "shortest_lease_s"],
                None => &["recruitment", "shortest_lease_s"],
            };
            return Err(Misfit::new(key, message, help));
        }
    }
    Ok(())
}

/// Where a group is reloaded.
fn base(scenario: &Scenario, name: &str, group: &Group) -> Result<Option<Base>, Misfit> {
    let key = |last| ["robots", name, last];
    let (base, reload) = match (&group.base, group.reload_s) {
        (Some(base), Some(reload)) => (base, reload),
        (Some(_), None) => {
            let message = format!("robot {name} has a base, and nobody knows how long it stays there");
            return Err(Misfit::new(&key("base"), message, "say how long: reload_s = 60"));
        }
        (None, Some(_)) => {
            let message = format!("robot {name} is to be reloaded, but has no base");
            return Err(Misfit::new(&key("reload_s"), message, "name one of [places]: base = \"<place>\""));
        }
        (None, None) => return Ok(None),
    };
    let known: Vec<&str> = scenario.places.keys().map(String::as_str).collect();
    let Some(place) = scenario.places.get(base) else {
        let help = match known.is_empty() {
            true => format!("say where it is: [places] {base} = [east, north]"),
            false => did_you_mean(base, &known, "there are"),
        };
        return Err(Misfit::new(&key("base"), format!("there is no place `{base}`"), help));
    };
    Ok(Some(Base { place: (*place).into(), reload: Duration::from_secs_f64(reload.get()) }))
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
pub(super) struct PerceptNames(Vec<String>);

impl PerceptNames {
    pub fn collect(scenario: &Scenario) -> Result<Self, Misfit> {
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

    pub fn known(&self, names: &[String], key: &[&str]) -> Result<Percepts, Misfit> {
        names.iter().try_fold(Percepts::NONE, |set, name| match self.0.iter().position(|known| known == name) {
            Some(bit) => Ok(set.and(Percepts::only(bit as u32))),
            None => {
                let message = format!("no robot has the percept `{name}`");
                Err(Misfit::new(key, message, did_you_mean(name, &self.0, "add it to the percepts of a robot; known")))
            }
        })
    }
}

/// What is near enough to have been meant.
fn nearest<'k, S: AsRef<str>>(wrong: &str, known: &'k [S]) -> Option<&'k str> {
    let near = known.iter().map(|name| (strsim::damerau_levenshtein(wrong, name.as_ref()), name.as_ref())).min();
    near.filter(|(distance, name)| *distance <= 1 + name.len() / 4).map(|(_, name)| name)
}

/// "did you mean `x`?" if something is near, otherwise what there is.
pub fn did_you_mean<S: AsRef<str>>(wrong: &str, known: &[S], otherwise: &str) -> String {
    match nearest(wrong, known) {
        Some(name) => format!("did you mean `{name}`?"),
        None => {
            let list: Vec<String> = known.iter().take(12).map(|name| format!("`{}`", name.as_ref())).collect();
            let more = if known.len() > 12 { ", ..." } else { "" };
            format!("{otherwise}: {}{more}", if list.is_empty() { "none".to_owned() } else { list.join(", ") })
        }
    }
}

/// The robots of a scenario, to be found by name.
pub(super) struct Names<'a> {
    pub scenario: &'a Scenario,
    pub robots: &'a [RobotSpec],
}

impl Names<'_> {
    pub fn robot(&self, name: &str, key: &[&str]) -> Result<RobotId, Misfit> {
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

    /// The name of the group that a robot belongs to.
    pub fn group(&self, robot: RobotId) -> &str {
        let mut end = 0;
        let mut groups = self.scenario.robots.iter();
        let group = groups.find(|(_, group)| {
            end += group.count;
            robot.0 < end
        });
        group.map_or("", |(name, _)| name)
    }

    /// The robots of a group, or one robot.
    pub fn robots(&self, name: &str, key: &[&str]) -> Result<Vec<RobotId>, Misfit> {
        let mut first = 0;
        for (group, robots) in &self.scenario.robots {
            if group == name {
                return Ok((first..first + robots.count).map(RobotId).collect());
            }
            first += robots.count;
        }
        let groups: Vec<&String> = self.scenario.robots.keys().collect();
        let robots: Vec<&str> = self.robots.iter().map(|robot| &*robot.name).collect();
        self.robot(name, key).map(|robot| vec![robot]).map_err(|misfit| match nearest(name, &groups) {
            Some(group) if nearest(name, &robots).is_none() => {
                Misfit { help: format!("did you mean `{group}`?"), ..misfit }
            }
            _ => misfit,
        })
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
        topologies: topologies(section, names)?,
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
    Ok(Partition { when, part_of: parts(&entry.parts, names, &["radio", "partition", &index, "parts"])? })
}

/// The part of each robot, by number; 0 for those that are in none.
pub(super) fn parts(parts: &[Vec<String>], names: &Names<'_>, key: &[&str]) -> Result<Vec<u32>, Misfit> {
    let mut part_of = vec![0; names.robots.len()];
    for (number, part) in (1..).zip(parts) {
        for name in part {
            for robot in names.robots(name, key)? {
                if part_of[robot.index()] != 0 && part_of[robot.index()] != number {
                    let message = format!("`{name}` is in two parts at once");
                    return Err(Misfit::new(key, message, "a robot can be in one part only"));
                }
                part_of[robot.index()] = number;
            }
        }
    }
    Ok(part_of)
}

fn topologies(section: &RadioSection, names: &Names<'_>) -> Result<Vec<Topology>, Misfit> {
    let mut topologies = Vec::with_capacity(section.topology.len());
    for (index, entry) in section.topology.iter().enumerate() {
        let index = index.to_string();
        let when = span(entry.from_s, entry.to_s, &["radio", "topology", &index, "to_s"])?;
        let mut topology = Topology::new(when, names.robots.len());
        for (number, [one, other]) in entry.links.iter().enumerate() {
            let number = number.to_string();
            let key = ["radio", "topology", &index, "links", &number];
            topology.link(&names.robots(one, &key)?, &names.robots(other, &key)?);
        }
        topologies.push(topology);
    }
    Ok(topologies)
}

fn fault(index: usize, entry: &FaultEntry, names: &Names<'_>) -> Result<Fault, Misfit> {
    let index = index.to_string();
    let key = ["faults", index.as_str()];
    let robot = names.robot(&entry.robot, &["faults", &index, "robot"])?;
    let kind = fault_kind(entry.kind, entry.for_s, entry.memory, None, &key)?;
    Ok(Fault { at: time(entry.at_s), robot, kind })
}

/// What goes wrong. `open_ended`: how long a robot is deaf, mute or offline if nothing is said.
pub(super) fn fault_kind(
    kind: FaultName,
    for_s: Option<Positive>,
    memory: Option<bool>,
    open_ended: Option<Duration>,
    key: &[&str],
) -> Result<FaultKind, Misfit> {
    let misfit = |last: Option<&str>, message: &str, help: &str| {
        let key: Vec<&str> = key.iter().copied().chain(last).collect();
        Misfit::new(&key, message, help)
    };
    let lasts = for_s.map(|seconds| Duration::from_secs_f64(seconds.get()));
    if memory.is_some() && !matches!(kind, FaultName::Restart | FaultName::Back) {
        let message = "`memory` says what a robot knows after a restart; this fault is none";
        return Err(misfit(Some("memory"), message, "leave it out, or use kind = \"restart\""));
    }
    let needs_duration =
        || misfit(None, "this fault needs a duration", "add for_s = <seconds>, or use kind = \"stop\"");
    let memory = memory.unwrap_or(true);
    Ok(match kind {
        FaultName::Stop if lasts.is_some() => {
            let message = "a robot that stops does so for good";
            let help = "leave `for_s` out, or use kind = \"pause\" or \"restart\"";
            return Err(misfit(Some("for_s"), message, help));
        }
        FaultName::Back if lasts.is_some() => {
            return Err(misfit(Some("for_s"), "a robot that is back is so at once", "leave `for_s` out"));
        }
        FaultName::Stop => FaultKind::Stop,
        FaultName::Back => FaultKind::Back { memory },
        FaultName::Pause => FaultKind::Pause { lasts: lasts.ok_or_else(needs_duration)? },
        FaultName::Restart => FaultKind::Restart { down: lasts.ok_or_else(needs_duration)?, memory },
        FaultName::Deaf => FaultKind::Deaf { lasts: lasts.or(open_ended).ok_or_else(needs_duration)? },
        FaultName::Mute => FaultKind::Mute { lasts: lasts.or(open_ended).ok_or_else(needs_duration)? },
        FaultName::Offline => FaultKind::Offline { lasts: lasts.or(open_ended).ok_or_else(needs_duration)? },
    })
}
