//! The cost estimator against what the paper says about its example, and against its own definitions.

use muster_core::tasking::corridor::Corridor;
use muster_core::tasking::cost::{
    Air, Berth, Grid, HeadingPreference, Outlook, Pending, Preferences, Quote, Rates, Slice, Supply, Surface,
    TimePreference, cost_at, estimate,
};
use muster_core::{Base, Duration, Point, Time};
use proptest::prelude::*;

const TARGET: Point = Point::new(31.8, 27.9);
const LENGTH: f64 = 8.0;
const DOUG2: Point = Point::new(17.94, 14.04);
const DOUG3: Point = Point::new(25.54, 51.28);
const DOUG4: Point = Point::new(46.40, 27.90);
/// Any instant: costs count from it.
const T0: Time = Time::from_micros(7_000_000);
const GRID: Grid = Grid::mackenzie_2003();

fn outlook(place: Point) -> Outlook<'static> {
    Outlook { place, free_at: Time::ZERO, speed_mps: 1.0, endurance_m: None, pending: &[], supply: None }
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

/// [MacKenzie §3] 21 times x 8 headings x 2 bytes = 336 bytes, every 5 s from 0 to 100 s, every 45 degrees.
#[test]
fn a_bid_takes_336_bytes() {
    let surface = bid(&outlook(DOUG2));
    let quote = Quote::sampled(&surface);
    assert_eq!(quote.len(), 336);
    assert_eq!(quote.surface(&GRID), Some(surface.clone()));
    assert!(surface.fits(&GRID));
    // Time-major: 20 s, 45 degrees is sample 4 * 8 + 1.
    assert!(matches!(&quote, Quote::Sampled(samples) if samples[33] == 4_000), "{quote:?}");
    assert_eq!((GRID.time(20), GRID.heading_deg(7)), (Duration::from_secs(100), 315.0));
    assert_eq!(surface.get(&GRID, 21, 0), None);
    assert_eq!(surface.get(&GRID, 4, 8), None);
}

/// [MacKenzie §4, Figure 4] "Minimum costs occur along paths that reach the target just in time"; later costs rise.
#[test]
fn costs_rise_with_waiting_at_every_heading() {
    for place in [DOUG2, DOUG3, DOUG4] {
        let surface = bid(&outlook(place));
        for degrees in (0..360).step_by(45) {
            let slice: Vec<f64> = (0..=100).step_by(5).filter_map(|seconds| at(&surface, seconds, degrees)).collect();
            assert!(slice.windows(2).all(|pair| (pair[1] - pair[0] - 10.0).abs() < 0.011), "{slice:?}");
            assert!(at(&surface, 100, degrees).is_some());
        }
    }
}

/// [MacKenzie §4, Figure 5] Each vehicle has the lowest cost on the heading on which it is assigned.
#[test]
fn vehicles_prefer_the_headings_that_they_are_assigned() {
    for (place, preferred) in [(DOUG2, 45), (DOUG3, 270), (DOUG4, 180)] {
        let surface = bid(&outlook(place));
        let least =
            |degrees| (0..=100).step_by(5).filter_map(|seconds| at(&surface, seconds, degrees)).fold(1e9, f64::min);
        let best = (0..360).step_by(45).min_by(|&a, &b| least(a).total_cmp(&least(b)));
        assert_eq!(best, Some(preferred));
        assert_eq!(surface.least().map(|cost| f64::from(cost) / 100.0), Some(least(preferred)));
    }
}

/// The model as a formula, off the grid: A travel + B wait + curve wait^2 + G detour.
#[test]
fn a_cost_is_the_sum_of_its_parts() {
    let rates = Rates { travel: 3.0, wait: 5.0, detour: 7.0, fuel: 0.0, curve: 0.01 };
    let vehicle = Outlook { speed_mps: 2.0, free_at: T0 + Duration::from_secs(4), ..outlook(DOUG3) };
    let heading = 1.0;
    let distance = Corridor { target: TARGET, heading, length_m: LENGTH }.distance_m(DOUG3);
    let (travel, detour) = (distance / 2.0, (distance - DOUG3.distance(TARGET)) / 2.0);
    let wait = 33.3 - 4.0 - travel;
    let cost = exact(&vehicle, &rates, &Preferences::none(), 33.3, heading).unwrap();
    let expected = 3.0 * travel + 5.0 * wait + 0.01 * wait * wait + 7.0 * detour;
    assert!((cost - expected).abs() < 1e-9, "{cost}, not {expected}");
}

/// Bids are for the state at t0: a vehicle that is free earlier holds until then, and pays for no earlier wait.
#[test]
fn nobody_leaves_before_t0() {
    let early = bid(&outlook(DOUG2));
    let in_time = bid(&Outlook { free_at: T0, ..outlook(DOUG2) });
    let late = bid(&Outlook { free_at: T0 + Duration::from_secs(5), ..outlook(DOUG2) });
    assert_eq!(early, in_time);
    assert_eq!((at(&late, 20, 45), at(&late, 25, 45)), (None, Some(40.0)));
    assert_eq!(exact(&outlook(DOUG2), &Rates::hotspot(), &Preferences::none(), -1.0, 0.0), None);
}

/// To the microsecond: a vehicle that takes exactly as long as it has is in time.
#[test]
fn just_in_time_is_in_time() {
    let on_axis = Outlook { place: Point::new(TARGET.x - 20.0, TARGET.y), ..outlook(DOUG2) };
    assert_eq!(at(&bid(&on_axis), 20, 0), Some(40.0));
    assert_eq!(exact(&on_axis, &Rates::hotspot(), &Preferences::none(), 19.999_999, 0.0), None);
}

/// A vehicle that flies east along the axis, with one task there at 50 s.
fn busy(pending: &[Pending]) -> Outlook<'_> {
    Outlook { place: Point::new(-30.0, 0.0), pending, ..outlook(DOUG2) }
}

fn seconds(after_t0: f64) -> Time {
    T0 + Duration::from_secs_f64(after_t0)
}

fn east(x: f64) -> Corridor {
    Corridor { target: Point::new(x, 0.0), heading: 0.0, length_m: 8.0 }
}

/// The cost of a task at (x, 0), flown east.
fn inserted(outlook: &Outlook, x: f64, after_t0: f64) -> Option<f64> {
    let (rates, none) = (Rates::hotspot(), Preferences::none());
    cost_at(outlook, Point::new(x, 0.0), 8.0, T0, &rates, &none, seconds(after_t0), 0.0)
}

/// After a pending task the vehicle comes from its exit, 8 s after it was over the target.
#[test]
fn the_way_starts_at_the_exit_of_the_task_before() {
    let pending = [Pending { at: seconds(50.0), corridor: east(0.0) }];
    let vehicle = busy(&pending);
    // Exit at (8, 0) at 58 s; from there 12 to x = 20.
    assert_eq!(inserted(&vehicle, 20.0, 69.9), None);
    assert!((inserted(&vehicle, 20.0, 70.0).unwrap() - 24.0).abs() < 1e-6);
    assert!((inserted(&vehicle, 20.0, 75.0).unwrap() - 34.0).abs() < 1e-6);
    // At the very time of a pending task it cannot do another.
    assert_eq!(inserted(&vehicle, 0.0, 50.0), None);
}

/// Before a pending task the vehicle must be able to leave in time for it.
#[test]
fn the_next_task_must_stay_in_reach() {
    let pending = [Pending { at: seconds(50.0), corridor: east(0.0) }];
    let vehicle = busy(&pending);
    // Over x = -20 it has 20 to go, straight on: at 30 s at the latest.
    assert!(inserted(&vehicle, -20.0, 10.0).is_some());
    assert!(inserted(&vehicle, -20.0, 30.0).is_some());
    assert_eq!(inserted(&vehicle, -20.0, 30.1), None);
    // Without the pending task it could be there later.
    assert!(inserted(&busy(&[]), -20.0, 30.1).is_some());
}

/// The extra way to the next task is paid for; a shorter way is no gain.
#[test]
fn a_longer_way_to_the_next_task_is_added() {
    let pending = [Pending { at: seconds(90.0), corridor: east(0.0) }];
    let vehicle = busy(&pending);
    // On the way: 10 to x = -20 and 12 + 8 from its exit, where it would be 30 without.
    assert!((inserted(&vehicle, -20.0, 10.0).unwrap() - 20.0).abs() < 1e-6);
    // Past the next target: 35 to x = 5 with the disc around (0, 0) no obstacle, then back from (13, 0).
    let onward = east(0.0).distance_m(Point::new(13.0, 0.0));
    assert!(onward > 30.0);
    assert!((inserted(&vehicle, 5.0, 35.0).unwrap() - 2.0 * 35.0 - 2.0 * (onward - 30.0)).abs() < 1e-6);
}

/// Endurance must last for all that is pending and for the task, out to the exit.
#[test]
fn endurance_covers_pending_tasks_and_this_one() {
    let with = |endurance_m| Outlook { endurance_m: Some(endurance_m), ..outlook(Point::new(-30.0, 0.0)) };
    assert_eq!(inserted(&with(37.9), 0.0, 40.0), None);
    assert!(inserted(&with(38.0), 0.0, 40.0).is_some());
    let pending = [Pending { at: seconds(50.0), corridor: east(0.0) }];
    // 38 for the pending task, 12 + 8 for the one after it.
    assert_eq!(inserted(&Outlook { pending: &pending, ..with(57.9) }, 20.0, 80.0), None);
    assert!(inserted(&Outlook { pending: &pending, ..with(58.0) }, 20.0, 80.0).is_some());
}

/// The share of endurance that a task uses is paid for.
#[test]
fn fuel_costs_its_share() {
    let rates = Rates { fuel: 100.0, ..Rates::hotspot() };
    let vehicle = Outlook { endurance_m: Some(276.0), ..outlook(DOUG2) };
    let (with, without) = (
        exact(&vehicle, &rates, &Preferences::none(), 20.0, 45_f64.to_radians()).unwrap(),
        exact(&vehicle, &Rates::hotspot(), &Preferences::none(), 20.0, 45_f64.to_radians()).unwrap(),
    );
    assert!((with - without - 100.0 * (DOUG2.distance(TARGET) + 8.0) / 276.0).abs() < 1e-9);
}

/// Room for a task at once, for a vehicle that is in the air or on the ground, with 60 s to go.
fn berth(place: Point, air: Air) -> Berth {
    let (left_m, room_m) = (f64::INFINITY, f64::INFINITY);
    Berth { next: 0, place, free_at: T0, reload_m: None, then_reloads: false, left_m, room_m, loads: 1, air }
}

/// A vehicle whose time in the air counts pays for the share of it that it loiters, and is not over a target from which it
/// could not get back in time.
#[test]
fn loitering_uses_up_endurance() {
    let rates = Rates { fuel: 100.0, ..Rates::hotspot() };
    let heading = 45_f64.to_radians();
    let base = Base { place: TARGET, reload: Duration::from_secs(30) };
    let (endurance, reserve) = (Some(Duration::from_secs(200)), Duration::from_secs(4));
    let cost = |berths: &[Berth], rates: &Rates, after_t0| {
        let supply = Supply { endurance, base: Some(base), reserve, berths };
        exact(&Outlook { supply: Some(supply), ..outlook(DOUG2) }, rates, &Preferences::none(), after_t0, heading)
    };
    let travel = DOUG2.distance(TARGET);
    let aloft = [berth(DOUG2, Air::Until(T0 + Duration::from_secs(60)))];
    let plain = |at| cost(&aloft, &Rates::hotspot(), at).unwrap();
    assert!((plain(20.0) - 40.0).abs() < 0.01);
    for at in [20.0, 30.0, 40.0] {
        let share = (at + 8.0) / 200.0;
        assert!((cost(&aloft, &rates, at).unwrap() - plain(at) - 100.0 * share).abs() < 0.01, "{at}");
    }
    // 8 s out of the corridor, 8 s back to the base below the target, 4 s to spare: 40 s at the latest.
    assert!(cost(&aloft, &rates, 40.0).is_some() && cost(&aloft, &rates, 40.1).is_none());
    // On the ground waiting costs no fuel, and there is no latest time.
    let ground = [berth(DOUG2, Air::Ground(Time::ZERO))];
    let dearer = cost(&ground, &rates, 90.0).unwrap() - cost(&ground, &Rates::hotspot(), 90.0).unwrap();
    assert!((dearer - 100.0 * (travel + 8.0) / 200.0).abs() < 0.01);
    // What follows is over 230 s after t0: who takes off before 30 s is down before.
    let before = [berth(DOUG2, Air::Ground(T0 + Duration::from_secs(230)))];
    assert!(
        cost(&before, &rates, 30.0 + travel - 0.1).is_none() && cost(&before, &rates, 30.0 + travel + 0.1).is_some()
    );
    // Where there is no time left a reload comes first, with its way and its time.
    let ready = T0 + Duration::from_secs(50);
    let reloaded = Berth { free_at: ready, reload_m: Some(20.0), ..berth(TARGET, Air::Ground(Time::ZERO)) };
    let both = [aloft[0], reloaded];
    assert_eq!(cost(&both, &rates, 40.0), cost(&aloft, &rates, 40.0));
    let first = 50.0 + Corridor { target: TARGET, heading, length_m: LENGTH }.distance_m(TARGET);
    assert!(cost(&both, &rates, first - 0.1).is_none());
    let after = cost(&both, &Rates::hotspot(), first).unwrap();
    assert!((after - (2.0 * 20.0 + 2.0 * 30.0 + 2.0 * 16.0 + 16.0)).abs() < 0.01, "{after}");
}

/// [MacKenzie §6] The user changes a cost function: a bias, a price of being late, headings and times dear or forbidden.
#[test]
fn preferences_are_added_or_forbid() {
    let cost = |preferences: &Preferences, seconds, degrees| {
        let surface = estimate(&outlook(DOUG2), TARGET, LENGTH, T0, &GRID, &Rates::hotspot(), preferences);
        at(&surface, seconds, degrees)
    };
    let none = Preferences::none();
    let (plain, beside) = (cost(&none, 40, 45), cost(&none, 40, 0));
    let biased = Preferences { bias: 3.0, late_per_s: 0.5, ..none.clone() };
    assert_eq!(cost(&biased, 40, 45), plain.map(|cost| cost + 3.0 + 20.0));
    let preferred = Preferences { bias: -1_000.0, ..none.clone() };
    assert_eq!(cost(&preferred, 40, 45), Some(0.0));

    let around = |from_deg, to_deg, cost| Preferences {
        headings: vec![HeadingPreference { from_deg, to_deg, cost }],
        ..none.clone()
    };
    assert_eq!(cost(&around(20.0, 70.0, Some(5.0)), 40, 45), plain.map(|cost| cost + 5.0));
    assert_eq!(cost(&around(20.0, 70.0, None), 40, 45), None);
    assert_eq!(cost(&around(20.0, 70.0, None), 40, 0), beside);
    // Through north-east and east: ends included, 315 to 0.
    assert_eq!(cost(&around(315.0, 0.0, None), 40, 0), None);
    assert_eq!(cost(&around(315.0, 0.0, None), 40, 315), None);
    assert_eq!(cost(&around(315.0, 0.0, None), 40, 45), plain);
    assert_eq!(cost(&around(0.0, 360.0, None), 40, 45), None);

    let when = |cost| Preferences { times: vec![TimePreference { from_s: 35.0, to_s: 40.0, cost }], ..none.clone() };
    assert_eq!(cost(&when(None), 40, 45), None);
    assert_eq!(cost(&when(None), 45, 45), cost(&none, 45, 45));
    assert_eq!(cost(&when(Some(1.0)), 35, 45), cost(&none, 35, 45).map(|cost| cost + 1.0));
}

/// A cost too high for any bid is still feasible, and one too high for two bytes of hundredths is nearly what it is, and
/// nothing that would fit is changed by it; a vehicle that cannot move can do nothing.
#[test]
fn extremes_saturate() {
    let dear = Preferences { bias: 1e9, ..Preferences::none() };
    let surface = estimate(&outlook(DOUG2), TARGET, LENGTH, T0, &GRID, &Rates::hotspot(), &dear);
    assert_eq!(surface.get(&GRID, 20, 0), Some(Surface::MOST));
    let late = TimePreference { from_s: 60.0, to_s: 100.0, cost: Some(1e6) };
    let avoided = Preferences { times: vec![late], ..Preferences::none() };
    let surface = estimate(&outlook(DOUG2), TARGET, LENGTH, T0, &GRID, &Rates::hotspot(), &avoided);
    let read = Quote::sampled(&surface).surface(&GRID).expect("it can");
    assert_eq!((at(&read, 20, 45), at(&read, 25, 45)), (Some(40.0), Some(50.0)));
    assert!(at(&read, 60, 45).is_some_and(|cost| (cost - 1_000_120.0).abs() < 40.0), "{:?}", at(&read, 60, 45));
    for speed_mps in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(bid(&Outlook { speed_mps, ..outlook(DOUG2) }).is_infeasible());
    }
}

fn exact(outlook: &Outlook, rates: &Rates, preferences: &Preferences, after_t0: f64, heading: f64) -> Option<f64> {
    let at = if after_t0 < 0.0 { Time::ZERO } else { seconds(after_t0) };
    cost_at(outlook, TARGET, LENGTH, T0, rates, preferences, at, heading)
}

fn place() -> impl Strategy<Value = Point> {
    (-60.0..120.0_f64, -60.0..120.0_f64).prop_map(|(x, y)| Point::new(x, y))
}

prop_compose! {
    fn pending()(at in proptest::collection::vec((0.0..120.0_f64, place(), 0.0..6.3_f64), 0..5)) -> Vec<Pending> {
        let mut pending: Vec<Pending> = at
            .into_iter()
            // Whole multiples of 5 s among them, where one gap becomes the next.
            .map(|(at, target, heading)| Pending {
                at: seconds(if heading < 3.0 { (at / 5.0).round() * 5.0 } else { at }),
                corridor: Corridor { target, heading, length_m: 8.0 },
            })
            .collect();
        pending.sort_by_key(|pending| pending.at);
        pending
    }
}

proptest! {
    /// A sampled function is the exact one, rounded, and a slice of it is the exact one, whatever is pending and preferred.
    #[test]
    fn estimate_samples_cost_at(
        place in place(), pending in pending(), free_at in 0.0..30.0_f64, speed_mps in 1.0..20.0_f64,
        endurance_m in proptest::option::of(50.0..800.0_f64), curve in 0.0..0.02_f64,
        cost in proptest::option::of(0.0..10.0_f64),
    ) {
        let outlook = Outlook { place, free_at: Time::from_secs_f64(free_at), speed_mps, endurance_m, pending: &pending, supply: None };
        let rates = Rates { curve, fuel: 10.0, ..Rates::hotspot() };
        let preferences = Preferences {
            headings: vec![HeadingPreference { from_deg: 80.0, to_deg: 200.0, cost }],
            times: vec![TimePreference { from_s: 50.0, to_s: 60.0, cost }],
            ..Preferences::none()
        };
        let surface = estimate(&outlook, TARGET, LENGTH, T0, &GRID, &rates, &preferences);
        for heading in 0..GRID.headings {
            let slice = Slice::new(&outlook, TARGET, LENGTH, T0, &rates, &preferences, GRID.heading(heading));
            for time in 0..GRID.times {
                let exact = exact(&outlook, &rates, &preferences, 5.0 * f64::from(time), GRID.heading(heading));
                prop_assert_eq!(exact, slice.cost(T0 + GRID.time(time)));
                let sampled = surface.get(&GRID, time, heading).map(f64::from);
                prop_assert_eq!(exact.map(|cost| (cost * 100.0).round().clamp(0.0, 65_534.0)), sampled);
            }
        }
    }
}
