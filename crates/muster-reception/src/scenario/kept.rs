//! The files that a scenario names: where they are looked for, and what was read of them, so that a recording of a
//! reception needs them no longer.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Files that were read: their texts, by their names as seen from a folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// Where they were, as messages call it: a script that fails says so with its path, also when it is made again.
    pub folder: PathBuf,
    /// Their texts.
    pub texts: BTreeMap<String, String>,
}

/// Where the files that a scenario names are looked for.
pub enum Shelf<'a> {
    /// Nowhere: the scenario is a text without a folder.
    None,
    /// In a folder; what is read is kept.
    Folder(&'a Path, RefCell<BTreeMap<String, String>>),
    /// Among files that were read before.
    Kept(&'a Kept),
}

impl<'a> Shelf<'a> {
    /// The files of a folder, if there is one.
    pub fn of(folder: Option<&'a Path>) -> Self {
        folder.map_or(Self::None, |folder| Self::Folder(folder, RefCell::default()))
    }

    /// The path of a file, as messages call it; nothing, if no file can be named.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        match self {
            Self::None => None,
            Self::Folder(folder, _) => Some(folder.join(name)),
            Self::Kept(kept) => Some(kept.folder.join(name)),
        }
    }

    /// There is a file of this name.
    pub fn has(&self, name: &str) -> bool {
        match self {
            Self::None => false,
            Self::Folder(folder, _) => folder.join(name).exists(),
            Self::Kept(kept) => kept.texts.contains_key(name),
        }
    }

    /// The text of a file.
    pub fn text(&self, name: &str) -> io::Result<String> {
        match self {
            Self::None => Err(io::ErrorKind::NotFound.into()),
            Self::Folder(folder, read) => {
                let text = muster_files::text(&folder.join(name))?;
                read.borrow_mut().insert(name.to_owned(), text.clone());
                Ok(text)
            }
            Self::Kept(kept) => kept.texts.get(name).cloned().ok_or_else(|| io::ErrorKind::NotFound.into()),
        }
    }

    /// All that was read.
    pub fn kept(self) -> Kept {
        match self {
            Self::None => Kept::default(),
            Self::Folder(_, read) if read.borrow().is_empty() => Kept::default(),
            Self::Folder(folder, read) => Kept { folder: folder.to_owned(), texts: read.into_inner() },
            Self::Kept(kept) => kept.clone(),
        }
    }
}
