//! Figures 4 to 8: strategies and orderings by heterogeneity.

use muster_core::alliance::Ordering;
use serde_json::{Value, json};

use crate::alliance::Study;
use crate::alliance::figures::Point;
use crate::report::look;
use crate::report::plot::Plot;

const STRATEGIES: [&str; 3] = ["I", "II", "III"];
/// How far strategies stand apart, where degrees of heterogeneity are one apart.
const APART: f64 = 0.1;

/// Figures 4 to 7, each without and with progress when working.
pub fn strategies(study: &Study) -> Vec<Plot> {
    let mut plots = Vec::new();
    for figure in 4..=7 {
        for progress in [false, true] {
            let points: Vec<&Point> =
                study.figures.iter().filter(|point| point.figure == figure && point.progress == progress).collect();
            let Some(first) = points.first() else { continue };
            let with = if progress { "with" } else { "without" };
            let scenario = first.scenario;
            plots.push(Plot {
                id: format!("figure-{figure}-{with}"),
                title: format!("Region {}, {with} progress when working (Figure {figure})", figure - 3),
                alt: format!("Seconds that missions take, by heterogeneity. {}", words(&points, " s")),
                caption: format!(
                    "{} robots, {} tasks, coverage {}: the time of a mission, mean of {} and one standard deviation.",
                    scenario.robots, scenario.tasks, scenario.coverage, study.runs
                ),
                data: traces(&points, "s"),
                layout: json!({
                    "xaxis": heterogeneity(&points),
                    "yaxis": {"title": {"text": "mission time, s"}, "type": "log", "dtick": "D2"},
                }),
                height: 380,
            });
        }
    }
    plots
}

/// Figure 8 and the same for other orderings.
pub fn orderings(study: &Study) -> Vec<Plot> {
    let of = [
        (Ordering::ModifiedRandom, "Random instead of shortest first (Figure 8)", "Random order within each category."),
        (Ordering::Longest, "Longest instead of shortest first", "Longest first, whoever else could do it."),
        (
            Ordering::Preferred,
            "The preferred ordering instead of shortest first",
            "Longest first among what a robot should do best, then shortest first (section 7.4 of the report).",
        ),
    ];
    let plot = |(ordering, title, caption): (Ordering, &str, &str)| {
        let is = |point: &&Point| point.figure == 8 && !point.progress && point.ordering == ordering.name();
        let points: Vec<&Point> = study.figures.iter().filter(is).collect();
        (!points.is_empty()).then(|| Plot {
            id: format!("figure-8-{}", ordering.name()),
            title: title.to_owned(),
            alt: format!("Change of mission time in percent, by heterogeneity. {}", words(&points, " %")),
            caption: format!("{caption} Above zero: slower."),
            data: traces(&points, "%"),
            layout: json!({
                "xaxis": heterogeneity(&points),
                "yaxis": {"title": {"text": "change of mission time, %"}},
            }),
            height: 380,
        })
    };
    of.into_iter().filter_map(plot).collect()
}

/// In the order of the axis.
fn degrees(points: &[&Point]) -> Vec<f64> {
    let mut degrees: Vec<f64> = points.iter().map(|point| point.scenario.heterogeneity).collect();
    degrees.sort_by(f64::total_cmp);
    degrees.dedup();
    degrees
}

/// Degrees at equal distances: they double and more.
fn heterogeneity(points: &[&Point]) -> Value {
    let degrees = degrees(points);
    json!({
        "title": {"text": "heterogeneity, %"}, "showgrid": false, "zeroline": false,
        "tickvals": (0..degrees.len()).collect::<Vec<_>>(),
        "ticktext": degrees.iter().map(|degree| format!("{:.0}", 100.0 * degree)).collect::<Vec<_>>(),
        "range": [-0.4, degrees.len() as f64 - 0.6],
    })
}

fn traces(points: &[&Point], unit: &str) -> Vec<Value> {
    let degrees = degrees(points);
    let trace = |(place, strategy): (usize, &&str)| {
        let look = look::of(strategy);
        let own: Vec<&&Point> = points.iter().filter(|point| point.strategy == *strategy).collect();
        let x = |point: &&&Point| {
            let at = degrees.iter().position(|degree| *degree == point.scenario.heterogeneity).unwrap_or(0);
            at as f64 + (place as f64 - 1.0) * APART
        };
        json!({
            "type": "scatter", "mode": "lines+markers", "name": format!("strategy {strategy}"),
            "x": own.iter().map(x).collect::<Vec<_>>(), "y": own.iter().map(|point| point.value).collect::<Vec<_>>(),
            "customdata": own.iter().map(|p| [100.0 * p.scenario.heterogeneity, p.sd]).collect::<Vec<_>>(),
            "error_y": {"type": "data", "array": own.iter().map(|point| point.sd).collect::<Vec<_>>(),
                "color": look.colour, "thickness": 1.5, "width": 4},
            "line": {"color": look.colour, "dash": look.dash, "width": 1.5},
            "marker": {"color": look.colour, "symbol": look.symbol, "size": 7},
            "hovertemplate": format!("{strategy} at %{{customdata[0]:.0f}} %<br>%{{y:.1f}} {unit} (sd \
                %{{customdata[1]:.1f}})<extra></extra>"),
        })
    };
    STRATEGIES.iter().enumerate().map(trace).collect()
}

fn words(points: &[&Point], unit: &str) -> String {
    let word = |point: &&Point| {
        format!("{} at {:.0} %: {:.1}{unit}", point.strategy, 100.0 * point.scenario.heterogeneity, point.value)
    };
    format!("{}.", points.iter().map(word).collect::<Vec<_>>().join("; "))
}
