//! What all constraints on two tasks come to, and tasks that might as well be exchanged.

use std::collections::BTreeMap;

use super::problem::Problem;

/// What `a` and `b` have to keep, `a < b`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The least and the most time from `a` to `b`.
    pub least: i128,
    pub most: i128,
    /// The least and the largest angle between their headings.
    pub narrowest: i64,
    pub widest: i64,
    /// Whether the heading of `a` has to come no later in the list than that of `b`.
    pub in_order: bool,
}

const FREE: Pair = Pair { least: -i128::MAX, most: i128::MAX, narrowest: 0, widest: i64::MAX, in_order: false };

impl Pair {
    /// The constraints of a problem, one pair each however many there are on it. Of tasks that might as well be
    /// exchanged one order is as good as any other; all but one are ruled out, or every assignment would be met again
    /// in each of them.
    pub fn all(problem: &Problem) -> BTreeMap<(usize, usize), Self> {
        let mut pairs = BTreeMap::new();
        for constraint in problem.constraints() {
            let (low, high) = (constraint.dt_min.map(i128::from), constraint.dt_max.map(i128::from));
            let (low, high) =
                if constraint.a < constraint.b { (low, high) } else { (high.map(|dt| -dt), low.map(|dt| -dt)) };
            let pair = pairs.entry(ordered(constraint.a, constraint.b)).or_insert(FREE);
            pair.least = pair.least.max(low.unwrap_or(-i128::MAX));
            pair.most = pair.most.min(high.unwrap_or(i128::MAX));
            pair.narrowest = pair.narrowest.max(constraint.dh_min);
            pair.widest = pair.widest.min(constraint.dh_max);
        }
        for class in exchangeable(problem, &pairs) {
            let held = |task: usize| pairs.iter().filter(move |((a, b), _)| task == *a || task == *b);
            let turn = |pair: &Self| pair.narrowest > 0 || pair.widest < i64::MAX;
            let turned = held(class[0]).any(|(_, pair)| turn(pair));
            if held(class[0]).next().is_none() {
                continue;
            }
            for (place, &a) in class.iter().enumerate() {
                for &b in &class[place + 1..] {
                    let pair = pairs.entry((a, b)).or_insert(FREE);
                    if turned {
                        pair.in_order = true;
                    } else {
                        pair.least = pair.least.max(0);
                    }
                }
            }
        }
        pairs
    }

    /// The same, seen from the other task.
    fn turned_round(self) -> Self {
        Self { least: -self.most, most: -self.least, ..self }
    }
}

/// Classes of two and more tasks that every vehicle bids the same for and that are coupled alike.
fn exchangeable(problem: &Problem, pairs: &BTreeMap<(usize, usize), Pair>) -> Vec<Vec<usize>> {
    let from = |a: usize, b: usize| {
        let pair = pairs.get(&ordered(a, b)).copied().unwrap_or(FREE);
        if a < b { pair } else { pair.turned_round() }
    };
    // Who has to come round from a task, or to one, is like no other.
    let turns = |task: usize| problem.turns().iter().any(|turn| turn.a == task || turn.b == task);
    let alike = |a: usize, b: usize| {
        !turns(a)
            && !turns(b)
            && from(a, b) == from(b, a)
            && (0..problem.vehicles()).all(|vehicle| problem.bid(a, vehicle) == problem.bid(b, vehicle))
            && (0..problem.tasks()).all(|other| other == a || other == b || from(a, other) == from(b, other))
    };
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for task in 0..problem.tasks() {
        match classes.iter_mut().find(|class| alike(class[0], task)) {
            Some(class) => class.push(task),
            None => classes.push(vec![task]),
        }
    }
    classes.retain(|class| class.len() > 1);
    classes
}

fn ordered(a: usize, b: usize) -> (usize, usize) {
    if a < b { (a, b) } else { (b, a) }
}
