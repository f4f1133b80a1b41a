//! Files that a command leaves behind. That one cannot be written is found out before anything is run, as
//! far as that can be known then.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use miette::{Result, miette};

/// The name ends in one of `endings`.
pub fn expect_ending(path: &Path, what: &str, endings: &[&str]) -> Result<()> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    if ending.is_some_and(|ending| endings.contains(&ending.as_str())) {
        return Ok(());
    }
    Err(miette!(
        help = format!("name the file, for instance, {what}.{}", endings[0]),
        "{}: a {what} is written as .{}",
        path.display(),
        endings.join(" or .")
    ))
}

/// There is a folder for it, and it is not itself one.
pub fn expect_place(path: &Path) -> Result<()> {
    if path.is_dir() {
        return Err(miette!(help = "add a file's name", "{}: is a folder", path.display()));
    }
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => Err(miette!(
            help = format!("make it with `mkdir -p {}`, or choose another place", folder.display()),
            "{}: there is no folder {}",
            path.display(),
            folder.display()
        )),
        _ => Ok(()),
    }
}

/// Writes a file.
pub fn write<E: std::fmt::Display>(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
) -> Result<()> {
    let refused = |why: String| {
        miette!(help = "is there room, and may you write there?", "{}: cannot be written: {why}", path.display())
    };
    let mut out = BufWriter::new(File::create(path).map_err(|error| refused(error.to_string()))?);
    fill(&mut out).map_err(|error| refused(error.to_string()))?;
    out.flush().map_err(|error| refused(error.to_string()))
}

/// Writes a text file.
pub fn write_text(path: &Path, text: &str) -> Result<()> {
    write(path, |out| out.write_all(text.as_bytes()))
}
