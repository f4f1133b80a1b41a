//! The section `[tasking]`: tasks are auctioned by the Collaborative Tasking Protocol; and the orders of operators.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use muster_core::tasking::config::{Config, Variant, Vehicle};
use muster_core::tasking::cost::{HeadingPreference, Preferences, Rates, TimePreference};
use muster_core::tasking::group::{Coupling, MOST_PHASES, Phase, Template};
use muster_core::{Brief, Delivery, Duration, Kind, Order, Point, Task, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::build::{Misfit, Names, PerceptNames, did_you_mean, inside, time};
use super::value::{Finite, NonNegative, Place, Positive, Probability};
use crate::mission::{OrderSpec, SeenBy, TaskSpec};

/// Tasks are auctioned with cost functions over time and heading. Everything left out is as the protocol's own
/// configuration has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TaskingSection {
    /// The protocol as the paper draws it, or with its weaknesses mended.
    pub variant: VariantName,
    /// Operators' consoles: robots or groups that give orders and do nothing else.
    pub consoles: Vec<String>,
    /// Metres of straight flight before and after a target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corridor_m: Option<NonNegative>,
    /// Where costs are sampled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<GridEntry>,
    /// What time costs, and what users prefer: by group or robot. `all` is for those that have no entry.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub vehicles: IndexMap<String, VehicleEntry>,
    /// How orders of a kind are taken apart into coupled phases, by kind.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub templates: IndexMap<String, TemplateEntry>,
    /// A file with more of them, `[templates.<kind>]`; its path counts from the scenario's folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub templates_file: Option<String>,
    /// What operators change their minds about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeEntry>,
    /// From when until when nobody transmits: what was assigned before is flown in silence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silence_s: Option<[NonNegative; 2]>,
    /// The assigner looks at no more nodes than this for one plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_budget: Option<u64>,
    /// Time between two reports of whoever holds a task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_status_s: Option<Positive>,
    /// How long others wait for one before they challenge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_peer_s: Option<Positive>,
    /// How long an operator's console waits for a vehicle to claim the lead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_claim_s: Option<Positive>,
    /// Claims on a new task are spread over this long; the first silences the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim_spread_s: Option<NonNegative>,
    /// How long the console then waits for the solicitation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_sol_s: Option<Positive>,
    /// How long console or lead waits before it tries again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_retry_s: Option<Positive>,
    /// How long a vehicle that claimed the lead waits to be acknowledged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_ack_s: Option<Positive>,
    /// How long the lead collects bids.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_bid_s: Option<Positive>,
    /// How long a bidder waits to be acknowledged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_back_s: Option<Positive>,
    /// How long the lead waits for a winner to accept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_accept_s: Option<Positive>,
    /// How long a winner waits for its acceptance to be acknowledged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_aack_s: Option<Positive>,
    /// How long a challenger waits for a reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_reply_s: Option<Positive>,
    /// How long claims are tabulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_claims_s: Option<Positive>,
    /// How long each exchange of winners takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_win_s: Option<Positive>,
    /// How often winners are exchanged: the diameter of the team, in hops of the radio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// A lead that brings about nothing for so long is passed over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_lead_s: Option<Positive>,
    /// How long before it is over its target a vehicle says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub announce_s: Option<Positive>,
    /// Time between the last possible acceptance and when a plan begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settle_s: Option<NonNegative>,
    /// As drawn: not more than one challenge of a double assignment in this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub double_gap_s: Option<NonNegative>,
    /// Every time-out is longer by up to this share, drawn anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jitter: Option<Probability>,
    /// How long what is done or cancelled is remembered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tombstone_s: Option<Positive>,
    /// How long whoever has done something says so again and again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat_done_s: Option<NonNegative>,
    /// How long a run goes on after everything is done, so that it can be seen to stay so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linger_s: Option<NonNegative>,
}

/// A variant of the protocol.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VariantName {
    /// With the fixes F1 to F6.
    #[default]
    Fenced,
    /// As the paper draws it.
    Drawn,
}

impl From<VariantName> for Variant {
    fn from(name: VariantName) -> Self {
        match name {
            VariantName::Fenced => Self::Fenced,
            VariantName::Drawn => Self::Drawn,
        }
    }
}

/// Where costs are sampled.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GridEntry {
    /// Seconds between two times.
    pub step_s: Positive,
    /// How many times, the first at zero.
    pub times: u16,
    /// How many headings, evenly round the compass.
    pub headings: u16,
}

/// What a vehicle's time costs, what it carries, and what its user prefers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct VehicleEntry {
    /// Cost of a second under way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub travel: Option<NonNegative>,
    /// Cost of a second that is waited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait: Option<NonNegative>,
    /// Cost of a second that the way takes longer than the straight line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detour: Option<NonNegative>,
    /// Cost of using up the whole endurance; a share of it costs that share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fuel: Option<NonNegative>,
    /// Cost of the square of the seconds waited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<NonNegative>,
    /// How far it can fly in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endurance_m: Option<Positive>,
    /// How many loads it carries; without it, as many as it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loads: Option<u16>,
    /// How long others have to do without a report from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_peer_s: Option<Positive>,
    /// Its user's preference: added to every bid; below zero it is wanted more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bias: Option<Finite>,
    /// Its user's preference: cost of a second later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late_per_s: Option<NonNegative>,
    /// Headings that its user would rather have it avoid, or forbids.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<HeadingEntry>,
    /// Times that its user would rather have it avoid, or forbids.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<TimeEntry>,
}

/// Headings from one to another, counter-clockwise.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeadingEntry {
    /// From here, in degrees; 0 is east, 90 north.
    pub from_deg: Finite,
    /// To here.
    pub to_deg: Finite,
    /// What they cost more; without it they are forbidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Finite>,
}

/// Times from one to another, counted from when a plan begins.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimeEntry {
    /// From here.
    pub from_s: NonNegative,
    /// To here.
    pub to_s: NonNegative,
    /// What they cost more; without it they are forbidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Finite>,
}

/// How orders of a kind are taken apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TemplateEntry {
    /// The phases, by name, in order.
    pub phases: IndexMap<String, PhaseEntry>,
    /// What ties them together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub couplings: Vec<CouplingEntry>,
}

/// A phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PhaseEntry {
    /// What it takes, besides what the order takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// How many loads it uses up.
    pub loads: u16,
    /// Metres east and north of where the order lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset_m: Option<Place>,
}

/// What ties two phases together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CouplingEntry {
    /// The one.
    pub a: String,
    /// The other.
    pub b: String,
    /// Least time from a to b.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dt_min_s: Option<Finite>,
    /// Most time from a to b.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dt_max_s: Option<Finite>,
    /// Least angle between their headings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dh_min_deg: Option<NonNegative>,
    /// Most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dh_max_deg: Option<NonNegative>,
}

/// How a task is asked for by an operator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DeliveryName {
    /// It is done, perhaps twice.
    #[default]
    AtLeastOnce,
    /// It is not done twice, perhaps not at all.
    AtMostOnce,
}

/// An operator changes its mind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeEntry {
    /// When.
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

/// A file of templates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TemplatesFile {
    templates: IndexMap<String, TemplateEntry>,
}

/// A file of templates, as a part of a scenario's text.
pub(super) fn as_section(file: TemplatesFile) -> Result<String, Misfit> {
    let section = IndexMap::from([("tasking", file)]);
    toml::to_string(&section).map_err(|error| Misfit::new(&["templates"], error.to_string(), "write it more simply"))
}

/// What `[tasking]` comes to: how the nodes of a team are set up.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskingSpec {
    /// What each node has of its own, by number.
    pub vehicles: Vec<Arc<Vehicle>>,
    /// How orders of each kind are taken apart.
    pub templates: BTreeMap<Kind, Template>,
    /// Names of kinds, by number less one.
    pub kinds: Vec<String>,
}

/// So many orders of one entry at most: more is a slip of the keyboard.
const MOST_ORDERS: u32 = 1_000_000;

/// What the operators of a scenario ask for.
pub(super) struct Asked {
    pub spec: TaskingSpec,
    pub tasks: Vec<TaskSpec>,
    pub names: Vec<String>,
    pub orders: Vec<OrderSpec>,
}

/// Makes names numbers, and finds what does not fit together.
pub(super) fn build(section: &TaskingSection, names: &Names<'_>, percepts: &PerceptNames) -> Result<Asked, Misfit> {
    let mut kinds: IndexSet<String> = IndexSet::new();
    let mut templates = BTreeMap::new();
    for (name, entry) in &section.templates {
        let kind = kind_of(&mut kinds, name);
        templates.insert(kind, template(name, entry, &mut kinds, percepts)?);
    }
    let consoles = consoles(section, names)?;
    let vehicles = vehicles(section, names, &consoles)?;
    let (mut tasks, mut task_names, mut orders) = (Vec::new(), Vec::new(), Vec::new());
    let mut firsts: IndexMap<String, Brief> = IndexMap::new();
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
        }
        if order.count == 0 || order.count > MOST_ORDERS {
            let message = format!("{} orders of task {name}", order.count);
            return Err(Misfit::new(&key("count"), message, format!("from 1 to {MOST_ORDERS}")));
        }
        if let Some(kind) = &order.kind
            && !section.templates.is_empty()
            && !section.templates.contains_key(kind)
        {
            let known: Vec<&String> = section.templates.keys().collect();
            let message = format!("there is no template for orders of kind `{kind}`");
            return Err(Misfit::new(&key("kind"), message, did_you_mean(kind, &known, "there are")));
        }
        let kind = order.kind.as_deref().map_or(Kind::default(), |kind| kind_of(&mut kinds, kind));
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
            orders.push(OrderSpec { at, to: by, order: Order::Inject(brief) });
            firsts.insert(name.clone(), brief);
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
        let changed = change(index, entry, names, &firsts, &orders)?;
        if let Order::Modify(brief) = changed.order {
            firsts.insert(entry.task.clone(), brief);
        }
        orders.push(changed);
    }
    silence(section)?;
    let kinds = kinds.into_iter().collect();
    Ok(Asked { spec: TaskingSpec { vehicles, templates, kinds }, tasks, names: task_names, orders })
}

fn kind_of(kinds: &mut IndexSet<String>, name: &str) -> Kind {
    Kind(kinds.insert_full(name.to_owned()).0 as u16 + 1)
}

fn consoles(section: &TaskingSection, names: &Names<'_>) -> Result<Vec<bool>, Misfit> {
    let mut consoles = vec![false; names.robots.len()];
    for name in &section.consoles {
        for robot in names.robots(name, &["tasking", "consoles"])? {
            consoles[robot.index()] = true;
        }
    }
    if !consoles.contains(&true) {
        let help = "name the robots that operators sit at: consoles = [\"<robot>\"]";
        return Err(Misfit::new(&["tasking"], "there is no console to give orders at", help));
    }
    if !consoles.contains(&false) {
        return Err(Misfit::new(&["tasking", "consoles"], "there are only consoles", "add vehicles to [robots]"));
    }
    Ok(consoles)
}

fn vehicles(section: &TaskingSection, names: &Names<'_>, consoles: &[bool]) -> Result<Vec<Arc<Vehicle>>, Misfit> {
    let all = section.vehicles.get("all").map(vehicle).unwrap_or_else(Vehicle::hotspot);
    let all = Arc::new(all);
    let mut vehicles = vec![all; consoles.len()];
    for (name, entry) in section.vehicles.iter().filter(|(name, _)| *name != "all") {
        let own = Arc::new(vehicle(entry));
        for robot in names.robots(name, &["tasking", "vehicles", name])? {
            vehicles[robot.index()] = own.clone();
        }
    }
    let console = Arc::new(Vehicle::console());
    for (vehicle, is_console) in vehicles.iter_mut().zip(consoles) {
        if *is_console {
            *vehicle = console.clone();
        }
    }
    Ok(vehicles)
}

fn vehicle(entry: &VehicleEntry) -> Vehicle {
    let usual = Rates::hotspot();
    let or = |value: Option<NonNegative>, usual: f64| value.map_or(usual, NonNegative::get);
    Vehicle {
        console: false,
        rates: Rates {
            travel: or(entry.travel, usual.travel),
            wait: or(entry.wait, usual.wait),
            detour: or(entry.detour, usual.detour),
            fuel: or(entry.fuel, usual.fuel),
            curve: or(entry.curve, usual.curve),
        },
        preferences: Preferences {
            bias: entry.bias.map_or(0.0, Finite::get),
            late_per_s: or(entry.late_per_s, 0.0),
            headings: entry.headings.iter().map(heading).collect(),
            times: entry.times.iter().map(times).collect(),
        },
        endurance_m: entry.endurance_m.map(Positive::get),
        loads: entry.loads.unwrap_or(u16::MAX),
        silence: entry.t_peer_s.map(|silence| Duration::from_secs_f64(silence.get())),
    }
}

fn heading(entry: &HeadingEntry) -> HeadingPreference {
    HeadingPreference { from_deg: entry.from_deg.get(), to_deg: entry.to_deg.get(), cost: entry.cost.map(Finite::get) }
}

fn times(entry: &TimeEntry) -> TimePreference {
    TimePreference { from_s: entry.from_s.get(), to_s: entry.to_s.get(), cost: entry.cost.map(Finite::get) }
}

fn template(
    name: &str,
    entry: &TemplateEntry,
    kinds: &mut IndexSet<String>,
    percepts: &PerceptNames,
) -> Result<Template, Misfit> {
    let key = |last| ["tasking", "templates", name, last];
    if entry.phases.is_empty() || entry.phases.len() > MOST_PHASES {
        let message = format!("template {name} has {} phases", entry.phases.len());
        return Err(Misfit::new(&key("phases"), message, format!("from 1 to {MOST_PHASES}")));
    }
    let mut phases = Vec::with_capacity(entry.phases.len());
    for (phase, it) in &entry.phases {
        let needs = percepts.known(&it.needs, &["tasking", "templates", name, "phases", phase, "needs"])?;
        let offset = it.offset_m.map_or(Point::default(), Point::from);
        phases.push(Phase { kind: kind_of(kinds, phase), needs, loads: it.loads, offset });
    }
    let mut couplings = Vec::with_capacity(entry.couplings.len());
    for (index, it) in entry.couplings.iter().enumerate() {
        let index = index.to_string();
        let key = |last| ["tasking", "templates", name, "couplings", &index, last];
        let phase = |called: &str, last: &'static str| {
            entry.phases.get_index_of(called).map(|index| index as u8).ok_or_else(|| {
                let known: Vec<&String> = entry.phases.keys().collect();
                let message = format!("template {name} has no phase `{called}`");
                Misfit::new(
                    &["tasking", "templates", name, "couplings", &index, last],
                    message,
                    did_you_mean(called, &known, "there are"),
                )
            })
        };
        let (a, b) = (phase(&it.a, "a")?, phase(&it.b, "b")?);
        if a == b {
            return Err(Misfit::new(&key("b"), format!("phase `{}` is coupled with itself", it.a), "name two phases"));
        }
        let micros = |seconds: Option<Finite>| seconds.map(|seconds| (seconds.get() * 1e6).round() as i64);
        let (dt_min, dt_max) = (micros(it.dt_min_s), micros(it.dt_max_s));
        if dt_min.zip(dt_max).is_some_and(|(least, most)| least > most) {
            return Err(Misfit::new(&key("dt_max_s"), "dt_max_s is less than dt_min_s", "swap them, or leave one out"));
        }
        let degrees =
            |degrees: Option<NonNegative>, usual: u32| degrees.map_or(usual, |it| (it.get() * 1e3).round() as u32);
        let (dh_min, dh_max) = (degrees(it.dh_min_deg, 0), degrees(it.dh_max_deg, 180_000));
        if dh_min > dh_max || dh_max > 180_000 {
            let help = "the angle between two headings lies between 0 and 180 degrees, the least before the most";
            return Err(Misfit::new(&key("dh_max_deg"), "these angles hold nothing", help));
        }
        couplings.push(Coupling { a, b, dt_min, dt_max, dh_min, dh_max });
    }
    Ok(Template { phases, couplings, strict: false })
}

fn change(
    index: usize,
    entry: &ChangeEntry,
    names: &Names<'_>,
    firsts: &IndexMap<String, Brief>,
    orders: &[OrderSpec],
) -> Result<OrderSpec, Misfit> {
    let index = index.to_string();
    let key = |last| ["tasking", "changes", &index, last];
    let Some(brief) = firsts.get(&entry.task) else {
        let known: Vec<&String> = firsts.keys().collect();
        let message = format!("there is no order `{}`", entry.task);
        return Err(Misfit::new(&key("task"), message, did_you_mean(&entry.task, &known, "there are")));
    };
    let asked = |spec: &&OrderSpec| matches!(spec.order, Order::Inject(it) if it.task.id == brief.task.id);
    let Some(asked) = orders.iter().find(asked) else {
        return Err(Misfit::new(&key("task"), "nobody asked for it", "name an order"));
    };
    let at = time(entry.at_s);
    if at <= asked.at {
        let message = format!("task {} is changed before it is asked for ({} s)", entry.task, asked.at.as_secs_f64());
        return Err(Misfit::new(&key("at_s"), message, "change it later"));
    }
    if entry.cancel == (entry.place.is_some() || entry.priority.is_some()) {
        let help = "either cancel = true, or a new place or priority";
        return Err(Misfit::new(&key("task"), format!("what is to change about {} is not clear", entry.task), help));
    }
    let mut brief = *brief;
    if let Some(place) = entry.place {
        inside(names.scenario, place, &key("place"), &format!("task {} lies", entry.task))?;
        brief.task.place = place.into();
    }
    brief.priority = entry.priority.unwrap_or(brief.priority);
    let order = if entry.cancel { Order::Cancel(brief.task.id) } else { Order::Modify(brief) };
    Ok(OrderSpec { at, to: asked.to, order })
}

fn silence(section: &TaskingSection) -> Result<(), Misfit> {
    match section.silence_s {
        Some([from, to]) if from.get() >= to.get() => {
            let message = format!("radio silence ends ({} s) before it begins ({} s)", to.get(), from.get());
            Err(Misfit::new(&["tasking", "silence_s"], message, "silence_s = [from, to]"))
        }
        _ => Ok(()),
    }
}

/// How the nodes of a team of `team` work.
pub(super) fn config(section: &TaskingSection, spec: &TaskingSpec, variant: Variant, team: u32) -> Config {
    let mut config = Config::of(variant, team);
    config.templates = spec.templates.clone();
    let seconds = |target: &mut Duration, value: Option<f64>| {
        if let Some(value) = value {
            *target = Duration::from_secs_f64(value);
        }
    };
    let positive = |value: Option<Positive>| value.map(Positive::get);
    let zero = |value: Option<NonNegative>| value.map(NonNegative::get);
    seconds(&mut config.status, positive(section.t_status_s));
    seconds(&mut config.peer, positive(section.t_peer_s));
    seconds(&mut config.claim, positive(section.t_claim_s));
    seconds(&mut config.claim_spread, zero(section.claim_spread_s));
    seconds(&mut config.solicited, positive(section.t_sol_s));
    seconds(&mut config.retry, positive(section.t_retry_s));
    seconds(&mut config.ack, positive(section.t_ack_s));
    seconds(&mut config.bid, positive(section.t_bid_s));
    seconds(&mut config.bid_ack, positive(section.t_back_s));
    seconds(&mut config.accept, positive(section.t_accept_s));
    seconds(&mut config.accept_ack, positive(section.t_aack_s));
    seconds(&mut config.reply, positive(section.t_reply_s));
    seconds(&mut config.claims, positive(section.t_claims_s));
    seconds(&mut config.win, positive(section.t_win_s));
    seconds(&mut config.lead, positive(section.t_lead_s));
    seconds(&mut config.announce, positive(section.announce_s));
    seconds(&mut config.settle, zero(section.settle_s));
    seconds(&mut config.double_gap, zero(section.double_gap_s));
    seconds(&mut config.tombstone, positive(section.tombstone_s));
    seconds(&mut config.repeat_done, zero(section.repeat_done_s));
    config.rounds = section.rounds.unwrap_or(config.rounds);
    config.jitter = section.jitter.map_or(config.jitter, Probability::get);
    config.node_budget = section.node_budget.unwrap_or(config.node_budget);
    config.corridor_m = section.corridor_m.map_or(config.corridor_m, NonNegative::get);
    if let Some(GridEntry { step_s, times, headings }) = section.grid {
        config.grid.step = Duration::from_secs_f64(step_s.get());
        (config.grid.times, config.grid.headings) = (times, headings);
    }
    config.silence = section.silence_s.map(|[from, to]| (time(from), time(to)));
    config
}

/// Times that do not go together, and a grid that is none.
pub(super) fn check(config: &Config, delay: Duration) -> Result<(), Misfit> {
    let grid = &config.grid;
    if grid.times == 0 || grid.headings == 0 || grid.len() > 100_000 {
        let message = format!("a grid of {} times by {} headings", grid.times, grid.headings);
        return Err(Misfit::new(&["tasking", "grid"], message, "at least 1 by 1, at most 100,000 points"));
    }
    config.check(delay).map_err(|wrong| {
        let key = match wrong.name {
            "tombstone" => "tombstone_s".to_owned(),
            name => format!("{name}_s"),
        };
        let help = format!("set tasking.{key} to more than {} s, or make the other shorter", wrong.least.as_secs_f64());
        Misfit::new(&["tasking", &key], wrong.to_string(), help)
    })
}

/// How long a run goes on after everything is done.
pub(super) fn linger(section: &TaskingSection, config: &Config) -> Duration {
    match section.linger_s {
        Some(linger) => Duration::from_secs_f64(linger.get()),
        // Long enough for whoever missed that something is done to find out, or to begin it again.
        None => Duration::from_micros(2 * config.peer.as_micros()),
    }
}

/// The section with every value filled in that it leaves to the protocol's own configuration.
pub(super) fn resolved(section: &TaskingSection, config: &Config) -> TaskingSection {
    let positive = |duration: Duration| Positive::new(duration.as_secs_f64()).ok();
    let zero = |duration: Duration| NonNegative::new(duration.as_secs_f64()).ok();
    TaskingSection {
        corridor_m: NonNegative::new(config.corridor_m).ok(),
        grid: positive(config.grid.step).map(|step_s| GridEntry {
            step_s,
            times: config.grid.times,
            headings: config.grid.headings,
        }),
        node_budget: Some(config.node_budget),
        t_status_s: positive(config.status),
        t_peer_s: positive(config.peer),
        t_claim_s: positive(config.claim),
        claim_spread_s: zero(config.claim_spread),
        t_sol_s: positive(config.solicited),
        t_retry_s: positive(config.retry),
        t_ack_s: positive(config.ack),
        t_bid_s: positive(config.bid),
        t_back_s: positive(config.bid_ack),
        t_accept_s: positive(config.accept),
        t_aack_s: positive(config.accept_ack),
        t_reply_s: positive(config.reply),
        t_claims_s: positive(config.claims),
        t_win_s: positive(config.win),
        rounds: Some(config.rounds),
        t_lead_s: positive(config.lead),
        announce_s: positive(config.announce),
        settle_s: zero(config.settle),
        double_gap_s: zero(config.double_gap),
        jitter: Probability::new(config.jitter).ok(),
        tombstone_s: positive(config.tombstone),
        repeat_done_s: zero(config.repeat_done),
        linger_s: zero(linger(section, config)),
        ..section.clone()
    }
}
