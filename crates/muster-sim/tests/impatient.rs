//! Missions of impatient robots from scenario files: order of tasks, robots that join, a box, training, knowledge files,
//! recordings and explanations.

use std::path::PathBuf;

use muster_core::alliance::{self, Quit};
use muster_core::rng::{Purpose, Stream};
use muster_core::{Event, Note, RobotId, TaskId};
use muster_sim::practice;
use muster_sim::recording::{self, Header};
use muster_sim::scenario::{self, Approach, Loaded};
use muster_sim::scheme::{Visit, staff};
use muster_sim::{Knowledge, Ledger, Origin, Scheme, Sim};

fn load(name: &str, changes: &[&str]) -> Loaded {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    scenario::load(name, &changes).unwrap_or_else(|error| panic!("{error}"))
}

/// What robots learn in the training missions of a scenario.
fn practise(loaded: &Loaded, scheme: Scheme, seed: u64) -> Knowledge {
    practice::practise(&Origin::new(loaded.clone(), scheme, seed), || false).knowledge
}

struct Run<'a>(&'a Origin);

impl Visit for Run<'_> {
    type Result = (Ledger, Vec<Note>, f64);

    fn visit<M: muster_core::Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Self::Result {
        let mut sim = Sim::of(self.0, machine, ()).with_notes();
        sim.run();
        (sim.ledger().clone(), sim.take_notes(), sim.now().as_secs_f64())
    }
}

fn run(loaded: &Loaded, scheme: Scheme, knowledge: &Knowledge, seed: u64) -> (Ledger, Vec<Note>, f64) {
    let origin = Origin::new(loaded.clone(), scheme, seed).with_knowledge(knowledge.clone());
    staff(&origin, Run(&origin))
}

const REGRET: Scheme = Scheme::Alliance(Approach::Regret);

/// Find, collect, report: nothing comes up before what it waits for is done.
#[test]
fn tasks_come_up_in_their_order() {
    let loaded = load("cleanup", &["radio.loss=0.2"]);
    for scheme in loaded.schemes() {
        for seed in 1..10 {
            let (ledger, ..) = run(&loaded, scheme, &practise(&loaded, scheme, seed), seed);
            assert!(ledger.all_served(), "{scheme:?} {seed}");
            for (record, spec) in ledger.records().iter().zip(&loaded.mission.tasks) {
                let seen = record.seen.unwrap().0;
                for before in &spec.after {
                    assert!(ledger.record(*before).unwrap().served.unwrap().0 <= seen, "{scheme:?} {seed}");
                }
                assert!(record.work.first().unwrap().from >= seen);
            }
        }
    }
}

/// A robot drives to where its work is: nobody works anywhere but at the task.
#[test]
fn robots_drive_to_their_tasks() {
    let loaded = load("cleanup", &[]);
    let (ledger, ..) = run(&loaded, REGRET, &practise(&loaded, REGRET, 1), 1);
    let find_east = &ledger.records()[1];
    let work = find_east.work[0];
    let spec = &loaded.mission.robots[work.robot.index()];
    let way_s = spec.place.unwrap().distance(find_east.task.place) / spec.speed_mps;
    assert!(work.from.as_secs_f64() >= way_s, "{} s before it can be there ({way_s} s)", work.from);
}

/// A robot that stops is replaced at whatever it was at, over a bad radio, too.
#[test]
fn the_mission_survives_its_robots() {
    let changes = [
        "radio.loss=0.3",
        r#"faults=[{robot="loader", at_s=150, kind="stop"}, {robot="scout-2", at_s=60, kind="restart", for_s=100, memory=false}]"#,
    ];
    let loaded = load("cleanup", &changes);
    for scheme in loaded.schemes() {
        for seed in 1..30 {
            let (ledger, _, end_s) = run(&loaded, scheme, &practise(&loaded, scheme, seed), seed);
            assert!(ledger.all_served() && end_s < 3_600.0, "{scheme:?} {seed}: {end_s} s");
        }
    }
}

/// Every approach does the mission, those of the report with each of its orderings, and ALLIANCE with rates that were set.
#[test]
fn every_approach_gets_the_mission_done() {
    for approach in Approach::ALL {
        let strategy = format!("alliance.strategy={}", approach.name());
        let numbered = matches!(approach, Approach::I | Approach::Ii | Approach::Iii);
        let orderings = ["longest", "modified-shortest", "modified-random", "preferred"];
        for ordering in orderings.iter().take(if numbered { 4 } else { 1 }) {
            let ordering = format!("alliance.ordering={ordering}");
            let changes = [strategy.as_str(), ordering.as_str()];
            let loaded = load("cleanup", &changes[..if numbered { 2 } else { 1 }]);
            let scheme = Scheme::Alliance(approach);
            let (ledger, ..) = run(&loaded, scheme, &practise(&loaded, scheme, 1), 1);
            assert!(ledger.all_served(), "{approach:?} {ordering}");
        }
    }
}

/// §6.2: "r_i keeps no data on tasks it cannot do itself"; whoever can has heard how long it took the others.
#[test]
fn training_teaches_each_robot_about_the_tasks_that_it_can_do() {
    let loaded = load("cleanup", &["alliance.practice=[{missions=12}]"]);
    let knowledge = practise(&loaded, REGRET, 1);
    assert_eq!(knowledge, practise(&loaded, REGRET, 1), "drawn from the seed");
    assert_ne!(knowledge, practise(&loaded, REGRET, 2));
    let labour = loaded.mission.labour.as_ref().unwrap();
    let mut pairs = 0;
    for (index, known) in knowledge.0.iter().enumerate() {
        for known in known {
            assert!(labour.time(known.task, RobotId(index as u32)).is_some(), "{index} {}", known.task);
            for lesson in &known.lessons {
                let true_s = labour.time(known.task, lesson.robot).unwrap().as_secs_f64();
                let mean_s = lesson.trials.iter().sum::<f64>() / lesson.trials.len() as f64;
                // A tenth of scatter: the way there is not part of it.
                assert!((0.6..1.4).contains(&(mean_s / true_s)), "{mean_s} s for {true_s} s");
                assert!(lesson.trials.len() <= 5, "mu");
                pairs += 1;
            }
        }
    }
    assert!(pairs > 50, "{pairs} pairs of robots and tasks");
}

#[test]
fn knowledge_is_read_back_as_it_was_written() {
    for name in ["cleanup", "boxes"] {
        let loaded = load(name, &[]);
        let knowledge = practise(&loaded, loaded.schemes()[0], 3);
        let text = knowledge.to_toml(&loaded);
        assert_eq!(Knowledge::parse("learned.toml", &text, &loaded).unwrap(), knowledge);
        assert_eq!(text, Knowledge::parse("learned.toml", &text, &loaded).unwrap().to_toml(&loaded));
    }
}

/// A robot that joins later is not there before, and is put where it belongs.
#[test]
fn a_robot_joins_where_it_is_put() {
    let loaded = load("boxes", &[]);
    let scheme = loaded.schemes()[0];
    let (ledger, notes, _) = run(&loaded, scheme, &practise(&loaded, scheme, 1), 1);
    let genghis = RobotId(2);
    let first = notes.iter().find(|note| note.robot == genghis).unwrap();
    assert!(first.at.as_secs_f64() >= 900.0, "{first:?}");
    let push = ledger.records()[1].work.iter().find(|work| work.robot == genghis).unwrap();
    // Three seconds to grow impatient, none to drive.
    assert!((903.0..904.0).contains(&push.from.as_secs_f64()) || push.from.as_secs_f64() > 930.0, "{push:?}");
}

/// Whoever is put back waits until its place is free.
#[test]
fn nobody_is_put_where_another_is() {
    let loaded = load("boxes", &[]);
    let scheme = loaded.schemes()[0];
    for seed in 1..20 {
        let (ledger, notes, _) = run(&loaded, scheme, &practise(&loaded, scheme, seed), seed);
        let back = notes.iter().find(|note| note.robot == RobotId(1) && matches!(note.event, Event::Started { .. }));
        let back = back.unwrap().at;
        assert!((600.0..660.0).contains(&back.as_secs_f64()));
        let there = ledger.records()[1].work.iter().find(|work| work.goes_on(back));
        assert!(there.is_none(), "seed {seed}: {there:?} is at the end where r2-b is put");
    }
}

fn faulty(seed: u64) -> Header {
    let mut stream = Stream::of_run(seed, Purpose::Faults);
    let name = ["boxes", "cleanup"][stream.below(2) as usize];
    let loss = format!("radio.loss={}", stream.between(0.0, 0.4));
    let mut changes =
        vec![loss.as_str(), "radio.duplication=0.1", "radio.reordering=0.1", "radio.jitter_ms=200", "limit_h=0.6"];
    let approach = format!("alliance.strategy={}", Approach::ALL[stream.below(8) as usize].name());
    let faults = format!(
        r#"faults=[{{robot="veteran", at_s={}, kind="restart", for_s={}, memory={}}}, {{robot="scout-1", at_s={}, kind="deaf", for_s=50}}]"#,
        stream.between(0.0, 400.0),
        stream.between(1.0, 90.0),
        stream.below(2) == 0,
        stream.between(0.0, 400.0)
    );
    if name == "cleanup" {
        changes.extend([approach.as_str(), faults.as_str()]);
    }
    let loaded = load(name, &changes);
    let scheme = loaded.schemes()[0];
    let origin = Origin::new(loaded, scheme, seed).practised(|| false).expect("nobody calls a halt");
    Header { origin, program: ("0.0.0".to_owned(), "test".to_owned()) }
}

fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// Recordings of impatient robots replay and are the runs that their headers make; another memory makes another run.
#[test]
fn recordings_verify() {
    for seed in 0..60 {
        let header = faulty(seed);
        let path = file("impatient.mcap");
        recording::record(&path, &header, || false).unwrap();
        let recording = recording::read(&path).unwrap();
        assert_eq!(recording.header.origin.knowledge, header.origin.knowledge);
        assert_eq!(recording::verify(&recording).failure, None, "seed {seed}");
    }
    let header = faulty(1);
    let path = file("forgetful.mcap");
    recording::record(&path, &header, || false).unwrap();
    let mut recording = recording::read(&path).unwrap();
    recording.header.origin.knowledge = Default::default();
    assert!(recording::verify(&recording).failure.is_some(), "what robots know is part of what a run comes from");
}

/// Every note of an impatient robot has words, and they name whom it took over from.
#[test]
fn explanations_name_names() {
    for seed in 0..40 {
        let header = faulty(seed);
        let (_, notes, _) = staff(&header.origin, Run(&header.origin));
        let mut explainer = header.origin.explainer();
        for note in &notes {
            let line = explainer.line(note);
            assert!(!line.text.is_empty(), "{note:?}");
            if let Event::Alliance(alliance::Step::Activated { task, overrides: Some((mate, _)), .. }) = note.event {
                let words = [explainer.task(task), explainer.robot(mate)];
                assert!(words.iter().all(|word| line.text.contains(word.as_str())), "{}", line.text);
            }
        }
        assert!(notes.iter().any(|note| matches!(note.event, Event::Alliance(alliance::Step::Done { .. }))));
    }
}

/// The box: its ends come as far as they were pushed, and it is out of line by the difference.
#[test]
fn the_box_goes_where_it_is_pushed() {
    let loaded = load("boxes", &["work.scatter=0"]);
    let scheme = loaded.schemes()[0];
    let (ledger, ..) = run(&loaded, scheme, &practise(&loaded, scheme, 1), 1);
    for (task, x) in [(TaskId(0), 5.0), (TaskId(1), 7.4)] {
        let record = ledger.record(task).unwrap();
        assert!((record.task.place.x - x).abs() < 1e-9);
        let pushed_s: f64 = record
            .work
            .iter()
            .map(|work| {
                let whole_s = if work.robot == RobotId(2) { 20.0 } else { 10.0 };
                work.until.since(work.from).as_secs_f64() / whole_s
            })
            .sum();
        let north_m = record.task.place.y - 1.0;
        assert!((north_m - 0.1 * pushed_s).abs() < 1e-6, "{north_m} m after {pushed_s} pushes");
    }
}

fn parse(text: &str) -> Loaded {
    let head = "limit_h = 0.1\n[field]\nwidth_m = 40\nheight_m = 40\n";
    scenario::parse("test", "test.toml", &format!("{head}{text}"), &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// What recurs needs doing again as soon as it is done, if nobody has to say so.
#[test]
fn what_recurs_is_done_again_and_again() {
    let loaded = parse(
        "[robots.keeper]\ncount = 2\nspeed_mps = 1\n[tasks.wind]\nplace = [1, 1]\nrecurs = true\nwork_s = { keeper = 2 }\n[alliance]\n",
    );
    let (ledger, ..) = run(&loaded, loaded.schemes()[0], &Knowledge::default(), 1);
    // Six minutes less boredom and delays.
    assert!(ledger.records()[0].done > 20, "{}", ledger.records()[0].done);
}

/// A robot that hangs while its work is done has done it: it says so when it is back, and learns no failure.
#[test]
fn a_robot_that_hung_while_it_finished_has_finished() {
    let loaded = load("boxes", &[r#"faults=[{robot="r2-a", at_s=100, kind="pause", for_s=20}]"#, "limit_h=0.1"]);
    let scheme = loaded.schemes()[0];
    let (_, notes, _) = run(&loaded, scheme, &practise(&loaded, scheme, 1), 1);
    // Its team mate gave it up for lost, and stops when it says what it has done.
    let quits = notes
        .iter()
        .filter(|note| matches!(note.event, Event::Alliance(alliance::Step::Quit { why, .. }) if why != Quit::Gone));
    let quits: Vec<&Note> = quits.collect();
    let done =
        |note: &&Note| note.robot == RobotId(0) && matches!(note.event, Event::Alliance(alliance::Step::Done { .. }));
    assert!(quits.is_empty(), "{quits:?}");
    assert!(notes.iter().filter(done).any(|note| (119.0..122.0).contains(&note.at.as_secs_f64())), "{notes:#?}");
}

/// Somebody stands for ever where a robot is to be put: it joins beside it after a minute.
#[test]
fn nobody_waits_for_ever_for_its_place() {
    let loaded = parse(
        "[robots.idler]\nspeed_mps = 1\nplace = [5, 5]\n[robots.late]\nspeed_mps = 1\njoins_s = 10\nput_at = \"here\"\n\
         [tasks.here]\nplace = [5, 5]\nat_s = 200\nwork_s = { late = 1 }\n[tasks.far]\nplace = [9, 9]\nwork_s = { late = 5 }\n[alliance]\n",
    );
    let (ledger, ..) = run(&loaded, loaded.schemes()[0], &Knowledge::default(), 1);
    assert!(ledger.all_served());
}

/// A training mission of a given length lasts for that long, whatever is done before; what others tell is no trial.
#[test]
fn training_lasts_as_long_as_it_says_and_counts_trials_only() {
    let loaded = parse(
        "[robots.keeper]\nspeed_mps = 1\nplace = [1, 1]\n[tasks.once]\nplace = [1, 1]\nwork_s = { keeper = 5 }\n\
         [tasks.wind]\nplace = [1, 1]\nrecurs = true\nwork_s = { keeper = 2 }\n\
         [alliance]\nstrategy = \"replan-broadcast\"\npractice = [{ missions = 1, for_s = 200 }]\n",
    );
    let knowledge = practise(&loaded, loaded.schemes()[0], 1);
    let trials = |task: u32| {
        let known = knowledge.of(RobotId(0)).iter().find(|known| known.task == TaskId(task));
        known.map_or(0, |known| known.lessons[0].trials.len())
    };
    assert_eq!((trials(0), trials(1)), (1, 5));
    let cleanup = load("cleanup", &["alliance.strategy=replan-broadcast"]);
    let knowledge = practise(&cleanup, cleanup.schemes()[0], 1);
    let loader = RobotId(2);
    assert!(knowledge.of(loader).iter().all(|known| known.task.index() >= 2), "it cannot find anything");
    assert!(knowledge.0.iter().flatten().any(|known| known.lessons.iter().any(|lesson| lesson.trials.len() > 2)));
}

/// A long run of pushes costs in proportion to its length, and its ledger does not grow for ever.
#[test]
fn a_long_run_keeps_only_so_many_spells() {
    let loaded = load("boxes", &["faults=[]", "limit_h=150", "field.height_m=100000"]);
    let scheme = loaded.schemes()[0];
    let (ledger, ..) = run(&loaded, scheme, &practise(&loaded, scheme, 1), 1);
    assert!(ledger.records()[0].done > 15_000 && ledger.records()[0].work.len() <= 20_000);
}

/// Work may be shorter than the clock can tell: a trial of nothing is a trial. Written and read, all of it is there, so
/// that a recording of such a run verifies.
#[test]
fn trials_of_nothing_are_kept() {
    let changes = ["work.scatter=1", "tasks.push-left.work_s.r2-a=0.000001", "alliance.trials=1"].map(str::to_owned);
    let loaded = scenario::load("boxes", &changes).unwrap();
    let mut nothing = 0;
    for seed in 1..=5 {
        let knowledge = practise(&loaded, loaded.schemes()[0], seed);
        let lessons = knowledge.0.iter().flatten().flat_map(|known| &known.lessons);
        nothing += lessons.flat_map(|lesson| &lesson.trials).filter(|trial| **trial == 0.0).count();
        let text = knowledge.to_toml(&loaded);
        assert_eq!(Knowledge::parse("what was written", &text, &loaded).unwrap(), knowledge, "{text}");
    }
    assert!(nothing > 0, "the case has come up");
}
