//! What goes wrong in a script, in words that help whoever wrote it.

use rhai::{EvalAltResult, ParseErrorType, Position};

use crate::Limits;

/// Something that a script did and cannot do.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// The line, from 1, if it is known.
    pub line: Option<usize>,
    /// The letter in that line, from 1, if it is known.
    pub column: Option<usize>,
    /// What went wrong.
    pub what: String,
    /// What to try.
    pub help: String,
}

/// So much of what a script throws is told: it may throw all that it has.
const MOST_LETTERS: usize = 500;
/// What else to say when nothing better is known.
const SEE: &str = "docs/scripts.md lists what a script can call";

/// Names of other worlds, and what they would have been good for.
const OUTSIDE: [&str; 16] = [
    "open",
    "open_file",
    "read",
    "write",
    "read_file",
    "write_file",
    "load",
    "system",
    "exec",
    "timestamp",
    "now",
    "time",
    "sleep",
    "rand",
    "random",
    "rand_float",
];

impl Trouble {
    /// In this line, if one is known.
    pub fn new(line: Option<usize>, what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { line, column: None, what: what.into(), help: help.into() }
    }

    /// While it ran. `functions` are those of the script.
    pub fn of(error: EvalAltResult, limits: &Limits, functions: &[&str]) -> Self {
        let (error, position) = innermost(error);
        let (what, help) = told(&error, limits, functions);
        Self { line: position.line(), column: position.position(), what, help }
    }

    /// It wanted more operations than there are.
    pub fn without_end(limits: &Limits) -> Self {
        let what = format!("more than {} operations in one call", limits.operations);
        Self::new(None, what, "look for a loop without an end")
    }

    /// Before it ran.
    pub fn of_parsing(error: &rhai::ParseError) -> Self {
        let position = error.position();
        let (what, help) = unparsed(error.err_type());
        Self { line: position.line(), column: position.position(), what, help }
    }

    /// In the line, unless it is known already where.
    pub fn at(mut self, line: Option<usize>) -> Self {
        self.line = self.line.or(line);
        self
    }
}

/// The error itself, without the calls that led to it, and the nearest position that is known.
fn innermost(error: EvalAltResult) -> (EvalAltResult, Position) {
    let (mut error, mut position) = (error, Position::NONE);
    loop {
        let here = error.position();
        if !here.is_none() {
            position = here;
        }
        match error {
            EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => error = *inner,
            other => return (other, position),
        }
    }
}

fn told(error: &EvalAltResult, limits: &Limits, functions: &[&str]) -> (String, String) {
    use EvalAltResult as E;
    let say = |what: &str, help: &str| (what.to_owned(), help.to_owned());
    match error {
        E::ErrorTerminated(..) | E::ErrorTooManyOperations(_) => {
            let Trouble { what, help, .. } = Trouble::without_end(limits);
            (what, help)
        }
        E::ErrorStackOverflow(_) => (
            format!("functions call each other more than {} deep", limits.call_levels),
            "look for a function that calls itself without an end".to_owned(),
        ),
        E::ErrorDataTooLarge(kind, _) => {
            let what = match kind.as_str() {
                kind if kind.contains("string") => format!("a text longer than {} bytes", limits.text_bytes),
                kind if kind.contains("map") => {
                    format!("a map of more than {} entries, with those of maps in it", limits.map_entries)
                }
                _ => format!("a list of more than {} values, with those of lists in it", limits.list_values),
            };
            (what, "keep less: only the last few, or their sum".to_owned())
        }
        E::ErrorTooManyVariables(_) => {
            (format!("more than {} variables", limits.variables), "use a list or a map".to_owned())
        }
        E::ErrorFunctionNotFound(signature, _) => {
            let name = signature.split([' ', '(']).next().unwrap_or_default();
            if !name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') {
                let kinds = signature[name.len()..].trim();
                let help = "check what these are; what is () was never set";
                return (format!("`{name}` does not go with {kinds}"), help.to_owned());
            }
            let what = format!("there is no function `{signature}`");
            let help = if OUTSIDE.contains(&name) {
                "a script has no files, no clock and no dice but uniform, chance, exponential and triangular; the time is \
                 what each update is given"
                    .to_owned()
            } else if functions.contains(&name) {
                format!("`{name}` takes another number of values; one that uses `this` is called as this.{name}(...)")
            } else {
                format!("check the name and what kinds of values it is given; {SEE}")
            };
            (what, help)
        }
        E::ErrorPropertyNotFound(name, _) => (
            format!("there is no `{name}` in this map"),
            "set it in init_robot, or ask with `.get(\"name\")`, which gives () if there is none".to_owned(),
        ),
        E::ErrorVariableNotFound(name, _) => {
            (format!("there is no variable `{name}`"), "what a robot keeps is in `this`".to_owned())
        }
        E::ErrorUnboundThis(_) => say(
            "there is no `this` here",
            "call a function of your own that uses `this` as this.name(...), not as name(...)",
        ),
        E::ErrorRuntime(value, _) => {
            let what = if value.is_unit() { "it throws".to_owned() } else { cut(value.to_string()) };
            (what, "see that line".to_owned())
        }
        E::ErrorMismatchDataType(wanted, found, _) | E::ErrorMismatchOutputType(wanted, found, _) => {
            (format!("this is of type {found}, and {wanted} is wanted"), "check the types".to_owned())
        }
        other => (plain(&other.to_string()), SEE.to_owned()),
    }
}

/// A text as a line of a log has room for it.
fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MOST_LETTERS) {
        text.truncate(end);
        text.push('…');
    }
    text
}

fn unparsed(error: &ParseErrorType) -> (String, String) {
    use ParseErrorType as E;
    let text = plain(&error.to_string());
    let help = match error {
        E::Reserved(word) => format!("`{word}` is not for scripts: they have no modules and run no text; {SEE}"),
        E::VariableUndefined(name) => {
            format!("there is no `{name}`: what a robot keeps is `this.{name}`, a value for all is `const` at the top")
        }
        E::ExprTooDeep => "break it up into several lines".to_owned(),
        E::TooManyFunctions => "use fewer functions".to_owned(),
        E::BadInput(_) | E::UnknownOperator(_) => "the language is Rhai; instead of x ** y write pow(x, y)".to_owned(),
        E::MissingToken(token, _) => format!("a `{token}` seems to be missing before this"),
        _ => "the language is Rhai: rhai.rs/book shows how it is written".to_owned(),
    };
    (text, help)
}

/// Without the position, which is said elsewhere.
fn plain(text: &str) -> String {
    let first = text.lines().next().unwrap_or_default();
    let end = first.rfind(" (line ").unwrap_or(first.len());
    first[..end].to_owned()
}
