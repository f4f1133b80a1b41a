//! Robots as scripts, in the simulation: the shipped ones are the same as those in Rust, and one that fails does not stop
//! the others. What a script may do is tested in `muster-script`.

use std::sync::Arc;

use muster_core::{Duration, Time};
use muster_reception::crowd::{Guests, Setup};
use muster_reception::robot::{Place, butler, leguin};
use muster_reception::script::{Class, STOPPED, Setting, Settings, shipped};
use muster_reception::{self as reception, BoxedRobot, Line, Reception};
use muster_script::Limits;
use muster_sim::emotions;

const TABLE: Place = Place::new(25.0, 6.0);
const MIDDLE: Place = Place::new(25.0, 25.0);
const ASIDE: Place = Place::new(10.0, 6.0);

fn at(seconds: u64) -> Time {
    Time::ZERO + Duration::from_secs(seconds)
}

fn hall(starts: &[Place], count: usize) -> Setup {
    let setup = reception::hall(starts);
    let Guests::Random { gait, .. } = setup.guests else { unreachable!("they walk about") };
    Setup { guests: Guests::Random { count, gait }, ..setup }
}

fn set(settings: &[(&str, Setting)]) -> Settings {
    settings.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
}

fn text(value: &str) -> Setting {
    Setting::Text(value.to_owned())
}

fn scripted(class: &str, settings: &[(&str, Setting)]) -> BoxedRobot {
    let class = shipped::class(class, emotions::built_in()).expect("it is shipped");
    Box::new(class.robot(&set(settings)).expect("these can be set"))
}

fn own(origin: &str, text: &str) -> BoxedRobot {
    let class = Class::new(origin, text, emotions::built_in(), Limits::for_robots()).expect("it is a robot");
    Box::new(Arc::new(class).robot(&Settings::new()).expect("nothing is set"))
}

fn lived(robots: Vec<BoxedRobot>, starts: &[Place], guests: usize, seed: u64, seconds: u64) -> (String, Reception) {
    let mut reception = Reception::new(robots, hall(starts, guests), seed).expect("they fit together");
    let mut lines: Vec<Line> = Vec::new();
    reception.init(&mut lines).expect("there is room");
    reception.start().expect("it is ready");
    reception.run_until(at(seconds), &mut lines);
    (lines.iter().map(|line| format!("{line}\n")).collect(), reception)
}

/// Compares logs, and all that was published or shown at the end: variables are not in the log.
fn same(rust: impl Fn() -> Vec<BoxedRobot>, script: impl Fn() -> Vec<BoxedRobot>, starts: &[Place], guests: usize) {
    for seed in 0..5 {
        let (expected, by_rust) = lived(rust(), starts, guests, seed, 1_800);
        let (log, by_script) = lived(script(), starts, guests, seed, 1_800);
        if let Some((ours, theirs)) = log.lines().zip(expected.lines()).find(|(ours, theirs)| ours != theirs) {
            panic!("seed {seed}, {guests} guests: the script says\n{ours}\nand Rust\n{theirs}");
        }
        assert_eq!(log, expected);
        assert_eq!(by_script.scene().unwrap().robots, by_rust.scene().unwrap().robots, "seed {seed}");
        for robot in by_rust.scene().unwrap().robots {
            let name = &robot.name;
            let (panel, feeling) = (by_rust.panel(name), by_rust.feeling(name));
            assert_eq!((by_script.panel(name), by_script.feeling(name)), (panel, feeling), "{name}, seed {seed}");
        }
        assert!(log.contains("treats again"), "nothing happened with seed {seed}");
    }
}

#[test]
fn two_scripts_write_the_log_of_rust() {
    let rust = || -> Vec<BoxedRobot> {
        vec![
            Box::new(reception::butler(butler::Config::cars_2002())),
            Box::new(reception::leguin(leguin::Config::cars_2002())),
        ]
    };
    let script = || vec![scripted("butler", &[]), scripted("leguin", &[])];
    for guests in [100, 0] {
        same(rust, script, &[MIDDLE, TABLE], guests);
    }
}

#[test]
fn so_do_three() {
    for refiller in ["Leguin", "Vonda"] {
        let rust = || -> Vec<BoxedRobot> {
            let config = butler::Config { refiller: refiller.into(), ..butler::Config::cars_2002() };
            vec![
                Box::new(reception::butler(config)),
                Box::new(reception::leguin(leguin::Config::cars_2002())),
                Box::new(reception::leguin(leguin::Config::vonda())),
            ]
        };
        let script = || {
            let butler = scripted("butler", &[("refiller", text(refiller))]);
            vec![butler, scripted("leguin", &[]), scripted("vonda", &[])]
        };
        same(rust, script, &[MIDDLE, TABLE, ASIDE], 100);
    }
}

/// Scripts and Rust at one reception.
#[test]
fn a_mixed_team_writes_the_same_log() {
    let rust = || -> Vec<BoxedRobot> {
        vec![
            Box::new(reception::butler(butler::Config::cars_2002())),
            Box::new(reception::leguin(leguin::Config::cars_2002())),
        ]
    };
    let mixed = || -> Vec<BoxedRobot> {
        vec![Box::new(reception::butler(butler::Config::cars_2002())), scripted("leguin", &[])]
    };
    same(rust, mixed, &[MIDDLE, TABLE], 100);
}

/// Settings mean the same in both.
#[test]
fn settings_are_those_of_rust() {
    let rust = || -> Vec<BoxedRobot> {
        let config = butler::Config {
            treats: 12,
            consumption_mean_s: 2.0,
            caution: muster_core::affect::Intensity::clamped(0.9),
            walk_fps: 1.0,
            ..butler::Config::cars_2002()
        };
        let other = leguin::Config { normal_fps: 0.8, frustrated_after_s: 20.0, ..leguin::Config::cars_2002() };
        vec![Box::new(reception::butler(config)), Box::new(reception::leguin(other))]
    };
    let script = || {
        let butler = [
            ("treats", Setting::Whole(12)),
            ("consumption_mean_s", Setting::Whole(2)),
            ("caution", Setting::Number(0.9)),
            ("walk_fps", Setting::Number(1.0)),
        ];
        let leguin = [("normal_fps", Setting::Number(0.8)), ("frustrated_after_s", Setting::Number(20.0))];
        vec![scripted("butler", &butler), scripted("leguin", &leguin)]
    };
    same(rust, script, &[MIDDLE, TABLE], 100);
}

#[test]
fn a_script_that_fails_stops_its_robot_and_nobody_else() {
    let text = shipped::LEGUIN
        .replace("fn get_speed() { this.legs.speed }", "fn get_speed() { if this.late { \"fast\" } else { 0.0 } }")
        .replace("name: \"Leguin\"", "name: \"Ada\"")
        .replace(
            "this.joked = false;\n    this.released",
            "this.late = false;\n    this.joked = false;\n    this.released",
        )
        .replace("fn update_state_variables(t) {", "fn update_state_variables(t) { this.late = t >= 50.0;");
    let line = 1 + text.lines().position(|line| line.starts_with("fn get_speed")).unwrap();
    let with = vec![scripted("butler", &[]), scripted("leguin", &[]), own("ada.rhai", &text)];
    let (log, reception) = lived(with, &[MIDDLE, TABLE, ASIDE], 0, 1, 600);
    let notes: Vec<&str> = log.lines().filter(|line| line.contains("ada.rhai")).collect();
    assert_eq!(
        notes,
        [format!(
            "50.000\tnote\tAda\tada.rhai:{line}: get_speed gives the text \"fast\" (robot Ada); it stops here, others go on: give a \
             number"
        )]
    );
    assert!(log.contains(&format!("50.000\tbehavior\tAda\tWAIT\t{STOPPED}\n")), "{log}");
    let ada = reception.robot("Ada").unwrap();
    assert_eq!((ada.location, ada.speed_fps, &*ada.behavior, &*ada.emotion), (ASIDE, 0.0, STOPPED, "HAPPY"));
    assert!(ada.variables.number("eta").is_some(), "what it last made known stays");
    // The others are as if it had only stood there, which it did.
    let without = vec![scripted("butler", &[]), scripted("leguin", &[]), scripted("vonda", &[])];
    let (expected, _) = lived(without, &[MIDDLE, TABLE, ASIDE], 0, 1, 600);
    let of_others = |log: &str| -> Vec<String> {
        log.lines().filter(|line| !line.contains("\tAda\t") && !line.contains("\tVonda\t")).map(str::to_owned).collect()
    };
    assert_eq!(of_others(&log), of_others(&expected));
}

#[test]
fn threads_do_not_matter() {
    let run = |seed| {
        let robots = vec![scripted("butler", &[]), scripted("leguin", &[]), scripted("vonda", &[])];
        lived(robots, &[MIDDLE, TABLE, ASIDE], 50, seed, 400).0
    };
    let here: Vec<String> = (0..4).map(run).collect();
    let there: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|seed| scope.spawn(move || run(seed))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(here, there);
}

#[test]
fn two_of_one_class_are_told_apart_by_name() {
    let class = shipped::class("leguin", emotions::built_in()).unwrap();
    let named = |name| -> BoxedRobot { Box::new(class.robot(&set(&[("name", text(name))])).unwrap()) };
    let robots = vec![scripted("butler", &[("refiller", text("B"))]), named("A"), named("B")];
    let (log, _) = lived(robots, &[MIDDLE, TABLE, ASIDE], 0, 3, 300);
    assert!(log.contains("\tB\tWAIT\tREFILL") && !log.contains("\tA\tWAIT\tREFILL"), "{log}");
}

#[test]
fn init_tells_what_failed_there() {
    let text = shipped::LEGUIN.replace("this.legs = legs();", "this.legs = legs(1);");
    let (log, reception) = lived(vec![own("x.rhai", &text)], &[TABLE], 0, 3, 3);
    assert!(log.contains("0.000\trobot\tLeguin\t25,6\tNONE\tSTOPPED\n"), "{log}");
    assert_eq!(log.matches("x.rhai:").count(), 1, "{log}");
    assert_eq!(reception.robot("Leguin").unwrap().location, TABLE);
}

/// Checks 24 and 27 for whatever a robot changes whenever it is called: by a command, by being put somewhere.
#[test]
fn changes_outside_of_the_phases_are_logged() {
    let moody = shipped::LEGUIN
        .replace("name: \"Leguin\"", "name: \"Mo\"")
        .replace("fn get_emotion_state() { this.feelings.emotion }", "fn get_emotion_state() { this.mood }")
        .replace(
            "this.joked = false;\n    this.released",
            "this.mood = \"M0\";\n    this.joked = false;\n    this.released",
        )
        .replace("fn set_command(t, command) {", "fn set_command(t, command) { this.mood = `TOLD ${command}`;")
        .replace(
            "fn set_current_location(t, p) {",
            "fn set_current_location(t, p) { if t == 7.0 { this.mood = \"MOVED\"; }",
        );
    let robots = vec![scripted("butler", &[("refiller", text("Mo"))]), own("mo.rhai", &moody)];
    let (log, _) = lived(robots, &[MIDDLE, TABLE], 0, 1, 300);
    assert!(log.contains("7.000\temotion\tMo\tM0\tMOVED\n"), "{log}");
    assert!(log.contains("\temotion\tMo\tMOVED\tTOLD refill\n"), "{log}");

    let broken = moody.replace("{ this.mood = `TOLD ${command}`;", "{ throw \"ouch\";");
    let robots = vec![scripted("butler", &[("refiller", text("Mo"))]), own("mo.rhai", &broken)];
    let (log, _) = lived(robots, &[MIDDLE, TABLE], 0, 1, 300);
    let lines: Vec<&str> = log.lines().skip_while(|line| !line.contains("ouch")).take(2).collect();
    assert!(
        lines[0].contains("\tnote\tMo\tmo.rhai:") && lines[1].ends_with("\tbehavior\tMo\tWAIT\tSTOPPED"),
        "{lines:?}"
    );
}
