//! What Butler feels, by how cautious it is.

use serde_json::{Value, json};

use super::look;
use crate::reception::{Cautious, Study};
use crate::report::plot::{Plot, as_text};

/// Lines with intervals, one for each emotion.
pub fn plot(study: &Study) -> Plot {
    let percent = |share: f64| (share * 10_000.0).round() / 100.0;
    let emotions = study.emotions();
    let data: Vec<Value> = emotions
        .iter()
        .enumerate()
        .map(|(level, emotion)| {
            let of =
                |it: &'_ Cautious| it.shares.iter().find(|share| share.emotion == *emotion).map(|share| share.share);
            let points: Vec<_> = study.cautions.iter().filter_map(|it| Some((it.caution, of(it)?))).collect();
            let symbols = ["circle", "square", "diamond", "triangle-up"];
            json!({
                "type": "scatter", "mode": "lines+markers", "name": as_text(emotion),
                "x": points.iter().map(|(caution, _)| caution).collect::<Vec<_>>(),
                "y": points.iter().map(|(_, it)| percent(it.mean)).collect::<Vec<_>>(),
                "error_y": {"type": "data", "symmetric": false, "color": look(level).0,
                    "array": points.iter().map(|(_, it)| percent(it.high - it.mean)).collect::<Vec<_>>(),
                    "arrayminus": points.iter().map(|(_, it)| percent(it.mean - it.low)).collect::<Vec<_>>()},
                "line": {"color": look(level).0},
                "marker": {"symbol": symbols[level % symbols.len()], "size": 9},
                "hovertemplate": format!("caution %{{x}}<br>{}: %{{y:.1f}} %<extra></extra>", as_text(emotion)),
            })
        })
        .collect();
    let words = |it: &Cautious| {
        let shares: Vec<String> =
            it.shares.iter().map(|share| format!("{} {:.1} %", share.emotion, percent(share.share.mean))).collect();
        format!("caution {}: {}", it.caution, shares.join(", "))
    };
    let all: Vec<String> = study.cautions.iter().map(words).collect();
    Plot {
        id: "caution-plot".to_owned(),
        title: "What Butler feels, by caution, among 100 guests".to_owned(),
        alt: format!("Lines of shares of time by caution. {}.", all.join("; ")),
        caption: format!(
            "Bars are 95 % intervals of the means of {} seeds. From {} to {}.",
            study.runs,
            all.first().cloned().unwrap_or_default(),
            all.last().cloned().unwrap_or_default()
        ),
        data,
        layout: json!({
            "xaxis": {"title": {"text": "caution"}, "range": [-0.05, 1.05]},
            "yaxis": {"title": {"text": "% of the time"}, "rangemode": "tozero"},
        }),
        height: 420,
    }
}
