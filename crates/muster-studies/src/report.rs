//! Reports: one HTML page with everything in it (plotly.js, data, style), that loads nothing from anywhere.
//!
//! [`study()`], [`alliance::page()`], [`tasking::page()`] and [`reception::page()`] show the reproduction of a paper,
//! [`mission()`] the runs of a mission, [`party()`] those of a reception; [`figure()`], [`alliance::figure()`], [`tasking::figure()`] and
//! [`reception::figure()`] are main figures alone, as SVG. Same input, same bytes: a report knows no date and no machine.
//!
//! Plots are plotly figures as JSON. Colours in them are names ("@greedy") that page.js looks up in page.css,
//! so that light, dark and print are a matter of the style sheet.

pub mod alliance;
mod bids;
mod distribution;
mod figure;
mod flights;
mod holders;
mod html;
mod look;
mod map;
mod messages;
mod mission;
mod page;
mod party;
mod percentiles;
mod plot;
mod pushed;
pub mod reception;
mod shame;
mod study;
mod sweep;
pub mod tasking;
mod timeline;
mod trace;
mod tradeoff;

pub use figure::figure;
pub use mission::mission;
pub use party::party;
pub use study::study;

#[cfg(test)]
mod tests;
