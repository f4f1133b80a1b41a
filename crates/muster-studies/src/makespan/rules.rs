//! Rules that allocate without searching, to be compared with the optimum.
//!
//! A rule sees the whole instance and gives every task to a robot that can do it: what robots would agree on over a
//! perfect radio. Add one by writing its function and its line in [`RULES`].

mod cbba;
mod greedy;
mod hungarian_rounds;
mod regret_auction;

pub use cbba::cbba;
pub use greedy::greedy;
pub use hungarian_rounds::hungarian_rounds;
pub use regret_auction::regret_auction;

use super::Instance;

/// Gives every task to a robot that can do it: robot by task.
pub type Rule = fn(&Instance) -> Vec<usize>;

/// Every rule by its name on the command line, in files and in reports.
pub const RULES: &[(&str, Rule)] =
    &[("greedy", greedy), ("regret-auction", regret_auction), ("cbba", cbba), ("hungarian-rounds", hungarian_rounds)];
