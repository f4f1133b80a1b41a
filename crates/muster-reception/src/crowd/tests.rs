//! The grid against asking everybody, tick by tick.

use std::cell::RefCell;
use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::{Config as Runs, RngAlgorithm, TestRng, TestRunner};

use super::*;

/// A field, who is on it, and what robots want in each tick.
#[derive(Clone, Debug)]
struct Case {
    setup: Setup,
    seed: u64,
    dt: Duration,
    /// Steps of robots, by tick.
    steps: Vec<Vec<(f64, f64)>>,
}

const ROBOTS: usize = 4;

fn triangular(most: f64) -> impl Strategy<Value = Triangular> {
    prop::collection::vec(prop_oneof![1 => Just(0.0), 1 => Just(most / 2.0), 4 => 0.0..most], 3).prop_map(
        |mut three| {
            three.sort_by(f64::total_cmp);
            Triangular::new(three[0], three[1], three[2]).expect("they are in order")
        },
    )
}

fn side() -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(2.0), 1 => (2..30).prop_map(f64::from), 4 => 2.0..40.0_f64]
}

/// Whole feet make bodies that touch.
fn place() -> impl Strategy<Value = Place> {
    let whole = (0..40, 0..40).prop_map(|(x, y)| Place::new(f64::from(x), f64::from(y)));
    prop_oneof![whole, (0.0..40.0, 0.0..40.0).prop_map(|(x, y)| Place::new(x, y))]
}

fn step() -> impl Strategy<Value = (f64, f64)> {
    let odd = prop::sample::select(vec![f64::NAN, f64::INFINITY, -1e300, 1e9, 65_536.0]);
    prop_oneof![
        6 => (-2.0..2.0, -2.0..2.0),
        3 => (-2..=2, -2..=2).prop_map(|(x, y)| (f64::from(x), f64::from(y))),
        3 => (-30.0..30.0, -30.0..30.0),
        1 => (-8..=8).prop_map(|x| (f64::from(x), 0.0)),
        1 => Just((0.0, 0.0)),
        1 => (odd, -1.0..1.0),
    ]
}

prop_compose! {
    fn case()(
        width_ft in side(), height_ft in side(), robots in prop::collection::vec(place(), 0..=ROBOTS),
        obstacles in prop::collection::vec(place(), 0..12), speed_fps in triangular(9.0), duration_s in triangular(4.0),
        share in prop_oneof![0.0..0.6_f64, 0.0..1.1_f64], seed in any::<u64>(), dt_ms in prop::sample::select(vec![0, 1, 100, 1_000, 1_700]),
        steps in prop::collection::vec(prop::collection::vec(step(), ROBOTS), 30),
    ) -> Case {
        // Whoever finds its place taken stays at home.
        let mut field = Field::new(width_ft, height_ft).expect("a field");
        let fits = |field: &mut Field, places: Vec<Place>| -> Vec<Place> {
            places.into_iter().filter(|&place| field.put(Who::Robot(0), place).is_ok()).collect()
        };
        let obstacles = fits(&mut field, obstacles);
        let robots = fits(&mut field, robots);
        let count = (share * width_ft * height_ft / 4.0) as usize;
        let guests = Guests::Random { count, gait: Gait { speed_fps, duration_s } };
        Case { setup: Setup { width_ft, height_ft, robots, obstacles, guests }, seed, dt: Duration::from_millis(dt_ms), steps }
    }
}

/// All bodies, in the order in which they move; obstacles last.
fn bodies(crowd: &Crowd) -> Vec<Spot> {
    let Moving::Random(walkers) = &crowd.state.guests else { unreachable!("guests are random here") };
    let robots = crowd.state.robots.iter().map(|robot| robot.at);
    robots.chain(walkers.guests.iter().map(|guest| guest.at)).chain(crowd.state.obstacles.iter().copied()).collect()
}

/// On the field, all of it, reckoned in feet.
fn inside(crowd: &Crowd, at: Spot) -> bool {
    let Place { x, y } = at.into();
    1.0 <= x && x <= crowd.state.width_ft - 1.0 && 1.0 <= y && y <= crowd.state.height_ft - 1.0
}

/// The same tick without a grid.
fn slowly(
    before: &Crowd,
    after: &Crowd,
    dt: Duration,
    wanted: &[Place],
    met: &mut BTreeSet<&'static str>,
) -> Vec<Spot> {
    // Guests draw as their tick begins, so what they walked with stands in what came of it.
    let Moving::Random(walkers) = &after.state.guests else { unreachable!("guests are random here") };
    let mut all = bodies(before);
    let robots = wanted.len();
    for index in 0..robots + walkers.guests.len() {
        let from = all[index];
        let to = if index < robots {
            Spot::nearest(wanted[index])
        } else {
            let scale = walkers::units_in(dt);
            Some(from.moved(walkers.guests[index - robots].velocity_fps.map(|fps| fps * scale)))
        };
        let Some(to) = to.filter(|&to| inside(before, to)) else {
            met.insert("edge");
            continue;
        };
        let (dx, dy) = (f64::from(to.x - from.x), f64::from(to.y - from.y));
        let length = (dx * dx + dy * dy).sqrt();
        let mut blocked = false;
        // As many steps as it takes to have them shorter than 4 ft, to the unit.
        let short = f64::from(4 * FOOT - 1);
        let steps = (1..).find(|&steps| length / f64::from(steps) < short).expect("the field is finite");
        for step in 1..=i64::from(steps) {
            let along = |from: i32, to: i32| from + (i64::from(to - from) * step / i64::from(steps)) as i32;
            let via = Spot::new(along(from.x, to.x), along(from.y, to.y));
            for (other, &spot) in all.iter().enumerate().filter(|(other, _)| *other != index) {
                if spot.overlaps(via) {
                    blocked = true;
                    met.insert(match other {
                        _ if step < i64::from(steps) => "on the way",
                        _ if other < robots => "robot",
                        _ if other < robots + walkers.guests.len() => "guest",
                        _ => "obstacle",
                    });
                }
            }
        }
        if !blocked {
            all[index] = to;
            met.insert(if steps > 1 { "leapt" } else { "advanced" });
        }
    }
    all
}

fn run(case: &Case, met: &mut BTreeSet<&'static str>) -> Result<(), TestCaseError> {
    let mut crowd = match Crowd::new(&case.setup, case.seed) {
        Ok(crowd) => crowd,
        Err(CrowdError::Full { .. }) => {
            met.insert("full");
            return Ok(());
        }
        Err(error) => return Err(TestCaseError::fail(error.to_string())),
    };
    for steps in &case.steps {
        let before = crowd.clone();
        let wanted: Vec<Place> =
            crowd.robots().zip(steps).map(|(at, step)| Place::new(at.x + step.0, at.y + step.1)).collect();
        crowd.tick(case.dt, &wanted);

        let all = bodies(&crowd);
        prop_assert_eq!(&all, &slowly(&before, &crowd, case.dt, &wanted, met));
        for (index, &spot) in all.iter().enumerate() {
            prop_assert!(inside(&crowd, spot), "{spot:?} is off the field");
            prop_assert!(!all[..index].iter().any(|other| other.overlaps(spot)), "{spot:?} overlaps another body");
        }
        for (index, &place) in wanted.iter().enumerate() {
            let advanced = crowd.outcome(index).is_advanced();
            let expected = if advanced { rounded(place) } else { before.robot(index) };
            prop_assert_eq!(crowd.robot(index), expected);
        }
    }
    Ok(())
}

/// Check 44, and 43 with 46: whatever robots want, nobody overlaps anybody or leaves the field, and who is blocked is
/// who would be if everybody were asked. A fixed seed; PROPTEST_CASES=20000 looks further.
#[test]
fn nobody_overlaps_and_the_grid_misses_nobody() {
    let runs = Runs { failure_persistence: None, ..Runs::default() };
    let mut runner = TestRunner::new_with_rng(runs, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let met = RefCell::new(BTreeSet::new());
    let result = runner.run(&case(), |case| run(&case, &mut met.borrow_mut()));
    if let Err(why) = result {
        panic!("{why}");
    }
    let expected = ["advanced", "edge", "full", "guest", "leapt", "obstacle", "on the way", "robot"];
    assert_eq!(met.into_inner(), BTreeSet::from(expected));
}

/// At exactly 2 ft and a unit to either side, across every edge of a cell.
#[test]
fn bodies_touch_exactly() {
    for corner in [0, 1, 2 * FOOT - 1, FOOT] {
        let at = Spot::new(8 * FOOT + corner, 8 * FOOT + corner);
        for dx in [-2 * FOOT - 1, -2 * FOOT, -2 * FOOT + 1, -1, 0, 1, 2 * FOOT - 1, 2 * FOOT, 2 * FOOT + 1] {
            for dy in [-2 * FOOT - 1, -2 * FOOT, -2 * FOOT + 1, 0, 2 * FOOT - 1, 2 * FOOT, 2 * FOOT + 1] {
                let other = Spot::new(at.x + dx, at.y + dy);
                let mut grid = Grid::new(20 * FOOT, 20 * FOOT);
                assert_eq!(grid.put(at), Ok(()));
                assert_eq!(grid.put(other).is_ok(), !at.overlaps(other), "{dx} {dy} from {at:?}");
            }
        }
    }
}
