//! What a robot shows of itself: what it does, how patient it is, and a bar for each motivation.

use muster_core::alliance::{Alliance, Work};
use muster_core::panel::{Field, Posture, Shown};
use muster_core::{Mechanism, Percepts, Point};

use super::*;

/// The bars: what they are called, and how full they are.
fn bars(robot: &Robot) -> Vec<(String, f64)> {
    let bar = |field: Field| match field.shown {
        Shown::Gauge { value, min, max, mark } => {
            assert_eq!((min, Some(max)), (0.0, mark));
            Some((field.label.to_string(), value))
        }
        _ => None,
    };
    robot.shows().into_iter().filter_map(bar).collect()
}

/// The machine computes when it is given something; what is shown is as of the time it is shown at.
#[test]
fn motivations_are_shown_as_they_are_now() {
    let mut robot = before_a(fixed(4.0, 60.0, 60.0, 60.0), &[]);
    robot.now = at(3.0);
    assert_eq!(robot.machine.motivation(A), Some(0.0));
    let bars = bars(&robot);
    assert_eq!((bars.len(), &*bars[0].0), (1, "t1"));
    assert_close(bars[0].1, 0.75);
    assert_close(robot.motivation_at(3.0, A), bars[0].1);
    assert_eq!(robot.does(), (Posture::Idle, "idle".to_owned()));
    assert!(robot.shows().contains(&Field::number("acts at (s)", 4.0)), "{:?}", robot.shows());
}

#[test]
fn an_active_set_holds_the_others_down_and_shows_its_patience() {
    let mut robot = before_a(fixed(4.0, 60.0, 30.0, 90.0), &[]);
    robot.give(sees(B));
    robot.until(10.0);
    assert_eq!(robot.does(), (Posture::Working, "at t1, since 4.0 s".to_owned()));
    let shown = robot.shows();
    assert_eq!(shown[1], Field::new("task", Shown::Task { value: "t1".into(), number: A.0 }));
    assert_eq!(
        shown[2..4],
        [Field::number("yields to another from (s)", 34.0), Field::number("gives up at (s)", 94.0)]
    );
    let threshold = robot.machine.config().threshold;
    assert_eq!(bars(&robot), [("t1".to_owned(), threshold), ("t2".to_owned(), 0.0)]);
    robot.give(gone(A));
    assert_eq!(bars(&robot), [("t2".to_owned(), 0.0)], "what is over is not shown");
}

#[test]
fn a_robot_on_its_way_is_not_at_it() {
    let mut robot = Robot::new(ME, fixed(4.0, 60.0, 60.0, 60.0), &[]);
    robot.give(Given::Senses(Percept::TaskSeen(Task { place: Point::new(10.0, 0.0), ..task(A) })));
    robot.until(5.0);
    assert_eq!(robot.does(), (Posture::Committed, "on its way to t1, there at 14.0 s".to_owned()));
    robot.give_at(14.0, Given::Senses(Percept::Arrived));
    assert_eq!(robot.does(), (Posture::Working, "at t1, since 14.0 s".to_owned()));
}

/// One that was taken over from a robot that is taking too long says so.
#[test]
fn what_was_taken_over_is_said_to_be() {
    let mut robot = before_a(fixed(4.0, 10.0, 60.0, 60.0), &[]);
    robot.give(Voice::of(R1).doing(A, 0.0));
    robot.until(60.0);
    let (posture, does) = robot.does();
    assert_eq!(posture, Posture::Working);
    assert!(does.starts_with("at t1, which it took over, since "), "{does}");
}

/// So many fit a card: the largest, largest first.
#[test]
fn of_many_motivations_the_largest_are_shown() {
    let delays = (1..=30).map(|n| (TaskId(n), secs(100.0 - f64::from(n)))).collect();
    let mut robot = Robot::new(ME, Config { delays, ..fixed(4.0, 60.0, 60.0, 60.0) }, &[]);
    for n in 1..=30 {
        robot.give(sees(TaskId(n)));
    }
    robot.now = at(50.0);
    let bars = bars(&robot);
    assert_eq!((bars.len(), &*bars[0].0, &*bars[23].0), (24, "t30", "t7"));
    // One that it cannot do is none of its.
    let blind = Task { needs: Percepts::only(5), ..task(TaskId(31)) };
    robot.give(Given::Senses(Percept::TaskSeen(blind)));
    assert!(robot.machine.motivation(TaskId(31)).is_none());
}

#[test]
fn a_statement_is_about_what_its_sender_does() {
    let stamp = muster_core::alliance::Stamp { life: 1, number: 1 };
    let doing = Some(Work { task: A, elapsed: secs(1.0), away: secs(0.0) });
    let about = |message| Alliance::task_of(&message);
    assert_eq!(about(Message::Activity { stamp, doing, last: None }), Some(A));
    assert_eq!(about(Message::Activity { stamp, doing: None, last: None }), None);
    assert_eq!(about(Message::Finished { stamp, task: B, took: secs(1.0) }), Some(B));
    assert_eq!(about(Message::Times { stamp, times: vec![(A, secs(1.0))] }), None);
}
