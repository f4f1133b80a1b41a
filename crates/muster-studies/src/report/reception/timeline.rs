//! One run as it went.

use serde_json::{Value, json};

use crate::reception::Study;
use crate::report::plot::{Plot, as_text};

/// Emotions of both as steps, and Butler's treats below.
pub fn plot(study: &Study) -> Option<Plot> {
    let it = study.timeline.as_ref()?;
    let emotions = study.emotions();
    let mut data: Vec<Value> = Vec::new();
    for (course, (colour, dash)) in it.robots.iter().zip([("@h2", "solid"), ("@h1", "dot")]) {
        // Up to the end: a step needs somewhere to go.
        let last = course.states.last().map(|(_, emotion, behavior)| (it.seconds, emotion.clone(), behavior.clone()));
        let states: Vec<_> = course.states.iter().cloned().chain(last).collect();
        data.push(json!({
            "type": "scatter", "mode": "lines", "name": as_text(course.robot),
            "x": states.iter().map(|(second, ..)| second).collect::<Vec<_>>(),
            "y": states.iter().map(|(_, emotion, _)| as_text(emotion)).collect::<Vec<_>>(),
            "text": states.iter().map(|(.., behavior)| as_text(behavior)).collect::<Vec<_>>(),
            "line": {"shape": "hv", "width": 2, "color": colour, "dash": dash},
            "hovertemplate": format!("%{{x}} s: {} %{{y}}, %{{text}}<extra></extra>", as_text(course.robot)),
        }));
    }
    let end = it.treats.last().map(|(_, treats)| (it.seconds, *treats));
    let treats: Vec<(u64, f64)> = it.treats.iter().copied().chain(end).collect();
    data.push(json!({
        "type": "scatter", "mode": "lines", "name": "Butler’s treats", "yaxis": "y2",
        "x": treats.iter().map(|(second, _)| second).collect::<Vec<_>>(),
        "y": treats.iter().map(|(_, treats)| treats).collect::<Vec<_>>(),
        "line": {"shape": "hv", "width": 2, "color": "@h3"}, "fill": "tozeroy", "fillcolor": "@h3/0.15",
        "hovertemplate": "%{x} s: %{y} treats<extra></extra>",
    }));
    let minutes = it.seconds / 60;
    Some(Plot {
        id: "timeline".to_owned(),
        title: format!("The first {minutes} minutes of the run with seed {}", it.seed),
        alt: format!(
            "Steps of what Butler and Leguin feel over {} s, and Butler's treats below, which are filled up {} times.",
            it.seconds, it.exchanges
        ),
        caption: format!(
            "{} guests, {} exchanges. Hovering tells what a robot does at the time.",
            it.guests, it.exchanges
        ),
        data,
        layout: json!({
            "xaxis": {"title": {"text": "time, s"}, "range": [0, it.seconds], "anchor": "y2"},
            "yaxis": {"type": "category", "categoryorder": "array", "categoryarray": emotions, "domain": [0.42, 1],
                "range": [-0.3, emotions.len() as f64 - 0.7], "title": {"text": "feels"}},
            "yaxis2": {"domain": [0, 0.34], "range": [0, 33], "title": {"text": "treats"}},
        }),
        height: 480,
    })
}
