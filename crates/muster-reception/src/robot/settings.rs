//! Settings that make sense: what a file may say of a robot.

use muster_core::affect::{Flaw, Hint, Name};

fn flaw(key: &str, message: String, hint: &str) -> Flaw {
    Flaw { key: vec![key.to_owned()], message, hint: Hint::Try(hint.to_owned()) }
}

/// Names that are some.
pub fn named(settings: &[(&str, &Name)]) -> Result<(), Flaw> {
    match settings.iter().find(|(_, name)| name.trim().is_empty()) {
        Some((key, _)) => Err(flaw(key, format!("`{key}` is empty"), "robots go by names: give one")),
        None => Ok(()),
    }
}

/// Numbers above zero.
pub fn positive(settings: &[(&str, f64)]) -> Result<(), Flaw> {
    match settings.iter().find(|(_, value)| !(*value > 0.0 && value.is_finite())) {
        Some((key, value)) => Err(flaw(key, format!("`{key}` is {value}"), "give a number above 0")),
        None => Ok(()),
    }
}

/// A number between nothing and all.
pub fn share(key: &str, value: f64) -> Result<(), Flaw> {
    match (0.0..=1.0).contains(&value) {
        true => Ok(()),
        false => Err(flaw(key, format!("`{key}` is {value}"), "give a number from 0 to 1")),
    }
}

/// A count of things that can be gone through one by one.
pub fn count(key: &str, value: u32) -> Result<(), Flaw> {
    match value {
        1..=1_000_000 => Ok(()),
        _ => Err(flaw(key, format!("`{key}` is {value}"), "give a number from 1 to a million")),
    }
}
