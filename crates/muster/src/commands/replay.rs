//! `muster replay`: a recording in a browser; what it holds, and whether it is the run that it says.

mod reception;

use std::path::Path;

use miette::{Report, Result, miette};
use muster_core::Time;
use muster_journal::ReadError;
use muster_journal::columns::printable;
use muster_reception::recording::{AnyRecording, read_any};
use muster_sim::intervention::Made;
use muster_sim::recording::{self, Header, Recording};
use serde_json::{Value, json};

use super::console;
use crate::cli::ReplayArguments;
use crate::output::{self, Verdict, bold, faint};
use crate::progress;

/// Reads a recording; the error names the file and what to try.
pub fn read(path: &Path) -> Result<AnyRecording> {
    read_any(path).map_err(|error| in_words(path, &error))
}

fn in_words(path: &Path, error: &ReadError) -> Report {
    let help = match error {
        ReadError::Damaged(_) | ReadError::Header(_) => {
            "copy it again, or make it again: the run is what its seed makes it"
        }
        ReadError::Io(_)
        | ReadError::Empty
        | ReadError::NotMcap(_)
        | ReadError::NotOurs
        | ReadError::Format { .. }
        | ReadError::Own { .. }
        | ReadError::TooShort
        | ReadError::TooLarge
        | ReadError::Compression(_) => "make one with `muster run minefield --record run.mcap`",
    };
    // What a damaged file says of itself may be anything.
    miette!(help = help, "{}: {}", path.display(), printable(&error.to_string()))
}

pub use reception::about as about_reception;

/// What a recording of a mission says about itself, as JSON.
pub fn about(recording: &Recording) -> Value {
    let header = &recording.header;
    json!({"version": header.program.0, "commit": header.program.1, "scenario": header.origin.loaded.name,
        "strategy": header.origin.scheme.name(), "interventions": header.origin.interventions.all().len(), "events": recording.events.len(),
        "end_s": recording.end().as_secs_f64(), "cut": recording.cut})
}

/// That another program made it may be why it does not follow.
pub fn other_program(recorded_by: &(String, String)) -> String {
    let ((version, commit), this) = (recorded_by, output::program());
    if *recorded_by == this {
        return String::new();
    }
    format!(
        " It was recorded by muster {version} ({commit}) and this is muster {} ({}), which may be why.",
        this.0, this.1
    )
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
    match read_any(path) {
        Ok(AnyRecording::Mission(recording)) => mission(recording, arguments, json),
        Ok(AnyRecording::Reception(recording)) => reception::execute(recording, arguments, json),
        Err(error @ (ReadError::Damaged(_) | ReadError::Header(_))) if arguments.verify => {
            if json {
                let (version, commit) = output::program();
                output::print_value(&json!({"version": version, "commit": commit, "recording": null,
                    "verified": {"inputs": 0, "outputs": 0, "failure": error.to_string()}}));
            } else {
                let error = error.to_string();
                println!(
                    "{}: {} {}.",
                    output::verdict("Does not verify", false),
                    output::shown(path),
                    printable(&error)
                );
            }
            Ok(Verdict::DidNotHold)
        }
        Err(error) => Err(in_words(path, &error)),
    }
}

/// What came of a verification, whatever was verified: the first failure, with what may be why; and the exit code.
struct Verification {
    failure: Option<String>,
    broken_off: bool,
}

impl Verification {
    fn of(failure: Option<String>, recorded_by: &(String, String)) -> Self {
        let failure = failure.map(|failure| format!("{failure}.{}", other_program(recorded_by)));
        Self { broken_off: failure.is_none() && progress::was_interrupted(), failure }
    }

    fn verdict(&self) -> Verdict {
        match (&self.failure, self.broken_off) {
            (Some(_), _) => Verdict::DidNotHold,
            (None, true) => Verdict::Interrupted,
            (None, false) => Verdict::Held,
        }
    }

    /// Says so; `held` is what holds if nothing is wrong.
    fn print(&self, held: &str) {
        match &self.failure {
            None if self.broken_off => println!("Broken off: as far as it was compared there is no difference."),
            None => println!("{}: {held}", output::verdict("Verified", true)),
            Some(failure) => println!("{}: {failure}", output::verdict("Does not verify", false)),
        }
    }
}

/// Says what the file is.
fn print_head(path: &Path, run: &str, seed: u64, recorded_by: &(String, String), events: usize, end: Time) {
    let (version, commit) = recorded_by;
    let by = faint(&format!("[recorded by muster {version} ({commit})]"));
    println!("{}: {}, seed {seed}  {by}", bold(&output::shown(path)), printable(run));
    println!("{events} events in {end:.1} of simulated time");
}

fn print_cut(cut: Option<&str>) {
    if let Some(cut) = cut {
        println!("It was cut off and is read as far as it is whole: {cut}.");
    }
}

/// Shows it in a browser.
fn open(recording: AnyRecording, arguments: ReplayArguments) -> Result<Verdict> {
    let path = &arguments.recording;
    let file = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into());
    console::open_recording(file, recording, arguments.serving)
}

const HINT: &str =
    "Look at it without --about; see whether it is that run with --verify; ask why with `muster explain`.";

fn mission(recording: Recording, arguments: ReplayArguments, json: bool) -> Result<Verdict> {
    let (path, header) = (&arguments.recording, &recording.header);
    let Header { origin, program } = header;
    if arguments.interventions {
        return Ok(print_interventions(&recording, json));
    }
    let verified = arguments.verify.then(|| {
        progress::heed_interrupts();
        let verified = recording::verify_until(&recording, progress::was_interrupted);
        (verified.inputs, verified.outputs, Verification::of(verified.failure, program))
    });
    let verdict = verified.as_ref().map_or(Verdict::Held, |(.., outcome)| outcome.verdict());
    if json {
        let mut body = json!({
            "recording": about(&recording),
            "verified": verified.as_ref().map(|(inputs, outputs, outcome)| json!({"inputs": inputs,
                "outputs": outputs, "failure": outcome.failure})),
        });
        if verdict == Verdict::Interrupted {
            body["interrupted"] = true.into();
        }
        output::print_json(Some(origin.seeds.run), &origin.loaded.scenario, &body);
        return Ok(verdict);
    }
    let run = format!("{}, {}", origin.loaded.name, origin.scheme.name());
    print_head(path, &run, origin.seeds.run, program, recording.events.len(), recording.end());
    if !origin.interventions.is_empty() {
        let count = output::count(origin.interventions.all().len(), "intervention");
        println!("{count}; print them with --interventions");
    }
    print_cut(recording.cut.as_deref());
    match verified {
        None if arguments.about => println!("{HINT}"),
        None => return open(AnyRecording::Mission(recording), arguments),
        Some((inputs, outputs, outcome)) => outcome.print(&format!(
            "{outputs} outputs follow from {inputs} inputs, and the run made again is the same, byte for byte."
        )),
    }
    Ok(verdict)
}
