//! How far the box has come, and how far it is out of line.

use serde_json::json;

use super::plot::Plot;
use super::trace::Trace;

/// The plot; `None` if nothing is pushed.
pub fn plot(trace: &Trace<'_>) -> Option<Plot> {
    let pushed = trace.row.pushed?;
    let strategy = trace.row.strategy;
    let at_s: Vec<f64> = trace.pushed.iter().map(|corner| corner[0]).collect();
    let line = |name: &str, colour: &str, dash: &str, of: fn(&[f64; 3]) -> f64| {
        json!({
            "type": "scatter", "mode": "lines", "name": name, "x": at_s,
            "y": trace.pushed.iter().map(of).collect::<Vec<_>>(),
            "line": {"color": colour, "dash": dash, "width": 2},
            "hovertemplate": format!("%{{x:.1f}} s: {name} %{{y:.2f}} m<extra></extra>"),
        })
    };
    let [left, right] = pushed.advance_m;
    Some(Plot {
        id: format!("box-{strategy}"),
        title: "The box".to_owned(),
        alt: format!(
            "The left end came {left:.1} m, the right end {right:.1} m; the most that one was ahead of the other was \
             {:.2} m.",
            pushed.worst_misalignment_m
        ),
        caption: "How far each end has come, and by how much the left one is ahead: that is how far the box is out of \
                  line."
            .to_owned(),
        data: vec![
            line("left end", "@h1", "solid", |corner| corner[1]),
            line("right end", "@h2", "dash", |corner| corner[2]),
            line("left ahead of right", "@h3", "dot", |corner| corner[1] - corner[2]),
        ],
        layout: json!({
            "xaxis": {"title": {"text": "time, s"}, "rangemode": "tozero"},
            "yaxis": {"title": {"text": "metres"}},
        }),
        height: 420,
    })
}
