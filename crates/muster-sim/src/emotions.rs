//! Files of emotions: the shipped table, and files of a user's own that are laid over it.
//!
//! A mistake is reported with the file, the line, the value and what to try, as in scenario files. docs/emotions.md
//! says what a file may hold.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use muster_core::affect::{Flaw, Hint, Rows, Table};

use crate::scenario::{Misfit, ScenarioError, did_you_mean, in_file};

/// The version of the format.
pub const FORMAT: &str = "muster-emotions-1";

/// The text of the shipped table.
pub const BUILT_IN: &str = include_str!("../data/emotions.toml");

static SHIPPED: LazyLock<Arc<Table>> = LazyLock::new(|| {
    // Through the same checks as anybody's file; a test reads it, so this cannot fail in the field.
    let table = in_file("emotions.toml", BUILT_IN, |rows| checked(None, rows));
    Arc::new(table.expect("the shipped table holds together"))
});

/// The shipped table.
pub fn built_in() -> Arc<Table> {
    SHIPPED.clone()
}

/// The shipped table with a file laid over it.
pub fn read(path: &Path) -> Result<Arc<Table>, ScenarioError> {
    let origin = path.display().to_string();
    let text = muster_files::text(path).map_err(|error| ScenarioError::Unreadable {
        path: origin.clone(),
        why: error.to_string(),
        help: "name a .toml file of emotions; docs/emotions.md shows one".to_owned(),
    })?;
    parse(&origin, &text)
}

/// The shipped table with the text of a file laid over it; `origin` is what errors call it.
pub fn parse(origin: &str, text: &str) -> Result<Arc<Table>, ScenarioError> {
    in_file(origin, text, |rows| checked(Some(&SHIPPED), rows)).map(Arc::new)
}

fn checked(below: Option<&Table>, rows: Rows) -> Result<Table, Misfit> {
    if rows.format.as_deref() != Some(FORMAT) {
        let is =
            rows.format.as_ref().map_or("there is no format".to_owned(), |format| format!("the format is `{format}`"));
        let message = format!("{is}, and this program reads `{FORMAT}`");
        return Err(Misfit::new(&["format"], message, format!("begin the file with format = \"{FORMAT}\"")));
    }
    below.map_or_else(|| Table::new(rows.clone()), |below| below.extended(rows.clone())).map_err(misfit)
}

/// The core knows what is wrong and what there is; which of that is near is found here.
pub fn misfit(flaw: Flaw) -> Misfit {
    let help = match flaw.hint {
        Hint::Try(help) => help,
        Hint::Nearest { wrong, kind, known } => did_you_mean(&wrong, &known, &format!("what there is for {kind}")),
    };
    Misfit { key: flaw.key, message: flaw.message, help }
}
