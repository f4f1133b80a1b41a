//! The radio, disturbed by hand: jams, cuts, partitions, and robots that are deaf, mute or offline.

use muster_core::RobotId;

use crate::ears::{hear, listen, row};
use crate::load;

fn heard_by(disturbance: &str, at_s: f64) -> Vec<u32> {
    let text = format!(
        "[[interventions]]\nat_s = 5\nauthor = \"x\"\n{disturbance}\n\
         [[interventions]]\nat_s = {at_s}\nauthor = \"x\"\norder = {{ name = \"wreck\", seen_by = \"caller\", place = [12, 10], needs = [\"camera\"] }}\n"
    );
    let (ears, _) = listen(&row(), &text, at_s + 0.1);
    let caller = RobotId(0);
    let first = ears.heard.iter().filter(|(_, from, _)| *from == caller).map(|(at, ..)| *at).min();
    let mut hearers: Vec<u32> =
        ears.heard.iter().filter(|(at, from, _)| *from == caller && Some(*at) == first).map(|it| it.2.0).collect();
    hearers.sort_unstable();
    hearers
}

/// From that moment on, for as long as it says, and for those that it says.
#[test]
fn the_radio_changes_from_that_moment() {
    let cases: [(&str, f64, &[u32]); 12] = [
        ("radio = { jam = { at = [31, 10], radius_m = 2, for_s = 20 } }", 10.0, &[1, 3]),
        ("radio = { jam = { place = [31, 10], radius_m = 2 }, for_s = 20 }", 26.0, &[1, 2, 3]),
        ("radio = { jam = {} }", 2000.0, &[]),
        ("radio = { cut = [\"caller\", \"b\"] }", 10.0, &[1, 3]),
        ("radio = { cut = [\"b\", \"caller\"], for_s = 4.9 }", 10.0, &[1, 2, 3]),
        ("radio = { cut = [\"a\", \"b\"] }", 10.0, &[1, 2, 3]),
        ("radio = { partition = { parts = [[\"caller\", \"c\"]] } }", 10.0, &[3]),
        ("radio = { partition = { parts = [[\"caller\", \"c\"], [\"a\"]], for_s = 3 } }", 10.0, &[1, 2, 3]),
        ("fault = { robot = \"a\", kind = \"deaf\" }", 10.0, &[2, 3]),
        ("fault = { robot = \"a\", kind = \"stop\" }", 10.0, &[2, 3]),
        ("fault = { robot = \"caller\", kind = \"mute\" }", 10.0, &[]),
        ("fault = { robot = \"b\", kind = \"offline\", for_s = 2 }", 10.0, &[1, 2, 3]),
    ];
    for (disturbance, at_s, hearers) in cases {
        assert_eq!(heard_by(disturbance, at_s), hearers, "{disturbance} at {at_s} s");
    }
}

/// A robot that is offline for longer already is not made so anew.
#[test]
fn offline_within_offline_changes_nothing() {
    let loaded = load("patrol", &["faults=[]", "limit_h=0.1"]);
    let offline = |for_s: u32| format!("fault = {{ robot = \"scout-1\", kind = \"offline\", for_s = {for_s} }}");
    let (long, short, longer) = (offline(100), offline(10), offline(200));
    assert_eq!(hear(&loaded, &[(50.0, &long), (60.0, &short)]).2, 1);
    assert_eq!(hear(&loaded, &[(50.0, &long), (60.0, &longer)]).2, 0);
}

/// A robot that is deaf, mute or offline until it is back is not so once more.
#[test]
fn without_an_end_is_not_longer_than_without_an_end() {
    let loaded = load("minefield", &["limit_h=0.02"]);
    for kind in ["deaf", "mute", "offline"] {
        let fault = |more: &str| format!("fault = {{ robot = \"uav\", kind = \"{kind}\"{more} }}");
        let (endless, short) = (fault(""), fault(", for_s = 5"));
        assert_eq!(hear(&loaded, &[(10.0, &endless), (20.0, &endless), (30.0, &short)]).2, 2, "{kind}");
        assert_eq!(hear(&loaded, &[(10.0, &short), (11.0, &endless)]).2, 0, "{kind}");
    }
}

/// A radio that was made deaf meanwhile is up when both are over, and says so once.
#[test]
fn a_radio_is_up_when_nothing_is_wrong_with_it() {
    let loaded = load("patrol", &["faults=[]", "limit_h=0.05"]);
    let fault =
        |kind: &str, for_s: f64| format!("fault = {{ robot = \"scout-1\", kind = \"{kind}\", for_s = {for_s} }}");
    for other in ["deaf", "mute", "offline"] {
        for (from, lasts, up) in [(55.0, 20.0, 75.0), (52.0, 3.0, 60.0), (50.0, 10.0, 60.0), (60.0, 5.0, 65.0)] {
            let (ears, ..) = hear(&loaded, &[(50.0, &fault("offline", 10.0)), (from, &fault(other, lasts))]);
            let ups: Vec<f64> = ears.linked.iter().filter(|it| it.2).map(|it| it.0.as_secs_f64()).collect();
            // At 60 s the radio is up, and down again at the end of that instant.
            let expected: Vec<f64> = match (from, other) {
                (60.0, "offline") => vec![60.0, 65.0],
                (60.0, _) => vec![60.0],
                _ => vec![up],
            };
            assert_eq!(ups, expected, "{other} from {from} s for {lasts} s");
        }
    }
}
