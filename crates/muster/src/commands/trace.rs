//! `muster run --record`, `--log` and `--explain`: the first run again, with somebody looking on.
//!
//! A run is what its seed makes it, so looking on later shows the same run, and runs that nobody looks at
//! cost nothing.

use std::io::{self, Write};
use std::path::Path;

use miette::{Report, Result, miette};
use muster_core::{Mechanism, Note, RobotId};
use muster_journal::TapeError;
use muster_journal::columns::printable;
use muster_sim::recording::{self, Header};
use muster_sim::scheme::{Visit, staff};
use muster_sim::{Origin, Sim};
use serde_json::{Value, json};

use super::explain::Teller;
use crate::cli::Narrow;
use crate::output::{bold, faint, program, with_causes};
use crate::progress;

/// So many lines are held until it is known how wide the column of names has to be; what comes later keeps to that.
const MOST_HELD: usize = 100_000;

/// That a recording cannot be written.
pub fn not_recorded(path: &Path, error: &TapeError) -> Report {
    let help = "check that you may write there and that the disk is not full";
    miette!(help = help, "{}: cannot be recorded: {}", path.display(), with_causes(error))
}

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
        let recorded = recording::record(path, &header, progress::was_interrupted);
        let recorded = recorded.map_err(|error| not_recorded(path, &error))?;
        let path = path.display().to_string();
        Ok(Recorded { path, header, count: recorded.count, broken_off: recorded.broken_off })
    }

    /// Writes down what happens in it, a line each, as it happens: what the console shows in its log, byte for byte.
    pub fn log(&self, out: &mut impl Write) -> io::Result<()> {
        let mut explainer = self.0.explainer();
        self.look_on(|note| match explainer.log_line(note) {
            Some(line) => writeln!(out, "{}", explainer.written(&line)),
            None => Ok(()),
        })
    }

    /// Makes the run again and shows each note when it is made: a long run has more of them than fit the memory. Ends at
    /// Ctrl-C, or when whoever looks on cannot go on.
    fn look_on(&self, see: impl FnMut(&Note) -> io::Result<()>) -> io::Result<()> {
        staff(&self.0, Look { origin: &self.0, see })
    }

    /// Says why things happen in it, as they happen, as far as it gets before Ctrl-C.
    pub fn print_why(&self) -> Result<()> {
        println!("\n{} {}", bold("Why"), faint(&format!("({})", self.0.scheme.name())));
        let mut teller = Teller::new(&self.0, &Narrow::default())?;
        let mut width = None;
        // Listening cannot fail.
        let _ = self.look_on(|note| {
            teller.tell(note);
            if teller.len() >= MOST_HELD {
                width = Some(teller.print(width));
            }
            Ok(())
        });
        if teller.len() > 0 || width.is_none() {
            teller.print(width);
        }
        teller.print_nobody();
        Ok(())
    }

    /// Explains it as JSON, as far as it gets before Ctrl-C.
    pub fn explain(&self) -> Result<Value> {
        let mut teller = Teller::new(&self.0, &Narrow::default())?;
        // Listening cannot fail.
        let _ = self.look_on(|note| {
            teller.tell(note);
            Ok(())
        });
        Ok(teller.to_json())
    }
}

struct Look<'a, F> {
    origin: &'a Origin,
    see: F,
}

impl<F: FnMut(&Note) -> io::Result<()>> Visit for Look<'_, F> {
    type Result = io::Result<()>;

    fn visit<M: Mechanism>(mut self, machine: impl Fn(RobotId) -> M) -> io::Result<()> {
        let mut sim = Sim::of(self.origin, machine, ()).with_notes();
        sim.start();
        loop {
            for note in sim.take_notes() {
                (self.see)(&note)?;
            }
            if sim.is_over() || progress::was_interrupted() || !sim.step() {
                return Ok(());
            }
        }
    }
}

impl Recorded {
    /// Says so.
    pub fn print(&self) {
        let Self { path, header, count, broken_off } = self;
        let until = if *broken_off { ", up to where it was broken off" } else { "" };
        println!(
            "\nRecorded {}: {count} inputs and outputs in {}{until}. Ask why with `muster explain`.",
            header.origin.scheme.name(),
            printable(path)
        );
    }

    /// The same as JSON.
    pub fn to_json(&self) -> Value {
        json!({"path": self.path, "strategy": self.header.origin.scheme.name(), "seed": self.header.origin.seeds.run,
            "inputs_and_outputs": self.count, "broken_off": self.broken_off})
    }
}
