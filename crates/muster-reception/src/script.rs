//! Robots as scripts, in the language Rhai: loaded without rebuilding, the same bytes for the same seed, and unable to
//! reach anything but what they are lent. The sandbox itself is `muster-script`'s.
//!
//! A [`Class`] is a file that defines the fourteen functions of [`Robot`](crate::robot::Robot) by their names; a
//! [`ScriptRobot`] is one robot of it, with settings of its own. docs/scripts.md says how to write one.
//!
//! Other robots' insides and reserved calls are kept from a script: it holds no robot, it asks by name (`calls`). A script
//! that fails stops its robot, not the run: [`ScriptRobot`] says how.

mod calls;
mod class;
mod desk;
mod feelings;
mod legs;
mod place;
mod reads;
mod robot;
pub mod settings;
pub mod shipped;
mod state;

pub use class::{Class, INTERFACE};
pub use robot::{STOPPED, ScriptRobot};
pub use settings::{Setting, SettingError, Settings};
