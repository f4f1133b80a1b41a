//! Causal chains: what a robot thinks of its situation, in words that any language has.
//!
//! [Lisetti, Emotion Beliefs and Causal Chains] After Wierzbicka's definitions by primitives (want, do, happen, know,
//! think, feel, good, bad); "can be spoken via speech synthesis".

use std::fmt;

use serde::{Deserialize, Serialize};

use super::component::Name;

/// A chain with slots: `{goal}` for what the robot wants, `{agent}` for the other one in the story.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Chain(String);

/// What the slots of a chain are filled with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Story {
    /// What the robot wants, as it would follow "I want".
    pub goal: Name,
    /// On whom it depends, or who asked.
    pub agent: Option<Name>,
}

impl Story {
    /// The slots that there are.
    pub const SLOTS: [&str; 2] = ["goal", "agent"];

    /// A robot that wants `goal`, which depends on `agent`.
    pub fn new(goal: impl Into<Name>, agent: impl Into<Name>) -> Self {
        Self { goal: goal.into(), agent: Some(agent.into()) }
    }

    /// A robot that wants `goal`, which depends on nobody else.
    pub fn alone(goal: impl Into<Name>) -> Self {
        Self { goal: goal.into(), agent: None }
    }
}

impl Chain {
    /// As a sentence or several, every slot filled.
    pub fn render(&self, story: &Story) -> String {
        let mut text = String::with_capacity(self.0.len() + 32);
        for piece in pieces(&self.0) {
            match piece {
                Piece::Text(words) => text.push_str(words),
                Piece::Slot("goal") => text.push_str(&story.goal),
                Piece::Slot(_) => text.push_str(story.agent.as_deref().unwrap_or("somebody")),
                Piece::Open(_) => {}
            }
        }
        // A sentence may begin with a slot; a robot's name keeps its letters.
        text
    }
}

/// A part of a template.
enum Piece<'a> {
    Text(&'a str),
    Slot(&'a str),
    /// A brace without its partner.
    Open(&'a str),
}

fn pieces(mut rest: &str) -> impl Iterator<Item = Piece<'_>> {
    std::iter::from_fn(move || {
        let brace = rest.find(['{', '}']).unwrap_or(rest.len());
        let (piece, after) = match (brace, rest[brace..].find('}')) {
            (0, _) if rest.is_empty() => return None,
            (0, Some(end)) if end > 0 => (Piece::Slot(&rest[1..end]), end + 1),
            (0, _) => (Piece::Open(rest), rest.len()),
            (text, _) => (Piece::Text(&rest[..text]), text),
        };
        rest = &rest[after..];
        Some(piece)
    })
}

impl TryFrom<String> for Chain {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        for piece in pieces(&text) {
            match piece {
                Piece::Slot(slot) if !Story::SLOTS.contains(&slot) => {
                    return Err(format!("a causal chain has no slot `{{{slot}}}`: there are {{goal}} and {{agent}}"));
                }
                Piece::Open(rest) => {
                    let start: String = rest.chars().take(20).collect();
                    return Err(format!("a brace stands alone at `{start}`: write {{goal}} or {{agent}}"));
                }
                _ => {}
            }
        }
        if !text.ends_with('.') {
            return Err("a causal chain is made of sentences: end it with a full stop".to_owned());
        }
        Ok(Self(text))
    }
}

impl From<Chain> for String {
    fn from(chain: Chain) -> String {
        chain.0
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
