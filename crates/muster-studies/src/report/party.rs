//! The report of a reception: what robots felt and did, for how long, how the first one went, and its log.

use muster_core::affect::Name;
use muster_reception::scenario::Party;
use muster_reception::{Deed, Line};
use serde_json::{Value, json};

use super::html::escape;
use super::plot::{Plot, as_text, grid};
use super::reception::look;
use crate::party::{RobotSummary, Row, SpentSummary, Summary};
use crate::provenance::Provenance;
use crate::summary::Spread;
use crate::table::{self, Table};

/// Of what a robot has: its emotions or its behaviours.
#[derive(Copy, Clone)]
enum Kind {
    Emotions,
    Behaviors,
}

impl Kind {
    const ALL: [Self; 2] = [Self::Emotions, Self::Behaviors];

    const fn word(self) -> &'static str {
        match self {
            Self::Emotions => "feel",
            Self::Behaviors => "do",
        }
    }

    const fn id(self) -> &'static str {
        match self {
            Self::Emotions => "emotions",
            Self::Behaviors => "behaviours",
        }
    }

    fn of(self, robot: &RobotSummary) -> &[SpentSummary] {
        match self {
            Self::Emotions => &robot.emotions,
            Self::Behaviors => &robot.behaviors,
        }
    }

    /// Who is in which state from here on, if the line says so.
    fn entered(self, deed: &Deed) -> Option<(&Name, &Name)> {
        match (self, deed) {
            (Self::Emotions, Deed::Robot { name, emotion, .. }) => Some((name, emotion)),
            (Self::Emotions, Deed::Emotion { robot, new, .. }) => Some((robot, new)),
            (Self::Behaviors, Deed::Robot { name, behavior, .. }) => Some((name, behavior)),
            (Self::Behaviors, Deed::Behavior { robot, new, .. }) => Some((robot, new)),
            _ => None,
        }
    }
}

/// The whole page. `lines` is the log of the first reception. `interrupted`: there are fewer than asked for.
pub fn party(party: &Party, rows: &[Row], lines: &[Line], from: &Provenance, interrupted: bool) -> String {
    let summary = Summary::of(rows);
    let shares = Kind::ALL.map(|kind| bars(&summary, kind));
    let end_s = rows.first().map_or(0.0, |row| row.end_s);
    let course = Kind::ALL.map(|kind| steps(lines, end_s, kind));
    let [feel, does] = Kind::ALL.map(|kind| states(&summary, kind).html());
    let tables = format!("{feel}{does}{}", said(&summary).html());
    let seed = rows.first().map_or(from.seed, |row| row.seed);
    let body = format!(
        "{}<section id=\"summary\">\n<h2>Who felt and did what</h2>\n{}<div class=\"grid\">\n{tables}</div>\n</section>\n\
         <section id=\"one-run\">\n<h2>{}, seed {seed}</h2>\n{}{}<details>\n<summary>The log: {} lines</summary>\n\
         <pre tabindex=\"0\">{}</pre>\n</details>\n</section>\n",
        head(party, rows, from, interrupted),
        grid(&shares),
        if rows.len() > 1 { format!("The first of {}", rows.len()) } else { "How it went".to_owned() },
        course[0].html(),
        course[1].html(),
        lines.len(),
        lines.iter().map(|line| escape(&format!("{line}\n").replace('\t', "  "))).collect::<String>()
    );
    let plots: Vec<Plot> = shares.into_iter().chain(course).collect();
    super::page::page(&format!("{}: a reception", party.name), &body, &plots, from, interrupted)
}

fn head(party: &Party, rows: &[Row], from: &Provenance, interrupted: bool) -> String {
    let (class, verdict) = match (interrupted, rows.iter().filter(|row| !row.completed).count()) {
        (true, _) => ("bad", format!("Broken off after {}", rows.len())),
        (false, 0) => ("good", "No robot failed".to_owned()),
        (false, failed) => ("bad", format!("A robot failed in {failed} of {}", rows.len())),
    };
    let mut why: Vec<&String> = Vec::new();
    for failed in rows.iter().flat_map(|row| &row.outcome).filter_map(|robot| robot.failed.as_ref()) {
        if !why.contains(&failed) {
            why.push(failed);
        }
    }
    let why: String = why.iter().map(|why| format!("<p class=\"bad\">{}</p>\n", escape(why))).collect();
    format!(
        "<header>\n<h1>{}</h1>\n<p class=\"from\">{}</p>\n<p class=\"lead\"><strong class=\"{class}\">{}</strong>: {} robots, \
         {} guests on {} by {} ft, {:.0} s{}.</p>\n<p>{}</p>\n{why}</header>\n",
        escape(&party.name),
        escape(&from.line()),
        escape(&verdict),
        party.names().len(),
        party.guests(),
        party.setup.width_ft,
        party.setup.height_ft,
        party.limit.as_secs_f64(),
        if rows.len() > 1 { format!(", {} times", rows.len()) } else { String::new() },
        escape(&party.scenario.description),
    )
}

fn percent(share: f64) -> f64 {
    (share * 10_000.0).round() / 100.0
}

/// Every state of any robot, in the order in which they first came up.
fn names(summary: &Summary, kind: Kind) -> Vec<&Name> {
    let mut names: Vec<&Name> = Vec::new();
    for state in summary.robots.iter().flat_map(|robot| kind.of(robot)) {
        if !names.contains(&&state.name) {
            names.push(&state.name);
        }
    }
    names
}

fn bars(summary: &Summary, kind: Kind) -> Plot {
    let robots: Vec<String> = summary.robots.iter().map(|robot| as_text(&robot.robot)).collect();
    let share = |robot: &RobotSummary, name: &Name| {
        kind.of(robot).iter().find(|state| state.name == *name).map_or(0.0, |state| percent(state.share.mean))
    };
    let data: Vec<Value> = names(summary, kind)
        .into_iter()
        .enumerate()
        .map(|(level, name)| {
            let (colour, shape) = look(level);
            json!({
                "type": "bar", "name": as_text(name), "x": robots,
                "y": summary.robots.iter().map(|robot| share(robot, name)).collect::<Vec<_>>(),
                "marker": {"color": colour, "pattern": {"shape": shape, "fillmode": "overlay", "fgcolor": "@ground", "size": 8, "solidity": 0.12}},
                "hovertemplate": format!("%{{x}}<br>{}: %{{y:.1f}} %<extra></extra>", as_text(name)),
            })
        })
        .collect();
    let words = summary.robots.iter().map(|robot| {
        let shares: Vec<String> =
            kind.of(robot).iter().map(|state| format!("{} {:.1} %", state.name, percent(state.share.mean))).collect();
        format!("{}: {}", robot.robot, shares.join(", "))
    });
    let words = words.collect::<Vec<_>>().join(". ");
    Plot {
        id: format!("shares-{}", kind.id()),
        title: format!("What robots {}, share of the time", kind.word()),
        alt: format!("Stacked bars. {words}."),
        caption: format!("{words}."),
        data,
        layout: json!({
            "barmode": "stack",
            "xaxis": {"type": "category", "showgrid": false},
            "yaxis": {"title": {"text": "% of the time"}, "range": [0, 100]},
        }),
        height: 420,
    }
}

/// One run: who was in which state from when to when.
fn steps(lines: &[Line], end_s: f64, kind: Kind) -> Plot {
    let mut courses: Vec<(&Name, Vec<(f64, &Name)>)> = Vec::new();
    for line in lines {
        let Some((robot, state)) = kind.entered(&line.deed) else { continue };
        let entry = (line.at.as_secs_f64(), state);
        match courses.iter_mut().find(|(name, _)| *name == robot) {
            Some((_, course)) => course.push(entry),
            None => courses.push((robot, vec![entry])),
        }
    }
    let changes: usize = courses.iter().map(|(_, course)| course.len() - 1).sum();
    let dashes = ["solid", "dot", "dash", "dashdot"];
    let data: Vec<Value> = courses
        .iter()
        .enumerate()
        .map(|(index, (robot, course))| {
            // Up to the end: a step needs somewhere to go.
            let last = course.last().map(|(_, state)| (end_s, *state));
            let points: Vec<(f64, &Name)> = course.iter().copied().chain(last).collect();
            json!({
                "type": "scatter", "mode": "lines", "name": as_text(robot),
                "x": points.iter().map(|(at, _)| at).collect::<Vec<_>>(),
                "y": points.iter().map(|(_, state)| as_text(state)).collect::<Vec<_>>(),
                "line": {"shape": "hv", "width": 2, "color": look(index).0, "dash": dashes[index % dashes.len()]},
                "hovertemplate": format!("%{{x}} s: {} %{{y}}<extra></extra>", as_text(robot)),
            })
        })
        .collect();
    Plot {
        id: format!("course-{}", kind.id()),
        title: format!("What robots {} over time", kind.word()),
        alt: format!("Steps for each of {} robots over {end_s:.0} s, {changes} changes in all.", courses.len()),
        caption: format!("{changes} changes; each is in the log below, emotions with the reason."),
        data,
        layout: json!({
            "xaxis": {"title": {"text": "time, s"}, "range": [0, end_s]},
            "yaxis": {"type": "category", "title": {"text": kind.word()}},
        }),
        height: 360,
    }
}

/// A mean, with its interval if it is one of several.
fn spread(spread: &Spread, scale: f64) -> table::Value {
    table::Value::Number(match spread.half_95 {
        0.0 => format!("{:.1}", spread.mean * scale),
        half => format!("{:.1} ± {:.1}", spread.mean * scale, half * scale),
    })
}

fn states(summary: &Summary, kind: Kind) -> Table {
    let mut table = Table::new(format!("What robots {}", kind.word()), &["robot", "state", "% of the time", "times"]);
    for robot in &summary.robots {
        for state in kind.of(robot) {
            let (share, times) = (spread(&state.share, 100.0), spread(&state.times, 1.0));
            table.row([table::text(robot.robot.to_string()), table::text(state.name.to_string()), share, times]);
        }
    }
    table
}

fn said(summary: &Summary) -> Table {
    let mut table = Table::new("What they told each other", &["who", "to whom", "what", "times"]);
    for said in &summary.commands {
        let words = [&said.from, &said.to, &said.command].map(|word| table::text(word.to_string()));
        table.row(words.into_iter().chain([spread(&said.times, 1.0)]));
    }
    table
}
