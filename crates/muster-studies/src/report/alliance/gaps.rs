//! Figure 10: how far above the optimum missions end, by region.

use serde_json::{Value, json};

use crate::alliance::Study;
use crate::alliance::gaps::{Conditions, Gap};
use crate::alliance::rules::Rule;
use crate::report::look;
use crate::report::plot::Plot;

/// How far rules stand apart, where regions are one apart.
const APART: f64 = 0.14;

/// One plot for each set and condition; the report's own with every coverage and with more than one.
pub fn plots(study: &Study) -> Vec<Plot> {
    let of = [
        ("figure-10", Conditions::Report, 1, "Delays of the report, coverage from 1 up (Figure 10)"),
        ("figure-10", Conditions::Report, 2, "Delays of the report, coverage from 2 up"),
        ("figure-10", Conditions::Instant, 2, "No delays"),
        ("figure-10", Conditions::Noise, 2, "No delays, 10 % noise in what robots know"),
        ("figure-10", Conditions::Failure, 2, "No delays, one robot stops"),
        ("larger", Conditions::Report, 2, "Larger missions, delays of the report"),
        ("larger", Conditions::Instant, 2, "Larger missions, no delays"),
    ];
    of.into_iter()
        .filter_map(|(set, conditions, coverage, title)| plot(study, set, conditions, coverage, title))
        .collect()
}

/// Rows of the rules that robots follow.
pub fn rows<'s>(study: &'s Study, set: &str, conditions: Conditions, coverage: u32) -> Vec<&'s Gap> {
    let rules = Rule::GAPS.map(Rule::name);
    let is = |gap: &&Gap| gap.set == set && gap.conditions == conditions && gap.coverage_from == coverage;
    study.gaps.iter().filter(is).filter(|gap| rules.contains(&gap.rule)).collect()
}

fn plot(study: &Study, set: &str, conditions: Conditions, coverage: u32, title: &str) -> Option<Plot> {
    let rows = rows(study, set, conditions, coverage);
    let last = rows.iter().map(|gap| gap.region.0).max()?;
    let data = Rule::GAPS.iter().enumerate().filter_map(|(place, rule)| trace(&rows, &rule.name(), place)).collect();
    let words: Vec<String> =
        rows.iter().map(|gap| format!("{}, region {}: {:.1} %", gap.rule, gap.region.0, gap.mean)).collect();
    let runs = rows[0].runs;
    let optimum =
        if conditions == Conditions::Failure { " The optimum is that of the whole team, without a stop." } else { "" };
    Some(Plot {
        id: format!("gaps-{set}-{}-{coverage}", conditions.name()),
        title: title.to_owned(),
        alt: format!("Percent above the optimum. {}.", words.join("; ")),
        caption: format!(
            "Mean and one standard deviation between scenarios, {runs} missions each; the line is the report's 20 \
             %.{optimum}"
        ),
        data,
        layout: json!({
            "xaxis": {"title": {"text": "region"}, "tickvals": (1..=last).collect::<Vec<_>>(), "showgrid": false,
                "zeroline": false, "range": [0.5, f64::from(last) + 0.5]},
            "yaxis": {"title": {"text": "above the optimum, %"}, "zeroline": true},
            "shapes": [{"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 20, "y1": 20, "layer": "below",
                "line": {"color": "@ink", "width": 1, "dash": "dash"}}],
        }),
        height: 380,
    })
}

fn trace(rows: &[&Gap], rule: &str, place: usize) -> Option<Value> {
    let own: Vec<&&Gap> = rows.iter().filter(|gap| gap.rule == rule).collect();
    let look = look::of(rule);
    let x = |gap: &&&Gap| f64::from(gap.region.0) + (place as f64 - 1.5) * APART;
    (!own.is_empty()).then(|| {
        json!({
            "type": "scatter", "mode": "markers", "name": rule,
            "x": own.iter().map(x).collect::<Vec<_>>(), "y": own.iter().map(|gap| gap.mean).collect::<Vec<_>>(),
            "customdata": own.iter().map(|gap| json!([gap.region.0, gap.sd, gap.scenarios])).collect::<Vec<_>>(),
            "error_y": {"type": "data", "array": own.iter().map(|gap| gap.sd).collect::<Vec<_>>(),
                "color": look.colour, "thickness": 1.5, "width": 4},
            "marker": {"color": look.colour, "symbol": look.symbol, "size": 9},
            "hovertemplate": format!("{rule}, region %{{customdata[0]}}<br>%{{y:.2f}} % (sd %{{customdata[1]:.2f}}, \
                %{{customdata[2]}} scenarios)<extra></extra>"),
        })
    })
}
