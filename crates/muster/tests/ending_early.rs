//! Ctrl-C, a request to terminate, a terminal that is closed: heeded soon, with what was done so far, and never with half a
//! run taken for a whole one.
#![cfg(target_os = "linux")]

mod command;

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use command::Sandbox;
use serde_json::Value;

/// A second is promised; a machine that does other things as well may need some more. Without the promise these commands
/// go on for half a minute and longer.
const SOON: Duration = Duration::from_secs(12);

/// Minutes of telling notes, as far as a run goes.
const ENDLESS: [&str; 6] =
    ["--set", "recruitment.threshold=1e9", "--set", "recruitment.strategy=affective", "--set", "limit_h=300000"];

/// Runs the command, sends it a signal after some time, and waits for its end.
fn ended_by(sandbox: &Sandbox, signal: &str, after: Duration, arguments: &[&str]) -> Output {
    // Whoever runs the tests may ignore a hang-up (nohup), and what it starts would, too.
    let child = Command::new("env")
        .args(["--default-signal=HUP", env!("CARGO_BIN_EXE_muster")])
        .args(arguments)
        .current_dir(sandbox.path("."))
        .env("NO_COLOR", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be run");
    std::thread::sleep(after);
    let told = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(told.is_ok_and(|status| status.success()), "it goes on for longer: {arguments:?}");
    let told_at = Instant::now();
    let output = child.wait_with_output().expect("it ends");
    assert!(told_at.elapsed() < SOON, "{arguments:?}: {:?} after {signal}", told_at.elapsed());
    output
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The same seed alone.
fn alone(sandbox: &Sandbox, scenario: &[&str], seed: &str) -> Value {
    let output = sandbox.muster(&[&["run", "--seed", seed, "--json"], scenario].concat());
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    document["runs"][0].clone()
}

/// Every run that is a row is the run of its seed, whole.
#[test]
fn a_run_that_was_broken_off_is_no_row() {
    for (scenario, word) in [(&["patrol"][..], "runs"), (&["reception"][..], "receptions")] {
        let sandbox = Sandbox::new(&format!("rows-of-{}", scenario[0]));
        let asked = ["--runs", "200000", "--results", "rows.csv", "--results", "rows.parquet"];
        let arguments = [&["run"], scenario, &asked].concat();
        let output = ended_by(&sandbox, "-INT", Duration::from_secs(6), &arguments);
        let out = out(&output);
        assert_eq!(output.status.code(), Some(2), "{out}");
        let table = sandbox.read_text("rows.csv");
        let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
        let (head, rows) = rows.split_first().expect("a head");
        let held = format!("Broken off after {} of 200000 {word}. The files hold the {0} that were whole.", rows.len());
        assert!(out.contains(&held) && !rows.is_empty(), "{held}: {out}");
        let column = |name: &str| head.iter().position(|it| *it == name).expect(name);
        for row in rows.iter().rev().take(3) {
            let again = alone(&sandbox, scenario, row[column("seed")]);
            assert_eq!(row[column("end_s")].parse::<f64>().ok(), again["end_s"].as_f64(), "seed {}", row[0]);
            assert_eq!(row[column("completed")], again["completed"].to_string(), "seed {}", row[0]);
        }
        // Parquet has a place to say so.
        let parquet = sandbox.read("rows.parquet");
        assert!(
            parquet.windows(11).any(|bytes| bytes == b"interrupted")
                && parquet.windows(6).any(|bytes| bytes == b"200000")
        );
    }
}

/// The same in JSON, of which programs take means.
#[test]
fn json_counts_whole_runs_only() {
    let sandbox = Sandbox::new("json-rows");
    let output = ended_by(&sandbox, "-INT", Duration::from_secs(6), &["run", "patrol", "--runs", "200000", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["interrupted"], true);
    let runs = document["runs"].as_array().expect("runs");
    let summary = document["summary"].as_object().expect("a summary").values().next().expect("one strategy");
    assert_eq!(summary["runs"].as_u64(), Some(runs.len() as u64));
    let last = runs.last().expect("some were done");
    assert_eq!(*last, alone(&sandbox, &["patrol"], &last["seed"].to_string()));
}

/// One run that was broken off is none, and an older file is worth more than nothing.
#[test]
fn a_single_run_that_was_broken_off_leaves_nothing() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let sandbox = Sandbox::new(&format!("single{signal}"));
        sandbox.write("rows.csv", "kept");
        let arguments = [&["run", "minefield", "--results", "rows.csv"][..], &ENDLESS].concat();
        let output = ended_by(&sandbox, signal, Duration::from_secs(2), &arguments);
        assert_eq!(output.status.code(), Some(2), "{signal}");
        let out = out(&output);
        assert!(out.contains("Broken off after 0 of 1 runs. Nothing was written."), "{out}");
        assert_eq!(sandbox.read_text("rows.csv"), "kept");
        assert_eq!(std::fs::read_dir(sandbox.path(".")).expect("a folder").count(), 1, "nothing else is left behind");
    }
}

/// A hang-up that is to be ignored (nohup) is.
#[test]
fn a_hangup_that_is_ignored_ends_nothing() {
    let sandbox = Sandbox::new("nohup");
    let line = format!("trap '' HUP; exec {} run patrol --runs 100 --results rows.csv", env!("CARGO_BIN_EXE_muster"));
    let child = Command::new("sh")
        .args(["-c", &line])
        .current_dir(sandbox.path("."))
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    std::thread::sleep(Duration::from_millis(1_500));
    // It may be done already, which is as good.
    let _ = Command::new("kill").args(["-HUP", &child.id().to_string()]).status();
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    assert_eq!(sandbox.read_text("rows.csv").lines().count(), 101);
}

/// Large teams that practise, and runs whose notes are told, are broken off as soon as any other.
#[test]
fn heeded_while_robots_practise_and_notes_are_told() {
    let sandbox = Sandbox::new("soon");
    let large = ["--set", "robots.genghis.count=700"];
    let seconds = Duration::from_secs;
    let output = ended_by(&sandbox, "-INT", seconds(5), &[&["run", "boxes"][..], &large].concat());
    assert_eq!(output.status.code(), Some(2), "{}", out(&output));
    let output =
        ended_by(&sandbox, "-INT", seconds(5), &[&["train", "boxes", "--save", "k.toml"][..], &large].concat());
    assert_eq!(output.status.code(), Some(2), "{}", out(&output));
    assert!(out(&output).contains("Broken off after "), "{}", out(&output));
    for told in [&["--explain"][..], &["--log", "run.log"]] {
        let long =
            ["--set", "recruitment.threshold=1e9", "--set", "recruitment.strategy=affective", "--set", "limit_h=3000"];
        let output = ended_by(&sandbox, "-INT", seconds(5), &[&["run", "minefield"][..], told, &long].concat());
        assert_eq!(output.status.code(), Some(2), "{told:?}");
        assert!(out(&output).contains("Broken off after "), "{told:?}");
    }
}

/// What only reads is broken off with a word, too.
#[test]
fn heeded_by_commands_that_read() {
    let sandbox = Sandbox::new("reading");
    let long =
        ["--set", "recruitment.threshold=1e9", "--set", "recruitment.strategy=affective", "--set", "limit_h=150"];
    let recorded = sandbox.muster(&[&["run", "minefield", "--record", "run.mcap"][..], &long].concat());
    assert_eq!(recorded.status.code(), Some(1), "{}", out(&recorded));
    // Nothing that was read by then is what was asked for; what comes after it nobody knows.
    let arguments = ["explain", "run.mcap", "--at", "1e9..2e9"];
    let output = ended_by(&sandbox, "-INT", Duration::from_millis(500), &arguments);
    assert_eq!(output.status.code(), Some(2), "{}", out(&output));
    assert!(!out(&output).contains("Nothing of the kind happened."), "{}", out(&output));
    let verdict = "Broken off before its end: which tasks nobody took is not known.";
    let output = ended_by(&sandbox, "-INT", Duration::from_millis(500), &["explain", "run.mcap"]);
    assert_eq!(output.status.code(), Some(2), "{}", out(&output));
    // On a busy machine the time that is left for reading may not be enough; that is told, too.
    const UNREAD: &str = "Broken off before the recording was read.\n";
    let unread = |output: &Output| String::from_utf8_lossy(&output.stderr) == UNREAD;
    assert!(out(&output).contains(verdict) || unread(&output), "{}", out(&output));
    assert!(!out(&output).contains("Why nobody"), "{}", out(&output));
    let output = ended_by(&sandbox, "-INT", Duration::from_millis(500), &["explain", "run.mcap", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&document["interrupted"], &document["nobody"]), (&true.into(), &serde_json::Value::Null));
    let recorded = sandbox.muster(&["run", "reception", "--record", "party.mcap", "--set", "limit_s=200000"]);
    assert_eq!(recorded.status.code(), Some(0), "{}", out(&recorded));
    let arguments = ["explain", "party.mcap", "--at", "1e9..2e9"];
    let output = ended_by(&sandbox, "-INT", Duration::from_millis(1_500), &arguments);
    let part = String::from_utf8_lossy(&output.stderr) == "Broken off: what is above is a part of it.\n";
    assert_eq!(output.status.code(), Some(2), "{}", out(&output));
    assert!(part || unread(&output), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(out(&output), "", "what else happened nobody knows");
    // An instance that nobody solves within minutes.
    let row = |robot: u64| {
        let time = |task: u64| (1_000.0 + ((robot * 7919 + task * 104_729) % 1_009) as f64 + 0.5).to_string();
        format!("[{}]", (0..300).map(time).collect::<Vec<_>>().join(", "))
    };
    let rows: Vec<String> = (0..120).map(row).collect();
    sandbox.write("times.json", &format!("{{\"format\": \"makespan-1\", \"times\": [{}]}}", rows.join(",\n")));
    let output =
        ended_by(&sandbox, "-INT", Duration::from_secs(3), &["allocate", "times.json", "--budget", "4000000000"]);
    assert_eq!(output.status.code(), Some(2), "{}", out(&output));
    assert!(out(&output).contains("Broken off"), "{}", out(&output));
}

/// A pipe that nobody writes to is given up like any other work.
#[test]
fn heeded_while_a_recording_does_not_come() {
    let sandbox = Sandbox::new("silent-pipe");
    let made = Command::new("mkfifo").arg(sandbox.path("run.mcap")).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe can be made");
    let output = ended_by(&sandbox, "-INT", Duration::from_secs(1), &["explain", "run.mcap"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), &*said), (Some(2), "Broken off before the recording was read.\n"));
    let output = ended_by(&sandbox, "-INT", Duration::from_secs(1), &["explain", "run.mcap", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["interrupted"], true);
}

/// What is of the first run alone takes making it again, for which there is no time: it is told what is not there.
#[test]
fn what_was_not_made_of_the_first_run_is_told() {
    let sandbox = Sandbox::new("not-made");
    let asked = ["--runs", "200000", "--results", "rows.csv", "--record", "run.mcap"];
    let mission = [&["run", "patrol", "--log", "run.log", "--explain"][..], &asked].concat();
    let seconds = Duration::from_secs;
    let output = ended_by(&sandbox, "-INT", seconds(6), &mission);
    let told = "that were whole. Not made of the first: --explain, --log, --record.";
    assert!(out(&output).contains(told), "{}", out(&output));
    let output = ended_by(&sandbox, "-INT", seconds(6), &[&mission[..], &["--json"]].concat());
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["not_made"], serde_json::json!(["--explain", "--log", "--record"]));
    let output = ended_by(&sandbox, "-INT", seconds(6), &[&["run", "reception"][..], &asked].concat());
    assert!(out(&output).contains("that were whole. Not made of the first: --record."), "{}", out(&output));
    let rows = sandbox.path("rows.csv");
    assert!(rows.exists() && !sandbox.path("run.mcap").exists() && !sandbox.path("run.log").exists());
}
