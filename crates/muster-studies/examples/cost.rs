//! Makes runs of the minefield and nothing else, to be measured from outside (see the `bench` script).
//!
//! `cost RUNS LOSS NOTES IDLE`: affective recruitment, set-up included; NOTES is `notes` or `plain`.

use std::hint::black_box;

use muster_core::recruitment::{Recruitment, Strategy};
use muster_sim::Sim;
use muster_sim::scenario;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, runs, loss, notes, idle] = &arguments[..] else {
        eprintln!("usage: cost RUNS LOSS notes|plain IDLE");
        std::process::exit(2);
    };
    let runs: u64 = runs.parse().expect("RUNS is a number");
    let changes =
        ["recruitment.config=gage_2004".to_owned(), format!("radio.loss={loss}"), format!("robots.idle.count={idle}")];
    let loaded = scenario::load("minefield", &changes).expect("the built-in scenario loads");
    let config = loaded.recruitment(Strategy::Affective);
    for seed in 0..runs {
        let mut sim = Sim::new(&loaded.mission, seed, |_| Recruitment::new(config.clone()), ());
        if notes == "notes" {
            sim = sim.with_notes();
        }
        sim.run();
        black_box((sim.traffic(), sim.ledger(), sim.notes().len()));
    }
}
