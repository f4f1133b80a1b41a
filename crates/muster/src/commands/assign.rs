//! `muster assign`: who does which of the coupled tasks, when and on which heading.

use std::path::Path;
use std::time::{Duration, Instant};

use miette::Result;
use muster_core::tasking::assigner::{Answer, Problem, Reason, Search, Status, reason};
use muster_studies::assign::{self, Instance};
use serde::Serialize;
use serde_json::json;

use crate::cli::AssignArguments;
use crate::output::{self, Table, Verdict, bold, faint};
use crate::{input, progress};

#[derive(Serialize)]
struct Document {
    status: &'static str,
    cost: Option<u64>,
    bound: Option<u64>,
    assignment: Vec<[usize; 3]>,
    nodes: u64,
    elapsed_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Solves the instance and prints the assignment.
pub fn execute(arguments: &AssignArguments, json: bool) -> Result<Verdict> {
    let Some(path) = arguments.file.as_deref().filter(|_| !arguments.example) else {
        print!("{}", assign::write(&assign::mission()));
        return Ok(Verdict::Held);
    };
    let instance = read(path)?;
    let problem = &instance.problem;
    progress::heed_interrupts();
    let began = Instant::now();
    let limit = arguments.limit.map(Duration::from_secs_f64);
    let mut search = Search::new(problem);
    // However short the limit, the root is looked at once: that alone gives a bound. A look at the clock costs nothing
    // beside a node.
    while !search.run(1) {
        if progress::was_interrupted() || limit.is_some_and(|limit| began.elapsed() >= limit) {
            break;
        }
    }
    let answer = search.answer();
    let elapsed_ms = began.elapsed().as_nanos() as f64 / 1e6;
    let why = (answer.status == Status::Infeasible).then(|| sentence(problem, &reason(problem)));
    let verdict = match answer.status {
        Status::Optimal => Verdict::Held,
        Status::Infeasible => Verdict::DidNotHold,
        _ if progress::was_interrupted() => Verdict::Interrupted,
        _ => Verdict::DidNotHold,
    };
    if json {
        let config = json!({"tasks": problem.tasks(), "vehicles": problem.vehicles(),
            "times": problem.times().len(), "headings": problem.headings().len(),
            "constraints": problem.constraints().len(), "limit_s": arguments.limit});
        let status = match answer.status {
            Status::Optimal => "optimal",
            Status::Infeasible => "infeasible",
            Status::Feasible => "feasible",
            Status::Unknown => "unknown",
        };
        let bound = (answer.status != Status::Infeasible).then_some(answer.bound);
        let assignment = answer.assignment.iter().map(|choice| [choice.vehicle, choice.time, choice.heading]).collect();
        let document =
            Document { status, cost: answer.cost, bound, assignment, nodes: answer.nodes, elapsed_ms, reason: why };
        output::print_json(None, &config, &document);
        return Ok(verdict);
    }
    let version = format!("[muster {} ({})]", env!("CARGO_PKG_VERSION"), env!("MUSTER_COMMIT"));
    println!(
        "{}: {}, {}, {}  {}",
        bold(&output::shown(path)),
        output::count(problem.tasks(), "task"),
        output::count(problem.vehicles(), "vehicle"),
        output::count(problem.constraints().len(), "constraint"),
        faint(&version),
    );
    if answer.cost.is_some() {
        print_assignment(&instance, &answer);
    }
    println!("\n{}", conclusion(&answer, why));
    Ok(verdict)
}

fn read(path: &Path) -> Result<Instance> {
    let (name, text) = input::text(path, "muster assign --example")?;
    Ok(assign::parse(&name, &text)?)
}

fn print_assignment(instance: &Instance, answer: &Answer) {
    let optimal = answer.status == Status::Optimal;
    println!("\n{}", bold(if optimal { "The optimum" } else { "The best found" }));
    let mut table = Table::new(0, &["task", "vehicle", "time", "heading", "cost"]);
    for (task, &choice) in answer.assignment.iter().enumerate() {
        table.row([
            task.to_string(),
            choice.vehicle.to_string(),
            instance.times[choice.time].clone(),
            instance.headings[choice.heading].clone(),
            instance.problem.cost(task, choice).to_string(),
        ]);
    }
    table.row(["sum".to_owned(), String::new(), String::new(), String::new(), answer.cost.unwrap_or(0).to_string()]);
    table.print();
}

fn conclusion(answer: &Answer, why: Option<String>) -> String {
    let bound = answer.bound;
    match (answer.status, answer.cost) {
        (Status::Optimal, _) => {
            format!("{}: no assignment costs less than {bound}.", output::verdict("Optimal", true))
        }
        (Status::Infeasible, _) => {
            format!("{}: {}.", output::verdict("There is no assignment", false), why.unwrap_or_default())
        }
        (_, Some(cost)) => {
            let gap = if bound == 0 { String::new() } else { gap(cost, bound) };
            let not = output::verdict("Not proved", false);
            format!("{not}: none costs less than {bound}{gap}. Try a larger --limit.")
        }
        (_, None) => {
            let not = output::verdict("Not known", false);
            format!(
                "{not}: no assignment was found yet, nor that there is none; one would cost {bound} or more. Try a larger \
                 --limit."
            )
        }
    }
}

fn gap(cost: u64, bound: u64) -> String {
    format!(", this one is at most {:.2} % dearer", (cost as f64 / bound as f64 - 1.0) * 100.0)
}

/// Why there is no assignment.
fn sentence(problem: &Problem, reason: &Reason) -> String {
    match reason {
        Reason::TooFewVehicles => format!(
            "{} for {}, and each vehicle does one at most",
            output::count(problem.vehicles(), "vehicle"),
            output::count(problem.tasks(), "task"),
        ),
        Reason::NoSamples => "there are no times or no headings".to_owned(),
        Reason::NobodyCan { task } => format!("no vehicle can do task {task} at any time on any heading"),
        Reason::Crowded { tasks, vehicles } => {
            format!("tasks {} can be done by vehicle{} {} only", list(tasks), s(vehicles), list(vehicles))
        }
        Reason::Cycle { constraints, samples } => format!(
            "constraint{} {} cannot be kept {}",
            s(constraints),
            list(constraints),
            if *samples { "between the first and the last time" } else { "at any times" },
        ),
        Reason::NoPair { a, b } => {
            format!("no two of the times and headings keep the constraints between tasks {a} and {b}")
        }
        Reason::Circle { tasks, room } => {
            format!("tasks {} have to keep apart, and the headings have room for {room} of them", list(tasks))
        }
        Reason::Together => "each vehicle, pair and constraint allows one, all together allow none".to_owned(),
    }
}

fn s(list: &[usize]) -> &'static str {
    if list.len() == 1 { "" } else { "s" }
}

fn list(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}
