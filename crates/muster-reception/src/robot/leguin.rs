//! Leguin, the refiller: waits at the food table, brings treats when she is told to, faster when she is told to hurry, and
//! goes home again. [CARS, Experimental Results]; Table 2, second column. Vonda is "essentially a clone of Leguin with the
//! exception of the change of name".
//!
//! As for [`butler`](super::butler): what she does is the paper's, how she reckons is ours.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::saved::{Garbled, pack, unpack};
use super::{Body, Bsg, Esg, Frame, Legs, Place, Schemata, TwoPart, Variables, command, settings, variable};
use muster_core::affect::{
    Agency, Change, Emotion, Flaw, Generator, Input, Intensity, Name, Personality, State, Story, Stress, Table,
};
use muster_core::panel::{Feeling, Field};
use muster_core::time::{Duration, Time};

/// At the table; jokes while there is nothing else to do.
pub const WAIT: &str = "WAIT";
pub use super::behavior::REFILL;
/// Hands over treats.
pub const EXCHANGE: &str = "EXCHANGE";
/// Stands where the exchange was until she is told to go home.
pub const AWAIT_RELEASE: &str = "AWAIT_RELEASE";
/// On the way to the table.
pub const GO_HOME: &str = "GO_HOME";

/// The role in the table of emotions.
const ROLE: &str = "refiller";
/// Behaviour names of Table 2, as an emotion makes them active.
const JOKE: &str = "Joke";
const SERVE: &str = "Serve";
const INCREASE_SPEED: &str = "IncreaseSpeed";
const TO_GO_HOME: &str = "GoHome";

/// Whose doing it is that the way is blocked.
const ENVIRONMENT: &str = "environment";

/// Everything about a refiller that does not change in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default = "Config::cars_2002", deny_unknown_fields)]
pub struct Config {
    /// Her name in the team.
    pub name: Name,
    /// Whom she brings treats.
    pub waiter: Name,
    /// `c`: how cautious she is.
    pub caution: Intensity,
    /// How fast she goes, in feet per second.
    pub normal_fps: f64,
    /// How fast when that is urgent, in feet per second.
    pub concerned_fps: f64,
    /// How near the two have to be for an exchange, in feet.
    pub exchange_ft: f64,
    /// How long an exchange takes, in seconds.
    pub exchange_s: f64,
    /// She is home when she is this near to where she started, in feet.
    pub home_ft: f64,
    /// She gets on if she comes nearer by this, in feet.
    pub progress_ft: f64,
    /// She is concerned when she has not got on for so long, in seconds.
    pub concerned_after_s: f64,
    /// She gives up when she has not got on for so long, in seconds.
    pub frustrated_after_s: f64,
}

impl Config {
    /// Leguin as at the paper's reception. CARS gives the names and the four feet; all other values are ours.
    pub fn cars_2002() -> Self {
        Self {
            name: "Leguin".into(),
            waiter: "Butler".into(),
            caution: Intensity::clamped(0.5),
            normal_fps: 1.0,
            concerned_fps: 2.0,
            exchange_ft: 4.0,
            exchange_s: 3.0,
            home_ft: 1.0,
            progress_ft: 0.5,
            concerned_after_s: 5.0,
            frustrated_after_s: 60.0,
        }
    }

    /// Refuses names, counts and speeds that cannot be.
    pub fn check(&self) -> Result<(), Flaw> {
        settings::named(&[("name", &self.name), ("waiter", &self.waiter)])?;
        settings::positive(&[
            ("normal_fps", self.normal_fps),
            ("concerned_fps", self.concerned_fps),
            ("exchange_ft", self.exchange_ft),
            ("exchange_s", self.exchange_s),
            ("home_ft", self.home_ft),
            ("progress_ft", self.progress_ft),
            ("concerned_after_s", self.concerned_after_s),
            ("frustrated_after_s", self.frustrated_after_s),
        ])
    }

    /// The third robot: Leguin by another name.
    pub fn vonda() -> Self {
        Self { name: "Vonda".into(), ..Self::cars_2002() }
    }
}

/// A refiller's body and variables: all that her two generators share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refiller {
    /// What does not change.
    pub config: Arc<Config>,
    /// How she gets about.
    pub legs: Legs,
    /// What she was told last.
    pub command: Option<Name>,
    /// What she was told and has not taken in yet.
    inbox: Vec<Name>,
    /// She was told to hurry.
    pub hurried: bool,
    /// Where the waiter is, if there is one.
    pub waiter_at: Option<Place>,
    /// The waiter's treats last for so long, in seconds, if it says so.
    pub deadline_s: Option<f64>,
    /// The nearest she has come on this trip, in feet, give or take the least progress.
    best_ft: Option<f64>,
    improved_at: Time,
    /// How long she has not got on.
    pub blocked: Duration,
    /// How fast she goes at present when she goes, in feet per second.
    pub pace_fps: f64,
    /// How often she set out.
    pub trips: u32,
}

impl Refiller {
    /// How far the waiter is, in feet.
    pub fn distance_ft(&self) -> Option<f64> {
        self.waiter_at.map(|waiter| self.legs.place().distance_ft(waiter))
    }

    /// How long she needs at her usual pace, in seconds. Not at the present one: being fast would calm her down, and being
    /// calm would slow her down again.
    pub fn eta_s(&self) -> f64 {
        let to_go_ft = |distance_ft: f64| (distance_ft - self.config.exchange_ft).max(0.0);
        self.distance_ft().map_or(f64::INFINITY, |distance_ft| to_go_ft(distance_ft) / self.config.normal_fps)
    }

    /// `u`: how long she needs against how long treats last, made worse by caution.
    fn urgency(&self, quickening: f64) -> Stress {
        self.deadline_s.map_or(Stress::NONE, |deadline_s| Stress::of(quickening, self.eta_s(), deadline_s.max(1e-9)))
    }

    fn set_out(&mut self, now: Time) {
        (self.best_ft, self.improved_at) = (None, now);
        self.trips += 1;
    }
}

impl Body for Refiller {
    type Config = Config;
    type Marks = ();

    fn new(config: Arc<Config>) -> Self {
        Self {
            legs: Legs::default(),
            command: None,
            inbox: Vec::new(),
            hurried: false,
            waiter_at: None,
            deadline_s: None,
            best_ft: None,
            improved_at: Time::ZERO,
            blocked: Duration::ZERO,
            pace_fps: config.normal_fps,
            trips: 0,
            config,
        }
    }

    fn config(&self) -> &Arc<Config> {
        &self.config
    }

    fn name(&self) -> &Name {
        &self.config.name
    }

    fn legs(&self) -> &Legs {
        &self.legs
    }

    fn legs_mut(&mut self) -> &mut Legs {
        &mut self.legs
    }

    fn update(&mut self, frame: &mut Frame<'_>, behavior: &str) {
        let waiter = &self.config.waiter;
        self.waiter_at = frame.team.get_robot_location(waiter);
        self.deadline_s =
            frame.team.get_robot_state_variables(waiter).and_then(|all| all.number(variable::TIME_TO_EMPTY));
        if behavior != REFILL {
            self.blocked = Duration::ZERO;
        } else if let Some(distance_ft) = self.distance_ft() {
            if self.best_ft.is_none_or(|best_ft| best_ft - distance_ft >= self.config.progress_ft) {
                (self.best_ft, self.improved_at) = (Some(distance_ft), frame.now);
            }
            self.blocked = frame.now.since(self.improved_at);
        }
    }

    fn hear(&mut self, command: &str) {
        self.hurried |= command == command::HURRY;
        self.inbox.push(command.into());
        self.command = Some(command.into());
    }

    fn variables(&self, esg: &dyn Esg<Self>) -> Variables {
        let mut variables = Variables::new();
        if let Some(command) = &self.command {
            variables.set("command", command);
        }
        variables.set("hurried", self.hurried);
        if let Some(distance_ft) = self.distance_ft() {
            variables.set("distanceToWaiter", distance_ft);
        }
        variables.set("eta", self.eta_s());
        if let Some(deadline_s) = self.deadline_s {
            variables.set("deadline", deadline_s);
        }
        variables
            .with("blockedTime", self.blocked.as_secs_f64())
            .with("speed", self.pace_fps)
            .with("caution", self.config.caution.get())
            .with("trips", self.trips)
            .with("emotionAgency", &*esg.emotion().agency.to_string())
    }

    fn shown(&self, variable: Field, _marks: Option<&()>) -> Field {
        let config = &self.config;
        match variable.label.as_str() {
            "blockedTime" => variable.as_gauge((0.0, config.frustrated_after_s), Some(config.concerned_after_s)),
            "speed" => variable.as_gauge((0.0, config.concerned_fps.max(config.normal_fps)), Some(config.normal_fps)),
            _ => variable,
        }
    }
}

/// Leguin's emotion state generator: rules of her own, not a measure.
#[derive(Clone, Debug, PartialEq)]
pub struct RefillerEsg {
    generator: Generator,
    state: State,
    idle: Name,
    busy: Name,
    urgent: Name,
    at_a_loss: Name,
}

impl RefillerEsg {
    /// For a refiller.
    pub fn new(config: &Config, table: Arc<Table>) -> Result<Self, Flaw> {
        let generator = Generator::new(table, ROLE, Personality::cautious(config.caution))?;
        let schemata = Schemata::of(&generator);
        let state = generator.start(Time::ZERO, Story::new("to bring treats", config.waiter.clone()));
        Ok(Self {
            idle: schemata.emotion_for(JOKE)?,
            busy: schemata.emotion_for(SERVE)?,
            urgent: schemata.emotion_for(INCREASE_SPEED)?,
            at_a_loss: schemata.emotion_for(TO_GO_HOME)?,
            generator,
            state,
        })
    }
}

impl Esg<Refiller> for RefillerEsg {
    fn start(&mut self, now: Time) {
        self.state = self.generator.start(now, self.state.emotion().story.clone());
    }

    fn feel(&mut self, now: Time, behavior: &str, refiller: &Refiller) -> Option<Change> {
        let config = &refiller.config;
        let environment = || Agency::Named(ENVIRONMENT.into());
        let urgency = refiller.urgency(self.generator.quickening());
        let blocked = refiller.blocked;
        let (emotion, agency, why) = match behavior {
            REFILL if blocked.as_secs_f64() >= config.frustrated_after_s => {
                (&self.at_a_loss, environment(), format!("no way through for {blocked:.0}"))
            }
            REFILL if refiller.hurried => {
                (&self.urgent, Agency::Named(config.waiter.clone()), format!("{} says hurry", config.waiter))
            }
            REFILL if blocked.as_secs_f64() >= config.concerned_after_s => {
                (&self.urgent, environment(), format!("no way through for {blocked:.0}"))
            }
            REFILL if urgency >= Stress::new(1.0) => {
                (&self.urgent, Agency::Own, format!("late by urgency {urgency:.2}"))
            }
            REFILL => (&self.busy, Agency::Own, "on the way".to_owned()),
            GO_HOME => (&self.busy, Agency::Own, "on the way home".to_owned()),
            _ => (&self.idle, Agency::Own, "nowhere to go".to_owned()),
        };
        let input = Input::Appraised { emotion: emotion.clone(), intensity: None, agency, why: why.into() };
        self.generator.feel(&mut self.state, now, input).expect("her emotions were looked up").change
    }

    fn emotion(&self) -> &Emotion {
        self.state.emotion()
    }

    fn stress(&self) -> Option<Stress> {
        None
    }

    fn feeling(&self) -> Option<Feeling> {
        Some(Feeling::of(self.state.emotion(), self.generator.table()))
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(pack(&self.state))
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), Garbled> {
        self.state = self.generator.resume(unpack(saved)?).map_err(|flaw| Garbled::new(flaw.message))?;
        Ok(())
    }
}

/// Leguin's behaviour state generator.
#[derive(Clone, Debug, PartialEq)]
pub struct RefillerBsg {
    schemata: Schemata,
    doing: Doing,
}

#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Doing {
    Wait { joked: bool },
    Refill,
    Exchange { since: Time, released: bool },
    AwaitRelease { released: bool },
    GoHome,
}

impl RefillerBsg {
    /// By Table 2 as `table` has it.
    pub fn new(config: &Config, table: Arc<Table>) -> Result<Self, Flaw> {
        let generator = Generator::new(table, ROLE, Personality::cautious(config.caution))?;
        Ok(Self { schemata: Schemata::of(&generator), doing: Doing::Wait { joked: false } })
    }

    fn obey(&mut self, now: Time, told: &str, refiller: &mut Refiller) {
        self.doing = match (self.doing, told) {
            // "A hurry implies a refill if none is active."
            // So does one after an exchange: "go home" may have been lost on the way.
            (Doing::Wait { .. } | Doing::AwaitRelease { .. } | Doing::GoHome, command::REFILL | command::HURRY) => {
                refiller.set_out(now);
                Doing::Refill
            }
            (Doing::Refill, command::EXCHANGE) => Doing::Exchange { since: now, released: false },
            // The waiter is done a moment before she is.
            (Doing::Exchange { since, .. }, command::GO_HOME) => Doing::Exchange { since, released: true },
            (Doing::AwaitRelease { .. } | Doing::Refill, command::GO_HOME) => Doing::GoHome,
            // Late, doubled, out of turn, or nothing that she knows.
            (as_before, _) => as_before,
        };
    }
}

impl Bsg<Refiller> for RefillerBsg {
    fn start(&mut self) {
        self.doing = Doing::Wait { joked: false };
    }

    fn decide(&mut self, frame: &mut Frame<'_>, emotion: &str, refiller: &mut Refiller) {
        let config = Arc::clone(&refiller.config);
        if self.doing == (Doing::AwaitRelease { released: true }) {
            self.doing = Doing::GoHome;
        }
        // Table 2: change current strategy. But not within reach: in this very phase the waiter may begin an exchange.
        let within_reach = refiller.distance_ft().is_some_and(|distance_ft| distance_ft <= config.exchange_ft);
        if self.doing == Doing::Refill && !within_reach && self.schemata.active(emotion, TO_GO_HOME) {
            self.doing = Doing::GoHome;
            refiller.hurried = false;
        }
        for told in std::mem::take(&mut refiller.inbox) {
            self.obey(frame.now, &told, refiller);
        }
        if let Doing::Exchange { since, released } = self.doing
            && frame.now.since(since).as_secs_f64() >= config.exchange_s
        {
            self.doing = Doing::AwaitRelease { released };
        }
        if self.doing == Doing::GoHome && refiller.legs.place().distance_ft(refiller.legs.start()) <= config.home_ft {
            self.doing = Doing::Wait { joked: false };
        }
        if self.doing != Doing::Refill {
            refiller.hurried = false;
        }
        refiller.pace_fps = config.normal_fps;
        match &mut self.doing {
            Doing::Wait { joked } => {
                refiller.legs.stand();
                if !*joked && self.schemata.active(emotion, JOKE) {
                    *joked = true;
                    frame.note("tells a joke");
                }
            }
            Doing::Exchange { .. } | Doing::AwaitRelease { .. } => refiller.legs.stand(),
            Doing::Refill => {
                if self.schemata.active(emotion, INCREASE_SPEED) {
                    refiller.pace_fps = config.concerned_fps;
                }
                match refiller.waiter_at {
                    Some(waiter) if !within_reach => {
                        refiller.legs.head_for(waiter, refiller.pace_fps, frame.dice);
                    }
                    // The rest is the waiter's.
                    _ => refiller.legs.stand(),
                }
            }
            Doing::GoHome => refiller.legs.head_for(refiller.legs.start(), config.normal_fps, frame.dice),
        }
    }

    fn behavior(&self) -> &'static str {
        match self.doing {
            Doing::Wait { .. } => WAIT,
            Doing::Refill => REFILL,
            Doing::Exchange { .. } => EXCHANGE,
            Doing::AwaitRelease { .. } => AWAIT_RELEASE,
            Doing::GoHome => GO_HOME,
        }
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(pack(&self.doing))
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), Garbled> {
        self.doing = unpack(saved)?;
        Ok(())
    }
}

/// The refiller.
pub type Leguin = TwoPart<Refiller>;

impl Leguin {
    /// A refiller whose emotions are those of `table`.
    pub fn new(config: Config, table: Arc<Table>) -> Result<Self, Flaw> {
        config.check()?;
        let esg = RefillerEsg::new(&config, table.clone())?;
        let bsg = RefillerBsg::new(&config, table)?;
        Ok(Self::made(config, esg, bsg, None))
    }
}
