//! `muster` alone: what to try first.

use miette::Result;
use serde_json::json;

use crate::output::{Verdict, bold, faint, print_value};

const FIRST: [(&str, &str); 14] = [
    ("muster run minefield", "a mission: one robot recruits others, three strategies side by side"),
    ("muster console minefield", "the same in a browser: watch it, go back in time, ask why a robot was chosen"),
    ("muster run minefield --set radio.loss=0.25 --runs 1000", "the same over a bad radio, a thousand times"),
    ("muster run late-but-faster", "where waiting beats greed"),
    ("muster reproduce recruitment", "Tables 1-5 of Gage & Murphy 2004, the paper beside ours"),
    ("muster run hotspot --explain", "three vehicles over one fire within ten seconds, auctioned, and why these"),
    ("muster run minefield --report run.html --record run.mcap", "a page with plots, and a recording for Foxglove"),
    ("muster explain run.mcap", "why each robot of the recording was chosen or kept silent, with its numbers"),
    (
        "muster run boxes --report boxes.html",
        "two robots push a box; one is seized, put back, replaced by a slower one",
    ),
    ("muster train cleanup", "what impatient robots learn about each other; then: muster run cleanup"),
    ("muster reproduce reception --runs 10", "a waiter and a refiller with emotions, among guests, check by check"),
    ("muster console reception", "the reception on the screen: faces, panels, and what robots think"),
    ("muster soak faults", "robots die, restart and go deaf; look for what must never happen"),
    ("muster scenarios show minefield > my.toml", "a mission to edit; then: muster run my.toml"),
];

/// Prints the guide.
pub fn print(json: bool) -> Result<Verdict> {
    if json {
        let commands: Vec<_> =
            FIRST.iter().map(|(command, about)| json!({"command": command, "about": about})).collect();
        print_value(&json!({"version": env!("CARGO_PKG_VERSION"), "commit": env!("MUSTER_COMMIT"), "try": commands}));
        return Ok(Verdict::Held);
    }
    println!("{} coordinates teams of different robots without a coordinator,", bold("Muster"));
    println!("over radios that lose messages. Try first:\n");
    for (command, about) in FIRST {
        println!("  {}\n      {}", bold(command), faint(about));
    }
    println!("\nEvery command has --help with examples, and --json for other programs.");
    Ok(Verdict::Held)
}
