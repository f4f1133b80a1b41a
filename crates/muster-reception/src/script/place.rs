//! Places, as scripts have them.

use crate::robot::Place;
use rhai::{Dynamic, Engine, EvalAltResult};

use muster_script::number::number;

pub(crate) fn register(engine: &mut Engine) {
    engine
        .register_type_with_name::<Place>("place")
        .register_fn("place", |x: Dynamic, y: Dynamic| match (number(&x), number(&y)) {
            (Some(x), Some(y)) => Ok(Place::new(x, y)),
            _ => {
                let why = format!("place takes two numbers of feet, not {} and {}", x.type_name(), y.type_name());
                Err(Box::<EvalAltResult>::from(why))
            }
        })
        .register_get("x", |place: &mut Place| place.x)
        .register_get("y", |place: &mut Place| place.y)
        .register_fn("distance_to", |place: &mut Place, other: Place| place.distance_ft(other))
        .register_fn("heading_to", |place: &mut Place, other: Place| place.heading_to(other))
        .register_fn("ahead", |place: &mut Place, heading: f64, feet: f64| place.ahead(heading, feet))
        .register_fn("==", |place: &mut Place, other: Place| *place == other)
        .register_fn("!=", |place: &mut Place, other: Place| *place != other)
        // A robot without a place gives ().
        .register_fn("==", |_: &mut Place, (): ()| false)
        .register_fn("!=", |_: &mut Place, (): ()| true)
        .register_fn("to_string", |place: &mut Place| place.to_string())
        .register_fn("to_debug", |place: &mut Place| place.to_string());
}
