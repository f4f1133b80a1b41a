//! SHAME stays between zero and one. [Gage, Implementation]

use muster_core::Check;
use muster_core::recruitment::Recruitment;

use crate::sim::View;

/// SHAME stays between zero and one.
pub struct ShameInBounds;

impl Check<View<'_, Recruitment>> for ShameInBounds {
    fn name(&self) -> &'static str {
        "shame in bounds"
    }

    fn look(&mut self, view: &View<'_, Recruitment>) -> Result<(), String> {
        match view.machines.iter().zip(view.bodies).find(|(machine, _)| !(0.0..=1.0).contains(&machine.shame().get())) {
            Some((machine, body)) => Err(format!("the SHAME of {} is {}", body.id, machine.shame().get())),
            None => Ok(()),
        }
    }
}
