//! What Figures 4 to 6 of the paper show. [MacKenzie §4]

use muster_core::Point;

/// Where the hotspot is. [MacKenzie, Figure 3]
pub const TARGET: Point = Point::new(31.8, 27.9);
/// R, the length of a corridor. Not given; chosen with the places below so that the paper's assignment comes out.
pub const LENGTH: f64 = 8.0;
/// The vehicles, and where they are: not given but for "lower left", "upper left" and "on the right".
pub const VEHICLES: [(&str, Point); 3] =
    [("doug2", Point::new(17.94, 14.04)), ("doug3", Point::new(25.54, 51.28)), ("doug4", Point::new(46.40, 27.90))];
