mod account;
mod judging;
mod receptions;

use muster_sim::{Interventions, scenario};

use super::*;

fn plan(name: &str) -> &'static Plan {
    PLANS.iter().find(|plan| plan.name == name).expect("there is such a plan")
}

fn trial_of(plan: &'static Plan) -> Trial {
    Trial::new(plan, Strategy::Affective, ConfigName::Safe).expect("its mission loads")
}

fn trial(name: &str) -> Trial {
    trial_of(plan(name))
}

fn drawn(plan: &Plan, seed: u64) -> Texts {
    plan.missions.draw().expect("it is drawn")(&mut Stream::of_run(seed, Purpose::Mission))
}

/// What is drawn is a scenario like any other, and what is done to it a file like any other: they read, whatever the seed.
#[test]
fn every_drawn_mission_can_be_read() {
    for plan in PLANS.iter().filter(|plan| plan.missions.draw().is_some()) {
        for seed in 0..200 {
            let texts = drawn(plan, seed);
            let read = muster_reception::scenario::parse_any(plan.name, "the drawn mission", &texts.scenario, &[]);
            let play = read.unwrap_or_else(|error| panic!("{} {seed}: {error}\n{}", plan.name, texts.scenario));
            if let Play::Mission(loaded) = play {
                let scheme = loaded.schemes()[0];
                let read = Interventions::parse("the drawn interventions", &texts.interventions, &loaded, scheme);
                assert!(read.is_ok(), "{} {seed}: {:?}\n{}", plan.name, read.err(), texts.interventions);
            }
        }
    }
}

/// The same seed draws the same mission and comes to the same end.
#[test]
fn a_run_can_be_replayed() {
    for name in ["recruitment", "alliance", "tasking", "reception"] {
        let (one, other) = (trial(name).run(7, true), trial(name).run(7, true));
        assert_eq!((&one.texts, one.end, one.messages), (&other.texts, other.end, other.messages), "{name}");
        assert_eq!(one.breach, None, "{name}: {:?}", one.texts);
    }
}

/// Orders that are far apart are booked well: what `orders-at-once` finds is not the check's own fault.
#[test]
fn orders_one_after_the_other_book_nobody_twice() {
    let plan = plan("orders-at-once");
    for seed in 0..20 {
        let mut at_s = 1;
        let apart: Vec<String> = drawn(plan, seed)
            .scenario
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
        let depth = mission::Depth { notes: false, only_watch: false, most_events: watcher::MOST_EVENTS };
        let outcome = mission::run(loaded, "", &plan.missions, seed, depth);
        assert_eq!(outcome.breach, None, "{seed}");
    }
}

/// A run that panics is a failure that names the seed, not the end of the soak.
#[test]
fn what_a_panic_said_is_told() {
    assert_eq!(caught(|| -> u32 { panic!("told {}", 7) }), Err("told 7".to_owned()));
}
