//! Where in a text something stands, for errors that can be pointed at.

use std::fmt;
use std::ops::Range;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};
use serde_json::value::RawValue;
use thiserror::Error;

/// Longest line that an error shows; of a longer one it tells the place alone.
const SHOWN_LINE: usize = 160;

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

/// The text that is read, to point into.
#[derive(Copy, Clone)]
pub(crate) struct Source<'a> {
    /// What errors call it.
    pub name: &'a str,
    /// All of it.
    pub text: &'a str,
    /// What such a file looks like, for the help of an error.
    pub a_file: &'static str,
}

impl<'a> Source<'a> {
    /// Refuses what is no object: a list would be taken for the values of the keys, in order.
    pub fn object(self) -> Result<(), FileError> {
        let start = self.text.len() - self.text.trim_start().len();
        if matches!(self.text[start..].chars().next(), Some('{') | None) {
            return Ok(());
        }
        Err(self.at(start..start + 1, "this is no JSON object".to_owned(), self.a_file.to_owned()))
    }

    /// Refuses another format.
    pub fn format(self, found: &RawValue, expected: &str) -> Result<(), FileError> {
        if serde_json::from_str::<&str>(found.get()).ok() == Some(expected) {
            return Ok(());
        }
        let message = format!("the format is {}, not \"{expected}\"", shortened(found.get()));
        Err(self.wrong(found, message, format!("this version reads \"{expected}\" only; {}", self.a_file)))
    }

    /// A list whose elements are kept as they are written.
    pub fn list(self, value: &'a RawValue, otherwise: &str) -> Result<Vec<&'a RawValue>, FileError> {
        serde_json::from_str(value.get()).map_err(|_| self.wrong(value, otherwise.to_owned(), self.a_file.to_owned()))
    }

    /// Something is wrong with a value.
    pub fn wrong(self, value: &RawValue, message: String, help: String) -> FileError {
        // The value is a part of the text, so its address says where.
        let start = (value.get().as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        self.at(start..start + value.get().len(), message, help)
    }

    /// It is no JSON, or lacks a key or has one too many.
    pub fn syntax(self, error: &serde_json::Error) -> FileError {
        let lines = self.text.split_inclusive('\n').take(error.line().saturating_sub(1));
        let start = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default().to_owned();
        let rest = self.text.get(start..).unwrap_or_default().trim_start_matches('-');
        if ["NaN", "nan", "Inf", "inf", "+"].iter().any(|number| rest.starts_with(number)) {
            let help = "numbers are finite, and written as JSON has them: 65535, -1.5, 2e3";
            return self.at(start..start + 1, "this is no JSON number".to_owned(), help.to_owned());
        }
        self.at(start..start + 1, message, self.a_file.to_owned())
    }

    pub fn at(self, span: Range<usize>, message: String, help: String) -> FileError {
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
pub(crate) fn shortened(value: &str) -> String {
    if value.chars().count() <= 40 { value.to_owned() } else { value.chars().take(37).chain("...".chars()).collect() }
}
