//! Consensus-based bundles, with the earliest completion as the score.

use crate::makespan::Instance;

/// What a robot holds: tasks in the order in which it added them, with its bid for each.
type Bundle = Vec<(usize, f64)>;

/// The consensus-based bundle algorithm (Choi, Brunet & How 2009) over a complete and perfect network, in rounds.
///
/// The score is ours, since the paper maximises a sum and this is a makespan: a robot bids the time at which it would
/// finish a task after all that is in its bundle, and the earlier bid wins (among equals the robot with the lower
/// number). A bid can only get later as the bundle grows, which is the diminishing marginal gain that the algorithm
/// needs to converge. In a round every robot adds tasks to its bundle, earliest first, as long as it outbids the bid
/// known for them; then all compare, and a robot that was outbid lets go of that task and of all it added after it,
/// whose bids counted on it. With everybody in range the table of the consensus phase comes down to the best bid.
/// Bundles are not limited. In every round the earliest bid that is still contested is settled, so that there are at
/// most as many rounds as tasks.
pub fn cbba(instance: &Instance) -> Vec<usize> {
    let tasks = instance.tasks();
    let mut bundles: Vec<Bundle> = vec![Vec::new(); instance.robots()];
    let mut winning: Vec<Option<(f64, usize)>> = vec![None; tasks];
    for _ in 0..=tasks {
        let mut changed = false;
        for (robot, bundle) in bundles.iter_mut().enumerate() {
            changed |= build(instance, robot, bundle, &winning);
        }
        if !changed {
            break;
        }
        let mut bids: Vec<Option<(f64, usize)>> = vec![None; tasks];
        for (robot, bundle) in bundles.iter().enumerate() {
            for &(task, bid) in bundle {
                // Robots come in order, so that the lower number keeps what is equal.
                if bids[task].is_none_or(|(best, _)| bid < best) {
                    bids[task] = Some((bid, robot));
                }
            }
        }
        winning.fill(None);
        for (robot, bundle) in bundles.iter_mut().enumerate() {
            let wins = |task: usize| bids[task].is_some_and(|(_, winner)| winner == robot);
            let kept = bundle.iter().position(|&(task, _)| !wins(task)).unwrap_or(bundle.len());
            bundle.truncate(kept);
            for &(task, bid) in &*bundle {
                winning[task] = Some((bid, robot));
            }
        }
    }
    let mut assignment = vec![0; tasks];
    for (robot, bundle) in bundles.iter().enumerate() {
        for &(task, _) in bundle {
            assignment[task] = robot;
        }
    }
    assignment
}

/// Adds what the robot can outbid, earliest first; says whether there was anything.
fn build(instance: &Instance, robot: usize, bundle: &mut Bundle, winning: &[Option<(f64, usize)>]) -> bool {
    let before = bundle.len();
    loop {
        let load = bundle.last().map_or(0.0, |&(_, finished)| finished);
        let mut earliest: Option<(usize, f64)> = None;
        for (task, known) in winning.iter().enumerate() {
            let bid = load + instance.times_of(task)[robot];
            let outbids = known.is_none_or(|(best, winner)| bid < best || (bid == best && robot < winner));
            let earlier = earliest.is_none_or(|(_, best)| bid < best);
            if bid.is_finite() && outbids && earlier && bundle.iter().all(|&(held, _)| held != task) {
                earliest = Some((task, bid));
            }
        }
        match earliest {
            Some(added) => bundle.push(added),
            None => return bundle.len() > before,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::makespan::random;

    /// [Choi 2009, Theorem 1] CBBA ends with what a central auctioneer reaches who always sells at the best bid.
    #[test]
    fn it_converges_to_the_sequential_greedy_algorithm() {
        for seed in 0..300 {
            let instance = random::instance(seed);
            let mut loads = vec![0.0; instance.robots()];
            let mut sold = vec![None; instance.tasks()];
            for _ in 0..instance.tasks() {
                let bids =
                    (0..instance.robots()).flat_map(|robot| (0..instance.tasks()).map(move |task| (robot, task)));
                let (robot, task) = bids
                    .filter(|&(_, task)| sold[task].is_none())
                    .min_by(|&(i, j), &(k, l)| {
                        let bid = |robot: usize, task: usize| loads[robot] + instance.times_of(task)[robot];
                        bid(i, j).total_cmp(&bid(k, l))
                    })
                    .expect("a task is left");
                loads[robot] += instance.times_of(task)[robot];
                sold[task] = Some(robot);
            }
            let central: Vec<usize> = sold.into_iter().flatten().collect();
            assert_eq!(cbba(&instance), central, "seed {seed}");
        }
    }
}
