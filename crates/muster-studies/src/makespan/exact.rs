//! The optimum, or as near to it as a budget of nodes gets, with a proven bound.
//!
//! Read `exact/dual.rs` and `exact/counting.rs` first: they say why a part of the search can be left out. What makes
//! the search fast is to ask for less than is known to be possible: is there an assignment below this deadline, close
//! above the best bound? With a deadline that is too early the two close the root at once, which raises the bound;
//! with one that can just be met they leave few candidates, and the search finds an assignment soon. Below the best
//! known makespan, which may be far from the optimum, it would wander about.
//!
//! Nothing here depends on a clock or on chance: the same instance and budget give the same solution.

mod counting;
mod dual;
mod packing;
mod search;
mod state;

use serde::Serialize;

use super::Instance;
use super::descent::descend;
use super::rules::greedy;
use search::{Extent, Search};

/// An assignment, and how good it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Solution {
    /// When the last robot finishes.
    pub makespan: f64,
    /// No assignment finishes earlier than this.
    pub bound: f64,
    /// The assignment is optimal: `bound` equals `makespan`. (To one part in 10^12, since loads are sums of reals.)
    pub proved: bool,
    /// Robot by task.
    pub assignment: Vec<usize>,
    /// Nodes of the search that were looked at.
    #[serde(skip)]
    pub nodes: u64,
}

/// What is left alone on account of rounding, as a share of the makespan.
const ROUNDING: f64 = 1e-12;

/// Minimises the makespan within a budget of nodes.
///
/// A node costs a few passes over the able robots of the tasks that are open, so that the time it takes depends on
/// the instance; [`default_budget`] allows for that. For many instances keep a [`Solver`].
pub fn solve(instance: &Instance, budget: u64) -> Solution {
    Solver::new().solve(instance, budget)
}

/// A budget that ends after some seconds, whatever the size: fewer nodes where each costs more.
pub fn default_budget(instance: &Instance) -> u64 {
    let pairs = (instance.robots() * instance.tasks()) as u64;
    (1_000_000_000 / pairs).clamp(1_000, 2_000_000)
}

/// Solves instances one after the other without allocating anew.
#[derive(Debug, Default)]
pub struct Solver {
    search: Search,
}

/// Nodes of the first attempt at a deadline; each that ends without an answer doubles them.
const FIRST_NODES: u64 = 32;
/// How far between bound and best makespan the first deadline lies, and those that follow. Measured: the bound of the
/// start is not worth much, and the greater part of small instances is done with the first.
const FIRST_DEADLINE: f64 = 0.5;
const NEXT_DEADLINE: f64 = 0.3;
/// Where they are nearer than this share, the deadline is the best makespan itself.
const NEAR: f64 = 0.003;

impl Solver {
    /// A solver.
    pub fn new() -> Self {
        Self::default()
    }

    /// Minimises the makespan within a budget of nodes.
    pub fn solve(&mut self, instance: &Instance, budget: u64) -> Solution {
        let (robots, tasks) = (instance.robots(), instance.tasks());
        let mut best = greedy(instance);
        let mut loads = instance.loads(&best);
        descend(instance, &mut best, &mut loads);
        let mut makespan = instance.makespan(&best);

        let mut shortest = 0.0;
        let mut bound = 0.0_f64;
        for task in 0..tasks {
            let least = instance.times_of(task).iter().copied().fold(f64::INFINITY, f64::min);
            bound = bound.max(least);
            shortest += least;
        }
        let step = whole_numbers(instance);
        bound = step.up(bound.max(shortest / robots as f64));

        self.search.reset(instance, shortest / tasks as f64);
        let (mut limit, mut share, mut left) = (FIRST_NODES, FIRST_DEADLINE, budget);
        let closed = |bound: f64, makespan: f64| bound >= makespan * (1.0 - ROUNDING);
        while left > 0 && !closed(bound, makespan) {
            let all = share > 0.95 || makespan - bound < NEAR * makespan;
            let deadline = if all { makespan } else { step.up(bound + share * (makespan - bound)).min(makespan) };
            let (outcome, nodes) = self.search.below(deadline, step, limit.min(left));
            left -= nodes;
            if let Some(found) = self.search.found() {
                best.clear();
                best.extend(found.iter().map(|&robot| robot as usize));
                makespan = instance.makespan(&best);
            }
            match outcome {
                // All that is below the deadline was looked at: what was found is the best there is.
                Extent::Complete if self.search.found().is_some() => bound = makespan,
                Extent::Complete => {
                    bound = deadline;
                    share = NEXT_DEADLINE;
                }
                Extent::OutOfNodes { bound: open } => {
                    bound = bound.max(step.up(open)).min(makespan);
                    let answered = self.search.found().is_some();
                    share = if answered || all { NEXT_DEADLINE } else { share + 0.5 * (1.0 - share) };
                    limit = limit.saturating_mul(2);
                }
            }
        }
        let proved = closed(bound, makespan);
        let bound = if proved { makespan } else { bound };
        Solution { makespan, bound, proved, assignment: best, nodes: budget - left }
    }
}

/// What is known of the values that a makespan can take.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
enum Step {
    /// Any real number.
    #[default]
    Real,
    /// Whole numbers: better is better by 1.
    Whole,
}

impl Step {
    /// The least value that a makespan of at least `value` can take.
    fn up(self, value: f64) -> f64 {
        match self {
            Self::Real => value,
            Self::Whole => (value - 1e-6).ceil(),
        }
    }

    /// What is at or above this is not below `deadline`, rounding allowed for.
    fn cutoff(self, deadline: f64) -> f64 {
        match self {
            Self::Real => deadline * (1.0 - ROUNDING),
            Self::Whole => deadline - 1.0 + 1e-6,
        }
    }
}

fn whole_numbers(instance: &Instance) -> Step {
    let whole = |time: f64| time.fract() == 0.0 || time.is_infinite();
    // Sums stay exact, and far from where one part in 10^12 is more than the tolerance above.
    let small = |time: f64| time * (instance.tasks() as f64) < 1e5 || time.is_infinite();
    let all = (0..instance.tasks()).all(|task| instance.times_of(task).iter().all(|&time| whole(time) && small(time)));
    if all { Step::Whole } else { Step::Real }
}
