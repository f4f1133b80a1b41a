//! What comes to nothing: told, with its author, and counted.

use muster_core::{RobotId, Time};
use muster_sim::recording::{self};

use crate::ears::{SMOKE, hear};
use crate::{load, log, origin, record, run};

/// What has no effect is told, with its author and time, and so is an order for a console that has stopped; recorded,
/// and replayed as it was told.
#[test]
fn what_comes_to_nothing_is_told() {
    let deed = |at: u32, what: &str| format!("[[interventions]]\nat_s = {at}\nauthor = \"ops\"\n{what}\n");
    let stopped = [
        deed(5, "fault = { robot = \"idle-1\", kind = \"stop\" }"),
        deed(6, "radio = { jam = { for_s = 1 } }"),
        deed(8, "fault = { robot = \"idle-1\", kind = \"deaf\", for_s = 2 }"),
    ]
    .concat();
    let nothing = "8.000\tops\tintervened at 8.0 s to no effect: makes idle-1 deaf for 2 s\n";
    let down = [
        deed(39, "fault = { robot = \"outpost\", kind = \"restart\", for_s = 3 }"),
        deed(40, "order = { name = \"smoke\", place = [1500, 2500], order = { by = \"outpost\", priority = 9 } }"),
        deed(41, "fault = { robot = \"outpost\", kind = \"stop\" }"),
    ]
    .concat();
    let lost = "outpost\tcannot be told of smoke: it has stopped\n";
    let told = "intervened at 40.0 s to no effect: asks for a new task, smoke";
    let cases = [("minefield", &stopped, vec![nothing]), ("patrol", &down, vec![lost, told])];
    for (name, text, expected) in cases {
        let loaded = load(name, &["limit_h=0.1"]);
        let origin = origin(&loaded, loaded.schemes()[0], 1, text);
        let log = log(&origin);
        for line in expected {
            assert_eq!(log.matches(line).count(), 1, "{name}: {line} in\n{log}");
        }
        assert!(!log.contains("radio\tintervened"), "{log}");
        let recording = record("nothing", &origin);
        assert_eq!(recording::verify(&recording).failure, None, "{name}");
        assert_eq!(recording::replay(&recording).notes, run(&origin).3, "{name}");
    }
}

/// JSON tells the author of a line from the robot that it is about.
#[test]
fn json_tells_authors_from_robots() {
    let loaded = load("minefield", &[]);
    let text = "[[interventions]]\nat_s = 5\nauthor = \"ops\"\nfault = { robot = \"idle-1\", kind = \"deaf\", for_s = 1 }\n\
        [[interventions]]\nat_s = 6\nauthor = \"ops\"\nradio = { jam = { for_s = 1 } }\n";
    let origin = origin(&loaded, loaded.schemes()[0], 1, text);
    let mut explainer = origin.explainer();
    let lines: Vec<_> = run(&origin).3.iter().map(|note| explainer.line(note)).collect();
    let told = |text: &str| {
        let line = lines.iter().find(|line| line.text.contains(text)).unwrap_or_else(|| panic!("no {text}"));
        let json = explainer.line_to_json(line);
        [json["robot"].clone(), json["author"].clone()]
    };
    assert_eq!(told("makes idle-1 deaf"), ["idle-1", "ops"]);
    assert_eq!(told("intervenes: jams"), [serde_json::Value::Null, "ops".into()]);
    assert_eq!(told("is no longer jammed"), [serde_json::Value::Null, "radio".into()]);
    assert_eq!(told("calls"), ["uav".into(), serde_json::Value::Null]);
}

/// Of two pauses the later end counts; what changes nothing is counted.
#[test]
fn what_comes_to_nothing_is_counted() {
    let loaded = load("minefield", &["limit_h=0.2"]);
    let fault = |kind: &str| format!("fault = {{ robot = \"uav\", kind = {kind} }}");
    let [ten, long, short, restart, stop, back, deaf] = [
        "\"pause\", for_s = 10",
        "\"pause\", for_s = 500",
        "\"pause\", for_s = 1",
        "\"restart\", for_s = 5",
        "\"stop\"",
        "\"back\"",
        "\"deaf\", for_s = 1",
    ]
    .map(fault);
    let (ears, _, vain) = hear(&loaded, &[(10.0, &ten), (15.0, &long)]);
    let uav = RobotId(loaded.mission.robots.iter().position(|robot| &*robot.name == "uav").unwrap() as u32);
    let first = ears.sent.iter().find(|(at, from, _)| *from == uav && *at > Time::from_secs_f64(10.0)).unwrap().0;
    assert!(first >= Time::from_secs_f64(515.0) && vain == 0, "{first}");
    let vain = |interventions: &[(f64, &str)]| hear(&loaded, interventions).2;
    assert_eq!(vain(&[(10.0, &ten), (15.0, &short)]), 1, "a shorter pause");
    assert_eq!(vain(&[(10.0, &restart), (12.0, &restart), (13.0, &ten)]), 2, "it is down");
    assert_eq!(vain(&[(10.0, &stop), (12.0, &restart), (13.0, &deaf), (14.0, &stop), (15.0, &back)]), 3);
    assert_eq!(vain(&[(10.0, &back), (12.0, &deaf), (12.5, &back), (12.5, &back)]), 2, "nothing is wrong with it");
    // An order for a console that has stopped, and a change of it.
    let loaded = load("patrol", &["faults=[]", "limit_h=0.05"]);
    let (stop, back) = (fault("\"stop\"").replace("uav", "outpost"), fault("\"back\"").replace("uav", "outpost"));
    let urges = "order = { task = \"smoke\", priority = 20 }";
    let (_, ledger, vain) = hear(&loaded, &[(39.0, &stop), (40.0, SMOKE), (50.0, &back), (51.0, urges)]);
    assert!(ledger.records()[66].withdrawn && vain == 2, "{vain}");
    // Said while it hung, and it never listened again.
    let hangs = fault("\"pause\", for_s = 20").replace("uav", "outpost");
    let (_, ledger, vain) = hear(&loaded, &[(39.0, &hangs), (40.0, SMOKE), (41.0, urges), (42.0, &stop)]);
    assert!(ledger.records()[66].withdrawn && vain == 2, "{vain}");
}
