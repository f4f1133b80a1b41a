//! Longest task first, each to the robot that finishes it earliest.

use crate::makespan::Instance;

/// Longest processing time first (Graham 1969), for robots that differ: a task counts as long as it takes the robot
/// that is fastest at it.
pub fn greedy(instance: &Instance) -> Vec<usize> {
    let least = |task: usize| instance.times_of(task).iter().copied().fold(f64::INFINITY, f64::min);
    let mut order: Vec<(f64, usize)> = (0..instance.tasks()).map(|task| (least(task), task)).collect();
    order.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let mut loads = vec![0.0; instance.robots()];
    let mut assignment = vec![0; instance.tasks()];
    for (_, task) in order {
        let (mut earliest, mut chosen) = (f64::INFINITY, 0);
        for (robot, (&load, &time)) in loads.iter().zip(instance.times_of(task)).enumerate() {
            if load + time < earliest {
                (earliest, chosen) = (load + time, robot);
            }
        }
        loads[chosen] = earliest;
        assignment[task] = chosen;
    }
    assignment
}
