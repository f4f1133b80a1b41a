//! Files that a command leaves behind. That one cannot be written is found out before anything is run, as far as that can
//! be known then; what was there before is replaced by whole files only; and what was computed is told even if its file
//! could not be written.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use miette::{Report, Result, miette};
use muster_files::{Draft, place_of};

use crate::output::Verdict;
use crate::refusal;

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
fn expect_place(path: &Path) -> Result<()> {
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

/// No two of these files, each with the flag that asks for it, are one and the same, and none is read: neither one of
/// `inputs`, each with what it is, nor any other that was read so far.
pub fn expect_apart(files: &[(&str, &Path)], inputs: &[(&str, &Path)]) -> Result<()> {
    let read = muster_files::inputs();
    for (index, (flag, path)) in files.iter().enumerate() {
        let place = place_of(path);
        let overwrites =
            |what: &str| miette!(help = "choose another file", "{flag} {}: would overwrite {what}", path.display());
        if let Some((what, _)) = inputs.iter().find(|(_, input)| place_of(input) == place) {
            return Err(overwrites(what));
        }
        if let Some(input) = read.get(&place) {
            return Err(overwrites(&format!("{}, which is read", input.display())));
        }
        if let Some((other, _)) = files[..index].iter().find(|(_, earlier)| place_of(earlier) == place) {
            return Err(miette!(
                help = "give each a file of its own",
                "{flag} {}: is the same file as that of {other}",
                path.display()
            ));
        }
    }
    Ok(())
}

/// A file that was begun and has yet to be filled. Until then, and if it never is, what was there before stays.
pub struct Artifact {
    path: PathBuf,
    draft: Draft,
}

impl Artifact {
    /// Begins a file; tells if it cannot be written.
    pub fn begin(path: &Path) -> Result<Self> {
        expect_place(path)?;
        match Draft::create(path) {
            Ok(draft) => Ok(Self { path: path.to_owned(), draft }),
            Err(error) => Err(refused(path, error)),
        }
    }

    /// The same if there is to be one.
    pub fn begin_if(path: Option<&PathBuf>) -> Result<Option<Self>> {
        path.map(|path| Self::begin(path)).transpose()
    }

    /// Fills it and puts it in its place.
    pub fn fill<E: std::fmt::Display>(
        self,
        fill: impl FnOnce(&mut BufWriter<Draft>) -> Result<(), E>,
    ) -> Result<PathBuf> {
        let Self { path, draft } = self;
        let mut out = BufWriter::new(draft);
        fill(&mut out).map_err(|error| refused(&path, error))?;
        let mut draft = out.into_inner().map_err(|error| refused(&path, error.into_error()))?;
        draft.publish().map_err(|error| refused(&path, error))?;
        Ok(path)
    }

    /// Fills a text file and puts it in its place.
    pub fn fill_text(self, text: &str) -> Result<PathBuf> {
        self.fill(|out| out.write_all(text.as_bytes()))
    }
}

fn refused(path: &Path, why: impl std::fmt::Display) -> Report {
    miette!(help = "is there room, and may you write there?", "{}: cannot be written: {why}", path.display())
}

/// What came of the files of a command: which were written, and why others were not.
#[derive(Default)]
pub struct Left {
    /// Files that are whole and in their places.
    pub written: Vec<PathBuf>,
    failures: Vec<Report>,
}

impl Left {
    /// A file was written, or was not.
    pub fn note(&mut self, result: Result<PathBuf>) {
        match result {
            Ok(path) => self.written.push(path),
            Err(failure) => self.failures.push(failure),
        }
    }

    /// The end of a command, to be called when all else is told: its verdict, or why a file could not be written.
    pub fn end(self, verdict: Verdict) -> Result<Verdict> {
        let mut failures = self.failures.into_iter();
        let Some(first) = failures.next() else { return Ok(verdict) };
        // The last is told by `main`.
        Err(failures.fold(first, |earlier, next| {
            refusal::print(earlier);
            next
        }))
    }
}
