//! The report of the Collaborative Tasking Protocol: the example mission, its cost functions, the three claims, the
//! weaknesses as drawn, as written and as mended, crashes and partitions. [MacKenzie 2003]

mod claims;
mod costs;
mod elections;
mod faults;
mod figure;
mod load;
mod mission;
mod sampling;
mod weaknesses;

pub use figure::figure;

use super::html::escape;
use super::page::{Section, together};
use super::plot::{Plot, grid};
use crate::provenance::Provenance;
use crate::tasking::{Study, tables};

const TITLE: &str = "Collaborative tasking, reproduced";

const CLAIMS: &str = "Two tables: what the paper says of its protocol, as it is drawn and as it is written, in its own sections \
    and with its own definitions, and what we promise of the protocol with the fixes, which is no claim of the paper. A claim holds if the \
    interval of what was measured lies within what is expected, fails if it lies outside, and is undecided otherwise; a known \
    mismatch (≠) fails with a figure in a band that was written down, for the reason given. What holds by construction, or \
    because places and costs were fitted to it, is marked and not counted.";
const NORMAL: &str = "Everybody is in range and nothing is lost. The paper's mission, its user, its re-offering and its second \
    claim, each run as drawn, as written and with the fixes.";
const COSTS: &str = "What doing the task costs a vehicle, over the time at which it is done and the heading on which the \
    vehicle comes in. Lines are the cost functions, marks are the samples of them that a bid holds. The paper's text \
    gives doug2's cost at two times, 40 at 20 s and 50 at 25 s, and ours are these.";
const LOAD: &str = "The paper counts T(2V + 3) messages for bidding, one report per t_status while a task is pending, and \
    one Completion for each of T tasks, with V the number of vehicles. Term by term it is counted in one run without loss; \
    over tasks, vehicles and time in ten each, from the solicitation until t_status after the last deed, and until 900 s \
    after it.";
const WEAKNESSES: &str = "Each weakness is provoked on purpose, in the same runs of every variant. A run counts as never \
    done if some task of it was not, and as done again if some task was done more than once.";
const ELECTIONS: &str = "Vehicles that miss reports elect a new LEAD: everybody claims, and then says whom it takes for the \
    winner. As drawn they say so once, which is not enough where messages need several hops. Fenced, they say it again \
    and again, as often as the team is wide.";
const FAULTS: &str = "Everything is ordered at once, and nodes crash in any role at any moment, also between a deed and its \
    Done: the computer hangs while the body passes over the target and never comes back, or has heard of it and none of its \
    Done has left, or only the first. What no protocol can promise is set apart from what is a failure of this one.";
const PARTITIONS: &str = "The team is split in two for 2 to 80 s. If it heals in time the task has to be done once. If \
    both parts have done it before, no protocol can help it, and vehicles have to notice. What is promised at most once is \
    never done twice, and may be left undone for as long as the team is split.";
const PLANNERS: &str = "What the protocol comes to beside somebody who knows everything: a planner that sees all positions one \
    t_status after the dropper has stopped; an exhaustive assignment of orders that come at one instant; and exhaustive search \
    for what groups gave up. All of it is ours.";
const SAMPLING: &str = "A bid of the paper holds 168 samples in 336 bytes. Adaptive sampling sends the earliest time and \
    its cost at some 15 headings, placed where they are needed, and once for all how cost grows with waiting. Errors are \
    against the cost function itself at every second and every 5 degrees.";

/// The whole page. `interrupted`: it rests on fewer runs than asked for.
pub fn page(study: &Study, from: &Provenance, interrupted: bool) -> String {
    let mut plots: Vec<Plot> = Vec::new();
    let mut sections = Vec::new();
    let mut section = |id, title, before: &str, drawn: Vec<Plot>, after: String| {
        let drawn_html = if drawn.is_empty() { String::new() } else { grid(&drawn) };
        sections.push(Section { id, title, html: format!("<p>{}</p>\n{drawn_html}{after}", escape(before)) });
        plots.extend(drawn);
    };
    let (maps, told) = (mission::maps(study), mission::tables(study));
    section("mission", "The example mission", mission::WORDS, maps, told);
    section("costs", "Cost functions (Figures 4 to 6)", COSTS, costs::plots(&study.figures), String::new());
    section("normal", "What works as drawn", NORMAL, Vec::new(), normal(study));
    section("claims", "Claims", CLAIMS, Vec::new(), claims::tables(&study.claims));
    section("load", "Messages (Claim 3)", LOAD, load::plots(study), load::tables(study));
    let shown = &study.weaknesses;
    section("weaknesses", "Weaknesses", WEAKNESSES, weaknesses::plots(shown), weaknesses::table(study));
    section("elections", "Elections (W6)", ELECTIONS, vec![elections::plot(study)], elections::table(study));
    section("faults", "Crashes and loss", FAULTS, Vec::new(), faults::tables(study));
    section("partitions", "Partitions", PARTITIONS, Vec::new(), faults::partitions(study));
    section("planners", "Beside a planner that knows everything", PLANNERS, Vec::new(), planners(study));
    let rows = &study.sampling;
    section("sampling", "Adaptive sampling", SAMPLING, sampling::plots(rows, &study.budgets), sampling::table(rows));
    let (links, body) = together(&sections);
    let head = head(study, from, interrupted, &links);
    super::page::page(TITLE, &format!("{head}{body}"), &plots, from, interrupted)
}

fn normal(study: &Study) -> String {
    format!("<div class=\"told\">{}</div>\n", tables::normal(study).html())
}

fn planners(study: &Study) -> String {
    let tables =
        [tables::spare(study), tables::spare_parts(study), tables::simultaneous(study), tables::given_up(study)];
    tables.iter().map(|table| format!("<div class=\"told\">{}</div>\n", table.html())).collect()
}

fn head(study: &Study, from: &Provenance, interrupted: bool, links: &str) -> String {
    let (class, verdict) = match (interrupted, study.holds()) {
        (true, _) => ("bad", "Broken off, with fewer runs than asked for"),
        (false, true) => ("good", "Holds"),
        (false, false) => ("bad", "Does not hold"),
    };
    format!(
        "<header>\n<h1>{TITLE}</h1>\n<p class=\"from\">{}</p>\n\
         <p class=\"lead\"><strong class=\"{class}\">{verdict}</strong>: {}.</p>\n\
         <p>MacKenzie's protocol auctions tightly timed tasks: a vehicle leads, the others bid with whole cost functions, \
         and whoever is not assigned watches over whoever is. Here it is run in three variants, as the paper's Figure 1 \
         draws it (drawn), with the remedies of the paper's own text (written), and with the fixes F1 to F6 (fenced). {} runs with crashes for each loss; every table says \
         how many runs it rests on. What the paper leaves open is read as docs/reproductions/tasking.md says.</p>\n\
         <nav aria-label=\"Contents\"><ul>{links}<li><a href=\"#provenance\">Provenance</a></li></ul></nav>\n</header>\n",
        escape(&from.line()),
        escape(&study.account().to_string()),
        study.runs
    )
}
