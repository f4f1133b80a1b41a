//! Figure 3: where missions lie, by coverage / robots and tasks / robots, with the borders of the regions.

use serde_json::{Value, json};

use crate::alliance::Study;
use crate::alliance::figures::EXEMPLARS;
use crate::alliance::scenario::{Region, Scenario};
use crate::report::plot::Plot;

/// Tasks for each robot that the picture shows; more lie beyond its upper edge.
const MOST_Y: f64 = 10.5;
const MOST_X: f64 = 1.06;

/// Lines through the origin, where coverage / tasks is this, and what the regions above and below are.
const BORDERS: [(f64, &str); 3] = [(1.0, "coverage / tasks = 1"), (0.4, "0.4"), (0.1, "0.1")];

fn place(scenario: &Scenario) -> (f64, f64) {
    let robots = f64::from(scenario.robots);
    (f64::from(scenario.coverage) / robots, f64::from(scenario.tasks) / robots)
}

/// The map of regions.
pub fn plot(study: &Study) -> Plot {
    let mut shapes = study.grid.scenarios();
    shapes.dedup_by_key(|scenario| (scenario.robots, scenario.tasks, scenario.coverage));
    let within = |scenario: &&Scenario| place(scenario).1 <= MOST_Y;
    let mut data: Vec<Value> = Vec::new();
    let mut counts = Vec::new();
    let looks = [("@h1", "circle"), ("@h2", "square"), ("@h3", "diamond"), ("@h4", "triangle-up")];
    for (region, (colour, symbol)) in Region::ALL.into_iter().zip(looks) {
        let of = shapes.iter().filter(|scenario| scenario.region() == region);
        counts.push(format!("region {}: {}", region.0, of.clone().count()));
        let of: Vec<&Scenario> = of.filter(within).collect();
        if of.is_empty() {
            continue;
        }
        data.push(json!({
            "type": "scatter", "mode": "markers", "name": format!("region {}", region.0),
            "x": of.iter().map(|scenario| place(scenario).0).collect::<Vec<_>>(),
            "y": of.iter().map(|scenario| place(scenario).1).collect::<Vec<_>>(),
            "customdata": of.iter().map(|s| [s.robots, s.tasks, s.coverage]).collect::<Vec<_>>(),
            "marker": {"color": colour, "symbol": symbol, "size": 7, "opacity": 0.75},
            "hovertemplate": format!("region {}: %{{customdata[0]}} robots, %{{customdata[1]}} tasks, coverage \
                %{{customdata[2]}}<extra></extra>", region.0),
        }));
    }
    let exemplars = EXEMPLARS.map(|(robots, tasks, coverage)| Scenario { robots, tasks, coverage, heterogeneity: 0.0 });
    data.push(json!({
        "type": "scatter", "mode": "markers+text", "name": "missions of Figures 4 to 7", "meta": "label",
        "x": exemplars.map(|scenario| place(&scenario).0), "y": exemplars.map(|scenario| place(&scenario).1),
        "text": EXEMPLARS.map(|(robots, tasks, coverage)| format!(" ({robots}, {tasks}, {coverage}) ")),
        "textposition": ["middle right", "middle left", "top center", "top center"],
        "textfont": {"color": "@ink", "size": 12},
        "marker": {"color": "@ink", "symbol": "square-open", "size": 12, "line": {"width": 2}},
        "hovertemplate": "%{text} of Figures 4 to 7<extra></extra>",
    }));
    for (ratio, name) in BORDERS {
        let end = MOST_X.min(MOST_Y * ratio);
        data.push(json!({
            "type": "scatter", "mode": "lines", "name": name, "showlegend": false, "hoverinfo": "skip",
            "x": [0.0, end], "y": [0.0, end / ratio],
            "line": {"color": "@faint", "width": 1.5, "dash": "dash"},
        }));
    }
    let label = |x: f64, y: f64, region: u8| {
        json!({"x": x, "y": y, "text": format!("<b>Region {region}</b>"), "showarrow": false,
            "font": {"color": "@faint", "size": 14}})
    };
    Plot {
        id: "regions-plot".to_owned(),
        title: "Regions of the study (Figure 3)".to_owned(),
        alt: format!(
            "Missions by coverage over robots and tasks over robots, with borders through the origin at coverage over \
             tasks of 1, 0.4 and 0.1. Combinations of the grid in {}.",
            counts.join(", ")
        ),
        caption:
            "Each point is a team size, mission size and coverage of the grid; squares: robots, tasks and coverage \
                  of the missions below. Missions with more than ten tasks a robot lie beyond the upper edge."
                .to_owned(),
        data,
        layout: json!({
            "xaxis": {"title": {"text": "task coverage / robots"}, "range": [0, MOST_X], "zeroline": false},
            "yaxis": {"title": {"text": "tasks / robots"}, "range": [0, MOST_Y], "zeroline": false},
            "annotations": [label(0.93, 0.25, 1), label(0.87, 1.62, 2), label(0.86, 4.7, 3), label(0.3, 7.2, 4)],
        }),
        height: 520,
    }
}
