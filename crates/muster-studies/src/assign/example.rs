//! The example mission of MacKenzie's paper, as an instance to start from.

use muster_core::tasking::assigner::{Constraint, INFEASIBLE, Problem};

use super::random::approach;

/// Verify a hotspot, drop water, assess: three passes over one target, each 5 to 10 s after the one before it, on
/// headings at least 45 degrees apart, by three vehicles at 1 unit a second.
///
/// [MacKenzie 2003] gives the target and the outcome; places and rates are those that reproduce it.
pub fn mission() -> Problem {
    const TARGET: (f64, f64) = (31.8, 27.9);
    const VEHICLES: [(f64, f64); 3] = [(17.94, 14.04), (25.54, 51.28), (46.40, 27.90)];
    let bid = |vehicle: (f64, f64), time: i64, heading: i64| {
        let (travel, straight) = approach(vehicle, TARGET, heading as f64);
        let cost = 2.0 * time as f64 + (travel - straight);
        if (time as f64) < travel { INFEASIBLE } else { (cost * 100.0).round() as u32 }
    };
    let times: Vec<i64> = (0..21).map(|time| time * 5).collect();
    let headings: Vec<i64> = (0..8).map(|heading| heading * 45).collect();
    let mut costs = Vec::new();
    for _ in 0..3 {
        for vehicle in VEHICLES {
            for &time in &times {
                costs.extend(headings.iter().map(|&heading| bid(vehicle, time, heading)));
            }
        }
    }
    let pass = |a, b, least, most| Constraint { a, b, dt_min: Some(least), dt_max: most, dh_min: 45, dh_max: 180 };
    let constraints = vec![pass(0, 1, 5, Some(10)), pass(1, 2, 5, Some(10)), pass(0, 2, 10, None)];
    Problem::new(3, 3, times, headings, costs, constraints).expect("it is a problem")
}

#[cfg(test)]
mod tests {
    use muster_core::tasking::assigner::assign;

    #[test]
    fn it_costs_what_it_should() {
        assert_eq!(assign(&super::mission(), u64::MAX).cost, Some(12_040));
    }
}
