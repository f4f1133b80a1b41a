//! Butler, the waiter: serves treats on a random walk, calls for a refill in time, and if that does not come goes to meet
//! it. [CARS, Experimental Results]; Table 2, first column.
//!
//! The generators of the paper's robots were published elsewhere (Murphy, Lisetti et al. 2002) and could not be had. What
//! they lead to is the paper's, how they reckon is ours.

use std::f64::consts::TAU;
use std::sync::Arc;

use super::leguin;
use serde::{Deserialize, Serialize};

use super::saved::{Garbled, pack, unpack};
use super::{Bsg, Esg, Frame, Legs, Place, Robot, Schemata, Variables, command, parts, settings};
use muster_core::affect::levels::{Experience, Prospect, deliberate};
use muster_core::affect::{
    Change, Emotion, Flaw, Generator, Input, Intensity, Name, Personality, State, Story, Stress, Table,
};
use muster_core::panel::{Feeling, Field};
use muster_core::rng::Triangular;
use muster_core::time::{Duration, Time};

/// Walks at random and serves.
pub const SERVE: &str = "SERVE";
/// Goes to meet the refiller, and serves nobody.
pub const INTERCEPT: &str = "INTERCEPT";
/// Takes treats from the refiller.
pub const EXCHANGE: &str = "EXCHANGE";
/// Goes back to where it started, and serves on the way.
pub const GO_BACK: &str = "GO_BACK";
/// ANGRY: gets the treats itself. Ours.
pub const REFILL_AT_TABLE: &str = "REFILL_AT_TABLE";

/// The role in the table of emotions.
const ROLE: &str = "waiter";
/// What Table 2 calls that which an emotion makes active.
const CALL_FOR_REFILL: &str = "CallForRefill";
const ASK_TO_HURRY: &str = "AskToHurry";
const TO_INTERCEPT: &str = "Intercept";
/// To do nothing of that kind.
const WAIT: &str = "wait";
const TO_REFILL_AT_TABLE: &str = "RefillAtTable";

/// Everything about a waiter that does not change in a run. Thresholds and hysteresis are the table's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default = "Config::cars_2002", deny_unknown_fields)]
pub struct Config {
    /// What it is called.
    pub name: Name,
    /// Whom it calls for a refill.
    pub refiller: Name,
    /// `c`: how cautious it is.
    pub caution: Intensity,
    /// `N`: treats on a full tray.
    pub treats: u32,
    /// `mu`: the mean time until the next treat is taken, in seconds; exponential.
    pub consumption_mean_s: f64,
    /// How fast it walks about, in feet per second.
    pub walk_fps: f64,
    /// For how long it walks straight on, in seconds, unless something is in the way.
    pub straight_s: Triangular,
    /// How fast it goes to meet the refiller, in feet per second.
    pub intercept_fps: f64,
    /// How fast it goes back, in feet per second.
    pub go_back_fps: f64,
    /// It is back when it is this near to where it started, in feet.
    pub back_ft: f64,
    /// How near the two have to be for an exchange, in feet.
    pub exchange_ft: f64,
    /// How long an exchange takes, in seconds.
    pub exchange_s: f64,
    /// How long it waits between two "hurry", in seconds.
    pub hurry_every_s: f64,
    /// How fast it takes the refiller to come before it was called, in feet per second.
    pub refiller_fps: f64,
    /// The refiller is taken to come this fast at least, in feet per second, or time to refill would have no bound.
    pub least_closing_fps: f64,
    /// How much of the speed at which the refiller came counts on with each second; the rest is what was just seen.
    pub closing_memory: f64,
    /// Where treats come from, for a waiter that gets them itself.
    pub table: Place,
    /// It may get ANGRY, see docs/emotions.md.
    pub angry: bool,
    /// It has the conceptual level of Table 3, too: once it has called, it does what it expects to feel least bad about.
    pub conceptual: bool,
}

impl Config {
    /// What cannot be.
    pub fn check(&self) -> Result<(), Flaw> {
        settings::named(&[("name", &self.name), ("refiller", &self.refiller)])?;
        settings::count("treats", self.treats)?;
        settings::positive(&[
            ("consumption_mean_s", self.consumption_mean_s),
            ("walk_fps", self.walk_fps),
            ("intercept_fps", self.intercept_fps),
            ("go_back_fps", self.go_back_fps),
            ("back_ft", self.back_ft),
            ("exchange_ft", self.exchange_ft),
            ("exchange_s", self.exchange_s),
            ("hurry_every_s", self.hurry_every_s),
            ("refiller_fps", self.refiller_fps),
            ("least_closing_fps", self.least_closing_fps),
        ])?;
        settings::share("closing_memory", self.closing_memory)
    }

    /// Butler as at the paper's reception. CARS gives the names, 30 treats, four feet, and that treats go by an
    /// exponential distribution, and fast; all other values are ours.
    pub fn cars_2002() -> Self {
        Self {
            name: "Butler".into(),
            refiller: "Leguin".into(),
            caution: Intensity::clamped(0.5),
            treats: 30,
            consumption_mean_s: 3.0,
            walk_fps: 0.5,
            straight_s: Triangular::new(3.0, 6.0, 12.0).expect("they are in order"),
            intercept_fps: 1.5,
            go_back_fps: 1.0,
            back_ft: 1.0,
            exchange_ft: 4.0,
            exchange_s: 3.0,
            hurry_every_s: 10.0,
            refiller_fps: 1.0,
            least_closing_fps: 0.25,
            closing_memory: 0.8,
            table: Place::new(25.0, 3.0),
            angry: false,
            conceptual: false,
        }
    }
}

/// A waiter's body and variables: all that its two generators share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Waiter {
    /// What does not change.
    pub config: Arc<Config>,
    /// How it gets about.
    pub legs: Legs,
    /// Treats that are left.
    pub treats: u32,
    /// How far the refiller is, in feet; nothing if there is none.
    pub distance_ft: Option<f64>,
    /// How fast it has been coming lately, in feet per second.
    pub closing_fps: f64,
    /// It was called.
    pub refill_requested: bool,
    /// When it was last told to hurry.
    pub last_hurry: Option<Time>,
    /// How often the tray was filled.
    pub exchanges: u32,
    /// Seconds of serving until the next treat is taken.
    until_treat_s: f64,
    updated: Time,
}

impl Waiter {
    fn new(config: Arc<Config>) -> Self {
        Self {
            legs: Legs::default(),
            treats: config.treats,
            distance_ft: None,
            closing_fps: config.refiller_fps,
            refill_requested: false,
            last_hurry: None,
            exchanges: 0,
            until_treat_s: config.consumption_mean_s,
            updated: Time::ZERO,
            config,
        }
    }

    /// How long treats will last, in seconds.
    pub fn time_to_empty_s(&self) -> f64 {
        f64::from(self.treats) * self.config.consumption_mean_s
    }

    /// How long it takes until the refiller is here, in seconds; for ever if there is none.
    pub fn time_to_refill_s(&self) -> f64 {
        let Some(distance_ft) = self.distance_ft else { return f64::INFINITY };
        let coming_fps = self.closing_fps.max(self.config.least_closing_fps);
        let speed_fps = if self.refill_requested { coming_fps } else { self.config.refiller_fps };
        (distance_ft - self.config.exchange_ft).max(0.0) / speed_fps
    }

    fn update(&mut self, frame: &mut Frame<'_>, behavior: &str) {
        let config = Arc::clone(&self.config);
        let seconds = frame.now.since(self.updated).as_secs_f64();
        self.updated = frame.now;
        if matches!(behavior, SERVE | GO_BACK) && self.treats > 0 {
            self.until_treat_s -= seconds;
            while self.until_treat_s <= 0.0 && self.treats > 0 {
                self.treats -= 1;
                self.until_treat_s += frame.dice.exponential(config.consumption_mean_s);
            }
            if self.treats == 0 {
                frame.note("runs out of treats");
            }
        }
        let before_ft = self.distance_ft;
        let place = self.legs.place();
        self.distance_ft = frame.team.get_robot_location(&config.refiller).map(|other| place.distance_ft(other));
        if let (true, Some(before_ft), Some(now_ft)) =
            (self.refill_requested && seconds > 0.0, before_ft, self.distance_ft)
        {
            let seen_fps = ((before_ft - now_ft) / seconds).max(0.0);
            self.closing_fps = config.closing_memory * self.closing_fps + (1.0 - config.closing_memory) * seen_fps;
        }
    }
}

/// Butler's emotion state generator: how long until treats come, against how long they last.
#[derive(Clone, Debug, PartialEq)]
pub struct WaiterEsg {
    generator: Generator,
    state: State,
    /// Exchanges that were taken in.
    exchanges: u32,
}

impl WaiterEsg {
    /// For a waiter.
    pub fn new(config: &Config, table: Arc<Table>) -> Result<Self, Flaw> {
        let generator = Generator::new(table, ROLE, Personality::cautious(config.caution))?.with_anger(config.angry);
        let state = generator.start(Time::ZERO, Story::new("treats for the guests", config.refiller.clone()));
        Ok(Self { generator, state, exchanges: 0 })
    }
}

impl Esg<Waiter> for WaiterEsg {
    fn start(&mut self, now: Time) {
        self.state = self.generator.start(now, self.state.emotion().story.clone());
        self.exchanges = 0;
    }

    fn feel(&mut self, now: Time, _behavior: &str, waiter: &Waiter) -> Option<Change> {
        let input = if waiter.exchanges > self.exchanges {
            Input::Positive { importance: Intensity::FULL, what: "a full tray".into() }
        } else {
            Input::Measured { needed: waiter.time_to_refill_s(), left: waiter.time_to_empty_s() }
        };
        self.exchanges = waiter.exchanges;
        self.generator.feel(&mut self.state, now, input).expect("measures name nothing that could be unknown").change
    }

    fn emotion(&self) -> &Emotion {
        self.state.emotion()
    }

    fn stress(&self) -> Option<Stress> {
        Some(self.state.stress())
    }

    fn feeling(&self) -> Option<Feeling> {
        Some(Feeling::of(self.state.emotion(), self.generator.table()))
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(pack(&(&self.state, self.exchanges)))
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), Garbled> {
        let (state, exchanges) = unpack(saved)?;
        self.state = self.generator.resume(state).map_err(|flaw| Garbled::new(flaw.message))?;
        self.exchanges = exchanges;
        Ok(())
    }
}

/// Butler's behaviour state generator: the first rule that holds.
#[derive(Clone, Debug, PartialEq)]
pub struct WaiterBsg {
    schemata: Schemata,
    quickening: f64,
    doing: Doing,
    /// What it last thought best.
    prefers: Option<Name>,
}

#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Doing {
    Serve { turn_at: Option<Time> },
    Intercept,
    Exchange { since: Time },
    GoBack,
    RefillAtTable,
}

impl WaiterBsg {
    /// By Table 2 as `table` has it.
    pub fn new(config: &Config, table: Arc<Table>) -> Result<Self, Flaw> {
        let generator = Generator::new(table, ROLE, Personality::cautious(config.caution))?;
        let (schemata, quickening) = (Schemata::of(&generator), generator.quickening());
        // A table in which nothing ever makes it call would leave it without treats for ever.
        for needed in [CALL_FOR_REFILL, ASK_TO_HURRY, TO_INTERCEPT] {
            schemata.emotion_for(needed)?;
        }
        Ok(Self { schemata, quickening, doing: Doing::Serve { turn_at: None }, prefers: None })
    }

    /// Ours. Conceptual level: how much stress each option would come to, if treats are reckoned against the time that the
    /// refiller then needs. Waiting comes first and intercepting last: what feels no better is not worth the trouble.
    fn deliberate(&mut self, frame: &mut Frame<'_>, waiter: &Waiter) -> Option<Name> {
        let config = &waiter.config;
        let coming_fps = waiter.closing_fps.max(config.least_closing_fps);
        let with = |speed_fps: f64| {
            let needed_s = waiter.time_to_refill_s() * coming_fps / speed_fps;
            Stress::of(self.quickening, needed_s, waiter.time_to_empty_s())
        };
        // Whoever hurries is taken to come twice as fast.
        let stress = [coming_fps, 2.0 * coming_fps, coming_fps + config.intercept_fps].map(with);
        // With nothing left all is equally bad, and there is nothing to weigh: what it feels decides.
        if stress.iter().all(|it| *it == stress[0]) {
            self.prefers = None;
            return None;
        }
        let options = [WAIT, command::HURRY, TO_INTERCEPT];
        let prospects = [0, 1, 2].map(|option| Prospect::certain(options[option], stress[option]));
        let decision = deliberate(self.schemata.scale(), &Experience::default(), &prospects)?;
        let option = decision.option().clone();
        if self.prefers.replace(option.clone()).as_ref() != Some(&option) {
            frame.note(decision.to_string());
        }
        Some(option)
    }

    fn exchange(&mut self, frame: &mut Frame<'_>, waiter: &mut Waiter) {
        self.doing = Doing::Exchange { since: frame.now };
        waiter.legs.stand();
    }
}

impl Bsg<Waiter> for WaiterBsg {
    fn start(&mut self) {
        (self.doing, self.prefers) = (Doing::Serve { turn_at: None }, None);
    }

    fn decide(&mut self, frame: &mut Frame<'_>, emotion: &str, waiter: &mut Waiter) {
        let config = Arc::clone(&waiter.config);
        let start = waiter.legs.start();
        // 2 and 3: an exchange takes its time.
        if let Doing::Exchange { since } = self.doing {
            if frame.now.since(since).as_secs_f64() >= config.exchange_s {
                waiter.treats = config.treats;
                waiter.refill_requested = false;
                waiter.exchanges += 1;
                frame.note(format!("has {} treats again", waiter.treats));
                frame.team.set_robot_command(&config.refiller, command::GO_HOME);
                self.doing = Doing::GoBack;
                waiter.legs.head_for(start, config.go_back_fps, frame.dice);
            }
            return;
        }
        // 1: "whether or not Butler was in intercept mode, when the two robots came within four feet of each other, they
        // entered exchange mode".
        let near = waiter.distance_ft.filter(|distance_ft| *distance_ft <= config.exchange_ft);
        if let (true, Some(distance_ft)) = (waiter.refill_requested, near)
            && frame.team.get_robot_behavior_state(&config.refiller).is_some_and(|other| other == leguin::REFILL)
        {
            frame.team.set_robot_command(&config.refiller, command::EXCHANGE);
            frame.note(format!("meets {} at {distance_ft:.2} ft", config.refiller));
            return self.exchange(frame, waiter);
        }
        // [OWN] ANGRY: regains control by doing it itself.
        if self.schemata.active(emotion, TO_REFILL_AT_TABLE) {
            if waiter.legs.place().distance_ft(config.table) <= config.exchange_ft {
                frame.note("takes treats from the table");
                return self.exchange(frame, waiter);
            }
            self.doing = Doing::RefillAtTable;
            return waiter.legs.head_for(config.table, config.intercept_fps, frame.dice);
        }
        // 4
        if !waiter.refill_requested && self.schemata.urged(emotion, CALL_FOR_REFILL) {
            waiter.refill_requested = frame.team.set_robot_command(&config.refiller, command::REFILL).is_some();
            // Until it is seen to come it is taken to come as usual. With nothing seen yet counted as standing still,
            // every call would frustrate at once.
            waiter.closing_fps = config.refiller_fps;
        }
        let thinks = config.conceptual && waiter.refill_requested;
        let prefers = if thinks { self.deliberate(frame, waiter) } else { None };
        let urged = |behavior| match prefers.as_deref() {
            None => self.schemata.urged(emotion, behavior),
            Some(TO_INTERCEPT) => true,
            Some(command::HURRY) => behavior == ASK_TO_HURRY,
            Some(_) => false,
        };
        let (hurries, intercepts) = (urged(ASK_TO_HURRY), urged(TO_INTERCEPT));
        // 5. Ours: a waiter that goes to meet a refiller who has turned back tells her again. Without it the two could
        // stand side by side for ever: so near to treats the waiter is happy and says nothing, and she waits to be told.
        let coming = |other: Name| other == leguin::REFILL;
        let turned_back = self.doing == Doing::Intercept
            && frame.team.get_robot_behavior_state(&config.refiller).is_some_and(|other| !coming(other));
        let rested = waiter.last_hurry.is_none_or(|last| frame.now.since(last).as_secs_f64() >= config.hurry_every_s);
        if waiter.refill_requested && rested && (hurries || turned_back) {
            frame.team.set_robot_command(&config.refiller, command::HURRY);
            waiter.last_hurry = Some(frame.now);
        }
        // 6: to intercept is kept up until the exchange. Given up as soon as things look better, they look worse at once,
        // and the waiter goes to and fro.
        if waiter.refill_requested && (intercepts || self.doing == Doing::Intercept) {
            self.doing = Doing::Intercept;
            return match frame.team.get_robot_location(&config.refiller) {
                Some(other) => waiter.legs.head_for(other, config.intercept_fps, frame.dice),
                None => waiter.legs.stand(),
            };
        }
        // 7 and 8
        if self.doing == Doing::GoBack && waiter.legs.place().distance_ft(start) > config.back_ft {
            return waiter.legs.head_for(start, config.go_back_fps, frame.dice);
        }
        // 9
        let turn_at = if let Doing::Serve { turn_at } = self.doing { turn_at } else { None };
        if turn_at.is_none_or(|at| frame.now >= at) || waiter.legs.blocked() {
            waiter.legs.walk(TAU * frame.dice.uniform(), config.walk_fps);
            let straight = Duration::from_secs_f64(config.straight_s.draw(frame.dice));
            self.doing = Doing::Serve { turn_at: Some(frame.now + straight) };
        }
    }

    fn behavior(&self) -> &'static str {
        match self.doing {
            Doing::Serve { .. } => SERVE,
            Doing::Intercept => INTERCEPT,
            Doing::Exchange { .. } => EXCHANGE,
            Doing::GoBack => GO_BACK,
            Doing::RefillAtTable => REFILL_AT_TABLE,
        }
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(pack(&(self.doing, &self.prefers)))
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), Garbled> {
        (self.doing, self.prefers) = unpack(saved)?;
        Ok(())
    }
}

/// The waiter.
pub struct Butler {
    /// Its body and variables.
    pub waiter: Waiter,
    esg: Box<dyn Esg<Waiter>>,
    bsg: Box<dyn Bsg<Waiter>>,
    /// What makes its stress, and how much of it makes it call; nothing if either part is another one.
    calls: Option<(f64, f64)>,
}

impl Butler {
    /// A waiter whose emotions are those of `table`.
    pub fn new(config: Config, table: Arc<Table>) -> Result<Self, Flaw> {
        config.check()?;
        let esg = Box::new(WaiterEsg::new(&config, table.clone())?);
        let bsg = Box::new(WaiterBsg::new(&config, table)?);
        let calls = bsg.schemata.begins_at(CALL_FOR_REFILL).map(|stress| (bsg.quickening, stress));
        Ok(Self { waiter: Waiter::new(Arc::new(config)), esg, bsg, calls })
    }

    /// The same with another emotion state generator.
    pub fn with_esg(self, esg: impl Esg<Waiter> + 'static) -> Self {
        Self { esg: Box::new(esg), calls: None, ..self }
    }

    /// The same with another behaviour state generator.
    pub fn with_bsg(self, bsg: impl Bsg<Waiter> + 'static) -> Self {
        Self { bsg: Box::new(bsg), calls: None, ..self }
    }

    /// What it feels, with all that belongs to it.
    pub fn emotion(&self) -> &Emotion {
        self.esg.emotion()
    }

    /// Its stress, if its generator reckons so.
    pub fn stress(&self) -> Option<Stress> {
        self.esg.stress()
    }
}

impl Robot for Butler {
    fn init_robot(&mut self, frame: &mut Frame<'_>) {
        self.waiter = Waiter::new(Arc::clone(&self.waiter.config));
        self.waiter.until_treat_s = frame.dice.exponential(self.waiter.config.consumption_mean_s);
        self.waiter.updated = frame.now;
        self.esg.start(frame.now);
        self.bsg.start();
    }

    fn get_name(&self) -> Name {
        self.waiter.config.name.clone()
    }

    fn get_speed(&self) -> f64 {
        self.waiter.legs.speed_fps()
    }

    fn get_direction(&self) -> f64 {
        self.waiter.legs.direction()
    }

    fn update_state_variables(&mut self, frame: &mut Frame<'_>) {
        self.waiter.update(frame, self.bsg.behavior());
    }

    fn get_state_variables(&self) -> Variables {
        let (waiter, emotion) = (&self.waiter, self.esg.emotion());
        let mut variables = Variables::new()
            .with("treats", waiter.treats)
            .with("consumptionMean", waiter.config.consumption_mean_s)
            .with("timeToEmpty", waiter.time_to_empty_s())
            .with("timeToRefill", waiter.time_to_refill_s())
            .with("closingSpeed", waiter.closing_fps);
        if let Some(stress) = self.esg.stress() {
            variables.set("stress", stress.get());
        }
        variables.set("intensity", emotion.affect.intensity.get());
        variables.set("caution", waiter.config.caution.get());
        variables.set("refillRequested", waiter.refill_requested);
        if let Some(last) = waiter.last_hurry {
            variables.set("lastHurry", last.as_secs_f64());
        }
        variables.set("refiller", &waiter.config.refiller);
        variables.set("emotionAgency", &*emotion.agency.to_string());
        variables
    }

    fn get_current_location(&self) -> Place {
        self.waiter.legs.place()
    }

    fn project_location(&self, at: Time) -> Place {
        self.waiter.legs.project(at)
    }

    fn set_current_location(&mut self, at: Time, place: Place) {
        self.waiter.legs.put(at, place);
    }

    /// Nobody tells a waiter what to do.
    fn set_command(&mut self, _at: Time, _command: &str) {}

    fn update_emotion_state(&mut self, frame: &mut Frame<'_>) {
        let change = self.esg.feel(frame.now, self.bsg.behavior(), &self.waiter);
        frame.report.because = change.map(|change| change.to_string());
    }

    fn get_emotion_state(&self) -> Name {
        self.esg.emotion().name.clone()
    }

    fn update_behavior_state(&mut self, frame: &mut Frame<'_>) {
        self.bsg.decide(frame, &self.esg.emotion().name, &mut self.waiter);
    }

    fn get_behavior_state(&self) -> Name {
        self.bsg.behavior().into()
    }

    fn panel(&self) -> Vec<Field> {
        let waiter = &self.waiter;
        // Where it will call: at so many treats stress reaches what makes it call. Once it has called there is no such thing.
        let calls_at = self.calls.filter(|_| !waiter.refill_requested).map(|(quickening, stress)| {
            Stress::of(quickening, waiter.time_to_refill_s(), waiter.config.consumption_mean_s).get() / stress
        });
        let shown = self.get_state_variables().fields().into_iter().map(|field| match field.label.as_str() {
            "treats" => field.as_gauge((0.0, waiter.config.treats.into()), calls_at),
            "intensity" => field.as_gauge((0.0, 1.0), None),
            _ => field,
        });
        shown.collect()
    }

    fn feeling(&self) -> Option<Feeling> {
        self.esg.feeling()
    }

    fn save(&self) -> Option<Vec<u8>> {
        parts::save(&self.waiter, &*self.esg, &*self.bsg)
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), Garbled> {
        let waiter = parts::restore(saved, &mut *self.esg, &mut *self.bsg)?;
        let Waiter { config, .. } = &waiter;
        if *config != self.waiter.config {
            return Err(Garbled::new(format!("its settings were those of {}, or other ones", config.name)));
        }
        self.waiter = waiter;
        Ok(())
    }
}
