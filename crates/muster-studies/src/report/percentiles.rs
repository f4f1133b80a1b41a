//! Where each figure of the paper lies among ours: a strip for every table and strategy.

use muster_core::recruitment::Strategy;
use serde_json::{Value, json};

use super::look;
use super::plot::Plot;
use super::study::circumstance;
use crate::recruitment::{CENTRAL, Cell, Study};
use crate::verdict::Verdict;

/// The strip plot.
pub fn plot(study: &Study) -> Plot {
    let row = |cell: &Cell| format!("Table {}, {}", cell.table, cell.strategy);
    let mut data: Vec<Value> = Vec::new();
    for strategy in Strategy::ALL {
        let look = look::of(strategy.name());
        let own = study.cells.iter().filter(|cell| cell.strategy == strategy.name() && cell.verdict == Verdict::Holds);
        let own: Vec<&Cell> = own.collect();
        data.push(json!({
            "type": "scatter", "mode": "markers", "name": strategy.name(),
            "x": own.iter().map(|cell| cell.percentile).collect::<Vec<_>>(),
            "y": own.iter().map(|cell| row(cell)).collect::<Vec<_>>(),
            "customdata": own.iter().map(|cell| circumstance(cell)).collect::<Vec<_>>(),
            "marker": {"color": look.colour, "symbol": look.symbol, "size": 9},
            "hovertemplate": "%{y}, %{customdata}<br>percentile %{x:.1f}<extra></extra>",
        }));
    }
    for (verdict, name, colour, symbol) in [
        (Verdict::KnownMismatch, "known mismatch", "@known", "x-thin"),
        (Verdict::Fails, "does not fit", "@bad", "cross-thin"),
    ] {
        let missed = |cell: &&Cell| cell.verdict == verdict && cell.percentile.is_finite();
        let missed: Vec<&Cell> = study.cells.iter().filter(missed).collect();
        if missed.is_empty() {
            continue;
        }
        // Outwards, where no other points are.
        let side = |cell: &&Cell| if cell.percentile < 50.0 { "middle left" } else { "middle right" };
        data.push(json!({
            "type": "scatter", "mode": "markers+text", "name": name, "meta": "label",
            "x": missed.iter().map(|cell| cell.percentile).collect::<Vec<_>>(),
            "y": missed.iter().map(|cell| row(cell)).collect::<Vec<_>>(),
            "text": missed.iter().map(|cell| format!(" {} ", circumstance(cell))).collect::<Vec<_>>(),
            "textposition": missed.iter().map(side).collect::<Vec<_>>(),
            "textfont": {"color": colour, "size": 12},
            "marker": {"color": colour, "symbol": symbol, "size": 11, "line": {"color": colour, "width": 2.5}},
            "cliponaxis": false,
            "hovertemplate": format!("%{{y}}, %{{text}}<br>percentile %{{x:.1f}}: {name}<extra></extra>"),
        }));
    }
    let mut rows: Vec<String> = Vec::new();
    for cell in &study.cells {
        let row = row(cell);
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    // From top to bottom as in the paper.
    rows.reverse();
    let (low, high) = (*CENTRAL.start(), *CENTRAL.end());
    let edge = |at: f64| {
        json!({"type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "yref": "paper", "layer": "below",
            "line": {"color": "@band", "width": 1, "dash": "dot"}})
    };
    Plot {
        id: "percentiles".to_owned(),
        title: "Where each figure of the paper lies among our three-run means".to_owned(),
        alt: format!(
            "Percentile of the paper's figure for each of {} cells: {} lie between {low} and {high} for certain, the others are \
             marked and named. The tables below give every percentile.",
            study.cells.len(),
            study.reproduced()
        ),
        caption: format!(
            "A figure is reproduced if it lies in the shaded band, between the percentiles {low} and {high}, with the whole 95 % \
             interval of its percentile. Marked and \
             named: the figures that do not."
        ),
        data,
        layout: json!({
            "xaxis": {"title": {"text": "percentile among our three-run means"}, "range": [-19, 116],
                "tickvals": [2.5, 25, 50, 75, 97.5], "zeroline": false, "showgrid": false},
            "yaxis": {"type": "category", "categoryorder": "array", "categoryarray": rows, "range": [-0.6, rows.len() as f64 - 0.4]},
            "shapes": [
                {"type": "rect", "x0": low, "x1": high, "y0": 0, "y1": 1, "yref": "paper", "layer": "below",
                    "fillcolor": "@band/0.08", "line": {"width": 0}},
                edge(low), edge(high),
            ],
        }),
        height: 520,
    }
}
