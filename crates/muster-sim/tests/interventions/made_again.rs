//! Runs that were disturbed are made again: recorded, verified, from the file that a recording gives.

use std::path::PathBuf;

use muster_core::{Event, Time};
use muster_journal::Entry;
use muster_sim::recording::{self, Recording};
use muster_sim::{Interventions, Origin};

use crate::{ALL, load, log, origin, origins, parse, record, run};

/// Recorded, verified, and made again from the file that the recording gives: the same log, byte for byte.
#[test]
fn a_run_that_was_disturbed_is_made_again() {
    for origin in origins() {
        let what = format!("{} {}", origin.loaded.name, origin.scheme.name());
        let recording = record("again", &origin);
        assert_eq!(recording::verify(&recording).failure, None, "{what}");
        let printed = recording.header.origin.interventions.to_toml();
        let again = Origin::new(origin.loaded.clone(), origin.scheme, 3).with_knowledge(origin.knowledge.clone());
        let again = again.with_interventions(parse(&origin.loaded, origin.scheme, &printed));
        assert_eq!(again.interventions, origin.interventions, "{what}");
        let log = log(&origin);
        assert_eq!(self::log(&again), log, "{what}");
        let replayed = recording::replay(&recording);
        assert_eq!(replayed.notes, run(&origin).3, "{what}");
        // Each that was made stands in the log with its author; a run may be over before the last.
        let made = replayed.notes.iter().filter(|note| matches!(note.event, Event::Intervened { .. })).count();
        assert!(made >= 5 && made <= origin.interventions.all().len(), "{what}: {made}");
        for made in &origin.interventions.all()[..made] {
            let line = format!("{:.3}\t{}\tintervenes: {}\n", made.at.as_secs_f64(), made.author, made.sentence());
            assert!(log.contains(&line), "{what}: no {line:?} in\n{log}");
        }
    }
}

/// What is changed in the header, or in an entry, is found; the author is a part of it.
#[test]
fn a_changed_intervention_is_noticed() {
    for (name, changes, text) in ALL {
        let loaded = load(name, changes);
        let scheme = loaded.schemes()[0];
        let recording = record("changed", &origin(&loaded, scheme, 3, text));
        let entry = |recording: &Recording, n: usize| {
            let with = |(_, entries): &(Time, Vec<u8>)| entries.windows(17).any(|it| it == b"[[interventions]]");
            recording.events.iter().enumerate().filter(|(_, event)| with(event)).nth(n).unwrap().0
        };
        for (from, to) in [("at_s = 20", "at_s = 21"), ("at_s = 30", "at_s = 29"), ("\"ops\"", "\"oops\"")] {
            let changed = text.replacen(from, to, 1);
            if changed == text {
                continue;
            }
            let mut other = recording.clone();
            other.header.origin.interventions = parse(&loaded, scheme, &changed);
            assert!(recording::verify(&other).failure.is_some(), "{name}: {from} in the header");
            assert!(recording::replay(&other).failure.is_some(), "{name}: {from} in the header, replayed");
        }
        let mut other = recording.clone();
        let event = entry(&other, 1);
        let bytes = &mut other.events[event].1;
        let at = bytes.windows(3).position(|it| it == b"ops").unwrap();
        bytes[at] = b'u';
        let failure = recording::verify(&other).failure.unwrap();
        assert!(failure.contains("ups"), "{name}: {failure}");
        let mut other = recording.clone();
        other.events.remove(event);
        assert!(recording::verify(&other).failure.is_some(), "{name}: one is missing");
        let mut other = recording;
        other.header.origin.interventions = Interventions::default();
        assert!(recording::verify(&other).failure.is_some(), "{name}: none in the header");
    }
}

/// Messages of collaborative tasking are laid out otherwise since: a recording of before is refused with the version that can
/// open it, not misread.
#[test]
fn recordings_of_tasking_of_before_are_refused_with_their_version() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/interventions/hotspot-drawn-io-2.mcap");
    let refused = recording::read(&path).unwrap_err().to_string();
    for said in ["`muster-io-2`", "collaborative tasking, whose messages have changed", "muster 0.1.0"] {
        assert!(refused.contains(said), "{said}: {refused}");
    }
}

/// What is not an intervention in an entry is told as such.
#[test]
fn an_entry_holds_the_file() {
    let origin = origins().next().unwrap();
    let recording = record("entry", &origin);
    let texts: Vec<String> = recording
        .events
        .iter()
        .filter_map(|(_, bytes)| {
            type Any = Entry<
                muster_core::recruitment::Message,
                muster_core::recruitment::Timer,
                muster_core::recruitment::Memory,
            >;
            match postcard::take_from_bytes::<Any>(bytes).unwrap().0 {
                Entry::Intervened(text) => Some(text),
                _ => None,
            }
        })
        .collect();
    let made: Vec<String> = origin.interventions.all().iter().map(|made| made.to_toml()).collect();
    assert_eq!(texts, made[..texts.len()]);
    assert!(!texts.is_empty());
}
