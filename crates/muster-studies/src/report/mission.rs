//! The report of a run or a batch: summary, distributions, and one run of each strategy to be looked at.

use std::cmp::Reverse;

use muster_sim::Origin;

use super::distribution::{self, What};
use super::html::{Mark, Table, Value, escape, number, push, text};
use super::plot::{Plot, grid};
use super::trace::{Trace, trace};
use super::{bids, flights, holders, map, messages, page, pushed, shame, timeline};
use crate::air::Sent;
use crate::provenance::Provenance;
use crate::run::Row;
use crate::summary::{Spread, Summary};

/// The whole page, of all runs. `first`: what the first run of each scheme came from, all of one scenario.
/// `interrupted`: there are fewer runs than asked for. What has not been made when `halt` says so is left out.
pub fn mission(
    first: &[Origin],
    rows: &[Row],
    from: &Provenance,
    interrupted: bool,
    halt: impl Fn() -> bool,
) -> String {
    let Some(Origin { loaded, .. }) = first.first() else { return String::new() };
    let strategies: Vec<&'static str> = first.iter().map(|origin| origin.scheme.name()).collect();
    let summary: Vec<Summary> = strategies.iter().map(|strategy| Summary::of(strategy, rows)).collect();
    let runs = summary.iter().map(|line| line.runs).max().unwrap_or(0);
    // The first run of each strategy: all on the same arrangement.
    let row =
        |origin: &Origin| rows.iter().find(|row| row.strategy == origin.scheme.name() && row.seed == origin.seeds.run);
    let made: Vec<(&Origin, &Row)> = first.iter().filter_map(|origin| Some((origin, row(origin)?))).collect();
    let traces: Vec<Trace<'_>> = made.iter().map_while(|(origin, row)| trace(origin, row, &halt)).collect();

    // Whatever has been left out on that account.
    let interrupted = interrupted || halt();
    let mut plots: Vec<Plot> = Vec::new();
    let mut body = head(&first[0], &summary, runs, from, interrupted);
    body.push_str(&format!("<section id=\"summary\">\n<h2>Summary</h2>\n{}", summary_table(&summary, runs).html()));
    body.extend(group_table(&summary).map(|table| table.html()));
    body.extend(flight_table(&summary).map(|table| table.html()));
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
        let mut over_time = Vec::new();
        if loaded.scenario.alliance.is_some() {
            over_time.extend(traces.iter().map(|trace| timeline::plot(&first[0], trace)));
            over_time.extend(traces.iter().filter_map(pushed::plot));
        }
        let auctions: Vec<_> = traces.iter().filter_map(|trace| Some((trace, trace.auction.as_ref()?))).collect();
        over_time.extend(auctions.iter().map(|(trace, auction)| holders::plot(loaded, trace, auction)));
        over_time.push(messages::plot(&traces));
        over_time.extend(shame::plot(ashamed));
        body.extend(over_time.iter().map(Plot::html));
        plots.extend(over_time);
        if let Some(cut_s) = traces.iter().filter_map(|trace| trace.cut_s).min_by(f64::total_cmp) {
            push(
                &mut body,
                format_args!(
                    "<p class=\"note\">More happened than a page can hold: SHAME, spells of work and the way of the box are \
                     shown up to {cut_s:.0} s at least, what came later is left out. <code>--log</code> and \
                     <code>--record</code> hold all of it.</p>\n"
                ),
            );
        }
        body.push_str("</section>\n<section id=\"tasks\">\n<h2>Tasks of that run</h2>\n<div class=\"grid\">\n");
        if auctions.is_empty() {
            body.extend(traces.iter().map(|trace| task_table(trace).html()));
        } else {
            let flown =
                |trace: &Trace<'_>| flights::table(&format!("{}: planned and flown", trace.row.strategy), trace.row);
            body.extend(traces.iter().map(|trace| flown(trace).html()));
            let crossed = traces.iter().filter(|trace| !trace.row.crossings.is_empty());
            body.extend(crossed.map(|trace| {
                let caption = format!("{}: flights that came close to each other", trace.row.strategy);
                flights::crossing_table(&caption, trace.row).html()
            }));
        }
        body.push_str("</div>\n");
        body.push_str(&kind_table(&traces).html());
        body.push_str(&bytes_table(&traces).html());
        body.push_str(&robot_table(&traces).html());
        body.push_str("</section>\n");
        if !auctions.is_empty() {
            let drawn: Vec<Plot> =
                auctions.iter().flat_map(|(trace, auction)| bids::plots(&first[0], trace, auction)).collect();
            let left_out = first[0].task_names().count().saturating_sub(bids::MOST_TASKS as usize);
            body.push_str(&bids_section(&drawn, left_out));
            plots.extend(drawn);
        }
        body.push_str(&why(looked_at));
    }
    page::page(&format!("{}: a mission", loaded.name), &body, &plots, from, interrupted)
}

fn head(origin: &Origin, summary: &[Summary], runs: usize, from: &Provenance, interrupted: bool) -> String {
    let (loaded, tasks) = (&origin.loaded, origin.task_names().count());
    let all = summary.iter().all(|line| line.completed == line.runs);
    let ends = origin.scheme.serves();
    let bids = if loaded.scenario.tasking.is_some() { "<li><a href=\"#bids\">Bids</a></li>" } else { "" };
    let (class, verdict) = match (interrupted, all) {
        (true, _) => ("bad", "Broken off: there are fewer runs than asked for.".to_owned()),
        (false, true) => ("good", format!("Every task of every run was {ends}.")),
        (false, false) => ("bad", format!("Some tasks were not {ends}.")),
    };
    let count = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    let described: Vec<&str> = loaded.scenario.description.split_whitespace().collect();
    format!(
        "<header>\n<h1>{}</h1>\n<p class=\"from\">{}</p>\n<p class=\"lead\"><strong class=\"{class}\">{verdict}</strong> \
         {}, {}, radio.loss {} %, {} of each strategy.</p>\n<p>{}</p>\n\
         <nav aria-label=\"Contents\"><ul><li><a href=\"#summary\">Summary</a></li><li><a href=\"#one-run\">One \
         run</a></li><li><a href=\"#tasks\">Tasks</a></li>{bids}<li><a \
         href=\"#why\">Why</a></li><li><a href=\"#provenance\">Provenance</a></li></ul></nav>\n\
         </header>\n",
        escape(&loaded.name),
        escape(&from.line()),
        count(loaded.mission.robots.len(), "robot"),
        count(tasks, "task"),
        loaded.scenario.radio.loss.get() * 100.0,
        count(runs, "run"),
        escape(&described.join(" ")),
    )
}

/// Cost functions as they were bid.
fn bids_section(plots: &[Plot], left_out: usize) -> String {
    let more = match left_out {
        0 => String::new(),
        more => format!(" {more} later tasks are left out."),
    };
    format!(
        "<section id=\"bids\">\n<h2>Bids of that run</h2>\n<p>What each vehicle said a task would cost it, over the time at \
         which it is done and the heading on which it comes in; the last auction of each task.{more}</p>\n{}</section>\n",
        grid(plots)
    )
}

/// Of so many groups of tasks it is told why nobody took them.
const MOST_UNTAKEN: usize = 30;

/// Why each robot was chosen, or took what it did, and what was done to the run, in the explainer's words.
fn why(trace: &Trace<'_>) -> String {
    let decisions = &trace.decisions;
    let mut out = format!("<section id=\"why\">\n<h2>Why, in that run ({})</h2>\n", trace.row.strategy);
    if decisions.is_empty() {
        out.push_str("<p>Nobody was chosen for anything, and nobody took anything.</p>\n");
    } else {
        out.push_str("<ol class=\"why\">\n");
        for decision in decisions {
            let (at_s, robot, text) = (decision.at_s, escape(&decision.robot), escape(&decision.text));
            push(&mut out, format_args!("<li><span class=\"n\">{at_s:.1} s</span> {robot} {text}</li>\n"));
        }
        out.push_str("</ol>\n");
    }
    let more = trace.more_decisions;
    if more > 0 {
        push(&mut out, format_args!("<p class=\"note\">{more} more are left out.</p>\n"));
    }
    if !trace.nobody.is_empty() {
        out.push_str("<h3>What was not done</h3>\n<ul class=\"why\">\n");
        for untaken in trace.nobody.iter().take(MOST_UNTAKEN) {
            let (title, reasons) = (escape(&untaken.title), escape(&untaken.reasons.join("; ")));
            push(&mut out, format_args!("<li>{title}: {reasons}</li>\n"));
        }
        out.push_str("</ul>\n");
        let more: usize = trace.nobody.iter().skip(MOST_UNTAKEN).map(|untaken| untaken.tasks).sum();
        if more > 0 {
            push(&mut out, format_args!("<p class=\"note\">{more} more tasks that were not done are left out.</p>\n"));
        }
    }
    out.push_str(
        "<p class=\"note\">Record the run with <code>--record run.mcap</code>, and <code>muster explain run.mcap</code> \
         tells every silence, time-out and take-over, too.</p>\n</section>\n",
    );
    out
}

fn summary_table(summary: &[Summary], runs: usize) -> Table {
    let head = ["strategy", "completed", "messages", "wait, s", "time, s", "overlaps", "duplicates", "lost tasks"];
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
            spread(&line.end_s, 1),
            number(line.overlaps as f64, 0),
            number(line.duplicates as f64, 0),
            number(line.lost as f64, 0),
        ]);
    }
    table
}

/// What was not done as it was asked for, of tasks that are tied together; `None` if all was.
fn group_table(summary: &[Summary]) -> Option<Table> {
    if summary.iter().all(|line| (line.order_broken, line.broken_off, line.uncoupled) == (0, 0, 0)) {
        return None;
    }
    let head = ["strategy", "order broken", "broken off", "uncoupled"];
    let mut table = Table::new("Groups that were not done as asked for", &head);
    for line in summary {
        let count = |count: u64| number(count as f64, 0);
        table.row([text(line.strategy), count(line.order_broken), count(line.broken_off), count(line.uncoupled)]);
    }
    Some(table)
}

/// Flights that came close to each other, and vehicles that ran out; `None` if there were none.
fn flight_table(summary: &[Summary]) -> Option<Table> {
    if summary.iter().all(|line| (line.crossings, line.crossings_in_order, line.ran_out) == (0, 0, 0)) {
        return None;
    }
    let head = ["strategy", "crossings", "crossings in one order", "ran out"];
    let mut table = Table::new("Flights that came close to each other, and vehicles that ran out of endurance", &head);
    for line in summary {
        let count = |count: u64| number(count as f64, 0);
        table.row([text(line.strategy), count(line.crossings), count(line.crossings_in_order), count(line.ran_out)]);
    }
    Some(table)
}

fn task_table(trace: &Trace<'_>) -> Table {
    let recruits = trace.config.is_some();
    let (by, times) = if recruits { ("recruited", "HELPs") } else { ("done by", "times done") };
    let head = ["task", "east, m", "north, m", "seen, s", by, "wait, s", times, "workers"];
    let mut table = Table::new(format!("{}: task by task", trace.row.strategy), &head);
    for (index, task) in trace.row.outcome.iter().enumerate() {
        let nobody = match task.seen_s {
            _ if task.expired => "expired",
            _ if task.called_off => "called off",
            Some(_) => "nobody",
            None => "not found",
        };
        table.row([
            text(format!("{} {}", index + 1, task.task)),
            number(task.place_m[0], 1),
            number(task.place_m[1], 1),
            number(task.seen_s.unwrap_or(f64::NAN), 1),
            text(task.responder.as_deref().unwrap_or(nobody)),
            number(task.wait_s.unwrap_or(f64::NAN), 1),
            number(f64::from(task.helps.or(task.done).unwrap_or(0)), 0),
            number(task.workers as f64, 0),
        ]);
    }
    table
}

/// The messages of a recruitment, in the order in which it sends them.
const RECRUITING: [&str; 7] = ["HELP", "ACCEPT", "RESPONDER", "ARRIVAL", "AGREE", "ACKACK", "DONE"];
/// What impatient robots say.
const STATING: [&str; 4] = ["ACTIVITY", "FINISHED", "GAVE UP", "TIMES"];
/// What nodes say in auctions, in about the order in which they say it.
const AUCTIONING: [&str; 22] = [
    "Task",
    "ClaimLead(user)",
    "AckLead",
    "Solicitation",
    "Bid",
    "BidAck",
    "Assignment",
    "Accept",
    "AcceptAck",
    "Refuse",
    "LeadStatus",
    "Status",
    "Grant",
    "Release",
    "ReleaseRelay",
    "Completion",
    "Done",
    "Challenge",
    "StatusRelay",
    "ClaimLead(peer)",
    "PerceivedWinner",
    "Cancel",
];

/// Kinds of messages that are shown.
fn kinds(traces: &[Trace<'_>]) -> Vec<&'static str> {
    let recruits = traces.iter().all(|trace| trace.config.is_some());
    let auctioned = traces.iter().any(|trace| trace.kinds.contains_key("Task"));
    let sent_at_all = |kind: &&&'static str| traces.iter().any(|trace| trace.kinds.contains_key(**kind));
    match (recruits, auctioned) {
        (true, _) => RECRUITING.to_vec(),
        (false, true) => AUCTIONING.iter().filter(sent_at_all).copied().collect(),
        (false, false) => STATING.to_vec(),
    }
}

fn kind_table(traces: &[Trace<'_>]) -> Table {
    let kinds = kinds(traces);
    let mut head = vec!["strategy"];
    head.extend(&kinds);
    head.extend(["sent", "lost"]);
    let mut table = Table::new("Messages by kind", &head);
    for trace in traces {
        let sent: Vec<u64> = kinds.iter().map(|kind| trace.kinds.get(kind).map_or(0, |(sent, _)| *sent)).collect();
        let lost: u64 = trace.kinds.values().map(|(_, lost)| lost).sum();
        let numbers = sent.iter().chain([&trace.row.messages, &lost]).map(|count| number(*count as f64, 0));
        table.row(std::iter::once(text(trace.row.strategy)).chain(numbers));
    }
    table
}

fn bytes_table(traces: &[Trace<'_>]) -> Table {
    let kinds = kinds(traces);
    let mut head = vec!["strategy"];
    head.extend(&kinds);
    head.push("sent");
    let mut table = Table::new("Bytes by kind", &head);
    for Trace { row, .. } in traces {
        let bytes = kinds.iter().map(|kind| row.by_kind.get(kind).map_or(0, |sent| sent.bytes)).chain([row.bytes]);
        table.row(std::iter::once(text(row.strategy)).chain(bytes.map(|bytes| number(bytes as f64, 0))));
    }
    table
}

/// Most robots whose messages are shown.
const MOST_SENDERS: usize = 30;

/// Who sent how much, the most first.
fn robot_table(traces: &[Trace<'_>]) -> Table {
    let mut table = Table::new("What robots sent", &["strategy", "robot", "messages", "bytes"]);
    for Trace { row, .. } in traces {
        let mut senders: Vec<(&str, Sent)> = row.by_robot.iter().map(|(robot, sent)| (&**robot, *sent)).collect();
        senders.sort_by_key(|(robot, sent)| (Reverse(sent.bytes), *robot));
        for (robot, sent) in senders.into_iter().take(MOST_SENDERS) {
            let numbers = [sent.messages, sent.bytes].map(|count| number(count as f64, 0));
            table.row([text(row.strategy), text(robot)].into_iter().chain(numbers));
        }
    }
    table
}
