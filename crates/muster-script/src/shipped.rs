//! Policies that come with Muster.

use std::sync::Arc;

use crate::{Limits, ScriptPolicy};

/// The affective strategy of the paper, as a policy.
pub const AFFECTIVE: &str = include_str!("../../../robots/policies/affective.rhai");
/// Another one: whoever is near answers at once, others wait to be asked again.
pub const NEAR_FIRST: &str = include_str!("../../../robots/policies/near_first.rhai");

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
    Some(Arc::new(policy.unwrap_or_else(|error| unreachable!("the tests load every shipped script: {error}"))))
}
