//! `CARSConfig.txt`: which robots take part, a class or the file of one on each line. [CARS, Robot Configuration]

use super::class::Class;
use muster_sim::scenario::did_you_mean;

/// A line that is none of the file's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadConfig {
    /// Which line, counted from 1; the last if something is missing.
    pub line: usize,
    /// What is wrong.
    pub message: String,
    /// What to try.
    pub help: String,
}

/// The classes that a configuration lists: line and name. Empty lines, and what follows a `#`, are left out.
pub fn classes(text: &str) -> Result<Vec<(usize, &str)>, BadConfig> {
    // Editors may begin a file with a mark of its encoding.
    let lines = text
        .trim_start_matches('\u{feff}')
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.split('#').next().unwrap_or("").trim()));
    let classes: Vec<(usize, &str)> = lines.filter(|(_, class)| !class.is_empty()).collect();
    if classes.is_empty() {
        let message = "no robot is listed".to_owned();
        let help = "write one class or script a line, such as Butler or my-robot.rhai".to_owned();
        return Err(BadConfig { line: text.lines().count().max(1), message, help });
    }
    Ok(classes)
}

/// What to try instead of a class that there is not.
pub fn unknown(class: &str) -> String {
    did_you_mean(class, &Class::BUILT_IN, "a class is a script (a file that ends in .rhai) or one of these")
}
