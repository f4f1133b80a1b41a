//! Published experiments, regenerated: the paper's figure beside ours, with what decides between them.
//!
//! [`run`] makes one row of a mission, [`party`] one of a reception; [`recruitment`] is the study of Gage & Murphy 2004; [`soak`] runs
//! many seeds with faults and looks for what must never happen. Work is spread over threads by [`batch`],
//! and no result depends on how many there are. What is left behind: [`results`], one row per run, and
//! [`report`], a page to look at; both say where they come from ([`provenance`]). [`makespan`] holds the exact optimum
//! that allocation mechanisms are measured against, and baselines.

pub mod alliance;
pub mod assign;
pub mod auction;
pub mod batch;
pub mod flown;
pub mod makespan;
pub mod party;
pub mod provenance;
pub mod reception;
pub mod recruitment;
pub mod report;
pub mod results;
pub mod run;
pub mod soak;
mod source;
pub mod stats;
pub mod summary;
pub mod table;
pub mod tasking;

pub use source::FileError;
