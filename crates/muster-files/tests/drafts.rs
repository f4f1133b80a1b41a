//! What is written replaces the old file only when it is whole.

use std::io::Write;
use std::path::PathBuf;

use muster_files::{Draft, Place, place_of};

/// An empty folder of its own.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn names(folder: &PathBuf) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn the_old_file_stays_until_the_new_one_is_whole() {
    let folder = folder("stays");
    let path = folder.join("runs.csv");
    std::fs::write(&path, "old").expect("written");
    let mut draft = Draft::create(&path).expect("it can be written");
    draft.write_all(b"half of the n").expect("written");
    assert_eq!(std::fs::read_to_string(&path).expect("read"), "old");
    drop(draft);
    assert_eq!(std::fs::read_to_string(&path).expect("read"), "old");
    assert_eq!(names(&folder), ["runs.csv"], "nothing is left behind");
    let mut draft = Draft::create(&path).expect("it can be written");
    draft.write_all(b"new").expect("written");
    draft.publish().expect("published");
    assert_eq!(std::fs::read_to_string(&path).expect("read"), "new");
    // A log goes on after it has its name.
    draft.write_all(b", and more").expect("written");
    drop(draft);
    assert_eq!(std::fs::read_to_string(&path).expect("read"), "new, and more");
    assert_eq!(names(&folder), ["runs.csv"]);
}

#[test]
fn two_drafts_of_one_file_and_long_names() {
    let folder = folder("long");
    let path = folder.join(format!("{}.csv", "ä".repeat(125)));
    let (mut first, mut second) = (Draft::create(&path).expect("one"), Draft::create(&path).expect("another"));
    first.write_all(b"first").expect("written");
    second.write_all(b"second").expect("written");
    second.publish().expect("published");
    first.publish().expect("published");
    assert_eq!(std::fs::read_to_string(&path).expect("read"), "first");
    assert_eq!(names(&folder).len(), 1);
}

#[test]
fn in_sight_only_if_nothing_is_there() {
    let folder = folder("in-sight");
    let path = folder.join("run.mcap");
    let draft = Draft::create_in_sight(&path).expect("it can be written");
    assert_eq!(names(&folder), ["run.mcap"]);
    drop(draft);
    assert_eq!(names(&folder), ["run.mcap"], "what there is of it is kept");
    std::fs::write(&path, "old").expect("written");
    let mut draft = Draft::create_in_sight(&path).expect("it can be written");
    draft.write_all(b"new").expect("written");
    assert_eq!(std::fs::read_to_string(&path).expect("read"), "old");
}

#[cfg(unix)]
#[test]
fn links_modes_and_devices() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("links");
    let (path, link) = (folder.join("a.csv"), folder.join("b.csv"));
    symlink("a.csv", &link).expect("a link");
    assert_eq!(place_of(&path), place_of(&link), "a link to a file that is not there yet");
    assert!(matches!(place_of(&path), Place::Free(..)));
    let mut draft = Draft::create(&link).expect("it can be written");
    draft.write_all(b"through a link").expect("written");
    draft.publish().expect("published");
    assert!(link.is_symlink(), "a link stays a link");
    assert_eq!(std::fs::read_to_string(&path).expect("read"), "through a link");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("a mode");
    Draft::create(&path).and_then(|mut draft| draft.publish()).expect("published");
    assert_eq!(std::fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o640);
    std::fs::hard_link(&path, folder.join("c.csv")).expect("a hard link");
    assert_eq!(place_of(&path), place_of(&folder.join("c.csv")));
    let full = folder.join("full.csv");
    symlink("/dev/full", &full).expect("a link");
    let mut draft = Draft::create(&full).expect("it can be opened");
    assert!(draft.write_all(b"no room").is_err());
    assert!(Draft::create(&folder.join("nowhere/a.csv")).is_err());
    // Whatever standard error is just now, it is written to and not replaced.
    let mut open = Draft::create(std::path::Path::new("/dev/stderr")).expect("it can be opened");
    open.publish().expect("there is nothing to do");
}
