//! `muster allocate`: who does what so that the last robot finishes early.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use miette::Result;
use muster_studies::alliance::allocate::{MOST_PAIRS, allocations};
use muster_studies::makespan::rules::RULES;
use muster_studies::makespan::{self, Instance, Solution};
use serde::Serialize;
use serde_json::json;

use crate::cli::AllocateArguments;
use crate::output::{self, Table, Verdict, bold, faint};
use crate::{input, progress};

#[derive(Serialize)]
struct Document<'a> {
    optimum: &'a Solution,
    rules: &'a BTreeMap<String, Allocation>,
    elapsed_ms: u64,
}

/// What a rule makes of the times.
#[derive(Serialize)]
struct Allocation {
    makespan: f64,
    assignment: Vec<usize>,
}

/// Solves the instance and prints the optimum beside every rule.
pub fn execute(arguments: &AllocateArguments, json: bool) -> Result<Verdict> {
    let began = Instant::now();
    let instance = read(&arguments.file)?;
    let budget = arguments.budget.unwrap_or_else(|| makespan::default_budget(&instance));
    let instance = Arc::new(instance);
    let asked = instance.clone();
    let solved = progress::unless_interrupted(move || {
        let optimum = makespan::solve(&asked, budget);
        let allocation = |assignment: Vec<usize>| Allocation { makespan: asked.makespan(&assignment), assignment };
        let central = RULES.iter().map(|&(name, rule)| (name.to_owned(), rule(&asked)));
        let all = central.chain(allocations(&asked));
        let rules: BTreeMap<_, _> = all.map(|(name, assignment)| (name, allocation(assignment))).collect();
        (optimum, rules)
    })?;
    let left_out = instance.robots() * instance.tasks() > MOST_PAIRS;
    let config = json!({"robots": instance.robots(), "tasks": instance.tasks(), "budget": budget,
        "l_alliance_left_out": left_out});
    let elapsed_ms = began.elapsed().as_millis() as u64;
    let Some((optimum, rules)) = solved else {
        match json {
            true => output::print_json(None, &config, &json!({"interrupted": true, "elapsed_ms": elapsed_ms})),
            false => println!("Broken off before there was anything to show. A smaller --budget ends earlier."),
        }
        return Ok(Verdict::Interrupted);
    };
    let verdict = if optimum.proved { Verdict::Held } else { Verdict::DidNotHold };
    if json {
        output::print_json(None, &config, &Document { optimum: &optimum, rules: &rules, elapsed_ms });
        return Ok(verdict);
    }
    let version = format!("[muster {} ({})]", env!("CARGO_PKG_VERSION"), env!("MUSTER_COMMIT"));
    println!(
        "{}: {}, {}  {}",
        bold(&output::shown(&arguments.file)),
        output::count(instance.robots(), "robot"),
        output::count(instance.tasks(), "task"),
        faint(&version),
    );
    print_robots(&instance, &optimum);
    print_rules(&optimum, &rules);
    if left_out {
        println!("  {}", faint(&format!("L-ALLIANCE is left out: robots times tasks is more than {MOST_PAIRS}.")));
    }
    if optimum.proved {
        println!("\n{}: no assignment finishes before {}.", output::verdict("Optimal", true), number(optimum.bound));
    } else {
        println!(
            "\n{} within {}: none finishes before {}, this one is at most {:.2} % later. Try a larger --budget.",
            output::verdict("Not proved", false),
            output::count(budget as usize, "node"),
            number(optimum.bound),
            (optimum.makespan / optimum.bound - 1.0) * 100.0,
        );
    }
    Ok(verdict)
}

fn read(path: &Path) -> Result<Instance> {
    let (name, text) = input::text(path, "muster allocate --help")?;
    Ok(makespan::parse(&name, &text)?)
}

fn print_robots(instance: &Instance, optimum: &Solution) {
    println!("\n{}", bold(if optimum.proved { "The optimum" } else { "The best found" }));
    let mut table = Table::new(0, &["robot", "finishes", "  tasks"]);
    let mut tasks = vec![Vec::new(); instance.robots()];
    for (task, &robot) in optimum.assignment.iter().enumerate() {
        tasks[robot].push(task.to_string());
    }
    for (robot, finishes) in instance.loads(&optimum.assignment).into_iter().enumerate() {
        table.row([robot.to_string(), number(finishes)]);
    }
    let listed: Vec<String> = tasks
        .iter()
        .map(|tasks| if tasks.is_empty() { "  -".to_owned() } else { format!("  {}", tasks.join(", ")) })
        .collect();
    table.print_with(listed.iter().map(String::as_str));
}

fn print_rules(optimum: &Solution, rules: &BTreeMap<String, Allocation>) {
    println!("\n{}", bold("Beside it"));
    let above = if optimum.proved { "above the optimum" } else { "above the best found" };
    let mut table = Table::new(1, &["rule", "makespan", above]);
    table.row([if optimum.proved { "optimum" } else { "best found" }.to_owned(), number(optimum.makespan)]);
    for (name, allocation) in rules {
        let gap = (allocation.makespan / optimum.makespan - 1.0) * 100.0;
        table.row([name.clone(), number(allocation.makespan), format!("{gap:.1} %")]);
    }
    table.print();
}

/// Enough digits to tell times apart, and none that say nothing.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    if (1e-2..1e9).contains(&value) || value == 0.0 {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.3e}")
    }
}
