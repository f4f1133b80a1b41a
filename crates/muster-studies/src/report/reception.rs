//! The report of the reception of CARS: emotions by crowd, a run as it went, the paper's snapshot, caution, and every check.
//! [Lisetti et al.]

mod caution;
mod crowd;
mod figure;
mod plan;
mod timeline;

pub use figure::figure;

use super::html::escape;
use super::page::{Section, together};
use super::plot::{Plot, grid};
use crate::provenance::Provenance;
use crate::reception::runs::ROBOTS;
use crate::reception::{Study, tables};

const TITLE: &str = "The reception, reproduced";

const CROWD: &str = "Butler serves, Leguin brings treats, and guests get in the way. The more of them, the longer Butler \
    waits for Leguin, and the worse both feel. Each bar is the mean of all seeds.";
const RUN: &str = "The first of the runs with 100 guests, from its beginning. Treats go down while Butler serves, and are 30 \
    again after an exchange; what it feels follows from how long they last and how long Leguin needs.";
const SNAPSHOT: &str = "The paper shows one moment of a run: Butler with seven treats left, CONCERNED but serving; Leguin \
    CONCERNED, told to hurry, about halfway in REFILL. Of all runs with 100 guests, this is the scene that is most like it.";
const CAUTION: &str = "The more cautious a robot, the faster the intensity of its emotions rises. For one and the same \
    history that is so at every second (check 62). Here each caution makes its own history: a cautious Butler calls \
    earlier, and has Leguin hurry earlier.";
const GENERATOR: &str = "How Butler's emotion follows from treats, distance and speed: cases that were reckoned by hand, and \
    the behaviours that each emotion makes active.";
const CHECKS: &str = "What the paper's section on CARS asks of the simulator, numbered as in our reading of it. Each was \
    found out by running it. What needs a screen (6, 17 to 22) is not among them.";

/// Colours and patterns of emotions, calmest first; more than these begin again.
const LOOKS: [(&str, &str); 6] = [("@h3", ""), ("@h6", "/"), ("@h5", "\\"), ("@h2", "x"), ("@h4", "."), ("@h7", "-")];

pub(super) fn look(level: usize) -> (&'static str, &'static str) {
    LOOKS[level % LOOKS.len()]
}

/// The whole page. `interrupted`: it rests on fewer runs than asked for.
pub fn page(study: &Study, from: &Provenance, interrupted: bool) -> String {
    let mut plots: Vec<Plot> = Vec::new();
    let mut sections = Vec::new();
    let mut section = |id, title, before: &str, drawn: Vec<Plot>, after: String| {
        let drawn_html = if drawn.len() > 1 { grid(&drawn) } else { drawn.iter().map(Plot::html).collect() };
        sections.push(Section { id, title, html: format!("<p>{}</p>\n{drawn_html}{after}", escape(before)) });
        plots.extend(drawn);
    };
    let shares: String = ROBOTS.iter().map(|robot| tables::shares(study, robot).html()).collect();
    let told = format!("{}<div class=\"grid\">\n{shares}</div>\n", tables::receptions(study).html());
    section("crowd", "Emotion follows the crowd", CROWD, crowd::plots(study), told);
    section("run", "One run", RUN, timeline::plot(study).into_iter().collect(), String::new());
    section("snapshot", "The paper’s snapshot", SNAPSHOT, plan::plot(study).into_iter().collect(), plan::words(study));
    section("caution", "Caution", CAUTION, vec![caution::plot(study)], tables::cautions(study).html());
    let told = format!("{}{}", tables::vectors(&study.vectors).html(), tables::table_2(&study.table_2).html());
    section("generator", "Butler’s emotions", GENERATOR, Vec::new(), told);
    section("checks", "Checks", CHECKS, Vec::new(), checks(study));
    let (links, body) = together(&sections);
    let head = head(study, from, interrupted, &links);
    super::page::page(TITLE, &format!("{head}{body}"), &plots, from, interrupted)
}

fn checks(study: &Study) -> String {
    let table = |section| format!("<div class=\"words\">{}</div>\n", tables::checks(section, &study.checks).html());
    tables::sections(&study.checks).into_iter().map(table).collect()
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
         <p>CARS, the Cooperative Affective Robot Simulator of Lisetti et al., lets robots with emotions run among guests \
         and says how it has to do so. Here a waiter and a refiller run for half an hour with each of {} seeds, for each \
         number of guests and each caution. What the paper leaves open is read as docs/reproductions/reception.md \
         says.</p>\n\
         <nav aria-label=\"Contents\"><ul>{links}<li><a href=\"#provenance\">Provenance</a></li></ul></nav>\n</header>\n",
        escape(&from.line()),
        escape(&study.account().to_string()),
        study.runs,
    )
}
