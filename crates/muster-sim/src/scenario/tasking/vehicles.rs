//! What vehicles cost, carry and are preferred for: `[tasking.vehicles]`.

use std::sync::Arc;

use muster_core::tasking::config::Vehicle;
use muster_core::tasking::cost::{HeadingPreference, Preferences, Rates, TimePreference};
use muster_core::{Duration, RobotId};
use serde::{Deserialize, Serialize};

use super::TaskingSection;
use crate::scenario::build::{Misfit, Names};
use crate::scenario::value::{Finite, NonNegative, Positive};

/// What a vehicle's time costs, what it carries, and what its user prefers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// What each node has of its own, by number.
pub(super) fn vehicles(
    section: &TaskingSection,
    names: &Names<'_>,
    consoles: &[bool],
) -> Result<Vec<Arc<Vehicle>>, Misfit> {
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
    for (((vehicle, is_console), robot), number) in vehicles.iter_mut().zip(consoles).zip(names.robots).zip(0..) {
        let supplied = robot.endurance.is_some() || robot.base.is_some();
        if *is_console && supplied {
            let message = format!("{} is a console, and does not fly", robot.name);
            let help = "leave endurance_s and base out, or name another console";
            return Err(Misfit::new(&["tasking", "consoles"], message, help));
        }
        if *is_console {
            *vehicle = console.clone();
        } else if supplied {
            *vehicle = Arc::new(Vehicle { endurance: robot.endurance, base: robot.base, ..(**vehicle).clone() });
            let limited = vehicle.endurance.is_some() || vehicle.endurance_m.is_some() || vehicle.loads < u16::MAX;
            if !limited {
                let message = format!("{} has a base, and nothing to get there", robot.name);
                let help = "give it endurance_s, or loads or endurance_m in [tasking.vehicles], or leave base out";
                return Err(Misfit::new(&["robots", names.group(RobotId(number)), "base"], message, help));
            }
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
        // A robot's own, below [robots].
        endurance: None,
        base: None,
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
