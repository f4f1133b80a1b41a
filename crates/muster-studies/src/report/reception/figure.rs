//! The main figure alone, as SVG: for how much of the time each robot feels what, by the number of guests.

use super::LOOKS;
use crate::provenance::Provenance;
use crate::reception::Study;
use crate::reception::runs::ROBOTS;
use crate::report::figure::STYLE;
use crate::report::html::{escape, push};

const OWN_STYLE: &str = include_str!("figure.css");

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
/// Top and bottom of the plots, and where each robot's begins and how wide it is.
const TOP: f64 = 76.0;
const BOTTOM: f64 = 330.0;
const LEFT: [f64; 2] = [64.0, 394.0];
const SIDE: f64 = 310.0;

fn y(percent: f64) -> f64 {
    BOTTOM - percent / 100.0 * (BOTTOM - TOP)
}

/// Stacked bars, Butler's beside Leguin's.
pub fn figure(study: &Study, from: &Provenance) -> String {
    let emotions = study.emotions();
    let words = |robot: &str| {
        let of = study.crowds.iter().map(|crowd| {
            let shares = crowd.shares.iter().filter(|it| it.robot == robot);
            let shares: Vec<String> =
                shares.map(|it| format!("{} {:.1} %", it.emotion, 100.0 * it.share.mean)).collect();
            format!("{} guests: {}", crowd.guests, shares.join(", "))
        });
        format!("{robot}, {}", of.collect::<Vec<_>>().join("; "))
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" role=\"img\" aria-labelledby=\"title desc\">\n<title id=\"title\">Share of time in each emotion, \
         by the number of guests</title>\n<desc id=\"desc\">{}.</desc>\n\
         <metadata>{}; {}</metadata>\n<style>\n{STYLE}{OWN_STYLE}</style>\n\
         <rect class=\"ground\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n",
        escape(&ROBOTS.map(words).join(". ")),
        escape(&from.line()),
        escape(&from.command),
    );
    for (level, emotion) in emotions.iter().enumerate() {
        let x = LEFT[0] + 150.0 * level as f64;
        let class = level % LOOKS.len();
        push(&mut out, format_args!("<rect class=\"e{class}\" x=\"{x}\" y=\"20\" width=\"14\" height=\"14\"/>\n"));
        push(&mut out, format_args!("<text x=\"{}\" y=\"32\">{}</text>\n", x + 20.0, escape(emotion)));
    }
    for (robot, left) in ROBOTS.iter().zip(LEFT) {
        panel(&mut out, study, robot, left);
    }
    push(
        &mut out,
        format_args!(
            "<text class=\"note\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">guests on 50 by 50 ft; means of {} seeds, half an \
             hour each; the paper has 100 guests</text>\n</svg>\n",
            WIDTH / 2.0,
            HEIGHT - 12.0,
            study.runs
        ),
    );
    out
}

fn panel(out: &mut String, study: &Study, robot: &str, left: f64) {
    let right = left + SIDE;
    let middle = f64::midpoint(left, right);
    push(out, format_args!("<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{robot}</text>\n", TOP - 14.0));
    for percent in [0.0, 25.0, 50.0, 75.0, 100.0] {
        let (class, y) = (if percent == 0.0 { "axis" } else { "grid" }, y(percent));
        push(out, format_args!("<line class=\"{class}\" x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\n"));
        if left == LEFT[0] {
            let label = left - 8.0;
            push(
                out,
                format_args!("<text x=\"{label}\" y=\"{:.1}\" text-anchor=\"end\">{percent} %</text>\n", y + 4.5),
            );
        }
    }
    let step = SIDE / study.crowds.len().max(1) as f64;
    for (index, crowd) in study.crowds.iter().enumerate() {
        let x = left + step * (index as f64 + 0.14);
        let mut below = 0.0;
        for (level, it) in crowd.shares.iter().filter(|it| it.robot == robot).enumerate() {
            let above = below + 100.0 * it.share.mean;
            let (class, top, height) = (level % LOOKS.len(), y(above), y(below) - y(above));
            push(
                out,
                format_args!(
                    "<rect class=\"ours e{class}\" x=\"{x:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{height:.1}\"/>\n",
                    step * 0.72
                ),
            );
            below = above;
        }
        let label = x + step * 0.36;
        let (guests, y) = (crowd.guests, BOTTOM + 19.0);
        push(out, format_args!("<text x=\"{label:.1}\" y=\"{y}\" text-anchor=\"middle\">{guests}</text>\n"));
    }
    let y = BOTTOM + 38.0;
    push(out, format_args!("<text x=\"{middle}\" y=\"{y}\" text-anchor=\"middle\">guests</text>\n"));
}
