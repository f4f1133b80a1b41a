//! `muster schema`: the JSON Schema of scenario files and of files of interventions.

use miette::Result;
use muster_reception::scenario::SCHEMA;
use muster_sim::scenario::INTERVENTIONS_SCHEMA;

use crate::cli::SchemaArguments;
use crate::output::Verdict;

/// Prints it.
pub fn execute(arguments: &SchemaArguments) -> Result<Verdict> {
    print!("{}", if arguments.interventions { INTERVENTIONS_SCHEMA } else { SCHEMA });
    Ok(Verdict::Held)
}
