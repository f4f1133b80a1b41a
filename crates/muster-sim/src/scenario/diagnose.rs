//! What a person sees when a scenario is wrong: file, line, value, and what to try.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use miette::{Diagnostic, NamedSource, SourceSpan};
use muster_journal::columns::printable;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use toml_edit::{Document, DocumentMut, Item, Value};

use super::build::{self, Misfit, did_you_mean};
use super::file::Scenario;
use super::tasking::TemplatesFile;
use super::{BUILT_IN, Loaded, shape, tasking};

/// Why a scenario cannot be run.
#[derive(Debug, Error, Diagnostic)]
pub enum ScenarioError {
    /// Neither a built-in scenario nor a file.
    #[error("there is no scenario and no file called `{name}`")]
    NotFound {
        /// The name that was asked for.
        name: String,
        /// What to try.
        #[help]
        help: String,
    },
    /// Not a built-in scenario.
    #[error("there is no built-in scenario called `{name}`")]
    NotBuiltIn {
        /// The name that was asked for.
        name: String,
        /// What to try.
        #[help]
        help: String,
    },
    /// The file cannot be read.
    #[error("{path}: cannot be read: {why}")]
    Unreadable {
        /// The file's path.
        path: String,
        /// What the system says.
        why: String,
        /// What to try.
        #[help]
        help: String,
    },
    /// A reception where a mission is asked for.
    #[error("{name} is a reception, and this is about missions")]
    IsReception {
        /// Name of the reception.
        name: String,
        /// What to try.
        #[help]
        help: &'static str,
    },
    /// Something is wrong with a script that the scenario names.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Script(#[from] muster_script::ScriptError),
    /// Something in the file is wrong.
    #[error("{message}")]
    InFile {
        /// What is wrong, without the place.
        message: String,
        /// The file.
        #[source_code]
        source_code: Arc<NamedSource<String>>,
        /// The bytes that the message is about.
        #[label("here")]
        span: SourceSpan,
        /// What to try.
        #[help]
        help: Option<String>,
    },
    /// Something in a `--set` is wrong.
    #[error("--set {change}: {message}")]
    InChange {
        /// The change as it was given.
        change: String,
        /// What is wrong, without the change.
        message: String,
        /// What to try.
        #[help]
        help: Option<String>,
    },
}

impl ScenarioError {
    pub(super) fn not_found(name: &str) -> Self {
        Self::NotFound { name: name.to_owned(), help: nearest_built_in(name) }
    }

    /// There is no built-in scenario of this name.
    pub fn not_built_in(name: &str) -> Self {
        Self::NotBuiltIn { name: name.to_owned(), help: nearest_built_in(name) }
    }

    /// A file cannot be read.
    pub(crate) fn unreadable(path: &str, error: &std::io::Error) -> Self {
        let help = match error.kind() {
            _ if std::path::Path::new(path).is_dir() => "this is a folder: name a .toml file in it",
            std::io::ErrorKind::FileTooLarge => "no such file is as long: check its name",
            std::io::ErrorKind::NotFound => {
                "check its name; `muster train SCENARIO --save FILE` writes what robots learn"
            }
            _ => "check that the file is UTF-8 text and that you may read it",
        };
        Self::Unreadable { path: path.to_owned(), why: error.to_string(), help: help.to_owned() }
    }
}

fn nearest_built_in(name: &str) -> String {
    let known: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
    did_you_mean(name, &known, "built-in scenarios")
}

/// The text of a scenario, as what reads it is given it.
#[derive(Copy, Clone, Debug)]
pub struct Text<'a> {
    /// Where the files that it names are looked for; without a folder it cannot name any.
    pub folder: Option<&'a Path>,
    /// The scenario's name.
    pub name: &'a str,
    /// The text, with changes made.
    pub text: &'a str,
}

impl Text<'_> {
    /// It has a section of this name.
    pub fn has(&self, section: &str) -> Result<bool, Wrong> {
        Ok(self.text.parse::<toml::Table>().map_err(Wrong::syntax)?.contains_key(section))
    }

    /// The text as a value of these keys.
    pub fn parsed<T: DeserializeOwned + Serialize>(&self) -> Result<T, Wrong> {
        parsed(self.text)
    }
}

/// A text as a value of these keys. A list is never taken for a table.
fn parsed<T: DeserializeOwned + Serialize>(text: &str) -> Result<T, Wrong> {
    let parsed = toml::from_str(text).map_err(Wrong::syntax)?;
    shape::check(text, &parsed).map_err(Wrong::Misfit)?;
    Ok(parsed)
}

/// Parses and checks a file as it stands; `origin` is what errors call it.
pub(super) fn parse_text<T>(
    file: Text<'_>,
    origin: &str,
    read: impl Fn(Text<'_>) -> Result<T, Wrong>,
) -> Result<T, ScenarioError> {
    read(file).map_err(|wrong| wrong.in_file(origin, file.text))
}

/// Parses another file of ours, such as what robots have learned: `check` finds what does not fit, and where.
pub(crate) fn in_file<T: DeserializeOwned + Serialize, U>(
    origin: &str,
    text: &str,
    check: impl FnOnce(T) -> Result<U, Misfit>,
) -> Result<U, ScenarioError> {
    parsed(text).and_then(|parsed| check(parsed).map_err(Wrong::Misfit)).map_err(|wrong| wrong.in_file(origin, text))
}

/// Makes changes to a file that is right without them, parses it and checks it.
pub(super) fn parse_changed<T>(
    file: Text<'_>,
    changes: &[String],
    read: impl Fn(Text<'_>) -> Result<T, Wrong>,
) -> Result<T, ScenarioError> {
    let changed =
        |changes: &[&String]| changes.iter().try_fold(file.text.to_owned(), |text, change| apply(&text, change));
    let parsed = |text: &str| read(Text { text, ..file });
    let all: Vec<&String> = changes.iter().collect();
    let text = changed(&all)?;
    let wrong = match parsed(&text) {
        Ok(right) => return Ok(right),
        Err(wrong) => wrong,
    };
    // A mistake is put down to the change without which there is none, the last of them if they do not go together.
    let is_right = |changes: &[&String]| changed(changes).is_ok_and(|text| parsed(&text).is_ok());
    let without = |place: &usize| is_right(&[&all[..*place], &all[place + 1..]].concat());
    if let Some(place) = (0..all.len()).rev().find(without) {
        return Err(wrong.of_change(all[place], file.name, &text));
    }
    // There are several mistakes: the first that is not mended by a later change is told, as if nothing came after it.
    let first = (0..all.len()).rev().find(|place| is_right(&all[..*place])).unwrap_or(0);
    let text = changed(&all[..=first])?;
    parsed(&text).map_err(|wrong| wrong.of_change(all[first], file.name, &text))
}

fn in_change(change: &str, message: impl Into<String>, help: Option<String>) -> ScenarioError {
    ScenarioError::InChange { change: printable(change).into_owned(), message: message.into(), help }
}

/// What is wrong with a text, before it is known where in its file that stands.
pub enum Wrong {
    /// It is no TOML, or has keys or values that there are not.
    Syntax(Box<toml::de::Error>),
    /// It does not hold together.
    Misfit(Misfit),
    /// In another file, which the scenario names.
    Elsewhere {
        /// What errors call that file.
        origin: String,
        /// Its text.
        text: String,
        /// What is wrong with it.
        wrong: Box<Self>,
    },
    /// The same, all of it said already.
    Other(Box<ScenarioError>),
}

/// Something is wrong in a line, counted from 1, of a file that is no TOML.
pub fn at_line(origin: &str, text: &str, line: usize, message: String, help: String) -> Wrong {
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let length = text[start..].lines().next().map_or(0, str::len);
    Wrong::other(ScenarioError::InFile {
        message,
        source_code: Arc::new(NamedSource::new(origin, text.to_owned())),
        span: (start, length).into(),
        help: Some(help),
    })
}

/// The mission that a text is; one of another kind is told so.
pub(super) fn mission_only(file: Text<'_>) -> Result<Loaded, Wrong> {
    if file.has("reception")? {
        return Err(Wrong::other(ScenarioError::IsReception {
            name: file.name.to_owned(),
            help: "a reception can be run: `muster run`; `muster reproduce reception` does so many times",
        }));
    }
    mission(file)
}

/// The mission that a text is.
pub fn mission(file: Text<'_>) -> Result<Loaded, Wrong> {
    let Text { folder, name, .. } = file;
    let mut scenario: Scenario = file.parsed()?;
    let templates = take_templates(&mut scenario, folder)?;
    let built = build::build(&scenario).map_err(|misfit| match &templates {
        Some(templates) => templates.blame(misfit),
        None => Wrong::Misfit(misfit),
    })?;
    let mut loaded = Loaded::of(name, scenario, built, folder)?;
    show_names(&mut loaded);
    Ok(loaded)
}

/// From here on names are there to be shown, on terminals and in logs: what is in them must not move the cursor or begin
/// a line.
fn show_names(loaded: &mut Loaded) {
    let show = |name: &mut String| {
        if let Cow::Owned(shown) = printable(name) {
            *name = shown;
        }
    };
    show(&mut loaded.name);
    loaded.task_names.iter_mut().for_each(show);
    for robot in &mut loaded.mission.robots {
        if let Cow::Owned(shown) = printable(&robot.name) {
            robot.name = shown.into();
        }
    }
}

/// What a file of templates held that is now a part of the scenario.
struct Templates {
    origin: String,
    text: String,
    names: Vec<String>,
}

impl Templates {
    /// A misfit is told where it was written.
    fn blame(&self, misfit: Misfit) -> Wrong {
        match misfit.key.as_slice() {
            [tasking, templates, name, ..]
                if tasking == "tasking" && templates == "templates" && self.names.contains(name) =>
            {
                self.elsewhere(Wrong::Misfit(Misfit { key: misfit.key[1..].to_vec(), ..misfit }))
            }
            _ => Wrong::Misfit(misfit),
        }
    }

    fn elsewhere(&self, wrong: Wrong) -> Wrong {
        Wrong::Elsewhere { origin: self.origin.clone(), text: self.text.clone(), wrong: Box::new(wrong) }
    }
}

/// Makes the templates of the file that a scenario names, if it names one, a part of it: nobody needs the file again.
fn take_templates(scenario: &mut Scenario, folder: Option<&Path>) -> Result<Option<Templates>, Wrong> {
    let Some(section) = &mut scenario.tasking else { return Ok(None) };
    let Some((origin, text)) = tasking::file_of(section, folder).map_err(Wrong::Misfit)? else { return Ok(None) };
    let mut taken = Templates { origin, text, names: Vec::new() };
    let file: TemplatesFile = parsed(&taken.text).map_err(|wrong| taken.elsewhere(wrong))?;
    for (name, entry) in file.templates {
        if section.templates.contains_key(&name) {
            let message = format!("template {name} is in the scenario as well");
            let misfit = Misfit::new(&["templates", &name], message, "keep one of the two");
            return Err(taken.elsewhere(Wrong::Misfit(misfit)));
        }
        taken.names.push(name.clone());
        section.templates.insert(name, entry);
    }
    section.templates_file = None;
    Ok(Some(taken))
}

impl Wrong {
    fn syntax(error: toml::de::Error) -> Self {
        Self::Syntax(Box::new(error))
    }

    /// It was said already, all of it.
    pub fn other(error: impl Into<ScenarioError>) -> Self {
        Self::Other(Box::new(error.into()))
    }

    fn in_file(self, origin: &str, text: &str) -> ScenarioError {
        match self {
            Self::Elsewhere { origin, text, wrong } => return wrong.in_file(&origin, &text),
            Self::Other(error) => return *error,
            Self::Syntax(_) | Self::Misfit(_) => {}
        }
        ScenarioError::InFile {
            message: self.message(),
            source_code: Arc::new(NamedSource::new(origin, text.to_owned())),
            span: self.span(text).into(),
            help: self.help(),
        }
    }

    /// The same in a file that `change` was made to.
    fn of_change(self, change: &str, name: &str, text: &str) -> ScenarioError {
        let names_a_file = change.split('=').next().is_some_and(|key| key.trim() == "tasking.templates_file");
        match self {
            // It is not the change that is wrong, but the file that it names.
            Self::Elsewhere { .. } if names_a_file => self.in_file(name, text),
            Self::Other(error) => *error,
            _ => in_change(change, self.message(), self.help()),
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Misfit(misfit) => printable(&misfit.message).into_owned(),
            Self::Syntax(error) => plain(error.message()),
            Self::Elsewhere { origin, wrong, .. } => format!("{origin}: {}", wrong.message()),
            Self::Other(error) => error.to_string(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Misfit(misfit) => Some(printable(&misfit.help).into_owned()),
            Self::Syntax(error) => help_for(error.message()),
            Self::Elsewhere { wrong, .. } => wrong.help(),
            Self::Other(error) => error.help().map(|help| help.to_string()),
        }
    }

    fn span(&self, text: &str) -> std::ops::Range<usize> {
        match self {
            Self::Syntax(error) => error.span().unwrap_or(0..0),
            Self::Misfit(misfit) => span_of(text, &misfit.key),
            Self::Elsewhere { text, wrong, .. } => wrong.span(text),
            Self::Other(_) => 0..0,
        }
    }
}

/// The parser speaks of Rust's types and lists all that it would have understood; say it plainly.
pub fn plain(message: &str) -> String {
    let message = message.trim().replace('\n', "; ");
    let message = match message.split_once(", expected") {
        Some((what, _)) if what.starts_with("unknown ") => what.to_owned(),
        _ => message,
    };
    let message = [
        ("unknown field", "unknown key"),
        ("unknown variant", "unknown value"),
        ("missing field", "missing key"),
        ("invalid type: map", "invalid type: a table"),
        ("invalid type: sequence", "invalid type: a list"),
        ("expected a map", "expected a table"),
        ("expected a sequence", "expected a list"),
        ("expected a string", "expected a text"),
        ("expected a boolean", "expected true or false"),
        ("expected f64", "expected a number"),
        ("wanted string or table", "expected one word of several"),
        ("floating-point number overflowed", TOO_LARGE),
    ]
    .iter()
    .fold(message, |message, (from, to)| message.replace(from, to));
    // "invalid type: integer `N` as i128, expected any valid TOML value": it takes more bits than any number of a file.
    let message = if message.contains(BEYOND_64_BITS) { TOO_LARGE.to_owned() } else { message };
    let whole = [("u8", "from 0 to 255"), ("u16", "from 0 to 65535")];
    let whole = whole.into_iter().chain(["u32", "u64", "usize"].map(|name| (name, "0 or more")));
    let message = whole.into_iter().fold(message, |message, (name, range)| {
        let Some(rest) = message.strip_suffix(&format!("expected {name}")) else { return message };
        let comma = if range.starts_with("from") { "" } else { "," };
        format!("{rest}expected a whole number{comma} {range}")
    });
    // "expected struct Group": a table of keys; "expected enum Strategy": one of some words.
    [("expected struct ", "a table"), ("expected enum ", "one word of several")].iter().fold(
        message,
        |message, (of, is)| {
            let Some((before, after)) = message.split_once(of) else { return message };
            let name = after.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(after.len());
            format!("{before}expected {is}{}", &after[name..])
        },
    )
}

/// What is said of a number that no key can hold, and how large numbers may be.
const TOO_LARGE: &str = "that number is too large";
const LARGEST: &str = "numbers go up to about 1.8e308, whole ones up to 9223372036854775807";
/// How the parser tells of whole numbers that are larger.
const BEYOND_64_BITS: &str = " as i128";

/// What to try: the nearest of what the parser would have understood, or all of it.
pub fn help_for(message: &str) -> Option<String> {
    if message.contains("floating-point number overflowed") || message.contains(BEYOND_64_BITS) {
        return Some(LARGEST.to_owned());
    }
    if message.contains("wanted string or table") {
        return Some("write it in quotes; `muster schema` lists the words".to_owned());
    }
    if let Some((_, rest)) = message.split_once("missing field `") {
        let (key, _) = rest.split_once('`')?;
        return Some(format!("add `{key} = ...` to this table; `muster schema` says what it means"));
    }
    if message.contains("expected a sequence") {
        return Some(
            "write a list, such as [1, 2], or one [[table]] for each entry; `muster schema` says of what".to_owned(),
        );
    }
    if message.contains("expected struct ") || message.contains("expected a map") {
        return Some("write a table: keys with values; `muster schema` says which".to_owned());
    }
    let (kind, rest) = match message.split_once("unknown field `") {
        Some((_, rest)) => ("keys here", rest),
        None => ("values", message.split_once("unknown variant `")?.1),
    };
    let (wrong, expected) = rest.split_once('`')?;
    let known: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    Some(did_you_mean(wrong, &known, kind))
}

/// Where in `text` the value of `key` stands, or as much of the key as there is.
fn span_of(text: &str, key: &[String]) -> std::ops::Range<usize> {
    let Ok(document) = Document::parse(text) else { return 0..0 };
    let mut item: &Item = document.as_item();
    let mut span = 0..0;
    for part in key {
        let next = match part.parse::<usize>() {
            Ok(index) => item.get(index),
            Err(_) => item.get(part.as_str()),
        };
        let Some(next) = next else { break };
        item = next;
        span = item.span().unwrap_or(span);
    }
    // A table's span is its header line; that is where to look.
    let end = text[span.start..span.end].find('\n').map_or(span.end, |newline| span.start + newline);
    span.start..end
}

/// Most parts of a key, and the deepest nesting of a value: a scenario has seven and four at the most.
const MOST_KEYS: usize = 16;
const DEEPEST_VALUE: usize = 32;

/// It is a number, and larger than any of TOML. As a text, which it would be taken for, it is a number to nobody.
fn is_too_large(value: &str) -> bool {
    let is_whole = value.trim_start_matches(['+', '-']).bytes().all(|digit| digit.is_ascii_digit());
    match value.parse::<f64>() {
        Ok(_) if is_whole => value.parse::<i64>().is_err(),
        Ok(number) => number.is_infinite() && !value.contains("inf"),
        Err(_) => false,
    }
}

/// Makes one change (`key.path=value`) to the text of a scenario.
pub fn apply(text: &str, change: &str) -> Result<String, ScenarioError> {
    let wrong = |message: &str, help: &str| in_change(change, message, Some(help.to_owned()));
    let Some((path, value)) = change.split_once('=') else {
        return Err(wrong("there is no `=`", "write key.path=value, such as radio.loss=0.1"));
    };
    let keys: Vec<&str> = path.trim().split('.').map(str::trim).collect();
    if keys.iter().any(|key| key.is_empty()) {
        return Err(wrong("the key is empty or has an empty part", "write key.path=value, such as radio.loss=0.1"));
    }
    if keys.len() > MOST_KEYS {
        let message = format!("the key has {} parts", keys.len());
        return Err(in_change("...", message, Some(format!("no key of a scenario has more than {MOST_KEYS}"))));
    }
    let value = value.trim();
    let deep = value.chars().scan(0_usize, |depth, letter| {
        *depth = match letter {
            '[' | '{' => *depth + 1,
            ']' | '}' => depth.saturating_sub(1),
            _ => *depth,
        };
        Some(*depth)
    });
    if deep.max().is_some_and(|deepest| deepest > DEEPEST_VALUE) {
        let message = format!("the value is nested deeper than {DEEPEST_VALUE}");
        return Err(in_change(&format!("{path}=..."), message, Some("see `muster schema`".to_owned())));
    }
    if is_too_large(value) {
        return Err(wrong(TOO_LARGE, LARGEST));
    }
    // `strategy=greedy` is what people type; in TOML it would need quotes.
    let value: Value = value.parse().unwrap_or_else(|_| Value::from(value));
    let mut document: DocumentMut = match text.parse() {
        Ok(document) => document,
        Err(error) => return Err(in_change(change, error.to_string(), None)),
    };
    let mut item = document.as_item_mut();
    let mut missing = None;
    let (last, tables) = keys.split_last().expect("a key has at least one part");
    for key in tables {
        let next = match (key.parse::<usize>(), item.is_array() || item.is_array_of_tables()) {
            (Ok(index), true) => item.get_mut(index),
            _ => {
                let holds_keys = item.is_table_like();
                holds_keys.then(|| &mut item[*key]).map(|next| {
                    if next.is_none() {
                        missing.get_or_insert(*key);
                        *next = toml_edit::table();
                    }
                    next
                })
            }
        };
        match next {
            Some(next) => item = next,
            None => return Err(wrong(&format!("nothing can be set under `{key}`"), "see `muster schema`")),
        }
    }
    // A number below a key that is not there would be the place of an entry in a list without entries.
    let place = keys.windows(2).find(|pair| missing == Some(pair[0]) && pair[1].parse::<usize>().is_ok());
    if let Some([list, number]) = place.map(|pair| [pair[0], pair[1]]) {
        let help = format!("a change can be made to what is there: add a [[{list}]] to the file first");
        return Err(wrong(&format!("there is no `{list}.{number}`"), &help));
    }
    if !item.is_table_like() {
        return Err(wrong(&format!("`{last}` has no place to be set in"), "see `muster schema`"));
    }
    item[*last] = Item::Value(value);
    Ok(document.to_string())
}
