//! The main figure alone, as SVG: messages against team size, the paper beside ours.
//!
//! Drawn by hand: a plotting crate would cost more to build than these lines cost to read, and would bring
//! fonts and colours of its own.

use muster_core::recruitment::Strategy;

use super::html::{escape, push};
use super::look;
use super::sweep::Axis;
use crate::provenance::Provenance;
use crate::recruitment::{Cell, Study};

pub(super) const STYLE: &str = include_str!("figure.css");

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
/// The area of the plot: left, right, top, bottom.
const AREA: (f64, f64, f64, f64) = (64.0, 704.0, 60.0, 340.0);

/// From numbers to places.
struct Scale {
    most_x: f64,
    most_y: f64,
}

impl Scale {
    fn x(&self, value: f64) -> f64 {
        AREA.0 + value / self.most_x * (AREA.1 - AREA.0)
    }

    fn y(&self, value: f64) -> f64 {
        AREA.3 - value / self.most_y * (AREA.3 - AREA.2)
    }
}

/// Messages against team size.
pub fn figure(study: &Study, from: &Provenance) -> String {
    let cells: Vec<&Cell> = study.cells.iter().filter(|cell| cell.table == 1).collect();
    let step = 25.0;
    let most = |of: fn(&Cell) -> f64| cells.iter().map(|cell| of(cell)).filter(|y| y.is_finite()).fold(0.0, f64::max);
    let top = most(|cell| cell.paper).max(most(|cell| cell.high));
    let scale = Scale { most_x: most(|cell| f64::from(cell.team)) + 2.0, most_y: (top / step).ceil().max(1.0) * step };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" role=\"img\" aria-labelledby=\"title desc\">\n<title id=\"title\">Messages against team \
         size: Gage &amp; Murphy 2004 beside Muster</title>\n<desc id=\"desc\">{}</desc>\n\
         <metadata>{}; {}</metadata>\n<style>\n{STYLE}</style>\n<rect class=\"ground\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\"/>\n",
        escape(&description(&cells)),
        escape(&from.line()),
        escape(&from.command),
    );
    axes(&mut out, &scale, &cells, step);
    for (place, strategy) in Strategy::ALL.into_iter().enumerate() {
        let own: Vec<&Cell> = cells.iter().copied().filter(|cell| cell.strategy == strategy.name()).collect();
        let shift = (place as f64 - 1.0) * Axis::Team.apart();
        series(&mut out, &scale, &own, strategy.name(), shift);
        legend(&mut out, strategy.name(), AREA.0 + 8.0 + 214.0 * place as f64);
    }
    push(
        &mut out,
        format_args!(
            "<text class=\"note\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">bars: central 95 % of {} three-run means; \
             rings: the paper, three runs a point; seed {}</text>\n</svg>\n",
            f64::midpoint(AREA.0, AREA.1),
            HEIGHT - 8.0,
            study.runs,
            from.seed
        ),
    );
    out
}

fn description(cells: &[&Cell]) -> String {
    let words: Vec<String> = cells
        .iter()
        .map(|cell| format!("{}, {} robots: paper {}, ours {:.1}", cell.strategy, cell.team, cell.paper, cell.mean))
        .collect();
    format!("{}.", words.join("; "))
}

fn axes(out: &mut String, scale: &Scale, cells: &[&Cell], step: f64) {
    let (left, right, _, bottom) = AREA;
    let mut value = 0.0;
    while value <= scale.most_y {
        let y = scale.y(value);
        push(out, format_args!("<line class=\"grid\" x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\n"));
        push(out, format_args!("<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>\n", left - 8.0, y + 4.5));
        value += step;
    }
    let mut teams: Vec<u32> = cells.iter().map(|cell| cell.team).collect();
    teams.sort_unstable();
    teams.dedup();
    for team in teams {
        let x = scale.x(f64::from(team));
        let end = bottom + 5.0;
        push(out, format_args!("<line class=\"axis\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{bottom}\" y2=\"{end}\"/>\n"));
        push(out, format_args!("<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{team}</text>\n", bottom + 19.0));
    }
    push(out, format_args!("<line class=\"axis\" x1=\"{left}\" x2=\"{right}\" y1=\"{bottom}\" y2=\"{bottom}\"/>\n"));
    let (middle_x, middle_y) = (f64::midpoint(left, right), f64::midpoint(AREA.2, bottom));
    push(
        out,
        format_args!(
            "<text x=\"{middle_x}\" y=\"{}\" text-anchor=\"middle\">robots in the team</text>\n",
            bottom + 36.0
        ),
    );
    push(
        out,
        format_args!(
            "<text transform=\"translate(18 {middle_y}) rotate(-90)\" text-anchor=\"middle\">messages</text>\n"
        ),
    );
}

fn series(out: &mut String, scale: &Scale, cells: &[&Cell], strategy: &str, shift: f64) {
    push(out, format_args!("<g class=\"{strategy}\">\n"));
    let measured = || cells.iter().filter(|cell| cell.mean.is_finite() && cell.low.is_finite());
    let x = |cell: &Cell| scale.x(f64::from(cell.team) + shift);
    let points: Vec<String> = measured().map(|cell| format!("{:.1},{:.1}", x(cell), scale.y(cell.mean))).collect();
    push(out, format_args!("<polyline class=\"line\" points=\"{}\"/>\n", points.join(" ")));
    for cell in measured() {
        let (x, low, high) = (x(cell), scale.y(cell.low), scale.y(cell.high));
        let (left, right) = (x - 4.0, x + 4.0);
        push(
            out,
            format_args!(
                "<path class=\"bar\" d=\"M{left:.1} {low:.1}H{right:.1}M{x:.1} {low:.1}V{high:.1}M{left:.1} \
                 {high:.1}H{right:.1}\"/>\n"
            ),
        );
        marker(out, look::of(strategy).symbol, "ours", x, scale.y(cell.mean), 4.0);
    }
    for cell in cells {
        marker(out, look::of(strategy).symbol, "paper", x(cell), scale.y(cell.paper), 7.5);
    }
    out.push_str("</g>\n");
}

/// A marker of one of plotly's shapes.
pub(super) fn marker(out: &mut String, symbol: &str, class: &str, x: f64, y: f64, r: f64) {
    match symbol {
        "circle" => push(out, format_args!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\"/>\n")),
        "square" => {
            let (left, top, side) = (x - r * 0.9, y - r * 0.9, r * 1.8);
            push(
                out,
                format_args!(
                    "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side:.1}\" height=\"{side:.1}\"/>\n"
                ),
            );
        }
        "triangle-up" => {
            let (left, right, top, bottom) = (x - r * 1.1, x + r * 1.1, y - r * 1.2, y + r * 0.8);
            push(
                out,
                format_args!(
                    "<path class=\"{class}\" d=\"M{left:.1} {bottom:.1}L{x:.1} {top:.1}L{right:.1} {bottom:.1}Z\"/>\n"
                ),
            );
        }
        _ => {
            let r = r * 1.25;
            let (left, right, top, bottom) = (x - r, x + r, y - r, y + r);
            push(
                out,
                format_args!(
                    "<path class=\"{class}\" d=\"M{left:.1} {y:.1}L{x:.1} {top:.1}L{right:.1} {y:.1}L{x:.1} {bottom:.1}Z\"/>\n"
                ),
            );
        }
    }
}

fn legend(out: &mut String, strategy: &str, left: f64) {
    let y = 32.0;
    push(out, format_args!("<g class=\"{strategy}\">\n"));
    push(out, format_args!("<polyline class=\"line\" points=\"{left:.1},{y} {:.1},{y}\"/>\n", left + 30.0));
    marker(out, look::of(strategy).symbol, "ours", left + 15.0, y, 4.0);
    marker(out, look::of(strategy).symbol, "paper", left + 46.0, y, 7.5);
    push(out, format_args!("</g>\n<text x=\"{:.1}\" y=\"{}\">{strategy}: ours, paper</text>\n", left + 62.0, y + 4.5));
}
