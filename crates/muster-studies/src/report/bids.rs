//! Bids to look at: for each task the cost functions of all bidders, one above the other.

use muster_core::RobotId;
use muster_core::tasking::Lot;
use muster_core::tasking::cost::{Grid, Surface};
use muster_sim::Origin;
use serde_json::{Value, json};

use super::plot::{Plot, as_text};
use super::trace::Trace;
use crate::auction::Auction;

/// Most tasks that are shown.
pub const MOST_TASKS: u32 = 9;
/// Most bids for each: the cheapest, and the winner's.
const MOST_BIDS: usize = 6;

/// A heat map for each task.
pub fn plots(origin: &Origin, trace: &Trace<'_>, auction: &Auction) -> Vec<Plot> {
    auction.lots.iter().map(|lot| plot(origin, trace.row.strategy, lot)).collect()
}

fn plot(origin: &Origin, strategy: &str, lot: &Lot) -> Plot {
    let (grid, t0_s) = (&lot.grid, lot.t0.as_secs_f64());
    let name = |robot: RobotId| &*origin.mission().robots[robot.index()].name;
    let task = origin.task_name(lot.task).unwrap_or_default();
    let winner = lot.bids.iter().position(|(robot, _)| *robot == lot.holder.robot);
    let shown: Vec<&(RobotId, Surface)> = lot
        .bids
        .iter()
        .enumerate()
        .filter(|(rank, _)| *rank < MOST_BIDS || Some(*rank) == winner)
        .map(|(_, bid)| bid)
        .collect();
    let times: Vec<f64> = (0..grid.times).map(|n| grid.time(n).as_secs_f64()).collect();
    // An empty row between bidders.
    let rows = usize::from(grid.headings) + 1;
    let (mut z, mut about): (Vec<Vec<Option<f64>>>, Vec<Vec<String>>) = (Vec::new(), Vec::new());
    let (mut ticks, mut labels) = (Vec::new(), Vec::new());
    for (robot, surface) in &shown {
        if !z.is_empty() {
            z.push(vec![None; times.len()]);
            about.push(vec![String::new(); times.len()]);
        }
        for heading in 0..grid.headings {
            let cost = |time: u16| surface.get(grid, time, heading).map(|cost| f64::from(cost) / 100.0);
            let degrees = grid.heading_deg(heading);
            if heading % (grid.headings / 4).max(1) == 0 {
                ticks.push(z.len());
                let who = if heading == 0 { format!("{} ", as_text(name(*robot))) } else { String::new() };
                labels.push(format!("{who}{degrees:.0}°"));
            }
            z.push((0..grid.times).map(cost).collect());
            about.push(vec![format!("{}, heading {degrees:.0}°", as_text(name(*robot))); times.len()]);
        }
    }
    let chosen = chosen(lot, grid, &shown, rows);
    let left_out = match lot.bids.len() - shown.len() {
        0 => String::new(),
        more => format!(" {more} dearer bids are left out."),
    };
    let at_s = lot.holder.at.as_secs_f64() - t0_s;
    let degrees = f64::from(lot.holder.heading) / 1_000.0;
    let won = format!(
        "{} at t = {at_s:.0} s on heading {degrees:.0}° for {:.2}",
        name(lot.holder.robot),
        f64::from(lot.cost) / 100.0
    );
    let least = |(robot, surface): &&(RobotId, Surface)| {
        format!("{} {:.2}", name(*robot), f64::from(surface.least().unwrap_or_default()) / 100.0)
    };
    Plot {
        id: format!("bids-{strategy}-{}", lot.task.index() + 1),
        title: format!("Bids for {task}"),
        alt: format!(
            "Cost by time and heading for each bidder. Least costs: {}. Assigned: {won}.",
            shown.iter().map(least).collect::<Vec<_>>().join(", ")
        ),
        caption: format!(
            "Led by {}; t0 is {:.1} s. Blank: cannot be there in time. Assigned to {won}.{left_out}",
            name(lot.lead),
            t0_s
        ),
        data: vec![
            json!({
                "type": "heatmap", "x": times, "z": z, "text": about, "colorscale": "Viridis", "reversescale": true,
                "colorbar": {"title": {"text": "cost"}, "thickness": 12, "tickcolor": "@faint"},
                "hoverongaps": false, "xgap": 1, "ygap": 1,
                "hovertemplate": "%{text}<br>t = %{x} s: %{z:.2f}<extra></extra>",
            }),
            chosen,
        ],
        layout: json!({
            "xaxis": {"title": {"text": "time over the target, counted from t0, s"}, "showgrid": false, "zeroline": false},
            "yaxis": {"title": {"text": "bidder and heading"}, "tickvals": ticks, "ticktext": labels, "showgrid": false,
                "zeroline": false, "autorange": "reversed", "tickfont": {"size": 10}},
        }),
        height: 130 + 8 * (rows * shown.len()) as u32,
    }
}

/// What was assigned.
fn chosen(lot: &Lot, grid: &Grid, shown: &[&(RobotId, Surface)], rows: usize) -> Value {
    let bidder = shown.iter().position(|(robot, _)| *robot == lot.holder.robot);
    let turn = |n: &u16| (grid.heading_deg(*n) * 1e3).round() as u32 == lot.holder.heading;
    let heading = (0..grid.headings).find(turn);
    let at = bidder.zip(heading).map(|(bidder, heading)| bidder * rows + usize::from(heading));
    json!({
        "type": "scatter", "mode": "markers", "name": "assigned",
        "x": at.map(|_| lot.holder.at.as_secs_f64() - lot.t0.as_secs_f64()).into_iter().collect::<Vec<_>>(),
        "y": at.into_iter().collect::<Vec<_>>(),
        "marker": {"color": "@bad", "symbol": "circle-open", "size": 12, "line": {"width": 3}},
        "showlegend": true, "hovertemplate": "assigned<extra></extra>",
    })
}
