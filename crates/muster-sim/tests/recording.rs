//! Recordings: written, read, cut, tampered with, fed to the machines again.

mod faulty;

use std::path::PathBuf;

use muster_core::Duration;
use muster_core::recruitment::Strategy;
use muster_core::rng::{Purpose, Stream};
use muster_sim::recording::{self, Header, Recording};
use muster_sim::{Origin, Scheme, Seeds};

use faulty::{faulty, header};

fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

fn recorded(name: &str, header: &Header) -> (Recording, PathBuf, u64) {
    let path = file(name);
    let recorded = recording::record(&path, header, || false).unwrap();
    assert!(!recorded.broken_off);
    (recording::read(&path).unwrap(), path, recorded.count)
}

#[test]
fn a_recording_replays() {
    let (recording, path, count) = recorded("plain.mcap", &header(&[], Strategy::Affective, 1));
    assert_eq!(recording.cut, None);
    let verified = recording::verify(&recording);
    assert_eq!(verified.failure, None);
    assert_eq!(verified.inputs + verified.outputs, count);
    assert!(verified.inputs > 300 && verified.outputs > 100, "{} {}", verified.inputs, verified.outputs);
    let size = std::fs::metadata(path).unwrap().len();
    assert!(size <= 200_000, "a recording of the minefield has {size} bytes");
}

/// A thousand runs with faults; each replays, and is the run that its header makes.
#[test]
fn a_thousand_faulty_runs_replay() {
    for seed in 0..1_000 {
        let header = faulty(seed);
        let path = file("faulty.mcap");
        recording::record(&path, &header, || false).unwrap();
        let recording = recording::read(&path).unwrap();
        assert_eq!(recording::verify(&recording).failure, None, "seed {seed}");
        assert_eq!(recording.cut, None, "seed {seed}");
    }
}

#[test]
fn recording_changes_nothing() {
    use muster_core::recruitment::Recruitment;
    for seed in 0..50 {
        let header = faulty(seed);
        let Scheme::Recruitment(strategy) = header.origin.scheme else { unreachable!() };
        let config = header.origin.loaded.recruitment(strategy);
        let mut plain =
            muster_sim::Sim::new(&header.origin.loaded.mission, seed, |_| Recruitment::new(config.clone()), ())
                .with_notes();
        plain.run();
        let path = file("unchanged.mcap");
        let recorded = recording::record(&path, &header, || false).unwrap();
        assert_eq!((recorded.traffic, recorded.end), (plain.traffic(), plain.now()), "seed {seed}");
        assert!(recorded.ledger == *plain.ledger(), "seed {seed}: the same tasks");
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
        let failure = recording::verify(&recording).failure;
        if recording.events.is_empty() {
            assert!(failure.unwrap().contains("nothing to verify"), "cut at {length}");
        } else {
            assert_eq!(failure, None, "cut at {length}");
        }
    }
    assert!(longest > whole.events.len() * 8 / 10, "{longest} of {}", whole.events.len());
}

/// The last bytes of a file say that it is whole: without any of them it was cut off.
#[test]
fn a_recording_without_its_last_bytes_was_cut_off() {
    let (whole, path, _) = recorded("tail.mcap", &header(&[], Strategy::Affective, 4));
    let bytes = std::fs::read(&path).unwrap();
    for missing in 1..60 {
        std::fs::write(&path, &bytes[..bytes.len() - missing]).unwrap();
        let recording = recording::read(&path).unwrap();
        assert!(recording.cut.is_some(), "{missing} bytes are missing");
        assert_eq!(recording.events, whole.events);
    }
}

/// A file that was changed and not cut is refused, not taken for one that was cut off.
#[test]
fn a_damaged_recording_is_refused() {
    let (_, path, _) = recorded("damaged.mcap", &header(&["radio.loss=0.25"], Strategy::Affective, 4));
    let bytes = std::fs::read(&path).unwrap();
    let mut stream = Stream::of_run(3, Purpose::Faults);
    for index in (0..bytes.len()).filter(|index| index % 61 == 0 || index + 400 > bytes.len()) {
        let mut damaged = bytes.clone();
        damaged[index] ^= 1 << stream.below(8);
        std::fs::write(&path, &damaged).unwrap();
        let refused = recording::read(&path).expect_err("a bit has changed").to_string();
        let words = ["is damaged: ", "is not an MCAP file: ", "Muster did not record it"];
        assert!(words.iter().any(|word| refused.contains(word)), "byte {index}: {refused}");
    }
    // Also where what was damaged is then cut off.
    let mut damaged = bytes[..bytes.len() * 3 / 4].to_vec();
    damaged[bytes.len() / 2] ^= 1;
    std::fs::write(&path, &damaged).unwrap();
    assert!(recording::read(&path).unwrap_err().to_string().contains("is damaged"));
    for more in [&b"\0"[..], b"more", &bytes] {
        std::fs::write(&path, [&bytes, more].concat()).unwrap();
        let refused = recording::read(&path).unwrap_err().to_string();
        assert!(refused.contains("there is more after its end"), "{refused}");
    }
    std::fs::write(&path, b"").unwrap();
    assert_eq!(recording::read(&path).unwrap_err().to_string(), "is empty");
}

/// Any bit of our own channel changed, in a file whose checksums are right again: it shows.
#[test]
fn a_recording_that_was_tampered_with_fails() {
    let (recording, ..) = recorded("honest.mcap", &header(&["radio.loss=0.1"], Strategy::Affective, 2));
    let mut stream = Stream::of_run(9, Purpose::Faults);
    let notices = |what: &str, changed: &Recording| {
        let failure = recording::verify(changed).failure.unwrap_or_else(|| panic!("{what} is not noticed"));
        assert!(failure.starts_with("at "), "{what}: {failure} does not say when");
    };
    for index in 0..recording.events.len() {
        for _ in 0..4 {
            let mut changed = recording.clone();
            let bytes = &mut changed.events[index].1;
            let byte = stream.below(bytes.len() as u32) as usize;
            bytes[byte] ^= 1 << stream.below(8);
            notices(&format!("a bit of byte {byte} of event {index}"), &changed);
        }
        let event = recording.events[index].clone();
        let mut changed = recording.clone();
        changed.events.remove(index);
        notices(&format!("the loss of event {index}"), &changed);
        let mut changed = recording.clone();
        changed.events.insert(index, event.clone());
        notices(&format!("event {index} twice"), &changed);
        let mut changed = recording.clone();
        changed.events[index].0 += Duration::from_micros(1);
        notices(&format!("event {index} a microsecond later"), &changed);
        // Its first entry, moved to the end of the event before, or left out, or there twice.
        let first = lengths_of_entries(&event.1)[0];
        for kept in [0, 2] {
            let mut changed = recording.clone();
            changed.events[index].1 = [&event.1[..first].repeat(kept), &event.1[first..]].concat();
            notices(&format!("the first entry of event {index}, {kept} times"), &changed);
        }
        if index > 0 {
            let mut changed = recording.clone();
            changed.events[index - 1].1.extend(&event.1[..first]);
            changed.events[index].1.drain(..first);
            notices(&format!("the first entry of event {index} in the one before"), &changed);
        }
    }
}

fn lengths_of_entries(bytes: &[u8]) -> Vec<usize> {
    use muster_core::recruitment::{Memory, Message, Timer};
    let (mut found, mut rest) = (Vec::new(), bytes);
    while !rest.is_empty() {
        let (_, next): (muster_journal::Entry<Message, Timer, Memory>, _) = postcard::take_from_bytes(rest).unwrap();
        found.push(rest.len() - next.len());
        rest = next;
    }
    found
}

/// The same by way of a file, written anew by the MCAP library with `change` made to what is in our own channel.
#[test]
fn a_file_that_was_tampered_with_fails() {
    let (recording, path, _) = recorded("rewritten-from.mcap", &header(&["radio.loss=0.1"], Strategy::Affective, 2));
    let bytes = std::fs::read(&path).unwrap();
    let to = file("rewritten.mcap");
    let rewritten = |header: &Header, change: &dyn Fn(usize, &mut mcap::Message<'_>)| {
        let mut writer = mcap::Writer::new(std::fs::File::create(&to).unwrap()).unwrap();
        let metadata = mcap::read::LinearReader::new(&bytes).unwrap().find_map(|record| match record.unwrap() {
            mcap::records::Record::Metadata(found) if found.name == "muster" => Some(found),
            _ => None,
        });
        let mut metadata = metadata.unwrap();
        metadata.metadata.insert("seed".to_owned(), header.origin.seeds.run.to_string());
        metadata.metadata.insert("strategy".to_owned(), header.origin.scheme.name().to_owned());
        muster_journal::seal(&mut metadata.metadata);
        writer.write_metadata(&metadata).unwrap();
        let mut ours = 0;
        for message in mcap::MessageStream::new(&bytes).unwrap() {
            let mut message = message.unwrap();
            if message.channel.topic == muster_journal::IO_TOPIC {
                change(ours, &mut message);
                ours += 1;
            }
            writer.write(&message).unwrap();
        }
        writer.finish().unwrap();
        recording::read(&to).map(|recording| recording::verify(&recording).failure)
    };
    let header = &recording.header;
    assert_eq!(rewritten(header, &|_, _| ()).unwrap(), None, "unchanged, it is as good as the first");
    let failure = rewritten(header, &|index, message| {
        if index == 40 {
            message.data.to_mut()[0] ^= 2;
        }
    });
    assert!(failure.unwrap().is_some());
    let failure = rewritten(header, &|index, message| {
        message.publish_time += u64::from(index == 40);
    });
    assert!(failure.unwrap_err().to_string().contains("is damaged"));
    // Another seed or strategy makes another run.
    let other = Header { origin: Origin { seeds: Seeds::from(3), ..header.origin.clone() }, ..header.clone() };
    assert!(rewritten(&other, &|_, _| ()).unwrap().is_some());
    let other =
        Header { origin: Origin { scheme: Strategy::Greedy.into(), ..header.origin.clone() }, ..header.clone() };
    assert!(rewritten(&other, &|_, _| ()).unwrap().is_some());
}

/// Ctrl-C while a run is recorded: what was recorded is whole, and says that the run was not over.
#[test]
fn a_run_that_was_broken_off_says_so() {
    let header = header(&["radio.loss=0.1"], Strategy::Affective, 2);
    let (whole, ..) = recorded("not-broken-off.mcap", &header);
    for after in [0, 1, 100] {
        let path = file("broken-off.mcap");
        let asked = std::cell::Cell::new(0);
        let halt = || asked.replace(asked.get() + 1) >= after;
        let recorded = recording::record(&path, &header, halt).unwrap();
        assert!(recorded.broken_off);
        let recording = recording::read(&path).unwrap();
        assert_eq!(recording.cut.as_deref(), Some("the run was broken off"));
        assert!(!recording.events.is_empty() && recording.events.len() < whole.events.len());
        assert_eq!(recording.events, whole.events[..recording.events.len()]);
        assert_eq!(recording::verify(&recording).failure, None);
    }
}

#[test]
fn what_is_no_recording_is_refused() {
    let path = file("no.mcap");
    std::fs::write(&path, b"not at all, and much too short for one").unwrap();
    assert!(recording::read(&path).unwrap_err().to_string().contains("is not an MCAP file"));
    assert!(recording::read(&file("missing.mcap")).unwrap_err().to_string().contains("cannot be read"));
}

/// A file that an earlier program left, before entries were a crate of their own: it is the same run still.
#[test]
fn a_recording_of_the_same_format_by_an_earlier_program_verifies() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/recording/late-but-faster-io-3.mcap");
    let recording = recording::read(&path).unwrap();
    assert_eq!(recording.cut, None);
    let verified = recording::verify(&recording);
    assert_eq!((verified.failure, verified.inputs, verified.outputs), (None, 46, 48));
}

/// Messages of recruitment are laid out otherwise since: it is refused with the version that can open it, not misread.
#[test]
fn a_recording_of_an_earlier_format_is_refused_with_its_version() {
    let (_, good, _) = recorded("later.mcap", &header(&[], Strategy::Affective, 1));
    let mut metadata = metadata_of(&std::fs::read(&good).unwrap());
    for format in ["muster-io-2", "muster-io-1"] {
        for (key, value) in [("format", format), ("version", "0.0.9"), ("commit", "c0ffee")] {
            metadata.metadata.insert(key.to_owned(), value.to_owned());
        }
        muster_journal::seal(&mut metadata.metadata);
        let path = file("earlier.mcap");
        let mut writer = mcap::Writer::new(std::fs::File::create(&path).unwrap()).unwrap();
        writer.write_metadata(&metadata).unwrap();
        writer.finish().unwrap();
        drop(writer);
        let refused = recording::read(&path).unwrap_err().to_string();
        let reads = "reads `muster-io-5`, `muster-io-4` (but for collaborative tasking), `muster-io-3` (but for collaborative \
                     tasking) and `muster-io-2` (but for recruitment and collaborative tasking, whose messages have changed):";
        for said in [format!("`{format}`").as_str(), reads, "muster 0.0.9 (c0ffee)"] {
            assert!(refused.contains(said), "{said}: {refused}");
        }
    }
}

/// The metadata of a recording of ours.
fn metadata_of(bytes: &[u8]) -> mcap::records::Metadata {
    let found = mcap::read::LinearReader::new(bytes).unwrap().find_map(|record| match record.unwrap() {
        mcap::records::Record::Metadata(found) if found.name == "muster" => Some(found),
        _ => None,
    });
    found.unwrap()
}

/// A few megabytes that hold gigabytes when they are unpacked are refused before they do.
#[test]
fn a_recording_that_would_fill_the_memory_is_refused() {
    let (_, good, _) = recorded("small.mcap", &header(&[], Strategy::Affective, 1));
    let path = file("bomb.mcap");
    let options = mcap::WriteOptions::new().compression(Some(mcap::Compression::Lz4)).chunk_size(Some(1 << 25));
    let mut writer = options.create(std::io::BufWriter::new(std::fs::File::create(&path).unwrap())).unwrap();
    writer.write_metadata(&metadata_of(&std::fs::read(&good).unwrap())).unwrap();
    let channel = writer.add_channel(0, "/any", "bytes", &Default::default()).unwrap();
    let zeros = vec![0; 1 << 25];
    for sequence in 0..34 {
        let header = mcap::records::MessageHeader { channel_id: channel, sequence, log_time: 0, publish_time: 0 };
        writer.write_to_known_channel(&header, &zeros).unwrap();
    }
    writer.finish().unwrap();
    drop(writer);
    let length = std::fs::metadata(&path).unwrap().len();
    assert!(length < 10_000_000, "{length}");
    let error = recording::read(&path).unwrap_err().to_string();
    assert!(error.starts_with("holds more than 1024 MB when it is unpacked"), "{error}");
    std::fs::remove_file(&path).unwrap();
}

/// A header can claim any number of robots; those of a true recording have done something.
#[test]
fn a_header_that_claims_millions_of_robots_is_refused() {
    let (_, good, _) = recorded("few.mcap", &header(&[], Strategy::Affective, 1));
    let mut metadata = metadata_of(&std::fs::read(&good).unwrap());
    let scenario = metadata.metadata.get_mut("scenario").unwrap();
    *scenario = scenario.replace("count = 10\n", "count = 9000000\n");
    muster_journal::seal(&mut metadata.metadata);
    let path = file("many.mcap");
    let mut writer = mcap::Writer::new(std::fs::File::create(&path).unwrap()).unwrap();
    writer.write_metadata(&metadata).unwrap();
    writer.finish().unwrap();
    drop(writer);
    let error = recording::read(&path).unwrap_err().to_string();
    assert!(error.contains("9000003 robots, and they did 0 bytes"), "{error}");
}

/// Another tool may have compressed it anew: that is no damage, and it is said what to do.
#[test]
fn other_compressions_are_named() {
    let text = |word: &str| [&(word.len() as u32).to_le_bytes()[..], word.as_bytes()].concat();
    let record = |opcode: u8, body: &[u8]| [&[opcode], &(body.len() as u64).to_le_bytes()[..], body].concat();
    let head = [text(""), text("any")].concat();
    let chunk =
        [&[0; 16][..], &9_u64.to_le_bytes(), &[0; 4], &text("zstd"), &4_u64.to_le_bytes(), &[1, 2, 3, 4]].concat();
    let path = file("zstd.mcap");
    std::fs::write(&path, [mcap::MAGIC, &record(1, &head), &record(6, &chunk)].concat()).unwrap();
    let error = recording::read(&path).unwrap_err();
    assert!(matches!(error, muster_journal::ReadError::Compression(_)), "{error}");
    assert!(error.to_string().starts_with("is compressed as `zstd`, and Muster reads `lz4`"), "{error}");
}
