//! The study's tables, for the terminal and for the page.

use super::check::Check;
use super::runs::{Mean, PAPER, ROBOTS};
use super::vectors::{Schema, Vector};
use super::{Crowd, Study};
use crate::table::{Mark, Table, Value, number, text};

fn verdict(holds: bool) -> Value {
    if holds { Value::Verdict(Mark::Good, "holds".to_owned()) } else { Value::Verdict(Mark::Bad, "fails".to_owned()) }
}

/// As many of three decimals as it needs.
fn plain(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// What was measured and between what it has to lie, if it is a number.
pub fn measured(check: &Check) -> String {
    let (Some(value), Some(low)) = (check.value, check.low) else { return String::new() };
    // What must never be and was not is not worth a number.
    if check.high == Some(0.0) && value == 0.0 {
        return String::new();
    }
    let unit = if check.unit.is_empty() { String::new() } else { format!(" {}", check.unit) };
    let bounds = match check.high {
        None => format!("at least {}", plain(low)),
        Some(high) if low == high => plain(low),
        Some(high) => format!("{} to {}", plain(low), plain(high)),
    };
    format!("{}{unit} ({bounds})", plain(value))
}

/// Sections of the checks, in their order.
pub fn sections(checks: &[Check]) -> Vec<&'static str> {
    let mut sections: Vec<&'static str> = checks.iter().map(|check| check.section).collect();
    sections.dedup();
    sections
}

/// The checks of a section, for the page.
pub fn checks(section: &str, checks: &[Check]) -> Table {
    let mut table = Table::new(section, &["check", "verdict", "what has to be", "how it was found out", "found"]);
    for check in checks.iter().filter(|check| check.section == section) {
        table.row([
            text(check.id),
            check.verdict.cell(),
            text(check.statement),
            text(check.reading),
            text(check.found.as_str()),
        ]);
    }
    table
}

/// The test vectors.
pub fn vectors(vectors: &[Vector]) -> Table {
    let head =
        ["treats", "ft", "she comes, ft/s", "caution", "was", "stress", "feels", "intensity", "does, says", "verdict"];
    let mut table = Table::new("Butler's emotion state generator on eight cases, to 0.0001", &head);
    for it in vectors {
        let coming = it.coming_fps.map_or_else(|| "not called".to_owned(), |fps| format!("{fps}"));
        let stress = it.stress.map_or_else(|| "no bound".to_owned(), |stress| format!("{stress:.4}"));
        table.row([
            Value::Number(it.treats.to_string()),
            number(it.distance_ft, 0),
            Value::Number(coming),
            number(it.caution, 1),
            text(it.before.as_str()),
            Value::Number(stress),
            text(it.emotion.as_str()),
            Value::Number(format!("{}{:.4}", if it.valence == "positive" { "+" } else { "−" }, it.intensity)),
            text(it.does.as_str()),
            verdict(it.holds()),
        ]);
    }
    table
}

/// Table 2.
pub fn table_2(rows: &[Schema]) -> Table {
    let head = ["emotion", "action tendency", "waiter", "refiller", "as in the paper"];
    let mut table = Table::new("Table 2, as it is shipped", &head);
    for row in rows {
        table.row([
            text(row.emotion.as_str()),
            text(row.tendency.as_str()),
            text(row.waiter.as_str()),
            text(row.refiller.as_str()),
            verdict(row.as_in_paper),
        ]);
    }
    table
}

fn with_interval(it: &Mean, decimals: usize, scale: f64) -> Value {
    let [mean, low, high] = [it.mean, it.low, it.high].map(|value| scale * value);
    Value::Number(format!("{mean:.decimals$} ({low:.decimals$} to {high:.decimals$})"))
}

/// Receptions without guests and with the paper's: what happens in half an hour.
pub fn receptions(study: &Study) -> Table {
    let of: Vec<&Crowd> = [0, PAPER].iter().filter_map(|guests| study.crowd(*guests)).collect();
    let head: Vec<String> = of.iter().map(|crowd| format!("{} guests", crowd.guests)).collect();
    let head: Vec<&str> = ["in 1,800 s"].into_iter().chain(head.iter().map(String::as_str)).collect();
    let caption =
        format!("What happens without guests and with {PAPER}: means of {} seeds, 95 % intervals", study.runs);
    let mut table = Table::new(caption, &head);
    for (index, (what, _)) in of.first().map_or(&[][..], |crowd| &crowd.counts).iter().enumerate() {
        let cells = of.iter().map(|crowd| with_interval(&crowd.counts[index].1, 1, 1.0));
        table.row([text(*what)].into_iter().chain(cells));
    }
    for robot in ROBOTS {
        for emotion in study.emotions() {
            let share = |crowd: &&Crowd| {
                let share = crowd.shares.iter().find(|share| share.robot == robot && share.emotion == emotion);
                share.map_or_else(|| number(f64::NAN, 1), |share| with_interval(&share.share, 1, 100.0))
            };
            table.row([text(format!("{robot} {emotion}, % of the time"))].into_iter().chain(of.iter().map(share)));
        }
    }
    table
}

/// Robots' panels at the snapshot.
pub fn panels(study: &Study) -> Option<Table> {
    let snapshot = study.snapshot.as_ref()?;
    let caption = format!("The snapshot: seed {}, {} s", snapshot.seed, snapshot.at_s);
    let mut table = Table::new(caption, &["robot", "at, ft", "feels", "does", "shows"]);
    for panel in &snapshot.robots {
        let shown: Vec<String> = panel.variables.iter().map(|(name, value)| format!("{name} {value}")).collect();
        table.row([
            text(panel.name.as_str()),
            text(panel.place.to_string()),
            text(panel.emotion.as_str()),
            text(panel.behavior.as_str()),
            text(shown.join(", ")),
        ]);
    }
    Some(table)
}

/// For how much of the time a robot feels what, by the number of guests.
pub fn shares(study: &Study, robot: &str) -> Table {
    let emotions = study.emotions();
    let head: Vec<&str> = ["guests"].into_iter().chain(emotions.iter().copied()).collect();
    let mut table = Table::new(format!("What {robot} feels, by the number of guests: % of the time"), &head);
    for crowd in &study.crowds {
        let of = |emotion: &&str| crowd.shares.iter().find(|it| it.robot == robot && it.emotion == **emotion);
        let cells = emotions.iter().map(|it| number(of(it).map_or(f64::NAN, |it| 100.0 * it.share.mean), 1));
        table.row([Value::Number(crowd.guests.to_string())].into_iter().chain(cells));
    }
    table
}

/// For how much of the time Butler feels what among the paper's guests, by caution.
pub fn cautions(study: &Study) -> Table {
    let emotions = study.emotions();
    let head: Vec<&str> = ["caution"].into_iter().chain(emotions.iter().copied()).collect();
    let mut table = Table::new(format!("What Butler feels among {PAPER} guests, by caution: % of the time"), &head);
    for cautious in &study.cautions {
        let of = |emotion: &&str| cautious.shares.iter().find(|it| it.emotion == **emotion);
        let cells = emotions.iter().map(|it| number(of(it).map_or(f64::NAN, |it| 100.0 * it.share.mean), 1));
        table.row([number(cautious.caution, 2)].into_iter().chain(cells));
    }
    table
}
