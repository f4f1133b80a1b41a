//! The Lagrangian bound: a price on each robot's time and on each of its places.
//!
//! Let y_i >= 0 with sum 1 and z_i >= 0. In any assignment with makespan C below the cutoff, robot i has open tasks
//! that take at most C - load_i and are at most `most_i` in number, so
//!
//! C >= sum_i (y_i load_i - z_i most_i) + sum over open j of min_i (y_i t_ij + z_i).
//!
//! A subgradient step raises the prices of robots that would have too much if every task went where it is cheapest,
//! and lowers the others. Whatever the prices, the bound is valid; what makes them good is Polyak's step length, with
//! the cutoff as the value aimed at. A candidate that costs more than the cheapest by the gap to the cutoff cannot be
//! part of a better assignment and is removed.

use super::state::{Price, State};

/// The relaxed problem at the present prices.
pub(super) struct Relaxed {
    /// No assignment with a makespan below the cutoff has one below this.
    pub bound: f64,
    /// The makespan if every open task goes where it is cheapest.
    pub makespan: f64,
}

/// What the cheapest candidate of each task costs, and who that is.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Cheapest {
    pub cost: f64,
    pub robot: u32,
}

/// Gives every open task to its cheapest candidate.
pub(super) fn relax(state: &mut State, cheapest: &mut [Cheapest]) -> Relaxed {
    let mut bound = 0.0;
    for robot in &mut state.robots {
        bound += robot.price.load * robot.load - robot.price.count * robot.most;
        robot.relaxed_load = robot.load;
        robot.relaxed_count = 0.0;
    }
    for place in 0..state.open().len() {
        let task = state.open()[place] as usize;
        let (mut cost, mut chosen) = (f64::INFINITY, None);
        for candidate in state.candidates(task) {
            let own = candidate.cost(&state.robots);
            if own < cost {
                (cost, chosen) = (own, Some(*candidate));
            }
        }
        let Some(candidate) = chosen else { continue };
        cheapest[task] = Cheapest { cost, robot: candidate.robot };
        let robot = &mut state.robots[candidate.robot as usize];
        robot.relaxed_load += candidate.time;
        robot.relaxed_count += 1.0;
        bound += cost;
    }
    let makespan = state.robots.iter().map(|robot| robot.relaxed_load).fold(0.0, f64::max);
    Relaxed { bound, makespan }
}

/// Removes what is too dear to be part of an assignment below the cutoff. Says whether anything was removed, and
/// whether some task is left with one candidate.
pub(super) fn fix(state: &mut State, cheapest: &[Cheapest], gap: f64) -> (bool, bool) {
    let (mut removed, mut forced) = (false, false);
    for place in 0..state.open().len() {
        let task = state.open()[place] as usize;
        let dear = cheapest[task].cost + gap;
        let left = state.remove_if(task, |candidate, robot| {
            let doomed = robot.price.load * candidate.time + robot.price.count >= dear;
            removed |= doomed;
            doomed
        });
        forced |= left == 1;
    }
    (removed, forced)
}

/// Moves the prices one step towards those that give the best bound. `scale` is a typical time: it makes a place
/// comparable with a duration. Says whether there was a direction to move in.
pub(super) fn reprice(state: &mut State, bound: f64, gap: f64, scale: f64) -> bool {
    let mut square = 0.0;
    for robot in &state.robots {
        let over = robot.relaxed_load - bound;
        if over > 0.0 || robot.price.load > 0.0 {
            square += over * over;
        }
        let over = scale * (robot.relaxed_count - robot.most);
        if over > 0.0 || robot.price.count > 0.0 {
            square += over * over;
        }
    }
    if square <= 1e-18 * scale * scale {
        return false;
    }
    let step = gap / square;
    let mut sum = 0.0;
    for robot in &mut state.robots {
        let Price { load, count } = robot.price;
        let load = (load + step * (robot.relaxed_load - bound)).max(0.0);
        let count = (count + step * scale * scale * (robot.relaxed_count - robot.most)).max(0.0);
        robot.price = Price { load, count };
        sum += load;
    }
    // Less than 1 in sum leaves the bound valid, only weaker; dividing by next to nothing would lose its digits.
    let norm = 1.0 / f64::max(sum, 1e-4);
    for robot in &mut state.robots {
        robot.price.load *= norm;
        robot.price.count *= norm;
    }
    true
}
