//! One module per command.

pub mod completions;
pub mod guide;
pub mod reproduce;
pub mod run;
pub mod scenarios;
pub mod schema;
pub mod soak;
