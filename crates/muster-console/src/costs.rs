//! Bids to look at: the cost functions of all bidders for a task, at the last auction of it. [MacKenzie, Figures 4 to 6]

use muster_core::tasking::Variant;
use muster_core::tasking::cost::{Grid, Surface};
use muster_core::{RobotId, TaskId, Time};
use muster_sim::Seeds;
use muster_sim::scenario::Loaded;
use muster_studies::auction::{Lot, auction};
use serde_json::{Value, json};

/// So many bids at most, the cheapest and the winner's.
const MOST_BIDS: usize = 12;

/// The bids for a task at its last auction by `until`; null if there was none. Nothing, if `halt` says so on the way.
pub fn bids(
    loaded: &Loaded,
    seeds: Seeds,
    variant: Variant,
    task: u32,
    until: Time,
    halt: impl Fn() -> bool,
) -> Option<Value> {
    let auction = auction(loaded, seeds, variant, task.saturating_add(1), until, halt)?;
    let lot = auction.lots.iter().find(|lot| lot.task == TaskId(task));
    Some(lot.map_or(Value::Null, |lot| to_json(lot, &auction.grid)))
}

fn to_json(lot: &Lot, grid: &Grid) -> Value {
    let cost = |hundredths: u16| f64::from(hundredths) / 100.0;
    let costs = |surface: &Surface| -> Vec<Vec<Option<f64>>> {
        let row = |time| (0..grid.headings).map(|heading| surface.get(grid, time, heading).map(cost)).collect();
        (0..grid.times).map(row).collect()
    };
    let shown = |(rank, (robot, _)): &(usize, &(RobotId, Surface))| *rank < MOST_BIDS || *robot == lot.holder.robot;
    let bids: Vec<Value> = lot
        .bids
        .iter()
        .enumerate()
        .filter(shown)
        .map(|(_, (robot, surface))| {
            json!({"robot": robot.0, "least": surface.least().map(cost), "cost": costs(surface)})
        })
        .collect();
    let turn = |heading: &u16| (grid.heading_deg(*heading) * 1e3).round() as u32 == lot.holder.heading;
    let since = lot.holder.at.as_secs_f64() - lot.t0_s;
    let sample = |time: &u16| (grid.time(*time).as_secs_f64() - since).abs() < 1e-6;
    json!({
        "task": lot.task.0,
        "times": (0..grid.times).map(|time| grid.time(time).as_secs_f64()).collect::<Vec<_>>(),
        "headings": (0..grid.headings).map(|heading| grid.heading_deg(heading)).collect::<Vec<_>>(),
        "t0": lot.t0_s, "lead": lot.lead.0, "at": lot.at_s,
        "chosen": {
            "robot": lot.holder.robot.0, "cost": cost(lot.cost), "at_s": lot.holder.at.as_secs_f64(),
            "time": (0..grid.times).find(sample), "heading": (0..grid.headings).find(turn),
        },
        "bids": bids,
        "left_out": lot.bids.len() - bids.len(),
    })
}
