//! `muster run --record` and `--explain`: the first run again, with somebody looking on.
//!
//! A run is what its seed makes it, so looking on later shows the same run, and runs that nobody looks at
//! cost nothing.

use miette::{Result, miette};
use muster_core::Note;
use muster_core::recruitment::{Recruitment, Strategy};
use muster_sim::recording::{self, Header};
use muster_sim::scenario::Loaded;
use muster_sim::{Seeds, Sim};

use super::explain::{self, Told};
use crate::cli::{Narrow, RunArguments};
use crate::output::{bold, faint};

/// What looking on has brought.
pub struct Traced {
    strategy: Strategy,
    recorded: Option<String>,
    told: Option<Told>,
}

/// Records and explains the run of `strategy` from `seed`, as far as asked for.
pub fn trace(loaded: &Loaded, strategy: Strategy, seed: u64, arguments: &RunArguments) -> Result<Traced> {
    let mut traced = Traced { strategy, recorded: None, told: None };
    if let Some(path) = &arguments.record {
        let program = (env!("CARGO_PKG_VERSION").to_owned(), env!("MUSTER_COMMIT").to_owned());
        let header = Header { loaded: loaded.clone(), strategy, seeds: Seeds::from(seed), program };
        let ((), count) = recording::record(path, &header, |_| ()).map_err(|error| {
            let help = "check that the folder exists, that you may write there and that the disk is not full";
            miette!(help = help, "{}: cannot be recorded: {error}", path.display())
        })?;
        traced.recorded = Some(format!("{count} inputs and outputs in {}", path.display()));
    }
    if arguments.explain {
        let notes = notes(loaded, strategy, seed);
        traced.told = Some(explain::tell(loaded, &loaded.recruitment(strategy), &notes, &Narrow::default())?);
    }
    Ok(traced)
}

fn notes(loaded: &Loaded, strategy: Strategy, seed: u64) -> Vec<Note> {
    let config = loaded.recruitment(strategy);
    let mut sim = Sim::new(&loaded.mission, seed, |_| Recruitment::new(config.clone()), ()).with_notes();
    sim.run();
    sim.take_notes()
}

impl Traced {
    /// Prints it.
    pub fn print(&self) {
        if let Some(told) = &self.told {
            println!("\n{} {}", bold("Why"), faint(&format!("({})", self.strategy.name())));
            told.print();
        }
        if let Some(recorded) = &self.recorded {
            println!("\nRecorded {}: {recorded}. Ask why with `muster explain`.", self.strategy.name());
        }
    }

    /// The explanation as JSON, if it was asked for.
    pub fn to_json(&self) -> Option<serde_json::Value> {
        self.told.as_ref().map(Told::to_json)
    }
}
