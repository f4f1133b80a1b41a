//! Why a problem has no assignment, where that can be said in a sentence.

use std::collections::VecDeque;

use super::circle::Circle;
use super::coupling::Coupling;
use super::problem::{Choice, Constraint, INFEASIBLE, Problem};

/// What alone makes an assignment impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There are fewer vehicles than tasks.
    TooFewVehicles,
    /// There are no times or no headings.
    NoSamples,
    /// No vehicle can do the task at any time on any heading.
    NobodyCan {
        /// The task, by index.
        task: usize,
    },
    /// There are more of these tasks than vehicles that can do any of them.
    Crowded {
        /// The tasks, by index.
        tasks: Vec<usize>,
        /// All vehicles that can do any of them.
        vehicles: Vec<usize>,
    },
    /// Times that keep these constraints, by index, would have to come before themselves, or would not fit in
    /// between the first and the last sample.
    Cycle {
        /// The constraints, ascending.
        constraints: Vec<usize>,
        /// Whether only the samples are too short.
        samples: bool,
    },
    /// No two samples keep the constraints between these two tasks.
    NoPair {
        /// The task that the constraints count from.
        a: usize,
        /// The task that they count to.
        b: usize,
    },
    /// These tasks have to keep apart in heading, and there are too few headings that do.
    Circle {
        /// The tasks, by index.
        tasks: Vec<usize>,
        /// How many of them the headings have room for.
        room: usize,
    },
    /// Each part is possible by itself; together they are not.
    Together,
}

/// Why a problem without an assignment has none: the simplest reason that is found quickly.
pub fn reason(problem: &Problem) -> Reason {
    let (tasks, vehicles) = (problem.tasks(), problem.vehicles());
    if problem.times().is_empty() || problem.headings().is_empty() {
        return Reason::NoSamples;
    }
    if vehicles < tasks {
        return Reason::TooFewVehicles;
    }
    let can = |task: usize, vehicle: usize| problem.bid(task, vehicle).iter().any(|&cost| cost != INFEASIBLE);
    let able: Vec<Vec<usize>> =
        (0..tasks).map(|task| (0..vehicles).filter(|&vehicle| can(task, vehicle)).collect()).collect();
    if let Some(task) = able.iter().position(Vec::is_empty) {
        return Reason::NobodyCan { task };
    }
    crowded(&able, vehicles)
        .or_else(|| cycle(problem))
        .or_else(|| no_pair(problem))
        .or_else(|| circle(problem))
        .unwrap_or(Reason::Together)
}

/// [Hall 1935] tasks that outnumber all who can do them: those that a search for a free vehicle comes by in vain.
fn crowded(able: &[Vec<usize>], vehicles: usize) -> Option<Reason> {
    let mut doing: Vec<Option<usize>> = vec![None; vehicles];
    for root in 0..able.len() {
        let mut from: Vec<Option<usize>> = vec![None; vehicles];
        let mut met = vec![root];
        let mut waiting = VecDeque::from([root]);
        let mut free = None;
        while let (Some(task), None) = (waiting.pop_front(), free) {
            for &vehicle in &able[task] {
                if from[vehicle].is_some() {
                    continue;
                }
                from[vehicle] = Some(task);
                match doing[vehicle] {
                    Some(other) => {
                        met.push(other);
                        waiting.push_back(other);
                    }
                    None => {
                        free = Some(vehicle);
                        break;
                    }
                }
            }
        }
        let Some(mut vehicle) = free else {
            met.sort_unstable();
            let vehicles = (0..vehicles).filter(|&vehicle| from[vehicle].is_some()).collect();
            return Some(Reason::Crowded { tasks: met, vehicles });
        };
        while let Some(task) = from[vehicle] {
            doing[vehicle] = Some(task);
            match able[task].iter().find(|&&other| other != vehicle && doing[other] == Some(task)) {
                Some(&other) => vehicle = other,
                None => break,
            }
        }
    }
    None
}

/// Constraints on times that no times keep: a cycle of least distances longer than 0 [Bellman 1958].
fn cycle(problem: &Problem) -> Option<Reason> {
    let tasks = problem.tasks();
    let (first, last) = (problem.times().first()?, problem.times().last()?);
    // Each edge says that `to` comes no more than `length` after `from`; the samples are one more task, at time 0.
    let mut edges: Vec<(usize, usize, i128, Option<usize>)> = Vec::new();
    for (index, constraint) in problem.constraints().iter().enumerate() {
        if let Some(most) = constraint.dt_max {
            edges.push((constraint.a, constraint.b, i128::from(most), Some(index)));
        }
        if let Some(least) = constraint.dt_min {
            edges.push((constraint.b, constraint.a, -i128::from(least), Some(index)));
        }
    }
    // First without the samples: what holds for any times says more.
    for samples in [false, true] {
        if samples {
            for task in 0..tasks {
                edges.push((tasks, task, i128::from(*last), None));
                edges.push((task, tasks, -i128::from(*first), None));
            }
        }
        let mut after = vec![0_i128; tasks + 1];
        let mut by: Vec<Option<usize>> = vec![None; tasks + 1];
        let mut changed = None;
        for _ in 0..=tasks + 1 {
            changed = None;
            for (edge, &(from, to, length, _)) in edges.iter().enumerate() {
                if after[from] + length < after[to] {
                    after[to] = after[from] + length;
                    by[to] = Some(edge);
                    changed = Some(to);
                }
            }
        }
        let Some(mut task) = changed else { continue };
        let before = |task: usize| by[task].map_or(task, |edge| edges[edge].0);
        for _ in 0..=tasks + 1 {
            task = before(task);
        }
        let start = task;
        let mut constraints = Vec::new();
        loop {
            constraints.extend(by[task].and_then(|edge| edges[edge].3));
            task = before(task);
            if task == start {
                break;
            }
        }
        constraints.sort_unstable();
        constraints.dedup();
        return Some(Reason::Cycle { constraints, samples });
    }
    None
}

/// Two tasks none of whose samples go together.
fn no_pair(problem: &Problem) -> Option<Reason> {
    let possible = |coupling: &Coupling| {
        let held: Vec<&Constraint> =
            problem.constraints().iter().filter(|held| held.couples(coupling.a, coupling.b)).collect();
        let choices = |constraint: &Constraint, time: (usize, usize), heading: (usize, usize)| {
            let (a, b) = (
                Choice { vehicle: 0, time: time.0, heading: heading.0 },
                Choice { vehicle: 0, time: time.1, heading: heading.1 },
            );
            if constraint.a == coupling.a { problem.keeps(constraint, a, b) } else { problem.keeps(constraint, b, a) }
        };
        // Times are kept or not whatever the headings are, and the other way round.
        let timed = |a: usize, b: usize| {
            held.iter()
                .all(|&&constraint| choices(&Constraint { dh_min: 0, dh_max: i64::MAX, ..constraint }, (a, b), (0, 0)))
        };
        let turned = |a: usize, b: usize| {
            held.iter()
                .all(|&&constraint| choices(&Constraint { dt_min: None, dt_max: None, ..constraint }, (0, 0), (a, b)))
        };
        any_pair(problem.times().len(), timed) && any_pair(problem.headings().len(), turned)
    };
    let couplings = Coupling::all(problem);
    let impossible = couplings.iter().find(|coupling| !possible(coupling))?;
    Some(Reason::NoPair { a: impossible.a, b: impossible.b })
}

fn any_pair(count: usize, goes: impl Fn(usize, usize) -> bool) -> bool {
    (0..count).any(|a| (0..count).any(|b| goes(a, b)))
}

/// Tasks that keep apart in heading, and a circle with fewer parts.
fn circle(problem: &Problem) -> Option<Reason> {
    let (circles, _) = Circle::all(problem, &Coupling::all(problem));
    let crowded = circles.into_iter().find(|circle| circle.tasks.len() > circle.parts)?;
    Some(Reason::Circle { tasks: crowded.tasks, room: crowded.parts })
}
