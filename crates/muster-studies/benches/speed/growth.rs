//! What a delivered HELP costs in a large team, in the simulator itself: the minefield with more idle robots.

use muster_core::recruitment::{Message, Recruitment, Strategy};
use muster_core::{Recipient, RobotId, Time};
use muster_sim::radio::Fate;
use muster_sim::scenario::{self, Loaded};
use muster_sim::{Observer, Sim};

use crate::table::{Bound, Stopwatch, row, turns};

const ROUNDS: usize = 31;
const SMALL: u64 = 1_000;
const LARGE: u64 = 100_000;

/// When the newest HELP is heard. Looks at transmissions, not at what each robot hears, so as not to be measured.
#[derive(Default)]
struct NewestHelp(Option<Time>);

impl Observer<Recruitment> for NewestHelp {
    fn on_transmission(&mut self, _now: Time, _from: RobotId, _to: Recipient, message: &Message, fate: Fate) {
        if let (Message::Help { .. }, Fate::Sent { at, .. }) = (message, fate) {
            self.0 = Some(at);
        }
    }
}

type Run<'m> = Sim<'m, Recruitment, NewestHelp>;

/// Everything that happens at the instant at which a HELP is heard: its delivery to everybody, and the answers.
/// The `bench` script counts instructions in this function, so it keeps its name and is not inlined.
#[inline(never)]
fn hear_help(sim: &mut Run<'_>, at: Time) {
    sim.advance(at);
}

pub struct Minefield {
    loaded: Loaded,
    robots: u64,
    seed: u64,
}

/// HELPs that robots heard, each robot's counted, and the time it took.
pub struct Heard {
    pub helps: u64,
    nanos: f64,
}

impl Minefield {
    pub fn new(robots: u64) -> Self {
        // Three of the robots scan.
        let changes = ["recruitment.config=gage_2004".to_owned(), format!("robots.idle.count={}", robots - 3)];
        let loaded = scenario::load("minefield", &changes).expect("the built-in scenario loads");
        Self { loaded, robots, seed: 0 }
    }

    pub fn run(&mut self, runs: u64) -> Heard {
        let config = self.loaded.recruitment(Strategy::Affective);
        let clock = Stopwatch::own_nanos();
        let mut heard = Heard { helps: 0, nanos: 0.0 };
        for _ in 0..runs {
            self.seed += 1;
            let machine = |_| Recruitment::new(config.clone());
            let mut sim = Sim::new(&self.loaded.mission, self.seed, machine, NewestHelp::default());
            sim.start();
            while !sim.ledger().all_served() {
                if let Some(at) = sim.observer().0.filter(|at| *at > sim.now()) {
                    sim.advance(Time::from_micros(at.as_micros() - 1));
                    let start = Stopwatch::start();
                    hear_help(&mut sim, at);
                    heard.nanos += start.nanos() - clock;
                    heard.helps += self.robots - 1;
                } else if !sim.step() {
                    break;
                }
            }
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
