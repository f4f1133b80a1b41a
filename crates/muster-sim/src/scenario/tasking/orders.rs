//! What operators ask for, and what they change their minds about: `[tasks.<name>.order]` and `[[tasking.changes]]`.

use indexmap::{IndexMap, IndexSet};
use muster_core::{Brief, Delivery, Duration, Kind, Point, Task, TaskId};
use serde::{Deserialize, Serialize};

use super::{TaskingSection, kind_of};
use crate::mission::{Directive, OrderSpec, SeenBy, TaskSpec};
use crate::scenario::build::{Misfit, Names, PerceptNames, did_you_mean, inside, inside_at, time};
use crate::scenario::value::{NonNegative, Place, Positive};

/// How a task is asked for by an operator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OrderEntry {
    /// The console that asks for it.
    pub by: String,
    /// What it is about: a template of that name takes it apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// How urgent it is, 0 to 255: a vehicle may give less urgent tasks back for it.
    #[serde(default)]
    pub priority: u8,
    /// It need no longer be done so many seconds after it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_s: Option<Positive>,
    /// What is worse across a partition of the team: that it is done twice, or not at all.
    #[serde(default)]
    pub delivery: DeliveryName,
    /// How long whoever does it may stay silent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t_peer_s: Option<Positive>,
    /// How many like it there are, called `name 1`, `name 2`, ...
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: u32,
    /// Time between two of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every_s: Option<NonNegative>,
}

fn one() -> u32 {
    1
}

fn is_one(count: &u32) -> bool {
    *count == 1
}

/// What is promised of a task.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DeliveryName {
    /// It is done, perhaps twice.
    #[default]
    AtLeastOnce,
    /// It is not done twice, perhaps not at all.
    AtMostOnce,
}

/// An operator changes its mind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ChangeEntry {
    /// Seconds since the beginning at which the change is made.
    pub at_s: NonNegative,
    /// About which task.
    pub task: String,
    /// It is no longer to be done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cancel: bool,
    /// It is elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// It is more or less urgent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<u8>,
}

/// So many orders in all. What a run takes grows with the square of how many are pending: a thousand at once take some
/// ten seconds, and more than this is a slip of the keyboard.
const MOST_ORDERS: usize = 10_000;

/// Tasks, their names and when who asks for them.
pub(in crate::scenario) struct Orders {
    pub tasks: Vec<TaskSpec>,
    pub names: Vec<String>,
    pub orders: Vec<OrderSpec>,
}

/// Makes names numbers. `consoles`: who may ask, by number.
pub(super) fn orders(
    section: &TaskingSection,
    names: &Names<'_>,
    consoles: &[bool],
    kinds: &mut IndexSet<String>,
    percepts: &PerceptNames,
) -> Result<Orders, Misfit> {
    let (mut tasks, mut task_names, mut orders) = (Vec::new(), Vec::new(), Vec::new());
    let mut asked: IndexMap<String, OrderSpec> = IndexMap::new();
    for (name, entry) in &names.scenario.tasks {
        let key = |last| ["tasks", name.as_str(), "order", last];
        let Some(order) = &entry.order else {
            let help = format!("say who asks for it: [tasks.{name}.order] with by = \"<console>\"");
            return Err(Misfit::new(&["tasks", name], format!("nobody asks for task {name}"), help));
        };
        let by = names.robot(&order.by, &key("by"))?;
        if !consoles[by.index()] {
            let message = format!("`{}` asks for task {name}, but is no console", order.by);
            return Err(Misfit::new(&key("by"), message, "add it to tasking.consoles, or name one that is"));
        }
        if let Some(place) = entry.place {
            inside(names.scenario, place, &["tasks", name, "place"], &format!("task {name} lies"))?;
            phases_inside(section, names, order.kind.as_deref(), place, &["tasks", name, "place"], name)?;
        }
        if order.count == 0 || order.count as usize > MOST_ORDERS - orders.len() {
            let before = match orders.len() {
                0 => String::new(),
                before => format!(" after {before} of other tasks"),
            };
            let message = format!("{} orders of task {name}{before}", order.count);
            return Err(Misfit::new(&key("count"), message, format!("from 1 to {MOST_ORDERS} in all")));
        }
        if let Some(kind) = &order.kind
            && !section.templates.is_empty()
            && !section.templates.contains_key(kind)
        {
            let known: Vec<&String> = section.templates.keys().collect();
            let message = format!("there is no template for orders of kind `{kind}`");
            return Err(Misfit::new(&key("kind"), message, did_you_mean(kind, &known, "there are")));
        }
        let kind = order.kind.as_deref().map_or(Kind::default(), |kind| kind_of(kinds, kind));
        let phases: Vec<&String> = section
            .templates
            .get(order.kind.as_deref().unwrap_or_default())
            .map_or_else(Vec::new, |it| it.phases.keys().collect());
        for number in 0..order.count {
            let name = if order.count == 1 { name.clone() } else { format!("{name} {}", number + 1) };
            let wait = Duration::from_secs_f64(order.every_s.map_or(0.0, NonNegative::get) * f64::from(number));
            let at = time(entry.at_s) + wait;
            let id = TaskId(tasks.len() as u32);
            let place = entry.place.map(Point::from);
            let needs = percepts.known(&entry.needs, &["tasks", &name, "needs"])?;
            let brief = Brief {
                task: Task { id, place: place.unwrap_or_default(), needs },
                kind,
                phases: phases.len().max(1) as u8,
                priority: order.priority,
                expires: order.expires_s.map(|after| at + Duration::from_secs_f64(after.get())),
                delivery: match order.delivery {
                    DeliveryName::AtLeastOnce => Delivery::AtLeastOnce,
                    DeliveryName::AtMostOnce => Delivery::AtMostOnce,
                },
                silence: order.t_peer_s.map(|silence| Duration::from_secs_f64(silence.get())),
            };
            let order = OrderSpec { at, to: by, order: Directive::Inject(brief) };
            orders.push(order);
            asked.insert(name.clone(), order);
            let spec = TaskSpec { at, after: Vec::new(), recurs: false, seen_by: SeenBy::Ordered(id), place, needs };
            match phases.is_empty() {
                true => {
                    tasks.push(spec);
                    task_names.push(name);
                }
                false => {
                    tasks.extend(phases.iter().map(|_| spec.clone()));
                    task_names.extend(phases.iter().map(|phase| format!("{name} {phase}")));
                }
            }
        }
    }
    for (index, entry) in section.changes.iter().enumerate() {
        orders.push(change(index, entry, section, names, &asked)?);
    }
    Ok(Orders { tasks, names: task_names, orders })
}

/// The phases of an order that lies at `place` lie within the field, too.
fn phases_inside(
    section: &TaskingSection,
    names: &Names<'_>,
    kind: Option<&str>,
    place: Place,
    key: &[&str],
    task: &str,
) -> Result<(), Misfit> {
    let template = kind.and_then(|kind| section.templates.get(kind));
    for (phase, entry) in template.into_iter().flat_map(|template| &template.phases) {
        let Some(offset) = entry.offset_m.map(Point::from) else { continue };
        let place = Point::from(place);
        let target = Point::new(place.x + offset.x, place.y + offset.y);
        let who = format!("phase {phase} of task {task}, offset_m = [{}, {}], lies", offset.x, offset.y);
        inside_at(names.scenario, target, key, &who)?;
    }
    Ok(())
}

fn change(
    index: usize,
    entry: &ChangeEntry,
    section: &TaskingSection,
    names: &Names<'_>,
    asked: &IndexMap<String, OrderSpec>,
) -> Result<OrderSpec, Misfit> {
    let index = index.to_string();
    let key = |last| ["tasking", "changes", &index, last];
    let Some(asked) = asked.get(&entry.task) else {
        let known: Vec<&String> = asked.keys().collect();
        let message = format!("there is no order `{}`", entry.task);
        return Err(Misfit::new(&key("task"), message, did_you_mean(&entry.task, &known, "there are")));
    };
    let at = time(entry.at_s);
    if at <= asked.at {
        let when = if at == asked.at { "at the instant at which" } else { "before" };
        let message = format!("task {} is changed {when} it is asked for ({} s)", entry.task, asked.at.as_secs_f64());
        return Err(Misfit::new(&key("at_s"), message, "change it later"));
    }
    if entry.cancel == (entry.place.is_some() || entry.priority.is_some()) {
        let help = "either cancel = true, or a new place or priority";
        return Err(Misfit::new(&key("task"), format!("what is to change about {} is not clear", entry.task), help));
    }
    if let Some(place) = entry.place {
        inside(names.scenario, place, &key("place"), &format!("task {} lies", entry.task))?;
        // Of several like it, called `name 1` and so on, the order has the first part of the name.
        let tasks = &names.scenario.tasks;
        let base = entry.task.rsplit_once(' ').map_or(entry.task.as_str(), |(name, _)| name);
        let order = tasks.get(&entry.task).or_else(|| tasks.get(base)).and_then(|it| it.order.as_ref());
        let kind = order.and_then(|order| order.kind.as_deref());
        phases_inside(section, names, kind, place, &key("place"), &entry.task)?;
    }
    let first = asked.order.first();
    let order = match entry.cancel {
        true => Directive::Cancel(first),
        false => Directive::Change { first, place: entry.place.map(Point::from), priority: entry.priority },
    };
    Ok(OrderSpec { at, to: asked.to, order })
}
