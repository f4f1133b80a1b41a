//! Where costs are sampled: adaptively, or at the points of a grid.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::scenario::value::Positive;

/// Where costs are sampled.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum GridEntry {
    /// Where they bend: a bid takes at most 100 bytes for a task.
    Adaptive(AdaptiveName),
    /// At each of these times on each of these headings: a bid takes two bytes for each point.
    Points(Points),
}

/// The name of adaptive sampling.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum AdaptiveName {
    /// The only one.
    #[serde(rename = "adaptive")]
    Adaptive,
}

/// A grid of times and headings.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// Seconds between two times.
    pub step_s: Positive,
    /// How many times, the first at zero.
    pub times: u16,
    /// How many headings, evenly round the compass.
    pub headings: u16,
}

// By hand, so that what is wrong within the table is said, and not only that it is neither.
impl<'de> Deserialize<'de> for GridEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = GridEntry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"adaptive\" or { step_s, times, headings }")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<GridEntry, E> {
                AdaptiveName::deserialize(StrDeserializer::new(text)).map(GridEntry::Adaptive)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<GridEntry, A::Error> {
                Points::deserialize(MapAccessDeserializer::new(map)).map(GridEntry::Points)
            }
        }

        deserializer.deserialize_any(Either)
    }
}
