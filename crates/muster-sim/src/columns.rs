//! Columns of a log: separated by tabs, so that a tab, a line break or a backslash within one is written `\t`, `\n`, `\r`,
//! `\\`.

/// A column as it is written.
pub fn escaped(column: &str) -> String {
    column.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
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
                Some(other) => other,
                None => '\\',
            },
            plain => plain,
        });
    }
    text
}
