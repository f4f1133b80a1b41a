//! Butler, the waiter: serves treats on a random walk, calls for a refill in time, and if that does not come goes to meet
//! it. [CARS, Experimental Results]; Table 2, first column.
//!
//! The generators of the paper's robots were published elsewhere (Murphy, Lisetti et al. 2002) and could not be had. What
//! they lead to is the paper's, how they reckon is ours.

use std::f64::consts::TAU;
use std::sync::Arc;

use super::saved::{Garbled, pack, unpack};
use super::{Body, Bsg, Esg, Frame, Legs, Place, Schemata, TwoPart, Variables, behavior, command, settings, variable};
use serde::{Deserialize, Serialize};

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
/// Behaviour names of Table 2, as an emotion makes them active.
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
    /// Its name in the team.
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
    /// Refuses names, counts and speeds that cannot be.
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
}

impl Body for Waiter {
    type Config = Config;
    type Marks = Calls;

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

    fn begin(&mut self, frame: &mut Frame<'_>) {
        self.until_treat_s = frame.dice.exponential(self.config.consumption_mean_s);
        self.updated = frame.now;
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

    fn variables(&self, esg: &dyn Esg<Self>) -> Variables {
        let emotion = esg.emotion();
        let mut variables = Variables::new()
            .with("treats", self.treats)
            .with("consumptionMean", self.config.consumption_mean_s)
            .with(variable::TIME_TO_EMPTY, self.time_to_empty_s())
            .with("timeToRefill", self.time_to_refill_s())
            .with("closingSpeed", self.closing_fps);
        if let Some(stress) = esg.stress() {
            variables.set("stress", stress.get());
        }
        variables.set("intensity", emotion.affect.intensity.get());
        variables.set("caution", self.config.caution.get());
        variables.set("refillRequested", self.refill_requested);
        if let Some(last) = self.last_hurry {
            variables.set("lastHurry", last.as_secs_f64());
        }
        variables.set("refiller", &self.config.refiller);
        variables.set("emotionAgency", &*emotion.agency.to_string());
        variables
    }

    fn shown(&self, variable: Field, calls: Option<&Calls>) -> Field {
        match variable.label.as_str() {
            // Marked where it will call: at so many treats stress reaches what makes it call. Once it has called there is no
            // such thing.
            "treats" => {
                let calls_at = calls.filter(|_| !self.refill_requested).map(|Calls { quickening, stress }| {
                    let by_treat = Stress::of(*quickening, self.time_to_refill_s(), self.config.consumption_mean_s);
                    by_treat.get() / stress
                });
                variable.as_gauge((0.0, self.config.treats.into()), calls_at)
            }
            "intensity" => variable.as_gauge((0.0, 1.0), None),
            _ => variable,
        }
    }
}

/// What makes a waiter call for a refill.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Calls {
    /// By which factor its personality raises stress.
    quickening: f64,
    /// How much stress makes it call.
    stress: f64,
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
        // A refiller that hurries is taken to come twice as fast.
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

    /// 2 and 3: an exchange takes its time.
    fn exchanging(&mut self, moment: &mut Moment<'_, '_>) -> Settled {
        let Doing::Exchange { since } = self.doing else { return Settled::No };
        let (frame, waiter) = (&mut *moment.frame, &mut *moment.waiter);
        let config = Arc::clone(&waiter.config);
        if frame.now.since(since).as_secs_f64() >= config.exchange_s {
            waiter.treats = config.treats;
            waiter.refill_requested = false;
            waiter.exchanges += 1;
            frame.note(format!("has {} treats again", waiter.treats));
            frame.team.set_robot_command(&config.refiller, command::GO_HOME);
            self.doing = Doing::GoBack;
            waiter.legs.head_for(waiter.legs.start(), config.go_back_fps, frame.dice);
        }
        Settled::Yes
    }

    /// 1: "whether or not Butler was in intercept mode, when the two robots came within four feet of each other, they
    /// entered exchange mode".
    fn meets(&mut self, moment: &mut Moment<'_, '_>) -> Settled {
        let (frame, waiter) = (&mut *moment.frame, &mut *moment.waiter);
        let config = Arc::clone(&waiter.config);
        let near = waiter.distance_ft.filter(|distance_ft| *distance_ft <= config.exchange_ft);
        let (true, Some(distance_ft)) = (waiter.refill_requested, near) else { return Settled::No };
        if refiller_comes(frame, &config) != Some(true) {
            return Settled::No;
        }
        frame.team.set_robot_command(&config.refiller, command::EXCHANGE);
        frame.note(format!("meets {} at {distance_ft:.2} ft", config.refiller));
        self.exchange(moment)
    }

    /// Ours: ANGRY: regains control by doing it itself.
    fn helps_itself(&mut self, moment: &mut Moment<'_, '_>) -> Settled {
        if !self.schemata.active(moment.emotion, TO_REFILL_AT_TABLE) {
            return Settled::No;
        }
        let (frame, waiter) = (&mut *moment.frame, &mut *moment.waiter);
        let config = Arc::clone(&waiter.config);
        if waiter.legs.place().distance_ft(config.table) <= config.exchange_ft {
            frame.note("takes treats from the table");
            return self.exchange(moment);
        }
        self.doing = Doing::RefillAtTable;
        waiter.legs.head_for(config.table, config.intercept_fps, frame.dice);
        Settled::Yes
    }

    /// 4: it calls for a refill.
    fn calls(&mut self, moment: &mut Moment<'_, '_>) -> Settled {
        let (frame, waiter) = (&mut *moment.frame, &mut *moment.waiter);
        if !waiter.refill_requested && self.schemata.urged(moment.emotion, CALL_FOR_REFILL) {
            let config = Arc::clone(&waiter.config);
            waiter.refill_requested = frame.team.set_robot_command(&config.refiller, command::REFILL).is_some();
            // Until it is seen to come it is taken to come as usual. With nothing seen yet counted as standing still,
            // every call would frustrate at once.
            waiter.closing_fps = config.refiller_fps;
        }
        Settled::No
    }

    /// Ours: with the conceptual level, what it thinks best counts in the next two in place of what it feels.
    fn thinks(&mut self, moment: &mut Moment<'_, '_>) -> Settled {
        if moment.waiter.config.conceptual && moment.waiter.refill_requested {
            moment.prefers = self.deliberate(moment.frame, moment.waiter);
        }
        Settled::No
    }

    /// 5: it asks the refiller to hurry. Ours: a waiter that goes to meet a refiller who has turned back tells her again.
    /// Without it the two could stand side by side for ever: so near to treats the waiter is happy and says nothing, and she
    /// waits to be told.
    fn hurries(&mut self, moment: &mut Moment<'_, '_>) -> Settled {
        let hurries = self.urged(moment, ASK_TO_HURRY);
        let (frame, waiter) = (&mut *moment.frame, &mut *moment.waiter);
        let config = Arc::clone(&waiter.config);
        let turned_back = self.doing == Doing::Intercept && refiller_comes(frame, &config) == Some(false);
        let rested = waiter.last_hurry.is_none_or(|last| frame.now.since(last).as_secs_f64() >= config.hurry_every_s);
        if waiter.refill_requested && rested && (hurries || turned_back) {
            frame.team.set_robot_command(&config.refiller, command::HURRY);
            waiter.last_hurry = Some(frame.now);
        }
        Settled::No
    }

    /// 6: to intercept is kept up until the exchange. Given up as soon as things look better, they look worse at once, and
    /// the waiter goes to and fro.
    fn intercepts(&mut self, moment: &mut Moment<'_, '_>) -> Settled {
        let intercepts = self.urged(moment, TO_INTERCEPT) || self.doing == Doing::Intercept;
        let (frame, waiter) = (&mut *moment.frame, &mut *moment.waiter);
        if !(waiter.refill_requested && intercepts) {
            return Settled::No;
        }
        self.doing = Doing::Intercept;
        let config = Arc::clone(&waiter.config);
        match frame.team.get_robot_location(&config.refiller) {
            Some(other) => waiter.legs.head_for(other, config.intercept_fps, frame.dice),
            None => waiter.legs.stand(),
        }
        Settled::Yes
    }

    /// 7 and 8: after an exchange it goes back to where it started.
    fn goes_back(&mut self, moment: &mut Moment<'_, '_>) -> Settled {
        let (frame, waiter) = (&mut *moment.frame, &mut *moment.waiter);
        let start = waiter.legs.start();
        if self.doing != Doing::GoBack || waiter.legs.place().distance_ft(start) <= waiter.config.back_ft {
            return Settled::No;
        }
        waiter.legs.head_for(start, waiter.config.go_back_fps, frame.dice);
        Settled::Yes
    }

    /// 9: it walks about and serves.
    fn serves(&mut self, moment: &mut Moment<'_, '_>) -> Settled {
        let (frame, waiter) = (&mut *moment.frame, &mut *moment.waiter);
        let turn_at = if let Doing::Serve { turn_at } = self.doing { turn_at } else { None };
        if turn_at.is_none_or(|at| frame.now >= at) || waiter.legs.blocked() {
            waiter.legs.walk(TAU * frame.dice.uniform(), waiter.config.walk_fps);
            let straight = Duration::from_secs_f64(waiter.config.straight_s.draw(frame.dice));
            self.doing = Doing::Serve { turn_at: Some(frame.now + straight) };
        }
        Settled::Yes
    }

    /// The behaviour is what it thinks best, or, if it does not think, what it is urged to by what it feels.
    fn urged(&self, moment: &Moment<'_, '_>, behavior: &str) -> bool {
        match moment.prefers.as_deref() {
            None => self.schemata.urged(moment.emotion, behavior),
            Some(TO_INTERCEPT) => true,
            Some(command::HURRY) => behavior == ASK_TO_HURRY,
            Some(_) => false,
        }
    }

    fn exchange(&mut self, moment: &mut Moment<'_, '_>) -> Settled {
        self.doing = Doing::Exchange { since: moment.frame.now };
        moment.waiter.legs.stand();
        Settled::Yes
    }
}

/// The refiller is on the way, or is not; nothing if there is none.
fn refiller_comes(frame: &Frame<'_>, config: &Config) -> Option<bool> {
    frame.team.get_robot_behavior_state(&config.refiller).map(|other| other == *behavior::REFILL)
}

/// What a rule is asked with.
struct Moment<'a, 'f> {
    frame: &'a mut Frame<'f>,
    emotion: &'a str,
    waiter: &'a mut Waiter,
    /// What it thinks best, if it thinks.
    prefers: Option<Name>,
}

/// Whether a rule has settled what to do; if not, the next one is asked.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Settled {
    Yes,
    No,
}

/// The rules, in the order in which they are asked. Those that only speak or think settle nothing.
const RULES: [fn(&mut WaiterBsg, &mut Moment<'_, '_>) -> Settled; 9] = [
    WaiterBsg::exchanging,
    WaiterBsg::meets,
    WaiterBsg::helps_itself,
    WaiterBsg::calls,
    WaiterBsg::thinks,
    WaiterBsg::hurries,
    WaiterBsg::intercepts,
    WaiterBsg::goes_back,
    WaiterBsg::serves,
];

impl Bsg<Waiter> for WaiterBsg {
    fn start(&mut self) {
        (self.doing, self.prefers) = (Doing::Serve { turn_at: None }, None);
    }

    fn decide(&mut self, frame: &mut Frame<'_>, emotion: &str, waiter: &mut Waiter) {
        let moment = &mut Moment { frame, emotion, waiter, prefers: None };
        let settled = RULES.iter().any(|rule| rule(self, moment) == Settled::Yes);
        debug_assert!(settled, "the last rule always settles it");
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

/// The waiter. Nobody tells it what to do.
pub type Butler = TwoPart<Waiter>;

impl Butler {
    /// A waiter whose emotions are those of `table`.
    pub fn new(config: Config, table: Arc<Table>) -> Result<Self, Flaw> {
        config.check()?;
        let esg = WaiterEsg::new(&config, table.clone())?;
        let bsg = WaiterBsg::new(&config, table)?;
        let quickening = bsg.quickening;
        let calls = bsg.schemata.begins_at(CALL_FOR_REFILL).map(|stress| Calls { quickening, stress });
        Ok(Self::made(config, esg, bsg, calls))
    }
}
