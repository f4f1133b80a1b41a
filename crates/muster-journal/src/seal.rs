//! A checksum over the header of a recording. Chunks and a file that was finished have checksums of their own; the header of
//! one that was cut off has this alone.

use std::collections::BTreeMap;

use crate::reader::ReadError;
use crate::{IO_FORMAT_2, IO_FORMAT_3};

/// The key of the checksum in the metadata.
const KEY: &str = "checksum";
/// Formats from before there was one.
const UNSEALED: [&str; 3] = ["muster-io-1", IO_FORMAT_2, IO_FORMAT_3];

/// Writes the checksum of a header into it, in place of one that was there. Whoever writes a header by hand has to.
pub fn seal(metadata: &mut BTreeMap<String, String>) {
    let sum = sum(metadata);
    metadata.insert(KEY.to_owned(), sum);
}

/// The header is the one that was written.
pub(crate) fn check(metadata: &BTreeMap<String, String>) -> Result<(), ReadError> {
    let is_whole = match metadata.get(KEY) {
        Some(found) => *found == sum(metadata),
        None => metadata.get("format").is_some_and(|format| UNSEALED.contains(&format.as_str())),
    };
    if is_whole { Ok(()) } else { Err(ReadError::Damaged("its header was changed".to_owned())) }
}

/// FNV-1a with 64 bits over all other keys and values, in their order, each after its length: the same on every machine, and
/// another whenever one byte is.
fn sum(metadata: &BTreeMap<String, String>) -> String {
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let texts = metadata.iter().filter(|(key, _)| *key != KEY).flat_map(|(key, value)| [key, value]);
    let sum = texts.fold(OFFSET_BASIS, |sum, text| {
        let length = (text.len() as u64).to_le_bytes();
        length.iter().chain(text.as_bytes()).fold(sum, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(PRIME))
    });
    format!("{sum:016x}")
}
