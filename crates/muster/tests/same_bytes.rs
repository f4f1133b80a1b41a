//! Same scenario, seed and version: the same bytes, twice in a row, on 1, 2 and 8 threads, debug or release.

mod command;

#[cfg(debug_assertions)]
use std::{path::PathBuf, process::Command};

use command::{Sandbox, without_commit};

/// The commands whose output is compared.
const COMMANDS: [&[&str]; 8] = [
    &["run", "minefield", "--json", "--seed", "3"],
    &["run", "minefield", "--json", "--runs", "60", "--set", "radio.loss=0.25", "--set", "radio.jitter_ms=30"],
    &["reproduce", "recruitment", "--json", "--runs", "40"],
    &["reproduce", "alliance", "--json", "--runs", "2", "--robots", "2,6", "--tasks", "8"],
    &["reproduce", "reception", "--json", "--runs", "2"],
    &["run", "boxes", "--json", "--explain"],
    &["run", "cleanup", "--json", "--runs", "20", "--set", "radio.loss=0.3"],
    &["soak", "--json", "--runs", "20"],
];

/// Standard output, less how long the program itself took.
fn bytes(sandbox: &Sandbox, binary: &str, arguments: &[&str]) -> String {
    let output = sandbox.run(binary, arguments);
    assert_eq!(output.stderr, b"", "{arguments:?}");
    assert!(output.stdout.len() > 1_000, "{arguments:?} printed next to nothing");
    let text = without_commit(&String::from_utf8(output.stdout).expect("UTF-8"));
    text.lines().filter(|line| !line.contains("\"elapsed_ms\"")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn twice_and_on_any_number_of_threads() {
    let sandbox = Sandbox::new("threads");
    for arguments in COMMANDS {
        let first = bytes(&sandbox, env!("CARGO_BIN_EXE_muster"), arguments);
        for threads in ["1", "2", "8"] {
            let arguments = [arguments, &["--threads", threads]].concat();
            let again = bytes(&sandbox, env!("CARGO_BIN_EXE_muster"), &arguments);
            assert!(first == again, "{arguments:?} differs with {threads} threads");
        }
    }
}

/// Files are compared byte for byte, the commit included: both come from one build.
#[test]
fn files_on_any_number_of_threads() {
    let sandbox = Sandbox::new("files");
    let study: &[&str] = &["reproduce", "recruitment", "--runs", "20", "--report", "a.html", "--figure", "a.svg"];
    let batch: &[&str] = &[
        "run",
        "minefield",
        "--runs",
        "40",
        "--set",
        "radio.loss=0.25",
        "--report",
        "a.html",
        "--results",
        "a.csv",
        "--results",
        "a.parquet",
    ];
    let grid: &[&str] =
        &["reproduce", "alliance", "--runs", "2", "--robots", "4", "--tasks", "2,8", "--report", "a.html"];
    for (arguments, files) in
        [(study, vec!["a.html", "a.svg"]), (batch, vec!["a.html", "a.csv", "a.parquet"]), (grid, vec!["a.html"])]
    {
        let bytes = |threads: &str| {
            let output = sandbox.muster(&[arguments, &["--threads", threads]].concat());
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
            files.iter().map(|file| sandbox.read(file)).collect::<Vec<_>>()
        };
        let first = bytes("1");
        assert!(first.iter().all(|file| file.len() > 1_000), "{arguments:?} wrote next to nothing");
        for threads in ["1", "2", "8"] {
            assert!(first == bytes(threads), "{arguments:?} writes other bytes with {threads} threads");
        }
    }
}

#[test]
fn another_seed_gives_other_bytes() {
    let sandbox = Sandbox::new("seeds");
    let with_seed =
        |seed| bytes(&sandbox, env!("CARGO_BIN_EXE_muster"), &["run", "minefield", "--json", "--seed", seed]);
    assert!(with_seed("3") != with_seed("4"));
}

/// Run with --release, the comparison would be with itself and could not fail.
#[cfg(debug_assertions)]
#[test]
fn debug_and_release() {
    let sandbox = Sandbox::new("release");
    let release = release_binary();
    for arguments in COMMANDS {
        let debug = bytes(&sandbox, env!("CARGO_BIN_EXE_muster"), arguments);
        let release = bytes(&sandbox, release.to_str().expect("a path in UTF-8"), arguments);
        assert!(debug == release, "{arguments:?} differs between debug and release");
    }
}

#[cfg(debug_assertions)]
/// The release build, made here if nobody has yet.
fn release_binary() -> PathBuf {
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--package", "muster"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .expect("cargo can be run");
    assert!(status.success(), "the release build fails");
    let profile = PathBuf::from(env!("CARGO_BIN_EXE_muster"));
    let target = profile.ancestors().nth(2).expect("target/debug/muster");
    target.join("release").join("muster")
}
