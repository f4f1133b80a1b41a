//! What is refused: names, numbers, places and times that make no sense.

use muster_core::Time;
use muster_core::recruitment::Recruitment;
use muster_sim::scenario::{self, Checker, Loaded, Said, ScenarioError};
use muster_sim::{Interventions, Sim};

use crate::ears::{ROW, row};
use crate::{load, parse};

/// No two tasks have one name, whichever is asked for first.
#[test]
fn phases_have_names_of_their_own() {
    let loaded = load("hotspot", &[]);
    let one = |at_s: u32, name: &str, kind: &str| {
        format!(
            "[[interventions]]\nat_s = {at_s}\nauthor = \"x\"\norder = {{ name = \"{name}\", place = [600, 600], order = {{ by = \"console\"{kind} }} }}\n"
        )
    };
    let (plain, fire) = (one(5, "second verify", ""), one(6, "second", ", kind = \"fire\""));
    for text in [[plain.clone(), fire.clone()].concat(), [fire, plain].concat()] {
        let refused = Interventions::parse("x", &text, &loaded, loaded.schemes()[0]);
        assert!(refused.is_err_and(|error| error.to_string().contains("second verify")), "{text}");
    }
}

/// What a file could not hold, a run does not take.
#[test]
fn a_run_takes_what_a_file_can_say() {
    let loaded = row();
    let scheme = loaded.schemes()[0];
    let entry = |at_s: f64, what: &str| format!("[[interventions]]\nat_s = {at_s}\nauthor = \"x\"\n{what}\n");
    let jam = parse(&loaded, scheme, &entry(5.0, "radio = { jam = {} }")).all()[0].what.clone();
    let config = loaded.recruitment(scheme);
    let mut sim = Sim::new(&loaded.mission, 1, |_| Recruitment::new(config.clone()), ());
    assert!(sim.intervene(Time::from_secs_f64(3601.0), "x", jam.clone()).is_err(), "after the end");
    assert!(sim.intervene(Time::from_secs_f64(1.0), " ", jam.clone()).is_err(), "no author");
    assert!(sim.intervene(Time::from_secs_f64(3600.0), "x", jam).is_ok());
    // In the order of the file, whenever each is asked for.
    let one = |name: &str| format!("order = {{ name = \"{name}\", seen_by = \"caller\" }}");
    let text = [entry(200.0, &one("late")), entry(100.0, &one("early")), entry(90.0, &one("first"))].concat();
    assert_eq!(parse(&loaded, scheme, &text).task_names().collect::<Vec<_>>(), ["late", "early", "first"]);
    // What is cancelled later can be changed before, and is cancelled once.
    let cancel = "order = { task = \"late\", cancel = true }";
    let check = |given: &[(f64, &str)], at_s: f64, what: &str| {
        let text: String = given.iter().map(|(at_s, what)| entry(*at_s, what)).collect();
        let mut file: scenario::InterventionsFile = toml::from_str(&entry(at_s, what)).unwrap();
        let said = Said::Order(Box::new(file.interventions.remove(0).order.unwrap()));
        let before = parse(&loaded, scheme, &text);
        Checker::new(&loaded, scheme, &before).check(Time::from_secs_f64(at_s), said).is_ok()
    };
    let late = one("late");
    assert!(!check(&[(50.0, &late), (300.0, cancel)], 300.0, cancel));
    assert!(!check(&[(50.0, &late), (300.0, cancel)], 200.0, cancel));
    assert!(check(&[(50.0, &late)], 200.0, cancel));
}

/// What an entry is refused for, and the line that is blamed.
fn refused(loaded: &Loaded, author: &str, deed: &str) -> String {
    let text = format!("[[interventions]]\nat_s = 1\nauthor = \"{author}\"\n{deed}\n");
    match Interventions::parse("x.toml", &text, loaded, loaded.schemes()[0]) {
        Err(ScenarioError::InFile { message, span, help, .. }) => {
            let line = 1 + text[..span.offset()].matches('\n').count();
            format!("{line}: {message}; {}", help.unwrap_or_default())
        }
        other => panic!("{author} {deed}: {other:?}"),
    }
}

/// Numbers that are none say what would be one, on their line.
#[test]
fn numbers_are_numbers() {
    let loaded = load("minefield", &[]);
    for number in ["nan", "inf", "-inf", "+nan"] {
        for (deed, wanted) in [
            (format!("fault = {{ robot = \"uav\", kind = \"deaf\", for_s = {number} }}"), "a positive number (from a"),
            (format!("radio = {{ jam = {{ for_s = {number} }} }}"), "a positive number (from a"),
            (format!("radio = {{ jam = {{ at = [{number}, 1], radius_m = 3 }} }}"), "a number between minus and plus"),
            (format!("radio = {{ jam = {{ at = [1, 1], radius_m = {number} }} }}"), "a positive number (from a"),
            (format!("order = {{ name = \"n\", seen_by = \"uav\", place = [1, {number}] }}"), "a number between minus"),
        ] {
            let told = refused(&loaded, "ann", &deed);
            assert!(told.starts_with("4: ") && told.contains(wanted), "{deed}: {told}");
        }
        let text = format!("[[interventions]]\nat_s = {number}\nauthor = \"ann\"\nradio = {{ jam = {{}} }}\n");
        let told = Interventions::parse("x.toml", &text, &loaded, loaded.schemes()[0]).expect_err(number).to_string();
        assert!(told.contains("zero or a positive number"), "{number}: {told}");
    }
}

/// A jam that nobody can be in is a slip.
#[test]
fn a_jam_reaches_the_field() {
    let loaded = load("minefield", &[]);
    let (width, height) = (loaded.mission.width_m, loaded.mission.height_m);
    let jam = |x: f64, y: f64| format!("radio = {{ jam = {{ at = [{x}, {y}], radius_m = 5 }} }}");
    for (x, y) in [(-5.1, 1.0), (width + 5.1, 1.0), (1.0, height + 6.0), (-4.0, -4.0)] {
        let told = refused(&loaded, "ann", &jam(x, y));
        assert!(told.starts_with("4: the jam lies outside the field: 5 m around"), "{told}");
    }
    let text = format!("[[interventions]]\nat_s = 1\nauthor = \"x\"\n{}\n", jam(-4.9, 1.0));
    parse(&loaded, loaded.schemes()[0], &text);
}

/// Names that nobody could read are refused where they stand.
#[test]
fn authors_and_names_can_be_read() {
    let loaded = load("minefield", &[]);
    let jam = "radio = { jam = {} }";
    for author in ["a\\u200bnn", "\\u202enna", "a\\u2066b", "\\ufeffann", "a\\u0007", " ", &"a".repeat(81)] {
        let told = refused(&loaded, author, jam);
        assert!(told.starts_with("3: ") && told.contains("is no name of an author"), "{author}: {told}");
    }
    let task = |name: &str| format!("order = {{ name = \"{name}\", seen_by = \"uav\" }}");
    let told = refused(&loaded, "ann", &task("wr\\u200deck"));
    assert!(told.starts_with("4: ") && told.contains("cannot be seen; leave \\u{200d} out"), "{told}");
    assert!(refused(&loaded, "ann", &task(&"w".repeat(201))).contains("is 201 characters long; at most 200"));
    for (key, what) in [("robots", "robot"), ("tasks", "task")] {
        let text = format!("{ROW}\n[{key}.\"b\\u2067c\"]\n{}", if key == "robots" { "speed_mps = 1\n" } else { "" });
        let error = scenario::parse("row", "row.toml", &text, &[]).expect_err("hidden");
        let ScenarioError::InFile { message, span, .. } = error else { panic!("{error}") };
        assert!(message.contains(&format!("the name of {what} `b\\u{{2067}}c` has a character")), "{message}");
        assert!(text[span.offset()..].starts_with(&format!("[{key}.\"b")), "{key}: {span:?}");
    }
}
