//! How many tasks still fit in: what no robot can do in time is removed, and a robot that has to take several tasks
//! for all to fit in cannot take one that leaves no time for the others.
//!
//! The load bound is blind to this: with ten robots and times between 100 and 200, a deadline of 225 leaves room for
//! two tasks each, and each of them has to be short. Where all times are equal it is what proves the optimum.

use super::search::Node;
use super::state::State;

/// Most of a robot's shortest tasks that are looked at one by one.
const SHORTEST: usize = 4;

/// The shortest open tasks of each robot, infinite where there are fewer.
pub(super) type Shortest = Vec<[f64; SHORTEST]>;

/// Removes candidates until nothing changes, and sets every robot's `most`.
pub(super) fn count(state: &mut State, shortest: &mut Shortest, cutoff: f64) -> Node {
    loop {
        shortest.clear();
        shortest.resize(state.robots.len(), [f64::INFINITY; SHORTEST]);
        for place in 0..state.open().len() {
            let task = state.open()[place] as usize;
            let left = state.remove_if(task, |candidate, robot| {
                let late = robot.load + candidate.time >= cutoff;
                if !late {
                    insert(&mut shortest[candidate.robot as usize], candidate.time);
                }
                late
            });
            if left == 0 {
                return Node::Closed;
            }
        }
        let mut spare = -(state.open().len() as f64);
        let mut most = 0.0_f64;
        for (robot, shortest) in state.robots.iter_mut().zip(&*shortest) {
            robot.most = fitting(shortest, cutoff - robot.load);
            spare += robot.most;
            most = most.max(robot.most);
        }
        if spare < 0.0 {
            return Node::Closed;
        }
        // Without robot i the others fit in `spare - most_i` fewer tasks than are open: these are left to robot i.
        if most - spare < 2.0 {
            return Node::Open;
        }
        let mut changed = false;
        for place in 0..state.open().len() {
            let task = state.open()[place] as usize;
            let left = state.remove_if(task, |candidate, robot| {
                let others = robot.most - spare - 1.0;
                let doomed = others >= 1.0
                    && robot.load + with_others(&shortest[candidate.robot as usize], candidate.time, others) >= cutoff;
                changed |= doomed;
                doomed
            });
            if left == 0 {
                return Node::Closed;
            }
        }
        if !changed {
            return Node::Open;
        }
    }
}

#[inline(always)]
fn insert(shortest: &mut [f64; SHORTEST], mut time: f64) {
    if time < shortest[SHORTEST - 1] {
        for slot in shortest {
            if time < *slot {
                std::mem::swap(slot, &mut time);
            }
        }
    }
}

/// How many tasks fit in before `room` is used up, at the most.
fn fitting(shortest: &[f64; SHORTEST], room: f64) -> f64 {
    let mut used = 0.0;
    for (count, time) in shortest.iter().enumerate() {
        if used + time >= room {
            return count as f64;
        }
        used += time;
    }
    // The rest are no shorter than the longest that was looked at.
    SHORTEST as f64 + ((room - used) / shortest[SHORTEST - 1]).floor()
}

/// A task's time together with that of the shortest `others` besides it; less if that many were not looked at.
fn with_others(shortest: &[f64; SHORTEST], time: f64, others: f64) -> f64 {
    let (mut sum, mut taken, mut itself) = (time, 0.0, false);
    for &other in shortest {
        if taken >= others {
            break;
        }
        if other == time && !itself {
            itself = true;
            continue;
        }
        sum += other;
        taken += 1.0;
    }
    sum
}
