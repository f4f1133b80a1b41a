//! The Emotion State Generator [OWN]: test vectors, hysteresis, and caution.

use muster_core::affect::{Agency, Input, Scale, Stress, Valence};
use proptest::prelude::*;

use crate::world::{Robot, table};

/// Seconds that a treat lasts.
const MU_S: f64 = 3.0;

/// One line of the table of vectors.
struct Vector {
    treats: f64,
    d_ft: f64,
    speed: f64,
    caution: f64,
    was: &'static str,
    stress: f64,
    emotion: &'static str,
    valence: Valence,
    intensity: f64,
}

fn measured(treats: f64, d_ft: f64, speed: f64) -> Input {
    Input::Measured { needed: (d_ft - 4.0).max(0.0) / speed, left: treats * MU_S }
}

// Stress, emotion, valence, intensity for treats, distance, speed, caution.
#[test]
fn test_vectors() {
    use Valence::{Negative, Positive};
    let vector = |treats, d_ft, speed, caution, was, stress, emotion, valence, intensity| Vector {
        treats,
        d_ft,
        speed,
        caution,
        was,
        stress,
        emotion,
        valence,
        intensity,
    };
    let vectors = [
        vector(30.0, 19.0, 1.0, 0.5, "HAPPY", 0.25, "HAPPY", Positive, 0.75),
        vector(15.0, 19.0, 1.0, 0.5, "HAPPY", 0.5, "CONFIDENT", Positive, 0.5),
        vector(15.0, 19.0, 1.0, 0.0, "HAPPY", 0.3333, "HAPPY", Positive, 0.6667),
        vector(15.0, 19.0, 1.0, 1.0, "HAPPY", 0.6667, "CONFIDENT", Positive, 0.3333),
        vector(7.0, 14.0, 0.5, 0.5, "HAPPY", 1.4286, "CONCERNED", Negative, 0.2143),
        vector(2.0, 14.0, 0.5, 0.5, "HAPPY", 5.0, "FRUSTRATED", Negative, 1.0),
        vector(0.0, 14.0, 0.5, 0.5, "HAPPY", f64::INFINITY, "FRUSTRATED", Negative, 1.0),
        vector(0.0, 4.0, 0.5, 0.5, "HAPPY", f64::INFINITY, "FRUSTRATED", Negative, 1.0),
        vector(7.0, 14.0, 1.5, 0.5, "CONCERNED", 0.4762, "CONFIDENT", Positive, 0.5238),
    ];
    for Vector { treats, d_ft, speed, caution, was, stress, emotion, valence, intensity } in vectors {
        let mut robot = Robot::waiter(caution);
        if was == "CONCERNED" {
            robot.feels(0.0, Input::Stressed(Stress::new(1.2)));
        }
        assert_eq!(robot.name(), was);
        robot.feels(1.0, measured(treats, d_ft, speed));
        let got = robot.state.stress().get();
        assert!(got == stress || (got - stress).abs() < 1e-4, "stress {got}, expected {stress}");
        assert_eq!(robot.name(), emotion, "stress {stress}");
        let affect = robot.state.emotion().affect;
        assert_eq!(affect.valence, valence, "stress {stress}");
        assert!((affect.intensity.get() - intensity).abs() < 1e-4, "{affect}, expected {intensity}");
    }
}

fn service() -> Scale {
    table().scale("service").unwrap().clone()
}

#[test]
fn up_at_once_and_several_levels_in_one_tick() {
    let scale = service();
    assert_eq!(scale.level(0, Stress::new(0.5)), 1);
    assert_eq!(scale.level(0, Stress::new(1.999)), 2);
    assert_eq!(scale.level(0, Stress::INFINITE), 3);
}

#[test]
fn down_only_below_the_hysteresis_of_the_level_being_left() {
    let scale = service();
    assert_eq!(scale.level(3, Stress::new(1.6)), 3);
    assert_eq!(scale.level(3, Stress::new(1.599)), 2);
    assert_eq!(scale.level(3, Stress::new(0.8)), 2);
    assert_eq!(scale.level(3, Stress::new(0.476)), 1);
    assert_eq!(scale.level(3, Stress::new(0.399)), 0);
    // A level that is out of range, as from a file of old, is taken for the last.
    assert_eq!(scale.level(17, Stress::INFINITE), 3);
}

// "agency: frustrated waiter -> the assistant; happy -> self"
#[test]
fn agency_is_self_while_happy_and_the_refiller_while_frustrated() {
    let mut robot = Robot::waiter(0.5);
    assert_eq!(robot.state.emotion().agency, Agency::Own);
    let change = robot.feels(1.0, measured(2.0, 14.0, 0.5)).change.unwrap();
    assert_eq!(change.new.agency, Agency::Named("Leguin".into()));
    assert_eq!(
        change.to_string(),
        "at 1.0 s HAPPY gave way to FRUSTRATED (negative, very high 1.00) because of Leguin: 20.0 needed with 6.0 left, \
         made 1.5 times worse by personality: stress 5.00 >= 2"
    );
    assert!(change.chain.starts_with("I want to serve treats. I did something. Leguin did not do what I wanted."));
}

#[test]
fn what_cannot_be_measured_is_infinite_or_nothing_but_never_undefined() {
    let of = |needed, left| Stress::of(1.5, needed, left).get();
    assert_eq!(of(0.0, 0.0), f64::INFINITY);
    assert_eq!(of(f64::INFINITY, f64::INFINITY), f64::INFINITY);
    assert_eq!(of(1.0, f64::INFINITY), 0.0);
    assert_eq!(of(f64::NAN, 1.0), 0.0);
    assert_eq!(of(1.0, f64::NAN), f64::INFINITY);
    assert_eq!(of(-1.0, 1.0), 0.0);
    assert_eq!(Stress::new(f64::NAN), Stress::NONE);
    assert_eq!(format!("{:.2}", Stress::INFINITE), "infinite");
}

// [OWN] Off by default; on, it takes 30 s of FRUSTRATED without stress falling.
#[test]
fn anger_comes_of_frustration_that_lasts_and_leads_back_to_concern() {
    let frustrating = || Input::Stressed(Stress::new(3.0));
    let mut calm = Robot::waiter(0.5);
    let change = calm.feels(0.0, frustrating()).change.unwrap();
    assert!(change.to_string().ends_with("because of Leguin: stress measured at 3.00, stress 3.00 >= 2"), "{change}");
    for second in 0..100 {
        calm.feels(f64::from(second), frustrating());
    }
    assert_eq!(calm.name(), "FRUSTRATED");

    let mut robot = Robot::new(calm.generator.with_anger(true));
    robot.feels(10.0, frustrating());
    robot.feels(30.0, Input::Stressed(Stress::new(2.9)));
    robot.feels(59.9, Input::Stressed(Stress::new(2.9)));
    assert_eq!(robot.name(), "FRUSTRATED", "stress fell at 30 s");
    let change = robot.feels(60.0, Input::Stressed(Stress::new(2.9))).change.unwrap();
    assert_eq!(robot.name(), "ANGRY");
    assert!(
        change
            .to_string()
            .ends_with("because of Leguin: stress measured at 2.90, stress 2.90 has not fallen for 30.0 s >= 30.0 s"),
        "{change}"
    );
    assert_eq!(robot.generator.behaviours(&robot.state), ["RefillAtTable"]);
    robot.feels(61.0, Input::Stressed(Stress::new(1.6)));
    assert_eq!(robot.name(), "ANGRY", "1.6 is not below 0.8 * 2");
    robot.feels(62.0, Input::Stressed(Stress::new(0.1)));
    assert_eq!(robot.name(), "CONCERNED");
    robot.feels(63.0, Input::Stressed(Stress::new(0.1)));
    assert_eq!(robot.name(), "HAPPY");
}

// Something good of full importance leads an angry robot all the way back.
#[test]
fn an_exchange_makes_even_an_angry_robot_happy() {
    let mut robot = Robot::new(Robot::waiter(0.5).generator.with_anger(true));
    robot.feels(0.0, Input::Stressed(Stress::INFINITE));
    robot.feels(30.0, Input::Stressed(Stress::INFINITE));
    assert_eq!(robot.name(), "ANGRY");
    robot.feels(31.0, crate::world::good(1.0));
    assert_eq!(robot.name(), "HAPPY");
}

// Anger is at somebody: without an other there is nobody to be angry at. [OWN: agency = other]
#[test]
fn a_robot_in_a_good_way_is_not_angry_however_long_it_lasts() {
    let text = "[scales.service]\nthresholds = [0.1, 0.2, 0.3]";
    let table = std::sync::Arc::new(table().extended(crate::world::rows(text)).unwrap());
    let mut robot = Robot::new(Robot::of(&table, "waiter", 0.0).generator.with_anger(true));
    for second in 0..100 {
        robot.feels(f64::from(second), Input::Stressed(Stress::new(0.5)));
    }
    assert_eq!((robot.name(), &robot.state.emotion().agency), ("FRUSTRATED", &Agency::Own));
}

/// What may happen to a waiter.
fn inputs() -> impl Strategy<Value = Vec<(f64, Input)>> {
    let input = prop_oneof![
        8 => (0.0..60.0_f64, 0.0..90.0_f64).prop_map(|(needed, left)| Input::Measured { needed, left }),
        1 => (0.0..60.0_f64).prop_map(|needed| Input::Measured { needed, left: 0.0 }),
        1 => (0.0..=1.0_f64).prop_map(crate::world::good),
        2 => (0.0..=1.0_f64).prop_map(crate::world::bad),
    ];
    prop::collection::vec((0.0..20.0_f64, input), 1..60)
}

proptest! {
    // "the more cautious the agent, the faster the intensity of emotions rises": for the same history, more caution
    // never gives a lower level nor a lower negative intensity.
    #[test]
    fn more_caution_never_feels_less(inputs in inputs(), less in 0.0..=1.0_f64, more in 0.0..=1.0_f64) {
        let (less, more) = (less.min(more), less.max(more));
        let (mut calm, mut anxious) = (Robot::waiter(less), Robot::waiter(more));
        let mut now = 0.0;
        for (wait, input) in inputs {
            now += wait;
            calm.feels(now, input.clone());
            anxious.feels(now, input);
            prop_assert!(anxious.state.level() >= calm.state.level());
            let negative = |robot: &Robot| robot.state.emotion().affect.negative();
            prop_assert!(negative(&anxious) >= negative(&calm));
        }
    }

    // A level is never below the thresholds reached, and a change is told if and only if there is one.
    #[test]
    fn every_change_is_told(inputs in inputs(), caution in 0.0..=1.0_f64, anger: bool) {
        let mut robot = Robot::new(Robot::waiter(caution).generator.with_anger(anger));
        let mut now = 0.0;
        for (wait, input) in inputs {
            now += wait;
            let before = robot.state.emotion().clone();
            let change = robot.feels(now, input).change;
            let after = robot.state.emotion();
            prop_assert_eq!(change.as_ref().is_some_and(|change| change.is_another()), before.name != after.name);
            if let Some(change) = change {
                prop_assert_eq!(&change.old, &before);
                prop_assert_eq!(&change.new, after);
                prop_assert!(!change.chain.is_empty());
            }
            prop_assert!(after.since == before.since || after.name != before.name);
        }
    }
}
