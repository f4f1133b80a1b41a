//! A sequential auction that sells first what would cost most to sell to the second best.

use crate::makespan::Instance;

/// Sequential single-item auction by regret: in every round each robot bids, for each task that is left, the time at
/// which it would finish it after all it has won; the task with the largest difference between the best bid and the
/// second best is sold to the best bidder. A task with one bidder goes first, and among equals the one with the lower
/// number (Koenig et al. 2008, regret clearing, with completion times as bids).
pub fn regret_auction(instance: &Instance) -> Vec<usize> {
    let mut loads = vec![0.0; instance.robots()];
    let mut assignment = vec![0; instance.tasks()];
    let mut left: Vec<usize> = (0..instance.tasks()).collect();
    while !left.is_empty() {
        let (mut sold, mut largest) = (0, f64::NEG_INFINITY);
        let mut winner = (0, 0.0);
        for (place, &task) in left.iter().enumerate() {
            let (best, second) = two_best(instance, task, &loads);
            if second - best.1 > largest {
                (sold, largest, winner) = (place, second - best.1, best);
            }
        }
        let (robot, finished) = winner;
        assignment[left.remove(sold)] = robot;
        loads[robot] = finished;
    }
    assignment
}

/// The best bidder with its bid, and the second best bid; infinite if there is none.
fn two_best(instance: &Instance, task: usize, loads: &[f64]) -> ((usize, f64), f64) {
    let mut best = (0, f64::INFINITY);
    let mut second = f64::INFINITY;
    for (robot, time) in instance.able(task) {
        let bid = loads[robot] + time;
        if bid < best.1 {
            (best, second) = ((robot, bid), best.1);
        } else if bid < second {
            second = bid;
        }
    }
    (best, second)
}
