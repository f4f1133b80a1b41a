//! What a person sees after a mistake: the place, the value, and what to try. One snapshot for each.

mod command;

use command::{Sandbox, transcript};

/// A scenario that is right, to make mistakes in.
const GOOD: &str = r#"[field]
width_m = 40
height_m = 30

[robots.caller]
speed_mps = 1
place = [10, 10]

[robots.helper]
count = 3
speed_mps = 0.5
percepts = ["camera"]

[tasks.look]
seen_by = "caller"
needs = ["camera"]
"#;

/// Replaces `from` by `to` in the good scenario and runs it.
fn mistake(name: &str, from: &str, to: &str) {
    assert!(GOOD.contains(from), "{name}: the good scenario has no `{from}`");
    let sandbox = Sandbox::new(name);
    sandbox.write("mission.toml", &GOOD.replace(from, to));
    insta::assert_snapshot!(name, transcript(&sandbox.muster(&["run", "mission.toml"])));
}

fn bad_arguments(name: &str, arguments: &[&str]) {
    let sandbox = Sandbox::new(name);
    sandbox.write("mission.toml", GOOD);
    insta::assert_snapshot!(name, transcript(&sandbox.muster(arguments)));
}

#[test]
fn the_good_scenario_runs() {
    let sandbox = Sandbox::new("good");
    sandbox.write("mission.toml", GOOD);
    let output = sandbox.muster(&["run", "mission.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", transcript(&output));
}

#[test]
fn mistakes_in_files() {
    mistake("syntax", "width_m = 40", "width_m = ");
    mistake("unknown-key", "speed_mps = 0.5", "sped_mps = 0.5");
    mistake("unknown-table", "[tasks.look]", "[task.look]");
    mistake("missing-key", "height_m = 30\n", "");
    mistake("wrong-type", "count = 3", "count = \"three\"");
    mistake("negative-speed", "speed_mps = 0.5", "speed_mps = -0.5");
    mistake("negative-count", "count = 3", "count = -3");
    mistake("outside-the-field", "place = [10, 10]", "place = [41, 10]");
    mistake("unknown-robot", "seen_by = \"caller\"", "seen_by = \"calller\"");
    mistake("group-instead-of-robot", "seen_by = \"caller\"", "seen_by = \"helper\"");
    mistake("unknown-percept", "needs = [\"camera\"]", "needs = [\"kamera\"]");
    mistake("group-at-one-place", "count = 3", "count = 3\nplace = [1, 1]");
    mistake("nothing-to-do", "[tasks.look]\nseen_by = \"caller\"\nneeds = [\"camera\"]\n", "");
    mistake("number-too-large", "count = 3", "count = 99999999999999999999");
    mistake("real-too-large", "speed_mps = 0.5", "speed_mps = 1e400");
    mistake("twice", "width_m = 40", "width_m = 40\nwidth_m = 50");
    mistake("scan-without-area", "place = [10, 10]", "scan = { from = [5, 5], to = [5, 9], spacing_m = 1 }");
    mistake(
        "place-and-scan",
        "place = [10, 10]",
        "place = [1, 1]\nscan = { from = [5, 5], to = [9, 9], spacing_m = 1 }",
    );
}

#[test]
fn mistakes_in_radio_faults_and_recruitment() {
    let added =
        |name: &str, text: &str| mistake(name, "needs = [\"camera\"]\n", &format!("needs = [\"camera\"]\n\n{text}"));
    added("loss-above-one", "[radio]\nloss = 25\n");
    added("unknown-strategy", "[recruitment]\nstrategy = \"greddy\"\n");
    added("unknown-config", "[recruitment]\nconfig = \"unsafe\"\n");
    added("unknown-fault", "[[faults]]\nrobot = \"caller\"\nat_s = 1\nkind = \"explode\"\n");
    added("fault-without-duration", "[[faults]]\nrobot = \"caller\"\nat_s = 1\nkind = \"pause\"\n");
    added("fault-of-nobody", "[[faults]]\nrobot = \"helper-4\"\nat_s = 1\nkind = \"stop\"\n");
    added("jam-backwards", "[[radio.jam]]\nfrom_s = 9\nto_s = 3\n");
    added("half-a-disc", "[[radio.jam]]\nfrom_s = 3\nto_s = 9\nplace = [1, 1]\n");
    added(
        "in-two-parts",
        "[[radio.partition]]\nfrom_s = 3\nto_s = 9\nparts = [[\"caller\"], [\"caller\", \"helper\"]]\n",
    );
}

/// What is said of a change in the words of scenario files, not of the program's types.
#[test]
fn changes_that_make_no_sense() {
    let sandbox = Sandbox::new("changes");
    sandbox.write("mission.toml", GOOD);
    let deep = format!("description={}{}", "[".repeat(100), "]".repeat(100));
    let long = format!("robots.{}=1", vec!["a"; 20_000].join("."));
    let cases = [
        ("robots.helper=1", "invalid type: integer `1`, expected a table"),
        ("radio.loss=1e400", "that number is too large"),
        ("faults.0.at_s=5", "there is no `faults.0`"),
        ("robots.helper.count=99999999999999999999", "that number is too large"),
        ("recruitment.strategy=1", "expected one word of several"),
        ("robots.caller.percepts=camera", "expected a list"),
        (&deep, "nested deeper than 32"),
        (&long, "the key has 20001 parts"),
    ];
    for (change, told) in cases {
        let output = sandbox.muster(&["run", "mission.toml", "--set", change]);
        let told_all = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(2), "{told_all}");
        assert!(told_all.contains(told), "{told}: {told_all}");
        assert!(told_all.contains("help:"), "{told_all}");
    }
}

/// A team that does not fit into the memory there is, here a limit of 4 GB, is refused before it is made.
#[cfg(target_os = "linux")]
#[test]
fn a_team_that_does_not_fit() {
    let sandbox = Sandbox::new("too-large");
    sandbox.write("mission.toml", GOOD);
    let line = format!(
        "ulimit -v 4000000; exec {} run mission.toml --set robots.helper.count=9999999",
        env!("CARGO_BIN_EXE_muster")
    );
    let output = sandbox.run("sh", &["-c", &line]);
    let told = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("robots take about 10.0 GB") && told.contains("help:"), "{told}");
}

/// Whatever a name holds, it cannot move the cursor, begin a line, or look like what the program says.
#[test]
fn names_are_shown_not_obeyed() {
    let sandbox = Sandbox::new("control-characters");
    let odd = "\\u001b[31mred\\nVerified: all";
    let scenario = GOOD.replace("[robots.caller]", &format!("[robots.\"{odd}\"]"));
    let scenario = scenario.replace("seen_by = \"caller\"", &format!("seen_by = \"{odd}\""));
    sandbox.write("odd.toml", &scenario.replace("[tasks.look]", "[tasks.\"look\\u0007\"]"));
    let run = ["run", "odd.toml", "--explain", "--log", "odd.log", "--record", "odd.mcap"];
    let output = sandbox.muster(&run);
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{}", transcript(&output));
    let explained = sandbox.muster(&["explain", "odd.mcap"]);
    let explained = String::from_utf8_lossy(&explained.stdout).into_owned();
    // A log has columns, in which a backslash is written twice.
    let named = "\\u{1b}[31mred\\nVerified: all";
    let logged = named.replace('\\', "\\\\");
    for (text, name) in [(&shown, named), (&explained, named), (&sandbox.read_text("odd.log"), &logged)] {
        assert!(!text.contains(['\u{1b}', '\u{7}']) && !text.contains("\nVerified"), "{text}");
        assert!(text.contains(name), "{text}");
    }
    assert_eq!(sandbox.muster(&["replay", "odd.mcap", "--verify"]).status.code(), Some(0));
    sandbox.write("wrong.toml", &scenario.replace("[tasks.look]", "[tasks.\"look\"]\nat_s = -1"));
    let output = sandbox.muster(&["run", "wrong.toml"]);
    assert!(!output.stderr.contains(&0x1b), "{}", transcript(&output));
}

/// Files without an end are not read to it.
#[cfg(target_os = "linux")]
#[test]
fn files_without_an_end() {
    let sandbox = Sandbox::new("without-end");
    for arguments in [
        &["run", "/dev/zero"][..],
        &["run", "boxes", "--knowledge", "/dev/zero"],
        &["run", "minefield", "--interventions", "/dev/zero"],
        &["replay", "/dev/zero", "--about"],
        &["run", "minefield", "--set", "recruitment.script=/dev/zero"],
    ] {
        let output = sandbox.muster(arguments);
        let told = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains("longer than 256 MB") || told.contains("is not an MCAP file"), "{arguments:?}: {told}");
    }
}

/// Writes the times and allocates by them.
fn bad_times(name: &str, text: &str) {
    let sandbox = Sandbox::new(name);
    sandbox.write("times.json", text);
    insta::assert_snapshot!(name, transcript(&sandbox.muster(&["allocate", "times.json"])));
}

#[test]
fn mistakes_in_times() {
    let times = |name: &str, times: &str| {
        bad_times(name, &format!("{{\n  \"format\": \"makespan-1\",\n  \"times\": {times}\n}}\n"))
    };
    bad_times("times-syntax", "{\"format\": \"makespan-1\", \"times\": [[1, 2], [3,]]}");
    bad_times("times-empty", "");
    bad_times("times-no-object", "[[1, 2], [3, 4]]");
    bad_times("times-other-format", "{\"format\": \"makespan-2\", \"times\": [[1]]}");
    bad_times("times-no-format", "{\"times\": [[1]]}");
    bad_times("times-unknown-key", "{\n  \"format\": \"makespan-1\",\n  \"time\": [[1]]\n}");
    times("times-ragged", "[\n    [1, 2, 3],\n    [4, 5]\n  ]");
    times("times-negative", "[\n    [1, 2],\n    [4, -5]\n  ]");
    times("times-zero", "[[1, 0.0]]");
    times("times-no-number", "[[1, \"two\"]]");
    times("times-too-large", "[[1, 1e999]]");
    times("times-nobody-can", "[\n    [1, null],\n    [4, null]\n  ]");
    times("times-no-robots", "[]");
    times("times-no-tasks", "[[], []]");
    times("times-no-rows", "[1, 2]");
    bad_arguments("times-no-file", &["allocate", "there/times.json"]);
    bad_arguments("times-a-folder", &["allocate", "."]);
    bad_arguments("no-budget", &["allocate", "times.json", "--budget", "0"]);
}

/// Bids that are right, to make mistakes in.
const BIDS: &str = r#"{
  "format": "ctp-assign-1", "id": "any other key is ignored",
  "T": 2,
  "V": 2,
  "times": [0, 5],
  "headings": [0, 90],
  "costs": [
    [[[1, 2], [3, 4]], [[5, 6], [7, 8]]],
    [[[1, 2], [3, 4]], [[5, 6], [7, 65535]]]
  ],
  "constraints": [
    {"a": 0, "b": 1, "dt_min": 5, "dt_max": null, "dh_min": 45, "dh_max": 180}
  ]
}
"#;

/// Replaces `from` by `to` in the bids and assigns.
fn bad_bids(name: &str, from: &str, to: &str) {
    assert!(BIDS.contains(from), "{name}: the bids have no `{from}`");
    let sandbox = Sandbox::new(name);
    sandbox.write("bids.json", &BIDS.replace(from, to));
    insta::assert_snapshot!(name, transcript(&sandbox.muster(&["assign", "bids.json"])));
}

#[test]
fn mistakes_in_bids() {
    let sandbox = Sandbox::new("bids-good");
    sandbox.write("bids.json", BIDS);
    let output = sandbox.muster(&["assign", "bids.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", transcript(&output));
    bad_bids("bids-syntax", "[0, 5],", "[0, 5,],");
    bad_bids("bids-no-object", BIDS, "[1, 2]");
    bad_bids("bids-other-format", "ctp-assign-1", "ctp-assign-2");
    bad_bids("bids-no-format", "\"format\"", "\"formed\"");
    bad_bids("bids-key-twice", "\"T\": 2,", "\"T\": 2, \"T\": 3,");
    bad_bids("bids-wrong-size", "\"T\": 2,", "\"T\": 3,");
    bad_bids("bids-no-size", "\"V\": 2,", "\"V\": -2,");
    bad_bids("bids-too-many-tasks", "\"T\": 2,", "\"T\": 4000000000,");
    bad_bids("bids-cost-infinite", "[7, 65535]", "[7, -Infinity]");
    bad_bids("bids-cost-missing", "[7, 65535]", "[7]");
    bad_bids("bids-cost-negative", "[7, 65535]", "[7, -1]");
    bad_bids("bids-cost-too-large", "[7, 65535]", "[7, 65536]");
    bad_bids("bids-cost-fraction", "[7, 65535]", "[7, 6.5]");
    bad_bids("bids-cost-no-number", "[7, 65535]", "[7, NaN]");
    bad_bids("bids-cost-null", "[7, 65535]", "[7, null]");
    bad_bids("bids-cost-flat", "[[5, 6], [7, 65535]]", "[5, 6, 7, 8]");
    bad_bids("bids-no-times", "[0, 5],", "[],");
    bad_bids("bids-times-unsorted", "[0, 5],", "[5, 0],");
    bad_bids("bids-times-twice", "[0, 5],", "[5, 5.0],");
    bad_bids("bids-time-huge", "[0, 5],", "[0, 1e300],");
    bad_bids("bids-heading-unsorted", "[0, 90]", "[90, 0]");
    bad_bids("bids-heading-full-turn", "[0, 90]", "[0, 360]");
    bad_bids("bids-heading-negative", "[0, 90]", "[-90, 0]");
    bad_bids("bids-window-empty", "\"dt_max\": null", "\"dt_max\": 4.5");
    bad_bids("bids-angle-too-large", "\"dh_max\": 180", "\"dh_max\": 180.5");
    bad_bids("bids-angles-swapped", "\"dh_max\": 180", "\"dh_max\": 30");
    bad_bids("bids-no-such-task", "\"b\": 1", "\"b\": 2");
    bad_bids("bids-same-task", "\"b\": 1", "\"b\": 0");
    bad_bids("bids-task-fraction", "\"b\": 1", "\"b\": 0.5");
    bad_bids("bids-window-missing", "\"dt_max\"", "\"dtmax\"");
    bad_bids("bids-no-constraint", "{\"a\": 0", "7, {\"a\": 0");
    bad_bids("bids-impossible-window", "\"dt_min\": 5", "\"dt_min\": 6");
    bad_bids("bids-impossible-angle", "\"dh_min\": 45", "\"dh_min\": 100");
    bad_bids(
        "bids-nobody-can",
        "[[[1, 2], [3, 4]], [[5, 6], [7, 65535]]]",
        "[[[65535, 65535], [65535, 65535]], [[65535, 65535], [65535, 65535]]]",
    );
    bad_arguments("bids-no-file", &["assign", "there/bids.json"]);
    #[cfg(unix)]
    bad_arguments("bids-without-end", &["assign", "/dev/zero"]);
    bad_arguments("bids-nothing", &["assign"]);
    bad_arguments("bids-no-limit", &["assign", "bids.json", "--limit", "soon"]);
    bad_arguments("bids-limit-negative", &["assign", "bids.json", "--limit=-1"]);
    bad_arguments("bids-limit-nan", &["assign", "bids.json", "--limit", "nan"]);
}

#[test]
fn mistakes_on_the_command_line() {
    bad_arguments("unknown-scenario", &["run", "minefeild"]);
    bad_arguments("unknown-built-in", &["scenarios", "show", "mission.toml"]);
    bad_arguments("set-without-equals", &["run", "minefield", "--set", "radio.loss"]);
    bad_arguments("set-unknown-key", &["run", "minefield", "--set", "radio.los=0.1"]);
    bad_arguments("set-bad-value", &["run", "minefield", "--set", "radio.loss=1.5"]);
    bad_arguments("set-wrong-type", &["run", "minefield", "--set", "robots.idle.count=many"]);
    bad_arguments("set-under-a-value", &["run", "minefield", "--set", "radio.loss.more=1"]);
    bad_arguments("set-does-not-fit", &["run", "mission.toml", "--set", "field.width_m=5"]);
    bad_arguments("bad-seed", &["run", "minefield", "--seed", "one"]);
    bad_arguments("no-runs", &["run", "minefield", "--runs", "0"]);
    bad_arguments("no-threads", &["run", "minefield", "--threads", "0"]);
    bad_arguments("unknown-command", &["rum", "minefield"]);
    bad_arguments("unknown-flag", &["run", "minefield", "--sede", "1"]);
    bad_arguments("unknown-paper", &["reproduce", "recrutment"]);
    bad_arguments("unknown-plan", &["soak", "loss"]);
    bad_arguments("replay-of-many", &["soak", "loss-25", "--replay", "1"]);
    bad_arguments("results-unknown-format", &["run", "minefield", "--results", "runs.xlsx"]);
    bad_arguments("results-no-ending", &["run", "minefield", "--results", "runs"]);
    bad_arguments("results-no-folder", &["run", "minefield", "--results", "there/runs.csv"]);
    bad_arguments("report-unknown-format", &["run", "minefield", "--report", "report.pdf"]);
    bad_arguments("report-no-folder", &["reproduce", "recruitment", "--report", "there/report.html"]);
    bad_arguments("figure-unknown-format", &["reproduce", "recruitment", "--figure", "figure.png"]);
    bad_arguments("report-of-all", &["reproduce", "--report", "report.html"]);
    bad_arguments("grid-of-recruitment", &["reproduce", "recruitment", "--robots", "2,4"]);
    bad_arguments("grid-of-all", &["reproduce", "all", "--tasks", "8"]);
    bad_arguments("set-of-tables", &["reproduce", "recruitment", "--set", "recruitment.strategy=greedy"]);
    bad_arguments("set-of-grid", &["reproduce", "recruitment", "--readings", "--set", "recruitment.pause_s=1"]);
    bad_arguments("grid-not-a-number", &["reproduce", "alliance", "--robots", "2,four"]);
    bad_arguments("grid-no-robots", &["reproduce", "alliance", "--robots", "0"]);
    bad_arguments("grid-nothing-left", &["reproduce", "alliance", "--robots", "2,4", "--coverage", "7,10"]);
    bad_arguments("alliance-one-run", &["reproduce", "alliance", "--runs", "1"]);
    bad_arguments("grid-no-figure", &["reproduce", "alliance", "--robots", "2", "--figure", "figure.svg"]);
    bad_arguments("a-folder", &["run", "."]);
    bad_arguments("record-unknown-format", &["run", "minefield", "--record", "run.bag"]);
    bad_arguments("record-no-folder", &["run", "minefield", "--record", "there/run.mcap"]);
    bad_arguments(
        "same-file-twice",
        &["run", "minefield", "--results", "runs.csv", "--results", "../same-file-twice/runs.csv"],
    );
}

/// A scenario may have any name; it is not overwritten.
#[test]
fn a_scenario_is_not_overwritten() {
    let sandbox = Sandbox::new("overwritten");
    for (name, flag) in [("mission.html", "--report"), ("mission.mcap", "--record"), ("mission.csv", "--results")] {
        sandbox.write(name, GOOD);
        let output = sandbox.muster(&["run", name, flag, name]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(&format!("{flag} {name}: would overwrite the scenario")), "{said}");
        assert_eq!(sandbox.read(name), GOOD.as_bytes());
    }
}

/// Recordings that cannot be read, and questions that make no sense.
#[test]
fn mistakes_with_recordings() {
    let sandbox = Sandbox::new("recordings");
    assert_eq!(sandbox.muster(&["run", "minefield", "--record", "run.mcap"]).status.code(), Some(0));
    let bytes = sandbox.read("run.mcap");
    let sees = |name: &str, arguments: &[&str]| {
        insta::assert_snapshot!(name, transcript(&sandbox.muster(arguments)));
    };
    sandbox.write_bytes("empty.mcap", b"");
    sees("recording-empty", &["replay", "empty.mcap"]);
    sandbox.write_bytes("more.mcap", &[&bytes[..], b"more"].concat());
    sees("recording-with-more", &["replay", "more.mcap", "--verify"]);
    sees("recording-with-more-explained", &["explain", "more.mcap"]);
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    sandbox.write_bytes("damaged.mcap", &damaged);
    let output = sandbox.muster(&["replay", "damaged.mcap", "--verify"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("damaged.mcap is damaged: ") && !said.contains("Verified"), "{said}");
    sandbox.write_bytes("cut.mcap", &bytes[..bytes.len() - 1]);
    let output = sandbox.muster(&["replay", "cut.mcap", "--verify"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("It was cut off") && said.contains("Verified"), "{said}");
    sees("explain-at-backwards", &["explain", "run.mcap", "--at", "70..60"]);
    sees("explain-at-three-dots", &["explain", "run.mcap", "--at", "60...70"]);
    sees("explain-unknown-robot", &["explain", "run.mcap", "--robot", "idle-99"]);
}

/// A mission of impatient robots that is right, to make mistakes in.
const IMPATIENT: &str = r#"[field]
width_m = 40
height_m = 30

[robots.digger]
count = 2
speed_mps = 1

[tasks.dig]
place = [5, 5]
work_s = { digger = 60 }

[tasks.carry]
after = ["dig"]
place = [6, 6]
work_s = { digger-1 = 30 }

[alliance]
practice = [{ missions = 2 }]
"#;

fn impatient(name: &str, from: &str, to: &str) {
    assert!(IMPATIENT.contains(from), "{name}: the good scenario has no `{from}`");
    let sandbox = Sandbox::new(name);
    sandbox.write("mission.toml", &IMPATIENT.replace(from, to));
    insta::assert_snapshot!(name, transcript(&sandbox.muster(&["run", "mission.toml"])));
}

#[test]
fn mistakes_with_impatient_robots() {
    impatient("both-mechanisms", "[alliance]\n", "[recruitment]\n[alliance]\n");
    impatient("work-without-alliance", "[alliance]\npractice = [{ missions = 2 }]\n", "");
    impatient("seen-by-with-alliance", "place = [5, 5]\n", "place = [5, 5]\nseen_by = \"digger-1\"\n");
    impatient("nobody-can", "work_s = { digger-1 = 30 }\n", "");
    impatient("unknown-worker", "digger-1 = 30", "diger = 30");
    impatient("no-place", "place = [6, 6]\n", "");
    impatient("waits-for-itself", "place = [5, 5]\n", "place = [5, 5]\nafter = [\"carry\"]\n");
    impatient("waits-for-an-unknown-task", "after = [\"dig\"]", "after = [\"dgi\"]");
    impatient("unknown-approach", "[alliance]\n", "[alliance]\nstrategy = \"prefered\"\n");
    impatient("delays-swapped", "[alliance]\n", "[alliance]\nmin_delay_s = 9\n");
    impatient("unknown-feedback", "[alliance]\n", "[alliance]\nfeedback = { carry = { after = \"digg\" } }\n");
    impatient("practice-of-nobody", "missions = 2", "missions = 2, robots = { nobody = [] }");
    impatient("endless-practice", "after = [\"dig\"]", "recurs = true");
    impatient(
        "box-of-tasks-that-end",
        "[alliance]\n",
        "[box]\nleft = \"dig\"\nright = \"carry\"\nplace = [1, 1]\nlength_m = 2\npush_m = 0.1\n[alliance]\n",
    );
    impatient("silence-too-short", "[alliance]\n", "[alliance]\nsilence_s = 4\n");
    impatient("penalty-below-one", "[alliance]\n", "[alliance]\npenalty = 0.5\n");
    impatient("ordering-of-a-plan", "[alliance]\n", "[alliance]\nstrategy = \"replan\"\nordering = \"longest\"\n");
    impatient("rates-of-nobody", "[alliance]\n", "[alliance]\nfixed = { fast_s = 3 }\n");
    let eyed = "[robots.other]\nspeed_mps = 1\npercepts = [\"eye\"]\n\n[tasks.dig]\nneeds = [\"eye\"]\n";
    impatient("worker-without-percept", "[tasks.dig]\n", eyed);
    impatient("put-nowhere", "count = 2\n", "count = 2\nput_at = \"hole\"\n");
}

#[test]
fn mistakes_with_auctions() {
    let set = |name: &str, change: &str| bad_arguments(name, &["run", "hotspot", "--set", change]);
    set("no-corridor", "tasking.corridor_m=0");
    set("too-many-orders", "tasks.hotspot.order.count=1000000");
    set("no-orders", "tasks.hotspot.order.count=0");
    set("too-much-jitter", "tasking.jitter=1");
    set("no-rounds", "tasking.rounds=0");
    set("no-nodes", "tasking.node_budget=0");
    set("wait-too-short", "tasking.t_status_s=1e-6");
    set("number-of-300-digits", "tasking.t_status_s=1e300");
    set("templates-missing-set", "tasking.templates_file=their.toml");
    let more = ["--set", "tasks.look.order.count=9995"];
    bad_arguments("too-many-orders-in-all", &[&["run", "patrol"], &more[..]].concat());
    bad_arguments("tasking-few-runs", &["reproduce", "tasking", "--runs", "19"]);
    bad_arguments("reception-one-run", &["reproduce", "reception", "--runs", "1"]);
}

/// Auctions with templates in a file of their own.
const AUCTION: &str = r#"[field]
width_m = 40
height_m = 30

[robots.console]
speed_mps = 1

[robots.scout]
count = 3
speed_mps = 5
percepts = ["camera"]

[tasks.fire]
order = { by = "console", kind = "fire" }

[tasking]
consoles = ["console"]
templates_file = "templates.toml"
"#;

const TEMPLATES: &str = r#"[templates.fire.phases]
look = { needs = ["camera"] }
drop = {}

[[templates.fire.couplings]]
a = "look"
b = "drop"
dt_min_s = 5
"#;

/// Whatever is wrong with a file of templates is told with its own name and line.
#[test]
fn mistakes_in_templates() {
    let run = |name: &str, templates: &str, arguments: &[&str]| {
        let sandbox = Sandbox::new(name);
        sandbox.write("mission.toml", AUCTION);
        sandbox.write("templates.toml", templates);
        sandbox.muster(&[&["run", "mission.toml"], arguments].concat())
    };
    let output = run("templates-good", TEMPLATES, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", transcript(&output));
    for (name, from, to) in [
        ("templates-syntax", "drop = {}", "drop = {"),
        ("templates-unknown-key", "needs", "need"),
        ("templates-unknown-percept", "camera", "kamera"),
        ("templates-unknown-phase", "b = \"drop\"", "b = \"drp\""),
        ("templates-times-swapped", "dt_min_s = 5", "dt_min_s = 5\ndt_max_s = 4"),
        (
            "templates-in-a-circle",
            "dt_min_s = 5",
            "dt_min_s = 5\n[[templates.fire.couplings]]\na = \"drop\"\nb = \"look\"\ndt_min_s = 5",
        ),
        ("templates-other-kind", "templates.fire", "templates.fires"),
    ] {
        assert!(TEMPLATES.contains(from), "{name}: the good templates have no `{from}`");
        insta::assert_snapshot!(name, transcript(&run(name, &TEMPLATES.replace(from, to), &[])));
    }
    let without = run("templates-set-percepts", TEMPLATES, &["--set", "robots.scout.percepts=[]"]);
    insta::assert_snapshot!("templates-set-percepts", transcript(&without));
    let twice = ["--set", "tasking.templates.fire.phases.look={}"];
    insta::assert_snapshot!("templates-twice", transcript(&run("templates-twice", TEMPLATES, &twice)));
    let sandbox = Sandbox::new("templates-missing");
    sandbox.write("mission.toml", AUCTION);
    insta::assert_snapshot!("templates-missing", transcript(&sandbox.muster(&["run", "mission.toml"])));
    // Named by a change, it is the file that is wrong and not the change.
    sandbox.write("mission.toml", &AUCTION.replace("templates_file = \"templates.toml\"\n", ""));
    sandbox.write("theirs.toml", &TEMPLATES.replace("needs", "need"));
    let named = sandbox.muster(&["run", "mission.toml", "--set", "tasking.templates_file=theirs.toml"]);
    insta::assert_snapshot!("templates-set-wrong", transcript(&named));
}

/// What robots know comes from a file that anybody can change: whatever is wrong with it is said.
#[test]
fn mistakes_in_knowledge() {
    const KNOWN: &str =
        "format = \"muster-knowledge-1\"\n\n[robots.digger-1.dig]\ndigger-1 = [60.0, 61.5]\ndigger-2 = [58.0]\n";
    let run = |name: &str, known: &str| {
        let sandbox = Sandbox::new(name);
        sandbox.write("mission.toml", IMPATIENT);
        sandbox.write("known.toml", known);
        sandbox.muster(&["run", "mission.toml", "--knowledge", "known.toml"])
    };
    let output = run("knowledge-good", KNOWN);
    assert_eq!(output.status.code(), Some(0), "{}", transcript(&output));
    for (name, from, to) in [
        ("knowledge-other-format", "knowledge-1", "knowledge-2"),
        ("knowledge-no-format", "format = \"muster-knowledge-1\"\n", ""),
        ("knowledge-unknown-robot", "digger-2 = ", "digger-3 = "),
        ("knowledge-unknown-knower", "[robots.digger-1", "[robots.diggger-1"),
        ("knowledge-unknown-task", "digger-1.dig]", "digger-1.did]"),
        ("knowledge-of-what-it-cannot-do", "[robots.digger-1.dig]", "[robots.digger-2.carry]"),
        ("knowledge-negative", "58.0", "-58.0"),
        ("knowledge-not-a-number", "58.0", "nan"),
        ("knowledge-no-trials", "[58.0]", "[]"),
        ("knowledge-cut-off", "61.5]\ndigger-2 = [58.0]\n", "61"),
    ] {
        assert!(KNOWN.contains(from), "{name}");
        insta::assert_snapshot!(name, transcript(&run(name, &KNOWN.replace(from, to))));
    }
    bad_arguments("knowledge-missing", &["run", "cleanup", "--knowledge", "nothing.toml"]);
    bad_arguments("knowledge-of-recruits", &["run", "minefield", "--knowledge", "mission.toml"]);
    bad_arguments("training-with-fixed-rates", &["train", "boxes", "--set", "alliance.strategy=fixed"]);
    bad_arguments("training-of-recruits", &["train", "minefield"]);
    bad_arguments("training-into-a-picture", &["train", "boxes", "--save", "learned.png"]);
    let sandbox = Sandbox::new("training-over-the-scenario");
    sandbox.write("mission.toml", IMPATIENT);
    let output = sandbox.muster(&["train", "mission.toml", "--save", "mission.toml"]);
    insta::assert_snapshot!("training-over-the-scenario", transcript(&output));
}
