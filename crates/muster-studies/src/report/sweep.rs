//! Messages and waiting time against team size and against loss: the paper's points beside ours.

use muster_core::recruitment::Strategy;
use serde_json::{Value, json};

use super::look;
use super::plot::Plot;
use crate::recruitment::{Cell, Metric, Study};

/// What was varied.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Robots in all.
    Team,
    /// Messages lost, in percent.
    Loss,
}

impl Axis {
    /// Where a cell lies on it.
    pub fn of(self, cell: &Cell) -> f64 {
        match self {
            Self::Team => f64::from(cell.team),
            Self::Loss => cell.loss * 100.0,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Team => "robots in the team",
            Self::Loss => "messages lost, %",
        }
    }

    /// Strategies stand side by side, this far apart, since two of them often agree.
    pub fn apart(self) -> f64 {
        match self {
            Self::Team => 0.6,
            Self::Loss => 0.65,
        }
    }
}

/// The four plots: Tables 1 to 4.
pub fn plots(study: &Study) -> Vec<Plot> {
    [
        (1, Metric::Messages, Axis::Team),
        (2, Metric::Wait, Axis::Team),
        (3, Metric::Messages, Axis::Loss),
        (4, Metric::Wait, Axis::Loss),
    ]
    .map(|(table, metric, axis)| plot(study, table, metric, axis))
    .into()
}

fn plot(study: &Study, table: u32, metric: Metric, axis: Axis) -> Plot {
    let (what, unit, decimals) = match metric {
        Metric::Messages => ("Messages", "", 1),
        Metric::Wait => ("Waiting time", ", s", 0),
    };
    let against = match axis {
        Axis::Team => "team size",
        Axis::Loss => "loss",
    };
    let cells: Vec<&Cell> = study.cells.iter().filter(|cell| cell.table == table).collect();
    let mut data = Vec::new();
    for (place, strategy) in Strategy::ALL.into_iter().enumerate() {
        let own: Vec<&Cell> = cells.iter().copied().filter(|cell| cell.strategy == strategy.name()).collect();
        let shift = (place as f64 - 1.0) * axis.apart();
        data.extend(traces(&own, strategy.name(), axis, shift));
    }
    let mut ticks: Vec<f64> = cells.iter().map(|cell| axis.of(cell)).collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    let alt: Vec<String> = cells
        .iter()
        .map(|cell| {
            let at = axis.of(cell);
            format!("{} at {at:.0}: paper {}, ours {:.decimals$}", cell.strategy, cell.paper, cell.mean)
        })
        .collect();
    Plot {
        id: format!("table-{table}-plot"),
        title: format!("{what} against {against} (Table {table})"),
        alt: format!("{what} against {against}. {}.", alt.join("; ")),
        caption: format!(
            "Filled: our means, with the central 95 % of our three-run means. Rings: the paper's Table {table}."
        ),
        data,
        layout: json!({
            "xaxis": {"title": {"text": axis.title()}, "tickvals": ticks, "showgrid": false, "zeroline": false},
            "yaxis": {"title": {"text": format!("{}{unit}", what.to_lowercase())}, "rangemode": "tozero"},
        }),
        height: 420,
    }
}

/// Ours with intervals, and the paper's points on top.
fn traces(cells: &[&Cell], strategy: &str, axis: Axis, shift: f64) -> [Value; 2] {
    let look = look::of(strategy);
    let x: Vec<f64> = cells.iter().map(|cell| axis.of(cell) + shift).collect();
    let of = |value: fn(&Cell) -> f64| cells.iter().map(|cell| value(cell)).collect::<Vec<f64>>();
    let hover: Vec<[f64; 4]> = cells.iter().map(|cell| [axis.of(cell), cell.low, cell.high, cell.percentile]).collect();
    let what = match axis {
        Axis::Team => "%{customdata[0]} robots",
        Axis::Loss => "%{customdata[0]} % loss",
    };
    [
        json!({
            "type": "scatter", "mode": "lines+markers", "name": format!("{strategy}, ours"),
            "x": x, "y": of(|cell| cell.mean), "customdata": hover,
            "error_y": {"type": "data", "symmetric": false, "array": of(|cell| cell.high - cell.mean),
                "arrayminus": of(|cell| cell.mean - cell.low), "color": look.colour, "thickness": 1.5, "width": 4},
            "line": {"color": look.colour, "dash": look.dash, "width": 1.5},
            "marker": {"color": look.colour, "symbol": look.symbol, "size": 7},
            "hovertemplate": format!("{strategy}, {what}<br>ours %{{y:.1f}} (95 %: %{{customdata[1]:.1f}} to \
                %{{customdata[2]:.1f}})<extra></extra>"),
        }),
        json!({
            "type": "scatter", "mode": "markers", "name": format!("{strategy}, paper"),
            "x": x, "y": of(|cell| cell.paper), "customdata": hover,
            "marker": {"color": look.colour, "symbol": look.ring, "size": 14, "line": {"width": 2}},
            "hovertemplate": format!("{strategy}, {what}<br>paper %{{y}}, percentile %{{customdata[3]:.1f}} of \
                ours<extra></extra>"),
        }),
    ]
}
