//! Missions of auctioned tasks from scenario files: flights, silence, lost links, orders, templates from a file.

use std::collections::BTreeMap;
use std::sync::Arc;

use muster_core::rng::{Purpose, Stream};
use muster_core::tasking::{Hitch, Message, Step, Tasking, Variant};
use muster_core::{Duration, Event, Recipient, RobotId, TaskId, Time};
use muster_sim::radio::Fate;
use muster_sim::scenario::{self, Loaded};
use muster_sim::{Observer, Origin, Scheme, Sim};

/// Keeps when anybody transmitted what.
#[derive(Default)]
struct Heard(Vec<(Time, RobotId, &'static str)>);

impl Observer<Tasking> for Heard {
    fn on_transmission(&mut self, now: Time, from: RobotId, _to: Recipient, message: &Message, _fate: Fate) {
        self.0.push((now, from, message.name()));
    }
}

fn loaded(name: &str, changes: &[&str]) -> Loaded {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    scenario::load(name, &changes).unwrap_or_else(|error| panic!("{error:?}"))
}

fn fly<'m>(loaded: &'m Loaded, variant: Variant, seed: u64) -> Sim<'m, Tasking, Heard> {
    let (config, vehicles) = loaded.tasking(variant);
    let machine = |robot: RobotId| Tasking::new(config.clone(), vehicles[robot.index()].clone());
    let mut sim = Sim::new(&loaded.mission, seed, machine, Heard::default()).with_notes();
    sim.run();
    sim
}

/// Who passed over what, seconds after the order's t0, degrees.
fn passes(loaded: &Loaded, sim: &Sim<'_, Tasking, Heard>) -> Vec<(String, f64, f64)> {
    let solicited = sim.notes().iter().find_map(|note| match note.event {
        Event::Tasking { step: Step::Solicited { t0, .. }, .. } => Some(t0),
        _ => None,
    });
    let t0 = solicited.unwrap_or(Time::ZERO);
    let name = |robot: RobotId| loaded.mission.robots[robot.index()].name.to_string();
    let seconds = |at: Time| ((at.as_secs_f64() - t0.as_secs_f64()) * 1e3).round() / 1e3;
    let degrees = |heading: f64| heading.to_degrees().rem_euclid(360.0).round();
    sim.ledger().passes().iter().map(|pass| (name(pass.robot), seconds(pass.at), degrees(pass.heading))).collect()
}

/// What was flown, in order.
fn tasks(sim: &Sim<'_, Tasking, Heard>) -> Vec<TaskId> {
    sim.ledger().passes().iter().map(|pass| pass.task).collect()
}

/// [MacKenzie §4] doug4 verifies at 15 on 180, doug2 drops at 20 on 45, doug3 assesses at 25 on 270.
#[test]
fn the_three_phase_mission_is_flown_as_in_the_paper() {
    for name in ["hotspot", "hotspot-crossing"] {
        let loaded = loaded(name, &[]);
        for variant in Variant::ALL {
            let sim = fly(&loaded, variant, 1);
            let expected = [("doug4", 15.0, 180.0), ("doug2", 20.0, 45.0), ("doug3", 25.0, 270.0)];
            let expected = expected.map(|(who, at, heading)| (who.to_owned(), at, heading));
            assert_eq!(passes(&loaded, &sim), expected, "{name} {variant:?}");
        }
    }
}

/// The LEAD plans at coarse times first, here every 2 s, and makes what it finds cheaper at all times close to it: 16, 22 and
/// 28 s become the paper's plan.
#[test]
fn a_plan_of_coarse_times_is_refined() {
    let loaded = loaded("hotspot", &["tasking.grid=\"adaptive\""]);
    let sim = fly(&loaded, Variant::Fenced, 1);
    let flown = passes(&loaded, &sim);
    let plan = [("doug4", 15.0, 180.0), ("doug2", 20.0, 45.0), ("doug3", 25.0, 270.0)];
    assert_eq!(flown, plan.map(|(name, at, heading)| (name.to_owned(), at, heading)));
}

/// Two vehicles, and three phases of a strict group of which one has to come round: there is a plan, and it is flown.
#[test]
fn a_strict_group_with_fewer_vehicles_than_phases_is_flown() {
    let folder = std::env::temp_dir().join(format!("muster-strict-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("strict.toml");
    let text = r#"
        limit_h = 0.1
        field = { width_m = 2000, height_m = 2000 }
        robots.c0 = { speed_mps = 1, place = [198, 1796] }
        robots.v0 = { speed_mps = 20, place = [1722, 870] }
        robots.v1 = { speed_mps = 20, place = [590, 1394] }
        tasks.o = { at_s = 1, place = [1785, 1750], order = { by = "c0", kind = "k0" } }
        [tasking]
        consoles = ["c0"]
        corridor_m = 50
        [tasking.templates.k0]
        strict = true
        phases = { p0 = {}, p1 = {}, p2 = {} }
        couplings = [
            { a = "p0", b = "p1", dt_min_s = -10, dt_max_s = 10, dh_max_deg = 45 },
            { a = "p0", b = "p2", dt_min_s = 40 },
        ]
    "#;
    std::fs::write(&path, text).unwrap();
    let loaded = loaded(&path.display().to_string(), &[]);
    let sim = fly(&loaded, Variant::Fenced, 1);
    assert_eq!(tasks(&sim).len(), 3);
    assert!(!sim.notes().iter().any(|note| matches!(note.event, Event::Tasking { step: Step::NoGoodBids { .. }, .. })));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// [MacKenzie §4] "leaving the controlled area": each leaves by its corridor and stands at its end.
#[test]
fn vehicles_leave_by_their_corridor() {
    let loaded = loaded("hotspot", &[]);
    let sim = fly(&loaded, Variant::Fenced, 1);
    let place = sim.bodies()[3].place(sim.now());
    // doug4 came in on 180 degrees: it stands 400 m west of the target.
    assert!((place.x - 1_190.0).abs() < 1e-6 && (place.y - 1_395.0).abs() < 1e-6, "{place}");
}

/// [MacKenzie §3] "executed in radio silence. When radio silence is broken, new tasks ... could be added".
#[test]
fn what_was_assigned_before_is_flown_in_silence_and_tasks_are_added_afterwards() {
    let text = format!(
        "{}\n[tasks.later]\nat_s = 20\nplace = [1000, 1000]\norder = {{ by = \"console\" }}\n",
        scenario::built_in("hotspot").unwrap()
    );
    let loaded = scenario::parse("silent", "silent", &text, &["tasking.silence_s=[8,60]".to_owned()]).unwrap();
    let sim = fly(&loaded, Variant::Fenced, 1);
    let (from, to) = (Time::from_secs_f64(8.0), Time::from_secs_f64(60.0));
    let said = sim.observer().0.iter().filter(|(at, ..)| from <= *at && *at < to).count();
    assert_eq!(said, 0, "nobody transmits");
    let flown: Vec<f64> = sim.ledger().passes().iter().map(|pass| pass.at.as_secs_f64()).collect();
    assert_eq!(flown.len(), 4, "all three phases, and the task that was asked for meanwhile");
    assert!(flown[..3].iter().all(|at| *at < 60.0), "{flown:?}");
    assert!(flown[3] > 60.0 && sim.ledger().duplicates() == 0, "{flown:?}");
}

/// Whatever moment its radio fails at, a vehicle does not begin a strict group alone: the others fly it without it, and whole.
#[test]
fn a_strict_group_is_not_begun_by_a_vehicle_whose_radio_is_down() {
    for robot in ["doug2", "doug3", "doug4"] {
        for at_s in [5, 10, 20] {
            let fault = format!("faults=[{{ robot = \"{robot}\", at_s = {at_s}, kind = \"offline\", for_s = 100 }}]");
            let loaded = loaded("hotspot", &["tasking.templates.fire.strict=true", &fault]);
            let sim = fly(&loaded, Variant::Fenced, 1);
            let flown = tasks(&sim);
            assert_eq!(flown, [TaskId(0), TaskId(1), TaskId(2)], "{robot} at {at_s} s");
        }
    }
}

/// In silence a phase is flown by the time that was confirmed for the one before it, if that comes first; not before one whose
/// vehicle has gone round since.
#[test]
fn in_silence_nobody_flies_before_a_phase_that_was_confirmed_for_later() {
    let fault = "faults=[{ robot = \"doug4\", at_s = 28, kind = \"stop\" }]";
    let loaded = loaded("hotspot", &[fault, "tasking.silence_s=[33.5, 160]", "limit_h=0.2"]);
    let sim = fly(&loaded, Variant::Fenced, 1);
    let flown = tasks(&sim);
    let (drop, assess) = (TaskId(1), TaskId(2));
    let first = |task: TaskId| flown.iter().position(|other| *other == task);
    assert!(first(drop).is_some() && first(drop) < first(assess), "{flown:?}");
}

/// A mission drawn from the seed: a field, vehicles and their speeds, one to three orders of one to four phases each, each phase
/// some seconds after the one before, and silence from when everything is assigned.
fn silent(stream: &mut Stream) -> String {
    let side = stream.between(800.0, 2_500.0).round();
    let vehicles = 4 + stream.below(6);
    let phases = 1 + stream.below(4);
    let orders = 1 + stream.below(3);
    let mut text = format!(
        "limit_h = 0.5\n[field]\nwidth_m = {side}\nheight_m = {side}\n[robots.console]\nspeed_mps = 1\nplace = [0, 0]\n"
    );
    for vehicle in 0..vehicles {
        let speed = stream.between(40.0, 90.0).round();
        text += &format!("[robots.v{vehicle}]\nspeed_mps = {speed}\n");
    }
    for order in 0..orders {
        // One after the other, so that all are agreed on before the radio is switched off.
        let at_s = 1 + 12 * order;
        text += &format!("[tasks.t{order}]\nat_s = {at_s}\norder = {{ by = \"console\", kind = \"run\" }}\n");
    }
    text += "[tasking]\nconsoles = [\"console\"]\ncorridor_m = 100\nlinger_s = 0\nt_peer_s = 13\nt_win_s = 1.5\n\
             [tasking.vehicles.all]\ntimes = [{ from_s = 0, to_s = 40 }]\n[tasking.templates.run.phases]\n";
    for phase in 0..phases {
        text += &format!("p{phase} = {{}}\n");
    }
    for phase in 1..phases {
        let least = 5 + 5 * stream.below(2);
        text += &format!(
            "[[tasking.templates.run.couplings]]\na = \"p{}\"\nb = \"p{phase}\"\ndt_min_s = {least}\ndt_max_s = {}\n",
            phase - 1,
            least + 15
        );
    }
    text
}

/// [MacKenzie §3] On missions drawn at random, under every variant: what was assigned before radio silence is flown in it,
/// all of it, each phase by the vehicle that had it and after the one before it.
#[test]
fn what_was_assigned_before_silence_is_flown_in_order_under_every_variant() {
    const MISSIONS: u64 = 40;
    for variant in Variant::ALL {
        let (mut flown, mut groups) = (0, 0);
        for seed in 0..MISSIONS {
            let mut text = silent(&mut Stream::new(seed, Purpose::Arrangement, RobotId(0)));
            let changes = [format!("tasking.variant={}", variant.name())];
            // A run that nobody silences says when everything is assigned: silence begins two reports later.
            let loaded =
                scenario::parse("silent", "silent", &text, &changes).unwrap_or_else(|error| panic!("{error:?}"));
            let holders = |sim: &Sim<'_, Tasking, Heard>, until: Time| {
                let mut holders = BTreeMap::new();
                for note in sim.notes().iter().filter(|note| note.at < until) {
                    if let Event::Tasking { task, step: Step::Holds { .. } } = note.event {
                        holders.insert(task, (note.at, note.robot));
                    }
                }
                holders
            };
            let before = fly(&loaded, variant, seed);
            let assigned = holders(&before, Time::NEVER);
            let first = before.ledger().passes().iter().map(|pass| pass.at).min();
            let (Some(last), Some(first)) = (assigned.values().map(|(at, _)| *at).max(), first) else { continue };
            let from = last + Duration::from_secs(2);
            if first <= from || assigned.len() < loaded.mission.tasks.len() {
                // Some of it was flown before the rest was assigned, or could not be.
                continue;
            }
            text = text.replace("[tasking]\n", &format!("[tasking]\nsilence_s = [{}, 1000]\n", from.as_secs_f64()));
            let loaded =
                scenario::parse("silent", "silent", &text, &changes).unwrap_or_else(|error| panic!("{error:?}"));
            let sim = fly(&loaded, variant, seed);
            let agreed = holders(&sim, from);
            let passes = sim.ledger().passes();
            let of = |task: TaskId| passes.iter().filter(move |pass| pass.task == task).collect::<Vec<_>>();
            for index in 0..loaded.mission.tasks.len() {
                let task = TaskId(index as u32);
                let one = of(task);
                assert_eq!(one.len(), 1, "{variant:?}, seed {seed}: {task} was flown {} times", one.len());
                assert_eq!(
                    Some(one[0].robot),
                    agreed.get(&task).map(|(_, robot)| *robot),
                    "{variant:?}, seed {seed}: {task}"
                );
                assert!(one[0].at >= from && one[0].at < Time::from_secs_f64(1_000.0));
            }
            let said = sim.observer().0.iter().filter(|(at, ..)| *at >= from).count();
            assert_eq!(said, 0, "{variant:?}, seed {seed}");
            let phases =
                loaded.tasking(variant).0.templates.values().next().map_or(1, |template| template.phases.len());
            for group in (0..loaded.mission.tasks.len()).collect::<Vec<_>>().chunks(phases) {
                let times: Vec<Time> = group.iter().map(|index| of(TaskId(*index as u32))[0].at).collect();
                assert!(times.is_sorted(), "{variant:?}, seed {seed}: {times:?}");
                groups += usize::from(phases > 1);
            }
            flown += 1;
        }
        assert!(flown >= MISSIONS / 2 && groups >= 20, "{variant:?}: only {flown} missions, {groups} groups");
    }
}

/// [MacKenzie §2.1] "queuing and retransmission of the latest status report when the link is again available".
#[test]
fn a_vehicle_that_knows_its_radio_is_down_reports_as_soon_as_it_works_again() {
    let loaded = loaded("hotspot", &["faults=[{robot=\"doug4\",at_s=8,kind=\"offline\",for_s=3}]"]);
    let sim = fly(&loaded, Variant::Fenced, 1);
    let doug4 = RobotId(3);
    let back = Time::from_secs_f64(11.0);
    let said =
        |at: Time| sim.observer().0.iter().any(|(when, who, what)| (*when, *who, *what) == (at, doug4, "Status"));
    assert!(said(back), "the latest report, at once");
    assert_eq!(passes(&loaded, &sim).len(), 3);
    let challenged = sim.observer().0.iter().any(|(_, _, what)| *what == "Challenge");
    assert!(!challenged, "nobody challenged: four reports take longer, and the vehicle blames nobody");
}

#[test]
fn a_cancelled_task_is_not_flown_and_a_changed_one_is_flown_elsewhere() {
    let loaded = loaded("patrol", &[]);
    // A vehicle that wins two auctions at once must not promise both for ever: one of these seeds once did.
    for seed in (1..=40).chain([7_320_619_513_623_913]) {
        let sim = fly(&loaded, Variant::Fenced, seed);
        let index = |name: &str| loaded.task_names.iter().position(|known| known == name).unwrap();
        let record = |name: &str| &sim.ledger().records()[index(name)];
        assert!(record("look 12").withdrawn && record("look 12").done == 0, "seed {seed}");
        assert_eq!(record("look 16").done, 1, "seed {seed}");
        assert_eq!(record("look 16").task.place, muster_core::Point::new(2_000.0, 2_000.0));
        assert_eq!((sim.ledger().nothing_left(), sim.ledger().duplicates()), (true, 0), "seed {seed}");
    }
}

/// A vehicle with nothing to drop does not bid for what takes a load; one that is empty does not any more.
#[test]
fn loads_are_used_up() {
    let text = scenario::built_in("patrol").unwrap();
    let changes = [
        "tasking.changes=[]",
        "tasks.look.order.count=4",
        "tasks.look.order.kind=drop",
        "tasking.templates.drop.phases={drop={loads=1}}",
        "tasking.vehicles.all.loads=0",
        "tasking.vehicles.scout-2={loads=2}",
        "tasking.vehicles.scout-4={loads=2}",
    ];
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    let loaded = scenario::parse("loads", "loads", text, &changes).unwrap_or_else(|error| panic!("{error:?}"));
    let sim = fly(&loaded, Variant::Fenced, 1);
    let drops: Vec<&str> = sim
        .ledger()
        .passes()
        .iter()
        .filter(|pass| pass.task.index() < 4)
        .map(|pass| &*loaded.mission.robots[pass.robot.index()].name)
        .collect();
    for name in ["scout-2", "scout-4"] {
        assert_eq!(drops.iter().filter(|by| **by == name).count(), 2, "{drops:?}");
    }
}

#[test]
fn templates_may_lie_in_a_file_of_their_own() {
    let folder = std::env::temp_dir().join(format!("muster-templates-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let text = scenario::built_in("hotspot").unwrap();
    let (head, templates) = text.split_at(text.find("[tasking.templates").unwrap());
    let head = head.replace("[tasking]\n", "[tasking]\ntemplates_file = \"templates.toml\"\n");
    std::fs::write(folder.join("mine.toml"), &head).unwrap();
    std::fs::write(folder.join("templates.toml"), templates.replace("tasking.templates", "templates")).unwrap();
    let path = folder.join("mine.toml").display().to_string();
    let sim_of = |loaded: &Loaded| passes(loaded, &fly(loaded, Variant::Fenced, 1));
    assert_eq!(sim_of(&loaded(&path, &[])), sim_of(&loaded("hotspot", &[])));
    // It may be named by a change as well; it is a part of the scenario then, which is whole without the file.
    std::fs::write(folder.join("bare.toml"), head.replace("templates_file = \"templates.toml\"\n", "")).unwrap();
    let bare = folder.join("bare.toml").display().to_string();
    let named = loaded(&bare, &["tasking.templates_file=templates.toml"]);
    assert_eq!(sim_of(&named), sim_of(&loaded("hotspot", &[])));
    assert_eq!(named.scenario.tasking, loaded("hotspot", &[]).scenario.tasking);
    // A mistake in it is told with its own name and line.
    std::fs::write(folder.join("templates.toml"), "[templates.fire.phases]\nverify = { load = 1 }\n").unwrap();
    let error = format!("{:?}", miette::Report::new(scenario::load(&path, &[]).unwrap_err()));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(error.contains("templates.toml:2:") && error.contains("load"), "{error}");
}

/// A user's preference changes the bid, and with it who is chosen.
#[test]
fn preferences_change_who_is_chosen() {
    let loaded = loaded("hotspot", &["tasking.vehicles.doug4={headings=[{from_deg=170,to_deg=190}]}"]);
    let sim = fly(&loaded, Variant::Fenced, 1);
    let passes = passes(&loaded, &sim);
    assert_eq!(passes.len(), 3);
    assert!(passes.iter().all(|(who, _, heading)| who != "doug4" || *heading != 180.0), "{passes:?}");
}

/// The same seed gives the same run, with loss and faults, under every variant.
#[test]
fn the_same_seed_gives_the_same_run() {
    let loaded = loaded("patrol", &["radio.loss=0.2"]);
    for (variant, seed) in [(Variant::Fenced, 1), (Variant::Fenced, 2), (Variant::Written, 1), (Variant::Drawn, 1)] {
        let [one, other] = [(); 2].map(|()| fly(&loaded, variant, seed));
        assert_eq!(one.observer().0, other.observer().0);
        assert_eq!(one.ledger(), other.ledger());
        assert_eq!(one.machines(), other.machines());
    }
}

/// A field 12 km wide, a vehicle at 50 m/s in one corner, and something to look at in the opposite one, 240 s away.
const WIDE: &str = "limit_h = 0.2\n[field]\nwidth_m = 10000\nheight_m = 6700\n[robots.console]\nspeed_mps = 1\nplace = [0, 0]\n\
    [robots.near]\nspeed_mps = 50\nplace = [0, 0]\n[robots.slow]\nspeed_mps = 40\nplace = [0, 0]\n\
    [tasks.x]\nat_s = 1\nplace = [9980, 6680]\norder = { by = \"console\" }\n[tasking]\nconsoles = [\"console\"]\n";

fn wide(changes: &[&str]) -> Loaded {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    scenario::parse("wide", "wide", WIDE, &changes).unwrap_or_else(|error| panic!("{error:?}"))
}

/// Where no grid is named, bids reach as far as the slowest vehicle has to go, and the nearer vehicle is sent at once.
#[test]
fn bids_reach_across_the_field() {
    let loaded = wide(&[]);
    let (config, _) = loaded.tasking(Variant::Fenced);
    let crossing_s = 12_037.0 / 40.0;
    assert!((crossing_s..crossing_s + 20.0).contains(&config.grid.horizon().as_secs_f64()), "{:?}", config.grid);
    assert_eq!(loaded.beyond_bids(Variant::Fenced), [""; 0]);
    let sim = fly(&loaded, Variant::Fenced, 1);
    let flown = passes(&loaded, &sim);
    assert!(flown.len() == 1 && flown[0].0 == "near" && (240.0..250.0).contains(&flown[0].1), "{flown:?}");
    let solicited = sim.observer().0.iter().filter(|(.., what)| *what == "Solicitation").count();
    assert!(solicited <= 3, "{solicited} solicitations");
    // What was filled in means the same when it is read again.
    let grid = loaded.scenario.tasking.as_ref().and_then(|section| section.horizon_s).expect("it was filled in").get();
    let again = wide(&["tasking.grid=\"adaptive\"", &format!("tasking.horizon_s={grid}")]);
    assert_eq!(again.tasking(Variant::Fenced).0.grid, config.grid);
    // Phases that have to come close to each other are not lost between samples.
    let close = "tasking.templates.two={phases={a={},b={}},couplings=[{a=\"a\",b=\"b\",dt_min_s=5,dt_max_s=7}]}";
    let step = wide(&[close]).tasking(Variant::Fenced).0.grid.step;
    assert!(step <= muster_core::Duration::from_secs(2), "{step}");
}

/// A horizon so late that groups are planned in steps wider than a window of theirs is said before, with one that is not.
#[test]
fn steps_wider_than_a_window_are_said() {
    let with = |horizon_s: u32| {
        let horizon = format!("tasking.horizon_s={horizon_s}");
        loaded("hotspot", &["tasking.grid=\"adaptive\"", &horizon]).coarser_than_windows(Variant::Fenced)
    };
    let said = with(60_000).expect("it is said");
    assert!(said.contains("in steps of 12 s") && said.contains("is 5 s wide"), "{said}");
    assert!(said.ends_with("set tasking.horizon_s to 25000 or less"), "{said}");
    assert_eq!(with(25_000), None);
}

/// A grid that is named stays as it is; what nobody can bid for on it is said before, and by the vehicles while it goes on.
#[test]
fn what_nobody_can_bid_for_is_said_before_the_run() {
    for changes in [&["tasking.grid={step_s=5,times=21,headings=8}"][..], &["tasking.variant=drawn"]] {
        let loaded = wide(changes);
        let variant = if changes[0].ends_with("drawn") { Variant::Drawn } else { Variant::Fenced };
        let said = loaded.beyond_bids(variant);
        let expected = "nobody can bid for x from where vehicles stand: it takes near 240 s, beyond the last sample (100 s): set \
                        tasking.grid.step_s to 14 or more";
        assert!(said.len() == 1 && said[0].starts_with(expected), "{said:?}");
    }
    let enough = wide(&["tasking.grid={step_s=14,times=21,headings=8}"]);
    assert_eq!(enough.beyond_bids(Variant::Fenced), [""; 0]);
    assert_eq!(fly(&enough, Variant::Fenced, 1).ledger().served(), 1);
    let short = wide(&["tasking.grid=\"adaptive\"", "tasking.horizon_s=100"]);
    assert!(short.beyond_bids(Variant::Fenced)[0].ends_with("set tasking.horizon_s to 251 or more, or leave it out"));
}

/// `hotspot` with so many fires at once, the first where the paper has it.
fn fires(many: usize) -> String {
    let text = scenario::built_in("hotspot").unwrap();
    let (head, rest) = text.split_once("[tasks.hotspot]").unwrap();
    let (_, tail) = rest.split_once("[tasking]").unwrap();
    let places = [[1_590, 1_395], [1_000, 2_000], [2_200, 800], [700, 900], [2_300, 2_300]];
    let order = |number: usize| {
        let place = places[number];
        format!("[tasks.f{number}]\nat_s = 1\nplace = {place:?}\norder = {{ by = \"console\", kind = \"fire\" }}\n")
    };
    let orders: String = (0..many).map(order).collect();
    format!("{head}{orders}[tasking]{tail}").replace("limit_h = 0.1", "limit_h = 0.5")
}

/// Earlier orders may fill all times that a bid is for: a later one is auctioned for after them, and keeps its windows.
#[test]
fn orders_of_one_instant_keep_their_windows_however_many_there_are() {
    for grid in ["tasking.horizon_s=100", "tasking.grid={step_s=5,times=21,headings=8}"] {
        for many in 2..=5 {
            let changes = match grid.starts_with("tasking.horizon") {
                true => vec!["tasking.grid=\"adaptive\"".to_owned(), grid.to_owned()],
                false => vec![grid.to_owned()],
            };
            let loaded =
                scenario::parse("fires", "fires", &fires(many), &changes).unwrap_or_else(|error| panic!("{error:?}"));
            for seed in 1..=5 {
                let sim = fly(&loaded, Variant::Fenced, seed);
                let at = |task: usize| sim.ledger().records()[task].served.map(|(at, _)| at.as_secs_f64());
                for group in 0..many {
                    let times: Vec<f64> = (0..3).filter_map(|phase| at(3 * group + phase)).collect();
                    let apart = |pair: &[f64]| (4.99..10.01).contains(&(pair[1] - pair[0]));
                    assert!(times.len() == 3 && times.windows(2).all(apart), "{grid}, {many}, seed {seed}: {times:?}");
                }
            }
        }
    }
}

/// The reasons that are told are those that there were, and a console that leads is no vehicle that lacks something.
#[test]
fn why_nobody_was_found() {
    let whys = |changes: &[&str]| {
        let loaded = loaded("hotspot", changes);
        let sim = fly(&loaded, Variant::Fenced, 1);
        let mut whys: Vec<Hitch> = Vec::new();
        for note in sim.notes() {
            match note.event {
                Event::Tasking { step: Step::NoGoodBids { why, .. }, .. } if !whys.contains(&why) => whys.push(why),
                Event::Tasking { step: Step::OwnBid { .. }, .. } => assert_ne!(note.robot, RobotId(0), "{changes:?}"),
                _ => {}
            }
        }
        whys
    };
    let unable = ["tasking.templates.fire.phases.drop.loads=1", "tasking.vehicles.all.loads=0"];
    let told = whys(&unable);
    assert_eq!(told[0], Hitch::NobodyFor(TaskId(1)));
    assert!(told.iter().all(|why| matches!(why, Hitch::NobodyFor(TaskId(1)) | Hitch::NoBids)), "{told:?}");
    // They could be there within 25 s after t0, which is 13 s, and it is of no use by then.
    assert_eq!(whys(&["tasks.hotspot.order.expires_s=30"]), [Hitch::Expires]);
}

/// As drawn and as written there is no message for a change: it is said before the run, and nothing is moved in the books.
#[test]
fn changes_that_nobody_can_be_told_of_are_said() {
    let change = "tasking.changes=[{ at_s = 20, task = \"hotspot\", place = [100, 100] }]";
    let loaded = loaded("hotspot", &[change]);
    assert_eq!(loaded.untold_changes(Variant::Fenced), [""; 0]);
    let loaded = Arc::new(loaded);
    for variant in [Variant::Drawn, Variant::Written] {
        let said = loaded.untold_changes(variant);
        assert!(said.len() == 1 && said[0].starts_with("hotspot stays as it is"), "{said:?}");
        let origin = Origin::new(loaded.clone(), Scheme::Tasking(variant), 1);
        let (config, vehicles) = origin.loaded.tasking(variant);
        let machine = |robot: RobotId| Tasking::new(config.clone(), vehicles[robot.index()].clone());
        let mut sim = Sim::of(&origin, machine, Heard::default());
        sim.run();
        let place = sim.ledger().records()[0].task.place;
        assert!(place.x == 1_590.0 && sim.ledger().served() == 3, "{place}");
    }
}

/// A phase lies within the field, as its order has to.
#[test]
fn a_phase_outside_the_field_is_refused() {
    let refused = |changes: &[&str]| {
        let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
        format!("{:?}", scenario::load("hotspot", &changes).err())
    };
    let offset = "tasking.templates.fire.phases.drop.offset_m=[0, 1700]";
    let why = refused(&[offset]);
    assert!(
        why.contains("phase drop of task hotspot, offset_m = [0, 1700], lies outside the field (y = 3095 m"),
        "{why}"
    );
    let moved = "tasking.changes=[{ at_s = 20, task = \"hotspot\", place = [100, 2000] }]";
    let why = refused(&["tasking.templates.fire.phases.drop.offset_m=[0, 1500]", moved]);
    assert!(why.contains("y = 3500 m"), "{why}");
    assert_eq!(refused(&["tasking.templates.fire.phases.drop.offset_m=[0, 1500]"]), "None");
}

/// What the order takes counts for each of its phases, too: the vehicle that could be there in time cannot do it.
#[test]
fn who_can_bid_for_phases_goes_by_the_order_too() {
    let two = "tasking.templates.two={phases={a={},b={}}}";
    let asks = "tasks.x.order={by=\"console\",kind=\"two\"}";
    let changes = [two, asks, "tasking.grid=\"adaptive\"", "tasking.horizon_s=270"];
    assert_eq!(wide(&changes).beyond_bids(Variant::Fenced), [""; 0], "the nearer one does it");
    let able = ["robots.slow.percepts=[\"heat\"]", "tasks.x.needs=[\"heat\"]"];
    let said = wide(&[&changes[..], &able[..]].concat()).beyond_bids(Variant::Fenced);
    assert!(said.len() == 1 && said[0].contains("it takes slow 300 s"), "{said:?}");
}
