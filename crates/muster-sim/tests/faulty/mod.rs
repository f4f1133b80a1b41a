//! Runs to be recorded: plain ones, and ones with everything against them.

use muster_core::recruitment::Strategy;
use muster_core::rng::{Purpose, Stream};
use muster_sim::Origin;
use muster_sim::recording::Header;
use muster_sim::scenario;

/// A run of the minefield.
pub fn header(changes: &[&str], strategy: Strategy, seed: u64) -> Header {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    let loaded = scenario::load("minefield", &changes).unwrap();
    Header { origin: Origin::new(loaded, strategy, seed), program: ("0.0.0".to_owned(), "test".to_owned()) }
}

/// A radio and robots at their worst, drawn from the seed.
pub fn faulty(seed: u64) -> Header {
    let mut stream = Stream::of_run(seed, Purpose::Faults);
    let mut faults = Vec::new();
    for _ in 0..6 {
        let robot = match stream.below(11) {
            0 => "uav".to_owned(),
            number => format!("idle-{number}"),
        };
        let kind = ["pause", "restart", "deaf", "mute", "stop"][stream.below(5) as usize];
        let memory = if kind == "restart" { format!(", memory = {}", stream.below(2) == 0) } else { String::new() };
        let (at, lasts) = (stream.between(0.0, 1_200.0), stream.between(0.1, 40.0));
        let lasts = if kind == "stop" { String::new() } else { format!(", for_s = {lasts}") };
        faults.push(format!("{{ robot = \"{robot}\", at_s = {at}, kind = \"{kind}\"{lasts}{memory} }}"));
    }
    let faults = format!("faults=[{}]", faults.join(", "));
    let config = ["recruitment.config=safe", "recruitment.config=gage_2004"][stream.below(2) as usize];
    let messaging = ["recruitment.messaging=broadcast", "recruitment.messaging=unicast"][stream.below(2) as usize];
    let strategy = Strategy::ALL[stream.below(3) as usize];
    let changes = [
        "radio.loss=0.2",
        "radio.duplication=0.1",
        "radio.reordering=0.1",
        "radio.jitter_ms=200",
        "radio.bursts={ good_s = 60, bad_s = 5, loss = 1 }",
        config,
        messaging,
        &faults,
    ];
    header(&changes, strategy, seed)
}
