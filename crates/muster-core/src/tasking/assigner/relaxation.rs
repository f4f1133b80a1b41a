//! Lower bounds: what the tasks cost at least, whoever does them.
//!
//! A *state* of a task is a time and a heading. Three things make the problem hard, and each is relaxed by prices:
//!
//! - each vehicle does at most one task: a linear assignment of tasks to vehicles, where a task costs a vehicle what
//!   its cheapest state does, gives a price for each vehicle;
//! - states of two tasks have to go together: each coupling takes a share of what a state costs from the one task and
//!   hands it to the states of the other that go with it. These *shares* never change what a consistent assignment
//!   costs, only where its cost stands;
//! - what costs more than the limit cannot be part of an answer and is removed, with all that only went with it.
//!
//! Shares are passed along the tasks in order, forth and back, as in sequential reweighted message passing
//! [Kolmogorov 2015]; on a chain one pass is dynamic programming. The matching joins in as if it came after the last
//! task. Every bound is exact: numbers are multiples of 2^-6 far below 2^45, whose sums a double holds without rounding.

use super::coupling::{Coupling, Scratch};
use super::matching::Matching;
use super::problem::{Choice, INFEASIBLE, Problem};

/// Everything that stays as it is during a search.
#[derive(Debug)]
pub struct Relaxation<'a> {
    pub problem: &'a Problem,
    pub couplings: Vec<Coupling>,
    /// For each task its couplings.
    at: Vec<Vec<usize>>,
    /// By task, vehicle and state; infinite where it cannot be.
    costs: Vec<f64>,
    pub states: usize,
    /// Whether anything was removed for its cost since this was last set to false.
    pub cut: bool,
    scratch: Scratch,
    matching: Matching,
    matrix: Vec<f64>,
    incoming: Vec<f64>,
    values: Vec<f64>,
    total: Vec<f64>,
    flow: Vec<f64>,
}

/// What is left of the problem at a node, and the prices there.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// By task and state: 0, or infinite if it is removed.
    pub open: Vec<f64>,
    /// How many states of each task are left.
    pub left: Vec<usize>,
    /// For each task who may do it.
    able: Vec<Vec<u32>>,
    /// By coupling, end and state: what the coupling adds to the state.
    shares: Vec<f64>,
    /// By task and state: the sum of the shares, infinite if removed.
    shared: Vec<f64>,
    /// By task and state: the cheapest vehicle at its price.
    priced: Vec<f64>,
    /// By task: what it costs at the prices.
    pub task_prices: Vec<f64>,
    /// No assignment of what is left costs less.
    pub bound: f64,
    /// The same by the last matching alone, to which what states cost above their task's price can be added.
    matched: f64,
    /// The relaxed assignment.
    pub choices: Vec<Choice>,
    backward: bool,
}

/// What came of a node.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There may be an answer.
    Open,
    /// There is none within the limit.
    Closed,
}

/// Rounds to a multiple of 2^-6: adding 1.5 * 2^46 leaves no room for smaller digits.
#[inline(always)]
fn rounded(value: f64) -> f64 {
    const ROUNDER: f64 = 1.5 * (1_u64 << 46) as f64;
    (value + ROUNDER) - ROUNDER
}

impl<'a> Relaxation<'a> {
    pub fn new(problem: &'a Problem) -> Self {
        let (times, headings) = (problem.times().len(), problem.headings().len());
        let couplings = Coupling::all(problem);
        let mut at = vec![Vec::new(); problem.tasks()];
        for (index, coupling) in couplings.iter().enumerate() {
            at[coupling.a].push(index);
            at[coupling.b].push(index);
        }
        let states = times * headings;
        let mut costs = Vec::with_capacity(problem.tasks() * problem.vehicles() * states);
        for task in 0..problem.tasks() {
            for vehicle in 0..problem.vehicles() {
                let bid = problem.bid(task, vehicle);
                for heading in 0..headings {
                    let row = (0..times).map(|time| bid[time * headings + heading]);
                    costs.extend(row.map(|cost| if cost == INFEASIBLE { f64::INFINITY } else { f64::from(cost) }));
                }
            }
        }
        Self {
            problem,
            couplings,
            at,
            costs,
            states,
            cut: false,
            scratch: Scratch::default(),
            matching: Matching::default(),
            matrix: Vec::new(),
            incoming: Vec::new(),
            values: vec![0.0; states],
            total: vec![0.0; states],
            flow: vec![0.0; states],
        }
    }

    /// The whole problem, without any price.
    pub fn root(&self) -> Node {
        let (tasks, vehicles) = (self.problem.tasks(), self.problem.vehicles());
        let mut node = Node {
            open: vec![0.0; tasks * self.states],
            left: vec![self.states; tasks],
            able: vec![(0..vehicles as u32).collect(); tasks],
            shares: vec![0.0; self.couplings.len() * 2 * self.states],
            shared: vec![0.0; tasks * self.states],
            priced: vec![0.0; tasks * self.states],
            task_prices: vec![0.0; tasks],
            bound: 0.0,
            matched: 0.0,
            choices: vec![Choice { vehicle: 0, time: 0, heading: 0 }; tasks],
            backward: false,
        };
        for task in 0..tasks {
            let costs = &self.costs[task * vehicles * self.states..];
            Self::price(costs, self.states, &mut node, task, &vec![0.0; vehicles]);
        }
        node
    }

    /// No assignment of what is left at a node with this state of the task costs less.
    pub fn bound_with(&self, node: &Node, task: usize, state: usize) -> f64 {
        let place = task * self.states + state;
        let above = node.priced[place] + node.shared[place] - node.task_prices[task];
        node.bound.max(node.matched + above)
    }

    /// Passes shares along the tasks once, and matches vehicles. `limit` is what an answer may cost.
    pub fn tighten(&mut self, node: &mut Node, limit: f64) -> Outcome {
        let tasks = self.problem.tasks();
        for place in 0..tasks {
            let task = if node.backward { tasks - 1 - place } else { place };
            if !self.pass(node, task) {
                return Outcome::Closed;
            }
        }
        node.backward = !node.backward;
        self.match_vehicles(node, limit)
    }

    /// Collects what the couplings of a task know, and hands on shares of it to the tasks that come later in the pass.
    fn pass(&mut self, node: &mut Node, task: usize) -> bool {
        let states = self.states;
        let own = task * states..(task + 1) * states;
        let edges = &self.at[task];
        self.incoming.resize(edges.len() * states, 0.0);
        for ((total, &priced), &open) in
            self.total.iter_mut().zip(&node.priced[own.clone()]).zip(&node.open[own.clone()])
        {
            *total = priced + open;
        }
        let mut later = 0;
        for (&edge, incoming) in edges.iter().zip(self.incoming.chunks_exact_mut(states)) {
            let coupling = &self.couplings[edge];
            let other = coupling.other(task);
            later += usize::from((other > task) != node.backward);
            let end = (edge * 2 + usize::from(other == coupling.b)) * states;
            let shares = &node.shares[end..end + states];
            let open = &node.open[other * states..(other + 1) * states];
            for ((value, &share), &open) in self.values.iter_mut().zip(shares).zip(open) {
                *value = open - share;
            }
            coupling.cheapest(task, &self.values, &mut self.scratch, incoming);
            for (total, &incoming) in self.total.iter_mut().zip(&*incoming) {
                *total += incoming;
            }
        }
        let mut left = 0;
        for (open, &total) in node.open[own.clone()].iter_mut().zip(&self.total) {
            *open = if total < f64::INFINITY { 0.0 } else { f64::INFINITY };
            left += usize::from(total < f64::INFINITY);
        }
        node.left[task] = left;
        if left == 0 {
            return false;
        }
        let earlier = edges.len() - later;
        let ways = if node.backward { later.max(earlier + 1) } else { (later + 1).max(earlier) };
        let weight = 1.0 / ways as f64;
        // What is removed counts as 0 here, and as infinite through `open`.
        for (flow, &total) in self.flow.iter_mut().zip(&self.total) {
            *flow = if total < f64::INFINITY { rounded(total * weight) } else { 0.0 };
        }
        let shared = &mut node.shared[own.clone()];
        shared.copy_from_slice(&node.open[own]);
        for (&edge, incoming) in edges.iter().zip(self.incoming.chunks_exact(states)) {
            let coupling = &self.couplings[edge];
            let end = (edge * 2 + usize::from(task == coupling.b)) * states;
            let shares = &mut node.shares[end..end + states];
            let on = (coupling.other(task) > task) != node.backward;
            for (place, share) in shares.iter_mut().enumerate() {
                let kept = if incoming[place] < f64::INFINITY { incoming[place] } else { 0.0 };
                *share = if on { kept - self.flow[place] } else { kept };
                shared[place] += *share;
            }
        }
        true
    }

    /// Matches tasks with vehicles at the cheapest states, sets the prices, and removes what is too dear.
    fn match_vehicles(&mut self, node: &mut Node, limit: f64) -> Outcome {
        let (tasks, vehicles, states) = (self.problem.tasks(), self.problem.vehicles(), self.states);
        self.matrix.clear();
        self.matrix.resize(tasks * vehicles, f64::INFINITY);
        for task in 0..tasks {
            let shared = &node.shared[task * states..(task + 1) * states];
            for &vehicle in &node.able[task] {
                let start = (task * vehicles + vehicle as usize) * states;
                let least = least_sum(&self.costs[start..start + states], shared);
                self.matrix[task * vehicles + vehicle as usize] = least;
            }
        }
        let Some(bound) = self.matching.solve(tasks, vehicles, &self.matrix) else { return Outcome::Closed };
        node.matched = bound;
        node.bound = node.bound.max(bound);
        if bound > limit {
            self.cut = true;
            return Outcome::Closed;
        }
        node.task_prices.copy_from_slice(&self.matching.tasks);
        for task in 0..tasks {
            let spare = limit - bound + self.matching.tasks[task];
            let row = &self.matrix[task * vehicles..(task + 1) * vehicles];
            let prices = &self.matching.vehicles;
            let before = node.able[task].len();
            node.able[task].retain(|&vehicle| row[vehicle as usize] - prices[vehicle as usize] <= spare);
            let mut cut = node.able[task].len() < before && limit < f64::INFINITY;
            Self::price(&self.costs[task * vehicles * states..], states, node, task, prices);
            let own = task * states..(task + 1) * states;
            let mut left = 0;
            for ((open, shared), &priced) in
                node.open[own.clone()].iter_mut().zip(&mut node.shared[own.clone()]).zip(&node.priced[own])
            {
                if priced + *shared <= spare && *open == 0.0 {
                    left += 1;
                } else {
                    cut |= *open == 0.0;
                    *open = f64::INFINITY;
                    *shared = f64::INFINITY;
                }
            }
            self.cut |= cut;
            node.left[task] = left;
        }
        self.choose(node);
        Outcome::Open
    }

    /// The cheapest state of each task for the vehicle that it was matched with.
    fn choose(&self, node: &mut Node) {
        let (vehicles, states, times) = (self.problem.vehicles(), self.states, self.problem.times().len());
        for (task, &vehicle) in self.matching.who.iter().enumerate() {
            let start = (task * vehicles + vehicle) * states;
            let costs = &self.costs[start..start + states];
            let shared = &node.shared[task * states..(task + 1) * states];
            let least = self.matrix[task * vehicles + vehicle];
            let state = (0..states).find(|&state| costs[state] + shared[state] == least).expect("it was the least");
            node.choices[task] = Choice { vehicle, time: state % times, heading: state / times };
        }
    }

    /// Sets what the states of a task cost at prices of the vehicles.
    fn price(costs: &[f64], states: usize, node: &mut Node, task: usize, prices: &[f64]) {
        let priced = &mut node.priced[task * states..(task + 1) * states];
        priced.fill(f64::INFINITY);
        for &vehicle in &node.able[task] {
            let (start, price) = (vehicle as usize * states, prices[vehicle as usize]);
            for (priced, &cost) in priced.iter_mut().zip(&costs[start..start + states]) {
                let value = cost - price;
                *priced = if value < *priced { value } else { *priced };
            }
        }
    }

    /// Whether the relaxed assignment of a node keeps all couplings.
    pub fn consistent(&self, node: &Node) -> bool {
        let times = self.problem.times().len();
        let state = |task: usize| node.choices[task].heading * times + node.choices[task].time;
        self.couplings.iter().all(|coupling| coupling.allows(state(coupling.a), state(coupling.b)))
    }

    /// Leaves one state of a task.
    pub fn fix(&self, node: &mut Node, task: usize, state: usize) {
        let own = task * self.states..(task + 1) * self.states;
        for list in [&mut node.open, &mut node.shared] {
            let list = &mut list[own.clone()];
            let kept = list[state];
            list.fill(f64::INFINITY);
            list[state] = kept;
        }
        node.left[task] = 1;
    }
}

/// The least sum of two values at one place. Four at a time: a single running minimum would wait for itself.
fn least_sum(a: &[f64], b: &[f64]) -> f64 {
    let mut least = [f64::INFINITY; 4];
    let (a_fours, b_fours) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest = a_fours.remainder().iter().zip(b_fours.remainder());
    for (&a, &b) in rest {
        let sum = a + b;
        least[0] = if sum < least[0] { sum } else { least[0] };
    }
    for (a, b) in a_fours.zip(b_fours) {
        for lane in 0..4 {
            let sum = a[lane] + b[lane];
            least[lane] = if sum < least[lane] { sum } else { least[lane] };
        }
    }
    least.into_iter().fold(f64::INFINITY, f64::min)
}
