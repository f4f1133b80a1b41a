//! Files of emotions, laid over the shipped table, and what is said of those that are wrong.

use miette::Diagnostic;
use muster_core::affect::Story;
use muster_sim::emotions;
use muster_sim::scenario::ScenarioError;

/// What a person is told: where, what, and what to try.
#[track_caller]
fn refused(body: &str) -> (String, String, String) {
    let text = format!("format = \"muster-emotions-1\"\n{body}");
    let error = emotions::parse("mine.toml", &text).expect_err(body);
    let ScenarioError::InFile { source_code, span, .. } = &error else { panic!("{error}") };
    let line = text[..span.offset()].matches('\n').count() + 1;
    let help = error.help().map(|help| help.to_string()).unwrap_or_default();
    (format!("{}:{line}", source_code.name()), error.to_string(), help)
}

#[test]
fn the_shipped_table_passes_the_checks_that_any_file_must_pass() {
    let table = emotions::built_in();
    assert_eq!(*emotions::parse("emotions.toml", emotions::BUILT_IN).unwrap(), *table);
    assert_eq!(table.emotions().count(), 15);
}

#[test]
fn a_file_adds_emotions_and_changes_known_ones() {
    let text = r#"
        format = "muster-emotions-1"

        [emotions.PROUD]
        facial_expression = "happy"
        valence = "positive"
        intensity = "high"
        focality = "own act"
        agency = "self"
        novelty = "match"
        controllability = "high"
        modifiability = "n/a"
        certainty = "certain"
        external_norm = "compatible"
        internal_standard = "compatible"
        action_tendency = "FreeActivate"
        causal_chain = "I did something good for {agent}. I know this. I feel something good."

        [emotions.HAPPY]
        intensity = 0.9

        [scales.service]
        levels = ["PROUD", "CONFIDENT", "CONCERNED", "FRUSTRATED"]
    "#;
    let table = emotions::parse("mine.toml", text).unwrap();
    let proud = table.emotion("PROUD").unwrap();
    assert_eq!(
        proud.causal_chain.render(&Story::new("", "uav")),
        "I did something good for uav. I know this. I feel something good."
    );
    assert_eq!(table.emotion("HAPPY").unwrap().intensity.to_string(), "0.9");
    assert_eq!(table.scale("service").unwrap().levels[0], "PROUD");
    assert_eq!(table.scale("service").unwrap().thresholds, [0.5, 1.0, 2.0]);
}

#[test]
fn an_unknown_emotion_is_refused_with_the_nearest_known_one() {
    let (place, message, help) = refused("\n[beliefs.can]\nemotion = \"HOPFUL\"");
    assert_eq!(
        (&*place, &*message, &*help),
        ("mine.toml:4", "there is no emotion `HOPFUL`", "did you mean `HOPEFUL`?")
    );
    let (place, message, help) = refused("[roles.waiter.behaviours]\nFRUSTATED = [\"Intercept\"]");
    assert_eq!(
        (&*place, &*message, &*help),
        ("mine.toml:3", "there is no emotion `FRUSTATED`", "did you mean `FRUSTRATED`?")
    );
    let (place, message, help) = refused("[emotions.SHMAE]\nvalence = \"negative\"");
    assert_eq!((&*place, &*help), ("mine.toml:2", "did you mean `SHAME`?"));
    assert!(message.starts_with("there is no emotion `SHMAE`, and a new one needs all 14 components"), "{message}");
    let (.., help) = refused("[roles.waiter.behaviours]\nXYZZY = []");
    assert!(help.starts_with("what there is for emotion: `ANGER`, `ANGRY`"), "{help}");
}

#[test]
fn an_unknown_component_or_value_is_refused_with_the_nearest_known_one() {
    let (place, message, help) = refused("[emotions.HAPPY]\nvalance = \"positive\"");
    assert_eq!((&*place, &*message, &*help), ("mine.toml:3", "unknown key `valance`", "did you mean `valence`?"));
    let (place, message, help) = refused("[emotions.HAPPY]\n\ncertainty = \"likly\"");
    assert_eq!((&*place, &*message, &*help), ("mine.toml:4", "unknown value `likly`", "did you mean `likely`?"));
    let (_, message, help) = refused("[emotions.HAPPY]\nintensity = \"hihg\"");
    assert_eq!((&*message, &*help), ("unknown value `hihg`", "did you mean `high`?"));
    let (_, message, _) = refused("[emotions.HAPPY]\nintensity = 2");
    assert_eq!(message, "2 is not an intensity: it must lie between 0 and 1");
    let (place, message, _) = refused("[emotions.HAPPY]\ncausal_chain = \"I want {gaol}.\"");
    assert_eq!(
        (&*place, &*message),
        ("mine.toml:3", "a causal chain has no slot `{gaol}`: there are {goal} and {agent}")
    );
}

#[test]
fn what_is_wrong_only_together_is_pointed_at() {
    let (place, message, help) = refused("[scales.service]\nhysteresis = 0.9\nthresholds = [0.5, 2.0, 1.0]");
    assert_eq!(
        (&*place, &*message, &*help),
        ("mine.toml:4", "thresholds must rise, and 1 is not above 2", "sort them; none may be given twice")
    );
    let (place, _, help) = refused("[moods.SULLEN]\nagency = \"other\"");
    assert_eq!((&*place, &*help), ("mine.toml:3", "leave it out"));
}

#[test]
fn another_format_is_refused_and_so_is_a_file_that_is_not_there() {
    let error = emotions::parse("mine.toml", "format = \"muster-emotions-2\"").unwrap_err();
    assert_eq!(error.to_string(), "the format is `muster-emotions-2`, and this program reads `muster-emotions-1`");
    assert!(emotions::parse("mine.toml", "").unwrap_err().to_string().starts_with("there is no format"));
    let error = emotions::read("nowhere/mine.toml".as_ref()).unwrap_err();
    assert!(error.to_string().starts_with("nowhere/mine.toml: cannot be read"), "{error}");
}

#[test]
fn the_example_of_the_documentation_is_a_file_that_can_be_read() {
    let page = include_str!("../../../docs/emotions.md");
    let example = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let table = emotions::parse("docs/emotions.md", example).unwrap();
    assert!(table.scale("service").unwrap().anger.as_ref().unwrap().enabled);
    assert_eq!(table.role("guard").unwrap().motor.negative, 0.5);
}
