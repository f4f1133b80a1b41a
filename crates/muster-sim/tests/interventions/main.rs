//! Interventions: what somebody does to a run while it goes on is a part of what the run comes from, whatever its
//! mechanism. Runs are recorded, verified, made again from the file that was printed, and kept at any moment.

mod absurd;
mod ears;
mod made_again;
mod moments;
mod orders;
mod radio;
mod refused;
mod vain;

use std::path::PathBuf;
use std::sync::Arc;

use muster_core::{Mechanism, Note, RobotId, Time};
use muster_sim::recording::{self, Header, Recording};
use muster_sim::scenario::{self, Loaded};
use muster_sim::scheme::{Scheme, Visit, staff};
use muster_sim::sim::Traffic;
use muster_sim::{Interventions, Ledger, Origin, Sim};

/// A scenario, changes to it, and a file of interventions of all kinds that its robots can take.
const ALL: [(&str, &[&str], &str); 5] = [
    ("minefield", &["radio.loss=0.1"], include_str!("minefield.toml")),
    ("cleanup", &["alliance.strategy=regret"], include_str!("cleanup.toml")),
    ("boxes", &["faults=[]", "limit_h=0.15"], include_str!("boxes.toml")),
    ("patrol", &["limit_h=0.15"], include_str!("patrol.toml")),
    ("hotspot", &[], include_str!("hotspot.toml")),
];

fn load(name: &str, changes: &[&str]) -> Arc<Loaded> {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    Arc::new(scenario::load(name, &changes).unwrap_or_else(|error| panic!("{name}: {error}")))
}

fn parse(loaded: &Loaded, scheme: Scheme, text: &str) -> Interventions {
    Interventions::parse("test.toml", text, loaded, scheme).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn origin(loaded: &Arc<Loaded>, scheme: Scheme, seed: u64, text: &str) -> Origin {
    let interventions = parse(loaded, scheme, text);
    Origin::new(loaded.clone(), scheme, seed).practised(|| false).unwrap().with_interventions(interventions)
}

fn origins() -> impl Iterator<Item = Origin> {
    ALL.into_iter().flat_map(|(name, changes, text)| {
        let loaded = load(name, changes);
        let schemes = loaded.schemes();
        schemes.into_iter().map(move |scheme| origin(&loaded, scheme, 3, text))
    })
}

/// End, ledger, traffic and notes of a run: what two equal runs have in common.
type End = (Time, Ledger, Traffic, Vec<Note>);

fn end<M: Mechanism>(mut sim: Sim<'_, M, ()>) -> End {
    sim.run_until(Sim::is_over);
    (sim.now(), sim.ledger().clone(), sim.traffic(), sim.notes().to_vec())
}

struct Run<'a>(&'a Origin);

impl Visit for Run<'_> {
    type Result = End;

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> End {
        let mut sim = Sim::of(self.0, machine, ()).with_notes();
        sim.start();
        end(sim)
    }
}

fn run(origin: &Origin) -> End {
    staff(origin, Run(origin))
}

fn log(origin: &Origin) -> String {
    let mut explainer = origin.explainer();
    let lines = run(origin).3;
    lines
        .iter()
        .filter_map(|note| {
            let line = explainer.log_line(note)?;
            Some(format!("{}\n", explainer.written(&line)))
        })
        .collect()
}

fn record(name: &str, origin: &Origin) -> Recording {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("interventions-{name}.mcap"));
    let header = Header { origin: origin.clone(), program: ("0".to_owned(), "0".to_owned()) };
    recording::record(&path, &header, || false).unwrap();
    let recording = recording::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    recording
}
