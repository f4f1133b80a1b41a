//! Box pushing (§9): behaviour sets whose sensory feedback is what team mates say.

use muster_core::alliance::Quit;
use muster_core::alliance::{Config, Feedback, Message, Ordering, Strategy};
use muster_core::{Percept, Point, Task, TaskId};

use crate::world::*;

/// The ends of the box, and the way home.
const LEFT: TaskId = A;
const RIGHT: TaskId = B;
const HOME: TaskId = C;

/// Values of section 6 of our reading: theta by delta_fast is 3 s, a message every 3 s, a margin of 1.2.
fn config() -> Config {
    Config {
        min_delay: secs(3.0),
        max_delay: secs(3.0),
        boredom: secs(3.0),
        period: Some(secs(3.0)),
        silence: Some(secs(9.0)),
        patience_margin: 1.2,
        ..Config::parker_1995(Strategy::FightingChance, Ordering::ModifiedShortest, 2)
    }
}

fn r_2() -> Config {
    let feedback = vec![(LEFT, Feedback::After(RIGHT)), (RIGHT, Feedback::After(LEFT))];
    Config { feedback, ..config() }
}

fn genghis() -> Config {
    let feedback = vec![(RIGHT, Feedback::After(LEFT)), (HOME, Feedback::UnlessOthersAt(LEFT))];
    Config { feedback, delays: vec![(HOME, secs(9.0))], ..config() }
}

/// An R-2 at the left end that knows how long it takes itself, and its mate.
fn at_left(mate_s: f64) -> Robot {
    let mut robot = Robot::new(ME, r_2(), &knows(&[(LEFT, &[(ME, 10.0)]), (RIGHT, &[(R1, mate_s)])]));
    let right = Task { place: Point::new(2.4, 0.0), ..task(RIGHT) };
    robot.give(sees(LEFT));
    robot.give(Given::Senses(Percept::TaskSeen(right)));
    robot
}

/// §9.3.1: "each robot thinks that the opposite end of the box has just been pushed".
#[test]
fn at_first_both_ends_need_pushing_and_a_robot_pushes_where_it_stands() {
    let mut robot = at_left(10.0);
    robot.until(4.0);
    assert_eq!(robot.activations(), [(3.0, LEFT)]);
}

/// §9.3.1: push-left needs "an indication that the right end of the box has just been pushed".
#[test]
fn an_end_needs_pushing_only_after_the_other_has_been_pushed() {
    let (mut robot, mut mate) = (at_left(10.0), Voice::of(R1));
    robot.before(13.0).give(done(LEFT));
    robot.before(14.0).give(mate.doing(RIGHT, 0.0));
    robot.until(20.0);
    assert_eq!((robot.active(), robot.activations().len()), (None, 1), "the right end has not been pushed yet");
    robot.before(24.0).give(mate.finished(RIGHT, 10.0));
    robot.until(26.0);
    assert_eq!(robot.active(), None);
    robot.until(27.0);
    assert_eq!(robot.active(), Some(LEFT));
}

/// §9.3.1: "if r_i is the robot doing the pushing, then the feedback comes from an internal message".
#[test]
fn a_robots_own_push_makes_the_other_end_need_one() {
    let mut robot = at_left(10.0);
    robot.before(13.0).give(done(LEFT));
    // Its mate has never been heard of and is gone after 9 s: nobody else would push there.
    robot.until(40.0);
    assert_eq!(robot.activations(), [(3.0, LEFT), (19.0, RIGHT)]);
}

/// §9.3.2: "the motivation to perform push returns to 0, growing again whenever the sensory feedback is satisfied".
#[test]
fn what_was_pushed_is_not_pushed_again_at_once() {
    let mut robot = at_left(10.0);
    robot.before(13.0).give(done(LEFT));
    assert_eq!(robot.motivation_at(15.0, LEFT), 0.0);
}

/// §9.4.2: "since push-right is growing at a reduced rate of impatience [...] the motivation does not cross the
/// threshold before Genghis-II announces its completion"; with the time of an R-2 it does.
#[test]
fn patience_with_a_mate_is_as_long_as_was_learned_of_it() {
    for (learned_s, takes_over) in [(20.0, false), (10.0, true)] {
        let (mut robot, mut mate) = (at_left(learned_s), Voice::of(R1));
        robot.before(13.0).give(done(LEFT));
        for waited in 0..7_u32 {
            robot.before(16.0 + 3.0 * f64::from(waited)).give(mate.doing(RIGHT, 3.0 * f64::from(waited)));
        }
        robot.until(36.0);
        assert_eq!(robot.active() == Some(RIGHT), takes_over, "learned {learned_s} s");
    }
}

/// §9.3.2: Genghis-II pushes at its own end only, once the other end has been pushed.
#[test]
fn genghis_pushes_after_its_mate_has() {
    let (mut robot, mut mate) = (Robot::new(ME, genghis(), &knows(&[(RIGHT, &[(ME, 20.0)])])), Voice::of(R1));
    for id in [RIGHT, HOME] {
        robot.give(sees(id));
    }
    robot.before(1.0).give(mate.doing(LEFT, 0.0));
    robot.until(4.0);
    assert_eq!(robot.active(), Some(RIGHT), "at first it thinks that the other end has just been pushed");
    robot.before(23.0).give(done(RIGHT));
    robot.before(24.0).give(mate.doing(LEFT, 0.0));
    robot.until(33.0);
    assert_eq!(robot.active(), None);
    robot.before(34.0).give(mate.finished(LEFT, 10.0));
    robot.until(37.0);
    assert_eq!(robot.active(), Some(RIGHT));
}

/// §9.3.2: go-home needs that "no other robot is pushing at the opposite end of the box".
#[test]
fn genghis_goes_home_when_nobody_pushes_the_other_end() {
    let (mut robot, mut mate) = (Robot::new(ME, genghis(), &knows(&[(RIGHT, &[(ME, 20.0)])])), Voice::of(R1));
    for id in [RIGHT, HOME] {
        robot.give(sees(id));
    }
    robot.until(3.0);
    robot.before(23.0).give(done(RIGHT));
    robot.until(34.9);
    assert_eq!(robot.active(), None, "bored after 3 s, and then 9 s of growing motivation");
    robot.until(35.0);
    assert_eq!(robot.active(), Some(HOME));
    // A team mate is back: sensory feedback is a factor of an active set, too.
    robot.before(36.0).give(mate.doing(LEFT, 0.0));
    assert_eq!(robot.quits().last(), Some(&(36.0, Quit::NotNeeded)));
}

/// §9.4: practice, each robot at an end of its own; the mate's times are learned from what it says.
#[test]
fn a_robot_that_practises_keeps_to_its_task_and_learns_of_its_mates() {
    let config = Config { performs: Some(vec![LEFT]), feedback: r_2().feedback, ..Config::training(2) };
    // Increments of a half: two cycles until the threshold.
    let dice = Dice::falling(vec![1 << 23; 40]);
    let (mut robot, mut mate) = (Robot::with_dice(ME, config, &[], dice), Voice::of(R1));
    robot.give(sees(LEFT));
    robot.give(sees(RIGHT));
    robot.until(5.0);
    assert_eq!(robot.active(), Some(LEFT));
    robot.before(15.0).give(done(LEFT));
    robot.until(60.0);
    assert_eq!(robot.active(), None, "the right end is its mate's");
    robot.before(60.0).give(mate.finished(RIGHT, 20.0));
    assert_eq!(robot.task_time(R1, RIGHT), Some(20.0));
    robot.until(65.0);
    assert_eq!(robot.active(), Some(LEFT));
}

/// [R] A task's time counts from when a robot gets there: the way says nothing about how good it is.
#[test]
fn the_way_to_a_task_is_not_part_of_its_time() {
    let mut robot = at_left(10.0);
    robot.before(13.0).give(done(LEFT));
    robot.until(19.0);
    assert_eq!(robot.active(), Some(RIGHT), "2.4 m away, at 1 m/s");
    let said = |robot: &Robot| match robot.said.last() {
        Some((_, Message::Activity { doing: Some(work), .. })) => (work.elapsed, work.away),
        other => panic!("{other:?}"),
    };
    assert_eq!(said(&robot), (secs(0.0), secs(2.4)));
    robot.before(21.4).give(Given::Senses(Percept::Arrived));
    robot.before(32.4).give(done(RIGHT));
    let took = robot.said.iter().rev().find_map(|(_, message)| match message {
        Message::Finished { task: RIGHT, took, .. } => Some(*took),
        _ => None,
    });
    assert_eq!(took, Some(secs(11.0)));
}

/// Patience with a team mate begins when it is there, and ends even if it never gets there.
#[test]
fn patience_counts_from_when_a_team_mate_gets_there() {
    let (mut robot, mut mate) = (at_left(10.0), Voice::of(R1));
    robot.before(13.0).give(done(LEFT));
    for second in [14, 17, 20, 23, 26, 29, 32, 35, 38] {
        let away = (f64::from(second) - 14.0 - 15.0).min(0.0).abs();
        let elapsed = (f64::from(second) - 29.0).max(0.0);
        robot.before(f64::from(second)).give(mate.on_its_way(RIGHT, elapsed, away));
    }
    // There at 29 s, and 1.2 times 10 s of patience from then on.
    robot.until(40.9);
    assert_eq!(robot.active(), None);
    robot.before(40.95).give(mate.on_its_way(RIGHT, 11.95, 0.0));
    robot.until(41.1);
    assert_eq!(robot.active(), Some(RIGHT), "{:?}", robot.activations());
}

/// [R] A robot counts its own way when it asks who should do a task: the one at hand comes first.
#[test]
fn the_nearer_of_two_equally_good_robots_goes_first() {
    let known = knows(&[(LEFT, &[(ME, 10.0)]), (RIGHT, &[(ME, 10.0), (R1, 10.0)])]);
    let mut robot = Robot::new(ME, r_2(), &known);
    let right = Task { place: Point::new(2.4, 0.0), ..task(RIGHT) };
    robot.give(sees(LEFT));
    robot.give(Given::Senses(Percept::TaskSeen(right)));
    robot.before(13.0).give(done(LEFT));
    // Its mate is there and says nothing else: boredom first, then the task.
    robot.before(13.0).give(Voice::of(R1).idle());
    robot.until(18.9);
    assert_eq!(robot.active(), None, "of the second category, by the way that it has to go");
    robot.until(19.0);
    assert_eq!(robot.active(), Some(RIGHT));
}
