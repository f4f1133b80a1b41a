//! One task for every robot at a time, by linear assignment.

use pathfinding::matrix::Matrix;
use pathfinding::prelude::kuhn_munkres_min;

use crate::makespan::Instance;

/// Rounds of the Hungarian method (Kuhn 1955, Munkres 1957): as long as tasks are left, each robot gets one more (if
/// fewer tasks than robots are left, each task gets a robot) so that the sum of the times at which they are finished,
/// after all that the robots have already, is least. It knows nothing of makespans beyond the loads it starts a round
/// with, which is what it is here to show.
pub fn hungarian_rounds(instance: &Instance) -> Vec<usize> {
    let mut loads = vec![0.0; instance.robots()];
    let mut assignment = vec![0; instance.tasks()];
    let mut left: Vec<usize> = (0..instance.tasks()).collect();
    while !left.is_empty() {
        let finished = |robot: usize, task: usize| loads[robot] + instance.times_of(task)[robot];
        let pairs = one_each(instance.robots(), &left, finished);
        for &(robot, task) in &pairs {
            assignment[task] = robot;
            loads[robot] += instance.times_of(task)[robot];
        }
        left.retain(|&task| pairs.iter().all(|&(_, done)| done != task));
    }
    assignment
}

/// The cheapest way to give as many of the tasks as possible, at most one to each robot.
fn one_each(robots: usize, left: &[usize], finished: impl Fn(usize, usize) -> f64) -> Vec<(usize, usize)> {
    let costs = (0..robots).flat_map(|robot| left.iter().map(move |&task| (robot, task)));
    let latest = costs.map(|(robot, task)| finished(robot, task)).filter(|cost| cost.is_finite()).fold(0.0, f64::max);
    // The method wants numbers with an order, which floats lack: whole multiples of the latest time by 2^32. Who cannot
    // do a task costs more than all others together.
    let fine = f64::from(u32::MAX) / latest;
    let never = (i64::from(u32::MAX) + 1) * (robots as i64 + 1);
    let cost = |robot: usize, task: usize| {
        let finished = finished(robot, task);
        if finished.is_finite() { (finished * fine).round() as i64 } else { never }
    };
    // It also wants at least as many columns as rows.
    let pairs: Vec<(usize, usize)> = if left.len() < robots {
        let weights = Matrix::from_fn(left.len(), robots, |(row, column)| cost(column, left[row]));
        kuhn_munkres_min(&weights).1.into_iter().zip(left.iter().copied()).collect()
    } else {
        let weights = Matrix::from_fn(robots, left.len(), |(row, column)| cost(row, left[column]));
        kuhn_munkres_min(&weights).1.into_iter().enumerate().map(|(robot, column)| (robot, left[column])).collect()
    };
    pairs.into_iter().filter(|&(robot, task)| finished(robot, task).is_finite()).collect()
}
