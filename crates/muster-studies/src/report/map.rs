//! The map of one run: field, tasks, who was recruited, who drove where.

use serde_json::{Value, json};

use super::flights;
use super::look;
use super::plot::{Plot, as_text};
use super::trace::{Trace, Track};
use crate::run::TaskRow;
use muster_core::tasking::Variant;
use muster_sim::scenario::Loaded;

/// The map of a run.
pub fn plot(loaded: &Loaded, trace: &Trace<'_>) -> Plot {
    let (width, height) = (loaded.mission.width_m, loaded.mission.height_m);
    let strategy = trace.row.strategy;
    let words_for = Words::of(trace);
    let served = trace.row.outcome.iter().filter(|task| task.responder.is_some()).count();
    let words: Vec<String> = trace
        .row
        .outcome
        .iter()
        .map(|task| format!("{}: {}", task.task, task.responder.as_deref().unwrap_or("nobody")))
        .collect();
    let left_out = match trace.left_out {
        0 => String::new(),
        left_out => format!(" {left_out} robots that did nothing special are left out."),
    };
    let flown = if loaded.scenario.tasking.is_some() {
        let corridor_m = loaded.tasking(Variant::Fenced).0.corridor_m;
        [flights::corridors(trace.row, corridor_m), flights::ways(&trace.tracks), flights::crossings(trace.row)]
            .concat()
    } else {
        busy(&trace.tracks, strategy, words_for, width)
    };
    // A margin for what stands on the edge of the field.
    let margin = width.max(height) * 0.04;
    Plot {
        id: format!("map-{strategy}"),
        title: format!("{strategy}: who went where"),
        alt: format!("Map of the run with {strategy}. Who {} which task: {}.", words_for.did, words.join(", ")),
        caption: format!(
            "Seed {}: {served} of {} tasks {} in {:.0} s. Numbers are tasks in the order of the table below.{left_out}",
            trace.row.seed,
            trace.row.outcome.len(),
            words_for.served,
            trace.end_s
        ),
        data: [scans(&trace.tracks), idle(&trace.tracks, words_for), flown, vec![tasks(trace)]].concat(),
        layout: json!({
            "xaxis": {"title": {"text": "east, m"}, "range": [-margin, width + margin], "constrain": "domain",
                "zeroline": false, "showgrid": false},
            "yaxis": {"title": {"text": "north, m"}, "range": [-margin, height + margin], "scaleanchor": "x",
                "constrain": "domain", "zeroline": false, "showgrid": false},
            "shapes": [{"type": "rect", "x0": 0, "y0": 0, "x1": width, "y1": height, "layer": "below",
                "line": {"color": "@faint", "width": 1}, "fillcolor": "@panel"}],
            "margin": {"l": 48, "r": 8, "t": 4, "b": 44},
        }),
        height: if loaded.scenario.tasking.is_some() { 600 } else { 480 },
    }
}

/// What things are called: robots recruit each other, or do what they do by themselves.
#[derive(Copy, Clone)]
struct Words {
    served: &'static str,
    did: &'static str,
    way: &'static str,
    idle: &'static str,
}

impl Words {
    fn of(trace: &Trace<'_>) -> Self {
        let flown = trace.row.outcome.iter().any(|task| task.flight.is_some());
        match trace.config {
            None if flown => Self { served: "done", did: "did", way: "way of a vehicle", idle: "over no target" },
            Some(_) => {
                Self { served: "handed over", did: "took over", way: "way of a recruited robot", idle: "not recruited" }
            }
            None => Self { served: "done", did: "worked at", way: "way of a robot at work", idle: "did nothing" },
        }
    }
}

fn columns(track: &Track) -> [Vec<f64>; 3] {
    [0, 1, 2].map(|column| track.corners.iter().map(|corner| corner[column]).collect())
}

/// Ways of robots with errands that nobody recruited; one entry of the legend for all.
fn scans(tracks: &[Track]) -> Vec<Value> {
    let own = tracks.iter().filter(|track| track.errand && track.tasks.is_empty());
    own.enumerate()
        .map(|(index, track)| {
            let [at_s, x, y] = columns(track);
            let dash = ["solid", "dot", "dash", "dashdot"][index % 4];
            json!({
                "type": "scatter", "mode": "lines", "name": "robot on its errand", "legendgroup": "errands",
                "showlegend": index == 0, "x": x, "y": y,
                "customdata": at_s, "line": {"color": "@faint", "width": 1, "dash": dash}, "opacity": 0.6,
                "hovertemplate": format!("{}<br>%{{customdata:.0f}} s<extra></extra>", as_text(&track.name)),
            })
        })
        .collect()
}

/// Robots that were not needed, where they were last.
fn idle(tracks: &[Track], words: Words) -> Vec<Value> {
    let own: Vec<&Track> = tracks.iter().filter(|track| !track.errand && track.tasks.is_empty()).collect();
    let last = |column: usize| own.iter().filter_map(|track| Some(track.corners.last()?[column])).collect::<Vec<_>>();
    if own.is_empty() {
        return Vec::new();
    }
    vec![json!({
        "type": "scatter", "mode": "markers", "name": words.idle, "x": last(1), "y": last(2),
        "text": own.iter().map(|track| as_text(&track.name)).collect::<Vec<_>>(),
        "marker": {"color": "@faint", "symbol": "circle-open", "size": 8},
        "hovertemplate": format!("%{{text}}: {}<extra></extra>", words.idle),
    })]
}

/// Robots that worked at a task: their way, and where they began.
fn busy(tracks: &[Track], strategy: &str, words: Words, width_m: f64) -> Vec<Value> {
    let look = look::of(strategy);
    let own: Vec<&Track> = tracks.iter().filter(|track| !track.tasks.is_empty()).collect();
    let way = |(index, track): (usize, &&Track)| {
        let [at_s, x, y] = columns(track);
        json!({
            "type": "scatter", "mode": "lines", "name": words.way, "legendgroup": "ways",
            "showlegend": index == 0, "x": x, "y": y, "customdata": at_s,
            "line": {"color": look.colour, "width": 2.5},
            "hovertemplate": format!("{}, %{{customdata:.0f}} s<br>{} {}<extra></extra>",
                as_text(&track.name), words.did, as_text(&track.tasks.join(", "))),
        })
    };
    let mut traces: Vec<Value> = own.iter().enumerate().map(way).collect();
    let first = |column: usize| own.iter().filter_map(|track| Some(track.corners.first()?[column])).collect::<Vec<_>>();
    traces.push(json!({
        "type": "scatter", "mode": "markers+text", "name": "where it came from", "x": first(1), "y": first(2),
        "text": own.iter().map(|track| format!(" {} ", as_text(&track.name))).collect::<Vec<_>>(),
        "textposition": own.iter().map(|track| away(track, width_m)).collect::<Vec<_>>(), "textfont": {"size": 11},
        "cliponaxis": false,
        "marker": {"color": look.colour, "symbol": look.symbol, "size": 9},
        "hoverinfo": "text",
    }));
    traces
}

/// A robot's name stands on the side of its start that it did not leave by, unless the field ends there.
fn away(track: &Track, width_m: f64) -> &'static str {
    let Some(&[_, x, y]) = track.corners.first() else { return "bottom center" };
    let next = track.corners.iter().find(|corner| corner[1] != x || corner[2] != y);
    let (east, north) = next.map_or((0.0, 0.0), |corner| (corner[1] - x, corner[2] - y));
    let sideways = east.abs() > north.abs();
    if sideways && east < 0.0 && x < width_m * 0.85 {
        "middle right"
    } else if sideways && east > 0.0 && x > width_m * 0.15 {
        "middle left"
    } else if north < 0.0 {
        "top center"
    } else {
        "bottom center"
    }
}

fn tasks(trace: &Trace<'_>) -> Value {
    let about = |task: &TaskRow| match (&task.responder, task.wait_s, task.seen_s) {
        (Some(responder), Some(wait_s), _) => {
            format!("{}<br>{} after {wait_s:.1} s", as_text(&task.task), as_text(responder))
        }
        (_, _, Some(_)) => format!("{}<br>nobody", as_text(&task.task)),
        _ => format!("{}<br>not found", as_text(&task.task)),
    };
    // Phases of one order lie on each other: one mark for neighbours in the table at the same place.
    let mut marks: Vec<(usize, usize, [f64; 2], String)> = Vec::new();
    for (index, task) in trace.row.outcome.iter().enumerate() {
        match marks.last_mut() {
            Some((_, last, place_m, words)) if *place_m == task.place_m => {
                *last = index + 1;
                *words = format!("{words}<br>{}", about(task));
            }
            _ => marks.push((index + 1, index + 1, task.place_m, about(task))),
        }
    }
    let numbers = |(first, last, ..): &(usize, usize, [f64; 2], String)| match first == last {
        true => first.to_string(),
        false => format!("{first}–{last}"),
    };
    // Room for two numbers, or for many marks.
    let size_px = match marks.iter().any(|mark| mark.0 != mark.1) {
        true => 30,
        false if marks.len() > 30 => 16,
        false => 20,
    };
    json!({
        "type": "scatter", "mode": "markers+text", "name": "task",
        "x": marks.iter().map(|mark| mark.2[0]).collect::<Vec<_>>(),
        "y": marks.iter().map(|mark| mark.2[1]).collect::<Vec<_>>(),
        "text": marks.iter().map(numbers).collect::<Vec<_>>(),
        "customdata": marks.iter().map(|mark| mark.3.as_str()).collect::<Vec<_>>(),
        "textposition": "middle center", "textfont": {"color": "@ground", "size": if marks.len() > 30 { 9 } else { 11 }},
        "marker": {"color": "@task", "symbol": "diamond", "size": size_px, "line": {"color": "@ground", "width": 1}},
        "cliponaxis": false,
        "hovertemplate": "%{customdata}<extra></extra>",
    })
}
