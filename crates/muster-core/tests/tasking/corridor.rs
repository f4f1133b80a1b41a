//! Corridors: the way in does not cut through the disc, there is no shorter one, and it is the same as a path.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use muster_core::Point;
use muster_core::tasking::corridor::Corridor;
use proptest::prelude::*;

const TARGET: Point = Point::new(31.8, 27.9);

fn corridor(degrees: f64) -> Corridor {
    Corridor { target: TARGET, heading: degrees.to_radians(), length_m: 8.0 }
}

/// The place at a bearing in degrees from the target.
fn seen_at(degrees: f64, away_m: f64) -> Point {
    let (sin, cos) = libm::sincos(degrees.to_radians());
    Point::new(TARGET.x + away_m * cos, TARGET.y + away_m * sin)
}

#[track_caller]
fn close(measured: f64, expected: f64) {
    assert!((measured - expected).abs() < 1e-9, "{measured}, not {expected}");
}

/// How close the leg from `a` to `b` comes to the target.
fn clearance_m(a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let along = ((TARGET.x - a.x) * dx + (TARGET.y - a.y) * dy) / (dx * dx + dy * dy);
    a.towards(b, along.clamp(0.0, 1.0)).distance(TARGET)
}

/// The shortest way by trying 7200 places on the edge to go to first, then around the disc.
fn shortest_m(corridor: &Corridor, from: Point) -> f64 {
    let radius = corridor.length_m;
    let around = |n: u32| {
        let angle = f64::from(n) / 7_200.0 * TAU;
        let edge = Point::new(TARGET.x + radius * libm::cos(angle), TARGET.y + radius * libm::sin(angle));
        let visible = from.distance(edge) < 1e-9 || clearance_m(from, edge) > radius - 1e-5;
        let turn = libm::acos(libm::cos(angle - corridor.heading - PI));
        if visible { from.distance(edge) + radius * turn + radius } else { f64::INFINITY }
    };
    let straight = if clearance_m(from, corridor.entry()) > radius - 1e-9 {
        from.distance(corridor.entry()) + radius
    } else {
        f64::INFINITY
    };
    (0..7_200).map(around).fold(straight, f64::min)
}

/// E(h) = target - R (cos h, sin h), and the exit on the other side.
#[test]
fn entry_and_exit_lie_on_the_axis() {
    for (degrees, x, y) in [(0.0, 1.0, 0.0), (90.0, 0.0, 1.0), (180.0, -1.0, 0.0), (270.0, 0.0, -1.0)] {
        let corridor = corridor(degrees);
        assert!(corridor.entry().distance(Point::new(TARGET.x - 8.0 * x, TARGET.y - 8.0 * y)) < 1e-12);
        assert!(corridor.exit().distance(Point::new(TARGET.x + 8.0 * x, TARGET.y + 8.0 * y)) < 1e-12);
    }
}

/// Where the way is clear it is the straight line to the target, for a vehicle on the axis.
#[test]
fn a_vehicle_on_the_axis_flies_straight() {
    close(corridor(45.0).distance_m(seen_at(225.0, 19.6)), 19.6);
}

/// From D = 19.6 and 45 degrees off: tangent, arc, corridor. 23.05 s for doug2 in our table.
#[test]
fn a_vehicle_off_the_axis_goes_around() {
    let doug2 = Point::new(17.94, 14.04);
    for degrees in [0.0, 90.0] {
        assert!((corridor(degrees).distance_m(doug2) - 23.05).abs() < 0.005);
    }
    // From behind: tangent, half of the circle less what the tangent has covered, corridor.
    let tangent = (20.0_f64 * 20.0 - 64.0).sqrt();
    close(corridor(0.0).distance_m(seen_at(0.0, 20.0)), tangent + 8.0 * (PI - libm::acos(0.4)) + 8.0);
}

/// Each special place by hand, and no step in length where one case becomes another.
#[test]
fn special_places() {
    let corridor = corridor(90.0);
    close(corridor.distance_m(TARGET), 16.0);
    close(corridor.distance_m(corridor.entry()), 8.0);
    close(corridor.distance_m(corridor.exit()), 8.0 * PI + 8.0);
    close(corridor.distance_m(seen_at(0.0, 8.0)), 8.0 * FRAC_PI_2 + 8.0);
    close(corridor.distance_m(seen_at(0.0, 3.0)), 5.0 + 8.0 * FRAC_PI_2 + 8.0);
    let (inside, outside) = (seen_at(10.0, 8.0 - 1e-7), seen_at(10.0, 8.0 + 1e-7));
    // A tangent grows with the square root of the distance from the edge.
    assert!((corridor.distance_m(inside) - corridor.distance_m(outside)).abs() < 1e-2);
}

/// Without a corridor the way is the straight line.
#[test]
fn a_corridor_without_length_is_the_target() {
    let corridor = Corridor { length_m: 0.0, ..corridor(135.0) };
    let from = seen_at(77.0, 12.0);
    close(corridor.distance_m(from), 12.0);
    let (path, to_target_m) = corridor.path(from).unwrap();
    assert_eq!(path.corners().collect::<Vec<_>>(), [from, TARGET]);
    assert_eq!(to_target_m, path.length_m());
    assert_eq!(corridor.distance_m(TARGET), 0.0);
    assert!(corridor.path(TARGET).is_none());
}

proptest! {
    /// The way keeps clear of the disc until it is at the entry, and no other way along the edge is shorter.
    #[test]
    fn ways_are_clear_and_shortest(degrees in 0.0..360.0_f64, bearing in 0.0..360.0_f64, away_m in 8.0..60.0_f64) {
        let (corridor, from) = (corridor(degrees), seen_at(bearing, away_m));
        let measured = corridor.distance_m(from);
        prop_assert!((measured - shortest_m(&corridor, from)).abs() < 0.01, "{measured}");
        let (path, _) = corridor.path(from).unwrap();
        let corners: Vec<Point> = path.corners().collect();
        let entry = corners.iter().position(|&corner| corner == corridor.entry()).unwrap();
        for leg in corners[..=entry].windows(2) {
            // A chord of 2 degrees comes this close.
            prop_assert!(clearance_m(leg[0], leg[1]) > 8.0 * libm::cos(PI / 180.0) - 1e-9);
        }
    }

    /// The path is as long as the distance, but for chords; it goes through the target and ends at the exit.
    #[test]
    fn paths_are_as_long_as_distances(
        degrees in -720.0..720.0_f64, bearing in 0.0..360.0_f64, away_m in 0.0..60.0_f64, length_m in 0.0..30.0_f64,
    ) {
        let corridor = Corridor { length_m, ..corridor(degrees) };
        let from = seen_at(bearing, away_m);
        let (path, to_target_m) = corridor.path(from).unwrap();
        let short = corridor.distance_m(from) - to_target_m;
        prop_assert!((-1e-9..=1e-4 * PI * length_m + 1e-9).contains(&short), "{short}");
        prop_assert!(path.place(to_target_m).distance(TARGET) < 1e-9);
        prop_assert!((path.length_m() - to_target_m - length_m).abs() < 1e-9);
        prop_assert!(path.place(f64::MAX).distance(corridor.exit()) < 1e-12);
    }

    /// Whatever the numbers, as long as they are: nothing is undefined.
    #[test]
    fn nothing_is_undefined(
        x in proptest::num::f64::ANY, y in proptest::num::f64::ANY, target_x in proptest::num::f64::ANY,
        heading in proptest::num::f64::ANY, length_m in proptest::num::f64::ANY,
    ) {
        prop_assume!([x, y, target_x, heading, length_m].into_iter().all(f64::is_finite));
        let corridor = Corridor { target: Point::new(target_x, y), heading, length_m };
        for from in [Point::new(x, y), Point::new(target_x, x), corridor.target, corridor.entry(), corridor.exit()] {
            if !from.is_finite() {
                continue;
            }
            let distance_m = corridor.distance_m(from);
            prop_assert!(distance_m >= 0.0, "{distance_m} from {from:?}");
            if let Some((path, to_target_m)) = corridor.path(from) {
                prop_assert!(to_target_m.is_finite() && path.length_m() >= to_target_m);
            }
        }
    }
}

/// What is left of a flight goes down by what was flown, outside of the corridor and in it.
#[test]
fn what_is_left_of_a_flight_is_what_was_not_flown() {
    let corridor = Corridor { target: Point::new(3.0, 4.0), heading: 0.5, length_m: 8.0 };
    let (path, _) = corridor.path(Point::new(40.0, -7.0)).expect("a way");
    let all_m = path.length_m();
    for step in 0..=100 {
        let flown_m = all_m * f64::from(step) / 100.0;
        let left_m = corridor.left_m(path.place(flown_m));
        assert!((left_m - (all_m - flown_m)).abs() < 0.02, "{left_m} m left after {flown_m} of {all_m} m");
    }
}
