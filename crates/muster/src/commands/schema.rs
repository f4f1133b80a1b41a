//! `muster schema`: the JSON Schema of scenario files and of files of interventions.

use miette::Result;
use muster_reception::scenario;

use crate::cli::SchemaArguments;
use crate::output::{Verdict, print_value};

/// Prints it.
pub fn execute(arguments: &SchemaArguments) -> Result<Verdict> {
    let schema =
        if arguments.interventions { muster_sim::scenario::interventions_schema() } else { scenario::schema() };
    print_value(&schema);
    Ok(Verdict::Held)
}
