//! Two at one task, and rates that are fixed.

use super::*;

// ---- Two at one task ----

/// A robot at A since 41 s hears at 60 s that `other` has been at it for `for_s`.
fn hears_claim(me: RobotId, other: RobotId, for_s: f64) -> Robot {
    let known = knows(&[(A, &[(me, 100.0), (other, 100.0)])]);
    let mut robot = Robot::new(me, Config { ordering: ModifiedShortest, ..quiet() }, &known);
    robot.before(40.0).give(sees(A));
    robot.before(60.0).give(Voice::of(other).doing(A, for_s));
    robot
}

/// §7.3.1 "a fixed tie-breaking mechanism", for robots that did not know of each other: who began earlier stays; within
/// `tie`, 1 s, the lower number does.
#[test]
fn of_two_at_one_task_the_earlier_stays_and_in_a_tie_the_lower_number() {
    let (low, high) = (RobotId(1), RobotId(2));
    // (this robot, the other, how long the other has been at it; this one has for 19 s), and whether this one stays.
    let cases = [
        (low, high, 5.0, true),
        (low, high, 19.0, true),
        (low, high, 19.9, true),
        (low, high, 20.0, true),
        (low, high, 20.1, false),
        (high, low, 20.1, false),
        (high, low, 19.0, false),
        (high, low, 18.1, false),
        (high, low, 18.0, false),
        (high, low, 17.9, true),
        (high, low, 5.0, true),
    ];
    for (me, other, for_s, stays) in cases {
        let robot = hears_claim(me, other, for_s);
        assert_eq!(robot.active().is_some(), stays, "{me} hears {other} at it for {for_s} s");
        if !stays {
            assert_eq!(robot.quits(), [(60.0, Quit::Tie { with: other })]);
            assert!(matches!(robot.said.last(), Some((_, Message::Activity { doing: None, .. }))));
        }
    }
}

/// Both sides of a tie come to the same end, whatever lies between their beginnings.
#[test]
fn exactly_one_of_two_stays() {
    for lag in [0.0, 0.3, 0.999, 1.0, 1.001, 3.0] {
        for first in [ME, R1] {
            let config = Config { team: 2, ordering: ModifiedShortest, ..live() };
            let known = knows(&[(A, &[(ME, 100.0), (R1, 100.0)])]);
            let mut team = Team::new([ME, R1].map(|id| Robot::new(id, config.clone(), &known)));
            let second = if first == ME { R1 } else { ME };
            team.later(secs(0.0), first, sees(A));
            team.later(secs(lag), second, sees(A));
            // Neither hears the other begin.
            team.mute(ME).mute(R1);
            team.run_until(4.5);
            assert_eq!([team.active(ME), team.active(R1)], [Some(A), Some(A)]);
            team.heal();
            team.run_until(20.0);
            let stays = if lag > 1.0 { first } else { ME };
            assert_eq!(team.active(stays), Some(A), "{first} by {lag} s");
            assert_eq!(team.active(if stays == ME { R1 } else { ME }), None, "{first} by {lag} s");
        }
    }
}

/// A robot that meant to take the task over is not told off by the one it takes it from.
#[test]
fn a_robot_that_takes_over_does_not_lose_the_tie() {
    let known = knows(&[(A, &[(ME, 30.0), (R1, 100.0)])]);
    let config = Config { boredom: Duration::ZERO, rates: Rates::Learned(BestWins), ..quiet() };
    let mut robot = Robot::new(ME, config, &known);
    robot.give(sees(A));
    let mut mate = Voice::of(R1);
    robot.give(mate.doing(A, 0.0));
    assert_eq!(robot.until(30.0).active(), Some(A));
    robot.before(31.0).give(mate.doing(A, 31.0));
    assert_eq!(robot.active(), Some(A));
    assert_eq!(robot.quits(), []);
}

/// Two that take a task over from a third at one instant did not mean to take it from each other.
#[test]
fn of_two_that_take_over_at_one_instant_the_lower_number_stays() {
    let times: &[(RobotId, f64)] = &[(ME, 50.0), (R1, 50.0), (R2, 50.0)];
    let config = Config { boredom: Duration::ZERO, ..live() };
    let mut team = Team::new([ME, R1, R2].map(|id| Robot::new(id, config.clone(), &knows(&[(A, times)]))));
    // R2 is at it, fails, and does not yield since it hears nobody; the others do not hear each other begin.
    team.later(secs(0.0), R2, sees(A));
    team.later(secs(10.0), ME, sees(A));
    team.later(secs(10.0), R1, sees(A));
    team.run_until(50.0);
    assert_eq!([team.active(ME), team.active(R1), team.active(R2)], [None, None, Some(A)]);
    team.mute(ME).mute(R1);
    team.run_until(58.0);
    assert_eq!([team.active(ME), team.active(R1)], [Some(A), Some(A)]);
    team.heal();
    team.run_until(70.0);
    assert_eq!([team.active(ME), team.active(R1)], [Some(A), None]);
}

// ---- Fixed rates ----

/// Two tasks that recur by turns between two ALLIANCE robots: patience is found anew each time, and the robot that is
/// left alone takes the other's part.
#[test]
fn recurring_tasks_find_patience_every_time() {
    let fixed = Fixed { fast: secs(3.0), patience: secs(20.0), yielding: secs(60.0), giving_up: secs(90.0) };
    let mut robot = Robot::new(ME, Config { period: None, silence: None, ..Config::alliance_1998(fixed, 2) }, &[]);
    let mut mate = Voice::of(R1);
    for turn in 0..5 {
        let start = f64::from(turn) * 20.0;
        robot.before(start).give(sees(A));
        robot.before(start + 1.0).give(mate.doing(A, 0.0));
        // 15 s, five fast delays and less than phi.
        robot.before(start + 16.0).give(mate.finished(A, 15.0));
        robot.give(gone(A));
    }
    assert_eq!(robot.activations(), []);
    robot.before(200.0).give(sees(B));
    assert_eq!(robot.until(204.0).activations(), [(203.0, B)]);
}
