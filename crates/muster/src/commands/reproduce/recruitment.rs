//! `muster reproduce recruitment`: Tables 1-5 and conclusions of Gage & Murphy, beside ours.

use std::time::Instant;

use miette::Result;
use muster_studies::recruitment::{self, Cell, Conclusion, Metric, Study};
use muster_studies::report;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Files, Reproduced, print_wrapped, verdict};
use crate::cli::ReproduceArguments;
use crate::output::{self, Table, bold, faint};
use crate::progress;

#[derive(Serialize)]
struct Document<'a> {
    paper: &'static str,
    #[serde(flatten)]
    study: &'a Study,
    reproduced: usize,
    interrupted: bool,
    elapsed_ms: u64,
}

/// Three-run groups per cell: enough for percentiles with one decimal.
const RUNS: u64 = 2000;

/// Runs the study and prints it.
pub(super) fn execute(arguments: &ReproduceArguments, files: &mut Files, json: bool) -> Result<Reproduced> {
    let groups = arguments.runs.unwrap_or(RUNS);
    let began = Instant::now();
    let runs = recruitment::runs_in(groups);
    let study = progress::with_progress(&arguments.threads, runs, "Tables 1-5", |batch| {
        recruitment::reproduce(arguments.seed, groups, batch)
    })??;
    let interrupted = progress::was_interrupted();
    let verdict = verdict(study.holds());
    let config = json!({"scenario": "minefield", "recruitment": "gage_2004", "groups_of": 3,
        "resolved": recruitment::scenario_for(&recruitment::Setting::lossless(
            muster_core::recruitment::Strategy::Affective, 10))?.scenario});
    write_files(files, arguments, &study, interrupted, &config);
    if json {
        let document = Document {
            paper: "Gage & Murphy 2004",
            reproduced: study.reproduced(),
            study: &study,
            interrupted,
            elapsed_ms: began.elapsed().as_millis() as u64,
        };
        return Ok(Reproduced { verdict, document: Some(output::document(Some(arguments.seed), &config, &document)) });
    }
    println!(
        "{}  {}",
        bold("Gage & Murphy 2004, Affective Recruitment"),
        faint(&format!("[{}]", output::provenance(arguments.seed)))
    );
    println!(
        "{} three-run groups a cell; a figure is reproduced if it lies in the central 95 % of our three-run means.",
        groups
    );
    for table in 1..=5 {
        print_table(table, &study.cells);
    }
    print_conclusions(&study.conclusions);
    println!("\n{}", bold("The paper contradicts itself"));
    for contradiction in &study.contradictions {
        print_wrapped(&format!("{}; but {}.", contradiction.says, contradiction.but));
    }
    print_verdict(&study, interrupted);
    output::print_written(files.left.written.iter());
    Ok(Reproduced { verdict, document: None })
}

fn write_files(files: &mut Files, arguments: &ReproduceArguments, study: &Study, interrupted: bool, config: &Value) {
    let (seed, runs) = (&arguments.seed, study.runs);
    let from = |output: &str| {
        let command = format!("muster reproduce recruitment --runs {runs} --seed {seed} {output}");
        output::provenance_of(*seed, "minefield", command, config)
    };
    files.write_report(|| report::study(study, &from("--report report.html"), interrupted));
    files.write_figure(|| report::figure(study, &from("--figure figure.svg")));
}

fn title(table: u32) -> &'static str {
    match table {
        1 => "Table 1: messages by team size",
        2 => "Table 2: waiting time by team size, in seconds",
        3 => "Table 3: messages by loss, 13 robots",
        4 => "Table 4: waiting time by loss, 13 robots, in seconds",
        _ => "Table 5: messages by broadcast and unicast, 13 robots, 10 % loss",
    }
}

fn print_table(number: u32, cells: &[Cell]) {
    println!("\n{}", bold(title(number)));
    let varied = if number <= 2 {
        "robots"
    } else if number <= 4 {
        "loss"
    } else {
        "messaging"
    };
    let mut table = Table::new(2, &["strategy", varied, "paper", "mean", "sd of 3", "percentile", "verdict"]);
    for cell in cells.iter().filter(|cell| cell.table == number) {
        let decimals = if cell.metric == Metric::Messages { 2 } else { 1 };
        table.row([
            cell.strategy.to_owned(),
            match number {
                1 | 2 => cell.team.to_string(),
                3 | 4 => format!("{:.0} %", cell.loss * 100.0),
                _ => cell.messaging.to_owned(),
            },
            cell.paper.to_string(),
            format!("{:.decimals$}", cell.mean),
            format!("{:.decimals$}", cell.sd3),
            format!("{:.1}", cell.percentile),
            output::verdict(if cell.reproduced { "reproduced" } else { cell.verdict.name() }, cell.reproduced),
        ]);
    }
    table.print();
}

fn print_conclusions(conclusions: &[Conclusion]) {
    println!("\n{}", bold("Conclusions, recomputed"));
    let number = |value: f64, unit: &str| match value {
        value if value.is_nan() => "-".to_owned(),
        value if unit == "%" => format!("{value:.1} %"),
        value => format!("{value:.0} {unit}"),
    };
    let mut table = Table::new(0, &["paper", "its tables", "measured", "  what"]);
    for conclusion in conclusions {
        table.row([
            number(conclusion.paper, conclusion.unit),
            conclusion.from_tables.map_or_else(|| "-".to_owned(), |value| number(value, conclusion.unit)),
            number(conclusion.measured, conclusion.unit),
        ]);
    }
    // The statements are long: each stands on its own line, after its numbers.
    table.print_with(conclusions.iter().map(|conclusion| conclusion.statement));
}

fn print_verdict(study: &Study, interrupted: bool) {
    let (known, failing) = (study.account().paper.known, study.account().paper.failed);
    if interrupted {
        return println!(
            "\nBroken off: the cells above rest on fewer groups than asked for, and nothing follows from them."
        );
    }
    println!(
        "\n{}: {} of {} figures reproduced, {known} known mismatches, {failing} others.",
        output::verdict(if failing == 0 { "Holds" } else { "Does not hold" }, failing == 0),
        study.reproduced(),
        study.cells.len(),
    );
}
