//! What a robot keeps is saved to the last bit.

use std::sync::Arc;

use crate::common::{Alone, STONE, class, other, robot, stone_but, table};
use muster_reception::robot::{Place, Robot};
use muster_reception::script::{Setting, Settings, shipped};

/// Saves what runs, puts it into a new robot, and lets both go on.
fn parted(mut first: Alone, mut second: Alone, ticks: usize) {
    let saved = first.robot.save().expect("it can be saved");
    second.robot.restore(&saved).expect("it is the same robot");
    (second.now, second.dice, second.notes) = (first.now, first.dice.clone(), first.notes.clone());
    assert_eq!(second.robot.save().expect("it can be saved"), saved, "saved twice is the same");
    for _ in 0..ticks {
        first.tick();
        second.tick();
        assert_eq!(first.published(), second.published());
    }
    assert_eq!((first.notes, first.said, first.because.len()), (second.notes, second.said, second.because.len()));
    assert_eq!(first.robot.save(), second.robot.save());
}

#[test]
fn a_robot_goes_on_from_where_it_was() {
    for seconds in [0, 1, 17, 60, 150] {
        let make = || {
            let class = shipped::class("butler", table()).unwrap();
            let settings = Settings::from([("consumption_mean_s".to_owned(), Setting::Number(1.0))]);
            Alone::with(class.robot(&settings).unwrap(), vec![other("Leguin")])
        };
        let mut first = make().ticks(seconds);
        (first.said, first.because) = Default::default();
        let mut second = make();
        second.because.clear();
        parted(first, second, 200);
    }
}

#[test]
fn everything_that_can_be_kept_comes_back() {
    let text = STONE
        .replace(
            "this.n = 0;",
            "this.n = 0; this.all = [1, -2, 2.5, -0.0, 0.0 / 0.0, INFINITY, true, \"text\", 'c', (), [[1], []], #{ a: #{ b: 1 } }, \
             place(1.5, 2), legs(), feelings(\"refiller\", 0.25, \"tea\", \"Butler\")];",
        )
        .replace("#{ n: this.n }", "#{ n: this.n, all: `${this.all}` }");
    let first = Alone::new(&text).ticks(3);
    let mut second = Alone::new(&text);
    let saved = first.robot.save().unwrap();
    second.robot.restore(&saved).unwrap();
    assert_eq!(second.robot.save().unwrap(), saved);
    assert_eq!(second.published(), first.published());
    let shown = first.published().variables.get("all").unwrap().to_string();
    assert!(shown.contains("NaN") && shown.contains("-0.0") && shown.contains("HAPPY"), "{shown}");
}

#[test]
fn one_that_has_stopped_stays_so() {
    let text = stone_but("fn update_state_variables(t) { this.n += 1; if t > 3 { throw \"no\"; } }");
    let first = Alone::new(&text).ticks(6);
    let mut second = Alone::new(&text);
    second.robot.restore(&first.robot.save().unwrap()).unwrap();
    assert!(second.robot.is_stopped());
    assert_eq!(second.published(), first.published());
    assert_eq!(second.robot.failure(), first.robot.failure());
    let second = second.ticks(3);
    assert_eq!(second.robot.get_current_location(), Place::new(10.0, 10.0));
}

#[test]
fn what_another_robot_saved_is_refused() {
    let saved = Alone::new(STONE).ticks(2).robot.save().unwrap();
    let said = |text: &str, saved: &[u8]| robot(text).restore(saved).expect_err("it is refused").to_string();
    assert!(said(&STONE.replace("LIE", "SIT"), &saved).contains("the text of stone.rhai was another one"));
    assert!(said(STONE, &saved[..saved.len() - 3]).contains("was not saved by the same robot"));
    assert!(said(STONE, &[]).contains("was not saved by the same robot"));
    let pebble = Settings::from([("name".to_owned(), Setting::Text("Pebble".to_owned()))]);
    let mut pebble = Arc::new(class(STONE).unwrap()).robot(&pebble).unwrap();
    assert!(pebble.restore(&saved).unwrap_err().to_string().contains("it was called Stone"));
}
