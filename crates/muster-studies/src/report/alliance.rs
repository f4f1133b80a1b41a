//! The report of the L-ALLIANCE study: the report's figures drawn again, Table 3, claims, gaps, robots that stop.

mod figure;
mod gaps;
mod learning;
mod regions;
mod times;

pub use figure::figure;

use super::html::{Mark, Table, Value, escape, number, text};
use super::page::{Section, together};
use super::plot::{Plot, grid};
use crate::alliance::Study;
use crate::alliance::claims::Claim;
use crate::alliance::gaps::{Conditions, Gap};
use crate::alliance::rules::Reading;
use crate::provenance::Provenance;
use crate::verdict::Verdict;

const TITLE: &str = "L-ALLIANCE, reproduced";

/// The whole page. `interrupted`: it rests on fewer missions than asked for.
pub fn page(study: &Study, from: &Provenance, interrupted: bool) -> String {
    let mut plots: Vec<Plot> = Vec::new();
    let mut sections = Vec::new();
    let mut section = |id, title, drawn: Vec<Plot>, before: &str, after: String| {
        if drawn.is_empty() && after.is_empty() {
            return;
        }
        let html = format!("<p>{before}</p>\n{}{after}", if drawn.is_empty() { String::new() } else { grid(&drawn) });
        plots.extend(drawn);
        sections.push(Section { id, title, html });
    };
    section("claims", "Claims", Vec::new(), CLAIMS, claims(&study.claims));
    section("regions", "Regions (Figure 3, Table 3)", vec![regions::plot(study)], REGIONS, table_3(study));
    section("strategies", "Strategies (Figures 4 to 7)", times::strategies(study), STRATEGIES, String::new());
    section("orderings", "Orderings (Figure 8)", times::orderings(study), ORDERINGS, String::new());
    section("gaps", "Above the optimum (Figure 10)", gaps::plots(study), GAPS, gap_tables(&study.gaps));
    section("learning", "Learning", learning::plots(study), LEARNING, String::new());
    section("stops", "Robots that stop", Vec::new(), STOPS, stops(study));
    let (links, body) = together(&sections);
    let head = head(study, from, interrupted, &links);
    super::page::page(TITLE, &format!("{head}{body}"), &plots, from, interrupted)
}

const CLAIMS: &str = "The default reading is the ratio of average times, which the report calls the characteristic \
    performance of a scenario, in percent, with a 95 % interval: it holds if the whole interval is as claimed, fails if the \
    whole is otherwise, and is undecided else. Other readings stand beside it; ✗ marks where the claim fails under one, ? \
    where it is undecided. What holds under one and fails under another depends. A known mismatch fails with a figure in a \
    band that was written down, for the reason given. Ratios: the mean over missions of the ratio of two times. Log-uniform: times spread evenly by their logarithm. Boredom-60: 60 s of \
    boredom rather than 10 s. Gate-0: taking over does not wait for boredom.";
const REGIONS: &str = "The study falls into four regions by task coverage / tasks. Table 3 of the report says which \
    strategies to prefer in each; ours are the quickest and those that are not worse than it by 2 % or more.";
const STRATEGIES: &str = "The missions of regions 1 and 2 are the report's; those of regions 3 and 4 are lost, and \
    two scenarios of our grid stand in. The curves of the report are lost, too. Bars are one standard deviation between \
    missions; strategies stand a little apart.";
const ORDERINGS: &str = "Six robots, twelve tasks, coverage 4, without progress when working: the change of a mission's \
    time against modified shortest first. The report shows random order. Bars are one standard deviation between \
    missions.";
const GAPS: &str = "How far above the exact optimum missions end, without progress when working. Bars are one standard \
    deviation between scenarios, as in the report. Only the preferred strategy is the report's; regret, replan and \
    replan-broadcast go beyond it, with the same robots.";
const LEARNING: &str = "The report says that about five trials are enough, and shows no experiment. Here six robots with \
    twelve tasks, coverage 4, 200 % heterogeneity and times that scatter by a tenth start out knowing nothing, unless said \
    otherwise. In training robots try tasks at random and yield to nobody; a team that only adapts tries nobody whom it \
    does not expect to be good.";
const STOPS: &str = "Robots stop for good at random times and messages are lost; every mission must get done, and 99 % \
    of them (with their interval) within five times the time of the same mission at no loss (at no loss: without stops).";

fn head(study: &Study, from: &Provenance, interrupted: bool, links: &str) -> String {
    let (class, verdict) = match (interrupted, study.holds()) {
        (true, _) => ("bad", "Broken off, with fewer missions than asked for"),
        (false, true) => ("good", "Holds"),
        (false, false) => ("bad", "Does not hold"),
    };
    format!(
        "<header>\n<h1>{TITLE}</h1>\n<p class=\"from\">{}</p>\n\
         <p class=\"lead\"><strong class=\"{class}\">{verdict}</strong>: {}.</p>\n\
         <p>Parker's report on L-ALLIANCE compares three strategies of a team whose robots take over from each other out \
         of impatience and yield out of acquiescence: I distrusts what it knows about team mates, II lets the best robot \
         win, III gives robots a fighting chance. Every mission here is run by the machine that robots would run. {} \
         missions a scenario. What the report leaves open is read as docs/reproductions/alliance.md says.</p>\n\
         <nav aria-label=\"Contents\"><ul>{links}<li><a href=\"#provenance\">Provenance</a></li></ul></nav>\n</header>\n",
        escape(&from.line()),
        escape(&study.account().to_string()),
        study.runs
    )
}

/// The report's claims, then parts of them by themselves.
fn claims(claims: &[Claim]) -> String {
    let mut html = String::new();
    for (caption, part) in [("The report's claims", false), ("Parts of these, by themselves: not counted", true)] {
        let judged = claims.iter().filter(|claim| claim.reading == Reading::Default.name());
        let judged: Vec<&Claim> = judged.filter(|claim| claim.part == part).collect();
        if judged.is_empty() {
            continue;
        }
        let readings = Reading::ALL.map(Reading::name);
        let head = [&["claim", "section", "verdict", readings[0], "95 %"], &readings[1..], &["remark"]].concat();
        let mut table = Table::new(caption, &head);
        for claim in judged {
            let mut cells = vec![
                text(claim.statement.as_str()),
                text(claim.section),
                claim.verdict.cell(),
                Value::Number(format!("{:.1} %", claim.measured.value)),
                Value::Number(format!("{:.1} – {:.1}", claim.measured.low, claim.measured.high)),
            ];
            cells.extend(Reading::ALL.into_iter().skip(1).map(|reading| {
                let is = |other: &&Claim| other.reading == reading.name() && other.id == claim.id;
                Value::Number(match claims.iter().find(is) {
                    Some(other) => {
                        let mark = match other.alone {
                            Verdict::Holds => "",
                            Verdict::Undecided => "? ",
                            _ => "✗ ",
                        };
                        format!("{mark}{:.1} %", other.measured.value)
                    }
                    None => "–".to_owned(),
                })
            }));
            cells.push(text(claim.remark()));
            table.row(cells);
        }
        html.push_str(&format!("<div class=\"wrap\">{}</div>\n", table.html()));
    }
    html
}

fn table_3(study: &Study) -> String {
    if study.table_3.is_empty() {
        return String::new();
    }
    let head = ["region", "progress", "heterogeneity", "report", "ours", "ours are", "I", "II", "III"];
    let mut table = Table::new("Table 3: preferred strategies, and how far each is behind our quickest", &head);
    for row in &study.table_3 {
        let mark = match (row.same, row.agrees) {
            (true, _) => (Mark::Good, "the report's"),
            (false, true) => (Mark::Known, "others, the quickest is one of the report's"),
            (false, false) => (Mark::Known, "others, the quickest, too"),
        };
        let mut cells = vec![
            text(row.region.map_or_else(|| "all".to_owned(), |region| region.0.to_string())),
            text(match row.progress {
                Some(true) => "yes",
                Some(false) => "no",
                None => "either",
            }),
            text(row.heterogeneity),
            text(row.report.join(", ")),
            text(row.ours.join(", ")),
            Value::Verdict(mark.0, mark.1.to_owned()),
        ];
        cells.extend(row.behind.map(|percent| Value::Number(format!("{percent:.1} %"))));
        table.row(cells);
    }
    table.html()
}

fn gap_tables(gaps: &[Gap]) -> String {
    let mut html = String::new();
    for (set, words) in [("figure-10", "Missions of Figure 10"), ("larger", "Larger missions")] {
        for conditions in Conditions::ALL {
            let of: Vec<&Gap> = gaps.iter().filter(|gap| gap.set == set && gap.conditions == conditions).collect();
            if of.is_empty() {
                continue;
            }
            let head =
                ["rule", "coverage", "region", "mean", "95 %", "averages", "sd", "scenarios", "bound", "verdict"];
            let mut table = Table::new(format!("{words}, {}", conditions.words()), &head);
            for gap in of {
                table.row([
                    text(gap.rule.as_str()),
                    Value::Number(format!("{}+", gap.coverage_from)),
                    number(f64::from(gap.region.0), 0),
                    Value::Number(format!("{:.2} %", gap.mean)),
                    Value::Number(format!("{:.2} – {:.2}", gap.low, gap.high)),
                    Value::Number(format!("{:.2} %", gap.averages.value)),
                    number(gap.sd, 2),
                    number(gap.scenarios as f64, 0),
                    Value::Number(gap.bound.map_or_else(|| "–".to_owned(), |bound| format!("{bound} %"))),
                    gap.verdict.map_or_else(|| text("–"), Verdict::cell),
                ]);
            }
            html.push_str(&table.html());
        }
    }
    if html.is_empty() { html } else { format!("<div class=\"grid tables\">\n{html}</div>\n") }
}

fn stops(study: &Study) -> String {
    if study.stops.is_empty() {
        return String::new();
    }
    let head =
        ["rule", "loss", "missions", "done", "in time", "stopped", "overlaps", "duplicates", "mean, s", "verdict"];
    let mut table = Table::new("Missions whose robots stop, statements every 5 s", &head);
    for row in &study.stops {
        table.row([
            text(row.rule.as_str()),
            Value::Number(format!("{:.0} %", 100.0 * row.loss)),
            number(row.runs as f64, 0),
            number(row.completed as f64, 0),
            Value::Number(format!("{:.2} %", 100.0 * row.within as f64 / row.runs.max(1) as f64)),
            number(row.stopped, 2),
            number(row.overlaps, 2),
            number(row.duplicates, 2),
            number(row.mean_s, 0),
            row.verdict().cell(),
        ]);
    }
    table.html()
}
