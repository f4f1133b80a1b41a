//! The main figure alone, as SVG: how far above the optimum each rule ends, by region. [Parker §7.5, Figure 10]

use super::gaps;
use crate::alliance::Study;
use crate::alliance::gaps::{Conditions, Gap};
use crate::alliance::rules::Rule;
use crate::provenance::Provenance;
use crate::report::figure::{STYLE, marker};
use crate::report::html::{escape, push};
use crate::report::look;

const OWN_STYLE: &str = include_str!("figure.css");

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
/// The area of the plot: left, right, top, bottom.
const AREA: (f64, f64, f64, f64) = (64.0, 704.0, 60.0, 340.0);
/// How far rules stand apart, in pixels.
const APART: f64 = 34.0;
/// Between lines of the grid, in percent.
const STEP: f64 = 10.0;
/// What the report says that its strategy stays below, in percent.
const BOUND: f64 = 20.0;

/// From percent to places: bars of one standard deviation may reach below zero.
struct Scale {
    least: f64,
    most: f64,
}

impl Scale {
    fn of(rows: &[&Gap]) -> Self {
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        let most = rows.iter().map(|gap| finite(gap.mean + gap.sd)).fold(BOUND + STEP, f64::max);
        let least = rows.iter().map(|gap| finite(gap.mean - gap.sd)).fold(0.0, f64::min);
        Self { least: (least / STEP).floor() * STEP, most: (most / STEP).ceil() * STEP }
    }

    fn y(&self, percent: f64) -> f64 {
        AREA.3 - (percent - self.least) / (self.most - self.least) * (AREA.3 - AREA.2)
    }

    fn x(regions: u8, region: u8, rule: usize) -> f64 {
        let width = (AREA.1 - AREA.0) / f64::from(regions.max(1));
        AREA.0 + width * (f64::from(region) - 0.5) + (rule as f64 - 1.5) * APART
    }
}

/// Figure 10, with all rules: the report's delays, coverage from 1 up.
pub fn figure(study: &Study, from: &Provenance) -> String {
    let rows = gaps::rows(study, "figure-10", Conditions::Report, 1);
    let regions = rows.iter().map(|gap| gap.region.0).max().unwrap_or(3);
    let scale = Scale::of(&rows);
    let words: Vec<String> = rows
        .iter()
        .map(|gap| {
            format!("{}, region {}: {:.1} %, standard deviation {:.1}", gap.rule, gap.region.0, gap.mean, gap.sd)
        })
        .collect();
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" role=\"img\" aria-labelledby=\"title desc\">\n<title id=\"title\">Percent above the optimum \
         by region: L-ALLIANCE and rules beyond it</title>\n<desc id=\"desc\">{}.</desc>\n<metadata>{}; {}</metadata>\n\
         <style>\n{STYLE}{OWN_STYLE}</style>\n<rect class=\"ground\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n",
        escape(&words.join("; ")),
        escape(&from.line()),
        escape(&from.command),
    );
    axes(&mut out, &scale, regions);
    for (place, rule) in Rule::GAPS.into_iter().enumerate() {
        let name = rule.name();
        push(&mut out, format_args!("<g class=\"{name}\">\n"));
        for gap in rows.iter().filter(|gap| gap.rule == name && gap.mean.is_finite()) {
            let x = Scale::x(regions, gap.region.0, place);
            let (low, high) = (scale.y(gap.mean - gap.sd), scale.y(gap.mean + gap.sd));
            let (left, right) = (x - 4.0, x + 4.0);
            push(
                &mut out,
                format_args!(
                    "<path class=\"bar\" d=\"M{left:.1} {low:.1}H{right:.1}M{x:.1} {low:.1}V{high:.1}M{left:.1} \
                     {high:.1}H{right:.1}\"/>\n"
                ),
            );
            marker(&mut out, look::of(&name).symbol, "ours", x, scale.y(gap.mean), 5.0);
        }
        let (x, y) = (AREA.0 + 8.0 + 160.0 * place as f64, 32.0);
        marker(&mut out, look::of(&name).symbol, "ours", x, y, 5.0);
        push(&mut out, format_args!("</g>\n<text x=\"{:.1}\" y=\"{}\">{name}</text>\n", x + 14.0, y + 4.5));
    }
    push(
        &mut out,
        format_args!(
            "<text class=\"note\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">bars: one standard deviation between scenarios, \
             {} missions each; dotted: the report’s bound; seed {}</text>\n</svg>\n",
            f64::midpoint(AREA.0, AREA.1),
            HEIGHT - 8.0,
            study.runs,
            from.seed
        ),
    );
    out
}

fn axes(out: &mut String, scale: &Scale, regions: u8) {
    let (left, right, top, bottom) = AREA;
    let mut percent = scale.least;
    while percent <= scale.most {
        let y = scale.y(percent);
        push(out, format_args!("<line class=\"grid\" x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\n"));
        let label = left - 8.0;
        push(out, format_args!("<text x=\"{label}\" y=\"{:.1}\" text-anchor=\"end\">{percent}</text>\n", y + 4.5));
        percent += STEP;
    }
    let y = scale.y(BOUND);
    push(out, format_args!("<line class=\"bound\" x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\n"));
    let y = scale.y(0.0);
    push(out, format_args!("<line class=\"axis\" x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\n"));
    for region in 1..=regions {
        let x = f64::midpoint(Scale::x(regions, region, 0), Scale::x(regions, region, 3));
        let y = bottom + 19.0;
        push(out, format_args!("<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">region {region}</text>\n"));
    }
    let middle = f64::midpoint(top, bottom);
    push(
        out,
        format_args!(
            "<text transform=\"translate(18 {middle}) rotate(-90)\" text-anchor=\"middle\">above the optimum, %</text>\n"
        ),
    );
}
