//! Messages against waiting time: affective, one parameter changed at a time, with greedy and random as points.

use serde_json::json;

use super::look;
use super::plot::Plot;
use crate::recruitment::{Point, Tradeoff};

/// The parameters, with what the plot calls them, and how their lines look.
const PARAMETERS: [(&str, &str, &str, &str); 4] = [
    ("t", "threshold t", "solid", "circle"),
    ("c", "c of a refusal", "dash", "square"),
    ("k", "decay k", "dot", "diamond"),
    ("pause", "pause between HELPs", "dashdot", "cross"),
];

/// The plot.
pub fn plot(tradeoff: &Tradeoff) -> Plot {
    let mut data = Vec::new();
    for (parameter, name, dash, symbol) in PARAMETERS {
        let own: Vec<&Point> = tradeoff.points.iter().filter(|point| point.parameter == parameter).collect();
        data.push(json!({
            "type": "scatter", "mode": "lines+markers", "name": name,
            "x": own.iter().map(|point| point.wait_s).collect::<Vec<_>>(),
            "y": own.iter().map(|point| point.messages).collect::<Vec<_>>(),
            "customdata": own.iter().map(|point| point.value).collect::<Vec<_>>(),
            "line": {"dash": dash, "width": 1.5, "color": look::of("affective").colour},
            "marker": {"symbol": symbol, "size": 8, "color": look::of("affective").colour},
            "hovertemplate": format!("{name} %{{customdata}}<br>%{{y:.1f}} messages, %{{x:.0f}} s<extra></extra>"),
        }));
    }
    for point in [&tradeoff.greedy, &tradeoff.random] {
        let look = look::of(point.parameter);
        data.push(json!({
            "type": "scatter", "mode": "markers", "name": point.parameter,
            "x": [point.wait_s], "y": [point.messages],
            "marker": {"color": look.colour, "symbol": look.symbol, "size": 14},
            "hovertemplate": "%{y:.1f} messages, %{x:.0f} s<extra></extra>",
        }));
    }
    let said = tradeoff.in_words();
    Plot {
        id: "trade-off-plot".to_owned(),
        title: "Messages against waiting time, 13 robots".to_owned(),
        alt: format!(
            "{said} Greedy: {:.0} messages, {:.0} s; random: {:.0} messages, {:.0} s.",
            tradeoff.greedy.messages, tradeoff.greedy.wait_s, tradeoff.random.messages, tradeoff.random.wait_s
        ),
        caption: format!("Affective with one parameter changed at a time, all others the paper's. {said}"),
        data,
        layout: json!({
            "xaxis": {"title": {"text": "waiting time, s"}, "zeroline": false},
            "yaxis": {"title": {"text": "messages"}, "zeroline": false},
        }),
        height: 460,
    }
}
