//! The report of a reproduction: plots, all tables with verdicts, conclusions, contradictions.

use super::html::{Mark, Table, Value, escape, number, text};
use super::plot::{Plot, grid};
use super::{page, percentiles, sweep, tradeoff};
use crate::provenance::Provenance;
use crate::recruitment::{Cell, Metric, Study};
use crate::verdict::Verdict;

/// The whole page. `interrupted`: the cells rest on fewer groups than asked for.
pub fn study(study: &Study, from: &Provenance, interrupted: bool) -> String {
    let mut plots = sweep::plots(study);
    let sweeps = grid(&plots);
    let percentiles = percentiles::plot(study);
    let strip = percentiles.html();
    plots.push(percentiles);
    let tradeoff = tradeoff::plot(&study.tradeoff);
    let trade = tradeoff.html();
    plots.push(tradeoff);
    let tables: String = (1..=5).map(|number| table(number, &study.cells).html()).collect();
    let body = format!(
        "{head}\
         <section id=\"figures-of-the-paper\">\n<h2>The paper's figures beside ours</h2>\n\
         <p>A ring around its filled marker, or within its bar, is a figure reproduced. Strategies stand side by side, \
         a little apart, since two of them often agree.</p>\n{sweeps}</section>\n\
         <section id=\"percentile-per-cell\">\n<h2>How well each figure fits</h2>\n{strip}</section>\n\
         <section id=\"tables\">\n<h2>Tables 1 to 5</h2>\n<div class=\"grid tables\">\n{tables}</div>\n</section>\n\
         <section id=\"statements\">\n<h2>What totals are made of, and what is said in words</h2>\n{statements}</section>\n\
         <section id=\"trade-off\">\n<h2>The trade-off</h2>\n{trade}</section>\n\
         <section id=\"conclusions\">\n<h2>Conclusions, recomputed</h2>\n{conclusions}</section>\n\
         <section id=\"contradictions\">\n<h2>The paper contradicts itself</h2>\n{contradictions}</section>\n",
        head = head(study, from, interrupted),
        statements = statements(study),
        conclusions = conclusions(study),
        contradictions = contradictions(study),
    );
    page::page("Affective recruitment, reproduced", &body, &plots as &[Plot], from, interrupted)
}

fn head(study: &Study, from: &Provenance, interrupted: bool) -> String {
    let (account, failing) = (study.account(), study.account().paper.failed);
    let (class, verdict) = match (interrupted, failing) {
        (true, _) => ("bad", "Broken off, with fewer groups than asked for"),
        (false, 0) => ("good", "Holds"),
        (false, _) => ("bad", "Does not hold"),
    };
    format!(
        "<header>\n<h1>Affective recruitment, reproduced</h1>\n<p class=\"from\">{}</p>\n\
         <p class=\"lead\"><strong class=\"{class}\">{verdict}</strong>: {} of {} distinct figures reproduced, {} of them neither \
         arithmetic nor what the reading was chosen by; with what is said in words, {account}.</p>\n\
         <p>Gage &amp; Murphy (2004) let a robot in an aerial search recruit ground robots, and counted messages and \
         waiting time with three strategies: affective (robots answer once they are ashamed enough), greedy (all \
         answer, the first to arrive is taken) and random. Each figure of their tables is a mean of three runs. Ours \
         are {} such means a cell; a figure is reproduced if it lies in the central 95 % of them, with the \
         whole 95 % interval of its percentile. The known \
         mismatches fit no sensible reading of the paper and are explained in \
         docs/reproductions/recruitment.md.</p>\n\
         <nav aria-label=\"Contents\"><ul><li><a href=\"#figures-of-the-paper\">Plots</a></li>\
         <li><a href=\"#percentile-per-cell\">Percentiles</a></li><li><a href=\"#tables\">Tables</a></li>\
         <li><a href=\"#statements\">Sentences</a></li><li><a href=\"#trade-off\">Trade-off</a></li>\
         <li><a href=\"#conclusions\">Conclusions</a></li><li><a href=\"#contradictions\">Contradictions</a></li>\
         <li><a href=\"#provenance\">Provenance</a></li></ul></nav>\n</header>\n",
        escape(&from.line()),
        study.distinct_reproduced(),
        study.distinct().count(),
        study.distinct_measured(),
        study.runs
    )
}

/// What sets a cell apart from others of its table and strategy.
pub fn circumstance(cell: &Cell) -> String {
    match cell.table {
        1 | 2 => format!("{} robots", cell.team),
        3 | 4 => format!("{:.0} % loss", cell.loss * 100.0),
        _ => cell.messaging.to_owned(),
    }
}

fn table(number_of: u32, cells: &[Cell]) -> Table {
    let (caption, varied) = match number_of {
        1 => ("Table 1: messages by team size", "robots"),
        2 => ("Table 2: waiting time in seconds by team size", "robots"),
        3 => ("Table 3: messages by loss, 13 robots", "loss"),
        4 => ("Table 4: waiting time in seconds by loss, 13 robots", "loss"),
        _ => ("Table 5: messages by broadcast and unicast, 13 robots, 10 % loss", "messaging"),
    };
    let mut table =
        Table::new(caption, &["strategy", varied, "paper", "mean", "central 95 %", "sd of 3", "percentile", "verdict"]);
    for cell in cells.iter().filter(|cell| cell.table == number_of) {
        let decimals = if cell.metric == Metric::Messages { 2 } else { 1 };
        let interval = format!("{:.decimals$} – {:.decimals$}", cell.low, cell.high, decimals = 1);
        table.row([
            text(cell.strategy),
            match number_of {
                1 | 2 => number(f64::from(cell.team), 0),
                3 | 4 => Value::Number(format!("{:.0} %", cell.loss * 100.0)),
                _ => text(cell.messaging),
            },
            Value::Number(cell.paper.to_string()),
            number(cell.mean, decimals),
            Value::Number(if cell.low.is_finite() { interval } else { "–".to_owned() }),
            number(cell.sd3, decimals),
            number(cell.percentile, 1),
            match cell.verdict {
                Verdict::Holds => Value::Verdict(
                    Mark::Good,
                    match cell.ground.remark() {
                        "" => "reproduced".to_owned(),
                        remark => format!("reproduced ({remark})"),
                    },
                ),
                Verdict::KnownMismatch => Value::Verdict(Mark::Known, "known mismatch".to_owned()),
                Verdict::Fails => Value::Verdict(Mark::Bad, "does not fit".to_owned()),
                other => other.cell(),
            },
        ]);
    }
    table
}

fn conclusions(study: &Study) -> String {
    let value = |value: f64, unit: &str| match (value.is_finite(), unit) {
        (false, _) => Value::Number("–".to_owned()),
        (true, "%") => Value::Number(format!("{value:.1} %")),
        (true, unit) => Value::Number(format!("{value:.0} {unit}")),
    };
    let head =
        ["what the paper concludes", "paper", "from its tables", "measured", "percentile", "rests on", "verdict"];
    let mut table = Table::new("The paper's conclusions beside ours", &head);
    for conclusion in &study.conclusions {
        table.row([
            text(conclusion.statement),
            value(conclusion.paper, conclusion.unit),
            value(conclusion.from_tables.unwrap_or(f64::NAN), conclusion.unit),
            value(conclusion.measured, conclusion.unit),
            number(conclusion.percentile.unwrap_or(f64::NAN), 1),
            text(conclusion.ground.remark()),
            conclusion.verdict.map_or_else(|| text("–"), Verdict::cell),
        ]);
    }
    format!("<div class=\"wrap\">{}</div>\n", table.html())
}

fn statements(study: &Study) -> String {
    let head = ["what the paper says", "section", "at least", "at most", "measured", "rests on", "verdict"];
    let mut table = Table::new("Sentences of the paper, judged", &head);
    for it in &study.statements {
        table.row([
            text(it.statement),
            text(it.section),
            number(it.claimed.low, 1),
            number(it.claimed.high, 1),
            Value::Number(format!("{:.2} {}", it.measured.value, it.unit)),
            text(it.ground.remark()),
            it.verdict.cell(),
        ]);
    }
    format!("<div class=\"wrap\">{}</div>\n", table.html())
}

fn contradictions(study: &Study) -> String {
    let item = |contradiction: &crate::recruitment::Contradiction| {
        format!("<li>It says: {}. But: {}.</li>\n", escape(&contradiction.says), escape(&contradiction.but))
    };
    let items: String = study.contradictions.iter().map(item).collect();
    format!("<ul>\n{items}</ul>\n")
}
