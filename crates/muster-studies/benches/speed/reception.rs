//! Half an hour of a reception with 100 guests: the two robots in Rust, and twenty scripts.

use std::sync::Arc;

use muster_core::Duration;
use muster_core::Time;
use muster_reception::robot::{Place, butler, leguin};
use muster_reception::script::{Class, Setting, Settings, shipped};
use muster_reception::{self as reception, BoxedRobot, Reception};
use muster_sim::emotions;

use crate::table::{Bound, Stopwatch, quantile, times};

const ROUNDS: u64 = 7;
const SIMULATED_S: u64 = 1_800;

fn named(class: &Arc<Class>, settings: &[(&str, &str)]) -> BoxedRobot {
    let text = |value: &str| Setting::Text(value.to_owned());
    let settings: Settings = settings.iter().map(|(key, value)| ((*key).to_owned(), text(value))).collect();
    Box::new(class.robot(&settings).expect("they can be set"))
}

/// Ten waiters in the upper half of the hall and a refiller for each along the wall below.
fn twenty_scripts() -> (Vec<BoxedRobot>, Vec<Place>) {
    let [butler, leguin] =
        ["butler", "leguin"].map(|name| shipped::class(name, emotions::built_in()).expect("it is shipped"));
    let pair = |index: u32| {
        let (waiter, refiller) = (format!("Waiter {index}"), format!("Refiller {index}"));
        let x = 3.0 + 4.7 * f64::from(index);
        [
            (named(&butler, &[("name", &waiter), ("refiller", &refiller)]), Place::new(x, 30.0)),
            (named(&leguin, &[("name", &refiller), ("waiter", &waiter)]), Place::new(x, 6.0)),
        ]
    };
    (0..10).flat_map(pair).unzip()
}

fn two_in_rust() -> (Vec<BoxedRobot>, Vec<Place>) {
    let butler = Box::new(reception::butler(butler::Config::cars_2002()));
    let leguin = Box::new(reception::leguin(leguin::Config::cars_2002()));
    (vec![butler, leguin], vec![Place::new(25.0, 25.0), Place::new(25.0, 6.0)])
}

fn measured(what: &str, team: fn() -> (Vec<BoxedRobot>, Vec<Place>), least: f64) {
    let (robots, starts) = team();
    let mut reception = Reception::new(robots, reception::hall(&starts), 0).expect("they fit together");
    let until = Time::ZERO + Duration::from_secs(SIMULATED_S);
    let taken = (0..ROUNDS).map(|seed| {
        reception.set_seed(seed);
        reception.init(&mut ()).expect("there is room");
        reception.start().expect("it is ready");
        let start = Stopwatch::start();
        reception.run_until(until, &mut ());
        start.nanos() / 1e9
    });
    times(what, SIMULATED_S as f64, quantile(taken, 0.5), Bound::AtLeast(least));
}

pub fn measure() {
    measured("a reception, 2 robots in Rust, 100 guests", two_in_rust, 20_000.0);
    measured("a reception, 20 scripts, 100 guests", twenty_scripts, 500.0);
}
