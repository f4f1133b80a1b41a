//! `muster run --record`, `--log` and `--explain`: the first run again, with somebody looking on.
//!
//! A run is what its seed makes it, so looking on later shows the same run, and runs that nobody looks at
//! cost nothing.

use std::path::Path;

use miette::{Result, miette};
use muster_core::{Mechanism, Note, RobotId};
use muster_sim::explain::Explainer;
use muster_sim::recording::{self, Header};
use muster_sim::scenario::Loaded;
use muster_sim::scheme::{Visit, staff};
use muster_sim::{Knowledge, Scheme, Seeds, Sim};
use muster_studies::run;
use serde_json::{Value, json};

use super::explain::{self, Told};
use crate::cli::Narrow;
use crate::output::{bold, faint, program, with_causes};
use crate::progress;

/// A run to be made again.
pub struct Again<'a> {
    loaded: &'a Loaded,
    scheme: Scheme,
    given: Option<&'a Knowledge>,
    seed: u64,
}

/// A recording that was made.
pub struct Recorded {
    path: String,
    header: Header,
    count: u64,
    broken_off: bool,
}

impl<'a> Again<'a> {
    /// The run of `scheme` from `seed`, whose robots know what is `given`, or practise.
    pub fn new(loaded: &'a Loaded, scheme: Scheme, given: Option<&'a Knowledge>, seed: u64) -> Self {
        Self { loaded, scheme, given, seed }
    }

    fn knowledge(&self) -> Knowledge {
        run::knowledge(self.loaded, self.scheme, self.given, self.seed, progress::was_interrupted)
    }

    /// Records it. Ctrl-C ends it: what was recorded until then is whole.
    pub fn record(&self, path: &Path) -> Result<Recorded> {
        let header = Header {
            loaded: self.loaded.clone(),
            scheme: self.scheme,
            knowledge: self.knowledge(),
            seeds: Seeds::from(self.seed),
            program: program(),
        };
        let recorded = recording::record(path, &header, progress::was_interrupted).map_err(|error| {
            let help = "check that you may write there and that the disk is not full";
            miette!(help = help, "{}: cannot be recorded: {}", path.display(), with_causes(&error))
        })?;
        let path = path.display().to_string();
        Ok(Recorded { path, header, count: recorded.count, broken_off: recorded.broken_off })
    }

    /// What happened in it, a line each: what the console shows in its log, byte for byte.
    pub fn log(&self) -> String {
        let mut explainer = Explainer::new(self.loaded, self.scheme);
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
        staff(self.loaded, self.scheme, &self.knowledge(), Notes(self))
    }

    /// Explains it, as far as it gets before Ctrl-C.
    pub fn explain(&self) -> Result<Explained> {
        let notes = self.notes();
        let told = explain::tell(self.loaded, self.scheme, &notes, &Narrow::default())?;
        Ok(Explained { scheme: self.scheme, told })
    }
}

struct Notes<'a>(&'a Again<'a>);

impl Visit for Notes<'_> {
    type Result = Vec<Note>;

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Vec<Note> {
        let mut sim = Sim::new(&self.0.loaded.mission, self.0.seed, machine, ()).with_notes();
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
            header.scheme.name()
        );
    }

    /// The same as JSON.
    pub fn to_json(&self) -> Value {
        json!({"path": self.path, "strategy": self.header.scheme.name(), "seed": self.header.seeds.run,
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
