//! Where a result comes from: enough to make it again.

use serde_json::Value;

/// What every file that Muster writes says about itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Provenance {
    /// Version of the program.
    pub version: &'static str,
    /// The commit it was built from.
    pub commit: &'static str,
    /// Seed of the run, the batch or the study.
    pub seed: u64,
    /// Name of the scenario.
    pub scenario: String,
    /// A command that makes the same again. Nothing in it depends on the machine.
    pub command: String,
    /// The configuration with every change made and every default filled in.
    pub config: Value,
}

impl Provenance {
    /// "muster 0.1.0 (47994b3), seed 1".
    pub fn line(&self) -> String {
        format!("muster {} ({}), seed {}", self.version, self.commit, self.seed)
    }
}

/// A word of a command line as a POSIX shell reads it: quoted only if it has to be.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_only_if_they_have_to_be() {
        assert_eq!(shell_word("radio.loss=0.25"), "radio.loss=0.25");
        assert_eq!(shell_word("robots.idle.percepts=[]"), "'robots.idle.percepts=[]'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
