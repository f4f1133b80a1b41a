//! Reading, up to a bound: a device has no end, and a file that was named by mistake may be larger than the memory.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Error, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use crate::same::{Place, place_of};

/// No file that is read is longer. The largest that Muster is given are times and bids of large instances, some megabytes.
pub const MOST_BYTES: u64 = 256 << 20;

/// What this process has read, by where it is: nothing that it writes may replace one of these.
static INPUTS: Mutex<BTreeMap<Place, PathBuf>> = Mutex::new(BTreeMap::new());

/// Opens a file to be read piece by piece. It is one of [`inputs`] from now on.
pub fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    all().entry(place_of(path)).or_insert_with(|| path.to_owned());
    Ok(file)
}

/// The bytes of a file of at most [`MOST_BYTES`]. It is one of [`inputs`] from now on.
pub fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    whole(open(path)?)
}

/// All that there is to read, at most [`MOST_BYTES`].
pub fn whole(from: impl Read) -> io::Result<Vec<u8>> {
    at_most(from, MOST_BYTES)
}

/// The text of a file of at most [`MOST_BYTES`]. It is one of [`inputs`] from now on.
pub fn text(path: &Path) -> io::Result<String> {
    String::from_utf8(bytes(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::new(ErrorKind::InvalidData, format!("byte {at} is no UTF-8 text"))
    })
}

/// Files that were read so far, with the path that each was first read by.
///
/// Kept here rather than by each reader: a scenario names scripts, tables and logs, which name others, and one that was
/// left out of a list would be overwritten by an output of the same name.
pub fn inputs() -> BTreeMap<Place, PathBuf> {
    all().clone()
}

fn all() -> MutexGuard<'static, BTreeMap<Place, PathBuf>> {
    INPUTS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn at_most(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(Error::new(ErrorKind::FileTooLarge, format!("it is longer than {} MB", most >> 20)));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_refused() {
        assert_eq!(at_most(&b"four"[..], 4).expect("it fits"), b"four");
        assert_eq!(at_most(&b"fives"[..], 4).map_err(|error| error.kind()), Err(ErrorKind::FileTooLarge));
        let endless = at_most(io::repeat(0), 3 << 20).expect_err("there is no end");
        assert_eq!(endless.to_string(), "it is longer than 3 MB");
    }
}
