//! Training missions: robots do tasks at random, without yielding, and learn how long each takes whom.
//! [Parker §6.3.1, §9.4]

use muster_core::alliance::{Alliance, Config, Known};
use muster_core::rng::Stream;
use muster_core::{Duration, RobotId, Time};

use crate::knowledge::Knowledge;
use crate::mission::Mission;
use crate::origin::Origin;
use crate::scenario::{Approach, PracticeSpec};
use crate::scheme::{Scheme, trainee};
use crate::sim::Sim;

/// What came of training missions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Practised {
    /// What the robots know after them.
    pub knowledge: Knowledge,
    /// Training missions that were carried through.
    pub missions: u32,
    /// A halt was called during the next one. Nobody has learned anything in that one.
    pub broken_off: bool,
}

/// What the robots of a run know after the training missions of its scenario; nothing if they learn nothing. Broken off
/// when `halt` says so.
pub fn practise(origin: &Origin, halt: impl Fn() -> bool) -> Practised {
    practised(origin, &halt)
}

/// Not generic, so that the simulator is compiled for training once and not by every crate that trains.
fn practised(origin: &Origin, halt: &dyn Fn() -> bool) -> Practised {
    let Origin { loaded, scheme, seeds, .. } = origin;
    let (Scheme::Alliance(approach), Some(spec)) = (*scheme, &loaded.alliance) else { return Practised::default() };
    if approach == Approach::Fixed {
        return Practised::default();
    }
    // What others say of their times is no trial: in training nobody tells.
    let config = Config { tells_times: false, ..loaded.impatience(approach) };
    let mut known = vec![Vec::new(); loaded.mission.robots.len()];
    let mut missions = 0;
    for practice in &spec.practice {
        let mission = training(&loaded.mission, practice);
        for _ in 0..practice.missions {
            let seed = Stream::seed_of_run(seeds.run, u64::from(missions));
            if !train(&mission, practice, &config, seed, &mut known, halt) {
                return Practised { knowledge: Knowledge(known), missions, broken_off: true };
            }
            missions += 1;
        }
    }
    Practised { knowledge: Knowledge(known), missions, broken_off: false }
}

/// The mission with only those who take part. Nothing goes wrong in it but what the radio loses.
fn training(mission: &Mission, practice: &PracticeSpec) -> Mission {
    let mut mission = mission.clone();
    mission.faults.clear();
    for (robot, part) in mission.robots.iter_mut().zip(&practice.parts) {
        robot.joins = if part.is_some() { Time::ZERO } else { Time::NEVER };
    }
    mission.limit = practice.lasts.unwrap_or(mission.limit);
    mission
}

/// One training mission. False if a halt was called before its end; then nothing is `known` that was not before.
fn train(
    mission: &Mission,
    practice: &PracticeSpec,
    live: &Config,
    seed: u64,
    known: &mut [Vec<Known>],
    halt: &dyn Fn() -> bool,
) -> bool {
    let machine = |robot: RobotId| trainee(live, practice, robot, &known[robot.index()]);
    let mut sim = Sim::new(mission, seed, machine, ());
    sim.start();
    // A training mission of a given length lasts for that long; any other until all is done, and what was said last is
    // heard.
    let lasts = practice.lasts.is_some();
    let mut halted = false;
    sim.run_until(|sim| {
        halted = halt();
        halted || (!lasts && sim.ledger().all_served())
    });
    let heard = sim.now() + Duration::from_secs(5);
    while !halted && sim.next_at().is_some_and(|at| at <= heard) && sim.step() {
        halted = halt();
    }
    if !halted {
        let learned: Vec<Vec<Known>> = sim.machines().iter().map(Alliance::known).collect();
        known.clone_from_slice(&learned);
    }
    !halted
}
