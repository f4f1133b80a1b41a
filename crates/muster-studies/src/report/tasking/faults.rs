//! Crashes, loss, chains and partitions: how often everything was done, and once.

use crate::report::html::{Mark, Table, Value, number, text};
use crate::tasking::Study;

/// A good verdict, or that the protocol as drawn is known not to manage, or a bad one.
fn verdict(holds: bool, variant: &str) -> Value {
    match (holds, variant) {
        (true, _) => Value::Verdict(Mark::Good, "holds".to_owned()),
        (false, "drawn") => Value::Verdict(Mark::Known, "does not hold".to_owned()),
        (false, _) => Value::Verdict(Mark::Bad, "fails".to_owned()),
    }
}

fn count(number: usize) -> Value {
    Value::Number(number.to_string())
}

fn percent(share: f64) -> Value {
    Value::Number(format!("{:.0} %", 100.0 * share))
}

/// Crashes, then loss alone, then the chain of Claim 1.
pub fn tables(study: &Study) -> String {
    let crashes = format!("{}{}", crashes(study), at_most_once(study));
    format!("{crashes}<div class=\"grid tables\">\n{}{}</div>\n", losses(study), chains(study))
}

fn crashes(study: &Study) -> String {
    let head = [
        "variant",
        "crashes",
        "messages",
        "loss",
        "runs",
        "at deed",
        "tasks",
        "once",
        "executor crashed",
        "knowers crashed",
        "forgotten",
        "again",
        "lost",
        "messages per run",
        "verdict",
    ];
    let mut table = Table::new("Crashes of any role at any moment: tasks by what came of them", &head);
    for row in study.faults.iter().filter(|row| row.delivery == "at-least-once") {
        let of = |number| Value::Number(format!("{number}"));
        table.row([
            text(row.variant),
            text(row.crashes),
            text(row.air),
            percent(row.loss),
            count(row.runs),
            Value::Number(row.at_deed.to_string()),
            count(row.tasks),
            count(row.once),
            of(row.verdict.executor_crashed),
            of(row.verdict.knowers_crashed),
            of(row.verdict.forgotten),
            of(row.verdict.duplicates),
            of(row.verdict.lost),
            number(row.messages, 0),
            verdict(row.holds(), row.variant),
        ]);
    }
    table.html()
}

/// Tasks that must not be done twice, whatever crashes.
fn at_most_once(study: &Study) -> String {
    let head = [
        "crashes",
        "messages",
        "loss",
        "runs",
        "at deed",
        "tasks",
        "once",
        "twice",
        "executor crashed",
        "no quorum",
        "forgotten",
        "expired",
        "lost",
        "messages per run",
        "verdict",
    ];
    let caption = "The same with tasks to be done at most once: done, and why not";
    let mut table = Table::new(caption, &head);
    for row in study.faults.iter().filter(|row| row.delivery == "at-most-once") {
        let of = |number: u32| Value::Number(number.to_string());
        table.row([
            text(row.crashes),
            text(row.air),
            percent(row.loss),
            count(row.runs),
            Value::Number(row.at_deed.to_string()),
            count(row.tasks),
            count(row.once),
            of(row.verdict.duplicates),
            of(row.verdict.barred),
            of(row.verdict.no_quorum),
            of(row.verdict.forgotten),
            of(row.verdict.expired),
            of(row.verdict.lost),
            number(row.messages, 0),
            verdict(row.holds(), row.variant),
        ]);
    }
    table.html()
}

fn losses(study: &Study) -> String {
    let head = ["variant", "loss", "runs", "once", "again", "never", "verdict"];
    let mut table = Table::new("Loss alone (W4), a single task and five vehicles", &head);
    for row in &study.losses {
        let once = row.runs - row.twice - row.never;
        table.row([
            text(row.variant),
            percent(row.loss),
            count(row.runs),
            count(once),
            count(row.twice),
            count(row.never),
            verdict(once == row.runs, row.variant),
        ]);
    }
    table.html()
}

fn chains(study: &Study) -> String {
    let head = ["variant", "t_sync, s", "loss", "runs", "carried out", "verdict"];
    let mut table = Table::new("Claim 1: a task passed on along a chain of four vehicles", &head);
    for row in &study.chains {
        table.row([
            text(row.variant),
            number(row.overlap_s, 0),
            percent(row.loss),
            count(row.runs),
            count(row.carried_out),
            verdict(row.carried_out == row.runs, row.variant),
        ]);
    }
    table.html()
}

/// Teams that are split for a while.
pub fn partitions(study: &Study) -> String {
    let head = [
        "variant",
        "loss",
        "runs",
        "healed in time",
        "of which once",
        "healed between",
        "of which once",
        "outlasted",
        "noticed in 2 t_status",
        "in 10",
        "never done",
        "verdict",
    ];
    let mut table = Table::new("Partitions of 2 to 80 s", &head);
    for row in &study.partitions {
        table.row([
            text(row.variant),
            percent(row.loss),
            count(row.runs),
            count(row.healed_in_time),
            count(row.once),
            count(row.healed_between),
            count(row.between_once),
            count(row.outlasted),
            count(row.noticed_in_2),
            count(row.noticed_in_10),
            count(row.never),
            verdict(row.holds(), row.variant),
        ]);
    }
    table.html()
}
