//! How a team gets better from mission to mission, and what mu, the number of trials that are remembered, does to that.
//!
//! The report says that about five trials are enough and shows no experiment (K18). Here a team does the same mission
//! again and again, of tasks whose times scatter by a tenth, knowing nothing at first. Half-way one robot gets three
//! times slower: whoever remembers much takes long to notice.

use std::sync::Arc;

use muster_core::alliance::{Config, LearningPhase, Ordering, Strategy};
use muster_core::rng::{Purpose, Stream};
use muster_core::{Duration, RobotId};
use serde::Serialize;

use super::mission::Trial;
use super::scenario::{Instance, Scenario, Spread};
use crate::batch::Batch;
use crate::makespan::{self, Solver, default_budget};
use crate::stats;

/// The team of Figure 8.
const TEAM: Scenario = Scenario { robots: 6, tasks: 12, coverage: 4, heterogeneity: 2.0 };
/// Missions one after the other; a robot gets slower after half of them.
pub const MISSIONS: usize = 24;
/// By how much the times of one robot and task scatter.
const SCATTER: f64 = 0.1;
/// By how much the robot gets slower.
const SLOWER: f64 = 3.0;
/// How many of the first missions are for training, if any is.
const TRAINING: usize = 6;
/// Values of mu that are shown.
pub const MUS: [usize; 5] = [1, 2, 5, 10, 20];

/// The missions of one kind of team, one after the other.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    /// How it learns: `adaptive` from the first mission on, `training` in the first ones, or `knowing`: it has been told.
    pub learning: &'static str,
    /// Trials that are remembered.
    pub mu: usize,
    /// Mean percent above the optimum, mission by mission.
    pub above: Vec<f64>,
    /// Half of its 95 % interval.
    pub half_95: Vec<f64>,
    /// Missions that were never done, which must not be.
    pub unfinished: u64,
}

/// How a team learns.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Learning {
    Adaptive,
    Training,
    Knowing,
}

impl Learning {
    const fn name(self) -> &'static str {
        match self {
            Self::Adaptive => "adaptive",
            Self::Training => "training",
            Self::Knowing => "knowing",
        }
    }
}

/// Teams that [`curves`] follows: what its progress counts up to.
pub fn teams_in(runs: u64) -> u64 {
    runs * teams().len() as u64
}

fn teams() -> Vec<(Learning, usize)> {
    let adaptive = MUS.map(|mu| (Learning::Adaptive, mu));
    [(Learning::Knowing, 5), (Learning::Training, 5)].into_iter().chain(adaptive).collect()
}

/// Follows `runs` teams of each kind.
pub fn curves((seed, runs): (u64, u64), batch: &Batch<'_>) -> Vec<Curve> {
    let curve = |(learning, mu): (Learning, usize)| {
        let all = batch.map(runs, |index| {
            let team = team(learning, mu, Stream::seed_of_run(seed, index));
            (batch.progress)(1);
            team
        });
        let of_mission = |mission: usize| all.iter().filter_map(|team| team[mission]).collect::<Vec<f64>>();
        let half = |values: &[f64]| 1.96 * stats::sd(values) / (values.len().max(1) as f64).sqrt();
        Curve {
            learning: learning.name(),
            mu,
            above: (0..MISSIONS).map(|mission| stats::mean(&of_mission(mission))).collect(),
            half_95: (0..MISSIONS).map(|mission| half(&of_mission(mission))).collect(),
            unfinished: all.iter().flatten().filter(|above| above.is_none()).count() as u64,
        }
    };
    teams().into_iter().map(curve).collect()
}

/// Percent above the optimum of each mission; `None` if it was never done.
fn team(learning: Learning, mu: usize, seed: u64) -> Vec<Option<f64>> {
    let mut instance = Instance::draw(&TEAM, Spread::Uniform, seed);
    let slower = RobotId(Stream::of_run(seed, Purpose::Faults).below(TEAM.robots));
    let live = Config {
        trials: mu,
        // As in box pushing, since times scatter.
        patience_margin: 1.2,
        ..Config::parker_1995(Strategy::preferred(TEAM.heterogeneity, false), Ordering::Preferred, TEAM.robots)
    };
    let training = Config { phase: LearningPhase::Active { cycle: Duration::from_secs(1) }, ..live.clone() };
    let (live, training) = (Arc::new(live), Arc::new(training));
    let mut trial = match learning {
        Learning::Knowing => Trial::new(&instance, seed),
        Learning::Adaptive | Learning::Training => Trial::knowing(&instance, seed, |_| Vec::new()),
    };
    let mut optimum_s = optimum_s(&instance);
    let mut above = Vec::with_capacity(MISSIONS);
    for mission in 0..MISSIONS {
        if mission == MISSIONS / 2 {
            slow_down(&mut instance, slower);
            optimum_s = self::optimum_s(&instance);
            trial.set_times(&instance);
            if learning == Learning::Knowing {
                trial = Trial::new(&instance, seed);
            }
        }
        if let Some(labour) = &mut trial.mission_mut().labour {
            labour.scatter = SCATTER;
        }
        let trains = learning == Learning::Training && mission < TRAINING;
        let config = if trains { &training } else { &live };
        let makespan_s = trial.run_and_learn(config, Stream::seed_of_run(seed, mission as u64 + 1));
        above.push(makespan_s.map(|makespan_s| 100.0 * (makespan_s / optimum_s - 1.0)));
    }
    above
}

fn slow_down(instance: &mut Instance, robot: RobotId) {
    for time in instance.times.iter_mut().filter_map(|times| times[robot.index()].as_mut()) {
        *time *= SLOWER;
    }
}

fn optimum_s(instance: &Instance) -> f64 {
    let matrix =
        makespan::Instance::from_fn(instance.robots, instance.times.len(), |robot, task| instance.times[task][robot])
            .expect("every task of a scenario has robots that can do it");
    Solver::new().solve(&matrix, default_budget(&matrix)).bound
}

#[cfg(test)]
mod tests {
    use super::*;

    /// §6.3: training missions are there to learn from, and pay off in the live ones. A team that only adapts tries
    /// nobody whom it does not expect to be good, and learns little.
    #[test]
    fn teams_that_have_trained_do_better_than_in_training_and_than_those_that_have_not() {
        let curves = curves((1, 40), &Batch::quiet());
        let of = |learning: &str, mu| curves.iter().find(|curve| curve.learning == learning && curve.mu == mu).unwrap();
        assert!(curves.iter().all(|curve| curve.unfinished == 0), "{curves:#?}");
        let mean = |curve: &Curve, missions: std::ops::Range<usize>| stats::mean(&curve.above[missions]);
        let (trained, adaptive) = (of("training", 5), of("adaptive", 5));
        let live = mean(trained, TRAINING..MISSIONS / 2);
        assert!(live + 5.0 < mean(trained, 0..TRAINING), "{trained:?}");
        assert!(live + 5.0 < mean(adaptive, TRAINING..MISSIONS / 2), "{adaptive:?}");
        // §6.3.1: one trial is too few to go by.
        assert!(mean(adaptive, 4..12) + 5.0 < mean(of("adaptive", 1), 4..12), "{curves:#?}");
        // A robot got slower: those who are not told pay for it.
        assert!(mean(adaptive, 12..16) > mean(adaptive, 8..12), "{adaptive:?}");
    }
}
