//! `muster replay`: a recording in a browser; what it holds, and whether it is the run that it says.

use std::path::Path;

use miette::{Report, Result, miette};
use muster_core::Time;
use muster_journal::ReadError;
use muster_journal::columns::printable;
use muster_sim::intervention::Made;
use muster_sim::recording::{self, Header, Recording};
use serde_json::{Value, json};

use super::console;
use crate::cli::ReplayArguments;
use crate::output::{self, Verdict, bold, faint};
use crate::progress;

/// Reads a recording; the error names the file and what to try.
pub fn read(path: &Path) -> Result<Recording> {
    recording::read(path).map_err(|error| in_words(path, &error))
}

fn in_words(path: &Path, error: &ReadError) -> Report {
    let help = match error {
        ReadError::Damaged(_) | ReadError::Header(_) => {
            "copy it again, or make it again: the run is what its seed makes it"
        }
        _ => "make one with `muster run minefield --record run.mcap`",
    };
    // What a damaged file says of itself may be anything.
    miette!(help = help, "{}: {}", path.display(), printable(&error.to_string()))
}

/// What a recording says about itself, as JSON.
pub fn about(recording: &Recording) -> Value {
    let header = &recording.header;
    json!({"version": header.program.0, "commit": header.program.1, "scenario": header.origin.loaded.name,
        "strategy": header.origin.scheme.name(), "interventions": header.origin.interventions.all().len(), "events": recording.events.len(),
        "end_s": end(recording).as_secs_f64(), "cut": recording.cut})
}

/// That another program made it may be why it does not follow.
pub fn other_program(header: &Header) -> String {
    let ((version, commit), this) = (&header.program, output::program());
    if header.program == this {
        return String::new();
    }
    format!(
        " It was recorded by muster {version} ({commit}) and this is muster {} ({}), which may be why.",
        this.0, this.1
    )
}

fn end(recording: &Recording) -> Time {
    recording.events.last().map_or(Time::ZERO, |(at, _)| *at)
}

/// Prints what was done to the run, as a file that does the same to another.
fn print_interventions(recording: &Recording, json: bool) -> Verdict {
    let Header { origin, .. } = &recording.header;
    if json {
        let made: Vec<Value> = origin.interventions.all().iter().map(Made::to_json).collect();
        let body = json!({"recording": about(recording), "interventions": made});
        output::print_json(Some(origin.seeds.run), &origin.loaded.scenario, &body);
    } else if origin.interventions.is_empty() {
        println!("# Nobody intervened in this run.\ninterventions = []");
    } else {
        print!("{}", origin.interventions.to_toml());
    }
    Verdict::Held
}

/// Prints what it holds and shows it; with `--verify`, says whether it is the run that it says.
pub fn execute(arguments: ReplayArguments, json: bool) -> Result<Verdict> {
    let path = &arguments.recording;
    let recording = match recording::read(path) {
        Ok(recording) => recording,
        Err(error @ (ReadError::Damaged(_) | ReadError::Header(_))) if arguments.verify => {
            if json {
                let (version, commit) = output::program();
                output::print_value(&json!({"version": version, "commit": commit, "recording": null,
                    "verified": {"inputs": 0, "outputs": 0, "failure": error.to_string()}}));
            } else {
                let error = error.to_string();
                println!("{}: {} {}.", output::verdict("Does not verify", false), path.display(), printable(&error));
            }
            return Ok(Verdict::DidNotHold);
        }
        Err(error) => return Err(in_words(path, &error)),
    };
    let header = &recording.header;
    if arguments.interventions {
        return Ok(print_interventions(&recording, json));
    }
    let verified = arguments.verify.then(|| {
        progress::heed_interrupts();
        let mut verified = recording::verify_until(&recording, progress::was_interrupted);
        verified.failure = verified.failure.map(|failure| format!("{failure}.{}", other_program(header)));
        verified
    });
    let holds = verified.as_ref().is_none_or(|verified| verified.failure.is_none());
    let broken_off = holds && progress::was_interrupted();
    let verdict = match (holds, broken_off) {
        (false, _) => Verdict::DidNotHold,
        (true, true) => Verdict::Interrupted,
        (true, false) => Verdict::Held,
    };
    if json {
        let mut body = json!({
            "recording": about(&recording),
            "verified": verified.as_ref().map(|verified| json!({"inputs": verified.inputs,
                "outputs": verified.outputs, "failure": verified.failure})),
        });
        if broken_off {
            body["interrupted"] = true.into();
        }
        output::print_json(Some(header.origin.seeds.run), &header.origin.loaded.scenario, &body);
        return Ok(verdict);
    }
    println!(
        "{}: {}, {}, seed {}  {}",
        bold(&path.display().to_string()),
        header.origin.loaded.name,
        header.origin.scheme.name(),
        header.origin.seeds.run,
        faint(&format!("[recorded by muster {} ({})]", header.program.0, header.program.1)),
    );
    println!("{} events in {:.1} of simulated time", recording.events.len(), end(&recording));
    if !header.origin.interventions.is_empty() {
        let count = output::count(header.origin.interventions.all().len(), "intervention");
        println!("{count}; print them with --interventions");
    }
    if let Some(cut) = &recording.cut {
        println!("It was cut off and is read as far as it is whole: {cut}.");
    }
    if !arguments.verify && !arguments.about {
        let file = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into());
        return console::open_recording(file, recording, arguments.serving);
    }
    match &verified {
        None => println!(
            "Look at it without --about; see whether it is that run with --verify; ask why with `muster explain`."
        ),
        Some(verified) => match &verified.failure {
            None if broken_off => println!("Broken off: as far as it was compared there is no difference."),
            None => println!(
                "{}: {} outputs follow from {} inputs, and the run made again is the same, byte for byte.",
                output::verdict("Verified", true),
                verified.outputs,
                verified.inputs
            ),
            Some(failure) => println!("{}: {failure}", output::verdict("Does not verify", false)),
        },
    }
    Ok(verdict)
}
