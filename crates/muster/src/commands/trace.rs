//! `muster run --record`, `--log` and `--explain`: the first run again, with somebody looking on.
//!
//! A run is what its seed makes it, so looking on later shows the same run, and runs that nobody looks at
//! cost nothing.

use std::path::Path;

use miette::{Result, miette};
use muster_core::{Mechanism, Note, RobotId};
use muster_sim::explain::Explainer;
use muster_sim::recording::{self, Header};
use muster_sim::scheme::{Visit, staff};
use muster_sim::{Origin, Scheme, Sim};
use serde_json::{Value, json};

use super::explain::{self, Told};
use crate::cli::Narrow;
use crate::output::{bold, faint, program, with_causes};
use crate::progress;

/// A run to be made again.
pub struct Again(pub Origin);

/// A recording that was made.
pub struct Recorded {
    path: String,
    header: Header,
    count: u64,
    broken_off: bool,
}

impl Again {
    /// Records it. Ctrl-C ends it: what was recorded until then is whole.
    pub fn record(&self, path: &Path) -> Result<Recorded> {
        let header = Header { origin: self.0.clone(), program: program() };
        let recorded = recording::record(path, &header, progress::was_interrupted).map_err(|error| {
            let help = "check that you may write there and that the disk is not full";
            miette!(help = help, "{}: cannot be recorded: {}", path.display(), with_causes(&error))
        })?;
        let path = path.display().to_string();
        Ok(Recorded { path, header, count: recorded.count, broken_off: recorded.broken_off })
    }

    /// What happened in it, a line each: what the console shows in its log, byte for byte.
    pub fn log(&self) -> String {
        let mut explainer = Explainer::new(&self.0);
        let mut text = String::new();
        for note in self.notes() {
            if let Some(line) = explainer.log_line(&note) {
                text.push_str(&explainer.written(&line));
                text.push('\n');
            }
        }
        text
    }

    fn notes(&self) -> Vec<Note> {
        staff(&self.0, Notes(&self.0))
    }

    /// Explains it, as far as it gets before Ctrl-C.
    pub fn explain(&self) -> Result<Explained> {
        let notes = self.notes();
        let told = explain::tell(&self.0, &notes, &Narrow::default())?;
        Ok(Explained { scheme: self.0.scheme, told })
    }
}

struct Notes<'a>(&'a Origin);

impl Visit for Notes<'_> {
    type Result = Vec<Note>;

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Vec<Note> {
        let mut sim = Sim::of(self.0, machine, ()).with_notes();
        sim.start();
        sim.run_until(|sim| sim.is_over() || progress::was_interrupted());
        sim.take_notes()
    }
}

impl Recorded {
    /// Says so.
    pub fn print(&self) {
        let Self { path, header, count, broken_off } = self;
        let until = if *broken_off { ", up to where it was broken off" } else { "" };
        println!(
            "\nRecorded {}: {count} inputs and outputs in {path}{until}. Ask why with `muster explain`.",
            header.origin.scheme.name()
        );
    }

    /// The same as JSON.
    pub fn to_json(&self) -> Value {
        json!({"path": self.path, "strategy": self.header.origin.scheme.name(), "seed": self.header.origin.seeds.run,
            "inputs_and_outputs": self.count, "broken_off": self.broken_off})
    }
}

/// An explanation of a run.
pub struct Explained {
    scheme: Scheme,
    told: Told,
}

impl Explained {
    /// Prints it.
    pub fn print(&self) {
        println!("\n{} {}", bold("Why"), faint(&format!("({})", self.scheme.name())));
        self.told.print();
    }

    /// The same as JSON.
    pub fn to_json(&self) -> Value {
        self.told.to_json()
    }
}
