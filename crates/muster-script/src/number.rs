//! Numbers of scripts: whole ones and reals mix, so that `speed = 1` is as good as `speed = 1.0`.

use rhai::{Dynamic, INT};

/// A whole number as a real.
pub(crate) trait Real {
    fn real(self) -> f64;
}

impl Real for INT {
    fn real(self) -> f64 {
        self as f64
    }
}

/// The number that a value is, if it is one.
pub fn number(value: &Dynamic) -> Option<f64> {
    value.as_float().or_else(|_| value.as_int().map(Real::real)).ok()
}
