//! Standard output and standard error, for as long as anybody reads them.
//!
//! What a command finds must not depend on who reads it: once the reader of the output is gone (`muster ... | head`), the
//! rest is dropped, the work is done all the same, and the exit code is that of its verdict. Output that cannot be
//! written for another reason (no room) is told at the end, with exit code 2.
//!
//! The macros shadow those of the standard library, which panic in both cases.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};
use std::sync::OnceLock;

macro_rules! print {
    ($($word:tt)*) => { $crate::stream::put(::std::format_args!($($word)*)) };
}

macro_rules! println {
    () => { $crate::stream::put(::std::format_args!("\n")) };
    ($($word:tt)*) => { $crate::stream::put(::std::format_args!("{}\n", ::std::format_args!($($word)*))) };
}

macro_rules! eprintln {
    ($($word:tt)*) => { $crate::stream::put_error(::std::format_args!("{}\n", ::std::format_args!($($word)*))) };
}

/// Why the output was given up, once it was: nothing to say if its reader is gone.
static GIVEN_UP: OnceLock<Option<String>> = OnceLock::new();

/// Standard output. Writing to it never fails.
pub struct Out;

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if GIVEN_UP.get().is_none() {
            note(io::stdout().write_all(bytes));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        note(io::stdout().flush());
        Ok(())
    }
}

/// Prints to standard output.
pub fn put(text: Arguments<'_>) {
    if GIVEN_UP.get().is_none() {
        note(io::stdout().lock().write_fmt(text));
    }
}

/// Prints to standard error. If nobody can read it there is nowhere else to tell it.
pub fn put_error(text: Arguments<'_>) {
    let _ = io::stderr().lock().write_fmt(text);
}

/// Ends the output: why it could not be written, if it could not.
pub fn close() -> Option<&'static str> {
    note(io::stdout().flush());
    GIVEN_UP.get()?.as_deref()
}

fn note(result: io::Result<()>) {
    if let Err(error) = result {
        GIVEN_UP.get_or_init(|| (error.kind() != ErrorKind::BrokenPipe).then(|| error.to_string()));
    }
}
