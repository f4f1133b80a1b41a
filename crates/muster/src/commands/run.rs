//! `muster run`: a mission or a reception, as its file says.

mod mission;
mod reception;

use std::path::Path;
use std::sync::Arc;

use miette::{Result, miette};
use muster_core::rng::Stream;
use muster_reception::scenario::{Play, load_any};
use muster_sim::scenario;
use muster_studies::provenance::{Provenance, shell_word};
use muster_studies::results::Format;
use serde::Serialize;

use crate::artifact;
use crate::cli::RunArguments;
use crate::output::{self, Verdict};

/// Runs it and prints what came of it.
pub fn execute(arguments: &RunArguments, json: bool) -> Result<Verdict> {
    match load_any(&arguments.scenario, &arguments.set)? {
        Play::Mission(loaded) => mission::execute(Arc::new(*loaded), arguments, json),
        Play::Reception(party) => {
            if arguments.interventions.is_some() {
                return Err(no_interventions(&party.name));
            }
            reception::execute(&party, arguments, json)
        }
    }
}

/// A reception is a mission of another kind: it has neither tasks nor faults.
pub fn no_interventions(name: &str) -> miette::Report {
    let help = "leave --interventions out, or run a mission, such as minefield";
    miette!(help = help, "{name} is a reception: its robots take no orders and have no faults")
}

/// A single run has the seed that was given; the runs of a batch have seeds drawn from it.
fn seed_of(arguments: &RunArguments, index: u64) -> u64 {
    if arguments.runs == 1 { arguments.seed } else { Stream::seed_of_run(arguments.seed, index) }
}

/// Finds out before anything is run whether what is to be left behind can be written.
fn expect_files(arguments: &RunArguments) -> Result<Vec<Format>> {
    let results = arguments.results.iter().map(|path| ("--results", &**path));
    let report = arguments.report.iter().map(|path| ("--report", &**path));
    let record = arguments.record.iter().map(|path| ("--record", &**path));
    let log = arguments.log.iter().map(|path| ("--log", &**path));
    let own = scenario::built_in(&arguments.scenario).is_none().then(|| Path::new(&arguments.scenario));
    artifact::expect_apart(&results.chain(report).chain(record).chain(log).collect::<Vec<_>>(), own)?;
    if let Some(path) = &arguments.record {
        artifact::expect_ending(path, "recording", &["mcap"])?;
        artifact::expect_place(path)?;
    }
    if let Some(path) = &arguments.log {
        artifact::expect_place(path)?;
    }
    if let Some(path) = &arguments.report {
        artifact::expect_ending(path, "report", &["html", "htm"])?;
        artifact::expect_place(path)?;
    }
    arguments
        .results
        .iter()
        .map(|path| {
            let format = Format::of(path)?;
            artifact::expect_place(path)?;
            Ok(format)
        })
        .collect()
}

fn provenance(arguments: &RunArguments, name: &str, scenario: &impl Serialize) -> Provenance {
    let mut command = format!("muster run {} --seed {}", shell_word(&arguments.scenario), arguments.seed);
    if arguments.runs > 1 {
        command.push_str(&format!(" --runs {}", arguments.runs));
    }
    if let Some(path) = &arguments.knowledge {
        command.push_str(&format!(" --knowledge {}", shell_word(&path.display().to_string())));
    }
    if let Some(path) = &arguments.interventions {
        command.push_str(&format!(" --interventions {}", shell_word(&path.display().to_string())));
    }
    for change in &arguments.set {
        command.push_str(&format!(" --set {}", shell_word(change)));
    }
    output::provenance_of(arguments.seed, name, command, scenario)
}
