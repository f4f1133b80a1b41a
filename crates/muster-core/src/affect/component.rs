//! The components of an emotion, and the words that each may be. [Lisetti, Emotion Components]
//!
//! The paper gives the words of the facial expression, valence, intensity, duration and agency. Those of the others
//! are ours, as few as the rows of our table need; see docs/emotions.md.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::intensity::{Intensity, Level};

/// A list of words: an enum, and what files and people call its members.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $member:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $name {
            $($(#[$about])* #[serde(rename = $word)] $member,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$member,)+];

            /// Its name in files and sentences.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$member => $word,)+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }
    };
}
pub(crate) use words;

words! {
    /// What the face shows.
    Expression {
        /// A smile.
        Happy = "happy",
        /// Corners of the mouth down.
        Sad = "sad",
        /// Mouth open.
        Surprised = "surprised",
        /// Nose wrinkled.
        Disgusted = "disgusted",
        /// Brows drawn.
        Angry = "angry",
        /// Mouth drawn.
        Fearful = "fearful",
        /// Nothing: "some emotions are not associated with any specific facial expression".
        Neutral = "neutral",
    }
}

impl Expression {
    /// The emoticon: chosen by the expression alone, so that what a robot shows is no more than a face shows.
    pub const fn emoticon(self) -> &'static str {
        match self {
            Self::Happy => ":-)",
            Self::Sad => ":-(",
            Self::Surprised => ":-o",
            Self::Disgusted => ":-&",
            Self::Angry => ">:-(",
            Self::Fearful => ":-S",
            Self::Neutral => ":-|",
        }
    }
}

words! {
    /// Pleasant or unpleasant.
    Valence {
        /// Pleasant.
        Positive = "positive",
        /// Unpleasant.
        Negative = "negative",
    }
}

words! {
    /// The valence of an emotion as such, before anybody feels it.
    Leaning {
        /// Always pleasant.
        Positive = "positive",
        /// Always unpleasant.
        Negative = "negative",
        /// "the emotion of surprise which can be either".
        Either = "either",
    }
}

words! {
    /// How long a feeling lasts, shortest first. Moods outlast emotions (the paper says the opposite once, a slip).
    Lasting {
        /// An emotion.
        Minutes = "minutes",
        /// A mood.
        Days = "days",
        /// A personality.
        Lifetime = "lifetime",
    }
}

words! {
    /// What a feeling is about.
    Focality {
        /// Nothing in particular: moods.
        Global = "global",
        /// What the robot wants.
        Goal = "goal",
        /// Another one.
        Agent = "agent",
        /// The robot itself.
        Own = "self",
        /// Something that it did or did not do.
        OwnAct = "own act",
        /// Something that happens.
        Event = "event",
        /// Something that is there.
        Object = "object",
    }
}

words! {
    /// Whether things are as they were expected to be.
    Novelty {
        /// As expected.
        Match = "match",
        /// Not as expected.
        Mismatch = "mismatch",
        /// Does not matter to this emotion.
        Unknown = "n/a",
    }
}

words! {
    /// How far things can be controlled, or changed.
    Degree {
        /// Well.
        High = "high",
        /// Somewhat.
        Medium = "medium",
        /// Hardly.
        Low = "low",
        /// Not at all.
        None = "none",
        /// Does not matter to this emotion.
        Unknown = "n/a",
    }
}

words! {
    /// How sure the robot is of what it feels about.
    Certainty {
        /// It is so.
        Certain = "certain",
        /// It will be so.
        Likely = "likely",
        /// It will be bad.
        LikelyBad = "likely bad",
        /// It may be so or not.
        Uncertain = "uncertain",
        /// Does not matter to this emotion.
        Unknown = "n/a",
    }
}

words! {
    /// Whether things are as they should be, by others' norms or by one's own standards.
    Compatibility {
        /// As they should be.
        Compatible = "compatible",
        /// Not as they should be.
        Incompatible = "incompatible",
        /// Does not matter to this emotion.
        Unknown = "n/a",
    }
}

/// A name out of a table: of an emotion, a behaviour, a trait. Cheap to copy, and never a closed list: a robot's
/// emotions are its own data.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Name(Arc<str>);

impl Name {
    /// A name that is shared with others.
    pub const fn shared(name: Arc<str>) -> Self {
        Self(name)
    }

    /// The name itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<S: AsRef<str>> From<S> for Name {
    fn from(name: S) -> Self {
        Self(name.as_ref().into())
    }
}

impl std::ops::Deref for Name {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        *self.0 == *other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        *self.0 == **other
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Who is responsible for a feeling. The paper's domain is self and other, but its example is "assistant": a name
/// counts as another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Agency {
    /// The robot itself.
    Own,
    /// Another, whoever that is.
    Other,
    /// This one. "environment" is one, too.
    Named(Name),
}

impl Agency {
    /// Somebody else is responsible.
    pub fn is_other(&self) -> bool {
        *self != Self::Own
    }
}

impl TryFrom<String> for Agency {
    type Error = String;
    fn try_from(word: String) -> Result<Self, String> {
        match word.trim() {
            "" => Err("agency is `self`, `other` or a robot's name, not nothing".to_owned()),
            "self" => Ok(Self::Own),
            "other" => Ok(Self::Other),
            name => Ok(Self::Named(name.into())),
        }
    }
}

impl From<Agency> for String {
    fn from(agency: Agency) -> String {
        agency.to_string()
    }
}

impl fmt::Display for Agency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own => f.pad("self"),
            Self::Other => f.pad("other"),
            Self::Named(name) => f.pad(name),
        }
    }
}

/// The intensity of an emotion as such: what it has when nothing was measured.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Strength {
    /// One of the five levels.
    Level(Level),
    /// A number.
    Scalar(Intensity),
    /// Always measured, as SHAME is: "scalar" in files.
    Measured,
}

impl Strength {
    /// What is felt when nothing was measured.
    pub fn intensity(self) -> Intensity {
        match self {
            Self::Level(level) => level.middle(),
            Self::Scalar(intensity) => intensity,
            Self::Measured => Intensity::NONE,
        }
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => level.fmt(f),
            Self::Scalar(intensity) => intensity.fmt(f),
            Self::Measured => f.pad("scalar"),
        }
    }
}

impl Serialize for Strength {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Scalar(intensity) => intensity.serialize(serializer),
            word => serializer.serialize_str(&word.to_string()),
        }
    }
}

impl<'de> Deserialize<'de> for Strength {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// By hand: serde's own way of trying each form in turn has nothing to say about what was wrong.
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = Strength;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("one of the five levels, `scalar`, or a number between 0 and 1")
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<Strength, E> {
                const WORDS: &[&str] = &["very low", "low", "medium", "high", "very high", "scalar"];
                match Level::ALL.iter().find(|level| level.word() == word) {
                    Some(level) => Ok(Strength::Level(*level)),
                    None if word == "scalar" => Ok(Strength::Measured),
                    None => Err(E::unknown_variant(word, WORDS)),
                }
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Strength, E> {
                Intensity::try_from(value).map(Strength::Scalar).map_err(E::custom)
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Strength, E> {
                self.visit_f64(value as f64)
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Strength, E> {
                self.visit_f64(value as f64)
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}
