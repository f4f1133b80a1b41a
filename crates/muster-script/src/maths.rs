//! Mathematics for scripts. The engine's own is off: it is the platform's, and the last bit differs between platforms.
//! These are the functions that the core itself uses.

use std::f64::consts::{PI, TAU};

use rhai::{Engine, EvalAltResult, INT, Scope};

use crate::number::Real;

type Failable<T> = Result<T, Box<EvalAltResult>>;

/// What every script knows.
pub(crate) fn constants() -> Scope<'static> {
    let mut scope = Scope::new();
    scope.push_constant("PI", PI).push_constant("TAU", TAU).push_constant("INFINITY", f64::INFINITY);
    scope
}

pub(crate) fn register(engine: &mut Engine) {
    of_one(engine, "sin", libm::sin);
    of_one(engine, "cos", libm::cos);
    of_one(engine, "tan", libm::tan);
    of_one(engine, "asin", libm::asin);
    of_one(engine, "acos", libm::acos);
    of_one(engine, "atan", libm::atan);
    // A square root is exact everywhere.
    of_one(engine, "sqrt", f64::sqrt);
    of_one(engine, "exp", libm::exp);
    of_one(engine, "ln", libm::log);
    of_one(engine, "log10", libm::log10);
    of_one(engine, "floor", f64::floor);
    of_one(engine, "ceiling", f64::ceil);
    of_one(engine, "round", f64::round);
    of_one(engine, "to_float", |x| x);
    of_one(engine, "to_radians", f64::to_radians);
    of_one(engine, "to_degrees", f64::to_degrees);
    of_two(engine, "atan2", libm::atan2);
    of_two(engine, "hypot", libm::hypot);
    of_two(engine, "pow", libm::pow);

    engine
        .register_fn("is_nan", f64::is_nan)
        .register_fn("is_finite", |x: f64| x.is_finite())
        .register_fn("to_int", |x: INT| x)
        .register_fn("to_int", whole)
        .register_fn("abs", |x: f64| x.abs())
        .register_fn("abs", |x: INT| x.checked_abs().ok_or_else(|| Box::<EvalAltResult>::from("abs: too large")))
        .register_fn("min", |a: INT, b: INT| a.min(b))
        .register_fn("max", |a: INT, b: INT| a.max(b));
    for (name, least) in [("min", true), ("max", false)] {
        let of = move |a: f64, b: f64| if least { a.min(b) } else { a.max(b) };
        engine
            .register_fn(name, of)
            .register_fn(name, move |a: INT, b: f64| of(a.real(), b))
            .register_fn(name, move |a: f64, b: INT| of(a, b.real()));
    }
}

fn of_one(engine: &mut Engine, name: &str, of: fn(f64) -> f64) {
    engine.register_fn(name, of).register_fn(name, move |x: INT| of(x.real()));
}

fn of_two(engine: &mut Engine, name: &str, of: fn(f64, f64) -> f64) {
    engine
        .register_fn(name, of)
        .register_fn(name, move |x: INT, y: INT| of(x.real(), y.real()))
        .register_fn(name, move |x: f64, y: INT| of(x, y.real()))
        .register_fn(name, move |x: INT, y: f64| of(x.real(), y));
}

/// Towards zero.
fn whole(x: f64) -> Failable<INT> {
    // 2^63, which is one too many; its opposite just fits.
    let beyond = INT::MAX as f64;
    if (-beyond..beyond).contains(&x) {
        Ok(x as INT)
    } else {
        Err(format!("{x} has no whole number: it must lie between -2^63 and 2^63").into())
    }
}
