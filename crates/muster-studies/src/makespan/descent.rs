//! Local search: hand a task of the last robot over, or exchange it for another, as long as that helps.

use super::Instance;

/// What can be done about the last robot.
#[derive(Copy, Clone, Debug)]
enum Change {
    /// Another robot does this task of its.
    Move { task: usize, to: usize },
    /// It does another robot's task instead.
    Swap { task: usize, with: usize },
}

/// Improves an assignment until no move and no swap helps. `loads` belong to it.
pub(super) fn descend(instance: &Instance, assignment: &mut [usize], loads: &mut [f64]) {
    // Every change lowers the load of the last robot, or leaves one robot fewer with it; the least that counts as
    // lower is far above rounding, so there is an end.
    while let Some((last, change)) = best_change(instance, assignment, loads) {
        let (task, robot) = match change {
            Change::Move { task, to } => (task, to),
            Change::Swap { task, with } => (task, assignment[with]),
        };
        if let Change::Swap { with, .. } = change {
            loads[robot] -= instance.times_of(with)[robot];
            loads[last] += instance.times_of(with)[last];
            assignment[with] = last;
        }
        loads[last] -= instance.times_of(task)[last];
        loads[robot] += instance.times_of(task)[robot];
        assignment[task] = robot;
    }
}

fn best_change(instance: &Instance, assignment: &[usize], loads: &[f64]) -> Option<(usize, Change)> {
    let last = (0..loads.len()).max_by(|&one, &other| loads[one].total_cmp(&loads[other]))?;
    let mut least = loads[last] * (1.0 - 1e-9);
    let mut best = None;
    for task in (0..assignment.len()).filter(|&task| assignment[task] == last) {
        let times = instance.times_of(task);
        let without = loads[last] - times[last];
        for (to, (&load, &time)) in loads.iter().zip(times).enumerate() {
            let worse = f64::max(without, load + time);
            if worse < least && to != last {
                (least, best) = (worse, Some((last, Change::Move { task, to })));
            }
        }
        for (with, &robot) in assignment.iter().enumerate() {
            let other = instance.times_of(with);
            let worse = f64::max(without + other[last], loads[robot] - other[robot] + times[robot]);
            if worse < least && robot != last {
                (least, best) = (worse, Some((last, Change::Swap { task, with })));
            }
        }
    }
    best
}
