//! The bound from what can really be packed: each robot's knapsack.
//!
//! Give every open task j a value u_j >= 0. Before the cutoff robot i can collect at most K_i, the value of its best
//! set of candidates that fits in, so all tasks can be done only if sum_j u_j <= sum_i K_i. With u_j the cost of task j
//! at the prices of the dual bound this is never weaker than that bound, and much stronger where robots do few tasks
//! each, since then their time is rarely used up exactly. A few subgradient steps on the values, up where nobody packs
//! a task and down where several do, make it stronger still. In the limit it is the bound of column generation; the
//! sets are so few that they are simply enumerated.

use super::dual::Cheapest;
use super::search::Node;
use super::state::State;

/// Subgradient steps on the values.
const STEPS: usize = 3;
/// A robot with more candidates or more sets than this is taken to use up its time exactly.
const MOST_ITEMS: usize = 32;
const MOST_SETS: usize = 80;
/// What is left alone on account of rounding, as a share of all values.
const ROUNDING: f64 = 1e-12;

/// A task that a robot can pack.
#[derive(Copy, Clone, Debug)]
struct Item {
    task: u32,
    time: f64,
    value: f64,
    /// The value of the best set with this item in it.
    best: f64,
}

/// What a robot can pack.
#[derive(Copy, Clone, Debug)]
struct Knapsack {
    /// Its items lie from here to here.
    start: usize,
    end: usize,
    /// There are few enough of them to be enumerated.
    few: bool,
    /// The value of the best set.
    best: f64,
}

/// Everybody's knapsacks, in vectors that are used again from node to node.
#[derive(Debug, Default)]
pub(super) struct Packing {
    knapsacks: Vec<Knapsack>,
    /// Robot by robot, the quickest tasks first.
    items: Vec<Item>,
    /// By task: its value, and how many robots have it in their best set.
    tasks: Vec<(f64, f64)>,
    total: f64,
}

impl Packing {
    /// Closes the node if not everything can be packed; removes candidates that leave too little for the others to
    /// pack, and says whether there were any.
    pub fn pack(&mut self, state: &mut State, cheapest: &[Cheapest], cutoff: f64) -> (Node, bool) {
        self.fill(state, cheapest);
        if self.knapsacks.iter().all(|knapsack| !knapsack.few) {
            return (Node::Open, false);
        }
        for step in 0.. {
            let exact = self.enumerate(state, cutoff);
            let slack = self.knapsacks.iter().map(|knapsack| knapsack.best).sum::<f64>() - self.total;
            let rounding = ROUNDING * self.total;
            if slack < -rounding {
                return (Node::Closed, false);
            }
            if self.remove_worthless(state, slack + rounding) {
                return (Node::Open, true);
            }
            // What stands in for a knapsack that was not enumerated is a bound at the first values only.
            if step == STEPS || !exact || !self.revalue(state, slack) {
                break;
            }
        }
        (Node::Open, false)
    }

    /// Puts every candidate into its robot's knapsack, at the cost of its task.
    fn fill(&mut self, state: &State, cheapest: &[Cheapest]) {
        self.knapsacks.clear();
        self.knapsacks.resize(state.robots.len(), Knapsack { start: 0, end: 0, few: true, best: 0.0 });
        for &task in state.open() {
            for candidate in state.candidates(task as usize) {
                self.knapsacks[candidate.robot as usize].end += 1;
            }
        }
        let mut start = 0;
        for knapsack in &mut self.knapsacks {
            let items = knapsack.end;
            let few = items <= MOST_ITEMS;
            *knapsack = Knapsack { start, end: start, few, best: 0.0 };
            start += if few { items } else { 0 };
        }
        self.items.clear();
        self.items.resize(start, Item { task: 0, time: 0.0, value: 0.0, best: 0.0 });
        self.tasks.clear();
        self.tasks.resize(cheapest.len(), (0.0, 0.0));
        self.total = 0.0;
        for &task in state.open() {
            let value = cheapest[task as usize].cost;
            self.tasks[task as usize].0 = value;
            self.total += value;
            for candidate in state.candidates(task as usize) {
                let knapsack = &mut self.knapsacks[candidate.robot as usize];
                if knapsack.few {
                    // Sorted by insertion, since there are few.
                    let mut at = knapsack.end;
                    while at > knapsack.start && self.items[at - 1].time > candidate.time {
                        self.items[at] = self.items[at - 1];
                        at -= 1;
                    }
                    self.items[at] = Item { task, time: candidate.time, value, best: 0.0 };
                    knapsack.end += 1;
                }
            }
        }
    }

    /// Finds the best set of every robot, and the best one with each item. Says whether all sets could be looked at.
    fn enumerate(&mut self, state: &State, cutoff: f64) -> bool {
        let mut exact = true;
        for task in &mut self.tasks {
            task.1 = 0.0;
        }
        for (knapsack, robot) in self.knapsacks.iter_mut().zip(&state.robots) {
            let room = cutoff - robot.load;
            let items = &mut self.items[knapsack.start..knapsack.end];
            for item in &mut *items {
                item.best = f64::NEG_INFINITY;
            }
            let mut sets = if knapsack.few { MOST_SETS } else { 0 };
            knapsack.best = best_set(items, 0, room, 0.0, &mut sets);
            if sets == 0 {
                exact = false;
                knapsack.best = robot.price.load * room + robot.price.count * robot.most;
                for item in &mut *items {
                    item.best = knapsack.best;
                }
            }
            for item in items.iter().filter(|item| item.best >= knapsack.best) {
                self.tasks[item.task as usize].1 += 1.0;
            }
        }
        exact
    }

    /// Removes every candidate without which its robot could pack so much more that the rest cannot make up for it.
    fn remove_worthless(&self, state: &mut State, slack: f64) -> bool {
        let mut removed = false;
        for (robot, knapsack) in self.knapsacks.iter().enumerate() {
            let items = &self.items[knapsack.start..knapsack.end];
            for item in items.iter().filter(|item| knapsack.best - item.best > slack) {
                state.remove_if(item.task as usize, |candidate, _| candidate.robot as usize == robot);
                removed = true;
            }
        }
        removed
    }

    /// Takes a subgradient step; false if every task is packed exactly once.
    fn revalue(&mut self, state: &State, slack: f64) -> bool {
        let missing = |packed: f64| 1.0 - packed;
        let square: f64 = state.open().iter().map(|&task| missing(self.tasks[task as usize].1).powi(2)).sum();
        if square == 0.0 {
            return false;
        }
        self.total = 0.0;
        for &task in state.open() {
            let (value, packed) = &mut self.tasks[task as usize];
            *value = (*value + slack / square * missing(*packed)).max(0.0);
            self.total += *value;
        }
        for item in &mut self.items {
            item.value = self.tasks[item.task as usize].0;
        }
        true
    }
}

/// The value of the best set of items from `first` on that fits in, together with what is packed already.
fn best_set(items: &mut [Item], first: usize, room: f64, packed: f64, sets: &mut usize) -> f64 {
    let mut best = packed;
    for at in first..items.len() {
        let Item { time, value, .. } = items[at];
        if time >= room || *sets == 0 {
            break;
        }
        *sets -= 1;
        let with = best_set(items, at + 1, room - time, packed + value, sets);
        items[at].best = items[at].best.max(with);
        best = best.max(with);
    }
    best
}
