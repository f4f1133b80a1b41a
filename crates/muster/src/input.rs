//! Files that commands read.

use std::io::Read;
use std::path::Path;

use miette::{Result, miette};

/// The text of a file, or of standard input if it is called `-`, and what errors call it. `shows_one` is a command
/// that shows what such a file looks like.
pub fn text(path: &Path, shows_one: &str) -> Result<(String, String)> {
    let mut bytes = Vec::new();
    let name = if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
    let done = if path == Path::new("-") {
        std::io::stdin().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(path).map(|read| bytes = read)
    };
    let help = format!("give the name of a JSON file, or - to read standard input; `{shows_one}` shows one");
    done.map_err(|error| miette!(help = help, "{name}: cannot be read: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        miette!(help = "save it as UTF-8", "{name}: byte {at} is no UTF-8 text")
    })?;
    Ok((name, text))
}
