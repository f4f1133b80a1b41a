//! What the assigner is asked.

use std::fmt;

/// The cost of what a vehicle cannot do.
pub const INFEASIBLE: u32 = u32::MAX;

/// The most that what a vehicle can do may cost: single precision holds all whole numbers up to here exactly.
pub const MOST_COST: u32 = 1 << 24;

/// Two tasks whose times and headings depend on each other:
/// `dt_min <= t[b] - t[a] <= dt_max` and `dh_min <= angle(h[a], h[b]) <= dh_max`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// A task.
    pub a: usize,
    /// Another one.
    pub b: usize,
    /// The least time from `a` to `b`; below 0 if `b` may come first. Any without it.
    pub dt_min: Option<i64>,
    /// The most time from `a` to `b`.
    pub dt_max: Option<i64>,
    /// The least angle between the headings, 0 to half a turn.
    pub dh_min: i64,
    /// The largest angle between the headings, 0 to half a turn.
    pub dh_max: i64,
}

impl Constraint {
    /// Whether it is on these two tasks, in either order.
    pub fn couples(&self, a: usize, b: usize) -> bool {
        (self.a, self.b) == (a, b) || (self.b, self.a) == (a, b)
    }
}

/// Two tasks of one vehicle, one right after the other: `t[b] - t[a] >= least`, which depends on both headings, as does what
/// both together cost more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The task that it does first.
    pub a: usize,
    /// The one after it.
    pub b: usize,
    /// By heading of `a`, then of `b`: the least time between them.
    pub least: Vec<i64>,
    /// In the same order: what they cost more.
    pub more: Vec<u64>,
}

/// Who does a task, when and on which heading.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Choice {
    /// The vehicle, by number.
    pub vehicle: usize,
    /// The time, by its place in the problem's list.
    pub time: usize,
    /// The heading, by its place in the problem's list.
    pub heading: usize,
}

/// Bids for a group of coupled tasks, each sampled at the same times and headings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    tasks: usize,
    vehicles: usize,
    times: Vec<i64>,
    headings: Vec<i64>,
    turn: i64,
    /// By task, vehicle, time, heading.
    costs: Vec<u32>,
    constraints: Vec<Constraint>,
    turns: Vec<Turn>,
}

/// Why something is no problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemError {
    /// The number of costs is not tasks times vehicles times times times headings.
    Costs {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A cost above [`MOST_COST`] that is not [`INFEASIBLE`].
    Cost(usize),
    /// A time that is not after the one before it.
    Time(usize),
    /// A heading that is not above the one before it, or outside of a turn.
    Heading(usize),
    /// A constraint names a task that there is not.
    NoTask(usize),
    /// A constraint of a task on itself.
    SameTask(usize),
    /// A constraint whose least time is above its most.
    EmptyWindow(usize),
    /// A constraint whose angles are outside of half a turn, or the least above the largest.
    Angles(usize),
}

impl fmt::Display for ProblemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Costs { found, expected } => write!(f, "there are {found} costs, not {expected}"),
            Self::Cost(index) => write!(f, "cost {index} is above {MOST_COST}"),
            Self::Time(index) => write!(f, "time {index} is not after the one before it"),
            Self::Heading(index) => write!(f, "heading {index} is not above the one before it and within a turn"),
            Self::NoTask(index) => write!(f, "constraint {index} names a task that there is not"),
            Self::SameTask(index) => write!(f, "constraint {index} couples a task with itself"),
            Self::EmptyWindow(index) => write!(f, "constraint {index} has dt_min above dt_max"),
            Self::Angles(index) => {
                write!(f, "constraint {index} has angles that are not 0 <= dh_min <= dh_max <= half a turn")
            }
        }
    }
}

impl std::error::Error for ProblemError {}

impl Problem {
    /// A problem with headings in degrees. The costs are listed by task, then vehicle, time and heading.
    pub fn new(
        tasks: usize,
        vehicles: usize,
        times: Vec<i64>,
        headings: Vec<i64>,
        costs: Vec<u32>,
        constraints: Vec<Constraint>,
    ) -> Result<Self, ProblemError> {
        Self::with_turn(360, tasks, vehicles, times, headings, costs, constraints)
    }

    /// A problem with headings in a unit of which `turn` are a full turn, such as 3,600 for tenths of a degree.
    pub fn with_turn(
        turn: i64,
        tasks: usize,
        vehicles: usize,
        times: Vec<i64>,
        headings: Vec<i64>,
        costs: Vec<u32>,
        constraints: Vec<Constraint>,
    ) -> Result<Self, ProblemError> {
        let expected = tasks * vehicles * times.len() * headings.len();
        if costs.len() != expected {
            return Err(ProblemError::Costs { found: costs.len(), expected });
        }
        if let Some(index) = costs.iter().position(|&cost| cost > MOST_COST && cost != INFEASIBLE) {
            return Err(ProblemError::Cost(index));
        }
        if let Some(index) = (1..times.len()).find(|&index| times[index] <= times[index - 1]) {
            return Err(ProblemError::Time(index));
        }
        let heading = |index: usize| {
            (0..turn).contains(&headings[index]) && (index == 0 || headings[index] > headings[index - 1])
        };
        if let Some(index) = (0..headings.len()).find(|&index| !heading(index)) {
            return Err(ProblemError::Heading(index));
        }
        for (index, constraint) in constraints.iter().enumerate() {
            let Constraint { a, b, dt_min, dt_max, dh_min, dh_max } = *constraint;
            if a >= tasks || b >= tasks {
                return Err(ProblemError::NoTask(index));
            }
            if a == b {
                return Err(ProblemError::SameTask(index));
            }
            if dt_min.zip(dt_max).is_some_and(|(min, max)| min > max) {
                return Err(ProblemError::EmptyWindow(index));
            }
            if dh_min < 0 || dh_min > dh_max || 2 * i128::from(dh_max) > i128::from(turn) {
                return Err(ProblemError::Angles(index));
            }
        }
        Ok(Self { tasks, vehicles, times, headings, turn, costs, constraints, turns: Vec::new() })
    }

    /// Other bids of other vehicles for the same tasks, at the same samples and under the same constraints, and turns.
    pub(super) fn bid_otherwise(&self, vehicles: usize, costs: Vec<u32>, turns: Vec<Turn>) -> Self {
        assert_eq!(costs.len(), self.tasks * vehicles * self.states(), "there is a cost for every sample");
        let Self { tasks, turn, .. } = *self;
        let (times, headings, constraints) = (self.times.clone(), self.headings.clone(), self.constraints.clone());
        Self { tasks, vehicles, times, headings, turn, costs, constraints, turns }
    }

    /// How many tasks there are.
    pub fn tasks(&self) -> usize {
        self.tasks
    }

    /// How many vehicles bid.
    pub fn vehicles(&self) -> usize {
        self.vehicles
    }

    /// The sampled times, ascending.
    pub fn times(&self) -> &[i64] {
        &self.times
    }

    /// The sampled headings, ascending.
    pub fn headings(&self) -> &[i64] {
        &self.headings
    }

    /// What couples the tasks.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// Tasks that one vehicle does one right after the other.
    pub(super) fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// How many samples a bid has.
    pub(super) fn states(&self) -> usize {
        self.times.len() * self.headings.len()
    }

    /// The bid of a vehicle for a task: by time, then heading.
    pub fn bid(&self, task: usize, vehicle: usize) -> &[u32] {
        let states = self.states();
        let start = (task * self.vehicles + vehicle) * states;
        &self.costs[start..start + states]
    }

    /// What a choice for a task costs, or [`INFEASIBLE`].
    pub fn cost(&self, task: usize, choice: Choice) -> u32 {
        self.bid(task, choice.vehicle)[choice.time * self.headings.len() + choice.heading]
    }

    /// The angle between two headings, by index: at most half a turn.
    pub fn angle(&self, a: usize, b: usize) -> i64 {
        let difference = self.headings[a].abs_diff(self.headings[b]) as i64;
        difference.min(self.turn - difference)
    }

    /// Whether two choices keep a constraint on their tasks.
    pub fn keeps(&self, constraint: &Constraint, a: Choice, b: Choice) -> bool {
        let dt = i128::from(self.times[b.time]) - i128::from(self.times[a.time]);
        let angle = self.angle(a.heading, b.heading);
        constraint.dt_min.is_none_or(|min| dt >= i128::from(min))
            && constraint.dt_max.is_none_or(|max| dt <= i128::from(max))
            && (constraint.dh_min..=constraint.dh_max).contains(&angle)
    }

    /// What an assignment costs, or none if it is not allowed: it needs a choice for each task, which its vehicle can
    /// do, vehicles that differ, and kept constraints.
    pub fn evaluate(&self, assignment: &[Choice]) -> Option<u64> {
        let mut busy = vec![false; self.vehicles];
        let mut total = 0;
        for (task, &choice) in assignment.iter().enumerate() {
            let cost = self.cost(task, choice);
            if cost == INFEASIBLE || std::mem::replace(&mut busy[choice.vehicle], true) {
                return None;
            }
            total += u64::from(cost);
        }
        let kept = |constraint: &Constraint| self.keeps(constraint, assignment[constraint.a], assignment[constraint.b]);
        (assignment.len() == self.tasks && self.constraints.iter().all(kept)).then_some(total)
    }
}
