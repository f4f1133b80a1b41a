//! Tables 1 and 2, and the rows of the shipped table.

use muster_core::affect::{Agency, Focality, Level, Row, Story, Strength, levels};

use crate::world::table;

// Table 1: action tendency, function, emotion.
#[test]
fn table_1_is_as_printed() {
    let table = table();
    let printed = [
        ("Avoid", "Protect", "FEAR"),
        ("Approach", "Permit consummatory activity", "DESIRE"),
        ("Agnostic", "Regain control", "ANGER"),
        ("Reject", "Protect", "DISGUST"),
        ("Prepare", "Caution", "ANXIETY"),
        ("Inactivity", "Recuperation", "CONTENTMENT"),
    ];
    for (tendency, function, emotion) in printed {
        assert_eq!(table.emotion(emotion).unwrap().action_tendency, tendency, "{emotion}");
        assert_eq!(table.tendency(tendency).unwrap().function.as_deref(), Some(function), "{tendency}");
    }
}

// Table 1 prints "Agnostic"; the reading is noted, and rows may use either word.
#[test]
fn the_papers_word_is_printed_and_its_reading_noted() {
    let table = table();
    let tendency = table.tendency("Agnostic").unwrap();
    assert_eq!(tendency.to_string(), "Agnostic (read: Agonistic)");
    assert_eq!(table.tendency("Agonistic"), Some(tendency));
    assert_eq!(table.emotion("ANGRY").unwrap().action_tendency, "Agonistic");
}

// Table 2: emotion, action tendency, waiter / refiller.
#[test]
fn table_2_is_as_printed() {
    let table = table();
    let printed: [(&str, &str, &[&str], &[&str]); 4] = [
        ("HAPPY", "FreeActivate", &["Serve"], &["Joke"]),
        ("CONFIDENT", "ContinueNormalActivity", &["Serve", "CallForRefill"], &["Serve"]),
        ("CONCERNED", "MonitorProgressClosely", &["AskToHurry"], &["IncreaseSpeed"]),
        ("FRUSTRATED", "ChangeCurrentStrategy", &["Intercept"], &["GoHome"]),
    ];
    for (emotion, tendency, waiter, refiller) in printed {
        assert_eq!(table.emotion(emotion).unwrap().action_tendency, tendency);
        for (role, expected) in [("waiter", waiter), ("refiller", refiller)] {
            let behaviours: Vec<&str> =
                levels::behaviours(table.role(role).unwrap(), emotion).iter().map(|name| &**name).collect();
            assert_eq!(behaviours, expected, "{role} {emotion}");
        }
    }
    let scale = table.scale("service").unwrap();
    assert_eq!(scale.levels, ["HAPPY", "CONFIDENT", "CONCERNED", "FRUSTRATED"]);
}

// [OWN] Each row of our table, component by component.
#[test]
fn every_emotion_has_its_row() {
    const FIELDS: usize = 13;
    #[rustfmt::skip]
    let rows: [(&str, [&str; FIELDS]); 8] = [
        ("HAPPY", ["happy", "positive", "high", "minutes", "goal", "self", "match", "high", "n/a", "certain", "compatible", "compatible", "FreeActivate"]),
        ("CONFIDENT", ["happy", "positive", "medium", "minutes", "goal", "self", "match", "high", "high", "likely", "compatible", "compatible", "ContinueNormalActivity"]),
        ("CONCERNED", ["fearful", "negative", "low", "minutes", "goal", "other", "mismatch", "medium", "high", "uncertain", "n/a", "n/a", "MonitorProgressClosely"]),
        ("FRUSTRATED", ["angry", "negative", "high", "minutes", "goal", "other", "mismatch", "low", "low", "likely bad", "n/a", "n/a", "ChangeCurrentStrategy"]),
        ("ANGRY", ["angry", "negative", "very high", "minutes", "agent", "other", "mismatch", "high", "medium", "certain", "incompatible", "incompatible", "Agonistic"]),
        ("DISCOURAGED", ["sad", "negative", "medium", "minutes", "self", "self", "match", "none", "low", "certain", "n/a", "incompatible", "Inactivity"]),
        ("HOPEFUL", ["happy", "positive", "low", "minutes", "goal", "self", "mismatch", "medium", "high", "uncertain", "n/a", "compatible", "Approach"]),
        ("SHAME", ["sad", "negative", "scalar", "minutes", "own act", "self", "match", "high", "high", "certain", "incompatible", "incompatible", "Repair"]),
    ];
    let table = table();
    for (emotion, expected) in rows {
        let json = serde_json::to_value(table.emotion(emotion).unwrap()).unwrap();
        let got: Vec<&str> = Row::COMPONENTS[..FIELDS].iter().map(|field| json[field].as_str().unwrap()).collect();
        assert_eq!(got, expected, "{emotion}");
    }
}

// Emotion Beliefs and Causal Chains: in primitives; "can be spoken".
#[test]
fn a_rendered_chain_leaves_no_slot_and_speaks_in_primitives() {
    let told = [Story::new("to serve treats", "Leguin"), Story::alone("to serve treats")];
    for record in table().emotions() {
        for story in &told {
            let spoken = record.causal_chain.render(story);
            assert!(!spoken.contains(['{', '}']), "{}: {spoken}", record.name);
            assert!(spoken.ends_with('.'), "{}: {spoken}", record.name);
            let primitives = ["want", "do ", "did", "happen", "know", "think", "feel", "good", "bad"];
            assert!(primitives.iter().any(|word| spoken.contains(word)), "{}: {spoken}", record.name);
        }
    }
}

// [OWN] The chains, word for word.
#[test]
fn chains_say_what_a_robot_thinks() {
    let table = table();
    let says = |emotion: &str, goal: &str, agent: &str| {
        table.emotion(emotion).unwrap().causal_chain.render(&Story::new(goal, agent))
    };
    let (goal, agent) = ("to serve treats", "Leguin");
    assert_eq!(says("HAPPY", goal, agent), "I wanted to serve treats. It is happening. I feel something good.");
    assert_eq!(
        says("CONFIDENT", goal, agent),
        "I want to serve treats. I think it will happen. I feel something good."
    );
    assert_eq!(
        says("CONCERNED", goal, agent),
        "I want to serve treats. Leguin is doing something slowly. Maybe it will not happen. I feel something bad."
    );
    assert_eq!(
        says("FRUSTRATED", goal, agent),
        "I want to serve treats. I did something. Leguin did not do what I wanted. It is not happening. \
         I want to do something else. I feel something bad."
    );
    assert_eq!(
        says("ANGRY", goal, agent),
        "Leguin did something bad. I do not want this. I want to do something because of this."
    );
    assert_eq!(
        says("SHAME", "", "uav"),
        "uav wanted me to do something. I did not do it. It is good to do it. I know this. I feel something bad."
    );
}

// Where SHAME sits: an own act, blamed by others' norms and one's own standards; its intensity is the scalar s.
#[test]
fn shame_is_about_an_own_act_that_breaks_norms_and_standards() {
    let table = table();
    let shame = table.emotion("SHAME").unwrap();
    assert_eq!((shame.focality, &shame.agency), (Focality::OwnAct, &Agency::Own));
    assert_eq!(shame.intensity, Strength::Measured);
    assert_eq!(shame.external_norm, shame.internal_standard);
    assert_eq!(table.tendency("Repair").unwrap().function.as_deref(), Some("Accept the next request"));
    assert_eq!(table.emotion("CONCERNED").unwrap().intensity, Strength::Level(Level::Low));
}

// The table is laid over itself without a change, and survives being written.
#[test]
fn the_table_can_be_written_and_read_again() {
    let table = table();
    let text = toml::to_string(table.rows()).unwrap();
    assert_eq!(muster_core::affect::Table::new(crate::world::rows(&text)).unwrap(), *table);
    assert_eq!(table.extended(crate::world::rows(crate::world::SHIPPED)).unwrap(), *table);
}
