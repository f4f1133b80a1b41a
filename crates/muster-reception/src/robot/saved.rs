//! What robots are saved as: bytes that only the same robot reads. A text would have no word for infinity, and a run that
//! is taken up again has to be the same to the last bit.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Bytes that are no such state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Garbled {
    why: String,
}

impl Garbled {
    /// Because of this.
    pub fn new(why: impl Into<String>) -> Self {
        Self { why: why.into() }
    }
}

impl fmt::Display for Garbled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this was not saved by the same robot with the same settings: {}", self.why)
    }
}

impl std::error::Error for Garbled {}

/// A state as bytes.
pub fn pack(state: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(state).expect("plain values have a length and go into memory")
}

/// The state that bytes are.
pub fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Garbled> {
    match postcard::take_from_bytes(bytes) {
        Ok((state, [])) => Ok(state),
        Ok((_, rest)) => Err(Garbled::new(format!("{} bytes too many", rest.len()))),
        Err(error) => Err(Garbled::new(error.to_string())),
    }
}
