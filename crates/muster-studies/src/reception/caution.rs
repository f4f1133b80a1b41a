//! "The more cautious the agent, the faster the intensity of emotions rises": the same histories, lived through with more
//! and more caution.

use muster_core::Time;
use muster_core::affect::{Generator, Input, Intensity, Personality, Story};
use muster_core::rng::{Purpose, Stream};
use muster_sim::emotions;
use serde::Serialize;

use super::check::Trouble;
use super::runs::{Moment, PAPER, Runs};

/// From none to all of it.
pub const STEPS: u32 = 10;
/// Histories that were made up, with jumps that none at a reception has.
const MADE_UP: u64 = 100;
const MADE_UP_TICKS: usize = 300;

/// Whether more caution ever felt less.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Monotony {
    /// Histories.
    pub histories: usize,
    /// Ticks that were compared, for each step of caution.
    pub compared: usize,
    /// Of these, with a lower level in spite of more caution.
    pub lower_levels: usize,
    /// With a lower negative intensity in spite of more caution.
    pub lower_intensities: usize,
    /// With a higher level or a higher negative intensity: caution matters.
    pub higher: usize,
    /// Ticks of recorded histories at which the usual caution does not give what Butler felt.
    pub unlike: usize,
}

/// Level and negative intensity, tick by tick, and the emotion.
struct Felt {
    level: usize,
    negative: f64,
    emotion: muster_core::affect::Name,
}

/// Lives through a history.
fn lived(history: &[Moment], caution: f64) -> Result<Vec<Felt>, Trouble> {
    let generator = Generator::new(emotions::built_in(), "waiter", Personality::cautious(Intensity::clamped(caution)))
        .map_err(|flaw| flaw.message)?;
    let mut state = generator.start(Time::ZERO, Story::new("treats for the guests", "Leguin"));
    let mut felt = Vec::with_capacity(history.len());
    for (second, moment) in history.iter().enumerate() {
        let input = if moment.filled {
            Input::Positive { importance: Intensity::FULL, what: "a full tray".into() }
        } else {
            Input::Measured { needed: moment.needed_s, left: moment.left_s }
        };
        generator.feel(&mut state, Time::from_secs_f64(second as f64 + 1.0), input).map_err(|flaw| flaw.message)?;
        let emotion = state.emotion();
        let level = generator.scale().level_of(&emotion.name).ok_or("an emotion is not on the scale")?;
        felt.push(Felt { level, negative: emotion.affect.negative().get(), emotion: emotion.name.clone() });
    }
    Ok(felt)
}

/// A history with jumps, empty trays and full ones.
fn made_up(seed: u64, index: u64) -> Vec<Moment> {
    let mut dice = Stream::of_run(Stream::seed_of_run(seed, index), Purpose::Choice);
    let moment = |_| Moment {
        needed_s: if dice.chance(0.1) { 0.0 } else { dice.exponential(30.0) },
        left_s: if dice.chance(0.1) { 0.0 } else { dice.between(0.0, 90.0) },
        filled: dice.chance(0.02),
        emotion: "".into(),
    };
    (0..MADE_UP_TICKS).map(moment).collect()
}

/// Histories of the paper's setting, and some that were made up, each with every caution.
pub fn monotony(seed: u64, runs: &Runs) -> Result<Monotony, Trouble> {
    let mut found = Monotony::default();
    let recorded = runs.with_guests(PAPER).iter().map(|run| run.history.clone());
    let made_up = (0..MADE_UP).map(|index| made_up(seed, index));
    for history in recorded.chain(made_up).filter(|history| !history.is_empty()) {
        found.histories += 1;
        let mut before: Option<Vec<Felt>> = None;
        for step in 0..=STEPS {
            let felt = lived(&history, f64::from(step) / f64::from(STEPS))?;
            if step * 2 == STEPS {
                let recorded = history.iter().zip(&felt).filter(|(moment, _)| !moment.emotion.is_empty());
                found.unlike += recorded.filter(|(moment, felt)| moment.emotion != felt.emotion).count();
            }
            for (less, more) in before.iter().flatten().zip(&felt) {
                found.compared += 1;
                found.lower_levels += usize::from(more.level < less.level);
                found.lower_intensities += usize::from(more.negative < less.negative);
                found.higher += usize::from(more.level > less.level || more.negative > less.negative);
            }
            before = Some(felt);
        }
    }
    Ok(found)
}
