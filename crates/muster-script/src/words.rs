//! Numbers in texts, as logs have them, and seconds as clocks count them.

use muster_core::Duration;
use rhai::{Dynamic, Engine, EvalAltResult, INT};

use crate::number::number;

/// More digits than a real has.
const MOST_DIGITS: INT = 17;

pub(crate) fn register(engine: &mut Engine) {
    engine
        .register_fn("fixed", |x: Dynamic, digits: INT| match number(&x) {
            Some(x) if x.is_infinite() => Ok("infinite".to_owned()),
            Some(x) if (0..=MOST_DIGITS).contains(&digits) => Ok(format!("{x:.*}", digits as usize)),
            Some(_) => Err(Box::<EvalAltResult>::from(format!("fixed takes 0 to {MOST_DIGITS} digits, not {digits}"))),
            None => Err(format!("fixed takes a number, and this is of type {}", x.type_name()).into()),
        })
        // Muster counts time in microseconds.
        .register_fn("seconds", |x: f64| Duration::from_secs_f64(x).as_secs_f64());
}
