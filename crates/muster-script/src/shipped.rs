//! Scripts that come with Muster.

use std::sync::Arc;

use muster_core::affect::Table;

use crate::{Class, Limits, ScriptError, ScriptPolicy, Setting, Settings};

/// The waiter.
pub const BUTLER: &str = include_str!("../../../robots/butler.rhai");
/// The refiller.
pub const LEGUIN: &str = include_str!("../../../robots/leguin.rhai");

/// The affective strategy of the paper, as a policy.
pub const AFFECTIVE: &str = include_str!("../../../robots/policies/affective.rhai");
/// Another one: whoever is near answers at once, others wait to be asked again.
pub const NEAR_FIRST: &str = include_str!("../../../robots/policies/near_first.rhai");

/// What a class is called, its file, its text, and the name of its robot if that is not the text's.
const ROBOTS: [(&str, &str, &str, Option<&str>); 3] = [
    ("butler", "robots/butler.rhai", BUTLER, None),
    ("leguin", "robots/leguin.rhai", LEGUIN, None),
    // "Essentially a clone of Leguin with the exception of the change of name." [CARS, Experimental Results]
    ("vonda", "robots/leguin.rhai", LEGUIN, Some("Vonda")),
];

/// The classes that there are.
pub fn classes() -> impl ExactSizeIterator<Item = &'static str> {
    ROBOTS.iter().map(|(class, ..)| *class)
}

/// A shipped class by its name; nothing if there is none.
pub fn class(name: &str, table: Arc<Table>) -> Option<Arc<Class>> {
    let (_, file, text, robot) = ROBOTS.iter().find(|(class, ..)| *class == name)?;
    let made = Class::new(file, text, table, Limits::for_robots());
    let class = made.unwrap_or_else(|error| broken(&error));
    let named: Settings = robot.iter().map(|name| ("name".to_owned(), Setting::Text((*name).to_owned()))).collect();
    class.with_defaults(&named).map(Arc::new).ok()
}

/// Policies by name, with their files and texts.
const POLICIES: [(&str, &str, &str); 2] = [
    ("affective", "robots/policies/affective.rhai", AFFECTIVE),
    ("near_first", "robots/policies/near_first.rhai", NEAR_FIRST),
];

/// The policies that there are.
pub fn policies() -> impl ExactSizeIterator<Item = &'static str> {
    POLICIES.iter().map(|(policy, ..)| *policy)
}

/// The text of a shipped policy; nothing if there is none.
pub fn policy_text(name: &str) -> Option<&'static str> {
    POLICIES.iter().find(|(policy, ..)| *policy == name).map(|(_, _, text)| *text)
}

/// A shipped policy by its name; nothing if there is none.
pub fn policy(name: &str) -> Option<Arc<ScriptPolicy>> {
    let (_, file, text) = POLICIES.iter().find(|(policy, ..)| *policy == name)?;
    let policy = ScriptPolicy::new(file, text, Limits::for_policies());
    Some(Arc::new(policy.unwrap_or_else(|error| broken(&error))))
}

fn broken(error: &ScriptError) -> ! {
    unreachable!("the tests load every shipped script: {error}")
}
