//! Declarations for TypeScript, made of the schema of the wire's types: wire.d.ts, which the page is checked against.

use std::fmt::Write;

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::{FromPage, ToPage};

const HEAD: &str = "\
// Made of the types of crates/muster-console/src/wire.rs and scene.rs. Do not edit: change them, then
//   UPDATE_WIRE=1 cargo test -p muster-console wire
";
/// So wide lines may be, as everywhere in the page.
const WIDTH: usize = 120;

/// The declarations of all that page and server say to each other.
fn declarations() -> String {
    let mut sent = SchemaSettings::draft2020_12().for_serialize().into_generator();
    sent.subschema_for::<ToPage<'_>>();
    let mut asked = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    asked.subschema_for::<FromPage>();
    let mut definitions = sent.take_definitions(true);
    definitions.extend(asked.take_definitions(true));
    let mut text = format!("{HEAD}\ndeclare namespace Wire {{\n");
    for (at, (name, schema)) in definitions.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        declare(&mut text, name, schema);
    }
    text + "}\n"
}

fn declare(text: &mut String, name: &str, schema: &Value) {
    comment(text, "  ", schema);
    let plain = ["properties", "type"].iter().all(|key| schema.get(key).is_some());
    let other = ["oneOf", "anyOf", "allOf", "$ref"].iter().any(|key| schema.get(key).is_some());
    if plain && !other {
        writeln!(text, "  interface {name} {{").expect("text");
        properties(text, schema);
        text.push_str("  }\n");
        return;
    }
    let parts = alternatives(schema).filter(|_| schema.get("properties").is_none());
    let written = type_of(schema);
    match parts {
        Some(parts) if parts.iter().any(|part| part.get("description").is_some()) => {
            writeln!(text, "  type {name} =").expect("text");
            for (at, part) in parts.iter().enumerate() {
                comment(text, "    ", part);
                let end = if at + 1 == parts.len() { ";" } else { "" };
                writeln!(text, "    | {}{end}", type_of(part)).expect("text");
            }
        }
        _ => writeln!(text, "  type {name} = {written};").expect("text"),
    }
}

fn properties(text: &mut String, schema: &Value) {
    for (name, property, optional) in members(schema) {
        comment(text, "    ", property);
        writeln!(text, "    {name}{}: {};", if optional { "?" } else { "" }, type_of(property)).expect("text");
    }
}

/// The properties of an object, and whether each may be absent.
fn members(schema: &Value) -> impl Iterator<Item = (&String, &Value, bool)> {
    let required = |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
    let all = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    all.map(move |(name, property)| (name, property, !required(name)))
}

fn comment(text: &mut String, indent: &str, schema: &Value) {
    let Some(about) = schema.get("description").and_then(Value::as_str) else { return };
    let about = about.split_whitespace().collect::<Vec<_>>().join(" ");
    if indent.len() + about.len() + 7 <= WIDTH {
        writeln!(text, "{indent}/** {about} */").expect("text");
        return;
    }
    writeln!(text, "{indent}/**").expect("text");
    let mut line = String::new();
    for word in about.split(' ') {
        if indent.len() + 3 + line.len() + 1 + word.len() > WIDTH {
            writeln!(text, "{indent} *{line}").expect("text");
            line.clear();
        }
        line.push(' ');
        line.push_str(word);
    }
    writeln!(text, "{indent} *{line}\n{indent} */").expect("text");
}

fn alternatives(schema: &Value) -> Option<&Vec<Value>> {
    schema.get("oneOf").or_else(|| schema.get("anyOf")).and_then(Value::as_array)
}

/// A schema as a type. What stands side by side in a schema holds together.
fn type_of(schema: &Value) -> String {
    let mut parts = Vec::new();
    if let Some(value) = schema.get("const") {
        return literal(value);
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.iter().map(literal).collect::<Vec<_>>().join(" | ");
    }
    if let Some(object) = object(schema) {
        parts.push(object);
    } else if alternatives(schema).is_none() && schema.get("$ref").is_none() {
        parts.push(simple(schema));
    }
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        parts.push(reference.rsplit('/').next().unwrap_or_default().to_owned());
    }
    if let Some(all) = alternatives(schema) {
        let mut union: Vec<String> = Vec::new();
        for one in all.iter().map(type_of) {
            if !union.contains(&one) {
                union.push(one);
            }
        }
        let inner = union.len() > 1 && !parts.is_empty();
        let line = union.join(" | ");
        parts.push(match inner {
            false => line,
            true if line.len() < WIDTH / 2 => format!("({line})"),
            true => format!("(\n      | {}\n    )", union.join("\n      | ")),
        });
    }
    parts.join(" & ")
}

fn object(schema: &Value) -> Option<String> {
    let written: Vec<String> = members(schema)
        .map(|(name, property, optional)| format!("{name}{}: {}", if optional { "?" } else { "" }, type_of(property)))
        .collect();
    (!written.is_empty()).then(|| format!("{{ {} }}", written.join("; ")))
}

fn simple(schema: &Value) -> String {
    let kinds = match &schema["type"] {
        Value::String(kind) => vec![kind.as_str()],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        other => panic!("no type is known for {schema}: {other}"),
    };
    let each = kinds.iter().map(|kind| match *kind {
        "integer" | "number" => "number".to_owned(),
        "string" | "boolean" | "null" => (*kind).to_owned(),
        "array" => array(schema),
        other => panic!("no type is known for {other}: {schema}"),
    });
    each.collect::<Vec<_>>().join(" | ")
}

fn array(schema: &Value) -> String {
    if let Some(items) = schema.get("prefixItems").and_then(Value::as_array) {
        return format!("[{}]", items.iter().map(type_of).collect::<Vec<_>>().join(", "));
    }
    let item = type_of(&schema["items"]);
    match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
        (Some(least), Some(most)) if least == most => format!("[{}]", vec![item; least as usize].join(", ")),
        _ if item.contains(' ') => format!("({item})[]"),
        _ => format!("{item}[]"),
    }
}

fn literal(value: &Value) -> String {
    match value {
        Value::String(word) => format!("'{word}'"),
        other => other.to_string(),
    }
}

/// The page is checked against what the server says, not against what it said once.
#[test]
fn the_page_is_checked_against_these_types() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/wire.d.ts");
    let made = declarations();
    if std::env::var_os("UPDATE_WIRE").is_some() {
        std::fs::write(path, &made).expect("wire.d.ts can be written");
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    if kept == made {
        return;
    }
    let end = std::iter::repeat("(nothing)");
    let lines = kept.lines().chain(end.clone()).zip(made.lines().chain(end)).zip(1..);
    let differ: Vec<String> = lines
        .take(kept.lines().count().max(made.lines().count()))
        .filter(|((kept, made), _)| kept != made)
        .map(|((kept, made), number)| format!("{number:>4} - {kept}\n     + {made}"))
        .take(6)
        .collect();
    panic!(
        "wire.d.ts is not what the types say. If they are right: UPDATE_WIRE=1 cargo test -p muster-console wire; \
         then tests/page/run says what that means for the page.\n{}",
        differ.join("\n")
    );
}

/// A comment that is too long for a line is broken, and nothing of it is lost.
#[test]
fn long_comments_are_broken() {
    let about = "word ".repeat(60);
    let schema = Value::Object(Map::from_iter([("description".to_owned(), Value::from(about.as_str()))]));
    let mut text = String::new();
    comment(&mut text, "    ", &schema);
    assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
    assert_eq!(text.matches("word").count(), 60);
}
