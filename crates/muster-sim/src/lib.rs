//! The deterministic simulator: an event queue, open-field motion, a radio that loses messages, robots
//! that fail, and the scenario files that describe all this.
//!
//! Start at [`sim`]: it takes events in order and hands them to the machines of `muster-core`.

pub mod checks;
pub mod emotions;
pub mod errand;
pub mod explain;
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
pub use sim::{Observer, Sim, View};
