//! Files that commands read.

use std::io::Read;
use std::path::Path;

use miette::{Result, miette};

/// Nothing longer is read: a device may have no end.
const MOST_BYTES: u64 = 256 << 20;

/// The text of a file, or of standard input if it is called `-`, and what errors call it. `shows_one` is a command
/// that shows what such a file looks like.
pub fn text(path: &Path, shows_one: &str) -> Result<(String, String)> {
    let mut bytes = Vec::new();
    let name = if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
    let done = if path == Path::new("-") {
        std::io::stdin().take(MOST_BYTES + 1).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
    };
    let help = format!("give the name of a JSON file, or - to read standard input; `{shows_one}` shows one");
    done.map_err(|error| miette!(help = help, "{name}: cannot be read: {error}"))?;
    if bytes.len() as u64 > MOST_BYTES {
        let help = format!("`{shows_one}` shows what is read");
        return Err(miette!(help = help, "{name}: is longer than {} MB", MOST_BYTES >> 20));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        miette!(help = "save it as UTF-8", "{name}: byte {at} is no UTF-8 text")
    })?;
    Ok((name, text))
}
