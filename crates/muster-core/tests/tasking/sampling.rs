//! Adaptive sampling: how many bytes, how exact, and what becomes of bytes that are none of ours.
//!
//! How it compares with the paper's grid is measured by the study (`muster-studies`, `tasking/sampling.rs`).

use muster_core::tasking::corridor::Corridor;
use muster_core::tasking::cost::{
    Grid, HeadingPreference, Outlook, Pending, Preferences, Rates, TimePreference, cost_at, estimate,
};
use muster_core::tasking::sampling::{Adaptive, DecodeError};
use muster_core::{Duration, Point, Time};
use proptest::prelude::*;

const TARGET: Point = Point::new(31.8, 27.9);
const DOUG2: Point = Point::new(17.94, 14.04);
const GRID: Grid = Grid::mackenzie_2003();

fn outlook(place: Point, pending: &[Pending]) -> Outlook<'_> {
    Outlook { place, free_at: Time::ZERO, speed_mps: 1.0, endurance_m: None, pending, supply: None }
}

fn adaptive(outlook: &Outlook, rates: &Rates, preferences: &Preferences) -> Adaptive {
    Adaptive::estimate(Adaptive::HORIZON_S, outlook, TARGET, 8.0, Time::ZERO, rates, preferences)
}

fn exact(outlook: &Outlook, rates: &Rates, preferences: &Preferences, at_s: f64, degrees: f64) -> Option<f64> {
    let at = Time::from_secs_f64(at_s);
    cost_at(outlook, TARGET, 8.0, Time::ZERO, rates, preferences, at, degrees.to_radians())
}

/// [MacKenzie §3] "21 x 8 x 2 = 336 bytes": ours takes less than a third, and is right between samples, too.
#[test]
fn doug2_in_less_than_100_bytes() {
    let (vehicle, rates, none) = (outlook(DOUG2, &[]), Rates::hotspot(), Preferences::none());
    let fitted = adaptive(&vehicle, &rates, &none);
    assert!(fitted.bytes().len() <= 100);
    assert!(fitted.cost(20.0, 45_f64.to_radians()).is_some_and(|cost| (cost - 40.0).abs() < 0.01));
    assert_eq!(fitted.cost(19.5, 45_f64.to_radians()), None);
    for at_s in [31.4, 57.3, 99.9] {
        for degrees in (0..360).map(f64::from) {
            let (truth, fitted) =
                (exact(&vehicle, &rates, &none, at_s, degrees), fitted.cost(at_s, degrees.to_radians()));
            match (truth, fitted) {
                (Some(truth), Some(fitted)) => assert!((truth - fitted).abs() < 0.3, "{degrees}: {truth} {fitted}"),
                // Close to the border of what is feasible.
                (truth, fitted) => assert!(at_s < 32.0 || truth == fitted, "{degrees}: {truth:?} {fitted:?}"),
            }
        }
    }
}

/// A curve that grows with the square of waiting takes two knots, 3 bytes more than a straight one.
#[test]
fn a_parabola_is_as_good_as_a_line() {
    let (vehicle, none) = (outlook(DOUG2, &[]), Preferences::none());
    let rates = Rates { curve: 0.01, ..Rates::hotspot() };
    let fitted = adaptive(&vehicle, &rates, &none);
    assert!(fitted.bytes().len() <= 100);
    for at_s in (20..=100).map(f64::from) {
        let (truth, fitted) = (exact(&vehicle, &rates, &none, at_s, 45.0), fitted.cost(at_s, 45_f64.to_radians()));
        assert!((truth.unwrap() - fitted.unwrap()).abs() < 0.03, "{at_s} s: {truth:?} {fitted:?}");
    }
}

/// Feasible before and after a pending task, and not in between.
#[test]
fn a_pending_task_splits_the_time() {
    let pending = [Pending {
        at: Time::from_secs_f64(80.0),
        corridor: Corridor { target: Point::new(60.0, 60.0), heading: 0.8, length_m: 8.0 },
    }];
    let (vehicle, rates, none) = (outlook(DOUG2, &pending), Rates::hotspot(), Preferences::none());
    let fitted = adaptive(&vehicle, &rates, &none);
    assert!(fitted.bytes().len() <= 100);
    let heading = 45_f64.to_radians();
    // Tenths of a second: borders are where they are, not at whole seconds.
    for at_s in (0..=1_000).map(|tenths| f64::from(tenths) / 10.0) {
        let (truth, fitted) = (exact(&vehicle, &rates, &none, at_s, 45.0), fitted.cost(at_s, heading));
        assert_eq!(truth.is_some(), fitted.is_some(), "{at_s} s");
        assert!(truth.zip(fitted).is_none_or(|(a, b)| (a - b).abs() < 0.02), "{at_s} s: {truth:?} {fitted:?}");
    }
    assert!(fitted.cost(30.0, heading).is_some());
    assert!(fitted.cost(81.0, heading).is_none());
}

/// Forbidden headings stay so, and dear times stay dear, at their very borders.
#[test]
fn preferences_survive() {
    let preferences = Preferences {
        headings: vec![HeadingPreference { from_deg: 120.0, to_deg: 240.0, cost: None }],
        times: vec![TimePreference { from_s: 50.0, to_s: 60.0, cost: Some(30.0) }],
        ..Preferences::none()
    };
    let (vehicle, rates) = (outlook(DOUG2, &[]), Rates::hotspot());
    let surface = adaptive(&vehicle, &rates, &preferences).to_surface(&GRID);
    assert_eq!((surface.get(&GRID, 9, 3), surface.get(&GRID, 9, 4)), (None, None));
    for (time, cost) in [(9, 90.0), (10, 130.0), (12, 150.0), (13, 130.0)] {
        let sent = surface.get(&GRID, time, 1).map(|cost| f64::from(cost) / 100.0);
        assert!(sent.is_some_and(|sent| (sent - cost).abs() < 0.02), "{} s: {sent:?}", 5 * time);
    }
}

/// A vehicle that is there just before the horizon: between the one look at which it can do the task and the samples around it,
/// waiting costs what it costs.
#[test]
fn waiting_counts_up_to_the_very_horizon() {
    let none = Preferences::none();
    let grid = Grid::adaptive(Duration::from_secs(145), None);
    for (speed_mps, wait) in [(0.144_333_882, 1.499_168_576), (0.1445, 2.0), (0.1460, 4.0), (0.1480, 4.0)] {
        let (place, rates) = (Point::new(11.859_769_828, 32.842_741_604), Rates { wait, ..Rates::hotspot() });
        let vehicle = Outlook { speed_mps, ..outlook(place, &[]) };
        let truth = estimate(&vehicle, TARGET, 8.0, Time::ZERO, &grid, &rates, &none);
        let sent = Adaptive::for_plans(&grid, &vehicle, TARGET, 8.0, Time::ZERO, &rates, &none).to_surface(&grid);
        for (sent, truth) in sent.samples().iter().zip(truth.samples()) {
            assert!(*sent == u32::MAX || sent.abs_diff(*truth) <= 20, "{speed_mps}: {sent} {truth}");
        }
    }
}

/// Nobody can do anything: five bytes.
#[test]
fn an_infeasible_function_is_short() {
    let nothing = Adaptive::fit(100, 100, |_| |_| None);
    assert_eq!(nothing.bytes(), [1, 0, 100, 0, 0]);
    assert!(nothing.to_surface(&GRID).is_infeasible());
    assert_eq!(Adaptive::from_bytes(&nothing.bytes()), Ok(nothing));
}

/// Between a slice with a window and one without, nothing is promised; on the slice itself it is.
#[test]
fn nothing_is_promised_next_to_what_is_infeasible() {
    // No knots; open from 0 at a cost of 1 on heading 0, nothing on heading 180.
    let function = Adaptive::from_bytes(&[1, 0, 100, 0, 2, 0, 0x81, 0, 0, 0, 100, 128, 0]).unwrap();
    assert_eq!(function.cost(50.0, 0.0), Some(1.0));
    for degrees in [1.0_f64, 89.0, 91.0, 180.0, 359.0] {
        assert_eq!(function.cost(50.0, degrees.to_radians()), None, "{degrees}");
    }
    assert_eq!(function.cost(100.1, 0.0), None);
    assert_eq!(function.cost(-0.1, 0.0), None);
}

/// Each way in which bytes can be wrong has its error.
#[test]
fn wrong_bytes_are_named() {
    let right = [1, 0, 100, 1, 1, 250, 39, 16, 32, 0x81, 0, 10, 0, 10];
    let changed = |at: usize, to: u8| {
        let mut bytes = right;
        bytes[at] = to;
        Adaptive::from_bytes(&bytes)
    };
    assert!(changed(0, 1).is_ok());
    assert_eq!(changed(0, 9), Err(DecodeError::Version(9)));
    assert_eq!(changed(2, 0), Err(DecodeError::NoHorizon));
    assert_eq!(changed(5, 0), Err(DecodeError::Order));
    assert_eq!(changed(10, 255), Err(DecodeError::Order));
    assert_eq!(changed(9, 0x01), Err(DecodeError::Short));
    assert_eq!(Adaptive::from_bytes(&right[..13]), Err(DecodeError::Short));
    assert_eq!(Adaptive::from_bytes(&[&right[..], &[0]].concat()), Err(DecodeError::TooLong(1)));
    assert_eq!(Adaptive::from_bytes(&[]), Err(DecodeError::Short));
    let scaled = |scale: u8, unit: u8| [&[2, 0, 100, 1, 1, scale, unit], &right[5..]].concat();
    assert!(Adaptive::from_bytes(&scaled(3, 2)).is_ok());
    assert_eq!(Adaptive::from_bytes(&scaled(17, 0)), Err(DecodeError::Scale(17)));
    assert_eq!(Adaptive::from_bytes(&scaled(0, 17)), Err(DecodeError::Scale(17)));
    // Two slices on one heading; two windows of which the second begins before the first has ended.
    assert_eq!(Adaptive::from_bytes(&[1, 0, 100, 0, 2, 7, 0, 7, 0]), Err(DecodeError::Order));
    let overlapping = [1, 0, 100, 0, 1, 7, 0x82, 0, 10, 0, 0, 0, 30, 0, 20, 0, 0];
    assert_eq!(Adaptive::from_bytes(&overlapping), Err(DecodeError::Order));
}

fn place() -> impl Strategy<Value = Point> {
    (-30.0..90.0_f64, -30.0..90.0_f64).prop_map(|(x, y)| Point::new(x, y))
}

proptest! {
    /// On the paper's grid it says what the paper's samples say, so that a LEAD can assign from either.
    #[test]
    fn on_the_papers_grid_nothing_is_lost(place in place(), curve in prop_oneof![Just(0.0), Just(0.01)]) {
        let (vehicle, rates, none) = (outlook(place, &[]), Rates { curve, ..Rates::hotspot() }, Preferences::none());
        let fitted = adaptive(&vehicle, &rates, &none);
        let sampled = estimate(&vehicle, TARGET, 8.0, Time::ZERO, &GRID, &rates, &none);
        for (ours, papers) in fitted.to_surface(&GRID).samples().iter().zip(sampled.samples()) {
            let infeasible = (*ours == u32::MAX, *papers == u32::MAX);
            prop_assert!(infeasible.0 == infeasible.1 && ours.abs_diff(*papers) <= 5, "{ours} {papers}");
        }
    }

    /// What a LEAD plans with is what the vehicle would say at that point: nothing is promised that it could not keep, and
    /// nothing is lost, however far it is and whatever its speed.
    #[test]
    fn plans_rest_on_nothing_that_is_not_so(
        place in place(), speed_mps in 0.05..3.0_f64, horizon_s in 60_u64..900, wait in 0.1..5.0_f64,
    ) {
        let grid = Grid::adaptive(Duration::from_secs(horizon_s), None);
        let vehicle = Outlook { speed_mps, ..outlook(place, &[]) };
        let (rates, none) = (Rates { wait, ..Rates::hotspot() }, Preferences::none());
        let fitted = Adaptive::for_plans(&grid, &vehicle, TARGET, 8.0, Time::ZERO, &rates, &none);
        prop_assert!(fitted.bytes().len() <= 64, "{} bytes", fitted.bytes().len());
        let truth = estimate(&vehicle, TARGET, 8.0, Time::ZERO, &grid, &rates, &none);
        let surface = Adaptive::from_bytes(&fitted.bytes()).unwrap().to_surface(&grid);
        for time in 0..grid.times {
            for heading in 0..grid.headings {
                match (surface.get(&grid, time, heading), truth.get(&grid, time, heading)) {
                    // Two bytes for each, relative to the dearest: 6,000 seconds of waiting are told to 0.2.
                    (Some(ours), Some(truth)) => prop_assert!(ours.abs_diff(truth) <= 5 + truth / 2_000, "{ours} {truth}"),
                    (Some(_), None) => prop_assert!(false, "promised at {time}, {heading}"),
                    (None, Some(_)) => {
                        // No more than rounding: the time before cannot be done either.
                        let before = time.checked_sub(1).and_then(|time| truth.get(&grid, time, heading));
                        prop_assert!(before.is_none(), "lost at {time}, {heading}");
                    }
                    (None, None) => {}
                }
            }
        }
    }

    /// Whatever the function, it fits into the budget and comes back from its bytes as it was.
    #[test]
    fn any_function_fits_its_budget(
        values in proptest::collection::vec(proptest::option::of(-1e3..1e3_f64), 1..40), budget in 0_usize..300,
        horizon_s in 0_u16..4_000, times in prop_oneof![Just(1.0), Just(100.0), Just(1e6)],
    ) {
        let fitted = Adaptive::fit(horizon_s, budget, |heading| {
            let values = &values;
            move |at_s| values[(at_s * 0.3 + heading * 2.0) as usize % values.len()].map(|cost| cost * times)
        });
        let bytes = fitted.bytes();
        prop_assert!(bytes.len() <= budget.max(5 + 2 + 3 * 8));
        prop_assert_eq!(Adaptive::from_bytes(&bytes), Ok(fitted));
    }

    /// Arbitrary bytes, also behind a proper beginning, are an error or a function; neither panics.
    #[test]
    fn arbitrary_bytes_do_no_harm(
        bytes in proptest::collection::vec(any::<u8>(), 0..120), knots in 0_u8..3, slices in 0_u8..4,
        at_s in proptest::num::f64::ANY, heading in proptest::num::f64::ANY,
    ) {
        let framed = |version| [&[version, 0, 100, knots, slices], &bytes[..]].concat();
        for bytes in [&bytes, &framed(1), &framed(2)] {
            if let Ok(function) = Adaptive::from_bytes(bytes) {
                function.cost(at_s, heading);
                function.cost(50.0, 1.0);
                function.to_surface(&Grid { step: Duration::from_secs(7), times: 30, headings: 13 });
            }
        }
    }
}
