//! Emotion Components: the fourteen, and what each may be.

use muster_core::affect::{Agency, Expression, Intensity, Lasting, Leaning, Level, Row, Strength, Valence};

use crate::world::{level, table};

// Emotion Components, and Figure 1.
#[test]
fn an_emotion_has_fourteen_components() {
    let expected = [
        "facial_expression",
        "valence",
        "intensity",
        "duration",
        "focality",
        "agency",
        "novelty",
        "controllability",
        "modifiability",
        "certainty",
        "external_norm",
        "internal_standard",
        "action_tendency",
        "causal_chain",
    ];
    assert_eq!(Row::COMPONENTS, expected);
}

// facial expression (happy/sad/surprised/disgusted/angry/fearful/neutral)
#[test]
fn there_are_seven_facial_expressions_and_each_has_an_emoticon_of_its_own() {
    let words: Vec<&str> = Expression::ALL.iter().map(|expression| expression.word()).collect();
    assert_eq!(words, ["happy", "sad", "surprised", "disgusted", "angry", "fearful", "neutral"]);
    let mut emoticons: Vec<&str> = Expression::ALL.iter().map(|expression| expression.emoticon()).collect();
    emoticons.sort_unstable();
    emoticons.dedup();
    assert_eq!(emoticons.len(), 7);
}

// valence: "Each affective is associated with a valence, except for the emotion of surprise".
#[test]
fn surprise_is_the_only_emotion_without_a_fixed_valence() {
    let words: Vec<&str> = Valence::ALL.iter().map(|valence| valence.word()).collect();
    assert_eq!(words, ["positive", "negative"]);
    let table = table();
    let either: Vec<&str> =
        table.emotions().filter(|record| record.valence == Leaning::Either).map(|record| &*record.name).collect();
    assert_eq!(either, ["SURPRISE"]);
}

// intensity (very high/high/medium/low/very low): "can also be internally represented with scalars".
#[test]
fn intensity_has_five_levels_over_a_scalar() {
    let words: Vec<&str> = Level::ALL.iter().map(|level| level.word()).collect();
    assert_eq!(words, ["very low", "low", "medium", "high", "very high"]);
    let of = |value| Intensity::new(value).unwrap().level();
    assert_eq!([0.0, 0.1999, 0.2, 0.4, 0.5999, 0.6, 0.8, 1.0].map(of), {
        use Level::*;
        [VeryLow, VeryLow, Low, Medium, Medium, High, VeryHigh, VeryHigh]
    });
    assert!(Level::ALL.iter().all(|level| level.middle().level() == *level));
    assert!([-0.1, 1.1, f64::NAN, f64::INFINITY].iter().all(|value| Intensity::new(*value).is_none()));
    assert_eq!([-1.0, 0.25, 7.0, f64::NAN].map(|value| Intensity::clamped(value).get()), [0.0, 0.25, 1.0, 0.0]);
    assert_eq!(size_of::<Intensity>(), size_of::<f64>());
}

// duration (lifetime/days/minutes): moods last longer than emotions; "set as a default to minutes".
#[test]
fn a_lifetime_is_longer_than_days_and_days_than_minutes() {
    assert!(Lasting::Minutes < Lasting::Days && Lasting::Days < Lasting::Lifetime);
    assert!(table().emotions().all(|record| record.duration == Lasting::Minutes));
}

// agency (self/other): "the agency parameter will be 'assistant'".
#[test]
fn agency_is_self_or_other_and_a_name_counts_as_another() {
    let read = |word: &str| Agency::try_from(word.to_owned());
    assert_eq!(read("self"), Ok(Agency::Own));
    assert_eq!(read("other"), Ok(Agency::Other));
    assert_eq!(read("assistant"), Ok(Agency::Named("assistant".into())));
    assert!(read(" ").is_err());
    assert!(!Agency::Own.is_other() && Agency::Other.is_other() && read("assistant").unwrap().is_other());
    assert_eq!(read("Leguin").unwrap().to_string(), "Leguin");
}

#[test]
fn an_intensity_in_a_table_is_a_level_or_a_number_or_always_measured() {
    let read = |text: &str| toml::from_str::<Row>(&format!("intensity = {text}")).map(|row| row.intensity.unwrap());
    assert_eq!(read("\"very low\"").unwrap(), Strength::Level(Level::VeryLow));
    assert_eq!(read("0.35").unwrap(), Strength::Scalar(level(0.35)));
    assert_eq!(read("1").unwrap(), Strength::Scalar(Intensity::FULL));
    assert_eq!(read("\"scalar\"").unwrap(), Strength::Measured);
    assert!(read("\"hihg\"").unwrap_err().to_string().contains("unknown variant `hihg`"));
    assert!(read("1.5").unwrap_err().to_string().contains("1.5 is not an intensity"));
}
