//! No robot of a reception stops because its own code failed.

use muster_core::Check;

use crate::reception::Reception;

/// No robot has failed.
pub struct NobodyFails;

impl Check<Reception> for NobodyFails {
    fn name(&self) -> &'static str {
        "nobody fails"
    }

    fn look(&mut self, reception: &Reception) -> Result<(), String> {
        match reception.failed().first() {
            Some((name, why)) => Err(format!("{name} failed: {why}")),
            None => Ok(()),
        }
    }
}
