//! How a class is loaded, what it has to define, and what its robots show and ask.

use std::sync::Arc;

use crate::common::{Alone, STONE, class, other, robot, stone_but, stops};
use muster_core::affect::Rule;
use muster_core::panel::{Field, Shown};
use muster_reception::robot::{Place, Reason, Robot};
use muster_reception::script::{INTERFACE, Setting, Settings, shipped};
use muster_script::ScriptError;

/// Check 29.
#[test]
fn a_robot_lacking_one_of_the_fourteen_is_refused_by_name() {
    for (name, values) in INTERFACE {
        let head = format!("fn {name}(");
        let without: String =
            STONE.lines().filter(|line| !line.starts_with(&head)).map(|line| format!("{line}\n")).collect();
        let error = class(&without).err().unwrap_or_else(|| panic!("{name} is not missed")).to_string();
        assert!(
            error.starts_with("stone.rhai: a robot has to define") && error.contains(&format!("`{name}(")),
            "{error}"
        );
        assert!(INTERFACE.iter().filter(|(other, _)| error.contains(&format!("`{other}("))).count() == 1, "{error}");
        // With one value too many it is not the same function.
        let extra = if values == 0 { "extra" } else { ", extra" };
        let at = STONE.find(&head).unwrap() + STONE[STONE.find(&head).unwrap()..].find(')').unwrap();
        let error = class(&format!("{}{extra}{}", &STONE[..at], &STONE[at..])).err().unwrap();
        let ScriptError::Lacks { message, help, .. } = error else { panic!("{error}") };
        assert!(
            message.contains(name) && help == format!("`{name}` is there, but has to take {values} values"),
            "{help}"
        );
    }
    let ScriptError::Lacks { help, .. } = class(&STONE.replace("get_speed", "get_sped")).err().unwrap() else {
        panic!()
    };
    assert_eq!(help, "is that `get_sped`?");
    let all = class("fn nothing() { }").err().unwrap().to_string();
    assert!(INTERFACE.iter().all(|(name, _)| all.contains(name)), "{all}");
}

#[test]
fn mistakes_are_pointed_at() {
    for (text, message, words) in [
        (STONE.replace("{ \"STOIC\" }", "{ \"STOIC\" "), "stone.rhai:", "missing"),
        (stone_but("fn get_speed() { ths.legs.speed }"), "stone.rhai:5: Undefined variable: ths", "this.ths"),
        (format!("{STONE}let x = 3;\n"), "stone.rhai:17: `x` is a variable outside", "const x"),
        (stone_but("fn settings() { 3 }"), "stone.rhai:2: settings gives a value of type i64", "give a map"),
        (
            stone_but("fn settings() { #{ name: \"S\", at: place(1, 2) } }"),
            "stone.rhai:2: the setting `at`",
            "a setting is",
        ),
        (stone_but("fn get_name() { 3 }"), "stone.rhai:4: get_name gives a value of type i64", "give a text"),
        (stone_but("fn get_name() { this.nmae }"), "stone.rhai:4: there is no `nmae` in this map", "init_robot"),
        (stone_but("fn settings() { loop { } }"), "stone.rhai:2: more than 5000 operations", "loop"),
    ] {
        let error = class(&text).err().unwrap_or_else(|| panic!("{message}"));
        let help = miette::Diagnostic::help(&error).expect("there is help").to_string();
        assert!(error.to_string().starts_with(message), "{error}");
        assert!(help.contains(words), "{help}");
    }
}

#[test]
fn a_diagnostic_shows_the_line() {
    let error = class(&stone_but("fn get_speed() { ths.legs.speed }")).err().unwrap();
    let ScriptError::InScript { line, span, source_code, .. } = &error else { panic!("{error}") };
    assert_eq!((*line, source_code.name()), (5, "stone.rhai"));
    assert!(source_code.inner()[span.offset()..].starts_with("ths."));
}

#[test]
fn settings_are_checked() {
    let class = Arc::new(class(STONE).unwrap());
    let set = |key: &str, value: Setting| class.robot(&Settings::from([(key.to_owned(), value)]));
    let said = |key, value| set(key, value).err().expect("it is refused").to_string();
    assert_eq!(said("wieght", Setting::Number(1.0)), "there is no setting `wieght`: did you mean `weight`?");
    assert_eq!(
        said("colour", Setting::Number(1.0)),
        "there is no setting `colour`: there is `count`, `name`, `round`, `spot`, `weight`"
    );
    assert_eq!(
        said("weight", Setting::Flag(true)),
        "`weight` is true, which is true or false: give a number, such as 2.5"
    );
    assert_eq!(
        said("count", Setting::Number(0.5)),
        "`count` is 0.5, which is a number: give a whole number, such as 3"
    );
    assert_eq!(said("name", Setting::Whole(3)), "`name` is 3, which is a whole number: give a text, such as \"Stone\"");
    assert!(said("spot", Setting::List(vec![Setting::Whole(1)])).starts_with("`spot` is [1], which is a list"));
    assert!(said("name", Setting::Text(" ".into())).contains("get_name gives an empty text"));
    let robot = set("weight", Setting::Whole(4)).unwrap();
    assert_eq!(robot.settings()["weight"], Setting::Number(4.0));
    assert_eq!(set("name", Setting::Text("Pebble".into())).unwrap().get_name(), "Pebble");
    let spot = Setting::List(vec![Setting::Whole(3), Setting::Number(0.5)]);
    assert_eq!(
        set("spot", spot).unwrap().settings()["spot"],
        Setting::List(vec![Setting::Number(3.0), Setting::Number(0.5)])
    );
}

/// Settings as scenario files have them.
#[test]
fn settings_come_from_files() {
    let file: Settings =
        toml::from_str("name = \"Rock\"\nweight = 3\ncount = 4\nround = false\nspot = [1, 2.5]").unwrap();
    let robot = Arc::new(class(STONE).unwrap()).robot(&file).unwrap();
    assert_eq!((robot.get_name().as_str(), &robot.settings()["count"]), ("Rock", &Setting::Whole(4)));
}

/// Check 34: names that nobody has heard of.
#[test]
fn a_robot_has_its_own_words() {
    let alone = Alone::new(STONE).ticks(2);
    let seen = alone.published();
    assert_eq!((&*seen.emotion, &*seen.behavior, &*seen.name), ("STOIC", "LIE", "Stone"));
    assert_eq!(seen.variables.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["n"]);
}

/// Check 36: what is not put in its table is nobody's business.
#[test]
fn what_is_not_given_out_is_not_seen() {
    let alone = Alone::new(&STONE.replace("this.n = 0;", "this.n = 0; this.secret = 42;")).ticks(1);
    assert!(alone.published().variables.get("secret").is_none());
}

#[test]
fn variables_keep_the_order_of_a_list_and_leave_out_nothing() {
    let text = stone_but(
        "fn get_state_variables() { [[\"z\", 1], [\"a\", true], [\"none\", ()], [\"m\", \"text\"], [\"far\", INFINITY]] }",
    );
    let variables = Alone::new(&text).ticks(1).published().variables;
    let all: Vec<(&str, String)> = variables.iter().map(|(name, value)| (name.as_str(), value.to_string())).collect();
    assert_eq!(all, [("z", "1".into()), ("a", "true".into()), ("m", "text".into()), ("far", "inf".into())]);
}

#[test]
fn what_makes_no_sense_stops_the_robot() {
    for (function, said) in [
        ("fn get_speed() { \"fast\" }", "stone.rhai:5: get_speed gives the text \"fast\""),
        ("fn get_speed() { 0.0 / 0.0 }", "stone.rhai:5: get_speed gives NaN"),
        ("fn get_speed() { }", "stone.rhai:5: get_speed gives nothing"),
        ("fn get_direction() { INFINITY }", "stone.rhai:6: get_direction gives inf"),
        ("fn get_current_location() { [1, 2] }", "stone.rhai:9: get_current_location gives a value of type array"),
        ("fn project_location(t) { place(0.0 / 0.0, 1.0) }", "stone.rhai:10: project_location gives the place"),
        ("fn project_location(t) { t }", "stone.rhai:10: project_location gives a value of type f64"),
        ("fn get_emotion_state() { 3 }", "stone.rhai:14: get_emotion_state gives a value of type i64"),
        ("fn get_behavior_state() { \"\" }", "stone.rhai:16: get_behavior_state gives an empty text"),
        ("fn get_state_variables() { 3 }", "stone.rhai:8: get_state_variables gives a value of type i64"),
        ("fn get_state_variables() { [3] }", "stone.rhai:8: get_state_variables gives 3 in its list"),
        (
            "fn get_state_variables() { #{ a: place(1, 2) } }",
            "stone.rhai:8: get_state_variables gives `a` as a value of type",
        ),
        ("fn get_state_variables() { #{ a: 0.0 / 0.0 } }", "stone.rhai:8: get_state_variables gives `a` as"),
        ("fn update_state_variables(t) { this.m += 1; }", "stone.rhai:7: `+` does not go with ((), i64)"),
        ("fn update_behavior_state(t) { throw \"enough\"; }", "stone.rhai:15: enough (robot Stone)"),
        ("fn update_state_variables(t) { this.f = |x| x; }", "stone.rhai:7: there is a value of type Fn in `this`"),
        ("fn update_state_variables(t) { this.r = 0..3; }", "stone.rhai:7: there is a value of type"),
        ("fn update_state_variables(t) { this = 3; }", "stone.rhai:"),
    ] {
        let note = stops(&stone_but(function));
        assert!(note.starts_with(said), "{function}: {note}");
        assert!(note.contains("(robot Stone); it stops here, others go on: "), "{note}");
    }
}

/// Line numbers are those of the place that went wrong, not of the call that led there.
#[test]
fn the_line_is_where_it_went_wrong() {
    let text = stone_but("fn update_state_variables(t) { this.inner(); }")
        + "fn inner() {\n    let a = 1;\n    this.lost + a\n}\n";
    assert!(stops(&text).starts_with("stone.rhai:19: there is no `lost` in this map"), "{}", stops(&text));
}

/// What it did in the call that failed is not done by halves.
#[test]
fn commands_of_a_call_that_fails_are_not_given() {
    let text = stone_but(
        "fn update_state_variables(t) { set_robot_command(\"Leguin\", \"refill\"); note(\"here\"); this.x; }",
    );
    let alone = Alone::with(robot(&text), vec![other("Leguin")]).ticks(2);
    assert_eq!((alone.said.len(), alone.notes.len(), alone.notes[0].as_str()), (0, 2, "here"));
}

/// Once stopped it can be started again, from the beginning.
#[test]
fn init_starts_it_anew() {
    let mut alone =
        Alone::new(&stone_but("fn update_state_variables(t) { this.n += 1; if t > 3 { throw \"no\"; } }")).ticks(6);
    assert!(alone.robot.is_stopped());
    alone.now = 0.0;
    alone.lend(|robot, frame| robot.init_robot(frame));
    alone.robot.set_current_location(muster_core::Time::ZERO, Place::new(10.0, 10.0));
    let alone = alone.ticks(2);
    assert!(!alone.robot.is_stopped());
    assert_eq!(alone.robot.get_state_variables().number("n"), Some(2.0));
}

/// Getters run on copies.
#[test]
fn getters_change_nothing() {
    let text = stone_but("fn get_speed() { this.n += 100; this.legs.walk(1.0, 3.0); 0.0 }");
    let alone = Alone::new(&text).ticks(3);
    assert_eq!(alone.robot.get_state_variables().number("n"), Some(3.0));
    assert_eq!(alone.robot.get_current_location(), Place::new(10.0, 10.0));
    let text = stone_but("fn project_location(t) { this.n += 100; this.legs.place }");
    assert_eq!(Alone::new(&text).ticks(3).robot.get_state_variables().number("n"), Some(3.0));
}

/// Checks 35, 38 and 39.
#[test]
fn others_are_asked_by_name_and_give_copies() {
    let text = stone_but(
        "fn update_state_variables(t) {
            let seen = get_robot_state_variables(\"Leguin\");
            note(`${get_robot_location(\"Leguin\")} ${get_robot_speed(\"Leguin\")} ${get_robot_direction(\"Leguin\")}`);
            note(`${get_robot_emotion_state(\"Leguin\")} ${get_robot_behavior_state(\"Leguin\")} ${seen.treats} ${seen.hungry}`);
            seen.treats = 99.0; seen.stolen = true;
            note(`${get_robot_state_variables(\"Leguin\").treats} ${get_robot_state_variables(\"Leguin\").get(\"stolen\") == ()}`);
            note(`${set_robot_command(\"Leguin\", \"refill\")} ${set_robot_command(\"Nobody\", \"refill\")}`);
            let none = [get_robot_location(\"Nobody\"), get_robot_speed(\"Nobody\"), get_robot_direction(\"Nobody\"),
                get_robot_state_variables(\"Nobody\"), get_robot_emotion_state(\"\"), get_robot_behavior_state(\"x\")];
            for one in none { if one != () { throw \"somebody\"; } }
        }",
    );
    let alone = Alone::with(robot(&text), vec![other("Leguin")]).ticks(1);
    assert_eq!(alone.notes, ["(1.0, 2.0) 0.5 1.5", "WISTFUL HUM 7.0 true", "7.0 true", "true false"]);
    assert_eq!(alone.said, [("Leguin".to_owned(), "refill".to_owned())]);
    // A variable that is not given out cannot be read.
    let text = stone_but("fn update_state_variables(t) { get_robot_state_variables(\"Leguin\").secret; }");
    let alone = Alone::with(robot(&text), vec![other("Leguin")]).ticks(1);
    assert!(alone.notes[0].contains("there is no `secret` in this map"), "{:?}", alone.notes);
}

#[test]
fn panels_are_the_robots_own() {
    let plain = Alone::new(STONE).ticks(2);
    assert_eq!(plain.robot.panel(), plain.robot.get_state_variables().fields());
    let own = Alone::new(&format!("{STONE}fn panel() {{ [[\"moss\", this.n * 2], [\"dew\", ()], [\"wet\", true]] }}"))
        .ticks(2);
    assert_eq!(own.robot.panel(), [Field::number("moss", 4.0), Field::flag("wet", true)]);
}

#[test]
fn panels_may_have_bars() {
    let bars = "[[\"moss\", #{ value: this.n, min: 0, max: 10.0, mark: 5 }], [\"dew\", #{ value: 1, min: 0, max: 2 }],
        [\"far\", #{ value: 1, min: 0, max: 2, mark: INFINITY }], [\"none\", #{ value: 1, min: 0, max: 2, mark: () }]]";
    let own = Alone::new(&format!("{STONE}fn panel() {{ {bars} }}")).ticks(2);
    let plain = |name| Field::gauge(name, 1.0, (0.0, 2.0), None);
    let moss = Field::gauge("moss", 2.0, (0.0, 10.0), Some(5.0));
    assert_eq!(own.robot.panel(), [moss, plain("dew"), plain("far"), plain("none")]);
}

/// It shows what it can instead, and says what is wrong. Whether anybody looks makes no difference to it.
#[test]
fn a_panel_that_fails_stops_nobody() {
    let wrong = [
        ("#{ moss: #{ value: 1, min: 0 } }", "`moss` as a bar without a number `max`"),
        ("#{ moss: #{ value: 1, min: 2, max: 2 } }", "`moss` as a bar from 2 to 2"),
        ("#{ moss: #{ value: 1, min: 0, max: 2, size: 1 } }", "`moss` as a bar with `size`, which bars do not have"),
        ("#{ moss: [1] }", "`moss` as a value of type array"),
        ("7", "panel gives a value of type i64"),
        ("this.nothing", "there is no `nothing` in this map"),
    ];
    for (panel, says) in wrong {
        let looked_at = Alone::new(&format!("{STONE}fn panel() {{ {panel} }}")).ticks(2);
        let shown = looked_at.robot.panel();
        let (told, rest) = shown.split_last().unwrap();
        assert_eq!(rest, looked_at.robot.get_state_variables().fields());
        let Shown::Text { value } = &told.shown else { panic!("{told:?}") };
        assert!(value.contains(says), "{panel}: {value}");
        assert!(!looked_at.robot.is_stopped(), "{panel}");
    }
}

/// Feelings that it keeps, if they are what it says it feels.
#[test]
fn what_it_feels_is_shown_with_face_and_chain() {
    assert_eq!(Alone::new(STONE).ticks(2).robot.feeling(), None);
    let felt = |says: &str| {
        let keeps = "this.joy = feelings(\"waiter\", 0.5, \"rain\", \"the sky\");";
        let text = STONE.replacen("fn init_robot() {", &format!("fn init_robot() {{ {keeps}"), 1);
        let from = text.find("fn get_emotion_state()").unwrap();
        let to = from + text[from..].find('}').unwrap() + 1;
        let text = format!("{}fn get_emotion_state() {{ {says} }}{}", &text[..from], &text[to..]);
        Alone::new(&text).ticks(2).robot.feeling()
    };
    let feeling = felt("this.joy.emotion").expect("it feels something");
    assert_eq!((feeling.name.as_str(), feeling.face.word(), feeling.valence), ("HAPPY", "happy", "positive"));
    assert!(!feeling.chain.is_empty());
    assert_eq!(felt("\"GRANITE\""), None, "it says something else");
}

#[test]
fn places_and_legs_are_the_cores() {
    let text = stone_but(
        "fn update_behavior_state(t) {
            let a = place(0, 0);
            note(`${a.distance_to(place(3, 4))} ${a.heading_to(place(0, 2))} ${a.ahead(0.0, 2.0).x} ${a == place(0.0, 0)}`);
            this.legs.head_for(place(20, 10), 1.5);
        }",
    );
    let alone = Alone::new(&text).ticks(3);
    assert_eq!(alone.notes[0], format!("5.0 {:?} 2.0 true", std::f64::consts::FRAC_PI_2));
    assert_eq!(alone.robot.get_current_location(), Place::new(13.0, 10.0));
    assert_eq!((alone.robot.get_speed(), alone.robot.get_direction()), (1.5, 0.0));
}

#[test]
fn feelings_are_the_cores() {
    let text = STONE
        .replace("this.n = 0;", "this.n = 0; this.feelings = feelings(\"waiter\", 0.5, \"tea\", \"Leguin\");")
        .replace("\"STOIC\"", "this.feelings.emotion");
    let text = text.replace(
        "fn update_emotion_state(t) { }",
        "fn update_emotion_state(t) { because(this.feelings.measured(20, 6)); note(`${this.feelings.stress} ${this.feelings.agency} \
         ${this.feelings.valence} ${this.feelings.urged(\"CallForRefill\")} ${this.feelings.active(\"Intercept\")}`); }",
    );
    let alone = Alone::new(&text).ticks(2);
    assert_eq!(alone.notes[0], "5.0 Leguin negative true true");
    assert_eq!(&*alone.robot.get_emotion_state(), "FRUSTRATED");
    let because: Vec<String> = alone.because.iter().flatten().map(ToString::to_string).collect();
    assert_eq!(because.len(), 1, "{because:?}");
    assert!(
        because[0].starts_with("at 1.0 s HAPPY gave way to FRUSTRATED (negative, very high 1.00) because of Leguin")
    );
    let change = alone.because.iter().flatten().next().and_then(Reason::change).expect("as a value");
    assert!(
        matches!(change.rule, Rule::Reached { stress, threshold: 2.0, .. } if stress.get() == 5.0),
        "{:?}",
        change.rule
    );
    // What a script says in its own words stays as it says it.
    let own = Alone::new(&text.replace("because(this.feelings.measured(20, 6))", "because(\"of the moon\")")).ticks(1);
    assert_eq!(own.because.into_iter().flatten().collect::<Vec<_>>(), [Reason::Said("of the moon".to_owned())]);
    let unknown = STONE.replace("this.n = 0;", "this.n = 0; this.f = feelings(\"waitr\", 0.5, \"tea\");");
    assert!(stops(&unknown).contains("waitr"), "{}", stops(&unknown));
}

#[test]
fn every_shipped_class_loads() {
    let robots: Vec<String> = shipped::classes()
        .map(|name| {
            shipped::class(name, crate::common::table())
                .unwrap()
                .robot(&Settings::new())
                .unwrap()
                .get_name()
                .to_string()
        })
        .collect();
    assert_eq!(robots, ["Butler", "Leguin", "Vonda"]);
    assert!(shipped::class("nobody", crate::common::table()).is_none());
}

#[test]
fn constants_are_known_in_functions() {
    let text = format!("const FEET = 3.5;\nconst WORDS = [\"a\", \"b\"];\n{STONE}")
        .replace("#{ n: this.n }", "#{ feet: FEET * 2, word: WORDS[1], circle: TAU }");
    let variables = Alone::new(&text).ticks(1).published().variables;
    assert_eq!(variables.number("feet"), Some(7.0));
    assert_eq!(variables.get("word").unwrap().to_string(), "b");
}
