//! Claim 3, term by term.

use serde_json::json;

use crate::report::plot::Plot;
use crate::tasking::load::Term;
use crate::tasking::tables;

/// What is drawn of a term: name, colour, pattern.
type Count = (&'static str, &'static str, &'static str, fn(&Term) -> f64);

const COUNTS: [Count; 3] = [
    ("formula of the paper", "@faint", "", |term| term.paper.unwrap_or(0.0)),
    ("counted as drawn", "@h2", "/", |term| term.measured as f64),
    ("counted with the fixes", "@h1", "", |term| term.fenced as f64),
];

/// Messages by term.
pub fn plot(terms: &[Term]) -> Plot {
    let data = COUNTS.map(|(name, colour, shape, of)| {
        json!({
            "type": "bar", "name": name,
            "x": terms.iter().map(|term| term.term).collect::<Vec<_>>(),
            "y": terms.iter().map(|term| (of(term) * 10.0).round() / 10.0).collect::<Vec<_>>(),
            "marker": {"color": colour, "pattern": {"shape": shape}},
            "hovertemplate": format!("%{{x}}<br>{name}: %{{y}}<extra></extra>"),
        })
    });
    let sum = |of: fn(&Term) -> f64| terms.iter().map(of).sum::<f64>();
    let sums = COUNTS.map(|(name, _, _, of)| format!("{name} {:.0}", sum(of)));
    Plot {
        id: "load-plot".to_owned(),
        title: "Messages for one task, five vehicles, no loss".to_owned(),
        alt: format!("Bars of messages by term. In all: {}.", sums.join(", ")),
        caption: format!(
            "In all: {}. The formula leaves out the acknowledged acceptance and how the task is injected; the fixes pay in \
             reports.",
            sums.join(", ")
        ),
        data: data.to_vec(),
        layout: json!({
            "barmode": "group",
            "xaxis": {"type": "category", "showgrid": false, "tickangle": 35},
            "yaxis": {"title": {"text": "messages"}, "rangemode": "tozero"},
        }),
        height: 440,
    }
}

/// The same in numbers, and why they differ.
pub fn table(terms: &[Term]) -> String {
    format!("<div class=\"told\">{}</div>\n", tables::load(terms).html())
}
