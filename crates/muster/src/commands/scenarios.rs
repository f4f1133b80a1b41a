//! `muster scenarios`: what is built in.

use miette::Result;
use muster_sim::scenario::{self, BUILT_IN};
use serde_json::json;

use crate::cli::{ScenariosAction, ScenariosArguments};
use crate::output::{Verdict, bold, print_value};

/// Lists them, or prints one.
pub fn execute(arguments: &ScenariosArguments, json: bool) -> Result<Verdict> {
    match &arguments.action {
        Some(ScenariosAction::Show { name }) => show(name, json),
        None => list(json),
    }
}

fn show(name: &str, json: bool) -> Result<Verdict> {
    // Loading gives the error for a name that is not known.
    let loaded = scenario::load(name, &[])?;
    match scenario::built_in(name) {
        _ if json => print_value(&json!({"name": loaded.name, "scenario": loaded.scenario})),
        Some(text) => print!("{text}"),
        None => print!("{}", std::fs::read_to_string(name).unwrap_or_default()),
    }
    Ok(Verdict::Held)
}

fn list(json: bool) -> Result<Verdict> {
    let mut documents = Vec::new();
    for (name, _) in BUILT_IN {
        let loaded = scenario::load(name, &[])?;
        let about = loaded.scenario.description.split_whitespace().collect::<Vec<_>>().join(" ");
        if json {
            documents.push(json!({"name": name, "description": about, "robots": loaded.mission.robots.len(),
                "tasks": loaded.task_names.len()}));
            continue;
        }
        println!("{}  {} robots, {} tasks", bold(name), loaded.mission.robots.len(), loaded.task_names.len());
        for line in wrapped(&about, 88) {
            println!("    {line}");
        }
    }
    if json {
        print_value(&json!({"scenarios": documents}));
    } else {
        println!("\nPrint one with `muster scenarios show NAME`, run it with `muster run NAME`.");
    }
    Ok(Verdict::Held)
}

/// Text in lines of at most `width` characters.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
