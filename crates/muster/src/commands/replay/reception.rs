//! `muster replay` of a reception.

use miette::Result;
use muster_reception::recording::{self, AnyRecording, Header, Recording};
use serde_json::{Value, json};

use super::{HINT, Verification, open, print_cut, print_head};
use crate::cli::ReplayArguments;
use crate::commands::run::no_interventions;
use crate::output::{self, Verdict};
use crate::progress;

/// What a recording of a reception says about itself, as JSON.
pub fn about(recording: &Recording) -> Value {
    let Header { party, program: (version, commit), .. } = &recording.header;
    json!({"version": version, "commit": commit, "scenario": party.name, "strategy": null, "kind": "reception",
        "interventions": 0, "events": recording.events.len(), "end_s": recording.end().as_secs_f64(),
        "cut": recording.cut})
}

pub(super) fn execute(recording: Recording, arguments: ReplayArguments, json: bool) -> Result<Verdict> {
    let (path, Header { party, seed, program }) = (&arguments.recording, &recording.header);
    if arguments.interventions {
        return Err(no_interventions(&party.name));
    }
    let verified = arguments.verify.then(|| {
        progress::heed_interrupts();
        let verified = recording::verify_until(&recording, progress::was_interrupted);
        (verified.entries, Verification::of(verified.failure, program))
    });
    let verdict = verified.as_ref().map_or(Verdict::Held, |(_, outcome)| outcome.verdict());
    if json {
        let verified = verified.map(|(entries, outcome)| json!({"entries": entries, "failure": outcome.failure}));
        let mut body = json!({"recording": about(&recording), "verified": verified});
        if verdict == Verdict::Interrupted {
            body["interrupted"] = true.into();
        }
        output::print_json(Some(*seed), &party.scenario, &body);
        return Ok(verdict);
    }
    print_head(path, &party.name, *seed, program, recording.events.len(), recording.end());
    print_cut(recording.cut.as_deref());
    match verified {
        None if arguments.about => println!("{HINT}"),
        None => return open(AnyRecording::Reception(recording), arguments),
        Some((entries, outcome)) => {
            outcome.print(&format!("{entries} entries are those of the reception made again, byte for byte."));
        }
    }
    Ok(verdict)
}
