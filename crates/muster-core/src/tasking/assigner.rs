//! The Task Assigner: who does which task, when and on which heading, so that the sum of the bids is least.
//!
//! [MacKenzie 2003, the Task Assigner] vehicles bid a cost for each task at sampled times and headings; the lead picks
//! the cheapest consistent pairing. The paper tries all of them. [`assign`] finds the same answer by branch and bound;
//! docs/assign.md tells how. [`Problem`] is what it is asked, [`Search`] the work, which can stop after any number of
//! nodes: the best answer so far then comes with a bound below which there is none.
//!
//! There each vehicle does one task at most. [`Shared`] is the same with vehicles that may do several, and
//! [`assign_shared`] the search for it, which asks the other.
//!
//! Read `relaxation.rs` before changing anything that bounds, and `search.rs` before changing anything that branches.

mod apart;
mod circle;
mod coupling;
mod matching;
mod orders;
mod pair;
mod problem;
mod reason;
mod relaxation;
mod search;
mod shared;
#[cfg(test)]
mod tests;

pub(super) use apart::most_apart;
pub use problem::{Choice, Constraint, INFEASIBLE, MOST_COST, Problem, ProblemError};
pub use reason::{Reason, reason};
pub use search::Search;
pub use shared::{Several, Shared, assign_shared, improve_shared};

/// What is known about a problem.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// The assignment is one of least cost.
    Optimal,
    /// There is no assignment.
    Infeasible,
    /// There is an assignment; whether there is a cheaper one is open.
    Feasible,
    /// None has been found; whether there is one is open.
    Unknown,
}

/// What the assigner says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether the assignment is optimal, merely the best so far, or cannot be.
    pub status: Status,
    /// What the assignment costs; none if there is no assignment.
    pub cost: Option<u64>,
    /// No assignment costs less. Of an infeasible problem it says nothing and is 0.
    pub bound: u64,
    /// For each task who does it, when and how; empty if there is no assignment.
    pub assignment: Vec<Choice>,
    /// How many nodes were looked at: rounds on the root, and partial assignments.
    pub nodes: u64,
}

/// Solves a problem, looking at no more than `node_budget` nodes.
///
/// Same problem and budget, same answer. Of several assignments of least cost it is the one that the search meets
/// first, whatever that is: only its cost is a promise.
pub fn assign(problem: &Problem, node_budget: u64) -> Answer {
    let mut search = Search::new(problem);
    search.run(node_budget);
    search.answer()
}

/// The same for assignments that cost less than one that is known: if there is none, it is called infeasible.
pub fn assign_below(problem: &Problem, cost: u64, node_budget: u64) -> Answer {
    let Some(most) = cost.checked_sub(1) else {
        return Answer { status: Status::Infeasible, cost: None, bound: 0, assignment: Vec::new(), nodes: 0 };
    };
    let mut search = Search::within(problem, most);
    search.run(node_budget);
    search.answer()
}
