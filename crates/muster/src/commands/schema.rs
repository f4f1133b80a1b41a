//! `muster schema`: the JSON Schema of scenario files.

use miette::Result;
use muster_reception::scenario;

use crate::output::{Verdict, print_value};

/// Prints it.
pub fn execute() -> Result<Verdict> {
    print_value(&scenario::schema());
    Ok(Verdict::Held)
}
