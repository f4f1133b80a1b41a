//! Bids to look at: the cost functions of all bidders for a task, at the last auction of it. [MacKenzie, Figures 4 to 6]

use muster_core::RobotId;
use muster_core::tasking::Lot;
use muster_core::tasking::cost::Surface;

use crate::wire::{Bid, Bids, Choice};

/// So many bids at most, the cheapest and the winner's.
const MOST_BIDS: usize = 12;

/// The bids of an auction, as they are shown.
pub fn bids(lot: &Lot) -> Bids {
    let grid = &lot.grid;
    let cost = |hundredths: u32| f64::from(hundredths) / 100.0;
    let costs = |surface: &Surface| -> Vec<Vec<Option<f64>>> {
        let row = |time| (0..grid.headings).map(|heading| surface.get(grid, time, heading).map(cost)).collect();
        (0..grid.times).map(row).collect()
    };
    let shown = |(rank, (robot, _)): &(usize, &(RobotId, Surface))| *rank < MOST_BIDS || *robot == lot.holder.robot;
    let bid = |(_, (robot, surface)): (usize, &(RobotId, Surface))| Bid {
        robot: robot.0,
        least: surface.least().map(cost),
        cost: costs(surface),
    };
    let bids: Vec<Bid> = lot.bids.iter().enumerate().filter(shown).map(bid).collect();
    let turn = |heading: &u16| (grid.heading_deg(*heading) * 1e3).round() as u32 == lot.holder.heading;
    let since = lot.holder.at.as_secs_f64() - lot.t0.as_secs_f64();
    let sample = |time: &u16| (grid.time(*time).as_secs_f64() - since).abs() < 1e-6;
    Bids {
        task: lot.task.0,
        times: (0..grid.times).map(|time| grid.time(time).as_secs_f64()).collect(),
        headings: (0..grid.headings).map(|heading| grid.heading_deg(heading)).collect(),
        t0: lot.t0.as_secs_f64(),
        lead: lot.lead.0,
        at: lot.at.as_secs_f64(),
        chosen: Choice {
            robot: lot.holder.robot.0,
            cost: cost(lot.cost),
            at_s: lot.holder.at.as_secs_f64(),
            time: (0..grid.times).find(sample),
            heading: (0..grid.headings).find(turn),
        },
        left_out: lot.bids.len() - bids.len(),
        bids,
    }
}
