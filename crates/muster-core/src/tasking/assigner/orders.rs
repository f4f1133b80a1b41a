//! Which vehicle does which tasks in which order, as far as times alone tell.
//!
//! Windows from task to task, the times for which there are bids and the time that it takes to come round are differences of
//! times, and whether those go together shortest ways tell [Dechter, Meiri & Pearl 1991]. That takes microseconds where the
//! search over samples takes milliseconds, and headings have no say in it: an order that does not go by this does not go, and
//! one that does may not. A few vehicles have few orders, so they are listed first; if there is none, there is no assignment.

use super::problem::INFEASIBLE;
use super::shared::Shared;

/// Nobody looks at more partial orders than this, nor at more whole ones: where there are as many, the search over chains says
/// sooner which of them are of use.
const MOST_STEPS: usize = 4_000;
const MOST_ORDERS: usize = 120;

/// What each vehicle does, and the least that it can cost.
#[derive(Clone, Debug)]
pub struct Order {
    /// By vehicle: its tasks, one after the other.
    pub chains: Vec<Vec<usize>>,
    pub bound: u64,
}

/// Orders in which times go together, the cheapest first.
#[derive(Clone, Debug)]
pub struct Orders {
    pub all: Vec<Order>,
    /// There are no others.
    pub complete: bool,
}

impl Orders {
    pub fn of(shared: &Shared) -> Self {
        let problem = shared.problem();
        let (tasks, vehicles) = (problem.tasks(), problem.vehicles());
        let mut listing = Listing::new(shared);
        let Some(apart) = listing.apart() else { return Self { all: Vec::new(), complete: true } };
        // Short chains first: what is left out is least likely to go.
        let mut all = Vec::new();
        let mut complete = false;
        for longest in tasks.div_ceil(vehicles.max(1))..=tasks {
            (listing.longest, listing.cut) = (longest, false);
            let mut chains = vec![Vec::new(); vehicles];
            if !listing.extend(0, &mut chains, &mut vec![true; tasks], &apart) {
                all.append(&mut listing.found);
                complete = false;
                break;
            }
            all = std::mem::take(&mut listing.found);
            complete = !listing.cut;
            if complete {
                break;
            }
        }
        all.sort_by_key(|order| order.bound);
        Self { all, complete }
    }
}

/// How far apart tasks are at most, by task and task; the last one stands for t0.
type Apart = Vec<i128>;

struct Listing<'a> {
    shared: &'a Shared,
    /// By task and vehicle, and by time: the least that it costs as the last of its vehicle's tasks; `None`: not then.
    least: Vec<Vec<Option<i64>>>,
    /// By vehicle, task and the task after it: the least time in between, and the least that the later one costs more.
    turns: Vec<(i64, i64)>,
    longest: usize,
    /// Something was left out for being longer.
    cut: bool,
    steps: usize,
    found: Vec<Order>,
}

impl<'a> Listing<'a> {
    fn new(shared: &'a Shared) -> Self {
        let problem = shared.problem();
        let (tasks, vehicles, headings) = (problem.tasks(), problem.vehicles(), problem.headings().len().max(1));
        let row = |row: &[u32]| row.iter().filter(|&&cost| cost != INFEASIBLE).min().map(|&cost| i64::from(cost));
        let pairs = (0..tasks).flat_map(|task| (0..vehicles).map(move |vehicle| (task, vehicle)));
        let least = pairs.map(|(task, vehicle)| problem.bid(task, vehicle).chunks_exact(headings).map(row).collect());
        let mut turns = Vec::with_capacity(vehicles * tasks * tasks);
        for vehicle in 0..vehicles {
            for (a, b) in (0..tasks).flat_map(|a| (0..tasks).map(move |b| (a, b))) {
                let time = shared.least(vehicle, a, b).iter().min().copied().unwrap_or(i64::MAX);
                let more = shared.more(vehicle, a, b).iter().min().copied().unwrap_or(0);
                turns.push((time, more));
            }
        }
        let least = least.collect();
        Self { shared, least, turns, longest: 0, cut: false, steps: 0, found: Vec::new() }
    }

    fn turn(&self, vehicle: usize, a: usize, b: usize) -> (i64, i64) {
        let tasks = self.shared.problem().tasks();
        self.turns[(vehicle * tasks + a) * tasks + b]
    }

    fn bids(&self, task: usize, vehicle: usize) -> &[Option<i64>] {
        &self.least[task * self.shared.problem().vehicles() + vehicle]
    }

    /// What constraints leave. `None` if they do not go together.
    fn apart(&self) -> Option<Apart> {
        let problem = self.shared.problem();
        let (first, last) = (*problem.times().first()?, *problem.times().last()?);
        let all = problem.tasks() + 1;
        let mut apart = vec![i128::from(last) - i128::from(first); all * all];
        for task in 0..problem.tasks() {
            apart[(all - 1) * all + task] = i128::from(last);
            apart[task * all + all - 1] = -i128::from(first);
        }
        (0..all).for_each(|task| apart[task * all + task] = 0);
        let kept = problem.constraints().iter().all(|it| {
            it.dt_max.is_none_or(|most| self.keep(&mut apart, it.a, it.b, i128::from(most)))
                && it.dt_min.is_none_or(|least| self.keep(&mut apart, it.b, it.a, -i128::from(least)))
        });
        kept.then_some(apart)
    }

    /// Says that `to` comes no more than `most` after `from`; whether that goes.
    fn keep(&self, apart: &mut Apart, from: usize, to: usize, most: i128) -> bool {
        let all = self.shared.problem().tasks() + 1;
        if apart[to * all + from] + most < 0 {
            return false;
        }
        if most < apart[from * all + to] {
            for a in 0..all {
                let so_far = apart[a * all + from] + most;
                for b in 0..all {
                    apart[a * all + b] = apart[a * all + b].min(so_far + apart[to * all + b]);
                }
            }
        }
        true
    }

    /// Lists all orders that go on from here: what vehicles before this one do is settled, and how its own chain begins. Says
    /// whether it got to the end.
    fn extend(&mut self, vehicle: usize, chains: &mut Vec<Vec<usize>>, left: &mut Vec<bool>, apart: &Apart) -> bool {
        if left.iter().all(|left| !left) {
            if self.found.len() == MOST_ORDERS {
                return false;
            }
            let bound = self.bound(chains, apart);
            self.found.extend(bound.map(|bound| Order { chains: chains.clone(), bound }));
            return true;
        }
        if vehicle == chains.len() {
            return true;
        }
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return false;
        }
        for task in 0..left.len() {
            if !left[task] {
                continue;
            }
            let mut then = apart.clone();
            if self.append(vehicle, &chains[vehicle], task, &mut then) {
                chains[vehicle].push(task);
                left[task] = false;
                let goes_on = self.extend(vehicle, chains, left, &then);
                chains[vehicle].pop();
                left[task] = true;
                if !goes_on {
                    return false;
                }
            }
        }
        // Nobody else might do what is left.
        let later =
            |task: usize| (vehicle + 1..chains.len()).any(|other| self.bids(task, other).iter().any(Option::is_some));
        (0..left.len()).any(|task| left[task] && !later(task)) || self.extend(vehicle + 1, chains, left, apart)
    }

    /// A vehicle does a task after those of its chain; whether it can.
    fn append(&mut self, vehicle: usize, chain: &[usize], task: usize, apart: &mut Apart) -> bool {
        let (problem, origin) = (self.shared.problem(), self.shared.problem().tasks());
        let bids = self.bids(task, vehicle);
        let (first, last) = (bids.iter().position(Option::is_some), bids.iter().rposition(Option::is_some));
        let Some((first, last)) = first.zip(last) else { return false };
        let (first, last) = (problem.times()[first], problem.times()[last]);
        if let Some(&before) = chain.last() {
            let (time, _) = self.turn(vehicle, before, task);
            if !self.shared.has_room(vehicle, chain, task) || time == i64::MAX {
                return false;
            }
            if chain.len() >= self.longest {
                self.cut = true;
                return false;
            }
            if !self.keep(apart, task, before, -i128::from(time)) {
                return false;
            }
        }
        self.keep(apart, origin, task, i128::from(last)) && self.keep(apart, task, origin, -i128::from(first))
    }

    /// The least that an order costs; `None` if some task has no time left.
    fn bound(&self, chains: &[Vec<usize>], apart: &Apart) -> Option<u64> {
        let problem = self.shared.problem();
        let (origin, all) = (problem.tasks(), problem.tasks() + 1);
        let mut total = 0;
        for (vehicle, chain) in chains.iter().enumerate() {
            for (place, &task) in chain.iter().enumerate() {
                let within = -apart[task * all + origin]..=apart[origin * all + task];
                let more = chain.get(place + 1).map(|&next| self.turn(vehicle, task, next).1);
                let times = problem.times().iter().zip(self.bids(task, vehicle)).zip(self.shared.saves(vehicle));
                let open = times.filter(|((time, _), _)| within.contains(&i128::from(**time)));
                let price = |((_, cost), saves): ((&i64, &Option<i64>), &i64)| {
                    cost.map(|cost| cost + more.map_or(0, |more| more - saves))
                };
                total += open.filter_map(price).min()?;
            }
        }
        Some(total.max(0) as u64)
    }
}
