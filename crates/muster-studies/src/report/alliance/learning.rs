//! How teams get better from mission to mission, and what remembering more or fewer trials does to it.

use serde_json::{Value, json};

use crate::alliance::Study;
use crate::alliance::learning::{Curve, MISSIONS};
use crate::report::plot::Plot;

/// One plot of ways to learn, one of mu.
pub fn plots(study: &Study) -> Vec<Plot> {
    let ways: Vec<&Curve> = study.learning.iter().filter(|curve| curve.mu == 5).collect();
    let mus: Vec<&Curve> = study.learning.iter().filter(|curve| curve.learning == "adaptive").collect();
    if ways.is_empty() || mus.is_empty() {
        return Vec::new();
    }
    let way = |curve: &Curve| match curve.learning {
        "training" => "six training missions first".to_owned(),
        "knowing" => "all times told".to_owned(),
        _ => "live from the first mission on".to_owned(),
    };
    vec![
        plot("learning-ways", "From mission to mission", &ways, way),
        plot("learning-mu", "Trials that are remembered (mu)", &mus, |curve| format!("mu = {}", curve.mu)),
    ]
}

fn plot(id: &str, title: &str, curves: &[&Curve], name: impl Fn(&Curve) -> String) -> Plot {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let words: Vec<String> = curves
        .iter()
        .map(|curve| {
            let (before, after) = curve.above.split_at(MISSIONS / 2);
            format!(
                "{}: {:.0} % in the first mission, {:.0} % before the change, {:.0} % in the missions after it",
                name(curve),
                curve.above[0],
                mean(&before[before.len() - 4..]),
                mean(after)
            )
        })
        .collect();
    let change = MISSIONS as f64 / 2.0 + 0.5;
    Plot {
        id: id.to_owned(),
        title: title.to_owned(),
        alt: format!("Percent above the optimum, mission by mission. {}.", words.join("; ")),
        caption: "The team of Figure 8 does the same mission again and again. After half of them (the line) one robot \
                  gets three times slower. Bars are 95 % intervals of the mean."
            .to_owned(),
        data: curves.iter().enumerate().map(|(index, curve)| trace(index, curve, &name(curve))).collect(),
        layout: json!({
            "xaxis": {"title": {"text": "mission"}, "dtick": 4, "tick0": 0},
            "yaxis": {"title": {"text": "above the optimum, %"}, "rangemode": "tozero"},
            "shapes": [{"type": "line", "x0": change, "x1": change, "yref": "paper", "y0": 0, "y1": 1,
                "line": {"color": "@faint", "dash": "dot", "width": 1}}],
        }),
        height: 400,
    }
}

fn trace(index: usize, curve: &Curve, name: &str) -> Value {
    let dash = ["solid", "dash", "dot", "dashdot", "longdash"][index % 5];
    json!({
        "type": "scatter", "mode": "lines+markers", "name": name,
        "x": (1..=curve.above.len()).collect::<Vec<_>>(), "y": curve.above,
        "error_y": {"type": "data", "array": curve.half_95, "thickness": 1, "width": 2},
        "line": {"color": format!("@h{}", index % 7 + 1), "dash": dash, "width": 2}, "marker": {"size": 5},
        "hovertemplate": format!("{name}<br>mission %{{x}}: %{{y:.1f}} % above<extra></extra>"),
    })
}
