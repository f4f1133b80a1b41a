//! Table 3: the three levels.

use muster_core::affect::levels::{Experience, Motor, Prospect, deliberate};
use muster_core::affect::{Affect, Input, Stress, Valence};

use crate::world::{Robot, level, table};

// "emotions modify the motor outputs of active behavior"; "information available at that level consists of valence and
// intensity".
#[test]
fn sensory_motor_feelings_change_speed_by_valence_and_intensity() {
    let motor = Motor { positive: 0.0, negative: 1.0 };
    let factor = |valence, intensity| motor.factor(Affect { valence, intensity: level(intensity) });
    assert_eq!(factor(Valence::Positive, 1.0), 1.0);
    assert_eq!(factor(Valence::Negative, 0.5), 1.5);
    assert_eq!(factor(Valence::Negative, 1.0), 2.0);
    let mut refiller = Robot::of(&table(), "refiller", 0.5);
    assert_eq!(refiller.generator.speed_factor(&refiller.state), 1.0);
    refiller.feels(1.0, Input::Stressed(Stress::INFINITE));
    assert_eq!(refiller.generator.speed_factor(&refiller.state), 2.0);
}

// "emotions control which behaviors are active through prototypical schemata"
#[test]
fn schematic_emotions_choose_behaviours_by_role() {
    let mut met = Vec::new();
    let mut waiter = Robot::waiter(0.5);
    for (second, stress) in [0.0, 0.6, 1.2, 2.4].into_iter().enumerate() {
        waiter.feels(second as f64, Input::Stressed(Stress::new(stress)));
        met.extend(waiter.generator.behaviours(&waiter.state).iter().map(|name| name.to_string()));
    }
    assert_eq!(met, ["Serve", "Serve", "CallForRefill", "AskToHurry", "Intercept"]);
    // A role that has nothing to say about an emotion leaves things as they are.
    waiter.feels(9.0, Input::Believes("cannot".into()));
    assert!(waiter.generator.behaviours(&waiter.state).is_empty());
}

// "projects into the future possible consequences of action from anticipated emotion"
#[test]
fn conceptual_the_option_with_the_least_expected_unpleasantness_is_preferred() {
    let prospects = [
        Prospect::certain("wait", Stress::new(2.0)),
        Prospect::certain("hurry", Stress::new(1.4)),
        Prospect { option: "intercept".into(), outcomes: vec![(0.5, Stress::new(0.4)), (0.5, Stress::INFINITE)] },
    ];
    let robot = Robot::new(Robot::waiter(0.5).generator.with_conceptual(true));
    let decision = robot.generator.deliberate(&robot.state, &prospects).unwrap();
    assert_eq!(decision.to_string(), "prefers hurry, expected to feel bad by 0.20; wait 0.50; intercept 0.50");
    assert_eq!(decision.option(), &"hurry");
    assert_eq!(robot.generator.deliberate(&robot.state, &[]), None);
}

// Switched off, the paper's two-level robots are as they were.
#[test]
fn the_conceptual_level_is_off_unless_asked_for() {
    let robot = Robot::waiter(0.5);
    assert_eq!(robot.generator.deliberate(&robot.state, &[Prospect::certain("wait", Stress::NONE)]), None);
}

// "reasons about past ... emotions"; "to avoid unsuccessful emotional situations".
#[test]
fn what_went_badly_before_is_avoided() {
    let table = table();
    let scale = table.scale("service").unwrap();
    let mut experience = Experience::default();
    let prospects = [Prospect::certain("wait", Stress::new(1.2)), Prospect::certain("hurry", Stress::new(1.4))];
    let prefers = |experience: &Experience| deliberate(scale, experience, &prospects).unwrap().option().to_string();
    assert_eq!(prefers(&experience), "wait");
    experience.learn(&"wait".into(), scale.affect(Stress::INFINITE));
    assert_eq!(experience.of("wait"), (1, 1.0));
    assert_eq!(prefers(&experience), "hurry");
}
