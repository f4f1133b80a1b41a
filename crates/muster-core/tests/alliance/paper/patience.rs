//! Patience with others, and acquiescence.

use super::*;

// ---- Patience ----

/// §8.6 delta_slow = theta / phi, with phi as Table 2 has it; K10, K15: patience is phi in all strategies and
/// orderings, whatever §7.2.1 says about slow rates that grow with the expected time.
#[test]
fn patience_with_a_team_mate_lasts_for_phi() {
    for (strategy, phi_s) in [(Distrust, 80.0), (BestWins, 80.0), (FightingChance, 60.0)] {
        for ordering in [Longest, ModifiedShortest, ModifiedRandom, Preferred] {
            let mut robot = before_a(bored(strategy, ordering), &[(ME, 80.0), (R1, 60.0)]);
            robot.give(Voice::of(R1).doing(A, 0.0));
            assert_close(robot.motivation_at(15.0, A), 15.0 / phi_s);
            assert_eq!(robot.until(130.0).activations(), [(phi_s, A)], "{strategy:?} {ordering:?}");
        }
    }
}

/// §8.6: "delta_slow_ij grows faster than delta_slow_ix only if r_i expects to perform task j faster than x". K10: true
/// where phi is the own time (I, II), not where it is the other's (III).
#[test]
fn slow_rates_follow_the_own_time_except_under_strategy_iii() {
    let known = knows(&[(A, &[(ME, 40.0), (R1, 90.0)]), (B, &[(ME, 80.0), (R2, 30.0)])]);
    let rates = |strategy| {
        let mut robot = Robot::new(ME, bored(strategy, Preferred), &known);
        for given in [sees(A), sees(B), Voice::of(R1).doing(A, 0.0), Voice::of(R2).doing(B, 0.0)] {
            robot.give(given);
        }
        [robot.motivation_at(10.0, A), robot.motivation_at(10.0, B)]
    };
    for strategy in [Distrust, BestWins] {
        let [a, b] = rates(strategy);
        assert!(a > b);
    }
    let [a, b] = rates(FightingChance);
    assert!(a < b);
}

/// §8.6: where times scatter, `patience_margin` stretches phi.
#[test]
fn the_patience_margin_stretches_phi() {
    let config = Config { patience_margin: 1.2, ..bored(FightingChance, Preferred) };
    let mut robot = before_a(config, &[(ME, 80.0), (R1, 60.0)]);
    robot.give(Voice::of(R1).doing(A, 0.0));
    assert_eq!(robot.until(130.0).activations(), [(72.0, A)]);
}

/// §8.6 impatience: the slow rate "if r_k is performing the task in the last tau time units, but not for longer than
/// phi"; "otherwise, the impatience rate is set to delta_fast".
#[test]
fn after_phi_impatience_is_fast() {
    let mut robot = Robot::new(ME, bored(BestWins, Preferred), &knows(&[(A, &[(ME, 80.0), (R1, 60.0)])]));
    robot.before(100.0).give(sees(A));
    // First heard of when it has been at it for 40 s: phi is over after 40 s more, at half the threshold.
    robot.give(Voice::of(R1).doing(A, 40.0));
    assert_close(robot.motivation_at(140.0, A), 0.5);
    // The longest task known of, in the second category: 5 s from 0.
    assert_close(robot.motivation_at(141.0, A), 0.7);
    assert_eq!(robot.until(200.0).activations(), [(142.5, A)]);
}

/// §8.6: min_k of the slow rates: as patient as with the one that deserves most.
#[test]
fn of_several_at_a_task_the_slowest_rate_counts() {
    let mut robot = before_a(bored(FightingChance, Preferred), &[(ME, 100.0), (R1, 40.0), (R2, 80.0)]);
    robot.give(Voice::of(R1).doing(A, 0.0));
    robot.give(Voice::of(R2).doing(A, 0.0));
    assert_close(robot.motivation_at(20.0, A), 0.25);
    assert_eq!(robot.until(130.0).activations(), [(80.0, A)]);
}

/// §8.6 impatience_reset: "the motivation ... to go to 0 the first time it hears about another robot performing".
#[test]
fn the_first_word_of_a_team_mate_at_a_task_resets_impatience() {
    let mut robot = before_a(bored(FightingChance, ModifiedShortest), &[(ME, 80.0), (R1, 60.0), (R2, 60.0)]);
    assert_close(robot.motivation_at(2.5, A), 0.5);
    robot.give(Voice::of(R1).doing(A, 0.0));
    assert_eq!(robot.machine.motivation(A), Some(0.0));
    // No more than once for every team mate, so another one resets it again.
    assert_close(robot.motivation_at(32.5, A), 0.5);
    robot.give(Voice::of(R2).doing(A, 0.0));
    assert_eq!(robot.machine.motivation(A), Some(0.0));
}

/// §8.6: "Allowing the motivation to be reset repeatedly by the same robot would allow a persistent, yet failing robot
/// to jeopardize the completion of the mission".
#[test]
fn repetition_never_resets_impatience() {
    let mut robot = before_a(bored(FightingChance, ModifiedShortest), &[(ME, 80.0), (R1, 60.0)]);
    let mut mate = Voice::of(R1);
    for tick in 0..=11 {
        let at_s = f64::from(tick) * 5.0;
        // The radio delays each by a little less than the next.
        robot.before(at_s + f64::from(tick) * 0.01).give(mate.doing(A, at_s));
        assert_close(robot.machine.motivation(A).unwrap(), (at_s + f64::from(tick) * 0.01) / 60.0);
    }
    assert_eq!(robot.until(130.0).activations(), [(60.0, A)]);
}

/// Our reading: once per team mate and activation, so that tasks that recur find patience every time.
#[test]
fn another_activation_of_the_same_team_mate_resets_once_more() {
    let mut robot = before_a(bored(FightingChance, ModifiedShortest), &[(ME, 80.0), (R1, 60.0)]);
    let mut mate = Voice::of(R1);
    robot.give(mate.doing(A, 0.0));
    robot.before(20.0).give(mate.idle());
    assert!(robot.motivation_at(21.0, A) > 0.3);
    robot.before(21.5).give(mate.doing(A, 0.0));
    assert_eq!(robot.machine.motivation(A), Some(0.0));
    // Even if the end of the first was lost on the way.
    assert!(robot.motivation_at(51.5, A) > 0.4);
    robot.give(mate.doing(A, 2.0));
    assert_eq!(robot.machine.motivation(A), Some(0.0));
}

/// K3: as printed, impatience_reset would also stop the robot at work when another joins, whatever psi says.
#[test]
fn a_team_mate_that_joins_does_not_reset_the_robot_at_work() {
    for strategy in Strategy::ALL {
        let (mut robot, since) = at_a(bored(strategy, Preferred), &[(ME, 80.0), (R1, 60.0)]);
        robot.before(since + 30.0).give(Voice::of(R1).doing(A, 0.0));
        assert!(robot.motivation_at(since + 59.0, A) >= 1.0);
        assert_eq!(robot.active(), Some(A));
    }
}

// ---- Acquiescence ----

/// §8.7 psi by Table 2: the own time under I and III, the best robot's time under II.
#[test]
fn a_robot_yields_after_psi_to_another_that_claims_the_task() {
    for (strategy, psi_s) in [(Distrust, 80.0), (BestWins, 60.0), (FightingChance, 80.0)] {
        let (mut robot, since) = at_a(bored(strategy, Preferred), &[(ME, 80.0), (R1, 60.0)]);
        robot.before(since + 30.0).give(Voice::of(R1).doing(A, 0.0));
        assert_eq!(robot.until(since + psi_s - 0.001).active(), Some(A), "{strategy:?}");
        robot.until(since + psi_s);
        assert_eq!(robot.quits(), [(since + psi_s, Quit::Yielded { to: R1 })]);
        // Yielding is failing only after more than the own time: else the robot has been slower, nothing worse.
        if psi_s < 80.0 {
            assert!(matches!(robot.said.last(), Some((_, Message::Activity { doing: None, .. }))));
            assert_eq!(robot.task_time(ME, A), Some(80.0));
        } else {
            assert!(matches!(robot.said.last(), Some((_, Message::GaveUp { .. }))));
            assert!(robot.task_time(ME, A) > Some(80.0));
        }
    }
}

/// §7.1.2: "the acquiescing robot does not compare its own expected performance with its knowledge about the expected
/// performance of the impatient robot": the standard is that of the best present, whoever claims the task.
#[test]
fn let_the_best_robot_win_yields_to_any_claim_after_the_best_robots_time() {
    let (mut robot, since) = at_a(bored(BestWins, Preferred), &[(ME, 80.0), (R1, 60.0), (R2, 200.0)]);
    robot.before(since + 10.0).give(Voice::of(R2).doing(A, 0.0));
    assert_eq!(robot.until(100.0).quits(), [(since + 60.0, Quit::Yielded { to: R2 })]);
    // The best known is this robot itself.
    let (mut robot, since) = at_a(bored(BestWins, Preferred), &[(ME, 80.0), (R1, 90.0)]);
    robot.before(since + 10.0).give(Voice::of(R1).doing(A, 0.0));
    assert_eq!(robot.until(100.0).quits(), [(since + 80.0, Quit::Yielded { to: R1 })]);
}

/// §8.7: both conditions: psi has passed *and* another claims the task.
#[test]
fn after_psi_the_first_claim_is_yielded_to_at_once() {
    let (mut robot, since) = at_a(bored(FightingChance, Preferred), &[(ME, 80.0), (R1, 60.0)]);
    assert_eq!(robot.until(since + 150.0).active(), Some(A), "nobody claims it");
    robot.give(Voice::of(R1).doing(A, 0.0));
    assert_eq!(robot.until(since + 150.0).quits(), [(since + 150.0, Quit::Yielded { to: R1 })]);
}

/// §8.7: whatever wakes the robot, it is psi and lambda that count.
#[test]
fn a_robot_that_wakes_early_does_not_acquiesce() {
    let (mut robot, since) = at_a(bored(FightingChance, Preferred), &[(ME, 80.0), (R1, 60.0)]);
    robot.before(since + 30.0).give(Voice::of(R1).doing(A, 0.0));
    robot.before(since + 40.0).give(Given::Fires(Timer::Motivation));
    assert_eq!(robot.until(since + 79.0).active(), Some(A));
}

/// §8.7, §8.3: a claim counts for tau.
#[test]
fn a_claim_that_has_fallen_silent_is_not_yielded_to() {
    let config = Config { silence: Some(secs(15.0)), ..bored(FightingChance, Preferred) };
    let (mut robot, since) = at_a(config, &[(ME, 80.0), (R1, 60.0)]);
    robot.before(since + 30.0).give(Voice::of(R1).doing(A, 0.0));
    assert_eq!(robot.until(since + 150.0).active(), Some(A));
}

/// §8.7 lambda: two or three times the own expected time, here 2.5; then the robot gives up on itself, says so, and
/// what it tried counts twice.
#[test]
fn a_robot_gives_up_on_itself_after_lambda() {
    for strategy in Strategy::ALL {
        let (mut robot, since) = at_a(bored(strategy, Preferred), &[(ME, 40.0), (R1, 60.0)]);
        assert_eq!(robot.until(since + 99.999).active(), Some(A));
        robot.until(since + 100.0);
        assert_eq!(robot.quits(), [(since + 100.0, Quit::Hopeless)]);
        let (when, last) = robot.said.last().unwrap();
        assert_eq!(*when, at(since + 100.0));
        assert!(matches!(last, Message::GaveUp { task: A, tried, .. } if *tried == secs(100.0)), "{last:?}");
        // Mean 120 and standard deviation 80 of 40 and 2 x 100.
        assert_close(robot.task_time(ME, A).unwrap(), 200.0);
    }
}

/// §8.5: "updates to the impatience parameters eventually cause the robot to become more impatient to perform some
/// other task at which it can succeed".
#[test]
fn a_robot_that_fails_at_one_task_turns_to_another() {
    let known = knows(&[(A, &[(ME, 10.0)]), (B, &[(ME, 40.0)])]);
    let mut robot = Robot::new(ME, quiet(FightingChance, ModifiedShortest), &known);
    robot.give(sees(A));
    robot.give(sees(B));
    // 25 s in vain, so 30 + 20 s are expected from now on.
    let begun: Vec<TaskId> = robot.until(60.0).activations().iter().map(|(_, task)| *task).collect();
    assert_eq!(begun, [A, B]);
}

/// §8.5: "repeated failures cause the expected completion time of the failed task to monotonically increase". True of
/// those that take lambda; it must hold as well for those that the robot is certain of early.
#[test]
fn early_failures_make_a_task_look_longer_too() {
    let (mut robot, _) = at_a(quiet(FightingChance, Preferred), &[(ME, 100.0)]);
    let mut before = robot.task_time(ME, A).unwrap();
    for failure in 1..=4 {
        robot.until(f64::from(failure) * 20.0);
        assert_eq!(robot.active(), Some(A), "it tries again");
        let (since, _) = *robot.activations().last().unwrap();
        robot.before(robot.now.as_secs_f64().max(since + 1.0)).give(Given::Senses(Percept::Blocked));
        let after = robot.task_time(ME, A).unwrap();
        assert!(after > before, "failure {failure}: from {before} s to {after} s");
        before = after;
    }
}

/// §8.5: failures of a team mate must not make it look quick either.
#[test]
fn early_failures_of_a_team_mate_make_it_look_slower_too() {
    let mut robot = before_a(never_bored(FightingChance, Preferred), &[(ME, 100.0), (R1, 50.0)]);
    robot.give(Voice::of(R1).gave_up(A, 2.0));
    assert!(robot.task_time(R1, A) > Some(50.0), "{:?}", robot.task_time(R1, A));
}
