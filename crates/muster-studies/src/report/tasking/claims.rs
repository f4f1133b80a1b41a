//! Every claim with what was measured: the paper's, then ours.

use crate::tasking::claims::Claim;
use crate::tasking::tables;
use crate::verdict::Source;

/// A table for each of the two.
pub fn tables(claims: &[Claim]) -> String {
    let table = |source| format!("<div class=\"wrap\">{}</div>\n", tables::claims(source, claims).html());
    [Source::Paper, Source::Ours].map(table).concat()
}
