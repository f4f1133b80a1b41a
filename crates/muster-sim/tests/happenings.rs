//! What the world does to robots and to the radio is told: in notes, in logs, in recordings.

mod noted;

use std::path::PathBuf;

use muster_core::Event;
use muster_core::event::Happening;
use muster_core::recruitment::{Memory, Message, Timer};
use muster_core::telling::Kind;
use muster_journal::Entry;
use muster_sim::recording::{self, Header, Recording};
use muster_sim::{Interventions, Origin};
use noted::{notes, origin};

/// The lines of the world in a log, with their times.
fn world(origin: &Origin) -> Vec<String> {
    let mut explainer = origin.explainer();
    let notes = notes(origin);
    let lines = notes.iter().filter_map(|note| explainer.log_line(note));
    let lines: Vec<_> = lines.filter(|line| line.gist.kind == Kind::World).collect();
    lines.iter().map(|line| explainer.written(line).replace('\t', " ")).collect()
}

fn recorded(name: &str, origin: &Origin) -> Recording {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("happenings-{name}.mcap"));
    let header = Header { origin: origin.clone(), program: ("0".to_owned(), "0".to_owned()) };
    recording::record(&path, &header, || false).unwrap();
    let recording = recording::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    recording
}

const FAULTS: &str = "faults=[
    { robot = \"idle-1\", at_s = 5, kind = \"pause\", for_s = 4 },
    { robot = \"idle-1\", at_s = 6, kind = \"pause\", for_s = 9 },
    { robot = \"idle-2\", at_s = 10, kind = \"restart\", for_s = 3, memory = false },
    { robot = \"idle-3\", at_s = 15, kind = \"mute\", for_s = 2 },
    { robot = \"idle-3\", at_s = 16, kind = \"deaf\", for_s = 2 },
    { robot = \"idle-4\", at_s = 17, kind = \"offline\", for_s = 2 },
    { robot = \"idle-5\", at_s = 20, kind = \"stop\" },
    { robot = \"idle-5\", at_s = 21, kind = \"mute\", for_s = 2 }]";
const RADIO: &str = "radio.jam=[{ from_s = 22, to_s = 24, place = [10, 10], radius_m = 5 }]";

/// Each fault that does anything is told once, and so is its end where somebody knows it.
#[test]
fn faults_of_a_scenario_are_told_once() {
    let origin = origin("minefield", &[FAULTS, RADIO]);
    assert_eq!(
        world(&origin),
        [
            "5.000 idle-1 hangs for 4.0 s",
            "9.000 idle-1 works again",
            "10.000 idle-2 goes down for 3.0 s and loses its memory",
            "13.000 idle-2 is switched on",
            "15.000 idle-3 is mute for 2.0 s",
            "16.000 idle-3 is deaf for 2.0 s",
            "17.000 idle-4 is offline for 2.0 s",
            "19.000 idle-4 is online again",
            "20.000 idle-5 stops for good",
            "22.000 radio is jammed within 5.0 m of (10.0, 10.0)",
            "24.000 radio is no longer jammed within 5.0 m of (10.0, 10.0)",
        ]
    );
}

/// What somebody does by hand is told as his deed alone; what comes of it later is the world's.
#[test]
fn an_intervention_is_not_told_twice() {
    let origin = origin("minefield", &[]);
    let file = "[[interventions]]
at_s = 5.0
author = \"ann\"
fault = { robot = \"idle-1\", kind = \"pause\", for_s = 4.0 }

[[interventions]]
at_s = 6.0
author = \"ann\"
radio = { jam = { at = [10.0, 10.0], radius_m = 5.0, for_s = 3.0 } }
";
    let made = Interventions::parse("here", file, &origin.loaded, origin.scheme).unwrap();
    let origin = origin.with_interventions(made);
    assert_eq!(
        world(&origin),
        ["9.000 radio is no longer jammed within 5.0 m of (10.0, 10.0)", "9.000 idle-1 works again"]
    );
    let mine = notes(&origin);
    let effects: Vec<_> = mine.iter().filter_map(|note| note.event.happening()).collect();
    assert!(matches!(effects[0], Happening::Hangs { .. }), "its effect is in its note: {effects:?}");
}

/// The radio by hand and by the mission: `(at_s, what)`, and what the world tells of it.
fn radio_told(changes: &[&str], deeds: &[(u32, &str)]) -> Vec<String> {
    let changes: Vec<&str> = changes.iter().copied().chain(["limit_h=0.02"]).collect();
    let origin = origin("minefield", &changes);
    let deed = |(at, what): &(u32, &str)| format!("[[interventions]]\nat_s = {at}\nauthor = \"ann\"\nradio = {what}\n");
    let file: String = deeds.iter().map(deed).collect();
    let made = Interventions::parse("here", &file, &origin.loaded, origin.scheme).unwrap();
    let told = world(&origin.with_interventions(made));
    told.into_iter().filter(|line| line.contains(" radio ") || line.contains(" ann ")).collect()
}

/// The end of a disturbance is told once, when the last of its kind ends that did as much.
#[test]
fn the_end_of_a_disturbance_is_told_when_the_last_ends() {
    const SMALL: &str = "{ jam = { at = [10, 10], radius_m = 5, for_s = 10 } }";
    const LARGE: &str = "{ jam = { at = [12, 10], radius_m = 8, for_s = 20 } }";
    let jammed = |at: &str, what: &str| format!("{at} radio is no longer jammed {what}");
    let (small, large) = ("within 5.0 m of (10.0, 10.0)", "within 8.0 m of (12.0, 10.0)");
    // Made longer by another of the same disc; at one instant; within a larger one; everywhere; and apart from each other.
    assert_eq!(radio_told(&[], &[(5, SMALL), (9, SMALL)]), [jammed("19.000", small)]);
    let disc = "{ jam = { at = [12, 10], radius_m = 8, for_s = 25 } }";
    let at_once = [(5, disc), (10, "{ jam = { for_s = 20 } }")];
    assert_eq!(radio_told(&[], &at_once), [jammed("30.000", "everywhere")], "two end at one instant");
    let twice = "radio.jam=[{ from_s = 4, to_s = 8 }, { from_s = 5, to_s = 8 }]";
    assert_eq!(radio_told(&[twice], &[]).len(), 3, "two begin, and end at one instant");
    assert_eq!(radio_told(&[], &[(5, SMALL), (6, LARGE)]), [jammed("26.000", large)]);
    assert_eq!(radio_told(&[], &[(5, LARGE), (20, SMALL)]), [jammed("25.000", large), jammed("30.000", small)]);
    let cut = "{ cut = [\"uav\", \"idle\"], for_s = 10 }";
    let turned = "{ cut = [\"idle-2\", \"uav\"], for_s = 4 }";
    assert_eq!(radio_told(&[], &[(5, turned), (6, cut)]).len(), 1);
    assert_eq!(radio_told(&[], &[(5, cut), (12, turned)]).len(), 2);
    let split = |who: &str| format!("{{ partition = {{ parts = [[\"{who}\"]], for_s = 10 }} }}");
    let (one, other) = (split("uav"), split("idle-1"));
    assert_eq!(radio_told(&[], &[(5, &one), (9, &other)]), ["19.000 radio joins the parts of the team again"]);
    // The mission's own count as well.
    let mission = "radio.jam=[{ from_s = 4, to_s = 8 }, { from_s = 5, to_s = 8 }, { from_s = 7, to_s = 30 }]";
    let told = radio_told(&[mission], &[(6, "{ jam = { for_s = 3 } }")]);
    assert_eq!(told.iter().filter(|line| line.contains("no longer")).count(), 1, "{told:?}");
    assert_eq!(told.last(), Some(&jammed("30.000", "everywhere")));
}

/// What is jammed already, and for as long, is not jammed once more; a team in one part is not split.
#[test]
fn a_disturbance_that_changes_nothing_comes_to_nothing() {
    let vain = |deeds: &[(u32, &str)]| {
        let told = radio_told(&[], deeds);
        told.iter().filter(|line| line.contains(" ann ")).count()
    };
    let all = "{ partition = { parts = [[\"uav\", \"west\", \"east\", \"idle\"]] } }";
    assert_eq!(vain(&[(5, all)]), 1, "everybody is in one part");
    assert_eq!(vain(&[(5, "{ jam = {} }"), (6, "{ jam = {} }"), (7, "{ jam = { for_s = 5 } }")]), 2);
    assert_eq!(vain(&[(5, "{ jam = { for_s = 5 } }"), (6, "{ jam = { for_s = 5 } }")]), 0, "it lasts longer");
    let (uav, both) =
        ("{ partition = { parts = [[\"uav\"]] } }", "{ partition = { parts = [[\"uav\"], [\"idle-1\"]] } }");
    assert_eq!(vain(&[(5, both), (6, uav)]), 1, "a part of it");
    assert_eq!(vain(&[(5, uav), (6, both)]), 0, "one part more");
    let (two, more) = ("{ cut = [\"idle-1\", \"uav\"] }", "{ cut = [\"uav\", \"idle\"] }");
    assert_eq!(vain(&[(5, more), (6, two)]), 1, "cut off with others");
    assert_eq!(vain(&[(5, two), (6, more)]), 0, "others are cut off, too");
}

/// A vehicle flies on while its computer hangs: what it does then is told by the world, and is not told as not done.
#[test]
fn what_is_done_by_a_vehicle_that_hangs_is_done() {
    let hangs = |lasts_s: u32| {
        let fault = format!("faults=[{{ robot = \"doug3\", at_s = 37, kind = \"pause\", for_s = {lasts_s} }}]");
        origin("hotspot", &[&fault])
    };
    let done = "38.150 doug3 has done hotspot assess while it hangs, and does not know it yet";
    for (lasts_s, told) in [(2, 3), (300, 2)] {
        let origin = hangs(lasts_s);
        let world = world(&origin);
        assert_eq!((world.len(), &*world[1]), (told, done), "{world:?}");
        let mut explainer = origin.explainer();
        notes(&origin).iter().for_each(|note| _ = explainer.line(note));
        assert_eq!(explainer.nobody(), []);
        assert_eq!(recording::verify(&recorded(&format!("hangs-{lasts_s}"), &origin)).failure, None);
    }
}

/// A recording yields the same notes as the run, the world's included, and verifies; a changed one does not.
#[test]
fn recordings_tell_what_happened() {
    for name in ["minefield", "patrol"] {
        let changes: &[&str] = if name == "minefield" { &[FAULTS, RADIO] } else { &[] };
        let origin = origin(name, changes);
        let mut recording = recorded(name, &origin);
        let live = notes(&origin);
        assert!(live.iter().any(|note| matches!(note.event, Event::Happened(_))), "{name}");
        assert!(recording::replay(&recording).notes == live, "{name}: a replay notes something else");
        assert_eq!(recording::verify(&recording).failure, None, "{name}");
        if name == "minefield" {
            let happened = |bytes: &[u8]| {
                let entry = postcard::take_from_bytes::<Entry<Message, Timer, Memory>>(bytes).unwrap().0;
                matches!(entry, Entry::Happened { .. })
            };
            let first = recording.events.iter().position(|(_, bytes)| happened(bytes)).unwrap();
            recording.events[first].1[1] ^= 1;
            assert!(recording::verify(&recording).failure.is_some(), "another robot hangs");
        }
    }
}

/// Recordings of the version before lack what the world did, and are compared without it.
#[test]
fn recordings_of_the_version_before_verify() {
    let origin = origin("minefield", &[FAULTS, RADIO]);
    let mut recording = recorded("before", &origin);
    for (_, bytes) in &mut recording.events {
        let all = std::mem::take(bytes);
        let mut rest = &all[..];
        while !rest.is_empty() {
            let (entry, next) = postcard::take_from_bytes::<Entry<Message, Timer, Memory>>(rest).unwrap();
            if !matches!(entry, Entry::Happened { .. }) {
                bytes.extend_from_slice(&rest[..rest.len() - next.len()]);
            }
            rest = next;
        }
    }
    recording.events.retain(|(_, bytes)| !bytes.is_empty());
    assert!(recording::verify(&recording).failure.is_some(), "what the world did is missing");
    recording.format = "muster-io-3".to_owned();
    assert_eq!(recording::verify(&recording).failure, None);
}
