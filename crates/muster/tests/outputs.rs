//! Files that commands leave behind: what was there before is lost only to a whole new file, what was computed is told even
//! if its file cannot be written, nothing that is read is overwritten, and who reads the output changes no exit code.
#![cfg(target_os = "linux")]

mod command;

use std::os::unix::fs::symlink;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use command::Sandbox;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn names(sandbox: &Sandbox) -> Vec<String> {
    let folder = std::fs::read_dir(sandbox.path(".")).expect("a folder");
    let mut names: Vec<String> =
        folder.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn muster(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_muster"));
    command.args(arguments).current_dir(sandbox.path(".")).env("NO_COLOR", "1");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Killed while it writes: the old file is there, whole.
#[test]
fn an_older_file_stays_until_the_new_one_is_whole() {
    let sandbox = Sandbox::new("stays");
    let written = sandbox.muster(&["run", "late-but-faster", "--results", "good.csv", "--record", "good.mcap"]);
    assert_eq!(written.status.code(), Some(0), "{}", text(&written.stderr));
    assert_eq!(names(&sandbox), ["good.csv", "good.mcap"]);
    let before = (sandbox.read("good.csv"), sandbox.read("good.mcap"));
    let again = ["run", "minefield", "--runs", "100000", "--results", "good.csv"];
    let recorded = ["run", "minefield", "--record", "good.mcap", "--set", "recruitment.strategy=greedy"];
    let endless = ["--set", "radio.loss=1.0", "--set", "limit_h=1000"];
    for arguments in [&again[..], &[&recorded[..], &endless].concat()] {
        let mut child = muster(&sandbox, arguments).spawn().expect("it can be run");
        let began = Instant::now();
        while names(&sandbox).len() == 2 && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(500));
        child.kill().expect("it goes on");
        child.wait().expect("it ends");
        assert!(before == (sandbox.read("good.csv"), sandbox.read("good.mcap")), "{arguments:?}");
        for name in names(&sandbox).iter().filter(|name| name.ends_with(".part")) {
            std::fs::remove_file(sandbox.path(name)).expect("what a killed program leaves can be removed");
        }
    }
    let again = sandbox.muster(&["run", "minefield", "--results", "good.csv", "--record", "good.mcap"]);
    assert_eq!(again.status.code(), Some(0));
    assert!(before.0 != sandbox.read("good.csv") && before.1 != sandbox.read("good.mcap"));
    assert_eq!(names(&sandbox), ["good.csv", "good.mcap"]);
}

/// No room for a file: all else is told and written, the message comes last, and the exit code is 2.
#[test]
fn what_was_computed_is_told_though_a_file_cannot_be_written() {
    let sandbox = Sandbox::new("no-room");
    for name in ["full.csv", "full.html", "full.log", "full.toml", "full.svg"] {
        symlink("/dev/full", sandbox.path(name)).expect("a link");
    }
    let reproduce = ["reproduce", "recruitment", "--runs", "20"];
    let cases: [(&[&str], &str); 7] = [
        (&["run", "minefield", "--results", "full.csv", "--results", "rows.csv"], "strategy"),
        (&["run", "minefield", "--report", "full.html", "--results", "rows.csv"], "strategy"),
        (&["run", "minefield", "--log", "full.log", "--results", "rows.csv"], "strategy"),
        (&["run", "reception", "--set", "limit_s=60", "--log", "full.log", "--results", "rows.csv"], "Butler"),
        (&["train", "boxes", "--save", "full.toml"], "has seen"),
        (&[&reproduce[..], &["--report", "full.html", "--figure", "rows.csv.svg"]].concat(), "Table 1"),
        (&["run", "minefield", "--json", "--results", "full.csv"], "\"runs\": ["),
    ];
    for (arguments, told) in cases {
        let output = sandbox.muster(arguments);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {err}");
        assert!(out.contains(told), "{arguments:?}: {out}");
        assert!(err.contains("cannot be written: No space left on device"), "{arguments:?}: {err}");
        if arguments.contains(&"rows.csv") {
            assert!(out.contains("Wrote rows.csv."), "{arguments:?}: {out}");
            std::fs::remove_file(sandbox.path("rows.csv")).expect("it was written");
        }
    }
}

/// A place that cannot be written is found out before anything is run.
#[test]
fn a_place_that_cannot_be_written_is_found_out_first() {
    let sandbox = Sandbox::new("no-place");
    std::fs::create_dir(sandbox.path("a.csv")).expect("a folder");
    symlink("nowhere/there.csv", sandbox.path("b.csv")).expect("a link");
    symlink("c.csv", sandbox.path("c.csv")).expect("a link");
    for name in ["a.csv", "b.csv", "c.csv"] {
        let began = Instant::now();
        let output = sandbox.muster(&["run", "minefield", "--runs", "1000000", "--results", name]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert!(output.stdout.is_empty() && began.elapsed() < Duration::from_secs(20), "{name}");
    }
}

/// Outputs never overwrite what the run reads, whatever way it is named.
#[test]
fn inputs_are_not_overwritten() {
    let sandbox = Sandbox::new("inputs");
    sandbox.muster(&["train", "boxes", "--save", "learned.toml"]);
    sandbox.write("p.rhai", "fn answers(help) { help.eta_s <= 30.0 || help.round >= 3 }\n");
    let minefield = text(&sandbox.muster(&["scenarios", "show", "minefield"]).stdout);
    sandbox.write("my.toml", &minefield);
    std::fs::hard_link(sandbox.path("my.toml"), sandbox.path("hard.log")).expect("a hard link");
    std::fs::hard_link(sandbox.path("learned.toml"), sandbox.path("hard.toml")).expect("a hard link");
    sandbox.write("CARSConfig.txt", "Butler\nada.rhai\n");
    sandbox.write("guests.csv", "time_s,guest,x_ft,y_ft\n0,a,5,5\n");
    sandbox.write("feel.toml", "format = \"muster-emotions-1\"\n");
    let leguin = include_str!("../../../robots/leguin.rhai");
    sandbox.write("ada.rhai", leguin);
    sandbox.write(
        "party.toml",
        "limit_s = 10\n[reception]\nwidth_ft = 50\nheight_ft = 50\nconfig = \"CARSConfig.txt\"\n\
        emotions = \"feel.toml\"\n[reception.guests]\nlog = \"guests.csv\"\n",
    );
    let ran = sandbox.muster(&["run", "party.toml", "--log", "party.log"]);
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
    sandbox.write(
        "faults.toml",
        "[[interventions]]\nat_s = 10\nauthor = \"me\"\nfault = { robot = \"idle-1\", kind = \"stop\" }\n",
    );
    let cases: [(&[&str], &str); 13] = [
        (&["run", "boxes", "--knowledge", "learned.toml", "--log", "learned.toml"], "learned.toml"),
        (&["run", "boxes", "--knowledge", "learned.toml", "--log", "hard.toml"], "learned.toml"),
        (&["console", "boxes", "--knowledge", "learned.toml", "--log", "learned.toml", "--no-open"], "learned.toml"),
        (&["run", "minefield", "--set", "recruitment.script=p.rhai", "--log", "p.rhai"], "p.rhai"),
        (&["console", "minefield", "--set", "recruitment.script=p.rhai", "--log", "p.rhai", "--no-open"], "p.rhai"),
        (&["run", "minefield", "--interventions", "faults.toml", "--log", "faults.toml"], "faults.toml"),
        (
            &["console", "minefield", "--interventions", "faults.toml", "--log", "faults.toml", "--no-open"],
            "faults.toml",
        ),
        (&["run", "my.toml", "--log", "hard.log"], "my.toml"),
        (&["run", "party.toml", "--log", "ada.rhai"], "ada.rhai"),
        (&["run", "party.toml", "--log", "CARSConfig.txt"], "CARSConfig.txt"),
        (&["run", "party.toml", "--results", "guests.csv"], "guests.csv"),
        (&["run", "party.toml", "--log", "feel.toml"], "feel.toml"),
        (&["run", "party.toml", "--log", "party.toml"], "party.toml"),
    ];
    for (arguments, input) in cases {
        let before = sandbox.read(input);
        let output = sandbox.muster(arguments);
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {err}");
        assert!(err.contains("would overwrite"), "{arguments:?}: {err}");
        assert!(before == sandbox.read(input), "{arguments:?}");
    }
}

/// Two outputs that a link makes one, before either is there.
#[test]
fn outputs_that_are_one_file_by_a_link() {
    let sandbox = Sandbox::new("one-file");
    symlink("a.csv", sandbox.path("b.csv")).expect("a link");
    let output = sandbox.muster(&["run", "minefield", "--results", "a.csv", "--results", "b.csv"]);
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("is the same file as that of --results"), "{err}");
}

fn with_closed_output(sandbox: &Sandbox, arguments: &[&str]) -> Output {
    let mut child = muster(sandbox, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    drop(child.stdout.take());
    child.wait_with_output().expect("it ends")
}

/// Whoever reads the output may have seen enough; the verdict is the same, and the work is done.
#[test]
fn who_reads_changes_no_exit_code() {
    let sandbox = Sandbox::new("closed");
    let fails = ["run", "minefield", "--set", "limit_h=1e-6"];
    for json in [&[][..], &["--json"]] {
        let output = with_closed_output(&sandbox, &[&fails[..], json, &["--results", "rows.csv"]].concat());
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        assert_eq!(text(&output.stderr), "");
        assert_eq!(sandbox.read_text("rows.csv").lines().count(), 4);
    }
    sandbox.muster(&["run", "late-but-faster", "--record", "run.mcap"]);
    let mut bytes = sandbox.read("run.mcap");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    sandbox.write_bytes("damaged.mcap", &bytes);
    assert_eq!(with_closed_output(&sandbox, &["replay", "damaged.mcap", "--verify"]).status.code(), Some(1));
    assert_eq!(with_closed_output(&sandbox, &["replay", "run.mcap", "--verify"]).status.code(), Some(0));
    assert_eq!(with_closed_output(&sandbox, &["scenarios"]).status.code(), Some(0));
}

/// Output that cannot be written is told, errors that cannot be are not told; both end with 2, never with a panic.
#[test]
fn output_and_errors_that_cannot_be_written() {
    let sandbox = Sandbox::new("full-streams");
    let full = || Stdio::from(std::fs::OpenOptions::new().write(true).open("/dev/full").expect("it is there"));
    let told =
        muster(&sandbox, &["run", "minefield", "--results", "rows.csv"]).stdout(full()).stderr(Stdio::piped()).output();
    let told = told.expect("it ends");
    assert_eq!(told.status.code(), Some(2));
    assert!(text(&told.stderr).contains("the output cannot be written: No space left"), "{}", text(&told.stderr));
    assert_eq!(sandbox.read_text("rows.csv").lines().count(), 4, "what was computed is not lost");
    let untold = muster(&sandbox, &["run", "nonexist"]).stderr(full()).status().expect("it ends");
    assert_eq!(untold.code(), Some(2));
}

/// A name may hold whatever a file's name can; what is printed of it moves no cursor.
#[test]
fn names_from_the_command_line_can_be_shown() {
    let sandbox = Sandbox::new("names-shown");
    let scenario = text(&sandbox.muster(&["scenarios", "show", "minefield"]).stdout);
    sandbox.write("a\u{1b}[31m.toml", &scenario);
    sandbox.write("b\u{1b}[31m.toml", "field = \u{1b}[31m");
    sandbox.write("c\u{1b}[31m.mcap", "no recording");
    for (arguments, shown) in [
        (
            &["run", "a\u{1b}[31m.toml", "--log", "a\u{1b}[31m.log", "--record", "a\u{1b}[31m.mcap"][..],
            r"Wrote a\u{1b}[31m.log.",
        ),
        (&["replay", "a\u{1b}[31m.mcap", "--about"], r"a\u{1b}[31m.mcap: a\u{1b}[31m"),
        (&["explain", "a\u{1b}[31m.mcap", "--robot", "r\u{1b}[31m"], r"r\u{1b}[31m"),
        (&["run", "no\u{1b}[31m.toml"], r"no\u{1b}[31m.toml"),
        (&["run", "b\u{1b}[31m.toml"], r"b\u{1b}[31m.toml"),
        (&["explain", "c\u{1b}[31m.mcap"], r"c\u{1b}[31m.mcap"),
        (&["replay", "c\u{1b}[31m.mcap", "--verify"], r"c\u{1b}[31m.mcap"),
        (&["run", "minefield", "--report", "no\u{1b}[31m/a.html"], r"no\u{1b}[31m/a.html"),
    ] {
        let output = sandbox.muster(arguments);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(said.contains(shown) && !said.contains('\u{1b}'), "{arguments:?}: {said:?}");
    }
}

/// A vehicle that runs out of endurance is told of, although nothing was flown.
#[test]
fn who_ran_out_is_told_where_nothing_was_flown() {
    let sandbox = Sandbox::new("ran-out");
    let team = "robots.doug2.endurance_s=15";
    let rest = ["robots.doug3.endurance_s=15", "robots.doug4.endurance_s=15"];
    let ran = sandbox.muster(&["run", "hotspot", "--set", team, "--set", rest[0], "--set", rest[1]]);
    let told = text(&ran.stdout);
    assert!(ran.status.code() == Some(1) && told.contains("doug2 ran out of endurance, and was out."), "{told}");
}
