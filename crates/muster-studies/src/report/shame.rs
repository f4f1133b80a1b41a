//! SHAME of each robot over the time of one run.

use serde_json::json;

use super::plot::{Plot, as_text};
use super::trace::{Feeling, Trace};

/// More lines than this cannot be told apart.
const MOST: usize = 21;

/// The plot; `None` if nobody heard a HELP that it could have answered.
pub fn plot(trace: &Trace<'_>) -> Option<Plot> {
    let peak = |feeling: &Feeling| feeling.course.iter().map(|corner| corner[1]).fold(0.0, f64::max);
    let mut shown: Vec<(usize, &Feeling)> = trace.shame.iter().enumerate().collect();
    // Chosen by who answered, then who was most ashamed, then by number; shown by number.
    shown.sort_by(|(_, a), (_, b)| {
        (b.answers.len().min(1)).cmp(&a.answers.len().min(1)).then(peak(b).total_cmp(&peak(a)))
    });
    let left_out = shown.len().saturating_sub(MOST);
    shown.truncate(MOST);
    shown.sort_by_key(|(number, _)| *number);
    let shown: Vec<&Feeling> = shown.into_iter().map(|(_, feeling)| feeling).collect();
    if shown.is_empty() {
        return None;
    }
    let mut data = Vec::new();
    let mut answers = Vec::new();
    for (index, feeling) in shown.iter().enumerate() {
        // Three dashes for each of seven hues.
        let colour = format!("@h{}", index % 7 + 1);
        let dash = ["solid", "dash", "dot"][index / 7 % 3];
        let name = as_text(&feeling.name);
        data.push(json!({
            "type": "scatter", "mode": "lines", "name": name, "legendgroup": name,
            "x": feeling.course.iter().map(|corner| corner[0]).collect::<Vec<_>>(),
            "y": feeling.course.iter().map(|corner| corner[1]).collect::<Vec<_>>(),
            "line": {"color": colour, "dash": dash, "width": 1.8},
            "hovertemplate": format!("{}<br>%{{x:.1f}} s: SHAME %{{y:.3f}}<extra></extra>", name),
        }));
        if !feeling.answers.is_empty() {
            answers.push(json!({
                "type": "scatter", "mode": "markers", "name": name, "legendgroup": name,
                "showlegend": false,
                "x": feeling.answers.iter().map(|corner| corner[0]).collect::<Vec<_>>(),
                "y": feeling.answers.iter().map(|corner| corner[1]).collect::<Vec<_>>(),
                "marker": {"color": colour, "symbol": "triangle-up", "size": 11, "line": {"color": "@ground", "width": 1}},
                "hovertemplate": format!("{} answers<br>%{{x:.1f}} s: SHAME %{{y:.3f}}<extra></extra>", name),
            }));
        }
    }
    // On top of every line.
    data.extend(answers);
    let threshold = trace.config.as_ref()?.shame.threshold;
    let strategy = trace.row.strategy;
    let decides = if trace.shame_decides() {
        "A robot whose SHAME is above the threshold answers the next HELP (triangle) and begins at zero again."
    } else {
        "Kept up, but without effect: with this strategy every robot that is free answers (triangles)."
    };
    let left_out =
        if left_out > 0 { format!(" {left_out} robots that felt less are left out.") } else { String::new() };
    let answered: Vec<&str> =
        shown.iter().filter(|feeling| !feeling.answers.is_empty()).map(|feeling| feeling.name.as_str()).collect();
    let answered = if answered.is_empty() { "nobody".to_owned() } else { answered.join(", ") };
    Some(Plot {
        id: "shame".to_owned(),
        title: format!("SHAME of each robot over time ({strategy})"),
        alt: format!(
            "SHAME over time for {} robots; the threshold is {threshold}. Who answered: {answered}.",
            shown.len()
        ),
        caption: format!(
            "SHAME grows with every HELP that a robot ignores, more if it is near, and fades in between. {decides}{left_out}"
        ),
        data,
        layout: json!({
            "xaxis": {"title": {"text": "time, s"}, "range": [0, trace.end_s * 1.01]},
            "yaxis": {"title": {"text": "SHAME"}, "range": [0, 1.03]},
            "shapes": [{"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": threshold, "y1": threshold,
                "line": {"color": "@ink", "width": 1, "dash": "dashdot"}}],
            "margin": {"l": 56, "r": 80, "t": 8, "b": 48},
            "annotations": [{"xref": "paper", "x": 1.005, "xanchor": "left", "y": threshold,
                "align": "left", "text": format!("threshold<br>{threshold}"), "showarrow": false, "font": {"size": 12}}],
        }),
        height: 480,
    })
}
