//! Claim 3, over tasks, vehicles and time, and term by term.

use muster_core::tasking::Variant;
use serde_json::json;

use crate::report::look;
use crate::report::plot::Plot;
use crate::tasking::growth::{Along, Counted, Load};
use crate::tasking::load::Term;
use crate::tasking::{Study, tables};

/// What is drawn of a term: name, colour, pattern.
type Count = (&'static str, &'static str, &'static str, fn(&Term) -> f64);

const COUNTS: [Count; 4] = [
    ("formula of the paper", "@faint", "", |term| term.paper.unwrap_or(0.0)),
    ("counted as drawn", "@h2", "/", |term| term.measured as f64),
    ("counted as written", "@h3", "x", |term| term.written as f64),
    ("counted with the fixes", "@h1", "", |term| term.fenced as f64),
];

/// Over T, V and t_dur; then by term.
pub fn plots(study: &Study) -> Vec<Plot> {
    let along = Along::AXES.into_iter().map(|(along, axis)| growth(&study.growth, along, axis));
    along.chain([beside_drawn(&study.growth), by_term(&study.load)]).collect()
}

/// How much more the other variants take than the protocol as drawn, until 900 s after the last deed, over T and V.
fn beside_drawn(loads: &[Load]) -> Plot {
    let both: Vec<&Load> = loads.iter().filter(|load| load.along == Along::Both).collect();
    let teams: std::collections::BTreeSet<u32> = both.iter().map(|load| load.vehicles).collect();
    let (mut data, mut words) = (Vec::new(), Vec::new());
    for (variant, dash) in [(Variant::Written, "dash"), (Variant::Fenced, "solid")] {
        for (team, (vehicles, symbol)) in teams.iter().zip(["circle", "square", "diamond", "x"]).enumerate() {
            let of = both.iter().filter(|load| load.vehicles == *vehicles);
            let points: Vec<(u32, f64)> = of
                .filter_map(|load| Some((load.tasks, load.of(variant)?.settled / load.of(Variant::Drawn)?.settled)))
                .map(|(tasks, ratio)| (tasks, (ratio * 100.0).round() / 100.0))
                .collect();
            let name = format!("{}, V = {vehicles}", variant.name());
            let colour = look::of(variant.name()).colour;
            let told: Vec<String> = points.iter().map(|(tasks, ratio)| format!("T = {tasks} {ratio:.2}")).collect();
            words.push(format!("{name}: {}", told.join(", ")));
            data.push(json!({
                "type": "scatter", "mode": "lines+markers", "name": name, "opacity": 1.0 - 0.15 * team as f64,
                "x": points.iter().map(|it| it.0).collect::<Vec<_>>(),
                "y": points.iter().map(|it| it.1).collect::<Vec<_>>(),
                "line": {"color": colour, "dash": dash}, "marker": {"color": colour, "symbol": symbol, "size": 8},
                "hovertemplate": format!("T = %{{x}}, {name}: %{{y:.2f}} times drawn<extra></extra>"),
            }));
        }
    }
    Plot {
        id: "load-beside-drawn".to_owned(),
        title: "Messages beside the protocol as drawn, over T and V".to_owned(),
        alt: format!("Messages until 900 s after the last deed, as a multiple of drawn. {}.", words.join("; ")),
        caption: "All messages until 900 s after the last deed, without loss, divided by those as drawn. Ours is to stay below \
                  two."
            .to_owned(),
        data,
        layout: json!({
            "xaxis": {"title": {"text": "T, tasks"}, "dtick": 1},
            "yaxis": {"title": {"text": "messages / messages as drawn"}, "rangemode": "tozero"},
        }),
        height: 420,
    }
}

/// Colours and dashes of variants, in their order.
const LINES: [(&str, &str); 3] = [("@h2", "circle"), ("@h3", "diamond"), ("@h1", "square")];

/// The formula as printed and what was counted, along one axis.
fn growth(loads: &[Load], along: Along, axis: &str) -> Plot {
    let of: Vec<&Load> = loads.iter().filter(|load| load.along == along).collect();
    let x: Vec<f64> = of.iter().map(|load| (load.at() * 10.0).round() / 10.0).collect();
    let line = |name: String, y: Vec<f64>, colour: &str, symbol: &str, dash: &str| {
        let y: Vec<f64> = y.into_iter().map(|messages| (messages * 10.0).round() / 10.0).collect();
        json!({
            "type": "scatter", "mode": "lines+markers", "name": name, "x": x, "y": y,
            "line": {"color": colour, "dash": dash}, "marker": {"color": colour, "symbol": symbol, "size": 8},
            "hovertemplate": format!("%{{x}}<br>{name}: %{{y}}<extra></extra>"),
        })
    };
    let mut data =
        vec![line("formula as printed".to_owned(), of.iter().map(|load| load.formula).collect(), "@ink", "x", "dot")];
    let variants = of.first().map_or(0, |load| load.counted.len());
    for variant in 0..variants {
        let counted =
            |what: fn(&Counted) -> f64| of.iter().map(|load| what(&load.counted[variant])).collect::<Vec<f64>>();
        let name = of[0].counted[variant].variant;
        let (colour, symbol) = LINES[variant % LINES.len()];
        data.push(line(name.to_owned(), counted(|it| it.messages), colour, symbol, "solid"));
        data.push(line(format!("{name}, 900 s on"), counted(|it| it.settled), colour, symbol, "dash"));
    }
    let ends: Vec<String> = of
        .iter()
        .map(|load| {
            let counted: Vec<String> = load
                .counted
                .iter()
                .map(|it| format!("{} {:.0}, 900 s on {:.0}", it.variant, it.messages, it.settled))
                .collect();
            format!("at {:.0} formula {:.0}, {}", load.at(), load.formula, counted.join(", "))
        })
        .collect();
    let name = format!("{along:?}").to_lowercase();
    Plot {
        id: format!("load-{name}"),
        title: format!("Messages by {axis}"),
        alt: format!("Messages without loss: {}.", ends.join("; ")),
        caption: "From the solicitation until t_status after the last deed, and, dashed, all until 900 s after it. The axis of \
                  messages is logarithmic."
            .to_owned(),
        data,
        layout: json!({
            "xaxis": {"title": {"text": axis}},
            "yaxis": {"title": {"text": "messages"}, "type": "log"},
        }),
        height: 380,
    }
}

/// Messages by term.
fn by_term(terms: &[Term]) -> Plot {
    let data = COUNTS.map(|(name, colour, shape, of)| {
        json!({
            "type": "bar", "name": name,
            "x": terms.iter().map(|term| term.term).collect::<Vec<_>>(),
            "y": terms.iter().map(|term| (of(term) * 10.0).round() / 10.0).collect::<Vec<_>>(),
            "marker": {"color": colour, "pattern": {"shape": shape}},
            "hovertemplate": format!("%{{x}}<br>{name}: %{{y}}<extra></extra>"),
        })
    });
    let sum = |of: fn(&Term) -> f64| terms.iter().map(of).sum::<f64>();
    let sums = COUNTS.map(|(name, _, _, of)| format!("{name} {:.0}", sum(of)));
    Plot {
        id: "load-plot".to_owned(),
        title: "Messages for one task, five vehicles, no loss".to_owned(),
        alt: format!("Bars of messages by term. In all: {}.", sums.join(", ")),
        caption: format!(
            "In all: {}. The formula leaves out the acknowledged acceptance and how the task is injected; the fixes pay in \
             reports.",
            sums.join(", ")
        ),
        data: data.to_vec(),
        layout: json!({
            "barmode": "group",
            "xaxis": {"type": "category", "showgrid": false, "tickangle": 35},
            "yaxis": {"title": {"text": "messages"}, "rangemode": "tozero"},
        }),
        height: 440,
    }
}

/// The same in numbers, and why they differ.
pub fn tables(study: &Study) -> String {
    let told = |table: crate::table::Table| format!("<div class=\"told\">{}</div>\n", table.html());
    [tables::growth(&study.growth), tables::load(&study.load)].map(told).concat()
}
