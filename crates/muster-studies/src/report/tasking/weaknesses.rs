//! W1 to W16 under every variant.

use muster_core::tasking::Variant;
use serde_json::json;

use crate::report::html::text;
use crate::report::plot::Plot;
use crate::tasking::Study;
use crate::tasking::tables::{self, counts};
use crate::tasking::weaknesses::{Shown, Toll};

/// What may come of a run: name, colour, pattern.
type Kind = (&'static str, &'static str, &'static str, fn(&Toll) -> usize);

const KINDS: [Kind; 3] = [
    ("done once", "@h1", "", |it| it.once),
    ("done again", "@h2", "/", |it| it.more),
    ("never done", "@h7", "x", |it| it.never),
];

/// One for each variant.
pub fn plots(shown: &[Shown]) -> Vec<Plot> {
    Variant::ALL.map(|variant| plot(shown, variant)).into()
}

fn plot(shown: &[Shown], variant: Variant) -> Plot {
    let of = |it: &Shown| it.under(variant).clone();
    let variant = variant.name();
    let data = KINDS.map(|(name, colour, shape, kind)| {
        let share = |it: &Shown| 100.0 * kind(&of(it)) as f64 / of(it).runs.max(1) as f64;
        json!({
            "type": "bar", "orientation": "h", "name": name,
            "y": shown.iter().map(|it| it.id).collect::<Vec<_>>(),
            "x": shown.iter().map(share).collect::<Vec<_>>(),
            "marker": {"color": colour, "pattern": {"shape": shape}},
            "hovertemplate": format!("%{{y}}<br>{name}: %{{x:.0f}} %<extra></extra>"),
        })
    });
    let words: Vec<String> = shown.iter().map(|it| format!("{}: {}", it.id, counts(&of(it)))).collect();
    let all_once = shown.iter().filter(|it| of(it).once == of(it).runs).count();
    Plot {
        id: format!("weaknesses-{variant}"),
        title: format!("What came of it, {variant}"),
        alt: format!("Runs never done, done once, done again. {}.", words.join("; ")),
        caption: format!(
            "Share of runs. In {all_once} of {} cases everything was done exactly once in every run. Under W16 the task is \
             cancelled, so never is right.",
            shown.len()
        ),
        data: data.to_vec(),
        layout: json!({
            "barmode": "stack",
            "xaxis": {"title": {"text": "runs, %"}, "range": [0, 100]},
            "yaxis": {"type": "category", "autorange": "reversed", "automargin": true, "showgrid": false,
                "tickfont": {"size": 11}},
        }),
        height: 120 + 22 * shown.len() as u32,
    }
}

/// All of them, with what goes wrong.
pub fn table(study: &Study) -> String {
    let mut table = tables::weaknesses(study);
    table.column("what goes wrong", study.weaknesses.iter().map(|it| text(it.what)));
    format!("<div class=\"told\">{}</div>\n", table.html())
}
