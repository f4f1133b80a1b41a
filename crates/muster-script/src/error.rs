//! Why a script cannot be loaded.

use std::sync::Arc;

use miette::{Diagnostic, NamedSource, SourceSpan};
use thiserror::Error;

use crate::trouble::Trouble;

/// Why a script cannot be loaded.
#[derive(Debug, Error, Diagnostic)]
pub enum ScriptError {
    /// The file cannot be read.
    #[error("{path}: cannot be read: {why}")]
    Unreadable {
        /// The path as it was asked for.
        path: String,
        /// What the system says.
        why: String,
        /// What to try.
        #[help]
        help: String,
    },
    /// Something in the file is wrong.
    #[error("{origin}:{line}: {message}")]
    InScript {
        /// What errors call the script: its path, or the name of a shipped one.
        origin: String,
        /// Which line, from 1.
        line: usize,
        /// What is wrong, without the place.
        message: String,
        /// The file.
        #[source_code]
        source_code: Arc<NamedSource<String>>,
        /// The bytes of the script that the message is about.
        #[label("here")]
        span: SourceSpan,
        /// What to try.
        #[help]
        help: String,
    },
    /// The file lacks something.
    #[error("{origin}: {message}")]
    Lacks {
        /// What errors call the script: its path, or the name of a shipped one.
        origin: String,
        /// Which function is missing, or has the wrong number of arguments.
        message: String,
        /// What to try.
        #[help]
        help: String,
    },
}

impl ScriptError {
    /// The file at `path` cannot be read.
    pub fn unreadable(path: &str, error: &std::io::Error) -> Self {
        let help = "name a .rhai file that you may read; docs/scripts.md shows one".to_owned();
        Self::Unreadable { path: path.to_owned(), why: error.to_string(), help }
    }

    pub(crate) fn at(origin: &str, text: &str, trouble: Trouble) -> Self {
        let Trouble { line, column, what: message, help } = trouble;
        let Some(line) = line else { return Self::Lacks { origin: origin.to_owned(), message, help } };
        let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        let rest = text.get(start..).unwrap_or_default().lines().next().unwrap_or_default();
        // Columns count letters from 1; without one, all of the line is meant.
        let skipped = column.map(|column| rest.chars().take(column - 1).map(char::len_utf8).sum::<usize>());
        let (offset, length) = match skipped {
            Some(skipped) => (skipped, rest[skipped..].chars().next().map_or(0, char::len_utf8)),
            None => (rest.len() - rest.trim_start().len(), rest.trim().len()),
        };
        let source_code = Arc::new(NamedSource::new(origin, text.to_owned()));
        let span = SourceSpan::from((start + offset, length));
        Self::InScript { origin: origin.to_owned(), line, message, source_code, span, help }
    }
}

/// "did you mean `x`?" if something is near, otherwise what there is.
pub fn did_you_mean(wrong: &str, known: &[impl AsRef<str>]) -> String {
    let near = known
        .iter()
        .map(|name| (strsim::damerau_levenshtein(wrong, name.as_ref()), name.as_ref()))
        .min()
        .filter(|(distance, name)| *distance <= 1 + name.len() / 4);
    match near {
        Some((_, name)) => format!("did you mean `{name}`?"),
        None if known.is_empty() => "there is none".to_owned(),
        None => {
            let list: Vec<String> = known.iter().take(24).map(|name| format!("`{}`", name.as_ref())).collect();
            format!("there is {}{}", list.join(", "), if known.len() > 24 { ", ..." } else { "" })
        }
    }
}
