//! Robots that fail at a task.

use super::*;

/// §6.3.1: "if a robot has the ability to detect failure with certainty, then it can give up failed tasks".
#[test]
fn a_blocked_robot_gives_up_and_says_so() {
    let mut robot = at_a(quiet());
    robot.before(61.0).give(Given::Senses(Percept::Blocked));
    assert_eq!(robot.active(), None);
    assert_eq!(robot.quits(), [(61.0, Quit::Blocked)]);
    assert_eq!(robot.acted.last(), Some(&(at(61.0), Action::Stop)));
    let message = Message::GaveUp { stamp: Stamp { life: 1, number: 2 }, task: A, tried: secs(60.0) };
    assert_eq!(robot.said.last(), Some(&(at(61.0), message)));
    // A failure counts for no less than what was expected: 100 and 2 x 100, mean 150, standard deviation 50.
    assert_eq!(robot.task_time(ME, A), Some(200.0));
    assert_eq!(robot.memory.known, robot.machine.known());
    // It may try again: the task is still to be done.
    assert!(robot.until(100.0).active().is_some());
}

/// A robot that has nothing in hand cannot be blocked.
#[test]
fn blocked_means_nothing_to_an_idle_robot() {
    let mut robot = Robot::new(ME, quiet(), &[]);
    let before = robot.machine.clone();
    robot.give(Given::Senses(Percept::Blocked));
    robot.give(Given::Senses(Percept::Arrived));
    assert_eq!(robot.machine, before);
    assert!(robot.said.is_empty() && robot.acted.is_empty());
}

/// §8.5: a robot must not get "stuck forever performing a task at which it cannot succeed": also when it knows at once.
#[test]
fn a_robot_that_is_blocked_at_once_turns_to_another_task() {
    let config = Config { ordering: ModifiedShortest, ..quiet() };
    let mut robot = Robot::new(ME, config, &knows(&[(A, &[(ME, 30.0)]), (B, &[(ME, 40.0)])]));
    robot.give(sees(A));
    robot.give(sees(B));
    for failure in 1..=5 {
        robot.until(f64::from(failure) * 10.0);
        if robot.active() == Some(A) {
            robot.give(Given::Senses(Percept::Blocked));
        }
    }
    assert_eq!(robot.active(), Some(B), "A should take {:?} s by now", robot.task_time(ME, A));
}

/// ... and once the way is free, it must be able to work for longer than nothing.
#[test]
fn a_robot_that_was_blocked_at_once_can_still_try_again() {
    let mut robot = Robot::new(ME, quiet(), &[]);
    robot.give(sees(A));
    robot.until(11.0);
    assert_eq!(robot.active(), Some(A));
    robot.give(Given::Senses(Percept::Blocked));
    robot.until(60.0);
    assert_eq!(robot.active(), Some(A), "{:?}", robot.quits());
}

/// §8.3, §8.6: a robot that dies at its task is replaced after tau and a fast delay, not after phi.
#[test]
fn the_task_of_a_robot_that_died_is_taken_over_after_tau() {
    let known = knows(&[(A, &[(ME, 1_000.0), (R1, 900.0)])]);
    let mut robot = Robot::new(ME, live(), &known);
    robot.give(sees(A));
    let mut mate = Voice::of(R1);
    for at_s in [1.0, 6.0, 11.0] {
        robot.before(at_s).give(mate.doing(A, at_s - 1.0));
    }
    // Silent since 11 s, so presumed gone at 26 s.
    let begun = robot.until(60.0).activations()[0].0;
    assert!((26.0..31.0).contains(&begun), "{begun}");
}

/// Section 6 of our reading: what is unknown is taken to need 300 s, so a team mate about which nothing is known is not
/// waited for without end.
#[test]
fn an_unknown_team_mate_is_given_the_time_of_an_unknown_task() {
    let config = Config { boredom: Duration::ZERO, ..quiet() };
    let mut robot = Robot::new(ME, config, &knows(&[(A, &[(ME, 50.0)])]));
    robot.give(sees(A));
    robot.give(Voice::of(R2).doing(A, 0.0));
    assert_eq!(robot.until(330.0).activations(), [(300.0, A)]);
}

/// A set that appears after a team mate has said that it is at its task: the next statement tells.
#[test]
fn a_task_seen_late_is_left_to_the_robot_that_is_at_it_with_its_next_statement() {
    let known = knows(&[(A, &[(ME, 100.0), (R1, 100.0)])]);
    let mut robot = Robot::new(ME, live(), &known);
    let mut mate = Voice::of(R1);
    robot.before(1.0).give(mate.doing(A, 0.0));
    // Heard before it was seen, but the robot knows the task.
    robot.before(2.0).give(sees(A));
    assert_eq!(robot.until(11.0).active(), None);
    // Not known at all: up to a period later.
    let mut robot = Robot::new(ME, Config { boredom: Duration::ZERO, ..live() }, &[]);
    let mut mate = Voice::of(R1);
    robot.before(1.0).give(mate.doing(A, 0.0));
    robot.before(2.0).give(sees(A));
    robot.before(6.0).give(mate.doing(A, 5.0));
    assert_eq!(robot.until(11.0).active(), None);
}

/// Every robot works with a radio that hears nothing: tasks get done, if more than once.
#[test]
fn without_any_communication_all_tasks_get_done() {
    let times: &[(RobotId, f64)] = &[(ME, 30.0), (R1, 50.0)];
    for strategy in Strategy::ALL {
        let config = Config::parker_1995(strategy, Preferred, 2);
        let known = knows(&[(A, times), (B, times)]);
        let mut team = Team::new([ME, R1].map(|id| Robot::new(id, config.clone(), &known)));
        team.mute(ME).mute(R1);
        for task in [A, B] {
            team.world.work.extend([((ME, task), 30.0), ((R1, task), 50.0)]);
        }
        team.shows(&[A, B]);
        team.run_until(500.0);
        assert_eq!(team.world.done.len(), 2, "{strategy:?}");
    }
}
