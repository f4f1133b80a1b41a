//! Bodies take 2 by 2 ft each, and all of them lie on the field. [CARS 5.6]

use muster_core::Check;

use crate::crowd::BODY_FT;
use crate::reception::Reception;
use crate::robot::Place;

/// Nobody overlaps another, and nobody is off the field.
#[derive(Default)]
pub struct NobodyOverlaps {
    /// All bodies, from west to east; kept to save the allocation.
    bodies: Vec<Place>,
}

impl Check<Reception> for NobodyOverlaps {
    fn name(&self) -> &'static str {
        "nobody overlaps"
    }

    fn look(&mut self, reception: &Reception) -> Result<(), String> {
        let Some(crowd) = reception.crowd() else { return Ok(()) };
        let bodies = &mut self.bodies;
        bodies.clear();
        bodies.extend(crowd.robots().chain(crowd.obstacles()).chain(crowd.guests().map(|guest| guest.place)));
        bodies.sort_unstable_by(|a, b| a.x.total_cmp(&b.x));
        let (width_ft, height_ft) = crowd.field_ft();
        for (index, one) in bodies.iter().enumerate() {
            let off = |along: f64, side: f64| along < BODY_FT / 2.0 || along > side - BODY_FT / 2.0;
            if off(one.x, width_ft) || off(one.y, height_ft) {
                return Err(format!("a body at ({}, {}) ft is off the field", one.x, one.y));
            }
            let mut beside = bodies[index + 1..].iter().take_while(|other| other.x - one.x < BODY_FT);
            if let Some(other) = beside.find(|other| (other.y - one.y).abs() < BODY_FT) {
                return Err(format!("bodies at ({}, {}) and ({}, {}) ft overlap", one.x, one.y, other.x, other.y));
            }
        }
        Ok(())
    }
}
