//! Tables as values: what is in them is said once, and the terminal and the pages show it each in their own way.

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// That is not to be said.
    Open,
    /// It did not.
    Bad,
}

/// A number with that many decimals; a dash if there is none.
pub fn number(value: f64, decimals: usize) -> Value {
    Value::Number(if value.is_finite() { format!("{value:.decimals$}") } else { "–".to_owned() })
}

/// Words.
pub fn text(text: impl Into<String>) -> Value {
    Value::Text(text.into())
}

/// A table. The first cell of each row is its head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// What is in each column.
    pub head: Vec<String>,
    /// Line by line.
    pub rows: Vec<Vec<Value>>,
    /// What its columns mean, if their heads do not say it.
    pub note: String,
}

impl Table {
    /// An empty table.
    pub fn new(caption: impl Into<String>, head: &[&str]) -> Self {
        let head = head.iter().map(|title| (*title).to_owned()).collect();
        Self { caption: caption.into(), head, rows: Vec::new(), note: String::new() }
    }

    /// The same with a note.
    pub fn with_note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Value>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Adds a column, to the right of the others.
    pub fn column(&mut self, title: &str, cells: impl IntoIterator<Item = Value>) {
        self.head.push(title.to_owned());
        for (row, cell) in self.rows.iter_mut().zip(cells) {
            row.push(cell);
        }
    }

    /// Whether a column holds numbers, which stand to the right.
    pub fn is_number(&self, column: usize) -> bool {
        self.rows.first().is_some_and(|row| matches!(row.get(column), Some(Value::Number(_))))
    }
}
