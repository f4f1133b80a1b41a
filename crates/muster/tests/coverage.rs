//! docs/coverage.md names tests that are there and commands that `muster` knows, and has every item once.

mod command;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use command::Sandbox;
use muster_sim::scenario::{self, BUILT_IN};

/// How many items the two papers have: R1 and on, T1 and on.
const ITEMS: [(&str, usize); 2] = [("R", 74), ("T", 71)];
const STATES: [&str; 3] = ["works", "partly", "missing"];

/// A row of the page.
struct Item<'a> {
    id: &'a str,
    state: &'a str,
    shown_by: &'a str,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    std::fs::read_to_string(root().join("docs/coverage.md")).expect("the page is there")
}

fn items(page: &str) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, id, _, _, state, shown_by, _] = cells[..] else { continue };
        if id.strip_prefix(['R', 'T']).is_some_and(|number| number.parse::<u32>().is_ok()) {
            items.push(Item { id, state, shown_by });
        }
    }
    items
}

/// What stands in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Names of all functions that are tests, in every crate.
fn tests(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder can be read") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            tests(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source can be read");
            found.extend(text.split("#[test]").skip(1).filter_map(name_of_function));
        }
    }
}

fn name_of_function(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("fn ")?;
    Some(rest.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect())
}

/// Words of a command, as a shell has them; single quotes only.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut within) = (Vec::new(), String::new(), false);
    for character in command.chars() {
        match character {
            '\'' => within = !within,
            ' ' if !within => words.push(std::mem::take(&mut word)),
            other => word.push(other),
        }
    }
    words.push(word);
    words
}

/// What is wrong with a command: a subcommand, flag, scenario, paper, plan or key that there is not.
fn wrong(command: &str, sandbox: &Sandbox) -> Option<String> {
    let said = |arguments: &[&str]| String::from_utf8(sandbox.muster(arguments).stdout).expect("UTF-8");
    let words = words(command);
    let [_, subcommand, arguments @ ..] = &words[..] else { return Some("there is no subcommand".to_owned()) };
    if !said(&["--help"]).lines().any(|line| line.split_whitespace().next() == Some(subcommand)) {
        return Some(format!("there is no subcommand {subcommand}"));
    }
    let help = said(&[subcommand, "--help"]);
    let (mut named, mut changes) = (Vec::new(), Vec::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if !argument.starts_with("--") {
            named.push(argument.as_str());
            continue;
        }
        let Some(line) = help.lines().find(|line| line.split_whitespace().next() == Some(argument)) else {
            return Some(format!("{subcommand} has no flag {argument}"));
        };
        // A flag with a value says so behind its name.
        if line.split_whitespace().nth(1).is_some_and(|value| value.starts_with('<')) {
            let value = rest.next()?.clone();
            changes.extend((argument == "--set").then_some(value));
        }
    }
    for name in named.iter().filter(|name| !name.starts_with("FILE")) {
        let known = match subcommand.as_str() {
            "run" | "console" | "train" => BUILT_IN.iter().any(|(known, _)| known == name),
            "reproduce" => help.lines().any(|line| line.trim().starts_with(&format!("- {name}:"))),
            "soak" => said(&["soak", "--list"]).split_whitespace().any(|word| word == *name),
            _ => false,
        };
        if !known {
            return Some(format!("{subcommand} does not know {name}"));
        }
        if !changes.is_empty() {
            let loaded = scenario::load(name, &changes).err();
            return loaded.map(|error| format!("{changes:?}: {error}"));
        }
    }
    None
}

#[test]
fn every_item_is_there_once_with_its_state() {
    let page = page();
    let items = items(&page);
    let ids: Vec<&str> = items.iter().map(|item| item.id).collect();
    let needed: Vec<String> =
        ITEMS.iter().flat_map(|(letter, count)| (1..=*count).map(move |number| format!("{letter}{number}"))).collect();
    assert_eq!(ids, needed);
    for item in &items {
        assert!(STATES.contains(&item.state), "{}: {}", item.id, item.state);
        let shown = quoted(item.shown_by).next().is_some();
        assert!(shown || item.state == "missing", "{}: what works, or does in part, is shown by something", item.id);
    }
    let counts = |of: &dyn Fn(&Item<'_>) -> bool| {
        let count = |state: &str| items.iter().filter(|item| of(item) && item.state == state).count();
        let [works, partly, missing] = STATES.map(count);
        format!("| {} | {works} | {partly} | {missing} |", works + partly + missing)
    };
    let lines = [counts(&|item| item.id.starts_with('R')), counts(&|item| item.id.starts_with('T')), counts(&|_| true)];
    for line in lines {
        assert!(page.contains(&line), "no line ends with {line}");
    }
}

#[test]
fn every_test_is_in_the_tree_and_every_command_is_known() {
    let page = page();
    let mut known = BTreeSet::new();
    tests(&root().join("crates"), &mut known);
    let sandbox = Sandbox::new("coverage");
    let mut commands = BTreeSet::new();
    for item in items(&page) {
        for name in quoted(item.shown_by) {
            if name.starts_with("muster ") {
                commands.insert(name);
            } else {
                assert!(known.contains(name), "{}: there is no test {name}", item.id);
            }
        }
    }
    assert!(commands.len() > 10);
    for command in commands {
        assert_eq!(wrong(command, &sandbox), None, "{command}");
    }
}

/// What is not there is noticed.
#[test]
fn mistakes_are_found() {
    let sandbox = Sandbox::new("coverage-mistakes");
    let finds = |command: &str, words: &str| {
        let found = wrong(command, &sandbox).unwrap_or_default();
        assert!(found.contains(words), "{command}: {found}");
    };
    finds("muster dance", "no subcommand dance");
    finds("muster run minefield --loudly", "no flag --loudly");
    finds("muster run moonfield --runs 3", "does not know moonfield");
    finds("muster reproduce dancing", "does not know dancing");
    finds("muster soak loss-26", "does not know loss-26");
    finds("muster run minefield --set robots.idle.cuont=3", "cuont");
    let mut known = BTreeSet::new();
    tests(&root().join("crates/muster/tests"), &mut known);
    assert!(known.contains("mistakes_are_found") && !known.contains("finds"));
    let line = "| R3 | a | b | works | `x`; `muster run minefield` |";
    assert_eq!(items(line).iter().map(|item| (item.id, item.state)).collect::<Vec<_>>(), [("R3", "works")]);
}

/// The diagrams of docs/reproductions/tasking.md: Figure 1 has the states that a node can be in, Figure 2 modules that there are.
#[test]
fn figures_1_and_2_show_what_the_code_has() {
    let figure = |number: u32| {
        let path = root().join(format!("docs/figures/tasking-figure-{number}.svg"));
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).to_lowercase()
    };
    let tasking = root().join("crates/muster-core/src/tasking");
    // A state is told as `"Wait for bids"` in the comments of what a node may wait for.
    let queries = std::fs::read_to_string(tasking.join("queries.rs")).expect("the states are there");
    let states: Vec<String> =
        queries.lines().filter_map(|line| Some(line.split_once(": \"")?.1.split_once('"')?.0.to_lowercase())).collect();
    assert_eq!(states.len(), 13);
    let first = figure(1).replace("</text>", " ");
    for state in states {
        let words = |word: &str| first.contains(&format!(">{word}")) || first.contains(&format!("{word} "));
        assert!(first.contains(&state) || state.split(' ').all(words), "{state}");
    }
    let modules = "message admission link tidings answers order known kept group user candidate lead bidder holder peer \
                   election succession hearing timers queue pose assigner cost corridor cost/preferences sampling";
    for module in modules.split_whitespace() {
        assert!(tasking.join(format!("{module}.rs")).exists(), "there is no {module}");
        assert!(figure(2).contains(module), "{module}");
    }
}
