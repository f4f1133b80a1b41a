//! Recordings: written, read, cut, tampered with, fed to the machines again.

use std::path::PathBuf;

use muster_core::recruitment::Strategy;
use muster_core::rng::{Purpose, Stream};
use muster_sim::Seeds;
use muster_sim::recording::{self, Header, Recording};
use muster_sim::scenario;

fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

fn header(changes: &[&str], strategy: Strategy, seed: u64) -> Header {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    Header {
        loaded: scenario::load("minefield", &changes).unwrap(),
        strategy,
        seeds: Seeds::from(seed),
        program: ("0.0.0".to_owned(), "test".to_owned()),
    }
}

/// A radio and robots at their worst, drawn from the seed.
fn faulty(seed: u64) -> Header {
    let mut stream = Stream::of_run(seed, Purpose::Faults);
    let mut faults = Vec::new();
    for _ in 0..6 {
        let robot = match stream.below(11) {
            0 => "uav".to_owned(),
            number => format!("idle-{number}"),
        };
        let kind = ["pause", "restart", "deaf", "mute"][stream.below(4) as usize];
        let memory = if kind == "restart" { format!(", memory = {}", stream.below(2) == 0) } else { String::new() };
        let (at, lasts) = (stream.between(0.0, 1_200.0), stream.between(0.1, 40.0));
        faults.push(format!("{{ robot = \"{robot}\", at_s = {at}, kind = \"{kind}\", for_s = {lasts}{memory} }}"));
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

fn recorded(name: &str, header: &Header) -> (Recording, PathBuf, u64) {
    let path = file(name);
    let ((), count) = recording::record(&path, header, |_| ()).unwrap();
    (recording::read(&path).unwrap(), path, count)
}

#[test]
fn a_recording_replays() {
    let (recording, path, count) = recorded("plain.mcap", &header(&[], Strategy::Affective, 1));
    assert_eq!(recording.cut, None);
    let replayed = recording::replay(&recording);
    assert_eq!(replayed.failure, None);
    assert_eq!(replayed.inputs + replayed.outputs, count);
    assert!(replayed.inputs > 300 && replayed.outputs > 100, "{} {}", replayed.inputs, replayed.outputs);
    let size = std::fs::metadata(path).unwrap().len();
    assert!(size <= 200_000, "a recording of the minefield has {size} bytes");
}

/// A thousand runs with faults; each replays, and gives the notes that the run itself gave.
#[test]
fn a_thousand_faulty_runs_replay() {
    for seed in 0..1_000 {
        let header = faulty(seed);
        let path = file("faulty.mcap");
        recording::record(&path, &header, |_| ()).unwrap();
        let recording = recording::read(&path).unwrap();
        let replayed = recording::replay(&recording);
        assert_eq!(replayed.failure, None, "seed {seed}");
        assert_eq!(recording.cut, None, "seed {seed}");
    }
}

#[test]
fn recording_changes_nothing() {
    use muster_core::recruitment::Recruitment;
    for seed in 0..50 {
        let header = faulty(seed);
        let config = header.loaded.recruitment(header.strategy);
        let mut plain =
            muster_sim::Sim::new(&header.loaded.mission, seed, |_| Recruitment::new(config.clone()), ()).with_notes();
        plain.run();
        let path = file("unchanged.mcap");
        let (same, _) = recording::record(&path, &header, |sim| {
            (sim.ledger() == plain.ledger(), sim.traffic() == plain.traffic(), sim.now() == plain.now())
        })
        .unwrap();
        assert_eq!(same, (true, true, true), "seed {seed}");
        let replayed = recording::replay(&recording::read(&path).unwrap());
        assert_eq!(replayed.notes, plain.notes(), "seed {seed}: the same notes");
    }
}

/// Cut anywhere, it is read up to the cut, and what is read replays.
#[test]
fn a_recording_that_was_cut_off_is_read_up_to_the_cut() {
    let (whole, path, _) = recorded("whole.mcap", &header(&["radio.loss=0.25"], Strategy::Affective, 4));
    let bytes = std::fs::read(&path).unwrap();
    let cut_path = file("cut.mcap");
    let mut longest = 0;
    for length in (0..bytes.len()).step_by(997) {
        std::fs::write(&cut_path, &bytes[..length]).unwrap();
        let Ok(recording) = recording::read(&cut_path) else {
            assert_eq!(longest, 0, "what could be read once can be read from a longer piece");
            continue;
        };
        assert!(recording.cut.is_some(), "cut at {length} of {}", bytes.len());
        assert_eq!(recording.events, whole.events[..recording.events.len()]);
        assert!(recording.events.len() >= longest);
        longest = recording.events.len();
        assert_eq!(recording::replay(&recording).failure, None, "cut at {length}");
    }
    assert!(longest > whole.events.len() * 8 / 10, "{longest} of {}", whole.events.len());
}

/// Any byte of any message, timer or action changed, in a file whose checksums are right again: it shows.
#[test]
fn a_recording_that_was_tampered_with_fails() {
    let (recording, ..) = recorded("honest.mcap", &header(&["radio.loss=0.1"], Strategy::Affective, 2));
    let mut stream = Stream::of_run(9, Purpose::Faults);
    let (mut noticed, mut tried) = (0, 0);
    for index in 0..recording.events.len() {
        for message in positions_of_messages(&recording.events[index].1) {
            let mut changed = recording.clone();
            let byte = message.start + stream.below((message.end - message.start) as u32) as usize;
            changed.events[index].1[byte] ^= 1 << stream.below(7);
            tried += 1;
            noticed += usize::from(recording::replay(&changed).failure.is_some());
        }
    }
    assert!(tried > 50, "{tried}");
    assert_eq!(noticed, tried, "every change of a message is noticed");
}

/// Where in the entries of an event the messages stand: what follows tag, tag and recipient of a Send.
fn positions_of_messages(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    use muster_core::recruitment::{Memory, Message, Timer};
    use muster_sim::recording::{Entry, Put};
    let mut found = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (entry, next): (Entry<Message, Timer, Memory>, _) = postcard::take_from_bytes(rest).unwrap();
        let end = bytes.len() - next.len();
        if let Entry::Output(Put::Send(_, message)) = entry {
            found.push(end - postcard::to_stdvec(&message).unwrap().len()..end);
        }
        rest = next;
    }
    found
}

#[test]
fn what_is_no_recording_is_refused() {
    let path = file("no.mcap");
    std::fs::write(&path, b"not at all, and much too short for one").unwrap();
    assert!(recording::read(&path).unwrap_err().to_string().contains("is not an MCAP file"));
    assert!(recording::read(&file("missing.mcap")).unwrap_err().to_string().contains("cannot be read"));
}
