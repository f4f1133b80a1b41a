//! Scripts in the language Rhai: loaded without rebuilding, the same bytes for the same seed, and unable to reach anything
//! but what they are given. Here are the sandbox and what runs in it without a body: [`ScriptPolicy`], a recruitment policy.
//! Robots of receptions as scripts are in `muster-reception`. docs/scripts.md says how to write either.
//!
//! What a script is kept from, and where:
//!
//! - running for ever, going too deep, growing: [`Limits`], and the `meter`;
//! - files, clock, other modules, dice of its own: not there in the first place ([`sandbox`]);
//! - mathematics that differs between platforms: replaced (`maths`).

mod error;
mod limits;
mod maths;
mod meter;
pub mod number;
mod policy;
pub mod sandbox;
pub mod script;
pub mod shipped;
mod sorting;
mod trouble;
mod words;

pub use error::{ScriptError, did_you_mean};
pub use limits::Limits;
pub use policy::ScriptPolicy;
pub use script::Script;
pub use trouble::Trouble;
