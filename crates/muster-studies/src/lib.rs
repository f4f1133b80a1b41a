//! Published experiments, regenerated: the paper's figure beside ours, with what decides between them.
//!
//! - A module for each paper, each with its figures as printed in `data/` and its page in `report/`: [`recruitment`] (Gage &
//!   Murphy 2004), [`alliance`] (Parker), [`tasking`] (MacKenzie 2003), [`reception`] (Lisetti's CARS, as checks).
//! - [`run`]: one row of a mission, [`party`]: one of a reception, [`summary`]: many. Work is spread over threads by [`batch`],
//!   and no result depends on how many there are. [`flown`] and [`auction`]: planned and flown, and what was bid.
//! - What is left behind: [`results`], one row per run as CSV and Parquet, and [`report`], a page to look at; both say where they
//!   come from ([`provenance`]). [`table`] is what pages and terminal show, each in its own way; [`stats`] is behind both.
//! - [`verdict`]: how a claim is judged, the same in every study.
//! - [`makespan`]: the exact optimum that allocation mechanisms are measured against, and baselines (`exact.rs` first);
//!   [`assign`]: coupled assignment for files.
//! - [`soak`]: many seeds of every mechanism on missions drawn from the seed, with faults and interventions, and what must
//!   never happen. `plan.rs` lists the plans, `draw/` draws missions, `watcher.rs` looks at the invariants.

pub mod air;
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
pub mod verdict;

pub use source::FileError;
