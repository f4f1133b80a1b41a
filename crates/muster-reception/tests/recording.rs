//! A recorded reception: made again it is the same, wherever its files have gone, and every change in it is noticed.

use std::path::PathBuf;

use muster_core::affect::Name;
use muster_core::{Duration, Time};
use muster_journal::{Channel, Tape};
use muster_reception::explain::{Explained, Narrow, explain};
use muster_reception::recording::{self, AnyRecording, FORMAT, Header, Recording, read_any};
use muster_reception::robot::Reason;
use muster_reception::scenario::{Party, Play, load_any};
use muster_reception::{Deed, Entry, Line};

/// Long enough for every kind of entry.
const LIMIT: &str = "limit_s=400";

fn party_of(scenario: &str, changes: &[&str]) -> Box<Party> {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    match load_any(scenario, &changes).unwrap_or_else(|error| panic!("{scenario}: {error}")) {
        Play::Reception(party) => party,
        Play::Mission(_) => unreachable!("it is a reception"),
    }
}

fn header(party: Box<Party>, seed: u64) -> Header {
    Header { party, seed, program: ("0.0.9".to_owned(), "c0ffee".to_owned()) }
}

fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("receptions");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

fn recorded(name: &str, header: &Header) -> (Recording, PathBuf) {
    let path = file(name);
    let recorded = recording::record(&path, header, || false).unwrap();
    let recording = recording::read(&path).unwrap();
    assert_eq!((recorded.broken_off, recorded.end, &recording.cut), (false, recording.end(), &None));
    assert_eq!(recorded.count as usize, entries(&recording).len());
    (recording, path)
}

/// The standard one, with loss and latency.
fn lossy(name: &str) -> (Recording, PathBuf) {
    let party = party_of("reception-vonda", &[LIMIT, "radio.loss=0.2", "radio.latency_ms=1500"]);
    recorded(name, &header(party, 4))
}

fn decoded(mut bytes: &[u8]) -> Vec<Entry> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let (entry, rest) = postcard::take_from_bytes(bytes).unwrap();
        all.push(entry);
        bytes = rest;
    }
    all
}

fn entries(recording: &Recording) -> Vec<Entry> {
    recording.events.iter().flat_map(|(_, bytes)| decoded(bytes)).collect()
}

fn failure(recording: &Recording) -> Option<String> {
    recording::verify(recording).failure
}

#[test]
fn made_again_it_is_the_same() {
    for (changes, name) in
        [(&[LIMIT][..], "perfect.mcap"), (&[LIMIT, "radio.loss=0.2", "radio.latency_ms=1500"], "lossy.mcap")]
    {
        let (mut recording, _) = recorded(name, &header(party_of("reception-vonda", changes), 4));
        let all = entries(&recording);
        let verified = recording::verify(&recording);
        assert_eq!((verified.failure, verified.entries), (None, all.len() as u64));
        let has = |of: fn(&Entry) -> bool| all.iter().filter(|entry| of(entry)).count();
        assert_eq!(has(|entry| matches!(entry, Entry::Walked { .. })), 401);
        assert_eq!(has(|entry| matches!(entry, Entry::Placed { .. })), 3 * 400);
        assert!(has(|entry| matches!(entry, Entry::Published { .. })) > 400);
        assert!(has(|entry| matches!(entry, Entry::Logged(line) if matches!(line.deed, Deed::Heard(_)))) > 0);
        assert_eq!(has(|entry| matches!(entry, Entry::Reached { .. })) > 0, changes.len() > 1);
        recording.header.seed = 5;
        assert!(failure(&recording).is_some(), "another seed makes another reception");
    }
}

#[test]
fn every_change_is_noticed() {
    let (honest, _) = lossy("honest.mcap");
    let notices = |what: &str, changed: &Recording| {
        let failure = failure(changed).unwrap_or_else(|| panic!("{what} is not noticed"));
        assert!(failure.starts_with("at "), "{what}: {failure} does not say when");
        failure
    };
    let kinds: [fn(&Entry) -> bool; 6] = [
        |entry| matches!(entry, Entry::Walked { .. }),
        |entry| matches!(entry, Entry::Placed { .. }),
        |entry| matches!(entry, Entry::Published { .. }),
        |entry| matches!(entry, Entry::Reached { .. }),
        |entry| matches!(entry, Entry::Logged(line) if matches!(&line.deed, Deed::Emotion { because: Some(_), .. })),
        |entry| matches!(entry, Entry::Logged(line) if matches!(&line.deed, Deed::Heard(_))),
    ];
    for kind in kinds {
        let event = honest.events.iter().rposition(|(_, bytes)| decoded(bytes).iter().any(kind)).expect("there is one");
        let before = decoded(&honest.events[event].1);
        let number = before.iter().rposition(kind).unwrap();
        let with = |entries: &[Entry]| {
            let mut changed = honest.clone();
            changed.events[event].1 = entries.iter().flat_map(|entry| postcard::to_stdvec(entry).unwrap()).collect();
            changed
        };
        assert_eq!(failure(&with(&before)), None, "unchanged");
        let mut entries = before.clone();
        match &mut entries[number] {
            Entry::Walked { sum, .. } => *sum ^= 1,
            Entry::Placed { place, .. } => place.x = f64::from_bits(place.x.to_bits() + 1),
            Entry::Published { news, .. } | Entry::Reached { news, .. } => news.direction += 1e-12,
            Entry::Logged(line) => match &mut line.deed {
                Deed::Emotion { because: Some(Reason::Change(change)), .. } => change.at += Duration::from_micros(1),
                Deed::Heard(command) => command.text = "dance".into(),
                other => unreachable!("{other:?} was not looked for"),
            },
        }
        notices(&format!("{:?}", before[number]), &with(&entries));
        // A reason that is the same sentence, but a value no longer.
        if let Entry::Logged(Line { deed: Deed::Emotion { because: Some(why), .. }, .. }) = &before[number] {
            let said = Reason::Said(why.to_string());
            entries.clone_from(&before);
            let Entry::Logged(Line { deed: Deed::Emotion { because, .. }, .. }) = &mut entries[number] else {
                unreachable!("it was looked for")
            };
            *because = Some(said);
            notices("a sentence in place of a change", &with(&entries));
        }
        entries.clone_from(&before);
        entries.remove(number);
        notices("an entry that is missing", &with(&entries));
        notices("an entry twice", &with(&[&before[..], &before[number..]].concat()));
    }
    let mut changed = honest.clone();
    changed.events[70].0 += Duration::from_micros(1);
    notices("another time", &changed);
    let mut changed = honest.clone();
    changed.events.remove(70);
    notices("a tick that is missing", &changed);
    let mut changed = honest.clone();
    changed.events.pop();
    let failure = notices("a missing end", &changed);
    assert_eq!(failure, "at 400.000 s: the line \"is over\" is missing: the recording ends before the run does");
    let mut changed = honest.clone();
    changed.events.push(honest.events[70].clone());
    assert!(notices("more after the end", &changed).contains("was recorded, but the run is over before"));
    let mut changed = honest.clone();
    changed.events.clear();
    assert_eq!(recording::verify(&changed).failure.as_deref(), Some("it holds no inputs: there is nothing to verify"));
    assert_eq!(failure_of_bits(&honest), 0, "bits that nobody minds");
}

/// A bit of many ticks changed: how many of these changes are not noticed.
fn failure_of_bits(honest: &Recording) -> usize {
    let unnoticed = |index: &usize| {
        let mut changed = honest.clone();
        let bytes = &mut changed.events[*index].1;
        let byte = (*index * 7919) % bytes.len();
        bytes[byte] ^= 1 << (index % 8);
        failure(&changed).is_none()
    };
    (0..honest.events.len()).step_by(9).filter(unnoticed).count()
}

/// Cut anywhere, it is read up to the cut, and what is read is that reception.
#[test]
fn a_recording_that_was_cut_off_is_read_up_to_the_cut() {
    let (whole, path) = lossy("whole.mcap");
    let bytes = std::fs::read(path).unwrap();
    let (cut, mut longest) = (file("cut.mcap"), 0);
    for length in (0..bytes.len()).step_by(bytes.len() / 40) {
        std::fs::write(&cut, &bytes[..length]).unwrap();
        let Ok(recording) = recording::read(&cut) else {
            assert_eq!(longest, 0, "what could be read once can be read from a longer piece");
            continue;
        };
        assert_eq!(recording.cut.as_deref(), Some("the file ends in the middle"));
        assert_eq!(recording.events, whole.events[..recording.events.len()]);
        longest = longest.max(recording.events.len());
        let said = failure(&recording);
        assert!(said.is_none() || recording.events.is_empty(), "cut at {length}: {said:?}");
    }
    assert!(longest > whole.events.len() * 7 / 10, "{longest} of {}", whole.events.len());
}

#[test]
fn a_damaged_recording_is_refused() {
    let (_, path) = lossy("damaged-from.mcap");
    let bytes = std::fs::read(path).unwrap();
    let path = file("damaged.mcap");
    for index in (0..bytes.len()).step_by(bytes.len() / 300) {
        let mut damaged = bytes.clone();
        damaged[index] ^= 1 << (index % 8);
        std::fs::write(&path, &damaged).unwrap();
        let refused = recording::read(&path).expect_err("a bit has changed").to_string();
        let words = ["is damaged: ", "is not an MCAP file: ", "Muster did not record it"];
        assert!(words.iter().any(|word| refused.contains(word)), "byte {index}: {refused}");
    }
}

/// Ctrl-C while it is recorded: what was recorded is whole, and says that the reception was not over.
#[test]
fn a_reception_that_was_broken_off_says_so() {
    let header = header(party_of("reception", &[LIMIT]), 2);
    let (whole, _) = recorded("not-broken-off.mcap", &header);
    for after in [0, 1, 100] {
        let path = file("broken-off.mcap");
        let asked = std::cell::Cell::new(0);
        let recorded = recording::record(&path, &header, || asked.replace(asked.get() + 1) >= after).unwrap();
        let recording = recording::read(&path).unwrap();
        assert!(recorded.broken_off);
        assert_eq!(recording.cut.as_deref(), Some("the run was broken off"));
        assert!(!recording.events.is_empty() && recording.events.len() < whole.events.len());
        assert_eq!(recording.events, whole.events[..recording.events.len()]);
        assert_eq!(failure(&recording), None);
    }
}

/// Whatever files a scenario names are in its recording: it is made again without them, also what a script that fails says.
#[test]
fn files_that_the_scenario_names_are_needed_no_longer() {
    let folder = file("named");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("cast")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    let waiter = include_str!("../../../robots/butler.rhai");
    write("Mona.rhai", waiter);
    let breaks = "fn update_behavior_state(t) { if t > 20.0 { throw \"I am tired\" }";
    let failing = waiter.replacen("fn update_behavior_state(t) {", breaks, 1);
    assert_ne!(failing, waiter);
    write("cast/Tired.rhai", &failing);
    write("cast/CARSConfig.txt", "Leguin\nTired.rhai\n");
    write("emotions.toml", "format = \"muster-emotions-1\"\n");
    write("guests.csv", "time_s,guest,x_ft,y_ft\n0,1,5,5\n0,2,45,40\n30,1,15,5\n60,1,15,45\n");
    let text = "limit_s = 60\n[reception]\nconfig = \"cast/CARSConfig.txt\"\nemotions = \"emotions.toml\"\n\
                [reception.guests]\nlog = \"guests.csv\"\n[reception.robots.Mona]\nplace_ft = [10.0, 25.0]\n";
    write("party.toml", text);
    let party = party_of(&folder.join("party.toml").display().to_string(), &[]);
    let names: Vec<&str> = party.kept.texts.keys().map(String::as_str).collect();
    assert_eq!(names, ["Mona.rhai", "cast/CARSConfig.txt", "cast/Tired.rhai", "emotions.toml", "guests.csv"]);
    let path = file("named.mcap");
    recording::record(&path, &header(party, 3), || false).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let recording = recording::read(&path).unwrap();
    assert_eq!(failure(&recording), None);
    let tired = |entry: &Entry| matches!(entry, Entry::Logged(Line { deed: Deed::Note { text, .. }, .. }) if text.contains("I am tired"));
    assert!(entries(&recording).iter().any(tired), "the script failed, and said where");
}

/// Which kind of recording a file is stands in its header.
#[test]
fn recordings_of_missions_are_told_apart() {
    let (_, reception) = recorded("kind.mcap", &header(party_of("reception", &["limit_s=20"]), 1));
    let loaded = muster_sim::scenario::load("late-but-faster", &[]).unwrap();
    let scheme = loaded.schemes()[0];
    let origin = muster_sim::Origin::new(loaded, scheme, 1);
    let program = ("0.0.9".to_owned(), "c0ffee".to_owned());
    let mission = file("mission.mcap");
    muster_sim::recording::record(&mission, &muster_sim::recording::Header { origin, program }, || false).unwrap();
    assert!(matches!(read_any(&reception), Ok(AnyRecording::Reception(_))));
    assert!(matches!(read_any(&mission), Ok(AnyRecording::Mission(_))));
    let refused = recording::read(&mission).unwrap_err().to_string();
    assert!(refused.contains("has the format `muster-io-5`, and this program reads `muster-reception-1`"), "{refused}");
    let refused = muster_sim::recording::read(&reception).unwrap_err().to_string();
    assert!(refused.contains(&format!("has the format `{FORMAT}`")) && refused.contains("0.0.9 (c0ffee)"), "{refused}");
}

/// Lines of a robot and of a span, with every change as a value: input, rule, numbers, chain.
#[test]
fn a_reception_is_explained() {
    let (mut recording, _) = lossy("explained.mcap");
    let Explained { lines: all, failure } = explain(&recording, &Narrow::default(), || false);
    assert_eq!(failure, None);
    let of = |word: &str| all.iter().filter(|line| line.deed.word() == word).count();
    for word in ["init", "robot", "emotion", "level", "behavior", "command", "heard", "lost", "stop"] {
        assert!(of(word) > 0, "{word}");
    }
    let butler = Narrow { robot: Some(Name::from("Butler")), at: None };
    let about = explain(&recording, &butler, || false).lines;
    assert!(about.iter().all(|line| line.about().contains(&Some(&Name::from("Butler")))));
    assert!(about.iter().any(|line| line.about()[0] != Some(&Name::from("Butler"))), "what others hear of it, too");
    assert!(about.len() < all.len());
    let then = Narrow { at: Some(30.0..=60.0), ..butler };
    let within = explain(&recording, &then, || false).lines;
    assert!(!within.is_empty() && within.len() < about.len());
    assert!(within.iter().all(|line| (30.0..=60.0).contains(&line.at.as_secs_f64())));
    for line in &all {
        let has_reason = matches!(line.deed.word(), "emotion" | "level");
        assert_eq!(line.change().is_some(), has_reason, "{line}");
        if let Some(change) = line.change() {
            assert!(line.sentence().ends_with(&change.to_string()) && !change.chain.is_empty(), "{line}");
        }
    }
    recording.header.seed += 1;
    let explained = explain(&recording, &Narrow::default(), || false);
    assert!(explained.failure.is_some(), "what nobody did explains nothing");
}

/// A recording that was cut off before its first entry is of no other run: it tells nothing.
#[test]
fn a_recording_without_entries_tells_nothing() {
    let (mut recording, _) = lossy("without-entries.mcap");
    recording.events.clear();
    recording.cut = Some("the file ends in the middle".to_owned());
    let Explained { lines, failure } = explain(&recording, &Narrow::default(), || false);
    assert_eq!((lines.len(), failure), (0, None));
}

/// What neither a mission nor a reception is recorded in is refused with all that is read.
#[test]
fn a_format_of_nobody_is_refused_with_those_that_are_read() {
    let path = file("format.mcap");
    let channel = Channel { topic: "/muster/reception", schema: "x", format: "muster-io-1", describes: "" };
    Tape::create(&path, &channel, &("0.0.1".to_owned(), "c0ffee".to_owned()), []).unwrap().finish().unwrap();
    let refused = read_any(&path).unwrap_err().to_string();
    let reads = "reads `muster-io-5`, `muster-io-4` (but for collaborative tasking), `muster-io-3` (but for collaborative \
                 tasking), `muster-io-2` (but for recruitment and collaborative tasking, whose messages have changed) and \
                 `muster-reception-1`:";
    assert!(refused.contains(reads), "{refused}");
}

/// Half an hour of the paper's reception stays small.
#[test]
fn a_recording_is_not_large() {
    let (recording, path) = recorded("half-an-hour.mcap", &header(party_of("reception", &[]), 1));
    assert_eq!(recording.end(), Time::from_secs_f64(1_800.0));
    let bytes = std::fs::metadata(path).unwrap().len();
    assert!(bytes < 1_000_000, "{bytes} bytes");
}
