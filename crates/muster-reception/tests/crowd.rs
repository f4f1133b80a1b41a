//! What [CARS] asks of a crowd, through the public interface. Checks are numbered as in the list that the reception is
//! held against; the property behind most of them, that nobody ever overlaps, is tested beside the code.

use std::f64::consts::TAU;

use muster_core::rng::{Purpose, Stream};
use muster_core::{Duration, Time};
use muster_reception::crowd::{
    Advance, Crowd, CrowdError, Deed, Entry, Gait, GuestLog, Guests, LogError, Place, Setup, Triangular, Who, rounded,
};

const SECOND: Duration = Duration::from_secs(1);

fn triangular(min: f64, mode: f64, max: f64) -> Triangular {
    Triangular::new(min, mode, max).expect("they are in order")
}

fn gait(speed: [f64; 3], duration: [f64; 3]) -> Gait {
    let [speed_fps, duration_s] = [speed, duration].map(|[min, mode, max]| triangular(min, mode, max));
    Gait { speed_fps, duration_s }
}

fn field(side_ft: f64) -> Setup {
    let guests = Guests::Random { count: 0, gait: gait([0.0, 1.0, 3.0], [2.0, 5.0, 15.0]) };
    Setup { width_ft: side_ft, height_ft: side_ft, robots: Vec::new(), obstacles: Vec::new(), guests }
}

fn with_guests(side_ft: f64, count: usize) -> Setup {
    Setup { guests: Guests::Random { count, gait: gait([0.0, 1.0, 3.0], [2.0, 5.0, 15.0]) }, ..field(side_ft) }
}

fn of_one_robot(start: Place, obstacles: Vec<Place>) -> Crowd {
    Crowd::new(&Setup { robots: vec![start], obstacles, ..field(50.0) }, 1).expect("there is room")
}

fn message(setup: &Setup) -> String {
    Crowd::new(setup, 1).expect_err("it cannot be").to_string()
}

/// Checks 10 and 11.
#[test]
fn the_field_of_the_paper_holds_a_hundred_guests() {
    let robots = vec![Place::new(25.0, 25.0), Place::new(25.0, 6.0)];
    for seed in 0..50 {
        let mut crowd = Crowd::new(&Setup::cars_2002(robots.clone()), seed).expect("there is room");
        assert_eq!((crowd.guest_count(), crowd.field_ft()), (100, (50.0, 50.0)));
        let before: Vec<Place> = crowd.guests().map(|guest| guest.place).collect();
        (0..10).for_each(|_| crowd.tick(SECOND, &robots));
        let moved = crowd.guests().zip(before).filter(|(guest, before)| guest.place != *before).count();
        assert!(moved > 70, "{moved} have moved");
        assert_eq!(crowd.now(), Time::from_micros(10_000_000));
    }
}

/// Check 12.
#[test]
fn triples_out_of_order_are_refused() {
    for (min, mode, max) in
        [(2.0, 1.0, 3.0), (0.0, 4.0, 3.0), (-1.0, 0.0, 1.0), (0.0, f64::NAN, 1.0), (0.0, 1.0, f64::INFINITY)]
    {
        let error = Triangular::new(min, mode, max).expect_err("it makes no sense");
        assert!(error.to_string().contains("0 <= min <= mode <= max"), "{error}");
    }
    let mut dice = Stream::of_run(1, Purpose::Guests);
    for certain in [0.0, 2.5] {
        let before = dice.clone();
        assert_eq!(triangular(certain, certain, certain).draw(&mut dice), certain);
        assert_eq!(dice, before, "what is certain draws nothing");
    }
}

/// Check 13.
#[test]
fn obstacles_may_touch_and_may_not_overlap() {
    let mut setup = field(20.0);
    setup.obstacles = vec![Place::new(5.0, 5.0), Place::new(7.0, 5.0), Place::new(7.0, 7.0), Place::new(1.0, 19.0)];
    Crowd::new(&setup, 1).expect("they touch");
    setup.obstacles.push(Place::new(8.9, 8.0));
    let text = message(&setup);
    assert!(text.starts_with("obstacle 4 at (8.9, 8.0) overlaps another body at (7.0, 7.0)"), "{text}");
    setup.obstacles[4] = Place::new(19.5, 3.0);
    let text = message(&setup);
    assert!(text.starts_with("obstacle 4 at (19.5, 3.0) is not all on the field of 20 x 20 ft"), "{text}");
}

/// Check 14.
#[test]
fn robots_start_where_they_are_told_unless_the_place_is_taken() {
    let mut setup = with_guests(50.0, 100);
    setup.robots = vec![Place::new(25.0, 25.0), Place::new(3.5, 40.25)];
    let crowd = Crowd::new(&setup, 1).expect("there is room");
    assert_eq!(crowd.robots().collect::<Vec<_>>(), setup.robots);
    setup.robots.push(Place::new(26.0, 24.0));
    let taken = CrowdError::Taken { who: Who::Robot(2), place: setup.robots[2], other: setup.robots[0] };
    assert_eq!(Crowd::new(&setup, 1), Err(taken));
    setup.robots[2] = Place::new(f64::NAN, 2.0);
    assert!(matches!(Crowd::new(&setup, 1), Err(CrowdError::Outside { who: Who::Robot(2), .. })));
}

/// Check 16.
#[test]
fn guests_for_whom_there_is_no_room_are_refused_at_once() {
    for (side_ft, count) in [(10.0, 26), (50.0, 626), (2.0, 2), (50.0, usize::MAX), (16_384.0, usize::MAX / 2)] {
        let text = message(&with_guests(side_ft, count));
        assert!(text.contains("guests find no place") && text.contains("fewer, or for a larger field"), "{text}");
    }
    // An obstacle in the middle of four places leaves room for none of them.
    let setup = Setup { obstacles: vec![Place::new(2.0, 2.0)], ..with_guests(4.0, 1) };
    assert!(message(&setup).starts_with("1 guests find no place beside 1 other bodies on 4 x 4 ft"));
    for side_ft in [1.9, 0.0, -5.0, f64::NAN, 16_385.0, f64::INFINITY] {
        assert!(matches!(Crowd::new(&field(side_ft), 1), Err(CrowdError::Field { .. })));
    }
}

#[test]
fn a_full_field_stands_still_and_an_empty_one_is_ordinary() {
    let mut full = Crowd::new(&with_guests(10.0, 25), 1).expect("in rows they fit");
    let before: Vec<Place> = full.guests().map(|guest| guest.place).collect();
    (0..100).for_each(|_| full.tick(SECOND, &[]));
    assert!(full.guests().map(|guest| guest.place).eq(before));

    let mut empty = Crowd::new(&field(50.0), 1).expect("nobody needs no room");
    (0..100).for_each(|_| empty.tick(SECOND, &[]));
    assert_eq!(empty.guest_count(), 0);
}

/// Check 40: touching is no collision; an overlap of a hair is.
#[test]
fn a_robot_gets_as_far_as_the_side_of_a_body() {
    let mut crowd = of_one_robot(Place::new(10.0, 10.0), vec![Place::new(13.0, 10.5)]);
    crowd.tick(SECOND, &[Place::new(11.001, 10.0)]);
    assert_eq!(crowd.outcome(0), Advance::Blocked(Place::new(13.0, 10.5)));
    assert_eq!(crowd.robot(0), Place::new(10.0, 10.0));
    crowd.tick(SECOND, &[Place::new(11.0, 10.0)]);
    assert!(crowd.outcome(0).is_advanced());
    // Along the side of it, and over its top.
    for place in [Place::new(11.0, 12.5), Place::new(14.0, 12.5), Place::new(15.0, 10.0)] {
        crowd.tick(SECOND, &[place]);
        assert_eq!((crowd.outcome(0), crowd.robot(0)), (Advance::Advanced, place));
    }
}

/// The field's edge, which the paper does not mention.
#[test]
fn no_part_of_a_robot_leaves_the_field() {
    let mut crowd = of_one_robot(Place::new(2.0, 2.0), Vec::new());
    for place in [Place::new(0.999, 2.0), Place::new(2.0, -3.0), Place::new(1e300, 2.0), Place::new(2.0, f64::NAN)] {
        crowd.tick(SECOND, &[place]);
        assert_eq!((crowd.outcome(0), crowd.robot(0)), (Advance::AtEdge, Place::new(2.0, 2.0)));
    }
    crowd.tick(SECOND, &[Place::new(1.0, 1.0)]);
    assert!(crowd.outcome(0).is_advanced());
}

/// Checks 41 and 48: directions by Pearson's test at 36 sectors; 57.3 is the 99 % point of chi-square with 35 degrees of
/// freedom.
#[test]
fn draws_have_the_mean_the_range_and_the_directions_asked_for() {
    const DRAWS: u32 = 10_000;
    for (min, mode, max) in [(0.0, 1.0, 3.0), (2.0, 5.0, 15.0), (1.0, 1.0, 4.0), (1.0, 4.0, 4.0)] {
        let mut dice = Stream::of_run(9, Purpose::Guests);
        let shape = triangular(min, mode, max);
        let drawn: Vec<f64> = (0..DRAWS).map(|_| shape.draw(&mut dice)).collect();
        assert!(drawn.iter().all(|value| (min..=max).contains(value)));
        let mean = drawn.iter().sum::<f64>() / f64::from(DRAWS);
        assert!((mean / shape.mean() - 1.0).abs() < 0.02, "{shape}: a mean of {mean}");
        // Below the mode lies its share, to five standard deviations.
        let below = drawn.iter().filter(|value| **value < mode).count() as f64 / f64::from(DRAWS);
        assert!((below - (mode - min) / (max - min)).abs() < 0.025, "{shape}: {below} below the mode");
    }

    let crowd = Crowd::new(&with_guests(500.0, DRAWS as usize), 4).expect("there is room");
    let (mut sectors, mut sum) = ([0_u32; 36], 0.0);
    for guest in crowd.guests() {
        let [east, north] = guest.velocity_fps;
        sum += libm::hypot(east, north);
        sectors[(libm::atan2(north, east).rem_euclid(TAU) / TAU * 36.0) as usize % 36] += 1;
    }
    let mean = sum / f64::from(DRAWS);
    assert!((mean / (4.0 / 3.0) - 1.0).abs() < 0.02, "a mean speed of {mean}");
    let expected = f64::from(DRAWS) / 36.0;
    let chi_square: f64 = sectors.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
    assert!(chi_square < 57.3, "{chi_square}");
}

/// Check 42.
#[test]
fn a_guest_keeps_its_velocity_until_its_duration_is_over() {
    let mut crowd = Crowd::new(&with_guests(50.0, 100), 3).expect("there is room");
    let (mut kept, mut changed) = (0, 0);
    for _ in 0..100 {
        let before: Vec<_> = crowd.guests().collect();
        let now = crowd.now();
        crowd.tick(SECOND, &[]);
        for (before, after) in before.iter().zip(crowd.guests()) {
            if before.until <= now {
                assert!(after.velocity_fps != before.velocity_fps && after.until > now);
                changed += 1;
            } else {
                assert_eq!((after.velocity_fps, after.until), (before.velocity_fps, before.until));
                kept += 1;
            }
            let walked = [0, 1].map(|axis| [after.place.x - before.place.x, after.place.y - before.place.y][axis]);
            let asked = after.velocity_fps;
            let moves = (0..2).all(|axis| (walked[axis] - asked[axis]).abs() < 1e-4);
            assert!(moves || walked == [0.0; 2], "{walked:?} instead of {asked:?}");
        }
    }
    assert!(kept > 5_000 && changed > 1_000, "{kept} kept theirs, {changed} changed");
}

/// A lone guest in the open covers its speed.
#[test]
fn one_guest_walks_straight() {
    let setup = Setup { guests: Guests::Random { count: 1, gait: gait([0.5; 3], [1e6; 3]) }, ..field(1_000.0) };
    let mut crowd = Crowd::new(&setup, 5).expect("there is room");
    let start = crowd.guest(0).place;
    (0..100).for_each(|_| crowd.tick(Duration::from_millis(100), &[]));
    assert!((crowd.guest(0).place.distance_ft(start) - 5.0).abs() < 0.01);
}

/// Check 43: whoever is behind in the order is blocked, and the others move on.
#[test]
fn the_first_of_two_gets_the_place() {
    let starts = [Place::new(10.0, 10.0), Place::new(16.0, 10.0), Place::new(30.0, 30.0)];
    let mut crowd = Crowd::new(&Setup { robots: starts.to_vec(), ..field(50.0) }, 1).expect("there is room");
    crowd.tick(SECOND, &[Place::new(12.5, 10.0), Place::new(13.5, 10.0), Place::new(31.0, 30.0)]);
    assert_eq!(crowd.outcome(0), Advance::Advanced);
    assert_eq!(crowd.outcome(1), Advance::Blocked(Place::new(12.5, 10.0)));
    assert_eq!(crowd.outcome(2), Advance::Advanced);
    // Check 46: who has left makes room for those after it, not for those before.
    crowd.tick(SECOND, &[Place::new(10.5, 10.0), Place::new(12.6, 10.0), Place::new(31.0, 30.0)]);
    assert!(crowd.outcome(0).is_advanced() && crowd.outcome(1).is_advanced());
    crowd.tick(SECOND, &[Place::new(10.7, 10.0), Place::new(14.0, 10.0), Place::new(31.0, 30.0)]);
    assert_eq!(crowd.outcome(0), Advance::Blocked(rounded(Place::new(12.6, 10.0))));
}

/// Check 45.
#[test]
fn a_blocked_robot_stays_blocked_until_it_wants_something_else() {
    let mut crowd = of_one_robot(Place::new(10.0, 10.0), vec![Place::new(12.0, 10.0)]);
    for _ in 0..100 {
        crowd.tick(SECOND, &[Place::new(11.0, 10.0)]);
        assert!(!crowd.outcome(0).is_advanced());
        assert_eq!(crowd.robot(0), Place::new(10.0, 10.0));
    }
    crowd.tick(SECOND, &[Place::new(10.0, 11.0)]);
    assert!(crowd.outcome(0).is_advanced());
    crowd.tick(SECOND, &[Place::new(10.0, 11.0)]);
    assert!(crowd.outcome(0).is_advanced(), "whoever stays gets what it wants");
}

/// Check 47.
#[test]
fn nothing_leaps_over_a_body() {
    let wall: Vec<Place> = (0..25).map(|row| Place::new(20.0, 1.0 + 2.0 * f64::from(row))).collect();
    for feet in 1..=300 {
        let far = 10.0 + f64::from(feet) / 8.0;
        let mut crowd = of_one_robot(Place::new(10.0, 10.3), wall.clone());
        crowd.tick(SECOND, &[Place::new(far, 10.3)]);
        assert_eq!(crowd.outcome(0).is_advanced(), far <= 18.0, "to {far}");
    }
    let mut setup = Setup { obstacles: wall, ..field(50.0) };
    setup.guests = Guests::Random { count: 60, gait: gait([0.0, 10.0, 40.0], [1.0, 2.0, 3.0]) };
    let mut crowd = Crowd::new(&setup, 2).expect("there is room");
    let west: Vec<bool> = crowd.guests().map(|guest| guest.place.x < 20.0).collect();
    let start = crowd.guest(0).place;
    (0..1_000).for_each(|_| crowd.tick(SECOND, &[]));
    assert!(crowd.guests().map(|guest| guest.place.x < 20.0).eq(west), "nobody gets through a wall");
    assert_ne!(crowd.guest(0).place, start);
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_what_was_saved_goes_on() {
    let robots = vec![Place::new(25.0, 25.0), Place::new(25.0, 6.0)];
    let run = |seed| Crowd::new(&Setup::cars_2002(robots.clone()), seed).expect("there is room");
    let bytes = |crowd: &Crowd| postcard::to_stdvec(crowd).expect("a crowd can be saved");
    let go = |crowd: &mut Crowd, ticks| {
        for _ in 0..ticks {
            let wanted: Vec<Place> = crowd.robots().map(|at| at.ahead(1.0, 0.5)).collect();
            crowd.tick(SECOND, &wanted);
        }
    };
    let (mut one, mut other) = (run(7), run(7));
    go(&mut one, 100);
    go(&mut other, 40);
    let mut loaded: Crowd = postcard::from_bytes(&bytes(&other)).expect("it can be loaded");
    assert_eq!(loaded, other);
    go(&mut loaded, 60);
    assert_eq!(loaded, one);
    assert_eq!(bytes(&loaded), bytes(&one));
    let mut elsewhere = run(8);
    go(&mut elsewhere, 100);
    assert_ne!(elsewhere, one);
}

/// On every machine: draws, trigonometry and rounding are all in these numbers.
#[test]
fn places_are_pinned() {
    let mut crowd = Crowd::new(&Setup::cars_2002(Vec::new()), 7).expect("there is room");
    (0..100).for_each(|_| crowd.tick(SECOND, &[]));
    let Place { x, y } = crowd.guest(42).place;
    assert_eq!([x, y].map(|feet| feet * 32_768.0), PINNED, "a change here changes every published figure");
}
const PINNED: [f64; 2] = [781_833.0, 1_424_184.0];

/// What was meddled with is refused.
#[test]
fn a_saved_crowd_is_checked() {
    let crowd = Crowd::new(&Setup::cars_2002(vec![Place::new(25.0, 25.0)]), 7).expect("there is room");
    let text = serde_json::to_string(&crowd).expect("a crowd can be saved");
    assert_eq!(serde_json::from_str::<Crowd>(&text).expect("it can be loaded"), crowd);
    let small = text.replace(r#""width_ft":50.0"#, r#""width_ft":25.5"#);
    let error = serde_json::from_str::<Crowd>(&small).expect_err("robots are outside").to_string();
    assert!(error.contains("robot 0 at (25.0, 25.0) is not all on the field of 25.5 x 50 ft"), "{error}");
}

fn entry(at_ms: u64, guest: u32, does: Deed) -> Entry {
    Entry { at: Time::from_micros(at_ms * 1_000), guest, does }
}

fn east(speed_fps: f64) -> Deed {
    Deed::Walks { heading: 0.0, speed_fps }
}

#[test]
fn logged_guests_are_where_the_log_has_them() {
    let starts = vec![Place::new(5.0, 5.0), Place::new(5.0, 10.0)];
    let entries = vec![
        entry(1_000, 1, Deed::IsAt(Place::new(6.0, 11.0))),
        entry(1_500, 0, east(2.0)),
        entry(2_250, 0, east(1.0)),
        entry(3_000, 1, Deed::IsAt(Place::new(20.0, 30.0))),
        entry(3_500, 1, east(1.0)),
    ];
    let log = GuestLog::new(starts, entries).expect("it is in order");
    let mut crowd = Crowd::new(&Setup { guests: Guests::Logged(log), ..field(50.0) }, 1).expect("there is room");
    let mut places = Vec::new();
    for _ in 0..4 {
        crowd.tick(SECOND, &[]);
        places.push([0, 1].map(|guest| crowd.guest(guest).place));
    }
    let place = Place::new;
    assert_eq!(
        places,
        [
            [place(5.0, 5.0), place(6.0, 11.0)],
            [place(6.0, 5.0), place(6.0, 11.0)],
            [place(7.25, 5.0), place(20.0, 30.0)],
            [place(8.25, 5.0), place(20.5, 30.0)],
        ]
    );
}

#[test]
fn logged_guests_are_blocked_like_others() {
    let starts = vec![Place::new(5.0, 5.0), Place::new(5.0, 20.0)];
    let entries = vec![entry(0, 0, east(1.0)), entry(0, 1, Deed::IsAt(Place::new(10.0, 20.0)))];
    let log = GuestLog::new(starts, entries).expect("it is in order");
    let robots = vec![Place::new(8.5, 5.0), Place::new(11.0, 20.0)];
    let setup = Setup { robots: robots.clone(), guests: Guests::Logged(log), ..field(50.0) };
    let mut crowd = Crowd::new(&setup, 1).expect("there is room");
    (0..5).for_each(|_| crowd.tick(SECOND, &robots));
    assert_eq!(crowd.guest(0).place, Place::new(6.0, 5.0));
    assert_eq!(crowd.guest(1).place, Place::new(5.0, 20.0));

    // The robots go away, and a saved crowd goes on like the one that was saved.
    let bytes = postcard::to_stdvec(&crowd).expect("a crowd can be saved");
    let mut loaded: Crowd = postcard::from_bytes(&bytes).expect("it can be loaded");
    for crowd in [&mut crowd, &mut loaded] {
        crowd.tick(SECOND, &[Place::new(8.5, 8.0), Place::new(12.0, 20.0)]);
        assert_eq!(crowd.guest(0).place, Place::new(7.0, 5.0), "what it lost is not made up for");
        assert_eq!(crowd.guest(1).place, Place::new(10.0, 20.0), "it has tried every tick");
    }
    assert_eq!(crowd, loaded);
}

#[test]
fn logs_that_cannot_be_followed_are_refused() {
    let log = |entries| GuestLog::new(vec![Place::new(5.0, 5.0)], entries);
    let stranger = log(vec![entry(0, 1, east(1.0))]);
    assert_eq!(stranger, Err(LogError::UnknownGuest { entry: 0, guest: 1, guests: 1 }));
    let backwards = log(vec![entry(2_000, 0, east(1.0)), entry(1_000, 0, east(1.0))]);
    assert_eq!(backwards, Err(LogError::OutOfOrder { entry: 1, at: Time::from_micros(1_000_000) }));
    for does in [east(f64::NAN), east(-1.0), Deed::IsAt(Place::new(f64::INFINITY, 1.0))] {
        assert!(matches!(log(vec![entry(0, 0, does)]), Err(LogError::NoNumber { entry: 0, .. })));
    }
    let outside = GuestLog::new(vec![Place::new(0.5, 5.0)], Vec::new()).expect("the field is not known yet");
    let setup = Setup { guests: Guests::Logged(outside), ..field(50.0) };
    assert!(matches!(Crowd::new(&setup, 1), Err(CrowdError::Outside { who: Who::Guest(0), .. })));
}
