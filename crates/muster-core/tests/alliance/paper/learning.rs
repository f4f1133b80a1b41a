//! The phase of active learning, and what is learned.

use super::*;

// ---- Active learning ----

fn learner(shares: &[f64], tasks: &[TaskId]) -> Robot {
    let dice = Dice::falling(shares.iter().map(|&share| draw(share)));
    let mut robot = Robot::with_dice(ME, training(), &[], dice);
    for &task in tasks {
        robot.give(sees(task));
    }
    robot
}

/// §8.8: random_increment = theta U(0,1), drawn in each cycle, until the sum crosses theta.
#[test]
fn in_training_motivations_grow_by_random_increments() {
    assert_eq!(learner(&[0.5, 0.4, 0.2], &[A]).until(9.0).activations(), [(3.0, A)]);
    assert_eq!(learner(&[0.9, 0.9], &[A]).until(9.0).activations(), [(2.0, A)]);
    // B's two increments do it before A's three.
    assert_eq!(learner(&[0.5, 0.4, 0.2, 0.9, 0.9], &[A, B]).until(9.0).activations(), [(2.0, B)]);
}

/// §6.3.1: "select its next action randomly from those actions that are currently incomplete": each is first at times.
#[test]
fn in_training_every_task_comes_first_at_times() {
    let mut stream = Stream::of_run(1995, Purpose::Choice);
    let mut firsts = [0; 3];
    for _ in 0..300 {
        let shares: Vec<f64> = (0..60).map(|_| stream.uniform()).collect();
        let robot = &mut learner(&shares, &[A, B, C]);
        let task = robot.until(60.0).activations()[0].1;
        firsts[task.index() - 1] += 1;
    }
    // Fixed priority among those of one cycle: half of all sums take two cycles, so C is first in one of seven.
    assert!(firsts.iter().all(|&n| n > 20), "{firsts:?}");
}

/// §8.5 learning_impatience: a robot in training considers only what nobody else is at; K6: now, not ever.
#[test]
fn in_training_only_tasks_that_nobody_is_at_are_considered() {
    let mut robot = learner(&[0.9, 0.9, 0.5, 0.3, 0.3], &[A]);
    let mut mate = Voice::of(R1);
    robot.before(1.0).give(mate.doing(A, 0.0));
    for at_s in [1.0, 10.0, 100.0, 1_000.0] {
        assert_eq!(robot.motivation_at(at_s, A), 0.0);
    }
    assert_eq!(robot.active(), None);
    // K6: with "since time 0", as printed, a task once tried and given up would never be tried by anybody else.
    robot.before(1_000.0).give(mate.gave_up(A, 999.0));
    assert_eq!(robot.until(2_000.0).activations(), [(1_003.0, A)]);
}

/// §6.3.1: "maximally patient and minimally acquiescent": "neither tries to preempt ... nor does it acquiesce".
#[test]
fn in_training_nobody_yields_or_gives_up() {
    let mut robot = Robot::with_dice(
        ME,
        training(),
        &knows(&[(A, &[(ME, 10.0), (R1, 1.0)])]),
        Dice::falling([draw(0.9), draw(0.9)]),
    );
    robot.give(sees(A));
    robot.before(60.0).give(Voice::of(R1).doing(A, 0.0));
    assert_eq!(robot.until(1e6).active(), Some(A));
    assert_eq!(robot.quits(), []);
    // "if a robot has the ability to detect failure with certainty, then it can give up".
    robot.give(Given::Senses(Percept::Blocked));
    assert_eq!(robot.quits(), [(1e6, Quit::Blocked)]);
}

/// §6.3: monitors learn in both phases.
#[test]
fn monitors_learn_in_both_phases() {
    for phase in [LearningPhase::Active { cycle: secs(1.0) }, LearningPhase::Adaptive] {
        let mut robot = Robot::new(ME, Config { phase, ..quiet(FightingChance, Preferred) }, &[]);
        robot.give(sees(A));
        robot.give(Voice::of(R1).finished(A, 40.0));
        assert_eq!(robot.task_time(R1, A), Some(40.0));
    }
}

// ---- What is learned ----

/// §6.3.1, §8.5: a robot learns its own time from its own performance, from the activation to the end.
#[test]
fn a_robot_learns_how_long_it_takes_itself() {
    let (mut robot, since) = at_a(quiet(FightingChance, Preferred), &[(ME, 100.0)]);
    robot.before(since + 60.0).give(done(A));
    // Mean 80 and standard deviation 20.
    assert_close(robot.task_time(ME, A).unwrap(), 100.0);
    robot.before(since + 61.0).give(sees(A));
    let begun = robot.until(since + 70.0).activations()[1].0;
    robot.before(begun + 20.0).give(done(A));
    assert_close(robot.task_time(ME, A).unwrap(), 60.0 + (3_200.0_f64 / 3.0).sqrt());
}

/// §6.2, §6.3.1: the monitor watches "the performance of all robots that are performing task h(a)".
#[test]
fn a_robot_learns_from_what_team_mates_say_about_their_ends() {
    let mut robot = before_a(never_bored(FightingChance, Preferred), &[]);
    let mut mate = Voice::of(R1);
    robot.before(1.0).give(mate.finished(A, 40.0));
    assert_eq!(robot.task_time(R1, A), Some(40.0));
    robot.before(2.0).give(mate.finished(A, 20.0));
    assert_close(robot.task_time(R1, A).unwrap(), 40.0);
    assert_eq!((robot.task_time(ME, A), robot.task_time(R2, A)), (None, None));
}

/// §6.3.1: "the actual time attributed to the failed robot is some penalty factor (greater than 1) multiplied by the
/// actual attempted time".
#[test]
fn a_failed_attempt_of_a_team_mate_counts_for_more_than_it_took() {
    let mut robot = before_a(never_bored(FightingChance, Preferred), &[]);
    robot.give(Voice::of(R1).gave_up(A, 40.0));
    assert_eq!(robot.task_time(R1, A), Some(80.0));
}

/// §8.5: "the average time over the last mu trials".
#[test]
fn only_the_last_mu_trials_of_a_robot_count() {
    let mut robot = before_a(never_bored(FightingChance, Preferred), &[]);
    let mut mate = Voice::of(R1);
    for took_s in [1_000.0, 30.0, 30.0, 30.0, 30.0] {
        robot.give(mate.finished(A, took_s));
    }
    assert!(robot.task_time(R1, A).unwrap() > 200.0);
    robot.give(mate.finished(A, 30.0));
    assert_eq!(robot.task_time(R1, A), Some(30.0));
}

/// §6.2: a robot keeps no data on tasks that it cannot do itself.
#[test]
fn nothing_is_learned_about_tasks_that_the_robot_cannot_do() {
    let mut robot = before_a(quiet(FightingChance, Preferred), &[]);
    let mut mate = Voice::of(R1);
    robot.give(mate.finished(C, 40.0));
    robot.give(mate.gave_up(C, 40.0));
    assert_eq!(robot.machine.known(), []);
    assert_eq!(robot.machine.motivation(C), None);
}
