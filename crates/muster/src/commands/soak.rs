//! `muster soak`: many seeds with faults.

use std::time::Instant;

use miette::{Result, miette};
use muster_core::recruitment::Strategy;
use muster_sim::scenario::ConfigName;
use muster_studies::soak::{Missions, PLANS, Plan, Report, Trial};
use serde_json::json;

use crate::cli::{ConfigArgument, SoakArguments, StrategyArgument};
use crate::output::{self, Table, Verdict, bold, faint};
use crate::progress;

/// Runs it and prints what came of it.
pub fn execute(arguments: &SoakArguments, json: bool) -> Result<Verdict> {
    if arguments.list {
        return Ok(list(json));
    }
    let trials = trials(arguments)?;
    if let Some(seed) = arguments.replay {
        return replay(&trials, seed, json);
    }
    let began = Instant::now();
    let total = arguments.runs * trials.len() as u64;
    let reports: Vec<Report> = progress::with_progress(&arguments.threads, total, "soak", |batch| {
        trials.iter().map(|trial| trial.soak(arguments.seed, arguments.runs, batch)).collect()
    })?;
    let interrupted = progress::was_interrupted();
    let broken = reports.iter().any(|report| report.runs > 0 && !report.is_as_expected());
    let verdict = match (broken, interrupted) {
        (true, _) => Verdict::DidNotHold,
        (false, true) => Verdict::Interrupted,
        (false, false) => Verdict::Held,
    };
    if json {
        let config = json!({"scenario": "minefield", "plans": PLANS.iter().map(described).collect::<Vec<_>>(),
            "runs": arguments.runs});
        let body = json!({"reports": reports, "held": verdict == Verdict::Held, "interrupted": interrupted,
            "elapsed_ms": began.elapsed().as_millis() as u64});
        output::print_json(Some(arguments.seed), &config, &body);
        return Ok(verdict);
    }
    println!("{}  {}", bold("soak"), faint(&format!("[{}]", output::provenance(arguments.seed))));
    print_reports(&reports);
    for report in reports.iter().filter(|report| report.held && !report.is_as_expected()) {
        let name = bold(report.plan);
        println!("{name} was expected to fail and holds: strike it from the list of what is known to be broken.");
    }
    match verdict {
        Verdict::Held => println!("{}", output::verdict("Held, but for what is expected to fail.", true)),
        Verdict::DidNotHold => println!("{}", output::verdict("Did not hold.", false)),
        Verdict::Interrupted => println!("Broken off: what was run held, but not everything was run."),
    }
    Ok(verdict)
}

fn trials(arguments: &SoakArguments) -> Result<Vec<Trial>> {
    let known = || PLANS.iter().map(|plan| plan.name).collect::<Vec<_>>().join(", ");
    let mut plans: Vec<&'static Plan> = Vec::new();
    for name in &arguments.plans {
        match PLANS.iter().find(|plan| plan.name == name) {
            Some(plan) => plans.push(plan),
            None => return Err(miette!(help = format!("there are: {}", known()), "there is no plan called `{name}`")),
        }
    }
    if plans.is_empty() {
        plans.extend(&PLANS);
    }
    let strategies = match arguments.strategy {
        None => vec![Strategy::Affective, Strategy::Greedy],
        Some(StrategyArgument::Affective) => vec![Strategy::Affective],
        Some(StrategyArgument::Greedy) => vec![Strategy::Greedy],
        Some(StrategyArgument::Random) => vec![Strategy::Random],
    };
    let configs = match arguments.config {
        None => vec![ConfigName::Gage2004, ConfigName::Safe],
        Some(ConfigArgument::Safe) => vec![ConfigName::Safe],
        Some(ConfigArgument::Gage2004) => vec![ConfigName::Gage2004],
    };
    let mut trials = Vec::new();
    for plan in plans {
        match plan.missions {
            Missions::Minefield(_) => {
                for &config in &configs {
                    for &strategy in &strategies {
                        trials.push(Trial::new(plan, strategy, config)?);
                    }
                }
            }
            // Strategy and configuration are drawn with the mission: there is one trial, if any is asked for at all.
            Missions::Drawn(..) if arguments.strategy.is_none() && arguments.config.is_none() => {
                trials.push(Trial::new(plan, strategies[0], configs[0])?);
            }
            Missions::Drawn(..) if arguments.plans.iter().any(|name| name == plan.name) => {
                return Err(miette!(
                    help = "leave --strategy and --config out",
                    "missions of `{}` are drawn from the seed, with their strategy and configuration",
                    plan.name
                ));
            }
            Missions::Drawn(..) => {}
        }
    }
    Ok(trials)
}

fn list(json: bool) -> Verdict {
    if json {
        output::print_value(&json!({"plans": PLANS.iter().map(described).collect::<Vec<_>>()}));
        return Verdict::Held;
    }
    let mut mechanism = "";
    for plan in &PLANS {
        if plan.mechanism != mechanism {
            mechanism = plan.mechanism;
            println!("{}", faint(mechanism));
        }
        println!("{}\n    {}", bold(plan.name), plan.about);
        if let Some(why) = plan.expected_to_fail {
            println!("    expected to fail: {why}");
        }
    }
    Verdict::Held
}

/// A plan as JSON has it.
fn described(plan: &Plan) -> serde_json::Value {
    let changes = match &plan.missions {
        Missions::Minefield(minefield) => minefield.changes,
        Missions::Drawn(..) => &[],
    };
    json!({"name": plan.name, "mechanism": plan.mechanism, "about": plan.about, "changes": changes,
        "expected_to_fail": plan.expected_to_fail})
}

fn print_reports(reports: &[Report]) {
    let head = [
        "plan",
        "config",
        "strategy",
        "runs",
        "completed",
        "at least",
        "longest",
        "messages",
        "overlaps",
        "duplicates",
        "faults",
        "held",
    ];
    let mut table = Table::new(3, &head);
    for report in reports {
        table.row([
            report.plan.to_owned(),
            report.config.to_owned(),
            report.strategy.to_owned(),
            report.runs.to_string(),
            format!("{:.2} %", report.completed as f64 / report.runs.max(1) as f64 * 100.0),
            // Where the requester dies, no task can be promised.
            if report.required > 0.0 { format!("{} %", report.required * 100.0) } else { "-".to_owned() },
            format!("{:.1} h", report.longest_h),
            format!("{:.0}", report.messages_mean),
            report.overlaps.to_string(),
            report.duplicates.to_string(),
            report.faults.values().sum::<u64>().to_string(),
            match report.runs {
                0 => "not run".to_owned(),
                _ if report.expected_to_fail.is_some() => {
                    let word = if report.held { "yes (!)" } else { "no (known)" };
                    output::verdict(word, report.is_as_expected())
                }
                _ => output::verdict(if report.held { "yes" } else { "no" }, report.held),
            },
        ]);
    }
    table.print();
    for report in reports.iter().filter(|report| report.runs > 0 && !report.held) {
        if let Some(why) = report.expected_to_fail {
            println!("\n{} fails in {} of {} runs, as expected: {why}", report.plan, report.failed, report.runs);
            if let Some(first) = report.failures.first() {
                println!("  at {:.2} s: {}\n    {}", first.at_s, first.what, bold(&first.replay));
            }
            continue;
        }
        println!("\n{} {} {}:", report.plan, report.config, report.strategy);
        for missing in &report.never_met {
            println!("  never met: {missing}");
        }
        for failure in &report.failures {
            println!("  at {:.2} s: {}\n    {}", failure.at_s, failure.what, bold(&failure.replay));
        }
        if report.failed as usize > report.failures.len() {
            println!("  and {} more", report.failed as usize - report.failures.len());
        }
    }
}

fn replay(trials: &[Trial], seed: u64, json: bool) -> Result<Verdict> {
    let [trial] = trials else {
        return Err(miette!(
            help = "name the plan, and add --strategy and --config as in the command that the failure printed",
            "a replay needs one plan, one strategy and one configuration, not {}",
            trials.len()
        ));
    };
    let outcome = trial.run(seed, true);
    let unfinished = trial.required() >= 1.0 && !outcome.completed;
    let held = outcome.failure.is_none() && !unfinished;
    if json {
        let notes: Vec<String> =
            outcome.notes.iter().map(|note| format!("{} {} {:?}", note.at, note.robot, note.event)).collect();
        let body = json!({"completed": outcome.completed, "end_s": outcome.end.as_secs_f64(),
            "failure": outcome.failure.as_ref().map(|(what, _)| what), "notes": notes,
            "scenario": outcome.scenario});
        let strategy = trial.ways.map(|(strategy, _)| strategy.name());
        output::print_json(Some(seed), &json!({"plan": trial.plan.name, "strategy": strategy}), &body);
    } else {
        if let Some(scenario) = &outcome.scenario {
            println!("{}\n{scenario}", faint("# the mission, as it was drawn"));
        }
        for note in &outcome.notes {
            println!("{:>12} {:<4} {:?}", note.at.to_string(), note.robot.to_string(), note.event);
        }
        match &outcome.failure {
            Some((what, at)) => println!("{}", output::verdict(&format!("at {at}: {what}"), false)),
            None if unfinished => {
                println!("{}", output::verdict("not every task was handed over within the limit", false));
            }
            None => println!("{}", output::verdict(&format!("held; completed: {}", outcome.completed), true)),
        }
    }
    Ok(if held { Verdict::Held } else { Verdict::DidNotHold })
}
