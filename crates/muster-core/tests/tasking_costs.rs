//! The cost estimator against what the paper says about its example, and against its own definitions.

use muster_core::tasking::cost::{Grid, Outlook, Preferences, Rates, Surface, estimate};
use muster_core::{Point, Time};

const TARGET: Point = Point::new(31.8, 27.9);
const LENGTH: f64 = 8.0;
const DOUG2: Point = Point::new(17.94, 14.04);
const DOUG3: Point = Point::new(25.54, 51.28);
const DOUG4: Point = Point::new(46.40, 27.90);
/// Any instant: costs count from it.
const T0: Time = Time::from_micros(7_000_000);
const GRID: Grid = Grid::mackenzie_2003();

fn outlook(place: Point) -> Outlook<'static> {
    Outlook { place, free_at: Time::ZERO, speed_mps: 1.0, endurance_m: None, pending: &[] }
}

fn bid(outlook: &Outlook) -> Surface {
    estimate(outlook, TARGET, LENGTH, T0, &GRID, &Rates::hotspot(), &Preferences::none())
}

/// The cost at seconds after t0 and degrees, in units of cost.
fn at(surface: &Surface, seconds: u16, degrees: u16) -> Option<f64> {
    surface.get(&GRID, seconds / 5, degrees / 45).map(|cost| f64::from(cost) / 100.0)
}

/// [MacKenzie §4] "the cost for UCAV doug2 is 40 with heading 45 degrees and performance time t=20. Its cost increases
/// to 50 if the performance time is delayed until time t=25"; "it takes at least 20 seconds to reach the target".
#[test]
fn doug2_costs_what_the_paper_says() {
    let surface = bid(&outlook(DOUG2));
    assert_eq!(at(&surface, 15, 45), None);
    assert_eq!(at(&surface, 20, 45), Some(40.0));
    assert_eq!(at(&surface, 25, 45), Some(50.0));
}

/// The other two vehicles of the example at their assigned times and headings, as our model has them.
#[test]
fn doug3_and_doug4_cost_what_the_model_says() {
    let (doug3, doug4) = (bid(&outlook(DOUG3)), bid(&outlook(DOUG4)));
    assert_eq!((at(&doug3, 20, 270), at(&doug3, 25, 270)), (None, Some(50.4)));
    assert_eq!((at(&doug4, 10, 180), at(&doug4, 15, 180)), (None, Some(30.0)));
}
