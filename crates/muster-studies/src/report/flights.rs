//! Flights over targets: planned beside flown, on the map and in a table. For missions under `[tasking]`.

use muster_core::Point;
use muster_core::tasking::corridor::Corridor;
use serde_json::{Value, json};

use super::html::{Table, number, text};
use super::plot::as_text;
use super::trace::Track;
use crate::flown::{CrossingRow, FlightRow};
use crate::run::{Row, TaskRow};

/// With more flights than this, names beside corridors would hide the map.
const MOST_NAMED: usize = 8;
/// With more vehicles than this, the legend would.
const MOST_LISTED: usize = 8;

/// A colour and a dash for the vehicle at this place of the list: four dashes for each of seven hues.
pub fn look(index: usize) -> (String, &'static str) {
    (format!("@h{}", index % 7 + 1), ["solid", "dash", "dot", "dashdot"][index / 7 % 4])
}

/// Vehicles that were over a target: their way, and where they began.
pub fn ways(tracks: &[Track]) -> Vec<Value> {
    let own: Vec<&Track> = tracks.iter().filter(|track| !track.tasks.is_empty()).collect();
    let listed = own.len() <= MOST_LISTED;
    let mut traces = Vec::new();
    for (index, track) in own.iter().enumerate() {
        let (colour, dash) = look(index);
        let column = |column: usize| track.corners.iter().map(|corner| rounded(corner[column])).collect::<Vec<_>>();
        let name = if listed { as_text(&track.name) } else { "way of a vehicle".to_owned() };
        traces.push(json!({
            "type": "scatter", "mode": "lines", "name": name, "legendgroup": if listed { &track.name } else { "ways" },
            "showlegend": listed || index == 0, "x": column(1), "y": column(2), "customdata": column(0),
            "line": {"color": colour, "width": if listed { 2.5 } else { 1.5 }, "dash": dash},
            "hovertemplate": format!("{}, %{{customdata:.1f}} s<br>did {}<extra></extra>",
                as_text(&track.name), as_text(&track.tasks.join(", "))),
        }));
    }
    let first = |column: usize| {
        own.iter().filter_map(|track| Some(rounded(track.corners.first()?[column]))).collect::<Vec<_>>()
    };
    traces.push(json!({
        "type": "scatter", "mode": if listed { "markers+text" } else { "markers" }, "name": "where it came from",
        "x": first(1), "y": first(2), "text": own.iter().map(|track| as_text(&track.name)).collect::<Vec<_>>(),
        "textposition": "bottom center", "textfont": {"size": 11}, "cliponaxis": false,
        "marker": {"color": (0..own.len()).map(|index| look(index).0).collect::<Vec<_>>(), "symbol": "circle", "size": 8},
        "hovertemplate": "%{text}<extra></extra>",
    }));
    traces
}

/// Corridors: in over the target and out again, one entry of the legend for all.
pub fn corridors(row: &Row, corridor_m: f64) -> Vec<Value> {
    let flown: Vec<(&TaskRow, FlightRow)> = row.outcome.iter().filter_map(|task| Some((task, task.flight?))).collect();
    if flown.is_empty() {
        return Vec::new();
    }
    let (mut x, mut y, mut about) = (Vec::new(), Vec::new(), Vec::new());
    let (mut entry_x, mut entry_y, mut names, mut angles) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (task, flight) in &flown {
        let corridor = Corridor {
            target: Point::new(task.place_m[0], task.place_m[1]),
            heading: flight.planned_heading_deg.to_radians(),
            length_m: corridor_m,
        };
        let by = task.responder.as_deref().unwrap_or("nobody");
        let words = format!(
            "{} by {}<br>planned {:.1} s, heading {:.0}°<br>flown {:.1} s, heading {:.0}°",
            as_text(&task.task),
            as_text(by),
            flight.planned_s,
            flight.planned_heading_deg,
            flight.flown_s,
            flight.heading_deg
        );
        let (entry, exit) = (corridor.entry(), corridor.exit());
        // A gap after each: one trace for all.
        x.extend([Some(rounded(entry.x)), Some(rounded(exit.x)), None]);
        y.extend([Some(rounded(entry.y)), Some(rounded(exit.y)), None]);
        about.extend([words.clone(), words, String::new()]);
        entry_x.push(rounded(entry.x));
        entry_y.push(rounded(entry.y));
        names.push(format!("{} s, {:.0}°", plain(flight.flown_s), flight.planned_heading_deg));
        // Plotly's angles count clockwise from the top.
        angles.push(90.0 - flight.planned_heading_deg);
    }
    let mode = if flown.len() <= MOST_NAMED { "markers+text" } else { "markers" };
    vec![
        json!({
            "type": "scatter", "mode": "lines", "name": "corridor", "legendgroup": "corridors", "x": x, "y": y,
            "customdata": about, "line": {"color": "@task", "width": 7}, "opacity": 0.3,
            "hovertemplate": "%{customdata}<extra></extra>",
        }),
        json!({
            "type": "scatter", "mode": mode, "name": "entry", "legendgroup": "corridors", "showlegend": false,
            "meta": "label", "x": entry_x, "y": entry_y, "text": names, "textposition": "top center",
            "textfont": {"size": 11}, "cliponaxis": false,
            "marker": {"color": "@task", "symbol": "triangle-up", "angle": angles, "size": 9},
            "hovertemplate": "%{text}<extra></extra>",
        }),
    ]
}

/// Where flights came close to each other: one entry of the legend for those of different orders, one for those of one.
pub fn crossings(row: &Row) -> Vec<Value> {
    let traces =
        [(false, "crossing", "x"), (true, "crossing in one order", "x-open")].map(|(one_order, name, symbol)| {
            let own: Vec<&CrossingRow> =
                row.crossings.iter().filter(|crossing| crossing.one_order == one_order).collect();
            let words = |crossing: &&CrossingRow| {
                let CrossingRow { robots: [a, b], tasks: [c, d], at_s, distance_m, .. } = crossing;
                let [a, b, c, d] = [a, b, c, d].map(|name| as_text(name));
                format!("{a} to {c}, {b} to {d}<br>{distance_m:.1} m apart at {at_s:.1} s")
            };
            let place = |column: usize| own.iter().map(|it| rounded(it.place_m[column])).collect::<Vec<_>>();
            (!own.is_empty()).then(|| {
                json!({
                    "type": "scatter", "mode": "markers", "name": name, "x": place(0), "y": place(1),
                    "customdata": own.iter().map(words).collect::<Vec<_>>(),
                    "marker": {"color": "@bad", "symbol": symbol, "size": 11},
                    "hovertemplate": "%{customdata}<extra></extra>",
                })
            })
        });
    traces.into_iter().flatten().collect()
}

/// Which flights came close to each other, where and when.
pub fn crossing_table(caption: &str, row: &Row) -> Table {
    let mut table = Table::new(caption, &["at, s", "apart, m", "one", "other", "east, m", "north, m", "orders"]);
    for crossing in &row.crossings {
        let flight = |number: usize| format!("{} to {}", crossing.robots[number], crossing.tasks[number]);
        table.row([
            number(crossing.at_s, 1),
            number(crossing.distance_m, 1),
            text(flight(0)),
            text(flight(1)),
            number(crossing.place_m[0], 0),
            number(crossing.place_m[1], 0),
            text(if crossing.one_order { "one" } else { "different" }),
        ]);
    }
    table
}

/// Planned and flown, task by task.
pub fn table(caption: &str, row: &Row) -> Table {
    let head = [
        "task",
        "done by",
        "t0, s",
        "planned, t",
        "flown, t",
        "late, s",
        "couplings",
        "heading planned",
        "heading flown",
        "cost",
        "times",
    ];
    let mut table = Table::new(caption, &head);
    for (index, task) in row.outcome.iter().enumerate() {
        let of = |value: fn(&FlightRow) -> f64| task.flight.as_ref().map_or(f64::NAN, value);
        let nobody = if task.seen_s.is_some() { "nobody" } else { "not asked for" };
        table.row([
            text(format!("{} {}", index + 1, task.task)),
            text(task.responder.as_deref().unwrap_or(nobody)),
            number(of(|it| it.t0_s), 1),
            number(of(|it| it.planned_s), 1),
            number(of(|it| it.flown_s), 1),
            number(of(|it| it.flown_s - it.planned_s), 1),
            text(if task.flight.is_some_and(|flight| flight.uncoupled) { "given up" } else { "" }),
            number(of(|it| it.planned_heading_deg), 0),
            number(of(|it| it.heading_deg), 0),
            number(of(|it| it.cost), 2),
            number(f64::from(task.done.unwrap_or(0)), 0),
        ]);
    }
    table
}

/// With one decimal, or none.
fn plain(value: f64) -> String {
    let text = format!("{value:.1}");
    text.trim_end_matches(".0").to_owned()
}

/// To centimetres and hundredths of seconds: more cannot be seen.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
