//! Crashes, loss, chains and partitions: how often everything was done, and once.

use crate::tasking::{Study, tables};

/// Crashes, then loss alone, then the chain of Claim 1.
pub fn tables(study: &Study) -> String {
    let [crashes, at_most_once, losses, chains] =
        [tables::crashes, tables::at_most_once, tables::losses, tables::chains].map(|table| table(study).html());
    format!("{crashes}{at_most_once}<div class=\"grid tables\">\n{losses}{chains}</div>\n")
}

/// Teams that are split for a while.
pub fn partitions(study: &Study) -> String {
    tables::partitions(study).html()
}
