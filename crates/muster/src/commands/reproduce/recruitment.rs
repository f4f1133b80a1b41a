//! `muster reproduce recruitment`: Gage & Murphy's tables, sentences, conclusions and trade-off, beside ours.

use std::time::Instant;

use miette::Result;
use muster_studies::recruitment::{self, Cell, Conclusion, Metric, Readings, Statement, Study, Tradeoff};
use muster_studies::report;
use muster_studies::verdict::{Account, Ground, Verdict};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Files, Reproduced, print_account, print_wrapped, verdict};
use crate::cli::ReproduceArguments;
use crate::output::{self, Table, bold, faint};
use crate::progress;

#[derive(Serialize)]
struct Document<'a> {
    paper: &'static str,
    #[serde(flatten)]
    study: &'a Study,
    reproduced: usize,
    /// Figures that no earlier table has printed, and how many of them are reproduced.
    distinct: Distinct,
    account: Account,
    interrupted: bool,
    elapsed_ms: u64,
}

#[derive(Serialize)]
struct Distinct {
    figures: usize,
    reproduced: usize,
    /// Of these, those that are neither arithmetic nor what the reading was chosen by.
    measured: usize,
}

#[derive(Serialize)]
struct RankedDocument<'a> {
    paper: &'static str,
    #[serde(flatten)]
    readings: &'a Readings,
    interrupted: bool,
    elapsed_ms: u64,
}

/// Three-run groups per cell: enough for percentiles with one decimal.
const RUNS: u64 = 2000;
/// The same for each of many readings: enough for one or two figures of each to be undecided.
const RUNS_OF_READINGS: u64 = 1000;

/// Runs the study and prints it.
pub(super) fn execute(arguments: &ReproduceArguments, files: &mut Files, json: bool) -> Result<Reproduced> {
    if arguments.readings {
        return rank(arguments, json);
    }
    let groups = arguments.runs.unwrap_or(RUNS);
    let began = Instant::now();
    let runs = recruitment::runs_in(groups);
    let study = progress::with_progress(&arguments.threads, runs, "Tables 1-5", |batch| {
        recruitment::reproduce(&arguments.set, arguments.seed, groups, batch)
    })??;
    let interrupted = progress::was_interrupted();
    let verdict = verdict(study.holds());
    let config = json!({"scenario": "minefield", "recruitment": "gage_2004", "groups_of": 3,
        "resolved": recruitment::scenario_for(&recruitment::Setting::lossless(
            muster_core::recruitment::Strategy::Affective, 10), &arguments.set)?.scenario});
    write_files(files, arguments, &study, interrupted, &config);
    if json {
        let document = Document {
            paper: "Gage & Murphy 2004",
            reproduced: study.reproduced(),
            distinct: Distinct {
                figures: study.distinct().count(),
                reproduced: study.distinct_reproduced(),
                measured: study.distinct_measured(),
            },
            account: study.account(),
            study: &study,
            interrupted,
            elapsed_ms: began.elapsed().as_millis() as u64,
        };
        return Ok(Reproduced { verdict, document: Some(output::document(Some(arguments.seed), &config, &document)) });
    }
    println!(
        "{}  {}",
        bold("Gage & Murphy 2004, Affective Recruitment"),
        faint(&format!("[{}]", output::provenance(arguments.seed)))
    );
    println!(
        "{groups} three-run groups a cell; a figure is reproduced if it lies in the central 95 % of our three-run means,\n\
         with the whole 95 % interval of its percentile; undecided if only part of that does."
    );
    if !study.changes.is_empty() {
        println!("Another reading than the study's own: {}.", study.changes.join(", "));
    }
    for table in 1..=5 {
        print_table(table, &study.cells);
    }
    print_statements(&study.statements);
    print_conclusions(&study.conclusions);
    print_tradeoff(&study.tradeoff);
    println!("\n{}", bold("The paper contradicts itself"));
    for contradiction in &study.contradictions {
        print_wrapped(&format!("{}; but {}.", contradiction.says, contradiction.but));
    }
    print_verdict(&study, interrupted);
    output::print_written(files.left.written.iter());
    Ok(Reproduced { verdict, document: None })
}

fn write_files(files: &mut Files, arguments: &ReproduceArguments, study: &Study, interrupted: bool, config: &Value) {
    let (seed, runs) = (&arguments.seed, study.runs);
    let from = |output: &str| {
        let set: String = arguments.set.iter().map(|change| format!(" --set {change}")).collect();
        let command = format!("muster reproduce recruitment --runs {runs} --seed {seed}{set} {output}");
        output::provenance_of(*seed, "minefield", command, config)
    };
    files.write_report(|| report::study(study, &from("--report report.html"), interrupted));
    files.write_figure(|| report::figure(study, &from("--figure figure.svg")));
}

fn title(table: u32) -> &'static str {
    match table {
        1 => "Table 1: messages by team size",
        2 => "Table 2: waiting time by team size, in seconds",
        3 => "Table 3: messages by loss, 13 robots",
        4 => "Table 4: waiting time by loss, 13 robots, in seconds",
        _ => "Table 5: messages by broadcast and unicast, 13 robots, 10 % loss",
    }
}

fn print_table(number: u32, cells: &[Cell]) {
    println!("\n{}", bold(title(number)));
    let varied = if number <= 2 {
        "robots"
    } else if number <= 4 {
        "loss"
    } else {
        "messaging"
    };
    let mut table = Table::new(2, &["strategy", varied, "paper", "mean", "sd of 3", "percentile", "verdict"]);
    for cell in cells.iter().filter(|cell| cell.table == number) {
        let decimals = if cell.metric == Metric::Messages { 2 } else { 1 };
        table.row([
            cell.strategy.to_owned(),
            match number {
                1 | 2 => cell.team.to_string(),
                3 | 4 => format!("{:.0} %", cell.loss * 100.0),
                _ => cell.messaging.to_owned(),
            },
            cell.paper.to_string(),
            format!("{:.decimals$}", cell.mean),
            format!("{:.decimals$}", cell.sd3),
            format!("{:.1}", cell.percentile),
            told(if cell.reproduced { "reproduced" } else { cell.verdict.name() }, cell.verdict, cell.ground),
        ]);
    }
    table.print();
}

fn print_conclusions(conclusions: &[Conclusion]) {
    println!("\n{}", bold("Conclusions, recomputed"));
    let number = |value: f64, unit: &str| match value {
        value if value.is_nan() => "-".to_owned(),
        value if unit == "%" => format!("{value:.1} %"),
        value => format!("{value:.0} {unit}"),
    };
    let mut table = Table::new(0, &["paper", "its tables", "measured", "percentile", "verdict", "  what"]);
    for conclusion in conclusions {
        table.row([
            number(conclusion.paper, conclusion.unit),
            conclusion.from_tables.map_or_else(|| "-".to_owned(), |value| number(value, conclusion.unit)),
            number(conclusion.measured, conclusion.unit),
            conclusion.percentile.map_or_else(|| "-".to_owned(), |percentile| format!("{percentile:.1}")),
            conclusion.verdict.map_or_else(|| "-".to_owned(), |it| told(it.name(), it, conclusion.ground)),
        ]);
    }
    // The statements are long: each stands on its own line, after its numbers.
    table.print_with(conclusions.iter().map(|conclusion| conclusion.statement));
}

/// A verdict in a word, with what it rests on if it holds and is no evidence.
fn told(word: &str, verdict: Verdict, ground: Ground) -> String {
    let word = match ground.remark() {
        remark if !remark.is_empty() && verdict == Verdict::Holds => format!("{word} ({remark})"),
        _ => word.to_owned(),
    };
    output::verdict(&word, verdict == Verdict::Holds)
}

fn print_statements(statements: &[Statement]) {
    println!("\n{}", bold("What totals are made of, and what is said in words"));
    let number = |value: f64| format!("{value:.2}").trim_end_matches('0').trim_end_matches('.').to_owned();
    let mut table = Table::new(0, &["claimed", "measured", "95 %", "verdict", "  what"]);
    for it in statements {
        let claimed = match (it.claimed.low, it.claimed.high) {
            (low, high) if low == high => number(low),
            (low, high) if low == f64::NEG_INFINITY => format!("at most {}", number(high)),
            (low, high) if high == f64::INFINITY => format!("at least {}", number(low)),
            (low, high) => format!("{} to {}", number(low), number(high)),
        };
        let claimed = if it.unit == "%" { format!("{claimed} %") } else { claimed };
        table.row([
            claimed,
            format!("{} {}", number(it.measured.value), it.unit).trim_end().to_owned(),
            format!("{} to {}", number(it.measured.low), number(it.measured.high)),
            told(it.verdict.name(), it.verdict, it.ground),
        ]);
    }
    table.print_with(statements.iter().map(|it| it.statement));
}

fn print_tradeoff(tradeoff: &Tradeoff) {
    println!("\n{}", bold("The trade-off: messages against waiting time, 13 robots"));
    let mut table = Table::new(1, &["", "value", "messages", "wait"]);
    for point in tradeoff.points.iter().chain([&tradeoff.greedy, &tradeoff.random]) {
        table.row([
            point.parameter.to_owned(),
            if point.value.is_nan() { String::new() } else { point.value.to_string() },
            format!("{:.1}", point.messages),
            format!("{:.0} s", point.wait_s),
        ]);
    }
    table.print();
    print_wrapped(&format!(
        "{} From one value of a parameter to the next, messages and waiting rise or fall together {} times; \
         if less of one were always paid for with more of the other, they never would.",
        tradeoff.in_words(),
        tradeoff.both_rise(),
    ));
}

/// Ranks readings of what the paper leaves open.
fn rank(arguments: &ReproduceArguments, json: bool) -> Result<Reproduced> {
    let (began, groups) = (Instant::now(), arguments.runs.unwrap_or(RUNS_OF_READINGS));
    let runs = recruitment::runs_in_readings(groups);
    let readings = progress::with_progress(&arguments.threads, runs, "readings", |batch| {
        recruitment::rank(&arguments.set, arguments.seed, groups, batch)
    })??;
    let interrupted = progress::was_interrupted();
    let verdict = verdict(readings.ranked.iter().all(|it| !it.replaces));
    if json {
        let (paper, elapsed_ms) = ("Gage & Murphy 2004", began.elapsed().as_millis() as u64);
        let document = RankedDocument { paper, readings: &readings, interrupted, elapsed_ms };
        let config = json!({"scenario": "minefield", "recruitment": "gage_2004", "groups_of": 3});
        return Ok(Reproduced { verdict, document: Some(output::document(Some(arguments.seed), &config, &document)) });
    }
    println!(
        "{}  {}",
        bold("Gage & Murphy 2004: readings, ranked"),
        faint(&format!("[{}]", output::provenance(arguments.seed)))
    );
    println!(
        "{groups} three-run groups a cell; how many of the {} distinct figures each reading fits (reproduced, as the study\n\
         says it), and of how many so few groups do not tell.\n",
        readings.figures
    );
    let head = ["collect", "pause", "spacing", "lease", "lost", "fits", "undecided", "fresh", "  contradicts"];
    let mut table = Table::new(0, &head);
    // The best, the present one, and what would replace it.
    let shown = || readings.ranked.iter().enumerate().filter(|(at, it)| *at < 20 || it.present || it.replaces);
    for (_, it) in shown() {
        table.row([
            format!("{} s", it.reading.collect_s),
            format!("{} s", it.reading.pause_s),
            format!("{} m", it.reading.spacing_m),
            format!("{} s", it.reading.lease_s),
            if it.reading.lost_count { "counted" } else { "not" }.to_owned(),
            format!("{}{}", it.fits, if it.present { " (ours)" } else { "" }),
            it.undecided.to_string(),
            it.fits_fresh.map_or_else(|| "-".to_owned(), |fits| fits.to_string()),
        ]);
    }
    table.print_with(shown().map(|(_, it)| it.contradicts.join(", ")).collect::<Vec<_>>().iter().map(String::as_str));
    println!("\nSentences that a reading may contradict:");
    for sentence in &readings.sentences {
        print_wrapped(&format!("{}: {}", sentence.id, sentence.says));
    }
    let replacing = readings.ranked.iter().filter(|it| it.replaces).count();
    print_wrapped(&format!(
        "The present reading was chosen by these tables. Another replaces it if it fits at least {} more figures on fresh \
         arrangements and contradicts no sentence that the present one keeps: {} of {}{}.",
        recruitment::MORE,
        if replacing == 0 { "none".to_owned() } else { replacing.to_string() },
        readings.ranked.len(),
        if interrupted { " (broken off)" } else { "" },
    ));
    Ok(Reproduced { verdict, document: None })
}

fn print_verdict(study: &Study, interrupted: bool) {
    if interrupted {
        return println!(
            "\nBroken off: the cells above rest on fewer groups than asked for, and nothing follows from them."
        );
    }
    println!(
        "\n{} of {} distinct figures reproduced (of {} that are printed, {}); {} of these are evidence, the others \
         arithmetic or what the reading was chosen by.",
        study.distinct_reproduced(),
        study.distinct().count(),
        study.cells.len(),
        study.reproduced(),
        study.distinct_measured(),
    );
    print_account(&study.account());
}
