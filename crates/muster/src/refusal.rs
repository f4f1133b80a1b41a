//! Errors as they are printed. What they quote comes from files and command lines, and may be anything: it must neither
//! move the cursor nor fill the screen. Made so here, for all errors at once, rather than wherever one is worded.

use std::error::Error;
use std::fmt;

use miette::{Diagnostic, LabeledSpan, MietteError, NamedSource, Report, SourceCode, SourceSpan, SpanContents};
use muster_journal::columns::printable;

/// No message is longer, in characters, nor an excerpt of a file, in bytes. Ours have some hundred.
const LONGEST: usize = 4_000;
/// So many bytes of a file are underlined at most.
const LONGEST_LABEL: usize = 200;

/// Prints an error to standard error.
pub fn print(report: Report) {
    eprintln!("{:?}", Report::new(Refusal::of(report)));
}

/// A text of an error: what cannot be shown is escaped, and what is too long is cut.
fn shown(text: &str) -> String {
    let text = text.split('\n').map(printable).collect::<Vec<_>>().join("\n");
    match text.char_indices().nth(LONGEST) {
        None => text,
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

/// An error that can be shown.
#[derive(Debug)]
struct Refusal {
    of: Report,
    cause: Option<Box<Cause>>,
    source: Option<Source>,
}

impl Refusal {
    fn of(report: Report) -> Self {
        let cause = report.source().map(|cause| Box::new(Cause::of(cause)));
        let source = report.source_code().and_then(Source::of);
        Self { of: report, cause, source }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.of.to_string()))
    }
}

impl Error for Refusal {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as _)
    }
}

impl Diagnostic for Refusal {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.of.help().map(|help| Box::new(shown(&help.to_string())) as _)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as _)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let short = |label: LabeledSpan| {
            let text = label.label().map(str::to_owned);
            LabeledSpan::new(text, label.offset(), label.len().min(LONGEST_LABEL))
        };
        self.of.labels().map(|labels| Box::new(labels.map(short)) as _)
    }
}

/// What caused an error.
#[derive(Debug)]
struct Cause {
    text: String,
    cause: Option<Box<Self>>,
}

impl Cause {
    fn of(error: &dyn Error) -> Self {
        Self { text: shown(&error.to_string()), cause: error.source().map(|cause| Box::new(Self::of(cause))) }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Error for Cause {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as _)
    }
}

/// The file that an error is in, of which some lines are shown.
#[derive(Debug)]
struct Source(NamedSource<String>);

impl Source {
    /// All of it. A control character takes as many bytes as before, so that labels stay where they are.
    fn of(source: &dyn SourceCode) -> Option<Self> {
        let whole = source.read_span(&SourceSpan::from((0, 0)), 0, usize::MAX).ok()?;
        let plain = |letter: char| match letter {
            '\n' | '\r' | '\t' => letter.to_string(),
            letter if letter.is_control() => "?".repeat(letter.len_utf8()),
            letter => letter.to_string(),
        };
        let text: String = std::str::from_utf8(whole.data()).ok()?.chars().map(plain).collect();
        Some(Self(NamedSource::new(shown(whole.name().unwrap_or_default()), text)))
    }
}

impl SourceCode for Source {
    /// Lines that are too long are left out, but for what is underlined.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let lines = self.0.read_span(span, before, after)?;
        if lines.data().len() > LONGEST { self.0.read_span(span, 0, 0) } else { Ok(lines) }
    }
}
