//! Who held which task when: a row for each task, a bar for each vehicle that had it in its queue.

use muster_core::{RobotId, TaskId};
use muster_sim::scenario::Loaded;
use serde_json::{Value, json};

use super::plot::{Plot, as_text};
use super::trace::Trace;
use crate::auction::{Auction, End, Hold};

/// More rows than this make a plot that nobody can read.
const MOST_TASKS: usize = 80;

/// The plot of one run.
pub fn plot(loaded: &Loaded, trace: &Trace<'_>, auction: &Auction) -> Plot {
    let strategy = trace.row.strategy;
    let shown = &trace.row.outcome[..trace.row.outcome.len().min(MOST_TASKS)];
    let row = |index: usize| format!("{} {}", index + 1, as_text(&shown[index].task));
    let own: Vec<&Hold> = auction.holds.iter().filter(|hold| hold.task.index() < shown.len()).collect();
    let asked = shown.iter().enumerate().filter_map(|(index, task)| {
        let from_s = task.seen_s?;
        let off_s = auction.called_off.get(&TaskId(index as u32)).copied();
        Some((index, from_s, task.served_s.or(off_s).unwrap_or(trace.end_s)))
    });
    let asked: Vec<(usize, f64, f64)> = asked.collect();
    let mut data = vec![json!({
        "type": "bar", "orientation": "h", "name": "asked for", "width": 0.25,
        "y": asked.iter().map(|it| row(it.0)).collect::<Vec<_>>(),
        "base": asked.iter().map(|it| it.1).collect::<Vec<_>>(),
        "x": asked.iter().map(|it| it.2 - it.1).collect::<Vec<_>>(),
        "marker": {"color": "@line"},
        "hovertemplate": "%{y}<br>asked for at %{base:.1f} s<extra></extra>",
    })];
    let mut holders: Vec<RobotId> = own.iter().map(|hold| hold.robot).collect();
    holders.sort_unstable();
    holders.dedup();
    data.extend(holders.iter().enumerate().map(|(index, robot)| bars(loaded, *robot, index, &own, row)));
    for (end, name, symbol, colour) in [
        (End::Done, "over the target", "circle", "@ink"),
        (End::Crashed, "crashed", "x", "@bad"),
        (End::Dropped, "given up", "line-ns-open", "@known"),
    ] {
        let ended: Vec<&&Hold> = own.iter().filter(|hold| hold.end == end).collect();
        if !ended.is_empty() {
            data.push(json!({
                "type": "scatter", "mode": "markers", "name": name,
                "x": ended.iter().map(|hold| hold.until_s).collect::<Vec<_>>(),
                "y": ended.iter().map(|hold| row(hold.task.index())).collect::<Vec<_>>(),
                "marker": {"color": colour, "symbol": symbol, "size": 8},
                "hovertemplate": format!("%{{y}}<br>{name}, %{{x:.1f}} s<extra></extra>"),
            }));
        }
    }
    let passed_on = own.len() - own.iter().filter(|hold| hold.end == End::Done).count();
    let left_out = match trace.row.outcome.len() - shown.len() {
        0 => String::new(),
        more => format!(" {more} more tasks are left out."),
    };
    let height = 26 * shown.len().min(12) + 15 * shown.len().saturating_sub(12);
    Plot {
        id: format!("holders-{strategy}"),
        title: format!("{strategy}: who held which task"),
        alt: format!(
            "A row for each task, a bar for each vehicle that had it in its queue. {} times a vehicle held a task, {passed_on} \
             times it did not get to do it.",
            own.len()
        ),
        caption: format!(
            "Thin: from when a task was asked for. A bar: a vehicle has it in its queue, from its acceptance on. Two bars in \
             a row: the task went from one vehicle to another.{left_out}"
        ),
        data,
        layout: json!({
            "barmode": "overlay",
            "xaxis": {"title": {"text": "time, s"}, "rangemode": "tozero"},
            "yaxis": {"type": "category", "range": [shown.len() as f64 - 0.5, -0.5], "automargin": true, "showgrid": false,
                "tickfont": {"size": if shown.len() > 20 { 9 } else { 12 }},
                "dtick": 1, "categoryorder": "array", "categoryarray": (0..shown.len()).map(row).collect::<Vec<_>>()},
        }),
        // Room for a legend that may need a line for each holder.
        height: 150 + height as u32 + 20 * holders.len().min(14) as u32,
    }
}

fn bars(loaded: &Loaded, robot: RobotId, index: usize, holds: &[&Hold], row: impl Fn(usize) -> String) -> Value {
    let own: Vec<&&Hold> = holds.iter().filter(|hold| hold.robot == robot).collect();
    let name = as_text(&loaded.mission.robots[robot.index()].name);
    // Four patterns for each of seven hues.
    let pattern = ["", "/", "x", "."][index / 7 % 4];
    json!({
        "type": "bar", "orientation": "h", "name": name, "width": 0.7,
        "y": own.iter().map(|hold| row(hold.task.index())).collect::<Vec<_>>(),
        "x": own.iter().map(|hold| hold.until_s - hold.from_s).collect::<Vec<_>>(),
        "base": own.iter().map(|hold| hold.from_s).collect::<Vec<_>>(),
        "customdata": own.iter().map(|hold| hold.until_s).collect::<Vec<_>>(),
        "marker": {"color": format!("@h{}", index % 7 + 1), "pattern": {"shape": pattern}},
        "hovertemplate": format!("%{{y}}<br>{name}<br>%{{base:.1f}} to %{{customdata:.1f}} s<extra></extra>"),
    })
}
