//! The triangular distribution, from which guests draw speed and duration [CARS, Obstacles], and robots how long they walk
//! straight on.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Stream;

/// A triangular distribution: from `min` to `max`, most often near `mode`.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f64; 3]", into = "[f64; 3]")]
pub struct Triangular {
    min: f64,
    mode: f64,
    max: f64,
}

/// Three numbers that make no triangle.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct BadTriangular {
    min: f64,
    mode: f64,
    max: f64,
}

impl fmt::Display for BadTriangular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { min, mode, max } = self;
        write!(f, "triangular({min}, {mode}, {max}) makes no sense: give three numbers with 0 <= min <= mode <= max")
    }
}

impl std::error::Error for BadTriangular {}

impl Triangular {
    /// From `min` to `max`, both of which may be the `mode`; none is negative, since speeds and durations are not.
    pub fn new(min: f64, mode: f64, max: f64) -> Result<Self, BadTriangular> {
        // Not a number is in no order.
        if 0.0 <= min && min <= mode && mode <= max && max.is_finite() {
            Ok(Self { min, mode, max })
        } else {
            Err(BadTriangular { min, mode, max })
        }
    }

    /// The least value.
    pub fn min(&self) -> f64 {
        self.min
    }

    /// The most frequent value.
    pub fn mode(&self) -> f64 {
        self.mode
    }

    /// The greatest value.
    pub fn max(&self) -> f64 {
        self.max
    }

    /// What draws come to in the long run.
    pub fn mean(&self) -> f64 {
        (self.min + self.mode + self.max) / 3.0
    }

    /// Draws one value, by inverting the distribution function. Draws nothing when the value is certain.
    pub fn draw(&self, dice: &mut Stream) -> f64 {
        let Self { min, mode, max } = *self;
        let width = max - min;
        if width == 0.0 {
            return min;
        }
        let u = dice.uniform();
        let value = if u * width < mode - min {
            min + (u * width * (mode - min)).sqrt()
        } else {
            max - ((1.0 - u) * width * (max - mode)).sqrt()
        };
        // Rounding may lead out of it by the last bit.
        value.clamp(min, max)
    }
}

impl TryFrom<[f64; 3]> for Triangular {
    type Error = BadTriangular;

    fn try_from([min, mode, max]: [f64; 3]) -> Result<Self, BadTriangular> {
        Self::new(min, mode, max)
    }
}

impl From<Triangular> for [f64; 3] {
    fn from(Triangular { min, mode, max }: Triangular) -> Self {
        [min, mode, max]
    }
}

impl fmt::Display for Triangular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "triangular({}, {}, {})", self.min, self.mode, self.max)
    }
}
