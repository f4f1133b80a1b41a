//! Interventions at their most confused, drawn from a seed, given beforehand or while a run goes on.

use std::sync::Arc;

use muster_core::rng::{Purpose, Stream};
use muster_core::{Mechanism, RobotId, Time};
use muster_sim::recording::{self};
use muster_sim::scenario::{self, Checker, Loaded, Said};
use muster_sim::scheme::{Scheme, Visit, staff};
use muster_sim::{Interventions, Origin, Sim};

use crate::{End, end, load, parse, record, run};

/// Something that could be done, called `name` if it is a new task, at its most confused. It may make no sense.
fn anything(
    stream: &mut Stream,
    loaded: &Loaded,
    scheme: Scheme,
    tasks: &[String],
    name: &str,
    robots: &[&str],
) -> (String, String) {
    let mut pick = |from: &[&str]| from[stream.below(from.len() as u32) as usize].to_owned();
    let (robot, other) = (pick(robots), pick(robots));
    let task = pick(&tasks.iter().map(String::as_str).collect::<Vec<_>>());
    let console = pick(&["base", "outpost", "console", robots[0]]);
    let place =
        format!("[{}, {}]", stream.between(0.0, loaded.mission.width_m), stream.between(0.0, loaded.mission.height_m));
    let lasts = stream.between(0.1, 60.0);
    let what = match stream.below(16) {
        0 => format!("fault = {{ robot = \"{robot}\", kind = \"stop\" }}"),
        1 | 2 => format!("fault = {{ robot = \"{robot}\", kind = \"back\", memory = {} }}", lasts > 30.0),
        3 => format!("fault = {{ robot = \"{robot}\", kind = \"pause\", for_s = {lasts} }}"),
        4 => {
            format!("fault = {{ robot = \"{robot}\", kind = \"restart\", for_s = {lasts}, memory = {} }}", lasts > 30.0)
        }
        5 => format!("fault = {{ robot = \"{robot}\", kind = \"deaf\" }}"),
        6 => format!("fault = {{ robot = \"{robot}\", kind = \"mute\", for_s = {lasts} }}"),
        7 => format!("fault = {{ robot = \"{robot}\", kind = \"offline\" }}"),
        8 => format!("radio = {{ jam = {{ at = {place}, radius_m = {lasts}, for_s = {lasts} }} }}"),
        9 => format!("radio = {{ cut = [\"{robot}\", \"{other}\"], for_s = {lasts} }}"),
        10 => format!("radio = {{ partition = {{ parts = [[\"{robot}\"], [\"{other}\"]] }}, for_s = {lasts} }}"),
        11 => format!("order = {{ task = \"{task}\", cancel = true }}"),
        12 => format!("order = {{ task = \"{task}\", place = {place} }}"),
        13 => format!("order = {{ task = \"{task}\", priority = {} }}", lasts as u8),
        _ => match scheme {
            Scheme::Tasking(_) => {
                format!("order = {{ name = \"{name}\", place = {place}, order = {{ by = \"{console}\" }} }}")
            }
            Scheme::Alliance(_) => {
                format!("order = {{ name = \"{name}\", place = {place}, work_s = {{ {robot} = {lasts} }} }}")
            }
            _ => format!("order = {{ name = \"{name}\", place = {place}, seen_by = \"{robot}\" }}"),
        },
    };
    (robot, what)
}

/// A file of interventions at their most confused, drawn from a seed. Some make no sense, and are refused.
fn absurd(loaded: &Loaded, scheme: Scheme, seed: u64) -> Interventions {
    let mut stream = Stream::of_run(seed, Purpose::Faults);
    let robots: Vec<&str> = loaded.mission.robots.iter().map(|robot| &*robot.name).collect();
    let mut tasks = loaded.task_names.clone();
    let mut all: Vec<String> = Vec::new();
    for number in 0..12 {
        let name = format!("new {number}");
        let (robot, what) = anything(&mut stream, loaded, scheme, &tasks, &name, &robots);
        let at_s = (stream.between(0.0, 200.0) * 4.0).floor() / 4.0;
        let entry = format!("[[interventions]]\nat_s = {at_s}\nauthor = \"{robot}\"\n{what}\n");
        // Kept if it makes sense beside those that were kept before.
        let with: String = all.iter().chain([&entry]).cloned().collect();
        if Interventions::parse("absurd", &with, loaded, scheme).is_ok() {
            all.push(entry);
            if what.contains("name = ") {
                tasks.push(name);
            }
        }
    }
    parse(loaded, scheme, &all.concat())
}

/// Whatever is done, nothing panics, the run ends, its recording verifies, and its file gives the same run.
#[test]
fn whatever_is_done_the_run_can_be_made_again() {
    let rough = ["radio.loss=0.1", "radio.duplication=0.1", "radio.jitter_ms=100", "limit_h=0.2"];
    let mut kinds = std::collections::BTreeSet::new();
    for (name, changes) in
        [("minefield", ""), ("cleanup", "alliance.practice=[]"), ("boxes", ""), ("patrol", ""), ("hotspot", "")]
    {
        let mut changes = [&rough[..], &[changes]].concat();
        changes.retain(|change| !change.is_empty());
        let loaded = load(name, &changes);
        let schemes = loaded.schemes();
        for seed in 0..24 {
            let scheme = schemes[seed as usize % schemes.len()];
            let interventions = absurd(&loaded, scheme, seed);
            for made in interventions.all() {
                kinds.insert(made.sentence().split_whitespace().next().unwrap().to_owned());
            }
            let origin = Origin::new(loaded.clone(), scheme, seed).with_interventions(interventions);
            let recording = record(&format!("absurd-{name}"), &origin);
            let failure = recording::verify(&recording).failure;
            assert_eq!(failure, None, "{name}, seed {seed}:\n{}", origin.interventions.to_toml());
            let read = &recording.header.origin.interventions;
            assert_eq!(*read, origin.interventions, "{name}, seed {seed}");
        }
    }
    let met: Vec<&str> = kinds.iter().map(String::as_str).collect();
    let all = [
        "asks", "cancels", "cuts", "gives", "jams", "lets", "makes", "moves", "puts", "restarts", "splits", "stops",
        "takes",
    ];
    assert_eq!(met, all, "every kind was met");
}

/// Gives what is drawn from a seed to a run while it goes on, out of the order of time.
struct OutOfTurn<'a> {
    loaded: &'a Arc<Loaded>,
    scheme: Scheme,
    seed: u64,
}

impl Visit for OutOfTurn<'_> {
    type Result = (Interventions, End);

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Self::Result {
        let Self { loaded, scheme, seed } = self;
        let mut stream = Stream::of_run(seed, Purpose::Faults);
        let robots: Vec<&str> = loaded.mission.robots.iter().map(|robot| &*robot.name).collect();
        let mut tasks = loaded.task_names.clone();
        let mut sim = Sim::new(&loaded.mission, seed, machine, ()).with_notes();
        sim.start();
        for number in 0..30 {
            let name = format!("new {number}");
            let (robot, what) = anything(&mut stream, loaded, scheme, &tasks, &name, &robots);
            let ahead_s = (stream.between(0.0, 120.0) * 2.0).floor() / 2.0;
            let at = Time::from_secs_f64(sim.now().as_secs_f64().ceil() + ahead_s);
            let text = format!("[[interventions]]\nat_s = 0\nauthor = \"x\"\n{what}\n");
            let mut file: scenario::InterventionsFile = toml::from_str(&text).unwrap();
            let entry = file.interventions.remove(0);
            let said = (entry.order.map(|order| Said::Order(Box::new(order))))
                .or(entry.fault.map(Said::Fault))
                .or(entry.radio.map(Said::Radio))
                .unwrap();
            let asks = matches!(&said, Said::Order(order) if order.name.is_some());
            if let Ok(what) = Checker::new(loaded, scheme, &sim.interventions()).check(at, said) {
                sim.intervene(at, robot, what).unwrap();
                if asks {
                    tasks.push(name);
                }
            }
            if number % 5 == 4 {
                let until = Time::from_secs_f64(sim.now().as_secs_f64() + 20.0);
                sim.run_until(|sim| sim.is_over() || sim.next_at().is_none_or(|at| at > until));
                if sim.is_over() {
                    break;
                }
            }
        }
        (sim.interventions(), end(sim))
    }
}

/// However they were given, their file gives the same run, and its recording verifies.
#[test]
fn what_was_given_out_of_turn_is_made_again() {
    let mut swapped = 0;
    for (name, changes) in [("minefield", ""), ("cleanup", "alliance.practice=[]"), ("patrol", ""), ("hotspot", "")] {
        let mut changes = vec!["radio.loss=0.1", "limit_h=0.2", changes];
        changes.retain(|change| !change.is_empty());
        let loaded = load(name, &changes);
        let schemes = loaded.schemes();
        for seed in 0..8 {
            let scheme = schemes[seed as usize % schemes.len()];
            let origin = Origin::new(loaded.clone(), scheme, seed);
            let (given, live) = staff(&origin, OutOfTurn { loaded: &loaded, scheme, seed });
            let printed = given.to_toml();
            let again = origin.with_interventions(parse(&loaded, scheme, &printed));
            assert_eq!(again.interventions, given, "{name}, seed {seed}");
            assert!(run(&again) == live, "{name}, seed {seed}:\n{printed}");
            if seed < 2 {
                let recording = record(&format!("turn-{name}"), &again);
                assert_eq!(recording::verify(&recording).failure, None, "{name}, seed {seed}:\n{printed}");
            }
            let asked: Vec<Time> =
                given.all().iter().filter(|made| made.what.asks_for_a_task()).map(|made| made.at).collect();
            swapped += usize::from(!asked.is_sorted());
        }
    }
    assert!(swapped > 3, "new tasks out of the order of time were met {swapped} times");
}
