//! Emotional States Dynamics: external events and internal beliefs as inputs.

use muster_core::affect::{Agency, Input, Stress};

use crate::world::{Robot, at, bad, good, with_progress};

fn robot() -> Robot {
    Robot::of(&with_progress(), "robot", 0.5)
}

// External Event as Inputs: "with HAPPY as the starting point".
#[test]
fn a_robot_starts_happy() {
    assert_eq!(robot().name(), "HAPPY");
    assert_eq!(Robot::waiter(0.0).name(), "HAPPY");
}

// "an agent that is in a HAPPY state will remain HAPPY given positive inputs"
#[test]
fn positive_inputs_keep_a_robot_happy() {
    let mut robot = robot();
    for second in 0..20 {
        assert_eq!(robot.feels(f64::from(second), good(0.5)).change, None);
        assert_eq!(robot.name(), "HAPPY");
    }
    assert_eq!(robot.state.emotion().since, at(0.0));
}

// "will become CONCERNED given negative inputs ..., increasingly so until it reaches the FRUSTRATED state"
#[test]
fn negative_inputs_lead_to_concern_and_on_to_frustration() {
    let mut robot = robot();
    let mut met = vec![robot.name().to_owned()];
    let mut last = 0.0;
    for second in 1..8 {
        robot.feels(f64::from(second), bad(0.3));
        let felt = robot.state.emotion();
        let negative = felt.affect.negative().get();
        assert!(negative >= last, "increasingly so");
        last = negative;
        if *met.last().unwrap() != *felt.name {
            met.push(felt.name.to_string());
        }
    }
    assert_eq!(met, ["HAPPY", "CONCERNED", "FRUSTRATED"]);
}

// "it can receive positive inputs and move back to a CONCERNED or HAPPY state (depending on the importance ...)"
#[test]
fn from_frustration_a_positive_input_leads_to_concern_or_happiness_by_its_importance() {
    for (importance, expected) in [(0.1, "FRUSTRATED"), (0.5, "CONCERNED"), (0.9, "HAPPY"), (1.0, "HAPPY")] {
        let mut robot = robot();
        robot.feels(1.0, Input::Stressed(Stress::new(2.5)));
        assert_eq!(robot.name(), "FRUSTRATED");
        robot.feels(2.0, good(importance));
        assert_eq!(robot.name(), expected, "{importance}");
    }
}

// "the more cautious the agent, the faster the intensity of emotions rises"
#[test]
fn a_cautious_robot_is_frustrated_sooner() {
    let blows = |caution: f64| {
        let mut robot = Robot::of(&with_progress(), "robot", caution);
        (1..).find(|second| {
            robot.feels(f64::from(*second), bad(0.25));
            robot.name() == "FRUSTRATED"
        })
    };
    assert_eq!([0.0, 0.5, 1.0].map(blows), [Some(8), Some(6), Some(4)]);
}

// Internal Beliefs as Inputs: "'I can't do this' would keep the agent in its current DISCOURAGED state forever".
#[test]
fn i_cannot_holds_a_robot_discouraged_whatever_happens() {
    let mut robot = robot();
    let change = robot.feels(1.0, Input::Believes("cannot".into())).change.unwrap();
    assert_eq!(
        change.to_string(),
        "at 1.0 s HAPPY gave way to DISCOURAGED (negative, medium 0.50) because of self: belief cannot, \
         it believes \"I can't do this\", and no event changes that"
    );
    for day in 1..1_000 {
        let now = 86_400.0 * f64::from(day);
        for input in [good(1.0), bad(1.0), Input::Stressed(Stress::INFINITE), Input::Believes("cannot".into())] {
            assert_eq!(robot.feels(now, input).change, None);
        }
    }
    assert_eq!((robot.name(), robot.state.emotion().since), ("DISCOURAGED", at(1.0)));
    assert_eq!(robot.state.held().unwrap().since, at(1.0));
}

// "Should the agent manage to change its internal belief ..., it would switch to a state of HOPEFULNESS".
#[test]
fn i_can_makes_a_discouraged_robot_hopeful_and_events_count_again() {
    let mut robot = robot();
    robot.feels(1.0, Input::Believes("cannot".into()));
    let change = robot.feels(2.0, Input::Believes("can".into())).change.unwrap();
    assert_eq!((&*change.old.name, &*change.new.name), ("DISCOURAGED", "HOPEFUL"));
    assert!(change.to_string().ends_with("it believes \"I can indeed do this\" and no longer \"I can't do this\""));
    assert!(change.chain.contains("Now I think I can."));
    assert_eq!(robot.state.held(), None);
    // Hope lasts while things stay as they are.
    robot.feels(3.0, bad(0.1));
    assert_eq!(robot.name(), "HOPEFUL");
    robot.feels(4.0, bad(1.0));
    assert_eq!(robot.name(), "CONCERNED");
}

#[test]
fn an_unknown_belief_or_emotion_is_refused_and_changes_nothing() {
    let mut robot = robot();
    let before = robot.state.clone();
    let flaw = robot.generator.feel(&mut robot.state, at(1.0), Input::Believes("canot".into())).unwrap_err();
    assert_eq!(flaw.message, "there is no belief `canot`");
    let input = Input::Appraised { emotion: "HAPY".into(), intensity: None, agency: Agency::Own, why: "".into() };
    let flaw = robot.generator.feel(&mut robot.state, at(1.0), input).unwrap_err();
    assert_eq!(flaw.message, "there is no emotion `HAPY`");
    assert_eq!(robot.state, before);
}

// The refiller reckons by rules of its own: they are emotions like any other, and explained.
#[test]
fn a_robot_may_appraise_by_rules_of_its_own() {
    let mut robot = Robot::of(&crate::world::table(), "refiller", 0.5);
    let input = Input::Appraised {
        emotion: "CONCERNED".into(),
        intensity: None,
        agency: Agency::Named("Butler".into()),
        why: "Butler said hurry".into(),
    };
    let change = robot.feels(3.0, input).change.unwrap();
    assert_eq!(
        change.to_string(),
        "at 3.0 s HAPPY gave way to CONCERNED (negative, low 0.30) because of Butler: Butler said hurry, \
         by a rule of its own"
    );
    assert_eq!(robot.state.level(), 2);
}
