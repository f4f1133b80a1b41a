//! What recording adds to a run, and how large a recording is.

use std::path::Path;

use muster_core::recruitment::{Recruitment, Strategy};
use muster_sim::recording::{self, Header};
use muster_sim::{Origin, Sim, scenario};

use crate::table::{Bound, Stopwatch, at_most, row, turns};

/// Enough for a million inputs and outputs.
const CROWD: u64 = 63_000;
/// What recording may cost for each input and output, and however short the run is.
const EACH_NS: f64 = 1e3;
const FIXED_NS: f64 = 20e6;
const LARGEST_BYTES: u64 = 200_000;

fn header(idle: u64) -> Header {
    let loaded = scenario::load("minefield", &[format!("robots.idle.count={idle}")]).expect("the built-in loads");
    Header { origin: Origin::new(loaded, Strategy::Affective, 1), program: Default::default() }
}

/// Nanoseconds of a run that is recorded, with how many inputs and outputs it had.
fn recorded(path: &Path, header: &Header) -> (f64, u64) {
    let start = Stopwatch::start();
    let count = recording::record(path, header, || false).expect("the recording can be written").count;
    (start.nanos(), count)
}

fn plain(header: &Header) -> f64 {
    let config = header.origin.loaded.recruitment(Strategy::Affective);
    let start = Stopwatch::start();
    Sim::of(&header.origin, |_| Recruitment::new(config.clone()), ()).run();
    start.nanos()
}

pub fn measure() {
    let path = std::env::temp_dir().join(format!("muster-speed-{}.mcap", std::process::id()));
    let (crowd, paper) = (header(CROWD), header(10));

    for (what, header, rounds) in [
        ("recording 1,000,000 inputs and outputs, each", &crowd, 5),
        ("recording the minefield, each input and output", &paper, 101),
    ] {
        let (_, count) = recorded(&path, header);
        let pair = turns(rounds, || recorded(&path, header).0, || plain(header));
        let each = |nanos: f64| nanos / count as f64;
        let (added, allowed) = (each(pair.first - pair.second), each(count as f64 * EACH_NS + FIXED_NS));
        row(what, added, allowed, [added / allowed; 3], Bound::AtMost(1.0));
        assert!(rounds > 5 || count >= 1_000_000, "{count} inputs and outputs are fewer than a million");
    }

    let bytes = std::fs::metadata(&path).expect("the recording is there").len();
    at_most("bytes of a recording of the minefield", bytes, LARGEST_BYTES);
    let _ = std::fs::remove_file(&path);
}
