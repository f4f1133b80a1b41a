//! The main figure alone, as SVG: cost against time on each vehicle's heading. [MacKenzie, Figure 6]

use crate::provenance::Provenance;
use crate::report::figure::{STYLE, marker};
use crate::report::html::{escape, push};
use crate::report::look;
use crate::tasking::Study;
use crate::tasking::figures::Line;

const OWN_STYLE: &str = include_str!("figure.css");

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
/// The area of the plot: left, right, top, bottom.
const AREA: (f64, f64, f64, f64) = (64.0, 704.0, 60.0, 330.0);
/// Between lines of the grid.
const STEP: f64 = 50.0;
/// Seconds shown, a little more than a bid holds.
const SECONDS: f64 = 102.0;
/// What the paper's text gives: doug2's cost at two times. [MacKenzie §4]
const PAPER: [(f64, f64); 2] = [(20.0, 40.0), (25.0, 50.0)];

/// From cost to places.
struct Scale {
    most: f64,
}

impl Scale {
    fn of(lines: &[Line]) -> Self {
        let most = lines.iter().flat_map(|line| &line.exact).map(|point| point.1).fold(STEP, f64::max);
        Self { most: (most / STEP).ceil() * STEP }
    }

    fn x(at_s: f64) -> f64 {
        AREA.0 + at_s / SECONDS * (AREA.1 - AREA.0)
    }

    fn y(&self, cost: f64) -> f64 {
        AREA.3 - cost / self.most * (AREA.3 - AREA.2)
    }
}

/// Figure 6, with the paper's two points as rings.
pub fn figure(study: &Study, from: &Provenance) -> String {
    let lines = &study.figures.slices;
    let scale = Scale::of(lines);
    let words = |line: &Line| {
        let (at_s, cost) = line.sampled.first().copied().unwrap_or_default();
        format!("{} on heading {}: first sample {cost:.1} at {at_s} s", line.vehicle, line.heading_deg)
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" role=\"img\" aria-labelledby=\"title desc\">\n<title id=\"title\">Cost against time on each \
         vehicle’s heading</title>\n<desc id=\"desc\">{}. The paper has 40 at 20 s and 50 at 25 s for doug2.</desc>\n\
         <metadata>{}; {}</metadata>\n<style>\n{STYLE}{OWN_STYLE}</style>\n\
         <rect class=\"ground\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n",
        escape(&lines.iter().map(words).collect::<Vec<_>>().join("; ")),
        escape(&from.line()),
        escape(&from.command),
    );
    axes(&mut out, &scale);
    for (place, (line, name)) in lines.iter().zip(["I", "II", "III"]).enumerate() {
        let symbol = look::of(name).symbol;
        push(&mut out, format_args!("<g class=\"{}\">\n<path class=\"line\" d=\"", line.vehicle));
        // Up from nothing where it begins: before that it is infeasible.
        let wall = line.exact.first().map(|&(at_s, _)| (at_s, 0.0));
        for (index, (at_s, cost)) in wall.into_iter().chain(line.exact.iter().copied()).enumerate() {
            let letter = if index == 0 { "M" } else { "L" };
            push(&mut out, format_args!("{letter}{:.1} {:.1}", Scale::x(at_s), scale.y(cost)));
        }
        out.push_str("\"/>\n");
        for &(at_s, cost) in &line.sampled {
            marker(&mut out, symbol, "ours", Scale::x(at_s), scale.y(cost), 3.5);
        }
        let (x, y) = (AREA.0 + 8.0 + 150.0 * place as f64, 32.0);
        marker(&mut out, symbol, "ours", x, y, 5.0);
        push(
            &mut out,
            format_args!(
                "</g>\n<text x=\"{:.1}\" y=\"{}\">{} at {}°</text>\n",
                x + 14.0,
                y + 4.5,
                line.vehicle,
                line.heading_deg
            ),
        );
    }
    for (at_s, cost) in PAPER {
        marker(&mut out, "circle", "paper", Scale::x(at_s), scale.y(cost), 8.0);
        push(
            &mut out,
            format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{cost} at {at_s} s</text>\n",
                Scale::x(at_s) - 4.0,
                scale.y(cost) - 12.0
            ),
        );
    }
    let x = AREA.0 + 8.0 + 450.0;
    marker(&mut out, "circle", "paper", x, 32.0, 8.0);
    push(&mut out, format_args!("<text x=\"{:.1}\" y=\"36.5\">the paper, doug2</text>\n", x + 14.0));
    push(
        &mut out,
        format_args!(
            "<text class=\"note\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">lines: cost functions; marks: the samples of a \
             bid; a line begins when the vehicle can be there</text>\n</svg>\n",
            f64::midpoint(AREA.0, AREA.1),
            HEIGHT - 8.0,
        ),
    );
    out
}

fn axes(out: &mut String, scale: &Scale) {
    let (left, right, top, bottom) = AREA;
    let mut cost = 0.0;
    while cost <= scale.most {
        let (class, y) = (if cost == 0.0 { "axis" } else { "grid" }, scale.y(cost));
        push(out, format_args!("<line class=\"{class}\" x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\n"));
        let label = left - 8.0;
        push(out, format_args!("<text x=\"{label}\" y=\"{:.1}\" text-anchor=\"end\">{cost}</text>\n", y + 4.5));
        cost += STEP;
    }
    for at_s in [0.0, 20.0, 40.0, 60.0, 80.0, 100.0] {
        let (x, y) = (Scale::x(at_s), bottom + 19.0);
        push(out, format_args!("<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{at_s}</text>\n"));
    }
    let (middle, y) = (f64::midpoint(left, right), bottom + 38.0);
    push(out, format_args!("<text x=\"{middle}\" y=\"{y}\" text-anchor=\"middle\">time over the target, s</text>\n"));
    let middle = f64::midpoint(top, bottom);
    push(
        out,
        format_args!("<text transform=\"translate(18 {middle}) rotate(-90)\" text-anchor=\"middle\">cost</text>\n"),
    );
}
