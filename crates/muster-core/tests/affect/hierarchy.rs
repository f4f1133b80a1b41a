//! Affective Knowledge Representation: personality, affect, mood, emotion.

use muster_core::affect::{Focality, Hint, Input, Intensity, Lasting, MoodRecord, Personality, Valence};
use proptest::prelude::*;

use crate::world::{Robot, at, bad, level, rows, table};

// "personality lasts a life-time"
#[test]
fn personality_lasts_a_lifetime_and_is_about_nothing_in_particular() {
    assert_eq!(Personality::DURATION, Lasting::Lifetime);
    assert_eq!(Personality::FOCALITY, Focality::Global);
    assert!(Personality::DURATION > MoodRecord::DURATION);
}

// "only one trait - caution - is represented"; Figure 1's others are named and quicken nothing.
#[test]
fn caution_is_the_only_trait_that_quickens() {
    let table = table();
    let personality = Personality::cautious(level(0.5)).with(&table, "ambitious", Intensity::FULL).unwrap();
    let personality = personality.with_strategy(&table, "TitForTat").unwrap();
    assert_eq!(personality.quickening(&table), 1.5);
    assert_eq!((personality.caution(), personality.get("ambitious")), (level(0.5), Intensity::FULL));
    assert_eq!(personality.get("prudent"), Intensity::NONE);
    assert_eq!(personality.strategy().unwrap(), &"TitForTat");
    assert_eq!(personality.traits().count(), 2);
}

#[test]
fn an_unknown_trait_or_strategy_is_refused_with_what_there_is() {
    let table = table();
    let flaw = Personality::default().with(&table, "cautoin", Intensity::FULL).unwrap_err();
    assert_eq!(flaw.message, "there is no trait `cautoin`");
    assert!(matches!(flaw.hint, Hint::Nearest { known, .. } if known.contains(&"caution".to_owned())));
    assert!(Personality::default().with_strategy(&table, "Cheet").is_err());
}

#[test]
fn a_trait_of_ones_own_can_quicken() {
    let table = table().extended(rows("[traits.touchy]\nquickens = 2.0")).unwrap();
    let personality = Personality::cautious(level(0.5)).with(&table, "touchy", level(0.25)).unwrap();
    assert_eq!(personality.quickening(&table), 2.0);
}

// "moods ... have a global focality, and no specific agency"; days, as opposed to minutes.
#[test]
fn moods_are_global_and_nobodys_doing_and_outlast_emotions() {
    assert_eq!((MoodRecord::FOCALITY, MoodRecord::DURATION), (Focality::Global, Lasting::Days));
    let table = table();
    assert_eq!(table.moods().map(|mood| &*mood.name).collect::<Vec<_>>(), ["CHEERFUL", "GLOOMY"]);
    assert!(
        table.emotions().all(|record| record.duration < MoodRecord::DURATION && record.focality != Focality::Global)
    );
}

// Affect includes moods and emotions: valence and intensity.
#[test]
fn what_is_felt_for_a_day_sinks_into_a_mood() {
    const DAY_S: f64 = 86_400.0;
    let mut robot = Robot::waiter(0.5);
    assert_eq!(robot.state.mood().name(), None);
    // Full joy for a day: 1 - 1/e of it is left.
    let felt = robot.feels(DAY_S, bad(1.0));
    let change = felt.mood.unwrap();
    assert_eq!(robot.state.mood().name().unwrap(), &"CHEERFUL");
    assert!((change.mean - 0.632).abs() < 1e-3);
    assert_eq!(
        change.to_string(),
        "at 86400.0 s no mood in particular gave way to CHEERFUL: what it felt over 1 d comes to 0.63"
    );
    // An emotion of minutes leaves a mood of days alone.
    robot.feels(DAY_S + 60.0, Input::Stressed(muster_core::affect::Stress::INFINITE));
    assert_eq!(robot.state.mood().name().unwrap(), &"CHEERFUL");
    let felt = robot.feels(3.0 * DAY_S, bad(1.0));
    assert_eq!(felt.mood.unwrap().new.unwrap(), "GLOOMY");
    assert_eq!(robot.state.mood().affect().valence, Valence::Negative);
    assert_eq!(robot.state.mood().since(), at(3.0 * DAY_S));
}

proptest! {
    #[test]
    fn a_mood_stays_within_what_was_felt(steps in prop::collection::vec((0.0..1e6_f64, 0.0..9.0_f64), 1..40)) {
        let mut robot = Robot::waiter(0.5);
        let mut now = 0.0;
        for (wait, stress) in steps {
            now += wait;
            robot.feels(now, Input::Stressed(muster_core::affect::Stress::new(stress)));
            prop_assert!((0.0..=1.0).contains(&robot.state.mood().affect().intensity.get()));
        }
    }
}
