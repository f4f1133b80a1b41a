//! `muster reproduce alliance`: what Parker's report claims of L-ALLIANCE, and how far above the optimum it ends.

use std::time::Instant;

use miette::Result;
use muster_studies::alliance::claims::Claim;
use muster_studies::alliance::gaps::{Conditions, Gap};
use muster_studies::alliance::stops::Stops;
use muster_studies::alliance::{self, Study};
use serde::Serialize;
use serde_json::json;

use super::{Reproduced, verdict};
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
    interrupted: bool,
    elapsed_ms: u64,
}

/// Runs the study and prints it.
pub(super) fn execute(arguments: &ReproduceArguments, json: bool) -> Result<Reproduced> {
    let began = Instant::now();
    let runs = arguments.runs.unwrap_or(RUNS);
    let study = progress::with_progress(&arguments.threads, alliance::missions_in(runs), "L-ALLIANCE", |batch| {
        alliance::reproduce(arguments.seed, runs, batch)
    })?;
    let verdict = verdict(study.holds());
    if json {
        let config = json!({"alliance": "parker_1995", "runs": runs, "base_s": alliance::scenario::BASE_S,
            "heterogeneity": alliance::scenario::HETEROGENEITIES});
        let interrupted = progress::was_interrupted();
        let elapsed_ms = began.elapsed().as_millis() as u64;
        let document = Document { paper: "Parker, L-ALLIANCE", study: &study, interrupted, elapsed_ms };
        return Ok(Reproduced { verdict, document: Some(output::document(Some(arguments.seed), &config, &document)) });
    }
    println!("{}  {}", bold("Parker, L-ALLIANCE"), faint(&format!("[{}]", output::provenance(arguments.seed))));
    println!(
        "{runs} missions a scenario. Percent by which the first is slower, of average times, with a 95 % interval."
    );
    print_claims("Claims that must hold", study.claims.iter().filter(|claim| claim.verdict != "depends"));
    print_claims("Claims that depend on the reading", study.claims.iter().filter(|claim| claim.verdict == "depends"));
    print_gaps(&study.gaps);
    print_stops(&study.stops);
    let failing = study.claims.iter().filter(|claim| claim.verdict == "fails").count();
    let holding = study.claims.iter().filter(|claim| claim.verdict == "holds").count();
    if progress::was_interrupted() {
        println!("\nBroken off: what is above rests on fewer scenarios than asked for.");
    } else {
        let word = output::verdict(if study.holds() { "Holds" } else { "Does not hold" }, study.holds());
        println!("\n{word}: {holding} claims hold, {failing} fail.");
    }
    Ok(Reproduced { verdict, document: None })
}

fn print_claims<'c>(title: &str, claims: impl Iterator<Item = &'c Claim> + Clone) {
    println!("\n{}", bold(title));
    let mut table = Table::new(2, &["verdict", "reading", "measured", "95 %", "  what"]);
    for claim in claims.clone() {
        let word = if claim.held {
            "holds"
        } else if claim.verdict == "depends" {
            "does not"
        } else {
            "fails"
        };
        table.row([
            output::verdict(word, claim.held),
            claim.reading.to_owned(),
            format!("{:.1} %", claim.measured.value),
            format!("{:.1} to {:.1}", claim.measured.low, claim.measured.high),
        ]);
    }
    table.print_with(claims.map(|claim| claim.statement.as_str()));
}

fn print_gaps(gaps: &[Gap]) {
    for (set, conditions, title) in [
        ("figure-10", Conditions::Report, "Above the optimum, missions of Figure 10, delays of the report"),
        ("figure-10", Conditions::Instant, "Above the optimum, missions of Figure 10, no delays"),
        (
            "figure-10",
            Conditions::Noise,
            "Above the optimum, missions of Figure 10, no delays, 10 % noise in what is known",
        ),
        ("larger", Conditions::Instant, "Above the optimum, larger missions, no delays"),
    ] {
        println!("\n{}", bold(title));
        let mut table = Table::new(1, &["rule", "coverage", "region", "mean", "95 %", "sd", "scenarios"]);
        for gap in gaps.iter().filter(|gap| gap.set == set && gap.conditions == conditions) {
            table.row([
                gap.rule.clone(),
                format!("{}+", gap.coverage_from),
                gap.region.0.to_string(),
                format!("{:.2} %", gap.mean),
                format!("{:.2} to {:.2}", gap.low, gap.high),
                format!("{:.2}", gap.sd),
                gap.scenarios.to_string(),
            ]);
        }
        table.print();
    }
}

fn print_stops(stops: &[Stops]) {
    println!("\n{}", bold("Robots that stop at random times, statements every 5 s"));
    let head = ["rule", "loss", "missions", "done", "in time", "stopped", "overlaps", "mean", "verdict"];
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
            format!("{:.0} s", row.mean_s),
            output::verdict(if row.holds() { "holds" } else { "fails" }, row.holds()),
        ]);
    }
    table.print();
    println!("In time: within five times the time of the same mission at no loss (at no loss: without stops).");
}
