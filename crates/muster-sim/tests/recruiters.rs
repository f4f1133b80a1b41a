//! Robots that recruit by values of their own: keys of `[robots.*]` that stand in for those of `[recruitment]`.

use muster_core::RobotId;
use muster_core::recruitment::{Recruitment, Strategy};
use muster_sim::scenario::{self, Loaded};
use muster_sim::{Seeds, Sim};

const MISSION: &str = "
limit_h = 1
[field]
width_m = 100
height_m = 100
[robots.caller]
speed_mps = 1
place = [50, 50]
[robots.far]
count = 2
speed_mps = 1
percepts = [\"ground\"]
[robots.near]
speed_mps = 1
place = [50, 60]
percepts = [\"ground\"]
[tasks.look]
seen_by = \"caller\"
needs = [\"ground\"]
[recruitment]
strategy = \"affective\"
";

fn mission(changes: &[&str]) -> Loaded {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    scenario::parse("own", "own.toml", MISSION, &changes).expect("a mission")
}

#[test]
fn a_group_may_have_each_value_of_its_own() {
    let loaded = mission(&[
        "robots.far.threshold=0.5",
        "robots.far.refusal=0.1",
        "robots.far.proximity_m=0.7",
        "robots.far.decay_per_s=0.01",
        "robots.far.lease_s=33",
        "robots.far.shortest_lease_s=5",
    ]);
    let configs = loaded.recruiters(Strategy::Affective);
    for robot in [1, 2] {
        let own = configs.of(RobotId(robot));
        let shame = own.shame;
        assert_eq!((shame.threshold, shame.refusal, shame.proximity_m, shame.decay_per_s), (0.5, 0.1, 0.7, 0.01));
        let lengths = [own.lease, own.longest_lease, own.shortest_lease].map(|length| length.as_secs_f64());
        assert_eq!(lengths, [33.0, 33.0, 5.0]);
    }
    for robot in [0, 3] {
        assert_eq!(configs.of(RobotId(robot)), configs.team(), "the others are as the team is");
    }
    assert_eq!(configs.longest_lease().as_secs_f64(), 33.0);
}

/// What the robot does, not only what it is told: one with a threshold below zero answers the first HELP, as greedy does.
#[test]
fn a_threshold_of_its_own_decides_who_answers() {
    let helped = |changes: &[&str]| {
        let loaded = mission(changes);
        let configs = loaded.recruiters(Strategy::Affective);
        let machine = |robot| Recruitment::new(configs.of(robot).clone());
        let mut sim = Sim::new(&loaded.mission, Seeds::from(1), machine, ());
        sim.run();
        sim.ledger().records()[0].served.expect("it is served").1
    };
    assert_eq!(helped(&["robots.far.threshold=1"]), RobotId(3), "the others never answer");
    assert!(helped(&["robots.far.threshold=-0.1"]) != RobotId(3), "they answer before the near one does");
}

#[test]
fn mistakes_name_the_key() {
    let parse = |text: &str| scenario::parse("own", "own.toml", text, &[]).expect_err("a mistake");
    let impatient = MISSION.replace("[recruitment]\nstrategy = \"affective\"", "[alliance]\nstrategy = \"ii\"");
    let impatient =
        impatient.replace("seen_by = \"caller\"\nneeds = [\"ground\"]", "place = [1, 1]\nwork_s = { near = 5 }");
    let misplaced = parse(&impatient.replace("count = 2", "count = 2\nlease_s = 4"));
    assert!(misplaced.to_string().contains("robot far has `lease_s`, but nobody recruits"), "{misplaced}");
    let absurd = parse(&MISSION.replace("count = 2", "count = 2\nlease_s = -4"));
    assert!(absurd.to_string().contains("-4"), "{absurd}");
}

/// A call that nobody who could answer it agrees on is foreseen; and not if one of them does.
#[test]
fn leases_that_can_never_be_agreed_on_are_said_before() {
    let said = |changes: &[&str]| mission(changes).never_agreed();
    assert_eq!(said(&[]), [""; 0]);
    let near = ["robots.caller.lease_s=10", "robots.near.shortest_lease_s=15"];
    assert_eq!(said(&near), [""; 0], "the far ones come");
    let all = [&near[..], &["robots.far.shortest_lease_s=12"]].concat();
    let says = "nobody can be recruited for look: caller agrees to 10.0 s at most, and far-1, and whoever else could help, comes for \
                no less than 12.0 s: make shortest_lease_s of the one at most lease_s of the other";
    assert_eq!(said(&all), [says]);
    assert_eq!(mission(&all).foreseen(&[Strategy::Affective.into()]), [says]);
}

/// So is one that only robots could answer that scan without a pause: at stops, and for tasks.
#[test]
fn calls_that_nobody_is_ever_free_for_are_said_before() {
    let scan = "scan = { from = [10, 10], to = [90, 90], spacing_m = 20, stops = 1 }";
    let scans = MISSION.replace("place = [50, 60]", scan).replace("count = 2", "count = 0");
    let said = |changes: &[&str]| {
        let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
        scenario::parse("own", "own.toml", &scans, &changes).expect("a mission").never_free()
    };
    let says = "nobody is ever free for look: near, and whoever else could help, scans without a pause: set scan.pause_s, the time \
                that it stands at each end and may be called";
    assert!(
        said(&["recruitment.config=gage_2004"]).contains(&says.to_owned()),
        "{:?}",
        said(&["recruitment.config=gage_2004"])
    );
    assert_eq!(said(&["robots.near.scan.pause_s=5"]), [""; 0]);
}
