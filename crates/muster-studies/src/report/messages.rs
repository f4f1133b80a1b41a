//! Messages over the time of one run, strategy by strategy.

use serde_json::{Value, json};

use super::look;
use super::plot::{Plot, as_text};
use super::trace::Trace;

/// Steps of one line; a longer run is drawn with every second, third, ... step.
const MOST_STEPS: usize = 2_000;

/// The plot.
pub fn plot(traces: &[Trace<'_>]) -> Plot {
    let mut data = Vec::new();
    for trace in traces {
        data.push(line(trace));
        data.push(handovers(trace));
    }
    let words: Vec<String> = traces
        .iter()
        .map(|trace| format!("{}: {} messages in {:.0} s", trace.row.strategy, trace.sent_s.len(), trace.end_s))
        .collect();
    Plot {
        id: "messages".to_owned(),
        title: "Messages over time".to_owned(),
        alt: format!("Messages sent so far, over time. {}.", words.join("; ")),
        caption: "Messages sent by anybody so far, lost ones included. A marker: a task was handed over or done."
            .to_owned(),
        data,
        layout: json!({
            "xaxis": {"title": {"text": "time, s"}, "rangemode": "tozero"},
            "yaxis": {"title": {"text": "messages so far"}, "rangemode": "tozero"},
        }),
        height: 420,
    }
}

fn line(trace: &Trace<'_>) -> Value {
    let look = look::of(trace.row.strategy);
    let every = trace.sent_s.len().div_ceil(MOST_STEPS).max(1);
    let (mut x, mut y) = (vec![0.0], vec![0]);
    for (index, at_s) in trace.sent_s.iter().enumerate() {
        if (index + 1) % every == 0 {
            x.push(*at_s);
            y.push(index + 1);
        }
    }
    x.push(trace.end_s);
    y.push(trace.sent_s.len());
    json!({
        "type": "scatter", "mode": "lines", "name": trace.row.strategy, "legendgroup": trace.row.strategy,
        "x": x, "y": y, "line": {"shape": "hv", "color": look.colour, "dash": look.dash, "width": 2},
        "hovertemplate": format!("{}<br>%{{x:.1f}} s: %{{y}} messages<extra></extra>", trace.row.strategy),
    })
}

fn handovers(trace: &Trace<'_>) -> Value {
    let look = look::of(trace.row.strategy);
    let (mut x, mut y, mut about) = (Vec::new(), Vec::new(), Vec::new());
    for task in &trace.row.outcome {
        if let (Some(at_s), Some(responder)) = (task.served_s, &task.responder) {
            x.push(at_s);
            y.push(trace.sent_s.iter().filter(|sent_s| **sent_s <= at_s).count());
            about.push(format!("{} in the hands of {}", as_text(&task.task), as_text(responder)));
        }
    }
    json!({
        "type": "scatter", "mode": "markers", "name": trace.row.strategy, "legendgroup": trace.row.strategy,
        "showlegend": false, "x": x, "y": y, "text": about,
        "marker": {"color": look.colour, "symbol": look.symbol, "size": 9},
        "hovertemplate": format!("{}, %{{x:.1f}} s<br>%{{text}}<extra></extra>", trace.row.strategy),
    })
}
