//! Recordings of auctions: whatever is lost and whoever crashes, they verify, and changes are noticed.

use std::path::PathBuf;

use muster_core::tasking::{Memory, Message, Timer, Variant};
use muster_journal::{Entry, Put};
use muster_sim::recording::{self, Header, Recording};
use muster_sim::{Origin, Scheme, scenario};

fn recorded(name: &str, changes: &[&str], variant: Variant, seed: u64) -> Recording {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    let origin = Origin::new(scenario::load(name, &changes).unwrap(), Scheme::Tasking(variant), seed);
    let header = Header { origin, program: ("0".to_owned(), "0".to_owned()) };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(&folder).unwrap();
    // Tests run side by side: each recording has a file of its own.
    let path = folder.join(format!("auctions-{name}-{}-{}-{seed}.mcap", variant.name(), changes.len()));
    recording::record(&path, &header, || false).unwrap();
    let recording = recording::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    recording
}

#[test]
fn a_hundred_hotspots_with_loss_verify() {
    for seed in 0..100 {
        let changes = ["radio.loss=0.2", "radio.loss_per=receiver"];
        let recording = recorded("hotspot", &changes, Variant::Fenced, seed);
        assert_eq!(recording::verify(&recording).failure, None, "seed {seed}");
    }
}

/// As drawn, too.
#[test]
fn hotspots_as_drawn_verify() {
    for seed in 0..20 {
        let recording = recorded("hotspot", &["tasking.variant=drawn"], Variant::Drawn, seed);
        assert_eq!(recording::verify(&recording).failure, None, "seed {seed}");
    }
}

/// Loss, crashes, a restart, vehicles that bid while they fly: what a body will do must be in the recording.
#[test]
fn forty_patrols_verify() {
    for seed in 0..40 {
        let recording = recorded("patrol", &[], Variant::Fenced, seed);
        assert_eq!(recording::verify(&recording).failure, None, "seed {seed}");
    }
}

/// The first and the last message of each kind, changed in its last byte: it shows.
#[test]
fn a_changed_message_is_noticed() {
    let recording = recorded("hotspot", &["radio.loss=0.1"], Variant::Fenced, 2);
    let mut kinds = std::collections::BTreeMap::<&str, Vec<(usize, usize)>>::new();
    for (index, (_, bytes)) in recording.events.iter().enumerate() {
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let (entry, next): (Entry<Message, Timer, Memory>, _) = postcard::take_from_bytes(rest).unwrap();
            rest = next;
            if let Entry::Output(Put::Send(_, message)) = entry {
                kinds.entry(message.name()).or_default().push((index, bytes.len() - rest.len() - 1));
            }
        }
    }
    assert!(kinds.contains_key("Bid") && kinds.contains_key("Done") && kinds.len() >= 9, "{:?}", kinds.keys());
    for (kind, places) in kinds {
        for &(index, byte) in [places[0], places[places.len() - 1]].iter() {
            let mut changed = recording.clone();
            changed.events[index].1[byte] ^= 1;
            let failure = recording::verify(&changed).failure;
            assert!(failure.is_some_and(|failure| failure.starts_with("at ")), "{kind} of event {index}");
        }
    }
}
