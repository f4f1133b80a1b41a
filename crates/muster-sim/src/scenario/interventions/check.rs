//! Whether an intervention makes sense in a mission: names become numbers, and what the mission or the mechanism of its
//! robots cannot do is found before the run begins.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use muster_core::{Brief, Duration, Point, RobotId, Task, TaskId, Time};

use super::{FaultSaid, InterventionEntry, OrderSaid, RadioSaid, Said};
use crate::intervention::{Deed, Intervention, Interventions, LONGEST_AUTHOR, NewTask, Request, is_author};
use crate::mission::{SeenBy, TaskSpec};
use crate::radio::Disturbance;
use crate::scenario::build::{self, Misfit, Names, PerceptNames, did_you_mean, inside};
use crate::scenario::value::{NonNegative, Positive};
use crate::scenario::{Loaded, Scenario, TaskEntry, name, tasking};
use crate::scheme::{Change, Refusal, Scheme};

/// Checks one intervention after the other, in the order in which they are given: a task has to be asked for before it
/// can be changed. One that is given later may be made earlier. Whatever is accepted in the order in which it was given
/// is accepted in the order of time, too, in which files are checked.
pub struct Checker<'a> {
    loaded: &'a Loaded,
    scheme: Scheme,
    percepts: PerceptNames,
    /// The scenario without its tasks: a new task is put there and built like any other.
    bare: Scenario,
    tasks: IndexMap<String, Known>,
    /// The names of all tasks, each phase of an order by itself.
    names: BTreeSet<String>,
    /// Which tasks come up after which.
    waits: Vec<(String, Vec<TaskId>)>,
    /// The number of the next task.
    next: u32,
}

/// A task that can be changed or cancelled; with auctions an order with all of its phases.
#[derive(Clone, Debug)]
struct Known {
    first: TaskId,
    count: u32,
    /// When it is asked for, if somebody asks for it.
    asked: Option<Time>,
    recurs: bool,
    /// When it is changed for the last time.
    changed: Option<Time>,
    cancelled: Option<Time>,
}

impl<'a> Checker<'a> {
    /// For a run of `loaded` whose robots follow `scheme`, in which these have been made already.
    pub fn new(loaded: &'a Loaded, scheme: Scheme, before: &Interventions) -> Self {
        let mut bare = loaded.scenario.clone();
        bare.tasks.clear();
        bare.pushed = None;
        bare.tasking.iter_mut().for_each(|section| section.changes.clear());
        let percepts = PerceptNames::collect(&bare).expect("the scenario has been built");
        let waits = loaded.mission.tasks.iter().zip(&loaded.task_names);
        let mut checker = Self {
            loaded,
            scheme,
            percepts,
            bare,
            tasks: tasks_of(loaded),
            names: loaded.task_names.iter().cloned().collect(),
            waits: waits.map(|(spec, name)| (name.clone(), spec.after.clone())).collect(),
            next: loaded.mission.task_count() as u32,
        };
        for made in before.all() {
            checker.learn(made.at, &made.what);
        }
        checker
    }

    /// The first number that each of these would give to a new task, if they were given in this order.
    pub(super) fn numbers(&self, entries: &[InterventionEntry]) -> Vec<TaskId> {
        let count = |order: &OrderSaid| {
            let kind = order.order.as_ref().and_then(|order| order.kind.as_deref()).unwrap_or_default();
            let template = self.bare.tasking.as_ref().and_then(|section| section.templates.get(kind));
            template.map_or(1, |template| template.phases.len().max(1) as u32)
        };
        let mut next = self.next;
        let number = |entry: &InterventionEntry| {
            let first = TaskId(next);
            next += entry.order.as_ref().filter(|order| order.name.is_some()).map_or(0, count);
            first
        };
        entries.iter().map(number).collect()
    }

    fn names(&self) -> Names<'_> {
        Names { scenario: &self.bare, robots: &self.loaded.mission.robots }
    }

    /// Whether something can be done at that time, by somebody of that name.
    pub fn moment(&self, at: Time, author: &str) -> Result<(), Misfit> {
        let limit = Time::ZERO + self.loaded.mission.limit;
        if at > limit {
            let (at_s, limit_s) = (at.as_secs_f64(), limit.as_secs_f64());
            let message = format!("at_s = {at_s} is after the end of the run, which lasts for {limit_s} s at most");
            return Err(Misfit::new(&["at_s"], message, format!("from 0 to {limit_s}, or make limit_h larger")));
        }
        if !is_author(author) {
            let begins: String = author.chars().take(LONGEST_AUTHOR).collect();
            let rest = if begins.len() < author.len() { "..." } else { "" };
            let message = format!("`{}{rest}` is no name of an author", name::revealed(&begins));
            let help = format!("say who does it, in 1 to {LONGEST_AUTHOR} letters: author = \"operator\"");
            return Err(Misfit::new(&["author"], message, help));
        }
        Ok(())
    }

    /// What is said, checked; from now on it counts as given.
    pub fn check(&mut self, at: Time, said: Said) -> Result<Intervention, Misfit> {
        self.check_numbered(TaskId(self.next), at, said)
    }

    /// The same with the first number of the task, if it asks for one.
    pub(super) fn check_numbered(&mut self, number: TaskId, at: Time, said: Said) -> Result<Intervention, Misfit> {
        let deed = match &said {
            Said::Order(order) => {
                Deed::Order(self.order(number, at, order).map_err(|misfit| misfit.under(&["order"]))?)
            }
            Said::Fault(fault) => self.fault(fault).map_err(|misfit| misfit.under(&["fault"]))?,
            Said::Radio(radio) => self.radio(radio).map_err(|misfit| misfit.under(&["radio"]))?,
        };
        let intervention = Intervention { said, deed };
        self.learn(at, &intervention);
        Ok(intervention)
    }

    /// What an intervention that was made means for later ones.
    fn learn(&mut self, at: Time, made: &Intervention) {
        let (Deed::Order(request), Said::Order(said)) = (&made.deed, &made.said) else { return };
        match request {
            Request::Task(task) => {
                let name = said.name.clone().unwrap_or_default();
                let count = task.names.len() as u32;
                let (first, recurs) = (task.brief.task.id, task.spec.recurs);
                self.waits.push((name.clone(), task.spec.after.clone()));
                self.names.extend(task.names.iter().cloned());
                let known = Known { first, count, asked: Some(at), recurs, changed: None, cancelled: None };
                self.tasks.insert(name, known);
                self.next = self.next.max(first.0 + count);
            }
            Request::Cancel { .. } => {
                if let Some(known) = said.task.as_ref().and_then(|name| self.tasks.get_mut(name)) {
                    known.cancelled = Some(at);
                }
            }
            Request::Change { .. } => {
                if let Some(known) = said.task.as_ref().and_then(|name| self.tasks.get_mut(name)) {
                    known.changed = known.changed.max(Some(at));
                }
            }
        }
    }

    // Orders.

    fn order(&self, number: TaskId, at: Time, said: &OrderSaid) -> Result<Request, Misfit> {
        match (&said.name, &said.task) {
            (Some(name), None) => self.new_task(number, at, name, said).map(|task| Request::Task(Box::new(task))),
            (None, Some(task)) => self.change(at, task, said),
            (Some(_), Some(task)) => {
                let message = format!("both `name` and `task` (`{task}`) are given");
                Err(Misfit::new(
                    &["task"],
                    message,
                    "`name` gives a new task its name, `task` changes one that there is",
                ))
            }
            (None, None) => {
                let help = "name = \"<a new task>\", or task = \"<one that there is>\" with cancel, place or priority";
                Err(Misfit::new(&[], "it is not said which task", help))
            }
        }
    }

    fn new_task(&self, number: TaskId, at: Time, name: &str, said: &OrderSaid) -> Result<NewTask, Misfit> {
        if self.tasks.contains_key(name) || self.names.contains(name) {
            let message = format!("there is a task called `{name}` already");
            let help = format!("give it another name; to change it write task = \"{name}\"");
            return Err(Misfit::new(&["name"], message, help));
        }
        if name.trim().is_empty() || name.chars().any(char::is_control) {
            let message = format!("`{}` is no name of a task", name.escape_debug());
            return Err(Misfit::new(&["name"], message, "write name = \"wreck\", or the like"));
        }
        name::check("task", name, &["name"])?;
        if said.cancel || said.priority.is_some() {
            let (key, help) = match said.cancel {
                true => ("cancel", "leave it out, or name a task that there is: task = \"<name>\""),
                false => {
                    ("priority", "the priority of a new task stands in its order: order = { by = .., priority = .. }")
                }
            };
            return Err(Misfit::new(&[key], format!("`{key}` is about a task that there is, and {name} is new"), help));
        }
        let auctioned = self.scheme.is_asked();
        if auctioned && said.order.is_none() {
            let help = "say at which console: order = { by = \"<console>\" }";
            return Err(Misfit::new(&[], format!("nobody asks for task {name}"), help));
        }
        if auctioned && said.place.is_none() {
            let help = "say where it is: place = [east, north]";
            return Err(Misfit::new(&[], format!("task {name} has no place"), help));
        }
        if said.order.as_ref().is_some_and(|order| order.count != 1 || order.every_s.is_some()) {
            let help = "leave `count` and `every_s` out; several orders are several [[interventions]]";
            return Err(Misfit::new(&["order"], "an intervention asks for one task", help));
        }
        let after = self.after(at, name, &said.after)?;
        let entry = TaskEntry {
            seen_by: said.seen_by.clone(),
            work_s: said.work_s.clone(),
            // Waiting tasks are those of the whole mission, so they are looked up above.
            after: Vec::new(),
            recurs: said.recurs,
            at_s: NonNegative::new(at.as_secs_f64()).unwrap_or(crate::scenario::file::nothing()),
            place: said.place,
            needs: said.needs.clone(),
            order: said.order.clone(),
        };
        let mut scenario = self.bare.clone();
        scenario.tasks.insert(name.to_owned(), entry);
        let names = Names { scenario: &scenario, ..self.names() };
        let built = self.built(number, at, name, &names, after);
        let new = built.map_err(|misfit| misfit.instead_of(&["tasks", name]))?;
        if let Some(taken) = new.names.iter().find(|phase| self.names.contains(*phase)) {
            let message = format!("a phase of {name} would be called `{taken}`, as a task is already");
            return Err(Misfit::new(&["name"], message, "give it another name"));
        }
        Ok(new)
    }

    /// Builds the only task of a scenario as if it had been there from the beginning.
    fn built(
        &self,
        first: TaskId,
        at: Time,
        name: &str,
        names: &Names<'_>,
        after: Vec<TaskId>,
    ) -> Result<NewTask, Misfit> {
        let scenario = names.scenario;
        build::one_mechanism(scenario)?;
        if let (Some(section), Some(spec)) = (&scenario.tasking, &self.loaded.tasking) {
            let asked = tasking::asked(section, names, &self.percepts, &spec.kinds)?;
            let (Some(order), Some(spec)) = (asked.orders.first(), asked.tasks.first()) else {
                return Err(Misfit::new(&["tasks", name], format!("nobody asks for task {name}"), "add an order"));
            };
            let Some(brief) = order.order.asks_for() else {
                return Err(Misfit::new(&["tasks", name], format!("nobody asks for task {name}"), "add an order"));
            };
            let brief = Brief { task: Task { id: first, ..brief.task }, ..brief };
            let spec = TaskSpec { seen_by: SeenBy::Ordered(first), ..spec.clone() };
            return Ok(NewTask { names: asked.names, spec, brief, console: Some(order.to), times: None });
        }
        let entry = &scenario.tasks[name];
        let spec = TaskSpec { at, after, ..build::task(name, entry, names, &self.percepts)? };
        let times = match build::take_up_tasks(scenario) {
            true => build::labour(scenario, std::slice::from_ref(&spec), names)?.times.pop(),
            false => None,
        };
        let task = Task { id: first, place: spec.place.unwrap_or_default(), needs: spec.needs };
        Ok(NewTask { names: vec![name.to_owned()], spec, brief: task.into(), console: None, times })
    }

    fn after(&self, at: Time, name: &str, after: &[String]) -> Result<Vec<TaskId>, Misfit> {
        let one = |before: &String| {
            let known = self.known(before, &["after"])?;
            if let Some(asked) = known.asked.filter(|asked| *asked > at) {
                let message = format!("task {before} is asked for later, at {} s", asked.as_secs_f64());
                return Err(Misfit::new(&["after"], message, format!("ask for {name} after that")));
            }
            if known.recurs || known.cancelled.is_some() {
                let why = if known.recurs { "is never done for good" } else { "is cancelled before" };
                let message = format!("task {name} would never come up: {before} {why}");
                return Err(Misfit::new(&["after"], message, "leave it out of `after`"));
            }
            Ok(known.first)
        };
        if !after.is_empty() && !self.scheme.keeps_order() {
            let help = "leave `after` out";
            return Err(Misfit::new(&["after"], "tasks wait for others with [alliance] only", help));
        }
        after.iter().map(one).collect()
    }

    fn known(&self, name: &str, key: &[&str]) -> Result<&Known, Misfit> {
        self.tasks.get(name).ok_or_else(|| {
            let known: Vec<&String> = self.tasks.keys().collect();
            let what = if self.scheme.is_asked() { "order" } else { "task" };
            Misfit::new(key, format!("there is no {what} `{name}` by then"), did_you_mean(name, &known, "there are"))
        })
    }

    fn change(&self, at: Time, name: &str, said: &OrderSaid) -> Result<Request, Misfit> {
        let known = self.known(name, &["task"])?;
        let Known { first, count, .. } = *known;
        self.only_changes(name, said)?;
        if let Some(asked) = known.asked.filter(|asked| *asked > at) {
            let message = format!("task {name} is asked for later, at {} s", asked.as_secs_f64());
            return Err(Misfit::new(&["task"], message, "change it after that"));
        }
        if let Some(cancelled) = known.cancelled.filter(|cancelled| *cancelled <= at) {
            let message = format!("task {name} is cancelled before, at {} s", cancelled.as_secs_f64());
            return Err(Misfit::new(&["task"], message, "leave it out, or ask for a new task with `name`"));
        }
        let later = known.cancelled.or(known.changed).filter(|later| said.cancel && *later > at);
        if let Some(later) = later {
            let what = if known.cancelled.is_some() { "cancelled" } else { "changed" };
            let message = format!("task {name} is {what} later, at {} s", later.as_secs_f64());
            return Err(Misfit::new(&["task"], message, "cancel it once, after all changes"));
        }
        if known.recurs {
            let help = "a robot can be stopped, or a task that does not recur cancelled";
            return Err(Misfit::new(&["task"], format!("task {name} recurs, so it is there for good"), help));
        }
        if said.cancel {
            self.nobody_waits_for(name, first, at)?;
            return Ok(Request::Cancel { first, count });
        }
        self.can_change(name, said)?;
        if let Some(place) = said.place {
            inside(&self.bare, place, &["place"], &format!("task {name} lies"))?;
        }
        Ok(Request::Change { first, count, place: said.place.map(Point::from), priority: said.priority })
    }

    /// A change is `cancel`, or a place or priority, and nothing else.
    fn only_changes(&self, name: &str, said: &OrderSaid) -> Result<(), Misfit> {
        let of_new = [
            ("seen_by", said.seen_by.is_some()),
            ("needs", !said.needs.is_empty()),
            ("after", !said.after.is_empty()),
            ("recurs", said.recurs),
            ("work_s", !said.work_s.is_empty()),
            ("order", said.order.is_some()),
        ];
        if let Some((key, _)) = of_new.into_iter().find(|(_, given)| *given) {
            let message = format!("`{key}` of task {name} cannot be changed");
            return Err(Misfit::new(&[key], message, "cancel, place and priority can; `name` asks for a new task"));
        }
        if said.cancel == (said.place.is_some() || said.priority.is_some()) {
            let message = format!("what is to change about {name} is not clear");
            return Err(Misfit::new(&["task"], message, "either cancel = true, or a new place or priority"));
        }
        Ok(())
    }

    /// The robots' mechanism can take a new place or priority.
    fn can_change(&self, name: &str, said: &OrderSaid) -> Result<(), Misfit> {
        let place = said.place.map(|_| ("place", Change::Place));
        let priority = said.priority.map(|_| ("priority", Change::Priority));
        let refused = |(key, change)| Some((key, self.scheme.refuses(change)?));
        match [place, priority].into_iter().flatten().find_map(refused) {
            None => Ok(()),
            Some((key, Refusal { why, help })) => {
                let message = format!("{why}: the {key} of task {name} cannot be changed");
                Err(Misfit::new(&[key], message, help))
            }
        }
    }

    /// Whatever comes up after a task that is cancelled would never come up.
    fn nobody_waits_for(&self, name: &str, task: TaskId, at: Time) -> Result<(), Misfit> {
        let cancelled = |waiting: &str| self.tasks.get(waiting).and_then(|known| known.cancelled);
        let open = |waiting: &str| cancelled(waiting).is_none_or(|cancelled| cancelled > at);
        match self.waits.iter().find(|(waiting, after)| after.contains(&task) && open(waiting)) {
            None => Ok(()),
            Some((waiting, _)) => {
                let message = format!("task {waiting} comes up after {name} and would never come up");
                Err(Misfit::new(&["task"], message, format!("cancel {waiting} before it")))
            }
        }
    }

    // Faults.

    fn fault(&self, said: &FaultSaid) -> Result<Deed, Misfit> {
        let robot = self.names().robot(&said.robot, &["robot"])?;
        let kind = build::fault_kind(said.kind, said.for_s, said.memory, Some(Duration::FOREVER), &[])?;
        Ok(Deed::Fault(robot, kind))
    }

    // The radio.

    fn radio(&self, said: &RadioSaid) -> Result<Deed, Misfit> {
        let (what, inner) = match (&said.jam, &said.cut, &said.partition) {
            (Some(jam), None, None) => {
                let disc = match (jam.at, jam.radius_m) {
                    (Some(place), Some(radius)) => {
                        let disc = (Point::from(place), radius.get());
                        self.reaches_the_field(disc)?;
                        Some(disc)
                    }
                    (None, None) => None,
                    (Some(_), None) | (None, Some(_)) => {
                        let message = "a jammed disc needs both `at` and `radius_m`";
                        return Err(Misfit::new(&["jam"], message, "give both, or neither to jam everywhere"));
                    }
                };
                (Disturbance::Jam(disc), jam.for_s)
            }
            (None, Some(pair), None) => (self.cut(pair)?, None),
            (None, None, Some(partition)) => {
                if partition.parts.iter().all(Vec::is_empty) {
                    let help = "name robots or groups: parts = [[\"<robot>\"], [\"<group>\"]]";
                    return Err(Misfit::new(&["partition", "parts"], "nobody is in any part", help));
                }
                let part_of = build::parts(&partition.parts, &self.names(), &["partition", "parts"])?;
                (Disturbance::Partition(part_of), partition.for_s)
            }
            (None, None, None) => {
                let help = "add one of jam = { ... }, cut = [\"<robot>\", \"<robot>\"] and partition = { parts = ... }";
                return Err(Misfit::new(&[], "nothing is done to the radio", help));
            }
            _ => {
                let help = "keep one of jam, cut and partition; several at one time are several [[interventions]]";
                return Err(Misfit::new(&[], "two things are done to the radio", help));
            }
        };
        if said.for_s.is_some() && inner.is_some() {
            return Err(Misfit::new(&["for_s"], "`for_s` is given twice", "keep one of them"));
        }
        Ok(Deed::Radio(what, said.for_s.or(inner).map(duration)))
    }

    /// Somebody can be where it is jammed: no robot leaves the field.
    fn reaches_the_field(&self, (centre, radius): (Point, f64)) -> Result<(), Misfit> {
        let (width, height) = (self.loaded.mission.width_m, self.loaded.mission.height_m);
        let nearest = Point::new(centre.x.clamp(0.0, width), centre.y.clamp(0.0, height));
        if nearest.distance(centre) <= radius {
            return Ok(());
        }
        let message = format!(
            "the jam lies outside the field: {radius} m around {centre}, and the field is {width} m by {height} m"
        );
        let help = format!("at = [0 to {width}, 0 to {height}], or make the radius larger");
        Err(Misfit::new(&["jam", "at"], message, help))
    }

    fn cut(&self, names: &[String]) -> Result<Disturbance, Misfit> {
        let Ok(pair) = <&[String; 2]>::try_from(names) else {
            let help = "name two robots, or groups of them; several cuts are several [[interventions]]";
            return Err(Misfit::new(&["cut"], format!("a cut is between two, and here are {}", names.len()), help));
        };
        let side = |name: &String| -> Result<Vec<RobotId>, Misfit> {
            let mut robots = self.names().robots(name, &["cut"])?;
            robots.sort_unstable();
            Ok(robots)
        };
        let (one, other) = (side(&pair[0])?, side(&pair[1])?);
        if one.is_empty() || other.is_empty() || (one == other && one.len() == 1) {
            let message = format!("there is nothing to cut between `{}` and `{}`", pair[0], pair[1]);
            return Err(Misfit::new(&["cut"], message, "name two robots, or groups of them"));
        }
        Ok(Disturbance::Cut(one, other))
    }
}

fn duration(seconds: Positive) -> Duration {
    Duration::from_secs_f64(seconds.get())
}

/// The tasks of a scenario that can be changed or cancelled, by name.
fn tasks_of(loaded: &Loaded) -> IndexMap<String, Known> {
    if loaded.tasking.is_none() {
        let known = |(index, name): (usize, &String)| {
            let recurs = loaded.mission.tasks.get(index).is_some_and(|spec| spec.recurs);
            let first = TaskId(index as u32);
            (name.clone(), Known { first, count: 1, asked: None, recurs, changed: None, cancelled: None })
        };
        return loaded.task_names.iter().enumerate().map(known).collect();
    }
    let known = |(name, at, brief): (String, Time, Brief)| {
        let count = u32::from(brief.phases.max(1));
        let first = brief.task.id;
        (name, Known { first, count, asked: Some(at), recurs: false, changed: None, cancelled: None })
    };
    loaded.orders().map(known).collect()
}
