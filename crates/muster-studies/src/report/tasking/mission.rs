//! The example mission: a map of what was flown, and a table of what was planned. [MacKenzie §4]

use muster_core::tasking::Variant;
use muster_sim::scenario;
use muster_sim::{Origin, Scheme};

use crate::report::flights;
use crate::report::html::escape;
use crate::report::map;
use crate::report::plot::Plot;
use crate::report::trace::trace;
use crate::tasking::Study;

/// What the section says.
pub const WORDS: &str = "One vehicle verifies a hotspot, the next drops water on it, the third looks at what came of it, \
    five to ten seconds apart and from headings that do not meet. The paper's vehicles were doug4 at t = 15 on heading 180, \
    doug2 at t = 20 on heading 45 and doug3 at t = 25 on heading 270. In hotspot-crossing doug3 stands where only the rule \
    on headings sends it to 270 degrees.";

/// A map for each scenario.
pub fn maps(study: &Study) -> Vec<Plot> {
    let drawn = |mission: &crate::tasking::mission::Mission| {
        let loaded = scenario::load(mission.scenario, &[]).ok()?;
        let origin = Origin::new(loaded, Scheme::Tasking(Variant::Fenced), mission.flown.seed);
        let trace = trace(&origin, &mission.flown, || false)?;
        let title = format!("{}: who flew where", mission.scenario);
        Some(Plot { id: format!("map-{}", mission.scenario), title, ..map::plot(&origin.loaded, &trace) })
    };
    study.missions.iter().filter_map(drawn).collect()
}

/// A table for each scenario, and what its assignment problem says.
pub fn tables(study: &Study) -> String {
    let mut html = String::from("<div class=\"grid tables\">\n");
    for mission in &study.missions {
        let without = if (mission.without_headings - mission.optimum).abs() < 0.005 {
            "Rules on headings change nothing here.".to_owned()
        } else {
            format!("Without rules on headings it would be {:.2}.", mission.without_headings)
        };
        let sum: f64 = mission.flown.outcome.iter().filter_map(|task| Some(task.flight?.cost)).sum();
        html.push_str(&format!(
            "<div>\n{}<p class=\"note\">The solicitation, as in Figure 3; tt: bids are over time and corridor; the paper does not \
             say what 0 0 1 means.</p>\n<pre>{}</pre>\n<p class=\"note\">The plan costs {sum:.2}. Of all assignments the least costs {:.2} and the next \
             {:.2}. {}</p>\n</div>\n",
            flights::table(&format!("{}: planned and flown", mission.scenario), &mission.flown).html(),
            escape(&mission.solicitation.join("\n")),
            mission.optimum,
            mission.second,
            escape(&without)
        ));
    }
    html.push_str("</div>\n");
    html
}
