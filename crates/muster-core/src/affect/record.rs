//! One emotion as such: a value for each of the 14 components. [Lisetti, Emotion Components]

use serde::{Deserialize, Serialize};

use super::chain::Chain;
use super::component::{
    Agency, Certainty, Compatibility, Degree, Expression, Focality, Lasting, Leaning, Name, Novelty, Strength,
};

/// Makes [`Row`] and [`Record`] from one list, so that neither can lack a component that the other has.
macro_rules! components {
    ($($(#[$doc:meta])* $field:ident: $kind:ty,)+) => {
        /// An emotion as a file has it. A row of a known emotion may leave components as they are.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Row {
            $($(#[$doc])* #[serde(default, skip_serializing_if = "Option::is_none")] pub $field: Option<$kind>,)+
        }

        /// An emotion with all of its components.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        pub struct Record {
            /// Name of the emotion.
            pub name: Name,
            $($(#[$doc])* pub $field: $kind,)+
        }

        impl Row {
            /// The components, by the names that files use.
            pub const COMPONENTS: &[&str] = &[$(stringify!($field),)+];

            /// This row, with what it leaves out taken from `below`.
            pub(super) fn over(self, below: &Self) -> Self {
                Self { $($field: self.$field.or_else(|| below.$field.clone()),)+ }
            }

            /// The components that are missing.
            pub(super) fn missing(&self) -> Vec<&'static str> {
                let mut missing = Vec::new();
                $(if self.$field.is_none() { missing.push(stringify!($field)); })+
                missing
            }

            pub(super) fn complete(self, name: Name) -> Option<Record> {
                Some(Record { name, $($field: self.$field?,)+ })
            }
        }
    };
}

components! {
    /// What the face shows.
    facial_expression: Expression,
    /// Pleasant or unpleasant.
    valence: Leaning,
    /// How strong it is when nothing was measured.
    intensity: Strength,
    /// How long it lasts; minutes, if a file does not say.
    duration: Lasting,
    /// What it is about.
    focality: Focality,
    /// Who is responsible for it.
    agency: Agency,
    /// Whether things are as expected.
    novelty: Novelty,
    /// Whether the robot can control them.
    controllability: Degree,
    /// Whether they can be changed.
    modifiability: Degree,
    /// How sure the robot is of them.
    certainty: Certainty,
    /// Whether they are as others want them.
    external_norm: Compatibility,
    /// Whether they are as the robot thinks they should be.
    internal_standard: Compatibility,
    /// What it makes one do: the name of a row of Table 1 or 2.
    action_tendency: Name,
    /// What the robot thinks of it.
    causal_chain: Chain,
}
