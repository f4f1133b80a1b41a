//! Interventions on the command line: given as a file, recorded, printed, made again; and what a person sees after a
//! mistake in such a file.

mod command;
#[allow(dead_code, reason = "not every test file needs every helper")]
mod console;

use command::{Sandbox, transcript};
use console::Console;
use serde_json::json;

const MINEFIELD: &str = include_str!("../../muster-sim/tests/interventions/minefield.toml");
const CLEANUP: &str = include_str!("../../muster-sim/tests/interventions/cleanup.toml");
const PATROL: &str = include_str!("../../muster-sim/tests/interventions/patrol.toml");

fn code(sandbox: &Sandbox, arguments: &[&str]) -> (Option<i32>, String) {
    let output = sandbox.muster(arguments);
    (output.status.code(), transcript(&output))
}

/// What `replay --interventions` prints gives the same log, byte for byte, in each of the three mechanisms.
#[test]
fn a_recording_gives_the_file_that_makes_it_again() {
    for (scenario, text) in [("minefield", MINEFIELD), ("cleanup", CLEANUP), ("patrol", PATROL)] {
        let sandbox = Sandbox::new(&format!("interventions-{scenario}"));
        sandbox.write("trouble.toml", text);
        let run = |file: &str, log: &str| {
            let arguments =
                ["run", scenario, "--seed", "5", "--interventions", file, "--log", log, "--record", "run.mcap"];
            let (code, told) = self::code(&sandbox, &[&arguments[..], &["--report", "run.html", "--explain"]].concat());
            assert!(matches!(code, Some(0 | 1)), "{told}");
            told
        };
        let told = run("trouble.toml", "run.log");
        assert!(told.contains("interventions in each run"), "{told}");
        assert!(told.contains("intervenes: "), "{told}");
        let (verified, told) = code(&sandbox, &["replay", "run.mcap", "--verify"]);
        assert_eq!(verified, Some(0), "{told}");
        let printed = sandbox.muster(&["replay", "run.mcap", "--interventions"]);
        sandbox.write_bytes("again.toml", &printed.stdout);
        run("again.toml", "again.log");
        let log = sandbox.read_text("run.log");
        assert_eq!(sandbox.read_text("again.log"), log);
        assert!(log.contains("\tops\tintervenes: "), "{log}");
        let (explained, told) = code(&sandbox, &["explain", "run.mcap"]);
        assert!(explained == Some(0) && told.contains("intervenes: "), "{told}");
        assert!(sandbox.read_text("run.html").contains("intervenes: "), "the report has them");
    }
}

/// They are made in every run of every strategy, and JSON says what they are.
#[test]
fn they_are_made_in_every_run() {
    let sandbox = Sandbox::new("interventions-every-run");
    let stop = "[[interventions]]\nat_s = 1\nauthor = \"x\"\nfault = { robot = \"uav\", kind = \"stop\" }\n";
    sandbox.write("stop.toml", stop);
    let arguments =
        ["run", "minefield", "--runs", "4", "--interventions", "stop.toml", "--set", "limit_h=0.5", "--json"];
    let output = sandbox.muster(&arguments);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let runs = document["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 12);
    assert!(runs.iter().all(|run| run["messages"] == 0 && run["completed"] == false), "{runs:?}");
    assert_eq!(document["interventions"][0]["fault"]["robot"], "uav");
    let plain = sandbox.muster(&["run", "minefield", "--json"]);
    let plain: serde_json::Value = serde_json::from_slice(&plain.stdout).expect("JSON");
    let new = ["interventions", "without_effect", "not_made"];
    assert!(plain.get("interventions").is_none() && new.iter().all(|key| plain["runs"][0].get(key).is_none()));
    sandbox.write("late.toml", &stop.replace("at_s = 1", "at_s = 80000"));
    let (_, told) = code(&sandbox, &["run", "minefield", "--interventions", "late.toml"]);
    assert!(told.contains("1 intervention in each run; 3 in all were not made"), "{told}");
}

/// The console shows the run that was disturbed, live and from its recording, and any moment of its past.
#[test]
fn the_console_goes_by_them() {
    let sandbox = Sandbox::new("interventions-console");
    sandbox.write("trouble.toml", MINEFIELD);
    let given = ["minefield", "--interventions", "trouble.toml"];
    let (ran, told) = code(&sandbox, &[&["run"], &given[..], &["--log", "run.log", "--record", "run.mcap"]].concat());
    assert!(matches!(ran, Some(0 | 1)), "{told}");
    let expected = sandbox.read_text("run.log");
    for arguments in [[&["console"], &given[..]].concat(), vec!["replay", "run.mcap"]] {
        let console = Console::start(&sandbox.path("."), &arguments);
        let mut page = console.page();
        if arguments[0] == "console" {
            page.until_it_is("ready");
            page.say(json!({"do": "speed", "speed": 0}));
            page.say(json!({"do": "start"}));
        }
        let over = page.until_it_is("over");
        assert!(over["over"].as_str().is_some_and(|over| !over.contains("another run")), "{over}");
        assert_eq!(console.log(), expected, "{arguments:?}");
        let names = page.last["run"]["tasks"].as_array().expect("tasks").iter().map(|task| task["name"].clone());
        assert!(names.into_iter().any(|name| name == "wreck"), "a task that was not in the scenario");
        page.say(json!({"do": "watch", "robots": [7]}));
        // idle-5 is stopped at 60 s and put back at 120 s.
        for (at, down) in [(100.0, true), (125.0, false), (61.0, true), (59.0, false)] {
            page.say(json!({"do": "seek", "at": at}));
            let seen = page
                .until(|it| it["t"] == "moment" && it["live"] == false && it["at"] == at && it["cards"] != json!([]));
            assert_eq!(seen["cards"][0]["name"], "idle-5");
            assert_eq!(seen["cards"][0]["failure"].is_string(), down, "at {at}: {}", seen["cards"][0]);
        }
    }
}

/// The file has a schema of its own.
#[test]
fn there_is_a_schema() {
    let sandbox = Sandbox::new("interventions-schema");
    let output = sandbox.muster(&["schema", "--interventions"]);
    let schema: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(schema["title"], "Muster interventions");
    for key in ["at_s", "author", "order", "fault", "radio"] {
        let described = &schema["$defs"]["InterventionEntry"]["properties"][key]["description"];
        assert!(described.as_str().is_some_and(|text| text.len() > 10), "{key}: {described}");
    }
}

/// One intervention in a file, and what a person sees.
fn mistake(name: &str, scenario: &str, text: &str) {
    let sandbox = Sandbox::new(name);
    sandbox.write("trouble.toml", text);
    let output = sandbox.muster(&["run", scenario, "--interventions", "trouble.toml"]);
    insta::assert_snapshot!(name, transcript(&output));
}

fn one(what: &str) -> String {
    format!("[[interventions]]\nat_s = 10\nauthor = \"operator\"\n{what}\n")
}

#[test]
fn mistakes_in_interventions() {
    mistake("intervention-nothing", "minefield", &one(""));
    mistake(
        "intervention-two",
        "minefield",
        &one("radio = { jam = {} }\nfault = { robot = \"uav\", kind = \"stop\" }"),
    );
    mistake("intervention-unknown-key", "minefield", &one("fualt = { robot = \"uav\", kind = \"stop\" }"));
    mistake("intervention-no-author", "minefield", "[[interventions]]\nat_s = 10\nradio = { jam = {} }\n");
    mistake("intervention-after-the-end", "minefield", &one("radio = { jam = {} }").replace("10", "90000"));
    mistake("intervention-unknown-robot", "minefield", &one("fault = { robot = \"idle-33\", kind = \"stop\" }"));
    mistake("intervention-unknown-kind", "minefield", &one("fault = { robot = \"uav\", kind = \"bakc\" }"));
    mistake("intervention-pause-for-ever", "minefield", &one("fault = { robot = \"uav\", kind = \"pause\" }"));
    mistake("intervention-back-for", "minefield", &one("fault = { robot = \"uav\", kind = \"back\", for_s = 3 }"));
    mistake("intervention-cut-unknown", "minefield", &one("radio = { cut = [\"uav\", \"idel\"] }"));
    mistake("intervention-cut-three", "minefield", &one("radio = { cut = [\"uav\", \"idle-1\", \"idle-2\"] }"));
    mistake("intervention-half-a-jam", "minefield", &one("radio = { jam = { radius_m = 3 } }"));
    mistake("intervention-two-parts", "minefield", &one("radio = { partition = { parts = [[\"uav\"], [\"uav\"]] } }"));
}

#[test]
fn mistakes_in_orders() {
    mistake("order-unknown-task", "minefield", &one("order = { task = \"uav stop 6\", cancel = true }"));
    mistake("order-taken-name", "minefield", &one("order = { name = \"uav stop 5\", seen_by = \"uav\" }"));
    mistake("order-nobody-sees", "minefield", &one("order = { name = \"wreck\", place = [1, 1] }"));
    mistake("order-outside", "minefield", &one("order = { name = \"wreck\", seen_by = \"uav\", place = [1, 101] }"));
    mistake("order-place-recruitment", "minefield", &one("order = { task = \"uav stop 1\", place = [1, 1] }"));
    mistake("order-work-recruitment", "minefield", &one("order = { name = \"wreck\", work_s = { uav = 5 } }"));
    mistake("order-priority-alliance", "cleanup", &one("order = { task = \"find-north\", priority = 3 }"));
    mistake("order-somebody-waits", "cleanup", &one("order = { task = \"find-north\", cancel = true }"));
    mistake("order-nobody-can", "cleanup", &one("order = { name = \"sweep\", place = [1, 1] }"));
    mistake("order-recurs", "boxes", &one("order = { task = \"push-left\", cancel = true }"));
    mistake("order-no-console", "patrol", &one("order = { name = \"smoke\", place = [1, 1] }"));
    mistake(
        "order-by-a-vehicle",
        "patrol",
        &one("order = { name = \"smoke\", place = [1, 1], order = { by = \"scout-1\" } }"),
    );
    mistake("order-too-early", "patrol", &one("order = { task = \"look 60\", cancel = true }"));
    let before =
        [one("order = { task = \"look 1\", cancel = true }"), one("order = { task = \"look 1\", priority = 2 }")]
            .concat();
    mistake("order-cancelled-before", "patrol", &before);
    let sandbox = Sandbox::new("order-drawn");
    sandbox.write("trouble.toml", &one("order = { task = \"hotspot\", place = [1, 1] }"));
    let arguments = ["run", "hotspot", "--set", "tasking.variant=drawn", "--interventions", "trouble.toml"];
    insta::assert_snapshot!("order-drawn", transcript(&sandbox.muster(&arguments)));
}

#[test]
fn mistakes_about_the_file() {
    mistake("intervention-reception", "reception", &one("radio = { jam = {} }"));
    let sandbox = Sandbox::new("intervention-no-file");
    let output = sandbox.muster(&["run", "minefield", "--interventions", "truoble.toml"]);
    insta::assert_snapshot!("intervention-no-file", transcript(&output));
    let output = sandbox.muster(&["console", "reception", "--no-open", "--interventions", "truoble.toml"]);
    insta::assert_snapshot!("intervention-console-reception", transcript(&output));
}

/// A pipe can be read once: whatever strategy comes first must not be the only one that is disturbed. A console shows
/// what was read when it was started, too.
#[cfg(unix)]
#[test]
fn a_pipe_reaches_every_strategy() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let sandbox = Sandbox::new("interventions-pipe");
    let task = |number: u32| {
        format!(
            "[[interventions]]\nat_s = 5\nauthor = \"x\"\norder = {{ name = \"new {number}\", seen_by = \"uav\" }}\n"
        )
    };
    let mut run = Command::new(env!("CARGO_BIN_EXE_muster"));
    run.args(["run", "minefield", "--interventions", "/dev/stdin", "--json"]).current_dir(sandbox.path("."));
    let mut run = run.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the command can be run");
    let mut pipe = run.stdin.take().expect("a pipe");
    pipe.write_all([task(1), task(2)].concat().as_bytes()).expect("it reads");
    drop(pipe);
    let output = run.wait_with_output().expect("it ends");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let runs = document["runs"].as_array().expect("runs");
    let tasks = |run: &serde_json::Value| run["outcome"].as_array().expect("tasks").len();
    assert_eq!(runs.iter().map(tasks).collect::<Vec<_>>(), [7, 7, 7]);
}

/// What is read is never overwritten, and never read without end.
#[cfg(unix)]
#[test]
fn the_file_is_an_input_like_any_other() {
    let sandbox = Sandbox::new("interventions-input");
    sandbox.write("own.toml", MINEFIELD);
    let from = ["run", "minefield", "--interventions", "own.toml"];
    for to in [["--log", "own.toml"], ["--log", "./own.toml"]] {
        let (code, told) = code(&sandbox, &[&from[..], &to].concat());
        assert!(code == Some(2) && told.contains("would overwrite the interventions"), "{told}");
    }
    let (code, told) =
        code(&sandbox, &["console", "minefield", "--no-open", "--interventions", "own.toml", "--log", "own.toml"]);
    assert!(code == Some(2) && told.contains("would overwrite the interventions"), "{told}");
    assert_eq!(sandbox.read_text("own.toml"), MINEFIELD);
    let (code, told) = self::code(&sandbox, &["run", "minefield", "--interventions", "/dev/zero"]);
    assert!(code == Some(2) && told.contains("it is longer than 256 MB"), "{told}");
}

/// Nobody waits for what was called off: the wait of a run does not grow with its length.
#[test]
fn what_was_called_off_is_not_waited_for() {
    let sandbox = Sandbox::new("interventions-wait");
    let wait = |scenario: &str, text: &str| {
        sandbox.write("trouble.toml", text);
        let output = sandbox.muster(&["run", scenario, "--interventions", "trouble.toml", "--json"]);
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        document["runs"][0]["wait_s"].as_f64().expect("a time")
    };
    let cancel = "[[interventions]]\nat_s = 40\nauthor = \"x\"\norder = { task = \"uav stop 1\", cancel = true }\n";
    let (plain, cancelled) = (wait("minefield", ""), wait("minefield", cancel));
    assert!(cancelled > 0.0 && cancelled < plain, "{cancelled} s, {plain} s without");
    let cancel = "[[interventions]]\nat_s = 0\nauthor = \"x\"\norder = { task = \"go-home\", cancel = true }\n";
    assert!(wait("boxes", cancel) <= wait("boxes", ""));
}

/// A table of results shows that its runs were disturbed, and so does what is printed.
#[test]
fn results_tell_of_them() {
    let sandbox = Sandbox::new("interventions-results");
    let task = "[[interventions]]\nat_s = 1\nauthor = \"x\"\norder = { name = \"wreck\", seen_by = \"uav\" }\n";
    let back = "[[interventions]]\nat_s = 2\nauthor = \"x\"\nfault = { robot = \"uav\", kind = \"back\" }\n";
    sandbox.write("trouble.toml", &[task, back, &back.replace("at_s = 2", "at_s = 80000")].concat());
    let arguments = ["run", "minefield", "--interventions", "trouble.toml", "--results", "runs.csv"];
    let (_, told) = code(&sandbox, &arguments);
    assert!(told.contains("13 robots, 6 tasks"), "{told}");
    assert!(told.contains("3 interventions in each run; 3 in all had no effect; 3 in all were not made"), "{told}");
    let table = sandbox.read_text("runs.csv");
    let columns: Vec<&str> = table.lines().next().expect("a head").split(',').collect();
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let field = |name: &str| fields[columns.iter().position(|column| *column == name).expect("a column")];
        assert_eq!(["interventions", "without_effect", "not_made"].map(field), ["3", "1", "1"]);
    }
}

/// A number that is too large is told how large it may be.
#[test]
fn priorities_have_a_range() {
    let sandbox = Sandbox::new("interventions-priority");
    sandbox.write("trouble.toml", &one("order = { task = \"look 1\", priority = 300 }"));
    let (_, told) = code(&sandbox, &["run", "patrol", "--interventions", "trouble.toml"]);
    assert!(told.contains("expected a whole number from 0 to 255"), "{told}");
}

/// However much is wrong in a file, what is said of it fits a screen.
#[test]
fn what_is_quoted_is_cut() {
    let sandbox = Sandbox::new("quoted");
    let long = "x".repeat(1 << 20);
    let fault = "fault = { robot = \"uav\", kind = \"stop\" }";
    for wrong in [
        format!("[[interventions]]\nat_s = 1\nauthor = \"{long}\"\n{fault}\n"),
        format!("[[interventions]]\nat_s = 1\nauthor = \"ä{long}\u{7f}\"\n{fault}\n"),
        format!("[[interventions]]\nat_s = 1\nauthor = \"me\"\n{fault}\n{long} = 1\n"),
        format!("interventions = [{{ at_s = 1, {fault}, author = \"{long}\" }}]\n"),
    ] {
        sandbox.write("made.toml", &wrong);
        let output = sandbox.muster(&["run", "minefield", "--interventions", "made.toml"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.len() < 10_000 && said.contains("made.toml:"), "{} bytes: {said:.3000}", said.len());
    }
}
