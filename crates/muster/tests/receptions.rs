//! Receptions and scripts as a person runs them: the tutorial word for word, what is printed, and what a mistake looks like.

mod command;

use command::{Sandbox, transcript};

/// The blocks of a page, each with the word after its fence.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (&mut open, line.trim_start().strip_prefix("```")) {
            (None, Some(word)) => open = Some((word.to_owned(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some((_, text)), None) => *text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    blocks
}

/// docs/own-robot.md, done as it says.
#[test]
fn the_tutorial_does_what_it_says() {
    let page = include_str!("../../../docs/own-robot.md");
    let blocks = blocks(page);
    let of =
        |word: &str| blocks.iter().filter(|(kind, _)| kind == word).map(|(_, text)| text.as_str()).collect::<Vec<_>>();
    let sandbox = Sandbox::new("tutorial");
    let [get, run] = of("console")[..] else { panic!("two commands") };
    let [robot] = of("rhai")[..] else { panic!("one file") };
    let [line, table] = of("toml")[..] else { panic!("one line, and a table for later") };
    let [shown, logged] = of("text")[..] else { panic!("what comes of it") };
    assert_eq!(line.lines().count(), 1);

    assert_eq!(get, "$ muster scenarios show reception > party.toml\n");
    let party = sandbox.muster(&["scenarios", "show", "reception"]);
    sandbox.write("photographer.rhai", robot);
    let party = String::from_utf8(party.stdout).unwrap();
    sandbox.write("party.toml", &format!("{party}{line}"));

    let words: Vec<&str> = run.trim().split(' ').skip(2).collect();
    let output = sandbox.muster(&words);
    assert_eq!(output.status.code(), Some(0), "{}", transcript(&output));
    let printed = String::from_utf8(output.stdout).unwrap();
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(plain(&printed).contains(&plain(shown)), "{printed}");
    let log = sandbox.read_text("party.log");
    assert!(log.contains(logged.trim()), "{log}");
    assert!(log.contains("emotion\tphotographer\tCURIOUS\tBORED\tno picture for 61 s"), "{log}");

    // What else: the line becomes a table.
    let indented: String = table.lines().map(|line| format!("{}\n", line.trim_start())).collect();
    sandbox.write("party.toml", &format!("{party}{indented}"));
    let output = sandbox.muster(&["run", "party.toml", "--set", "reception.robots.Weegee.settings.near_ft=12"]);
    assert_eq!(output.status.code(), Some(0), "{}", transcript(&output));
    assert!(String::from_utf8(output.stdout).unwrap().contains("Weegee"));
}

/// Robots in Rust and robots in scripts are the same robots.
#[test]
fn scripts_write_the_log_that_rust_does() {
    let sandbox = Sandbox::new("same-log");
    let classes = |class: &str, to: &str| format!("reception.robots.{class}.class={to}");
    for seed in ["1", "8"] {
        let run = |log: &str, changes: &[String]| {
            let mut words = vec!["run", "reception-vonda", "--seed", seed, "--log", log];
            changes.iter().for_each(|change| words.extend(["--set", change]));
            let output = sandbox.muster(&words);
            assert_eq!(output.status.code(), Some(0), "{}", transcript(&output));
            sandbox.read_text(log)
        };
        let rust = run("rust.log", &[]);
        let scripts =
            [classes("Butler", "butler.rhai"), classes("Leguin", "leguin.rhai"), classes("Vonda", "vonda.rhai")];
        assert_eq!(run("script.log", &scripts), rust);
        assert!(rust.lines().count() > 300);
    }
}

/// Check 30: the paper's way to list robots.
#[test]
fn robots_are_listed_in_a_config_of_cars() {
    let sandbox = Sandbox::new("cars-config");
    sandbox.write("party.toml", "[reception]\nconfig = \"CARSConfig.txt\"\nobstacles_ft = [[25, 3]]\n");
    sandbox.write("CARSConfig.txt", "# Who takes part.\nButler\nLeguin\n");
    let log = |name: &str, scenario: &str| {
        let output = sandbox.muster(&["run", scenario, "--log", name]);
        assert_eq!(output.status.code(), Some(0), "{}", transcript(&output));
        sandbox.read_text(name)
    };
    assert_eq!(log("listed.log", "party.toml"), log("built-in.log", "reception"));
    sandbox.write("CARSConfig.txt", "Butler\nleguin.rhai\nVonda\n");
    assert!(log("three.log", "party.toml").contains("robot\tVonda\t31,6\tHAPPY\tWAIT"));

    let mistake = |name: &str, config: &str| {
        sandbox.write("CARSConfig.txt", config);
        insta::assert_snapshot!(name, transcript(&sandbox.muster(&["run", "party.toml"])));
    };
    mistake("config-empty", "# nobody\n");
    mistake("config-unknown-class", "Butler\nLeguinn\n");
    mistake("config-twins", "Butler\nButler\n");
    mistake("config-no-such-script", "Butler\nbutlar.rhai\n");
    sandbox.write("lacking.rhai", "fn init_robot() {}\nfn get_name() { \"Half\" }\n");
    mistake("config-lacking-functions", "lacking.rhai\n");
    sandbox.write("broken.rhai", "fn init_robot() {\n    this.a = 3 +;\n}\n");
    mistake("config-broken-script", "broken.rhai\n");
}

/// A script that fails in the middle of a run stops its robot, and nobody else.
#[test]
fn a_failing_script_stops_its_robot_only() {
    let sandbox = Sandbox::new("failing-script");
    let butler = include_str!("../../../robots/butler.rhai");
    let faults = [
        ("endless-loop", "loop { }"),
        ("endless-recursion", "this.update_state_variables(t);"),
        ("growing-list", "let list = []; loop { list.push(list.len()); }"),
        ("no-such-variable", "this.treets -= 1;"),
    ];
    for (name, fault) in faults {
        let head = "fn update_state_variables(t) {\n";
        assert!(butler.contains(head));
        let broken = butler.replace(head, &format!("{head}    if t >= 100.0 {{ {fault} }}\n"));
        sandbox.write("broken.rhai", &broken);
        let words = ["run", "reception", "--set", "reception.robots.Butler.class=broken.rhai", "--log", "run.log"];
        let output = sandbox.muster(&words);
        assert_eq!(output.status.code(), Some(1), "{}", transcript(&output));
        let log = sandbox.read_text("run.log");
        let failed: Vec<&str> = log.lines().filter(|line| line.contains("it stops here, others go on")).collect();
        assert_eq!(failed.len(), 1, "{log}");
        assert!(log.contains("behavior\tButler\t") && log.contains("\tSTOPPED"), "{log}");
        assert!(log.ends_with("1800.000\tstop\n"), "{log}");
        insta::assert_snapshot!(name, failed[0].replace('\t', "  "));
    }
}

#[test]
fn what_is_printed() {
    let sandbox = Sandbox::new("reception-printed");
    insta::assert_snapshot!("reception", transcript(&sandbox.muster(&["run", "reception", "--seed", "3"])));
    let many = ["run", "reception", "--runs", "3", "--set", "radio.loss=0.2", "--set", "limit_s=300"];
    insta::assert_snapshot!("receptions", transcript(&sandbox.muster(&many)));
}

#[test]
fn mistakes() {
    let sandbox = Sandbox::new("reception-mistakes");
    let party = "[reception]\nobstacles_ft = [[25, 3]]\n\n[reception.guests]\ncount = 100\nspeed_fps = [0, 1, 3]\n\n\
                 [reception.robots.Butler]\nplace_ft = [25, 25]\nsettings = { caution = 0.5 }\n\n[reception.robots.Leguin]\n";
    let mistake = |name: &str, from: &str, to: &str| {
        assert!(party.contains(from), "{from}");
        sandbox.write("party.toml", &party.replace(from, to));
        insta::assert_snapshot!(name, transcript(&sandbox.muster(&["run", "party.toml"])));
    };
    mistake("party-unknown-setting", "caution = 0.5", "cautoin = 0.5");
    mistake("party-caution", "caution = 0.5", "caution = 1.5");
    mistake("party-setting-type", "caution = 0.5", "treats = \"many\"");
    mistake("party-no-treats", "caution = 0.5", "treats = 0");
    mistake("party-named", "caution = 0.5", "name = \"Jeeves\"");
    mistake("party-triangle", "[0, 1, 3]", "[0, 4, 3]");
    mistake("party-two-numbers", "[0, 1, 3]", "[0, 3]");
    mistake("party-full", "count = 100", "count = 700");
    mistake("party-taken", "[25, 25]", "[25, 4]");
    mistake("party-outside", "[25, 25]", "[25, 49.5]");
    mistake("party-unknown-class", "[reception.robots.Leguin]", "[reception.robots.Lequin]");
    mistake("party-unknown-key", "obstacles_ft", "obstacle_ft");
    mistake("party-no-robots", party.split_once("[reception.robots").unwrap().1, "x]\n");
    mistake("party-no-emotions", "[[25, 3]]\n", "[[25, 3]]\nemotions = \"missing.toml\"\n");
    sandbox.write("feelings.toml", "format = \"muster-emotions-1\"\n\n[scales.service]\nlevels = [\"HAPPY\", \"CONFIDENT\", \"CONCERNED\", \"FRUSTATED\"]\n");
    mistake("party-misspelt-emotion", "[[25, 3]]\n", "[[25, 3]]\nemotions = \"feelings.toml\"\n");

    let bad = |name: &str, words: &[&str]| insta::assert_snapshot!(name, transcript(&sandbox.muster(words)));
    bad("reception-trained", &["train", "reception"]);
    bad("reception-log-folder", &["run", "reception", "--log", "missing/run.log"]);
}

/// A user's table of emotions: a file that changes when Butler gets concerned changes what Butler does.
#[test]
fn emotions_of_ones_own() {
    let sandbox = Sandbox::new("own-emotions");
    let table = include_str!("../../muster-sim/data/emotions.toml");
    assert!(table.contains("thresholds"), "a scale has thresholds");
    sandbox.write(
        "party.toml",
        "[reception]\nemotions = \"calm.toml\"\n[reception.robots.Butler]\n[reception.robots.Leguin]\n",
    );
    sandbox.write("calm.toml", "format = \"muster-emotions-1\"\n");
    let run = || {
        let output = sandbox.muster(&["run", "party.toml", "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", transcript(&output));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    let share = |document: &serde_json::Value, emotion: &str| {
        let emotions = document["runs"][0]["outcome"][0]["emotions"].as_array().unwrap().clone();
        emotions.iter().find(|it| it["name"] == emotion).map_or(0.0, |it| it["share"].as_f64().unwrap())
    };
    let usual = run();
    assert!(share(&usual, "CONCERNED") > 0.0);
    let scale =
        table.lines().skip_while(|line| !line.starts_with("[scales.")).take_while(|line| !line.trim().is_empty());
    let calm: String = scale
        .map(|line| {
            if line.starts_with("thresholds") {
                "thresholds = [0.5, 50.0, 100.0]\n".to_owned()
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    sandbox.write("calm.toml", &format!("format = \"muster-emotions-1\"\n\n{calm}"));
    assert_ne!(share(&run(), "CONCERNED"), share(&usual, "CONCERNED"));
}

/// A script says when robots answer and whom they choose: a fourth strategy beside the paper's three, recorded with its
/// text.
#[test]
fn recruitment_by_a_script() {
    const OWN: [&str; 4] = ["--set", "recruitment.script=patient.rhai", "--set", "recruitment.strategy=script"];
    let sandbox = Sandbox::new("policy-script");
    let run = |words: &[&str]| {
        let output = sandbox.muster(words);
        assert_eq!(output.status.code(), Some(0), "{}", transcript(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    // The affective strategy, written as a script, is the affective strategy.
    let json =
        run(&["run", "minefield", "--set", "recruitment.script=affective.rhai", "--set", "radio.loss=0.2", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    let runs = document["runs"].as_array().unwrap();
    assert_eq!(
        runs.iter().map(|run| run["strategy"].as_str().unwrap()).collect::<Vec<_>>(),
        ["affective", "greedy", "random", "script"]
    );
    assert_eq!(runs[0]["outcome"], runs[3]["outcome"]);
    assert_eq!(runs[0]["messages"], runs[3]["messages"]);

    // A script of one's own, beside the scenario; the recording needs the file no longer.
    sandbox.write("patient.rhai", "fn answers(help) {\n    help.round >= 4\n}\n");
    let printed = run(&["run", "minefield", OWN[0], OWN[1], OWN[2], OWN[3], "--record", "run.mcap"]);
    assert!(printed.contains("\nscript\n"), "{printed}");
    std::fs::remove_file(sandbox.path("patient.rhai")).unwrap();
    run(&["replay", "run.mcap", "--verify"]);

    let mistake = |name: &str, text: &str| {
        sandbox.write("patient.rhai", text);
        insta::assert_snapshot!(
            name,
            transcript(&sandbox.muster(&["run", "minefield", OWN[0], OWN[1], OWN[2], OWN[3]]))
        );
    };
    mistake("policy-neither", "fn decides(help) { true }\n");
    mistake("policy-broken", "fn answers(help) {\n    help.round >=\n}\n");
    let bad = |name: &str, words: &[&str]| insta::assert_snapshot!(name, transcript(&sandbox.muster(words)));
    bad("policy-missing", &["run", "minefield", "--set", "recruitment.script=affectiv.rhai"]);
    bad("policy-none", &["run", "minefield", "--set", "recruitment.strategy=script"]);

    // One that fails leaves the decision to the paper's policy, and says so.
    sandbox.write("patient.rhai", "fn answers(help) {\n    help.round / 0 > 1\n}\n");
    let output = sandbox.muster(&["run", "minefield", OWN[0], OWN[1], OWN[2], OWN[3], "--explain"]);
    assert_eq!(output.status.code(), Some(1), "{}", transcript(&output));
    let explained = String::from_utf8(output.stdout).unwrap();
    assert!(explained.contains("line 2"), "{explained}");
    assert!(explained.contains("The script failed, in 1 run: patient.rhai:2: no decision"), "{explained}");
    for (text, why) in [
        ("fn answers(help) { loop {} }", "patient.rhai:1: no decision (more than 50000 operations in one call)"),
        ("fn answers(help) { 1 }", "patient.rhai:1: no decision (answers gives 1 (of type i64))"),
        (
            "fn r(x) { r(x) } fn answers(help) { r(1) }",
            "patient.rhai:1: no decision (functions call each other more than",
        ),
    ] {
        sandbox.write("patient.rhai", text);
        let output = sandbox.muster(&["run", "minefield", OWN[0], OWN[1], OWN[2], OWN[3]]);
        let told = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains(why), "{told}");
    }
}

/// A reception as a recording: made, looked into, verified, explained; each change of emotion is a value in JSON.
#[test]
fn a_reception_is_recorded_and_explained() {
    let sandbox = Sandbox::new("recorded-reception");
    let json = |words: &[&str]| -> serde_json::Value {
        let output = sandbox.muster(&[words, &["--json"]].concat());
        assert!(output.status.success(), "{}", transcript(&output));
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let made = json(&["run", "reception", "--record", "run.mcap", "--log", "run.log"]);
    assert_eq!((&made["recording"]["path"], &made["recording"]["broken_off"]), (&"run.mcap".into(), &false.into()));
    let about = json(&["replay", "run.mcap"]);
    assert_eq!((&about["recording"]["kind"], &about["recording"]["end_s"]), (&"reception".into(), &1800.0.into()));
    assert_eq!((&about["seed"], &about["verified"]), (&1.into(), &serde_json::Value::Null));
    let verified = json(&["replay", "run.mcap", "--verify"]);
    assert_eq!(verified["verified"]["entries"], made["recording"]["entries"]);
    assert!(verified["verified"]["failure"].is_null());

    let told = json(&["explain", "run.mcap"]);
    let lines = told["lines"].as_array().expect("lines");
    let log = sandbox.read_text("run.log");
    assert_eq!(lines.len(), log.lines().count(), "a line each");
    for (line, logged) in lines.iter().zip(log.lines()) {
        let columns: Vec<&str> = logged.split('\t').collect();
        assert_eq!(line["kind"], columns[1], "{logged}");
        let text = line["text"].as_str().expect("a sentence");
        let changes = matches!(columns[1], "emotion" | "level");
        assert_eq!(line["change"].is_object(), changes, "{line}");
        if changes {
            assert!(text.ends_with(columns.last().expect("the reason")), "one wording: {text} and {logged}");
            let change = &line["change"];
            assert!(change["rule"].is_object() || change["rule"].is_string(), "{line}");
            assert!(change["input"].is_object() && change["chain"].as_str().is_some_and(|it| !it.is_empty()), "{line}");
            assert_eq!(change["new"]["name"], columns[if columns[1] == "emotion" { 4 } else { 3 }]);
        }
        if columns[1] == "level" {
            assert_eq!(text.matches(columns[5]).count(), 1, "once: {text}");
        }
        // The shape that explanations of missions have.
        assert!(line.get("author").is_some_and(serde_json::Value::is_null), "{line}");
    }
    assert_eq!((&told["awards"], &told["nobody"]), (&serde_json::json!([]), &serde_json::json!([])));
    let ran = json(&["run", "reception", "--explain"]);
    for key in ["lines", "awards", "nobody"] {
        assert_eq!(ran["explained"][key], told[key], "{key}: without a recording it is explained as with one");
    }
    assert_eq!(ran["log"].as_array().map(Vec::len), Some(lines.len()), "the log as it was");
    let narrowed = json(&["explain", "run.mcap", "--robot", "Leguin", "--at", "30..90"]);
    let narrowed = narrowed["lines"].as_array().expect("lines");
    assert!(!narrowed.is_empty() && narrowed.len() < lines.len());
    let of_leguin = |line: &serde_json::Value| line["robot"] == "Leguin" || line["other"] == "Leguin";
    assert!(narrowed.iter().all(|line| of_leguin(line) && (30.0..=90.0).contains(&line["at_s"].as_f64().unwrap())));

    let sees = |name: &str, words: &[&str]| insta::assert_snapshot!(name, transcript(&sandbox.muster(words)));
    sees("reception-run-record", &["run", "reception", "--record", "run.mcap"]);
    sees("reception-replay-about", &["replay", "run.mcap", "--about"]);
    sees("reception-replay-verify", &["replay", "run.mcap", "--verify"]);
    sees("reception-replay-interventions", &["replay", "run.mcap", "--interventions"]);
    sees("reception-explain", &["explain", "run.mcap", "--robot", "Butler", "--at", "30..60"]);
    sees("reception-explain-task", &["explain", "run.mcap", "--task", "tray"]);
    sees("reception-explain-nobody", &["explain", "run.mcap", "--robot", "Battler"]);
    let printed = |words: &[&str]| String::from_utf8(sandbox.muster(words).stdout).expect("a text");
    let explained = printed(&["explain", "run.mcap"]);
    assert!(printed(&["run", "reception", "--explain"]).contains(&explained), "the same words as with a recording");
    let whole = sandbox.read("run.mcap");
    // Far enough for the header, not for anything that happened.
    let empty = (4096..whole.len()).step_by(64).find_map(|length| {
        sandbox.write_bytes("empty.mcap", &whole[..length]);
        let output = sandbox.muster(&["explain", "empty.mcap"]);
        (output.status.code() != Some(2)).then_some(output)
    });
    let empty = empty.expect("its header can be read");
    assert_eq!(
        transcript(&empty),
        "exit code 0\n--- out\nNothing was recorded.\nThe recording ends here: the file ends in the middle.\n--- err\n"
    );
    sandbox.write_bytes("cut.mcap", &whole[..whole.len() / 2]);
    let cut = sandbox.muster(&["replay", "cut.mcap", "--verify"]);
    let told = String::from_utf8_lossy(&cut.stdout).into_owned();
    assert!(cut.status.success() && told.contains("read as far as it is whole: the file ends in the middle"), "{told}");
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    sandbox.write_bytes("damaged.mcap", &damaged);
    let refused = sandbox.muster(&["replay", "damaged.mcap", "--verify"]);
    let told = String::from_utf8_lossy(&refused.stdout).into_owned();
    assert!(refused.status.code() == Some(1) && told.contains("Does not verify: damaged.mcap is damaged"), "{told}");
}

/// A reception of a soak that is made again is told, as missions are.
#[test]
fn a_replayed_soak_of_a_reception_prints_its_log() {
    let sandbox = Sandbox::new("soaked-reception");
    let words = ["soak", "reception", "--replay", "1"];
    let told = String::from_utf8(sandbox.muster(&words).stdout).expect("a text");
    assert!(told.contains("0.000\tinit\tseed=1\t") && told.contains("\tbehavior\t"), "{told}");
    let output = sandbox.muster(&[&words[..], &["--json"]].concat());
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(document["notes"].as_array().is_some_and(|notes| notes.len() > 10), "{document}");
}

/// Whatever a name or a text of a robot holds, it cannot move the cursor, begin a line, or look like what the program says.
#[cfg(target_os = "linux")]
#[test]
fn names_at_a_reception_are_shown_not_obeyed() {
    let sandbox = Sandbox::new("control-characters-reception");
    let head = "fn update_state_variables(t) {\n";
    let butler = include_str!("../../../robots/butler.rhai");
    assert!(butler.contains(head));
    let says = "    if t == 3.0 { note(\"\\x1b[32mgreen\\nVerified: yes\"); }\n";
    sandbox.write("says.rhai", &butler.replace(head, &format!("{head}{says}")));
    let robots = "[reception]\n[reception.robots.\"\\u001b[31mred\\nVerified: all\"]\nclass = \"says.rhai\"\n\
                  [reception.robots.Leguin]\n";
    let file = "odd\u{1b}[33m.toml";
    sandbox.write(file, robots);
    let run = ["run", file, "--set", "limit_s=60", "--record", "odd.mcap", "--explain"];
    for (words, shown) in [
        (&run[..], "\\u{1b}[31mred\\nVerified: all"),
        (&["explain", "odd.mcap"], "\\u{1b}[31mred\\nVerified: all"),
        (&["explain", "odd.mcap", "--at", "3"], "\\u{1b}[32mgreen\\nVerified: yes"),
        (&["explain", "odd.mcap", "--robot", "x"], "\\u{1b}[31mred\\nVerified: all"),
        (&["explain", "odd.mcap", "--task", "x"], "odd\\u{1b}[33m"),
        (&["replay", "odd.mcap", "--about"], "odd\\u{1b}[33m"),
    ] {
        let told = transcript(&sandbox.muster(words));
        assert!(!told.contains('\u{1b}') && !told.contains("\nVerified"), "{words:?}: {told}");
        assert!(told.contains(shown), "{words:?}: {told}");
    }
}

/// Ctrl-C while a reception is recorded: told, exit code 2, and what was recorded is whole.
#[cfg(target_os = "linux")]
#[test]
fn a_recording_of_a_reception_that_is_broken_off() {
    use std::process::{Command, Stdio};
    let sandbox = Sandbox::new("interrupted-reception");
    // Nobody is in the way, so it is run in a second, and takes several to record.
    let child = Command::new(env!("CARGO_BIN_EXE_muster"))
        .args(["run", "reception", "--record", "run.mcap", "--set", "limit_s=200000"])
        .args(["--set", "reception.guests.count=0"])
        .current_dir(sandbox.path("."))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be run");
    let began = std::time::Instant::now();
    while !sandbox.path("run.mcap").exists() && began.elapsed().as_secs() < 120 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().expect("it ends");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{out}");
    assert!(out.contains("Broken off") && out.contains("up to where it was broken off"), "{out}");
    let verified = sandbox.muster(&["replay", "run.mcap", "--verify"]);
    let out = String::from_utf8_lossy(&verified.stdout);
    assert_eq!(verified.status.code(), Some(0), "{out}");
    assert!(out.contains("the run was broken off"), "{out}");
}
