//! Robots and recruitment policies as scripts, in the language Rhai: loaded without rebuilding, the same bytes for the same
//! seed, and unable to reach anything but what they are lent.
//!
//! A [`Class`] is a file that defines the fourteen functions of [`muster_core::reception::Robot`] by their names; a
//! [`ScriptRobot`] is one robot of it, with settings of its own. docs/scripts.md says how to write one.
//!
//! What a script is kept from, and where:
//!
//! - running for ever, going too deep, growing: [`Limits`], and the meter in `desk`;
//! - files, clock, other modules, dice of its own: not there in the first place (`sandbox`);
//! - mathematics that differs between platforms: replaced (`maths`);
//! - other robots' insides and reserved calls: a script holds no robot, it asks by name (`calls`).
//!
//! A script that fails stops its robot, not the run: [`ScriptRobot`] says how.

mod calls;
mod class;
mod desk;
mod error;
mod feelings;
mod legs;
mod limits;
mod maths;
mod number;
mod place;
mod policy;
mod reads;
mod robot;
mod sandbox;
pub mod settings;
pub mod shipped;
mod sorting;
mod state;
mod trouble;
mod words;

pub use class::{Class, INTERFACE};
pub use error::{ScriptError, SettingError};
pub use limits::Limits;
pub use policy::ScriptPolicy;
pub use robot::{STOPPED, ScriptRobot};
pub use settings::{Setting, Settings};
