//! Names that people read in logs and on consoles: of robots, tasks and authors.
//!
//! Control characters in the names of a scenario are shown escaped (`diagnose.rs`). What is refused here cannot be shown:
//! letters that take no room make two names look like one, and those that turn the direction of writing make a line read
//! like another.

use super::build::Misfit;

/// A longer name is none: a line of a log has room for a few of them.
const LONGEST_NAME: usize = 200;

/// Nobody sees it, or it turns what stands beside it around: zero-width and bidirectional characters, fillers, the blank of Braille
/// and tags.
pub(crate) fn is_hidden(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// The first character of a name that nobody sees. The two that join letters, or keep them apart, belong to the spelling
/// of some scripts: between letters other than Latin ones they are seen by what they do.
fn hidden(name: &str) -> Option<char> {
    let letters: Vec<char> = name.chars().collect();
    let spells = |index: usize| {
        let beside = |index: Option<usize>| index.and_then(|index| letters.get(index));
        let is_letter = |letter: &char| !letter.is_ascii() && !is_hidden(*letter);
        matches!(letters[index], '\u{200c}' | '\u{200d}')
            && beside(index.checked_sub(1)).is_some_and(is_letter)
            && beside(index.checked_add(1)).is_some_and(is_letter)
    };
    (0..letters.len()).find(|index| is_hidden(letters[*index]) && !spells(*index)).map(|index| letters[index])
}

/// A name that is none, as it is quoted: with what nobody sees in it.
pub(crate) fn revealed(name: &str) -> String {
    let mut shown = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter {
            letter if is_hidden(letter) => shown.extend(letter.escape_unicode()),
            letter if letter.is_control() => shown.extend(letter.escape_debug()),
            plain => shown.push(plain),
        }
    }
    shown
}

/// Finds what makes a name no name; `what` is its noun.
pub fn check(what: &str, name: &str, key: &[&str]) -> Result<(), Misfit> {
    let count = name.chars().count();
    if count > LONGEST_NAME {
        let begins: String = name.chars().take(20).collect();
        let message = format!("the name of {what} `{begins}...` is {count} characters long");
        return Err(Misfit::new(key, message, format!("at most {LONGEST_NAME}")));
    }
    if let Some(letter) = hidden(name) {
        let message = format!("the name of {what} `{}` has a character that cannot be seen", revealed(name));
        let help = format!("leave {} out", letter.escape_unicode());
        return Err(Misfit::new(key, message, help));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_any_script_are_names() {
        for name in [
            "idle-3",
            "Über 7",
            "räumer \u{2116} 4",
            "探査機",
            "كشاف",
            "מסייר",
            "👍",
            "می\u{200c}روم",
            "क्\u{200d}ष",
            "👩\u{200d}🚒",
        ] {
            check("robot", name, &[]).unwrap_or_else(|misfit| panic!("{name}: {misfit:?}"));
        }
        for name in [
            "idle\u{200b}-3",
            "\u{202e}nacs",
            "a\u{2066}b\u{2069}",
            "\u{feff}uav",
            "so\u{ad}ft",
            "u\u{200d}av",
            "\u{200c}می",
            "\u{2800}",
        ] {
            let misfit = check("robot", name, &["robots"]).expect_err("hidden");
            assert!(misfit.message.contains("cannot be seen") && misfit.message.contains("\\u{"), "{misfit:?}");
        }
        assert!(check("task", &"ü".repeat(200), &[]).is_ok() && check("task", &"ü".repeat(201), &[]).is_err());
    }
}
