//! What scripts cannot do: run for ever, grow, reach outside, differ between platforms.

use crate::common::{Alone, STONE, class, other, robot, stone_but, stops, table};
use muster_reception::robot::Robot;
use muster_reception::script::{Class, Settings};
use muster_script::Limits;
use std::sync::Arc;

fn doing(body: &str) -> String {
    stone_but(&format!("fn update_state_variables(t) {{ {body} }}"))
}

#[test]
fn a_loop_without_end_is_stopped() {
    let expected = "stone.rhai:7: more than 5000 operations in one call (robot Stone); it stops here, others go on: look for a \
                    loop without an end";
    assert_eq!(stops(&doing("loop { }")), expected);
    assert_eq!(stops(&doing("while true { this.n += 1; }")), expected);
    assert_eq!(stops(&doing("for i in 0..1000000000 { this.n = i; }")), expected);
}

/// The engine itself forgets what callbacks cost.
#[test]
fn callbacks_count() {
    let body = "let a = []; a.pad(400, 0); a.for_each(|| { let b = []; b.pad(400, 0); b.for_each(|| { 1 + 1; }); });";
    assert!(stops(&doing(body)).contains("more than 5000 operations in one call"), "{}", stops(&doing(body)));
}

#[test]
fn recursion_without_end_is_stopped() {
    let down = doing("this.down();") + "fn down() { this.down() }";
    assert!(
        stops(&down).contains(
            "functions call each other more than 32 deep (robot Stone); it stops here, others go on: look for a function \
             that calls itself without an end"
        ),
        "{}",
        stops(&down)
    );
    // As deep as may be, with much on the stack, on a thread as small as they come.
    let expression = format!("1 + {}down(n - 1){}", "(1 + ".repeat(6), ")".repeat(6));
    let deep =
        doing("this.n = down(1000);") + format!("fn down(n) {{ if n == 0 {{ 0 }} else {{ {expression} }} }}").as_str();
    let small = std::thread::Builder::new().stack_size(2 << 20);
    small.spawn(move || stops(&deep)).unwrap().join().expect("the stack is enough");
}

#[test]
fn a_list_that_grows_is_stopped() {
    let at_once = stops(&doing("let a = []; loop { a.push(1); }"));
    assert!(at_once.contains("stone.rhai:7: a list of more than 500 values"), "{at_once}");
    // A bit with every tick.
    let text = doing("this.list.push(t);").replace("this.n = 0;", "this.n = 0; this.list = [];");
    let alone = Alone::new(&text).ticks(600);
    assert_eq!((alone.notes.len(), alone.robot.is_stopped()), (1, true));
    assert!(alone.notes[0].contains("a list of more than 500 values, with those of lists in it"), "{:?}", alone.notes);
}

#[test]
fn so_are_texts_and_maps() {
    assert!(stops(&doing("let a = \"x\"; loop { a += a; }")).contains("a text longer than 10000 bytes"));
    assert!(stops(&doing("let a = \"x\"; a.pad(1000000000, \"y\");")).contains("a text longer than 10000 bytes"));
    // Entries by a name that is reckoned are not counted at once; operations are.
    let at_once = stops(&doing("let m = #{}; let i = 0; loop { m[`k${i}`] = i; i += 1; }"));
    assert!(at_once.contains("more than 5000 operations"), "{at_once}");
    let text = doing("this.map[`k${t}`] = t; this.n += 1;").replace("this.n = 0;", "this.n = 0; this.map = #{};");
    let alone = Alone::new(&text).ticks(300);
    assert!(
        alone.notes.concat().contains("a map of more than 250 entries, with those of maps in it"),
        "{:?}",
        alone.notes
    );
}

/// Lists of lists and copies of copies: no list is long, all of them are.
#[test]
fn so_is_what_grows_by_nesting() {
    let doubling = stops(&doing("let a = [1]; loop { a = [a, a]; }"));
    assert!(doubling.contains("a list of more than 500 values"), "{doubling}");
    let itself = stops(&doing("loop { this.me = this; }"));
    assert!(itself.contains("a map of more than 250 entries"), "{itself}");
    let inside = stops(
        &doing(
            "let a = []; a.pad(400, 0); for i in 0..200 { if !(`k${i}` in this.deep) { this.deep[`k${i}`] = [a]; } }",
        )
        .replace("this.n = 0;", "this.n = 0; this.deep = #{};"),
    );
    assert!(inside.contains("`this` has grown to"), "{inside}");
}

/// Hundreds of lists in lists in maps, each within its bounds: the sum is not.
#[test]
fn all_that_is_kept_has_a_bound() {
    let text = doing("this.deep.all.push(\"x\".repeat()); ");
    let text = text
        .replace("\"x\".repeat()", "\"0123456789\" + t")
        .replace("this.n = 0;", "this.n = 0; this.deep = #{ all: [] };");
    let limits = Limits { state_bytes: 2_000, ..Limits::for_robots() };
    let class = Arc::new(Class::new("stone.rhai", &text, table(), limits).unwrap());
    let alone = Alone::with(class.robot(&Settings::new()).unwrap(), Vec::new()).ticks(100);
    assert_eq!(alone.notes.len(), 1);
    assert!(alone.notes[0].contains("bytes, and may have 2000"), "{:?}", alone.notes);
    assert!(alone.now > 10.0);
}

#[test]
fn nothing_outside_can_be_reached() {
    for (call, hint) in [
        ("open(\"/etc/passwd\")", "no files, no clock"),
        ("read_file(\"x\")", "no files"),
        ("timestamp()", "no clock"),
        ("sleep(1)", "no clock"),
        ("rand()", "no dice but uniform, chance, exponential and triangular"),
        ("random()", "no dice but"),
        ("parse_json(\"{}\")", "docs/scripts.md"),
        ("exit()", "docs/scripts.md"),
    ] {
        let said = stops(&doing(&format!("let x = {call};")));
        assert!(said.contains("stone.rhai:7: there is no function") && said.contains(hint), "{call}: {said}");
    }
    for (text, word) in [
        ("eval(\"1\");", "eval"),
        ("import \"other\" as o;", "import"),
        ("let x = 2.0 ** 0.5;", "**"),
        ("let f = Fn(\"eval\"); f.call(\"1\");", "eval"),
    ] {
        match class(&doing(text)) {
            Err(error) => assert!(error.to_string().starts_with("stone.rhai:7: "), "{error}"),
            Ok(_) => assert!(stops(&doing(text)).contains(word), "{text} runs"),
        }
    }
}

/// Calls that are for whoever drives robots (check 37), and whatever else a robot is not lent.
#[test]
fn reserved_calls_are_not_there() {
    for call in [
        "init_robot(\"Leguin\")",
        "set_current_location(\"Leguin\", 1.0, place(1, 2))",
        "update_emotion_state(\"L\", 1.0)",
    ] {
        assert!(stops(&doing(&format!("{call};"))).contains("there is no function"), "{call}");
    }
}

/// What a robot is lent is lent in the phases of a cycle only.
#[test]
fn the_world_is_out_of_reach_in_between() {
    for function in [
        "fn get_speed() { uniform(0, 1) }",
        "fn get_emotion_state() { note(\"hm\"); \"STOIC\" }",
        "fn set_current_location(t, p) { this.legs.put(t, p); get_robot_location(\"Leguin\"); }",
        "fn project_location(t) { set_robot_command(\"Leguin\", \"refill\"); this.legs.place }",
    ] {
        let said = stops(&stone_but(function));
        assert!(said.contains("can be called in init_robot"), "{function}: {said}");
    }
}

#[test]
fn printing_goes_to_the_log_and_nowhere_else() {
    let alone = Alone::new(&doing("print(`n is ${this.n}`); debug(t);")).ticks(1);
    assert_eq!(alone.notes, ["n is 0", "1.0"]);
    // Where nobody listens it is lost.
    assert!(Alone::new(&stone_but("fn get_speed() { print(\"hm\"); 0.0 }")).ticks(2).notes.is_empty());
}

/// The very functions of the core.
#[test]
fn mathematics_is_the_cores() {
    let text = doing("this.n = 1;").replace(
        "#{ n: this.n }",
        "#{ sin: sin(1), cos: cos(1.0), atan2: atan2(1, 2.0), exp: exp(1), ln: ln(3), hypot: hypot(1.5, 2), pow: pow(2, 0.5), \
         least: min(1, 2.5), most: max(1, 2), tau: TAU - 2 * PI, whole: to_int(2.9), abs: abs(-3), root: sqrt(2), \
         up: ceiling(1.2), down: floor(-1.2), far: -INFINITY, text: fixed(2.0 / 3, 3), never: fixed(INFINITY, 1) }",
    );
    let variables = Alone::new(&text).ticks(1).published().variables;
    let bits = |name: &str| variables.number(name).unwrap_or_else(|| panic!("{name}")).to_bits();
    for (name, expected) in [
        ("sin", libm::sin(1.0)),
        ("cos", libm::cos(1.0)),
        ("atan2", libm::atan2(1.0, 2.0)),
        ("exp", libm::exp(1.0)),
        ("ln", libm::log(3.0)),
        ("hypot", 2.5),
        ("pow", libm::pow(2.0, 0.5)),
        ("least", 1.0),
        ("most", 2.0),
        ("tau", 0.0),
        ("whole", 2.0),
        ("abs", 3.0),
        ("root", 2.0_f64.sqrt()),
        ("up", 2.0),
        ("down", -2.0),
        ("far", f64::NEG_INFINITY),
    ] {
        assert_eq!(bits(name), expected.to_bits(), "{name}");
    }
    assert_eq!(variables.get("text").unwrap().to_string(), "0.667");
    assert_eq!(variables.get("never").unwrap().to_string(), "infinite");
}

/// Dice are the robot's own stream, drawn from as Rust draws.
#[test]
fn dice_are_the_streams() {
    use muster_core::RobotId;
    use muster_core::rng::{Purpose, Stream, Triangular};
    let text = doing("this.a = [uniform(), uniform(2, 3), exponential(3), triangular(3, 6, 12), triangular([3, 6, 12])]; this.b = chance(0.5);")
        .replace("this.n = 0;", "this.n = 0; this.a = []; this.b = false;")
        .replace("#{ n: this.n }", "let m = #{ b: this.b }; for i in 0..this.a.len() { m[`a${i}`] = this.a[i]; } m");
    let variables = Alone::new(&text).ticks(1).published().variables;
    let mut dice = Stream::new(1, Purpose::Choice, RobotId(0));
    let straight = Triangular::new(3.0, 6.0, 12.0).unwrap();
    let expected = [
        dice.uniform(),
        dice.between(2.0, 3.0),
        dice.exponential(3.0),
        straight.draw(&mut dice),
        straight.draw(&mut dice),
    ];
    for (index, expected) in expected.into_iter().enumerate() {
        assert_eq!(variables.number(&format!("a{index}")), Some(expected));
    }
    assert_eq!(variables.get("b").unwrap().to_string(), dice.chance(0.5).to_string());
    assert!(stops(&doing("triangular(3, 2, 1);")).contains("triangular(3, 2, 1) makes no sense"));
}

#[test]
fn a_stone_runs() {
    let alone = Alone::new(STONE).ticks(10);
    assert!(alone.notes.is_empty() && !alone.robot.is_stopped());
    assert_eq!(alone.robot.get_state_variables().number("n"), Some(10.0));
}

/// No limit counts what is bound to a function, so nothing can be bound.
#[test]
fn functions_cannot_be_bound_to_values() {
    for text in ["let f = |x| x; f = f.curry(1);", "let f = Fn(\"get_name\");"] {
        let text = stone_but(&format!("fn update_state_variables(t) {{ {text} }}"));
        let refused = Class::new("x.rhai", &text, table(), Limits::for_robots()).err().map(|error| error.to_string());
        assert!(refused.is_some_and(|why| why.starts_with("x.rhai:")), "{text}");
    }
    let fine = stone_but("fn update_state_variables(t) { let l = [1, 2, 3].map(|x| x + 1); note(`${l}`); }");
    assert_eq!(Alone::new(&fine).ticks(1).notes, ["[2, 3, 4]"]);
}

/// A log cannot be flooded.
#[test]
fn one_call_says_only_so_much() {
    for word in ["note(`word ${i}`)", "because(`word ${i}`)", "set_robot_command(\"Butler\", `word ${i}`)"] {
        let text = stone_but(&format!("fn update_state_variables(t) {{ for i in 0..900 {{ {word}; }} }}"));
        let mut alone = Alone::with(robot(&text), vec![other("Butler")]);
        alone.tick();
        assert!(alone.robot.failure().is_some_and(|why| why.contains("it says too much in one call")), "{word}");
        assert!(alone.said.is_empty() && alone.notes.len() < 500);
    }
    let quiet = stone_but("fn update_state_variables(t) { for i in 0..900 { print(i); } }");
    let alone = Alone::new(&quiet).ticks(1);
    assert!(!alone.robot.is_stopped() && alone.notes.len() < 500, "what is printed beyond that is left out");
}

/// The language takes the error of a comparer for an answer; the meter does not.
#[test]
fn a_comparer_without_an_end_is_stopped() {
    let why = stops(&stone_but("fn update_state_variables(t) { let l = [3, 1, 2]; l.sort(|x, y| { loop { } }); }"));
    assert!(why.contains("operations in one call"), "{why}");
}

/// A comparer may be anything, and what is sorted may be no number: sorting ends, without a panic, the same every time.
#[test]
fn comparers_that_are_no_order_sort_somehow() {
    let filled = "let a = []; let i = 0; while i < 40 { a.push(i * 7919 % 101); i += 1; }";
    for comparer in ["if (a * 31 + b * 17) % 7 < 3 { 1 } else { -1 }", "1", "-1", "()", "a > b", "throw 1", "0"] {
        for sort in ["a.sort(|a, b| { C });", "a.sort_by(|a, b| { C });", "let b = a.order_by(|a, b| { C });"] {
            let text = doing(&format!("{filled} {}", sort.replace('C', comparer)));
            let alone = Alone::new(&text).ticks(1);
            assert!(alone.notes.is_empty(), "{comparer}: {:?}", alone.notes);
        }
    }
    let no_number = "let a = []; let i = 0; while i < 40 { a.push(if i % 3 == 0 { 0.0 / 0.0 } else { 1.0 * (i * 7 % 11) }); i += 1; }";
    for sort in ["a.sort();", "a.sort_desc();", "let b = a.order();", "let b = a.order_desc();"] {
        let alone = Alone::new(&doing(&format!("{no_number} {sort}"))).ticks(1);
        assert!(alone.notes.is_empty(), "{sort}: {:?}", alone.notes);
    }
}

/// What is an order is kept, and equal values stay as they stood.
#[test]
fn sorting_sorts() {
    let check = |body: &str| {
        let told = stops(&doing(&format!("{body} throw `${{a}}`;")));
        told.split_once("stone.rhai:7: ")
            .and_then(|(_, rest)| Some(rest.split_once(" (robot")?.0.to_owned()))
            .unwrap_or(told)
    };
    assert_eq!(check("let a = [3, 1, 2]; a.sort();"), "[1, 2, 3]");
    assert_eq!(check("let a = [3, 1, 2]; a.sort_desc();"), "[3, 2, 1]");
    assert_eq!(check("let a = [\"c\", \"a\", \"b\"]; a.sort();"), "[\"a\", \"b\", \"c\"]");
    assert_eq!(check("let a = [2.5, -1.0, 2.0]; a.sort();"), "[-1.0, 2.0, 2.5]");
    assert_eq!(check("let a = [true, false]; a.sort();"), "[false, true]");
    assert_eq!(check("let a = [31, 12, 11, 32, 22, 21]; a.sort(|a, b| a / 10 - b / 10);"), "[12, 11, 22, 21, 31, 32]");
    assert_eq!(check("let a = [1, 2, 3]; a.sort_by(|a, b| a > b);"), "[3, 2, 1]");
    assert_eq!(check("let a = [2, 1].order();"), "[1, 2]");
    assert!(check("let a = [1, \"a\"]; a.sort();").contains("elements of different types cannot be sorted"));
}

/// A script may throw all that it has; a line of the log does not hold it.
#[test]
fn what_is_thrown_is_told_in_part() {
    let told = stops(&doing(
        "let m = []; let i = 0; while i < 30 { m.push(\"abcdefghijklmnopqrstuvwxyz0123456789\"); i += 1; } throw m;",
    ));
    assert!(told.len() < 800 && told.contains('…'), "{} bytes: {told}", told.len());
}
