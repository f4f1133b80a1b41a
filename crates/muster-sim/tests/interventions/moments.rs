//! When interventions are made: while a run goes on, at moments that are kept, and at one instant.

use muster_core::recruitment::{Recruitment, Strategy};
use muster_core::{Event, Mechanism, Note, RobotId, Time};
use muster_sim::scenario::{Checker, Said};
use muster_sim::scheme::{Visit, staff};
use muster_sim::{Origin, Sim};

use crate::{end, load, origin, origins, run};

/// Runs, keeps some moments, and goes on from each.
struct Keep<'a>(&'a Origin);

impl Visit for Keep<'_> {
    type Result = ();

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) {
        let mut sim = Sim::of(self.0, machine, ()).with_notes();
        let mut moments = Vec::new();
        sim.start();
        for event in 1_u64.. {
            if event.is_power_of_two() {
                moments.push(sim.clone());
            }
            if sim.is_over() || !sim.step() {
                break;
            }
        }
        let original = end(sim);
        for moment in moments {
            let at = moment.now();
            assert!(end(moment) == original, "{} from {at} on", self.0.loaded.name);
        }
    }
}

#[test]
fn a_moment_that_is_kept_goes_on_as_the_run_did() {
    for origin in origins() {
        staff(&origin, Keep(&origin));
    }
}

/// Given while the run goes on, one by one, they do what they do if they are given beforehand.
struct Live<'a>(&'a Origin);

impl Visit for Live<'_> {
    type Result = ();

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) {
        let Origin { loaded, scheme, .. } = self.0;
        let mut sim = Sim::new(&loaded.mission, self.0.seeds, machine, ()).with_notes();
        sim.start();
        for made in self.0.interventions.all() {
            let just_before = Time::from_micros(made.at.as_micros() - 1);
            sim.run_until(|sim| sim.next_at().is_none_or(|at| at > just_before));
            let said: Said = made.what.said().clone();
            let what = Checker::new(loaded, *scheme, &sim.interventions()).check(made.at, said).unwrap();
            sim.intervene(made.at, made.author.clone(), what.clone()).unwrap();
            if made.task().is_some_and(|task| task.index() >= loaded.task_names.len()) && made.what.asks_for_a_task() {
                assert!(sim.intervene(made.at, "twice", what).is_err(), "its number is taken");
            }
        }
        assert_eq!(sim.interventions(), self.0.interventions);
        assert!(sim.intervene(Time::ZERO, "late", self.0.interventions.all()[1].what.clone()).is_err());
        assert!(end(sim) == run(self.0), "{} {}", loaded.name, scheme.name());
    }
}

#[test]
fn interventions_can_be_made_while_a_run_goes_on() {
    for origin in origins() {
        staff(&origin, Live(&origin));
    }
}

/// At one instant they come last: all that happens then in the run that nobody disturbs has happened before.
#[test]
fn at_one_instant_they_come_last() {
    for (name, seed) in [("minefield", 1), ("cleanup", 2), ("hotspot", 1)] {
        let loaded = load(name, &[]);
        let scheme = loaded.schemes()[0];
        let (end, _, _, plain) = run(&origin(&loaded, scheme, seed, ""));
        // What is given for the instant at which a run ends is not made: it is over.
        let amid = |at: &Time| *at > Time::ZERO && *at < end;
        let moments: Vec<Time> = plain.iter().map(|note| note.at).filter(amid).collect();
        for at in moments.iter().step_by(moments.len().div_ceil(20)) {
            let text = format!(
                "[[interventions]]\nat_s = {}\nauthor = \"a\"\nfault = {{ robot = \"{}\", kind = \"stop\" }}\n",
                at.as_secs_f64(),
                loaded.mission.robots[0].name
            );
            let disturbed = run(&origin(&loaded, scheme, seed, &text)).3;
            let made = |note: &Note| matches!(note.event, Event::Intervened { .. });
            let before = disturbed.iter().position(made).unwrap();
            let expected = plain.iter().filter(|note| note.at <= *at).count();
            assert!(disturbed[..before] == plain[..expected], "{name} at {at}: {before} notes, not {expected}");
        }
    }
}

/// Those of one instant are made in the order of the file, wherever they stand in it.
#[test]
fn at_one_instant_they_come_in_order() {
    let loaded = load("minefield", &[]);
    let fault = |at_s: u32, robot: &str, kind: &str| {
        format!(
            "[[interventions]]\nat_s = {at_s}\nauthor = \"a\"\nfault = {{ robot = \"{robot}\", kind = \"{kind}\" }}\n"
        )
    };
    let scheme = Strategy::Affective.into();
    let alive = |text: &str| {
        let origin = origin(&loaded, scheme, 1, text);
        let config = loaded.recruitment(scheme);
        let mut sim = Sim::of(&origin, |_| Recruitment::new(config.clone()), ()).with_notes();
        sim.start();
        sim.advance(Time::from_secs_f64(78.0));
        assert_eq!(sim.interventions_made(), 2);
        !sim.is_dead(RobotId(3))
    };
    let later = fault(79, "idle-2", "stop");
    let (stop, back) = (fault(77, "idle-1", "stop"), fault(77, "idle-1", "back"));
    assert!(alive(&[later.clone(), stop.clone(), back.clone()].concat()));
    assert!(!alive(&[back, later, stop].concat()));
}
