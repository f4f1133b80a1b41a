//! W1 to W16 under both variants.

use serde_json::json;

use crate::report::html::{Mark, Table, Value, number, text};
use crate::report::plot::Plot;
use crate::tasking::weaknesses::{Outcome, Shown};

/// What may come of a run: name, colour, pattern.
type Kind = (&'static str, &'static str, &'static str, fn(&Outcome) -> usize);

const KINDS: [Kind; 3] = [
    ("done once", "@h1", "", |it| it.once),
    ("done again", "@h2", "/", |it| it.more),
    ("never done", "@h7", "x", |it| it.never),
];

/// One for each variant.
pub fn plots(shown: &[Shown]) -> Vec<Plot> {
    vec![plot(shown, "drawn", |it| &it.drawn), plot(shown, "fenced", |it| &it.fenced)]
}

fn plot(shown: &[Shown], variant: &str, of: fn(&Shown) -> &Outcome) -> Plot {
    let data = KINDS.map(|(name, colour, shape, kind)| {
        let share = |it: &Shown| 100.0 * kind(of(it)) as f64 / of(it).runs.max(1) as f64;
        json!({
            "type": "bar", "orientation": "h", "name": name,
            "y": shown.iter().map(|it| it.id).collect::<Vec<_>>(),
            "x": shown.iter().map(share).collect::<Vec<_>>(),
            "marker": {"color": colour, "pattern": {"shape": shape}},
            "hovertemplate": format!("%{{y}}<br>{name}: %{{x:.0f}} %<extra></extra>"),
        })
    });
    let words: Vec<String> = shown.iter().map(|it| format!("{}: {}", it.id, counts(of(it)))).collect();
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

fn counts(it: &Outcome) -> String {
    let storms = if it.storms > 0 { format!(", {} storms", it.storms) } else { String::new() };
    format!("{} / {} / {}{storms}", it.never, it.once, it.more)
}

/// All of them.
pub fn table(shown: &[Shown]) -> String {
    let head =
        ["weakness", "drawn", "fenced", "counted", "drawn", "fenced", "specification, as drawn", "what goes wrong"];
    let runs = shown.first().map_or(0, |it| it.drawn.runs);
    let caption =
        format!("Runs of {runs} in which a task was never done / done once / done again, and what is counted");
    let mut table = Table::new(caption, &head);
    let verdict = |shown: &Shown, it: &Outcome| {
        // What was cancelled must not be done.
        let good = if shown.id.starts_with("W16") { it.never } else { it.once };
        let mark = if good == it.runs { Mark::Good } else { Mark::Known };
        Value::Verdict(mark, counts(it))
    };
    for it in shown {
        table.row([
            text(it.id),
            verdict(it, &it.drawn),
            verdict(it, &it.fenced),
            text(it.drawn.counted),
            number(it.drawn.mean, 1),
            number(it.fenced.mean, 1),
            text(it.spec),
            text(it.what),
        ]);
    }
    format!("<div class=\"told\">{}</div>\n", table.html())
}
