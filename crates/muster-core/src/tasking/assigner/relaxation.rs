//! Lower bounds: what the tasks cost at least, whoever does them.
//!
//! A *state* of a task is a time and a heading. What makes the problem hard is relaxed by prices:
//!
//! - each vehicle does at most one task: a linear assignment of tasks to vehicles, where a task costs a vehicle what
//!   its cheapest state does, gives a price for each vehicle;
//! - states of two tasks have to go together: each coupling takes a share of what a state costs from the one task and
//!   hands it to the states of the other that go with it. These *shares* never change what a consistent assignment
//!   costs, only where its cost stands. Tasks that one vehicle does one after the other cost more by their headings, and that
//!   goes the same way;
//! - tasks that all keep apart in heading: parts of the circle have prices as vehicles do ([`circle`](super::circle));
//! - what costs more than the limit cannot be part of an answer and is removed, with all that only went with it.
//!
//! Shares are passed along the tasks in order, forth and back, as in sequential reweighted message passing
//! [Kolmogorov 2015]; on a chain one pass is dynamic programming. The matching joins in as if it came after the last
//! task. Every bound is exact: numbers are multiples of 2^-6 far below 2^45, whose sums a double holds without rounding.

use std::ops::RangeInclusive;

use super::circle::Circle;
use super::coupling::{Coupling, On, Scratch, lesser};
use super::matching::Matching;
use super::problem::{Choice, INFEASIBLE, Problem};

/// Everything that stays as it is during a search, and memory for the work.
#[derive(Debug)]
pub struct Relaxation<'a> {
    pub problem: &'a Problem,
    pub couplings: Vec<Coupling>,
    /// For each coupling where its shares begin; those of `a` come first.
    starts: Vec<usize>,
    /// For each coupling whether circles say all that it does: then it only removes, and takes no shares.
    said: Vec<bool>,
    circles: Vec<Circle>,
    /// For each task its couplings.
    at: Vec<Vec<usize>>,
    /// For each task whether any coupling looks at its time, and at its heading.
    looked_at: Vec<[bool; 2]>,
    /// By task, vehicle and state; infinite where it cannot be. Bids fit single precision exactly, and half the memory
    /// is half the time where there are many vehicles.
    costs: Vec<f32>,
    /// By task and vehicle: it can be in some state. Of those that vehicles share many cannot.
    feasible: Vec<bool>,
    times: usize,
    headings: usize,
    pub states: usize,
    /// Whether anything was removed for its cost since this was last set to false.
    pub cut: bool,
    scratch: Scratch,
    matching: Matching,
    on_circle: Matching,
    matrix: Vec<f64>,
    incoming: Vec<f64>,
    values: Vec<f64>,
    total: Vec<f64>,
    flow: Vec<f64>,
    time_flow: Vec<f64>,
    heading_flow: Vec<f64>,
}

/// What is left of the problem at a node, and the prices there.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// By task and state: 0, or infinite if it is removed.
    open: Vec<f64>,
    /// By task and time: 0, or infinite if all states at that time are removed.
    open_times: Vec<f64>,
    /// By task and heading, the same.
    open_headings: Vec<f64>,
    /// For each task who may do it.
    able: Vec<Vec<u32>>,
    /// By coupling, end and time, heading or state: what the coupling adds.
    shares: Vec<f64>,
    /// By circle and part: what a part of a circle saves, at most 0.
    part_prices: Vec<f64>,
    /// By task and state: the sum of the shares less the price of the part, infinite if removed.
    shared: Vec<f64>,
    /// By task and state: the cheapest vehicle at its price.
    priced: Vec<f64>,
    /// By task: what it costs at the prices.
    task_prices: Vec<f64>,
    /// No assignment of what is left costs less.
    pub bound: f64,
    /// The same by the last matching alone, to which what states cost above their task's price can be added.
    matched: f64,
    /// The relaxed assignment.
    pub choices: Vec<Choice>,
    backward: bool,
}

/// More times or headings than this are not tried one by one but in so many groups: the samples of the paper are tried
/// one by one, and much finer ones differ too little for that.
const MOST_SINGLE: usize = 24;
const GROUPS: usize = 8;

/// Half of a state, to branch on, or who is to be in it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Half {
    Time,
    Heading,
    Vehicle,
}

/// What came of a node.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Prospect {
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
        let states = times * headings;
        let couplings = Coupling::all(problem);
        let (circles, said) = Circle::all(problem, &couplings);
        let mut at = vec![Vec::new(); problem.tasks()];
        let mut looked_at = vec![[false; 2]; problem.tasks()];
        let mut starts = vec![0];
        for (index, coupling) in couplings.iter().enumerate() {
            for task in [coupling.a, coupling.b] {
                at[task].push(index);
                looked_at[task][0] |= coupling.on != On::Headings;
                looked_at[task][1] |= coupling.on != On::Times;
            }
            let length = [times, headings, states][coupling.on as usize];
            starts.push(starts[index] + 2 * length);
        }
        let mut costs = Vec::with_capacity(problem.tasks() * problem.vehicles() * states);
        let mut feasible = Vec::with_capacity(problem.tasks() * problem.vehicles());
        for task in 0..problem.tasks() {
            for vehicle in 0..problem.vehicles() {
                let bid = problem.bid(task, vehicle);
                feasible.push(bid.iter().any(|&cost| cost != INFEASIBLE));
                if feasible.last() == Some(&false) {
                    costs.resize(costs.len() + states, f32::INFINITY);
                    continue;
                }
                for heading in 0..headings {
                    let row = (0..times).map(|time| bid[time * headings + heading]);
                    costs.extend(row.map(|cost| if cost == INFEASIBLE { f32::INFINITY } else { cost as f32 }));
                }
            }
        }
        Self {
            problem,
            couplings,
            starts,
            said,
            circles,
            at,
            looked_at,
            costs,
            feasible,
            times,
            headings,
            states,
            cut: false,
            scratch: Scratch::default(),
            matching: Matching::default(),
            on_circle: Matching::default(),
            matrix: Vec::new(),
            incoming: Vec::new(),
            values: Vec::new(),
            total: vec![0.0; states],
            flow: vec![0.0; states],
            time_flow: vec![0.0; times],
            heading_flow: vec![0.0; headings],
        }
    }

    /// The whole problem, without any price.
    pub fn root(&self) -> Node {
        let (tasks, vehicles) = (self.problem.tasks(), self.problem.vehicles());
        let mut node = Node {
            open: vec![0.0; tasks * self.states],
            open_times: vec![0.0; tasks * self.times],
            open_headings: vec![0.0; tasks * self.headings],
            able: vec![(0..vehicles as u32).collect(); tasks],
            shares: vec![0.0; *self.starts.last().expect("it begins with 0")],
            part_prices: vec![0.0; self.circles.last().map_or(0, |last| last.start + last.parts)],
            shared: vec![0.0; tasks * self.states],
            priced: vec![0.0; tasks * self.states],
            task_prices: vec![0.0; tasks],
            bound: 0.0,
            matched: 0.0,
            choices: vec![Choice { vehicle: 0, time: 0, heading: 0 }; tasks],
            backward: false,
        };
        for task in 0..tasks {
            self.price(&mut node, task, &vec![0.0; vehicles]);
        }
        node
    }

    /// Passes shares along the tasks once, and matches tasks with parts of circles and with vehicles. `limit` is what
    /// an answer may cost.
    pub fn tighten(&mut self, node: &mut Node, limit: f64) -> Prospect {
        let tasks = self.problem.tasks();
        for place in 0..tasks {
            let task = if node.backward { tasks - 1 - place } else { place };
            if !self.pass(node, task) {
                return Prospect::Closed;
            }
        }
        node.backward = !node.backward;
        for circle in 0..self.circles.len() {
            if !self.divide(node, circle) {
                return Prospect::Closed;
            }
        }
        self.match_vehicles(node, limit)
    }

    /// Where the shares of a coupling for a task are listed.
    fn shares(&self, coupling: usize, task: usize) -> std::ops::Range<usize> {
        let (start, end) = (self.starts[coupling], self.starts[coupling + 1]);
        let middle = (start + end) / 2;
        if task == self.couplings[coupling].a { start..middle } else { middle..end }
    }

    /// Collects what the couplings of a task know, and hands on shares of it to the tasks that come later in the pass.
    fn pass(&mut self, node: &mut Node, task: usize) -> bool {
        let own = task * self.states..(task + 1) * self.states;
        for ((total, &priced), &open) in
            self.total.iter_mut().zip(&node.priced[own.clone()]).zip(&node.open[own.clone()])
        {
            *total = priced + open;
        }
        for circle in self.circles.iter().filter(|circle| circle.tasks.contains(&task)) {
            for (row, &part) in self.total.chunks_exact_mut(self.times).zip(&circle.part) {
                let price = node.part_prices[circle.start + part];
                row.iter_mut().for_each(|total| *total -= price);
            }
        }
        self.collect(node, task);
        let total = &self.total;
        for (open, &total) in node.open[own.clone()].iter_mut().zip(total) {
            *open = if total < f64::INFINITY { 0.0 } else { f64::INFINITY };
        }
        if !self.project(node, task) {
            return false;
        }
        self.hand_on(node, task);
        true
    }

    /// Adds up what each coupling of the task knows about its states.
    fn collect(&mut self, node: &Node, task: usize) {
        self.incoming.clear();
        for &edge in &self.at[task] {
            let coupling = &self.couplings[edge];
            let other = coupling.other(task);
            let open = match coupling.on {
                On::Times => &node.open_times[other * self.times..(other + 1) * self.times],
                On::Headings => &node.open_headings[other * self.headings..(other + 1) * self.headings],
                On::Both => &node.open[other * self.states..(other + 1) * self.states],
            };
            let shares = &node.shares[self.shares(edge, other)];
            self.values.clear();
            self.values.extend(open.iter().zip(shares).map(|(open, share)| open - share));
            let start = self.incoming.len();
            self.incoming.resize(start + open.len(), 0.0);
            let incoming = &mut self.incoming[start..];
            coupling.cheapest(task, &self.values, &mut self.scratch, incoming);
            add(coupling.on, self.times, &mut self.total, incoming);
        }
    }

    /// Hands a share of each state's total to the couplings with tasks that come later, and sums up the shares.
    fn hand_on(&mut self, node: &mut Node, task: usize) {
        let own = task * self.states..(task + 1) * self.states;
        let later = |edge: usize| (self.couplings[edge].other(task) > task) != node.backward;
        let hands_on = |edge: usize| !self.said[edge] && later(edge);
        let sharing = self.at[task].iter().filter(|&&edge| !self.said[edge]).count();
        let on = self.at[task].iter().filter(|&&edge| hands_on(edge)).count();
        // The matching comes after the last task, so going forward it is one of those who wait for a share.
        let (on, from) = (on + usize::from(!node.backward), sharing - on + usize::from(node.backward));
        let weight = 1.0 / on.max(from) as f64;
        // What is removed counts as 0 here, and as infinite through `open`.
        let share = |total: f64| if total < f64::INFINITY { rounded(total * weight) } else { 0.0 };
        self.time_flow.fill(f64::INFINITY);
        for (row, flow) in self.total.chunks_exact(self.times).zip(&mut self.heading_flow) {
            *flow = share(least(row));
            for (flow, &total) in self.time_flow.iter_mut().zip(row) {
                *flow = lesser(total, *flow);
            }
        }
        self.time_flow.iter_mut().for_each(|flow| *flow = share(*flow));
        for (flow, &total) in self.flow.iter_mut().zip(&self.total) {
            *flow = share(total);
        }
        let shared = &mut node.shared[own.clone()];
        shared.copy_from_slice(&node.open[own]);
        for circle in self.circles.iter().filter(|circle| circle.tasks.contains(&task)) {
            for (row, &part) in shared.chunks_exact_mut(self.times).zip(&circle.part) {
                let price = node.part_prices[circle.start + part];
                row.iter_mut().for_each(|shared| *shared -= price);
            }
        }
        let mut incoming = &self.incoming[..];
        for &edge in &self.at[task] {
            let coupling = &self.couplings[edge];
            let place = self.shares(edge, task);
            let shares = &mut node.shares[place];
            let flow = match coupling.on {
                On::Times => &self.time_flow,
                On::Headings => &self.heading_flow,
                On::Both => &self.flow,
            };
            let hands_on = !self.said[edge] && (coupling.other(task) > task) != node.backward;
            for ((share, &incoming), &flow) in shares.iter_mut().zip(incoming).zip(flow) {
                let kept = if incoming < f64::INFINITY { incoming } else { 0.0 };
                *share = if hands_on { kept - flow } else { kept };
            }
            incoming = &incoming[shares.len()..];
            add(coupling.on, self.times, shared, shares);
        }
    }

    /// Brings up to date which times and headings of a task are left; says whether any are.
    fn project(&self, node: &mut Node, task: usize) -> bool {
        let open = &node.open[task * self.states..(task + 1) * self.states];
        let times = &mut node.open_times[task * self.times..(task + 1) * self.times];
        let headings = &mut node.open_headings[task * self.headings..(task + 1) * self.headings];
        times.fill(f64::INFINITY);
        for (row, heading) in open.chunks_exact(self.times).zip(&mut *headings) {
            *heading = least(row);
            for (time, &open) in times.iter_mut().zip(row) {
                *time = lesser(open, *time);
            }
        }
        least(headings) == 0.0
    }

    /// Gives the parts of a circle to its tasks at best, and sets their prices; says whether there are enough.
    fn divide(&mut self, node: &mut Node, circle: usize) -> bool {
        let circle = &self.circles[circle];
        let prices = &mut node.part_prices[circle.start..circle.start + circle.parts];
        self.matrix.clear();
        self.matrix.resize(circle.tasks.len() * circle.parts, f64::INFINITY);
        for (&task, matrix) in circle.tasks.iter().zip(self.matrix.chunks_exact_mut(circle.parts)) {
            let own = task * self.states..(task + 1) * self.states;
            let rows = node.priced[own.clone()].chunks_exact(self.times).zip(node.shared[own].chunks_exact(self.times));
            for ((priced, shared), &part) in rows.zip(&circle.part) {
                matrix[part] = lesser(least_sum(priced, shared) + prices[part], matrix[part]);
            }
        }
        if self.on_circle.solve(circle.tasks.len(), circle.parts, &self.matrix).is_none() {
            return false;
        }
        for &task in &circle.tasks {
            let shared = &mut node.shared[task * self.states..(task + 1) * self.states];
            for (row, &part) in shared.chunks_exact_mut(self.times).zip(&circle.part) {
                let change = prices[part] - self.on_circle.vehicles[part];
                row.iter_mut().for_each(|shared| *shared += change);
            }
        }
        prices.copy_from_slice(&self.on_circle.vehicles);
        true
    }

    /// Matches tasks with vehicles at the cheapest states, sets the prices, and removes what is too dear.
    fn match_vehicles(&mut self, node: &mut Node, limit: f64) -> Prospect {
        let (tasks, vehicles, states) = (self.problem.tasks(), self.problem.vehicles(), self.states);
        self.matrix.clear();
        self.matrix.resize(tasks * vehicles, f64::INFINITY);
        for task in 0..tasks {
            let shared = &node.shared[task * states..(task + 1) * states];
            for &vehicle in &node.able[task] {
                let column = task * vehicles + vehicle as usize;
                if self.feasible[column] {
                    self.matrix[column] = least_sum(&self.costs[column * states..(column + 1) * states], shared);
                }
            }
        }
        let Some(bound) = self.matching.solve(tasks, vehicles, &self.matrix) else { return Prospect::Closed };
        let bound = bound + node.part_prices.iter().sum::<f64>();
        node.matched = bound;
        node.bound = node.bound.max(bound);
        if bound > limit {
            self.cut = true;
            return Prospect::Closed;
        }
        node.task_prices.copy_from_slice(&self.matching.tasks);
        for task in 0..tasks {
            let spare = limit - bound + self.matching.tasks[task];
            let row = &self.matrix[task * vehicles..(task + 1) * vehicles];
            let prices = &self.matching.vehicles[..];
            let before = node.able[task].len();
            node.able[task].retain(|&vehicle| row[vehicle as usize] - prices[vehicle as usize] <= spare);
            let mut cut = node.able[task].len() < before && limit < f64::INFINITY;
            self.price(node, task, prices);
            let own = task * states..(task + 1) * states;
            let (open, shared) = (&mut node.open[own.clone()], &mut node.shared[own.clone()]);
            for ((open, shared), &priced) in open.iter_mut().zip(shared).zip(&node.priced[own]) {
                if priced + *shared > spare {
                    cut |= *open == 0.0;
                    *open = f64::INFINITY;
                    *shared = f64::INFINITY;
                }
            }
            self.cut |= cut;
            self.project(node, task);
        }
        self.choose(node);
        Prospect::Open
    }

    /// The cheapest state of each task for the vehicle that it was matched with.
    fn choose(&self, node: &mut Node) {
        let (vehicles, states, times) = (self.problem.vehicles(), self.states, self.times);
        for (task, &vehicle) in self.matching.who.iter().enumerate() {
            let start = (task * vehicles + vehicle) * states;
            let costs = &self.costs[start..start + states];
            let shared = &node.shared[task * states..(task + 1) * states];
            let least = self.matrix[task * vehicles + vehicle];
            let state =
                (0..states).find(|&state| f64::from(costs[state]) + shared[state] == least).expect("it was the least");
            node.choices[task] = Choice { vehicle, time: state % times, heading: state / times };
        }
    }

    /// Whether the relaxed assignment of a node keeps all couplings.
    pub fn consistent(&self, node: &Node) -> bool {
        let state = |task: usize| (node.choices[task].time, node.choices[task].heading);
        self.couplings.iter().all(|coupling| coupling.allows(state(coupling.a), state(coupling.b)))
    }

    /// What the relaxed assignment of a node costs besides its tasks: tasks of one vehicle, one after the other.
    pub fn pairs(&self, node: &Node) -> u64 {
        let heading = |task: usize| node.choices[task].heading;
        self.couplings.iter().map(|coupling| coupling.more(heading(coupling.a), heading(coupling.b))).sum()
    }

    /// How many times or headings of a task are left, if any coupling looks at them; else 1, since any will do.
    pub fn left(&self, node: &Node, task: usize, half: Half) -> usize {
        let (open, count) = match half {
            Half::Time => (&node.open_times, self.times),
            Half::Heading => (&node.open_headings, self.headings),
            Half::Vehicle => return node.able[task].len(),
        };
        if !self.looked_at[task][half as usize] {
            return 1;
        }
        open[task * count..(task + 1) * count].iter().filter(|&&open| open == 0.0).count()
    }

    /// The times or headings of a task that are left, each with what no assignment with it costs less than. Where there
    /// are many, neighbours stay together. Vehicles stay single, and all promise the same.
    pub fn values(&self, node: &Node, task: usize, half: Half) -> Vec<(f64, RangeInclusive<usize>)> {
        if half == Half::Vehicle {
            return node.able[task].iter().map(|&vehicle| (node.bound, vehicle as usize..=vehicle as usize)).collect();
        }
        let mut values = vec![f64::INFINITY; if half == Half::Time { self.times } else { self.headings }];
        let own = task * self.states..(task + 1) * self.states;
        let rows = node.priced[own.clone()].chunks_exact(self.times).zip(node.shared[own].chunks_exact(self.times));
        for (heading, (priced, shared)) in rows.enumerate() {
            match half {
                Half::Heading | Half::Vehicle => values[heading] = least_sum(priced, shared),
                Half::Time => {
                    for ((value, &priced), &shared) in values.iter_mut().zip(priced).zip(shared) {
                        *value = lesser(priced + shared, *value);
                    }
                }
            }
        }
        let bound = |price: f64| node.bound.max(node.matched + price - node.task_prices[task]);
        let left = values.into_iter().enumerate().filter(|(_, price)| *price < f64::INFINITY);
        let left: Vec<(f64, usize)> = left.map(|(value, price)| (bound(price), value)).collect();
        let together = if left.len() <= MOST_SINGLE { 1 } else { left.len().div_ceil(GROUPS) };
        let group = |group: &[(f64, usize)]| {
            let bound = group.iter().fold(f64::INFINITY, |least, (bound, _)| lesser(*bound, least));
            (bound, group[0].1..=group[group.len() - 1].1)
        };
        left.chunks(together).map(group).collect()
    }

    /// Leaves some times, headings or vehicles of a task.
    pub fn keep(&self, node: &mut Node, task: usize, half: Half, values: &RangeInclusive<usize>) {
        if half == Half::Vehicle {
            return self.give(node, task, *values.start() as u32);
        }
        for state in 0..self.states {
            let own = if half == Half::Time { state % self.times } else { state / self.times };
            if !values.contains(&own) {
                node.open[task * self.states + state] = f64::INFINITY;
                node.shared[task * self.states + state] = f64::INFINITY;
            }
        }
        self.project(node, task);
    }
}

impl Relaxation<'_> {
    /// Gives a task to a vehicle, and no other task. At which prices makes no difference to what can be done at all: none.
    fn give(&self, node: &mut Node, task: usize, vehicle: u32) {
        let free = vec![0.0; self.problem.vehicles()];
        for other in 0..self.problem.tasks() {
            node.able[other].retain(|&able| (able == vehicle) == (other == task));
            self.price(node, other, &free);
        }
    }

    /// Sets what the states of a task cost at prices of the vehicles.
    fn price(&self, node: &mut Node, task: usize, prices: &[f64]) {
        let (vehicles, states) = (self.problem.vehicles(), self.states);
        let priced = &mut node.priced[task * states..(task + 1) * states];
        priced.fill(f64::INFINITY);
        for &vehicle in &node.able[task] {
            let (column, price) = (task * vehicles + vehicle as usize, prices[vehicle as usize]);
            if !self.feasible[column] {
                continue;
            }
            for (priced, &cost) in priced.iter_mut().zip(&self.costs[column * states..(column + 1) * states]) {
                *priced = lesser(f64::from(cost) - price, *priced);
            }
        }
    }
}

/// Adds values by time, by heading or by state to states.
fn add(on: On, times: usize, states: &mut [f64], values: &[f64]) {
    let to = |row: &mut [f64], values: &[f64]| row.iter_mut().zip(values).for_each(|(state, value)| *state += value);
    match on {
        On::Times => states.chunks_exact_mut(times).for_each(|row| to(row, values)),
        On::Both => to(states, values),
        On::Headings => {
            for (row, value) in states.chunks_exact_mut(times).zip(values) {
                row.iter_mut().for_each(|state| *state += value);
            }
        }
    }
}

fn least(values: &[f64]) -> f64 {
    values.iter().fold(f64::INFINITY, |least, &value| lesser(value, least))
}

/// The least sum of two values at one place. Four at a time: a single running minimum would wait for itself.
fn least_sum<A: Copy + Into<f64>>(a: &[A], b: &[f64]) -> f64 {
    let mut least = [f64::INFINITY; 4];
    let (a_fours, b_fours) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest = a_fours.remainder().iter().zip(b_fours.remainder());
    for (&a, &b) in rest {
        let sum = a.into() + b;
        least[0] = if sum < least[0] { sum } else { least[0] };
    }
    for (a, b) in a_fours.zip(b_fours) {
        for lane in 0..4 {
            let sum = a[lane].into() + b[lane];
            least[lane] = if sum < least[lane] { sum } else { least[lane] };
        }
    }
    least.into_iter().fold(f64::INFINITY, f64::min)
}
