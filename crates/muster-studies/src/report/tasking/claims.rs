//! Every claim with what was measured.

use crate::report::html::{Mark, Table, Value, text};
use crate::tasking::claims::Claim;

/// Claims that fail, those that are known to, and those that hold.
pub fn tables(claims: &[Claim]) -> String {
    let mut html = String::new();
    for (caption, verdict, mark, word) in [
        ("Claims that fail", "fails", Mark::Bad, "fails"),
        ("Claims that the protocol as drawn is known not to keep", "known-mismatch", Mark::Known, "known mismatch"),
        ("Claims that hold", "holds", Mark::Good, "holds"),
    ] {
        let of: Vec<&Claim> = claims.iter().filter(|claim| claim.verdict == verdict).collect();
        if of.is_empty() {
            continue;
        }
        let mut table = Table::new(caption, &["claim", "section", "verdict", "measured", "expected", "reading"]);
        for claim in of {
            table.row([
                text(claim.statement.as_str()),
                text(claim.section),
                Value::Verdict(mark, word.to_owned()),
                Value::Number(claim.measured()),
                Value::Number(claim.expected()),
                text(claim.reading),
            ]);
        }
        html.push_str(&format!("<div class=\"wrap\">{}</div>\n", table.html()));
    }
    html
}
