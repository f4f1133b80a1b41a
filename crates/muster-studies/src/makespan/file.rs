//! The format of `muster allocate`: `{"format": "makespan-1", "times": [[t or null per task] per robot]}`.

use std::fmt;
use std::ops::Range;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};
use serde::Deserialize;
use serde_json::value::RawValue;
use thiserror::Error;

use super::{Instance, InstanceError};

/// The version of the format; another is refused.
pub const FORMAT: &str = "makespan-1";

/// Whoever reads a line longer than this is told the place but not shown the line.
const SHOWN_LINE: usize = 160;

const A_FILE: &str = r#"a file looks like {"format": "makespan-1", "times": [[3, 5], [null, 4]]}: a row per robot, and in it a time per task, or null if the robot cannot do it"#;
const A_TIME: &str = "a time is a number above 0; write null if the robot cannot do the task";

/// What is wrong in a file, and where.
#[derive(Debug, Error)]
pub struct FileError {
    name: String,
    /// Line and column, from 1.
    place: (usize, usize),
    message: String,
    help: String,
    text: Option<Box<NamedSource<String>>>,
    span: Range<usize>,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, place: (line, column), message, .. } = self;
        write!(f, "{name}, line {line}, column {column}: {message}")
    }
}

impl Diagnostic for FileError {
    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        Some(Box::new(&self.help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.text.as_deref().map(|text| text as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = LabeledSpan::at(self.span.clone(), "here");
        self.text.is_some().then(|| Box::new(std::iter::once(label)) as Box<dyn Iterator<Item = LabeledSpan>>)
    }
}

/// The values are kept as they are written, since an error has to say where they stand.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<'a> {
    #[serde(borrow)]
    format: &'a RawValue,
    #[serde(borrow)]
    times: &'a RawValue,
}

/// Reads an instance. `name` is what errors call the text.
pub fn parse(name: &str, text: &str) -> Result<Instance, FileError> {
    let source = Source { name, text };
    // Without this a list would be taken for the values of the keys, in order.
    let start = text.len() - text.trim_start().len();
    if !matches!(text[start..].chars().next(), Some('{') | None) {
        return Err(source.at(start..start + 1, "this is no JSON object".to_owned(), A_FILE.to_owned()));
    }
    let file: File<'_> = serde_json::from_str(text).map_err(|error| source.syntax(&error))?;
    if serde_json::from_str::<&str>(file.format.get()).ok() != Some(FORMAT) {
        let message = format!("the format is {}, not \"{FORMAT}\"", file.format.get());
        return Err(source.wrong(file.format, message, format!("this version reads \"{FORMAT}\" only; {A_FILE}")));
    }
    let rows: Vec<&RawValue> = source.list(file.times, "`times` is no list of rows, one per robot")?;
    let mut times: Vec<Vec<Option<f64>>> = Vec::with_capacity(rows.len());
    let mut cells: Vec<Vec<&RawValue>> = Vec::with_capacity(rows.len());
    for (robot, row) in rows.iter().enumerate() {
        let row = source.list(row, &format!("the row of robot {robot} is no list of times"))?;
        let read = row.iter().enumerate().map(|(task, cell)| source.time(cell, robot, task));
        times.push(read.collect::<Result<_, _>>()?);
        cells.push(row);
    }
    Instance::new(&times).map_err(|error| {
        let (place, help) = match error {
            InstanceError::NoRobots | InstanceError::NoTasks => (file.times, A_FILE.to_owned()),
            InstanceError::Ragged { robot, expected, .. } => {
                (rows[robot], format!("write {expected} times in each row, null for what the robot cannot do"))
            }
            InstanceError::NoDuration { robot, task, .. } => (cells[robot][task], A_TIME.to_owned()),
            InstanceError::NobodyCan { task } => {
                (cells[0][task], "give at least one robot a time for it, or leave the task out of every row".to_owned())
            }
            InstanceError::Endless => (file.times, "write the times in a larger unit".to_owned()),
        };
        source.wrong(place, error.to_string(), help)
    })
}

/// The text that is read, to point into.
#[derive(Copy, Clone)]
struct Source<'a> {
    name: &'a str,
    text: &'a str,
}

impl<'a> Source<'a> {
    fn list(self, value: &'a RawValue, otherwise: &str) -> Result<Vec<&'a RawValue>, FileError> {
        serde_json::from_str(value.get()).map_err(|_| self.wrong(value, otherwise.to_owned(), A_FILE.to_owned()))
    }

    fn time(self, cell: &RawValue, robot: usize, task: usize) -> Result<Option<f64>, FileError> {
        serde_json::from_str(cell.get()).map_err(|_| {
            let message = format!("the time of robot {robot} for task {task} is {}", shortened(cell.get()));
            self.wrong(cell, message, A_TIME.to_owned())
        })
    }

    /// Something is wrong with a value.
    fn wrong(self, value: &RawValue, message: String, help: String) -> FileError {
        // The value is a part of the text, so its address says where.
        let start = (value.get().as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        self.at(start..start + value.get().len(), message, help)
    }

    /// It is no JSON, or lacks a key or has one too many.
    fn syntax(self, error: &serde_json::Error) -> FileError {
        let lines = self.text.split_inclusive('\n').take(error.line().saturating_sub(1));
        let start = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default().to_owned();
        self.at(start..start + 1, message, A_FILE.to_owned())
    }

    fn at(self, span: Range<usize>, message: String, help: String) -> FileError {
        let mut start = span.start.min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let line_start = self.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.text[line_start..].lines().next().unwrap_or_default();
        let place = (self.text[..start].matches('\n').count() + 1, self.text[line_start..start].chars().count() + 1);
        let text = (line.len() <= SHOWN_LINE).then(|| Box::new(NamedSource::new(self.name, self.text.to_owned())));
        // What spans several lines is pointed at where it begins.
        let end = span.end.min(line_start + line.len()).max(start);
        FileError { name: self.name.to_owned(), place, message, help, text, span: start..end }
    }
}

/// As much of a value as a message has room for.
fn shortened(value: &str) -> String {
    if value.chars().count() <= 40 { value.to_owned() } else { value.chars().take(37).chain("...".chars()).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file() {
        let instance = parse("a", r#"{"format": "makespan-1", "times": [[3, 5.5], [null, 4e0]]}"#).expect("it is one");
        let rows = [vec![Some(3.0), Some(5.5)], vec![None, Some(4.0)]];
        assert_eq!(instance, Instance::new(&rows).expect("an instance"));
    }

    #[test]
    fn long_lines_are_not_shown() {
        let row = vec!["7"; 200].join(", ");
        let text = format!("{{\"format\": \"makespan-1\", \"times\": [[{row}],\n [{row}, 8]]}}");
        let error = parse("long", &text).expect_err("a time too many");
        assert_eq!(error.to_string(), "long, line 2, column 2: robot 1 has 201 times, robot 0 has 200");
        assert!(error.source_code().is_none() && error.labels().is_none());
    }
}
