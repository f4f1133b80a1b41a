//! How well cost functions are known from their samples.

use serde_json::json;

use crate::report::html::{Table, Value, number, text};
use crate::report::look;
use crate::report::plot::Plot;
use crate::tasking::sampling::{Budget, Case, Errors, Row};

/// A description, its name and how it looks.
type Way = (&'static str, &'static str, fn(&Case) -> Errors);

const WAYS: [Way; 3] = [
    ("grid", "I", |case| case.grid),
    ("grid, read boldly", "II", |case| case.bold),
    ("adaptive", "III", |case| case.adaptive),
];

/// Errors by model, and by bytes.
pub fn plots(rows: &[Row], budgets: &[Budget]) -> Vec<Plot> {
    vec![by_model(rows), by_bytes(rows, budgets)]
}

fn by_model(rows: &[Row]) -> Plot {
    let random: Vec<&Row> = rows.iter().filter(|row| row.vehicles == "random").collect();
    let trace = |(name, strategy, of): Way| {
        let look = look::of(strategy);
        let values = |row: &&Row| {
            let model = row.model.name();
            row.cases.iter().map(|case| (model, of(case).mean)).collect::<Vec<_>>()
        };
        let values: Vec<(&str, f64)> = random.iter().flat_map(values).collect();
        json!({
            "type": "box", "name": name, "x": values.iter().map(|value| value.0).collect::<Vec<_>>(),
            // A logarithm has no zero.
            "y": values.iter().map(|value| value.1.max(1e-3)).map(|value| (value * 1e5).round() / 1e5).collect::<Vec<_>>(),
            "marker": {"color": look.colour, "symbol": look.symbol, "size": 3}, "line": {"color": look.colour, "width": 1.5},
            "fillcolor": look.pale, "boxpoints": "outliers", "hoverinfo": "y",
        })
    };
    let words = |row: &&Row| {
        let means = WAYS.map(|(name, _, of)| format!("{name} {:.3}", row.mean(|case| of(case).mean)));
        format!("{}: {}", row.model.name(), means.join(", "))
    };
    Plot {
        id: "sampling-errors".to_owned(),
        title: "Errors of vehicles, by model".to_owned(),
        alt: format!("Mean errors of cost. {}.", random.iter().map(words).collect::<Vec<_>>().join("; ")),
        caption: format!(
            "Each value is one of {} random vehicles: the mean error of its cost over all feasible points. Linear: the \
             paper's model. Curved: 0.01 times the square of the seconds waited is added. Busy: one or two pending tasks.",
            random.first().map_or(0, |row| row.cases.len())
        ),
        data: WAYS.into_iter().map(trace).collect(),
        layout: json!({
            "boxmode": "group",
            "xaxis": {"showgrid": false},
            "yaxis": {"title": {"text": "mean error of cost"}, "type": "log", "dtick": 1},
        }),
        height: 400,
    }
}

fn by_bytes(rows: &[Row], budgets: &[Budget]) -> Plot {
    let linear = rows.iter().find(|row| row.vehicles == "random");
    let mut data = vec![json!({
        "type": "scatter", "mode": "lines+markers", "name": "adaptive",
        "x": budgets.iter().map(|budget| budget.budget).collect::<Vec<_>>(),
        "y": budgets.iter().map(|budget| budget.mean).collect::<Vec<_>>(),
        "customdata": budgets.iter().map(|budget| [budget.missed, budget.promised]).collect::<Vec<_>>(),
        "line": {"color": "@h3", "width": 1.5}, "marker": {"color": "@h3", "symbol": "diamond", "size": 7},
        "hovertemplate": "%{x} bytes: %{y:.3f}<br>missed %{customdata[0]:.2f} %, promised %{customdata[1]:.2f} %<extra></extra>",
    })];
    for (name, strategy, of) in WAYS.into_iter().take(2) {
        let look = look::of(strategy);
        let mean = linear.map_or(f64::NAN, |row| row.mean(|case| of(case).mean));
        data.push(json!({
            "type": "scatter", "mode": "markers", "name": name, "x": [336], "y": [mean],
            "marker": {"color": look.colour, "symbol": look.symbol, "size": 9},
            "hovertemplate": format!("{name}, 336 bytes: %{{y:.3f}}<extra></extra>"),
        }));
    }
    let words = |budget: &Budget| format!("{} bytes {:.3}", budget.budget, budget.mean);
    Plot {
        id: "sampling-bytes".to_owned(),
        title: "Errors by bytes".to_owned(),
        alt: format!(
            "Mean error of adaptive sampling: {}. The paper's grid: 336 bytes.",
            budgets.iter().map(words).collect::<Vec<_>>().join(", ")
        ),
        caption: "Linear model, the mean over random vehicles: how many bytes adaptive sampling may take at the most, \
                  beside the paper's grid."
            .to_owned(),
        data,
        layout: json!({
            "xaxis": {"title": {"text": "bytes a task"}, "range": [0, 350]},
            "yaxis": {"title": {"text": "mean error of cost"}, "type": "log", "dtick": 1},
        }),
        height: 400,
    }
}

/// All figures.
pub fn table(rows: &[Row]) -> String {
    let head = [
        "model",
        "vehicles",
        "description",
        "bytes",
        "mean error",
        "median",
        "95 %",
        "worst",
        "where both feasible",
        "missed",
        "promised",
        "adaptive no worse",
    ];
    let mut table = Table::new("Errors of descriptions of cost functions", &head);
    for row in rows {
        for (name, _, of) in WAYS {
            let quantile = |share| number(row.quantile(share, |case| of(case).mean), 3);
            let percent = |of: &dyn Fn(&Case) -> f64| Value::Number(format!("{:.3} %", row.mean(of)));
            table.row([
                text(row.model.name()),
                text(format!("{} ({})", row.vehicles, row.cases.len())),
                text(name),
                number(row.quantile(1.0, |case| of(case).bytes as f64), 0),
                number(row.mean(|case| of(case).mean), 3),
                quantile(0.5),
                quantile(0.95),
                quantile(1.0),
                number(row.mean(|case| of(case).mean_both), 3),
                percent(&|case| of(case).missed),
                percent(&|case| of(case).promised),
                Value::Number(if name == "adaptive" {
                    format!("{} of {}", row.wins(), row.cases.len())
                } else {
                    "–".to_owned()
                }),
            ]);
        }
    }
    table.html()
}
