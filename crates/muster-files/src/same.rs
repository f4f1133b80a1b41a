//! Which file a path leads to, whatever way it is named.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A chain of links that is longer leads nowhere; systems stop at about as many.
const MOST_LINKS: usize = 40;

/// Where a file is: two paths with the same place lead to one file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// There is a file: device and number on it. Hard links of a file share them.
    Number(u64, u64),
    /// There is none yet: its folder and its name in it.
    Free(PathBuf, OsString),
}

/// The place that `path` leads to, through every link on the way, also those that lead to a file that is not there yet.
pub fn place_of(path: &Path) -> Place {
    let end = end_of_links(path);
    match std::fs::metadata(&end) {
        #[cfg(unix)]
        Ok(found) => {
            use std::os::unix::fs::MetadataExt;
            Place::Number(found.dev(), found.ino())
        }
        _ => {
            let folder = folder_of(&end);
            let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            Place::Free(folder, end.file_name().unwrap_or_default().to_owned())
        }
    }
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The last file of a chain of links, whether it is there or not.
pub(crate) fn end_of_links(path: &Path) -> PathBuf {
    let mut end = path.to_owned();
    for _ in 0..MOST_LINKS {
        // What is open already is no link to anything that has a name.
        if end.starts_with("/proc") {
            break;
        }
        match std::fs::read_link(&end) {
            // A relative target counts from the folder of the link.
            Ok(target) => end = folder_of(&end).join(target),
            Err(_) => break,
        }
    }
    end
}
