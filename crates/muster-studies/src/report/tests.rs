//! What a report has to be, without a browser; tests/browser looks at it with one.

use muster_core::recruitment::{Recruitment, Strategy};
use muster_core::{Duration, Time};
use muster_sim::scenario::{self, Loaded};
use muster_sim::{Origin, Sim};
use serde_json::{Value, json};

use super::trace::{self, Trace};
use super::{alliance as report_of_alliance, figure, mission, study};
use crate::alliance::figures::{self, EXEMPLARS, FIGURE_8};
use crate::alliance::gaps::{self, Conditions};
use crate::alliance::measured::Measured;
use crate::alliance::rules::{ORDERINGS, Reading, Rule};
use crate::alliance::scenario::{Grid, Scenario};
use crate::alliance::{self, claims, learning, stops};
use crate::batch::Batch;
use crate::provenance::Provenance;
use crate::recruitment::{self, Study};
use crate::run::{self, Row};
use crate::verdict::Verdict;

fn provenance() -> Provenance {
    Provenance {
        version: "0.1.0",
        commit: "0123456789ab",
        seed: 1,
        scenario: "minefield".to_owned(),
        command: "muster run minefield".to_owned(),
        config: json!({"limit_h": 24.0}),
    }
}

fn small_study() -> Study {
    recruitment::reproduce(&[], 1, 20, &Batch::quiet()).expect("the built-in scenario is right")
}

fn minefield(changes: &[&str]) -> Loaded {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    scenario::load("minefield", &changes).expect("the built-in scenario is right")
}

fn rows(loaded: &Loaded, seeds: std::ops::Range<u64>) -> Vec<Row> {
    let strategies = loaded.schemes();
    seeds
        .flat_map(|seed| strategies.iter().map(move |strategy| (seed, *strategy)))
        .filter_map(|(seed, strategy)| {
            run::run(&Origin::new(loaded.clone(), strategy, seed), &crate::batch::Batch::quiet())
        })
        .collect()
}

/// The page of these runs, which are of all schemes of the scenario.
fn mission_page(loaded: &Loaded, rows: &[Row], from: &Provenance, interrupted: bool) -> String {
    let seed = rows.first().map_or(1, |row| row.seed);
    let first = loaded.schemes().into_iter().map(|scheme| Origin::new(loaded.clone(), scheme, seed));
    mission(&first.collect::<Vec<_>>(), rows, from, interrupted, || false)
}

fn trace<'a>(loaded: &Loaded, row: &'a Row) -> Trace<'a> {
    let scheme = loaded.scheme(row.strategy).expect("a strategy of the scenario");
    trace::trace(&Origin::new(loaded.clone(), scheme, row.seed), row, || false).expect("nobody calls a halt")
}

/// A page without plotly's own text, which names many addresses and loads none (tests/browser looks).
fn without_plotly(page: &str) -> String {
    let start = page.find("<script>/**\n* plotly.js").expect("plotly.js stands in a script element");
    let end = start + page[start..].find("</script>").expect("which ends") + "</script>".len();
    format!("{}{}", &page[..start], &page[end..])
}

fn figures(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"figures\">").expect("data");
    serde_json::from_str(rest.split_once("</script>").expect("which end").0).expect("JSON")
}

/// The values of an attribute.
fn attributes<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let opening = format!("{name}=\"");
    page.split(opening.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// Everything that must be true of any report.
fn check(page: &str) {
    let own = without_plotly(page);
    assert!(own.contains("default-src 'none'"), "a policy that forbids loading anything");
    for forbidden in ["http:", "https:", "src=", "@import", "url(", "<iframe", "<object", "<embed"] {
        assert!(!own.contains(forbidden), "{forbidden} in a report");
    }
    for target in attributes(&own, "href") {
        assert!(target.starts_with('#') || target == "data:,", "{target}");
    }
    let figures = figures(page);
    let figures = figures.as_object().expect("one entry per plot");
    let ids = attributes(&own, "class=\"chart\" id");
    assert_eq!(ids.len(), figures.len(), "as many places as plots");
    for id in ids {
        let plot = &figures[id];
        assert!(!plot["data"].as_array().expect("traces").is_empty(), "{id} is empty");
        for trace in plot["data"].as_array().expect("traces") {
            let length = |axis: &str| trace[axis].as_array().expect("numbers").len();
            assert_eq!(length("x"), length("y"), "{id}");
        }
    }
    assert_eq!(own.matches("<table>").count(), own.matches("<caption>").count());
    assert_eq!(own.matches("<figure>").count(), own.matches("<figcaption>").count());
}

#[test]
fn a_study_with_every_cell() {
    let measured = small_study();
    let page = study(&measured, &provenance(), false);
    check(&page);
    for cell in &measured.cells {
        let decimals = if cell.table % 2 == 1 { 2 } else { 1 };
        let varied = match cell.table {
            1 | 2 => format!("<td class=\"n\">{}</td>", cell.team),
            3 | 4 => format!("<td class=\"n\">{:.0} %</td>", cell.loss * 100.0),
            _ => format!("<td>{}</td>", cell.messaging),
        };
        let row = format!(
            "<tr><th scope=\"row\">{}</th>{varied}<td class=\"n\">{}</td><td class=\"n\">{:.decimals$}</td>\
             <td class=\"n\">{:.1} – {:.1}</td><td class=\"n\">{:.decimals$}</td><td class=\"n\">{:.1}</td>",
            cell.strategy, cell.paper, cell.mean, cell.low, cell.high, cell.sd3, cell.percentile
        );
        assert!(page.contains(&row), "no row like {row}");
        assert!(cell.low <= cell.mean && cell.mean <= cell.high, "{cell:?}");
    }
    for conclusion in &measured.conclusions {
        assert!(page.contains(&super::html::escape(conclusion.statement)), "{}", conclusion.id);
    }
    for contradiction in &measured.contradictions {
        assert!(page.contains(&super::html::escape(&contradiction.but)), "{}", contradiction.id);
    }
    assert_eq!(page, study(&measured, &provenance(), false), "the same study, other bytes");
    assert!(study(&measured, &provenance(), true).contains("Broken off"));
}

/// Ctrl-C before the first group: nothing but the paper's figures, and still a report.
#[test]
fn a_study_that_was_broken_off_at_once() {
    static NOW: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(true);
    let nothing =
        recruitment::reproduce(&[], 1, 20, &Batch { progress: &|_| {}, cancelled: &NOW }).expect("a scenario");
    check(&study(&nothing, &provenance(), true));
    let svg = figure(&nothing, &provenance());
    assert!(!svg.contains("NaN"), "{svg}");
}

#[test]
fn the_figure_is_well_formed() {
    let svg = figure(&small_study(), &provenance());
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    assert_eq!(svg.matches("class=\"paper\"").count(), 12 + 3, "twelve points and three in the legend");
    assert_eq!(svg.matches("class=\"ours\"").count(), 12 + 3);
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
    assert!(svg.contains("0123456789ab"), "a figure says where it comes from");
}

/// Every part of the L-ALLIANCE study, on as few missions as show it.
fn small_alliance() -> alliance::Study {
    let batch = Batch::quiet();
    let grid = Grid {
        robots: vec![2, 4],
        tasks: vec![1, 4, 8, 20],
        coverage: vec![1, 2, 4],
        heterogeneity: vec![0.0, 1.0, 8.0],
    };
    let mut study = alliance::reproduce(1, 3, Some(&grid), &batch);
    let measured = |shape, orderings: &[muster_core::alliance::Ordering]| {
        Measured::new(&figures::at_all(shape), Reading::Default, Rule::with(orderings), (1, 3), &batch)
    };
    study.figures = figures::orderings(&measured(FIGURE_8, &ORDERINGS));
    for shape in EXEMPLARS {
        let shape = if shape.1 > 20 { (4, 20, 2) } else { shape };
        study
            .figures
            .extend(figures::strategies(&measured(shape, &[muster_core::alliance::Ordering::ModifiedShortest])));
    }
    let set: Vec<Scenario> = grid.scenarios().into_iter().filter(|scenario| scenario.tasks <= 8).collect();
    for conditions in Conditions::ALL {
        study.gaps.extend(gaps::gaps("figure-10", &set, conditions, &Rule::GAPS, (1, 2), &batch));
    }
    study.claims.extend(claims::figure_10(&study.gaps));
    study.stops = stops::stops(&Rule::GAPS, (1, 5), &batch);
    study.learning = learning::curves((1, 2), &batch);
    study
}

#[test]
fn an_alliance_study_with_every_claim_gap_and_figure() {
    let measured = small_alliance();
    let page = report_of_alliance::page(&measured, &provenance(), false);
    check(&page);
    for claim in measured.claims.iter().filter(|claim| claim.reading == "default") {
        let statement = super::html::escape(&claim.statement);
        let (_, rest) = page.split_once(&format!("<th scope=\"row\">{statement}</th>")).expect("a row for each claim");
        let row = rest.split_once("</tr>").expect("which ends").0;
        assert!(row.contains(&format!("{:.1} %", claim.measured.value)), "{}: {row}", claim.id);
        assert_eq!(row.contains("> fails<"), claim.verdict == Verdict::Fails, "{}: {row}", claim.id);
        let ratios = measured.claims.iter().find(|other| other.id == claim.id && other.reading == "ratios");
        assert!(ratios.is_none_or(|other| row.contains(&format!("{:.1} %", other.measured.value))), "{row}");
    }
    for gap in &measured.gaps {
        let cell = format!("<td class=\"n\">{:.2} – {:.2}</td>", gap.low, gap.high);
        assert!(page.contains(&cell), "no {cell} for {gap:?}");
    }
    let figures = figures(&page);
    let figures = figures.as_object().expect("plots");
    for id in
        ["regions-plot", "figure-4-without", "figure-4-with", "figure-5-without", "figure-6-with", "figure-7-with"]
            .into_iter()
            .chain([
                "figure-8-modified-random",
                "figure-8-longest",
                "gaps-figure-10-report-1",
                "gaps-figure-10-failure-2",
                "learning-ways",
                "learning-mu",
            ])
    {
        assert!(figures.contains_key(id), "no plot {id} among {:?}", figures.keys());
    }
    // Bars of one standard deviation in all that have a mean.
    for (id, plot) in figures.iter().filter(|(id, _)| *id != "regions-plot") {
        for trace in plot["data"].as_array().expect("traces") {
            assert_eq!(trace["error_y"]["array"].as_array().map(Vec::len), trace["y"].as_array().map(Vec::len), "{id}");
        }
    }
    // Borders of regions pass through the origin.
    let borders = figures["regions-plot"]["data"].as_array().expect("traces");
    let borders: Vec<&Value> = borders.iter().filter(|trace| trace["mode"] == "lines").collect();
    assert_eq!(borders.len(), 3);
    for border in borders {
        assert_eq!((&border["x"][0], &border["y"][0]), (&json!(0.0), &json!(0.0)));
    }
    assert_eq!(page, report_of_alliance::page(&measured, &provenance(), false), "the same study, other bytes");
    assert!(report_of_alliance::page(&measured, &provenance(), true).contains("Broken off"));
}

/// A grid of one's own leaves the fixed missions out, and their sections with them.
#[test]
fn an_alliance_study_of_a_grid_has_no_empty_sections() {
    let grid = Grid { robots: vec![4], tasks: vec![4], coverage: vec![2], heterogeneity: vec![1.0] };
    let page = report_of_alliance::page(&alliance::reproduce(1, 3, Some(&grid), &Batch::quiet()), &provenance(), false);
    check(&page);
    assert_eq!(figures(&page).as_object().map(serde_json::Map::len), Some(1), "the regions");
    assert!(!page.contains("id=\"gaps\"") && page.contains("id=\"claims\""));
}

#[test]
fn the_figure_of_alliance_is_well_formed() {
    let study = small_alliance();
    let svg = report_of_alliance::figure(&study, &provenance());
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    let rows = study.gaps.iter().filter(|gap| gap.conditions == Conditions::Report && gap.coverage_from == 1).count();
    assert_eq!(svg.matches("class=\"ours\"").count(), rows + 4, "every gap and four in the legend");
    assert_eq!(svg.matches("class=\"bar\"").count(), rows);
    assert!(svg.contains("<title id") && svg.contains("<desc id") && svg.contains("0123456789ab"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    // Broken off before the first mission: still a figure.
    let nothing = alliance::Study { gaps: Vec::new(), ..study };
    assert!(!report_of_alliance::figure(&nothing, &provenance()).contains("NaN"));
}

#[test]
fn missions_of_one_run_and_of_many() {
    let loaded = minefield(&["radio.loss=0.1"]);
    let one = mission_page(&loaded, &rows(&loaded, 1..2), &provenance(), false);
    check(&one);
    assert!(!figures(&one).as_object().unwrap().contains_key("distribution-messages"));
    let many = rows(&loaded, 1..20);
    let page = mission_page(&loaded, &many, &provenance(), false);
    check(&page);
    for task in &many[0].outcome {
        assert!(page.contains(&format!("{:.1}</td>", task.wait_s.expect("handed over"))), "{}", task.task);
    }
    let shares = &figures(&page)["distribution-wait"]["data"][0]["y"];
    let sum: f64 = shares.as_array().unwrap().iter().map(|share| share.as_f64().unwrap()).sum();
    assert!((sum - 100.0).abs() < 1e-9, "the shares of all columns are everything");
    assert_eq!(page, mission_page(&loaded, &many, &provenance(), false), "the same runs, other bytes");
}

#[test]
fn missions_without_a_success_a_run_or_more_than_one_strategy() {
    let nobody_can = minefield(&["robots.idle.percepts=[]", "limit_h=0.2"]);
    let page = mission_page(&nobody_can, &rows(&nobody_can, 1..2), &provenance(), false);
    check(&page);
    assert!(page.contains("Some tasks were not handed over"));
    let broken_off = mission_page(&minefield(&[]), &[], &provenance(), true);
    assert!(broken_off.contains("Broken off"));
    assert!(!broken_off.contains("byte for byte"), "what was broken off is not made again by the command");
    assert!(page.contains("byte for byte"));
    let greedy = minefield(&["recruitment.strategy=greedy", "robots.idle.count=200"]);
    let page = mission_page(&greedy, &rows(&greedy, 1..2), &provenance(), false);
    check(&page);
    assert!(page.contains("robots that did nothing special are left out"));
}

/// The first run is explained in the words of the explainer, up to a length that a person reads.
#[test]
fn a_mission_says_why() {
    let loaded = minefield(&["radio.loss=0.1"]);
    let rows = rows(&loaded, 1..2);
    let page = mission_page(&loaded, &rows, &provenance(), false);
    let (_, why) = page.split_once("<section id=\"why\">").expect("a section");
    let (why, _) = why.split_once("</section>").expect("which ends");
    let awards = trace(&loaded, &rows[0]).decisions;
    assert_eq!(why.matches("<li>").count(), awards.len());
    for award in &awards {
        assert!(award.text.starts_with("chooses idle-"), "{}", award.text);
        let line = format!("{:.1} s</span> uav {}</li>", award.at_s, super::html::escape(&award.text));
        assert!(why.contains(&line), "no {line}");
    }
    let busy = minefield(&["robots.uav.scan.stops=60", "robots.idle.count=100", "recruitment.strategy=greedy"]);
    let page = mission_page(&busy, &self::rows(&busy, 1..2), &provenance(), false);
    assert!(page.contains("30 more are left out."), "60 awards");
    // What the world does is told however late it is.
    let late = "faults=[{ robot = \"idle-100\", at_s = 900, kind = \"stop\" }]";
    let late = minefield(&["robots.uav.scan.stops=60", "robots.idle.count=100", "recruitment.strategy=greedy", late]);
    let page = mission_page(&late, &self::rows(&late, 1..2), &provenance(), false);
    assert!(page.contains("900.0 s</span> idle-100 stops for good</li>"), "after the first 30 awards");
    assert!(page.contains("more are left out."), "of the awards");
    let nobody_can = minefield(&["robots.idle.percepts=[]", "limit_h=0.2"]);
    assert!(
        mission_page(&nobody_can, &self::rows(&nobody_can, 1..2), &provenance(), false).contains("Nobody was chosen")
    );
    let page = mission_page(&nobody_can, &self::rows(&nobody_can, 1..2), &provenance(), false);
    assert!(page.contains("What was not done") && page.contains("<li>Why nobody: uav stop 1"), "with its reasons");
}

/// A marker stands where its task was handed over, also where help was called for long after the task came up: a robot
/// calls for one task at a time.
#[test]
fn handovers_are_when_they_were() {
    let text = "[field]\nwidth_m = 90\nheight_m = 90\n[robots.caller]\nspeed_mps = 1\nplace = [10, 10]\n\
                [robots.helper]\ncount = 3\nspeed_mps = 1\npercepts = [\"camera\"]\n\
                [tasks.one]\nseen_by = \"caller\"\nneeds = [\"camera\"]\n\
                [tasks.two]\nseen_by = \"caller\"\nneeds = [\"camera\"]\n";
    let loaded = scenario::parse("two", "two.toml", text, &[]).expect("a scenario");
    for row in rows(&loaded, 1..5) {
        let traced = trace(&loaded, &row);
        let config = traced.config.clone().expect("robots that recruit");
        let mut sim = Sim::new(&loaded.mission, row.seed, |_| Recruitment::new(config.clone()), ());
        sim.run();
        let served = sim.ledger().records().iter().filter_map(|record| record.served);
        let served: Vec<f64> = served.map(|(at, _)| at.as_secs_f64()).collect();
        assert_eq!(served.len(), 2);
        assert_eq!(super::messages::plot(&[traced]).data[1]["x"], json!(served));
    }
}

/// Plotly takes text for HTML, and `%{...}` for a value: names must not be taken for either.
#[test]
fn names_in_plots_are_shown_as_they_are() {
    let text = scenario::built_in("nearest-answers").expect("built in");
    let text = text.replace("robots.r2]", "robots.\"a&b<i>%{x}\"]");
    let loaded = scenario::parse("odd", "odd.toml", &text, &[]).expect("odd, but right");
    let page = mission_page(&loaded, &rows(&loaded, 1..2), &provenance(), false);
    let plots = figures(&page).to_string();
    assert!(plots.contains("a&amp;b&lt;i>%&#123;x}"), "it is named");
    assert!(!plots.contains("a&b") && !plots.contains("<i>") && !plots.contains("%{x}"), "{plots}");
}

/// Whatever a scenario file says, it stays text.
#[test]
fn a_scenario_cannot_break_out_of_its_report() {
    let hostile = "</script><script>alert(1)</script><img src=x onerror=alert(1)>&\"'";
    let text = scenario::built_in("nearest-answers").expect("built in");
    let text = text.replace("description = \"\"\"", &format!("description = \"\"\"{}", hostile.replace('"', "\\\"")));
    let text = text.replace("robots.r2]", "robots.\"r2</script><b>\"]");
    let loaded = scenario::parse(hostile, "hostile.toml", &text, &[]).expect("odd, but right");
    let from = Provenance {
        scenario: loaded.name.clone(),
        config: serde_json::to_value(&loaded.scenario).expect("plain data"),
        ..provenance()
    };
    let page = without_plotly(&mission_page(&loaded, &rows(&loaded, 1..2), &from, false));
    for broken in ["<script>alert", "<img", "<b>"] {
        assert!(!page.contains(broken), "{broken} got through");
    }
    assert_eq!(page.matches("<script").count(), page.matches("</script>").count());
    assert!(figures(&page).to_string().contains("r2&lt;/script>&lt;b>"), "but it is told");
}

/// The corners of a way say where a robot was at any time: compared with the simulator, second by second.
#[test]
fn ways_are_where_the_robots_were() {
    let loaded = minefield(&["radio.loss=0.25"]);
    for strategy in Strategy::ALL {
        let row = run::run(&Origin::new(loaded.clone(), strategy, 5), &crate::batch::Batch::quiet());
        let row = row.expect("nobody calls a halt");
        let traced = trace(&loaded, &row);
        assert_eq!(traced.sent_s.len() as u64, row.messages);
        assert_eq!(traced.kinds.values().map(|(_, lost)| lost).sum::<u64>(), row.messages_lost);
        assert_eq!(traced.tracks.len(), loaded.mission.robots.len());
        let config = loaded.recruitment(strategy);
        let mut sim = Sim::new(&loaded.mission, row.seed, |_| Recruitment::new(config.clone()), ());
        sim.start();
        for second in 0..row.end_s as u64 {
            sim.advance(Time::ZERO + Duration::from_secs(second));
            for (track, body) in traced.tracks.iter().zip(sim.bodies()) {
                let place = body.place(sim.now());
                let (x, y) = at(&track.corners, second as f64);
                let off = (x - place.x).hypot(y - place.y);
                assert!(off < 1e-3, "{} is {off} m off at {second} s with {}", track.name, strategy.name());
            }
        }
    }
}

/// Between two corners a robot drives straight.
fn at(corners: &[[f64; 3]], second: f64) -> (f64, f64) {
    let next = corners.partition_point(|corner| corner[0] <= second);
    let [from_s, x, y] = corners[next - 1];
    let Some([to_s, to_x, to_y]) = corners.get(next) else { return (x, y) };
    let share = (second - from_s) / (to_s - from_s);
    (x + (to_x - x) * share, y + (to_y - y) * share)
}

#[test]
fn shame_stays_in_bounds_and_tells_above_the_threshold() {
    let loaded = minefield(&["radio.loss=0.25"]);
    let row = run::run(&Origin::new(loaded.clone(), Strategy::Affective, 5), &crate::batch::Batch::quiet());
    let row = row.expect("nobody calls a halt");
    let traced = trace(&loaded, &row);
    assert!(traced.shame_decides());
    assert!(traced.shame.iter().any(|feeling| !feeling.answers.is_empty()));
    for feeling in &traced.shame {
        assert!(feeling.course.iter().all(|[_, shame]| (0.0..=1.0).contains(shame)), "{}", feeling.name);
        assert!(feeling.course.is_sorted_by_key(|[at_s, _]| *at_s), "{}", feeling.name);
        assert!(feeling.answers.iter().all(|[_, shame]| *shame > 0.75), "{}", feeling.name);
    }
}

/// A run of days has more to show than a page can hold: some of it is left out, and that is said.
#[test]
fn a_page_of_a_long_run_is_no_larger_than_others() {
    let long = minefield(&["recruitment.threshold=1e9", "recruitment.strategy=affective", "limit_h=60"]);
    let page = without_plotly(&mission_page(&long, &rows(&long, 1..2), &provenance(), false));
    assert!(page.len() < 4_000_000, "{} bytes", page.len());
    assert!(page.contains("More happened than a page can hold"), "it is not said");
    // What has not been made when a halt is called is left out.
    let first: Vec<Origin> = long.schemes().into_iter().map(|scheme| Origin::new(long.clone(), scheme, 1)).collect();
    let halted = mission(&first, &rows(&long, 1..2), &provenance(), true, || true);
    assert!(!halted.contains("id=\"one-run\""), "a run was made again");
}
