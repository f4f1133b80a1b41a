//! The little HTML that reports are made of.

use std::fmt::Write;

pub use crate::table::{Mark, Table, Value, number, text};

/// Text as HTML, in elements and in quoted attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

impl Mark {
    fn class_and_sign(self) -> (&'static str, &'static str) {
        match self {
            Self::Good => ("good", "✓"),
            Self::Known => ("known", "≠"),
            Self::Open => ("known", "?"),
            Self::Bad => ("bad", "✗"),
        }
    }
}

impl Table {
    /// As HTML. A wide table scrolls in its box rather than the page.
    pub fn html(&self) -> String {
        let mut out = format!(
            "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table>\n<caption>{0}</caption>\n\
             <thead><tr>",
            escape(&self.caption)
        );
        for (column, title) in self.head.iter().enumerate() {
            let class = if self.is_number(column) { " class=\"n\"" } else { "" };
            push(&mut out, format_args!("<th scope=\"col\"{class}>{}</th>", escape(title)));
        }
        out.push_str("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            out.push_str("<tr>");
            for (column, value) in row.iter().enumerate() {
                let (open, close) = if column == 0 { ("th scope=\"row\"", "th") } else { ("td", "td") };
                match value {
                    Value::Text(text) => push(&mut out, format_args!("<{open}>{}</{close}>", escape(text))),
                    Value::Number(text) => {
                        push(&mut out, format_args!("<{open} class=\"n\">{}</{close}>", escape(text)));
                    }
                    Value::Verdict(mark, text) => {
                        let (class, sign) = mark.class_and_sign();
                        let sign = format!("<span aria-hidden=\"true\">{sign}</span>");
                        push(&mut out, format_args!("<{open} class=\"{class}\">{sign} {}</{close}>", escape(text)));
                    }
                }
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody></table></div>\n");
        if !self.note.is_empty() {
            push(&mut out, format_args!("<p class=\"note\">{}</p>\n", escape(&self.note)));
        }
        out
    }
}

/// Writing to a string cannot fail.
pub fn push(out: &mut String, what: std::fmt::Arguments<'_>) {
    out.write_fmt(what).expect("a string takes everything");
}
