//! Whatever a robot is given: runs of inputs that are drawn from a small world, and what they must have met.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Debug;

use muster_core::{Duration, Point};
use proptest::prelude::*;
use proptest::test_runner::{Config as Runs, RngAlgorithm, TestError, TestRng, TestRunner};

/// Names of the stages and events that a run has met.
pub type Met = BTreeSet<&'static str>;

/// Runs `run` on many of `inputs`, and says what all runs together have met. A fixed seed, so that a check for what was
/// met is never a matter of luck; PROPTEST_CASES=20000 looks further.
pub fn explore<I: Strategy>(inputs: I, run: impl Fn(I::Value) -> Result<Met, TestCaseError>) -> Met
where
    I::Value: Debug,
{
    let runs = Runs { failure_persistence: None, ..Runs::default() };
    let mut runner = TestRunner::new_with_rng(runs, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let all_met = RefCell::new(Met::new());
    let result = runner.run(&inputs, |input| {
        all_met.borrow_mut().extend(run(input)?);
        Ok(())
    });
    match result {
        Ok(()) => all_met.into_inner(),
        Err(TestError::Fail(why, input)) => panic!("{why}\ngiven {input:#?}"),
        Err(TestError::Abort(why)) => panic!("gave up: {why}"),
    }
}

/// Numbers that are sensible, and some that are not.
pub fn real() -> impl Strategy<Value = f64> {
    let odd = vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN_POSITIVE, -0.0];
    prop_oneof![
        4 => -200.0..200.0_f64,
        1 => -5_000.0..5_000.0_f64,
        1 => proptest::num::f64::ANY,
        1 => prop::sample::select(odd),
    ]
}

pub fn point() -> impl Strategy<Value = Point> {
    (real(), real()).prop_map(|(x, y)| Point::new(x, y))
}

/// Mostly less than `usual_s` seconds.
pub fn duration(usual_s: u64) -> impl Strategy<Value = Duration> {
    prop_oneof![
        6 => (0..usual_s * 1_000_000).prop_map(Duration::from_micros),
        1 => Just(Duration::ZERO),
        1 => (0..100_000_u64).prop_map(Duration::from_secs),
        1 => any::<u64>().prop_map(Duration::from_micros),
    ]
}

/// A clock may stand, and it may leap; but even the simulator's ends after 290,000 years, so leaps are shorter.
pub fn wait() -> impl Strategy<Value = Duration> {
    prop_oneof![
        6 => (0..25_000_000_u64).prop_map(Duration::from_micros),
        1 => Just(Duration::ZERO),
        1 => (0..1_000_000_000_000_000_u64).prop_map(Duration::from_micros),
    ]
}
