//! Legs, as scripts have them: the very ones that robots in Rust walk on.

use crate::robot::{Legs, Place};
use muster_core::Time;
use rhai::{Dynamic, Engine, EvalAltResult};

use super::desk::at;
use muster_script::number::number;

type Failable<T> = Result<T, Box<EvalAltResult>>;

pub(crate) fn register(engine: &mut Engine) {
    engine
        .register_type_with_name::<Legs>("legs")
        .register_fn("legs", Legs::default)
        .register_get("place", |legs: &mut Legs| legs.place())
        .register_get("start", |legs: &mut Legs| legs.start())
        .register_get("speed", |legs: &mut Legs| legs.speed_fps())
        .register_get("direction", |legs: &mut Legs| legs.direction())
        .register_get("blocked", |legs: &mut Legs| legs.blocked())
        .register_fn("stand", Legs::stand)
        .register_fn("walk", |legs: &mut Legs, direction: Dynamic, speed_fps: Dynamic| {
            legs.walk(real("walk", &direction)?, real("walk", &speed_fps)?);
            Failable::Ok(())
        })
        .register_fn("head_for", |legs: &mut Legs, goal: Place, speed_fps: Dynamic| {
            let speed_fps = real("head_for", &speed_fps)?;
            at("head_for", |desk| legs.head_for(goal, speed_fps, &mut desk.dice))
        })
        .register_fn("put", |legs: &mut Legs, t: f64, place: Place| legs.put(Time::from_secs_f64(t), place))
        .register_fn("project", |legs: &mut Legs, t: f64| legs.project(Time::from_secs_f64(t)))
        .register_fn("to_string", |legs: &mut Legs| format!("legs at {}", legs.place()))
        .register_fn("to_debug", |legs: &mut Legs| format!("legs at {}", legs.place()));
}

fn real(of: &str, value: &Dynamic) -> Failable<f64> {
    match number(value) {
        Some(real) if real.is_finite() => Ok(real),
        Some(real) => Err(format!("{of} takes a direction and a speed, and one of them is {real}").into()),
        None => Err(format!("{of} takes numbers, and this is of type {}", value.type_name()).into()),
    }
}
