//! What all commands print alike: verdicts, JSON documents, tables.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use muster_journal::columns::printable;
use muster_studies::provenance::Provenance;
use muster_studies::table::{self, Mark};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::stream::Out;

/// How a command ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Everything held.
    Held,
    /// Something did not.
    DidNotHold,
    /// It was broken off.
    Interrupted,
}

impl Verdict {
    /// Of two things: the worse.
    pub fn and(self, other: Self) -> Self {
        self.max(other)
    }
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Held => Self::SUCCESS,
            Verdict::DidNotHold => Self::from(1),
            Verdict::Interrupted => Self::from(2),
        }
    }
}

/// Prints one JSON document.
pub fn print_json(seed: Option<u64>, config: &impl Serialize, body: &impl Serialize) {
    print_value(&document(seed, config, body));
}

/// The same with one more key, which holds a list: its values are made and printed one by one, since there may be millions.
pub fn print_json_with_list<T: Serialize>(
    seed: Option<u64>,
    config: &impl Serialize,
    body: &impl Serialize,
    key: &str,
    values: impl Iterator<Item = T>,
) {
    let Value::Object(mut document) = document(seed, config, body) else { unreachable!("a document is an object") };
    document.insert(key.to_owned(), Value::Null);
    let mut out = BufWriter::new(Out);
    let mut values = Some(values);
    let mut print = || -> io::Result<()> {
        for (number, (name, value)) in document.iter().enumerate() {
            write!(out, "{}\n  {}: ", if number == 0 { "{" } else { "," }, Value::from(name.as_str()))?;
            match values.take_if(|_| name == key) {
                None => write_indented(&mut out, value, "  ")?,
                Some(values) => {
                    let mut empty = true;
                    for value in values {
                        write!(out, "{}\n    ", if empty { "[" } else { "," })?;
                        write_indented(&mut out, &to_value(&value), "    ")?;
                        empty = false;
                    }
                    write!(out, "{}", if empty { "[]" } else { "\n  ]" })?;
                }
            }
        }
        writeln!(out, "\n}}")?;
        out.flush()
    };
    // Standard output takes everything.
    let _ = print();
}

/// A value with `indent` in front of every line but the first. There are no line breaks within texts of JSON.
fn write_indented(out: &mut impl Write, value: &Value, indent: &str) -> io::Result<()> {
    let text = serde_json::to_string_pretty(value).expect("a value can be printed");
    for (number, line) in text.split('\n').enumerate() {
        write!(out, "{}{line}", if number == 0 { String::new() } else { format!("\n{indent}") })?;
    }
    Ok(())
}

/// A JSON document: seed, version, commit and resolved configuration first, then `body`.
pub fn document(seed: Option<u64>, config: &impl Serialize, body: &impl Serialize) -> Value {
    let mut document = Map::new();
    if let Some(seed) = seed {
        document.insert("seed".to_owned(), seed.into());
    }
    document.insert("version".to_owned(), env!("CARGO_PKG_VERSION").into());
    document.insert("commit".to_owned(), env!("MUSTER_COMMIT").into());
    document.insert("config".to_owned(), to_value(config));
    match to_value(body) {
        Value::Object(fields) => document.extend(fields),
        other => {
            document.insert("result".to_owned(), other);
        }
    }
    Value::Object(document)
}

/// Prints a JSON value as it is.
pub fn print_value(value: &Value) {
    println!("{}", serde_json::to_string_pretty(value).expect("a value can be printed"));
}

fn to_value(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("results are plain data")
}

/// One line that names the code and the seed behind a result.
pub fn provenance(seed: u64) -> String {
    format!("muster {} ({}), seed {seed}", env!("CARGO_PKG_VERSION"), env!("MUSTER_COMMIT"))
}

/// Where a result comes from, for the files that hold it.
pub fn provenance_of(seed: u64, scenario: &str, command: String, config: &impl Serialize) -> Provenance {
    let (version, commit) = (env!("CARGO_PKG_VERSION"), env!("MUSTER_COMMIT"));
    Provenance { version, commit, seed, scenario: scenario.to_owned(), command, config: to_value(config) }
}

/// Version and commit of this program.
pub fn program() -> (String, String) {
    (env!("CARGO_PKG_VERSION").to_owned(), env!("MUSTER_COMMIT").to_owned())
}

/// An error with all that caused it.
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}

/// Says which files have been written.
pub fn print_written<'a>(paths: impl Iterator<Item = &'a PathBuf>) {
    for (number, path) in paths.enumerate() {
        println!("{}Wrote {}.", if number == 0 { "\n" } else { "" }, shown(path));
    }
}

/// A path as it can be shown: it may hold anything that a name can.
pub fn shown(path: &Path) -> String {
    printable(&path.display().to_string()).into_owned()
}

/// "1 task", "2 tasks".
pub fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Makes text bold on a terminal.
pub fn bold(text: &str) -> String {
    styled(text, "1")
}

/// Makes text green or red on a terminal.
pub fn verdict(text: &str, good: bool) -> String {
    styled(text, if good { "32" } else { "31" })
}

/// A verdict on a claim: coloured if it held or failed, plain if neither.
pub fn verdict_cell(word: muster_studies::verdict::Verdict) -> String {
    cell(&word.cell())
}

/// Makes text faint on a terminal.
pub fn faint(text: &str) -> String {
    styled(text, "2")
}

fn styled(text: &str, code: &str) -> String {
    // https://no-color.org
    let plain = !io::stdout().is_terminal() || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if plain { text.to_owned() } else { format!("\x1b[{code}m{text}\x1b[0m") }
}

fn cell(cell: &table::Value) -> String {
    match cell {
        table::Value::Text(text)
        | table::Value::Number(text)
        | table::Value::Verdict(Mark::Known | Mark::Open, text) => text.clone(),
        table::Value::Verdict(mark, text) => verdict(text, *mark == Mark::Good),
    }
}

/// Prints a table of a study with its caption above and its note below.
pub fn print_table(table: &table::Table) {
    println!("\n{}", bold(&table.caption));
    let rows = table.rows.iter().map(|row| row.iter().map(cell).collect());
    let left = (0..table.head.len()).map(|column| !table.is_number(column)).collect();
    Table { rows: std::iter::once(table.head.clone()).chain(rows).collect(), left }.print();
    for line in wrapped(&table.note, 100) {
        println!("  {}", faint(&line));
    }
}

/// Breaks text into lines of at most `width` characters, between words.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A table: text left, numbers right.
pub struct Table {
    rows: Vec<Vec<String>>,
    /// Which columns are text.
    left: Vec<bool>,
}

impl Table {
    /// A table whose first `left` columns are text.
    pub fn new(left: usize, head: &[&str]) -> Self {
        let rows = vec![head.iter().map(|cell| (*cell).to_owned()).collect()];
        Self { rows, left: (0..head.len()).map(|column| column < left).collect() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Prints it, indented by two.
    pub fn print(&self) {
        self.print_with(std::iter::repeat_n("", self.rows.len()));
    }

    /// Prints it with a remark of any length behind each row but the first.
    pub fn print_with<'a>(&self, remarks: impl Iterator<Item = &'a str>) {
        let mut remarks = std::iter::once("").chain(remarks);
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| visible(cell)).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for (number, row) in self.rows.iter().enumerate() {
            let mut line = String::from("  ");
            for (column, cell) in row.iter().enumerate() {
                let padding = " ".repeat(widths[column].saturating_sub(visible(cell)));
                let gap = if column == 0 { "" } else { "  " };
                let left = self.left.get(column).copied().unwrap_or_default();
                let cell = if left { format!("{cell}{padding}") } else { format!("{padding}{cell}") };
                line.push_str(gap);
                line.push_str(&cell);
            }
            let remark = remarks.next().unwrap_or_default();
            let line = format!("{line}  {remark}");
            let line = line.trim_end();
            let line = if number == 0 { faint(line) } else { line.to_owned() };
            println!("{line}");
        }
    }
}

/// How many columns a cell takes on the screen: escape codes take none.
fn visible(text: &str) -> usize {
    let mut count = 0;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\x1b' {
            characters.by_ref().find(|&end| end == 'm');
        } else {
            count += 1;
        }
    }
    count
}
