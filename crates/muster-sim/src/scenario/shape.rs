//! Lists where tables are wanted. The parser takes a list for a table whose keys are given by their order, so that
//! `radio = [0.5]` would lose half of all messages without a word.

use serde::Serialize;
use toml::{Table, Value};

use super::build::Misfit;

/// Finds a list in `text` that was taken for a table: what was `parsed` from it is written again, and has a table there.
pub(super) fn check(text: &str, parsed: &impl Serialize) -> Result<(), Misfit> {
    // What cannot be written again holds a number that TOML has no room for, and no list by mistake.
    let (Ok(given), Ok(taken)) = (text.parse::<Table>(), Table::try_from(parsed)) else { return Ok(()) };
    let mut key = Vec::new();
    if !is_list_for_table(&Value::Table(given), &Value::Table(taken), &mut key) {
        return Ok(());
    }
    let message = format!("`{}` is a list, and a table of keys is wanted", key.join("."));
    let help = "write a table, such as { key = value }; `muster schema` says which keys there are".to_owned();
    Err(Misfit { key, message, help })
}

/// Some list of `given` is a table in `taken`; `key` leads to the first.
fn is_list_for_table(given: &Value, taken: &Value, key: &mut Vec<String>) -> bool {
    let mut below = |part: String, given: &Value, taken: &Value| {
        key.push(part);
        let found = is_list_for_table(given, taken, key);
        if !found {
            key.pop();
        }
        found
    };
    match (given, taken) {
        (Value::Array(_), Value::Table(_)) => true,
        (Value::Table(given), Value::Table(taken)) => {
            given.iter().any(|(part, value)| taken.get(part).is_some_and(|taken| below(part.clone(), value, taken)))
        }
        (Value::Array(given), Value::Array(taken)) => (0..)
            .zip(given.iter().zip(taken))
            .any(|(place, (value, taken)): (u32, _)| below(place.to_string(), value, taken)),
        _ => false,
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

    /// The same in a file.
    #[test]
    fn a_list_is_no_table_of_a_file() {
        let text = "radio = [0.5]\n[field]\nwidth_m = 10\nheight_m = 10\n[robots.a]\nspeed_mps = 1\n";
        let told = parse("x", "x.toml", text, &[]).expect_err("a list").to_string();
        assert!(told.contains("`radio` is a list, and a table of keys is wanted"), "{told}");
    }
}
