//! Files, as all of Muster reads and writes them: nothing is read without a bound ([`text`], [`bytes`]), and a file that is
//! written replaces the old one only when it is whole ([`Draft`]).
//!
//! A crate of its own, below all that touch files, so that there is one way of each and no reason for another. It
//! depends on nothing.

mod draft;
mod read;
mod same;

pub use draft::Draft;
pub use read::{MOST_BYTES, bytes, inputs, open, text, whole};
pub use same::{Place, place_of};
