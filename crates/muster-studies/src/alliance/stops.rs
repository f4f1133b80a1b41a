//! Robots that stop for good at random times, over a radio that loses messages: does every mission still get done?

use std::sync::Arc;

use muster_core::rng::{Purpose, Stream};
use muster_core::{Duration, RobotId, Time};
use muster_sim::fault::{Fault, FaultKind};
use serde::Serialize;

use super::mission::{MissionEnd, Trial};
use super::rules::Rule;
use super::scenario::{Instance, Scenario, Spread};
use crate::batch::Batch;
use crate::stats;
use crate::verdict::{Bounds, Interval, Verdict};

/// Shares of messages lost.
const LOSSES: [f64; 3] = [0.0, 0.1, 0.3];
/// From transmission to delivery.
const LATENCY: Duration = Duration::from_millis(50);
/// How much longer a mission may take.
const AT_MOST: f64 = 5.0;
/// The share of runs that must keep to it.
const MOST: f64 = 0.99;

/// What came of many missions at one loss.
#[derive(Clone, Debug, Serialize)]
pub struct Stops {
    /// Name of the rule.
    pub rule: String,
    /// The share of messages lost.
    pub loss: f64,
    /// Missions.
    pub runs: u64,
    /// Of which got done.
    pub completed: u64,
    /// Of which within five times the time of the same mission without loss (at no loss: without stops).
    pub within: u64,
    /// Robots that stopped, per mission.
    pub stopped: f64,
    /// Times that a robot began at a task while another was at it, per mission.
    pub overlaps: f64,
    /// Times that a robot began at a task at which another had worked before, per mission: without progress when working
    /// all of it is done again.
    pub duplicates: f64,
    /// Average time in seconds.
    pub mean_s: f64,
}

impl Stops {
    /// Every mission got done, and nearly all in time.
    pub fn verdict(&self) -> Verdict {
        if self.completed < self.runs {
            return Verdict::Fails;
        }
        Verdict::of(Interval::percent(self.within as usize, self.runs as usize), Bounds::at_least(100.0 * MOST))
    }
}

/// One mission: without stops, then with them at each loss.
struct Run {
    stopped: usize,
    plain: MissionEnd,
    with_stops: [MissionEnd; LOSSES.len()],
}

/// `runs` missions of each rule.
pub fn stops(rules: &[Rule], (seed, runs): (u64, u64), batch: &Batch<'_>) -> Vec<Stops> {
    let mut table = Vec::new();
    for rule in rules {
        let all = batch.map(runs, |index| {
            let run = run(*rule, Stream::seed_of_run(seed, index));
            (batch.progress)(1);
            run
        });
        for (place, loss) in LOSSES.into_iter().enumerate() {
            let times: Vec<f64> = all.iter().filter_map(|run| run.with_stops[place].makespan_s).collect();
            let in_time = |run: &&Run| {
                let than = if place == 0 { run.plain } else { run.with_stops[0] };
                let both = run.with_stops[place].makespan_s.zip(than.makespan_s);
                both.is_some_and(|(took, than)| took <= AT_MOST * than)
            };
            let per_run = |sum: u64| sum as f64 / all.len().max(1) as f64;
            table.push(Stops {
                rule: rule.name(),
                loss,
                runs: all.len() as u64,
                completed: times.len() as u64,
                within: all.iter().filter(in_time).count() as u64,
                stopped: per_run(all.iter().map(|run| run.stopped as u64).sum()),
                overlaps: per_run(all.iter().map(|run| run.with_stops[place].overlaps).sum()),
                duplicates: per_run(all.iter().map(|run| run.with_stops[place].duplicates).sum()),
                mean_s: stats::mean(&times),
            });
        }
    }
    table
}

fn run(rule: Rule, seed: u64) -> Run {
    let mut stream = Stream::of_run(seed, Purpose::Faults);
    let scenario = draw_scenario(&mut stream);
    let instance = Instance::draw(&scenario, Spread::Uniform, seed);
    let mut trial = Trial::new(&instance, seed);
    let config = Arc::new(rule.config(&scenario, false));
    trial.mission_mut().radio.latency = LATENCY;
    let plain = trial.run(&config);
    let faults = draw_stops(&instance, plain.makespan_s.unwrap_or(1_000.0), &mut stream);
    let stopped = faults.len();
    trial.mission_mut().faults = faults;
    let with_stops = LOSSES.map(|loss| {
        trial.mission_mut().radio.loss = loss;
        trial.run(&config)
    });
    Run { stopped, plain, with_stops }
}

fn draw_scenario(stream: &mut Stream) -> Scenario {
    let robots = 3 + stream.below(6);
    let coverage = 2 + stream.below(robots - 1);
    let heterogeneity = [1.0, 2.0, 8.0, 32.0][stream.below(4) as usize];
    Scenario { robots, tasks: 2 + stream.below(13), coverage, heterogeneity }
}

/// Up to all but one robot, at any time of the mission, as long as every task keeps a robot that can do it.
fn draw_stops(instance: &Instance, mission_s: f64, stream: &mut Stream) -> Vec<Fault> {
    let mut alive = vec![true; instance.robots];
    let mut faults = Vec::new();
    for _ in 0..=stream.below(instance.robots as u32 - 1) {
        let robot = stream.below(instance.robots as u32) as usize;
        let at = Time::from_secs_f64(stream.between(0.0, mission_s));
        if !std::mem::replace(&mut alive[robot], false) {
            continue;
        }
        if instance.doable_by(|robot| alive[robot]) {
            faults.push(Fault { at, robot: RobotId(robot as u32), kind: FaultKind::Stop });
        } else {
            alive[robot] = true;
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use muster_core::alliance::{Config, Ordering, Strategy};
    use muster_sim::labour::Labour;

    use super::*;

    #[test]
    fn missions_get_done_although_robots_stop_and_messages_are_lost() {
        let table = stops(&[Rule::Preferred, Rule::Regret, Rule::ReplanBroadcast], (1, 60), &Batch::quiet());
        assert!(table.iter().all(|row| row.completed == row.runs && row.stopped > 0.5), "{table:#?}");
        assert!(
            table.iter().all(|row| row.within as f64 >= 0.95 * row.runs as f64),
            "60 missions say less than 10,000"
        );
        assert!(table.iter().any(|row| row.overlaps > 0.0), "nothing was ever done twice: no loss was met");
    }

    /// [Parker §8.6] "a persistent, yet failing robot" must not "jeopardize the completion of the mission": it thinks
    /// that it is by far the best at everything, says so all the time, and never gets anything done.
    #[test]
    fn a_robot_that_fails_again_and_again_holds_nothing_up_for_ever() {
        let times = vec![vec![Some(50.0), Some(100.0), Some(150.0)]; 4];
        let believed = Instance { robots: 3, times };
        for strategy in Strategy::ALL {
            for ordering in [Ordering::ModifiedShortest, Ordering::Preferred, Ordering::Regret, Ordering::Replan] {
                let mut trial = Trial::new(&believed, 1);
                if let Some(labour) = &mut trial.mission_mut().labour {
                    labour.times.iter_mut().for_each(|times| times[0] = Some(Labour::NEVER_DONE));
                }
                let outcome = trial.run(&Arc::new(Config::parker_1995(strategy, ordering, 3)));
                let makespan_s = outcome.makespan_s;
                assert!(makespan_s.is_some_and(|s| s < 3_000.0), "{strategy:?} {ordering:?}: {makespan_s:?}");
            }
        }
    }
}
