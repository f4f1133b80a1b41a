//! Groups whose vehicles have too little, fail, or are slow: what is still flown, and what is not.

use muster_core::tasking::{Tasking, Variant};
use muster_core::{RobotId, TaskId, Time};
use muster_sim::Sim;
use muster_sim::scenario::{self, Loaded};

/// A mission of `text`, which has no field and no console yet.
fn parsed(text: &str) -> Loaded {
    let head = "limit_h = 0.2\n[field]\nwidth_m = 3000\nheight_m = 3000\n\
                [robots.console]\nspeed_mps = 1\nplace = [0, 0]\n\
                [tasking]\nconsoles = [\"console\"]\ncorridor_m = 200\n";
    let loaded = scenario::parse("groups", "the mission of this test", &format!("{head}{text}"), &[]);
    loaded.unwrap_or_else(|error| panic!("{error:?}"))
}

/// What was flown over, by whom and when.
fn flown(text: &str) -> Vec<(TaskId, String, Time)> {
    let loaded = parsed(text);
    let (config, vehicles) = loaded.tasking(Variant::Fenced);
    let machine = |robot: RobotId| Tasking::new(config.clone(), vehicles[robot.index()].clone());
    let mut sim = Sim::new(&loaded.mission, 1, machine, ());
    sim.run();
    let name = |robot: RobotId| loaded.mission.robots[robot.index()].name.to_string();
    sim.ledger().passes().iter().map(|pass| (pass.task, name(pass.robot), pass.at)).collect()
}

/// A vehicle has one load, or metres for one of two tasks. The second is more urgent: it takes the place of the first, and the
/// vehicle does not fly both.
#[test]
fn nobody_flies_what_it_has_no_loads_or_metres_for() {
    let mission = |limit: &str| {
        format!(
            "grid = {{ step_s = 5, times = 21, headings = 8 }}\nvehicles.v = {{ {limit} }}\n\
             [tasking.templates.water.phases]\ndrop = {{ loads = 1 }}\n\
             [robots.v]\nspeed_mps = 40\nplace = [100, 100]\n\
             [tasks.far]\nat_s = 1\nplace = [1500, 1500]\norder = {{ by = \"console\", kind = \"water\" }}\n\
             [tasks.near]\nat_s = 8\nplace = [400, 1200]\norder = {{ by = \"console\", kind = \"water\", priority = 5 }}\n"
        )
    };
    let tasks = |limit: &str| -> Vec<TaskId> { flown(&mission(limit)).iter().map(|flight| flight.0).collect() };
    assert_eq!(tasks("loads = 2").len(), 2, "it has what it takes for both");
    assert_eq!(tasks("loads = 1"), [TaskId(1)]);
    assert_eq!(tasks("endurance_m = 2400"), [TaskId(1)]);
}

/// Nothing couples the phases of a strict group. The vehicle that is to fly the second fails, and is the only one that could: the
/// first is not flown either.
#[test]
fn a_strict_group_without_couplings_is_strict() {
    let mission = |fault: &str| {
        format!(
            "[tasking.templates.two]\nstrict = true\n\
             [tasking.templates.two.phases]\none = {{ needs = [\"camera\"] }}\nother = {{ needs = [\"water\"] }}\n\
             [robots.a]\nspeed_mps = 40\nplace = [100, 100]\npercepts = [\"camera\"]\n\
             [robots.b]\nspeed_mps = 40\nplace = [2800, 2900]\npercepts = [\"water\"]\n\
             [tasks.t]\nat_s = 1\nplace = [1200, 1200]\norder = {{ by = \"console\", kind = \"two\" }}\n{fault}"
        )
    };
    assert_eq!(flown(&mission("")).len(), 2);
    assert_eq!(flown(&mission("[[faults]]\nrobot = \"b\"\nat_s = 14\nkind = \"stop\"\n")), []);
}

/// Dropper and assessor fail after the first verify. Another dropper is slow, and nobody can assess within the times that are bid
/// for. The drop keeps its vehicle and its time all the same, and what was verified is verified again shortly before it.
#[test]
fn what_somebody_can_do_is_not_taken_away_for_what_nobody_can() {
    let mission = "grid = { step_s = 5, times = 21, headings = 8 }\n\
        [tasking.templates.fire]\nfresh_s = 30\n\
        [tasking.templates.fire.phases]\n\
        verify = { needs = [\"camera\"] }\ndrop = { needs = [\"water\"] }\nassess = { needs = [\"infrared\"] }\n\
        [[tasking.templates.fire.couplings]]\na = \"verify\"\nb = \"drop\"\ndt_min_s = 5\ndt_max_s = 10\n\
        [[tasking.templates.fire.couplings]]\na = \"drop\"\nb = \"assess\"\ndt_min_s = 5\ndt_max_s = 10\n\
        [robots.eye]\nspeed_mps = 40\nplace = [1000, 1000]\npercepts = [\"camera\"]\n\
        [robots.tank]\nspeed_mps = 40\nplace = [900, 1200]\npercepts = [\"water\"]\n\
        [robots.slow]\nspeed_mps = 28\nplace = [100, 2900]\npercepts = [\"water\"]\n\
        [robots.judge]\nspeed_mps = 40\nplace = [1300, 900]\npercepts = [\"infrared\"]\n\
        [robots.spare]\nspeed_mps = 6\nplace = [100, 2800]\npercepts = [\"infrared\"]\n\
        [[faults]]\nrobot = \"tank\"\nat_s = 30\nkind = \"stop\"\n\
        [[faults]]\nrobot = \"judge\"\nat_s = 30\nkind = \"stop\"\n\
        [tasks.fire]\nat_s = 1\nplace = [1800, 1000]\norder = { by = \"console\", kind = \"fire\" }\n";
    let flown = flown(mission);
    let drop = flown.iter().find(|flight| flight.0 == TaskId(1)).expect("it can be dropped");
    let verified = flown.iter().rev().find(|flight| flight.0 == TaskId(0) && flight.2 < drop.2).expect("before that");
    assert_eq!(drop.1, "slow");
    assert!(drop.2 < Time::from_secs_f64(180.0), "taken away and given again, it is dropped at 233 s: {}", drop.2);
    assert!(drop.2.since(verified.2).as_secs_f64() <= 30.0, "{flown:?}");
}

/// Bids reach as far as a group takes from its first phase to its last, if nothing else is said; and what is said is questioned.
#[test]
fn bids_reach_as_far_as_groups_take() {
    let group = "[tasking.templates.two]\nstrict = true\n[tasking.templates.two.phases]\none = {}\nother = {}\n\
        [[tasking.templates.two.couplings]]\na = \"one\"\nb = \"other\"\ndt_min_s = 120\ndt_max_s = 200\n\
        [robots.a]\nspeed_mps = 60\nplace = [100, 100]\n[robots.b]\nspeed_mps = 60\nplace = [900, 900]\n\
        [tasks.t]\nat_s = 1\nplace = [700, 300]\norder = { by = \"console\", kind = \"two\" }\n";
    let times: Vec<Time> = flown(group).iter().map(|flight| flight.2).collect();
    let apart_s = times[1].since(times[0]).as_secs_f64();
    assert!((120.0..=200.0).contains(&apart_s), "{apart_s}");
    let loaded = parsed(&format!("horizon_s = 100\n{group}"));
    let said = loaded.longer_than_bids(Variant::Fenced);
    assert!(said[0].contains("takes 120 s from its first phase to its last, and bids are for 100 s"), "{said:?}");
    assert_eq!(parsed(group).longer_than_bids(Variant::Fenced), [""; 0]);
    let said = |least: &str, most: &str| {
        let group = group.replace("dt_min_s = 120", &format!("dt_min_s = {least}"));
        parsed(&group.replace("dt_max_s = 200", &format!("dt_max_s = {most}"))).between_samples(Variant::Fenced)
    };
    let between = "nobody can be found for two as it is tied together: phases 1 and 2 are to be 3.3 to 3.9 s apart, and groups are \
                   planned in steps of 1 s: make it hold a multiple of that";
    assert_eq!(said("3.3", "3.9"), [between]);
    assert_eq!((said("3.3", "4"), said("-3.9", "-3.1").len(), said("-0.5", "0.5")), (vec![], 1, vec![]));
}
