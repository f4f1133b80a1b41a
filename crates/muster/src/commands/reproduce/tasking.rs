//! `muster reproduce tasking`: MacKenzie's example mission, his claims, and where the protocol as drawn is weak.

use std::time::Instant;

use miette::{Result, miette};
use muster_studies::report;
use muster_studies::tasking::claims::Claim;
use muster_studies::tasking::weaknesses::{Outcome, Shown};
use muster_studies::tasking::{self, Study};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Reproduced, verdict};
use crate::artifact;
use crate::cli::ReproduceArguments;
use crate::output::{self, Table, bold, faint};
use crate::progress;

/// Runs with crashes for each loss: as many as the claim about them asks for.
const RUNS: u64 = 10_000;

#[derive(Serialize)]
struct Document<'a> {
    paper: &'static str,
    #[serde(flatten)]
    study: &'a Study,
    /// The contract's name for distances from an optimum: there are none here.
    gaps: [(); 0],
    interrupted: bool,
    elapsed_ms: u64,
}

/// Runs the study and prints it.
pub(super) fn execute(arguments: &ReproduceArguments, json: bool) -> Result<Reproduced> {
    let began = Instant::now();
    let runs = arguments.runs.unwrap_or(RUNS);
    if runs < 20 {
        return Err(miette!(
            help = "give at least 20; 10,000 is what the claims are about",
            "--runs {runs}: that few say nothing about what happens rarely"
        ));
    }
    let all = tasking::runs_in(runs);
    let study = progress::with_progress(&arguments.threads, all, "tasking", |batch| {
        tasking::reproduce(arguments.seed, runs, batch)
    })??;
    let verdict = verdict(study.holds());
    let config = json!({"tasking": "mackenzie_2003", "runs": runs});
    write_files(arguments, &study, &config)?;
    if json {
        let interrupted = progress::was_interrupted();
        let elapsed_ms = began.elapsed().as_millis() as u64;
        let paper = "MacKenzie 2003, Collaborative Tasking";
        let document = Document { paper, study: &study, gaps: [], interrupted, elapsed_ms };
        return Ok(Reproduced { verdict, document: Some(output::document(Some(arguments.seed), &config, &document)) });
    }
    println!(
        "{}  {}",
        bold("MacKenzie 2003, Collaborative Tasking"),
        faint(&format!("[{}]", output::provenance(arguments.seed)))
    );
    println!("{runs} runs with crashes for each loss; the protocol as drawn, and fenced by the fixes F1 to F6.");
    print_missions(&study);
    print_load(&study);
    print_weaknesses(&study.weaknesses);
    print_elections(&study);
    print_faults(&study);
    print_partitions(&study);
    print_claims("Claims that fail", &study.claims, "fails");
    print_claims("Claims that the protocol as drawn is known not to keep", &study.claims, "known-mismatch");
    print_claims("Claims that hold", &study.claims, "holds");
    let count = |word: &str| study.claims.iter().filter(|claim| claim.verdict == word).count();
    if progress::was_interrupted() {
        println!("\nBroken off: what is above rests on fewer runs than asked for.");
    } else {
        let word = output::verdict(if study.holds() { "Holds" } else { "Does not hold" }, study.holds());
        println!(
            "\n{word}: {} claims hold, {} fail, {} are known mismatches of the protocol as drawn.",
            count("holds"),
            count("fails"),
            count("known-mismatch")
        );
    }
    output::print_written(arguments.report.iter().chain(&arguments.figure));
    Ok(Reproduced { verdict, document: None })
}

fn write_files(arguments: &ReproduceArguments, study: &Study, config: &Value) -> Result<()> {
    let (seed, runs) = (arguments.seed, study.runs);
    let from = |output: &str| {
        let command = format!("muster reproduce tasking --runs {runs} --seed {seed} {output}");
        output::provenance_of(seed, "tasking", command, config)
    };
    if let Some(path) = &arguments.report {
        let page = report::tasking::page(study, &from("--report report.html"), progress::was_interrupted());
        artifact::write_text(path, &page)?;
    }
    if let Some(path) = &arguments.figure {
        artifact::write_text(path, &report::tasking::figure(study, &from("--figure figure.svg")))?;
    }
    Ok(())
}

fn print_missions(study: &Study) {
    for mission in &study.missions {
        println!("\n{}", bold(&format!("The example mission: {}", mission.scenario)));
        let mut table = Table::new(2, &["phase", "by", "planned", "over target", "heading", "cost"]);
        for task in &mission.flown.outcome {
            let Some(flight) = &task.flight else { continue };
            table.row([
                task.task.clone(),
                task.responder.clone().unwrap_or_default(),
                format!("t = {:.0}", flight.planned_s),
                format!("{:+.1} s", flight.flown_s - flight.planned_s),
                format!("{:.0}°", flight.planned_heading_deg),
                format!("{:.2}", flight.cost),
            ]);
        }
        table.print();
        println!(
            "  Least cost {:.2}, the next {:.2}; without rules on headings {:.2}.",
            mission.optimum, mission.second, mission.without_headings
        );
    }
}

fn print_load(study: &Study) {
    println!("\n{}", bold("Claim 3: messages for one task, five vehicles, no loss, term by term"));
    let mut table = Table::new(1, &["term", "formula", "as drawn", "counted", "fenced"]);
    for term in &study.load {
        table.row([
            term.term.to_owned(),
            term.paper.map_or_else(|| "-".to_owned(), |paper| format!("{paper:.1}")),
            format!("{:.1}", term.drawn),
            term.measured.to_string(),
            term.fenced.to_string(),
        ]);
    }
    table.print_with(study.load.iter().map(|term| term.remark));
}

fn print_weaknesses(shown: &[Shown]) {
    println!("\n{}", bold("Weaknesses: runs in which a task was never done / done once / done more often"));
    let mut table = Table::new(1, &["weakness", "drawn", "fenced", "drawn", "fenced", "  of"]);
    let outcome = |it: &Outcome| {
        let storm = if it.storms > 0 { format!(", {} storms", it.storms) } else { String::new() };
        format!("{} / {} / {}{storm}", it.never, it.once, it.more)
    };
    for it in shown {
        table.row([
            it.id.to_owned(),
            outcome(&it.drawn),
            outcome(&it.fenced),
            format!("{:.1}", it.drawn.mean),
            format!("{:.1}", it.fenced.mean),
            format!("  {}", it.drawn.counted),
        ]);
    }
    table.print();
}

fn print_elections(study: &Study) {
    println!("\n{}", bold("W6: elections that end with several LEADs"));
    let mut table = Table::new(1, &["network", "spec, as drawn", "drawn", "fenced"]);
    for row in study.elections.iter().filter(|row| row.variant == "drawn") {
        let percent = |several: usize, runs: usize| format!("{:.1} %", 100.0 * several as f64 / runs.max(1) as f64);
        let fenced = study.elections.iter().find(|it| it.variant == "fenced" && it.network == row.network);
        table.row([
            row.network.clone(),
            row.spec.map_or_else(String::new, |spec| format!("{:.1} %", 100.0 * spec)),
            percent(row.several, row.runs),
            fenced.map_or_else(String::new, |it| percent(it.several, it.runs)),
        ]);
    }
    table.print();
}

fn print_faults(study: &Study) {
    println!("\n{}", bold("Crashes of any role at any moment, a single task and a group of three in each run"));
    let head = [
        "variant",
        "crashes",
        "messages",
        "loss",
        "runs",
        "at deed",
        "tasks",
        "once",
        "executor crashed",
        "knowers crashed",
        "forgotten",
        "again",
        "lost",
        "sent",
    ];
    let mut table = Table::new(3, &head);
    for row in study.faults.iter().filter(|row| row.delivery == "at-least-once") {
        table.row([
            row.variant.to_owned(),
            row.crashes.to_owned(),
            row.air.to_owned(),
            format!("{:.0} %", 100.0 * row.loss),
            row.runs.to_string(),
            row.at_deed.to_string(),
            row.tasks.to_string(),
            row.once.to_string(),
            row.verdict.executor_crashed.to_string(),
            row.verdict.knowers_crashed.to_string(),
            row.verdict.forgotten.to_string(),
            row.verdict.duplicates.to_string(),
            row.verdict.lost.to_string(),
            format!("{:.0}", row.messages),
        ]);
    }
    table.print();
    println!("  No protocol can help it: done again because the executor (or all who knew that it was done) crashed;");
    println!("  forgotten because all who knew of it did. A failure of ours: done again, or lost, for another reason.");
    println!("  At deed: crashes between a deed and its second Done. Sent: messages per run.");
    print_at_most_once(study);
    for row in study.faults.iter().filter(|row| !row.never_met.is_empty()) {
        println!("  Never met at {:.0} % loss, {}: {:?}.", 100.0 * row.loss, row.crashes, row.never_met);
    }
}

fn print_at_most_once(study: &Study) {
    println!("\n{}", bold("The same with tasks to be done at most once: done, and why not"));
    let head = [
        "crashes",
        "messages",
        "loss",
        "runs",
        "at deed",
        "tasks",
        "once",
        "twice",
        "executor crashed",
        "no quorum",
        "forgotten",
        "expired",
        "lost",
        "sent",
    ];
    let mut table = Table::new(2, &head);
    for row in study.faults.iter().filter(|row| row.delivery == "at-most-once") {
        table.row([
            row.crashes.to_owned(),
            row.air.to_owned(),
            format!("{:.0} %", 100.0 * row.loss),
            row.runs.to_string(),
            row.at_deed.to_string(),
            row.tasks.to_string(),
            row.once.to_string(),
            row.verdict.duplicates.to_string(),
            row.verdict.barred.to_string(),
            row.verdict.no_quorum.to_string(),
            row.verdict.forgotten.to_string(),
            row.verdict.expired.to_string(),
            row.verdict.lost.to_string(),
            format!("{:.0}", row.messages),
        ]);
    }
    table.print();
    println!(
        "  Not done: a vehicle crashed that had leave to do it and may have; or less than a quorum was left; or all"
    );
    println!(
        "  who knew of it crashed; or it expired, after 240 s, while somebody was at it. A failure of ours: done twice,"
    );
    println!("  or given up for another reason.");
}

fn print_partitions(study: &Study) {
    println!("\n{}", bold("A team that is split in two for 2 to 80 s"));
    let head =
        ["variant", "delivery", "loss", "runs", "in time", "once", "outlasted", "in 2", "in 10", "twice", "never"];
    let mut table = Table::new(2, &head);
    for row in &study.partitions {
        table.row([
            row.variant.to_owned(),
            row.delivery.to_owned(),
            format!("{:.0} %", 100.0 * row.loss),
            row.runs.to_string(),
            row.healed_in_time.to_string(),
            row.once.to_string(),
            row.outlasted.to_string(),
            row.noticed_in_2.to_string(),
            row.noticed_in_10.to_string(),
            row.twice.to_string(),
            row.never.to_string(),
        ]);
    }
    table.print();
    println!(
        "  In time: it healed before the task was first done; once: of these, done exactly once. Outlasted: done twice"
    );
    println!("  before it healed; in 2, in 10: of these, noticed by a vehicle within so many t_status of healing.");
}

fn print_claims(title: &str, claims: &[Claim], verdict: &str) {
    let of: Vec<&Claim> = claims.iter().filter(|claim| claim.verdict == verdict).collect();
    if of.is_empty() {
        return;
    }
    println!("\n{}", bold(title));
    let mut table = Table::new(1, &["verdict", "measured", "expected", "reading", "  what"]);
    for claim in &of {
        let expected = if claim.low == claim.high {
            number(claim.low)
        } else {
            format!("{} to {}", number(claim.low), number(claim.high))
        };
        table.row([
            output::verdict(claim.verdict, claim.verdict == "holds"),
            number(claim.value),
            expected,
            claim.reading.to_owned(),
        ]);
    }
    table.print_with(of.iter().map(|claim| claim.statement.as_str()));
}

fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
