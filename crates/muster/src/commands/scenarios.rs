//! `muster scenarios`: what is built in.

use miette::Result;
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
        let loaded = scenario::load(name, &[])?;
        print_value(&json!({"name": name, "text": text, "resolved": loaded.scenario}));
    } else {
        print!("{text}");
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
        let (robots, tasks) = (loaded.mission.robots.len(), loaded.task_names.len());
        println!("{}  {}, {}", bold(name), output::count(robots, "robot"), output::count(tasks, "task"));
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
