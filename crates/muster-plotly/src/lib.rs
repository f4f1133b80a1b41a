//! plotly.js, which draws the plots of reports and of the console.
//!
//! A crate of its own, so that both have the same script and neither links the crate that carries it
//! (`build.rs` says how).

/// The script, minified, as a page has it in a script element.
pub const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/plotly.js"));
