//! Lists that the parser takes for something else, without a word. It takes a list for a table whose keys are given by
//! their order, so that `radio = [0.5]` would lose half of all messages; and of a list with more entries than there is room
//! for it takes the first, so that `links = [["a", "b", "c"]]` would leave `c` out.

use serde::Serialize;
use toml::{Table, Value};

use super::build::Misfit;

/// What a list was taken for.
enum Taken {
    Table,
    /// A list of so many.
    Shorter(usize),
}

/// Finds a list in `text` that was taken for something else: what was `parsed` from it is written again, and differs there.
pub(super) fn check(text: &str, parsed: &impl Serialize) -> Result<(), Misfit> {
    // What cannot be written again holds a number that TOML has no room for, and no list by mistake.
    let (Ok(given), Ok(taken)) = (text.parse::<Table>(), Table::try_from(parsed)) else { return Ok(()) };
    let mut key = Vec::new();
    let Some(found) = mistaken(&Value::Table(given), &Value::Table(taken), &mut key) else { return Ok(()) };
    let list = key.join(".");
    let (message, help) = match found {
        Taken::Table => (
            format!("`{list}` is a list, and a table of keys is wanted"),
            "write a table, such as { key = value }; `muster schema` says which keys there are".to_owned(),
        ),
        Taken::Shorter(room) => (
            format!("the list `{list}` has more than {room} entries"),
            format!("leave {room} of them; `muster schema` says what they are"),
        ),
    };
    Err(Misfit { key, message, help })
}

/// The first list of `given` that is something else in `taken`; `key` leads to it.
fn mistaken(given: &Value, taken: &Value, key: &mut Vec<String>) -> Option<Taken> {
    let mut below = |part: String, given: &Value, taken: &Value| {
        key.push(part);
        let found = mistaken(given, taken, key);
        if found.is_none() {
            key.pop();
        }
        found
    };
    match (given, taken) {
        (Value::Array(_), Value::Table(_)) => Some(Taken::Table),
        (Value::Array(given), Value::Array(taken)) if given.len() > taken.len() => Some(Taken::Shorter(taken.len())),
        (Value::Table(given), Value::Table(taken)) => {
            given.iter().find_map(|(part, value)| below(part.clone(), value, taken.get(part)?))
        }
        (Value::Array(given), Value::Array(taken)) => (0..)
            .zip(given.iter().zip(taken))
            .find_map(|(place, (value, taken)): (u32, _)| below(place.to_string(), value, taken)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::scenario::{load, parse};

    fn refused(change: &str) -> String {
        load("minefield", &[change.to_owned()]).expect_err("a list").to_string()
    }

    /// By `--set`, at any depth, with the key.
    #[test]
    fn a_list_is_no_table_of_a_change() {
        for (change, key) in [
            ("radio=[0.5]", "radio"),
            ("field=[30, 40]", "field"),
            ("recruitment=[]", "recruitment"),
            ("faults=[[\"uav\", 5, \"stop\"]]", "faults.0"),
        ] {
            let told = refused(change);
            assert!(told.contains(&format!("`{key}` is a list, and a table of keys is wanted")), "{change}: {told}");
        }
        for change in ["faults=[]", "radio={loss=0.5}", "robots.idle.percepts=[]"] {
            load("minefield", &[change.to_owned()]).unwrap_or_else(|error| panic!("{change}: {error}"));
        }
    }

    /// What there is no room for is not left out.
    #[test]
    fn a_list_is_not_cut_short() {
        for (change, key, room) in [
            (
                r#"radio.topology=[{from_s=0, to_s=9, links=[["uav", "idle"], ["uav", "idle-1", "idle-2"]]}]"#,
                "radio.topology.0.links.1",
                2,
            ),
            (
                r#"radio.topology=[{from_s=0, to_s=9, links=[["uav", "idle", "idle", "idle"]]}]"#,
                "radio.topology.0.links.0",
                2,
            ),
        ] {
            let told = refused(change);
            assert!(told.contains(&format!("the list `{key}` has more than {room} entries")), "{change}: {told}");
        }
        let told = load("patrol", &["tasking.silence_s=[10, 20, 30]".to_owned()]).expect_err("three").to_string();
        assert!(told.contains("the list `tasking.silence_s` has more than 2 entries"), "{told}");
        load("minefield", &[r#"radio.topology=[{from_s=0, to_s=9, links=[["uav", "idle"]]}]"#.to_owned()]).unwrap();
    }

    /// The same in a file.
    #[test]
    fn a_list_is_no_table_of_a_file() {
        let text = "radio = [0.5]\n[field]\nwidth_m = 10\nheight_m = 10\n[robots.a]\nspeed_mps = 1\n";
        let told = parse("x", "x.toml", text, &[]).expect_err("a list").to_string();
        assert!(told.contains("`radio` is a list, and a table of keys is wanted"), "{told}");
    }
}
