//! A reception as a list: made again it is the same, and every change in it is noticed.

use muster_core::{Duration, Time};
use muster_reception::scenario::{Party, Play, load_any};
use muster_reception::{Deed, Entry, VerifyError, record, verify};

const UNTIL: Time = Time::from_micros(400_000_000);

fn party(changes: &[&str]) -> Box<Party> {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    match load_any("reception-vonda", &changes).expect("it is shipped") {
        Play::Reception(party) => party,
        Play::Mission(_) => unreachable!("it is a reception"),
    }
}

/// Which entry differs, if one does.
fn differs(party: &Party, seed: u64, entries: &[Entry]) -> Option<usize> {
    match verify(party, seed, UNTIL, entries) {
        Ok(()) => None,
        Err(VerifyError::Differs(difference)) => Some(difference.number),
        Err(VerifyError::Reception(error)) => panic!("{error}"),
    }
}

#[test]
fn made_again_it_is_the_same_list() {
    for changes in [&[][..], &["radio.loss=0.2", "radio.latency_ms=1500"]] {
        let party = party(changes);
        let entries = record(&party, 4, UNTIL).unwrap();
        assert_eq!(differs(&party, 4, &entries), None);
        assert!(differs(&party, 5, &entries).is_some());
        let has = |of: fn(&Entry) -> bool| entries.iter().filter(|entry| of(entry)).count();
        assert_eq!(has(|entry| matches!(entry, Entry::Walked { .. })), 401);
        assert_eq!(has(|entry| matches!(entry, Entry::Placed { .. })), 3 * 400);
        assert!(has(|entry| matches!(entry, Entry::Published { .. })) > 400);
        assert!(has(|entry| matches!(entry, Entry::Logged(line) if matches!(line.deed, Deed::Heard(_)))) > 0);
        assert_eq!(has(|entry| matches!(entry, Entry::Reached { .. })) > 0, !changes.is_empty());
        // As bytes and back.
        let bytes = postcard::to_stdvec(&entries).unwrap();
        assert_eq!(postcard::from_bytes::<Vec<Entry>>(&bytes).unwrap(), entries);
    }
}

#[test]
fn every_change_is_noticed() {
    let party = party(&["radio.latency_ms=1500"]);
    let entries = record(&party, 4, UNTIL).unwrap();
    let last = |of: fn(&Entry) -> bool| entries.iter().rposition(of).expect("there is one");
    let kinds: [fn(&Entry) -> bool; 5] = [
        |entry| matches!(entry, Entry::Walked { .. }),
        |entry| matches!(entry, Entry::Placed { .. }),
        |entry| matches!(entry, Entry::Published { .. }),
        |entry| matches!(entry, Entry::Reached { .. }),
        |entry| matches!(entry, Entry::Logged(line) if matches!(&line.deed, Deed::Emotion { because: Some(_), .. })),
    ];
    for number in kinds.map(last) {
        let mut changed = entries.clone();
        match &mut changed[number] {
            Entry::Walked { sum, .. } => *sum ^= 1,
            Entry::Placed { place, .. } => place.x = f64::from_bits(place.x.to_bits() + 1),
            Entry::Published { news, .. } | Entry::Reached { news, .. } => news.direction += 1e-12,
            Entry::Logged(line) => {
                let Deed::Emotion { because: Some(muster_reception::robot::Reason::Change(change)), .. } =
                    &mut line.deed
                else {
                    unreachable!("it was looked for")
                };
                change.at += Duration::from_micros(1);
            }
        }
        assert_eq!(differs(&party, 4, &changed), Some(number), "{:?}", entries[number]);
        changed.truncate(number);
        assert_eq!(differs(&party, 4, &changed), Some(number));
    }
    let more = [entries.as_slice(), &entries[..1]].concat();
    assert_eq!(differs(&party, 4, &more), Some(entries.len()));
}
