//! One module per command.

pub mod allocate;
pub mod assign;
pub mod completions;
pub mod console;
pub mod explain;
pub mod guide;
pub mod replay;
pub mod reproduce;
pub mod run;
pub mod scenarios;
pub mod schema;
pub mod soak;
pub mod trace;
pub mod train;
