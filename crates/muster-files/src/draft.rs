//! Writing: beside the file that is meant, under another name, until all of it is there.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::same::{end_of_links, folder_of};

/// Names are at most so long on most file systems, in bytes.
const LONGEST_NAME: usize = 255;

/// A file that is being written. What was at its place stays there, untouched, until [`Draft::publish`] puts the whole new
/// file in its stead. A draft that is dropped leaves nothing behind; a program that is killed leaves `NAME.PID.part`.
///
/// A link stays a link: the file that it leads to is replaced. So does a hard link of another name: that name keeps the old
/// content. What is no regular file (a terminal, a pipe, `/dev/null`) holds nothing that could be lost and is written
/// to directly.
#[derive(Debug)]
pub struct Draft {
    file: File,
    /// The name that it is written under and the one that it is to get; none if it is written in its place.
    names: Option<(PathBuf, PathBuf)>,
}

impl Draft {
    /// Begins a file. That it cannot be written is found out here, as far as it can be known before there is anything
    /// to write: the folder is missing or closed, the old file must not be changed.
    pub fn create(path: &Path) -> io::Result<Self> {
        let target = end_of_links(path);
        let old = match std::fs::metadata(&target) {
            Ok(old) if old.is_file() && !is_of_the_system(&target) => {
                // Asks the system whether this file may be written, and changes nothing.
                OpenOptions::new().write(true).open(&target)?;
                Some(old)
            }
            Ok(_) => return Ok(Self { file: OpenOptions::new().write(true).open(&target)?, names: None }),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let (file, part) = part_of(&target)?;
        let draft = Self { file, names: Some((part, target)) };
        if let Some(old) = old {
            draft.take_after(&old);
        }
        Ok(draft)
    }

    /// The same for a file that tells by itself when it is not whole, such as a recording: if nothing is at its place, it
    /// has its name from the first byte on, so that what was written before a crash is found where it was asked for.
    pub fn create_in_sight(path: &Path) -> io::Result<Self> {
        match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(file) => Ok(Self { file, names: None }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Self::create(path),
            Err(error) => Err(error),
        }
    }

    /// Gives the file its name, in place of what was there before. What is written after this goes on in the same file.
    pub fn publish(&mut self) -> io::Result<()> {
        self.file.flush()?;
        if let Some((part, target)) = self.names.take()
            && let Err(error) = std::fs::rename(&part, &target)
        {
            self.names = Some((part, target));
            return Err(error);
        }
        Ok(())
    }

    /// Mode and owner of the old file. One whose owner cannot be kept belongs to whoever wrote it.
    fn take_after(&self, old: &Metadata) {
        let _ = self.file.set_permissions(old.permissions());
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            let _ = fchown(&self.file, Some(old.uid()), Some(old.gid()));
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some((part, _)) = &self.names {
            let _ = std::fs::remove_file(part);
        }
    }
}

/// A name that the system makes up for what is open already, such as `/dev/stdout`: nothing can be put in its place.
fn is_of_the_system(path: &Path) -> bool {
    path.starts_with("/proc") || path.starts_with("/dev/fd")
}

/// A new file beside `target`, and its name.
fn part_of(target: &Path) -> io::Result<(File, PathBuf)> {
    let Some(name) = target.file_name() else {
        return Err(io::Error::new(ErrorKind::InvalidInput, "the path has no file name"));
    };
    let name = name.to_string_lossy();
    for number in 0.. {
        let ending = match number {
            0 => format!(".{}.part", std::process::id()),
            _ => format!(".{}-{number}.part", std::process::id()),
        };
        let room = LONGEST_NAME.saturating_sub(ending.len());
        let kept = name.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= room).last();
        let part = folder_of(target).join(format!("{}{ending}", &name[..kept.unwrap_or(0)]));
        match OpenOptions::new().write(true).create_new(true).open(&part) {
            Ok(file) => return Ok((file, part)),
            // Another draft of this process, or what a killed one of the same number has left.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    unreachable!("some number is free")
}
