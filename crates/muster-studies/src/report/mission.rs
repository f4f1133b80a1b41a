//! The report of a run or a batch: summary, distributions, and one run of each strategy to be looked at.

use muster_sim::scenario::Loaded;

use super::distribution::{self, What};
use super::html::{Mark, Table, Value, escape, number, push, text};
use super::plot::{Plot, grid};
use super::trace::{Trace, trace};
use super::{map, messages, page, shame};
use crate::provenance::Provenance;
use crate::run::Row;
use crate::summary::{Spread, Summary};

/// The whole page, of all runs. `interrupted`: there are fewer than asked for.
pub fn mission(loaded: &Loaded, rows: &[Row], from: &Provenance, interrupted: bool) -> String {
    let strategies: Vec<&'static str> = loaded.strategies().into_iter().map(|strategy| strategy.name()).collect();
    let summary: Vec<Summary> = strategies.iter().map(|strategy| Summary::of(strategy, rows)).collect();
    let runs = summary.iter().map(|line| line.runs).max().unwrap_or(0);
    // The first run of each strategy: all on the same arrangement.
    let first = strategies.iter().filter_map(|strategy| rows.iter().find(|row| row.strategy == *strategy));
    let traces: Vec<Trace<'_>> = first.map(|row| trace(loaded, row)).collect();

    let mut plots: Vec<Plot> = Vec::new();
    let mut body = head(loaded, &summary, runs, from, interrupted);
    body.push_str(&format!("<section id=\"summary\">\n<h2>Summary</h2>\n{}", summary_table(&summary, runs).html()));
    if runs > 1 {
        body.push_str(
            "<p class=\"note\">Mean ± half the 95 % interval of the mean; overlaps, duplicates and lost tasks in all \
             runs together.</p>\n",
        );
        let distributions = [What::Messages, What::Wait].map(|what| distribution::plot(what, &summary, rows));
        body.push_str(&grid(&distributions));
        plots.extend(distributions);
    }
    body.push_str("</section>\n");
    if let Some(looked_at) = traces.first() {
        let maps: Vec<Plot> = traces.iter().map(|trace| map::plot(loaded, trace)).collect();
        let which = if runs > 1 { format!(": the first of {runs}") } else { String::new() };
        body.push_str(&format!(
            "<section id=\"one-run\">\n<h2>One run{which}, seed {}</h2>\n<div class=\"grid maps\">\n{}</div>\n",
            looked_at.row.seed,
            maps.iter().map(Plot::html).collect::<String>()
        ));
        plots.extend(maps);
        let ashamed = traces.iter().find(|trace| trace.shame_decides()).unwrap_or(looked_at);
        let mut over_time = vec![messages::plot(&traces)];
        over_time.extend(shame::plot(ashamed));
        body.extend(over_time.iter().map(Plot::html));
        plots.extend(over_time);
        body.push_str("</section>\n<section id=\"tasks\">\n<h2>Tasks of that run</h2>\n<div class=\"grid\">\n");
        body.extend(traces.iter().map(|trace| task_table(trace).html()));
        body.push_str("</div>\n");
        body.push_str(&kind_table(&traces).html());
        body.push_str("</section>\n");
        body.push_str(&why(looked_at));
    }
    page::page(&format!("{}: a mission", loaded.name), &body, &plots, from, interrupted)
}

fn head(loaded: &Loaded, summary: &[Summary], runs: usize, from: &Provenance, interrupted: bool) -> String {
    let all = summary.iter().all(|line| line.completed == line.runs);
    let (class, verdict) = match (interrupted, all) {
        (true, _) => ("bad", "Broken off: there are fewer runs than asked for."),
        (false, true) => ("good", "Every task of every run was handed over."),
        (false, false) => ("bad", "Some tasks were not handed over."),
    };
    let count = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    let described: Vec<&str> = loaded.scenario.description.split_whitespace().collect();
    format!(
        "<header>\n<h1>{}</h1>\n<p class=\"from\">{}</p>\n<p class=\"lead\"><strong class=\"{class}\">{verdict}</strong> \
         {}, {}, radio.loss {} %, {} of each strategy.</p>\n<p>{}</p>\n\
         <nav aria-label=\"Contents\"><ul><li><a href=\"#summary\">Summary</a></li><li><a href=\"#one-run\">One \
         run</a></li><li><a href=\"#tasks\">Tasks</a></li><li><a \
         href=\"#why\">Why</a></li><li><a href=\"#provenance\">Provenance</a></li></ul></nav>\n\
         </header>\n",
        escape(&loaded.name),
        escape(&from.line()),
        count(loaded.mission.robots.len(), "robot"),
        count(loaded.task_names.len(), "task"),
        loaded.scenario.radio.loss.get() * 100.0,
        count(runs, "run"),
        escape(&described.join(" ")),
    )
}

/// More sentences than this are not read; `muster explain` tells them all.
const MOST_AWARDS: usize = 30;

/// Why each robot was chosen, in the explainer's words.
fn why(trace: &Trace<'_>) -> String {
    let awards = &trace.awards;
    let mut out = format!("<section id=\"why\">\n<h2>Why, in that run ({})</h2>\n", trace.row.strategy);
    if awards.is_empty() {
        out.push_str("<p>Nobody was chosen for anything.</p>\n");
    } else {
        out.push_str("<ol class=\"why\">\n");
        for award in awards.iter().take(MOST_AWARDS) {
            let (at_s, robot, text) = (award.at_s, escape(&award.robot), escape(&award.text));
            push(&mut out, format_args!("<li><span class=\"n\">{at_s:.1} s</span> {robot} {text}</li>\n"));
        }
        out.push_str("</ol>\n");
    }
    if let Some(more) = awards.len().checked_sub(MOST_AWARDS).filter(|more| *more > 0) {
        push(&mut out, format_args!("<p class=\"note\">{more} more are left out.</p>\n"));
    }
    out.push_str(
        "<p class=\"note\">Record the run with <code>--record run.mcap</code>, and <code>muster explain run.mcap</code> \
         tells every silence, time-out and take-over, too.</p>\n</section>\n",
    );
    out
}

fn summary_table(summary: &[Summary], runs: usize) -> Table {
    let head = ["strategy", "completed", "messages", "wait, s", "overlaps", "duplicates", "lost tasks"];
    let mut table = Table::new("All runs by strategy", &head);
    let spread = |spread: &Spread, decimals: usize| {
        Value::Number(match runs {
            0 => "–".to_owned(),
            1 => format!("{:.decimals$}", spread.mean),
            _ => format!("{:.1} ± {:.1}", spread.mean, spread.half_95),
        })
    };
    for line in summary {
        let mark = if line.completed == line.runs { Mark::Good } else { Mark::Bad };
        table.row([
            text(line.strategy),
            Value::Verdict(mark, format!("{} of {}", line.completed, line.runs)),
            spread(&line.messages, 0),
            spread(&line.wait_s, 1),
            number(line.overlaps as f64, 0),
            number(line.duplicates as f64, 0),
            number(line.lost as f64, 0),
        ]);
    }
    table
}

fn task_table(trace: &Trace<'_>) -> Table {
    let head = ["task", "east, m", "north, m", "seen, s", "recruited", "wait, s", "HELPs", "workers"];
    let mut table = Table::new(format!("{}: task by task", trace.row.strategy), &head);
    for (index, task) in trace.row.outcome.iter().enumerate() {
        let nobody = if task.seen_s.is_some() { "nobody" } else { "not found" };
        table.row([
            text(format!("{} {}", index + 1, task.task)),
            number(task.place_m[0], 1),
            number(task.place_m[1], 1),
            number(task.seen_s.unwrap_or(f64::NAN), 1),
            text(task.responder.as_deref().unwrap_or(nobody)),
            number(task.wait_s.unwrap_or(f64::NAN), 1),
            number(f64::from(task.helps), 0),
            number(task.workers as f64, 0),
        ]);
    }
    table
}

/// The messages of the protocol, in the order in which a recruitment sends them.
const KINDS: [&str; 6] = ["HELP", "ACCEPT", "RESPONDER", "ARRIVAL", "AGREE", "ACKACK"];

fn kind_table(traces: &[Trace<'_>]) -> Table {
    let mut head = vec!["strategy"];
    head.extend(KINDS);
    head.extend(["sent", "lost"]);
    let mut table = Table::new("Messages by kind", &head);
    for trace in traces {
        let sent = KINDS.map(|kind| trace.kinds.get(kind).map_or(0, |(sent, _)| *sent));
        let lost: u64 = trace.kinds.values().map(|(_, lost)| lost).sum();
        let numbers = sent.iter().chain([&trace.row.messages, &lost]).map(|count| number(*count as f64, 0));
        table.row(std::iter::once(text(trace.row.strategy)).chain(numbers));
    }
    table
}
