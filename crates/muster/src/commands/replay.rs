//! `muster replay`: what a recording holds, and whether it follows from its inputs.

use miette::{Result, miette};
use muster_sim::recording::{self, Recording};
use serde_json::json;

use crate::cli::ReplayArguments;
use crate::output::{self, Verdict, bold, faint};

/// Reads a recording; the error names the file and what to try.
pub fn read(path: &std::path::Path) -> Result<Recording> {
    recording::read(path).map_err(|error| {
        miette!(help = "make one with `muster run minefield --record run.mcap`", "{}: {error}", path.display())
    })
}

/// Prints what it holds; with `--verify`, feeds it to the machines again.
pub fn execute(arguments: &ReplayArguments, json: bool) -> Result<Verdict> {
    let recording = read(&arguments.recording)?;
    let header = &recording.header;
    let replayed = arguments.verify.then(|| recording::replay(&recording));
    let failure = replayed.as_ref().and_then(|replayed| replayed.failure.clone());
    let verdict = if failure.is_none() { Verdict::Held } else { Verdict::DidNotHold };
    let end = recording.events.last().map_or(muster_core::Time::ZERO, |(at, _)| *at);
    if json {
        let body = json!({
            "recording": {"version": header.program.0, "commit": header.program.1, "scenario": header.loaded.name,
                "strategy": header.strategy.name(), "events": recording.events.len(), "end_s": end.as_secs_f64(),
                "cut": recording.cut},
            "verified": replayed.as_ref().map(|replayed| json!({"inputs": replayed.inputs,
                "outputs": replayed.outputs, "failure": replayed.failure})),
        });
        output::print_json(Some(header.seeds.run), &header.loaded.scenario, &body);
        return Ok(verdict);
    }
    println!(
        "{}: {}, {}, seed {}  {}",
        bold(&arguments.recording.display().to_string()),
        header.loaded.name,
        header.strategy.name(),
        header.seeds.run,
        faint(&format!("[recorded by muster {} ({})]", header.program.0, header.program.1)),
    );
    println!("{} events in {end:.1} of simulated time", recording.events.len());
    if let Some(cut) = &recording.cut {
        println!("The file was cut off and is read up to the cut: {cut}.");
    }
    match (&replayed, failure) {
        (None, _) => println!("Feed it to the machines again with --verify; ask why with `muster explain`."),
        (Some(replayed), None) => println!(
            "{}: {} outputs follow from {} inputs, byte for byte.",
            output::verdict("Verified", true),
            replayed.outputs,
            replayed.inputs
        ),
        (Some(_), Some(failure)) => println!("{}: {failure}", output::verdict("Does not follow", false)),
    }
    Ok(verdict)
}
