//! Vehicles that may do several tasks: who does which, one after the other, so that the sum is least.
//!
//! A *chain* is what one vehicle does, by time. Its first task costs what was bid for it, every other one that, less what
//! [`Several::saves`] and plus what is [`Several::more`], which go by the one before; so here they count with all but the
//! last. Once it is known which task comes after which ([`Next`]) and who flies each chain, this is
//! an ordinary [`Problem`] with a column for each task, in which tasks that follow each other keep the time that it takes to
//! come round ([`Turn`]). As long as it is not known, a task may cost what is least of all that is left to it: no assignment
//! costs less, and if the cheapest one is possible, it is the answer. Else the search branches on what comes after some task,
//! or on who flies some chain. Every vehicle has one last task, which the matching of the ordinary search sees to.
//!
//! All that comes second. Waiting costs a vehicle as much as it saves on the next task, so that most of what is relaxed costs
//! the same, and the search could look at all of it. Whole orders that go by their times ([`Orders`]) are few where vehicles
//! are; each leaves only times and headings to be found.

use std::collections::BTreeMap;

use super::apart::most_apart;
use super::orders::{Order, Orders};
use super::problem::{Choice, INFEASIBLE, MOST_COST, Problem, Turn};
use super::search::Search;
use super::{Answer, Status};

/// What holds for a vehicle that does several tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Several {
    /// It does no more tasks than this.
    pub most: usize,
    /// What all its tasks take together is no more than this.
    pub room: u64,
    /// By time: what a task costs less than by itself because the vehicle did another one at that time right before it.
    pub saves: Vec<i64>,
    /// By task, the task right after it, and the headings of both: the least time between them; `i64::MAX`: never.
    pub least: Vec<i64>,
    /// In the same order: what the one after costs more, or less below 0. With what it saves, no task may cost less than
    /// nothing.
    pub more: Vec<i64>,
}

impl Several {
    /// A vehicle that does one task.
    pub fn one(problem: &Problem) -> Self {
        let (tasks, headings) = (problem.tasks(), problem.headings().len());
        let pairs = (tasks * headings) * (tasks * headings);
        let (saves, least, more) = (vec![0; problem.times().len()], vec![i64::MAX; pairs], vec![0; pairs]);
        Self { most: 1, room: u64::MAX, saves, least, more }
    }
}

/// A problem in which vehicles may do several tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    problem: Problem,
    /// What each task takes of its vehicle's room.
    takes: Vec<u64>,
    several: Vec<Several>,
}

impl Shared {
    /// The same problem, in which vehicles may do several tasks. `takes`: of its vehicle's room, by task.
    ///
    /// # Panics
    ///
    /// If there is not one of each for every task and vehicle, or a list has not as many values as the problem has samples.
    pub fn new(problem: Problem, takes: Vec<u64>, several: Vec<Several>) -> Self {
        let (tasks, headings) = (problem.tasks(), problem.headings().len());
        assert_eq!((takes.len(), several.len()), (tasks, problem.vehicles()));
        let pairs = (tasks * headings) * (tasks * headings);
        let fits =
            |it: &Several| (it.saves.len(), it.least.len(), it.more.len()) == (problem.times().len(), pairs, pairs);
        assert!(several.iter().all(fits), "it says as much as the problem asks for");
        Self { problem, takes, several }
    }

    /// The bids and constraints.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Where a list by task, task and headings has those of two tasks.
    fn pairs(&self, a: usize, b: usize) -> std::ops::Range<usize> {
        let pairs = self.problem.headings().len() * self.problem.headings().len();
        let start = (a * self.problem.tasks() + b) * pairs;
        start..start + pairs
    }

    /// The least time from one task of a vehicle to the next, by headings.
    pub(super) fn least(&self, vehicle: usize, a: usize, b: usize) -> &[i64] {
        &self.several[vehicle].least[self.pairs(a, b)]
    }

    /// What the next costs more, by headings.
    pub(super) fn more(&self, vehicle: usize, a: usize, b: usize) -> &[i64] {
        &self.several[vehicle].more[self.pairs(a, b)]
    }

    /// By time: what the next costs less.
    pub(super) fn saves(&self, vehicle: usize) -> &[i64] {
        &self.several[vehicle].saves
    }

    /// A vehicle has room for a task besides others.
    pub(super) fn has_room(&self, vehicle: usize, others: &[usize], task: usize) -> bool {
        let takes = others.iter().chain([&task]).map(|&task| self.takes[task]).sum::<u64>();
        others.len() < self.several[vehicle].most && takes <= self.several[vehicle].room
    }

    fn comes_round(&self, vehicle: usize, (a, one): (usize, Choice), (b, then): (usize, Choice)) -> bool {
        let (times, headings) = (self.problem.times(), self.problem.headings().len());
        let least = self.least(vehicle, a, b)[one.heading * headings + then.heading];
        least < i64::MAX && i128::from(times[then.time]) - i128::from(times[one.time]) >= i128::from(least)
    }

    /// The tasks of a vehicle, by time.
    fn chain(&self, assignment: &[Choice], vehicle: usize) -> Vec<usize> {
        let mut chain: Vec<usize> = (0..assignment.len()).filter(|&task| assignment[task].vehicle == vehicle).collect();
        chain.sort_by_key(|&task| (assignment[task].time, task));
        chain
    }

    /// What each task of an assignment costs: a later one of its vehicle what it costs after the one before it.
    pub fn prices(&self, assignment: &[Choice]) -> Vec<i64> {
        let cost = |(task, &choice): (usize, &Choice)| i64::from(self.problem.cost(task, choice));
        let mut prices: Vec<i64> = assignment.iter().enumerate().map(cost).collect();
        let headings = self.problem.headings().len();
        for (vehicle, several) in self.several.iter().enumerate() {
            for pair in self.chain(assignment, vehicle).windows(2) {
                let (one, then) = (assignment[pair[0]], assignment[pair[1]]);
                let more = self.more(vehicle, pair[0], pair[1])[one.heading * headings + then.heading];
                prices[pair[1]] += more - several.saves[one.time];
            }
        }
        prices
    }

    /// What an assignment costs, or none if it is not allowed: its vehicles have to be able to do what they are to, to come
    /// round in time from each of their tasks to the next, and to have room for all; and constraints are kept.
    pub fn evaluate(&self, assignment: &[Choice]) -> Option<u64> {
        let problem = &self.problem;
        let can = |(task, &choice): (usize, &Choice)| problem.cost(task, choice) != INFEASIBLE;
        if assignment.len() != problem.tasks() || !assignment.iter().enumerate().all(can) {
            return None;
        }
        for (vehicle, several) in self.several.iter().enumerate() {
            let chain = self.chain(assignment, vehicle);
            let takes = chain.iter().map(|&task| self.takes[task]).sum::<u64>();
            let goes = |pair: &[usize]| {
                self.comes_round(vehicle, (pair[0], assignment[pair[0]]), (pair[1], assignment[pair[1]]))
            };
            if chain.len() > 1 && (chain.len() > several.most || takes > several.room || !chain.windows(2).all(goes)) {
                return None;
            }
        }
        let kept = |it: &super::Constraint| problem.keeps(it, assignment[it.a], assignment[it.b]);
        let total = self.prices(assignment).iter().sum::<i64>();
        problem.constraints().iter().all(kept).then_some(total.max(0) as u64)
    }
}

/// Solves a problem in which vehicles may do several tasks, looking at no more than `node_budget` nodes, and at no more than
/// `patience` after an assignment was found, or a better one. `start`: an assignment that is known; what is found is no worse.
pub fn assign_shared(shared: &Shared, node_budget: u64, patience: u64, start: Option<Vec<Choice>>) -> Answer {
    Chains::new(shared, node_budget, patience, start).run(&Orders::of(shared))
}

/// The same without a list of orders.
#[cfg(test)]
pub(super) fn assign_chains(shared: &Shared, node_budget: u64, start: Option<Vec<Choice>>) -> Answer {
    Chains::new(shared, node_budget, u64::MAX, start).run(&Orders { all: Vec::new(), complete: false })
}

/// Looks for better times and headings of an assignment: who does what, and in which order, stays.
pub fn improve_shared(shared: &Shared, node_budget: u64, start: Vec<Choice>) -> Answer {
    let chains = (0..shared.problem.vehicles()).map(|vehicle| shared.chain(&start, vehicle)).collect();
    let only = Order { chains, bound: 0 };
    let mut search = Chains::new(shared, node_budget, u64::MAX, Some(start));
    let mut left = None;
    search.go_through(&[only], &mut left);
    search.answer(left)
}

/// What comes after a task in the chain of its vehicle.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Next {
    /// That is open.
    Open,
    /// Nothing.
    Nothing,
    /// This task.
    Task(usize),
}

/// What is left to choose from, and the cheapest of it.
#[derive(Clone, Debug)]
struct Node {
    next: Vec<Next>,
    /// For each task who may do it.
    able: Vec<Vec<usize>>,
    /// No assignment of what is left costs less.
    bound: u64,
    /// The cheapest, which may be impossible; empty if it was not found.
    choices: Vec<Choice>,
    /// For each task of it whether it is to be its vehicle's last.
    last: Vec<bool>,
}

/// Nodes to look at for the times and headings of one order before the next one has its turn, at least.
const QUICK: u64 = 100;

/// Branch and bound over chains.
struct Chains<'a> {
    shared: &'a Shared,
    budget: u64,
    /// Nodes to look at after the best was found.
    patience: u64,
    nodes: u64,
    /// After how many nodes the best was found.
    found_at: u64,
    best: Option<(u64, Vec<Choice>)>,
    /// Added to what each task costs, since the ordinary search knows no costs below 0.
    offset: u64,
    /// By task and task: the most time from the one to the other that constraints and samples leave.
    apart: Vec<i128>,
}

impl<'a> Chains<'a> {
    fn new(shared: &'a Shared, budget: u64, patience: u64, start: Option<Vec<Choice>>) -> Self {
        let nothing = (shared.problem.tasks() == 0).then(Vec::new);
        let best = start.or(nothing).and_then(|start| Some((shared.evaluate(&start)?, start)));
        let mut search = Self { shared, budget, patience, nodes: 0, found_at: 0, best, offset: 0, apart: Vec::new() };
        search.apart = search.farthest_apart();
        search.offset = search.least_price().min(0).unsigned_abs();
        search
    }

    fn run(mut self, orders: &Orders) -> Answer {
        let tasks = self.shared.problem.tasks();
        // The least that anything costs of what was not looked at to the end.
        let mut left: Option<u64> = None;
        if self.go_through(&orders.all, &mut left) && orders.complete {
            return self.answer(left);
        }
        let everybody: Vec<usize> = (0..self.shared.problem.vehicles()).collect();
        let (next, able) = (vec![Next::Open; tasks], vec![everybody; tasks]);
        let root = Node { next, able, bound: 0, choices: Vec::new(), last: Vec::new() };
        let mut open = Vec::new();
        left = None;
        open.extend(self.relaxed(root, self.share()));
        while let Some(node) = open.pop() {
            if self.best.as_ref().is_some_and(|best| best.0 <= node.bound) {
                continue;
            }
            if self.left() == 0 {
                let bounds = open.iter().map(|node: &Node| node.bound);
                left = bounds.chain([node.bound]).chain(left).min();
                break;
            }
            let branches = self.branches(&node);
            if branches.is_empty() {
                // There is nothing to choose but times and headings.
                let bound = self.relaxed(node, self.left()).map(|node| node.bound);
                left = left.into_iter().chain(bound).min();
                continue;
            }
            let share = self.share();
            let mut children: Vec<Node> = branches.into_iter().filter_map(|child| self.relaxed(child, share)).collect();
            // The cheapest is looked at first.
            children.sort_by_key(|child| std::cmp::Reverse(child.bound));
            open.extend(children);
        }
        self.answer(left)
    }

    fn answer(self, left: Option<u64>) -> Answer {
        let (cost, assignment) = self.best.map_or((None, Vec::new()), |(cost, it)| (Some(cost), it));
        let status = match (cost, left) {
            (Some(cost), Some(left)) if left < cost => Status::Feasible,
            (Some(_), _) => Status::Optimal,
            (None, Some(_)) => Status::Unknown,
            (None, None) => Status::Infeasible,
        };
        let bound = left.filter(|_| status != Status::Optimal).or(cost).unwrap_or(0);
        Answer { status, cost, bound, assignment, nodes: self.nodes }
    }

    /// Looks for times and headings of each of these orders: first for none of them for long, then for those that were hard.
    /// Says whether an assignment is known then, or that there is none.
    fn go_through(&mut self, orders: &[Order], left: &mut Option<u64>) -> bool {
        let mut hard: Vec<&Order> = orders.iter().collect();
        for patience in [self.patience.max(QUICK), u64::MAX] {
            for order in std::mem::take(&mut hard) {
                if self.best.as_ref().is_some_and(|best| best.0 <= order.bound) {
                    continue;
                }
                if self.left() == 0 {
                    hard.push(order);
                    continue;
                }
                let mut next = vec![Next::Nothing; self.shared.problem.tasks()];
                let mut able = vec![Vec::new(); next.len()];
                for (vehicle, chain) in order.chains.iter().enumerate() {
                    chain.windows(2).for_each(|pair| next[pair[0]] = Next::Task(pair[1]));
                    chain.iter().for_each(|&task| able[task] = vec![vehicle]);
                }
                let node = Node { next, able, bound: order.bound, choices: Vec::new(), last: Vec::new() };
                if self.relaxed(node, patience.min(self.left())).is_some() {
                    hard.push(order);
                }
            }
            if hard.is_empty() {
                break;
            }
        }
        *left = hard.iter().map(|order| order.bound).min();
        hard.is_empty() || self.best.is_some()
    }

    /// So many of the nodes that are left may be looked at for a bound: a later one may be easier to get.
    fn share(&self) -> u64 {
        (self.left() / 8).max(1)
    }

    /// Nodes that may still be looked at.
    fn left(&self) -> u64 {
        let patience = if self.best.is_some() { self.found_at.saturating_add(self.patience) } else { u64::MAX };
        self.budget.min(patience).saturating_sub(self.nodes)
    }

    /// The least that a task costs with what another costs more or less after it.
    fn least_price(&self) -> i64 {
        let Shared { problem, several, .. } = self.shared;
        let headings = problem.headings().len().max(1);
        let mut least = 0;
        for (vehicle, several) in several.iter().enumerate().filter(|(_, several)| several.most > 1) {
            let more = several.more.iter().min().copied().unwrap_or(0);
            for task in 0..problem.tasks() {
                for (row, saves) in problem.bid(task, vehicle).chunks_exact(headings).zip(&several.saves) {
                    let can = row.iter().filter(|&&cost| cost != INFEASIBLE);
                    least = can.map(|&cost| i64::from(cost) + more - saves).min().unwrap_or(0).min(least);
                }
            }
        }
        least
    }

    /// How far apart in time two tasks can be.
    fn farthest_apart(&self) -> Vec<i128> {
        let problem = &self.shared.problem;
        let span = match (problem.times().first(), problem.times().last()) {
            (Some(first), Some(last)) => i128::from(*last) - i128::from(*first),
            _ => 0,
        };
        most_apart(problem.tasks(), span, problem.constraints().iter().map(|it| (it.a, it.b, it.dt_min, it.dt_max)))
    }

    /// A vehicle may do `b` right after `a`, as far as times go.
    fn may_follow(&self, vehicle: usize, a: usize, b: usize) -> bool {
        let least = self.shared.least(vehicle, a, b).iter().min().copied().unwrap_or(i64::MAX);
        let apart = self.apart[a * self.shared.problem.tasks() + b];
        a != b && self.shared.several[vehicle].most > 1 && least < i64::MAX && i128::from(least) <= apart
    }

    /// The tasks that come before a task in its chain, as far as that is known, and those that come after it.
    fn links(node: &Node, task: usize) -> Vec<usize> {
        let before = |task: usize| (0..node.next.len()).find(|&other| node.next[other] == Next::Task(task));
        let mut first = task;
        while let Some(other) = before(first) {
            first = other;
        }
        let mut links = vec![first];
        while let Next::Task(next) = node.next[links[links.len() - 1]] {
            links.push(next);
        }
        links
    }

    /// Those that may do `a` and right after it `b`, and all that is linked to either.
    fn able_to_link(&self, node: &Node, a: usize, b: usize) -> Vec<usize> {
        let (before, after) = (Self::links(node, a), Self::links(node, b));
        if before.contains(&b) || before.last() != Some(&a) || after.first() != Some(&b) {
            return Vec::new();
        }
        let (count, Shared { takes, several, .. }) = (before.len() + after.len(), self.shared);
        let takes = before.iter().chain(&after).map(|&task| takes[task]).sum::<u64>();
        let both = node.able[a].iter().copied().filter(|vehicle| node.able[b].contains(vehicle));
        let fits = |&vehicle: &usize| {
            let several = &several[vehicle];
            count <= several.most && takes <= several.room && self.may_follow(vehicle, a, b)
        };
        both.filter(fits).collect()
    }

    /// Finds the cheapest of what is left at a node. None if there is nothing, or nothing that is cheaper than the best.
    fn relaxed(&mut self, mut node: Node, nodes: u64) -> Option<Node> {
        let Shared { problem, several, .. } = self.shared;
        let (tasks, vehicles, states) = (problem.tasks(), problem.vehicles(), problem.states());
        let headings = problem.headings().len();
        // A column for each vehicle's last task, and one for each task that is not the last.
        let columns = vehicles + tasks;
        let mut costs = vec![INFEASIBLE; tasks * columns * states];
        let most = u64::from(MOST_COST);
        for task in 0..tasks {
            let (own, others) =
                costs[task * columns * states..(task + 1) * columns * states].split_at_mut(vehicles * states);
            if !matches!(node.next[task], Next::Task(_)) {
                for &vehicle in &node.able[task] {
                    let into = &mut own[vehicle * states..(vehicle + 1) * states];
                    for (into, &cost) in into.iter_mut().zip(problem.bid(task, vehicle)) {
                        if cost != INFEASIBLE {
                            *into = (u64::from(cost) + self.offset).min(most) as u32;
                        }
                    }
                }
            }
            let row = &mut others[task * states..(task + 1) * states];
            for (vehicle, more) in self.able_to_go_on(&node, task) {
                let bid = problem.bid(task, vehicle);
                for (state, (into, &cost)) in row.iter_mut().zip(bid).enumerate() {
                    if cost != INFEASIBLE {
                        let price = i64::from(cost) + more[state % headings] - several[vehicle].saves[state / headings];
                        *into = (*into).min((price + self.offset as i64).clamp(0, most as i64) as u32);
                    }
                }
            }
        }
        let mut turns = Vec::new();
        for (a, next) in node.next.iter().enumerate() {
            let Next::Task(b) = *next else { continue };
            let least = node.able[a].iter().map(|&vehicle| self.shared.least(vehicle, a, b));
            let lesser = |one: Vec<i64>, other: &[i64]| one.iter().zip(other).map(|(a, b)| *a.min(b)).collect();
            let least = least.fold(vec![i64::MAX; headings * headings], lesser);
            let more = node.able[a].iter().map(|&vehicle| self.shared.more(vehicle, a, b));
            let more = more.fold(vec![i64::MAX; headings * headings], lesser);
            let base = self.least_more(&node, a, b);
            turns.push(Turn { a, b, least, more: more.into_iter().map(|more| (more - base) as u64).collect() });
        }
        let relaxed = problem.bid_otherwise(columns, costs, turns);
        let offset = self.offset * tasks as u64;
        let below = self.best.as_ref().map_or(u64::MAX, |best| (best.0 + offset).saturating_sub(1));
        let mut search = Search::within(&relaxed, below);
        let done = search.run(nodes.max(1));
        let answer = search.answer();
        self.nodes += answer.nodes.max(1);
        if answer.assignment.is_empty() && done {
            return None;
        }
        node.bound = answer.bound.saturating_sub(offset).max(node.bound);
        node.last = answer.assignment.iter().map(|choice| choice.vehicle < vehicles).collect();
        node.choices = answer.assignment.iter().enumerate().map(|(task, &it)| self.flown(&node, task, it)).collect();
        if let Some(cost) = self.shared.evaluate(&node.choices).filter(|_| !node.choices.is_empty()) {
            if self.best.as_ref().is_none_or(|best| cost < best.0) {
                self.best = Some((cost, node.choices.clone()));
                self.found_at = self.nodes;
            }
            // The cheapest of all that is left, so nothing else of it matters.
            if done && cost <= node.bound {
                return None;
            }
        }
        Some(node)
    }

    /// What `b` costs more at least right after `a`, whoever does both of those that may.
    fn least_more(&self, node: &Node, a: usize, b: usize) -> i64 {
        let more = node.able[a].iter().flat_map(|&vehicle| self.shared.more(vehicle, a, b));
        more.min().copied().unwrap_or(0)
    }

    /// Those that may do a task and another one after it; for each, by heading, what that other one costs more at least.
    fn able_to_go_on(&self, node: &Node, task: usize) -> Vec<(usize, Vec<i64>)> {
        let headings = self.shared.problem.headings().len();
        match node.next[task] {
            Next::Nothing => Vec::new(),
            Next::Task(next) => {
                let more = vec![self.least_more(node, task, next); headings];
                node.able[task].iter().map(|&vehicle| (vehicle, more.clone())).collect()
            }
            Next::Open => {
                let mut able: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
                for other in 0..node.next.len() {
                    for vehicle in self.able_to_link(node, task, other) {
                        let more = able.entry(vehicle).or_insert_with(|| vec![i64::MAX; headings]);
                        let rows = self.shared.more(vehicle, task, other).chunks_exact(headings);
                        for (more, row) in more.iter_mut().zip(rows) {
                            *more = row.iter().copied().fold(*more, i64::min);
                        }
                    }
                }
                able.into_iter().collect()
            }
        }
    }

    /// A choice of the ordinary search with the vehicle that its column stands for: of those of a task that is not the last,
    /// the one that it costs least.
    fn flown(&self, node: &Node, task: usize, choice: Choice) -> Choice {
        let Shared { problem, several, .. } = self.shared;
        if choice.vehicle < problem.vehicles() {
            return choice;
        }
        let price = |(vehicle, more): (usize, Vec<i64>)| {
            let cost = problem.cost(task, Choice { vehicle, ..choice });
            let price = i64::from(cost) + more[choice.heading] - several[vehicle].saves[choice.time];
            (cost != INFEASIBLE).then_some((price, vehicle))
        };
        let able = self.able_to_go_on(node, task).into_iter().filter_map(price);
        let vehicle = able.min().map_or(0, |(_, vehicle)| vehicle);
        Choice { vehicle, ..choice }
    }

    /// What is left of a node, taken apart where its cheapest assignment is impossible. Nothing if there is nothing to
    /// choose.
    fn branches(&self, node: &Node) -> Vec<Node> {
        let tasks = node.next.len();
        // A chain whose tasks would go to different vehicles, or to one that does not come round in time.
        let torn = |task: &usize| {
            let Next::Task(next) = node.next[*task] else { return false };
            let (one, then) = (node.choices[*task], node.choices[next]);
            let goes = self.shared.comes_round(one.vehicle, (*task, one), (next, then));
            node.able[*task].len() > 1 && (one.vehicle != then.vehicle || !goes)
        };
        if node.choices.is_empty() {
            let open = (0..tasks).find(|&task| node.next[task] == Next::Open);
            return open.map_or_else(Vec::new, |task| self.by_next(node, task));
        }
        if let Some(task) = (0..tasks).find(torn) {
            return self.by_vehicle(node, task);
        }
        // A task that something comes after, and nothing does; or a vehicle with several that are not linked.
        let alone =
            |task: usize| (0..tasks).all(|it| it == task || node.choices[it].vehicle != node.choices[task].vehicle);
        let open = (0..tasks).filter(|&task| node.next[task] == Next::Open);
        let broken = open.clone().filter(|&task| !node.last[task] || !alone(task));
        // The earliest of them, since what comes after it is what it costs less for.
        let broken = broken.min_by_key(|&task| (node.last[task], node.choices[task].time, task));
        if let Some(task) = broken {
            return self.by_next(node, task);
        }
        let several = (0..tasks).find(|&task| node.able[task].len() > 1 && matches!(node.next[task], Next::Task(_)));
        several.map_or_else(
            || open.take(1).flat_map(|task| self.by_next(node, task)).collect(),
            |task| self.by_vehicle(node, task),
        )
    }

    fn by_next(&self, node: &Node, task: usize) -> Vec<Node> {
        let mut branches = vec![node.clone()];
        branches[0].next[task] = Next::Nothing;
        for other in 0..node.next.len() {
            let able = self.able_to_link(node, task, other);
            if able.is_empty() {
                continue;
            }
            let mut branch = node.clone();
            branch.next[task] = Next::Task(other);
            for link in Self::links(&branch, task) {
                branch.able[link].clone_from(&able);
            }
            branches.push(branch);
        }
        branches
    }

    fn by_vehicle(&self, node: &Node, task: usize) -> Vec<Node> {
        let one = |&vehicle: &usize| {
            let mut branch = node.clone();
            for link in Self::links(node, task) {
                branch.able[link] = vec![vehicle];
            }
            branch
        };
        node.able[task].iter().map(one).collect()
    }
}
