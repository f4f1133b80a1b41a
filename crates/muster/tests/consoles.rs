//! The console without a browser: the same log as a run that nobody watches, however it is watched; who is let in; what a
//! viewer is told, and what it can ask.

mod command;
mod console;

use command::{Sandbox, transcript};
use console::{Console, Page};
use serde_json::{Value, json};

/// Scenarios of each mechanism, small enough to be watched to their end.
const SHOWN: [&str; 5] = ["minefield", "boxes", "hotspot", "reception", "reception-vonda"];

fn headless(sandbox: &Sandbox, scenario: &str) -> String {
    let output = sandbox.muster(&["run", scenario, "--log", "headless.log"]);
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", transcript(&output));
    sandbox.read_text("headless.log")
}

/// [CARS checks 4, 6, 23 and 26; the "byte for byte"] Fast, slow, paused and stepped, on the page, in the file and
/// without any console: one log.
#[test]
fn the_log_is_that_of_a_run_that_nobody_watches() {
    for scenario in SHOWN {
        let sandbox = Sandbox::new(&format!("same-log-{scenario}"));
        let expected = headless(&sandbox, scenario);
        assert!(expected.lines().count() > 20, "{scenario}: {expected}");
        let console = Console::start(&sandbox.path("."), &["console", scenario, "--log", "watched.log"]);
        let mut page = console.page();
        page.until_it_is("ready");
        for _ in 0..5 {
            page.say(json!({"do": "step"}));
        }
        page.say(json!({"do": "step", "by": "line"}));
        page.until_it_is("paused");
        page.say(json!({"do": "speed", "speed": 0.1}));
        page.say(json!({"do": "start"}));
        page.until_it_is("running");
        page.say(json!({"do": "seek", "at": 0.5}));
        page.until(|message| message["t"] == "moment" && message["live"] == false);
        page.say(json!({"do": "seek", "at": null}));
        page.say(json!({"do": "pause"}));
        page.until_it_is("paused");
        page.say(json!({"do": "goto", "at": 30.0}));
        page.until_it_is("paused");
        page.say(json!({"do": "speed", "speed": 1000}));
        page.say(json!({"do": "start"}));
        page.until(|message| message["t"] == "moment" && message["at"].as_f64() > Some(31.0));
        page.say(json!({"do": "speed", "speed": 0}));
        page.until_it_is("over");
        while page.next < expected.lines().count() as u64 {
            page.read();
        }
        let plots = page.ask(json!({"what": "plots"}));
        assert_eq!(page.log, expected, "{scenario}: on the page");
        assert_eq!(console.log(), expected, "{scenario}: saved from the page");
        assert_eq!(sandbox.read_text("watched.log"), expected, "{scenario}: in the file");
        // What is plotted does not depend on how it was watched either.
        page.say(json!({"do": "init"}));
        page.say(json!({"do": "speed", "speed": 0}));
        page.say(json!({"do": "start"}));
        page.until_it_is("over");
        assert_eq!(page.ask(json!({"what": "plots"})), plots, "{scenario}: over time");
        assert_eq!(console.log(), expected, "{scenario}: once more");
    }
}

/// What Init begins again is the same run, and Start after Stop is refused until then. [CARS checks 2 and 5]
#[test]
fn init_and_stop() {
    let sandbox = Sandbox::new("init-and-stop");
    let console = Console::start(&sandbox.path("."), &["console", "reception"]);
    let mut page = console.page();
    page.until_it_is("ready");
    page.say(json!({"do": "goto", "at": 60.0}));
    page.until_it_is("paused");
    page.say(json!({"do": "stop"}));
    let stopped = page.until_it_is("stopped");
    assert_eq!(stopped["over"], "Stopped after 60 s.");
    let first = console.log();
    assert!(first.ends_with("60.000\tstop\n"), "{first}");
    page.say(json!({"do": "start"}));
    let refused = page.until(|message| message["t"] == "error");
    assert_eq!(
        (&refused["message"], &refused["help"]),
        (&json!("the run was stopped"), &json!("press Init to begin it again"))
    );
    page.say(json!({"do": "init"}));
    page.until_it_is("ready");
    page.say(json!({"do": "goto", "at": 60.0}));
    page.until_it_is("paused");
    page.say(json!({"do": "stop"}));
    page.until_it_is("stopped");
    assert_eq!(console.log(), first);
}

/// The past is shown as it was, whatever comes after: going back and forth gives the same moments.
#[test]
fn the_past_is_what_was() {
    for scenario in ["minefield", "hotspot", "reception"] {
        let sandbox = Sandbox::new(&format!("past-{scenario}"));
        let console = Console::start(&sandbox.path("."), &["console", scenario]);
        let mut page = console.page();
        page.until_it_is("ready");
        page.say(json!({"do": "watch", "robots": [0, 1]}));
        let mut then = Vec::new();
        for at in [10.0, 20.0, 45.0] {
            page.say(json!({"do": "goto", "at": at}));
            then.push(without_arcs(page.until(|it| it["t"] == "moment" && it["at"] == at && it["cards"] != json!([]))));
        }
        page.say(json!({"do": "speed", "speed": 0}));
        page.say(json!({"do": "start"}));
        page.until_it_is("over");
        for index in [2, 0, 1, 2, 1] {
            let at = then[index]["at"].as_f64().unwrap();
            page.say(json!({"do": "seek", "at": at}));
            let seen = page.until(|it| it["t"] == "moment" && it["live"] == false && it["at"] == at);
            assert_eq!(without_arcs(seen), then[index], "{scenario} at {at}");
        }
    }
}

/// A moment without what depends on when it was shown: whether it is the live edge, and messages of the last moments.
fn without_arcs(mut moment: Value) -> Value {
    for key in ["arcs", "marks", "live"] {
        moment.as_object_mut().expect("an object").remove(key);
    }
    moment
}

/// A page that comes back gets the lines that it missed and no others.
#[test]
fn who_comes_back_misses_nothing() {
    let sandbox = Sandbox::new("comes-back");
    let console = Console::start(&sandbox.path("."), &["console", "minefield"]);
    let mut page = console.page();
    let hello = page.until(|message| message["t"] == "hello");
    page.until_it_is("ready");
    page.say(json!({"do": "goto", "at": 60.0}));
    page.until_it_is("paused");
    while page.next == 0 {
        page.read();
    }
    let (run, next, log) = (page.last["run"]["id"].clone(), page.next, page.log.clone());
    drop(page);
    let mut other = console.page();
    other.until_it_is("paused");
    other.say(json!({"do": "goto", "at": 600.0}));
    other.until(|message| message["t"] == "moment" && message["at"] == 600.0);
    let whole = console.log();
    let mut back = Page::connect(console.address);
    back.next = next;
    back.last.insert("run".to_owned(), json!({"id": run}));
    back.log = log;
    back.say(json!({"do": "join", "run": run, "server": hello["server"], "next": next}));
    while back.log.len() < whole.len() {
        back.read();
    }
    assert_eq!(back.log, whole);
    // One that knows another server gets everything.
    let mut stranger = Page::connect(console.address);
    stranger.say(json!({"do": "join", "run": run, "server": "another", "next": next}));
    while stranger.log.len() < whole.len() {
        stranger.read();
    }
    assert_eq!(stranger.log, whole);
}

/// Who is let in, and what goes with every answer.
#[test]
fn only_our_own_page_is_let_in() {
    let sandbox = Sandbox::new("let-in");
    let console = Console::start(&sandbox.path("."), &["console", "minefield"]);
    let answer = console.get("/", &[]);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    for wanted in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "nosniff", "no-referrer"] {
        assert!(answer.contains(wanted), "{wanted}: {answer}");
    }
    assert!(!answer.contains("unsafe-"), "{answer}");
    let own = format!("http://{}", console.address);
    assert!(Page::request(console.address, "/ws", Some(&own)).is_ok());
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "https://localhost"] {
        let refused = Page::request(console.address, "/ws", Some(origin)).err();
        assert!(refused.is_some_and(|why| why.contains("403")), "{origin}");
    }
    assert!(console.get("/", &[("Host", "evil.example")]).starts_with("HTTP/1.1 403"));
    assert!(console.get("/run.log", &[("Origin", "http://evil.example")]).starts_with("HTTP/1.1 403"));
    assert!(console.get("/../Cargo.toml", &[]).starts_with("HTTP/1.1 404"));
    assert!(console.get("/nothing.js", &[]).starts_with("HTTP/1.1 404"));
    // A second time the page is not sent again.
    let tag = answer.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a tag").trim().to_owned();
    assert!(console.get("/", &[("If-None-Match", &tag)]).starts_with("HTTP/1.1 304"));
}

/// Any address but loopback takes a token, which is made up if none is given.
#[test]
fn elsewhere_takes_a_token() {
    let sandbox = Sandbox::new("token");
    let console = Console::start(&sandbox.path("."), &["console", "minefield", "--address", "0.0.0.0"]);
    let token = console.url.split_once("?token=").expect("a token").1.to_owned();
    assert!(token.len() >= 32, "{token}");
    assert!(console.get("/", &[]).starts_with("HTTP/1.1 200"), "the page itself is no secret");
    assert!(console.get("/run.log", &[]).starts_with("HTTP/1.1 401"));
    assert!(console.get("/run.log?token=0123456789abcdef", &[]).starts_with("HTTP/1.1 401"));
    assert!(console.get(&format!("/run.log?token={token}"), &[]).starts_with("HTTP/1.1 200"));
    assert!(Page::request(console.address, "/ws", None).err().is_some_and(|why| why.contains("401")));
    assert!(Page::request(console.address, &format!("/ws?token={token}"), None).is_ok());
}

/// What makes no sense is told and dropped; everything else goes on.
#[test]
fn nonsense_is_told_and_dropped() {
    let sandbox = Sandbox::new("nonsense");
    sandbox.write("broken.toml", "description = 'x'\nwidth_m = -3\n");
    let console = Console::start(&sandbox.path("."), &["console", "minefield"]);
    let mut page = console.page();
    page.until_it_is("ready");
    let refused = |page: &mut Page, message: Value| {
        page.say(message);
        page.until(|message| message["t"] == "error")
    };
    for message in
        [json!([]), json!("start"), json!({"do": "dance"}), json!({"do": "speed", "speed": "x"}), json!({"do": 1})]
    {
        assert_eq!(refused(&mut page, message)["what"], "message");
    }
    let error = refused(&mut page, json!({"do": "load", "scenario": "broken.toml"}));
    assert_eq!(error["message"], "there is no scenario called `broken.toml` here", "a page may not ask for any file");
    let error = refused(&mut page, json!({"do": "load", "scenario": "minefield", "strategy": "prayer"}));
    let expected = "the robots of minefield have no strategy called `prayer`; they have affective, greedy, random";
    assert_eq!(error["message"], expected);
    let error = refused(&mut page, json!({"do": "load", "scenario": "minefield", "seed": "-1"}));
    assert_eq!(error["what"], "seed");
    for message in [
        json!({"do": "speed", "speed": -1e300}),
        json!({"do": "speed", "speed": 1e300}),
        json!({"do": "watch", "robots": (0..5_000).collect::<Vec<u32>>()}),
        json!({"do": "seek", "at": -5}),
        json!({"do": "seek", "at": 1e300}),
        json!({"do": "seek", "at": null}),
    ] {
        page.say(message);
    }
    assert_eq!(page.ask(json!({"what": "task", "task": 99_999}))["messages"], json!([]));
    assert_eq!(page.ask(json!({"what": "robot", "robot": 99_999}))["messages"], json!([]));
    assert_eq!(page.ask(json!({"what": "costs", "task": 0})), Value::Null);
    page.say(json!({"do": "goto", "at": 20.0}));
    page.until(|message| message["t"] == "moment" && message["at"] == 20.0);
}

/// What cannot be opened says why, and what to try.
#[test]
fn what_cannot_be_opened() {
    let sandbox = Sandbox::new("not-opened");
    sandbox.write("broken.toml", "description = 'x'\nwidth_m = -3\n");
    let console = Console::start(&sandbox.path("."), &["console", "minefield"]);
    let port = console.address.port().to_string();
    let fails = |arguments: &[&str], wanted: &[&str]| {
        let output = sandbox.muster(arguments);
        let seen = transcript(&output);
        assert_eq!(output.status.code(), Some(2), "{seen}");
        for wanted in wanted {
            assert!(seen.contains(wanted), "{wanted}: {seen}");
        }
    };
    fails(&["console", "--no-open", "--port", &port], &["is in use", "--port 0"]);
    fails(&["console", "no-such.toml"], &["no-such.toml"]);
    fails(&["console", "broken.toml"], &["broken.toml", "-3"]);
    fails(&["console", "minefield", "--set", "radio.loss=2"], &["radio.loss=2"]);
    fails(&["console", "--no-open", "--address", "192.0.2.1"], &["192.0.2.1", "address of this machine"]);
    fails(&["console", "minefield", "--token", "short"], &["at least 16"]);
    fails(&["console", "minefield", "--log", "nowhere/run.log"], &["there is no folder nowhere"]);
    std::fs::create_dir(sandbox.path("folder.log")).expect("a folder can be made");
    fails(&["console", "minefield", "--no-open", "--log", "folder.log"], &["folder.log"]);
    fails(
        &["console", "minefield", "--no-open", "--port", "0", "--log", "/proc/run.log"],
        &["/proc/run.log", "cannot be written"],
    );
    fails(&["console", "--start"], &["SCENARIO"]);
    fails(&["replay", "gone.mcap"], &["gone.mcap", "cannot be read"]);
}

/// A recording is looked at as it was recorded: its log, its end, and where it was cut off.
#[test]
fn a_recording_is_shown() {
    let sandbox = Sandbox::new("shown-recording");
    for scenario in ["minefield", "boxes", "reception-vonda", "hotspot"] {
        let expected = headless(&sandbox, scenario);
        let output = sandbox.muster(&["run", scenario, "--record", "run.mcap"]);
        assert!(output.status.success(), "{}", transcript(&output));
        let console = Console::start(&sandbox.path("."), &["replay", "run.mcap"]);
        let mut page = console.page();
        let over = page.until_it_is("over");
        assert_eq!(page.last["run"]["source"], "replay");
        assert_eq!(page.last["run"]["replay"]["file"], "run.mcap");
        assert!(over["over"].as_str().is_some_and(|over| !over.contains("another run")), "{over}");
        while page.next < expected.lines().count() as u64 {
            page.read();
        }
        assert_eq!(page.log, expected, "{scenario}");
        page.say(json!({"do": "seek", "at": 30.0}));
        page.until(|message| message["t"] == "moment" && message["at"] == 30.0 && message["live"] == false);
    }
    let whole = sandbox.read("run.mcap");
    sandbox.write_bytes("cut.mcap", &whole[..whole.len() / 2]);
    let console = Console::start(&sandbox.path("."), &["replay", "cut.mcap"]);
    let mut page = console.page();
    let over = page.until_it_is("over");
    assert!(over["over"].as_str().is_some_and(|over| over.contains("The recording ends here")), "{over}");
    assert!(page.last["run"]["replay"]["cut"].is_string());
}

/// A recorded reception is made again with every entry compared: where the two part it ends and says how, where it was cut
/// off it ends, and any moment before can be looked at.
#[test]
fn a_recorded_reception_is_shown_as_far_as_it_holds() {
    let sandbox = Sandbox::new("shown-reception");
    let output = sandbox.muster(&["run", "reception", "--seed", "3", "--record", "run.mcap"]);
    assert!(output.status.success(), "{}", transcript(&output));
    let whole = sandbox.read("run.mcap");
    sandbox.write_bytes("cut.mcap", &whole[..whole.len() / 2]);
    let console = Console::start(&sandbox.path("."), &["replay", "cut.mcap"]);
    let mut page = console.page();
    let over = page.until_it_is("over");
    assert!(over["over"].as_str().is_some_and(|over| over.contains("The recording ends here")), "{over}");
    assert_eq!(page.last["run"]["kind"], "reception");
    assert_eq!(page.last["run"]["replay"]["cut"], "the file ends in the middle");
    page.say(json!({"do": "seek", "at": 30.0}));
    page.until(|message| message["t"] == "moment" && message["at"] == 30.0 && message["live"] == false);
    // Of another seed, by its header: checksums are those of the library that wrote it anew.
    sandbox.write_bytes("other.mcap", &with_seed(&whole, "4"));
    let console = Console::start(&sandbox.path("."), &["replay", "other.mcap"]);
    let over = console.page().until_it_is("over");
    assert!(over["over"].as_str().is_some_and(|over| over.contains("The recording is of another run: at 0")), "{over}");
}

/// The same recording with another seed in its header.
fn with_seed(recording: &[u8], seed: &str) -> Vec<u8> {
    let mut written = std::io::Cursor::new(Vec::new());
    let mut writer = mcap::Writer::new(&mut written).expect("memory");
    for record in mcap::read::LinearReader::new(recording).expect("MCAP") {
        if let mcap::records::Record::Metadata(mut found) = record.expect("whole") {
            found.metadata.insert("seed".to_owned(), seed.to_owned());
            muster_journal::seal(&mut found.metadata);
            writer.write_metadata(&found).expect("memory");
        }
    }
    for message in mcap::MessageStream::new(recording).expect("MCAP") {
        writer.write(&message.expect("whole")).expect("memory");
    }
    writer.finish().expect("memory");
    drop(writer);
    written.into_inner()
}

/// From the page alone: who was chosen, among whom, and who kept silent.
#[test]
fn an_award_is_explained() {
    let sandbox = Sandbox::new("explained-award");
    let console = Console::start(&sandbox.path("."), &["console", "minefield"]);
    let mut page = console.page();
    page.until_it_is("ready");
    page.say(json!({"do": "speed", "speed": 0}));
    page.say(json!({"do": "start"}));
    page.until_it_is("over");
    let story = page.ask(json!({"what": "task", "task": 0}));
    let award = &story["awards"][0];
    assert_eq!(award["offers"][0]["chosen"], true);
    assert!(award["offers"][0]["value"].as_f64().is_some_and(|eta| eta > 0.0), "{award}");
    assert!(award["text"].as_str().is_some_and(|text| text.starts_with("chooses idle-")), "{award}");
    let silent = award["silent"].as_array().expect("some kept silent");
    let unashamed = silent.iter().filter(|it| it["why"] == "unashamed");
    assert!(unashamed.clone().count() > 3, "{award}");
    assert!(unashamed.clone().all(|it| it["value"].as_f64().is_some_and(|weighed| weighed <= 0.75)), "{award}");
    let kinds: Vec<&str> = story["messages"].as_array().unwrap().iter().filter_map(|it| it["kind"].as_str()).collect();
    for kind in ["HELP", "ACCEPT", "RESPONDER", "ARRIVAL"] {
        assert!(kinds.contains(&kind), "{kind} in {kinds:?}");
    }
    let marks = story["marks"].as_array().expect("some ignored it");
    assert!(marks.iter().any(|mark| mark["why"].as_str().is_some_and(|why| why.contains("<= 0.75"))));
    // The line of the award is the one that it names.
    let line = award["line"].as_u64().unwrap() as usize;
    assert!(console.log().lines().nth(line).is_some_and(|it| it.contains(award["text"].as_str().unwrap())));
    let plots = page.ask(json!({"what": "plots"}));
    assert!(plots["groups"].as_array().is_some_and(|groups| groups.iter().any(|group| group["name"] == "SHAME")));
}

/// The bids of an auction: who could have done it when, on which heading, at which cost, and what was chosen.
#[test]
fn bids_can_be_inspected() {
    let sandbox = Sandbox::new("inspected-bids");
    let console = Console::start(&sandbox.path("."), &["console", "hotspot"]);
    let mut page = console.page();
    page.until_it_is("ready");
    assert_eq!(page.ask(json!({"what": "costs", "task": 0})), Value::Null, "nothing was auctioned yet");
    page.say(json!({"do": "speed", "speed": 0}));
    page.say(json!({"do": "start"}));
    page.until_it_is("over");
    let costs = page.ask(json!({"what": "costs", "task": 0}));
    let (time, heading) = (&costs["chosen"]["time"], &costs["chosen"]["heading"]);
    let (time, heading) = (time.as_u64().expect("a sample") as usize, heading.as_u64().expect("a sample") as usize);
    let bids = costs["bids"].as_array().expect("bids");
    let winner = bids.iter().find(|bid| bid["robot"] == costs["chosen"]["robot"]).expect("the winner has bid");
    assert_eq!(winner["cost"][time][heading], costs["chosen"]["cost"]);
    assert_eq!(winner["cost"].as_array().map(Vec::len), costs["times"].as_array().map(Vec::len));
    let story = page.ask(json!({"what": "task", "task": 0}));
    assert_eq!(story["awards"][0]["chosen"], costs["chosen"]["robot"]);
    assert!(story["awards"][0]["offers"].as_array().is_some_and(|offers| offers.len() >= 2), "{story}");
}

/// Panels are the robots' own: three robots, three panels, each with emotion, behaviour and its variables. [CARS checks
/// 19, 20 and 64]
#[test]
fn panels_are_the_robots_own() {
    let sandbox = Sandbox::new("own-panels");
    let console = Console::start(&sandbox.path("."), &["console", "reception-vonda"]);
    let mut page = console.page();
    page.until_it_is("ready");
    page.say(json!({"do": "watch", "robots": [0, 1, 2]}));
    let moment = page.until(|it| it["t"] == "moment" && it["cards"].as_array().is_some_and(|cards| cards.len() == 3));
    let names: Vec<&str> =
        moment["cards"].as_array().unwrap().iter().filter_map(|card| card["name"].as_str()).collect();
    assert_eq!(names, ["Butler", "Leguin", "Vonda"]);
    let labels = |card: &Value| -> Vec<String> {
        card["fields"].as_array().unwrap().iter().map(|field| field["label"].as_str().unwrap().to_owned()).collect()
    };
    assert_ne!(labels(&moment["cards"][0]), labels(&moment["cards"][1]), "a waiter shows other things than a refiller");
    assert_eq!(labels(&moment["cards"][1]), labels(&moment["cards"][2]));
    for card in moment["cards"].as_array().unwrap() {
        assert_eq!(card["fields"][0]["kind"], "emotion", "{card}");
        assert!(card["fields"][0]["chain"].as_str().is_some_and(|chain| chain.ends_with('.')), "{card}");
        assert_eq!(card["fields"][1]["kind"], "state", "{card}");
    }
    page.say(json!({"do": "goto", "at": 600.0}));
    let later = page.until(|it| it["t"] == "moment" && it["at"] == 600.0);
    assert_ne!(later["cards"][0]["fields"], moment["cards"][0]["fields"], "and they change");
}

/// What was open when somebody pressed Stop is still open, and pressing it twice changes nothing.
#[test]
fn stop_loses_no_tasks() {
    let sandbox = Sandbox::new("stopped-tasks");
    let console = Console::start(&sandbox.path("."), &["console", "minefield"]);
    let mut page = console.page();
    page.until_it_is("ready");
    page.say(json!({"do": "goto", "at": 30.0}));
    page.until_it_is("paused");
    page.say(json!({"do": "stop"}));
    page.say(json!({"do": "stop"}));
    page.settle();
    let moment = &page.last["moment"];
    assert_eq!(moment["at"], 30.0);
    assert_eq!((&moment["counts"]["open"], &moment["counts"]["gone"]), (&json!(1), &json!(0)));
    assert_eq!(page.last["standing"]["is"], "stopped");
}

/// Speed is a setting of the console: it outlasts Init and another scenario.
#[test]
fn speed_is_kept() {
    let sandbox = Sandbox::new("kept-speed");
    let console = Console::start(&sandbox.path("."), &["console", "minefield"]);
    let mut page = console.page();
    page.until_it_is("ready");
    page.say(json!({"do": "speed", "speed": 25}));
    page.until(|message| message["t"] == "standing" && message["speed"] == 25.0);
    page.say(json!({"do": "load", "scenario": "boxes", "seed": "3", "strategy": "iii"}));
    page.until(|message| message["t"] == "run" && message["scenario"] == "boxes");
    assert_eq!(page.until_it_is("ready")["speed"], 25.0);
}

/// One that asks without end gets answers to some of it, and stops nobody: others are answered, and the server ends when it
/// is told to.
#[test]
fn a_flood_of_questions_stops_nobody() {
    let sandbox = Sandbox::new("flood");
    let mut console = Console::start(&sandbox.path("."), &["console", "patrol", "--start"]);
    let mut flooder = console.page();
    for id in 0..20_000 {
        flooder.say(json!({"do": "ask", "id": id, "what": "robot", "robot": 0}));
        if id % 100 == 0 {
            flooder.read();
        }
    }
    let mut page = console.page();
    page.until_it_is("running");
    assert_eq!(page.ask(json!({"what": "ping"})), Value::Null);
    assert!(console.ends_when_told_to(), "it did not end");
}

/// Any loopback address answers to the address that it prints.
#[test]
fn other_loopback_addresses() {
    let sandbox = Sandbox::new("other-loopback");
    let console = Console::start(&sandbox.path("."), &["console", "--address", "127.0.0.2"]);
    assert_eq!(console.address.ip().to_string(), "127.0.0.2");
    assert!(console.get("/", &[]).starts_with("HTTP/1.1 200"));
    let own = format!("http://{}", console.address);
    assert!(Page::request(console.address, "/ws", Some(&own)).is_ok());
}

/// Connections that ask for nothing, or never finish asking, keep nobody out and are closed.
#[test]
fn idle_connections_keep_nobody_out() {
    use std::io::{ErrorKind, Read, Write};
    let sandbox = Sandbox::new("idle-connections");
    let console = Console::start(&sandbox.path("."), &["console", "minefield"]);
    let mut idle: Vec<std::net::TcpStream> = (0..300)
        .map(|number| {
            let mut stream = std::net::TcpStream::connect(console.address).expect("it listens");
            if number % 2 == 0 {
                stream.write_all(b"GET / HTTP/1.1\r\nHost: ").expect("it is open");
            }
            stream.set_nonblocking(true).expect("a socket");
            stream
        })
        .collect();
    assert!(console.get("/", &[]).starts_with("HTTP/1.1 200"), "others get the page");
    let mut page = console.page();
    page.until_it_is("ready");
    assert_eq!(page.ask(json!({"what": "ping"})), Value::Null);
    let mut open = || {
        let is_open = |stream: &mut std::net::TcpStream| loop {
            match stream.read(&mut [0; 256]) {
                Ok(0) => return false,
                Ok(_) => {}
                Err(error) => return error.kind() == ErrorKind::WouldBlock,
            }
        };
        idle.retain_mut(is_open);
        idle.len()
    };
    assert!(open() < 200, "the oldest made room");
    let began = std::time::Instant::now();
    while open() > 0 {
        assert!(began.elapsed().as_secs() < 40, "{} are still open", open());
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    assert_eq!(page.ask(json!({"what": "ping"})), Value::Null, "a viewer stays, however little it says");
}

/// Questions for bids start no work that outlives a viewer, and bids of the first auctions of a long run are remembered.
#[cfg(target_os = "linux")]
#[test]
fn questions_end_with_those_who_asked() {
    let sandbox = Sandbox::new("left-questions");
    let many = ["--set", "tasks.look.order.count=600", "--set", "tasks.look.order.every_s=2"];
    let console = Console::start(&sandbox.path("."), &[&["console", "patrol"][..], &many].concat());
    let mut first = console.page();
    first.until_it_is("ready");
    let before = console.threads();
    first.say(json!({"do": "goto", "at": 1_300}));
    first.until_it_is("paused");
    for _ in 0..40 {
        let mut page = console.page();
        for id in 0..8 {
            page.say(json!({"do": "ask", "id": id, "what": "costs", "task": id % 3}));
        }
        page.until(|message| message["t"] == "standing");
    }
    assert!(console.threads() <= before + 2, "{} threads, {before} before", console.threads());
    let began = std::time::Instant::now();
    assert_eq!(first.ask(json!({"what": "ping"})), Value::Null);
    let costs = first.ask(json!({"what": "costs", "task": 0}));
    assert!(costs["bids"].is_array(), "{costs}");
    assert!(began.elapsed().as_secs() < 30, "{:?}", began.elapsed());
}
