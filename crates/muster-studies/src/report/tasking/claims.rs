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
                Value::Number(plain(claim.value)),
                Value::Number(expected(claim)),
                text(claim.reading),
            ]);
        }
        html.push_str(&format!("<div class=\"wrap\">{}</div>\n", table.html()));
    }
    html
}

fn expected(claim: &Claim) -> String {
    match (claim.low.is_finite(), claim.high.is_finite()) {
        _ if claim.low == claim.high => plain(claim.low),
        (true, true) => format!("{} – {}", plain(claim.low), plain(claim.high)),
        (true, false) => format!("≥ {}", plain(claim.low)),
        (false, true) => format!("≤ {}", plain(claim.high)),
        (false, false) => "anything".to_owned(),
    }
}

/// With at most three decimals.
fn plain(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
