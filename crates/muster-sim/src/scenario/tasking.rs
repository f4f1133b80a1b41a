//! The section `[tasking]`: tasks are auctioned by the Collaborative Tasking Protocol; and the orders of operators.

mod config;
mod grid;
mod orders;
mod templates;
mod vehicles;

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use muster_core::Kind;
use muster_core::tasking::config::{Variant, Vehicle};
use muster_core::tasking::group::Template;
use serde::{Deserialize, Serialize};

pub(super) use config::{check, config, linger, resolved};
pub use grid::{AdaptiveName, GridEntry, Points};
pub use orders::{ChangeEntry, DeliveryName, OrderEntry};
pub use templates::{CouplingEntry, PhaseEntry, TemplateEntry};
pub(super) use templates::{TemplatesFile, file_of};
pub use vehicles::{HeadingEntry, TimeEntry, VehicleEntry};

use self::orders::Orders;
use super::build::{Misfit, Names, PerceptNames};
use super::value::{NonNegative, Positive, Probability};
use crate::crossing::CROSSING_M;
use crate::mission::{OrderSpec, TaskSpec};

/// Tasks are auctioned with cost functions over time and heading. Everything left out is as the protocol's own
/// configuration has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct TaskingSection {
    /// The protocol as the paper draws it, as its text has it, or with its weaknesses mended.
    pub variant: VariantName,
    /// Operators' consoles: robots or groups that ask for tasks and do none.
    pub consoles: Vec<String>,
    /// Metres of straight flight before and after a target, on the heading that was assigned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corridor_m: Option<Positive>,
    /// Flights along corridors that come nearer to each other than so many metres are counted as crossings; 50 without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crossing_m: Option<Positive>,
    /// Where costs are sampled: `"adaptive"`, or at the points of a grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<GridEntry>,
    /// How late after t0 a task can be bid for, if costs are sampled adaptively.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horizon_s: Option<Positive>,
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
    /// The assigner looks at no more nodes than this for one plan, and at one at least.
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
    /// How often winners are exchanged, once at least: the diameter of the team, in hops of the radio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// A lead that brings about nothing for so long is passed over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_lead_s: Option<Positive>,
    /// For how long it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passed_over_s: Option<NonNegative>,
    /// Answers to what everybody hears are spread over this long; the first silences the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread_s: Option<NonNegative>,
    /// How late over its target a vehicle may be before it gives the task back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance_s: Option<NonNegative>,
    /// How long before it is over its target a vehicle says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub announce_s: Option<Positive>,
    /// Time between the last possible acceptance and when a plan begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settle_s: Option<NonNegative>,
    /// As drawn and as written: not more than one challenge of a double assignment in this time.
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
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum VariantName {
    /// With the fixes F1 to F6.
    #[default]
    Fenced,
    /// As the paper draws it.
    Drawn,
    /// As the paper draws it, with the remedies of its text: time-outs that grow where messages are lost, reports of
    /// success, and a task that two vehicles hold auctioned anew.
    Written,
}

impl From<VariantName> for Variant {
    fn from(name: VariantName) -> Self {
        match name {
            VariantName::Fenced => Self::Fenced,
            VariantName::Drawn => Self::Drawn,
            VariantName::Written => Self::Written,
        }
    }
}

/// What `[tasking]` comes to: how the nodes of a team are set up.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskingSpec {
    /// From one corner of the field to the opposite one.
    pub diagonal_m: f64,
    /// The speed of the slowest vehicle.
    pub slowest_mps: f64,
    /// What each node has of its own, by number.
    pub vehicles: Vec<Arc<Vehicle>>,
    /// How orders of each kind are taken apart.
    pub templates: BTreeMap<Kind, Template>,
    /// Names of kinds, by number less one.
    pub kinds: Vec<String>,
}

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
        templates.insert(kind, templates::template(name, entry, &mut kinds, percepts)?);
    }
    let consoles = consoles(section, names)?;
    let vehicles = vehicles::vehicles(section, names, &consoles)?;
    let speeds = names.robots.iter().zip(&consoles).filter(|(_, console)| !**console).map(|(robot, _)| robot.speed_mps);
    let slowest_mps = speeds.fold(f64::INFINITY, f64::min);
    let diagonal_m = names.scenario.field.width_m.get().hypot(names.scenario.field.height_m.get());
    let Orders { tasks, names, orders } = orders::orders(section, names, &consoles, &mut kinds, percepts)?;
    silence(section)?;
    let kinds = kinds.into_iter().collect();
    let spec = TaskingSpec { diagonal_m, slowest_mps, vehicles, templates, kinds };
    Ok(Asked { spec, tasks, names, orders })
}

/// How near to each other flights along corridors have to come to count as crossings.
pub(super) fn crossing_m(section: Option<&TaskingSection>) -> f64 {
    section.and_then(|section| section.crossing_m).map_or(CROSSING_M, Positive::get)
}

/// What a scenario asks for that has the kinds of another: one task more, while a run goes on.
pub(super) fn asked(
    section: &TaskingSection,
    names: &Names<'_>,
    percepts: &PerceptNames,
    kinds: &[String],
) -> Result<Orders, Misfit> {
    let mut kinds: IndexSet<String> = kinds.iter().cloned().collect();
    orders::orders(section, names, &consoles(section, names)?, &mut kinds, percepts)
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

fn silence(section: &TaskingSection) -> Result<(), Misfit> {
    match section.silence_s {
        Some([from, to]) if from.get() >= to.get() => {
            let message = format!("radio silence ends ({} s) before it begins ({} s)", to.get(), from.get());
            Err(Misfit::new(&["tasking", "silence_s"], message, "silence_s = [from, to]"))
        }
        _ => Ok(()),
    }
}
