//! Many viewers, slow viewers and large teams.

mod command;
mod console;

use std::time::{Duration, Instant};

use command::Sandbox;
use console::{Console, Page};
use serde_json::json;

/// Patrols go on for more than a minute at this speed.
const SPEED: f64 = 6.0;

/// 50 viewers for a minute: none misses a line of the log.
#[test]
fn fifty_viewers_for_a_minute_miss_nothing() {
    let sandbox = Sandbox::new("fifty-viewers");
    let console = Console::start(&sandbox.path("."), &["console", "patrol"]);
    let mut first = console.page();
    first.until_it_is("ready");
    first.say(json!({"do": "speed", "speed": SPEED}));
    first.say(json!({"do": "start"}));
    let began = Instant::now();
    let address = console.address;
    let viewers: Vec<_> = (0..50)
        .map(|_| {
            std::thread::spawn(move || {
                let mut page = Page::connect(address);
                page.say(json!({"do": "join"}));
                while began.elapsed() < Duration::from_secs(60) {
                    page.read();
                    page.frames.clear();
                }
                page
            })
        })
        .collect();
    while began.elapsed() < Duration::from_secs(60) {
        first.read();
        first.frames.clear();
    }
    first.say(json!({"do": "pause"}));
    first.until(|message| message["t"] == "standing" && message["is"] != "running");
    let whole = console.log();
    assert!(whole.lines().count() > 1_000, "{} lines", whole.lines().count());
    for viewer in viewers {
        let mut page = viewer.join().expect("it saw no gap");
        while page.log.len() < whole.len() {
            page.read();
        }
        assert_eq!(page.log, whole);
    }
}

/// A viewer that takes nothing costs the run nothing: it is over as soon as without, and others miss nothing.
#[test]
fn stalled_viewers_cost_nothing() {
    let sandbox = Sandbox::new("stalled");
    let console = Console::start(&sandbox.path("."), &["console", "minefield", "--set", "robots.idle.count=10000"]);
    // They join and never read again; their sockets fill up.
    let mut stalled: Vec<Page> = (0..8).map(|_| console.page()).collect();
    let mut page = console.page();
    page.until_it_is("ready");
    page.say(json!({"do": "speed", "speed": 100}));
    page.say(json!({"do": "start"}));
    page.until_it_is("over");
    let whole = console.log();
    while page.log.len() < whole.len() {
        page.read();
    }
    assert_eq!(page.log, whole);
    // And when they come to themselves, the log is there, whole; frames they have skipped.
    let late = &mut stalled[0];
    while late.log.len() < whole.len() {
        late.read();
    }
    assert_eq!(late.log, whole);
    assert!(late.frames.len() < page.frames.len(), "{} and {} frames", late.frames.len(), page.frames.len());
}

/// Frames of 10,000 robots take 6 bytes a robot.
#[test]
fn frames_are_small() {
    let sandbox = Sandbox::new("small-frames");
    let console = Console::start(&sandbox.path("."), &["console", "minefield", "--set", "robots.idle.count=10000"]);
    let mut page = console.page();
    while page.frames.is_empty() {
        page.read();
    }
    let robots = page.last["run"]["robots"].as_array().expect("robots").len();
    assert!(robots > 10_000);
    assert_eq!(page.frames[0].len(), 16 + 6 * robots);
}
