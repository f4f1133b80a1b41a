//! `muster reproduce reception`: what the paper on CARS asks of its simulator, check by check, and what comes of half hours
//! at its reception.

use std::time::Instant;

use miette::{Result, miette};
use muster_studies::reception::check::Check;
use muster_studies::reception::runs::ROBOTS;
use muster_studies::reception::snapshot::Snapshot;
use muster_studies::reception::{self, Study, tables};
use muster_studies::report;
use muster_studies::verdict::{Account, Verdict};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Files, Reproduced, print_account, verdict};
use crate::cli::ReproduceArguments;
use crate::output::{self, bold, faint};
use crate::progress;

/// Seeds for each number of guests and each caution.
const RUNS: u64 = 100;
const PAPER: &str = "Lisetti et al., CARS: a waiter and a refiller among guests";

#[derive(Serialize)]
struct Document<'a> {
    paper: &'static str,
    #[serde(flatten)]
    study: &'a Study,
    account: Account,
    /// The contract's name for distances from an optimum: there are none here.
    gaps: [(); 0],
    interrupted: bool,
    elapsed_ms: u64,
}

/// Runs the study and prints it.
pub(super) fn execute(arguments: &ReproduceArguments, files: &mut Files, json: bool) -> Result<Reproduced> {
    let began = Instant::now();
    let runs = arguments.runs.unwrap_or(RUNS);
    if runs < 2 {
        return Err(miette!(
            help = "give at least 2; 100 take a minute or two",
            "--runs {runs}: one reception says nothing about how much receptions differ"
        ));
    }
    let steps = reception::steps_in(runs);
    let study = progress::with_progress(&arguments.threads, steps, "reception", |batch| {
        reception::reproduce(arguments.seed, runs, batch)
    })?;
    let verdict = verdict(study.holds());
    let config = json!({"reception": "cars_2002", "runs": runs, "seconds": study.seconds});
    write_files(files, arguments, &study, &config);
    if json {
        let interrupted = progress::was_interrupted();
        let elapsed_ms = began.elapsed().as_millis() as u64;
        let document =
            Document { paper: PAPER, study: &study, account: study.account(), gaps: [], interrupted, elapsed_ms };
        return Ok(Reproduced { verdict, document: Some(output::document(Some(arguments.seed), &config, &document)) });
    }
    println!("{}  {}", bold(PAPER), faint(&format!("[{}]", output::provenance(arguments.seed))));
    println!("{runs} seeds for each number of guests and each caution, half an hour each.");
    for section in tables::sections(&study.checks) {
        print_checks(section, &study.checks);
    }
    output::print_table(&tables::vectors(&study.vectors));
    output::print_table(&tables::table_2(&study.table_2));
    output::print_table(&tables::receptions(&study));
    for robot in ROBOTS {
        output::print_table(&tables::shares(&study, robot));
    }
    output::print_table(&tables::cautions(&study));
    print_snapshot(study.snapshot.as_ref());
    if progress::was_interrupted() {
        println!("\nBroken off: what is above rests on fewer receptions and checks than asked for.");
    } else {
        print_account(&study.account());
    }
    output::print_written(files.left.written.iter());
    Ok(Reproduced { verdict, document: None })
}

fn write_files(files: &mut Files, arguments: &ReproduceArguments, study: &Study, config: &Value) {
    let (seed, runs) = (arguments.seed, study.runs);
    let from = |output: &str| {
        let command = format!("muster reproduce reception --runs {runs} --seed {seed} {output}");
        output::provenance_of(seed, "reception", command, config)
    };
    files.write_report(|| report::reception::page(study, &from("--report report.html"), progress::was_interrupted()));
    files.write_figure(|| report::reception::figure(study, &from("--figure figure.svg")));
}

/// A line for what has to be, and one for what was found.
fn print_checks(section: &str, checks: &[Check]) {
    println!("\n{}", bold(section));
    for check in checks.iter().filter(|check| check.section == section) {
        let held = check.verdict == Verdict::Holds;
        let verdict = output::verdict(&format!("{:5}", check.verdict.name()), held);
        for (number, line) in output::wrapped(check.statement, 100).iter().enumerate() {
            match number {
                0 => println!("  {:>2} {verdict} {line}", check.id),
                _ => println!("           {line}"),
            }
        }
        for line in output::wrapped(&found(check), 100) {
            println!("           {}", if held { faint(&line) } else { line });
        }
    }
}

fn found(check: &Check) -> String {
    match tables::measured(check) {
        measured if measured.is_empty() => check.found.clone(),
        measured => format!("{measured}: {}", check.found),
    }
}

fn print_snapshot(snapshot: Option<&Snapshot>) {
    println!("\n{}", bold("The paper's snapshot (Figure 6)"));
    let Some(it) = snapshot else {
        return println!("  Not found.");
    };
    println!(
        "  Seed {}, {} s: {:.0} treats, Leguin {:.0} % of the way. Such a scene in {} of {} runs, {:.2} % of the time.",
        it.seed,
        it.at_s,
        it.treats,
        100.0 * it.on_the_way,
        it.runs_with,
        it.runs,
        100.0 * it.share
    );
    for panel in &it.robots {
        println!("  {} at {} ft: {}, {}", panel.name, panel.place, panel.emotion, panel.behavior);
    }
}
