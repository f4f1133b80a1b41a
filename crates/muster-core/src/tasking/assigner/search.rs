//! Branch and bound over the states of the tasks.
//!
//! Vehicles are not branched on: at every node the matching gives them away at best. The search asks for an
//! assignment within a limit close above the bound; if there is none, the bound rises to the limit, which is then
//! moved up. So a search that is broken off has learned something, and one with a hopeless first guess is not lost.
//!
//! One stage does branch on vehicles: if a quick look has found nothing, there may be nothing. That is where each vehicle can
//! do every task, but at no time that goes with what is left for the others, which no matching sees: it looks at one task at
//! a time. Trying the vehicles first shows it in hundreds of nodes where times and headings alone take millions.

use std::ops::RangeInclusive;

use super::problem::{Choice, Problem};
use super::relaxation::{Half, Node, Prospect, Relaxation};
use super::{Answer, Status};

/// A search that can be stopped and taken up again.
#[derive(Debug)]
pub struct Search<'a> {
    relaxation: Relaxation<'a>,
    stage: Stage,
    /// The whole problem with the prices of the root.
    root: Node,
    /// The nodes from the root to where the search is; deeper ones are memory to use again.
    path: Vec<Node>,
    branches: Vec<Branch>,
    best: Option<(u64, Vec<Choice>)>,
    /// What costs more is of no use.
    most: u64,
    /// No assignment costs less.
    bound: u64,
    nodes: u64,
}

#[derive(Copy, Clone, Debug, PartialEq)]
enum Stage {
    /// The bound of the root still rises.
    Root {
        rounds: u32,
    },
    /// A quick look for any assignment.
    Dive {
        left: u64,
    },
    /// The dive has found nothing: whether there is any assignment at all, vehicle by vehicle.
    Doubt {
        left: u64,
    },
    /// Looking for an assignment that costs no more than this.
    Within {
        limit: u64,
        gap: u64,
    },
    Done,
}

/// Times or headings of a task that are left to try, the cheapest last, and what each would cost at least.
#[derive(Clone, Debug)]
struct Branch {
    task: usize,
    half: Half,
    values: Vec<(f64, RangeInclusive<usize>)>,
}

/// Rounds on the root, at least and at most; in between they go on while each adds so much of the bound. Two passes are
/// one forth and back, and the first ones only spread the costs out.
const ROOT_ROUNDS: (u32, u32) = (4, 60);
const ROOT_GAIN: f64 = 1e-4;
/// Rounds on any other node, at most; they go on while each closes so much of the gap to the limit.
const NODE_ROUNDS: u32 = 4;
const NODE_GAIN: f64 = 0.2;
/// Nodes to doubt for, at most: where so many do not tell, a large team is more likely to have an answer that is hard to find.
const DOUBT: u64 = 5_000;

impl<'a> Search<'a> {
    /// Nothing looked at yet.
    pub fn new(problem: &'a Problem) -> Self {
        Self::within(problem, u64::MAX)
    }

    /// The same for assignments that cost no more than `most`: if there are others only, it finds none.
    pub(super) fn within(problem: &'a Problem, most: u64) -> Self {
        let relaxation = Relaxation::new(problem);
        let root = relaxation.root();
        let mut search = Self {
            relaxation,
            stage: Stage::Root { rounds: 0 },
            path: vec![Node::default()],
            root,
            branches: Vec::new(),
            best: None,
            most,
            bound: 0,
            nodes: 0,
        };
        if problem.tasks() == 0 {
            search.best = Some((0, Vec::new()));
            search.stage = Stage::Done;
        } else if problem.vehicles() < problem.tasks() || search.relaxation.states == 0 {
            search.stage = Stage::Done;
        }
        search
    }

    /// Looks at up to `nodes` more nodes; says whether the answer is final.
    pub fn run(&mut self, nodes: u64) -> bool {
        for _ in 0..nodes {
            if self.stage == Stage::Done {
                return true;
            }
            self.step();
            self.nodes += 1;
        }
        self.stage == Stage::Done
    }

    /// What is known so far.
    pub fn answer(&self) -> Answer {
        let done = self.stage == Stage::Done;
        let status = match (&self.best, done) {
            (Some(_), true) => Status::Optimal,
            (Some(_), false) => Status::Feasible,
            (None, true) => Status::Infeasible,
            (None, false) => Status::Unknown,
        };
        let cost = self.best.as_ref().map(|best| best.0);
        let bound = match status {
            Status::Optimal => cost.unwrap_or(0),
            Status::Infeasible => 0,
            _ => self.bound,
        };
        let assignment = self.best.as_ref().map_or(Vec::new(), |best| best.1.clone());
        Answer { status, cost, bound, assignment, nodes: self.nodes }
    }

    /// What an answer may cost to be of any use.
    fn limit(&self) -> f64 {
        let most = if self.most < u64::MAX { self.most as f64 } else { f64::INFINITY };
        let below_best = self.best.as_ref().map_or(most, |best| best.0 as f64 - 1.0);
        match self.stage {
            Stage::Within { limit, .. } => below_best.min(limit as f64),
            _ => below_best,
        }
    }

    fn step(&mut self) {
        match self.stage {
            Stage::Root { rounds } => self.improve_root(rounds),
            Stage::Dive { left: 0 } if self.best.is_none() => {
                self.stage = Stage::Doubt { left: DOUBT };
                self.start();
            }
            Stage::Dive { left: 0 } => self.next_limit((self.bound / 100).max(1)),
            Stage::Doubt { left } if left == 0 || self.best.is_some() => self.next_limit((self.bound / 100).max(1)),
            Stage::Doubt { left } => {
                self.stage = Stage::Doubt { left: left - 1 };
                if self.descend() && self.best.is_none() {
                    self.stage = Stage::Done;
                }
            }
            Stage::Dive { left } => {
                self.stage = Stage::Dive { left: left - 1 };
                if self.descend() {
                    // The dive saw everything.
                    self.stage = Stage::Done;
                }
            }
            Stage::Within { limit, gap } => {
                if self.descend() {
                    // If nothing was removed for its cost, there is nothing beyond the limit either.
                    if self.best.as_ref().is_some_and(|best| best.0 <= limit) || !self.relaxation.cut {
                        self.stage = Stage::Done;
                    } else {
                        self.bound = limit + 1;
                        self.next_limit(gap.saturating_mul(3));
                    }
                }
            }
            Stage::Done => {}
        }
    }

    fn improve_root(&mut self, rounds: u32) {
        let before = self.root.bound;
        let limit = self.limit();
        let outcome = self.relaxation.tighten(&mut self.root, limit);
        if outcome != Prospect::Open {
            self.stage = Stage::Done;
            return;
        }
        let node = std::mem::take(&mut self.root);
        self.look_at(&node);
        self.root = node;
        self.bound = self.bound.max(self.root.bound.ceil() as u64);
        if self.closed() {
            return;
        }
        let rises = self.root.bound - before > self.root.bound * ROOT_GAIN;
        if rounds < ROOT_ROUNDS.0 || (rises && rounds < ROOT_ROUNDS.1) {
            self.stage = Stage::Root { rounds: rounds + 1 };
        } else {
            self.stage = Stage::Dive { left: 3 * self.root.choices.len() as u64 + 20 };
            self.start();
        }
    }

    /// Ends the search if the best assignment meets the bound, or the bound is beyond all that is of use.
    fn closed(&mut self) -> bool {
        let closed = self.best.as_ref().is_some_and(|best| best.0 <= self.bound) || self.bound > self.most;
        if closed {
            self.stage = Stage::Done;
        }
        closed
    }

    /// Goes back to the root.
    fn start(&mut self) {
        self.branches.clear();
        self.relaxation.cut = false;
        self.path[0].clone_from(&self.root);
        self.explore(0);
    }

    fn next_limit(&mut self, gap: u64) {
        if self.closed() {
            return;
        }
        let most = self.best.as_ref().map_or(self.most.min(u64::MAX / 4), |best| best.0 - 1);
        let mut limit = self.bound.saturating_add(gap).min(most);
        // A last step that is not much longer than this one is taken at once.
        if most - limit <= gap {
            limit = most;
        }
        self.stage = Stage::Within { limit, gap };
        self.start();
    }

    /// Looks at one node; says whether there are none left.
    fn descend(&mut self) -> bool {
        let limit = self.limit();
        loop {
            let depth = self.branches.len();
            let Some(branch) = self.branches.last_mut() else { return true };
            let Some((least, values)) = branch.values.pop() else {
                self.branches.pop();
                continue;
            };
            if least > limit {
                self.relaxation.cut = true;
                self.branches.pop();
                continue;
            }
            let (task, half) = (branch.task, branch.half);
            if self.path.len() == depth {
                self.path.push(self.path[depth - 1].clone());
            } else {
                let (parents, children) = self.path.split_at_mut(depth);
                children[0].clone_from(&parents[depth - 1]);
            }
            self.relaxation.keep(&mut self.path[depth], task, half, &values);
            self.explore(depth);
            return self.branches.is_empty();
        }
    }

    fn explore(&mut self, depth: usize) {
        let mut node = std::mem::take(&mut self.path[depth]);
        for _ in 0..NODE_ROUNDS {
            let before = node.bound;
            let limit = self.limit();
            let outcome = self.relaxation.tighten(&mut node, limit);
            if outcome != Prospect::Open {
                self.path[depth] = node;
                return;
            }
            self.look_at(&node);
            if node.bound > self.limit() {
                self.relaxation.cut = true;
                self.path[depth] = node;
                return;
            }
            if node.bound - before < NODE_GAIN * (limit - node.bound) {
                break;
            }
        }
        self.path[depth] = node;
        self.branches.extend(self.branch(depth));
    }

    /// Takes the relaxed assignment of a node if it is one, and better.
    fn look_at(&mut self, node: &Node) {
        if self.relaxation.consistent(node) {
            let problem = self.relaxation.problem;
            let cost = |(task, &choice): (usize, &Choice)| u64::from(problem.cost(task, choice));
            let total = node.choices.iter().enumerate().map(cost).sum::<u64>() + self.relaxation.pairs(node);
            if self.best.as_ref().is_none_or(|best| total < best.0) {
                self.best = Some((total, node.choices.clone()));
            }
        }
    }

    /// The times or headings of a task that promise the smallest search: few, and most of them close to the limit.
    /// If nothing is left to choose, whatever is left goes together or does not, and the relaxed assignment is the
    /// best of it.
    fn branch(&self, depth: usize) -> Option<Branch> {
        let node = &self.path[depth];
        let (limit, span) = (self.limit(), self.limit() - node.bound);
        // Without a limit every value counts the same. Squares, since what has half the room leaves far less than half.
        let room = |bound: f64| if span < f64::INFINITY { (limit - bound) / (span + 1.0) } else { 1.0 };
        let size = |(bound, _): &(f64, RangeInclusive<usize>)| 0.1 + room(*bound) * room(*bound);
        if let Stage::Doubt { .. } = self.stage {
            let open = (0..node.choices.len()).map(|task| (self.relaxation.left(node, task, Half::Vehicle), task));
            if let Some((_, task)) = open.filter(|(left, _)| *left > 1).min() {
                let values = self.relaxation.values(node, task, Half::Vehicle);
                return Some(Branch { task, half: Half::Vehicle, values });
            }
        }
        let mut best: Option<(f64, Branch)> = None;
        for task in 0..node.choices.len() {
            for half in [Half::Time, Half::Heading] {
                if self.relaxation.left(node, task, half) > 1 {
                    let values = self.relaxation.values(node, task, half);
                    let size = values.iter().map(size).sum::<f64>();
                    if best.as_ref().is_none_or(|best| size < best.0) {
                        best = Some((size, Branch { task, half, values }));
                    }
                }
            }
        }
        let (_, mut branch) = best?;
        branch.values.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.start().cmp(a.1.start())));
        Some(branch)
    }
}
