//! `muster scenarios`: what is built in.

use miette::Result;
use muster_reception::scenario::{Play, load_any};
use muster_sim::scenario::{self, BUILT_IN, ScenarioError};
use serde_json::json;

use crate::cli::{ScenariosAction, ScenariosArguments};
use crate::output::{self, Verdict, bold, print_value};

/// Lists them, or prints one.
pub fn execute(arguments: &ScenariosArguments, json: bool) -> Result<Verdict> {
    match &arguments.action {
        Some(ScenariosAction::Show { name }) => show(name, json),
        None => list(json),
    }
}

fn show(name: &str, json: bool) -> Result<Verdict> {
    let Some(text) = scenario::built_in(name) else {
        return Err(ScenarioError::not_built_in(name).into());
    };
    if json {
        let resolved = match load_any(name, &[])? {
            Play::Mission(loaded) => json!(loaded.scenario),
            Play::Reception(party) => json!(party.scenario),
        };
        print_value(&json!({"name": name, "text": text, "resolved": resolved}));
    } else {
        print!("{text}");
    }
    Ok(Verdict::Held)
}

fn list(json: bool) -> Result<Verdict> {
    let mut documents = Vec::new();
    for (name, _) in BUILT_IN {
        let (about, robots, (kind, others)) = match load_any(name, &[])? {
            Play::Mission(it) => (it.scenario.description, it.mission.robots.len(), ("task", it.task_names.len())),
            Play::Reception(it) => (it.scenario.description.clone(), it.names().len(), ("guest", it.guests())),
        };
        let about = about.split_whitespace().collect::<Vec<_>>().join(" ");
        if json {
            let mut document = json!({"name": name, "description": about, "robots": robots});
            document[format!("{kind}s")] = others.into();
            documents.push(document);
            continue;
        }
        println!("{}  {}, {}", bold(name), output::count(robots, "robot"), output::count(others, kind));
        for line in output::wrapped(&about, 88) {
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
