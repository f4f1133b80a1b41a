//! Feelings, as scripts have them: the emotion generator of the core, with what it carries from one input to the next.

use std::sync::Arc;

use crate::robot::Schemata;
use muster_core::affect::{
    Agency, Flaw, Generator, Hint, Input, Intensity, Name, Personality, State, Story, Stress, Table, Valence,
};
use muster_core::panel::Feeling;
use rhai::{Dynamic, Engine, EvalAltResult};
use serde::{Deserialize, Serialize};

use super::desk::at;
use muster_script::number::number;

type Failable<T> = Result<T, Box<EvalAltResult>>;

/// What a scripted robot feels.
#[derive(Clone, Debug)]
pub(crate) struct Feelings {
    made: Arc<Made>,
    /// Shared until it changes: getters run on copies of all that a robot has.
    state: Arc<State>,
}

#[derive(Debug)]
struct Made {
    role: Name,
    caution: Intensity,
    generator: Generator,
    schemata: Schemata,
}

/// Feelings as they are saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedFeelings {
    role: Name,
    caution: Intensity,
    state: State,
}

impl Made {
    fn new(table: &Arc<Table>, role: &str, caution: Intensity) -> Result<Self, Flaw> {
        let generator = Generator::new(Arc::clone(table), role, Personality::cautious(caution))?;
        Ok(Self { role: role.into(), caution, schemata: Schemata::of(&generator), generator })
    }
}

impl Feelings {
    pub fn save(&self) -> SavedFeelings {
        let Made { role, caution, .. } = &*self.made;
        SavedFeelings { role: role.clone(), caution: *caution, state: (*self.state).clone() }
    }

    /// Nothing has been felt since.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.made, &other.made) && (Arc::ptr_eq(&self.state, &other.state) || self.state == other.state)
    }

    pub fn restore(saved: SavedFeelings, table: &Arc<Table>) -> Result<Self, String> {
        let made = Made::new(table, &saved.role, saved.caution).map_err(|flaw| told(&flaw))?;
        let state = made.generator.resume(saved.state).map_err(|flaw| told(&flaw))?;
        Ok(Self { made: Arc::new(made), state: Arc::new(state) })
    }

    /// Takes an input in; says how that changed what is felt, if it did.
    fn feel(&mut self, of: &str, input: Input) -> Failable<Dynamic> {
        let now = at(of, |desk| desk.now)?;
        let felt = self.made.generator.feel(Arc::make_mut(&mut self.state), now, input).map_err(|flaw| told(&flaw))?;
        match felt.change {
            Some(change) => at(of, |desk| desk.feels(change).into()),
            None => Ok(Dynamic::UNIT),
        }
    }

    pub fn name(&self) -> &Name {
        &self.state.emotion().name
    }

    /// With face and causal chain.
    pub fn feeling(&self) -> Feeling {
        Feeling::of(self.state.emotion(), self.made.generator.table())
    }
}

fn told(flaw: &Flaw) -> String {
    match &flaw.hint {
        Hint::Try(what) => format!("{}; {what}", flaw.message),
        Hint::Nearest { wrong, known, .. } => {
            format!("{}; {}", flaw.message, muster_script::did_you_mean(wrong, known))
        }
    }
}

fn real(of: &str, value: &Dynamic) -> Failable<f64> {
    number(value)
        .filter(|real| !real.is_nan())
        .ok_or_else(|| format!("{of} takes numbers, and this is {value} (of type {})", value.type_name()).into())
}

fn share(of: &str, value: &Dynamic) -> Failable<Intensity> {
    number(value).and_then(Intensity::new).ok_or_else(|| format!("{of} takes a number from 0 to 1, not {value}").into())
}

fn agency(name: &str) -> Agency {
    match name {
        "self" => Agency::Own,
        "other" => Agency::Other,
        name => Agency::Named(name.into()),
    }
}

pub(crate) fn register(engine: &mut Engine, table: &Arc<Table>) {
    let table = Arc::clone(table);
    let made = move |role: &str, caution: &Dynamic, story: Story| {
        let caution = share("feelings", caution)?;
        let made = Made::new(&table, role, caution).map_err(|flaw| told(&flaw))?;
        let now = at("feelings", |desk| desk.now)?;
        let state = Arc::new(made.generator.start(now, story));
        Failable::Ok(Feelings { made: Arc::new(made), state })
    };
    let alone = made.clone();
    engine
        .register_type_with_name::<Feelings>("feelings")
        .register_fn("feelings", move |role: &str, caution: Dynamic, goal: &str, agent: &str| {
            made(role, &caution, Story::new(goal, agent))
        })
        .register_fn("feelings", move |role: &str, caution: Dynamic, goal: &str| {
            alone(role, &caution, Story::alone(goal))
        })
        .register_fn("measured", |it: &mut Feelings, needed: Dynamic, left: Dynamic| {
            let (needed, left) = (real("measured", &needed)?, real("measured", &left)?);
            it.feel("measured", Input::Measured { needed, left })
        })
        .register_fn("stressed", |it: &mut Feelings, stress: Dynamic| {
            let stress = Stress::new(real("stressed", &stress)?);
            it.feel("stressed", Input::Stressed(stress))
        })
        .register_fn("positive", |it: &mut Feelings, importance: Dynamic, what: &str| {
            let importance = share("positive", &importance)?;
            it.feel("positive", Input::Positive { importance, what: what.into() })
        })
        .register_fn("negative", |it: &mut Feelings, importance: Dynamic, what: &str| {
            let importance = share("negative", &importance)?;
            it.feel("negative", Input::Negative { importance, what: what.into() })
        })
        .register_fn("believes", |it: &mut Feelings, belief: &str| it.feel("believes", Input::Believes(belief.into())))
        .register_fn("appraised", |it: &mut Feelings, emotion: &str, whose: &str, why: &str| {
            let (emotion, agency, why) = (emotion.into(), agency(whose), why.into());
            it.feel("appraised", Input::Appraised { emotion, intensity: None, agency, why })
        })
        .register_fn("active", |it: &mut Feelings, behaviour: &str| it.made.schemata.active(it.name(), behaviour))
        .register_fn("urged", |it: &mut Feelings, behaviour: &str| it.made.schemata.urged(it.name(), behaviour))
        .register_fn("emotion_for", |it: &mut Feelings, behaviour: &str| -> Failable<String> {
            let emotion = it.made.schemata.emotion_for(behaviour).map_err(|flaw| told(&flaw))?;
            Ok(emotion.to_string())
        })
        .register_fn("begins_at", |it: &mut Feelings, behaviour: &str| -> Failable<f64> {
            // Asked for by name: what no emotion makes active is told as elsewhere.
            it.made.schemata.emotion_for(behaviour).map_err(|flaw| told(&flaw))?;
            Ok(it.made.schemata.begins_at(behaviour).unwrap_or(0.0))
        })
        .register_fn("stress_of", |it: &mut Feelings, needed: Dynamic, left: Dynamic| {
            let (needed, left) = (real("stress_of", &needed)?, real("stress_of", &left)?);
            Failable::Ok(Stress::of(it.made.generator.quickening(), needed, left).get())
        })
        .register_get("emotion", |it: &mut Feelings| it.name().to_string())
        .register_get("stress", |it: &mut Feelings| it.state.stress().get())
        .register_get("intensity", |it: &mut Feelings| it.state.emotion().affect.intensity.get())
        .register_get("pleasant", |it: &mut Feelings| it.state.emotion().affect.valence == Valence::Positive)
        .register_get("valence", |it: &mut Feelings| it.state.emotion().affect.valence.to_string())
        .register_get("agency", |it: &mut Feelings| it.state.emotion().agency.to_string())
        .register_get("since", |it: &mut Feelings| it.state.emotion().since.as_secs_f64())
        .register_get("chain", |it: &mut Feelings| it.state.emotion().chain(it.made.generator.table()))
        .register_fn("to_string", |it: &mut Feelings| it.state.emotion().to_string())
        .register_fn("to_debug", |it: &mut Feelings| it.state.emotion().to_string());
}
