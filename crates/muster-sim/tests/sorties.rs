//! Time in the air, bases and reloads: missions small enough to reckon by hand, and random ones.

use std::path::PathBuf;

use muster_core::event::Happening;
use muster_core::rng::{Purpose, Stream};
use muster_core::tasking::{Means, Step, Tasking, Variant};
use muster_core::{Event, Note, RobotId};
use muster_sim::recording::{self, Header};
use muster_sim::scenario::{self, Loaded};
use muster_sim::{Origin, Scheme, Sim};

fn fly(loaded: &Loaded, seed: u64) -> Sim<'_, Tasking, ()> {
    let (config, vehicles) = loaded.tasking(Variant::Fenced);
    let machine = |robot: RobotId| Tasking::new(config.clone(), vehicles[robot.index()].clone());
    let mut sim = Sim::new(&loaded.mission, seed, machine, ()).with_notes();
    sim.run();
    sim
}

/// One vehicle at (500, 500) with a speed of 20 m/s, and what else it has; orders for tasks, when and where.
fn mission(vehicle: &str, extra: &str, orders: &[(f64, f64, f64)]) -> Loaded {
    let mut text = format!(
        "limit_h = 1\n[field]\nwidth_m = 4000\nheight_m = 4000\n[places]\nstrip = [500, 100]\n\
         [robots.console]\nspeed_mps = 1\nplace = [10, 10]\n\
         [robots.v]\nspeed_mps = 20\nplace = [500, 500]\n{vehicle}\n\
         [tasking]\nconsoles = [\"console\"]\ncorridor_m = 100\n{extra}\n"
    );
    for (number, (at, x, y)) in orders.iter().enumerate() {
        text += &format!(
            "[tasks.t{number}]\nat_s = {at}\nplace = [{x}, {y}]\norder = {{ by = \"console\", kind = \"drop\" }}\n"
        );
    }
    scenario::parse("sorties", "sorties", &text, &[]).unwrap_or_else(|error| panic!("{error:?}"))
}

/// What happened to the vehicle, and when.
fn happened(sim: &Sim<'_, Tasking, ()>) -> Vec<(f64, Happening)> {
    let told = sim.notes().iter().filter_map(|note| match note.event {
        Event::Happened(happening) => Some((note.at.as_secs_f64(), happening)),
        _ => None,
    });
    told.collect()
}

/// It loiters, and its seconds run: without a base it is out when they are over, and the task that is asked for later is not
/// done; one that is asked for before is.
#[test]
fn who_loiters_for_too_long_is_out() {
    let loaded = mission("endurance_s = 300", "", &[(10.0, 900.0, 500.0), (320.0, 900.0, 500.0)]);
    let sim = fly(&loaded, 1);
    assert_eq!(happened(&sim), [(300.0, Happening::RanOut)]);
    assert_eq!(sim.ledger().ran_out().len(), 1);
    assert_eq!(sim.ledger().passes().len(), 1);
}

/// It does not bid for what it could not do before it is out.
#[test]
fn nobody_bids_for_more_than_it_can_fly() {
    // From 250 s on there is no time to go 1,000 m, which takes 50 s, and out of the corridor.
    let loaded = mission("endurance_s = 300", "", &[(245.0, 1_500.0, 500.0)]);
    assert_eq!(fly(&loaded, 1).ledger().passes().len(), 0);
    let loaded = mission("endurance_s = 400", "", &[(245.0, 1_500.0, 500.0)]);
    assert_eq!(fly(&loaded, 1).ledger().passes().len(), 1);
}

/// With nothing to do it goes to its base when a quarter of its endurance is left, is reloaded, and stays on the ground, where
/// it uses up nothing: 400 m take 20 s, reloading 30.
#[test]
fn who_runs_low_is_reloaded_and_stays() {
    let base = "endurance_s = 400\nbase = \"strip\"\nreload_s = 30";
    let loaded = mission(base, "", &[(2_000.0, 900.0, 500.0)]);
    let sim = fly(&loaded, 1);
    let expected = [(300.0, Happening::Reloads), (350.0, Happening::Reloaded)];
    assert_eq!(happened(&sim), expected);
    assert_eq!(sim.ledger().passes().len(), 1, "the task is done from the ground");
    assert!(sim.ledger().ran_out().is_empty());
}

/// A vehicle that does not reach its base before it has to be down promises nothing on the way there, however near the task is
/// to the base: 600 s away with 200 s of endurance. The other one, which is slower and farther from the task, does it.
#[test]
fn who_does_not_reach_its_base_promises_nothing() {
    let text = "limit_h = 1\n[field]\nwidth_m = 8000\nheight_m = 8000\n[places]\nstrip = [4000, 1000]\n\
         [robots.console]\nspeed_mps = 1\nplace = [10, 10]\n\
         [robots.far]\nspeed_mps = 10\nplace = [4000, 7000]\nendurance_s = 200\nbase = \"strip\"\nreload_s = 60\n\
         [robots.ok]\nspeed_mps = 5\nplace = [6000, 1000]\n\
         [tasks.o]\nat_s = 5\nplace = [4200, 1500]\norder = { by = \"console\" }\n\
         [tasking]\nconsoles = [\"console\"]\ncorridor_m = 50\n";
    let loaded = scenario::parse("far", "far", text, &[]).unwrap_or_else(|error| panic!("{error:?}"));
    for seed in 0..5 {
        let sim = fly(&loaded, seed);
        let by: Vec<RobotId> = sim.ledger().passes().iter().map(|pass| pass.robot).collect();
        assert_eq!(by, [RobotId(2)], "seed {seed}");
        let held = |note: &&Note| matches!(note.event, Event::Tasking { step: Step::Holds { .. }, .. });
        let held: Vec<RobotId> = sim.notes().iter().filter(held).map(|note| note.robot).collect();
        assert_eq!(held, [RobotId(2)], "seed {seed}");
        assert_eq!(happened(&sim), [(0.0, Happening::Reloads), (200.0, Happening::RanOut)], "seed {seed}");
    }
}

/// A vehicle that would be there long before the horizon, but could not get back to its base, says that its endurance is the
/// reason: 2,000 m there take 100 s, and so does the way back.
#[test]
fn who_does_not_last_for_a_task_says_so() {
    let means = |vehicle: &str| {
        let loaded = mission(vehicle, "", &[(5.0, 2_500.0, 500.0)]);
        let sim = fly(&loaded, 1);
        let told = sim.notes().iter().filter_map(|note| match note.event {
            Event::Tasking { step: Step::Bids { least: None, means, .. }, .. } => Some(means),
            Event::Tasking { step: Step::OwnBid { surface: None, means }, .. } => Some(means),
            _ => None,
        });
        let mut told: Vec<Means> = told.collect();
        told.dedup();
        told
    };
    assert_eq!(means("endurance_s = 1000\nbase = \"strip\"\nreload_s = 30"), []);
    assert_eq!(means("endurance_s = 150\nbase = \"strip\"\nreload_s = 30"), [Means::Endurance]);
    // Without a base there is no way back: it has to be there only, and is not.
    assert_eq!(means("endurance_s = 90"), [Means::Endurance]);
}

/// With one load it does two tasks that take one each, and is reloaded in between: the second is bid for with that time.
#[test]
fn loads_are_fetched_for_the_next_task() {
    let base = "base = \"strip\"\nreload_s = 30";
    let loads = "[tasking.vehicles.all]\nloads = 1\n[tasking.templates.drop.phases]\nit = { loads = 1 }";
    let loaded = mission(base, loads, &[(1.0, 900.0, 500.0), (2.0, 900.0, 700.0)]);
    let sim = fly(&loaded, 1);
    let passes = sim.ledger().passes();
    assert_eq!(passes.len(), 2);
    let reloaded: Vec<f64> =
        happened(&sim).into_iter().filter(|(_, what)| *what == Happening::Reloaded).map(|(at, _)| at).collect();
    let between = passes[0].at.as_secs_f64()..passes[1].at.as_secs_f64();
    assert!(reloaded.first().is_some_and(|at| between.contains(at)), "{reloaded:?} {between:?}");
}

/// What was used up and since when it flies is remembered: a vehicle that restarts does not take itself for full.
#[test]
fn a_restart_does_not_refuel() {
    let base = "endurance_s = 400\nbase = \"strip\"\nreload_s = 30";
    let faults = |memory: bool| {
        format!(
            "[[faults]]\nrobot = \"v\"\nat_s = 200\nkind = \"restart\"\nfor_s = 20\nmemory = true\n\
             [[faults]]\nrobot = \"v\"\nat_s = 600\nkind = \"restart\"\nfor_s = 20\nmemory = {memory}"
        )
    };
    let reloads = |sim: &Sim<'_, Tasking, ()>| -> Vec<f64> {
        happened(sim).into_iter().filter(|(_, what)| *what == Happening::Reloads).map(|(at, _)| at).collect()
    };
    // At 600 s it stands at its base, and remembers that it is full.
    let loaded = mission(base, &faults(true), &[(2_000.0, 900.0, 500.0)]);
    assert_eq!(reloads(&fly(&loaded, 1)), [300.0]);
    // Who has forgotten may have been in the air since the beginning, and is reloaded at once.
    let loaded = mission(base, &faults(false), &[(2_000.0, 900.0, 500.0)]);
    assert_eq!(reloads(&fly(&loaded, 1)), [300.0, 620.0]);
}

/// What survives a restart is in recordings, and is read back; what happens at bases is told there, too.
#[test]
fn a_recording_with_reloads_replays() {
    let base = "endurance_s = 400\nbase = \"strip\"\nreload_s = 30";
    let faults = "[[faults]]\nrobot = \"v\"\nat_s = 600\nkind = \"restart\"\nfor_s = 20";
    verifies("sorties.mcap", mission(base, faults, &[(5.0, 900.0, 500.0), (2_000.0, 900.0, 500.0)]), 1);
}

/// A vehicle that is given a task and has to be reloaded for it sets out for its base, which is told at once, and then says
/// that it holds the task: what happens stands in the middle of what it puts out.
#[test]
fn a_recording_of_a_task_that_begins_with_a_reload_replays() {
    let base = "endurance_s = 400\nbase = \"strip\"\nreload_s = 30";
    // From 280 s on there are 120 s left: not enough for 1,500 m, which take 75, and the way back.
    let loaded = mission(base, "", &[(280.0, 2_000.0, 500.0)]);
    let sim = fly(&loaded, 1);
    let (reloads, _) = happened(&sim)[0];
    assert!((280.0..299.0).contains(&reloads), "it is reloaded for the task, not because it runs low: {reloads}");
    drop(sim);
    verifies("reload-first.mcap", loaded, 1);
}

/// A run is recorded, and its recording is what the machines and the simulator make of it again.
fn verifies(name: &str, loaded: Loaded, seed: u64) {
    let origin = Origin::new(loaded, Scheme::Tasking(Variant::Fenced), seed);
    let header = Header { origin, program: ("0".to_owned(), "0".to_owned()) };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    recording::record(&path, &header, || false).unwrap();
    let verified = recording::verify(&recording::read(&path).unwrap());
    assert_eq!(verified.failure, None);
}

/// Random missions: whatever is accepted is flown, everything is done, nobody runs out who has a base, and nobody holding
/// something; a vehicle is reloaded in most of them.
#[test]
fn whoever_bids_honestly_does_not_run_out() {
    let (mut reloads, mut tasks) = (0, 0);
    for seed in 0..40 {
        let mut stream = Stream::of_run(seed, Purpose::Arrangement);
        let side = stream.between(800.0, 2_000.0);
        let mut text = format!(
            "limit_h = 3\n[field]\nwidth_m = {side}\nheight_m = {side}\n[places]\nstrip = [{}, {}]\n\
             [robots.console]\nspeed_mps = 1\n",
            stream.between(0.0, side),
            stream.between(0.0, side)
        );
        let vehicles = 1 + stream.below(4);
        for vehicle in 0..vehicles {
            let speed = stream.between(20.0, 60.0);
            let least = (6.0 * side + 1_200.0) / speed + 20.0;
            text += &format!(
                "[robots.v{vehicle}]\nspeed_mps = {speed}\nendurance_s = {}\nbase = \"strip\"\nreload_s = {}\n",
                stream.between(least, 2.0 * least),
                stream.between(5.0, 100.0)
            );
        }
        let orders = 3 + stream.below(10);
        for task in 0..orders {
            text += &format!(
                "[tasks.t{task}]\nat_s = {}\norder = {{ by = \"console\", kind = \"drop\" }}\n",
                stream.between(0.0, 900.0)
            );
        }
        let loads = 1 + stream.below(3);
        text += &format!(
            "[tasking]\nconsoles = [\"console\"]\ncorridor_m = 100\n[tasking.vehicles.all]\nloads = {loads}\nfuel = 100\n\
             [tasking.templates.drop.phases]\nit = {{ loads = 1 }}\n"
        );
        let loaded = scenario::parse("random", "random", &text, &[]).unwrap_or_else(|error| panic!("{error:?}"));
        let (config, machines) = loaded.tasking(Variant::Fenced);
        let machine = |robot: RobotId| Tasking::new(config.clone(), machines[robot.index()].clone());
        let mut sim = Sim::new(&loaded.mission, seed, machine, ());
        sim.run();
        assert_eq!(sim.ledger().ran_out(), [], "seed {seed}\n{text}");
        assert_eq!(sim.ledger().passes().len(), orders as usize, "seed {seed}\n{text}");
        reloads += sim.ledger().reloads();
        tasks += orders;
    }
    assert!(reloads > 100, "{reloads} reloads for {tasks} tasks");
}

/// A run that lingers ends when it has, not with whatever happens next; also if it is asked for what is usual (20 s).
#[test]
fn a_run_lingers_for_as_long_as_asked() {
    for linger in [0.01, 7.0, 19.5, 20.0, 20.5, 700.0] {
        let loaded = mission("", &format!("linger_s = {linger}"), &[(1.0, 900.0, 500.0)]);
        let sim = fly(&loaded, 1);
        let last = sim.ledger().last_served().as_secs_f64();
        assert!((sim.now().as_secs_f64() - last - linger).abs() < 2e-6, "{linger}: {} {last}", sim.now());
    }
}

/// A vehicle whose time in the air counts flies several phases of a group if it lasts for that without being reloaded in
/// between, and one if it does not.
#[test]
fn who_lasts_for_it_flies_several_phases() {
    let template = "[tasking.templates.drop]\nstrict = true\n[tasking.templates.drop.phases]\na = {}\nb = {}\n\
                    [[tasking.templates.drop.couplings]]\na = \"a\"\nb = \"b\"\ndt_min_s = 20\ndt_max_s = 60\n";
    let base = "base = \"strip\"\nreload_s = 30";
    let lasting = [format!("endurance_s = 900\n{base}"), "endurance_s = 900".to_owned()];
    for vehicle in &lasting {
        let loaded = mission(vehicle, template, &[(10.0, 900.0, 500.0)]);
        let sim = fly(&loaded, 1);
        let passes = sim.ledger().passes();
        assert_eq!(passes.len(), 2, "{vehicle}");
        let apart = passes[1].at.as_secs_f64() - passes[0].at.as_secs_f64();
        assert!((19.99..60.01).contains(&apart), "{vehicle}: {apart}");
        assert!(sim.ledger().ran_out().is_empty());
    }
    // Metres for one crossing and the way back, and not for two: nothing of a strict group is begun.
    let short = format!("[tasking.vehicles.v]\nendurance_m = 1600\n{template}");
    let loaded = mission(&format!("endurance_s = 900\n{base}"), &short, &[(10.0, 900.0, 500.0)]);
    assert!(fly(&loaded, 1).ledger().passes().is_empty());
}

/// Neither `base` nor `reload_s` can be without the other: changes are checked when all of them are made, and a mistake is put
/// down to the change that made it.
#[test]
fn changes_that_belong_together_are_made_together() {
    let text = "limit_h = 1\n[field]\nwidth_m = 1000\nheight_m = 1000\n[places]\nstrip = [500, 100]\n\
         [robots.console]\nspeed_mps = 1\n[robots.v]\nspeed_mps = 20\nendurance_s = 400\n\
         [tasks.t]\norder = { by = \"console\" }\n[tasking]\nconsoles = [\"console\"]\n";
    let parse = |changes: &[&str]| {
        let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
        scenario::parse("changed", "changed", text, &changes)
    };
    let (base, reload) = ("robots.v.base=strip", "robots.v.reload_s=30");
    for changes in [[base, reload], [reload, base]] {
        let loaded = parse(&changes).unwrap_or_else(|error| panic!("{error}"));
        assert!(loaded.mission.robots[1].base.is_some());
    }
    let bad = "radio.loss=7";
    for (changes, blamed) in [
        (&[base][..], base),
        (&[reload], reload),
        (&[base, "radio.loss=0.1"], base),
        (&[base, reload, bad], bad),
        (&[base, bad, reload], bad),
        (&[bad, base, reload], bad),
        // Two mistakes: the first.
        (&[bad, base], bad),
        (&[base, bad], base),
        (&["radio.loss=0.1", base, bad], base),
    ] {
        let Err(error) = parse(changes) else { panic!("{changes:?} is wrong") };
        assert!(error.to_string().starts_with(&format!("--set {blamed}: ")), "{changes:?}: {error}");
    }
}
