//! What of `this` a function can read, by its text: if none of that has changed, it gives what it gave.
//!
//! Rather too much than too little: words in texts and comments count, and so does everything that is named in functions
//! which are called on `this`. Where `this` stands for itself, or the text is not understood, that is everything.

use std::collections::{BTreeMap, BTreeSet};

/// Names in `this`; nothing if it may be any.
pub(crate) type Reads = Option<BTreeSet<String>>;

/// A function's own reads and the functions that it calls on `this`.
#[derive(Default)]
struct Body {
    names: BTreeSet<String>,
    calls: BTreeSet<String>,
    all: bool,
}

/// What the functions read together. `defined` are all functions of the text, as the compiler found them.
pub(crate) fn of(text: &str, defined: &[&str], functions: &[&str]) -> Reads {
    let bodies = bodies(text, defined)?;
    let (mut names, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut left: Vec<&str> = functions.to_vec();
    while let Some(function) = left.pop() {
        if !seen.insert(function) {
            continue;
        }
        match bodies.get(function) {
            Some(body) if !body.all => {
                names.extend(body.names.iter().cloned());
                left.extend(body.calls.iter().map(String::as_str));
            }
            _ => return None,
        }
    }
    Some(names)
}

/// From each `fn name(` to the next. If that does not give the functions that there are, one of them was in a comment.
fn bodies(text: &str, defined: &[&str]) -> Option<BTreeMap<String, Body>> {
    let mut found = Vec::new();
    let mut bodies = BTreeMap::new();
    let starts: Vec<usize> = words(text).filter(|(_, word)| *word == "fn").map(|(start, _)| start).collect();
    for (index, start) in starts.iter().enumerate() {
        let body = &text[*start..starts.get(index + 1).copied().unwrap_or(text.len())];
        let name = words(body).nth(1)?.1.to_owned();
        found.push(name.clone());
        bodies.insert(name, read(body));
    }
    let mut defined: Vec<String> = defined.iter().map(|name| (*name).to_owned()).collect();
    defined.sort();
    found.sort();
    defined.dedup();
    // Two of one name differ in how many values they take; which one is called is not known here.
    (defined == found).then_some(bodies)
}

fn read(body: &str) -> Body {
    let mut it = Body::default();
    for (start, word) in words(body) {
        if word != "this" {
            continue;
        }
        let rest = body[start + word.len()..].trim_start();
        let named = rest.strip_prefix("?.").or_else(|| rest.strip_prefix('.')).map(str::trim_start);
        let name: String = named.unwrap_or_default().chars().take_while(|letter| is_of_a_word(*letter)).collect();
        let after = named.map(|named| named[name.len()..].trim_start()).unwrap_or_default();
        // A comment may hide that it is a call.
        if name.is_empty() || after.starts_with('/') {
            it.all = true;
        } else if after.starts_with('(') {
            it.calls.insert(name);
        } else {
            it.names.insert(name);
        }
    }
    it
}

fn is_of_a_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_of_a_word)?;
        let rest = &text[start..];
        let end = rest.find(|letter| !is_of_a_word(letter)).unwrap_or(rest.len());
        at = start + end;
        Some((start, &rest[..end]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(text: &str, defined: &[&str]) -> Option<Vec<String>> {
        of(text, defined, &["f"]).map(|names| names.into_iter().collect())
    }

    #[test]
    fn names_are_found_through_calls() {
        let text = "fn f() { this.a.b + this.g(1) + this ?. c }\nfn g(x) { if x { this.f() } else { `${this.d}` } }\nfn h() { this.e }";
        assert_eq!(reads(text, &["f", "g", "h"]).unwrap(), ["a", "c", "d"]);
    }

    #[test]
    fn in_doubt_it_is_everything() {
        assert_eq!(reads("fn f() { g(this) } fn g(x) { x }", &["f", "g"]), None);
        assert_eq!(reads("fn f() { this[\"a\"] }", &["f"]), None);
        assert_eq!(reads("fn f() { this.g /* c */ () } fn g() { this.a }", &["f", "g"]), None);
        assert_eq!(reads("fn f() { this.len() }", &["f"]), None, "not a function of the script");
        assert_eq!(reads("fn f() { /* fn g() */ this.a }", &["f"]), None);
        assert_eq!(reads("fn f() { this.a } fn f(x) { this.b }", &["f", "f"]), None);
    }
}
