//! What teams under L-ALLIANCE make of an instance that `muster allocate` reads: the mechanism itself, run in the
//! simulator over a perfect radio, with robots that know every time.

use std::sync::Arc;

use super::gaps::Conditions;
use super::mission::Trial;
use super::rules::Rule;
use super::scenario::{BASE_S, Instance, Scenario};
use crate::makespan;

/// Robots weigh every task against every team mate: a team with more than this many pairs is left to faster rules.
pub const MOST_PAIRS: usize = 1_024;

/// Who ends up doing what under each rule, by task; nothing for an instance that is too large.
pub fn allocations(instance: &makespan::Instance) -> Vec<(String, Vec<usize>)> {
    let (robots, tasks) = (instance.robots(), instance.tasks());
    if robots * tasks > MOST_PAIRS {
        return Vec::new();
    }
    let mut trial = Trial::new(&scaled(instance), 1);
    let heterogeneity = trial.mission_mut().labour.as_ref().map_or(0.0, |labour| labour.heterogeneity());
    let scenario = Scenario { robots: robots as u32, tasks: tasks as u32, coverage: robots as u32, heterogeneity };
    let of = |rule: Rule| {
        let config = Arc::new(Conditions::Instant.config(rule, &scenario));
        let doers = trial.doers(&config)?;
        Some((rule.name(), doers.into_iter().map(|robot| robot.index()).collect()))
    };
    Rule::GAPS.into_iter().filter_map(of).collect()
}

/// The delays of the report are those of tasks that take about 100 s: here the quickest robot's mean is that.
fn scaled(instance: &makespan::Instance) -> Instance {
    let quickest = |task| instance.able(task).map(|(_, time)| time).fold(f64::INFINITY, f64::min);
    let mean = (0..instance.tasks()).map(quickest).sum::<f64>() / instance.tasks() as f64;
    let scale = if mean > 0.0 { BASE_S / mean } else { 1.0 };
    let times = (0..instance.tasks()).map(|task| {
        let mut times = vec![None; instance.robots()];
        for (robot, time) in instance.able(task) {
            times[robot] = Some(time * scale);
        }
        times
    });
    Instance { robots: instance.robots(), times: times.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::makespan::{default_budget, solve};

    #[test]
    fn every_rule_gives_every_task_to_a_robot_that_can_do_it() {
        for scale in [1e-3, 1.0, 1e6] {
            let instance = makespan::Instance::from_fn(4, 9, |robot, task| {
                let time = scale * (50.0 + 13.0 * ((robot * 7 + task * 5) % 11) as f64);
                (robot == task % 4 || !(robot + task).is_multiple_of(3)).then_some(time)
            })
            .unwrap();
            let optimum = solve(&instance, default_budget(&instance)).makespan;
            let all = allocations(&instance);
            assert_eq!(all.len(), 4);
            for (name, assignment) in all {
                assert!(instance.makespan(&assignment).is_finite(), "{name}");
                let above = instance.makespan(&assignment) / optimum - 1.0;
                assert!((-1e-9..1.5).contains(&above), "{name}: {above}");
            }
        }
    }

    #[test]
    fn large_instances_are_left_to_faster_rules() {
        let instance = makespan::Instance::from_fn(32, 33, |_, _| Some(1.0)).unwrap();
        assert!(allocations(&instance).is_empty());
    }
}
