//! Which task comes first: categories, boredom, the fast rate.

use super::*;

// ---- Categories and boredom ----

/// §8.5 task_category: the first if nobody present should be quicker, and nobody is at it.
#[test]
fn what_a_robot_does_best_is_of_the_first_category() {
    let begins = |times: &[(RobotId, f64)]| before_a(never_bored(FightingChance, Preferred), times).until(9.0).active();
    assert_eq!(begins(&[(ME, 50.0), (R1, 60.0), (R2, 70.0)]), Some(A));
    assert_eq!(begins(&[(ME, 60.0), (R1, 50.0), (R2, 70.0)]), None);
    assert_eq!(begins(&[(ME, 60.0), (R1, 70.0), (R2, 50.0)]), None);
    // The minimum includes the robot itself, so equals are all best.
    assert_eq!(begins(&[(ME, 50.0), (R1, 50.0)]), Some(A));
    // What only this robot is known to do.
    assert_eq!(begins(&[(ME, 50.0)]), Some(A));
}

/// §8.5: "and if r_i has not received a message from any other robot on the team".
#[test]
fn what_another_is_at_is_of_the_second_category() {
    let mut robot = before_a(never_bored(FightingChance, Preferred), &[(ME, 50.0), (R1, 60.0)]);
    let mut mate = Voice::of(R1);
    robot.before(0.5).give(mate.doing(A, 0.0));
    assert_eq!(robot.motivation_at(1_000.0, A), 0.0);
    robot.give(mate.idle());
    assert_eq!(robot.until(1_005.0).active(), Some(A));
}

/// §8.5: a robot that has learned nothing of itself has nothing that it does best.
#[test]
fn without_knowledge_every_task_is_of_the_second_category() {
    assert_eq!(before_a(never_bored(FightingChance, Preferred), &[]).until(1_000.0).active(), None);
    assert_eq!(before_a(never_bored(BestWins, Preferred), &[(R1, 60.0)]).until(1_000.0).active(), None);
    // All alike, so min_delay after boredom.
    assert_eq!(before_a(quiet(BestWins, Preferred), &[]).until(60.0).activations(), [(11.0, A)]);
}

/// K1: one sentence of §8.5 has robots "blinded to category 1 tasks"; the formula and §7.2.2 say the second.
#[test]
fn a_robot_is_blind_to_the_second_category_not_to_the_first() {
    let known = knows(&[(A, &[(ME, 60.0), (R1, 50.0)]), (B, &[(ME, 50.0), (R1, 60.0)])]);
    for strategy in [BestWins, FightingChance] {
        let mut robot = Robot::new(ME, never_bored(strategy, Preferred), &known);
        robot.give(sees(A));
        robot.give(sees(B));
        assert_eq!(robot.motivation_at(0.5, A), 0.0);
        assert!(robot.motivation_at(0.5, B) > 0.0);
        assert_eq!(robot.until(9.0).active(), Some(B));
        robot.before(50.0).give(done(B));
        assert_eq!(robot.motivation_at(5_000.0, A), 0.0);
    }
}

/// §8.5: "Once r_i's boredom has crossed a threshold, it is no longer blinded": threshold / rate = 10 s, then the
/// motivation starts from 0.
#[test]
fn boredom_opens_the_second_category() {
    let mut robot = before_a(quiet(FightingChance, Preferred), &[(ME, 100.0), (R1, 50.0)]);
    assert_eq!(robot.motivation_at(9.999, A), 0.0);
    // Of the second category the longest known waits for max_delay.
    assert_close(robot.motivation_at(12.5, A), 0.5);
    assert_eq!(robot.until(60.0).activations(), [(15.0, A)]);
}

/// §8.5: boredom "is 0 at time 0 and whenever some behavior set is active"; K4: also for a robot with a single set,
/// whose product of suppressions never is 0.
#[test]
fn boredom_starts_anew_after_an_active_set_even_for_a_single_set() {
    let mut robot = before_a(quiet(FightingChance, Preferred), &[(ME, 100.0), (R1, 50.0)]);
    assert_eq!(robot.until(15.0).active(), Some(A));
    robot.before(40.0).give(gone(A));
    robot.before(41.0).give(sees(A));
    // Idle since 40 s, bored at 50 s, 5 s more.
    assert_eq!(robot.until(100.0).activations(), [(15.0, A), (55.0, A)]);
}

/// K2: as printed, learned_robot_influence would take a set of the second category down again one step after its
/// activation, since boredom is 0 then.
#[test]
fn boredom_does_not_take_an_active_set_down() {
    let mut robot = before_a(quiet(FightingChance, Preferred), &[(ME, 100.0), (R1, 50.0)]);
    robot.until(15.0);
    for at_s in [15.1, 16.0, 60.0, 114.0] {
        assert!(robot.motivation_at(at_s, A) >= 1.0);
        assert_eq!(robot.active(), Some(A));
    }
    assert_eq!(robot.quits(), []);
}

/// K19, §7.3.2: strategy I knows nothing of team mates, so it has no categories, and it does not wait for boredom.
#[test]
fn strategy_i_is_not_gated_by_boredom() {
    let times = [(ME, 100.0), (R1, 50.0)];
    for ordering in [ModifiedShortest, ModifiedRandom, Preferred, Longest] {
        let begun = before_a(never_bored(Distrust, ordering), &times).until(9.0).activations();
        assert!(begun.len() == 1 && begun[0].0 <= 5.0, "{ordering:?}: {begun:?}");
    }
}

// ---- The fast rate ----

/// The delays of tasks that take this robot 100, 60 and 20 s, each seen alone.
fn delays(config: &Config, mates: &[(RobotId, f64)]) -> [f64; 3] {
    let with_mates = |own| [&[(ME, own)], mates].concat();
    let (a, b, c) = (with_mates(100.0), with_mates(60.0), with_mates(20.0));
    let known = knows(&[(A, &a), (B, &b), (C, &c)]);
    [A, B, C].map(|task| first_choice(config.clone(), &known, &[task]).map_or(f64::NAN, |(at_s, _)| at_s))
}

/// §8.6: delta_fast = theta / (min_delay + (task_time - low) scale) in the second category, the shortest first; and
/// theta / (max_delay - (task_time - low) scale) in the first, the longest first.
#[test]
fn fast_rates_map_expected_times_to_the_allowed_delays() {
    let best = &[(R1, 100.0)];
    assert_eq!(delays(&quiet(FightingChance, Preferred), best), [1.0, 3.0, 5.0]);
    assert_eq!(delays(&quiet(FightingChance, ModifiedShortest), best), [5.0, 3.0, 1.0]);
    // A team mate that needs 20 s for all leaves the first two tasks to the second category.
    assert_eq!(delays(&quiet(FightingChance, Preferred), &[(R1, 20.0)]), [15.0, 13.0, 5.0]);
    assert_eq!(delays(&quiet(BestWins, ModifiedShortest), &[(R1, 20.0)]), [15.0, 13.0, 1.0]);
    // low and high are over all robots that this one knows of ...
    assert_eq!(delays(&quiet(FightingChance, Preferred), &[(R1, 180.0)]), [3.0, 4.0, 5.0]);
    // ... but strategy I has no such knowledge.
    assert_eq!(delays(&quiet(Distrust, ModifiedShortest), &[(R1, 180.0)]), [5.0, 3.0, 1.0]);
    let other = Config { min_delay: secs(0.5), max_delay: secs(2.5), ..quiet(FightingChance, ModifiedShortest) };
    assert_eq!(delays(&other, best), [2.5, 1.5, 0.5]);
}

/// §8.6 leaves high = low open: the scale factor is 0 then.
#[test]
fn where_all_times_are_alike_the_scale_factor_is_zero() {
    let begins = |ordering| before_a(quiet(FightingChance, ordering), &[(ME, 50.0)]).until(60.0).activations();
    assert_eq!(begins(ModifiedShortest), [(1.0, A)]);
    assert_eq!(begins(Preferred), [(5.0, A)]);
}

/// §7.2.1 Longest task first: whoever else could do it better, without categories.
#[test]
fn longest_first_has_no_categories() {
    let longest = never_bored(FightingChance, Longest);
    assert_eq!(delays(&longest, &[(R1, 20.0)]), [1.0, 3.0, 5.0]);
    let known = knows(&[(A, &[(ME, 20.0), (R1, 90.0)]), (B, &[(ME, 100.0), (R1, 50.0)])]);
    assert_eq!(first_choice(longest, &known, &[A, B]), Some((1.0, B)));
}

/// §7.2.2 Modified shortest: first what it does best, the shortest of it; then the rest, the shortest of it.
#[test]
fn modified_shortest_first_goes_by_category_and_then_by_time() {
    assert_eq!(order_of_four(ModifiedShortest), [TaskId(2), TaskId(4), TaskId(1), TaskId(3)]);
}

/// §7.4 "longest task first" in the first category, "shortest task first" in the second.
#[test]
fn preferred_takes_the_longest_of_its_own_and_the_shortest_of_the_rest() {
    assert_eq!(order_of_four(Preferred), [TaskId(4), TaskId(2), TaskId(1), TaskId(3)]);
}

/// The order in which a robot does tasks of 10 and 30 s at which R1 is better, and of 20 and 40 s at which it is not.
fn order_of_four(ordering: Ordering) -> Vec<TaskId> {
    let tasks = [1, 2, 3, 4].map(TaskId);
    let known = knows(&[
        (tasks[0], &[(ME, 10.0), (R1, 5.0)]),
        (tasks[1], &[(ME, 20.0), (R1, 45.0)]),
        (tasks[2], &[(ME, 30.0), (R1, 5.0)]),
        (tasks[3], &[(ME, 40.0), (R1, 45.0)]),
    ]);
    let mut robot = Robot::new(ME, quiet(FightingChance, ordering), &known);
    for task in tasks {
        robot.give(sees(task));
    }
    let mut order = Vec::new();
    for turn in 1..=4 {
        robot.until(f64::from(turn) * 20.0);
        order.extend(robot.active());
        robot.give(done(order[order.len() - 1]));
    }
    order
}

/// §7.2.3 Modified random: any order within a category, min_delay to max_delay; the second still waits for boredom.
#[test]
fn modified_random_draws_within_the_category() {
    let known = knows(&[(A, &[(ME, 20.0)]), (B, &[(ME, 90.0)]), (C, &[(ME, 20.0), (R1, 10.0)])]);
    let begins = |shares: [f64; 3], tasks: &[TaskId]| {
        let dice = Dice::falling(shares.map(draw));
        let mut robot = Robot::with_dice(ME, quiet(FightingChance, ModifiedRandom), &known, dice);
        for &task in tasks {
            robot.give(sees(task));
        }
        robot.until(30.0).activations()
    };
    assert_eq!(begins([0.5, 0.25, 0.0], &[A, B]), [(2.0, B)]);
    assert_eq!(begins([0.25, 0.5, 0.0], &[A, B]), [(2.0, A)]);
    assert_eq!(begins([0.5, 0.0, 0.0], &[C]), [(13.0, C)]);
    // C drew the shortest lot, but it is not this robot's before others'.
    assert_eq!(begins([0.75, 0.5, 0.0], &[A, B, C]), [(3.0, B)]);
}
