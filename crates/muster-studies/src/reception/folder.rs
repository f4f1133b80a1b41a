//! A folder that is gone when it is not needed any longer.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// An empty folder of our own.
pub struct Folder(PathBuf);

impl Folder {
    /// Among the system's temporary files.
    pub fn new() -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("muster-reception-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// The folder's path; it is removed with the value.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// How many files are in it.
    pub fn files(&self) -> io::Result<usize> {
        Ok(std::fs::read_dir(&self.0)?.count())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing of it is needed, and whoever cleans up temporary files finds it.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
