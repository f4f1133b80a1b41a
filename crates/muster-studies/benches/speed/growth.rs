//! What a delivered HELP costs in a large team, in the simulator itself: the minefield with more idle robots.

use muster_core::recruitment::{Message, Recruitment, Strategy};
use muster_core::{Body, Input, Recipient, RobotId, Time};
use muster_sim::radio::Fate;
use muster_sim::scenario::{self, Loaded};
use muster_sim::{Observer, Sim};

use crate::table::{Bound, Stopwatch, row, turns};

const ROUNDS: usize = 31;
const SMALL: u64 = 1_000;
const LARGE: u64 = 100_000;

/// When the newest HELP is heard, and how often any was.
#[derive(Default)]
struct Helps {
    newest: Option<Time>,
    heard: u64,
}

impl Observer<Recruitment> for Helps {
    #[inline(always)]
    fn on_input(&mut self, _now: Time, _body: &Body, input: &Input<'_, Recruitment>, _transmission: Option<u64>) {
        self.heard += u64::from(matches!(input, Input::Received { message: Message::Help { .. }, .. }));
    }

    fn on_transmission(&mut self, _now: Time, _from: RobotId, _to: Recipient, message: &Message, fate: Fate) {
        if let (Message::Help { .. }, Fate::Sent { at, .. }) = (message, fate) {
            self.newest = Some(at);
        }
    }
}

type Run<'m> = Sim<'m, Recruitment, Helps>;

/// Everything that happens at the instant at which a HELP is heard: its delivery to everybody, and the answers.
/// The `bench` script counts instructions in this function, so it keeps its name and is not inlined.
#[inline(never)]
fn hear_help(sim: &mut Run<'_>, at: Time) {
    sim.advance(at);
}

/// The density of the paper's team, in robots to a square metre: thirteen to a hectare.
const DENSITY: f64 = 13.0 / 1e4;

pub struct Minefield {
    loaded: Loaded,
    seed: u64,
}

/// HELPs that robots heard, each robot's counted, and the time it took.
pub struct Heard {
    pub helps: u64,
    nanos: f64,
}

impl Minefield {
    /// With a radio that carries everywhere.
    pub fn new(robots: u64) -> Self {
        Self::with(robots, &[])
    }

    /// With a radio that carries 100 m, to about 40 robots however large the team is.
    pub fn of_limited_range(robots: u64) -> Self {
        let side_m = (robots as f64 / DENSITY).sqrt();
        let field = [format!("field.width_m={side_m}"), format!("field.height_m={side_m}")];
        Self::with(robots, &[&field[..], &["radio.range_m=100".to_owned()]].concat())
    }

    fn with(robots: u64, changes: &[String]) -> Self {
        // Three of the robots scan.
        let own = ["recruitment.config=gage_2004".to_owned(), format!("robots.idle.count={}", robots - 3)];
        let loaded = scenario::load("minefield", &[&own, changes].concat()).expect("the built-in scenario loads");
        Self { loaded, seed: 0 }
    }

    pub fn run(&mut self, runs: u64) -> Heard {
        let config = self.loaded.recruitment(Strategy::Affective);
        let clock = Stopwatch::own_nanos();
        let mut heard = Heard { helps: 0, nanos: 0.0 };
        for _ in 0..runs {
            self.seed += 1;
            let machine = |_| Recruitment::new(config.clone());
            let mut sim = Sim::new(&self.loaded.mission, self.seed, machine, Helps::default());
            sim.start();
            while !sim.ledger().all_served() {
                if let Some(at) = sim.observer().newest.filter(|at| *at > sim.now()) {
                    sim.advance(Time::from_micros(at.as_micros() - 1));
                    let start = Stopwatch::start();
                    hear_help(&mut sim, at);
                    heard.nanos += start.nanos() - clock;
                } else if !sim.step() {
                    break;
                }
            }
            heard.helps += sim.observer().heard;
        }
        heard
    }

    /// Nanoseconds a HELP.
    fn cost(&mut self, runs: u64) -> f64 {
        let heard = self.run(runs);
        heard.nanos / heard.helps as f64
    }
}

pub fn measure() {
    let (mut small, mut large) = (Minefield::new(SMALL), Minefield::new(LARGE));
    // A team as large as this hears as many HELPs in one run as a hundred small ones.
    let pair = turns(ROUNDS, || large.cost(1), || small.cost(LARGE / SMALL));
    row("HELP in the simulator, 100,000 / 1,000 robots", pair.first, pair.second, pair.ratio, Bound::Below(1.5));
}
