//! `muster reproduce tasking`: MacKenzie's example mission, his claims, and where the protocol as drawn is weak.

use std::time::Instant;

use miette::{Result, miette};
use muster_studies::report;
use muster_studies::tasking::{self, Study, tables};
use muster_studies::verdict::{Account, Source};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Files, Reproduced, print_account, verdict};
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
    write_files(files, arguments, &study, &config);
    if json {
        let interrupted = progress::was_interrupted();
        let elapsed_ms = began.elapsed().as_millis() as u64;
        let paper = "MacKenzie 2003, Collaborative Tasking";
        let document = Document { paper, study: &study, account: study.account(), gaps: [], interrupted, elapsed_ms };
        return Ok(Reproduced { verdict, document: Some(output::document(Some(arguments.seed), &config, &document)) });
    }
    println!(
        "{}  {}",
        bold("MacKenzie 2003, Collaborative Tasking"),
        faint(&format!("[{}]", output::provenance(arguments.seed)))
    );
    println!(
        "The protocol as drawn, as written, and fenced by the fixes F1 to F6; {runs} runs with crashes for each loss."
    );
    output::print_table(&tables::normal(&study));
    print_missions(&study);
    output::print_table(&tables::growth(&study.growth));
    output::print_table(&tables::load(&study.load));
    output::print_table(&tables::weaknesses(&study));
    output::print_table(&tables::elections(&study.elections));
    output::print_table(&tables::crashes(&study));
    output::print_table(&tables::at_most_once(&study));
    for row in study.faults.iter().filter(|row| !row.never_met.is_empty()) {
        println!("  Never met at {:.0} % loss, {}: {:?}.", 100.0 * row.loss, row.crashes, row.never_met);
    }
    for table in [
        tables::losses,
        tables::chains,
        tables::partitions,
        tables::spare,
        tables::spare_parts,
        tables::simultaneous,
        tables::given_up,
    ] {
        output::print_table(&table(&study));
    }
    for source in [Source::Paper, Source::Ours] {
        output::print_table(&tables::claims(source, &study.claims));
    }
    if progress::was_interrupted() {
        println!("\nBroken off: what is above rests on fewer runs than asked for.");
    } else {
        print_account(&study.account());
    }
    output::print_written(files.left.written.iter());
    Ok(Reproduced { verdict, document: None })
}

fn write_files(files: &mut Files, arguments: &ReproduceArguments, study: &Study, config: &Value) {
    let (seed, runs) = (arguments.seed, study.runs);
    let from = |output: &str| {
        let command = format!("muster reproduce tasking --runs {runs} --seed {seed} {output}");
        output::provenance_of(seed, "tasking", command, config)
    };
    files.write_report(|| report::tasking::page(study, &from("--report report.html"), progress::was_interrupted()));
    files.write_figure(|| report::tasking::figure(study, &from("--figure figure.svg")));
}

fn print_missions(study: &Study) {
    for mission in &study.missions {
        println!("\n{}", bold(&format!("The example mission: {}", mission.scenario)));
        for line in &mission.solicitation {
            println!("  {line}");
        }
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
