//! State is saved and restored with its start times: save, load, run equals run.

use muster_core::affect::{Input, State, Stress};
use proptest::prelude::*;

use crate::world::{Robot, at, bad, good, rows, table};

fn saved(state: &State) -> State {
    serde_json::from_str(&serde_json::to_string(state).unwrap()).unwrap()
}

#[test]
fn a_saved_state_keeps_its_start_times_and_infinite_stress() {
    let mut robot = Robot::waiter(0.5);
    robot.feels(12.5, Input::Measured { needed: 3.0, left: 0.0 });
    let loaded = robot.generator.resume(saved(&robot.state)).unwrap();
    assert_eq!(loaded, robot.state);
    assert_eq!((loaded.emotion().since, loaded.stress()), (at(12.5), Stress::INFINITE));
    robot.feels(20.0, Input::Believes("cannot".into()));
    assert_eq!(saved(&robot.state).held().unwrap().since, at(20.0));
    let text = toml::to_string(&robot.state).unwrap();
    assert_eq!(toml::from_str::<State>(&text).unwrap(), robot.state);
}

#[test]
fn a_state_whose_emotion_the_table_has_lost_is_refused() {
    let mut robot = Robot::waiter(0.5);
    robot.feels(1.0, Input::Stressed(Stress::INFINITE));
    let other = "
        [tendencies]
        Wait = {}
        [emotions.CALM]
        facial_expression = \"neutral\"
        valence = \"positive\"
        intensity = 0.5
        focality = \"goal\"
        agency = \"self\"
        novelty = \"match\"
        controllability = \"high\"
        modifiability = \"high\"
        certainty = \"certain\"
        external_norm = \"n/a\"
        internal_standard = \"n/a\"
        action_tendency = \"Wait\"
        causal_chain = \"I know what happens.\"
        [traits]
        caution = {}
        [scales.calm]
        levels = [\"CALM\"]
        thresholds = []
        hysteresis = 1.0
        turning = 1.0
        span = 1.0
        [roles.waiter]
        scale = \"calm\"
    ";
    let calm = Robot::of(&std::sync::Arc::new(muster_core::affect::Table::new(rows(other)).unwrap()), "waiter", 0.5);
    assert_eq!(calm.generator.resume(robot.state).unwrap_err().message, "there is no emotion `FRUSTRATED`");
}

fn inputs() -> impl Strategy<Value = Vec<(f64, Input)>> {
    let input = prop_oneof![
        6 => (0.0..60.0_f64, 0.0..90.0_f64).prop_map(|(needed, left)| Input::Measured { needed, left }),
        3 => Just(Input::Stressed(Stress::INFINITE)),
        1 => (0.0..=1.0_f64).prop_map(good),
        2 => (0.0..=1.0_f64).prop_map(bad),
        1 => Just(Input::Believes("cannot".into())),
        1 => Just(Input::Believes("can".into())),
    ];
    prop::collection::vec((0.0..40.0_f64, input), 1..50)
}

proptest! {
    #[test]
    fn save_load_run_equals_run(inputs in inputs(), caution in 0.0..=1.0_f64, cut in 0..50_usize) {
        let generator = Robot::waiter(caution).generator.with_anger(true);
        assert!(table().scale("service").unwrap().anger.is_some());
        let (mut straight, mut broken) = (Robot::new(generator.clone()), Robot::new(generator));
        let mut now = 0.0;
        for (step, (wait, input)) in inputs.into_iter().enumerate() {
            now += wait;
            if step == cut {
                broken.state = broken.generator.resume(saved(&broken.state)).unwrap();
            }
            prop_assert_eq!(straight.feels(now, input.clone()), broken.feels(now, input));
            prop_assert_eq!(&straight.state, &broken.state);
        }
    }
}
