//! W6: elections that end with several LEADs, by network.

use serde_json::json;

use crate::report::plot::Plot;
use crate::tasking::elections::Elections;
use crate::tasking::{Study, tables};

fn of<'a>(study: &'a Study, variant: &'a str) -> impl Iterator<Item = &'a Elections> {
    study.elections.iter().filter(move |row| row.variant == variant)
}

fn percent(row: &Elections) -> f64 {
    100.0 * row.share()
}

/// Shares by network.
pub fn plot(study: &Study) -> Plot {
    let bars = |variant: &'static str, colour: &str, shape: &str| {
        json!({
            "type": "bar", "name": variant,
            "x": of(study, variant).map(|row| row.network.as_str()).collect::<Vec<_>>(),
            "y": of(study, variant).map(percent).collect::<Vec<_>>(),
            "marker": {"color": colour, "pattern": {"shape": shape}},
            "hovertemplate": format!("%{{x}}, {variant}: %{{y:.1f}} %<extra></extra>"),
        })
    };
    let words: Vec<String> = of(study, "drawn").map(|row| format!("{} {:.1} %", row.network, percent(row))).collect();
    let fenced = of(study, "fenced").map(percent).fold(0.0, f64::max);
    Plot {
        id: "elections-plot".to_owned(),
        title: "Elections with several LEADs".to_owned(),
        alt: format!(
            "Share of elections with several LEADs, as drawn: {}. Fenced: at most {fenced:.1} %.",
            words.join(", ")
        ),
        caption:
            "The share of elections in which several nodes took themselves for the winner. Where a bar has no height, \
                  none did."
                .to_owned(),
        data: vec![bars("drawn", "@h2", "/"), bars("written", "@h3", "x"), bars("fenced", "@h1", "")],
        layout: json!({
            "barmode": "group",
            "xaxis": {"type": "category", "showgrid": false},
            "yaxis": {"title": {"text": "elections with several LEADs, %"}, "range": [-2, 102], "zeroline": true},
        }),
        height: 400,
    }
}

/// The same in numbers.
pub fn table(study: &Study) -> String {
    tables::elections(&study.elections).html()
}
