//! For how much of the time each robot feels what, by the number of guests.

use serde_json::{Value, json};

use super::look;
use crate::reception::runs::ROBOTS;
use crate::reception::{Share, Study};
use crate::report::plot::{Plot, as_text};

/// Stacked bars for each robot, and lines with intervals.
pub fn plots(study: &Study) -> Vec<Plot> {
    ROBOTS.iter().map(|robot| bars(study, robot)).chain([lines(study)]).collect()
}

/// A robot's shares of one emotion, by the number of guests.
fn shares<'a>(study: &'a Study, robot: &str, emotion: &str) -> Vec<(usize, &'a Share)> {
    let of = |share: &&Share| share.robot == robot && share.emotion == emotion;
    study.crowds.iter().filter_map(|crowd| Some((crowd.guests, crowd.shares.iter().find(of)?))).collect()
}

/// In percent, to a hundredth.
fn percent(share: f64) -> f64 {
    (share * 10_000.0).round() / 100.0
}

/// Every emotion that anybody felt, calmest first.
fn emotions(study: &Study) -> Vec<&str> {
    let mut emotions = study.emotions();
    for share in study.crowds.iter().flat_map(|crowd| &crowd.shares) {
        if !emotions.contains(&share.emotion.as_str()) {
            emotions.push(&share.emotion);
        }
    }
    emotions
}

fn bars(study: &Study, robot: &str) -> Plot {
    let data: Vec<Value> = emotions(study)
        .into_iter()
        .enumerate()
        .map(|(level, emotion)| {
            let (colour, shape) = look(level);
            let shares = shares(study, robot, emotion);
            json!({
                "type": "bar", "name": as_text(emotion),
                "x": shares.iter().map(|(guests, _)| guests.to_string()).collect::<Vec<_>>(),
                "y": shares.iter().map(|(_, it)| percent(it.share.mean)).collect::<Vec<_>>(),
                "marker": {"color": colour, "pattern": {"shape": shape, "fillmode": "overlay", "fgcolor": "@ground", "size": 8, "solidity": 0.12}},
                "hovertemplate": format!("%{{x}} guests<br>{}: %{{y:.1f}} %<extra></extra>", as_text(emotion)),
            })
        })
        .collect();
    let words = |guests: usize| {
        let of = |emotion: &&str| shares(study, robot, emotion).into_iter().find(|(n, _)| *n == guests);
        let words = |emotion: &str| of(&emotion).map(|(_, it)| format!("{emotion} {:.1} %", percent(it.share.mean)));
        emotions(study).into_iter().filter_map(words).collect::<Vec<_>>().join(", ")
    };
    Plot {
        id: format!("shares-{}", robot.to_lowercase()),
        title: format!("What {robot} feels, by the number of guests"),
        alt: format!("Stacked bars. Without guests: {}. With 100: {}.", words(0), words(100)),
        caption: format!("Without guests: {}. With the paper’s 100: {}.", words(0), words(100)),
        data,
        layout: json!({
            "barmode": "stack",
            "xaxis": {"type": "category", "title": {"text": "guests"}, "showgrid": false},
            "yaxis": {"title": {"text": "% of the time"}, "range": [0, 100]},
        }),
        height: 420,
    }
}

/// Only what is felt when things go badly: CONCERNED and FRUSTRATED, of both robots.
fn lines(study: &Study) -> Plot {
    let emotions = study.emotions();
    let bad: Vec<(usize, &str)> = emotions.iter().copied().enumerate().skip(emotions.len().saturating_sub(2)).collect();
    let mut data = Vec::new();
    for (robot, (dash, symbol)) in ROBOTS.iter().zip([("solid", "circle"), ("dash", "square-open")]) {
        for (level, emotion) in &bad {
            let shares = shares(study, robot, emotion);
            let means: Vec<f64> = shares.iter().map(|(_, it)| percent(it.share.mean)).collect();
            let half = |of: fn(&Share) -> f64| shares.iter().map(|(_, it)| percent(of(it))).collect::<Vec<_>>();
            data.push(json!({
                "type": "scatter", "mode": "lines+markers", "name": as_text(&format!("{robot} {emotion}")),
                "x": shares.iter().map(|(guests, _)| guests).collect::<Vec<_>>(),
                "y": means,
                "error_y": {"type": "data", "array": half(|it| it.share.high - it.share.mean),
                    "arrayminus": half(|it| it.share.mean - it.share.low), "symmetric": false, "color": look(*level).0},
                "line": {"color": look(*level).0, "dash": dash},
                "marker": {"symbol": symbol, "size": 8},
                "hovertemplate": format!("%{{x}} guests<br>{robot} {}: %{{y:.1f}} %<extra></extra>", as_text(emotion)),
            }));
        }
    }
    let names = bad.iter().map(|(_, emotion)| *emotion).collect::<Vec<_>>().join(" and ");
    Plot {
        id: "unease".to_owned(),
        title: format!("{names}, with 95 % intervals"),
        alt: format!(
            "Lines of the share of time that Butler and Leguin are {names}, growing with the number of guests."
        ),
        caption: format!(
            "Bars are 95 % intervals of the means of {} seeds. Leguin is CONCERNED whenever she was told to hurry, also \
             without guests; FRUSTRATED she is only if she finds no way through for a minute.",
            study.runs
        ),
        data,
        layout: json!({
            "xaxis": {"title": {"text": "guests"}},
            "yaxis": {"title": {"text": "% of the time"}, "rangemode": "tozero"},
        }),
        height: 420,
    }
}
