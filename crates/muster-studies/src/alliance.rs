//! The study of L-ALLIANCE (Parker, §7): strategies and orderings over teams, missions and heterogeneity.

pub mod mission;
pub mod scenario;
