//! Files that commands read.

use std::io::ErrorKind;
use std::path::Path;

use miette::{Result, miette};

/// The text of a file, or of standard input if it is called `-`, and what errors call it. `shows_one` is a command
/// that shows what such a file looks like.
pub fn text(path: &Path, shows_one: &str) -> Result<(String, String)> {
    let name = if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
    let bytes = if path == Path::new("-") { muster_files::whole(std::io::stdin()) } else { muster_files::bytes(path) };
    let bytes = bytes.map_err(|error| {
        if error.kind() == ErrorKind::FileTooLarge {
            let help = format!("`{shows_one}` shows what is read");
            return miette!(help = help, "{name}: is longer than {} MB", muster_files::MOST_BYTES >> 20);
        }
        let help = format!("give the name of a JSON file, or - to read standard input; `{shows_one}` shows one");
        miette!(help = help, "{name}: cannot be read: {error}")
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        miette!(help = "save it as UTF-8", "{name}: byte {at} is no UTF-8 text")
    })?;
    Ok((name, text))
}
