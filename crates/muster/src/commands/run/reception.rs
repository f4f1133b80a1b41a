//! A reception: what robots felt and did, for how long, and what they told each other.

use std::path::Path;
use std::time::Instant;

use miette::{IntoDiagnostic, Result, miette};
use muster_journal::columns::printable;
use muster_reception::recording::{self, Header, RecordError};
use muster_reception::scenario::Party;
use muster_reception::{Line, Onlooker};
use muster_studies::party::{self, Row, SpentSummary, Summary};
use muster_studies::provenance::Provenance;
use muster_studies::report;
use muster_studies::results::Columns;
use muster_studies::summary::Spread;
use serde::Serialize;
use serde_json::{Value, json};

use super::super::explain::reception as explain;
use super::super::trace;
use super::{Files, provenance, seed_of};
use crate::artifact::Left;
use crate::cli::RunArguments;
use crate::output::{self, Table, Verdict, bold, faint};
use crate::progress;

#[derive(Serialize)]
struct Document<'a> {
    scenario: &'a str,
    summary: &'a Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explained: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recording: Option<Value>,
    /// Flags whose outputs were not made, since it was broken off.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_made: Vec<&'static str>,
    interrupted: bool,
    elapsed_ms: u64,
}

/// Runs it and prints what came of it.
pub(super) fn execute(party: &Party, arguments: &RunArguments, json: bool) -> Result<Verdict> {
    refuse(party, arguments)?;
    let Files { results, report, log } = Files::begin(arguments)?;
    let began = Instant::now();
    let (mut first, wants_log) = (Vec::new(), arguments.explain || arguments.report.is_some());
    let mut left = Left::default();
    let rows = progress::with_progress(&arguments.threads, arguments.runs, &party.name, |batch| {
        let one = |index: u64, onlooker: &mut dyn Onlooker| {
            let row = party::run(party, seed_of(arguments, index), onlooker, || batch.is_cancelled());
            (batch.progress)(1);
            row.transpose()
        };
        // The first is the one that is logged.
        let mut logged = None;
        let mut lines = wants_log.then_some(&mut first);
        match log {
            Some(file) => left.note(file.fill(|out| {
                let mut log = Log { out: Some(out), lines: lines.take(), failure: None };
                logged = one(0, &mut log);
                log.failure.map_or(Ok(()), Err)
            })),
            None => logged = one(0, &mut Log { out: None::<&mut std::io::Empty>, lines, failure: None }),
        }
        let others = batch.map_whole(arguments.runs - 1, |index| one(index + 1, &mut ()));
        logged.into_iter().chain(others).collect::<Result<Vec<Row>, _>>()
    })?;
    let rows = rows.into_diagnostic()?;
    let interrupted = progress::was_interrupted();
    let summary = Summary::of(&rows);
    let from = provenance(arguments, &party.name, &party.scenario);
    // Of a batch without a whole reception nothing is written: what was there before is worth more.
    if !rows.is_empty() {
        let columns = Columns::of_receptions(&rows);
        let columns = if interrupted { columns.broken_off(arguments.runs) } else { columns };
        for (format, file) in results {
            left.note(file.fill(|out| format.write(out, &columns, &from)));
        }
        if let Some(file) = report {
            let from = Provenance { command: format!("{} --report report.html", from.command), ..from.clone() };
            left.note(file.fill_text(&report::party(party, &rows, &first, &from, interrupted)));
        }
    }
    // Made once more for it, so that nothing else depends on it.
    let record = arguments.record.as_deref().filter(|_| !interrupted);
    let not_made: Vec<_> = arguments.record.iter().filter(|_| interrupted).map(|_| "--record").collect();
    let recorded = record.and_then(|path| {
        Recorded::make(path, party, seed_of(arguments, 0)).map_err(|failure| left.note(Err(failure))).ok()
    });
    let verdict = match (progress::was_interrupted(), rows.iter().all(|row| row.completed)) {
        (true, _) => Verdict::Interrupted,
        (false, true) => Verdict::Held,
        (false, false) => Verdict::DidNotHold,
    };
    if json {
        let log = arguments.explain.then(|| first.iter().map(Line::to_string).collect());
        let explained = arguments.explain.then(|| explain::to_json(&first));
        let elapsed_ms = began.elapsed().as_millis() as u64;
        let (scenario, summary) = (party.name.as_str(), &summary);
        let recording = recorded.as_ref().map(Recorded::to_json);
        let interrupted = verdict == Verdict::Interrupted;
        let document = Document { scenario, summary, log, explained, recording, not_made, interrupted, elapsed_ms };
        output::print_json_with_list(Some(arguments.seed), &party.scenario, &document, "runs", rows.iter());
        return left.end(verdict);
    }
    if !rows.is_empty() {
        print_head(party, arguments, &rows);
        print_states(&summary, "emotion", |robot| &robot.emotions);
        print_states(&summary, "behaviour", |robot| &robot.behaviors);
        print_commands(&summary);
    }
    if summary.runs > 1 {
        println!("\n  {}", faint("mean ± half the 95 % interval of the mean"));
    }
    print_failures(&rows);
    if arguments.explain {
        println!("\n{}", bold("What happened in the first, and why"));
        explain::print(&first);
    }
    output::print_written(left.written.iter());
    if let Some(recorded) = &recorded {
        recorded.print();
    }
    if interrupted {
        let not_made = super::not_made(&not_made);
        println!("\n{}{not_made}", super::broken_off(rows.len(), arguments.runs, "receptions", &left.written));
    } else if verdict == Verdict::Interrupted {
        println!("\nBroken off after all receptions, while the first was made again.");
    } else if arguments.log.is_none() && recorded.is_none() && !wants_log {
        println!(
            "\n{}",
            faint("--log FILE writes what happened, with the reason for each change; --explain prints it.")
        );
    }
    left.end(verdict)
}

/// A recording that was made.
struct Recorded {
    path: String,
    seed: u64,
    made: recording::Recorded,
}

impl Recorded {
    /// Records the reception. Ctrl-C ends it: what was recorded until then is whole.
    fn make(path: &Path, party: &Party, seed: u64) -> Result<Self> {
        let header = Header { party: Box::new(party.clone()), seed, program: output::program() };
        let made = recording::record(path, &header, progress::was_interrupted).map_err(|error| match error {
            RecordError::Reception(error) => miette!("{error}"),
            RecordError::Tape(error) => trace::not_recorded(path, &error),
        })?;
        Ok(Self { path: path.display().to_string(), seed, made })
    }

    fn print(&self) {
        let Self { path, made: recording::Recorded { count, broken_off, .. }, .. } = self;
        let until = if *broken_off { ", up to where it was broken off" } else { "" };
        println!("\nRecorded {count} entries in {}{until}. Ask why with `muster explain`.", printable(path));
    }

    fn to_json(&self) -> Value {
        let recording::Recorded { count, broken_off, .. } = self.made;
        json!({"path": self.path, "seed": self.seed, "entries": count, "broken_off": broken_off})
    }
}

/// Writes down what is logged, and keeps it for later, each if it is asked for.
struct Log<'a, W> {
    out: Option<&'a mut W>,
    lines: Option<&'a mut Vec<Line>>,
    failure: Option<std::io::Error>,
}

impl<W: std::io::Write> Onlooker for Log<'_, W> {
    fn logged(&mut self, line: &Line) {
        // A reception is not ended by a full disk; that the log is not whole is told when the rest is.
        if let Some(out) = &mut self.out
            && self.failure.is_none()
        {
            self.failure = writeln!(out, "{line}").err();
        }
        if let Some(lines) = &mut self.lines {
            lines.push(line.clone());
        }
    }
}

/// What makes sense for missions only.
fn refuse(party: &Party, arguments: &RunArguments) -> Result<()> {
    if arguments.knowledge.is_some() {
        let help = "leave --knowledge out, or run a scenario with [alliance], such as boxes";
        return Err(miette!(help = help, "the robots of {} learn nothing, so they know nothing", party.name));
    }
    Ok(())
}

fn print_head(party: &Party, arguments: &RunArguments, rows: &[Row]) {
    let until_s = rows.iter().map(|row| row.end_s).fold(0.0, f64::max);
    println!(
        "{}: {}, {} on {} x {} ft, {until_s:.0} s  {}",
        bold(&printable(&party.name)),
        output::count(party.names().len(), "robot"),
        output::count(party.guests(), "guest"),
        party.setup.width_ft,
        party.setup.height_ft,
        faint(&format!("[{}]", output::provenance(arguments.seed)))
    );
    println!(
        "Robots told each other {} things{}.",
        spread(&Summary::of(rows).messages, 1.0, 0),
        match rows.iter().map(|row| row.messages_lost).sum::<u64>() {
            0 => String::new(),
            lost => format!(", {lost} of which were lost{}", if rows.len() > 1 { " in all" } else { "" }),
        }
    );
}

/// A name that somebody else gave, as a cell.
fn shown(name: &str) -> String {
    printable(name).into_owned()
}

/// A mean as it is, or with its interval if it is one of several.
fn spread(spread: &Spread, scale: f64, digits: usize) -> String {
    match spread.half_95 {
        0.0 => format!("{:.digits$}", spread.mean * scale),
        half => format!("{:.1} ± {:.1}", spread.mean * scale, half * scale),
    }
}

fn print_states(summary: &Summary, what: &str, of: fn(&party::RobotSummary) -> &[SpentSummary]) {
    println!();
    let mut table = Table::new(2, &["robot", what, "share of time, %", "times"]);
    for robot in &summary.robots {
        for (number, state) in of(robot).iter().enumerate() {
            let name = if number == 0 { shown(&robot.robot) } else { String::new() };
            table.row([name, shown(&state.name), spread(&state.share, 100.0, 1), spread(&state.times, 1.0, 0)]);
        }
    }
    table.print();
}

fn print_commands(summary: &Summary) {
    if summary.commands.is_empty() {
        return;
    }
    println!();
    let mut table = Table::new(3, &["who", "to whom", "what", "times"]);
    for said in &summary.commands {
        table.row([shown(&said.from), shown(&said.to), shown(&said.command), spread(&said.times, 1.0, 0)]);
    }
    table.print();
}

/// Robots that failed, each with what it said about it.
fn print_failures(rows: &[Row]) {
    let failures = rows.iter().flat_map(|row| &row.outcome).filter_map(|robot| robot.failed.as_ref());
    let mut told: Vec<&String> = Vec::new();
    for why in failures {
        if !told.contains(&why) {
            println!("\n{}: {}", output::verdict("Failed", false), printable(why));
            told.push(why);
        }
    }
}
