//! The little HTML that reports are made of.

use std::fmt::Write;

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

/// A cell of a table.
pub enum Value {
    /// Words, to the left.
    Text(String),
    /// A number, to the right.
    Number(String),
    /// A verdict: a sign and a colour that say the same as the words.
    Verdict(Mark, String),
}

/// How good a verdict is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It held.
    Good,
    /// It did not, as was known before.
    Known,
    /// It did not.
    Bad,
}

impl Mark {
    fn class_and_sign(self) -> (&'static str, &'static str) {
        match self {
            Self::Good => ("good", "✓"),
            Self::Known => ("known", "≠"),
            Self::Bad => ("bad", "✗"),
        }
    }
}

/// A number with so many decimals; a dash if there is none.
pub fn number(value: f64, decimals: usize) -> Value {
    Value::Number(if value.is_finite() { format!("{value:.decimals$}") } else { "–".to_owned() })
}

/// Words.
pub fn text(text: impl Into<String>) -> Value {
    Value::Text(text.into())
}

/// A table. The first cell of each row is its head.
pub struct Table {
    caption: String,
    head: Vec<String>,
    rows: Vec<Vec<Value>>,
}

impl Table {
    /// An empty table.
    pub fn new(caption: impl Into<String>, head: &[&str]) -> Self {
        Self { caption: caption.into(), head: head.iter().map(|title| (*title).to_owned()).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Value>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// As HTML. A wide table scrolls in its box rather than the page.
    pub fn html(&self) -> String {
        let mut out = format!(
            "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table>\n<caption>{0}</caption>\n\
             <thead><tr>",
            escape(&self.caption)
        );
        for (column, title) in self.head.iter().enumerate() {
            let number = self.rows.first().is_some_and(|row| matches!(row.get(column), Some(Value::Number(_))));
            let class = if number { " class=\"n\"" } else { "" };
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
        out
    }
}

/// Writing to a string cannot fail.
pub fn push(out: &mut String, what: std::fmt::Arguments<'_>) {
    out.write_fmt(what).expect("a string takes everything");
}
