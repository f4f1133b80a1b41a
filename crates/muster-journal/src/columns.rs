//! Columns of a log: separated by tabs, so that a tab, a line break or a backslash within one is written `\t`, `\n`, `\r`,
//! `\\`, any other control character `\u{1b}`. What is not separated by anything, but shown, is [`printable`].

use std::borrow::Cow;

/// A column as it is written.
pub fn escaped(column: &str) -> String {
    let mut text = String::with_capacity(column.len());
    for letter in column.chars() {
        match letter {
            '\\' => text.push_str("\\\\"),
            letter if letter.is_control() => text.extend(letter.escape_default()),
            plain => text.push(plain),
        }
    }
    text
}

/// A column as it was before it was written.
pub fn unescaped(column: &str) -> String {
    let mut text = String::with_capacity(column.len());
    let mut letters = column.chars();
    while let Some(letter) = letters.next() {
        text.push(match letter {
            '\\' => match letters.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('u') => {
                    let number: String = letters.by_ref().take_while(|letter| *letter != '}').collect();
                    let number = u32::from_str_radix(number.trim_start_matches('{'), 16);
                    number.ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
                }
                Some(other) => other,
                None => '\\',
            },
            plain => plain,
        });
    }
    text
}

/// A text as it can be shown: control characters as TOML and Rust write them (`\u{1b}`), all else as it is.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    text.chars()
        .fold(String::new(), |mut shown, letter| {
            if letter.is_control() {
                shown.extend(letter.escape_default())
            } else {
                shown.push(letter)
            }
            shown
        })
        .into()
}
