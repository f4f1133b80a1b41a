//! Runs of built-in scenarios, and what is noted in them.

use muster_core::mechanism::Mechanism;
use muster_core::{Note, RobotId};
use muster_sim::scheme::{Visit, staff};
use muster_sim::{Origin, Sim, scenario};

/// A run of a built-in scenario with changes, by the first of its schemes.
pub fn origin(name: &str, changes: &[&str]) -> Origin {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    let loaded = scenario::load(name, &changes).unwrap_or_else(|error| panic!("{error}"));
    let scheme = loaded.schemes()[0];
    Origin::new(loaded, scheme, 1)
}

struct Notes<'a>(&'a Origin);

impl Visit for Notes<'_> {
    type Result = Vec<Note>;

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Vec<Note> {
        let mut sim = Sim::of(self.0, machine, ()).with_notes();
        sim.run();
        sim.take_notes()
    }
}

/// The notes of a run.
pub fn notes(origin: &Origin) -> Vec<Note> {
    staff(origin, Notes(origin))
}
