//! Figures 4 to 6: cost functions of the hotspot mission.

use serde_json::{Value, json};

use crate::report::look::{self, Look};
use crate::report::plot::Plot;
use crate::tasking::figures::{Figures, Line};

/// How much higher than any cost the tower of what is infeasible stands.
const TOWER: f64 = 1.15;
/// The tower: a grey that can be seen on light and on dark ground.
const GREY: &str = "#8b949e";
/// Between contour lines. [MacKenzie, Figure 4]
const CONTOUR: f64 = 50.0;

/// All three.
pub fn plots(figures: &Figures) -> Vec<Plot> {
    vec![surface(&figures.surface), minima(&figures.minima), slices(&figures.slices)]
}

/// A surface around the axis: radius is time, angle is heading, height is cost.
#[derive(Default)]
struct Polar {
    x: Vec<Vec<f64>>,
    y: Vec<Vec<f64>>,
    z: Vec<Vec<f64>>,
    text: Vec<Vec<String>>,
}

impl Polar {
    /// Adds a heading: times and heights, and what to say about them.
    fn add(&mut self, heading_deg: f64, points: &[(f64, f64)], text: impl Fn(&(f64, f64)) -> String) {
        let (sin, cos) = heading_deg.to_radians().sin_cos();
        let along = |by: f64| points.iter().map(|point| rounded(point.0 * by)).collect();
        self.x.push(along(cos));
        self.y.push(along(sin));
        self.z.push(points.iter().map(|point| rounded(point.1)).collect());
        self.text.push(points.iter().map(text).collect());
    }

    fn trace(self, more: Value) -> Value {
        let Self { x, y, z, text } = self;
        let trace = json!({
            "type": "surface", "x": x, "y": y, "z": z, "text": text, "hoverinfo": "text",
            "lighting": {"ambient": 0.75, "diffuse": 0.5, "specular": 0.05, "roughness": 0.9},
        });
        with(trace, more)
    }
}

/// Figure 4.
fn surface(lines: &[Line]) -> Plot {
    let highest = lines.iter().flat_map(|line| &line.exact).map(|point| point.1).fold(0.0, f64::max);
    let top = (highest * TOWER).ceil();
    // A surface has as many points on each heading: what is short of them begins with its first again.
    let most = lines.iter().map(|line| line.exact.len()).max().unwrap_or(0);
    let (mut tower, mut around) = (Polar::default(), Polar::default());
    for line in lines {
        let Some(&foot) = line.exact.first() else { continue };
        let heading = line.heading_deg;
        tower.add(heading, &[(0.0, top), (foot.0, top), foot], |_| {
            format!("heading {heading}°, before {:.1} s: infeasible", foot.0)
        });
        let padding = std::iter::repeat_n(foot, most - line.exact.len());
        let feasible: Vec<(f64, f64)> = padding.chain(line.exact.iter().copied()).collect();
        around.add(heading, &feasible, |(at_s, cost)| format!("heading {heading}°, {at_s:.1} s: {cost:.1}"));
    }
    let axis = |title: &str| {
        json!({"title": {"text": title}, "color": "@ink", "gridcolor": "@line", "zerolinecolor": "@line",
            "showbackground": false, "showspikes": false})
    };
    let vehicle = lines.first().map_or("", |line| line.vehicle);
    let earliest = lines.iter().filter_map(|line| line.exact.first()).map(|point| point.0);
    let (first, last) = (earliest.clone().fold(f64::INFINITY, f64::min), earliest.fold(0.0, f64::max));
    Plot {
        id: "figure-4".to_owned(),
        title: format!("What verifying costs {vehicle} (Figure 4)"),
        alt: format!(
            "A surface around a tower: the distance from its axis is the time, the angle the heading, the height the \
             cost. The tower, where {vehicle} cannot be there in time, reaches {first:.1} s out towards 45 degrees and \
             {last:.1} s at the most; outside of it costs rise from the tower's foot to {highest:.0} at 100 s."
        ),
        caption: format!(
            "Distance from the axis: time, up to 100 s. Angle: heading. Height: cost, with a contour line every \
             {CONTOUR} units. The grey tower stands where {vehicle} cannot be there in time. Drag to turn it."
        ),
        data: vec![
            around.trace(json!({
                "cmin": 0, "cmax": highest, "colorscale": "Viridis",
                "colorbar": {"title": {"text": "cost"}, "len": 0.7, "thickness": 14, "tickcolor": "@faint"},
                "contours": {"z": {"show": true, "start": 0, "end": highest, "size": CONTOUR, "color": "@ground",
                    "highlight": false}, "x": {"highlight": false}, "y": {"highlight": false}},
            })),
            tower.trace(json!({
                "colorscale": [[0, GREY], [1, GREY]], "showscale": false,
                "contours": {"x": {"highlight": false}, "y": {"highlight": false}, "z": {"highlight": false}},
            })),
        ],
        layout: json!({
            "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
            "scene": {
                "xaxis": axis("heading east, s"), "yaxis": axis("heading north, s"), "zaxis": axis("cost"),
                "aspectratio": {"x": 1.2, "y": 1.2, "z": 0.8},
                "camera": {"eye": {"x": -0.85, "y": -1.45, "z": 1.6}, "center": {"x": 0, "y": 0, "z": -0.28}},
            },
        }),
        height: 460,
    }
}

/// Figure 5: least cost by heading.
fn minima(lines: &[Line]) -> Plot {
    let mut data = Vec::new();
    for (line, look) in lines.iter().zip(looks()) {
        let (exact, sampled) = (&line.exact, &line.sampled);
        let trace = |points: &[(f64, f64)]| {
            let [theta, r] = split(points);
            json!({"type": "scatterpolar", "theta": theta, "r": r, "name": line.vehicle, "legendgroup": line.vehicle,
                "hovertemplate": format!("{}, heading %{{theta}}: %{{r:.1f}}<extra></extra>", line.vehicle)})
        };
        data.push(with(
            trace(exact),
            json!({"mode": "lines", "line": {"color": look.colour, "dash": look.dash, "width": 2}}),
        ));
        data.push(with(
            trace(sampled),
            json!({"mode": "markers", "marker": {"color": look.colour, "symbol": look.symbol, "size": 7}, "showlegend": false}),
        ));
    }
    let words = |line: &Line| {
        let least = line.sampled.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
        format!("{}: least cost {least:.1}, at {} degrees", line.vehicle, line.heading_deg)
    };
    Plot {
        id: "figure-5".to_owned(),
        title: "Least cost by heading (Figure 5)".to_owned(),
        alt: format!(
            "Least cost of each vehicle around the circle of headings. {}. Costs are highest on the opposite headings.",
            lines.iter().map(words).collect::<Vec<_>>().join("; ")
        ),
        caption: "Distance from the middle: the least cost on that heading, that of coming just in time. Marks: the \
                  least of the samples, which are 5 s apart and so up to 10 units higher."
            .to_owned(),
        data,
        layout: json!({
            "margin": {"l": 40, "r": 40, "t": 24, "b": 32},
            "polar": {
                "bgcolor": "rgba(0,0,0,0)",
                "angularaxis": {"dtick": 45, "gridcolor": "@line", "linecolor": "@faint", "color": "@ink", "ticksuffix": "°",
                    "showticksuffix": "all"},
                "radialaxis": {"rangemode": "tozero", "angle": 22.5, "tickangle": 22.5, "gridcolor": "@line",
                    "linecolor": "@faint", "color": "@ink", "nticks": 5},
            },
            "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.04, "yanchor": "bottom"},
        }),
        height: 460,
    }
}

/// Figure 6: cost by time on the preferred heading.
fn slices(lines: &[Line]) -> Plot {
    let mut data = Vec::new();
    for (line, look) in lines.iter().zip(looks()) {
        let trace = |points: &[(f64, f64)]| {
            let [x, y] = split(points);
            json!({"type": "scatter", "x": x, "y": y, "name": format!("{} at {}°", line.vehicle, line.heading_deg),
                "legendgroup": line.vehicle,
                "hovertemplate": format!("{} at %{{x:.1f}} s: %{{y:.1f}}<extra></extra>", line.vehicle)})
        };
        // Down to nothing where it begins: before that it is infeasible.
        let wall = line.exact.first().map(|&(at_s, _)| (at_s, 0.0));
        let exact: Vec<(f64, f64)> = wall.into_iter().chain(line.exact.iter().copied()).collect();
        data.push(with(
            trace(&exact),
            json!({"mode": "lines", "line": {"color": look.colour, "dash": look.dash, "width": 2}}),
        ));
        data.push(with(
            trace(&line.sampled),
            json!({"mode": "markers", "marker": {"color": look.colour, "symbol": look.symbol, "size": 6}, "showlegend": false}),
        ));
    }
    data.push(json!({
        "type": "scatter", "mode": "markers", "name": "the paper, doug2", "x": [20, 25], "y": [40, 50],
        "marker": {"color": "@ink", "symbol": "circle-open", "size": 14, "line": {"width": 2}},
        "hovertemplate": "the paper: %{y} at %{x} s<extra></extra>",
    }));
    let words = |line: &Line| {
        let (at_s, cost) = line.sampled.first().copied().unwrap_or_default();
        format!("{} on heading {}: {cost:.1} at {at_s} s", line.vehicle, line.heading_deg)
    };
    Plot {
        id: "figure-6".to_owned(),
        title: "Cost by time, on the preferred heading (Figure 6)".to_owned(),
        alt: format!(
            "Cost of each vehicle by time: infeasible at first, then rising by 2 a second. First samples: {}.",
            lines.iter().map(words).collect::<Vec<_>>().join("; ")
        ),
        caption:
            "Before a line begins, the vehicle cannot be there in time; afterwards it wastes time waiting, at the \
                  same cost a second for all. So the lines fall on each other where no vehicle takes a detour."
                .to_owned(),
        data,
        layout: json!({
            "xaxis": {"title": {"text": "time over the target, s"}, "range": [0, 102]},
            "yaxis": {"title": {"text": "cost"}, "rangemode": "tozero"},
        }),
        height: 400,
    }
}

fn looks() -> [Look; 3] {
    ["I", "II", "III"].map(look::of)
}

fn split(points: &[(f64, f64)]) -> [Vec<f64>; 2] {
    [points.iter().map(|point| rounded(point.0)).collect(), points.iter().map(|point| rounded(point.1)).collect()]
}

/// To thousandths: more cannot be seen, and would make up most of the page.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// A trace with more keys.
fn with(mut trace: Value, more: Value) -> Value {
    if let (Value::Object(trace), Value::Object(more)) = (&mut trace, more) {
        trace.extend(more);
    }
    trace
}
