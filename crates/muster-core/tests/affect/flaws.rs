//! What is wrong in a table is refused, with where, what, and what to try.

use muster_core::affect::{Flaw, Hint, Rows};

use crate::world::{rows, table};

fn refused(text: &str) -> Flaw {
    table().extended(rows(text)).expect_err(text)
}

fn refused_by_the_types(text: &str) -> String {
    toml::from_str::<Rows>(text).expect_err(text).to_string()
}

#[test]
fn names_that_are_not_there_are_refused_with_those_that_are() {
    for (text, key, message, near) in [
        (
            "[scales.service]\nlevels = [\"HAPY\", \"CONFIDENT\", \"CONCERNED\", \"FRUSTRATED\"]",
            "scales.service.levels",
            "there is no emotion `HAPY`",
            "HAPPY",
        ),
        (
            "[roles.waiter.behaviours]\nCONCERND = [\"Serve\"]",
            "roles.waiter.behaviours.CONCERND",
            "there is no emotion `CONCERND`",
            "CONCERNED",
        ),
        ("[beliefs.can]\nemotion = \"HOPFUL\"", "beliefs.can.emotion", "there is no emotion `HOPFUL`", "HOPEFUL"),
        ("[beliefs.can]\nreplaces = \"canot\"", "beliefs.can.replaces", "there is no belief `canot`", "cannot"),
        ("[roles.waiter]\nscale = \"servce\"", "roles.waiter.scale", "there is no scale `servce`", "service"),
        (
            "[emotions.HAPPY]\naction_tendency = \"FreeActivat\"",
            "emotions.HAPPY.action_tendency",
            "there is no action tendency `FreeActivat`",
            "FreeActivate",
        ),
        (
            "[scales.service.anger]\nback_to = \"HOPEFUL\"",
            "scales.service.anger.back_to",
            "there is no level `HOPEFUL`",
            "CONCERNED",
        ),
        (
            "[scales.service.anger]\nemotion = \"ANGRI\"",
            "scales.service.anger.emotion",
            "there is no emotion `ANGRI`",
            "ANGRY",
        ),
    ] {
        let flaw = refused(text);
        assert_eq!((flaw.key.join(".").as_str(), flaw.message.as_str()), (key, message));
        let Hint::Nearest { known, .. } = flaw.hint else { panic!("{text}") };
        assert!(known.iter().any(|name| name == near), "{known:?}");
    }
}

// A row of an unknown name is a new emotion only if it is complete: otherwise a slip of the keyboard.
#[test]
fn a_new_emotion_needs_all_its_components() {
    let flaw = refused("[emotions.HAPY]\nvalence = \"positive\"");
    assert!(flaw.message.starts_with(
        "there is no emotion `HAPY`, and a new one needs all 14 components: no facial_expression, intensity"
    ));
    assert!(matches!(flaw.hint, Hint::Nearest { known, .. } if known.contains(&"HAPPY".to_owned())));
}

// Every component must be there, the duration apart, which is minutes if nothing is said.
#[test]
fn a_row_that_lacks_any_one_component_is_refused() {
    let start = crate::world::SHIPPED.find("[emotions.FEAR]").unwrap();
    let row = crate::world::SHIPPED[start..].split("\n\n").next().unwrap().replace("FEAR", "DREAD");
    assert!(table().extended(rows(&row)).is_ok());
    let lines: Vec<&str> = row.lines().collect();
    assert_eq!(lines.len(), 15);
    for left_out in 1..lines.len() {
        let text: Vec<&str> =
            lines.iter().enumerate().filter(|(index, _)| *index != left_out).map(|(_, line)| *line).collect();
        let (text, component) = (text.join("\n"), lines[left_out].split(' ').next().unwrap());
        match table().extended(rows(&text)) {
            Ok(_) => assert_eq!(component, "duration"),
            Err(flaw) => assert!(flaw.message.ends_with(&format!("no {component}")), "{flaw}"),
        }
    }
}

#[test]
fn a_known_emotion_may_be_changed_in_part() {
    let changed = table().extended(rows("[emotions.SHAME]\nfacial_expression = \"neutral\"")).unwrap();
    let (old, new) = (table().emotion("SHAME").unwrap().clone(), changed.emotion("SHAME").unwrap().clone());
    assert_eq!(new.facial_expression.word(), "neutral");
    assert_eq!(muster_core::affect::Record { facial_expression: old.facial_expression, ..new }, old);
}

#[test]
fn only_surprise_may_be_either() {
    let flaw = refused("[emotions.HAPPY]\nvalence = \"either\"");
    assert_eq!(flaw.message, "HAPPY must be positive or negative: only SURPRISE can be either");
}

#[test]
fn a_mood_with_an_agency_or_a_focus_is_refused_and_so_is_an_emotion_without_one() {
    let mood = |line: &str| {
        refused(&format!("[moods.SULLEN]\nfacial_expression = \"angry\"\nvalence = \"negative\"\nat = 0.5\n{line}"))
            .message
    };
    assert_eq!(mood("agency = \"other\""), "a mood is nobody's doing: it has no agency");
    assert_eq!(mood("focality = \"goal\""), "a mood is about nothing in particular");
    assert_eq!(mood("duration = \"minutes\""), "a mood lasts for days");
    let flaw = refused("[emotions.HAPPY]\nfocality = \"global\"");
    assert_eq!(flaw.message, "HAPPY is about nothing in particular, and so it is no emotion but a mood");
    assert_eq!(refused("[moods.SULLEN]\nvalence = \"negative\"").message, "`facial_expression` is missing");
}

#[test]
fn scales_that_cannot_be_are_refused() {
    for (text, message) in [
        ("thresholds = [0.5, 1.0]", "4 levels have 2 thresholds"),
        ("thresholds = [0.5, 0.5, 2.0]", "thresholds must rise, and 0.5 is not above 0.5"),
        ("thresholds = [0.0, 0.5, 2.0]", "0 is not a positive number"),
        ("thresholds = [0.5, 1.0, inf]", "inf is not a positive number"),
        ("hysteresis = 1.2", "1.2 is no hysteresis: it is above 0 and at most 1"),
        ("hysteresis = nan", "NaN is no hysteresis: it is above 0 and at most 1"),
        ("span = -1.0", "-1 is not a positive number"),
        ("levels = [\"HAPPY\", \"HAPPY\", \"CONCERNED\", \"FRUSTRATED\"]", "HAPPY is at two levels of one scale"),
        ("anger = { emotion = \"FRUSTRATED\" }", "FRUSTRATED is one of the levels: it cannot lie beyond them as well"),
        ("anger = { dwell_s = 0 }", "0 is not a positive number"),
    ] {
        assert_eq!(refused(&format!("[scales.service]\n{text}")).message, message);
    }
    assert_eq!(refused("[scales.new]\nthresholds = [1.0]").message, "`levels` is missing");
}

#[test]
fn a_feeling_cannot_drive_a_robot_backwards_nor_a_trait_slow_it() {
    assert!(refused("[roles.waiter]\nmotor = { negative = -1.5 }").message.contains("-1.5"));
    assert!(refused("[traits.calm]\nquickens = -1.0").message.contains("-1"));
    assert!(refused("mood_days = 0.0").message.contains("not a positive number"));
}

#[test]
fn words_slots_and_keys_that_do_not_exist_are_refused_by_the_types() {
    for (line, said) in [
        ("facial_expression = \"smiling\"", "unknown variant `smiling`"),
        ("certainty = \"maybe\"", "unknown variant `maybe`"),
        ("causal_chain = \"I want {gaol}.\"", "a causal chain has no slot `{gaol}`"),
        ("causal_chain = \"I want {goal.\"", "a brace stands alone"),
        ("causal_chain = \"I want goal}.\"", "a brace stands alone"),
        ("causal_chain = \"I want {goal}\"", "end it with a full stop"),
        ("agency = \"\"", "not nothing"),
        ("focallity = \"goal\"", "unknown field `focallity`"),
    ] {
        let error = refused_by_the_types(&format!("[emotions.HAPPY]\n{line}"));
        assert!(error.contains(said), "{error}");
    }
}
