//! Numbers that cannot be wrong: the parser refuses what is out of range, and says where it stands.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A number as a message has room for it: not with hundreds of zeros.
fn short(value: f64) -> String {
    let long = value.is_finite() && value != 0.0 && !(1e-9..1e15).contains(&value.abs());
    if long { format!("{value:e}") } else { value.to_string() }
}

/// A number that is none of those that are wanted.
#[derive(Copy, Clone, Debug, PartialEq, Error)]
#[error("{} is not {wanted}", short(*value))]
pub struct OutOfRange {
    /// The number.
    pub value: f64,
    /// Which it should be.
    pub wanted: &'static str,
}

macro_rules! number {
    ($(#[$doc:meta])* $name:ident, $test:expr, $must:literal, $schema:tt) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
        #[serde(try_from = "f64", into = "f64")]
        pub struct $name(f64);

        impl $name {
            /// The number.
            pub const fn get(self) -> f64 {
                self.0
            }

            /// For numbers written in this program's own text; refused like any other if out of range.
            pub fn new(value: f64) -> Result<Self, OutOfRange> {
                let test: fn(f64) -> bool = $test;
                if test(value) { Ok(Self(value)) } else { Err(OutOfRange { value, wanted: $must }) }
            }
        }

        impl TryFrom<f64> for $name {
            type Error = OutOfRange;
            fn try_from(value: f64) -> Result<Self, OutOfRange> {
                Self::new(value)
            }
        }

        impl From<$name> for f64 {
            fn from(value: $name) -> f64 {
                value.0
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    };
}

number!(
    /// A probability.
    Probability,
    |p| (0.0..=1.0).contains(&p),
    "a probability: it must lie between 0 and 1",
    { "type": "number", "minimum": 0, "maximum": 1 }
);
number!(
    /// More than zero: a speed, a size, a spacing.
    Positive,
    |v| (1e-6..=1e9).contains(&v),
    "a positive number (from a millionth to a thousand million)",
    { "type": "number", "minimum": 1e-6, "maximum": 1e9 }
);
number!(
    /// Zero or more: an instant, a length of time.
    NonNegative,
    |v| (0.0..=1e9).contains(&v),
    "zero or a positive number (up to a thousand million)",
    { "type": "number", "minimum": 0, "maximum": 1e9 }
);
number!(
    /// Any number that is one.
    Finite,
    |v: f64| v.is_finite() && v.abs() <= 1e9,
    "a number between minus and plus a thousand million",
    { "type": "number", "minimum": -1e9, "maximum": 1e9 }
);

/// A place: metres east, metres north.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "Vec<Finite>")]
#[cfg_attr(feature = "schema", schemars(with = "[Finite; 2]"))]
pub struct Place(pub [Finite; 2]);

impl TryFrom<Vec<Finite>> for Place {
    type Error = String;
    fn try_from(numbers: Vec<Finite>) -> Result<Self, String> {
        let count = numbers.len();
        let place = numbers.try_into().map_err(|_| format!("a place has two numbers, [east, north], not {count}"))?;
        Ok(Self(place))
    }
}

impl From<Place> for muster_core::Point {
    fn from(Place([x, y]): Place) -> Self {
        Self::new(x.get(), y.get())
    }
}
