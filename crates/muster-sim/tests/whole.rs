//! Groups that stay whole although somebody who is not needed has missed something, or woke up late: each of these missions was once
//! broken off, flown twice, or auctioned without end.

use muster_core::RobotId;
use muster_core::tasking::{Tasking, Variant};
use muster_sim::Sim;
use muster_sim::scenario::{self, Loaded};

/// Four vehicles around a target, one of them far off, and a group of three; what is given stands first.
const FOUR: &str = "
[field]
width_m = 3000
height_m = 3000
[robots.console]
speed_mps = 1
place = [100, 100]
[robots.v1]
speed_mps = 50
place = [900, 1500]
[robots.v2]
speed_mps = 50
place = [2100, 1500]
[robots.v3]
speed_mps = 50
place = [1500, 900]
[robots.v4]
speed_mps = 50
place = [1500, 2600]
[tasks.t]
at_s = 1
place = [1500, 1500]
order = { by = \"console\", kind = \"k\" }
[tasking.templates.k.phases]
a = {}
b = {}
c = {}
";

/// That b comes so long after a, and c so long after b.
fn windows([b, c]: [(u32, u32); 2]) -> String {
    let coupling = |a: &str, b: &str, (least, most)| {
        format!("[[tasking.templates.k.couplings]]\na = \"{a}\"\nb = \"{b}\"\ndt_min_s = {least}\ndt_max_s = {most}\n")
    };
    format!("{}{}", coupling("a", "b", b), coupling("b", "c", c))
}

/// `[tasking]` with these keys, and this of its templates.
fn tasking(keys: &str, templates: &str) -> String {
    format!("[tasking]\nconsoles = [\"console\"]\ncorridor_m = 200\n{keys}\n{templates}\n")
}

fn parsed(text: &str) -> Loaded {
    let loaded = scenario::parse("whole", "the mission of this test", text, &[]);
    loaded.unwrap_or_else(|error| panic!("{error:?}"))
}

/// Which tasks are flown, in their order, and how many messages that takes.
fn flown(loaded: &Loaded, seed: u64) -> (Vec<u32>, u64) {
    let (config, vehicles) = loaded.tasking(Variant::Fenced);
    let machine = |robot: RobotId| Tasking::new(config.clone(), vehicles[robot.index()].clone());
    let mut sim = Sim::new(&loaded.mission, seed, machine, ());
    sim.run();
    (sim.ledger().passes().iter().map(|pass| pass.task.0).collect(), sim.traffic().sent)
}

/// All three are flown once each and in their order, whatever the seed.
#[track_caller]
fn is_whole(text: &str) {
    let loaded = parsed(text);
    for seed in 0..10 {
        let (flown, messages) = flown(&loaded, seed);
        assert_eq!((flown, messages < 1_000), (vec![0, 1, 2], true), "seed {seed}: {messages} messages");
    }
}

/// A vehicle that holds nothing is switched on while the group is flown. It has missed that the first phase is done, and thinks that
/// it is too late for the rest: it is wrong, and its word ends nothing.
#[test]
fn who_has_missed_a_deed_ends_nothing_for_others() {
    let strict = "[tasking.templates.k]\nstrict = true";
    let text = format!(
        "limit_h = 0.2\n{}{FOUR}{}",
        tasking("", strict),
        windows([(5, 10), (60, 70)])
            .replace("dt_min_s = 5\n", "dt_min_s = -10\n")
            .replace("dt_max_s = 10\n", "dt_max_s = 0\n"),
    );
    let joins = |at_s: u32| text.replace("place = [1500, 2600]", &format!("place = [1500, 2600]\njoins_s = {at_s}"));
    for at_s in [20, 30, 40, 50, 60, 70, 80] {
        let loaded = parsed(&joins(at_s));
        for seed in 0..5 {
            let (mut flown, _) = flown(&loaded, seed);
            flown.sort_unstable();
            assert_eq!(flown, [0, 1, 2], "it joins at {at_s} s, seed {seed}");
        }
    }
}

/// All was assigned before an ordered silence, in which nobody hears what was done: it is flown as it was agreed on.
#[test]
fn silence_breaks_no_group_off() {
    let strict = "[tasking.templates.k]\nstrict = true";
    is_whole(&format!(
        "limit_h = 0.2\n{}{FOUR}{}",
        tasking("silence_s = [15, 75]\nlinger_s = 60", strict),
        windows([(5, 10), (60, 900)])
    ));
}

/// A vehicle hangs until long after its task was due. The others have mended the group meanwhile: it asks who flies it, and takes
/// nothing from them; nor does it have flown again what has grown old since all was done.
#[test]
fn who_wakes_up_late_takes_nothing_from_others() {
    let hangs = |robot: &str, at_s: u32, for_s: u32| {
        format!("[[faults]]\nrobot = \"{robot}\"\nat_s = {at_s}\nkind = \"pause\"\nfor_s = {for_s}\n")
    };
    let strict = tasking("linger_s = 120", "[tasking.templates.k]\nstrict = true");
    let fresh = tasking("linger_s = 120", "[tasking.templates.k]\nfresh_s = 40");
    for for_s in 32..=37 {
        let windows = windows([(30, 60), (10, 12)]);
        is_whole(&format!("limit_h = 0.2\n{}{strict}{FOUR}{windows}", hangs("v4", 28, for_s)));
    }
    for for_s in [60, 90] {
        let windows = windows([(10, 30), (10, 30)]);
        is_whole(&format!("limit_h = 0.2\n{}{fresh}{FOUR}{windows}", hangs("v2", 30, for_s)));
    }
}

/// One vehicle flies all of a group, and one that is listed later before one that is listed earlier: it can only be flown as a
/// whole, and is acknowledged phase by phase.
#[test]
fn a_plan_that_is_acknowledged_phase_by_phase_is_looked_at_as_a_whole() {
    let text = "limit_h = 0.2
[field]
width_m = 4000
height_m = 3000
[robots.console]
speed_mps = 1
place = [10, 10]
[robots.v0]
speed_mps = 30
place = [3604, 2972]
[robots.v1]
speed_mps = 60
place = [1981, 1519]
[tasks.t]
at_s = 1
place = [1699, 2427]
order = { by = \"console\", kind = \"k\" }
[tasking]
consoles = [\"console\"]
corridor_m = 100
[tasking.templates.k.phases]
p0 = {}
p1 = {}
p2 = {}
p3 = {}
p4 = {}
[[tasking.templates.k.couplings]]
a = \"p0\"
b = \"p1\"
dt_min_s = -10
dt_max_s = 0
[[tasking.templates.k.couplings]]
a = \"p1\"
b = \"p2\"
dt_min_s = 1
dh_min_deg = 30
[[tasking.templates.k.couplings]]
a = \"p2\"
b = \"p3\"
dt_min_s = 1
[[tasking.templates.k.couplings]]
a = \"p0\"
b = \"p4\"
dt_min_s = 5
dt_max_s = 15
";
    for loss in ["", "[radio]\nloss = 0.2\n"] {
        let loaded = parsed(&format!("{text}{loss}"));
        for seed in 0..10 {
            let (mut flown, messages) = flown(&loaded, seed);
            flown.sort_unstable();
            assert_eq!(flown, [0, 1, 2, 3, 4], "seed {seed}, {messages} messages");
        }
    }
}

/// A vehicle with seconds to spare and something to fly bids for what is ordered meanwhile.
#[test]
fn endurance_is_no_reason_not_to_bid() {
    let text = "limit_h = 0.5
[field]
width_m = 3000
height_m = 3000
[robots.console]
speed_mps = 1
place = [100, 100]
[robots.v]
speed_mps = 50
place = [900, 1500]
[tasks.t0]
at_s = 1
place = [1500, 600]
order = { by = \"console\" }
[tasks.t1]
at_s = 6
place = [1500, 2000]
order = { by = \"console\" }
[tasking]
consoles = [\"console\"]
corridor_m = 200
";
    let tireless = flown(&parsed(text), 1);
    let enduring = flown(&parsed(&text.replace("place = [900, 1500]", "place = [900, 1500]\nendurance_s = 100000")), 1);
    assert_eq!(enduring, tireless);
    assert_eq!(enduring.0, [0, 1]);
}
