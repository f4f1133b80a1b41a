//! Recruitment policies as scripts, on the paper's minefield.

use std::sync::Arc;

use muster_core::recruitment::{self, Answer, Choice, Silence};
use muster_core::recruitment::{Config, Recruitment, Strategy};
use muster_core::{Event, Note};
use muster_script::{Limits, ScriptPolicy, shipped};
use muster_sim::Sim;
use muster_sim::ledger::Record;
use muster_sim::scenario::{self, Loaded};
use muster_sim::sim::Traffic;

fn minefield(changes: &[&str]) -> Loaded {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    scenario::load("minefield", &changes).unwrap_or_else(|error| panic!("{error}"))
}

fn play(loaded: &Loaded, config: &Arc<Config>, seed: u64) -> (Vec<Record>, Traffic, Vec<Note>) {
    let mut sim = Sim::new(&loaded.mission, seed, |_| Recruitment::new(config.clone()), ()).with_notes();
    sim.run();
    (sim.ledger().records().to_vec(), sim.traffic(), sim.notes().to_vec())
}

fn policy(text: &str) -> Arc<ScriptPolicy> {
    Arc::new(ScriptPolicy::new("test.rhai", text, Limits::for_policies()).expect("it is a policy"))
}

fn with(loaded: &Loaded, policy: &Arc<ScriptPolicy>) -> Arc<Config> {
    let config = loaded.recruitment(Strategy::Affective);
    Arc::new((*config).clone().with_policy(policy.clone()))
}

/// What was decided by a policy says so, and nothing else differs.
fn as_ashamed(mut notes: Vec<Note>) -> Vec<Note> {
    for note in &mut notes {
        match &mut note.event {
            Event::Recruitment(recruitment::Step::Silent { why: why @ Silence::Declined, .. }) => {
                *why = Silence::Unashamed;
            }
            Event::Recruitment(recruitment::Step::Offered { why: why @ Answer::Policy, .. }) => {
                *why = Answer::Ashamed { threshold: 0.75 };
            }
            Event::Recruitment(recruitment::Step::Awarded { how: how @ Choice::Policy, .. }) => *how = Choice::LeastEta,
            _ => {}
        }
    }
    notes
}

#[test]
fn the_affective_script_is_the_affective_strategy() {
    for changes in [&["radio.loss=0.25"][..], &["recruitment.messaging='unicast'"]] {
        let loaded = minefield(changes);
        let rust = loaded.recruitment(Strategy::Affective);
        let script = with(&loaded, &shipped::policy("affective").unwrap());
        for seed in 0..8 {
            let (records, traffic, notes) = play(&loaded, &rust, seed);
            let (by_script, sent, noted) = play(&loaded, &script, seed);
            assert_eq!(by_script, records, "seed {seed}");
            assert_eq!(format!("{sent:?}"), format!("{traffic:?}"), "seed {seed}");
            assert_eq!(as_ashamed(noted), notes, "seed {seed}");
            assert!(!records.is_empty());
        }
    }
}

#[test]
fn what_is_not_defined_is_the_papers() {
    let loaded = minefield(&[]);
    let (expected, ..) = play(&loaded, &loaded.recruitment(Strategy::Affective), 3);
    for text in [
        "fn answers(help) { help.shame > help.threshold }",
        "fn chooses(offers) {
        let best = offers[0];
        let at = 0;
        for i in 0..offers.len() { if offers[i].eta_s < best.eta_s { best = offers[i]; at = i; } }
        at
    }",
    ] {
        assert_eq!(play(&loaded, &with(&loaded, &policy(text)), 3).0, expected);
    }
}

#[test]
fn another_policy_plays_another_game() {
    let loaded = minefield(&[]);
    let near = with(&loaded, &shipped::policy("near_first").unwrap());
    let (records, _, notes) = play(&loaded, &near, 3);
    assert_ne!(records, play(&loaded, &loaded.recruitment(Strategy::Affective), 3).0);
    let calls =
        notes.iter().filter(|note| matches!(note.event, Event::Recruitment(recruitment::Step::Called { .. }))).count();
    let declined = notes
        .iter()
        .filter(|note| {
            matches!(note.event, Event::Recruitment(recruitment::Step::Silent { why: Silence::Declined, .. }))
        })
        .count();
    assert!(calls > 0 && declined > 0 && !records.is_empty(), "{calls} {declined}");
    // Nobody answers the first HELP from far away.
    for note in &notes {
        if let Event::Recruitment(recruitment::Step::Offered { eta, round, .. }) = note.event {
            assert!(eta.as_secs_f64() <= 30.0 || round >= 3, "{note:?}");
        }
    }
    let greedy = with(&loaded, &policy("fn answers(help) { true }"));
    assert_eq!(play(&loaded, &greedy, 3).0, play(&loaded, &loaded.recruitment(Strategy::Greedy), 3).0);
}

#[test]
fn a_policy_that_fails_leaves_it_to_the_papers() {
    let loaded = minefield(&[]);
    let (expected, ..) = play(&loaded, &loaded.recruitment(Strategy::Affective), 3);
    for (text, said) in [
        ("fn answers(help) {\n    help.nothing\n}", "test.rhai:2: there is no `nothing` in this map"),
        ("fn answers(help) { loop { } }", "test.rhai:1: more than 50000 operations in one call"),
        ("fn answers(help) { 3 }", "test.rhai:1: answers gives 3 (of type i64)"),
        ("\nfn chooses(offers) { offers.len() }", "test.rhai:2: chooses gives"),
        ("fn chooses(offers) { -1 }", "test.rhai:1: chooses gives -1"),
        ("\nfn r(x) { r(x) } fn answers(help) { r(1) }", "test.rhai:2: functions call each other more than"),
    ] {
        let policy = policy(text);
        let (records, _, notes) = play(&loaded, &with(&loaded, &policy), 3);
        assert_eq!(records, expected, "{text}");
        let line: u32 = said.split(':').nth(1).unwrap().parse().unwrap();
        let failed = |note: &&Note| matches!(note.event, Event::Recruitment(recruitment::Step::PolicyFailed { line: at, .. }) if at == line);
        assert!(notes.iter().any(|note| failed(&note)), "{text} is not noted");
        let trouble = policy.first_trouble().expect("it failed");
        assert!(trouble.starts_with(said) && trouble.contains("the paper's policy decides instead"), "{trouble}");
    }
    let neither = ScriptPolicy::new("test.rhai", "fn answer(help) { true }", Limits::for_policies());
    assert!(neither.err().unwrap().to_string().starts_with("test.rhai: a policy has to define `answers(help)`"));
    // A policy has no dice, no legs and nobody to talk to.
    let outside = policy("fn answers(help) { uniform(0, 1) > 0.5 }");
    assert_eq!(play(&loaded, &with(&loaded, &outside), 3).0, expected);
    assert!(outside.first_trouble().unwrap().contains("there is no function `uniform"));
}
