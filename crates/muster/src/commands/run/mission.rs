//! A mission, with each strategy on the same arrangement.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use miette::{Result, miette};
use muster_journal::explain::NotDone;
use muster_sim::intervention::Made;
use muster_sim::scenario::{InterventionsText, Loaded};
use muster_sim::{Interventions, Knowledge, Origin, Scheme};
use muster_studies::flown::{CrossingRow, FlightRow};
use muster_studies::provenance::Provenance;
use muster_studies::report;
use muster_studies::results::Columns;
use muster_studies::run::{self, Row, TaskRow};
use muster_studies::summary::{Spread, Summary};
use serde::Serialize;

use super::super::trace;
use super::{Files, provenance, seed_of};
use crate::artifact::Left;
use crate::cli::RunArguments;
use crate::output::{self, Table, Verdict, bold, faint};
use crate::progress;

#[derive(Serialize)]
struct Document {
    scenario: String,
    /// What was done to each run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    interventions: Vec<serde_json::Value>,
    /// By strategy.
    summary: BTreeMap<&'static str, Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explained: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recording: Option<serde_json::Value>,
    /// Flags whose outputs were not made, since it was broken off.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_made: Vec<&'static str>,
    interrupted: bool,
    elapsed_ms: u64,
}

/// Runs it and prints what came of it.
pub(super) fn execute(loaded: Arc<Loaded>, arguments: &RunArguments, json: bool) -> Result<Verdict> {
    let schemes = loaded.schemes();
    let given = knowledge(arguments, &loaded)?.map(Arc::new);
    let interventions = interventions(arguments, &loaded, &schemes)?;
    let Files { results, report, log } = Files::begin(arguments)?;
    let origin = |number: usize, index: u64, halt: &dyn Fn() -> bool| {
        let origin = Origin::new(loaded.clone(), schemes[number], seed_of(arguments, index));
        Some(origin.prepared(given.as_ref(), halt)?.with_interventions(interventions[number].clone()))
    };
    loaded.foreseen(&schemes).iter().for_each(|says| eprintln!("Note: {says}."));
    let began = Instant::now();
    let jobs = arguments.runs * schemes.len() as u64;
    let rows = progress::with_progress(&arguments.threads, jobs, &loaded.name, |batch| {
        batch.map_whole(jobs, |job| {
            let scheme = (job % schemes.len() as u64) as usize;
            let origin = origin(scheme, job / schemes.len() as u64, &|| batch.is_cancelled())?;
            let mut row = run::run(&origin, batch);
            (batch.progress)(1);
            // Task by task only the first of each strategy is shown; of a million runs nothing else would fit the memory.
            if let Some(row) = row.as_mut().filter(|_| !json && job >= schemes.len() as u64) {
                (row.outcome, row.not_done) = (Vec::new(), Vec::new());
            }
            row
        })
    })?;
    let summary: Vec<Summary> = schemes.iter().map(|scheme| Summary::of(scheme.name(), &rows)).collect();
    let broken_off = progress::was_interrupted();
    let from = provenance(arguments, &loaded.name, &loaded.scenario);
    let mut left = Left::default();
    // Of a batch without a whole run nothing is written: what was there before is worth more.
    if !rows.is_empty() {
        let columns = Columns::of_missions(&rows);
        let columns = if broken_off { columns.broken_off(jobs) } else { columns };
        for (format, file) in results {
            left.note(file.fill(|out| format.write(out, &columns, &from)));
        }
        if let Some(file) = report {
            let from = Provenance { command: format!("{} --report report.html", from.command), ..from.clone() };
            let halt = progress::is_out_of_time;
            let first: Vec<Origin> = (0..schemes.len()).map_while(|scheme| origin(scheme, 0, &halt)).collect();
            left.note(file.fill_text(&report::mission(&first, &rows, &from, broken_off, halt)));
        }
    }
    let again = LazyCell::new(|| origin(0, 0, &progress::was_interrupted).map(trace::Again));
    let explains = arguments.explain && !broken_off;
    let explained = (explains && json).then(|| again.as_ref().map(trace::Again::explain)).flatten().transpose()?;
    let mut not_made = Vec::new();
    if arguments.explain && (broken_off || json && explained.is_none()) {
        not_made.push("--explain");
    }
    if let Some(file) = log {
        match again.as_ref().filter(|_| !progress::was_interrupted()) {
            Some(again) => left.note(file.fill(|out| again.log(out))),
            None => not_made.push("--log"),
        }
    }
    let record = arguments.record.as_ref().filter(|_| !progress::was_interrupted());
    let recorded = record.and_then(|path| Some((path, again.as_ref()?)));
    if arguments.record.is_some() && recorded.is_none() {
        not_made.push("--record");
    }
    let recorded =
        recorded.and_then(|(path, again)| again.record(path).map_err(|failure| left.note(Err(failure))).ok());
    let held = rows.iter().all(Row::holds);
    let verdict = || match (progress::was_interrupted(), held) {
        (true, _) => Verdict::Interrupted,
        (false, true) => Verdict::Held,
        (false, false) => Verdict::DidNotHold,
    };
    if json {
        let verdict = verdict();
        let elapsed_ms = began.elapsed().as_millis() as u64;
        let document = Document {
            scenario: loaded.name.clone(),
            interventions: interventions[0].all().iter().map(Made::to_json).collect(),
            summary: summary.iter().map(|line| (line.strategy, line.clone())).collect(),
            explained,
            recording: recorded.as_ref().map(trace::Recorded::to_json),
            not_made,
            interrupted: verdict == Verdict::Interrupted,
            elapsed_ms,
        };
        output::print_json_with_list(Some(arguments.seed), &loaded.scenario, &document, "runs", rows.into_iter());
        return left.end(verdict);
    }
    print_head(&loaded, &interventions[0], arguments);
    if arguments.runs == 1 {
        for row in &rows {
            print_row(row);
            if !explains {
                print_not_done(row);
            }
        }
    }
    if !rows.is_empty() {
        print_summary(&summary, arguments.runs);
        print_interventions(interventions[0].all().len(), &rows);
    }
    if let Some(why) = rows.iter().find_map(|row| row.undecided.as_ref()) {
        let of = rows.iter().filter(|row| row.undecided.is_some()).count();
        println!("\n{}, in {}: {why}.", output::verdict("The script failed", false), output::count(of, "run"));
    }
    output::print_written(left.written.iter());
    if explains && let Some(again) = &*again {
        again.print_why()?;
    }
    if let Some(recorded) = &recorded {
        recorded.print();
    }
    let verdict = verdict();
    let not_made = super::not_made(&not_made);
    match (verdict == Verdict::Interrupted, broken_off) {
        (true, true) => println!("\n{}{not_made}", super::broken_off(rows.len(), jobs, "runs", &left.written)),
        (true, false) => println!("\nBroken off after all runs, while the first was made again.{not_made}"),
        (false, _) => {}
    }
    left.end(verdict)
}

/// What is done to the runs of each scheme, if a file says so.
fn interventions(arguments: &RunArguments, loaded: &Loaded, schemes: &[Scheme]) -> Result<Vec<Interventions>> {
    let Some(path) = &arguments.interventions else { return Ok(vec![Interventions::default(); schemes.len()]) };
    let text = InterventionsText::read(path)?;
    schemes.iter().map(|scheme| Ok(text.resolve(loaded, *scheme)?)).collect()
}

/// How many interventions were made, whether all of them changed something, and whether some runs were over before.
fn print_interventions(count: usize, rows: &[Row]) {
    if count == 0 {
        return;
    }
    let sum = |of: fn(&Row) -> u64| rows.iter().map(of).sum();
    let (vain, missed): (u64, u64) = (sum(|row| row.without_effect), sum(|row| row.not_made));
    let vain = match vain {
        0 => String::new(),
        vain => format!("; {vain} in all had no effect"),
    };
    let over = match missed {
        0 => String::new(),
        missed => format!("; {missed} in all were not made, since the run was over before"),
    };
    println!("  {} in each run{vain}{over}.", output::count(count, "intervention"));
}

/// What robots know, if a file says so.
fn knowledge(arguments: &RunArguments, loaded: &Loaded) -> Result<Option<Knowledge>> {
    let Some(path) = &arguments.knowledge else { return Ok(None) };
    if loaded.scenario.alliance.is_none() {
        let help = "leave --knowledge out, or run a scenario with [alliance], such as boxes";
        return Err(miette!(help = help, "the robots of {} learn nothing, so they know nothing", loaded.name));
    }
    Ok(Some(Knowledge::read(path, loaded)?))
}

fn print_head(loaded: &Loaded, interventions: &Interventions, arguments: &RunArguments) {
    let radio = &loaded.scenario.radio;
    println!(
        "{}: {}, {}, radio.loss {} %  {}",
        bold(&loaded.name),
        output::count(loaded.mission.robots.len(), "robot"),
        output::count(loaded.task_names.len() + interventions.task_names().count(), "task"),
        (radio.loss.get() * 1e6).round() / 1e4,
        faint(&format!("[{}]", output::provenance(arguments.seed)))
    );
}

fn print_row(row: &Row) {
    println!("\n{}", bold(row.strategy));
    if row.outcome.iter().any(|task| task.flight.is_some()) {
        return print_flights(row);
    }
    let recruits = row.outcome.iter().any(|task| task.helps.is_some());
    let (by, times) = if recruits { ("recruited", "HELPs") } else { ("done by", "times") };
    let mut table = Table::new(3, &["task", "at", by, "wait", times, "workers"]);
    for task in &row.outcome {
        table.row([
            task.task.clone(),
            format!("({:.1}, {:.1})", task.place_m[0], task.place_m[1]),
            by_whom(task),
            task.wait_s.map_or_else(|| "-".to_owned(), |wait| format!("{wait:.1} s")),
            task.helps.or(task.done).unwrap_or(0).to_string(),
            task.workers.to_string(),
        ]);
    }
    table.print();
    print_ran_out(row);
    print_tied(row);
    if let Some(pushed) = &row.pushed {
        let [left, right] = pushed.advance_m;
        println!(
            "  The box: left end {left:.2} m on, right end {right:.2} m; at worst {:.2} m out of line.",
            pushed.worst_misalignment_m
        );
    }
}

/// Tasks that were flown over: planned and flown, counted from when times began to count in that plan. Plans differ in
/// that.
fn print_flights(row: &Row) {
    let mut table =
        Table::new(2, &["task", "by", "t0", "planned", "over target", "heading", "cost", "asked at", "times"]);
    for task in &row.outcome {
        let flight = |of: fn(&FlightRow) -> String| task.flight.as_ref().map_or_else(|| "-".to_owned(), of);
        table.row([
            task.task.clone(),
            by_whom(task),
            flight(|it| format!("{:.1} s", it.t0_s)),
            flight(|it| format!("t = {:.1} s", it.planned_s)),
            flight(|it| format!("{:.1} s", it.flown_s)),
            flight(|it| format!("{:.0}°", it.heading_deg)),
            flight(|it| format!("{:.2}", it.cost)),
            task.seen_s.map_or_else(|| "-".to_owned(), |at| format!("{at:.1} s")),
            task.done.unwrap_or(0).to_string(),
        ]);
    }
    table.print();
    if let Some(cost) = row.outcome.iter().map(|task| task.flight.map(|it| it.cost)).sum::<Option<f64>>() {
        println!("  All together cost {cost:.2}.");
    }
    let uncoupled = |task: &&TaskRow| task.flight.is_some_and(|flight| flight.uncoupled);
    let apart: Vec<&str> = row.outcome.iter().filter(uncoupled).map(|task| task.task.as_str()).collect();
    if !apart.is_empty() {
        println!("  Nobody could keep to what ties these to their group, so it was given up: {}.", apart.join(", "));
    }
    if !row.order_broken.is_empty() {
        println!("  Flown before, or without, what has to come before: {}.", row.order_broken.join(", "));
    }
    if row.flown_again > 0 {
        let times = output::count(row.flown_again as usize, "time");
        println!("  Flown again, because it was too long ago for what comes after it: {times}.");
    }
    for after in &row.broken_off {
        println!("  A strict group was broken off after {after}.");
    }
    print_ran_out(row);
    print_crossings(row);
    print_tied(row);
}

/// Vehicles that are out, whether or not anything was flown.
fn print_ran_out(row: &Row) {
    for robot in &row.ran_out {
        println!("  {robot} ran out of endurance, and was out.");
    }
}

/// Crossings beyond so many are told by their number.
const MOST_CROSSINGS: usize = 5;

/// Flights that came close to each other in their corridors.
fn print_crossings(row: &Row) {
    for (one_order, orders) in [(false, "different orders"), (true, "one order")] {
        let own: Vec<&CrossingRow> = row.crossings.iter().filter(|crossing| crossing.one_order == one_order).collect();
        let words = |crossing: &&CrossingRow| {
            let CrossingRow { robots: [a, b], tasks: [c, d], at_s, distance_m, .. } = crossing;
            format!("{a} ({c}) and {b} ({d}), {distance_m:.1} m apart at {at_s:.1} s")
        };
        let mut told: Vec<String> = own.iter().take(MOST_CROSSINGS).map(words).collect();
        if own.len() > MOST_CROSSINGS {
            told.push(format!("and {} more", own.len() - MOST_CROSSINGS));
        }
        if !told.is_empty() {
            println!("  Corridors of {orders} crossed while both were flown: {}.", told.join("; "));
        }
    }
}

/// Why nobody does what is tied to a strict group.
fn print_tied(row: &Row) {
    let tied: Vec<&str> = row.outcome.iter().filter(|task| task.tied).map(|task| task.task.as_str()).collect();
    if !tied.is_empty() {
        println!("  Nobody can keep to what ties these to their group, and it is strict: {}.", tied.join(", "));
    }
}

/// So many groups of tasks that were not done for the same reasons are told of.
const MOST_NOT_DONE: usize = 5;

/// Why nobody took what was not done.
fn print_not_done(row: &Row) {
    if row.not_done.is_empty() && row.lost > 0 {
        println!("  --explain says why not all was done.");
    }
    for NotDone { title, reasons, .. } in row.not_done.iter().take(MOST_NOT_DONE) {
        println!("  {title}: {}.", reasons.join("; "));
    }
    let more: usize = row.not_done.iter().skip(MOST_NOT_DONE).map(|it| it.tasks).sum();
    if more > 0 {
        println!("  {more} more tasks were not done; --explain says why.");
    }
}

/// Who took a task over or did it, or why nobody did.
fn by_whom(task: &TaskRow) -> String {
    let nobody = match task.seen_s {
        _ if task.expired => "expired",
        _ if task.called_off => "called off",
        Some(_) => "nobody",
        None => "not found",
    };
    task.responder.clone().unwrap_or_else(|| nobody.to_owned())
}

/// What was not done as it was asked for, of tasks that are tied together.
fn print_groups(summary: &[Summary]) {
    if summary.iter().all(|line| [line.order_broken, line.broken_off, line.uncoupled, line.flown_again] == [0; 4]) {
        return;
    }
    let mut table = Table::new(1, &["strategy", "order broken", "broken off", "uncoupled", "flown again"]);
    for line in summary {
        let counts =
            [line.order_broken, line.broken_off, line.uncoupled, line.flown_again].map(|count| count.to_string());
        table.row([line.strategy.to_owned()].into_iter().chain(counts));
    }
    println!();
    table.print();
}

/// Flights that came close to each other, and vehicles that ran out of endurance.
fn print_flown(summary: &[Summary]) {
    if summary.iter().all(|line| (line.crossings, line.crossings_in_order, line.ran_out) == (0, 0, 0)) {
        return;
    }
    let mut table = Table::new(1, &["strategy", "crossings", "in one order", "ran out"]);
    for line in summary {
        let counts = [line.crossings, line.crossings_in_order, line.ran_out].map(|count| count.to_string());
        table.row([line.strategy.to_owned()].into_iter().chain(counts));
    }
    println!();
    table.print();
}

fn print_summary(summary: &[Summary], runs: u64) {
    println!();
    let spread = |spread: &Spread, unit: &str| match runs {
        1 => format!("{:.*}{unit}", usize::from(!unit.is_empty()), spread.mean),
        _ => format!("{:.1} ± {:.1}{unit}", spread.mean, spread.half_95),
    };
    let mut table =
        Table::new(1, &["strategy", "completed", "messages", "wait", "time", "overlaps", "duplicates", "lost"]);
    for line in summary {
        table.row([
            line.strategy.to_owned(),
            match runs {
                1 => if line.completed == 1 { "yes" } else { "no" }.to_owned(),
                _ => format!("{} of {}", line.completed, line.runs),
            },
            spread(&line.messages, ""),
            spread(&line.wait_s, " s"),
            spread(&line.end_s, " s"),
            line.overlaps.to_string(),
            line.duplicates.to_string(),
            line.lost.to_string(),
        ]);
    }
    table.print();
    let expired: u64 = summary.iter().map(|line| line.expired).sum();
    if expired > 0 {
        println!("  Expired before they were done: {}.", output::count(expired as usize, "task"));
    }
    print_groups(summary);
    print_flown(summary);
    if runs > 1 {
        println!(
            "  {}",
            faint("mean ± half the 95 % interval of the mean; overlaps, duplicates and lost tasks in all runs")
        );
    }
}
