//! Depth-first branch and bound below a deadline.

use super::counting::{self, Shortest};
use super::dual::{self, Cheapest};
use super::packing::Packing;
use super::state::{Mark, Price, State};
use super::{Instance, Step};

/// Steps of the prices at the root and below it. Measured: fewer leave more nodes, more cost more than they save.
const ROOT_STEPS: usize = 12;
const NODE_STEPS: usize = 1;

/// Whether a node has to be branched on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// It may hold something better.
    Open,
    /// It does not, or what it holds has been recorded.
    Closed,
}

/// How a search ended.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Extent {
    /// Nothing below the deadline, or below what was found, has been left out.
    Complete,
    /// The nodes were used up; no assignment has a makespan below `bound`.
    OutOfNodes { bound: f64 },
}

/// A node whose children are being looked at: each candidate of one task, cheapest first.
#[derive(Copy, Clone, Debug)]
struct Branch {
    task: usize,
    next: usize,
    mark: Mark,
    /// The dual bound without the task's cost: a child is bounded by this and its own cost.
    rest: f64,
    /// The best bound of this node and those above, at other prices.
    floor: f64,
}

/// A search and all that it needs.
#[derive(Debug, Default)]
pub(super) struct Search {
    state: State,
    shortest: Shortest,
    cheapest: Vec<Cheapest>,
    /// A typical time.
    scale: f64,
    branches: Vec<Branch>,
    /// The prices at each branch, which its children start from.
    prices: Vec<Price>,
    best: Vec<u32>,
    packing: Packing,
    found: bool,
    deadline: f64,
    cutoff: f64,
    step: Step,
    /// The bound of the last node at its last prices, and at the best of its prices.
    bound: f64,
    best_bound: f64,
}

impl Search {
    /// Starts over with another instance.
    pub fn reset(&mut self, instance: &Instance, scale: f64) {
        self.state.reset(instance);
        self.scale = scale;
        self.cheapest.clear();
        self.cheapest.resize(instance.tasks(), Cheapest::default());
        self.branches.clear();
        self.prices.clear();
        self.found = false;
    }

    /// The best assignment that the last search found, robot by task.
    pub fn found(&self) -> Option<&[u32]> {
        self.found.then_some(&*self.best)
    }

    /// Looks for the best assignment with a makespan below `deadline`. Says how many nodes it took.
    pub fn below(&mut self, deadline: f64, step: Step, nodes: u64) -> (Extent, u64) {
        let root = self.state.mark();
        self.found = false;
        self.step = step;
        self.aim_below(deadline);
        let outcome = self.explore(nodes);
        self.branches.clear();
        self.prices.clear();
        self.state.undo(root);
        outcome
    }

    fn explore(&mut self, nodes: u64) -> (Extent, u64) {
        let mut used = 1;
        if self.bound(ROOT_STEPS) == Node::Open {
            self.branch();
        }
        loop {
            if !self.next_child() {
                return (Extent::Complete, used);
            }
            if used >= nodes {
                return (Extent::OutOfNodes { bound: self.bound_of_open() }, used);
            }
            used += 1;
            if self.bound(NODE_STEPS) == Node::Open {
                self.branch();
            }
        }
    }

    /// Nothing that is not better than this is of interest.
    fn aim_below(&mut self, deadline: f64) {
        self.deadline = deadline;
        self.cutoff = self.step.cutoff(deadline);
    }

    /// Keeps the assignment in which every open task is done by its cheapest candidate.
    fn record(&mut self, makespan: f64) {
        self.found = true;
        self.best.clear();
        self.best.extend_from_slice(&self.state.assignment);
        for &task in self.state.open() {
            self.best[task as usize] = self.cheapest[task as usize].robot;
        }
        self.aim_below(makespan);
    }

    /// Removes candidates, gives away tasks that have only one and moves prices, until the node is closed or the
    /// steps are used up.
    fn bound(&mut self, mut steps: usize) -> Node {
        let mut recount = true;
        self.best_bound = f64::NEG_INFINITY;
        loop {
            if recount && counting::count(&mut self.state, &mut self.shortest, self.cutoff) == Node::Closed {
                return Node::Closed;
            }
            let relaxed = dual::relax(&mut self.state, &mut self.cheapest);
            if relaxed.makespan < self.cutoff {
                self.record(relaxed.makespan);
            }
            if relaxed.bound >= self.cutoff {
                return Node::Closed;
            }
            self.best_bound = self.best_bound.max(relaxed.bound);
            let gap = self.cutoff - relaxed.bound;
            let (removed, forced) = dual::fix(&mut self.state, &self.cheapest, gap);
            recount = removed;
            if forced {
                if self.give_forced() == Node::Closed {
                    return Node::Closed;
                }
                recount = true;
                continue;
            }
            if steps == 0 || !dual::reprice(&mut self.state, relaxed.bound, gap, self.scale) {
                let (node, removed) = self.packing.pack(&mut self.state, &self.cheapest, self.cutoff);
                if node == Node::Closed || !removed {
                    self.bound = relaxed.bound;
                    return node;
                }
                recount = true;
                continue;
            }
            steps -= 1;
        }
    }

    /// Gives every task with a single candidate to it.
    fn give_forced(&mut self) -> Node {
        let mut place = 0;
        while place < self.state.open().len() {
            let task = self.state.open()[place] as usize;
            if let [only] = *self.state.candidates(task) {
                if self.state.robots[only.robot as usize].load + only.time >= self.cutoff {
                    return Node::Closed;
                }
                self.state.give(place, only);
            } else {
                place += 1;
            }
        }
        self.record_if_complete()
    }

    fn record_if_complete(&mut self) -> Node {
        if !self.state.open().is_empty() {
            return Node::Open;
        }
        let makespan = self.state.robots.iter().map(|robot| robot.load).fold(0.0, f64::max);
        if makespan < self.cutoff {
            self.record(makespan);
        }
        Node::Closed
    }

    /// Branches on the task with the fewest candidates; among those on the one where the second best costs most.
    fn branch(&mut self) {
        let gap = self.cutoff - self.bound;
        let (mut task, mut most_pressing) = (0, f64::NEG_INFINITY);
        for &open in self.state.open() {
            let candidates = self.state.candidates(open as usize);
            let (mut first, mut second) = (f64::INFINITY, f64::INFINITY);
            for candidate in candidates {
                let cost = candidate.cost(&self.state.robots);
                if cost < first {
                    (first, second) = (cost, first);
                } else if cost < second {
                    second = cost;
                }
            }
            let pressing = (second - first) / gap - candidates.len() as f64;
            if pressing > most_pressing {
                (task, most_pressing) = (open as usize, pressing);
            }
        }
        self.state.sort_candidates(task);
        let rest = self.bound - self.state.candidates(task)[0].cost(&self.state.robots);
        let floor = self.branches.last().map_or(self.best_bound, |above| above.floor.max(self.best_bound));
        self.branches.push(Branch { task, next: 0, mark: self.state.mark(), rest, floor });
        self.prices.extend(self.state.robots.iter().map(|robot| robot.price));
    }

    /// Steps to the next child that may hold something better, back up where there is none; false at the end.
    fn next_child(&mut self) -> bool {
        while let Some(branch) = self.branches.last_mut() {
            self.state.undo(branch.mark);
            let saved = self.prices.len() - self.state.robots.len();
            for (robot, price) in self.state.robots.iter_mut().zip(&self.prices[saved..]) {
                robot.price = *price;
            }
            let candidate = self.state.candidates(branch.task).get(branch.next).copied();
            // The cheapest come first: once one is too dear, so are the rest.
            let worthwhile = |cost: f64| branch.rest + cost < self.cutoff;
            match candidate.filter(|candidate| worthwhile(candidate.cost(&self.state.robots))) {
                None => {
                    self.branches.pop();
                    self.prices.truncate(saved);
                }
                Some(candidate) => {
                    branch.next += 1;
                    if self.state.robots[candidate.robot as usize].load + candidate.time < self.cutoff {
                        let place = self.state.place_of(branch.task);
                        self.state.give(place, candidate);
                        if self.record_if_complete() == Node::Open {
                            return true;
                        }
                    }
                }
            }
        }
        false
    }

    /// What is still open when the nodes are used up: the child just stepped to and all after it.
    fn bound_of_open(&self) -> f64 {
        let mut bound = self.deadline;
        for (depth, branch) in self.branches.iter().enumerate() {
            let prices = &self.prices[depth * self.state.robots.len()..];
            let candidates = self.state.candidates(branch.task);
            // Its candidates are sorted, so the next is the cheapest; the last branch has not looked into its child.
            let next = if depth + 1 == self.branches.len() { branch.next - 1 } else { branch.next };
            if let Some(candidate) = candidates.get(next) {
                let price = prices[candidate.robot as usize];
                bound = bound.min(f64::max(branch.floor, branch.rest + price.load * candidate.time + price.count));
            }
        }
        bound
    }
}
