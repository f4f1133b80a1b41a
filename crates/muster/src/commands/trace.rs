//! `muster run --record` and `--explain`: the first run again, with somebody looking on.
//!
//! A run is what its seed makes it, so looking on later shows the same run, and runs that nobody looks at
//! cost nothing.

use std::path::Path;

use miette::{Result, miette};
use muster_core::recruitment::{Recruitment, Strategy};
use muster_sim::recording::{self, Header};
use muster_sim::scenario::Loaded;
use muster_sim::{Seeds, Sim};
use serde_json::{Value, json};

use super::explain::{self, Told};
use crate::cli::Narrow;
use crate::output::{bold, faint, program, with_causes};
use crate::progress;

/// A recording that was made.
pub struct Recorded {
    path: String,
    header: Header,
    count: u64,
    broken_off: bool,
}

/// Records the run of `strategy` from `seed`. Ctrl-C ends it: what was recorded until then is whole.
pub fn record(loaded: &Loaded, strategy: Strategy, seed: u64, path: &Path) -> Result<Recorded> {
    let header = Header { loaded: loaded.clone(), strategy, seeds: Seeds::from(seed), program: program() };
    let recorded = recording::record(path, &header, progress::was_interrupted, |_| ()).map_err(|error| {
        let help = "check that you may write there and that the disk is not full";
        miette!(help = help, "{}: cannot be recorded: {}", path.display(), with_causes(&error))
    })?;
    let path = path.display().to_string();
    Ok(Recorded { path, header, count: recorded.count, broken_off: recorded.broken_off })
}

impl Recorded {
    /// Says so.
    pub fn print(&self) {
        let Self { path, header, count, broken_off } = self;
        let until = if *broken_off { ", up to where it was broken off" } else { "" };
        println!(
            "\nRecorded {}: {count} inputs and outputs in {path}{until}. Ask why with `muster explain`.",
            header.strategy.name()
        );
    }

    /// The same as JSON.
    pub fn to_json(&self) -> Value {
        json!({"path": self.path, "strategy": self.header.strategy.name(), "seed": self.header.seeds.run,
            "inputs_and_outputs": self.count, "broken_off": self.broken_off})
    }
}

/// An explanation of a run.
pub struct Explained {
    strategy: Strategy,
    told: Told,
}

/// Explains the run of `strategy` from `seed`, as far as it gets before Ctrl-C.
pub fn explain(loaded: &Loaded, strategy: Strategy, seed: u64) -> Result<Explained> {
    let config = loaded.recruitment(strategy);
    let mut sim = Sim::new(&loaded.mission, seed, |_| Recruitment::new(config.clone()), ()).with_notes();
    sim.start();
    sim.run_until(|sim| sim.ledger().all_served() || progress::was_interrupted());
    Ok(Explained { strategy, told: explain::tell(loaded, &config, sim.notes(), &Narrow::default())? })
}

impl Explained {
    /// Prints it.
    pub fn print(&self) {
        println!("\n{} {}", bold("Why"), faint(&format!("({})", self.strategy.name())));
        self.told.print();
    }

    /// The same as JSON.
    pub fn to_json(&self) -> Value {
        self.told.to_json()
    }
}
