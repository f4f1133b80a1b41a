//! `muster soak`: many seeds with faults.

use std::time::Instant;

use miette::{Result, miette};
use muster_core::recruitment::Strategy;
use muster_sim::scenario::ConfigName;
use muster_studies::soak::{Broken, Missions, PLANS, Plan, Report, Trial};
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
    let broken = reports.iter().any(|report| report.runs > 0 && !report.as_expected);
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
    for report in reports.iter().filter(|report| report.holds_now) {
        let (name, check) = (bold(report.plan), report.expected_check.unwrap_or_default());
        println!("{name} was expected to fail `{check}`, and that holds now in all {} runs:", report.runs);
        println!("  the mark must go; strike it from the list of what is known to be broken.");
    }
    match verdict {
        Verdict::Held => {
            let word = match reports.iter().any(|report| report.expected_check.is_some()) {
                true => "Held, but for what is expected to fail.",
                false => "Held.",
            };
            println!("{}", output::verdict(word, true));
        }
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
        if plan.missions.draw().is_none() {
            for &config in &configs {
                for &strategy in &strategies {
                    trials.push(Trial::new(plan, strategy, config)?);
                }
            }
        } else if arguments.strategy.is_none() && arguments.config.is_none() {
            // Strategy and configuration are drawn with the mission: there is one trial.
            trials.push(Trial::new(plan, strategies[0], configs[0])?);
        } else if arguments.plans.iter().any(|name| name == plan.name) {
            return Err(miette!(
                help = "leave --strategy and --config out",
                "missions of `{}` are drawn from the seed, with their strategy and configuration",
                plan.name
            ));
        }
    }
    trials.iter_mut().for_each(|trial| trial.only_watch = arguments.only_watch);
    Ok(trials)
}

fn list(json: bool) -> Verdict {
    if json {
        output::print_value(&json!({"plans": PLANS.iter().map(described).collect::<Vec<_>>()}));
        return Verdict::Held;
    }
    let mut mechanisms: Vec<&str> = Vec::new();
    for plan in &PLANS {
        if !mechanisms.contains(&plan.mechanism()) {
            mechanisms.push(plan.mechanism());
        }
    }
    for mechanism in mechanisms {
        println!("{}", faint(mechanism));
        for plan in PLANS.iter().filter(|plan| plan.mechanism() == mechanism) {
            println!("{}\n    {}", bold(plan.name), plan.about);
            if let Some(Broken { check, why }) = plan.broken {
                println!("    expected to fail `{check}`: {why}");
            }
        }
    }
    Verdict::Held
}

/// A plan as JSON has it.
fn described(plan: &Plan) -> serde_json::Value {
    let changes: &[&str] = match &plan.missions {
        Missions::Minefield(minefield) => minefield.changes,
        Missions::Recruitment(_) | Missions::Alliance(_) | Missions::Tasking(_) | Missions::Reception(_) => &[],
    };
    json!({"name": plan.name, "mechanism": plan.mechanism(), "about": plan.about, "changes": changes,
        "expected_to_fail": plan.broken.map(|broken| broken.why),
        "expected_check": plan.broken.map(|broken| broken.check)})
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
                    let word = match (report.held, report.as_expected) {
                        (true, _) => "yes (!)",
                        (false, true) => "no (known)",
                        (false, false) => "no",
                    };
                    output::verdict(word, report.as_expected)
                }
                _ => output::verdict(if report.held { "yes" } else { "no" }, report.held),
            },
        ]);
    }
    table.print();
    for report in reports.iter().filter(|report| report.runs > 0 && !report.held) {
        if let (Some(why), true) = (report.expected_to_fail, report.failed_as_known > 0) {
            let check = report.expected_check.unwrap_or_default();
            let Report { plan, failed_as_known, runs, .. } = report;
            println!("\n{plan} fails `{check}` in {failed_as_known} of {runs} runs, as expected: {why}");
        }
        if report.as_expected {
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
    let held = outcome.breach.is_none() && !unfinished;
    if json {
        let notes = outcome.notes.iter().map(|note| format!("{} {} {:?}", note.at, note.robot, note.event));
        let notes: Vec<String> = notes.chain(outcome.log.iter().map(ToString::to_string)).collect();
        let body = json!({"completed": outcome.completed, "end_s": outcome.end.as_secs_f64(),
            "failure": outcome.breach.as_ref().map(ToString::to_string),
            "check": outcome.breach.as_ref().map(|breach| breach.check), "notes": notes,
            "scenario": outcome.texts.as_ref().map(|texts| &texts.scenario),
            "interventions": outcome.texts.as_ref().map(|texts| &texts.interventions)});
        let strategy = trial.ways.map(|(strategy, _)| strategy.name());
        output::print_json(Some(seed), &json!({"plan": trial.plan.name, "strategy": strategy}), &body);
    } else {
        if let Some(texts) = &outcome.texts {
            println!("{}\n{}", faint("# the mission, as it was drawn"), texts.scenario);
            if !texts.interventions.is_empty() {
                let what = "# what is done to it: save it to a file of its own, for `muster run --interventions`";
                println!("{}\n{}", faint(what), texts.interventions);
            }
        }
        for note in &outcome.notes {
            println!("{:>12} {:<4} {:?}", note.at.to_string(), note.robot.to_string(), note.event);
        }
        for line in &outcome.log {
            println!("{line}");
        }
        match &outcome.breach {
            Some(breach) => println!("{}", output::verdict(&format!("at {}: {breach}", breach.at), false)),
            None if unfinished => {
                println!("{}", output::verdict("not every task was handed over within the limit", false));
            }
            None => println!("{}", output::verdict(&format!("held; completed: {}", outcome.completed), true)),
        }
    }
    Ok(if held { Verdict::Held } else { Verdict::DidNotHold })
}
