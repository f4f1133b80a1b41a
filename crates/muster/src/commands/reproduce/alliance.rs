//! `muster reproduce alliance`: what Parker's report claims of L-ALLIANCE, and how far above the optimum it ends.

use std::time::Instant;

use miette::{Result, miette};
use muster_studies::alliance::claims::Claim;
use muster_studies::alliance::gaps::{Conditions, Gap};
use muster_studies::alliance::rules::Reading;
use muster_studies::alliance::stops::Stops;
use muster_studies::alliance::table_3::Preferred;
use muster_studies::alliance::{self, Study};
use muster_studies::report;
use muster_studies::verdict::{Account, Verdict};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Files, Reproduced, grid, print_account, verdict};
use crate::cli::ReproduceArguments;
use crate::output::{self, Table, bold, faint};
use crate::progress;

/// As many as the report made of each scenario.
const RUNS: u64 = 200;

#[derive(Serialize)]
struct Document<'a> {
    paper: &'static str,
    #[serde(flatten)]
    study: &'a Study,
    account: Account,
    interrupted: bool,
    elapsed_ms: u64,
}

/// Runs the study and prints it.
pub(super) fn execute(arguments: &ReproduceArguments, files: &mut Files, json: bool) -> Result<Reproduced> {
    let began = Instant::now();
    let runs = arguments.runs.unwrap_or(RUNS);
    if runs < 2 {
        return Err(miette!(
            help = "give at least 2; the report made 200",
            "--runs {runs}: one mission says nothing about how much missions scatter"
        ));
    }
    let own = grid::grid(arguments)?;
    let missions = alliance::missions_in(runs, own.as_ref());
    let study = progress::with_progress(&arguments.threads, missions, "L-ALLIANCE", |batch| {
        alliance::reproduce(arguments.seed, runs, own.as_ref(), batch)
    })?;
    let verdict = verdict(study.holds());
    let config = json!({"alliance": "parker_1995", "runs": runs, "base_s": alliance::scenario::BASE_S,
        "grid": study.grid});
    write_files(files, arguments, &study, &config);
    if json {
        let interrupted = progress::was_interrupted();
        let elapsed_ms = began.elapsed().as_millis() as u64;
        let document =
            Document { paper: "Parker, L-ALLIANCE", study: &study, account: study.account(), interrupted, elapsed_ms };
        return Ok(Reproduced { verdict, document: Some(output::document(Some(arguments.seed), &config, &document)) });
    }
    println!("{}  {}", bold("Parker, L-ALLIANCE"), faint(&format!("[{}]", output::provenance(arguments.seed))));
    println!("{runs} missions a scenario. Percent by which the first is slower, with a 95 % interval.");
    if let Some(own) = &own {
        println!("{}", grid::words(own));
    }
    print_claims("The report's claims", &study.claims, false);
    print_claims("Parts of these, by themselves: not counted", &study.claims, true);
    println!("\n{READINGS}");
    print_table_3(&study.table_3);
    print_gaps(&study.gaps);
    print_stops(&study.stops);
    if progress::was_interrupted() {
        println!("\nBroken off: what is above rests on fewer scenarios than asked for.");
    } else {
        print_account(&study.account());
    }
    output::print_written(files.left.written.iter());
    Ok(Reproduced { verdict, document: None })
}

fn write_files(files: &mut Files, arguments: &ReproduceArguments, study: &Study, config: &Value) {
    let (seed, runs) = (arguments.seed, study.runs);
    let from = |output: &str| {
        let grid = grid::flags(arguments);
        let command = format!("muster reproduce alliance --runs {runs} --seed {seed}{grid} {output}");
        output::provenance_of(seed, "alliance", command, config)
    };
    files.write_report(|| report::alliance::page(study, &from("--report report.html"), progress::was_interrupted()));
    files.write_figure(|| report::alliance::figure(study, &from("--figure figure.svg")));
}

const READINGS: &str = "Readings: default compares the average times of a scenario's missions, ratios the times of each \
    mission; log-uniform spreads\ntimes by their logarithm, boredom-60 waits 60 s rather than 10 s, gate-0 takes over \
    without waiting. An x marks where\na claim fails, a ? where it is undecided. What holds under one reading and fails under another depends.";

/// One row for each claim, or for each part of one; what is known of it, or why it is no evidence, on a line below.
fn print_claims(title: &str, claims: &[Claim], part: bool) {
    let of = |reading: Reading, id: &str| claims.iter().find(|claim| claim.reading == reading.name() && claim.id == id);
    let judged = claims.iter().filter(|claim| claim.reading == Reading::Default.name());
    let judged: Vec<&Claim> = judged.filter(|claim| claim.part == part).collect();
    if judged.is_empty() {
        return;
    }
    println!("\n{}", bold(title));
    let readings = Reading::ALL.map(Reading::name);
    let mut table = Table::new(1, &[&["verdict", readings[0], "95 %"], &readings[1..], &["  what"]].concat());
    for claim in &judged {
        let mut cells = vec![
            output::verdict_cell(claim.verdict),
            format!("{:.1} %", claim.measured.value),
            format!("{:.1} to {:.1}", claim.measured.low, claim.measured.high),
        ];
        cells.extend(Reading::ALL.into_iter().skip(1).map(|reading| match of(reading, &claim.id) {
            Some(other) => {
                let mark = match other.alone {
                    Verdict::Holds => "%",
                    Verdict::Undecided => "?",
                    _ => "x",
                };
                format!("{:.1} {mark}", other.measured.value)
            }
            None => "-".to_owned(),
        }));
        table.row(cells);
    }
    let with_remark = |claim: &&Claim| match claim.remark() {
        "" => claim.statement.clone(),
        remark => format!("{} [{remark}]", claim.statement),
    };
    let statements: Vec<String> = judged.iter().map(with_remark).collect();
    table.print_with(statements.iter().map(String::as_str));
}

fn print_table_3(rows: &[Preferred]) {
    if rows.is_empty() {
        return;
    }
    println!("\n{}", bold("Table 3: preferred strategies, and how far each of ours is behind the quickest"));
    let head = ["progress", "region", "heterogeneity", "report", "ours", "I", "II", "III"];
    let mut table = Table::new(5, &head);
    for row in rows {
        let behind = row.behind.map(|percent| format!("{percent:.1} %"));
        let region = row.region.map_or_else(|| "all".to_owned(), |region| region.0.to_string());
        let progress = match row.progress {
            Some(true) => "yes",
            Some(false) => "no",
            None => "either",
        };
        let names = [progress, &region, row.heterogeneity].map(str::to_owned);
        table.row(names.into_iter().chain([row.report.join(" "), row.ours.join(" ")]).chain(behind));
    }
    table.print();
}

fn print_gaps(gaps: &[Gap]) {
    for (set, words) in [("figure-10", "missions of Figure 10"), ("larger", "larger missions")] {
        for conditions in Conditions::ALL {
            let of: Vec<&Gap> = gaps.iter().filter(|gap| gap.set == set && gap.conditions == conditions).collect();
            if of.is_empty() {
                continue;
            }
            println!("\n{}", bold(&format!("Above the optimum, {words}, {}", conditions.words())));
            let head =
                ["rule", "coverage", "region", "mean", "95 %", "averages", "sd", "scenarios", "bound", "verdict"];
            let mut table = Table::new(1, &head);
            for gap in of {
                table.row([
                    gap.rule.clone(),
                    format!("{}+", gap.coverage_from),
                    gap.region.0.to_string(),
                    format!("{:.2} %", gap.mean),
                    format!("{:.2} to {:.2}", gap.low, gap.high),
                    format!("{:.2} %", gap.averages.value),
                    format!("{:.2}", gap.sd),
                    gap.scenarios.to_string(),
                    gap.bound.map_or_else(String::new, |bound| format!("{bound} %")),
                    gap.verdict.map_or_else(String::new, output::verdict_cell),
                ]);
            }
            table.print();
        }
    }
}

fn print_stops(stops: &[Stops]) {
    if stops.is_empty() {
        return;
    }
    println!("\n{}", bold("Robots that stop at random times, statements every 5 s"));
    let head = ["rule", "loss", "missions", "done", "in time", "stopped", "overlaps", "duplicates", "mean", "verdict"];
    let mut table = Table::new(1, &head);
    for row in stops {
        table.row([
            row.rule.clone(),
            format!("{:.0} %", 100.0 * row.loss),
            row.runs.to_string(),
            row.completed.to_string(),
            format!("{:.2} %", 100.0 * row.within as f64 / row.runs.max(1) as f64),
            format!("{:.2}", row.stopped),
            format!("{:.2}", row.overlaps),
            format!("{:.2}", row.duplicates),
            format!("{:.0} s", row.mean_s),
            output::verdict_cell(row.verdict()),
        ]);
    }
    table.print();
    println!("In time: within five times the time of the same mission at no loss (at no loss: without stops).");
}
