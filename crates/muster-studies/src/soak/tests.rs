use muster_core::rng::{Purpose, Stream};
use muster_sim::scenario;

use super::*;
use crate::batch::Batch;

fn plan(name: &str) -> &'static Plan {
    PLANS.iter().find(|plan| plan.name == name).expect("there is such a plan")
}

fn trial(name: &str) -> Trial {
    Trial::new(plan(name), Strategy::Affective, ConfigName::Safe).expect("its mission loads")
}

/// What is drawn is a scenario like any other: it reads, whatever the seed.
#[test]
fn every_drawn_mission_can_be_read() {
    for plan in &PLANS {
        let Missions::Drawn(draw, _) = plan.missions else { continue };
        for seed in 0..200 {
            let text = draw(&mut Stream::of_run(seed, Purpose::Mission));
            let read = muster_reception::scenario::parse_any(plan.name, "the drawn mission", &text, &[]);
            assert!(
                read.is_ok(),
                "{} {seed}: {}\n{text}",
                plan.name,
                read.err().map(|e| e.to_string()).unwrap_or_default()
            );
        }
    }
}

/// The same seed draws the same mission and comes to the same end.
#[test]
fn a_run_can_be_replayed() {
    for name in ["recruitment", "alliance", "tasking", "reception"] {
        let (one, other) = (trial(name).run(7, true), trial(name).run(7, true));
        assert_eq!((one.scenario, one.end, one.messages), (other.scenario, other.end, other.messages), "{name}");
        assert_eq!(one.failure, None, "{name}");
    }
}

/// A promise that is known to be broken must be met as broken; the day it holds it is a failure.
#[test]
fn what_is_expected_to_fail_must_fail() {
    let mut report = trial("mutual-needs").soak(1, 5, &Batch::quiet());
    assert!(!report.held && report.is_as_expected(), "{report:?}");
    assert!(report.failures[0].replay.starts_with("muster soak mutual-needs --replay "), "{report:?}");
    report.held = true;
    assert!(report.is_as_expected(), "a handful of runs may miss it");
    report.runs = 300;
    assert!(!report.is_as_expected());
}

/// Orders that are far apart are booked well: what `orders-at-once` finds is not the check's own fault.
#[test]
fn orders_one_after_the_other_book_nobody_twice() {
    let Missions::Drawn(draw, promise) = plan("orders-at-once").missions else { unreachable!("it is drawn") };
    for seed in 0..20 {
        let text = draw(&mut Stream::of_run(seed, Purpose::Mission));
        let mut at_s = 1;
        let apart: Vec<String> = text
            .lines()
            .map(|line| match line {
                "at_s = 1" => {
                    at_s += 120;
                    format!("at_s = {}", at_s - 120)
                }
                other => other.to_owned(),
            })
            .collect();
        let loaded = scenario::parse("apart", "the drawn mission", &apart.join("\n"), &[]).expect("it reads");
        let outcome = mission::run(loaded, promise, seed, false);
        assert_eq!(outcome.failure, None, "{seed}");
    }
}

/// A run that panics is a failure that names the seed, not the end of the soak.
#[test]
fn what_a_panic_said_is_told() {
    let panic = std::panic::catch_unwind(|| panic!("told {}", 7)).unwrap_err();
    assert_eq!(words(panic.as_ref()), "told 7");
}
