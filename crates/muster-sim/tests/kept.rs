//! Moments of a run that are kept: a clone goes on exactly as the original does, and what robots show can be asked for at
//! any of them.

mod faulty;

use std::sync::Arc;

use muster_core::panel::{Posture, Shown, Viewing};
use muster_core::{Mechanism, Note, RobotId, Time};
use muster_sim::recording::{self, Comparer, Recording};
use muster_sim::scenario;
use muster_sim::scheme::{Visit, staff};
use muster_sim::sim::Traffic;
use muster_sim::{Ledger, Origin, Sim, emotions};

/// End, ledger, traffic and notes of a run: what two equal runs have in common.
type End = (Time, Ledger, Traffic, Vec<Note>);

fn end<M: Mechanism>(mut sim: Sim<'_, M, ()>) -> End {
    sim.run_until(Sim::is_over);
    (sim.now(), sim.ledger().clone(), sim.traffic(), sim.notes().to_vec())
}

/// Runs a mission, keeps some moments of it, and goes on from each.
struct Keep<'a>(&'a Origin);

impl Visit for Keep<'_> {
    type Result = ();

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) {
        let mut sim = Sim::of(self.0, machine, ()).with_notes();
        let mut moments = vec![sim.clone()];
        sim.start();
        // At every power of two events, and what is left of the run at its end.
        for event in 1_u64.. {
            if event.is_power_of_two() {
                moments.push(sim.clone());
            }
            if sim.is_over() || !sim.step() {
                break;
            }
        }
        moments[0].start();
        let original = end(sim);
        assert!(moments.len() > 8 && !original.3.is_empty(), "{} moments", moments.len());
        for moment in moments {
            let at = moment.now();
            let kept = end(moment);
            assert!(kept == original, "{} from {at} on: {:?}, not {:?}", self.0.loaded.name, kept.0, original.0);
        }
    }
}

#[test]
fn a_moment_that_is_kept_goes_on_as_the_run_did() {
    let rough = ["radio.loss=0.1", "radio.jitter_ms=100", "radio.duplication=0.05"];
    for name in ["minefield", "cleanup", "boxes", "hotspot", "patrol"] {
        for changes in [&[][..], &rough] {
            let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
            let loaded = scenario::load(name, &changes).unwrap_or_else(|error| panic!("{name}: {error}"));
            let loaded = Arc::new(loaded);
            for scheme in loaded.schemes() {
                let origin = Origin::new(loaded.clone(), scheme, 3);
                staff(&origin, Keep(&origin));
            }
        }
    }
}

#[test]
fn so_does_one_in_the_midst_of_faults() {
    for seed in 0..20 {
        let origin = faulty::faulty(seed).origin;
        staff(&origin, Keep(&origin));
    }
}

/// Shows every robot after every event; which postures there were.
struct Show<'a>(&'a Origin);

impl Visit for Show<'_> {
    type Result = Vec<Posture>;

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Vec<Posture> {
        let Self(origin) = self;
        let table = emotions::built_in();
        let mut sim = Sim::of(origin, machine, ());
        sim.start();
        let mut postures = Vec::new();
        while !sim.is_over() && sim.step() {
            for (machine, body) in sim.machines().iter().zip(sim.bodies()) {
                let posture = machine.posture();
                if !postures.contains(&posture) {
                    postures.push(posture);
                }
                let view = Viewing { now: sim.now(), body, names: origin, emotions: &table };
                let fields = machine.panel(&view);
                assert!(matches!(fields[0].shown, Shown::State { .. }), "{fields:?}");
                for field in &fields {
                    if let Shown::Gauge { value, min, max, .. } = field.shown {
                        assert!(min <= value && value <= max + 1e-6, "{}: {field:?}", sim.now());
                    }
                }
            }
        }
        postures.sort_by_key(|posture| *posture as u8);
        postures
    }
}

#[test]
fn every_robot_can_be_shown_at_every_moment() {
    use Posture::{Asking, Committed, Idle, Offering, Working};
    let all = [
        ("minefield", &[Idle, Asking, Offering, Committed, Working][..]),
        ("cleanup", &[Idle, Committed, Working]),
        ("boxes", &[Idle, Committed, Working]),
        ("hotspot", &[Idle, Asking, Offering, Committed, Working]),
    ];
    for (name, postures) in all {
        let loaded = scenario::load(name, &[]).unwrap();
        let scheme = loaded.schemes()[0];
        let origin = Origin::new(loaded, scheme, 1);
        assert_eq!(staff(&origin, Show(&origin)), postures, "{name}");
    }
}

/// A robot that is down shows that it is.
#[test]
fn a_run_tells_who_is_up() {
    let fault = r#"faults=[{ robot = "idle-1", at_s = 5, kind = "stop" }, { robot = "idle-2", at_s = 5, kind = "pause", for_s = 9 },
        { robot = "idle-3", at_s = 5, kind = "restart", for_s = 9 }]"#;
    let loaded = scenario::load("minefield", &[fault.to_owned()]).unwrap();
    let config = loaded.recruitment(muster_core::recruitment::Strategy::Affective);
    let mut sim = Sim::new(&loaded.mission, 1, |_| muster_core::recruitment::Recruitment::new(config.clone()), ());
    sim.start();
    let number = |name: &str| {
        let index = loaded.mission.robots.iter().position(|robot| &*robot.name == name).unwrap();
        RobotId(index as u32)
    };
    let told = |sim: &Sim<'_, _, ()>, name| {
        let robot = number(name);
        [sim.is_up(robot), sim.attends(robot), sim.is_dead(robot)]
    };
    let names = ["uav", "idle-1", "idle-2", "idle-3"];
    let up = [true, true, false];
    sim.advance(Time::from_secs_f64(4.0));
    assert_eq!(names.map(|name| told(&sim, name)), [up, up, up, up]);
    sim.advance(Time::from_secs_f64(6.0));
    let dead = [false, false, true];
    assert_eq!(names.map(|name| told(&sim, name)), [up, dead, [true, false, false], [false, false, false]]);
    sim.advance(Time::from_secs_f64(20.0));
    assert_eq!(names.map(|name| told(&sim, name)), [up, dead, up, up]);
}

/// Makes the run of a recording again beside it; what differs, and at which event a clone found it.
struct Beside<'a>(&'a Recording);

impl Visit for Beside<'_> {
    type Result = Option<String>;

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Option<String> {
        let mut sim = Sim::of(&self.0.header.origin, machine, Comparer::new(self.0));
        sim.start();
        sim.observer_mut().started();
        sim.advance(Time::from_secs_f64(100.0));
        let mut again = sim.clone();
        for sim in [&mut sim, &mut again] {
            sim.run_until(|sim| sim.is_over() || sim.observer().is_settled());
            sim.observer_mut().ended();
        }
        assert_eq!(sim.observer().difference(), again.observer().difference());
        again.observer().difference().map(str::to_owned)
    }
}

#[test]
fn a_run_can_be_compared_with_its_recording_from_any_moment_on() {
    let header = faulty::header(&[], muster_core::recruitment::Strategy::Affective, 1);
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("beside.mcap");
    recording::record(&path, &header, || false).unwrap();
    let mut recording = recording::read(&path).unwrap();
    let beside = |recording: &Recording| staff(&recording.header.origin, Beside(recording));
    assert_eq!(beside(&recording), None);
    let last = recording.events.pop().unwrap();
    let shortened = beside(&recording).expect("the last event is missing");
    assert!(shortened.contains("the recording ends before the run does"), "{shortened}");
    recording.cut = Some("for this test".to_owned());
    assert_eq!(beside(&recording), None, "compared as far as it goes");
    recording.cut = None;
    recording.events.push(last.clone());
    recording.events.push(last);
    let lengthened = beside(&recording).expect("there is one event too many");
    assert!(lengthened.contains("but the run is over before"), "{lengthened}");
    assert_eq!(recording::verify(&recording).failure, Some(lengthened));
}
