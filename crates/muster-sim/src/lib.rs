//! The deterministic simulator: an event queue, open-field motion, a radio that loses messages, robots
//! that fail, and the scenario files that describe all this.
//!
//! Start at [`sim`]: it takes events in order and hands them to the machines of `muster-core`.
//!
//! - [`sim`]: [`Sim`], generic over the mechanism; below it a file for each thing that happens to robots (what they are told
//!   to do, flights, tasks, orders, letters, faults, interventions, happenings), and [`Observer`] and [`View`] for looking on.
//! - The world: [`mission`] (everything but seed and mechanism), [`errand`], [`radio`] and [`nearby`], [`fault`], [`labour`] and
//!   [`pushed`] (work that takes as long as the world says), [`ledger`] (what came of the tasks, by what robots do),
//!   [`crossing`] (flights that came close to each other), [`queue`].
//! - What a run comes from: [`origin`], [`scheme`] (a mechanism with its variant, and `staff`, the one place where it becomes
//!   machines), [`knowledge`] and [`practice`] (training), [`intervention`], [`emotions`].
//! - [`scenario`]: files. `file.rs` is the format, a file for each mechanism's section, `value.rs` numbers that cannot be out of
//!   range, `build.rs` from names to numbers, `diagnose.rs` errors and `--set`, `interventions.rs` their own file.
//! - [`recording`]: runs as files, on `muster-journal`; [`recording::verify()`] makes a run again and compares.
//! - [`checks`]: invariants, one per file, in a folder for each mechanism and one for any team.

pub mod checks;
pub mod crossing;
pub mod emotions;
pub mod errand;
pub mod fault;
pub mod intervention;
pub mod knowledge;
pub mod labour;
pub mod ledger;
pub mod mission;
pub mod nearby;
pub mod origin;
pub mod practice;
pub mod pushed;
pub mod queue;
pub mod radio;
pub mod recording;
pub mod scenario;
pub mod scheme;
pub mod sim;

pub use intervention::{Intervention, Interventions};
pub use knowledge::Knowledge;
pub use ledger::Ledger;
pub use mission::{Mission, Seeds};
pub use origin::Origin;
pub use scheme::Scheme;
pub use sim::{AnyObserver, Observer, Sim, View};
