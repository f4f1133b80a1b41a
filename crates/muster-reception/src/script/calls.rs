//! What a robot may ask and say while it is exercised: the seven calls to others, dice, and words for the log.

use crate::robot::Value;
use muster_core::affect::Name;
use muster_core::rng::Triangular;
use rhai::{Dynamic, Engine, EvalAltResult, Map};

use super::desk::{self, at};
use muster_script::number::number;

type Failable<T> = Result<T, Box<EvalAltResult>>;

pub(crate) fn register(engine: &mut Engine) {
    others(engine);
    dice(engine);
    engine
        .register_fn("note", |text: &str| {
            at("note", |desk| desk.may_say(text).map(|()| desk.notes.push(text.to_owned())))?
        })
        .register_fn("because", |text: &str| {
            at("because", |desk| desk.may_say(text).map(|()| desk.because = Some(desk.reason(text))))?
        })
        // What `feelings` gives if nothing changed.
        .register_fn("because", |(): ()| at("because", |desk| desk.because = None))
        .on_print(desk::say)
        .on_debug(|text, _, _| desk::say(text));
}

/// [CARS, Inter-Robot Communication] A name that nobody has gives `()`.
fn others(engine: &mut Engine) {
    engine
        .register_fn("set_robot_command", |name: &str, command: &str| -> Failable<bool> {
            at("set_robot_command", |desk| {
                let Some(to) = desk.robot(name).map(|robot| robot.name.clone()) else { return Ok(false) };
                desk.may_say(command)?;
                desk.commands.push((to, command.into()));
                Ok(true)
            })?
        })
        .register_fn("get_robot_location", |name: &str| {
            at("get_robot_location", |desk| desk.robot(name).map_or(Dynamic::UNIT, |it| Dynamic::from(it.location)))
        })
        .register_fn("get_robot_speed", |name: &str| {
            at("get_robot_speed", |desk| desk.robot(name).map_or(Dynamic::UNIT, |it| it.speed_fps.into()))
        })
        .register_fn("get_robot_direction", |name: &str| {
            at("get_robot_direction", |desk| desk.robot(name).map_or(Dynamic::UNIT, |it| it.direction.into()))
        })
        .register_fn("get_robot_state_variables", |name: &str| {
            at("get_robot_state_variables", |desk| {
                desk.robot(name).map_or(Dynamic::UNIT, |robot| {
                    let variables = robot.variables.iter().map(|(name, value)| (name.as_str().into(), given(value)));
                    variables.collect::<Map>().into()
                })
            })
        })
        // One of them, without a copy of all.
        .register_fn("get_robot_state_variables", |name: &str, variable: &str| {
            at("get_robot_state_variables", |desk| {
                desk.robot(name).and_then(|robot| robot.variables.get(variable)).map_or(Dynamic::UNIT, given)
            })
        })
        .register_fn("get_robot_emotion_state", |name: &str| {
            at("get_robot_emotion_state", |desk| text(desk.robot(name).map(|it| &it.emotion)))
        })
        .register_fn("get_robot_behavior_state", |name: &str| {
            at("get_robot_behavior_state", |desk| text(desk.robot(name).map(|it| &it.behavior)))
        });
}

fn text(name: Option<&Name>) -> Dynamic {
    name.map_or(Dynamic::UNIT, |name| name.as_str().into())
}

fn given(value: &Value) -> Dynamic {
    match value {
        Value::Flag(flag) => (*flag).into(),
        Value::Number(number) => (*number).into(),
        Value::Text(name) => name.as_str().into(),
    }
}

/// The robot's own stream, drawn from as robots in Rust draw.
fn dice(engine: &mut Engine) {
    engine
        .register_fn("uniform", |low: Dynamic, high: Dynamic| {
            let (low, high) = (real("uniform", &low)?, real("uniform", &high)?);
            at("uniform", |desk| desk.dice.between(low, high))
        })
        .register_fn("uniform", || at("uniform", |desk| desk.dice.uniform()))
        .register_fn("chance", |p: Dynamic| {
            let p = real("chance", &p)?;
            at("chance", |desk| desk.dice.chance(p))
        })
        .register_fn("exponential", |mean: Dynamic| {
            let mean = real("exponential", &mean)?;
            at("exponential", |desk| desk.dice.exponential(mean))
        })
        .register_fn("triangular", |min: Dynamic, mode: Dynamic, max: Dynamic| {
            let [min, mode, max] = [&min, &mode, &max].map(|value| real("triangular", value));
            drawn(Triangular::new(min?, mode?, max?))
        })
        .register_fn("triangular", |three: rhai::Array| {
            let [min, mode, max] = &three[..] else {
                return Err(format!("triangular takes a list of three numbers, and this has {}", three.len()).into());
            };
            let [min, mode, max] = [min, mode, max].map(|value| real("triangular", value));
            drawn(Triangular::new(min?, mode?, max?))
        });
}

fn drawn(triangular: Result<Triangular, impl ToString>) -> Failable<f64> {
    let triangular = triangular.map_err(|error| error.to_string())?;
    at("triangular", |desk| triangular.draw(&mut desk.dice))
}

fn real(of: &str, value: &Dynamic) -> Failable<f64> {
    match number(value) {
        Some(real) if real.is_finite() => Ok(real),
        Some(real) => Err(format!("{of} takes numbers that have an end, and this is {real}").into()),
        None => Err(format!("{of} takes numbers, and this is of type {}", value.type_name()).into()),
    }
}
