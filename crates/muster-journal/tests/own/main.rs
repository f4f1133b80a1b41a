//! Robots that record by themselves: each file is read back and fed to a fresh machine alone, without the others' files, a
//! seed or a mission, and gives the same outputs and notes, byte for byte.

mod team;

use std::path::Path;
use std::sync::Arc;

use muster_core::alliance::{Alliance, Config as Impatience, Ordering, Strategy as Approach};
use muster_core::recruitment::{Config, Recruitment, Strategy};
use muster_core::rng::{Purpose, Stream};
use muster_core::tasking::{Config as Auctions, Tasking, Variant, Vehicle};
use muster_core::{Brief, Duration, Mechanism, Order, Output, Percept, Point, RobotId, Task, TaskId, Time};
use muster_journal::{Draw, Entry, Given, OwnHeader, Owned, Put, Recording, open, read_own, replay_own};
use team::{Ended, SIGHT, Team, cast, file, points};

const MINE: Task = Task { id: TaskId(0), place: Point::new(0.0, 0.0), needs: SIGHT };

fn recruit(_: RobotId) -> Recruitment {
    Recruitment::new(Arc::new(Config::safe().with(Strategy::Random)))
}

fn recruits(name: &str) -> Vec<Ended<Recruitment>> {
    let mut team = Team::new(name, &points(&[(0.0, 0.0), (5.0, 0.0), (30.0, 4.0), (12.0, -9.0)]), recruit);
    team.crashes(1, Duration::from_secs(9), false);
    team.crashes(2, Duration::from_secs(12), true);
    for mine in 0..8 {
        team.perceives(0, Percept::TaskSeen(Task { id: TaskId(mine), ..MINE }));
        team.run(Duration::from_secs(40));
    }
    team.finish()
}

fn impatient(_: RobotId) -> Alliance {
    Alliance::new(Arc::new(Impatience::parker_1995(Approach::FightingChance, Ordering::ModifiedRandom, 3)), &[])
}

fn auctioneer(robot: RobotId) -> Tasking {
    let vehicle = if robot == RobotId(0) { Vehicle::console() } else { Vehicle::hotspot() };
    Tasking::new(Arc::new(Auctions::of(Variant::Fenced, 4)), Arc::new(vehicle))
}

/// Every entry of a recording, with its time.
fn entries<M: Mechanism>(recording: &Recording<OwnHeader>) -> Vec<(Time, Owned<M>)> {
    let mut all = Vec::new();
    for (at, bytes) in &recording.events {
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let (entry, next) = postcard::take_from_bytes(rest).unwrap();
            all.push((*at, entry));
            rest = next;
        }
    }
    all
}

fn bytes_of<M: Mechanism>(put: &Put<M::Message, M::Timer, M::Memory>) -> Vec<u8> {
    postcard::to_stdvec(put).unwrap()
}

fn put_of<M: Mechanism>(output: &Output<M>) -> Put<M::Message, M::Timer, M::Memory> {
    match output.clone() {
        Output::Send { to, message } => Put::Send(to, message),
        Output::SetTimer { timer, at } => Put::SetTimer(timer, at),
        Output::CancelTimer(timer) => Put::CancelTimer(timer),
        Output::Act(action) => Put::Act(action),
        Output::Remember(memory) => Put::Remember(memory),
    }
}

/// Each robot's file alone: the same outputs and notes. Says how many entries of what kind there were.
fn each_alone<M: Mechanism>(ended: &[Ended<M>], machine: impl Fn(RobotId) -> M) -> (usize, usize) {
    let (mut received, mut drew) = (0, 0);
    for (index, robot) in ended.iter().enumerate() {
        let recording = read_own(&robot.path).unwrap();
        assert_eq!((recording.header.me, &recording.cut), (RobotId(index as u32), &None));
        let replayed = replay_own(&recording, &machine, || false);
        assert_eq!(replayed.failure, None, "robot {index}");
        assert_eq!((replayed.inputs, replayed.outputs), (robot.inputs, robot.outputs.len() as u64));
        assert_eq!(replayed.notes, robot.notes, "robot {index}: the same notes");
        let all = entries::<M>(&recording);
        let puts: Vec<_> =
            all.iter().filter_map(|(_, entry)| if let Entry::Output(put) = entry { Some(put) } else { None }).collect();
        assert_eq!(puts.len(), robot.outputs.len());
        for (put, output) in puts.into_iter().zip(&robot.outputs) {
            assert_eq!(bytes_of::<M>(put), bytes_of::<M>(&put_of(output)), "robot {index}");
        }
        let is = |of: fn(&Owned<M>) -> bool| all.iter().filter(|(_, entry)| of(entry)).count();
        received += is(|entry| matches!(entry, Entry::Input { given: Given::Received { .. }, .. }));
        drew += is(|entry| matches!(entry, Entry::Drew(_)));
        assert_eq!(is(|entry| matches!(entry, Entry::Input { given: Given::Heard(_), .. } | Entry::Lost)), 0);
    }
    (received, drew)
}

#[test]
fn robots_that_recruit_each_other() {
    let ended = recruits("recruitment");
    let (received, drew) = each_alone(&ended, recruit);
    assert!(received > 20 && drew > 0, "{received} received, {drew} drew");
    let said = |name| {
        ended
            .iter()
            .flat_map(|robot| &robot.outputs)
            .any(|output| matches!(output, Output::Send { message, .. } if Recruitment::name_of(message) == name))
    };
    assert!(said("HELP") && said("AGREE"), "somebody was recruited");
}

#[test]
fn robots_that_grow_impatient() {
    let mut team = Team::new("alliance", &points(&[(0.0, 0.0), (3.0, 0.0), (0.0, 4.0)]), impatient);
    for robot in 0..3 {
        for task in 0..3 {
            team.perceives(robot, Percept::TaskSeen(Task { id: TaskId(task), ..MINE }));
        }
    }
    team.crashes(1, Duration::from_secs(40), false);
    team.run(Duration::from_secs(300));
    let ended = team.finish();
    let (received, drew) = each_alone(&ended, impatient);
    assert!(received > 100 && drew > 0, "{received} received, {drew} drew");
    assert!(ended.iter().any(|robot| robot.outputs.iter().any(|output| matches!(output, Output::Act(_)))));
}

#[test]
fn vehicles_that_auction_tasks() {
    let places = points(&[(0.0, 0.0), (40.0, 0.0), (60.0, 20.0), (50.0, 60.0)]);
    let mut team = Team::new("tasking", &places, auctioneer);
    let brief = |id| Brief::from(Task { id: TaskId(id), place: Point::new(31.8, 27.9), needs: SIGHT });
    team.ordered(0, Order::Inject(brief(10)));
    team.run(Duration::from_secs(2));
    team.ordered(0, Order::Inject(brief(20)));
    team.crashes(2, Duration::from_secs(4), true);
    team.crashes(3, Duration::from_secs(6), false);
    team.run(Duration::from_secs(120));
    let ended = team.finish();
    let (received, drew) = each_alone(&ended, auctioneer);
    assert!(received > 100 && drew > 0, "{received} received, {drew} drew");
    assert!(ended.iter().any(|robot| robot.outputs.iter().any(|output| matches!(output, Output::Act(_)))));
}

fn write(name: &str, bytes: &[u8]) -> std::path::PathBuf {
    let path = file(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Cut anywhere, it is read up to the cut, and what is read replays.
#[test]
fn a_file_that_was_cut_off_is_read_up_to_the_cut() {
    let ended = recruits("cut");
    let whole = read_own(&ended[1].path).unwrap();
    let bytes = std::fs::read(&ended[1].path).unwrap();
    let mut longest = 0;
    for length in (0..bytes.len()).step_by(307) {
        let Ok(recording) = read_own(&write("shorter.mcap", &bytes[..length])) else {
            assert_eq!(longest, 0, "what could be read once can be read from a longer piece");
            continue;
        };
        assert!(recording.cut.is_some(), "cut at {length} of {}", bytes.len());
        assert_eq!(recording.events, whole.events[..recording.events.len()]);
        assert_eq!(recording.header, whole.header);
        let replayed = replay_own(&recording, recruit, || false);
        assert_eq!(replayed.failure, None, "cut at {length}");
        assert_eq!(replayed.notes, ended[1].notes[..replayed.notes.len()]);
        longest = longest.max(recording.events.len());
    }
    assert_eq!(longest, whole.events.len());
}

/// What was flushed is there after a crash, however little it is.
#[test]
fn what_was_flushed_is_there() {
    use muster_core::{Body, Dice, Input, Node, motion::Motion};
    let path = file("flushed.mcap");
    // Nothing of an earlier test: a file that is there keeps its name until the new one is whole.
    let _ = std::fs::remove_file(&path);
    let header = OwnHeader { me: RobotId(2), cast: cast(3, "greedy"), program: ("1".to_owned(), "2".to_owned()) };
    let mut recorder = muster_journal::OwnRecorder::create(&path, &header).unwrap();
    let body = Body { id: RobotId(2), percepts: SIGHT, speed_mps: 1.0, motion: Motion::still(Point::new(1.0, 2.0)) };
    let mut node = Node::new(recruit(RobotId(2)), body);
    recorder.give(&mut node, Time::ZERO, Input::Start(None), &mut Dice::new(3), None);
    recorder.log(Time::ZERO, "starts".to_owned());
    recorder.pose(Time::ZERO, node.body.pose(Time::ZERO));
    recorder.flush();
    let copied = write("crashed.mcap", &std::fs::read(&path).unwrap());
    let recording = read_own(&copied).unwrap();
    assert_eq!((recording.events.len(), recording.header.clone()), (1, header));
    assert_eq!(recording.cut.as_deref(), Some("the file ends in the middle"));
    let replayed = replay_own(&recording, recruit, || false);
    assert_eq!((replayed.failure, replayed.inputs), (None, 1));
    recorder.finish().unwrap();
}

#[test]
fn a_damaged_file_is_refused() {
    let ended = recruits("damaged");
    let bytes = std::fs::read(&ended[0].path).unwrap();
    let mut stream = Stream::of_run(3, Purpose::Faults);
    for index in (0..bytes.len()).filter(|index| index % 29 == 0 || index + 300 > bytes.len()) {
        let mut damaged = bytes.clone();
        damaged[index] ^= 1 << stream.below(8);
        let refused = read_own(&write("broken.mcap", &damaged)).expect_err("a bit has changed").to_string();
        let words = ["is damaged: ", "is not an MCAP file: ", "Muster did not record it"];
        assert!(words.iter().any(|word| refused.contains(word)), "byte {index}: {refused}");
    }
}

/// Any entry of what a robot recorded changed, left out, doubled or moved to another time: it shows, or it cannot matter.
#[test]
fn a_file_that_was_tampered_with_fails() {
    let ended = recruits("tampered");
    let honest = read_own(&ended[0].path).unwrap();
    let notices = |what: &str, changed: &Recording<OwnHeader>| {
        let failure = replay_own(changed, recruit, || false).failure;
        let failure = failure.unwrap_or_else(|| panic!("{what} is not noticed"));
        assert!(failure.starts_with("at "), "{what}: {failure} does not say when");
    };
    let with_outputs = |index: &usize| {
        let one = Recording { events: vec![honest.events[*index].clone()], ..honest.clone() };
        entries::<Recruitment>(&one).iter().any(|(_, entry)| matches!(entry, Entry::Output(_)))
    };
    let telling: Vec<usize> = (0..honest.events.len()).filter(with_outputs).collect();
    assert!(telling.len() > 10, "{telling:?}");
    for index in telling {
        let mut changed = honest.clone();
        let last = changed.events[index].1.len() - 1;
        changed.events[index].1[last] ^= 1;
        notices(&format!("the last bit of event {index}"), &changed);
        let mut changed = honest.clone();
        changed.events[index].1.truncate(last);
        notices(&format!("the last byte of event {index}"), &changed);
    }
    // What was drawn otherwise, asked for otherwise, or not at all.
    let drew = |bytes: &[u8]| {
        let taken = postcard::take_from_bytes::<Owned<Recruitment>>(bytes).unwrap();
        if let (Entry::Drew(draws), rest) = taken { Some((draws, rest.to_vec())) } else { None }
    };
    let all: Vec<_> = ended.iter().map(|robot| read_own(&robot.path).unwrap()).collect();
    let (recording, index, draws, rest) = all
        .iter()
        .find_map(|recording| {
            recording.events.iter().enumerate().find_map(|(index, (_, bytes))| {
                let (draws, rest) = drew(bytes)?;
                Some((recording, index, draws, rest))
            })
        })
        .expect("somebody drew");
    let changed = |draws: Option<Vec<Draw>>| {
        let mut changed = recording.clone();
        let front = draws.map(|draws| postcard::to_stdvec(&Owned::<Recruitment>::Drew(draws)).unwrap());
        changed.events[index].1 = [front.unwrap_or_default(), rest.clone()].concat();
        changed
    };
    assert_eq!(replay_own(&changed(Some(draws.clone())), recruit, || false).failure, None, "unchanged");
    notices("that nothing was drawn", &changed(None));
    notices("more that was drawn", &changed(Some([&draws[..], &draws[..]].concat())));
    notices("an answer to another question", &changed(Some(vec![Draw::Share(7, 0.5)])));
    // An input of somebody else, and one that cannot have reached it.
    let mut other = honest.clone();
    other.header.me = RobotId(1);
    notices("that it is another robot's", &other);
    let heard: Owned<Recruitment> = Entry::Input { robot: RobotId(0), moved: None, given: Given::Heard(0) };
    let mut other = honest.clone();
    other.events.push((honest.end(), postcard::to_stdvec(&heard).unwrap()));
    notices("that it heard itself", &other);
}

/// Who reads it as something else is told what it is.
#[test]
fn it_is_no_recording_of_a_team() {
    let ended = recruits("kinds");
    let file = open(&ended[0].path).unwrap();
    assert_eq!(file.format().unwrap(), muster_journal::OWN_FORMAT);
    let refused = file.unreadable(&[muster_journal::Reads::all(muster_journal::IO_FORMAT)]).unwrap();
    assert_eq!(
        refused.to_string(),
        "has the format `muster-robot-2`, and this program reads `muster-io-5`: open it with the version that recorded \
         it, muster 0.0.0 (test), or record the run again"
    );
}

/// A file that was cut off has no checksum but that of its header: no byte of it can be another, nor can any key go.
#[test]
fn a_changed_header_of_a_file_that_was_cut_off_is_refused() {
    let ended = recruits("sealed");
    let bytes = std::fs::read(&ended[0].path).unwrap();
    // Records after the magic: an opcode, eight bytes of length, the content.
    let (mut at, mut header, mut end) = (mcap::MAGIC.len(), 0..0, 0);
    while end == 0 {
        let length = u64::from_le_bytes(bytes[at + 1..at + 9].try_into().unwrap()) as usize;
        let next = at + 9 + length;
        match bytes[at] {
            mcap::records::op::METADATA => header = at..next,
            mcap::records::op::CHUNK if !header.is_empty() => end = next,
            _ => {}
        }
        at = next;
    }
    let cut = &bytes[..end];
    let whole = read_own(&write("sealed.mcap", cut)).unwrap();
    assert!(whole.cut.is_some() && !whole.events.is_empty());
    assert!(header.len() > 200, "{header:?}");
    for place in header {
        for flip in [1, 0x20, 0x80] {
            let mut changed = cut.to_vec();
            changed[place] ^= flip;
            let read = read_own(&write("resealed.mcap", &changed));
            assert!(read.is_err(), "byte {place} changed by {flip}: {:?}", read.map(|it| it.header));
        }
    }
}

/// A header that makes no sense is told, key by key.
#[test]
fn a_header_that_makes_no_sense_is_refused() {
    let ended = recruits("header");
    let bytes = std::fs::read(&ended[0].path).unwrap();
    let mut metadata = mcap::read::LinearReader::new(&bytes)
        .unwrap()
        .find_map(|record| match record.unwrap() {
            mcap::records::Record::Metadata(found) if found.name == "muster" => Some(found),
            _ => None,
        })
        .unwrap();
    let mut with = |key: &str, value: &str| {
        let before = metadata.metadata.insert(key.to_owned(), value.to_owned());
        muster_journal::seal(&mut metadata.metadata);
        let path = file("nonsense.mcap");
        let mut writer = mcap::Writer::new(std::fs::File::create(&path).unwrap()).unwrap();
        writer.write_metadata(&metadata).unwrap();
        writer.finish().unwrap();
        drop(writer);
        metadata.metadata.insert(key.to_owned(), before.unwrap());
        read_header(&path)
    };
    assert_eq!(with("robot", "4"), "has a damaged header: `robot` is 4 in a team of 4");
    assert_eq!(with("robot", "x"), "has a damaged header: `robot` is `x`, not a number");
    let line = "has a damaged header: `robots` has the line `a\t1`, not a name, percepts and a speed";
    assert_eq!(with("robots", "a\t1"), line);
    assert!(with("robots", "a\t1\tNaN").contains("a speed"));
    assert!(with("format", "muster-robot-9").contains("has the format `muster-robot-9`"));
    metadata.metadata.remove("checksum");
    let path = file("unsealed.mcap");
    let mut writer = mcap::Writer::new(std::fs::File::create(&path).unwrap()).unwrap();
    writer.write_metadata(&metadata).unwrap();
    writer.finish().unwrap();
    drop(writer);
    assert_eq!(read_header(&path), "is damaged: its header was changed");
}

fn read_header(path: &Path) -> String {
    read_own(path).expect_err("it makes no sense").to_string()
}
