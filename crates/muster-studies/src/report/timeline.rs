//! Who was at which task when: a bar for each spell of work.

use muster_core::TaskId;
use muster_sim::Origin;
use serde_json::{Value, json};

use super::plot::{Plot, as_text};
use super::trace::Trace;

/// More robots than this make a plot that nobody can read.
const MOST_ROBOTS: usize = 30;

/// The plot of one run.
pub fn plot(origin: &Origin, trace: &Trace<'_>) -> Plot {
    let tasks = origin.task_names().count();
    let strategy = trace.row.strategy;
    let robots: Vec<&str> = origin.mission().robots.iter().map(|robot| &*robot.name).take(MOST_ROBOTS).collect();
    let data = (0..tasks as u32).map(TaskId).filter_map(|task| bars(origin, trace, task)).collect();
    let done: Vec<String> = trace
        .row
        .outcome
        .iter()
        .map(|task| format!("{}: {}", task.task, task.responder.as_deref().unwrap_or("nobody")))
        .collect();
    Plot {
        id: format!("timeline-{strategy}"),
        title: format!("{strategy}: who was at which task"),
        alt: format!("Spells of work over time, a row for each robot. Done by: {}.", done.join(", ")),
        caption: "A bar: a robot works at a task. Bars of one colour in two rows at once: both are at the same task."
            .to_owned(),
        data,
        layout: json!({
            "barmode": "overlay",
            "xaxis": {"title": {"text": "time, s"}, "rangemode": "tozero"},
            "yaxis": {"type": "category", "autorange": "reversed", "automargin": true,
                "categoryorder": "array", "categoryarray": robots.iter().map(|name| as_text(name)).collect::<Vec<_>>()},
        }),
        // A row for each robot, and room for a legend that may need a line for each task.
        height: 140 + 34 * robots.len() as u32 + 20 * tasks.min(14) as u32,
    }
}

fn bars(origin: &Origin, trace: &Trace<'_>, task: TaskId) -> Option<Value> {
    let own: Vec<_> = trace.spells.iter().filter(|spell| spell.task == task).collect();
    let name = as_text(origin.task_name(task).unwrap_or_default());
    // Four patterns for each of seven hues.
    let pattern = ["", "/", "x", "."][task.index() / 7 % 4];
    (!own.is_empty()).then(|| {
        json!({
            "type": "bar", "orientation": "h", "name": name,
            "y": own.iter().map(|spell| as_text(&spell.robot)).collect::<Vec<_>>(),
            "x": own.iter().map(|spell| spell.until_s - spell.from_s).collect::<Vec<_>>(),
            "base": own.iter().map(|spell| spell.from_s).collect::<Vec<_>>(),
            "customdata": own.iter().map(|spell| spell.until_s).collect::<Vec<_>>(),
            "marker": {"color": format!("@h{}", task.index() % 7 + 1),
                "pattern": {"shape": pattern}},
            "hovertemplate": format!("%{{y}}<br>{name}<br>%{{base:.1f}} to %{{customdata:.1f}} s<extra></extra>"),
        })
    })
}
