//! Figures of `run` and `reproduce` that stay as they are: every key that a file in `golden/` has is there, with its value.
//!
//! Keys may be added. An issue that means to change a figure says so, and its commit accepts the change with
//! `UPDATE_GOLDEN=1 cargo test -p muster --test golden` and shows the difference.

mod command;

use std::path::PathBuf;

use command::Sandbox;
use muster_sim::scenario::BUILT_IN;
use serde_json::{Map, Value};

/// How a figure is changed on purpose.
const UPDATE: &str = "UPDATE_GOLDEN";

/// Each scenario as it is, run by every strategy that it compares; then the strategies, configurations and variants that it
/// does not, and radios that lose messages, which takes protocols to the branches that they have for it.
const RUNS: [(&str, &[&str]); 21] = [
    ("boxes", &["boxes"]),
    ("cleanup", &["cleanup"]),
    ("cleanup-i", &["cleanup", "--set", "alliance.strategy=i"]),
    ("cleanup-ii", &["cleanup", "--set", "alliance.strategy=ii"]),
    ("cleanup-iii", &["cleanup", "--set", "alliance.strategy=iii"]),
    ("cleanup-loss", &["cleanup", "--set", "radio.loss=0.3"]),
    ("hotspot", &["hotspot"]),
    ("hotspot-crossing", &["hotspot-crossing"]),
    ("hotspot-drawn-loss", &["hotspot", "--set", "tasking.variant=drawn", "--set", "radio.loss=0.2"]),
    ("hotspot-fenced-loss", &["hotspot", "--set", "tasking.variant=fenced", "--set", "radio.loss=0.2"]),
    ("hotspot-written-loss", &["hotspot", "--set", "tasking.variant=written", "--set", "radio.loss=0.2"]),
    ("late-but-faster", &["late-but-faster"]),
    ("minefield", &["minefield"]),
    ("minefield-gage-2004", &["minefield", "--set", "recruitment.config=gage_2004"]),
    ("minefield-unicast", &["minefield", "--set", "recruitment.messaging=unicast"]),
    (
        "minefield-script",
        &["minefield", "--set", "recruitment.script=near_first.rhai", "--set", "recruitment.strategy=script"],
    ),
    ("minefield-loss", &["minefield", "--set", "radio.loss=0.25", "--set", "radio.jitter_ms=30"]),
    ("nearest-answers", &["nearest-answers"]),
    ("patrol", &["patrol"]),
    ("reception", &["reception"]),
    ("reception-vonda", &["reception-vonda"]),
];

/// Seeds of each.
const SEEDS: [u64; 3] = [1, 2, 3];

/// Studies, as small as they go: 5 s of processor time in all.
const STUDIES: [(&str, &[&str]); 4] = [
    ("reproduce-alliance", &["reproduce", "alliance", "--runs", "2", "--robots", "2,6", "--tasks", "8"]),
    ("reproduce-reception", &["reproduce", "reception", "--runs", "2"]),
    ("reproduce-recruitment", &["reproduce", "recruitment", "--runs", "3"]),
    ("reproduce-tasking", &["reproduce", "tasking", "--runs", "20"]),
];

/// Curves of figures, 100 kB of points: what is claimed of them is among the claims.
const CURVES: &str = "figures";

/// Changes that a failure lists; the others are counted.
const MOST_TOLD: usize = 20;

/// What differs between builds and machines.
const EXEMPT: [&str; 3] = ["elapsed_ms", "version", "commit"];

#[test]
fn runs_of_every_scenario() {
    for (scenario, _) in BUILT_IN {
        assert!(RUNS.iter().any(|(_, arguments)| *arguments == [scenario]), "{scenario} has no figures here");
    }
    let changes: Vec<String> =
        RUNS.iter().flat_map(|(name, arguments)| compare(name, of_seeds(name, arguments))).collect();
    expect_none(&changes);
}

#[test]
fn small_studies() {
    let document = |name: &str, arguments: &[&str]| {
        let mut document = printed(name, arguments);
        document.remove(CURVES);
        (arguments.join(" "), document.into())
    };
    let changes: Vec<String> = STUDIES
        .iter()
        .flat_map(|(name, arguments)| compare(name, [document(name, arguments)].into_iter().collect()))
        .collect();
    expect_none(&changes);
}

/// What the runs of each seed come to. All else that is printed of them is kept of the first seed alone.
fn of_seeds(name: &str, arguments: &[&str]) -> Map<String, Value> {
    let mut documents = Map::new();
    for seed in SEEDS.map(|seed| seed.to_string()) {
        let mut document = printed(name, &[&["run"], arguments, &["--seed", &seed]].concat());
        if !documents.is_empty() {
            document.retain(|key, _| key == "runs");
        }
        documents.insert(format!("seed {seed}"), document.into());
    }
    documents
}

/// Breaking a figure is noticed, and so is leaving one out; adding one is not.
#[test]
fn what_counts_as_a_change() {
    let golden = serde_json::json!({"runs": [{"messages": 12, "wait_s": 0.1}], "summary": {"mean": 1.5}});
    let found = |now: Value| {
        let mut changes = Vec::new();
        differences("", &golden, &now, &mut changes);
        changes
    };
    let same = serde_json::json!({"runs": [{"messages": 12, "wait_s": 0.1, "new": 1}], "summary": {"mean": 1.5}});
    assert_eq!(found(same), [""; 0]);
    let changed = serde_json::json!({"runs": [{"messages": 13, "wait_s": 0.1}], "summary": {}});
    assert_eq!(found(changed), [".runs[0].messages: was 12, is 13", ".summary.mean: was 1.5, is gone"]);
    let longer = serde_json::json!({"runs": [{"messages": 12, "wait_s": 0.1}, {}], "summary": {"mean": 1.5}});
    assert_eq!(found(longer), [".runs: was a list of 1, is a list of 2"]);
}

/// What a command prints as JSON, less what is exempt.
fn printed(name: &str, arguments: &[&str]) -> Map<String, Value> {
    let output = Sandbox::new(&format!("golden-{name}")).muster(&[arguments, &["--json"]].concat());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    let mut document: Map<String, Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    document.retain(|key, _| !EXEMPT.contains(&key.as_str()));
    document
}

/// Holds documents against those of the file `golden/NAME.json`, or writes it.
fn compare(name: &str, documents: Map<String, Value>) -> Vec<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.json"));
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&path, lines(&documents)).expect("the file can be written");
        return Vec::new();
    }
    let text = std::fs::read_to_string(&path).expect("the file is there");
    let golden: Map<String, Value> = serde_json::from_str(&text).expect("the file is JSON");
    assert!(golden.keys().eq(documents.keys()), "{name}.json is of {:?}", golden.keys());
    let mut changes = Vec::new();
    for (of, document) in &golden {
        differences(&format!("{name}, {of}: "), document, &documents[of], &mut changes);
    }
    changes
}

/// Every value of `golden` that is gone or is another one in `now`, with the path that leads to it.
fn differences(path: &str, golden: &Value, now: &Value, changes: &mut Vec<String>) {
    match (golden, now) {
        (Value::Object(golden), Value::Object(now)) => {
            for (key, value) in golden {
                match now.get(key) {
                    Some(now) => differences(&format!("{path}.{key}"), value, now, changes),
                    None => changes.push(format!("{path}.{key}: was {value}, is gone")),
                }
            }
        }
        (Value::Array(golden), Value::Array(now)) if golden.len() == now.len() => {
            for (index, (golden, now)) in golden.iter().zip(now).enumerate() {
                differences(&format!("{path}[{index}]"), golden, now, changes);
            }
        }
        (Value::Array(golden), Value::Array(now)) => {
            changes.push(format!("{path}: was a list of {}, is a list of {}", golden.len(), now.len()));
        }
        _ if golden == now => {}
        _ => changes.push(format!("{path}: was {golden}, is {now}")),
    }
}

fn expect_none(changes: &[String]) {
    let first: Vec<&str> = changes.iter().take(MOST_TOLD).map(String::as_str).collect();
    assert!(
        changes.is_empty(),
        "{} figures have changed:\n  {}\nIf the issue says that they change: {UPDATE}=1 cargo test -p muster --test golden",
        changes.len(),
        first.join("\n  ")
    );
}

/// JSON with a line for each entry of the lists of a document, so that a change is a line of a difference.
fn lines(documents: &Map<String, Value>) -> String {
    let entry = |value: &Value| match value {
        Value::Array(list) if list.iter().any(|value| value.is_object()) => {
            let list: Vec<String> = list.iter().map(|value| format!("    {value}")).collect();
            format!("[\n{}\n  ]", list.join(",\n"))
        }
        value => value.to_string(),
    };
    let document = |(of, document): (&String, &Value)| {
        let document = document.as_object().expect("a document is an object");
        let keys: Vec<String> =
            document.iter().map(|(key, value)| format!("  {}: {}", Value::from(key.as_str()), entry(value))).collect();
        format!("{}: {{\n{}\n}}", Value::from(of.as_str()), keys.join(",\n"))
    };
    let documents: Vec<String> = documents.iter().map(document).collect();
    format!("{{\n{}\n}}\n", documents.join(",\n"))
}
