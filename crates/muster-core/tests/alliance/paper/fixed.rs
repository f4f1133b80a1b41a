//! ALLIANCE, without learning.

use super::*;

/// Our section 6: ALLIANCE is the same machine with designer-set rates and without categories and boredom.
#[test]
fn alliance_has_fixed_rates_no_categories_and_no_boredom() {
    let config = Config { boredom: secs(1e9), ..fixed(4.0, 30.0, 20.0, 50.0) };
    assert!(!config.has_categories() && matches!(config.rates, Rates::Fixed(_)));
    // Whatever is known of it and whoever should do it better.
    for times in [&[][..], &[(ME, 100.0), (R1, 1.0)], &[(ME, 1.0), (R1, 100.0)]] {
        let mut robot = before_a(config.clone(), times);
        assert_eq!(robot.until(4.0).activations(), [(4.0, A)]);
        // psi ...
        robot.before(10.0).give(Voice::of(R1).doing(A, 0.0));
        assert_eq!(robot.until(24.0).quits(), [(24.0, Quit::Yielded { to: R1 })]);
        // ... and phi: what was heard at 10 s counts until 40 s.
        assert!(robot.motivation_at(39.0, A) < 0.51);
        assert_eq!(robot.until(60.0).activations()[1..], [(40.0 + 4.0 * (1.0 - 16.0 / 30.0), A)].map(rounded));
        // lambda
        let since = robot.activations()[1].0;
        let mut alone = before_a(config.clone(), times);
        assert_eq!(alone.until(54.0).quits(), [(54.0, Quit::Hopeless)]);
        assert!(since > 40.0);
    }
}

/// To the microsecond, as clocks have it.
fn rounded((seconds, task): (f64, TaskId)) -> (f64, TaskId) {
    (at(seconds).as_secs_f64(), task)
}
