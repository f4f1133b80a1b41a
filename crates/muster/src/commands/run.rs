//! `muster run`: a mission or a reception, as its file says.

mod mission;
mod reception;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use miette::{Result, miette};
use muster_core::rng::Stream;
use muster_reception::scenario::{Play, load_any};
use muster_sim::scenario;
use muster_studies::provenance::{Provenance, shell_word};
use muster_studies::results::Format;
use serde::Serialize;

use crate::artifact::{self, Artifact};
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

/// The files that a run leaves behind, begun before anything is run.
struct Files {
    results: Vec<(Format, Artifact)>,
    report: Option<Artifact>,
    log: Option<Artifact>,
}

impl Files {
    /// Begins them all; tells if one of them cannot be written, or would overwrite another file that counts.
    fn begin(arguments: &RunArguments) -> Result<Self> {
        let results = arguments.results.iter().map(|path| ("--results", &**path));
        let report = arguments.report.iter().map(|path| ("--report", &**path));
        let record = arguments.record.iter().map(|path| ("--record", &**path));
        let log = arguments.log.iter().map(|path| ("--log", &**path));
        let own = scenario::built_in(&arguments.scenario).is_none().then(|| Path::new(&arguments.scenario));
        let own = own.map(|path| ("the scenario", path));
        let known = arguments.knowledge.iter().map(|path| ("what the robots know", &**path));
        let made = arguments.interventions.iter().map(|path| ("the interventions", &**path));
        let inputs: Vec<_> = own.into_iter().chain(known).chain(made).collect();
        artifact::expect_apart(&results.chain(report).chain(record).chain(log).collect::<Vec<_>>(), &inputs)?;
        if let Some(path) = &arguments.record {
            artifact::expect_ending(path, "recording", &["mcap"])?;
            // Begun anew when it is made: then it has its name from the first byte on, if nothing is there before.
            Artifact::begin(path)?;
        }
        let log = Artifact::begin_if(arguments.log.as_ref())?;
        if let Some(path) = &arguments.report {
            artifact::expect_ending(path, "report", &["html", "htm"])?;
        }
        let report = Artifact::begin_if(arguments.report.as_ref())?;
        let results = arguments.results.iter().map(|path| Ok((Format::of(path)?, Artifact::begin(path)?)));
        Ok(Self { results: results.collect::<Result<_>>()?, report, log })
    }
}

/// What was asked of the first run and was not made, since it is made again for that and there was no time left.
fn not_made(missing: &[&str]) -> String {
    if missing.is_empty() { String::new() } else { format!(" Not made of the first: {}.", missing.join(", ")) }
}

/// How far a batch came, and that its files hold no more than that.
fn broken_off(whole: usize, asked: u64, what: &str, written: &[PathBuf]) -> String {
    let held = match written.len() {
        0 if whole == 0 => " Nothing was written.".to_owned(),
        0 => String::new(),
        _ => format!(" The files hold the {whole} that were whole."),
    };
    format!("Broken off after {whole} of {asked} {what}.{held}")
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
