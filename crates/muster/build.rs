//! Puts the commit into the program, so that every result can name the code that made it.

use std::path::Path;
use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

/// The commit, with `-dirty` behind it if what is built is not what was committed.
fn commit() -> Option<String> {
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    // Without locks: looking must not touch the index, or the next build would look again.
    let changed = git(&["--no-optional-locks", "status", "--porcelain", "--untracked-files=no"])?;
    Some(if changed.is_empty() { commit } else { format!("{commit}-dirty") })
}

fn main() {
    println!("cargo::rustc-env=MUSTER_COMMIT={}", commit().unwrap_or_else(|| "unknown".to_owned()));
    // HEAD changes when another branch is checked out, its log with every commit, the index with what is staged.
    for file in ["HEAD", "logs/HEAD", "index"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]).filter(|path| Path::new(path).exists()) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    // What the program is made of: a change that is not committed makes it dirty.
    for crate_name in ["muster", "muster-core", "muster-sim", "muster-studies"] {
        println!("cargo::rerun-if-changed=../{crate_name}/src");
        println!("cargo::rerun-if-changed=../{crate_name}/Cargo.toml");
    }
    for path in ["../../Cargo.toml", "../../Cargo.lock", "../../scenarios", "../muster-studies/data", "build.rs"] {
        println!("cargo::rerun-if-changed={path}");
    }
}
