//! The JSON Schemas that `muster schema` prints are those of the types that files are read into.
//!
//! After a change of a type: `UPDATE_SCHEMA=1 cargo test -p muster-reception --test schema`.

use std::path::{Path, PathBuf};

use serde_json::Value;

fn is_that_of(kept: &str, name: &str, schema: &Value) {
    let made = serde_json::to_string_pretty(schema).unwrap() + "\n";
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        let file: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(name);
        std::fs::write(file, &made).unwrap();
        return;
    }
    let differs = kept.lines().zip(made.lines()).position(|(kept, made)| kept != made);
    let update = "UPDATE_SCHEMA=1 cargo test -p muster-reception --test schema";
    assert!(kept == made, "scenarios/{name} is not that of the types from line {differs:?} on; try: {update}");
}

#[test]
fn of_scenario_files() {
    let kept = muster_reception::scenario::SCHEMA;
    is_that_of(kept, "schema.json", &muster_reception::scenario::schema());
}

#[test]
fn of_files_of_interventions() {
    let kept = muster_sim::scenario::INTERVENTIONS_SCHEMA;
    is_that_of(kept, "interventions.schema.json", &muster_sim::scenario::interventions_schema());
}
