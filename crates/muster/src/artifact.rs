//! Files that a command leaves behind. That one cannot be written is found out before anything is run, as
//! far as that can be known then.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use miette::{Result, miette};

/// The name ends in one of `endings`.
pub fn expect_ending(path: &Path, what: &str, endings: &[&str]) -> Result<()> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    if ending.is_some_and(|ending| endings.contains(&ending.as_str())) {
        return Ok(());
    }
    Err(miette!(
        help = format!("name the file, for instance, {}.{}", what.replace(' ', "-"), endings[0]),
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

/// No two of these files, each with the flag that asks for it, are one and the same, and none is the scenario's own.
pub fn expect_apart(files: &[(&str, &Path)], scenario: Option<&Path>) -> Result<()> {
    for (index, (flag, path)) in files.iter().enumerate() {
        let same = |other: &Path| resolved(other) == resolved(path);
        if scenario.is_some_and(same) {
            return Err(miette!(
                help = "choose another file",
                "{flag} {}: would overwrite the scenario",
                path.display()
            ));
        }
        if let Some((other, _)) = files[..index].iter().find(|(_, earlier)| same(earlier)) {
            return Err(miette!(
                help = "give each a file of its own",
                "{flag} {}: is the same file as that of {other}",
                path.display()
            ));
        }
    }
    Ok(())
}

/// Where a file is or would be, whatever way it is named.
fn resolved(path: &Path) -> PathBuf {
    if let Ok(found) = path.canonicalize() {
        return found;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
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
