//! How emotions come and go: by external events and by internal beliefs. [Lisetti, Emotional States Dynamics]

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::chain::Story;
use super::change::{Change, Rule};
use super::component::{Agency, Leaning, Name, Valence};
use super::intensity::Intensity;
use super::levels::{self, Decision, Experience, Prospect};
use super::mood::{Mood, MoodChange};
use super::personality::Personality;
use super::scale::{Scale, Stress};
use super::table::{Flaw, Role, Table};
use super::{Affect, Emotion};
use crate::time::Time;

/// Something that bears on what a robot feels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Input {
    /// How much is needed of what is left: time until help comes against time that supplies last. Personality makes it
    /// worse.
    Measured {
        /// Needed.
        needed: f64,
        /// Left, in the same unit.
        left: f64,
    },
    /// Stress as the robot reckons it by itself, its personality included.
    Stressed(Stress),
    /// Progress toward the goal: takes a share of the stress away, all of it if it is of full importance.
    Positive {
        /// Share of the stress that it takes away, 0 to 1.
        importance: Intensity,
        /// The event in words, for the causal chain.
        what: Name,
    },
    /// The opposite of progress: adds stress, 1 if it is of full importance. Personality makes it worse.
    Negative {
        /// Stress that it adds, 0 to 1.
        importance: Intensity,
        /// The event in words, for the causal chain.
        what: Name,
    },
    /// From now on the robot believes this: the name of a belief of the table.
    Believes(Name),
    /// A rule of the robot's own says what it feels.
    Appraised {
        /// Name of the emotion, as the table has it.
        emotion: Name,
        /// How much; as the table has it, if not given.
        intensity: Option<Intensity>,
        /// Who is responsible.
        agency: Agency,
        /// The reason in words, for the causal chain.
        why: Name,
    },
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Measured { needed, left } => write!(f, "{needed:.1} needed with {left:.1} left"),
            Self::Stressed(stress) => write!(f, "stress measured at {stress:.2}"),
            Self::Positive { importance, what } => write!(f, "{what} (good, importance {importance:.2})"),
            Self::Negative { importance, what } => write!(f, "{what} (bad, importance {importance:.2})"),
            Self::Believes(name) => write!(f, "belief {name}"),
            Self::Appraised { why, .. } => write!(f, "{why}"),
        }
    }
}

/// Where the present emotion comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Source {
    /// The level of stress.
    Scale,
    /// Too long at the last level.
    Anger,
    /// A belief or a rule of the robot's own; the next change of level puts an end to it.
    Within,
}

/// A belief that no event changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Held {
    /// Name of the belief, as the table has it.
    pub belief: Name,
    /// The instant from which on it was held.
    pub since: Time,
}

/// What a robot feels, and all that it takes to go on from here: saved and loaded, a run goes on as if it had not been.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    emotion: Emotion,
    source: Source,
    level: usize,
    stress: Stress,
    /// Since when the last level was reached or stress fell there.
    steady_since: Time,
    held: Option<Held>,
    mood: Mood,
    story: Story,
    /// What came of options that were taken.
    pub experience: Experience,
}

impl State {
    /// The present emotion.
    pub fn emotion(&self) -> &Emotion {
        &self.emotion
    }

    /// Where that comes from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The level of stress, whatever beliefs make of it.
    pub fn level(&self) -> usize {
        self.level
    }

    /// Its stress.
    pub fn stress(&self) -> Stress {
        self.stress
    }

    /// The belief that keeps it from feeling anything else.
    pub fn held(&self) -> Option<&Held> {
        self.held.as_ref()
    }

    /// Its mood.
    pub fn mood(&self) -> &Mood {
        &self.mood
    }
}

/// What an input led to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Felt {
    /// Another emotion, or the same one on another of the five levels.
    pub change: Option<Change>,
    /// Another mood.
    pub mood: Option<MoodChange>,
}

/// Turns inputs into emotions: the Emotion State Generator of one robot. Plain configuration; what changes is the
/// [`State`].
#[derive(Clone, Debug, PartialEq)]
pub struct Generator {
    table: Arc<Table>,
    role: Role,
    scale: Scale,
    personality: Personality,
    quickening: f64,
    conceptual: bool,
}

impl Generator {
    /// For a robot of a role with a personality.
    pub fn new(table: Arc<Table>, role: &str, personality: Personality) -> Result<Self, Flaw> {
        personality.check(&table)?;
        let role = table.role(role)?.clone();
        let scale = table.scale(&role.scale).expect("a role's scale is in its table").clone();
        let quickening = personality.quickening(&table);
        Ok(Self { table, role, scale, personality, quickening, conceptual: false })
    }

    /// The same, angry if kept at its last level for too long, or never. Without effect if the scale knows no anger.
    pub fn with_anger(mut self, enabled: bool) -> Self {
        if let Some(anger) = &mut self.scale.anger {
            anger.enabled = enabled;
        }
        self
    }

    /// The same, with or without the conceptual level.
    pub fn with_conceptual(mut self, enabled: bool) -> Self {
        self.conceptual = enabled;
        self
    }

    /// The table.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// The role.
    pub fn role(&self) -> &Role {
        &self.role
    }

    /// The scale of its emotions.
    pub fn scale(&self) -> &Scale {
        &self.scale
    }

    /// The personality.
    pub fn personality(&self) -> &Personality {
        &self.personality
    }

    /// `1 + c`.
    pub fn quickening(&self) -> f64 {
        self.quickening
    }

    /// A robot that starts: at the calmest level, "with HAPPY as the starting point".
    pub fn start(&self, now: Time, story: Story) -> State {
        let emotion = Emotion {
            name: self.scale.levels[0].clone(),
            affect: self.scale.affect(Stress::NONE),
            agency: Agency::Own,
            since: now,
            story: story.clone(),
        };
        State {
            emotion,
            source: Source::Scale,
            level: 0,
            stress: Stress::NONE,
            steady_since: now,
            held: None,
            mood: Mood::new(now),
            story,
            experience: Experience::default(),
        }
    }

    /// A state that was saved, if it fits this robot's table: a file may have lost an emotion since.
    pub fn resume(&self, mut state: State) -> Result<State, Flaw> {
        state.emotion.name = self.table.known_emotion(&state.emotion.name, &["emotion", "name"])?;
        if let Some(held) = &state.held {
            self.table.belief(&held.belief)?;
        }
        state.level = state.level.min(self.scale.top());
        Ok(state)
    }

    /// Takes one input at the time `now`. An unknown belief or emotion is refused and changes nothing.
    pub fn feel(&self, state: &mut State, now: Time, input: Input) -> Result<Felt, Flaw> {
        let (next, source, rule) = match &input {
            Input::Believes(name) => self.believe(state, now, name)?,
            Input::Appraised { emotion, intensity, agency, .. } => {
                self.appraise(state, now, emotion, *intensity, agency.clone())?
            }
            Input::Measured { needed, left } => {
                self.stressed(state, now, Stress::of(self.quickening, *needed, *left), &input)
            }
            Input::Stressed(stress) => self.stressed(state, now, *stress, &input),
            Input::Positive { importance, .. } => {
                // Of full importance it takes all away, even of infinite stress.
                let left = 1.0 - importance.get();
                let stress = if left > 0.0 { Stress::new(state.stress.get() * left) } else { Stress::NONE };
                self.stressed(state, now, stress, &input)
            }
            Input::Negative { importance, .. } => {
                let stress = Stress::new(state.stress.get() + self.quickening * importance.get());
                self.stressed(state, now, stress, &input)
            }
        };
        // What was felt until now sinks in before anything else is felt.
        let mood = state.mood.sink_in(&self.table, state.emotion.affect, now);
        state.source = source;
        let Next { name, affect, agency } = next;
        let since = if name == state.emotion.name { state.emotion.since } else { now };
        let new = Emotion { name, affect, agency, since, story: state.story.clone() };
        let old = std::mem::replace(&mut state.emotion, new.clone());
        let same = old.name == new.name
            && old.agency == new.agency
            && old.affect.valence == new.affect.valence
            && old.affect.intensity.level() == new.affect.intensity.level();
        let change = (!same).then(|| {
            let chain = new.chain(&self.table);
            Change { at: now, old, new, input, rule, chain }
        });
        Ok(Felt { change, mood })
    }

    /// External events: stress is now `stress`.
    fn stressed(&self, state: &mut State, now: Time, stress: Stress, input: &Input) -> (Next, Source, Rule) {
        let scale = &self.scale;
        let was = state.level;
        let fell = stress < state.stress;
        state.stress = stress;
        let affect = scale.affect(stress);
        let agency = self.agency(affect.valence, &state.story);
        let anger = scale.anger.as_ref().filter(|anger| anger.enabled);
        if let (Source::Anger, Some(anger)) = (&state.source, anger) {
            let below = scale.leaves_below(scale.top());
            if stress >= below {
                return (feeling(&anger.emotion, affect, agency), Source::Anger, Rule::Same { stress });
            }
            // What is measured leads back one step; something good that happens may lead all the way.
            let good = matches!(input, Input::Positive { .. });
            state.level = if good { scale.level(anger.back_to, stress) } else { anger.back_to };
            let name = &scale.levels[state.level];
            return (feeling(name, affect, agency), Source::Scale, Rule::Fell { stress, below });
        }
        state.level = scale.level(was, stress);
        if fell || state.level != was {
            state.steady_since = now;
        }
        // [Lisetti, Internal Beliefs] "I can't do this" keeps the robot where it is for ever; other thoughts last until
        // things change.
        if state.held.is_some() || (state.source == Source::Within && state.level == was) {
            return (unmoved(state), Source::Within, Rule::Same { stress });
        }
        if let Some(anger) = anger
            && state.level == scale.top()
            && agency.is_other()
            && now.since(state.steady_since) >= anger.dwell
        {
            let lasted = now.since(state.steady_since);
            let rule = Rule::Dwelt { stress, lasted, dwell: anger.dwell };
            return (feeling(&anger.emotion, affect, agency), Source::Anger, rule);
        }
        let rule = match state.level.cmp(&was) {
            std::cmp::Ordering::Greater => {
                let threshold = scale.thresholds[state.level - 1];
                let quickened = matches!(input, Input::Measured { .. } | Input::Negative { .. });
                Rule::Reached { stress, quickening: quickened.then_some(self.quickening), threshold }
            }
            std::cmp::Ordering::Less => Rule::Fell { stress, below: scale.leaves_below(state.level + 1) },
            std::cmp::Ordering::Equal => Rule::Same { stress },
        };
        (feeling(&scale.levels[state.level], affect, agency), Source::Scale, rule)
    }

    /// Internal beliefs: the robot changes its mind about itself.
    fn believe(&self, state: &mut State, now: Time, name: &Name) -> Result<(Next, Source, Rule), Flaw> {
        let belief = self.table.belief(name)?;
        let held = state.held.as_ref().map(|held| held.belief.clone());
        let replaced = held.filter(|held| belief.replaces.as_ref() == Some(held));
        if state.held.is_some() && replaced.is_none() && !belief.holds {
            // A thought that does not put an end to the one that holds does not count against it.
            let rule = Rule::Believed { says: belief.says.clone(), holds: false, replaces: None };
            return Ok((unmoved(state), state.source.clone(), rule));
        }
        if replaced.is_some() {
            state.held = None;
        }
        if belief.holds && state.held.as_ref().is_none_or(|held| held.belief != *name) {
            state.held = Some(Held { belief: name.clone(), since: now });
        }
        let replaces = replaced.and_then(|name| self.table.belief(&name).ok()).map(|old| old.says.clone());
        let rule = Rule::Believed { says: belief.says.clone(), holds: belief.holds, replaces };
        Ok((self.as_such(&belief.emotion, None, Agency::Own, state), Source::Within, rule))
    }

    /// A rule of the robot's own. An emotion of the scale counts as its level, for what comes after.
    fn appraise(
        &self,
        state: &mut State,
        now: Time,
        emotion: &str,
        intensity: Option<Intensity>,
        agency: Agency,
    ) -> Result<(Next, Source, Rule), Flaw> {
        let name = self.table.known_emotion(emotion, &["emotion"])?;
        if state.held.is_some() {
            return Ok((unmoved(state), Source::Within, Rule::Appraised));
        }
        let source = match self.scale.level_of(&name) {
            Some(level) => {
                if std::mem::replace(&mut state.level, level) != level {
                    state.steady_since = now;
                }
                Source::Scale
            }
            None => Source::Within,
        };
        Ok((self.as_such(&name, intensity, agency, state), source, Rule::Appraised))
    }

    /// An emotion as the table has it, for want of a measure.
    fn as_such(&self, name: &Name, intensity: Option<Intensity>, agency: Agency, state: &State) -> Next {
        let record = self.table.emotion(name).expect("the name was looked up");
        let valence = match record.valence {
            Leaning::Positive => Valence::Positive,
            Leaning::Negative => Valence::Negative,
            // Surprise: as things stand.
            Leaning::Either => self.scale.affect(state.stress).valence,
        };
        let intensity = intensity.unwrap_or_else(|| record.intensity.intensity());
        feeling(name, Affect { valence, intensity }, agency)
    }

    /// "if the waiter is frustrated at its assistant, the agency parameter will be 'assistant'; but if the agent is
    /// happy, agency will point to 'self'".
    fn agency(&self, valence: Valence, story: &Story) -> Agency {
        match (valence, &story.agent) {
            (Valence::Positive, _) => Agency::Own,
            (Valence::Negative, Some(agent)) => Agency::Named(agent.clone()),
            (Valence::Negative, None) => Agency::Other,
        }
    }

    /// Sensory-motor level: what to multiply a speed with.
    pub fn speed_factor(&self, state: &State) -> f64 {
        self.role.motor.factor(state.emotion.affect)
    }

    /// Schematic level: the behaviours that the present emotion makes active.
    pub fn behaviours(&self, state: &State) -> &[Name] {
        levels::behaviours(&self.role, &state.emotion.name)
    }

    /// Conceptual level: what the robot would rather do; nothing if it has no such level.
    pub fn deliberate(&self, state: &State, prospects: &[Prospect]) -> Option<Decision> {
        self.conceptual.then(|| levels::deliberate(&self.scale, &state.experience, prospects)).flatten()
    }
}

/// What is felt next: an emotion before it is known since when and about what.
struct Next {
    name: Name,
    affect: Affect,
    agency: Agency,
}

fn feeling(name: &Name, affect: Affect, agency: Agency) -> Next {
    Next { name: name.clone(), affect, agency }
}

/// The same as before.
fn unmoved(state: &State) -> Next {
    feeling(&state.emotion.name, state.emotion.affect, state.emotion.agency.clone())
}
